"""Measures of runs, with and without the clauses that training could have seen.

measure(task, label, form, run) -> Measured      leaked(acord, split) -> clause ids
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from lawng.evaluation.graded import (
    NDCG,
    RECALL_DEPTHS,
    STARS,
    graded_measures,
    judged_run,
    mean_of,
    star_precision,
    top_of,
)
from lawng.evaluation.intervals import Interval, bootstrap
from lawng.records import Judgement, ScoredDoc
from lawng.studies.acord.data import SPLITS, Acord
from lawng.studies.acord.names import Label
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.task import Task

MEASURES = (*NDCG, *(star_precision(stars) for stars in STARS))
"""The five of the paper's tables, in their order."""
HEADS = ("NDCG@5", "NDCG@10", *(f"{stars}-star prec@5" for stars in STARS))

Values = dict[str, dict[str, float]]
"""By measure and query, 0 to 1; NaN where a query has no such clause."""


@dataclass(frozen=True)
class Measured:
    """What a system reaches with one form of the queries."""

    label: Label
    form: str
    values: Values
    unleaked: Values
    """Without the clauses of `leaked`; a query without a relevant clause left is not in it."""

    def mean(self, measure: str, queries: Iterable[str] | None = None) -> float:
        """Mean over the queries, or some of them, NaN left out."""
        return mean_of(self.values[measure], queries)

    def interval(self, measure: str, settings: AcordSettings) -> Interval | None:
        """95 % interval of the mean, by bootstrap over the queries; None where no query has a value."""
        known = [value for value in self.values[measure].values() if not math.isnan(value)]
        return bootstrap(known, settings.seed, resamples=settings.resamples) if known else None


def leaked(acord: Acord, split: str) -> set[str]:
    """Clauses graded 1 or more for a train or valid query of another split: a trained system has seen them as good."""
    others = [name for name in SPLITS[:2] if name != split]
    return {row.doc_id for row in acord.of(*others) if row.relevance}


def without(judgements: Sequence[Judgement], clauses: Collection[str]) -> list[Judgement]:
    """The judgements of other clauses, of the queries that keep a relevant one.

    >>> without([Judgement("q", "a", 2), Judgement("q", "b", 1), Judgement("p", "a", 1), Judgement("p", "c", 0)], {"a"})
    [Judgement(query_id='q', doc_id='b', relevance=1)]
    """
    kept = [row for row in judgements if row.doc_id not in clauses]
    alive = {row.query_id for row in kept if row.relevance}
    return [row for row in kept if row.query_id in alive]


def measure(task: Task, label: Label, form: str, run: Sequence[ScoredDoc], known: Collection[str]) -> Measured:
    """Measure a run; `known` are the clauses that leak. Queries that the run was not asked are left out."""
    asked = {row.query_id for row in run}
    judgements = [row for row in task.judgements if row.query_id in asked]
    unleaked = without(judgements, known)
    return Measured(label, form, _measures(run, judgements), _measures(run, unleaked) if unleaked else {})


def _measures(run: Sequence[ScoredDoc], judgements: Sequence[Judgement]) -> Values:
    """Every measure. Only what some measure looks at is handed on: zeros that are ranked low count for nothing."""
    kept = judged_run(run, judgements)
    seen = {(query, doc) for query, docs in top_of(kept, max(RECALL_DEPTHS)).items() for doc in docs}
    judged = [row for row in judgements if row.relevance or (row.query_id, row.doc_id) in seen]
    return graded_measures([row for row in kept if (row.query_id, row.doc_id) in seen], judged)
