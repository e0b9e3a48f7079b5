"""Five rankings of passages, opinions and descriptions into one ranking of cases.

fuse(rankings, settings) -> list[Fused]      best first, ties by case id ascending

A case's score by one ranker is its best passage's (or description's) normalised score; further ones may count. The
fused score is their weighted sum. The weights stand in `FusionSettings` and nowhere else; they were chosen by
`benchmarks/tune_fusion.py` on the tuning half of its queries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

RANKERS = ("bm25", "dense", "opinion-bm25", "described-bm25", "described-dense")
"""BM25 and cosine over passages, BM25 over whole opinions, BM25 and cosine over what later courts say of a case."""
OWN_RANKERS, DESCRIPTION_RANKERS = RANKERS[:3], RANKERS[3:]
"""By the case's own words, and by those of later courts."""
PASSAGE_RANKERS = RANKERS[:2]
METHODS = ("sum", "span", "rrf")


class Scored(Protocol):
    """A passage or description that a ranker found (`lawng.retrieval.reader.Found`)."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def case_id(self) -> str:
        """The case that it belongs to, or describes; "" when the described case is not in the index."""

    @property
    def score(self) -> float:
        """By the ranker, higher is better."""


class Fused(NamedTuple):
    """A case with its fused score, which is the sum of `scores`, its shares by ranker."""

    case_id: str
    score: float
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """How rankings are fused."""

    method: str = "span"
    """`sum`: scores as shares of the ranker's best one; `span`: of the way from its last to its best one; `rrf`:
    reciprocal ranks (Cormack et al., SIGIR 2009)."""
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
    further: float = 0.0
    """What the second best passage of a case counts beside the best; the third counts the square of it, and so on.
    0: a case counts by its best passage alone, which was as good as any other value on the tuning half."""
    n_further: int = 2
    """So many passages beside the best count."""
    constant: float = 60.0
    """Of RRF."""


def fuse(rankings: Mapping[str, Sequence[Scored]], settings: FusionSettings | None = None) -> list[Fused]:
    """Cases by fused score, best first, ties by id; a ranker that is absent or found nothing gives nobody anything.

    >>> class F(NamedTuple):
    ...     id: str
    ...     case_id: str
    ...     score: float
    >>> settings = FusionSettings("sum", {"bm25": 0.5, "dense": 0.5})
    >>> [(c.case_id, c.score) for c in fuse({"bm25": [F("a#0", "a", 9.0), F("b#0", "b", 4.5)]}, settings)]
    [('a', 0.5), ('b', 0.25)]
    """
    settings = settings or FusionSettings()
    shares: dict[str, dict[str, float]] = defaultdict(dict)
    for ranker in RANKERS:
        weight = settings.weights.get(ranker, 0.0)
        for case_id, score in _of_cases(rankings.get(ranker, ()), settings).items():
            if weight:
                shares[case_id][ranker] = weight * score
    fused = [Fused(case_id, sum(scores.values()), scores) for case_id, scores in shares.items()]
    return sorted(fused, key=lambda case: (-case.score, case.case_id))


def item_scores(
    rankings: Mapping[str, Sequence[Scored]], rankers: Sequence[str], settings: FusionSettings | None = None
) -> dict[str, float]:
    """Passages (or descriptions) by id: the weighted sum of their own normalised scores, weights scaled to sum to 1."""
    settings = settings or FusionSettings()
    total = sum(settings.weights.get(ranker, 0.0) for ranker in rankers) or 1.0
    scores: dict[str, float] = defaultdict(float)
    for ranker in rankers:
        share = settings.weights.get(ranker, 0.0) / total
        for found, score in zip(rankings.get(ranker, ()), _normal(rankings.get(ranker, ()), settings), strict=True):
            scores[found.id] += share * score
    return dict(scores)


def _of_cases(found: Sequence[Scored], settings: FusionSettings) -> dict[str, float]:
    """Cases by id: the mean of a case's best normalised scores with the weights 1, `further`, `further`² ..."""
    own: dict[str, list[float]] = defaultdict(list)
    for item, score in zip(found, _normal(found, settings), strict=True):
        if item.case_id:
            own[item.case_id].append(score)
    powers = [settings.further**n for n in range(settings.n_further + 1)]
    return {
        case_id: sum(p * s for p, s in zip(powers, sorted(scores, reverse=True), strict=False)) / sum(powers)
        for case_id, scores in own.items()
    }


def _normal(found: Sequence[Scored], settings: FusionSettings) -> list[float]:
    """Scores between 0 and 1: as shares of the best one, or by rank."""
    if settings.method == "rrf":
        return [(settings.constant + 1) / (settings.constant + rank) for rank in range(1, len(found) + 1)]
    top = max((item.score for item in found), default=0.0)
    if settings.method == "span":
        low = min((item.score for item in found), default=0.0)
        return [(item.score - low) / (top - low) if top > low else 1.0 for item in found]
    return [max(item.score, 0.0) / top if top > 0 else 0.0 for item in found]
