"""Which files of a folder are read as contracts or as lists of clauses.

files_of(root) -> list[Path]     every_file(root) -> paths     is_read(path) -> bool
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from lawng.clauses.formats.documents import SUFFIXES
from lawng.errors import InputError

LIST = ".jsonl"
"""The suffix of lists of clauses."""


def files_of(root: Path) -> list[Path]:
    """The files to read, by name; those whose names begin with . or ~$ are a program's own.

    Raises InputError when none is there.
    """
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise InputError(f"{root}: is not there; name a folder or a file of contracts, or an index")
    corpus = root / "corpus.jsonl"
    if corpus.is_file():
        return [corpus]
    found = sorted(every_file(root), key=lambda path: path.relative_to(root).as_posix())
    if not any(map(is_read, found)):
        kinds = ", ".join((*SUFFIXES, LIST))
        raise InputError(f"{root}: no contracts here ({kinds}), and no index; name another folder")
    return found


def every_file(root: Path) -> Iterator[Path]:
    """All files of a folder and its folders but hidden ones, and the folders that are not entered."""
    closed: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=closed.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if Path(folder, name).is_symlink()]  # which may lead back to the root
        yield from (Path(folder, name) for name in (*names, *links) if not name.startswith((".", "~$")))
    yield from (Path(error.filename) for error in closed)


def is_read(path: Path) -> bool:
    """Whether a file is one that is read, as far as its name tells."""
    return path.suffix.lower() in (*SUFFIXES, LIST)
