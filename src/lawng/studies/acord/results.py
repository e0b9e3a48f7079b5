"""Every number of a study as JSON."""

from __future__ import annotations

import math
from typing import Any

from lawng.evaluation.graded import mean_of
from lawng.studies.acord.card import plain_settings, versions
from lawng.studies.acord.measured import MEASURES, Measured, leaked
from lawng.studies.acord.runs import Found
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.tables.own import gaps
from lawng.studies.acord.task import Task


def results(task: Task, settings: AcordSettings, found: Found) -> dict[str, Any]:
    """Means, intervals and values by query of each system and form, 0 to 1; null where a mean or value is NaN."""
    known = leaked(task.acord, task.split)
    return {
        "versions": versions(),
        "settings": plain_settings(settings),
        "data": {"name": task.acord.name, "licences": list(task.acord.licences), "queries": len(task.queries)},
        "leaked_clauses": len(known & {row.doc_id for row in task.judgements if row.relevance}),
        "systems": [_system(task, settings, row) for row in found.measured],
        "differences": [gap._asdict() for gap in gaps(found, settings)],
        "not_to_be_had": [{"name": label.name, "why": why} for label, why in found.missing],
        "notes": found.notes,
    }


def _system(task: Task, settings: AcordSettings, row: Measured) -> dict[str, Any]:
    return {
        "name": row.label.name,
        "retriever": row.label.retriever,
        "reranker": row.label.reranker,
        "form": row.form,
        "means": {measure: _number(row.mean(measure)) for measure in row.values},
        "intervals": {measure: row.interval(measure, settings) for measure in MEASURES},
        "unseen_means": {measure: _number(mean_of(values)) for measure, values in row.unleaked.items()},
        "categories": {
            name: {measure: _number(row.mean(measure, _of_category(task, name))) for measure in MEASURES}
            for name in task.acord.categories()
        },
        "by_query": {
            measure: {query: _number(value) for query, value in values.items()}
            for measure, values in row.values.items()
        },
    }


def _of_category(task: Task, name: str) -> list[str]:
    return [query.query_id for query in task.queries if query.category == name]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
