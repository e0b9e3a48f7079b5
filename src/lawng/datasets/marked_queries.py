"""Queries in which it is marked what their stretches name: what a reader of queries learns from.

read_marked(files, known) -> list of MarkedQuery     marked_query("[ceiling|cap] on losses") -> MarkedQuery

A line of a file is a JSON object: {"query": "[ceiling|cap] of a million, [deceit|-fraud] left out"}. A stretch in
brackets names the notion behind the bar; `-` before the notion says that it is to be excepted, `!` that it must not be
there. A query without marks asks for none of the notions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lawng.errors import InputError
from lawng.io import numbered_lines

SENSES = {"": "said", "-": "excepted", "!": "absent"}
"""What is asked of a notion, by the sign before it."""
_MARK = re.compile(r"\[(?P<words>[^][|]+)\|(?P<sign>[-!]?)(?P<notion>[^][|]+)\]")


class Mark(NamedTuple):
    """A stretch of a query, in characters, and what it names."""

    start: int
    end: int
    notion: str
    sense: str
    """One of `SENSES`."""


class MarkedQuery(NamedTuple):
    """A query in lower case, and its marks from left to right."""

    text: str
    marks: tuple[Mark, ...]


def marked_query(written: str) -> MarkedQuery:
    """A query from the form in which its marks are written.

    >>> marked_query("A [ceiling|cap], [deceit|-fraud] left out").marks[1]
    Mark(start=11, end=17, notion='fraud', sense='excepted')
    """
    text, marks, at = "", list[Mark](), 0
    for found in _MARK.finditer(written.lower()):
        text += written.lower()[at : found.start()]
        marks.append(Mark(len(text), len(text + found["words"]), found["notion"], SENSES[found["sign"]]))
        text, at = text + found["words"], found.end()
    return MarkedQuery(text + written.lower()[at:], tuple(marks))


def read_marked(paths: Iterable[Path], known: Collection[str]) -> list[MarkedQuery]:
    """The queries of some files, in their order; `known` are the notions' names.

    Raises InputError naming file and line where one is no such query, or a notion is not known.
    """
    return [query for path in paths for query in _read(path, known)]


def _read(path: Path, known: Collection[str]) -> Iterator[MarkedQuery]:
    for number, line in numbered_lines(path, "marked queries"):
        query = _query(line)
        if query is None:
            raise InputError(f'{path}:{number}: no {{"query": "[words|notion] ..."}}; mend the line')
        if unknown := [mark.notion for mark in query.marks if mark.notion not in known]:
            raise InputError(f"{path}:{number}: the glossary has no {unknown[0]!r}; mend the mark")
        yield query


def _query(line: str) -> MarkedQuery | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match row:
        case {"query": str(written)} if written.strip():
            query = marked_query(written)
            return None if set("[]|") & set(query.text) else query
    return None
