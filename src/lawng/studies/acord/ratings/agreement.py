"""How far raters agree: Krippendorff's alpha for ordinal ratings, and the mean difference of two raters.

krippendorff_alpha(units) -> float | None     mean_difference(units) -> float | None
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np


def krippendorff_alpha(units: Iterable[Sequence[int]]) -> float | None:
    """Krippendorff's alpha with the ordinal difference: 1 is full agreement, 0 what chance gives.

    A unit is what its raters gave to one thing, in any order; units with fewer than two ratings say nothing.
    None when the ratings that can be compared are all equal or there are none: then chance has no disagreement either.
    Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, section D.

    >>> krippendorff_alpha([(1, 1), (2, 2), (5, 5)])
    1.0
    """
    pairable = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in pairable for value in unit})
    if len(values) < 2:
        return None
    counts = np.array([[list(unit).count(value) for value in values] for unit in pairable], dtype=float)
    n_ratings = counts.sum(axis=1)
    # coincidences: each pair of different ratings of a unit counts 1 / (ratings - 1)
    observed = (counts.T / (n_ratings - 1)) @ counts - np.diag((counts / (n_ratings - 1)[:, None]).sum(axis=0))
    totals = observed.sum(axis=1)
    differences = _ordinal(totals)
    expected = np.outer(totals, totals) * differences
    return float(1 - (totals.sum() - 1) * (observed * differences).sum() / expected.sum())


def _ordinal(totals: np.ndarray) -> np.ndarray:
    """Squared difference of two values: the ratings between them, each of the two counting half."""
    ends = np.cumsum(totals)
    middles = ends - totals / 2
    differences: np.ndarray = (middles[:, None] - middles[None, :]) ** 2
    return differences


def mean_difference(units: Iterable[Sequence[int]]) -> float | None:
    """Mean absolute difference, in stars, of two raters of the same unit: first within a unit, then over units.

    >>> mean_difference([(3, 3, 5), (4, 4, 4)])
    0.6666666666666666
    """
    means = [np.mean([abs(a - b) for a, b in combinations(unit, 2)]) for unit in units if len(unit) > 1]
    return float(np.mean(means)) if means else None
