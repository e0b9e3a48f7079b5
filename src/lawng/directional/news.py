"""Dated news articles from the formats that they come in: JSON lines, NewsCrawl, CLUE news, Reuters-21578.

news_files(source) -> [NewsFile]            read_news(file) -> articles, counts and rejects

What a file is, its first bytes tell: JSON, whose fields may have CLUE's names; SGML; lines of a date and base64
text, as the document-split files of WMT's NewsCrawl have them; or plain text with its day in the file's name, its
articles parted by empty lines. Each may be packed by gzip, bzip2 or xz, and several may be in a zip.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import is_zipfile

from lawng.corpus.archives import READING, Zip, files_in, open_packed
from lawng.corpus.decoding import decode, values_of
from lawng.corpus.records import reject, reject_error
from lawng.directional.records import Article
from lawng.errors import InputError
from lawng.io.limits import OverLimitError, lines_of, read_whole
from lawng.pipeline import Count
from lawng.schema import Reject

ENTRIES = "entries"
"""What is counted: each article, row or file that comes in goes out as an article or is rejected under this name."""
ARTICLE_CHARACTERS = 1_000_000
"""Characters of an article; spaCy parses no longer text (`text-too-long`)."""
CLUE_YEAR = 2016
"""The year of CLUE's articles, whose dates have none (Li et al. 2022, appendix D)."""

Item = Article | Reject | Count

_LOOK = 1 << 16
_EPOCH = date(1970, 1, 1)
"""What a missing date becomes."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"(\d{4})(?:(\d{2})(\d{2})|[-/.年](\d{1,2})[-/.月](\d{1,2}))(?!\d)")
_NAMED = re.compile(r"(\d{1,2})[- ]([A-Za-z]{3})[a-z]*[- ](\d{4})")
_NO_LANGUAGE = frozenset(("", "none", "nan", "null", "und", "unknown", "mul"))
_CHINESE = frozenset(("chi", "zho", "chinese", "cmn", "cn", "中文"))
_MONTH_AND_DAY = re.compile(r"(\d{2})-(\d{2}) \d{2}:\d{2}$")
_IN_NAME = re.compile(r"(?<!\d)\d{4}([-_.]?)\d{2}\1\d{2}(?!\d)")
_JSON = re.compile(rb"\s*(?:\{|\[\s*[\[{\"\]])")
"""An object or an array of such; "[AP] London" begins a text."""
_DOCUMENT = re.compile(rb"\d{8}\t[A-Za-z0-9+/]+=*[\t\r\n]")
_FIELDS = {
    "id": ("id", "article_id", "news_id"),
    "date": ("date", "time", "published", "publish_date"),
    "title": ("title", "headline"),
    "text": ("text", "content", "body"),
}
"""The names that a field of JSON may have."""
_CLUE = {"news_id", "content"}


@dataclass(frozen=True, slots=True)
class NewsFile:
    """A file of news, or a member of a zip."""

    path: Path
    name: str
    """What to call it: its path below the source."""
    member: str = ""
    weight: int = 0


def news_files(source: Path) -> list[NewsFile]:
    """The files of a source, which is a file or a folder, in order; a zip's members each stand for themselves.

    Raises InputError when there is none or a zip cannot be read.
    """
    files = files_in(source) if source.is_dir() else [source] if source.is_file() else []
    if not files:
        raise InputError(f"{source}: no news here; name a file or a folder of dated articles")
    root = source if source.is_dir() else source.parent
    return [one for file in files for one in _members(file, file.relative_to(root).as_posix())]


def _members(path: Path, place: str) -> Iterator[NewsFile]:
    size = path.stat().st_size
    if not is_zipfile(path):
        yield NewsFile(path, place, weight=size)
        return
    try:
        with Zip(path) as packed:
            yield from (NewsFile(path, f"{place}/{name}", name, size) for name in packed.names)
    except (*READING, OverLimitError) as error:
        raise InputError(f"{path}: cannot be read ({error}); unpack it, or leave it out") from error


def read_news(file: NewsFile) -> Iterator[Item]:
    """The articles of a file; what is none is one counted reject with its place."""
    try:
        if file.member:
            with Zip(file.path) as packed, packed.open_unpacked(file.member) as stream:
                yield from _read(stream, file.name)
        else:
            with open_packed(file.path) as stream:
                yield from _read(stream, file.name)
    except (*READING, OverLimitError) as error:
        yield from reject_error(ENTRIES, file.name, error, "file-breaks-off")


def _read(stream: BufferedReader, place: str) -> Iterator[Item]:
    start = stream.peek(_LOOK)[:_LOOK]
    reader = next((read for is_it, read in _READERS if is_it(start, place)), None)
    if reader is None:
        yield from reject(ENTRIES, place, "not-news", "neither JSON, SGML nor documents, and no day in its name")
        return
    yield from reader(stream, place)


def _articles_of_json(stream: BufferedReader, place: str) -> Iterator[Item]:
    for found in values_of(stream):
        where = f"{place}:{found.place}"
        if isinstance(found.value, Exception):
            yield from reject_error(ENTRIES, where, found.value, "not-json")
        elif isinstance(found.value, dict):
            yield from _article_of_row(found.value, where)
        else:
            yield from reject(ENTRIES, where, "not-an-article", f"{type(found.value).__name__} in place of an object")


def _article_of_row(row: dict[str, Any], where: str) -> Iterable[Item]:
    values = {name: next((row[key] for key in keys if _is_filled(row.get(key))), "") for name, keys in _FIELDS.items()}
    if wrong := [name for name, value in values.items() if isinstance(value, dict | list)]:
        return reject(ENTRIES, where, "not-an-article", f"{', '.join(wrong)}: not a text")
    words = {name: str(value) for name, value in values.items()}
    is_clue = row.keys() >= _CLUE
    if is_clue and (short := _MONTH_AND_DAY.match(words["date"])):
        words["date"] = f"{CLUE_YEAR}-{short[1]}-{short[2]}"
    language = _language(row.get("language") or row.get("lang"), "zh" if is_clue else "en")
    return _article(_Raw(words["id"] or where, words["date"], words["title"], words["text"], where, language))


def _language(said: Any, default: str) -> str:
    """A language as a row has it, the default where it tells none; names of the two that are read by their codes."""
    told = said.strip().lower() if isinstance(said, str) else ""
    if told in _NO_LANGUAGE:
        return default
    return "en" if told.endswith("english") else "zh" if told in _CHINESE else told


def _is_filled(value: Any) -> bool:
    return value is not None and str(value).strip() != ""


def _articles_of_documents(stream: BufferedReader, place: str) -> Iterator[Item]:
    """WMT's document-split lines: a day, sentences and, in some years, the paragraphs, both in base64."""
    for number, line in enumerate(lines_of(stream), start=1):
        where = f"{place}:{number}"
        if isinstance(line, OverLimitError):
            yield from reject_error(ENTRIES, where, line, line.reason)
            continue
        day, *texts = line.rstrip(b"\r\n").split(b"\t")
        try:
            text = decode(base64.b64decode(texts[-1] if texts else b"", validate=True))[0]
        except ValueError as error:
            yield from reject(ENTRIES, where, "not-base64", str(error))
            continue
        yield from _article(_Raw(where, day.decode("ascii", "replace"), "", text, where))


def _articles_of_day(stream: BufferedReader, place: str) -> Iterator[Item]:
    day = _day_in_name(place).replace("_", "-")
    for number, line in enumerate(_paragraphs(stream), start=1):
        where = f"{place}:{number}"
        if isinstance(line, OverLimitError):
            yield from reject_error(ENTRIES, where, line, line.reason)
        else:
            yield from _article(_Raw(where, day, "", decode(line)[0], where))


def _paragraphs(stream: BufferedReader) -> Iterator[bytes | OverLimitError]:
    """Lines that no empty one parts, together; one that is too long by itself."""
    held: list[bytes] = []
    for line in chain(lines_of(stream), [b""]):
        if held and (isinstance(line, OverLimitError) or not line.strip()):
            yield b"\n".join(held)
            held = []
        if isinstance(line, OverLimitError):
            yield line
        elif line.strip():
            held.append(line.strip())


_STORY = re.compile(r"<REUTERS\b([^>]*)>")
_CODE = re.compile(r"\s*<[A-Z0-9.=]{1,12}>")
"""The code by which an exchange knows a firm, after its name: "General Motors Corp <GM>"."""
_NAME = re.compile(r"<([^<>\n]{2,80})>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SIGN_OFF = re.compile(r"\s*\breuter\s*$", re.I)
_INDENT = re.compile(r"\n[ \t]{2,}|\n\s*\n")


def _articles_of_sgml(stream: BufferedReader, place: str) -> Iterator[Item]:
    text = decode(read_whole(stream))[0]
    starts = [*_STORY.finditer(text)]
    for found, end in zip(starts, [*(one.start() for one in starts[1:]), len(text)], strict=True):
        number = re.search(r'NEWID="(\d+)"', found[1])
        where = f"{place}:{number[1] if number else text.count(chr(10), 0, found.start()) + 1}"
        yield from _story(number[1] if number else where, text[found.end() : end], where)


def _story(ident: str, story: str, where: str) -> Iterable[Item]:
    """A story of Reuters-21578; a brief has a title alone, one of type UNPROC a text without parts."""
    opened = [*(tag for tag in ("BODY", "TEXT") if re.search(rf"<{tag}[ >]", story)), "REUTERS"]
    unclosed = [tag for tag in opened if f"</{tag}>" not in story]
    if unclosed:
        return reject(ENTRIES, ident, "sgml-not-closed", f"no </{unclosed[0]}>", where)
    text = _element("TEXT" if 'TYPE="UNPROC"' in story else "BODY", story)
    title = " ".join(_plain(_element("TITLE", story)).split())
    return _article(_Raw(ident, _element("DATE", story), title, _SIGN_OFF.sub("", _plain(text)), where))


def _element(tag: str, story: str) -> str:
    found = re.search(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", story, re.S)
    return found[1] if found else ""


def _plain(text: str) -> str:
    return _NAME.sub(r"\1", _CODE.sub("", _CONTROL.sub("", html.unescape(text))))


class _Raw(NamedTuple):
    """An article as a file has it."""

    ident: str
    day: str
    title: str
    text: str
    where: str
    language: str = "en"


def _article(raw: _Raw) -> tuple[Count, Article | Reject]:
    day = _day(raw.day)
    # indented lines and empty ones begin a paragraph where there are any, else every line does
    paragraphs = _INDENT.split(raw.text) if _INDENT.search(raw.text) else raw.text.split("\n")
    text = "\n\n".join(filter(None, (" ".join(part.split()) for part in paragraphs)))
    if day is None:
        reason = "date-unreadable" if raw.day.strip() else "no-date"
        return reject(ENTRIES, raw.ident, reason, repr(raw.day.strip()[:80]), raw.where)
    if day == _EPOCH:
        return reject(ENTRIES, raw.ident, "date-epoch", raw.day, raw.where)
    if not text:
        return reject(ENTRIES, raw.ident, "no-text", raw.title, raw.where)
    if len(text) > ARTICLE_CHARACTERS:
        says = f"{len(text):,} characters; {ARTICLE_CHARACTERS:,} are the limit"
        return reject(ENTRIES, raw.ident, "text-too-long", says, raw.where)
    return Count(1, ENTRIES), Article(raw.ident, day, raw.title, text, raw.language)


def _day(raw: str) -> date | None:
    iso, named = _ISO.match(raw.strip()), _NAMED.match(raw.strip())
    try:
        if iso:
            return date(*(int(part) for part in iso.groups() if part))
        if named:
            return date(int(named[3]), _MONTHS.index(named[2].lower()) + 1, int(named[1]))
        told = parsedate(raw)  # as RSS has it: Sat, 05 Mar 2016 10:00:00 GMT
        return date(*told[:3]) if told else None
    except (ValueError, OverflowError):
        return None


def _day_in_name(place: str) -> str:
    found = _IN_NAME.search(place.rpartition("/")[2])
    return found[0] if found else ""


Reader = Callable[[BufferedReader, str], Iterable[Item]]
_READERS: tuple[tuple[Callable[[bytes, str], Any], Reader], ...] = (
    (lambda start, _: _JSON.match(start.removeprefix(b"\xef\xbb\xbf")), _articles_of_json),
    (lambda start, _: b"<REUTERS" in start, _articles_of_sgml),
    (lambda start, _: _DOCUMENT.match(start), _articles_of_documents),
    (lambda _, place: _day_in_name(place), _articles_of_day),
)
