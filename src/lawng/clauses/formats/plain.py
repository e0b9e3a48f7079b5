"""Plain text: in UTF-8, by its byte order mark in UTF-16 or UTF-32, or in Windows-1252, which is what else there is.

read_plain(path) -> ContractText     encoding_of(path) -> (encoding, notes)     opened(path)
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path

from lawng.clauses.sections.lines import is_wrapped, lines_of
from lawng.errors import InputError
from lawng.schema import ContractText

_MARKS = (
    *((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32")),  # begins like the next one
    *((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")),
)
_CHUNK = 1 << 16
_CONTROL = bytes(code for code in range(32) if chr(code) not in "\t\n\v\f\r\x1a\x1b")
_MOST_CONTROL = 0.02
"""Share of control characters; bytes that are packed or encrypted have a tenth."""
_PAGE_BREAK = re.compile(r"\f")
_HASHES = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)


def read_plain(path: Path) -> ContractText:
    """The text of a plain text file; a form feed begins a page, and in Markdown the lines with # are headings.

    Raises InputError when it is no text.
    """
    encoding, notes = encoding_of(path)
    text = path.read_text(encoding, "replace")
    marks = list(_HASHES.finditer(text)) if path.suffix.lower() == ".md" else []
    gone = accumulate((len(mark.group()) for mark in marks), initial=0)
    headings = [mark.start() - before for mark, before in zip(marks, gone, strict=False)]
    text = _HASHES.sub("", text) if marks else text
    pages = [0, *(match.end() for match in _PAGE_BREAK.finditer(text))] if "\f" in text else []
    lines = lines_of(text)
    wrapped = is_wrapped(lines)
    starts = tuple(line.start for line in lines if line.after_blank or not wrapped)
    return ContractText(text, tuple(pages), frozenset(headings), notes=notes, paragraph_starts=starts)


@contextmanager
def opened(path: Path) -> Iterator[None]:
    """Around what opens a file: what the system refuses becomes an InputError that says so."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be opened ({error.strerror or error}); check its permissions") from error


def encoding_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """The encoding of a text file, to be read with what is damaged replaced, and a note where it is a guess.

    Raises InputError when it is no text.
    """
    with path.open("rb") as file:
        first = file.read(4)
        name = next((name for mark, name in _MARKS if first.startswith(mark)), "utf-8-sig")
        file.seek(0)
        if name == "utf-8-sig":
            _refuse_binary(path, iter(lambda: file.read(_CHUNK), b""))
            file.seek(0)
        try:
            for _ in codecs.iterdecode(iter(lambda: file.read(_CHUNK), b""), name):
                pass
        except UnicodeError as error:
            if name != "utf-8-sig":
                raise InputError(f"{path}: not a text file (it begins like {name}, but is none)") from error
            file.seek(max(0, file.tell() - 2 * _CHUNK))
            return _guess(file.read(2 * _CHUNK))
    return name, ()


def _refuse_binary(path: Path, chunks: Iterator[bytes]) -> None:
    size = n_control = 0
    for chunk in chunks:
        size += len(chunk)
        n_control += len(chunk) - len(chunk.translate(None, _CONTROL))
        if b"\0" in chunk:
            raise InputError(f"{path}: not a text file (it has NUL characters); save it as text, DOCX or PDF")
    if n_control > _MOST_CONTROL * size:
        raise InputError(f"{path}: not a text file (it has control characters); save it as text, DOCX or PDF")


def _guess(around: bytes) -> tuple[str, tuple[str, ...]]:
    """What text is that is not all UTF-8, by what stands around a fault: where most is right, the rest is damaged."""
    text = around.decode("utf-8", "replace")
    if sum(not character.isascii() for character in text) > 2 * text.count("\ufffd"):
        return "utf-8-sig", ("has damaged characters, shown as \ufffd",)
    return "cp1252", ("read as Windows-1252 text",)
