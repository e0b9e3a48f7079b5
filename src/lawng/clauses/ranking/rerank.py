"""Clauses ranked again by a model that reads query and clause together, or only what of the clause answers the query.

clause_reranker(name, cache) -> Reranker      RerankedRanker(first, again, depth)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.answer import ClauseRanker
from lawng.clauses.meaning.focus import focus
from lawng.clauses.ranking.rankers import searched
from lawng.errors import ConfigError, InputError
from lawng.models.find import find_model
from lawng.models.folder import NOTE, read_note
from lawng.models.kept import shown_name
from lawng.models.relevance import RelevanceModel
from lawng.models.rerank import CrossEncoderReranker, Reranker, reranker
from lawng.records import Clause

DEPTH = 50
"""Clauses that a search gives a re-ranker: what it reads within half a second or so on two cores."""


class FocusedReranker(CrossEncoderReranker):
    """A relevance model that reads `focus(query, clause, words)` of each clause, as it was trained to."""

    def __init__(self, model: RelevanceModel, words: int) -> None:
        super().__init__(model)
        self.words = words
        self.state = f"focus-{words}-{model.state}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """The model's own scores."""
        return super().rerank(query, [focus(query, text, self.words) for text in texts])


def clause_reranker(name: str, cache: Path | None = None) -> Reranker:
    """The re-ranker of a name as `reranker` makes it; one that was trained with a focus gets it, by its lawng.json.

    Raises as `reranker` does, InputError when lawng.json has no focus that can be.
    """
    found = reranker(name, cache)
    if not isinstance(found, CrossEncoderReranker):
        return found
    place = Path(find_model("relevance model", name).place)
    words = read_note(place).get("focus")
    if words is None:
        return found
    if not isinstance(words, int) or words < 1:
        raise InputError(f"{place / NOTE}: focus {words!r} is no number of words; train the model again")
    return FocusedReranker(found.model, words)


class RerankedRanker:
    """A ranking of clauses of which the first `depth` are ranked again; what ties, and all below, stays as it was."""

    def __init__(self, first: ClauseRanker, again: Reranker, depth: int = DEPTH) -> None:
        """Raises ConfigError when the depth is below 1."""
        if depth < 1:
            raise ConfigError(f"depth: {depth} is not 1 or more")
        self._first = first
        self._again = again
        self._depth = depth
        self.notes = first.notes
        self.name = f"{first.name}, the first {depth} ranked again by {shown_name(again.name)}"

    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, NDArray[np.float64]]:
        """The first ranking's columns, its score as `first`; `score` is minus the new rank, from 0.

        `rerank` is the re-ranker's own score, and where it did not read a clause, the lowest that it gave.
        """
        columns = dict(self._first.scores(query, clauses))
        columns["first"] = columns.pop("score")
        order = np.argsort(-columns["first"], kind="stable")
        top, rest = order[: self._depth], order[self._depth :]
        again = np.asarray(self._again.rerank(query, [searched(clauses[n]) for n in top]), dtype=np.float64)
        ranked = np.concatenate([top[np.argsort(-again, kind="stable")], rest])
        score, own = np.zeros(len(clauses)), np.full(len(clauses), again.min(initial=np.inf))
        score[ranked] = -np.arange(len(clauses), dtype=np.float64)
        own[top] = again
        return {"score": score, "rerank": own, **columns}
