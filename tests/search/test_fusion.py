"""Fusion of rankings: the measured weights, what a share is worth, and properties that hold for any rankings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floats_support import close_to
from lawng.index.rank import Found
from lawng.search.fusion import (
    DESCRIPTION_RANKERS,
    OWN_RANKERS,
    RANKERS,
    FusionSettings,
    fuse,
    items_by_case,
)

Rankings = dict[str, list[Found]]


def ranked(*scores: float, prefix: str = "") -> list[Found]:
    """A find of each of the cases a, b, c ... with such scores."""
    return [Found(f"{prefix}{'abcdefgh'[n]}#0", f"{prefix}{'abcdefgh'[n]}", score) for n, score in enumerate(scores)]


def item_scores(rankings: Rankings, rankers: Sequence[str], settings: FusionSettings | None = None) -> dict[str, float]:
    """What was found with its score."""
    return {item.id: item.score for items in items_by_case(rankings, rankers, settings).values() for item in items}


SCORES = st.lists(st.floats(0.1, 50), min_size=1, max_size=6, unique=True)
"""Positive: cosines of what is found, and BM25, are."""


@st.composite
def rankings(draw: st.DrawFn) -> Rankings:
    """Some rankers with finds of some of six cases, two of a case among them, best first; some describe no case."""
    found = {}
    for ranker in draw(st.lists(st.sampled_from(RANKERS), unique=True, min_size=1)):
        scores = sorted(draw(SCORES), reverse=True)
        cases = draw(
            st.lists(st.sampled_from(["a", "b", "c", "d", "e", ""]), min_size=len(scores), max_size=len(scores))
        )
        found[ranker] = [
            Found(f"{case}#{n}", case, score) for n, (case, score) in enumerate(zip(cases, scores, strict=True))
        ]
    return found


@pytest.mark.parametrize(
    ("ranker", "weight"),
    [("bm25", 0.3), ("dense", 0.15), ("opinion-bm25", 0.25), ("described-bm25", 0.15), ("described-dense", 0.15)],
)
def test_a_case_that_one_ranker_alone_puts_first_has_its_measured_weight(ranker: str, weight: float) -> None:
    [first, *_] = fuse({ranker: ranked(9.0, 4.0)})
    assert (first.case_id, first.score, first.scores) == ("a", close_to(weight), {ranker: close_to(weight)})


def test_each_ranker_goes_by_a_cases_own_words_or_by_those_of_later_courts() -> None:
    assert (*OWN_RANKERS, *DESCRIPTION_RANKERS) == RANKERS
    assert all(ranker.startswith("described-") for ranker in DESCRIPTION_RANKERS)
    assert not any(ranker.startswith("described-") for ranker in OWN_RANKERS)


def test_a_case_that_is_first_by_all_has_the_score_one() -> None:
    [first, *_] = fuse(dict.fromkeys(RANKERS, ranked(3.0, 2.0)))
    assert first.score == close_to(1.0)
    assert list(first.scores) == list(RANKERS)


def test_what_a_find_is_worth_by_hand() -> None:
    settings, shares = FusionSettings({"bm25": 1.0}), (1.0, 1 / 3, 0.0)
    found = fuse({"bm25": ranked(8.0, 4.0, 2.0)}, settings)
    assert [case.score for case in found] == close_to(list(shares))
    assert item_scores({"bm25": ranked(8.0, 4.0, 2.0)}, ("bm25",), settings) == {
        "a#0": close_to(shares[0]),
        "b#0": close_to(shares[1]),
        "c#0": close_to(shares[2]),
    }


@pytest.mark.parametrize(
    "scores",
    [
        pytest.param((5.0, 5.0), id="tied finds count in full"),
        pytest.param((5.0,), id="so does one alone"),
        pytest.param((0.0, 0.0), id="also at nothing, for they were found"),
        pytest.param((-1.0, -1.0), id="and below it"),
    ],
)
def test_a_ranker_that_is_tied(scores: tuple[float, ...]) -> None:
    found = fuse({"dense": ranked(*scores)}, FusionSettings({"dense": 0.4}))
    assert [case.score for case in found] == close_to([0.4] * len(scores))


def test_what_describes_no_case_of_the_index_makes_no_case_but_sets_the_scale() -> None:
    described = [Found("x@1", "", 8.0), Found("x@2", "a", 6.0), Found("x@3", "b", 4.0)]
    found = fuse({"described-bm25": described}, FusionSettings({"described-bm25": 1.0}))
    assert [(case.case_id, case.score) for case in found] == [("a", close_to(0.5)), ("b", 0.0)]


def test_items_of_several_rankers_are_weighed_among_these_alone() -> None:
    both = {"bm25": ranked(8.0, 6.0, 4.0), "dense": ranked(0.5, 1.0, 0.0), "opinion-bm25": ranked(1.0)}
    found = item_scores(both, ("bm25", "dense"))
    assert found == {"a#0": close_to((2 * 1.0 + 0.5) / 3), "b#0": close_to((2 * 0.5 + 1.0) / 3), "c#0": 0.0}
    assert item_scores(both, ("bm25",), FusionSettings({})) == {"a#0": 0.0, "b#0": 0.0, "c#0": 0.0}
    assert item_scores(both, ("bm25", "dense"), FusionSettings({"bm25": 3.0})) == {
        "a#0": close_to(1.0),
        "b#0": close_to(0.5),
        "c#0": 0.0,
    }, "a ranker without a weight says nothing"
    assert item_scores({}, ("bm25",)) == {}


@given(rankings())
def test_every_found_case_once_best_first_ties_by_id_between_0_and_1(found: Rankings) -> None:
    fused = fuse(found)
    assert {case.case_id for case in fused} == {one.case_id for some in found.values() for one in some if one.case_id}
    assert [(-case.score, case.case_id) for case in fused] == sorted((-case.score, case.case_id) for case in fused)
    assert len({case.case_id for case in fused}) == len(fused)
    assert all(0 <= case.score <= 1 + 1e-9 and case.score == close_to(sum(case.scores.values())) for case in fused)
    assert all(
        set(case.scores) == {ranker for ranker, some in found.items() if case.case_id in {one.case_id for one in some}}
        for case in fused
    )


@given(rankings())
def test_the_order_of_rankers_is_nothing(found: Rankings) -> None:
    backwards = dict(reversed(found.items()))
    assert fuse(backwards) == fuse(found)


@given(rankings(), st.floats(0.5, 20))
def test_the_scale_of_a_ranker_is_nothing(found: Rankings, by: float) -> None:
    scaled = {ranker: [one._replace(score=one.score * by) for one in some] for ranker, some in found.items()}
    before, after = ({case.case_id: case.score for case in fuse(some)} for some in (found, scaled))
    assert after == {case: close_to(score) for case, score in before.items()}


@given(rankings(), st.sampled_from(RANKERS), st.integers(0, 5))
def test_a_case_loses_nothing_by_a_better_score(found: Rankings, ranker: str, at: int) -> None:
    some = found.get(ranker, [])
    if at >= len(some) or not some[at].case_id:
        return
    if at == len(some) - 1 and some[at].case_id in {one.case_id for one in some[:-1]}:
        return  # the last find sets the scale: without it the case's better ones are worth less
    raised = sorted(
        (one._replace(score=one.score + (20.0 if n == at else 0.0)) for n, one in enumerate(some)),
        key=lambda one: -one.score,
    )
    case = some[at].case_id

    def score(rankings: Rankings) -> float:
        return next(one.score for one in fuse(rankings) if one.case_id == case)

    assert score(found | {ranker: raised}) >= score(found) - 1e-9
