"""The clauses that were rated, from a `corpus.jsonl`."""

from __future__ import annotations

from pathlib import Path

from lawng.errors import InputError
from lawng.studies.acord.lines import rows_by_id


def read_corpus(path: Path) -> dict[str, str]:
    """Texts by id, in the file's order; a folder is taken for the one that holds `corpus.jsonl`.

    Raises InputError naming the file and the line when it cannot be read, or an id stands twice.
    """
    path = path / "corpus.jsonl" if path.is_dir() else path
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name a corpus.jsonl") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 (byte {error.start}); convert it") from error
    return {key: row["text"] for key, row in rows_by_id(text, str(path)).items()}
