"""Graded queries over groups of clauses that are alike: what models of clause search learn from.

read_groups(files, clauses) -> list of ClauseGroup

A line of a file is a JSON object: `clauses`, the ids of eight clauses, and `queries`, each a list of form, wording and
grades, a digit from 0 to 4 for each clause (ACORD's stars less one): ["negation", "a cap, no exceptions", "41100000"].
The clauses' texts are not in it: they are those of the collection, by id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lawng.errors import InputError
from lawng.io import numbered_lines

CLAUSES = 8
"""Of a group."""


class GradedQuery(NamedTuple):
    """A query, and how far each clause of its group answers it."""

    form: str
    text: str
    grades: tuple[int, ...]


class ClauseGroup(NamedTuple):
    """Clauses that are alike, by id, and queries on them."""

    clauses: tuple[str, ...]
    queries: tuple[GradedQuery, ...]


def read_groups(paths: Iterable[Path], known: Mapping[str, str]) -> list[ClauseGroup]:
    """The groups of some files, in their order; `known` are the clauses' texts by id.

    Raises InputError naming file and line where a group is none, or a clause is not known.
    """
    return [group for path in paths for group in _read(path, known)]


def _read(path: Path, known: Mapping[str, str]) -> Iterator[ClauseGroup]:
    for number, line in numbered_lines(path, "groups"):
        group = _group(line) if line.strip() else None
        if group is None:
            raise InputError(f"{path}:{number}: no group of {CLAUSES} clauses with graded queries; mend the line")
        if unknown := [clause for clause in group.clauses if clause not in known]:
            raise InputError(f"{path}:{number}: clause {unknown[0]} is not in the collection; give its corpus")
        yield group


def _group(line: str) -> ClauseGroup | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match row:
        case {"clauses": list(clauses), "queries": list(queries)} if len(clauses) == CLAUSES:
            graded = [_query(query) for query in queries]
            if graded and None not in graded and len(graded) <= CLAUSES:
                return ClauseGroup(tuple(map(str, clauses)), tuple(one for one in graded if one))
    return None


def _query(query: Any) -> GradedQuery | None:
    match query:
        case [str(form), str(text), str(grades)] if len(grades) == CLAUSES and set(grades) <= set("01234"):
            return GradedQuery(form, text, tuple(map(int, grades)))
    return None
