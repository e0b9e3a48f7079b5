"""The clauses that were rated, from a `corpus.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path

from lawng.errors import InputError


def read_corpus(path: Path) -> dict[str, str]:
    """Texts by id, in the file's order; a folder is taken for the one that holds `corpus.jsonl`.

    Raises InputError naming the file and the line when it cannot be read, or an id stands twice.
    """
    path = path / "corpus.jsonl" if path.is_dir() else path
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name a corpus.jsonl") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 (byte {error.start}); convert it") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            key, text = _row(line, f"{path}:{number}")
            if key in found:
                raise InputError(f"{path}:{number}: the id {key} stands twice; keep one")
            found[key] = text
    return found


def _row(line: str, where: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict) or not isinstance(row.get("_id"), str) or not isinstance(row.get("text"), str):
        raise InputError(f"{where}: no JSON object with the texts `_id` and `text`; mend the line")
    return row["_id"], row["text"]
