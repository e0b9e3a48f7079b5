"""Bootstraps and paired tests against every resample written out, scipy, and the procedures as their authors put them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from floats_support import close_to
from lawng.errors import ConfigError
from lawng.evaluation.statistics import (
    LEVEL,
    bootstrap,
    bootstrap_recall,
    clopper_pearson,
    deviation_within,
    difference,
    holm,
    larger_deviation,
    mcnemar,
    mean_recall,
)
from lawng.evaluation.statistics import resampled_means as drawn_means

DRAWS = 10_000
SLACK = 0.03
"""How far shares of so many draws lie from the truth, once in ten million times (Dvoretzky, Kiefer and Wolfowitz)."""

CLUSTERED = st.lists(st.lists(st.integers(-3, 5), min_size=1, max_size=6), min_size=1, max_size=5)
"""The values of some clusters, which are of unequal size."""


def every_mean(clusters: Sequence[Sequence[float]]) -> np.ndarray:
    """The mean of each equally likely resample of whole clusters, with replacement, without any arithmetic of ours."""
    draws = product(range(len(clusters)), repeat=len(clusters))
    return np.array([np.mean(np.concatenate([np.asarray(clusters[at], float) for at in drawn])) for drawn in draws])


def flat(clusters: Sequence[Sequence[float]]) -> tuple[list[float], list[str]]:
    """The values in an order that mixes the clusters, and the names of their clusters."""
    pairs = [(float(value), f"case {at}") for at, own in enumerate(clusters) for value in own]
    pairs = pairs[::2] + pairs[1::2]
    return [value for value, _ in pairs], [name for _, name in pairs]


def share_below(values: np.ndarray, at: float) -> tuple[float, float]:
    """Shares of the values that are less than something, and that are at most as much."""
    return float(np.mean(values < at - 1e-9)), float(np.mean(values <= at + 1e-9))


@settings(max_examples=25)
@given(CLUSTERED)
def test_resampled_means_are_those_of_all_resamples(clusters: list[list[int]]) -> None:
    values, names = flat(clusters)
    expected = every_mean(clusters)
    found = drawn_means(np.array(values), 7, names, DRAWS)
    assert len(found) == DRAWS
    for at in np.unique(np.round(expected, 9)):
        assert share_below(found, at) == pytest.approx(share_below(expected, at), abs=SLACK)


@settings(max_examples=25)
@given(CLUSTERED)
def test_an_interval_holds_the_middle_of_all_resamples(clusters: list[list[int]]) -> None:
    values, names = flat(clusters)
    expected = every_mean(clusters)
    low, high = bootstrap(values, 3, names)
    tail = (1 - LEVEL) / 2
    for end, share in ((low, tail), (high, 1 - tail)):
        less, at_most = share_below(expected, end)
        assert less - SLACK <= share <= at_most + SLACK
    assert LEVEL == 0.95


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from("ab"), st.booleans()), min_size=1, max_size=4), min_size=1, max_size=5)
)
def test_an_interval_of_mean_recall_holds_the_middle_of_all_resamples(clusters: list[list[tuple[str, bool]]]) -> None:
    """Of each equally likely draw of whole clusters, over the labels that are in it."""
    draws = (
        np.concatenate([clusters[at] for at in drawn]) for drawn in product(range(len(clusters)), repeat=len(clusters))
    )
    expected = np.array([mean_recall(drawn[:, 0].tolist(), (drawn[:, 1] == "True").tolist()) for drawn in draws])
    rows = [(label, float(hit), at) for at, own in enumerate(clusters) for label, hit in own]
    labels, hits, names = zip(*(rows[::2] + rows[1::2]), strict=True)
    low, high = bootstrap_recall(labels, hits, 3, names)
    tail = (1 - LEVEL) / 2
    for end, share in ((low, tail), (high, 1 - tail)):
        less, at_most = share_below(expected, end)
        assert less - SLACK <= share <= at_most + SLACK


@settings(max_examples=25)
@given(CLUSTERED)
def test_a_p_value_is_twice_the_smaller_side_of_all_resamples(clusters: list[list[int]]) -> None:
    values, names = flat(clusters)
    expected = every_mean(clusters)
    less, at_most = share_below(expected, 0.0)
    both_sides = min(1.0, 2 * min(at_most, 1 - less))
    other = [1.0] * len(values)
    found = difference([value + 1.0 for value in values], other, 3, names)
    assert found.p == pytest.approx(both_sides, abs=2 * SLACK)
    assert found.mean == close_to(float(np.mean(values))) or abs(found.mean) < 1e-9
    assert found.interval == bootstrap(values, 3, names)
    turned = difference(other, [value + 1.0 for value in values], 3, names)
    assert turned.p == pytest.approx(found.p, abs=1e-9), "which system is named first does not matter"


def test_large_samples_agree_with_scipys_bootstrap_and_paired_t_test() -> None:
    draw = np.random.default_rng(8)
    a, b = draw.normal(0.12, 1.0, 300), draw.normal(0.0, 1.0, 300)
    theirs = stats.bootstrap((a - b,), np.mean, method="percentile", rng=draw).confidence_interval
    found = difference(a.tolist(), b.tolist(), 1)
    width = theirs.high - theirs.low
    assert list(found.interval) == pytest.approx([theirs.low, theirs.high], abs=0.05 * width)
    p = stats.ttest_rel(a, b).pvalue
    assert 0.02 < p < 0.9, "neither end says which side is counted"
    assert found.p == pytest.approx(p, abs=0.02)


@pytest.mark.parametrize(
    ("gaps", "resamples", "p"),
    [
        ([1.0, 2.0], 99, 0.02),  # no resample on the other side: 2 * (0 + 1) / (99 + 1)
        ([-1.0, -2.0], 99, 0.02),
        ([0.0, 0.0], 99, 1.0),  # all on both
        ([1.0], 9, 0.2),
        ([3.0], 1, 1.0),  # never above 1
    ],
)
def test_p_is_never_0_and_never_above_1(gaps: list[float], resamples: int, p: float) -> None:
    assert difference(gaps, [0.0] * len(gaps), 1, resamples=resamples).p == close_to(p)


@pytest.mark.parametrize("resamples", [1, 249, 250, 251, 500, 1001])
def test_as_many_resamples_are_drawn_as_asked_for_and_the_first_are_the_same(resamples: int) -> None:
    values = np.arange(7.0)
    found = drawn_means(values, 5, None, resamples)
    assert found.shape == (resamples,)
    assert len(np.unique(found)) > resamples / 60
    assert (found[:1] == drawn_means(values, 5, None, 1)).all()
    assert ((found >= 0) & (found <= 6)).all()


@settings(max_examples=25)
@given(st.lists(st.floats(-10, 10), min_size=1, max_size=9), st.integers(2, 4))
def test_copies_within_a_cluster_say_nothing_new(values: list[float], copies: int) -> None:
    names = [at for at in range(len(values)) for _ in range(copies)]
    repeated = [value for value in values for _ in range(copies)]
    assert list(bootstrap(repeated, 2, names)) == pytest.approx(list(bootstrap(values, 2)), abs=1e-6)


def test_nothing_to_resample_is_said() -> None:
    with pytest.raises(ConfigError, match="no value"):
        bootstrap([], 1)
    for a, b in (([], []), ([1.0], [1.0, 2.0])):
        with pytest.raises(ConfigError, match=f"there are {len(a)} and {len(b)} values"):
            difference(a, b, 1)


# --- exact tests -----------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=60))
def test_mcnemar_is_the_sign_test_of_those_that_differ(pairs: list[tuple[int, int]]) -> None:
    a, b = [float(x) for x, _ in pairs], [float(y) for _, y in pairs]
    found = mcnemar(a, b)
    wins, losses = sum(x > y for x, y in pairs), sum(x < y for x, y in pairs)
    assert (found.only_a, found.only_b) == (wins, losses)
    n = wins + losses
    assert found.p == close_to(stats.binomtest(wins, n, 0.5, "two-sided").pvalue if n else 1.0)
    # the sides of a fair coin are alike: every outcome that is no likelier than this one counts
    as_rare = sum(stats.binom.pmf(k, n, 0.5) for k in range(n + 1) if abs(2 * k - n) >= abs(wins - losses))
    assert found.p == close_to(min(1.0, as_rare))


@given(st.lists(st.integers(0, 100), min_size=1, max_size=8), st.integers(1, 99))
def test_holm_rejects_what_stepping_down_rejects(percents: list[int], level: int) -> None:
    p_values = [percent / 100 for percent in percents]
    alpha = (level + 0.5) / 1000
    adjusted = holm(p_values)
    rejected: set[int] = set()
    for step, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[at] > alpha / (len(p_values) - step):
            break  # this one and all that follow stand
        rejected.add(at)
    assert {at for at, p in enumerate(adjusted) if p <= alpha} == rejected
    assert all(p <= new <= 1.0 for p, new in zip(p_values, adjusted, strict=True))
    for one, other in combinations(range(len(p_values)), 2):
        assert (adjusted[one] - adjusted[other]) * (p_values[one] - p_values[other]) >= 0, "the order is kept"


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_clopper_pearson_at_any_level(hits: int, misses: int, level: float) -> None:
    n = hits + misses
    if not n:
        assert clopper_pearson(0, 0, level) == (0.0, 1.0)
        assert larger_deviation(0, 0, level) == 1.0
        return
    theirs = stats.binomtest(hits, n).proportion_ci(level, "exact")
    low, high = clopper_pearson(hits, n, level)
    assert [low, high] == close_to([theirs.low, theirs.high])
    wider = max(hits / n - theirs.low, theirs.high - hits / n)
    assert larger_deviation(hits, n, level) == close_to(wider)
    assert deviation_within(hits, n, 2 * n, level) == close_to(wider / 2)


@pytest.mark.parametrize(("reached", "n"), [(0, 5), (0, 0)])
def test_nothing_within_reach_has_no_deviation(reached: int, n: int) -> None:
    assert deviation_within(0, reached, n) == 0.0


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (1, 0)])
def test_hits_lie_between_none_and_all(hits: int, n: int) -> None:
    with pytest.raises(ConfigError, match=f"{hits} hits of {n}"):
        clopper_pearson(hits, n)


@pytest.mark.parametrize("test", [mcnemar, lambda a, b: difference(a, b, 1)])
def test_a_query_without_a_value_is_no_significance(test: Callable[..., object]) -> None:
    with pytest.raises(ConfigError, match="NaN"):
        test([1.0, math.nan], [0.0, 0.0])
