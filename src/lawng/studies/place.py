"""The folder of a study: what models computed stays in `cache/`, everything else is made anew by each run."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lawng.engine.aside import check_place
from lawng.errors import StageError

CACHE, MANIFEST = "cache", "manifest.json"


@contextmanager
def study_folder(folder: Path) -> Iterator[Path]:
    """The folder to write a study to, alone; what an earlier study wrote there is removed, except its cache.

    A study is complete when `manifest.json` is there, written last. A killed one goes on from the cache.
    Raises InputError when something else is there, StageError when another process is making a study there.
    """
    check_place(folder, CACHE, "study")
    (folder / CACHE).mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / CACHE, os.O_RDONLY)
    try:
        _lock(handle, folder)
        _clear(folder)
        yield folder
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StageError(f"{folder}: another process is making a study there; wait for it, or name another") from None


def _clear(folder: Path) -> None:
    (folder / MANIFEST).unlink(missing_ok=True)  # first: without it the folder counts as unfinished
    for path in folder.iterdir():
        if path.is_dir() and path.name != CACHE:
            shutil.rmtree(path)
        elif path.name != CACHE:
            path.unlink()
