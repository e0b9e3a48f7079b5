"""What is known of each clause for a query, as numbers: words, meaning, the glossary's match, the clause's style.

ClauseFeatures(texts, encoder).of(query) -> array, clauses x len(FEATURES)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.clause_annotation import Annotation, AnnotationCache
from lawng.clauses.meaning.glossary import SUBJECTS, Concept
from lawng.clauses.meaning.match_features import MATCH_FEATURES, STYLE_FEATURES, ClauseMatcher
from lawng.clauses.meaning.query_intent import Named, QueryIntent, affirmed, query_intent
from lawng.clauses.meaning.query_reader import query_reader
from lawng.clauses.ranking.clause_subjects import clause_subjects
from lawng.io.progress import Progress, silent
from lawng.io.threads import one_blas_thread
from lawng.models.vector_cache import CachedEncoder
from lawng.text.bm25 import TextBm25

Matrix = NDArray[np.float32]
Vector = NDArray[np.float64]
Measures = dict[str, NDArray[np.floating]]

RANKERS = ("bm25", "bm25 expanded", "cosine", "cosine of meaning", "reading", "neighbours", "feedback")
"""Scores by the whole collection, each as a z-score."""
FEATURES = (*MATCH_FEATURES, *STYLE_FEATURES, *RANKERS)

_CONSIDERED = 300
"""Clauses, best first by heuristic score, among which neighbours are looked for."""
_NEIGHBOURS = 8
_FEEDBACK = 6
"""Best clauses that are taken for relevant (pseudo-relevance feedback; Rocchio, 1971)."""
DESCRIBES = 8
"""Words from which a query is a description. A shorter one that names no subject names one that the glossary lacks:
what is nearest to "equitable relief" is about an indemnity."""
_ALIKE, _FEW_ALIKE = 20, 8
"""Clauses nearest to a description that tell what it is about: a hundredth of all, within these bounds."""
_SHARE, _LIFT = 0.5, 3.0
"""So many of them are about it, and so many times as many as of all clauses. On ACORD's train and valid queries, these
reworded, a subject is read into 29 of 40 descriptions that name none, for 22 of them the right one; by the likeness
of description and subject it was 20 and 15."""


class QueryScores(NamedTuple):
    """What all clauses score for a query, untrained."""

    match: Matrix
    """Clauses x `MATCH_FEATURES`."""
    measures: Measures
    """The measures as they are: BM25 is 0 where no word occurs, `fit` where the glossary knows nothing."""
    z_scores: dict[str, Vector]
    """The same as z-scores, by the names of `RANKERS`, and `reading`, the heuristic score, which adds them up."""

    @property
    def heuristic(self) -> Vector:
        """The untrained score of each clause: what the columns and tables call `reading`."""
        return self.z_scores["reading"]


class _Read(NamedTuple):
    """What a query asks, its vector, that of the sentences for what it means, and that of the same in plain words."""

    intent: QueryIntent
    vector: Matrix | None = None
    meaning: Matrix | None = None
    plain: Matrix | None = None


class ClauseFeatures:
    """Clauses, ready to be described for any query.

    Without an encoder there is no cosine, and what is made of it is zero. `annotations` are those kept on disk.
    `titled` are the texts with the titles of the sections that they refer to, which tell what a clause takes out.
    """

    def __init__(
        self,
        texts: Sequence[str],
        encoder: CachedEncoder | None,
        progress: Progress = silent,
        annotations: AnnotationCache | None = None,
        titled: Sequence[str] | None = None,
    ) -> None:
        self._encoder = encoder
        self._vectors = encoder.encode(texts, progress) if encoder else None
        self._matcher = ClauseMatcher(texts, annotations, self._probably_about(), titled)
        self._words = TextBm25(texts)
        self._n = len(texts)
        self._subjects = SUBJECTS
        self._leading = self._matcher.leading(self._subjects)
        self._named = query_reader(encoder.embedder if encoder else None)

    def _probably_about(self) -> NDArray[np.float64] | None:
        """How likely each clause is about each subject, where the encoder comes with weights for it."""
        if self._encoder is None or self._vectors is None:
            return None
        known = clause_subjects(self._encoder.embedder.name, self._vectors.shape[1])
        return known.of(self._vectors) if known else None

    def annotation(self, row: int) -> Annotation:
        """What stands where in a clause."""
        return self._matcher.annotation(row)

    def of(self, query: str) -> Matrix:
        """The features of every clause, in the order of `FEATURES`; NaN where a question does not arise."""
        return self.matrix(self.scores(query))

    def scores(self, query: str) -> QueryScores:
        """What each clause scores for a query, untrained.

        A description that names no subject of the glossary is taken to ask for what the clauses nearest to it are
        about; where they are about this and that, or the query is short, it is read by its words and meaning alone.
        """
        phrases = self._named(query)
        read = self._read(query, phrases)
        match, said = self._matcher.match(read.intent), affirmed(query, phrases)
        measures: Measures = {
            "bm25": self._words.scores(said),
            "bm25 expanded": self._words.scores(f"{said} {read.intent.meaning}".strip()),
            "cosine": self._cosine(read.vector),
            "cosine of meaning": self._cosine(read.meaning),
            "fit": np.nan_to_num(match[:, MATCH_FEATURES.index("fit")]),
        }
        return QueryScores(match, measures, self._z_scores(measures, read))

    def intent(self, query: str) -> QueryIntent:
        """What a query asks, by the glossary's patterns and, where there is an encoder, by what that reads."""
        return query_intent(query, self._named(query))

    def matrix(self, scores: QueryScores) -> Matrix:
        """The features of every clause for a query whose scores are known."""
        near, like_best = self._neighbours(scores.heuristic), self._feedback(scores.heuristic)
        columns = [*scores.z_scores.values(), z_scores(near), z_scores(like_best)]
        return np.hstack([scores.match, self._matcher.style, np.stack(columns, axis=1)]).astype(np.float32)

    def _z_scores(self, measures: Measures, read: _Read) -> dict[str, Vector]:
        found = {name: z_scores(values) for name, values in measures.items()}
        fits = found.pop("fit")
        plain = found["bm25"]
        if self._vectors is not None:
            self._by_meaning(found, read)
            plain = found["cosine"] + 0.5 * found["cosine of meaning"]
        found["reading"] = plain + 0.5 * found["bm25 expanded"] + fits
        return found

    def _by_meaning(self, found: dict[str, Vector], read: _Read) -> None:
        """Let what is explained of a query count as it is read: who asks the same in other words finds the same."""
        # words know of no negation: of what must not be there they are given nothing
        share, asked = read.intent.explained, " ".join(concept.name for concept in read.intent.named)
        if share:
            meant = {
                "bm25": self._words.scores(asked),
                "bm25 expanded": self._words.scores(f"{asked} {read.intent.meaning}"),
                "cosine": self._cosine(read.plain),
            }
            found |= {name: (1 - share) * found[name] + share * z_scores(own) for name, own in meant.items()}

    def _read(self, query: str, phrases: tuple[Named, ...]) -> _Read:
        """What a query asks, with vectors where there is an encoder."""
        intent = query_intent(query, phrases)
        if self._encoder is None:
            return _Read(intent)
        # nothing is written to the disk, for a query may be confidential; apart, for int8 rounds by what stands beside
        [vector] = self._encoder.vectors([query])
        meaning, plain = self._encoder.vectors([intent.meaning or query, intent.plain or query])
        subject = None if intent.subjects or len(query.split()) < DESCRIBES else self._about(vector)
        if subject is not None:
            intent = intent._replace(subjects=(subject,))
            meaning = self._encoder.vectors([intent.meaning])[0]
        return _Read(intent, vector, meaning, plain)

    def _about(self, vector: Matrix) -> Concept | None:
        """What the clauses nearest to a vector are about, by their first sentences; None where they do not agree."""
        n = min(_ALIKE, max(_FEW_ALIKE, self._n // 100))
        first = np.argsort(-self._cosine(vector), kind="stable")[:n]
        near, all_of = self._leading[first].mean(axis=0), self._leading.mean(axis=0)
        told = np.flatnonzero((near >= _SHARE) & (near >= _LIFT * all_of))
        if not len(told):
            return None
        best = int(told[np.argmax(near[told] * np.log(near[told] / all_of[told]))])
        return self._subjects[best]

    def _cosine(self, vector: Matrix | None) -> Vector:
        if vector is None or self._vectors is None:
            return np.zeros(self._n)
        with one_blas_thread():
            return np.asarray(self._vectors @ vector, dtype=np.float64)

    def _neighbours(self, heuristic: Vector) -> Vector:
        """Mean heuristic score of the clauses that are most alike: clauses of one kind are relevant together."""
        if self._vectors is None or self._n < 2:
            return np.zeros(self._n)
        first = np.argsort(-heuristic, kind="stable")[:_CONSIDERED]
        with one_blas_thread():
            alike = self._vectors[first] @ self._vectors[first].T
        np.fill_diagonal(alike, -np.inf)
        nearest = np.argsort(-alike, axis=1, kind="stable")[:, : min(_NEIGHBOURS, len(first) - 1)]
        found = np.full(self._n, heuristic.min())
        found[first] = heuristic[first][nearest].mean(axis=1)
        return found

    def _feedback(self, heuristic: Vector) -> Vector:
        """Cosine to the centre of the best clauses."""
        if self._vectors is None or not self._n:
            return np.zeros(self._n)
        best = self._vectors[np.argsort(-heuristic, kind="stable")[:_FEEDBACK]].mean(axis=0)
        return self._cosine(best / max(float(np.linalg.norm(best)), 1e-12))


def z_scores(values: NDArray[np.floating]) -> Vector:
    """How many standard deviations each value lies above the mean; zeros where all are equal.

    >>> z_scores(np.array([1.0, 3.0])).tolist(), z_scores(np.array([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    spread = float(values.std()) if len(values) else 0.0
    return np.asarray((values - values.mean()) / spread if spread > 1e-12 else np.zeros(len(values)), dtype=np.float64)
