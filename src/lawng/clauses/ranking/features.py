"""What is known of each clause for a query, as numbers: words, meaning, the glossary's reading, the clause's manner.

ClauseFeatures(texts, encoder).of(query) -> array, clauses x len(FEATURES)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from lawng.clauses.meaning.anatomies import Anatomies
from lawng.clauses.meaning.fit import FIT
from lawng.clauses.meaning.manner import MANNER
from lawng.clauses.meaning.shelf import Shelf
from lawng.clauses.meaning.wanted import Wanted, affirmed, wanted
from lawng.clauses.ranking.nearest import NearestSubject
from lawng.models.kept import KeptEncoder, Progress, silent
from lawng.retrieval.bm25 import TextBm25

Matrix = NDArray[np.float32]
Vector = NDArray[np.float64]
Measures = dict[str, NDArray[np.floating]]

RANKERS = ("bm25", "bm25 expanded", "cosine", "cosine of meaning", "reading", "neighbours", "feedback")
"""Scores by the whole collection, each as a z-score."""
FEATURES = (*FIT, *MANNER, *RANKERS)

_BLAS = ThreadpoolController()
"""Its threads wait for work in a busy loop: beside the encoder's, a search takes five times as long."""
_CONSIDERED = 300
"""Clauses, best first by reading, among which neighbours are looked for."""
_NEIGHBOURS = 8
_FEEDBACK = 6
"""Best clauses that are taken for relevant (pseudo-relevance feedback; Rocchio, 1971)."""


class Look(NamedTuple):
    """A query, held against all clauses."""

    fit: Matrix
    """Clauses x `FIT`."""
    measures: Measures
    """The untrained measures as they are: BM25 is 0 where no word occurs, `fit` where the glossary knows nothing."""
    reading: dict[str, Vector]
    """The same as z-scores, by the names of `RANKERS`, and `reading`, which adds them up."""


class ClauseFeatures:
    """Clauses, ready to be described for any query.

    Without an encoder there is no cosine, and what is made of it is zero. `anatomies` are those kept on disk.
    """

    def __init__(
        self,
        texts: Sequence[str],
        encoder: KeptEncoder | None,
        progress: Progress = silent,
        anatomies: Anatomies | None = None,
    ) -> None:
        self._shelf = Shelf(texts, anatomies)
        self._words = TextBm25(texts)
        self._encoder = encoder
        self._vectors = encoder.encode(texts, progress) if encoder else None
        self._n = len(texts)
        self.nearest = NearestSubject(encoder) if encoder else None

    def of(self, query: str) -> Matrix:
        """The features of every clause, in the order of `FEATURES`; NaN where a question does not arise."""
        return self.described(self.look(query))

    def look(self, query: str) -> Look:
        """Hold a query against all clauses, untrained.

        A description that names no subject of the glossary is taken to ask for the nearest one by meaning; where none
        is near, or the query is short, it is read by its words and its meaning alone.
        """
        asked, vector, meaning = self._read(query)
        fit, said = self._shelf.fit(asked), affirmed(query)
        measures: Measures = {
            "bm25": self._words.scores(said),
            "bm25 expanded": self._words.scores(f"{said} {asked.meaning}".strip()),
            "cosine": self._cosine(vector),
            "cosine of meaning": self._cosine(meaning),
            "fit": np.nan_to_num(fit[:, FIT.index("fit")]),
        }
        return Look(fit, measures, self._reading(measures))

    def described(self, look: Look) -> Matrix:
        """The features of every clause for a query that was held against them."""
        reading = look.reading["reading"]
        near, like_best = self._neighbours(reading), self._feedback(reading)
        columns = [*look.reading.values(), z_scores(near), z_scores(like_best)]
        return np.hstack([look.fit, self._shelf.manner, np.stack(columns, axis=1)]).astype(np.float32)

    def _reading(self, measures: Measures) -> dict[str, Vector]:
        found = {name: z_scores(values) for name, values in measures.items()}
        fits = found.pop("fit")
        plain = found["bm25"] if self._vectors is None else found["cosine"] + 0.5 * found["cosine of meaning"]
        found["reading"] = plain + 0.5 * found["bm25 expanded"] + fits
        return found

    def _read(self, query: str) -> tuple[Wanted, Matrix | None, Matrix | None]:
        """What a query asks, its vector, and that of what it means."""
        asked = wanted(query)
        if self._encoder is None or self.nearest is None:
            return asked, None, None
        # both at once takes little longer than one; neither is written to the disk, for a query may be confidential
        vector, meaning = self._encoder.vectors([query, asked.meaning or query])
        subject = None if asked.subjects else self.nearest.of(query, vector)
        if subject is None:
            return asked, vector, meaning
        asked = asked._replace(subjects=(subject,))
        return asked, vector, self._encoder.vectors([asked.meaning])[0]

    def _cosine(self, vector: Matrix | None) -> Vector:
        if vector is None or self._vectors is None:
            return np.zeros(self._n)
        with _BLAS.limit(limits=1, user_api="blas"):
            return np.asarray(self._vectors @ vector, dtype=np.float64)

    def _neighbours(self, reading: Vector) -> Vector:
        """Mean reading of the clauses that are most alike: clauses of one kind are relevant together."""
        if self._vectors is None or self._n < 2:
            return np.zeros(self._n)
        first = np.argsort(-reading, kind="stable")[:_CONSIDERED]
        with _BLAS.limit(limits=1, user_api="blas"):
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
        return self._cosine(best / max(float(np.linalg.norm(best)), 1e-12))


def z_scores(values: NDArray[np.floating]) -> Vector:
    """How many standard deviations each value lies above the mean; zeros where all are equal.

    >>> z_scores(np.array([1.0, 3.0])).tolist(), z_scores(np.array([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    spread = float(values.std()) if len(values) else 0.0
    return np.asarray((values - values.mean()) / spread if spread > 1e-12 else np.zeros(len(values)), dtype=np.float64)
