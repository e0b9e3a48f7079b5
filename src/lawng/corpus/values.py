"""The JSON objects of a file, one after the other, however they are written: lines, an array, pages of an API, one.

An array is read value by value, so that memory does not grow with the file.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, Any

from lawng.bounded import lines_of, load_json
from lawng.corpus.encoding import as_utf8, decode
from lawng.corpus.units import Item
from lawng.limits import DOCUMENT_BYTES, OverLimitError

_CHUNK = 1 << 16
_BLANK = b"\xef\xbb\xbf \t\r\n"
_ARRAY = re.compile(rb"\[\s*(?:[{\]]|\Z)")
_BETWEEN = re.compile(r"[\s,]*")
_SCAN = json.JSONDecoder(parse_int=len)  # it only finds where a value ends: long numbers are no matter here
_NEAR_END = 16
"""Characters of a buffer's end at which an error may only mean that the value goes on."""


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value, or why there is none, with its place in the file and notes on how it was read."""

    place: str
    value: Any
    notes: list[Item] = field(default_factory=list)


def values_of(file: io.BufferedReader) -> Iterator[Found]:
    """The values of a file; pages of an API (`results`) are taken apart. A broken line is one error, the rest goes on.

    >>> from io import BufferedReader, BytesIO
    >>> [found.value for found in values_of(BufferedReader(BytesIO(b'[{"id": 1},\\n {"id": 2}]')))]
    [{'id': 1}, {'id': 2}]
    """
    stream = as_utf8(file)
    found = _by_line(stream) if _in_lines(stream) else _in_stream(stream)
    for one in found:
        page = one.value.get("results") if isinstance(one.value, dict) else one.value
        if isinstance(page, list):
            yield from (Found(f"{one.place}.{n}", value, one.notes) for n, value in enumerate(page, start=1))
        else:
            yield one


def _in_lines(stream: io.BufferedReader) -> bool:
    """Whether each line is a value of its own, be it a broken one: the first line does not open an array of objects,
    nor an object that the second one goes on with.
    """
    start = stream.peek(_CHUNK)[:_CHUNK].lstrip(_BLANK)
    first, end, second = start.partition(b"\n")
    if _ARRAY.match(start) or not first.startswith(b"{"):
        return _ARRAY.match(start) is None
    return not end or first.rstrip().endswith(b"}") or second.startswith(b"{")


def _by_line(stream: IO[bytes]) -> Iterator[Found]:
    for number, line in enumerate(lines_of(stream), start=1):
        if isinstance(line, OverLimitError):
            yield Found(f"{number}", line)
        elif line.strip(_BLANK):
            yield _loaded(f"{number}", line)


def _loaded(place: str, data: bytes) -> Found:
    text, notes = decode(data)
    try:
        return Found(place, load_json(text), notes)
    except (ValueError, OverLimitError) as error:
        return Found(place, error, notes)


def _in_stream(stream: IO[bytes]) -> Iterator[Found]:
    """The values of an array, or values written one after the other, each over several lines.

    At the first that is no JSON, or over a limit, the reading ends: where the next one begins cannot be told.
    """
    chunks = codecs.iterdecode(iter(lambda: stream.read(_CHUNK), b""), "utf-8", "surrogateescape")
    buffer, at, number = next(chunks, "").lstrip("\ufeff \t\r\n").removeprefix("["), 0, 1
    while True:
        at = _BETWEEN.match(buffer, at).end()  # type: ignore[union-attr]  # it matches the empty text too
        if buffer[at : at + 1] == "]":
            return
        try:
            end = _end(buffer, at)
        except (ValueError, OverLimitError) as error:
            yield Found(f"{number}", error)
            return
        if end is None:
            more = "".join(islice(chunks, 1 + (len(buffer) - at) // _CHUNK))
            if not more:
                break
            buffer, at = buffer[at:] + more, 0
        else:
            yield _loaded(f"{number}", buffer[at:end].encode("utf-8", "surrogateescape"))
            at, number = end, number + 1
    if at < len(buffer):
        yield Found(f"{number}", ValueError("the file breaks off inside a value"))


def _end(buffer: str, at: int) -> int | None:
    """Where the value at a place ends, None when the buffer ends before it. Raises ValueError or OverLimitError."""
    if len(buffer) - at > DOCUMENT_BYTES:
        raise OverLimitError("document-too-large", f"more than {DOCUMENT_BYTES:,} bytes in one value of JSON")
    try:
        return _SCAN.raw_decode(buffer, at)[1]
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated string") or error.pos > len(buffer) - _NEAR_END:
            return None
        raise
    except RecursionError:
        raise OverLimitError("json-too-deep", "arrays and objects of JSON nested too deeply") from None
