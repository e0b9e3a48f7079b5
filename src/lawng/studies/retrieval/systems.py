"""The panel: BM25 and bi-encoders, each on whole opinions and on their five BM25 paragraphs (LawngNLI, 4.2.1).

A system scores one query's pool. -inf says that it does not return a document at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lawng.models.kept import KeptEncoder, Progress, silent
from lawng.nli.bm25 import Bm25
from lawng.records import ScoredDoc
from lawng.studies.retrieval.documents import Documents, Numbers
from lawng.studies.retrieval.lexical import PoolBm25
from lawng.studies.retrieval.pools import ranked
from lawng.studies.retrieval.queries import Query
from lawng.studies.retrieval.views import Views, Windowed

Scores = NDArray[np.float64]


class Label(NamedTuple):
    """What a table calls a system."""

    system: str
    view: str
    """`long` (whole opinions), `five` (five BM25 paragraphs), `passages` (the index's), or `rerank ...`."""

    @property
    def tag(self) -> str:
        """As files and runs have it."""
        return f"{self.system}-{self.view}".replace(" ", "-").replace("/", "_")


class System(Protocol):
    """Something that ranks."""

    @property
    def label(self) -> Label:
        """Its name and what it reads."""

    def score(self, query: int, pool: Numbers) -> Scores:
        """Scores of the pool's documents for the query of that number."""


class WholeBm25:
    """BM25 over whole opinions; the pool is the collection, as gensim has it."""

    label = Label("BM25", "long")

    def __init__(self, queries: Sequence[Query], bm25: PoolBm25) -> None:
        self._queries = queries
        self._bm25 = bm25

    def score(self, query: int, pool: Numbers) -> Scores:
        """BM25 scores."""
        return self._bm25.scores(self._queries[query].text, pool)


class ViewBm25:
    """BM25 over the pool's five-paragraph views."""

    label = Label("BM25", "five")

    def __init__(self, queries: Sequence[Query], views: Views) -> None:
        self._queries = queries
        self._views = views

    def score(self, query: int, pool: Numbers) -> Scores:
        """BM25 scores; the collection is the pool's views for this query."""
        return np.array(Bm25(self._views.texts(query, pool)).scores(self._queries[query].text))


class WholeEncoder:
    """A bi-encoder over whole opinions, as much of them as it reads."""

    def __init__(self, name: str, of_queries: NDArray[np.float32], of_documents: NDArray[np.float32]) -> None:
        self.label = Label(name, "long")
        self._queries = of_queries
        self._documents = of_documents

    def score(self, query: int, pool: Numbers) -> Scores:
        """Cosines."""
        return np.asarray(self._documents[pool] @ self._queries[query], dtype=np.float64)


class ViewEncoder:
    """A bi-encoder over five-paragraph views, for the queries that it was prepared for."""

    def __init__(
        self,
        encoder: KeptEncoder,
        views: Views,
        of_queries: NDArray[np.float32],
        asked: Mapping[int, Numbers],
        progress: Progress = silent,
    ) -> None:
        self.label = Label(encoder.name, "five")
        self._queries = of_queries
        self._asked = asked
        windowed = Windowed(views, encoder.embedder.count_tokens, encoder.embedder.max_tokens)
        texts: dict[str, int] = {}
        self._rows = {
            query: np.array([texts.setdefault(windowed.text(query, int(number)), len(texts)) for number in numbers])
            for query, numbers in asked.items()
        }
        self.n_views = sum(map(len, asked.values()))
        self.n_encoded = len(texts)
        """Distinct texts among them, as far as the encoder reads."""
        self._vectors = encoder.encode(list(texts), progress)

    def score(self, query: int, pool: Numbers) -> Scores:
        """Cosines."""
        rows = self._rows[query][np.searchsorted(self._asked[query], pool)]
        return np.asarray(self._vectors[rows] @ self._queries[query], dtype=np.float64)


@dataclass(frozen=True)
class Task:
    """What is asked of every system: queries, and the documents that the pools number."""

    queries: Sequence[Query]
    documents: Documents
    depth: int
    """Documents of a run, per query."""

    def run(self, system: System, pools: Mapping[int, Numbers]) -> Iterator[ScoredDoc]:
        """The system's run over the pools, by query number: the first `depth` documents of each."""
        for query, pool in pools.items():
            scores = system.score(query, pool)
            of_number = dict(zip(pool.tolist(), scores.tolist(), strict=True))
            for number in ranked(scores, pool)[: self.depth].tolist():
                if of_number[number] != -np.inf:
                    yield ScoredDoc(self.queries[query].query_id, self.documents.ids[number], of_number[number])
