"""What ranks the judged clauses of a query: BM25 as in the paper, the best BM25, bi-encoders, their fusion, our own.

Each gives a number for each clause of a query's pool, higher is better. Any of them can have its best clauses ranked
again by a cross-encoder or a language model (ACORD, 4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lawng.clauses.meaning.clause_annotation import edition
from lawng.clauses.ranking.features import z_scores
from lawng.clauses.ranking.rankers import ClauseRanker
from lawng.clauses.ranking.rerank import FocusedReranker
from lawng.io.kv_store import key_of
from lawng.io.progress import Progress, silent
from lawng.models.find import shown_name, slug
from lawng.models.protocols import Reranker, is_truncated
from lawng.models.rerank import CrossEncoderReranker
from lawng.models.vector_cache import CachedEncoder, RowCache
from lawng.pipeline.closure import code_digest
from lawng.schema import Clause
from lawng.studies.acord.data import Numbers, Scores, Task
from lawng.text.bm25 import Bm25Options, TextBm25
from lawng.text.words import stems

PAPER_BM25 = Bm25Options()
"""With `stems`: BM25 as it gives the paper's row within half a point.

Lucene's idf, k1 1.2, b 0.75, words stemmed by Snowball, no stop words. The paper says nothing of these; a grid over
tokenizers, stop words, stemmers, collections, k1, b and idf found this the nearest.
"""
BEST_BM25 = Bm25Options(k1=0.6, b=0.75)
"""With `content_stems`: by NDCG@10 on train and valid (`python benchmarks/acord_bm25.py DATA`)."""
CORPUS_BM25 = Bm25Options(k1=0.9, b=0.5)
"""With `stems`: the best over the whole corpus of those whose collection is the whole corpus."""


Scorer = Callable[[str, Numbers], Scores]
"""A score of each clause of a pool for a query; higher is better."""


class PoolBm25:
    """BM25 over the pool, as in the paper by default: the query's judged clauses are the collection that is counted."""

    def __init__(
        self, task: Task, analyse: Callable[[str], list[str]] = stems, options: Bm25Options = PAPER_BM25
    ) -> None:
        self._bm25 = TextBm25(task.texts, analyse, options)

    def scores(self, query: str, pool: Numbers) -> Scores:
        """BM25 over the pool."""
        return self._bm25.pool(pool.tolist()).scores(query)

    def all(self, query: str) -> Scores:
        """BM25 over the whole corpus, of all of its clauses."""
        return self._bm25.scores(query)


class BiEncoder:
    """Cosine of the query's and the clause's vector; `n_cut` clauses are longer than the encoder reads.

    Only the clauses of `numbers` are encoded, all of the corpus by default.
    """

    def __init__(
        self,
        task: Task,
        encoder: CachedEncoder,
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
        self.n_cut = sum(is_truncated(encoder.embedder, text) for text in texts)

    def all(self, query: str) -> Scores:
        """Cosines with all clauses of the corpus, 0 where a clause was not encoded."""
        cosines: Scores = (self._vectors @ self._queries[query]).astype(np.float64)
        return cosines

    def scores(self, query: str, pool: Numbers) -> Scores:
        """Those of the pool."""
        return self.all(query).take(pool)


def fused(bm25: PoolBm25, encoder: BiEncoder) -> Scorer:
    """BM25 and a bi-encoder over the whole corpus, each as a z-score, added."""
    return lambda query, pool: (z_scores(bm25.all(query)) + z_scores(encoder.all(query))).take(pool)


def asked_whole(clauses: list[Clause], ranker: ClauseRanker) -> Scorer:
    """A ranker of our own, asked as in clause search: all clauses of the corpus, then those of the pool."""
    return lambda query, pool: np.asarray(ranker.scores(query, clauses)["score"], dtype=np.float64).take(pool)


def clauses_of(task: Task) -> list[Clause]:
    """The collection as clauses that stand alone."""
    return [
        Clause(name, task.acord.name, "", "", [], 0, 0, len(text), text)
        for name, text in zip(task.ids, task.texts, strict=True)
    ]


class CachedReranker:
    """A re-ranker whose scores are kept by its state, query and text: a killed study goes on.

    Answers of language models are kept by their own cache, one by one, and so are not kept here again.
    """

    def __init__(self, model: Reranker, folder: Path) -> None:
        self.model = model
        self.name, self.state = model.name, model.state
        if isinstance(model, FocusedReranker):  # which reads what the glossary and the code make of a clause
            self.state += f" {edition()} {code_digest(FocusedReranker.__module__)}"
        by_pair = isinstance(model, CrossEncoderReranker)
        kept = folder / slug(f"{shown_name(model.name)}-{key_of(self.state).hex()[:32]}")
        self._rows = RowCache(kept, 1) if by_pair else None

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts, which come best first."""
        if self._rows is None:
            return self.model.rerank(query, texts)
        rows = self._rows.rows([key_of(query, text) for text in texts], texts, lambda new: self._scores(query, new))
        return [float(score) for score in rows[:, 0]]

    def _scores(self, query: str, texts: Sequence[str]) -> Any:
        return np.array(self.model.rerank(query, texts), dtype=np.float32).reshape(-1, 1)

    def notes(self) -> list[str]:
        """What whoever reads the scores should know: answers that could not be read, ratings that tie."""
        # of scores that are kept nothing is known any more: a study that goes on would say less than one that was whole
        return self.model.notes() if self._rows is None else []


class Reranks(Protocol):
    """What ranks texts again: a `Reranker`, cached or not."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts, which come best first; higher is better."""


def reranked(task: Task, first: Scorer, again: Reranks, depth: int) -> Scorer:
    """The first `depth` clauses of a retriever ranked again; what ties, and all below, stays as the retriever has it.

    Scores are places counted from the end, so that no two clauses tie.
    """

    def scores(query: str, pool: Numbers) -> Scores:
        order = task.order(pool, first(query, pool))
        top, rest = order[:depth], order[depth:]
        again_scores = again.rerank(query, [task.texts[number] for number in pool[top]])
        top = top[np.argsort(-np.asarray(again_scores, dtype=np.float64), kind="stable")]
        found = np.zeros(len(pool))
        found[np.concatenate([top, rest])] = np.arange(len(pool), 0, -1)
        return found

    return scores
