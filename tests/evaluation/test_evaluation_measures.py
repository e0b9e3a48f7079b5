"""Measures against pytrec_eval and values by hand; intervals and tests against scipy, hand counts and the paper."""

from __future__ import annotations

import random

import numpy as np
import pytest
import pytrec_eval
from scipy.stats import binom, binomtest

from floats_support import close_to
from lawng.errors import ConfigError
from lawng.evaluation.measures import mean, measures_of, per_query, ranks
from lawng.evaluation.statistics import (
    bootstrap,
    clopper_pearson,
    deviation_within,
    difference,
    holm,
    larger_deviation,
    mcnemar,
)
from lawng.schema import Judgement, ScoredDoc


def made_up(seed: int, n_scores: int) -> tuple[list[ScoredDoc], list[Judgement]]:
    """A run over 12 queries and 30 documents whose scores take so few values that many are equal."""
    draw = random.Random(seed)
    run = [ScoredDoc(f"q{q}", f"d{d:02}", float(draw.randrange(n_scores))) for q in range(12) for d in range(30)]
    judged = [Judgement(f"q{q}", f"d{draw.randrange(30):02}", draw.choice([1, 1, 2])) for q in range(12)]
    return run, judged


@pytest.mark.parametrize("n_scores", [3, 10**6])
@pytest.mark.parametrize(
    ("name", "theirs"),
    [("Recall@1", "recall_1"), ("Recall@10", "recall_10"), ("RR", "recip_rank"), ("nDCG@10", "ndcg_cut_10")],
)
def test_measures_are_pytrec_evals_once_ties_are_broken_our_way(name: str, theirs: str, n_scores: int) -> None:
    run, judged = made_up(7, n_scores)
    qrels = {row.query_id: {row.doc_id: row.relevance} for row in judged}
    # trec_eval puts the larger id first: a hundredth less for each following id turns that round
    shifted = {
        query: {row.doc_id: row.score - int(row.doc_id[1:]) / 100 for row in run if row.query_id == query}
        for query in qrels
    }
    expected = pytrec_eval.RelevanceEvaluator(qrels, {theirs.replace("_1", ".1") if "recall" in theirs else theirs})
    values = expected.evaluate(shifted)
    [measure] = measures_of([name])
    ours = per_query(run, judged, measure)
    assert ours == {query: close_to(values[query][theirs]) for query in qrels}


def test_equal_scores_go_by_id_ascending() -> None:
    [first] = measures_of(["Recall@1"])
    run = [ScoredDoc("q", "b", 1.0), ScoredDoc("q", "a", 1.0)]
    assert per_query(run, [Judgement("q", "a", 1)], first) == {"q": 1.0}
    assert per_query(run, [Judgement("q", "b", 1)], first) == {"q": 0.0}


def test_a_query_without_a_run_or_a_relevant_document_counts_0_and_unjudged_ones_nothing() -> None:
    [first] = measures_of(["Recall@1"])
    run = [ScoredDoc("q", "a", 1.0), ScoredDoc("none", "a", 1.0), ScoredDoc("unjudged", "a", 1.0)]
    judged = [Judgement("q", "a", 1), Judgement("absent", "a", 1), Judgement("none", "a", 0)]
    values = per_query(run, judged, first)
    assert values == {"q": 1.0, "absent": 0.0, "none": 0.0}
    assert mean(values) == close_to(1 / 3)
    assert ranks(run, judged) == {"q": 1, "absent": None, "none": None}


def test_every_unknown_measure_is_named() -> None:
    with pytest.raises(ConfigError, match="Recal@1, nonsense"):
        measures_of(["Recal@1", "Recall@1", "nonsense"])


@pytest.mark.parametrize("name", ["P", "INSQ", "RBP", "alpha_nDCG@10", "nDCG@0", "Recall@-1"])
def test_what_cannot_be_measured_is_told_before(name: str) -> None:
    with pytest.raises(ConfigError, match=f"no such measure: {name};"):
        measures_of(["RR", name])


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (3, 10), (10, 10), (182, 1322), (5, 451)])
def test_clopper_pearson_is_scipys(hits: int, n: int) -> None:
    ours, theirs = clopper_pearson(hits, n), binomtest(hits, n).proportion_ci(0.95, "exact")
    assert list(ours) == close_to([theirs.low, theirs.high])
    if 0 < hits < n:  # the bounds are what they say: the tails hold 2.5 % each
        assert binom.sf(hits - 1, n, ours.low) == close_to(0.025)
        assert binom.cdf(hits, n, ours.high) == close_to(0.025)


@pytest.mark.parametrize(
    ("share", "printed"),
    # table 17 of the paper, entail and contradict: (recall, error) of 1,322 queries
    [(0.039, 0.012), (0.262, 0.025), (0.505, 0.027), (0.005, 0.006), (0.138, 0.020), (0.281, 0.025), (0.486, 0.027)],
)
def test_the_errors_of_table_17_are_the_larger_deviation(share: float, printed: float) -> None:
    assert larger_deviation(round(share * 1322), 1322) == pytest.approx(printed, abs=0.0006)


@pytest.mark.parametrize(
    ("share", "reached", "printed"),
    [
        *[(0.138, 668, 0.018), (0.321, 668, 0.019), (0.09, 668, 0.016), (0.034, 668, 0.011), (0.505, 668, 0.003)],
        *[(0.1, 643, 0.016), (0.271, 643, 0.019), (0.174, 643, 0.019), (0.008, 643, 0.006), (0.486, 643, 0.003)],
    ],
)
def test_the_errors_of_table_6_are_those_within_the_first_hundred(share: float, reached: int, printed: float) -> None:
    assert deviation_within(round(share * 1322), reached, 1322) == pytest.approx(printed, abs=0.0006)


def test_the_larger_deviation_of_nothing_says_nothing() -> None:
    assert larger_deviation(0, 0) == 1.0
    with pytest.raises(ConfigError):
        clopper_pearson(3, 2)


def test_the_bootstrap_of_a_mean_is_near_the_normal_interval_and_depends_on_its_seed_alone() -> None:
    values = np.random.default_rng(1).normal(2.0, 1.0, 400).tolist()
    low, high = bootstrap(values, seed=3)
    half = 1.96 * np.std(values) / 20
    assert [low, high] == pytest.approx([np.mean(values) - half, np.mean(values) + half], abs=0.01)
    assert bootstrap(values, seed=3) == (low, high) != bootstrap(values, seed=4)


def test_clusters_widen_an_interval_when_their_members_are_alike() -> None:
    values, clusters = [1.0] * 50 + [0.0] * 50, [at // 10 for at in range(100)]
    alone, together = bootstrap(values, seed=1), bootstrap(values, seed=1, clusters=clusters)
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_mcnemar_by_hand() -> None:
    # eight discordant pairs, one of them for b: 2 * (1 + 8) / 2**8
    a, b = [1.0] * 7 + [0.0] + [1.0] * 5, [0.0] * 7 + [1.0] + [1.0] * 5
    assert list(mcnemar(a, b)) == close_to([7, 1, 18 / 256])
    assert list(mcnemar(b, a)) == close_to([1, 7, 18 / 256])
    assert mcnemar(a, a) == (0, 0, 1.0)


@pytest.mark.parametrize(("a", "b"), [([], []), ([1.0], [1.0, 0.0]), ([0.5], [1.0])])
def test_tests_refuse_what_is_not_paired_or_not_0_and_1(a: list[float], b: list[float]) -> None:
    with pytest.raises(ConfigError):
        mcnemar(a, b)


def test_the_paired_bootstrap_sees_a_difference_that_two_intervals_hide() -> None:
    hard = np.random.default_rng(2).random(300)
    a, b = (hard < 0.55).astype(float).tolist(), (hard < 0.50).astype(float).tolist()
    found = difference(a, b, seed=5)
    assert found.mean == close_to(np.mean(a) - np.mean(b))
    assert found.interval.low > 0
    assert found.p < 0.01
    assert bootstrap(a, 5).low < bootstrap(b, 5).high
    same = difference(a, a, seed=5)
    assert (same.mean, same.interval, same.p) == (0.0, (0.0, 0.0), 1.0)
    turned = difference(b, a, seed=5)
    assert turned.mean == close_to(-found.mean)
    assert turned.interval.low == close_to(-found.interval.high)


def test_holm_by_hand() -> None:
    assert holm([]) == []
    assert holm([0.04, 0.01, 0.5]) == [close_to(0.08), close_to(0.03), close_to(0.5)]
    assert holm([0.6, 0.7]) == [1.0, 1.0]
