"""The study of ACORD as a whole: systems, runs, tables, one folder.

study_acord(data, folder, settings) -> AcordResult
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lawng.annotation.ratings import SPLITS
from lawng.clauses.ranking.rankers import cache_folder
from lawng.evaluation.measures import mean_of
from lawng.evaluation.runs import write_qrels
from lawng.extras import explained
from lawng.io import check_place, write_json, write_text
from lawng.reports.grid import Grid, markdown
from lawng.schema import Judgement, ScoredDoc
from lawng.studies.acord import tables
from lawng.studies.acord.data import FORMS, Task, read_acord, task_of
from lawng.studies.acord.measured import MEASURES, Measured, Measurements, leaked, measurements
from lawng.studies.acord.panel import Asked, examples_of, panel
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.systems import BEST_BM25, CORPUS_BM25
from lawng.studies.harness import (
    CACHE,
    CELLS,
    MANIFEST,
    Harness,
    Results,
    Say,
    TrecStore,
    alone,
    plain_settings,
    publish,
    quoted,
    study_folder,
    unsaid,
    versions,
)
from lawng.studies.tables import write_table

LIBRARIES = (
    *("numpy", "bm25s", "PyStemmer", "ir-measures", "pytrec-eval-terrier"),
    *("torch", "transformers", "sentence-transformers", "openai"),
)


class AcordResult(NamedTuple):
    """What a study found: the table to show first, and all of it."""

    grid: Grid
    found: Measurements


@explained()
def study_acord(
    data: Path, folder: Path | None = None, settings: AcordSettings | None = None, say: Say = unsaid
) -> AcordResult:
    """Run the systems of the settings on a folder or ZIP in ACORD's layout, and write all tables where `folder` is.

    What systems answered and models computed is kept in the folder's `cache/`, without a folder in $LAWNG_CACHE/acord,
    so a killed study goes on. With `settings.only` nothing but the cache is written. `manifest.json` is written last.

    Raises InputError, ConfigError, StageError, or MissingError where the only system cannot be had.
    """
    settings = settings or AcordSettings()
    task = task_of(read_acord(data), settings.split)
    if settings.only or folder is None:
        with alone(_cache(folder), wait=True) as cache:  # another study's answers lie there under the same names
            found = measurements(task, _run(task, settings, cache, say), settings.forms)
        if settings.only:
            return AcordResult(tables.only_table(found.measured, settings), found)
        return AcordResult(tables.paper_tables(found, task, settings)["table-3"], found)
    with study_folder(folder):
        answered = _run(task, settings, folder / CACHE, say)
        publish((one.cell for one in answered.answered if one.data.name in settings.forms), folder / "runs")
        found = measurements(task, answered, settings.forms)
        grids = {**tables.paper_tables(found, task, settings), **tables.own_tables(found, task, settings)}
        _write(folder, task, settings, found, grids)
    return AcordResult(grids["table-3"], found)


def _run(task: Task, settings: AcordSettings, cache: Path, say: Say) -> Results[Asked, ScoredDoc]:
    """Every system with every form; where a form was not asked for, with the queries of table E-2.

    A system whose model cannot be had is left open; with `settings.only` there is but one, and MissingError is raised.
    """
    asked = [Asked(form, task, form, tuple(task.queries)) for form in settings.forms]
    examples = () if settings.only else tuple(examples_of(task).values())
    asked += [
        Asked(f"{form}-examples", task, form, examples) for form in FORMS if form not in settings.forms and examples
    ]
    harness = Harness(cache / CELLS, TrecStore(quoted=True), __name__, say)
    return harness.run(panel(task, settings, cache), asked, strict=bool(settings.only))


def _cache(folder: Path | None) -> Path:
    if folder is None:
        return cache_folder().with_name("acord")
    check_place(folder, CACHE, "study")
    return folder / CACHE


def _write(folder: Path, task: Task, settings: AcordSettings, found: Measurements, grids: Mapping[str, Grid]) -> None:
    judged = (Judgement(quoted(row.query_id), quoted(row.doc_id), row.relevance) for row in task.judgements)
    write_qrels(folder / "runs" / "qrels", judged)
    for name, grid in grids.items():
        write_table(folder / "tables", name, grid)
    write_json(folder / "results.json", _results(task, settings, found))
    write_text(folder / "README.md", _card(task, settings, found, grids["table-3"], list(grids)))
    about = {"versions": versions(LIBRARIES), "settings": plain_settings(settings), "data": task.acord.name}
    about |= {"licences": list(task.acord.licences), "not_to_be_had": _lacking(found), "notes": found.notes}
    write_json(folder / MANIFEST, about)


def _lacking(found: Measurements) -> list[str]:
    return [f"{label.shown}: {why}" for label, why in found.missing]


def _card(task: Task, settings: AcordSettings, found: Measurements, main: Grid, names: Sequence[str]) -> str:
    """README.md of a study's folder."""
    acord = task.acord
    splits = Counter(query.split for query in acord.queries.values())
    best, corpus = (f"{bm25.method}, k1 {bm25.k1:g}, b {bm25.b:g}" for bm25 in (BEST_BM25, CORPUS_BM25))
    used = ", ".join(f"{name} {version}" for name, version in versions(LIBRARIES).items())
    said = [used, *found.notes, *(f"Not to be had: {line}" for line in _lacking(found))]
    card: str = tables.CAPTIONS["card"]
    return card.format(
        acord=acord,
        n_clauses=len(acord.clauses),
        n_queries=len(acord.queries),
        n_judgements=len(acord.judgements),
        splits=", ".join(f"{splits[name]} {name}" for name in SPLITS),
        n_asked=len(task.queries),
        settings=settings,
        forms=", ".join(settings.forms),
        main=markdown(main),
        best=best,
        corpus=corpus,
        said="\n".join(f"* {line}" for line in said),
        licences="\n".join(f"* {line}" for line in acord.licences) or "* none is stated",
        tables=", ".join(names),
    )


def _results(task: Task, settings: AcordSettings, found: Measurements) -> dict[str, Any]:
    """Means, intervals and values by query of each system and form, 0 to 1; null where a mean or value is NaN."""
    known = leaked(task.acord, task.split)
    return {
        "versions": versions(LIBRARIES),
        "settings": plain_settings(settings),
        "data": {"name": task.acord.name, "licences": list(task.acord.licences), "queries": len(task.queries)},
        "leaked_clauses": len(known & {row.doc_id for row in task.judgements if row.relevance}),
        "systems": [_system(task, settings, row) for row in found.measured],
        "differences": [gap._asdict() for gap in tables.gaps(found, settings)],
        "not_to_be_had": [{"name": label.name, "why": why} for label, why in found.missing],
        "notes": found.notes,
    }


def _system(task: Task, settings: AcordSettings, row: Measured) -> dict[str, Any]:
    return {
        "name": row.label.name,
        "retriever": row.label.system,
        "reranker": row.label.other,
        "form": row.form,
        "means": {measure: _number(row.mean(measure)) for measure in row.values},
        "intervals": {measure: row.interval(measure, settings) for measure in MEASURES},
        "unseen_means": {measure: _number(mean_of(values)) for measure, values in row.unleaked.items()},
        "categories": {
            name: {measure: _number(row.mean(measure, task.of_category(name))) for measure in MEASURES}
            for name in task.acord.categories()
        },
        "by_query": {
            measure: {query: _number(value) for query, value in values.items()}
            for measure, values in row.values.items()
        },
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
