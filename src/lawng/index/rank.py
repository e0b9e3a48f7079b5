"""The rankers of an index at one version: BM25 over words and cosine over vectors, after the filters.

Scores are cut so that ties cannot depend on how an index grew: of equal ones the smaller id comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawng.errors import InputError
from lawng.index.store import reading
from lawng.index.tables import DESCRIPTIONS, OPINIONS, PASSAGES, VECTOR, TableSpec
from lawng.index.where import both, is_in, where
from lawng.io.threads import one_blas_thread
from lawng.schema import Filters
from lawng.text.phrases import occurs
from lawng.text.words import content_words

_MORE = 16
"""Rows asked for beyond k, to see whether there are ties at the cut."""
DIGITS = 6
"""Scores are compared to so many digits: further ones depend on the order of additions."""
_ALL = 1_000_000
MOST_BYTES = 400_000_000
"""Vectors of a larger table are not kept: 260,000 of 384 dimensions fit."""
NO_FILTERS = Filters()
_PHRASES_KEPT = 64


class Found(NamedTuple):
    """Something that matched."""

    id: str
    case_id: str
    score: float
    """BM25 or cosine; higher is better."""


def by_words(table: Any, spec: TableSpec, text: str, k: int, condition: str) -> list[Found]:
    """The k best rows by BM25 of a text's words; rows with none of them are not found."""
    words = content_words(text)
    if not words or k < 1 or not table.count_rows():
        return []

    def ask(limit: int) -> pa.Table:
        query = table.search(_queries().MatchQuery(words, spec.words), query_type="fts", fts_columns=spec.words)
        return _limited(query, condition, limit).select([spec.key, "case_id", "_score"]).to_arrow()

    return _best(ask, spec.key, k, lambda rows: rows["_score"].to_numpy())


def by_vector(table: Any, spec: TableSpec, vector: NDArray[np.float32], k: int, condition: str) -> list[Found]:
    """The k rows nearest to a unit vector by cosine, exactly: no partition of the vectors is left out."""
    if k < 1 or not table.count_rows():
        return []

    def ask(limit: int) -> pa.Table:
        query = table.search(vector, vector_column_name=VECTOR).distance_type("dot").nprobes(_ALL)
        return _limited(query, condition, limit).select([spec.key, "case_id", "_distance"]).to_arrow()

    return _best(ask, spec.key, k, lambda rows: 1.0 - rows["_distance"].to_numpy())


def phrase_rows(table: Any, phrases: Sequence[str], condition: str) -> list[tuple[str, str]]:
    """Ids of the passages that have each phrase word for word, with their cases; by id."""
    longest = max(phrases, key=lambda phrase: (len(phrase), phrase))
    if not content_words(longest) or not table.count_rows():
        return []
    query = table.search(_queries().PhraseQuery(longest, "searched"), query_type="fts", fts_columns="searched")
    found = _limited(query, condition, _ALL).select(["passage_id", "case_id", "searched", "_score"]).to_arrow()
    kept = [row for row in found.to_pylist() if all(occurs(phrase, row["searched"]) for phrase in phrases)]
    return sorted((row["passage_id"], row["case_id"]) for row in kept)


def _queries() -> Any:
    import lancedb.query

    return lancedb.query


def _limited(query: Any, condition: str, limit: int) -> Any:
    query = query.limit(limit)
    return query.where(condition, prefilter=True) if condition else query


def _best(
    ask: Callable[[int], pa.Table], key: str, k: int, score: Callable[[pa.Table], NDArray[np.float64]]
) -> list[Found]:
    """The k best, ties by id; more rows are asked for while the last one ties with the k-th."""
    limit = k + _MORE
    while True:
        rows = ask(limit)
        scores = np.round(score(rows).astype(np.float64), DIGITS)
        pairs = zip(scores.tolist(), rows[key].to_pylist(), rows["case_id"].to_pylist(), strict=True)
        ranked = sorted((-s, i, case) for s, i, case in pairs)
        if len(ranked) < limit or ranked[k - 1][0] != ranked[-1][0]:
            return [Found(i, case, -s) for s, i, case in ranked[:k]]
        limit *= 2


class MemoryVectors:
    """Unit vectors with the ids of their rows and cases, in the order of the ids: cosines of all in one product.

    The answers are those of `by_vector`, which reads the table each time: exact, ties by id. What a filter asks of the
    table's other columns is not known here.
    """

    def __init__(self, ids: Sequence[str], cases: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._ids, self._cases, self._vectors = np.array(ids, object), np.array(cases, object), vectors
        by_case = np.argsort(self._cases.astype(str), kind="stable")
        names, starts = np.unique(self._cases[by_case].astype(str), return_index=True)
        self._of_case = dict(zip(names.tolist(), np.split(by_case, starts[1:]), strict=True))

    @classmethod
    def of(cls, table: Any, spec: TableSpec, width: int) -> MemoryVectors | None:
        """The vectors of a table, None when they would take too much memory."""
        n_rows = table.count_rows()
        if not n_rows or 4 * n_rows * width > MOST_BYTES:
            return None
        # the ids first: each vector is read to its place, so that a second copy of all is never in memory
        names = table.search().select([spec.key, "case_id"]).limit(None).to_batches(8192)
        cases = {row[spec.key]: row["case_id"] for batch in names for row in batch.to_pylist()}
        ids = sorted(cases)
        place = {key: row for row, key in enumerate(ids)}
        vectors = np.empty((n_rows, width), np.float32)
        for batch in table.search().select([spec.key, VECTOR]).limit(None).to_batches(8192):
            flat = batch.column(VECTOR).flatten().to_numpy(zero_copy_only=False)
            vectors[[place[key] for key in batch.column(spec.key).to_pylist()]] = flat.reshape(-1, width)
        return cls(ids, [cases[key] for key in ids], vectors)

    def nearest(self, vector: NDArray[np.float32], k: int, cases: Sequence[str] = ()) -> list[Found]:
        """The k rows nearest to a unit vector by cosine, with `cases` only of these."""
        if k < 1:
            return []
        if cases:
            some = [self._of_case[case] for case in dict.fromkeys(cases) if case in self._of_case]
            rows = np.sort(np.concatenate(some)) if some else np.zeros(0, np.int64)
        else:
            rows = np.arange(len(self._ids))
        with one_blas_thread():  # its threads wait for work in a busy loop, beside other rankers
            products = (self._vectors[rows] if cases else self._vectors) @ vector
        scores = np.round(products.astype(np.float64), DIGITS)
        best = _places(scores, k)
        return [Found(self._ids[rows[n]], self._cases[rows[n]], float(scores[n])) for n in best]


def _places(scores: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Places of the k greatest scores, best first, of equals the first."""
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        likely = np.flatnonzero(scores >= least)
    else:
        likely = np.arange(len(scores))
    return likely[np.argsort(-scores[likely], kind="stable")][:k]


class _Closed(dict[str, Any]):
    """The tables of an index that is closed."""

    def __missing__(self, name: str) -> Any:
        raise InputError("the index is closed; open it again")


class Rankers:
    """BM25 and cosine over the tables of an index, after the filters; of equal scores the smaller id comes first."""

    def __init__(self, place: str, tables: dict[str, Any]) -> None:
        self.place = place
        self._tables = tables
        self._in_memory: dict[str, MemoryVectors] = {}
        self._phrases: dict[tuple[Any, ...], list[tuple[str, str]]] = {}
        self._phrase_lock = Lock()

    def match_passages(
        self, text: str, k: int, filters: Filters = NO_FILTERS, phrases: Sequence[str] = (), cases: Sequence[str] = ()
    ) -> list[Found]:
        """The k best passages by BM25, ties by id: only of what passes the filters and has each phrase.

        With `cases`, ids, only of these.
        """
        with reading(self.place):
            condition = self._passages_where(filters, phrases, cases)
            return by_words(self._tables["passages"], PASSAGES, text, k, condition)

    def near_passages(
        self,
        vector: NDArray[np.float32],
        k: int,
        filters: Filters = NO_FILTERS,
        phrases: Sequence[str] = (),
        cases: Sequence[str] = (),
    ) -> list[Found]:
        """The k passages nearest to a vector by cosine, of the same ones as `match_passages`."""
        in_memory = self._in_memory.get("passages")
        if in_memory and filters == NO_FILTERS and not phrases:
            return in_memory.nearest(vector, k, cases)
        with reading(self.place):
            condition = self._passages_where(filters, phrases, cases)
            return by_vector(self._tables["passages"], PASSAGES, vector, k, condition)

    def match_opinions(
        self, text: str, k: int, filters: Filters = NO_FILTERS, phrases: Sequence[str] = ()
    ) -> list[Found]:
        """The k best whole opinions by BM25, only of what passes the filters and has each phrase in a passage."""
        with reading(self.place):
            condition = where(filters)
            if phrases:
                ids = sorted({i.rpartition("#")[0] for i, _ in self._with_phrases(filters, phrases)})
                condition = is_in("opinion_id", ids)
            return by_words(self._tables["opinions"], OPINIONS, text, k, condition)

    def has_word(self, word: str) -> bool:
        """Whether a word, in any inflection, occurs in an opinion."""
        return bool(self.match_opinions(word, 1))

    def match_descriptions(
        self,
        text: str,
        k: int,
        filters: Filters = NO_FILTERS,
        leave_out: Sequence[str] = (),
        kinds: Sequence[str] = (),
    ) -> list[Found]:
        """The k best descriptions by BM25 with the cases that they describe.

        `leave_out` are ids of descriptions, `kinds` those that are looked at, all unless told.
        """
        with reading(self.place):
            return by_words(self._tables["descriptions"], DESCRIPTIONS, text, k, _described(filters, leave_out, kinds))

    def near_descriptions(
        self,
        vector: NDArray[np.float32],
        k: int,
        filters: Filters = NO_FILTERS,
        leave_out: Sequence[str] = (),
        kinds: Sequence[str] = (),
    ) -> list[Found]:
        """The k descriptions nearest to a vector by cosine, of the same ones as `match_descriptions`."""
        in_memory = self._in_memory.get("descriptions")
        if in_memory and filters == NO_FILTERS and not (leave_out or kinds):
            return in_memory.nearest(vector, k)
        with reading(self.place):
            condition = _described(filters, leave_out, kinds)
            return by_vector(self._tables["descriptions"], DESCRIPTIONS, vector, k, condition)

    def _load_vectors(self, width: int) -> None:
        """Hold the vectors in memory where they fit."""
        with reading(self.place):
            for spec in (PASSAGES, DESCRIPTIONS):
                if found := MemoryVectors.of(self._tables[spec.name], spec, width):
                    self._in_memory[spec.name] = found

    def _let_go(self) -> None:
        self._phrases.clear()
        self._in_memory.clear()
        self._tables = _Closed()

    def _passages_where(self, filters: Filters, phrases: Sequence[str], cases: Sequence[str]) -> str:
        if phrases:
            asked = is_in("passage_id", [passage_id for passage_id, _ in self._with_phrases(filters, phrases)])
        else:
            asked = where(filters)
        return both(asked, is_in("case_id", cases) if cases else "")

    def _with_phrases(self, filters: Filters, phrases: Sequence[str]) -> list[tuple[str, str]]:
        """Passages (and their cases) that have each phrase: both rankers and the count ask for the same ones."""
        key = (filters, *phrases)
        with self._phrase_lock:  # the rankers ask at the same time: the first one looks, the others wait for it
            found = self._phrases.get(key)
            if found is None:
                found = phrase_rows(self._tables["passages"], phrases, where(filters))
                if len(self._phrases) >= _PHRASES_KEPT:
                    self._phrases.clear()
                self._phrases[key] = found
            return found


def _described(filters: Filters, leave_out: Sequence[str], kinds: Sequence[str]) -> str:
    left = f"NOT ({is_in('description_id', leave_out)})" if leave_out else ""
    return both(where(filters), left, is_in("kind", kinds) if kinds else "")
