"""Progress of long steps on standard error, with rate and time left, and only where a person looks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lawng.models.kept import Progress, silent


@contextmanager
def bar(name: str) -> Iterator[Progress]:
    """A function that is told how many are done, and of how many; silent when standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:>28}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        line = shown.add_task(name, total=None)
        yield lambda done, total: shown.update(line, completed=done, total=total)
