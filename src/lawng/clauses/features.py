"""What is known of each clause for a query, as numbers: words, meaning, the glossary's reading, the clause's manner.

ClauseFeatures(texts, encoder).of(query) -> array, clauses x len(FEATURES)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.fit import FIT
from lawng.clauses.manner import MANNER
from lawng.clauses.shelf import Shelf
from lawng.clauses.wanted import Wanted, wanted
from lawng.models.kept import KeptEncoder, Progress, silent
from lawng.retrieval.bm25 import TextBm25

Matrix = NDArray[np.float32]
Vector = NDArray[np.float64]

RANKERS = ("bm25", "bm25 expanded", "cosine", "cosine of meaning", "reading", "neighbours", "feedback")
"""Scores by the whole collection, each as a z-score."""
FEATURES = (*FIT, *MANNER, *RANKERS)

_CONSIDERED = 300
"""Clauses, best first by reading, among which neighbours are looked for."""
_NEIGHBOURS = 8
_FEEDBACK = 6
"""Best clauses that are taken for relevant (pseudo-relevance feedback; Rocchio, 1971)."""


class ClauseFeatures:
    """Clauses, ready to be described for any query.

    Without an encoder there is no cosine, and what is made of it is zero.
    """

    def __init__(self, texts: Sequence[str], encoder: KeptEncoder | None, progress: Progress = silent) -> None:
        self._shelf = Shelf(texts)
        self._words = TextBm25(texts)
        self._encoder = encoder
        self._vectors = encoder.encode(texts, progress) if encoder else None
        self._n = len(texts)

    def of(self, query: str) -> Matrix:
        """The features of every clause, in the order of `FEATURES`; NaN where a question does not arise."""
        asked = wanted(query)
        fit = self._shelf.fit(asked)
        views = self.views(query, asked, fit)
        near, like_best = self._neighbours(views["reading"]), self._feedback(views["reading"])
        columns = [*views.values(), z_scores(near), z_scores(like_best)]
        return np.hstack([fit, self._shelf.manner, np.stack(columns, axis=1)]).astype(np.float32)

    def views(self, query: str, asked: Wanted | None = None, fit: Matrix | None = None) -> dict[str, Vector]:
        """The untrained scores of every clause, z-scores by the names of `RANKERS`.

        `reading` adds up the others and how well the clause fits what the glossary makes of the query; a query that it
        does not know is ranked by words and meaning.
        """
        asked = asked or wanted(query)
        fits = (self._shelf.fit(asked) if fit is None else fit)[:, FIT.index("fit")]
        expanded = f"{query} {asked.meaning}".strip()
        cosines = self._cosines([query, asked.meaning or query])
        found = {
            "bm25": z_scores(self._words.scores(query)),
            "bm25 expanded": z_scores(self._words.scores(expanded)),
            "cosine": z_scores(cosines[0]),
            "cosine of meaning": z_scores(cosines[1]),
        }
        plain = found["bm25"] if self._vectors is None else found["cosine"] + 0.5 * found["cosine of meaning"]
        found["reading"] = plain + 0.5 * found["bm25 expanded"] + z_scores(np.nan_to_num(fits))
        return found

    def words(self, query: str) -> Vector:
        """BM25 of every clause, as it is: 0 where no word of the query occurs."""
        return self._words.scores(query)

    def _cosines(self, texts: Sequence[str]) -> list[Vector]:
        if self._encoder is None or self._vectors is None:
            return [np.zeros(self._n) for _ in texts]
        # queries are not written to the disk: they may be confidential
        return list((self._encoder.vectors(texts) @ self._vectors.T).astype(np.float64))

    def _neighbours(self, reading: Vector) -> Vector:
        """Mean reading of the clauses that are most alike: clauses of one kind are relevant together."""
        if self._vectors is None or self._n < 2:
            return np.zeros(self._n)
        first = np.argsort(-reading, kind="stable")[:_CONSIDERED]
        alike = self._vectors[first] @ self._vectors[first].T
        np.fill_diagonal(alike, -np.inf)
        nearest = np.argsort(-alike, axis=1, kind="stable")[:, : min(_NEIGHBOURS, len(first) - 1)]
        found = np.full(self._n, reading.min())
        found[first] = reading[first][nearest].mean(axis=1)
        return found

    def _feedback(self, reading: Vector) -> Vector:
        """Cosine to the centre of the best clauses."""
        if self._vectors is None or not self._n:
            return np.zeros(self._n)
        best = self._vectors[np.argsort(-reading, kind="stable")[:_FEEDBACK]].mean(axis=0)
        return np.asarray(self._vectors @ (best / max(float(np.linalg.norm(best)), 1e-12)), dtype=np.float64)


def z_scores(values: NDArray[np.floating]) -> Vector:
    """How many standard deviations each value lies above the mean; zeros where all are equal.

    >>> z_scores(np.array([1.0, 3.0])).tolist(), z_scores(np.array([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    spread = float(values.std()) if len(values) else 0.0
    return np.asarray((values - values.mean()) / spread if spread > 1e-12 else np.zeros(len(values)), dtype=np.float64)
