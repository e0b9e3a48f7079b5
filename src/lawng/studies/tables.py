"""What the tables of all studies share: the paper's printed numbers, holes, intervals, paired tests, files.

printed(file) -> the paper's tables     compared(pairs, draws) -> Comparisons     write_table(folder, name, grid)
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from lawng.evaluation.statistics import RESAMPLES, Difference, Interval, McNemar, bootstrap, difference, holm, mcnemar
from lawng.io import write_text
from lawng.reports.grid import Grid, latex, markdown, plain, to_csv

QUOTED, HERE, OPEN = "quoted", "measured here", "—"
"""What a row is: the paper's, or ours; and a hole, where there was no model for the cell."""

_WIDTH = 120

Unit = Callable[[float], str]


class Draws(NamedTuple):
    """Of resampling."""

    seed: int = 7
    resamples: int = RESAMPLES


@cache
def printed(file: Path) -> dict[str, Any]:
    """The tables that a paper prints, from the TOML file beside its study; numbers are strings, as printed."""
    return tomllib.loads(file.read_text("utf-8"))


def percent(value: float) -> str:
    """A share in per cent.

    >>> percent(0.5716), percent(math.nan)
    ('57.2', 'NaN')
    """
    return "NaN" if math.isnan(value) else f"{100 * value:.1f}"


def share(value: float) -> str:
    """A share with three decimals.

    >>> share(0.5716), share(math.nan)
    ('0.572', 'NaN')
    """
    return "NaN" if math.isnan(value) else f"{value:.3f}"


def interval_of(values: Mapping[str, float], draws: Draws) -> Interval | None:
    """95 % interval of a mean, by bootstrap over the queries, NaN left out; None where no query has a value."""
    known = [value for value in values.values() if not math.isnan(value)]
    return bootstrap(known, draws.seed, resamples=draws.resamples) if known else None


class Comparison(NamedTuple):
    """A system against another, on the queries that both were asked."""

    name: str
    n: int
    gap: Difference
    test: McNemar | None
    """Where both have hits and misses."""
    p_holm: float
    """Corrected for the number of systems compared; of McNemar's test where there is one, else of the bootstrap."""


Pairs = tuple[Sequence[float], Sequence[float]]
"""Values of two systems by query, in one order."""


def compared(
    pairs: Mapping[str, Pairs], draws: Draws, *, exact: bool = False, clusters: Mapping[str, Sequence[Hashable]] = {}
) -> list[Comparison]:
    """The first of each pair against the second: paired bootstrap, with `exact` McNemar's test too, and Holm over all.

    Pairs without a query are left out; whole `clusters` of queries are drawn where they are given.
    """
    tests = {name: mcnemar(*pair) if exact else None for name, pair in pairs.items() if len(pair[0])}
    gaps = {name: difference(*pairs[name], draws.seed, clusters.get(name), resamples=draws.resamples) for name in tests}
    adjusted = holm([test.p if test else gaps[name].p for name, test in tests.items()])
    return [
        Comparison(name, len(pairs[name][0]), gaps[name], test, p)
        for (name, test), p in zip(tests.items(), adjusted, strict=True)
    ]


def paired_values(one: Mapping[str, float], other: Mapping[str, float]) -> Pairs:
    """The values of the queries for which both have a number.

    >>> paired_values({"a": 1.0, "b": math.nan}, {"a": 0.5, "b": 1.0, "c": 1.0})
    ([1.0], [0.5])
    """
    both = [query for query in one if query in other and not math.isnan(one[query] + other[query])]
    return [one[query] for query in both], [other[query] for query in both]


def shown(grid: Grid) -> str:
    """A table in plain text, its note broken into lines.

    >>> print(shown(Grid("Sizes", ["split"], [["train"]], note="All. " * 30)).splitlines()[-1])
    All. All. All. All. All. All.
    """
    return plain(replace(grid, note=fill(grid.note, _WIDTH, break_on_hyphens=False, break_long_words=False)))


_FORMS = ("txt", "csv", "tex", "md")


def write_filled(folder: Path, grids: Mapping[str, Grid]) -> dict[str, Grid]:
    """Write the tables that have rows, and return them; what an earlier run wrote in place of the others goes."""
    filled = {name: grid for name, grid in grids.items() if grid.rows}
    for stale in (folder / f"{name}.{form}" for name in grids.keys() - filled.keys() for form in _FORMS):
        stale.unlink(missing_ok=True)
    for name, grid in filled.items():
        write_table(folder, name, grid)
    return filled


def write_table(folder: Path, name: str, grid: Grid) -> None:
    """A table as text, CSV, LaTeX and Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / f"{name}.txt", shown(grid) + "\n")
    write_text(folder / f"{name}.csv", to_csv(grid.columns, grid.rows))
    write_text(folder / f"{name}.tex", latex(grid) + "\n")
    write_text(folder / f"{name}.md", markdown(grid) + "\n")
