"""Neutralisation: another premise for each hypothesis, near in meaning but of an unrelated case (LawngNLI, A.1.7).

    citation_network(pairs) -> Network
    neutralise(items, texts, network, embedder, top=30) -> Iterator[Paired | Reject]    one jurisdiction at a time

Top 30 premises by dot product (FAISS, exact), without citation neighbours, without those that share half of the
hypothesis's bigrams; then the best by BM25. Done for every label "to balance attrition"; only neutral ones change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.labels import Label
from lawng.models.encoder import TextEncoder
from lawng.nli.bm25 import bm25_scores
from lawng.nli.difficulty import MAX_OVERLAP, bigram_overlap
from lawng.nli.records import Labelled, Paired, Premise, own_premise
from lawng.records import Reject

STAGE = "neutral"
TOP = 30

Network = Mapping[str, frozenset[str]]
"""Case id to the ids of all cases that it cites or that cite it."""

TextOf = Callable[[Premise], str]
"""Text of a short premise, citations removed or not, as the build has it."""


class _Pool(NamedTuple):
    """The premises of one jurisdiction, each once."""

    premises: list[Premise]
    texts: list[str]
    vectors: NDArray[np.float32]
    truncated: list[bool]
    of_case: dict[str, list[int]]


def citation_network(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Neighbours in both directions from (citing case id, cited case id) pairs.

    >>> citation_network([("a", "b")])["b"]
    frozenset({'a'})
    """
    neighbours: dict[str, set[str]] = defaultdict(set)
    for citing, cited in pairs:
        neighbours[citing].add(cited)
        neighbours[cited].add(citing)
    return {case: frozenset(others) for case, others in neighbours.items()}


def neutralise(  # noqa: PLR0913 (its inputs, and two limits of the paper's)
    items: Sequence[Labelled],
    text_of: TextOf,
    network: Network,
    embedder: TextEncoder,
    *,
    top: int = TOP,
    max_overlap: float = MAX_OVERLAP,
) -> Iterator[Paired | Reject]:
    """Each item of one jurisdiction with its premise: its own, or for a neutral one another's (LawngNLI, A.1.7).

    Not candidates are premises of the citing case, of cases citing or cited by it, and of the cited case. Items that
    no premise is left for are rejected whatever their label.
    """
    if not items:
        return
    ordered = sorted(items, key=lambda item: item.candidate.candidate_id)
    pool = _pool(ordered, text_of, embedder)
    queries = embedder.encode([item.hypothesis for item in ordered])
    excluded = [_excluded(item, network, pool) for item in ordered]
    nearest = _nearest(pool.vectors, queries.vectors, excluded, top)
    for item, near, cut in zip(ordered, nearest, queries.truncated, strict=True):
        yield _paired(item, near, pool, cut, max_overlap)


def _pool(items: Sequence[Labelled], text_of: TextOf, embedder: TextEncoder) -> _Pool:
    by_place = {}
    for item in reversed(items):  # of several candidates for one span, the first one names it
        premise = own_premise(item.candidate)
        by_place[premise.opinion_id, premise.start, premise.end] = premise
    premises = [by_place[place] for place in sorted(by_place)]
    of_case: dict[str, list[int]] = defaultdict(list)
    for row, premise in enumerate(premises):
        of_case[premise.case_id].append(row)
    texts = [text_of(premise) for premise in premises]
    vectors, truncated = embedder.encode(texts)
    return _Pool(premises, texts, vectors, truncated, dict(of_case))


def _excluded(item: Labelled, network: Network, pool: _Pool) -> set[int]:
    """Rows of the pool that are not candidates for an item."""
    citing, cited = item.candidate.citing_case_id, item.candidate.cited_case_id
    cases = {citing, cited, *network.get(citing, ())}
    return {row for case in cases & pool.of_case.keys() for row in pool.of_case[case]}


def _nearest(
    vectors: NDArray[np.float32], queries: NDArray[np.float32], excluded: list[set[int]], top: int
) -> Iterator[list[int]]:
    """Rows of the top premises of each query, best first, those excluded left out beforehand."""
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    for begin in range(0, len(queries), 256):
        batch = excluded[begin : begin + 256]
        # So many more are asked for that the top is full even if every excluded premise is in it.
        wanted = min(len(vectors), top + max(len(rows) for rows in batch))
        scores, rows = index.search(queries[begin : begin + 256], wanted)
        for gone, row_scores, row_numbers in zip(batch, scores, rows, strict=True):
            # Rounded: the last bits depend on how the batch was multiplied.
            ranked = sorted(zip((-row_scores).round(4).tolist(), row_numbers.tolist(), strict=True))
            yield [row for _, row in ranked if row not in gone][:top]


def _paired(item: Labelled, near: list[int], pool: _Pool, cut: bool, max_overlap: float) -> Paired | Reject:
    if not near:
        return Reject(STAGE, item.candidate.candidate_id, "no-candidate-premise", item.candidate.jurisdiction)
    far_enough = [row for row in near if _overlap(item, pool.texts[row]) < max_overlap]
    if not far_enough:
        return Reject(STAGE, item.candidate.candidate_id, "bigram-overlap", f"{len(near)} candidate premises")
    scores = bm25_scores(item.hypothesis, [pool.texts[row] for row in far_enough])
    best = max(range(len(scores)), key=lambda place: (round(scores[place], 9), -place))
    alternative = pool.premises[far_enough[best]]
    premise = alternative if item.label == Label.NEUTRAL else own_premise(item.candidate)
    return Paired(item, premise, alternative, cut or pool.truncated[far_enough[best]])


def _overlap(item: Labelled, text: str) -> float:
    return max(bigram_overlap(form, text) for form in (item.hypothesis, item.flipped))
