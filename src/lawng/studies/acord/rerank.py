"""The best clauses of a retriever, ranked again by a cross-encoder or a language model (ACORD, 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from lawng.models.kept import shown_name, slug
from lawng.models.rerank import CrossEncoderReranker, Reranker
from lawng.models.rows import Rows, key_of
from lawng.studies.acord.systems import Retriever
from lawng.studies.acord.task import Numbers, Scores, Task


class Again(Protocol):
    """What ranks texts again."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts, which come best first; higher is better."""


class KeptReranker:
    """A re-ranker whose scores are kept by its state, query and text: a killed study goes on.

    Answers of language models are kept by their own cache, one by one, and so are not kept here again.
    """

    def __init__(self, model: Reranker, folder: Path) -> None:
        self.model = model
        self.name, self.state = model.name, model.state
        by_pair = isinstance(model, CrossEncoderReranker)
        self._rows = Rows(folder / slug(f"{shown_name(model.name)}-{model.state}")[:120], 1) if by_pair else None

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts, which come best first."""
        if self._rows is None:
            return self.model.rerank(query, texts)
        keys = [key_of(query, text) for text in texts]
        wanted = self._rows.missing(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key in wanted}
        if new:
            scores = np.array(self.model.rerank(query, list(new.values())), dtype=np.float32)
            self._rows.add(list(new), scores.reshape(-1, 1))
        return [float(row[0]) for row in self._rows[keys]]

    def notes(self) -> list[str]:
        """What whoever reads the scores should know: answers that could not be read, ratings that tie."""
        # of scores that are kept nothing is known any more: a study that goes on would say less than one that was whole
        return self.model.notes() if self._rows is None else []


class Reranked:
    """The first `depth` clauses of a retriever ranked again; what ties, and all below, stays as the retriever has it.

    Scores are places counted from the end, so that no two clauses tie.
    """

    def __init__(self, task: Task, first: Retriever, again: Again, depth: int) -> None:
        self._task = task
        self._first = first
        self._again = again
        self._depth = depth

    def scores(self, query: str, pool: Numbers) -> Scores:
        """Minus the rank of each clause of the pool."""
        order = self._task.order(pool, self._first.scores(query, pool))
        top, rest = order[: self._depth], order[self._depth :]
        again = self._again.rerank(query, [self._task.texts[number] for number in pool[top]])
        top = top[np.argsort(-np.asarray(again, dtype=np.float64), kind="stable")]
        found = np.zeros(len(pool))
        found[np.concatenate([top, rest])] = np.arange(len(pool), 0, -1)
        return found
