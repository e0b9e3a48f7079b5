"""A zip or a folder, read in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from lawng.bounded import read_whole
from lawng.corpus.packed import Zip


class Container(Protocol):
    """Named files that can be read."""

    names: list[str]

    def read(self, name: str) -> bytes:
        """The bytes of one file. Raises OverLimitError when it is over a limit."""
        ...


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root
        self.names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())

    def read(self, name: str) -> bytes:
        with (self._root / name).open("rb") as file:
            return read_whole(file)


@contextmanager
def open_container(path: Path) -> Iterator[Container]:
    """A folder or a zip opened for reading; raises OSError, BadZipFile or OverLimitError when it cannot be."""
    if path.is_dir():
        yield _Folder(path)
        return
    with Zip(path) as file:
        yield file
