"""The paper's tables made again - what it prints, marked, and beneath it what was measured here - and more of our own.

paper_tables(found, task, settings) -> table 3, D-1 and D-2 by category, D-3 to D-5, and E-2
own_tables(found, task, settings) -> forms of all queries, recall, precision as defined, differences, leakage

A system whose model is not here leaves a hole. Titles and notes are in `captions.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from lawng.evaluation.measures import NDCG, RECALL_DEPTHS, STARS, mean_of, star_precision, star_recall
from lawng.models.find import shown_size
from lawng.reports.grid import Grid
from lawng.studies.acord import paper
from lawng.studies.acord.data import FORMS, Task
from lawng.studies.acord.measured import HEADS, MEASURES, Measured, Measurements, leaked
from lawng.studies.acord.panel import examples_of
from lawng.studies.acord.settings import OURS, READING, AcordSettings, sizes_of
from lawng.studies.harness import SystemLabel
from lawng.studies.tables import HERE, OPEN, QUOTED, Draws, Unit, compared, paired_values, percent, printed, share

CAPTIONS = printed(Path(__file__).with_name("captions.toml"))
INTERVAL = "95 % of NDCG@10"
NOTE = (
    "\"quoted\" rows are the paper's, of ACORD's test split, with short queries where no form is named; "
    '"measured here" ones are of the data at hand. An open cell: no model was there for it. Precisions are hits over '
    "five, as the paper's tables have them; queries without a 5-star clause are left out of the last column."
)
_SYSTEM = ("Retriever", "Reranker")
_SOURCE = (*_SYSTEM, "Source")


class Lines(NamedTuple):
    """Rows of a table in the paper's columns: retriever, re-ranker, source, five measures, and what a table adds."""

    unit: Unit
    more: Callable[[Measured], list[str]] = lambda _row: []
    """Cells after the five of a measured row."""
    more_quoted: Callable[[paper.System], list[str]] = lambda _system: []

    def cells(self, row: Measured, queries: Sequence[str] | None = None) -> list[str]:
        """The measures of a system of ours, over all queries or some."""
        return [*(self.unit(row.mean(measure, queries)) for measure in MEASURES), *self.more(row)]

    def open(self, system: Sequence[str]) -> list[str]:
        """A system whose model is not here."""
        return [*system, HERE, *_OPEN, *(OPEN for _ in self.more_quoted(paper.System(*system)))]

    def beside(
        self, table: Mapping[paper.System, paper.Values], rows: Sequence[Measured], missing: Sequence[SystemLabel] = ()
    ) -> list[list[str]]:
        """Each row of the paper, and ours beneath it; then what the paper does not have, and what is not to be had."""
        lines: list[list[str]] = []
        for system, values in table.items():
            own = [row for row in rows if row.label.paper == system]
            lines.append([*system, QUOTED, *map(_as_printed, values), *self.more_quoted(system)])
            lines += [[*_named(row), HERE, *self.cells(row)] for row in own] or [self.open(system)]
        others = [row for row in rows if row.label.paper not in table]
        lines += [[*_named(row), HERE, *self.cells(row)] for row in others]
        return lines + [self.open((label.system, label.other)) for label in missing if label.paper not in table]


_OPEN = [OPEN] * len(MEASURES)


def _named(row: Measured) -> tuple[str, str]:
    return row.label.system, row.label.other


def _as_printed(value: str) -> str:
    return "NaN" if value == "nan" else value


def _with_interval(settings: AcordSettings) -> Lines:
    """Measures in %, and the 95 % interval of NDCG@10."""

    def cells(row: Measured) -> list[str]:
        found = row.interval(MEASURES[1], settings)
        return [f"{percent(found.low)}-{percent(found.high)}" if found else "NaN"]

    return Lines(percent, cells, lambda _system: [""])


def only_table(rows: Sequence[Measured], settings: AcordSettings) -> Grid:
    """One system's measures, a row for each form of the queries."""
    lines, n = _with_interval(settings), len(rows[0].values[MEASURES[0]])
    title = f"{rows[0].label.shown}, {n} queries of the {settings.split} split, in %"
    return Grid(title, ["Queries", *HEADS, INTERVAL], [[row.form, *lines.cells(row)] for row in rows])


Columns = tuple[Sequence[str], Sequence[str], list[list[str]]]
"""The columns of a table that are words, those that are numbers, and its rows."""


def _captioned(kind: str, columns: Mapping[str, Columns], settings: AcordSettings, **facts: Any) -> dict[str, Grid]:
    """The tables of a kind with their titles and notes."""
    facts |= {"split": settings.split, "asked": f"{settings.split} split, {settings.forms[0]} queries"}
    grids = {}
    for name, (text, numbers, rows) in columns.items():
        title, note = (CAPTIONS[kind][name].get(part, "").format(**facts) for part in ("title", "note"))
        grids[name] = Grid(title, [*text, *numbers], rows, frozenset(range(len(text))), note)
    return grids


def paper_tables(found: Measurements, task: Task, settings: AcordSettings) -> dict[str, Grid]:
    """The paper's tables by name, the main one first, in %; a row of `Lines` for each system."""
    rows, missing = found.of(settings.forms[0]), [label for label, _ in found.missing]
    sizes = sizes_of(settings, {row.label.name for row in found.measured})
    main, plain = _with_interval(settings), Lines(percent)
    sized = Lines(
        share, lambda row: [shown_size(sizes.get(row.label.name))], lambda system: [paper.SIZES.get(system, OPEN)]
    )
    of_d4, of_d5 = ([row for row in rows if row.label.paper in table] for table in (paper.TABLE_D4, paper.TABLE_D5))
    grids: dict[str, Columns] = {
        "table-3": (_SOURCE, (*HEADS, INTERVAL), main.beside({**paper.TABLE_3, **_minilm()}, rows, missing)),
        "table-d1": (_BY_CATEGORY, HEADS, _all_by_category(rows, task)),
        "table-d2": (_BY_CATEGORY, HEADS, _tuned_by_category(rows, task)),
        "table-d3": (_SOURCE, (*HEADS, "Size"), sized.beside(paper.TABLE_D3, rows, missing)),
        "table-d4": (_SOURCE, HEADS, plain.beside(paper.TABLE_D4, of_d4)),
        "table-d5": (_SOURCE, HEADS, plain.beside(paper.TABLE_D5, of_d5)),
        "table-e2": ((*_SYSTEM, "Query", "Form", "Source"), HEADS, _examples(found, task)),
    }
    names = "; ".join(label.shown for label in missing)
    lacking = f" Not to be had: {names}." if names else ""
    without = {} if examples_of(task) else {"table-e2": " The data at hand has no such queries in this split."}
    return {
        name: replace(grid, note=NOTE + grid.note + without.get(name, "") + lacking)
        for name, grid in _captioned("paper", grids, settings).items()
    }


def _minilm() -> dict[paper.System, paper.Values]:
    """The retriever that table 3 leaves to table D-3, and the paper's best row; both as shares there."""
    wanted = (paper.System(paper.MINILM), _BEST)
    return {system: tuple(f"{100 * float(value):.1f}" for value in paper.TABLE_D3[system]) for system in wanted}


_BY_CATEGORY = (*_SYSTEM, "Category", "Source")
_GPT4O = paper.System(paper.BM25, paper.GPT4O)


def _all_by_category(rows: Sequence[Measured], task: Task) -> list[list[str]]:
    """Every system; the paper has BM25 re-ranked by GPT-4o."""
    others = [line for row in rows if row.label.paper != _GPT4O for line in _of_categories(row, task)]
    return _categories(_GPT4O, paper.TABLE_D1, rows, task) + others


def _tuned_by_category(rows: Sequence[Measured], task: Task) -> list[list[str]]:
    """BM25 re-ranked by the cross-encoder before and after fine-tuning."""
    tables = ((paper.System(paper.BM25, reranker), table) for reranker, table in paper.TABLE_D2.items())
    return [line for system, table in tables for line in _categories(system, table, rows, task)]


def _categories(
    system: paper.System, table: Mapping[str, paper.Values], measured: Sequence[Measured], task: Task
) -> list[list[str]]:
    """The paper's numbers of a system by category, then ours of the same system."""
    rows = [[*system, name, QUOTED, *map(_as_printed, values)] for name, values in table.items()]
    own = [line for row in measured if row.label.paper == system for line in _of_categories(row, task)]
    return rows + (own or [[*system, name, HERE, *_OPEN] for name in table])


def _of_categories(row: Measured, task: Task) -> list[list[str]]:
    queries = {name: own for name in task.acord.categories() if (own := task.of_category(name))}
    return [[*_named(row), name, HERE, *Lines(share).cells(row, own)] for name, own in queries.items()]


def _examples(found: Measurements, task: Task) -> list[list[str]]:
    """The two queries of the paper's table E-2 in three forms."""
    queries = {name: [query.query_id] for name, query in examples_of(task).items()}

    def example(row: Measured, name: str) -> list[str]:
        return [*_named(row), name, row.form, HERE, *Lines(share).cells(row, queries[name])]

    rows = []
    for (system, name, form), values in paper.TABLE_E2.items():
        own = [row for row in found.examples if row.form == form and row.label.paper == system]
        rows.append([*system, name, form, QUOTED, *values])
        rows += [example(row, name) for row in own if name in queries] or [[*system, name, form, HERE, *_OPEN]]
    listed = {system for system, _, _ in paper.TABLE_E2}
    others = [row for row in found.examples if row.label.paper not in listed]
    others.sort(key=lambda row: FORMS.index(row.form))
    return rows + [example(row, name) for name in queries for row in others]


def own_tables(found: Measurements, task: Task, settings: AcordSettings) -> dict[str, Grid]:
    """The tables that the paper does not have, by name: values in %, those of the first form but for `variants`."""
    rows, lines = found.of(settings.forms[0]), _with_interval(settings)
    known = leaked(task.acord, task.split)
    graded = {row.doc_id for row in task.judgements if row.relevance}
    precisions = [star_precision(stars, form) for stars in STARS for form in (False, True)]
    recalls = [star_recall(k) for k in RECALL_DEPTHS]
    printed_or_not = [f"{stars}-star {form}" for stars in STARS for form in ("printed", "normalised")]
    all_or_unseen = [f"{name}, {which}" for name in HEADS for which in ("all", "unseen")]

    def means(names: Sequence[str]) -> list[list[str]]:
        return [[*_named(row), *(percent(row.mean(name)) for name in names)] for row in rows]

    def unseen(row: Measured) -> list[str]:
        pairs = ((row.mean(measure), mean_of(row.unleaked.get(measure, {}))) for measure in MEASURES)
        return [*(percent(value) for pair in pairs for value in pair), str(len(row.unleaked.get(NDCG[1], ())))]

    of_forms = sorted(found.measured, key=lambda row: settings.forms.index(row.form))
    forms = [[row.form, *_named(row), *lines.cells(row)] for row in of_forms]
    differences = [gap.cells() for gap in gaps(found, settings)]
    grids: dict[str, Columns] = {
        "variants": (("Form", *_SYSTEM), (*HEADS, INTERVAL), forms),
        "recall": (_SYSTEM, [f"R@{k}" for k in RECALL_DEPTHS], means(recalls)),
        "normalised": (_SYSTEM, printed_or_not, means(precisions)),
        "differences": (("System", "Against", "Measure"), _GAP_HEADS, differences),
        "leakage": (_SYSTEM, (*all_or_unseen, "Queries unseen"), [[*_named(row), *unseen(row)] for row in rows]),
    }
    return _captioned("own", grids, settings, both=len(graded & known), graded=len(graded))


_GAP_HEADS = ("Queries", "Difference", "Low", "High", "p", "p, Holm")
_OWN = (READING.name, OURS.name)
_BEST = paper.System(paper.MINILM, paper.GPT4O)


class Gap(NamedTuple):
    """A system's mean less that of another."""

    label: str
    against: str
    measure: str
    n: int
    mean: float
    low: float
    high: float
    p: float | None
    """None against a quoted row: the paper gives no values by query, so nothing is paired."""
    p_holm: float | None

    def cells(self) -> list[str]:
        """As a row of the table, in points of %."""
        numbers = [f"{round(100 * value, 1) + 0.0:+.1f}" for value in (self.mean, self.low, self.high)]
        tests = ["no pairs" if value is None else f"{value:.4f}" for value in (self.p, self.p_holm)]
        return [self.label, self.against, self.measure, str(self.n), *numbers, *tests]


def gaps(found: Measurements, settings: AcordSettings) -> list[Gap]:
    """Each system against the best retriever, paired over the queries, and against the paper's rows, not paired."""
    rows = found.of(settings.forms[0])
    retrievers = [row for row in rows if row.label.other == paper.NONE and row.label.name not in _OWN]
    lines: list[Gap] = []
    if retrievers:
        best = max(retrievers, key=lambda row: row.mean(MEASURES[1]))
        for measure, head in zip(MEASURES, HEADS, strict=True):
            lines += _paired([row for row in rows if row is not best], best, measure, head, settings)
    return lines + [gap for row in rows for gap in _quoted(row, settings)]


def _paired(rows: list[Measured], best: Measured, measure: str, head: str, settings: AcordSettings) -> list[Gap]:
    pairs = {row.label.shown: paired_values(row.values[measure], best.values[measure]) for row in rows}
    return [
        Gap(one.name, best.label.shown, head, one.n, one.gap.mean, *one.gap.interval, one.gap.p, one.p_holm)
        for one in compared(pairs, Draws(settings.seed, settings.resamples))
    ]


def _quoted(row: Measured, settings: AcordSettings) -> list[Gap]:
    """Against the same system in the paper, and against its best: our interval, less a number without one."""
    found = []
    for system in dict.fromkeys((row.label.paper, _BEST)):
        for at, (measure, head) in enumerate(zip(MEASURES, HEADS, strict=True)):
            interval = row.interval(measure, settings)
            if system in paper.TABLE_D3 and interval is not None:
                printed = float(paper.TABLE_D3[system][at])
                n = sum(not math.isnan(value) for value in row.values[measure].values())
                ends = (interval.low - printed, interval.high - printed)
                name = f"{QUOTED}: {system.retriever} + {system.reranker}"
                found.append(Gap(row.label.shown, name, head, n, row.mean(measure) - printed, *ends, None, None))
    return found
