"""The five rankings of one argument, made side by side: the index releases Python's lock while it looks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lawng.io.threads import one_torch_thread
from lawng.search.fusion import DESCRIPTION_RANKERS
from lawng.search.state import SearchState
from lawng.text.phrases import has_phrases

if TYPE_CHECKING:
    from lawng.index.rank import Found

_DEEPER = 5
"""Descriptions are looked for so much deeper where quoted phrases must occur: those without are taken out."""


def rank(state: SearchState) -> None:
    """Ask all rankers, and count what they look at; an argument of names alone is not ranked."""
    index, filters, phrases = state.index, state.filters, state.phrases
    if state.only_names:
        state.counts = index.count(filters)
        return
    start, before = time.perf_counter(), _encoding(state)
    ask, text, depth = state.pool.submit, state.text, state.depth
    wide = depth * _DEEPER if phrases else depth
    counts = ask(index.count, filters, phrases)
    bm25 = ask(index.match_passages, text, depth, filters, phrases)
    opinions = ask(index.match_opinions, text, depth, filters, phrases)
    described = ask(index.match_descriptions, text, wide, filters, state.leave_out)
    if state.vector is None:  # else it looks deeper for the same argument
        state.vector = _encoded(state)
    vector = state.vector
    near = ask(index.near_descriptions, vector, wide, filters, state.leave_out)
    dense = index.near_passages(vector, depth, filters, phrases)
    found = {
        "bm25": bm25.result(),
        "dense": dense,
        "opinion-bm25": opinions.result(),
        "described-bm25": described.result(),
        "described-dense": near.result(),
    }
    state.found, state.counts = _with_phrases(state, found), counts.result()
    state.seconds["rank"] += time.perf_counter() - start - (_encoding(state) - before)


def _encoding(state: SearchState) -> float:
    return state.seconds["load"] + state.seconds["encode"]


def _encoded(state: SearchState) -> NDArray[np.float32]:
    start = time.perf_counter()
    with state.encoder_lock, one_torch_thread():
        _ = state.index.encoder
        loaded = time.perf_counter()
        vector = state.index.encode(state.text)
    state.seconds |= {"load": loaded - start, "encode": time.perf_counter() - loaded}
    return vector


def _with_phrases(state: SearchState, found: dict[str, list[Found]]) -> dict[str, list[Found]]:
    """The same, without descriptions that lack a phrase."""
    if not state.phrases:
        return found
    ids = {one.id for ranker in DESCRIPTION_RANKERS for one in found[ranker]}
    rows = state.index.descriptions(sorted(ids)).values()
    having = {one.description_id for one in rows if has_phrases(one.text, state.phrases)}
    return found | {ranker: [one for one in found[ranker] if one.id in having] for ranker in DESCRIPTION_RANKERS}
