"""Reading within the limits of `lawng.limits`: JSON, lines, whole files and numbers that others wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from lawng.limits import DOCUMENT_BYTES, JSON_DEPTH, JSON_DIGITS, JSON_VALUES, LINE_BYTES, NUMBER_DIGITS, OverLimitError

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_SKIP = 1_000_000


def load_json(data: str | bytes) -> Any:
    """A JSON value of bounded depth, size and digits; half a surrogate pair, which is no character, becomes "?".

    Raises OverLimitError for what is over a limit, ValueError for what is no JSON or, in bytes, no UTF-8.
    """
    text = data if isinstance(data, str) else data.decode("utf-8-sig")
    if sum(map(text.count, ",[{")) > JSON_VALUES:
        raise OverLimitError("json-too-large", f"more than {JSON_VALUES:,} values in one JSON text")
    try:
        value = json.loads(text, parse_int=_parse_int)
    except RecursionError:
        raise _too_deep() from None
    if _depth(value) > JSON_DEPTH:
        raise _too_deep()
    if _SURROGATE.search(text):
        return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _parse_int(digits: str) -> int:
    if len(digits) > JSON_DIGITS:
        raise OverLimitError("number-too-long", f"a number of {len(digits):,} digits; {JSON_DIGITS} are the limit")
    return int(digits)


def _too_deep() -> OverLimitError:
    return OverLimitError("json-too-deep", f"more than {JSON_DEPTH} arrays and objects of JSON inside each other")


def _depth(value: Any) -> int:
    """How many containers stand in each other; level by level, so without recursion."""
    depth, level = 0, [value] if isinstance(value, dict | list) else []
    while level:
        depth += 1
        level = [v for outer in level for v in _values(outer) if isinstance(v, dict | list)]
    return depth


def _values(outer: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return outer.values() if isinstance(outer, dict) else outer


def lines_of(file: IO[bytes], limit: int = LINE_BYTES) -> Iterator[bytes | OverLimitError]:
    """The lines of a file, each with its line end; for one that is longer than the limit and skipped, a breach."""
    while line := file.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_SKIP)
        yield OverLimitError("line-too-long", f"a line of more than {limit:,} bytes")


def read_whole(file: IO[bytes], limit: int = DOCUMENT_BYTES) -> bytes:
    """All that is left of a file. Raises OverLimitError when that is more than the limit."""
    data = file.read(limit + 1)
    if len(data) > limit:
        raise OverLimitError("document-too-large", f"more than {limit:,} bytes in one document")
    return data


def read_id(raw: Any) -> int:
    """The number of a case or opinion. Raises ValueError when it is none, OverLimitError when it is too long."""
    if isinstance(raw, float) and raw.is_integer():  # 122.0, as tables with gaps are written
        raw = int(raw)
    found = number_of(str(raw))
    if found is None and len(str(raw)) > NUMBER_DIGITS and str(raw).isdigit():
        raise OverLimitError("number-too-long", f"an id of {len(str(raw)):,} digits; {NUMBER_DIGITS} are the limit")
    if found is None:
        raise ValueError(f"id {str(raw)[:80]!r}")
    return found


def number_of(raw: str | None) -> int | None:
    """The number that some digits are; None for any other text, and for more digits than an id or page has.

    >>> number_of("017"), number_of("xii"), number_of("²"), number_of("9" * 5000), number_of(None)
    (17, None, None, None, None)
    """
    return int(raw) if raw and len(raw) <= NUMBER_DIGITS and raw.isascii() and raw.isdigit() else None
