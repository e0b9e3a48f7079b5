"""Clauses and queries as ACORD has them: JSON lines with the texts `_id` and `text` (BEIR's layout).

rows_by_id(text, place) -> dict
"""

from __future__ import annotations

from typing import Any

from lawng.errors import InputError
from lawng.evaluation.beir import text_row


def rows_by_id(text: str, place: str) -> dict[str, dict[str, Any]]:
    """The rows of a file's text by their id, in its order; `place` is what messages call the file.

    >>> rows_by_id('{"_id": "c1", "text": "Cap."}', "corpus.jsonl")
    {'c1': {'_id': 'c1', 'text': 'Cap.'}}

    Raises InputError naming the line that is no such row, or has an id for the second time.
    """
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            row = text_row(line, f"{place}:{number}")
            if row["_id"] in found:
                raise InputError(f"{place}:{number}: the id {row['_id']} stands twice; keep one")
            found[row["_id"]] = row
    return found
