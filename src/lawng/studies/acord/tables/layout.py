"""How the tables of the study are laid out: what the paper prints, marked, and beneath it what was measured here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import NamedTuple

from lawng.reports.grid import Grid, plain
from lawng.studies.acord import paper
from lawng.studies.acord.measured import HEADS, MEASURES, Measured
from lawng.studies.acord.names import Label
from lawng.studies.acord.runs import Found
from lawng.studies.acord.settings import AcordSettings

QUOTED, HERE, OPEN = "quoted", "measured here", "—"
TEXT = frozenset({0, 1, 2})
"""Columns of words in tables that begin with retriever, re-ranker and source."""

_WIDTH = 120

Unit = Callable[[float], str]


def percent(value: float) -> str:
    """A share in per cent, as tables 3, D-4 and D-5 print it.

    >>> percent(0.5716), percent(math.nan)
    ('57.2', 'NaN')
    """
    return "NaN" if math.isnan(value) else f"{100 * value:.1f}"


def share(value: float) -> str:
    """A share with three decimals, as the other tables print it.

    >>> share(0.5716), share(math.nan)
    ('0.572', 'NaN')
    """
    return "NaN" if math.isnan(value) else f"{value:.3f}"


class Lines(NamedTuple):
    """Rows of a table in the paper's columns: retriever, re-ranker, source, five measures, and what a table adds."""

    unit: Unit
    more: Callable[[Measured], list[str]] = lambda _row: []
    """Cells after the five of a measured row."""
    more_quoted: Callable[[paper.System], list[str]] = lambda _system: []

    def measured(self, row: Measured, queries: Iterable[str] | None = None) -> list[str]:
        """A system of ours."""
        some = None if queries is None else list(queries)
        cells = [self.unit(row.mean(measure, some)) for measure in MEASURES]
        return [row.label.retriever, row.label.reranker, HERE, *cells, *self.more(row)]

    def quoted(self, system: paper.System, values: paper.Values) -> list[str]:
        """A row of the paper."""
        return [*system, QUOTED, *(as_printed(value) for value in values), *self.more_quoted(system)]

    def open(self, retriever: str, reranker: str) -> list[str]:
        """A system whose model is not here."""
        width = len(MEASURES) + len(self.more_quoted(paper.System(retriever, reranker)))
        return [retriever, reranker, HERE, *[OPEN] * width]

    def beside(
        self, table: Mapping[paper.System, paper.Values], rows: Sequence[Measured], missing: Sequence[Label] = ()
    ) -> list[list[str]]:
        """Each row of the paper, and ours beneath it; then what the paper does not have, and what is not to be had."""
        lines: list[list[str]] = []
        for system, values in table.items():
            own = [row for row in rows if row.label.paper == system]
            lines.append(self.quoted(system, values))
            lines += [self.measured(row) for row in own] or [self.open(*system)]
        lines += [self.measured(row) for row in rows if row.label.paper not in table]
        return lines + [self.open(label.retriever, label.reranker) for label in missing if label.paper not in table]


def as_printed(value: str) -> str:
    """A number of the paper; "nan" as it prints it."""
    return "NaN" if value == "nan" else value


def interval_cells(settings: AcordSettings) -> Callable[[Measured], list[str]]:
    """The 95 % interval of NDCG@10, in %."""

    def cells(row: Measured) -> list[str]:
        found = row.interval(MEASURES[1], settings)
        return [f"{percent(found.low)}-{percent(found.high)}" if found else "NaN"]

    return cells


def columns(*more: str) -> list[str]:
    """The heads of a table in the paper's columns."""
    return ["Retriever", "Reranker", "Source", *HEADS, *more]


def asked(settings: AcordSettings) -> str:
    """Which queries a table is of."""
    return f"{settings.split} split, {settings.forms[0]} queries"


INTERVAL = "95 % of NDCG@10"
NOTE = (
    "\"quoted\" rows are the paper's, of ACORD's test split, with short queries where no form is named; "
    '"measured here" ones are of the data at hand. An open cell: no model was there for it. Precisions are hits over '
    "five, as the paper's tables have them; queries without a 5-star clause are left out of the last column."
)


def table_3(found: Found, settings: AcordSettings) -> Grid:
    """The paper's main table, in %, with intervals by bootstrap over the queries."""
    lines = Lines(percent, interval_cells(settings), lambda _system: [""])
    rows = lines.beside(
        {**paper.TABLE_3, **_minilm()}, found.of(settings.forms[0]), [label for label, _ in found.missing]
    )
    return Grid(f"Table 3. Main table, {asked(settings)}, in %", columns(INTERVAL), rows, TEXT, NOTE + lacking(found))


def _minilm() -> dict[paper.System, paper.Values]:
    """The retriever that table 3 leaves to table D-3, and the paper's best row; both as shares there."""
    wanted = (paper.System(paper.MINILM), paper.System(paper.MINILM, paper.GPT4O))
    return {system: _in_percent(paper.TABLE_D3[system]) for system in wanted}


def _in_percent(values: paper.Values) -> paper.Values:
    one, two, three, four, five = (f"{100 * float(value):.1f}" for value in values)
    return one, two, three, four, five


def lacking(found: Found) -> str:
    """Which systems could not be had; the card says why."""
    names = "; ".join(label.shown for label, _ in found.missing)
    return f" Not to be had: {names}." if names else ""


def only_table(rows: Sequence[Measured], settings: AcordSettings) -> Grid:
    """One system's measures, a row for each form of the queries."""
    lines = Lines(percent, interval_cells(settings))
    n = len(rows[0].values[MEASURES[0]])
    title = f"{rows[0].label.shown}, {n} queries of the {settings.split} split, in %"
    return Grid(title, ["Queries", *HEADS, INTERVAL], [[row.form, *lines.measured(row)[3:]] for row in rows])


def shown(grid: Grid) -> str:
    """A table in plain text, its note broken into lines.

    >>> print(shown(Grid("Sizes", ["split"], [["train"]], note="All. " * 30)).splitlines()[-1])
    All. All. All. All. All. All.
    """
    return plain(replace(grid, note=fill(grid.note, _WIDTH, break_on_hyphens=False, break_long_words=False)))
