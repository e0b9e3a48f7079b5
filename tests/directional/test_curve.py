"""AUC_norm against curves drawn by hand, against scikit-learn, and as properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import auc, precision_recall_curve

from floats_support import close_to
from lawng.directional.curve import Edge, auc_above, auc_norm, auc_norm_spread, curve, measures, pair_direction
from lawng.errors import InputError

SCORED = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])), min_size=2, max_size=40
).filter(lambda rows: len({label for label, _ in rows}) == 2)


@pytest.mark.parametrize(
    ("labels", "scores", "edge", "area", "why"),
    [
        ([1, 1, 0, 0], [4, 3, 2, 1], "corner", 1.0, "all positives first"),
        # points (.5, 1), (.5, .5), (1, 2/3), (1, .5): all at the floor .5 or above
        ([1, 0, 1, 0], [4, 3, 2, 1], "corner", 0.5 * 1 + 0.5 * (0.5 + 2 / 3) / 2, "one negative between"),
        ([1, 0, 1, 0], [4, 3, 2, 1], "observed", 0.5 * (0.5 + 2 / 3) / 2, "nothing left of the first point"),
        # a tie is one point: (.5, .5) joins the corner (0, 1) and (1, .5)
        ([1, 0, 1, 0], [4, 4, 2, 2], "corner", 0.5 * 0.75 + 0.5 * 0.5, "ties"),
        ([1, 0, 1, 0], [4, 4, 2, 2], "observed", 0.5 * 0.5, "ties, no corner"),
        # points (0, 0) falls below .5 and goes; (1, 2/3) and (.5, .5) stay, joined with the corner
        ([0, 1, 1, 0], [4, 3, 2, 1], "corner", 0.5 * 0.75 + 0.5 * (0.5 + 2 / 3) / 2, "a point below the floor"),
    ],
)
def test_areas_drawn_by_hand(labels: list[int], scores: list[float], edge: Edge, area: float, why: str) -> None:
    truth = [bool(label) for label in labels]
    assert auc_above(curve(truth, scores, edge), 0.5) == close_to(area), why
    assert auc_norm(truth, scores, edge) == close_to((area - 0.5) / 0.5), why


@given(SCORED)
def test_without_a_floor_the_corner_is_scikit_learns(rows: list[tuple[bool, float]]) -> None:
    labels, scores = zip(*rows, strict=True)
    precision, recall, _ = precision_recall_curve(labels, scores)
    assert auc_above(curve(labels, scores), 0.0) == close_to(float(auc(recall, precision)))


@given(SCORED)
def test_a_monotone_change_of_scores_changes_nothing(rows: list[tuple[bool, float]]) -> None:
    labels, scores = zip(*rows, strict=True)
    other = [float(np.exp(3 * score)) for score in scores]
    assert measures(labels, scores) == close_to(measures(labels, other))
    assert auc_norm(labels, scores) <= 1
    assert auc_norm(labels, scores, "observed") <= auc_norm(labels, scores)


def test_chance_is_about_nothing_and_a_constant_is_the_corners_triangle() -> None:
    rng = np.random.default_rng(0)
    labels = [bool(one) for one in rng.random(4000) < 0.2]
    assert abs(auc_norm(labels, rng.random(4000).tolist())) < 0.05
    assert auc_norm(labels, [1.0] * 4000) == close_to(0.5), "a line from (0, 1): ties flatter by this convention"


@pytest.mark.parametrize(
    ("labels", "scores", "said"),
    [
        ([True, False], [1.0], "2 labels and 1 scores"),
        ([True, False], [1.0, float("nan")], "1 of 2 scores are not finite"),
        ([True, True], [1.0, 0.5], "positives and negatives"),
    ],
)
def test_what_has_no_curve_is_refused(labels: list[bool], scores: list[float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        curve(labels, scores)


def test_pair_direction_counts_a_tie_half() -> None:
    scores = {"a": 0.9, "b": 0.1, "c": 0.4, "d": 0.4, "e": 0.1, "f": 0.2}
    assert pair_direction(scores, {"a": "b", "c": "d", "e": "f"}) == [1.0, 0.5, 0.0]


def test_spread_ties_are_those_broken_at_random_on_average_and_none_change_nothing() -> None:
    rng = np.random.default_rng(4)
    labels = rng.random(600) < 0.4
    distinct = labels + rng.normal(0, 1, 600)
    assert auc_norm_spread(labels, distinct) == pytest.approx(auc_norm(labels, distinct), rel=1e-4)
    tied = np.maximum(np.round(distinct), 0)
    broken = [auc_norm(labels, tied + 1e-6 * rng.random(600)) for _ in range(300)]
    assert auc_norm_spread(labels, tied) == pytest.approx(np.mean(broken), abs=0.01)
    assert auc_norm(labels, tied) > auc_norm_spread(labels, tied) + 0.03, "which a straight line flatters"
    with pytest.raises(InputError, match="all labels are the same"):
        auc_norm_spread([True, True], [0.1, 0.2])


@pytest.mark.parametrize(("n", "positives"), [(1000, 450), (86, 31), (58_000, 19_333), (527, 191), (7, 3)])
def test_a_constant_and_a_backward_scorer_get_nothing_of_spread_ties(n: int, positives: int) -> None:
    labels = np.arange(n) < positives
    # by hand: a triangle between the corner and the first point is all that there is above chance
    assert auc_norm_spread(labels, np.ones(n)) == pytest.approx(0.5 / n, rel=1e-4, abs=1e-9)
    assert auc_norm_spread(labels, -labels.astype(float)) == 0
    assert auc_norm_spread(labels, labels.astype(float)) == pytest.approx(1, rel=1e-4)


@pytest.mark.parametrize("order", ["FFFFTTTT", "FFFTTTF", "FFFFFFTTTTTTF"])
def test_a_backward_ranking_gets_nothing_for_a_negative_at_its_end(order: str) -> None:
    labels = [letter == "T" for letter in order]
    scores = [-float(place) for place in range(len(labels))]
    assert auc_norm_spread(labels, scores) < 0.05
