"""Measures of stored runs, with and without the clauses that training could have seen.

measurements(task, found, forms) -> Measurements      leaked(acord, split) -> clause ids
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from lawng.annotation.ratings import SPLITS
from lawng.evaluation.measures import (
    NDCG,
    RECALL_DEPTHS,
    STARS,
    graded_measures,
    judged_run,
    mean_of,
    star_precision,
    top_of,
)
from lawng.evaluation.statistics import Interval
from lawng.schema import Judgement, ScoredDoc
from lawng.studies.acord.data import Acord, Task
from lawng.studies.acord.files import letters
from lawng.studies.acord.panel import Asked
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.harness import Results, SystemLabel
from lawng.studies.tables import Draws, interval_of

MEASURES = (*NDCG, *(star_precision(stars) for stars in STARS))
"""The five of the paper's tables, in their order."""
HEADS = ("NDCG@5", "NDCG@10", *(f"{stars}-star prec@5" for stars in STARS))

Values = dict[str, dict[str, float]]
"""By measure and query, 0 to 1; NaN where a query has no such clause."""


@dataclass(frozen=True)
class Measured:
    """What a system reaches with one form of the queries."""

    label: SystemLabel
    form: str
    values: Values
    unleaked: Values
    """Without the clauses of `leaked`; a query without a relevant clause left is not in it."""

    def mean(self, measure: str, queries: Iterable[str] | None = None) -> float:
        """Mean over the queries, or some of them, NaN left out."""
        return mean_of(self.values[measure], queries)

    def interval(self, measure: str, settings: AcordSettings) -> Interval | None:
        """95 % interval of the mean, by bootstrap over the queries; None where no query has a value."""
        return interval_of(self.values[measure], Draws(settings.seed, settings.resamples))


@dataclass
class Measurements:
    """What the systems of a study reach."""

    measured: list[Measured] = field(default_factory=list)
    """Every system with every form that was asked for."""
    examples: list[Measured] = field(default_factory=list)
    """The same, and beside it the queries of table E-2 in the other forms."""
    missing: list[tuple[SystemLabel, str]] = field(default_factory=list)
    """Systems whose model could not be had, and why."""
    notes: list[str] = field(default_factory=list)

    def of(self, form: str) -> list[Measured]:
        """The systems with one form of the queries."""
        return [row for row in self.measured if row.form == form]


def measurements(task: Task, found: Results[Asked, ScoredDoc], forms: Sequence[str]) -> Measurements:
    """Read and measure the stored runs; `forms` are those that were asked for."""
    known = leaked(task.acord, task.split)
    every = [measure(task, one.label, one.data.form, one.cell.rows(), known) for one in found.answered]
    missing = [(label, why) for label, why, _ in found.missing]
    return Measurements([row for row in every if row.form in forms], every, missing, found.notes)


def leaked(acord: Acord, split: str) -> set[str]:
    """Clauses graded 1 or more for a train or valid query of another split: a trained system has seen them as good."""
    others = [name for name in SPLITS[:2] if name != split]
    seen = {letters(acord.clauses[row.doc_id]) for row in acord.of(*others) if row.relevance}
    return {doc_id for doc_id, text in acord.clauses.items() if letters(text) in seen}  # one text may have two ids


def without(judgements: Sequence[Judgement], clauses: Collection[str]) -> list[Judgement]:
    """The judgements of other clauses, of the queries that keep a relevant one.

    >>> without([Judgement("q", "a", 2), Judgement("q", "b", 1), Judgement("p", "a", 1), Judgement("p", "c", 0)], {"a"})
    [Judgement(query_id='q', doc_id='b', relevance=1)]
    """
    kept = [row for row in judgements if row.doc_id not in clauses]
    alive = {row.query_id for row in kept if row.relevance}
    return [row for row in kept if row.query_id in alive]


def measure(task: Task, label: SystemLabel, form: str, run: Sequence[ScoredDoc], known: Collection[str]) -> Measured:
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
