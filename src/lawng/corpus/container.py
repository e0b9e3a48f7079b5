"""A zip or a folder, read in the same way."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol


class Container(Protocol):
    """Named files that can be read."""

    names: list[str]

    def read(self, name: str) -> bytes:
        """The bytes of one file."""
        ...


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root
        self.names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())

    def read(self, name: str) -> bytes:
        return (self._root / name).read_bytes()


class _Zip:
    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self.names = sorted(name for name in file.namelist() if not name.endswith("/"))

    def read(self, name: str) -> bytes:
        return self._file.read(name)


@contextmanager
def open_container(path: Path) -> Iterator[Container]:
    """A folder or a zip opened for reading; raises OSError or BadZipFile when it cannot be."""
    if path.is_dir():
        yield _Folder(path)
        return
    with zipfile.ZipFile(path) as file:
        yield _Zip(file)
