"""The plain ranking of clauses: BM25 and the bi-encoder's cosine, each as a z-score, added.

PlainRanker(clauses, encoder, cache).scores(query, clauses) -> {"score", "bm25", "cosine"}
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.models.encoder import Embedder
from lawng.models.kept import KeptEncoder, Progress, shown_name, silent
from lawng.records import Clause


def cache_folder() -> Path:
    """Where vectors of clauses are kept: $LAWNG_CACHE/clauses, else ~/.cache/lawng/clauses."""
    given = os.environ.get("LAWNG_CACHE")
    return (Path(given) if given else Path.home() / ".cache" / "lawng") / "clauses"


def searched(clause: Clause) -> str:
    """What is matched of a clause: its text, after the headings of the sections around it."""
    return "\n".join([*clause.headings, clause.text])


def lexical(texts: Sequence[str]) -> Callable[[str], NDArray[np.float64]]:
    """BM25 over some texts: a function from a query to a score of each, above zero where a word of it occurs.

    >>> lexical(["the cap", "the fee"])("cap").round(2).tolist()[1]
    0.0
    """
    from lawng.nli.bm25 import Bm25, words

    # gensim's idf is zero for a word of every other text and odd above, which a folder of few clauses is full of; with
    # twice as many texts of the mean length that share no word with any query every word weighs, and the rarer one more
    n_words = sum(len(words(text)) for text in texts) // max(1, len(texts))
    index = Bm25([*texts, *[" ".join(["\xff" * 9] * n_words)] * (2 * len(texts))])
    return lambda query: np.array(index.scores(query)[: len(texts)], dtype=np.float64)


def z_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many standard deviations each value lies above the mean; zeros where all are equal.

    >>> z_scores(np.array([1.0, 3.0])).tolist(), z_scores(np.array([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    spread = float(values.std()) if len(values) else 0.0
    return (values - values.mean()) / spread if spread > 1e-12 else np.zeros(len(values))


class PlainRanker:
    """Ranks by words, and by meaning where it has an encoder. Vectors of clauses are kept in `cache`.

    `n_shortened` counts clauses that are longer than the encoder reads: their meaning is that of their beginning.
    """

    def __init__(
        self, clauses: Sequence[Clause], encoder: Embedder | None, cache: Path, progress: Progress = silent
    ) -> None:
        texts = [searched(clause) for clause in clauses]
        self._rows = {clause.clause_id: row for row, clause in enumerate(clauses)}
        self._words = lexical(texts)
        self._encoder = KeptEncoder(cache, encoder) if encoder else None
        self._vectors = self._encoder.encode(texts, progress) if self._encoder else None
        self.n_shortened = 0 if encoder is None else sum(_is_long(text, encoder) for text in texts)
        self.name = f"BM25 and {shown_name(encoder.name)}" if encoder else "BM25"

    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, NDArray[np.float64]]:
        """Scores of clauses of the ranker's own, in their order; the z-scores are among all of its clauses."""
        words = self._words(query)
        columns = {"score": z_scores(words), "bm25": words}
        if self._encoder is not None and self._vectors is not None:
            vector = _unkept(self._encoder, query)
            columns["cosine"] = (self._vectors @ vector).astype(np.float64)
            columns["score"] = columns["score"] + z_scores(columns["cosine"])
        rows = [self._rows[clause.clause_id] for clause in clauses]
        return {name: column[rows] for name, column in columns.items()}


def _is_long(text: str, encoder: Embedder) -> bool:
    limit = encoder.max_tokens
    return limit is not None and len(text) >= limit - 2 and encoder.count_tokens(text) > limit


def _unkept(encoder: KeptEncoder, query: str) -> NDArray[np.float32]:
    """A query's vector; queries are not written to the disk: they may be confidential."""
    vector: NDArray[np.float32] = encoder.vectors([query])[0]
    return vector
