"""Folders made aside and renamed, so that what a user sees is always whole."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lawng.errors import StageError


@contextmanager
def aside(final: str | Path) -> Iterator[Path]:
    """A folder to build in, which takes the place of `final` when the block ends without an error.

    Its name is always the same (`.NAME.partial` beside it), so that a killed run finds its work and goes on.
    Raises StageError when another process is making the same folder.
    """
    final = Path(final).absolute()
    partial = final.with_name(f".{final.name}.partial")
    partial.mkdir(parents=True, exist_ok=True)
    with _alone(partial, final):
        yield partial
        replace_folder(partial, final)


@contextmanager
def _alone(partial: Path, final: Path) -> Iterator[None]:
    # a lock on the folder itself goes with the process that holds it, however that ends
    handle = os.open(partial, os.O_RDONLY)
    try:
        _lock(handle, final)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, final: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StageError(f"{final}: another process is making it; wait for it, or name another folder") from None


def replace_folder(new: Path, final: Path) -> None:
    """Put `new` in the place of `final`; a folder that was there goes only once the new one stands."""
    old = final.with_name(f".{final.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if final.exists():
        os.replace(final, old)
    os.replace(new, final)
    shutil.rmtree(old, ignore_errors=True)
