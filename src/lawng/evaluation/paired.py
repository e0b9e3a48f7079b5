"""Are two systems different? Tests on the same queries, which is what pairs them.

mcnemar(a, b) -> McNemar                    exact, for 0/1 values such as Recall@k with one relevant document
difference(a, b, seed) -> Difference        paired bootstrap of a difference of means
holm(p_values) -> adjusted p values         when many pairs are tested
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from lawng.errors import ConfigError
from lawng.evaluation.intervals import LEVEL, RESAMPLES, Interval, resampled_means


class McNemar(NamedTuple):
    """The exact McNemar test of two lists of hits and misses."""

    only_a: int
    """Queries that only the first system gets."""
    only_b: int
    p: float
    """Two-sided."""


class Difference(NamedTuple):
    """Mean of the first system minus mean of the second, over the same queries."""

    mean: float
    interval: Interval
    p: float
    """Two-sided, by resampling; never below 1 / (resamples + 1)."""


def mcnemar(a: Sequence[float], b: Sequence[float]) -> McNemar:
    """McNemar's exact binomial test (McNemar, 1947), as LawngNLI uses it.

    >>> mcnemar([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0])
    McNemar(only_a=5, only_b=0, p=0.0625)

    Raises ConfigError when the lists differ in length or hold anything but 0 and 1.
    """
    _check(a, b)
    if not set(a) | set(b) <= {0, 1}:
        raise ConfigError("McNemar's test compares hits and misses; for other measures take the paired bootstrap")
    only_a = sum(1 for x, y in zip(a, b, strict=True) if x > y)
    only_b = sum(1 for x, y in zip(a, b, strict=True) if y > x)
    if only_a + only_b == 0:
        return McNemar(0, 0, 1.0)
    from scipy.stats import binomtest

    return McNemar(only_a, only_b, float(binomtest(min(only_a, only_b), only_a + only_b).pvalue))


def difference(
    a: Sequence[float],
    b: Sequence[float],
    seed: int,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
) -> Difference:
    """Paired bootstrap of the difference a - b: queries, or whole clusters of them, are drawn with replacement.

    The p value is twice the smaller share of resamples on one side of 0 (with one added, so that it is never 0).
    Raises ConfigError when the lists differ in length or are empty.
    """
    _check(a, b)
    gaps = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    means = resampled_means(gaps, seed, clusters, resamples)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    smaller = min(int((means <= 0).sum()), int((means >= 0).sum()))
    p = min(1.0, 2 * (smaller + 1) / (resamples + 1))
    return Difference(float(gaps.mean()), Interval(float(low), float(high)), p)


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for their number by Holm's step-down method (Holm, 1979), in the order given.

    >>> [round(p, 2) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for step, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[at]))
        adjusted[at] = largest
    return adjusted


def _check(a: Sequence[float], b: Sequence[float]) -> None:
    if len(a) != len(b) or not len(a):
        raise ConfigError(
            f"paired tests need the same queries for both systems: there are {len(a)} and {len(b)} values"
        )
