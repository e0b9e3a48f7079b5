"""What ranks the judged clauses of a query: BM25 as in the paper, the best BM25, bi-encoders, their fusion, our own.

Each has `scores(query, pool)`: a number for each clause of the pool, higher is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from lawng.clauses.answer import ClauseRanker
from lawng.clauses.ranking.features import z_scores
from lawng.models.kept import KeptEncoder, Progress, silent
from lawng.records import Clause
from lawng.retrieval.bm25 import Bm25Options, TextBm25, content_stems, stems
from lawng.studies.acord.task import Numbers, Scores, Task

BEST_BM25 = Bm25Options(k1=0.6, b=0.75)
"""Of `BestBm25`, with `content_stems`: by NDCG@10 on train and valid (`python benchmarks/acord_bm25.py DATA`)."""
CORPUS_BM25 = Bm25Options(k1=0.9, b=0.5)
"""Of `CorpusBm25`, with `stems`: the best there of those whose collection is the whole corpus."""


class Retriever(Protocol):
    """Scores clauses for a query."""

    def scores(self, query: str, pool: Numbers) -> Scores:
        """A score of each clause of the pool."""


class PaperBm25:
    """BM25 as it gives the paper's row within half a point: the pool is the collection whose words are counted.

    Lucene's idf, k1 1.2, b 0.75, words stemmed by Snowball, no stop words. The paper says nothing of these; a grid over
    tokenizers, stop words, stemmers, collections, k1, b and idf found this the nearest.
    """

    def __init__(self, task: Task) -> None:
        self._bm25 = TextBm25(task.texts, stems)

    def scores(self, query: str, pool: Numbers) -> Scores:
        """BM25 over the pool."""
        return self._bm25.pool(pool.tolist()).scores(query)


class BestBm25:
    """BM25 over the pool as it is best on the train and valid queries: without stop words, by `BEST_BM25`."""

    def __init__(self, task: Task) -> None:
        self._bm25 = TextBm25(task.texts, content_stems, BEST_BM25)

    def scores(self, query: str, pool: Numbers) -> Scores:
        """BM25 over the pool."""
        return self._bm25.pool(pool.tolist()).scores(query)


class CorpusBm25:
    """BM25 over the whole corpus as it is best on the train and valid queries."""

    def __init__(self, task: Task) -> None:
        self._bm25 = TextBm25(task.texts, stems, CORPUS_BM25)

    def all(self, query: str) -> Scores:
        """Scores of all clauses of the corpus."""
        return self._bm25.scores(query)


class BiEncoder:
    """Cosine of the query's and the clause's vector; `n_cut` clauses are longer than the encoder reads.

    Only the clauses of `numbers` are encoded, all of the corpus by default.
    """

    def __init__(
        self,
        task: Task,
        encoder: KeptEncoder,
        wordings: Sequence[str],
        numbers: Numbers | None = None,
        progress: Progress = silent,
    ) -> None:
        read = np.arange(len(task.texts)) if numbers is None else numbers
        texts = [task.texts[number] for number in read]
        of_texts = encoder.encode(texts, progress)
        self._vectors = np.zeros((len(task.texts), of_texts.shape[1]), dtype=np.float32)
        self._vectors[read] = of_texts
        self._queries = dict(zip(wordings, encoder.encode(wordings), strict=True))
        self.n_cut = sum(_is_cut(encoder, text) for text in texts)

    def all(self, query: str) -> Scores:
        """Cosines with all clauses of the corpus, 0 where a clause was not encoded."""
        cosines: Scores = (self._vectors @ self._queries[query]).astype(np.float64)
        return cosines

    def scores(self, query: str, pool: Numbers) -> Scores:
        """Those of the pool."""
        return self.all(query).take(pool)


def _is_cut(encoder: KeptEncoder, text: str) -> bool:
    limit = encoder.embedder.max_tokens
    return limit is not None and len(text) >= limit - 2 and encoder.embedder.count_tokens(text) > limit


class Fusion:
    """BM25 and a bi-encoder over the whole corpus, each as a z-score, added."""

    def __init__(self, bm25: CorpusBm25, encoder: BiEncoder) -> None:
        self._parts = (bm25, encoder)

    def scores(self, query: str, pool: Numbers) -> Scores:
        """The sum of the z-scores, of the pool."""
        one, other = (z_scores(part.all(query)) for part in self._parts)
        return (one + other).take(pool)


class OwnRanker:
    """A ranker of our own, asked as in clause search: all clauses of the corpus, then those of the pool."""

    def __init__(self, clauses: list[Clause], ranker: ClauseRanker) -> None:
        self._clauses = clauses
        self._ranker = ranker

    def scores(self, query: str, pool: Numbers) -> Scores:
        """The ranker's `score`, of the pool."""
        found = self._ranker.scores(query, self._clauses)["score"]
        return np.asarray(found, dtype=np.float64).take(pool)


def clauses_of(task: Task) -> list[Clause]:
    """The collection as clauses that stand alone."""
    return [
        Clause(name, task.acord.name, "", "", [], 0, 0, len(text), text)
        for name, text in zip(task.ids, task.texts, strict=True)
    ]
