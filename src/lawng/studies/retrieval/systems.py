"""The panel: BM25 and bi-encoders on whole opinions and on five BM25 paragraphs, and re-rankers (LawngNLI, 4.2.1).

A ranker scores one query's pool. -inf says that it does not return a document at all. Any ranker re-ranks as well: it
is asked of a list as of a pool. Cross-encoders read pairs and keep each answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lawng.errors import MissingError
from lawng.io.kv_store import key_of
from lawng.io.progress import Progress, progress_bar, silent
from lawng.models.find import shown_name, slug
from lawng.models.vector_cache import CachedEncoder, RowCache, Rows
from lawng.schema import ScoredDoc
from lawng.schema.labels import LABELS, Label
from lawng.studies.harness import Depends, Say, SystemLabel, texts_digest, unsaid
from lawng.studies.retrieval.collection import Documents, Numbers, Query
from lawng.studies.retrieval.views import Premises, Views, windowed
from lawng.text.paragraphs import EPSILON, K1, B, Bm25, words

if TYPE_CHECKING:
    from lawng.models.protocols import PairModel

Scores = NDArray[np.float64]
Pairs = Sequence[tuple[str, str]]
"""Premises and hypotheses."""


def label_of(system: str, view: str) -> SystemLabel:
    """The label of a system that reads `long` (whole opinions), `five` paragraphs, or an index's `passages`.

    >>> label_of("lawng search", "passages").name
    'lawng-search-passages'
    """
    tag = f"{system}-{view}".replace(" ", "-").replace("/", "_")
    return SystemLabel(tag, tag, system, view)


class Ranker(NamedTuple):
    """Something that ranks."""

    label: SystemLabel
    depends: Depends
    """What its scores depend on besides queries, documents and code."""
    score: Callable[[int, Numbers], Scores]
    """Scores of a pool's documents for the query of a number."""


class Encoded(NamedTuple):
    """A bi-encoder and its vectors of all queries and documents."""

    encoder: CachedEncoder
    queries: NDArray[np.float32]
    documents: NDArray[np.float32]


def whole_bm25(queries: Sequence[Query], bm25: PoolBm25) -> Ranker:
    """BM25 over whole opinions; the pool is the collection, as gensim has it."""
    return Ranker(label_of("BM25", "long"), {}, lambda query, pool: bm25.scores(queries[query].text, pool))


def view_bm25(queries: Sequence[Query], views: Views) -> Ranker:
    """BM25 over the pool's five-paragraph views; the collection is the pool's views for this query."""

    def score(query: int, pool: Numbers) -> Scores:
        return np.array(Bm25(views.texts(query, pool)).scores(queries[query].text))

    return Ranker(label_of("BM25", "five"), {}, score)


def whole_encoder(encoded: Encoded) -> Ranker:
    """Cosines of a bi-encoder's vectors of whole opinions, as far as it reads."""

    def score(query: int, pool: Numbers) -> Scores:
        return np.asarray(encoded.documents[pool] @ encoded.queries[query], dtype=np.float64)

    return _of_encoder(encoded, "long", score)


def view_encoder(encoded: Encoded, views: Views, asked: Mapping[int, Numbers], say: Say = unsaid) -> Ranker:
    """Cosines of a bi-encoder's vectors of five-paragraph views, encoded when it is first asked.

    `asked` has the documents that each query may be asked with, ascending.
    """

    @cache
    def vectors() -> tuple[dict[int, Numbers], Rows]:
        """By query the row of each of its documents, and the rows: distinct texts, as far as the encoder reads."""
        encoder = encoded.encoder
        text_of = windowed(views, encoder.embedder.count_tokens, encoder.embedder.max_tokens)
        texts: dict[str, int] = {}
        rows = {
            query: np.array([texts.setdefault(text_of(query, int(number)), len(texts)) for number in numbers])
            for query, numbers in asked.items()
        }
        say(f"{encoder.name}: {sum(map(len, asked.values())):,} views, {len(texts):,} different as far as it reads")
        with progress_bar(f"{encoder.name}, five paragraphs") as progress:
            return rows, encoder.encode(list(texts), progress)

    def score(query: int, pool: Numbers) -> Scores:
        of_query, found = vectors()
        rows = of_query[query][np.searchsorted(asked[query], pool)]
        return np.asarray(found[rows] @ encoded.queries[query], dtype=np.float64)

    return _of_encoder(encoded, "five", score)


def _of_encoder(encoded: Encoded, view: str, score: Callable[[int, Numbers], Scores]) -> Ranker:
    encoder = encoded.encoder
    return Ranker(label_of(encoder.name, view), {"encoder": [encoder.name, encoder.embedder.state]}, score)


@dataclass(frozen=True)
class Task:
    """What is asked of every system: queries, and the documents that the pools number."""

    queries: Sequence[Query]
    documents: Documents
    depth: int
    """Documents of a run, per query."""

    def run(self, ranker: Ranker, pools: Mapping[int, Numbers], progress: Progress = silent) -> Iterator[ScoredDoc]:
        """The ranker's run over the pools, by query number: the first `depth` documents of each."""
        for done, (query, pool) in enumerate(pools.items(), 1):
            scores = ranker.score(query, pool)
            of_number = dict(zip(pool.tolist(), scores.tolist(), strict=True))
            for number in ranked(scores, pool)[: self.depth].tolist():
                if of_number[number] != -np.inf:
                    yield ScoredDoc(self.queries[query].query_id, self.documents.ids[number], of_number[number])
            progress(done, len(pools))

    def depends(self, pools: Mapping[int, Numbers]) -> Depends:
        """Digests of all that a run over the pools depends on but the system."""
        asked = [self.queries[query] for query in pools]
        texts = [text for one in asked for text in (one.query_id, one.text, one.stance, one.target, one.original)]
        numbers = sha256(b"".join(pool.astype(np.int64).tobytes() + b"|" for pool in pools.values()))
        return {
            "documents": self.documents.digest,
            "queries": texts_digest(texts),
            "pools": numbers.hexdigest(),
            "depth": self.depth,
        }


def ranked(scores: NDArray[np.floating], members: Numbers) -> Numbers:
    """The members by score, best first; equal ones in the order of their ids."""
    return members[np.argsort(-np.round(scores, 6), kind="stable")]


class PoolBm25:
    """The scores of `lawng.text.paragraphs.Bm25` over any pool of some texts, without reading the texts again."""

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


_COLUMN = {"entail": LABELS.index(Label.ENTAILMENT), "contradict": LABELS.index(Label.CONTRADICTION)}


class Relevance(Protocol):
    """A relevance cross-encoder (`lawng.models.pairs`)."""

    name: str
    state: str

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> Sequence[float]:
        """How relevant each text is for its query; higher is better."""


def by_stance(
    model: PairModel, folder: Path, queries: Sequence[Query], premises: Premises, what: str = "five", **of: Any
) -> Ranker:
    """Documents by the odds that they entail, or contradict, the query: which of them is the query's stance.

    `of` says what the premises hang on, besides queries and documents.
    The ranker raises MissingError where the model has no such probability, as one of two labels has none of
    contradiction.
    """

    def judge(pairs: Pairs) -> Rows:
        judged = model.judge([premise for premise, _ in pairs], [hypothesis for _, hypothesis in pairs])
        return np.column_stack([judged.log_probs, judged.read]).astype(np.float32)

    asked = _Asked(model, folder, queries, premises, judge, len(LABELS) + 1)
    return asked.ranker(what, lambda rows, query: _odds(rows, _COLUMN[query.stance], model.name), **of)


def _odds(rows: Rows, column: int, name: str) -> Rows:
    """Logarithms of odds: probabilities near 1, and near 0, would be equal when they are rounded."""
    if len(rows) and not np.isfinite(rows[:, column]).any():
        raise MissingError(f"{name}: has two labels, and no probability of contradiction; name a model of three")
    others = np.delete(rows[:, : len(LABELS)], column, axis=1)
    return np.asarray(rows[:, column] - np.logaddexp.reduce(others, axis=1), dtype=np.float32)


def by_relevance(model: Relevance, folder: Path, queries: Sequence[Query], premises: Premises) -> Ranker:
    """Documents by a relevance cross-encoder's score."""

    def judge(pairs: Pairs) -> Rows:
        scores = model.score([query for _, query in pairs], [text for text, _ in pairs])
        return np.array(scores, dtype=np.float32).reshape(-1, 1)

    return _Asked(model, folder, queries, premises, judge, 1).ranker("five", lambda rows, _query: rows[:, 0])


def full(model: PairModel | Relevance, queries: Sequence[Query]) -> Set[int]:
    """The queries, by their number, that leave no room for a premise in what a cross-encoder reads."""
    rooms = model.leaves_room([query.text for query in queries]) if hasattr(model, "leaves_room") else ()
    return {at for at, room in enumerate(rooms) if not room}


class _Asked(NamedTuple):
    """A model that reads pairs: its answers are kept, `width` numbers each."""

    model: PairModel | Relevance
    folder: Path
    queries: Sequence[Query]
    premises: Premises
    judge: Callable[[Pairs], Rows]
    width: int

    def ranker(self, what: str, value: Callable[[Rows, Query], NDArray[np.floating]], **of: Any) -> Ranker:
        """A document is worth as much as the best of its premises."""
        label = label_of(shown_name(self.model.name), f"rerank {what}")
        kept = RowCache(self.folder / slug(f"{label.system}-{self.model.state}")[:120], self.width)

        none = full(self.model, self.queries)

        def score(query: int, pool: Numbers) -> Scores:
            if query in none:
                return np.full(len(pool), -np.inf)
            texts = [self.premises(query, number) for number in pool.tolist()]
            pairs = [(text, self.queries[query].text) for some in texts for text in some]
            rows = kept.rows([key_of(*pair) for pair in pairs], pairs, self.judge)
            starts = np.cumsum([0, *map(len, texts)])[:-1]
            values = value(rows, self.queries[query]).astype(np.float64)
            return np.maximum.reduceat(values, starts) if len(starts) else np.zeros(0)

        return Ranker(label, {"model": [self.model.name, self.model.state], "premises": what, **of}, score)
