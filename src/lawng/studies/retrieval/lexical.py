"""BM25 of queries over pools that overlap: the words of all documents are counted once, each pool's idf is its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.nli.bm25 import EPSILON, K1, B, words
from lawng.studies.retrieval.documents import Numbers


class PoolBm25:
    """The scores of `lawng.nli.bm25.Bm25` over any pool of some texts, without reading the texts again."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._column: dict[bytes, int] = {}
        counts = [Counter(words(text)) for text in texts]
        self._lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        self._counts = self._matrix(counts)
        self._by_word = self._counts.tocsc()
        self._idf = lru_cache(maxsize=8)(self._idf_of_pool)

    def scores(self, query: str, pool: Numbers) -> NDArray[np.float64]:
        """BM25 score of each document of the pool; a word that the query repeats counts each time."""
        asked = [(self._column[word], n) for word, n in Counter(words(query)).items() if word in self._column]
        idf = self._idf(pool.tobytes())
        lengths = self._lengths[pool]
        norms = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-12))
        total = np.zeros(len(pool))
        for column, n in asked:
            counts = self._of_word(column)[pool]
            total += n * idf[column] * counts * (K1 + 1) / (counts + norms)
        return total

    def _of_word(self, column: int) -> NDArray[np.float64]:
        dense = np.zeros(len(self._lengths))
        start, end = self._by_word.indptr[column : column + 2]
        dense[self._by_word.indices[start:end]] = self._by_word.data[start:end]
        return dense

    def _idf_of_pool(self, pool: bytes) -> NDArray[np.float64]:
        """Inverse document frequency of each word; one in more than half of the pool gets a quarter of the average."""
        numbers = np.frombuffer(pool, dtype=np.int64)
        held = np.bincount(self._counts[numbers].indices, minlength=len(self._column)).astype(np.float64)
        idf: NDArray[np.float64] = np.log(len(numbers) - held + 0.5) - np.log(held + 0.5)
        average = idf[held > 0].mean() if (held > 0).any() else 0.0
        return np.where(held == 0, 0.0, np.where(idf < 0, EPSILON * average, idf))

    def _matrix(self, counts: Sequence[Counter[bytes]]) -> Any:
        from scipy.sparse import csr_matrix

        columns = [self._column.setdefault(word, len(self._column)) for count in counts for word in count]
        data = np.fromiter((n for count in counts for n in count.values()), dtype=np.float64, count=len(columns))
        ends = np.cumsum([0, *(len(count) for count in counts)])
        return csr_matrix((data, np.array(columns, dtype=np.int64), ends), shape=(len(counts), len(self._column)))
