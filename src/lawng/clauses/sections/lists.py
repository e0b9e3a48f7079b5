"""Lists of clauses: JSON lines with `_id` and `text`, such as the corpus of a benchmark in BEIR's layout.

clauses_of_lines(path, source, known) -> Iterator[Clause | Reject]
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from lawng.clauses.sections.single import head_of
from lawng.errors import InputError
from lawng.models.rows import key_of
from lawng.records import Clause, Reject


def clauses_of_lines(
    path: Path, source: str, known: set[str], heads: dict[str, Sequence[str]] | None = None
) -> Iterator[Clause | Reject]:
    """The clauses of a file, in its order; a line that is none is a reject. `known` ids are taken, and grow.

    `heads` are number and heading by the digest of a text where they are known, and grow.
    A `title` is the name of the contract that a clause is from. Raises InputError when the file is no UTF-8 text.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _clause(line, f"{source}:{number}", source, known, {} if heads is None else heads)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}); convert it, e.g. with iconv") from error


def _clause(line: str, place: str, source: str, known: set[str], heads: dict[str, Sequence[str]]) -> Clause | Reject:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return Reject("clauses", place, "line-not-json", line.strip()[:80])
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or "_id" not in row:
        return Reject("clauses", place, "line-without-clause", "no object with `_id` and `text`")
    clause_id, text, title = str(row["_id"]), row["text"].encode("utf-8", "replace").decode("utf-8"), row.get("title")
    if not any(c.isalnum() for c in text):
        return Reject("clauses", place, "clause-without-text", clause_id)
    if clause_id in known:
        return Reject("clauses", place, "duplicate-clause", clause_id)
    known.add(clause_id)
    section, heading = _head(text, heads)
    named = title if isinstance(title, str) and title.strip() else source
    return Clause(clause_id, named, section, heading, [], 0, 0, len(text), text)


def _head(text: str, heads: dict[str, Sequence[str]]) -> tuple[str, str]:
    key = key_of(text).hex()
    match heads.get(key):
        case [str(section), str(heading)]:
            return section, heading
    found = heads[key] = head_of(text)
    return found
