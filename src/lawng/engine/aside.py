"""Folders made aside and renamed, so that what a user sees is always whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def aside(final: str | Path) -> Iterator[Path]:
    """A folder to build in, which takes the place of `final` when the block ends without an error.

    Its name is always the same (`.NAME.partial` beside it), so that a killed run finds its work and goes on.
    """
    final = Path(final).absolute()
    partial = final.with_name(f".{final.name}.partial")
    partial.mkdir(parents=True, exist_ok=True)
    yield partial
    replace_folder(partial, final)


def replace_folder(new: Path, final: Path) -> None:
    """Put `new` in the place of `final`; a folder that was there goes only once the new one stands."""
    old = final.with_name(f".{final.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if final.exists():
        os.replace(final, old)
    os.replace(new, final)
    shutil.rmtree(old, ignore_errors=True)
