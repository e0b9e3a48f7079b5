"""The tables of the paper's appendix, made again: D-1 and D-2 by category, D-3 to D-5, and E-2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lawng.models.size import shown_size
from lawng.reports.grid import Grid
from lawng.studies.acord import paper
from lawng.studies.acord.data import FORMS
from lawng.studies.acord.measured import HEADS, MEASURES, Measured
from lawng.studies.acord.panel import examples_of
from lawng.studies.acord.runs import Found
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.tables.layout import (
    HERE,
    NOTE,
    OPEN,
    QUOTED,
    TEXT,
    Lines,
    as_printed,
    asked,
    columns,
    lacking,
    percent,
    share,
)
from lawng.studies.acord.task import Task

_CATEGORY_NOTE = ' "NaN": no query of the category has such a clause.'
_GPT4O = paper.System(paper.BM25, paper.GPT4O)


def table_d1(found: Found, task: Task, settings: AcordSettings) -> Grid:
    """Every system by category; the paper has BM25 re-ranked by GPT-4o."""
    rows = _categories(_GPT4O, paper.TABLE_D1, found.of(settings.forms[0]), task)
    for row in found.of(settings.forms[0]):
        if row.label.paper != _GPT4O:
            rows += _of_categories(row, task)
    title = f"Table D-1. By category, {asked(settings)}"
    return Grid(title, _category_columns(), rows, frozenset(range(4)), NOTE + _CATEGORY_NOTE + lacking(found))


def table_d2(found: Found, task: Task, settings: AcordSettings) -> Grid:
    """BM25 re-ranked by the cross-encoder before and after fine-tuning, by category."""
    rows = []
    for reranker, table in paper.TABLE_D2.items():
        rows += _categories(paper.System(paper.BM25, reranker), table, found.of(settings.forms[0]), task)
    title = f"Table D-2. By category, before and after fine-tuning, {asked(settings)}"
    return Grid(title, _category_columns(), rows, frozenset(range(4)), NOTE + _CATEGORY_NOTE + lacking(found))


def _category_columns() -> list[str]:
    retriever, reranker, source, *heads = columns()
    return [retriever, reranker, "Category", source, *heads]


def _categories(
    system: paper.System, table: Mapping[str, paper.Values], measured: Sequence[Measured], task: Task
) -> list[list[str]]:
    """The paper's numbers of a system by category, then ours of the same system."""
    rows = [[*system, name, QUOTED, *map(as_printed, values)] for name, values in table.items()]
    own = [line for row in measured if row.label.paper == system for line in _of_categories(row, task)]
    return rows + (own or [[*system, name, HERE, *[OPEN] * len(MEASURES)] for name in table])


def _of_categories(row: Measured, task: Task) -> list[list[str]]:
    lines = []
    for name in task.acord.categories():
        queries = [query.query_id for query in task.queries if query.category == name]
        if queries:
            retriever, reranker, *cells = Lines(share).measured(row, queries)
            lines.append([retriever, reranker, name, *cells])
    return lines


def table_d3(found: Found, sizes: Mapping[str, int | None], settings: AcordSettings) -> Grid:
    """All systems, with their parameters."""
    lines = Lines(
        share, lambda row: [shown_size(sizes.get(row.label.name))], lambda system: [paper.SIZES.get(system, OPEN)]
    )
    rows = lines.beside(paper.TABLE_D3, found.of(settings.forms[0]), [label for label, _ in found.missing])
    return Grid(f"Table D-3. All systems, {asked(settings)}", columns("Size"), rows, TEXT, NOTE + lacking(found))


def table_d4(found: Found, settings: AcordSettings) -> Grid:
    """Cross-encoders before and after fine-tuning, in %."""
    rows = Lines(percent).beside(paper.TABLE_D4, _of_rows(found, settings, paper.TABLE_D4))
    title = f"Table D-4. Before and after fine-tuning, {asked(settings)}, in %"
    note = " A re-ranker in a folder counts as fine-tuned unless the folder is called as the paper's model is."
    return Grid(title, columns(), rows, TEXT, NOTE + note + lacking(found))


def table_d5(found: Found, settings: AcordSettings) -> Grid:
    """Language models asked pointwise and pairwise, in %."""
    rows = Lines(percent).beside(paper.TABLE_D5, _of_rows(found, settings, paper.TABLE_D5))
    title = f"Table D-5. Pointwise and pairwise, {asked(settings)}, in %"
    return Grid(title, columns(), rows, TEXT, NOTE + lacking(found))


def _of_rows(found: Found, settings: AcordSettings, table: Mapping[paper.System, paper.Values]) -> list[Measured]:
    return [row for row in found.of(settings.forms[0]) if row.label.paper in table]


def table_e2(found: Found, task: Task) -> Grid:
    """The two queries of the paper's table E-2 in three forms."""
    examples = examples_of(task)
    rows = []
    for (system, name, form), values in paper.TABLE_E2.items():
        rows.append([*system, name, form, QUOTED, *values])
        queries = [examples[name].query_id] if name in examples else []
        own = [row for row in found.examples if row.form == form and row.label.paper == system]
        lines = [_example(row, name, queries) for row in own if queries]
        rows += lines or [[*system, name, form, HERE, *[OPEN] * len(MEASURES)]]
    listed = {system for system, _, _ in paper.TABLE_E2}
    for name, query in examples.items():
        others = [row for row in found.examples if row.label.paper not in listed]
        others.sort(key=lambda row: FORMS.index(row.form))
        rows += [_example(row, name, [query.query_id]) for row in others]
    head = ["Retriever", "Reranker", "Query", "Form", "Source", *HEADS]
    missed = " The data at hand has no such queries in this split." if not examples else ""
    return Grid(
        "Table E-2. Two queries in three forms", head, rows, frozenset(range(5)), NOTE + missed + lacking(found)
    )


def _example(row: Measured, name: str, queries: Sequence[str]) -> list[str]:
    retriever, reranker, *cells = Lines(share).measured(row, queries)
    return [retriever, reranker, name, row.form, *cells]
