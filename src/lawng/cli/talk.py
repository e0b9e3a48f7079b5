"""What commands say to people: on standard error, so that data on standard output stays clean."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from lawng.build import BuildResult


@cache
def _console() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)


def say(line: str) -> None:
    """One plain line of talk."""
    _console().print(line, markup=False)


def say_build(result: BuildResult, corpus: Path) -> None:
    """The funnel of a build, where its files are, and what to run next."""
    folder = result.folder
    say((folder / "funnel.txt").read_text(encoding="utf-8"))
    rows = ", ".join(f"{n:,} {split}" for split, n in result.rows.items())
    say(f"The data set is in {folder / 'data'} ({rows}), its card in {folder / 'README.md'}.")
    if not any(result.rows.values()):
        say("It is empty: the funnel shows where the corpus's citations went.")
    say(f"Next: lawng stats {folder}; lawng show {folder} --random 1 --corpus {corpus}; lawng rejects {folder}")
