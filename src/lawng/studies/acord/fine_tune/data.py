"""ACORD as a relevance model learns it: graded texts of the training queries, and the validation queries as judge.

texts_of(acord, settings) -> graded texts      Validation(acord, settings)(folder) -> NDCG@10
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lawng.clauses.ranking.rerank import FocusedReranker
from lawng.errors import InputError
from lawng.evaluation.graded import NDCG, graded_measures, mean_of
from lawng.models.relevance import read_relevance_model
from lawng.models.rerank import Reranker
from lawng.models.train.relevance_data import GradedText
from lawng.studies.acord.data import GRADES, Acord
from lawng.studies.acord.fine_tune.grid import TuneSettings
from lawng.studies.acord.rerank import Reranked
from lawng.studies.acord.systems import PaperBm25
from lawng.studies.acord.task import Task, task_of


def texts_of(acord: Acord, settings: TuneSettings) -> list[GradedText]:
    """The judged clauses of the training queries, in every form that the settings name.

    Targets are the grade over 4, with `fine` the mean stars less one over 4 where the supplement has them (ACORD, F.2).
    Irrelevant clauses among the query's best by BM25 are marked as hard. Raises InputError where there is no training
    query, or no finer score.
    """
    task = task_of(acord, "train")
    if settings.targets == "fine" and not any(query.query_id == key[0] for query in task.queries for key in acord.fine):
        raise InputError(f"{acord.name}: has no finer scores of training queries; take --targets grades")
    judged, first = acord.judged("train"), PaperBm25(task)
    found = []
    for query in task.queries:
        grades = judged[query.query_id]
        for wording in dict.fromkeys(query.form(form) for form in settings.forms):
            hard = _best(task, first, query.query_id, wording, settings.depth)
            found += [
                GradedText(
                    wording, acord.clauses[clause], grade, _target(acord, settings, query.query_id, clause, grade),
                    grade == 0 and clause in hard,
                )
                for clause, grade in grades.items()
            ]  # fmt: skip
    return found


def _target(acord: Acord, settings: TuneSettings, query: str, clause: str, grade: int) -> float:
    stars = acord.fine.get((query, clause)) if settings.targets == "fine" and grade else None
    return (grade if stars is None else stars - 1) / max(GRADES)


def _best(task: Task, first: PaperBm25, query_id: str, wording: str, depth: int) -> set[str]:
    pool = task.pools[query_id]
    order = task.order(pool, first.scores(wording, pool))[:depth]
    return {task.ids[number] for number in pool[order]}


class Validation:
    """Judges models by NDCG@10 of the validation queries, BM25's best judged clauses ranked again (ACORD, F.2)."""

    def __init__(self, acord: Acord, settings: TuneSettings) -> None:
        """Raises InputError when no validation query is judged."""
        self._task = task_of(acord, "valid")
        self._settings = settings
        self._first = PaperBm25(self._task)

    def __call__(self, folder: Path, backend: str = "torch") -> float:
        """NDCG@10 of the model in a folder, 0 to 1; 0 for one whose weights are no longer numbers."""
        model = read_relevance_model(str(folder), backend)
        again = _Checked(FocusedReranker(model, self._settings.shown))
        return 0.0 if math.isnan(score := self._ndcg(again)) else score

    def _ndcg(self, again: _Checked) -> float:
        task = self._task
        system = Reranked(task, self._first, again, self._settings.depth)
        run = [
            row
            for query in task.queries
            for row in task.run(query, system.scores(query.form(self._settings.forms[0]), task.pools[query.query_id]))
        ]
        return math.nan if again.broken else mean_of(graded_measures(run, task.judgements)[NDCG[1]])


class _Checked:
    """A re-ranker that says whether a score was no number: such scores would leave BM25's order, and look good."""

    def __init__(self, model: Reranker) -> None:
        self._model = model
        self.broken = False

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """The re-ranker's scores."""
        scores = self._model.rerank(query, texts)
        self.broken = self.broken or not bool(np.isfinite(scores).all())
        return scores


def digest_of(texts: Sequence[GradedText], acord: Acord) -> str:
    """Digest of what is trained and chosen on: graded texts, and the validation queries' judgements."""
    total = hashlib.sha256()
    for row in texts:
        total.update(repr(row).encode())
    for judgement in acord.of("valid"):
        total.update(repr((judgement, acord.queries[judgement.query_id], acord.clauses[judgement.doc_id])).encode())
    return total.hexdigest()
