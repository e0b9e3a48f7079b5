"""Five rankings of passages, opinions and descriptions into one ranking of cases.

fuse(rankings, settings) -> list[Fused]      best first, ties by case id ascending

A case's score by one ranker is its best passage's (or description's) score, as a share of the way from the ranker's
last score to its best one. The fused score is their weighted sum. The weights stand in `FusionSettings` and nowhere
else; they were chosen by `benchmarks/tune_fusion.py` on the tuning half of its queries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lawng.index.rank import Found

OWN_RANKERS = ("bm25", "dense", "opinion-bm25")
"""By the case's own words: these, and BM25 over whole opinions."""
DESCRIPTION_RANKERS = ("described-bm25", "described-dense")
"""BM25 and cosine over what later courts say of a case."""
RANKERS = (*OWN_RANKERS, *DESCRIPTION_RANKERS)


class Fused(NamedTuple):
    """A case with its fused score, which is the sum of `scores`, its shares by ranker."""

    case_id: str
    score: float
    scores: dict[str, float]


class Item(NamedTuple):
    """A passage or description of a case: its fused score, and those of the rankers that found it."""

    id: str
    score: float
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """How rankings are fused."""

    weights: Mapping[str, float] = field(
        default_factory=lambda: {
            "bm25": 0.3,
            "dense": 0.15,
            "opinion-bm25": 0.25,
            "described-bm25": 0.15,
            "described-dense": 0.15,
        }
    )
    """By ranker; they sum to 1, so that a case that is first by each has the score 1."""


def fuse(rankings: Mapping[str, Sequence[Found]], settings: FusionSettings | None = None) -> list[Fused]:
    """Cases by fused score, best first, ties by id; a ranker that is absent or found nothing gives nobody anything.

    >>> class F(NamedTuple):
    ...     id: str
    ...     case_id: str
    ...     score: float
    >>> settings = FusionSettings({"bm25": 0.5, "dense": 0.5})
    >>> found = [F("a#0", "a", 9.0), F("b#0", "b", 5.0), F("c#0", "c", 1.0)]
    >>> [(case.case_id, case.score) for case in fuse({"bm25": found}, settings)]
    [('a', 0.5), ('b', 0.25), ('c', 0.0)]
    """
    settings = settings or FusionSettings()
    shares: dict[str, dict[str, float]] = defaultdict(dict)
    for ranker in RANKERS:
        weight = settings.weights.get(ranker, 0.0)
        for case_id, score in _of_cases(rankings.get(ranker, ())).items():
            if weight:
                shares[case_id][ranker] = weight * score
    fused = [Fused(case_id, sum(scores.values()), scores) for case_id, scores in shares.items()]
    return sorted(fused, key=lambda case: (-case.score, case.case_id))


def items_by_case(
    rankings: Mapping[str, Sequence[Found]], rankers: Sequence[str], settings: FusionSettings | None = None
) -> dict[str, list[Item]]:
    """What some rankers found, by case, best first: scores are normalised, weights scaled to sum to 1."""
    settings = settings or FusionSettings()
    total = sum(settings.weights.get(ranker, 0.0) for ranker in rankers) or 1.0
    weights = {ranker: settings.weights.get(ranker, 0.0) / total for ranker in rankers}
    found = {ranker: rankings.get(ranker, ()) for ranker in rankers}
    return weighed(found, {ranker: _normal(some) for ranker, some in found.items()}, weights)


def weighed(
    found: Mapping[str, Sequence[Found]], shares: Mapping[str, Sequence[float]], weights: Mapping[str, float]
) -> dict[str, list[Item]]:
    """Passages or descriptions by case, best first, by the weighted sum of the share that each ranker gives them."""
    raw: dict[str, dict[str, float]] = defaultdict(dict)
    by_case: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for ranker, some in found.items():
        for one, own in zip(some, shares[ranker], strict=True):
            raw[one.id][ranker] = one.score
            by_case[one.case_id][one.id] += weights[ranker] * own
    return {
        case: best_first(Item(item_id, score, raw[item_id]) for item_id, score in own.items())
        for case, own in by_case.items()
    }


def best_first(items: Iterable[Item]) -> list[Item]:
    """Items by score, ties by id."""
    return sorted(items, key=lambda item: (-item.score, item.id))


def _of_cases(found: Sequence[Found]) -> dict[str, float]:
    """Cases by id: the best normalised score of each."""
    best: dict[str, float] = {}
    for item, score in zip(found, _normal(found), strict=True):
        if item.case_id:
            best[item.case_id] = max(score, best.get(item.case_id, 0.0))
    return best


def _normal(found: Sequence[Found]) -> list[float]:
    """Scores between 0 and 1: shares of the way from the last one to the best one."""
    top = max((item.score for item in found), default=0.0)
    low = min((item.score for item in found), default=0.0)
    return [share(item.score, low, top) for item in found]


def share(score: float, low: float, top: float) -> float:
    """How far a score is on the way from the lowest to the best one; 1 where these are the same."""
    return (score - low) / (top - low) if top > low else 1.0
