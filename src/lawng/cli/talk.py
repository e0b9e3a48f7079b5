"""What commands say to people: on standard error, so that data on standard output stays clean."""

from __future__ import annotations

import errno
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from lawng.build import BuildResult


_ADVICE = {
    errno.EACCES: "change its permissions, or name another place",
    errno.EPERM: "change its permissions, or name another place",
    errno.EROFS: "name a place that can be written to",
    errno.ENOSPC: "make room and run the same command again",
    errno.ENOTDIR: "a file is where a folder is needed; name another place",
    errno.EISDIR: "a folder is where a file is needed; name another place",
    errno.ENOENT: "name a place that is there",
}


@cache
def _console() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)


def say(line: str) -> None:
    """One plain line of talk."""
    _console().print(line, markup=False)


def complain(line: str) -> None:
    """One line about what went wrong, as it is: a path may look like markup."""
    _console().print("[red]lawng:[/red]", escape(line))


def of_system(error: OSError) -> str:
    """One line about what the operating system or the network refused, with what to do about it.

    >>> of_system(PermissionError(errno.EACCES, "Permission denied", "corpus"))
    'corpus: Permission denied; change its permissions, or name another place'
    """
    said = error.strerror or (str(error).splitlines() or [type(error).__name__])[0]
    where = f"{error.filename}: " if error.filename else ""
    advice = _ADVICE.get(error.errno or 0, "mend that and run the same command again")
    return f"{where}{said}; {advice}"


def say_build(result: BuildResult, corpus: Path) -> None:
    """The funnel of a build, where its files are, and what to run next."""
    folder = result.folder
    say((folder / "funnel.txt").read_text(encoding="utf-8"))
    rows = ", ".join(f"{n:,} {split}" for split, n in result.rows.items())
    say(f"The data set is in {folder / 'data'} ({rows}), its card in {folder / 'README.md'}.")
    if not any(result.rows.values()):
        say("It is empty: the funnel shows where the corpus's citations went.")
    say(f"Next: lawng stats {folder}; lawng show {folder} --random 1 --corpus {corpus}; lawng rejects {folder}")
