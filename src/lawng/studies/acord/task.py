"""What the systems of the study are asked: the queries of one split, each with the clauses that were judged for it.

task_of(acord, split) -> Task      task.run(scores) -> rows of a TREC run
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError
from lawng.evaluation.runs import DECIMALS
from lawng.records import Judgement, ScoredDoc
from lawng.studies.acord.data import Acord, AcordQuery

Numbers = NDArray[np.int64]
"""Clauses by their place in the corpus."""
Scores = NDArray[np.float64]
"""One for each clause of a pool, in its order; higher is better."""


@dataclass(frozen=True)
class Task:
    """Queries of a split with their pools: only judged clauses are ranked (ACORD, C.5.2)."""

    acord: Acord
    split: str
    ids: list[str]
    texts: list[str]
    """Of the clauses, in the corpus's order."""
    queries: list[AcordQuery]
    judgements: list[Judgement]
    pools: dict[str, Numbers]
    """By query id, in the corpus's order."""

    def judged(self) -> Numbers:
        """Every clause that is in some pool."""
        return np.unique(np.concatenate(list(self.pools.values())))

    def wordings(self, forms: tuple[str, ...]) -> list[str]:
        """Every wording of every query."""
        return list(dict.fromkeys(query.form(form) for query in self.queries for form in forms))

    def run(self, query: AcordQuery, scores: Scores) -> list[ScoredDoc]:
        """The scores of a query's pool as lines of a run, rounded as its file has them."""
        pairs = zip(self.pools[query.query_id].tolist(), scores.tolist(), strict=True)
        return [ScoredDoc(query.query_id, self.ids[number], round(score, DECIMALS)) for number, score in pairs]

    def order(self, pool: Numbers, scores: Scores) -> Numbers:
        """The pool's places, best first, as `lawng.evaluation.runs` ranks: equal scores by clause id."""
        return np.lexsort((np.array([self.ids[number] for number in pool]), -np.round(scores, DECIMALS)))


def task_of(acord: Acord, split: str) -> Task:
    """The queries of a split. Raises InputError when none of its queries is judged."""
    number = {clause: place for place, clause in enumerate(acord.clauses)}
    judged = acord.judged(split)
    if not judged:
        raise InputError(f"{acord.name}: no query of {split} is judged; name another --split")
    pools = {query: np.array(sorted(number[clause] for clause in grades)) for query, grades in judged.items()}
    return Task(
        acord=acord,
        split=split,
        ids=list(acord.clauses),
        texts=list(acord.clauses.values()),
        queries=[acord.queries[query] for query in judged],
        judgements=acord.of(split),
        pools=pools,
    )
