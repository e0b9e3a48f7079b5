"""What reading a contract gave, kept on disk by the digest of its file: what was read before is not parsed again.

KeptContracts(folder).entry(path) -> Entry, a dictionary of JSON     entry.save()

The entries hold the text of the clauses, as the contracts do. Their folder is its owner's alone, and can be removed at
any time; one that cannot be read or written stops nothing, and one of another edition of lawng goes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from lawng.models.cache import private
from lawng.models.versions import library_version

_NAME = "contracts-"
_ROOMS = ("lawng.clauses.formats", "lawng.clauses.sections")
_FILES = (("lawng.clauses", "contract.py"), ("lawng.clauses", "collection.py"), ("lawng.retrieval", "sentences.py"))
_LIBRARIES = ("pdfplumber", "pdfminer.six", "python-docx", "lxml")


@cache
def edition() -> str:
    """A digest of the code and the libraries that read contracts and cut them: entries of two editions never mix."""
    sources = [source for room in _ROOMS for source in files(room).iterdir() if source.name.endswith(".py")]
    sources += [files(room) / name for room, name in _FILES]
    total = hashlib.sha256(repr([library_version(name) for name in _LIBRARIES]).encode())
    for text in sorted(source.read_text("utf-8") for source in sources):
        total.update(text.encode())
    return total.hexdigest()[:16]


class Entry(dict[str, Any]):
    """What is kept of a file, empty where nothing is; `save` keeps what it holds then."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(_read(path) if path else {})
        self._path = path

    def save(self) -> None:
        """Write the entry, whole or not at all."""
        if self._path is None:
            return
        aside = self._path.with_suffix(f".{os.getpid()}.partial")
        try:
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(self, file, separators=(",", ":"))
            aside.replace(self._path)
        except OSError:  # a full disk, a folder that may only be read
            aside.unlink(missing_ok=True)


class KeptContracts:
    """Entries in a folder; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = _opened(folder) if folder else None

    def entry(self, path: Path, most: int) -> Entry:
        """The entry of a file by what is in it and its suffix; a file of more than so many bytes has none."""
        if self._folder is None:
            return Entry(None)
        try:
            if path.stat().st_size > most:
                return Entry(None)
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:  # whoever reads the file says so
            return Entry(None)
        return Entry(self._folder / f"{digest[:40]}{path.suffix.lower()}.json")


def _opened(folder: Path) -> Path | None:
    """The folder of this edition; those of others go, for they are of no use and hold what may be confidential."""
    mine = folder / f"{_NAME}{edition()}"
    try:
        if not mine.is_dir():
            for other in folder.glob(f"{_NAME}*"):
                shutil.rmtree(other, ignore_errors=True)
        return private(mine)
    except OSError:
        return None


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
