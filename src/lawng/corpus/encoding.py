"""Bytes of others to text: UTF-8, else what the bytes say themselves, else Windows-1252.

Of an old collection of opinions no file says what it is written in. Bytes that are no UTF-8 are nearly always
Windows-1252, the superset of Latin-1 that the web reads for it (WHATWG Encoding Standard, section 4.2). A text read
so is noted, because it is a guess.
"""

from __future__ import annotations

import codecs
import io
import re
from typing import IO, Any

from lawng.corpus.units import Item, note

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{2,40})""", re.I)
_LOOK = 2048
_MANY = re.compile("[^\x00-\x7f\ufffd]")
_CHUNK = 1 << 16


def decode(data: bytes) -> tuple[str, list[Item]]:
    """The text of some bytes, and a note when they are not UTF-8.

    >>> decode("Café".encode())[0], decode("Café".encode("cp1252"))[0], decode("Café".encode("utf-16"))[0]
    ('Café', 'Café', 'Café')
    """
    name = _wide(data) or "utf-8"
    try:
        text = data.decode(name).removeprefix("\ufeff")
        return text, [] if name == "utf-8" else [note(f"text-was-{name[:6]}")]
    except UnicodeDecodeError:
        text = data.decode(name, "replace").removeprefix("\ufeff")
    if name != "utf-8" or len(_MANY.findall(text)) > text.count("\ufffd"):  # most of it is right: it is damaged
        return text, [note("text-with-damaged-characters")]
    for declared in (*_declared(data), "windows-1252"):
        try:
            return data.decode(declared), [note(f"text-was-{declared}")]
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("windows-1252", "replace"), [note("text-with-damaged-characters")]


def as_utf8(file: io.BufferedReader) -> io.BufferedReader:
    """A stream in UTF-16 or UTF-32 as UTF-8, so that its lines can be told apart; any other as it is."""
    name = _wide(file.peek(_LOOK)[:_LOOK])
    if name is None or name == "utf-8":
        return file
    return io.BufferedReader(_Recoded(file, name))


def _wide(data: bytes) -> str | None:
    """The encoding that a byte order mark tells, or that every other byte of zero does."""
    if marked := next((name for mark, name in _MARKS if data.startswith(mark)), None):
        return marked
    even, odd = data[:_LOOK:2], data[1:_LOOK:2]
    if len(odd) > 1 and b"\0" in data[:_LOOK]:
        for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
            if zeros.count(0) > 0.8 * len(zeros) and others.count(0) < 0.1 * len(others):
                return name
    return None


def _declared(data: bytes) -> list[str]:
    found = _DECLARED.search(data[:_LOOK])
    name = found[1].decode("ascii", "replace").lower() if found else ""
    same = name in (
        "utf-8",
        "utf8",
        "us-ascii",
        "iso-8859-1",
        "latin1",
        "latin-1",
    )  # what the web reads as Windows-1252
    return [name] if name and not same else []


class _Recoded(io.RawIOBase):
    """A stream of another encoding, read as UTF-8."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._left = file, b""
        self._decoder = codecs.getincrementaldecoder(name)("replace")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as there is something."""
        while not self._left:
            chunk = self._file.read(_CHUNK)
            self._left = self._decoder.decode(chunk, not chunk).removeprefix("\ufeff").encode("utf-8", "replace")
            if not chunk and not self._left:
                return 0
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size
