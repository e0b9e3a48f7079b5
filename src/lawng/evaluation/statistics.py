"""Intervals and tests: exact ones for shares, resampled ones for means, paired ones for two systems.

clopper_pearson(hits, n) -> Interval        larger_deviation(hits, n) -> float
bootstrap(values, seed) -> Interval         difference(a, b, seed) -> Difference: paired bootstrap
resampled(statistic, clusters, seed)        an interval of any statistic
mcnemar(a, b) -> McNemar                    exact, for 0/1 values such as Recall@k with one relevant document
holm(p_values) -> adjusted p values         when many pairs are tested
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.errors import ConfigError

LEVEL = 0.95
RESAMPLES = 10_000
_BLOCK = 250  # resamples held in memory at one time


class Interval(NamedTuple):
    """A two-sided confidence interval, ends included."""

    low: float
    high: float


def clopper_pearson(hits: int, n: int, level: float = LEVEL) -> Interval:
    """The exact binomial interval of a share (Clopper and Pearson, 1934); (0, 1) when n is 0.

    >>> [round(end, 4) for end in clopper_pearson(0, 10)]
    [0.0, 0.3085]

    Raises ConfigError when hits do not lie between 0 and n.
    """
    if not 0 <= hits <= n:
        raise ConfigError(f"{hits} hits of {n}: hits lie between 0 and the number of trials")
    from scipy.stats import beta

    tail = (1 - level) / 2
    low = float(beta.ppf(tail, hits, n - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1 - tail, hits + 1, n - hits)) if hits < n else 1.0
    return Interval(low, high)


def larger_deviation(hits: int, n: int, level: float = LEVEL) -> float:
    """The larger distance of the share from its two Clopper-Pearson bounds, as LawngNLI's tables print it.

    >>> round(larger_deviation(182, 1322), 3)  # table 17: BM25, entail, Recall@1, printed 0.138+/-0.02
    0.02
    """
    if not n:
        return 1.0
    low, high = clopper_pearson(hits, n, level)
    return max(hits / n - low, high - hits / n)


def deviation_within(hits: int, reached: int, n: int, level: float = LEVEL) -> float:
    """The error that LawngNLI's table 6 prints: that of the share *within* the re-ranked lists, scaled to all queries.

    `reached` of the n queries have their document in the list that is re-ranked. The table's 0.505+/-0.003 at k = 100,
    where every system gets the same 668 of 1,322, is no interval for 0.505: it is 0.505 times the deviation of 668 of
    668. It says how sure the order of re-rankers is given the list, and nothing of other queries.

    >>> round(deviation_within(668, 668, 1322), 3)
    0.003
    """
    return larger_deviation(hits, reached, level) * reached / n if n and reached else 0.0


def bootstrap(
    values: Sequence[float], seed: int, clusters: Sequence[Hashable] | None = None, resamples: int = RESAMPLES
) -> Interval:
    """Percentile interval of a mean by resampling, whole clusters at a time where they are given.

    Queries about the same case are not independent: with their cases as clusters the interval says what another draw
    of cases would give. Deterministic for a seed.

    Raises ConfigError when there is no value.
    """
    if not len(values):
        raise ConfigError("bootstrap: there is no value to resample")
    means = resampled_means(np.asarray(values, dtype=np.float64), seed, clusters, resamples)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def resampled_means(
    values: NDArray[np.float64], seed: int, clusters: Sequence[Hashable] | None, resamples: int
) -> NDArray[np.float64]:
    """Means of so many resamples with replacement; of clusters both sums and sizes are drawn together."""
    names = range(len(values)) if clusters is None else clusters
    found: NDArray[np.float64] = _resampled_shares(values, np.zeros(len(values), np.intp), names, seed, resamples)[0]
    return found


def bootstrap_recall(
    labels: Sequence[Hashable],
    hits: Sequence[float],
    seed: int,
    clusters: Sequence[Hashable],
    resamples: int = RESAMPLES,
) -> Interval:
    """Percentile interval of `mean_recall` by drawing whole clusters with replacement, over the labels in each draw.

    >>> bootstrap_recall(["a"] * 9 + ["b"], [1] * 10, seed=1, clusters=range(10))
    Interval(low=1.0, high=1.0)
    """
    number = {label: at for at, label in enumerate(dict.fromkeys(labels))}
    of = np.array([number[label] for label in labels], dtype=np.intp)
    shares = _resampled_shares(np.asarray(hits, dtype=np.float64), of, clusters, seed, resamples)
    low, high = np.quantile(np.nanmean(shares, axis=0), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def _resampled_shares(
    values: NDArray[np.float64], kinds: NDArray[np.intp], clusters: Sequence[Hashable], seed: int, resamples: int
) -> NDArray[np.float64]:
    """The mean value of each kind in each resample (kinds x resamples), NaN where none of the kind was drawn."""
    number = {name: at for at, name in enumerate(dict.fromkeys(clusters))}
    of = np.array([number[name] for name in clusters])
    cells = kinds * len(number) + of
    n_kinds = int(kinds.max()) + 1
    sums, sizes = (
        np.bincount(cells, weights, minlength=n_kinds * len(number)).astype(np.float64).reshape(n_kinds, -1)
        for weights in (values, None)
    )
    generator = np.random.default_rng(seed)
    blocks = []
    for at in range(0, resamples, _BLOCK):
        drawn = generator.integers(0, len(number), size=(min(_BLOCK, resamples - at), len(number)))
        total, n = (np.stack([kind[drawn].sum(axis=1) for kind in each]) for each in (sums, sizes))
        blocks.append(np.divide(total, n, out=np.full_like(total, np.nan), where=n > 0))
    return np.concatenate(blocks, axis=1)


def resampled(
    statistic: Callable[[NDArray[np.intp]], float], clusters: Sequence[Hashable], seed: int, resamples: int = RESAMPLES
) -> Interval:
    """Percentile interval of any statistic of rows by drawing whole clusters of them with replacement.

    `statistic` is given the places of the drawn rows, `clusters` names the cluster of each row; draws for which the
    statistic is not a number are left out.

    >>> values = np.array([1.0, 1.0, 1.0])
    >>> resampled(lambda at: float(values[at].mean()), "abc", seed=1, resamples=10)
    Interval(low=1.0, high=1.0)
    """
    number = {name: at for at, name in enumerate(dict.fromkeys(clusters))}
    of = np.array([number[name] for name in clusters])
    members = np.split(np.argsort(of, kind="stable"), np.cumsum(np.bincount(of))[:-1])
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        drawn = generator.integers(0, len(members), size=len(members))
        found.append(statistic(np.concatenate([members[one] for one in drawn])))
    low, high = np.nanquantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def mean_recall(labels: Sequence[Hashable], hits: Sequence[float]) -> float:
    """Balanced accuracy: the mean, over the labels that are there, of the share of hits; NaN without any.

    >>> mean_recall(["a", "a", "b"], [1, 0, 1])
    0.75
    """
    of: dict[Hashable, list[float]] = {}
    for label, hit in zip(labels, hits, strict=True):
        of.setdefault(label, []).append(hit)
    return float(np.mean([np.mean(own) for own in of.values()])) if of else float("nan")


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
    Raises ConfigError when the lists differ in length, are empty or have a NaN.
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
    if np.isnan([*a, *b]).any():
        raise ConfigError("paired tests need a value of each query: leave out those of which a system has none (NaN)")
