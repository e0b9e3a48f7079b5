"""The area under the precision-recall curve above chance: AUC_norm, and AUC_50 of earlier work.

**The curve.** One point for each distinct score, equal scores together: recall and precision of all that scores at
least so much. Between points it is straight.

**The left edge.** No score is above the best, so the curve has no point at recall 0. Two conventions are published:
`corner` begins at recall 0 with precision 1, as scikit-learn draws it (Schmitt and Schütze 2021b; the numbers of Li et
al. 2022 are drawn so); `observed` begins at the first point, and what lies left of it is no area (Hosseini et al.
2018), so that a score whose first point lies far right, or a constant, has less area than chance and a negative value.

**The floor.** Only points whose precision is at least the floor count; a line joins what is left (as both do).
AUC_norm has the share of positives as its floor and scales what lies above it to 1 (equation 1, appendix A): 0 for
chance. A score that many share is one long straight line, which flatters: by
`corner` a constant gets half of what there is. `auc_norm_spread` gives each pair its share of the positives among those
of its score, as ties broken at random do on average (Davis and Goadrich 2006): a constant gets nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError

_ROUNDING = 1e-9
"""Of a precision that is a sum of shares: what is at the floor is not below it."""
Edge = Literal["corner", "observed"]
_SHOWN: dict[Edge, str] = {"corner": "", "observed": "(observed)"}
Floats = NDArray[np.float64]
Labels = Sequence[bool] | NDArray[np.bool_]
Scores = Sequence[float] | NDArray[np.floating[Any]]


class Curve(NamedTuple):
    """Points of a precision-recall curve, recall rising."""

    recall: Floats
    precision: Floats
    share: float
    """Of positives among all: the precision of chance."""


def curve(labels: Labels, scores: Scores, edge: Edge = "corner") -> Curve:
    """The curve of scores, higher meaning more likely positive.

    >>> points = curve([True, False, True], [0.9, 0.5, 0.5])
    >>> points.recall.tolist(), [round(x, 3) for x in points.precision.tolist()]
    ([0.0, 0.5, 1.0], [1.0, 1.0, 0.667])

    Raises InputError unless there are positives and negatives, as many scores as labels, and all scores are finite.
    """
    from sklearn.metrics import precision_recall_curve

    truth, values = _checked(labels, scores)
    precision, recall, _ = precision_recall_curve(truth, values)
    keep = slice(None, None if edge == "corner" else -1)
    return Curve(recall[keep][::-1], precision[keep][::-1], float(truth.mean()))


def _checked(labels: Labels, scores: Scores) -> tuple[NDArray[np.bool_], Floats]:
    truth, values = np.asarray(labels, bool), np.asarray(scores, float)
    if truth.shape != values.shape:
        raise InputError(f"{len(truth)} labels and {len(values)} scores: each pair needs one of both")
    if not np.isfinite(values).all():
        raise InputError(f"{np.count_nonzero(~np.isfinite(values))} of {len(values)} scores are not finite numbers")
    if truth.all() or not truth.any():
        raise InputError("a precision-recall curve needs positives and negatives; all labels are the same")
    return truth, values


def auc_above(points: Curve, floor: float) -> float:
    """The area under the points whose precision is at least `floor`: AUC_50 with 0.5; 0.0 where there is none."""
    good = points.precision >= floor - _ROUNDING
    return float(np.trapezoid(points.precision[good], points.recall[good]))


def auc_norm(labels: Labels, scores: Scores, edge: Edge = "corner") -> float:
    """The share of the area above chance that lies under the curve (equation 1); negative by `observed` for few points.

    >>> auc_norm([True, True, False, False], [0.9, 0.8, 0.2, 0.1])
    1.0
    >>> auc_norm([True, False], [0.5, 0.5])  # one point at (1, 0.5), joined with the corner
    0.5
    >>> auc_norm([True, False], [0.5, 0.5], "observed")  # the point alone, which has no area
    -1.0

    Raises InputError as `curve`.
    """
    return _normed(curve(labels, scores, edge))


def _normed(points: Curve) -> float:
    return (auc_above(points, points.share) - points.share) / (1 - points.share)


def auc_norm_spread(labels: Labels, scores: Scores) -> float:
    """AUC_norm from the corner, ties broken at random on average: of many equal scores it is not flattered.

    It is 0 where no point but the last is above chance, as of scores that rank backwards; by the published conventions
    a line from the corner to the last point gives those a half.

    >>> round(auc_norm_spread([True, False] * 500, [0.5] * 1000), 2), auc_norm_spread([True, False], [0.1, 0.9])
    (0.0, 0.0)

    Raises InputError as `curve`.
    """
    truth, values = _checked(labels, scores)
    _, block, size = np.unique(-values, return_inverse=True, return_counts=True)
    shares = np.repeat(np.bincount(block, weights=truth) / size, size)
    found = np.cumsum(shares)
    recall, precision = np.r_[0, found / found[-1]], np.r_[1, found / np.arange(1, len(found) + 1)]
    share = float(truth.mean())
    # point by point: a line over those below chance would give a ranking that ends there what it does not have
    return float(np.trapezoid(np.maximum(precision - share, 0), recall) / (1 - share)) if share < 1 else 0.0


def measures(labels: Labels, scores: Scores) -> dict[str, float]:
    """AUC_norm and AUC_50 by both conventions, then with ties broken at random.

    By name: `AUC_norm`, `AUC_50`, `AUC_norm(observed)`, `AUC_50(observed)`, `AUC_norm(spread)`.
    """
    found: dict[str, float] = {}
    for edge, shown in _SHOWN.items():
        found[f"AUC_norm{shown}"] = auc_norm(labels, scores, edge)
        found[f"AUC_50{shown}"] = auc_above(curve(labels, scores, edge), 0.5)
    return found | {"AUC_norm(spread)": auc_norm_spread(labels, scores)}


def pair_direction(scores: Mapping[str, float], converse: Mapping[str, str]) -> list[float]:
    """Of each directional pair whether p => q scores above q => p: 1, 0, and a half where they are equal.

    `converse` has for the id of each entailed entry (DirTrue) that of its converse (DirFalse).
    """
    return [0.5 + 0.5 * float(np.sign(scores[true] - scores[false])) for true, false in converse.items()]
