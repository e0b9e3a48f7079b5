"""What of a contract is no clause: its table of contents, its signature blocks, its titles.

contents_of(lines) -> Region | None     signatures_of(lines) -> list[Region]     titles_of(lines, ...) -> list[Region]
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import NamedTuple

from lawng.clauses.sections.lines import Line, is_capitals, is_heading, is_titled
from lawng.clauses.sections.numbers import EXHIBIT, marker_of

CONTENTS, SIGNATURES, TITLE = "table-of-contents", "signature-block", "title"
_CONTENTS = re.compile(
    r"(?:table\s+of\s+)?contents|index|(?:page|section|article)(?:\s+(?:no\.?|page))?", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\.\s?){3,}\s*(?:\d{1,4}|[ivxlc]+)?$|(?:\t|\s{2,})(?:\d{1,4}|[ivxlc]+)$|_{4,}\s*\d{1,4}$")
_NUMBER = re.compile(r"^\W*(?:(?i:section|article|clause|part)\s+)?(?:\d[\d.]*|[IVXLC]+(?=[.\s)]|$))?")
"""What of an entry is no heading, here or there: its number."""
_ENTRY = re.compile(r"\S.*\s\d{1,3}$")
_SIGNED = re.compile(
    r"(?:IN WITNESS WHEREOF|In Witness Whereof|IN WITNESS OF WHICH|(?i:en (?:testimonio|fe|prueba) de lo cual))\b"
)
_SIGNS = re.compile(
    r"(?i:by|name|title|date|dated|its|print(?:ed)? name|signature|signed|attest|address|witness"
    r"|por|nombre|cargo|firma|firmado|fecha|fdo\.?)\s*:|_{4,}|/s/"
    r"|\[?signature page"
)
_SIGNS_ON = re.compile(
    r"(?i:by|por|title|cargo|attest|witness|signature|signed|firma|firmado|fdo\.?)\s*:|.*(?:_{4,}|/s/)"
    r"|\[?signature page"
)
"""One of these is in a block: a name with an address, or a date, is what a notice is sent to."""
_PARTY_LINE = 12
"""Words of the longest line of a signature block: "NORTHWIND ROBOTICS LIMITED, a company of ..."."""
_BETWEEN = re.compile(
    r"(?:by and )?between|and|among|dated?(?: as of)?\b.{0,40}|effective date\b.{0,40}", re.IGNORECASE
)
_PREAMBLE = re.compile(r"(?:recitals?|background|preamble|whereas|witnesseth|parties)[:.]?", re.IGNORECASE)


class Region(NamedTuple):
    """A stretch that belongs to no clause, and what it is."""

    start: int
    end: int
    kind: str
    n_lines: int


def apart(regions: Sequence[Region]) -> list[Region]:
    """The regions in order, those that overlap as one: a title page may go on behind the table of contents.

    >>> apart([Region(4, 6, CONTENTS, 1), Region(0, 9, TITLE, 2)])
    [Region(start=0, end=9, kind='title', n_lines=3)]
    """
    found: list[Region] = []
    for region in sorted(regions):
        last = found[-1] if found else None
        if last and region.start < last.end:
            end = max(last.end, region.end)
            found[-1] = Region(last.start, end, last.kind, last.n_lines + region.n_lines)
        else:
            found.append(region)
    return found


def contents_of(lines: Sequence[Line]) -> Region | None:
    """The table of contents: a run of lines that end in page numbers, or what stands between the word and its repeat.

    >>> from lawng.clauses.sections.lines import lines_of
    >>> text = "CONTENTS\\n1. Term .... 1\\n2. Fee .... 2\\n3. Law .... 3\\n1. Term\\nOne year."
    >>> text[contents_of(lines_of(text)).end :].strip()
    '1. Term\\nOne year.'
    """
    title = next((n for n, line in enumerate(lines) if _CONTENTS.fullmatch(line.text.strip(" .:"))), None)
    entries = [n for n, line in enumerate(lines) if _is_entry(line, titled=title is not None and n > title)]
    run = _first_run(entries)
    if run and (title is not None or _come_again(lines, run)):
        first = title if title is not None and 0 < run[0] - title <= 4 else run[0]
        return _region(lines, first, run[-1], CONTENTS)
    if title is None:
        return None
    again = _repeat(lines, title + 1)
    return _region(lines, title, again - 1, CONTENTS) if again else None


def _is_entry(line: Line, titled: bool) -> bool:
    if _LEADERS.search(line.text):
        return True
    return titled and line.n_words <= 14 and _ENTRY.fullmatch(line.text) is not None


def _first_run(entries: Sequence[int]) -> list[int]:
    """The first run of at least three entries; an entry may take two lines."""
    run: list[int] = []
    for n in entries:
        if run and n - run[-1] > 2:
            if len(run) >= 3:
                break
            run = []
        run.append(n)
    return run if len(run) >= 3 else []


def _come_again(lines: Sequence[Line], run: Sequence[int]) -> bool:
    """Whether half of the entries stand again at the beginning of a later line: else it is a table of something."""
    later = [_heading(line.text) for line in lines[run[-1] + 1 :]]
    entries = [heading for n in run if (heading := _heading(lines[n].text))]
    again = sum(any(line.startswith(entry) for line in later) for entry in entries)
    return 0 < len(run) <= 2 * again


def _heading(text: str) -> str:
    return "".join(filter(str.isalpha, _NUMBER.sub("", _LEADERS.sub("", text)).casefold()))


def _repeat(lines: Sequence[Line], first: int) -> int | None:
    """Where the first entry after the title comes again: there the contract begins."""
    entries = [" ".join(line.text.lower().split()).rstrip(".") for line in lines[first:]]
    for at, entry in enumerate(entries[1:], 1):
        if at >= 3 and entry.startswith(entries[0]):
            return first + at
        if lines[first + at].n_words > 20:
            return None
    return None


def signatures_of(lines: Sequence[Line]) -> list[Region]:
    """Signature blocks: from "IN WITNESS WHEREOF", or from the lines of names before two lines to sign on."""
    found: list[Region] = []
    n = 0
    while n < len(lines):
        last = _block(lines, n)
        if last is None:
            n += 1
            continue
        found.append(_region(lines, n, last, SIGNATURES))
        n = last + 1
    return found


def _block(lines: Sequence[Line], n: int) -> int | None:
    """The last line of the signature block that begins at a line, None where none does."""
    witness = _SIGNED.match(lines[n].text) is not None
    if not witness and not _SIGNS.match(lines[n].text):
        return None
    at = n + 1
    while witness and at < len(lines) and not lines[at].after_blank and not _SIGNS.match(lines[at].text):
        at += 1  # the sentence goes on over lines
    signs = [k for k in range(at, min(len(lines), at + 60)) if _SIGNS.match(lines[k].text)]
    last = at - 1
    for sign in signs:
        if sign - last > 6 or any(_is_text(line) for line in lines[last + 1 : sign]):
            break
        last = sign
    own = [n, *(k for k in signs if k <= last)]
    signed = any(_SIGNS_ON.match(lines[k].text) for k in own)
    return last if witness or (len(own) >= 2 and last > n and signed) else None


def _is_text(line: Line) -> bool:
    if line.n_words > _PARTY_LINE or re.match(r"\d+\.\s|(?:EXHIBIT|SCHEDULE|ANNEX|APPENDIX)\b", line.text):
        return True
    marker = marker_of(line)
    return marker is not None and marker.readings[0].style == EXHIBIT


def titles_of(lines: Sequence[Line], styled: Set[int], until: int) -> list[Region]:
    """The title at the beginning of a contract, line by line, up to the first that is text.

    `until` is where the first section begins; `styled` are the places of lines that the format marks as headings.
    """
    last = -1
    for n, line in enumerate(lines):
        if line.start >= until or not (_is_title(line) or line.start in styled):
            break
        last = n
    if last < 0 or last + 1 == len(lines):
        return []  # a text of nothing but a title is shown
    return [_region(lines, 0, last, TITLE)]


def _is_title(line: Line) -> bool:
    if line.n_words > _PARTY_LINE or line.text[-1] in ";:" or is_preamble(line.text):
        return False
    if is_titled(line.text) and line.n_words <= 8:
        return True
    return is_heading(line.text) or is_capitals(line.text) or _BETWEEN.fullmatch(line.text.strip(" ,.")) is not None


def is_preamble(text: str) -> bool:
    """Whether a heading opens the part before the first section, which is shown."""
    return _PREAMBLE.fullmatch(text.strip()) is not None


def _region(lines: Sequence[Line], first: int, last: int, kind: str) -> Region:
    return Region(lines[first].start, lines[last].end, kind, last - first + 1)
