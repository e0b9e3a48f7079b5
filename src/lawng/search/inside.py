"""Which passages of the cases found say what the argument is about: every passage of these cases is looked at.

passages_inside(index, asked, pool) -> Insides

A passage's score lies between 0 and 1 and compares it with the other passages of its case: by words, by meaning, and by
how often later courts cite its pages (their pin cites). Pages that are cited are where a case states its rules, and an
argument resembles a case's facts as often as its rule.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.bounded import number_of
from lawng.records import Filters, Passage

if TYPE_CHECKING:
    from lawng.retrieval.facts import Pin
    from lawng.retrieval.rank import Found
    from lawng.retrieval.reader import Index

_TOGETHER, _MOST = 32, 5000
"""Cases whose passages are asked for together, and how many passages: more than so many cases have."""
OFFERED = 8
"""Passages of a case whose pages are looked at."""
DISSENT = "dissent"
"""The part of a case that tells against what the case stands for."""
_MOST_PAGES = 50
"""A passage is no longer: page marks can be wrong."""


class Item(NamedTuple):
    """A passage or description of a case: its fused score, and those of the rankers that found it."""

    id: str
    score: float
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class InsideSettings:
    """What each sign counts; chosen by `benchmarks/pinned_pages.py` on the tuning half of its queries.

    Without the cosine it was as good there (0.789, 0.788); arguments share fewer words with a case than such queries.
    """

    bm25: float = 0.64
    dense: float = 0.16
    cited: float = 0.2
    """How often later courts cite the passage's pages."""


class Inside(NamedTuple):
    """What is looked for, and in which cases."""

    text: str
    vector: NDArray[np.float32]
    cases: Sequence[str]
    filters: Filters
    phrases: tuple[str, ...]
    leave_out: frozenset[str]
    """Descriptions whose pin cites do not count."""


class Insides(NamedTuple):
    """The best passages of cases."""

    by_case: dict[str, list[Item]]
    """Best first, those of dissents last, ties by id; a case is absent where none passes filters and phrases."""
    passages: dict[str, Passage]


def passages_inside(index: Index, asked: Inside, pool: Executor, settings: InsideSettings | None = None) -> Insides:
    """The best passages of each case."""
    if not asked.cases:
        return Insides({}, {})
    settings = settings or InsideSettings()
    some = [asked.cases[at : at + _TOGETHER] for at in range(0, len(asked.cases), _TOGETHER)]
    only = (asked.filters, asked.phrases)
    words = [pool.submit(index.match_passages, asked.text, _MOST, *only, cases) for cases in some]
    pins = pool.submit(index.pins, asked.cases)
    near = [one for cases in some for one in index.near_passages(asked.vector, _MOST, *only, cases)]
    offered = likely([one for found in words for one in found.result()], near, settings)
    passages = index.passages([item.id for items in offered.values() for item in items])
    cited = cited_pages(pin for pin in pins.result() if pin.description_id not in asked.leave_out)
    known = {case: [item for item in items if item.id in passages] for case, items in offered.items()}
    ranked = {c: with_pages(items, passages, cited.get(c, {}), settings) for c, items in known.items()}
    return Insides({c: _of_the_court_first(items, passages) for c, items in ranked.items()}, passages)


def likely(words: Sequence[Found], near: Sequence[Found], settings: InsideSettings) -> dict[str, list[Item]]:
    """Passages by words and meaning: of each case the best ones."""
    shares = {"bm25": _shares(words, 0.0), "dense": _shares(near, None)}
    weights = {"bm25": settings.bm25, "dense": settings.dense}
    raw: dict[str, dict[str, float]] = defaultdict(dict)
    by_case: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for ranker, found in (("bm25", words), ("dense", near)):
        for one in found:
            raw[one.id][ranker] = one.score
            by_case[one.case_id][one.id] += weights[ranker] * shares[ranker][one.id]
    items = {case: [Item(i, score, raw[i]) for i, score in own.items()] for case, own in by_case.items()}
    return {case: _sorted(own)[:OFFERED] for case, own in items.items()}


def _shares(found: Sequence[Found], lowest: float | None) -> dict[str, float]:
    """Scores by passage as shares of the way from its case's lowest score, or from `lowest`, to the best."""
    own: dict[str, list[float]] = defaultdict(list)
    for one in found:
        own[one.case_id].append(one.score)
    ends = {case: (min(scores) if lowest is None else lowest, max(scores)) for case, scores in own.items()}
    return {one.id: _share(one.score, *ends[one.case_id]) for one in found}


def _share(score: float, low: float, high: float) -> float:
    return (score - low) / (high - low) if high > low else 1.0


def cited_pages(pins: Iterable[Pin]) -> dict[str, dict[str, float]]:
    """How often each page of each case is cited; a citation of several pages counts once in all."""
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for pin in pins:
        for page in pin.pages:
            found[pin.case_id][str(page)] += 1.0 / len(pin.pages)
    return found


def with_pages(
    items: Sequence[Item], passages: Mapping[str, Passage], cited: Mapping[str, float], settings: InsideSettings
) -> list[Item]:
    """The passages with what the citations of their pages add; words of the argument must be in them too."""
    counts = [math.log1p(sum(cited.get(page, 0.0) for page in pages_of(passages[item.id]))) for item in items]
    most = max(counts, default=0.0)
    return _sorted(
        [
            Item(item.id, item.score + settings.cited * count / most, item.scores | {"cited-pages": count})
            if count and "bm25" in item.scores
            else item
            for item, count in zip(items, counts, strict=True)
        ]
    )


def _of_the_court_first(items: Sequence[Item], passages: Mapping[str, Passage]) -> list[Item]:
    """The passages with those of dissents last: a dissent says what the case did not hold."""
    return sorted(items, key=lambda item: passages[item.id].part == DISSENT)


def pages_of(passage: Passage) -> list[str]:
    """The labels of a passage's pages, those between its first and last one too where these are numbers."""
    labels = passage.first_page, passage.last_page
    first, last = map(number_of, labels)
    if first is not None and last is not None and first <= last:
        return [str(page) for page in range(first, min(last, first + _MOST_PAGES) + 1)]
    return [page for page in dict.fromkeys(labels) if page]


def _sorted(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (-item.score, item.id))
