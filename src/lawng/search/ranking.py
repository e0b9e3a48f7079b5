"""The five rankings of one argument, made side by side: the index releases Python's lock while it looks.

rankings_of(index, asked, pool) -> Rankings
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.records import Filters
from lawng.retrieval.phrases import occurs
from lawng.search.fusion import DESCRIPTION_RANKERS
from lawng.search.threads import one_thread

if TYPE_CHECKING:
    from lawng.retrieval.rank import Found
    from lawng.retrieval.reader import Counts, Index

_DEEPER = 5
"""Descriptions are looked for so much deeper where quoted phrases must occur: those without are taken out."""


class Asked(NamedTuple):
    """What the rankers are asked."""

    text: str
    phrases: tuple[str, ...]
    filters: Filters
    leave_out: tuple[str, ...]
    """Ids of descriptions that are not looked at."""
    depth: int


class Rankings(NamedTuple):
    """What the rankers found, and what they looked at."""

    found: dict[str, list[Found]]
    """By ranker, best first."""
    counts: Counts
    vector: NDArray[np.float32]
    """Of the argument."""
    load_seconds: float
    """Until the encoder was there."""
    encode_seconds: float


def rankings_of(index: Index, asked: Asked, pool: Executor, lock: Lock) -> Rankings:
    """All rankings; `lock` is held while the encoder runs, whose tokenizer serves one thread at a time."""
    wide = asked.depth * _DEEPER if asked.phrases else asked.depth
    counts = pool.submit(index.count, asked.filters, asked.phrases)
    bm25 = pool.submit(index.match_passages, asked.text, asked.depth, asked.filters, asked.phrases)
    opinions = pool.submit(index.match_opinions, asked.text, asked.depth, asked.filters, asked.phrases)
    described = pool.submit(index.match_descriptions, asked.text, wide, asked.filters, asked.leave_out)
    start = time.perf_counter()
    with lock, one_thread():
        _ = index.encoder
        loaded = time.perf_counter()
        vector = index.encode(asked.text)
        encoded = time.perf_counter()
    near = pool.submit(index.near_descriptions, vector, wide, asked.filters, asked.leave_out)
    dense = index.near_passages(vector, asked.depth, asked.filters, asked.phrases)
    found = {
        "bm25": bm25.result(),
        "dense": dense,
        "opinion-bm25": opinions.result(),
        "described-bm25": described.result(),
        "described-dense": near.result(),
    }
    return Rankings(
        _with_phrases(index, found, asked.phrases), counts.result(), vector, loaded - start, encoded - loaded
    )


def _with_phrases(index: Index, found: dict[str, list[Found]], phrases: Sequence[str]) -> dict[str, list[Found]]:
    """The same, without descriptions that lack a phrase."""
    if not phrases:
        return found
    ids = {one.id for ranker in DESCRIPTION_RANKERS for one in found[ranker]}
    rows = index.descriptions(sorted(ids)).values()
    kept = {one.description_id for one in rows if has_phrases(one.text, phrases)}
    return found | {ranker: [one for one in found[ranker] if one.id in kept] for ranker in DESCRIPTION_RANKERS}


def has_phrases(text: str, phrases: Sequence[str]) -> bool:
    """Whether every phrase stands in a text, word for word."""
    return all(occurs(phrase, text) for phrase in phrases)
