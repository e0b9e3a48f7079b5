"""Labels (A.1.4) and difficulty filters (A.1.6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.lawngnli.difficulty import bigram_overlap, difficulty
from lawng.lawngnli.labels import draw_labels
from lawng.lawngnli.order import shuffled
from lawng.schema import Reject
from lawng.schema.dataset import PROPOSITION
from lawng.schema.labels import LABELS, Label
from nli_fixture import labelled, negatable

ITEMS = [
    negatable(f"{place}{'n' if negation else 'p'}@{number}", negation=negation, jurisdiction=place)
    for place, negation in product(("mass", "us"), (False, True))
    for number in range(32)
]


def test_thirds_within_every_stratum() -> None:
    found = draw_labels(ITEMS, seed=1)
    assert len(found) == len(ITEMS)
    sizes = Counter(
        (item.candidate.jurisdiction, item.pivotal_negation, found[item.candidate.candidate_id]) for item in ITEMS
    )
    assert len(sizes) == 4 * len(LABELS)
    assert set(sizes.values()) <= {10, 11}


def test_propositions_are_halved_within_every_stratum() -> None:
    made = [replace(i, candidate=replace(i.candidate, hypothesis_source=PROPOSITION)) for i in ITEMS]
    found = draw_labels(made, seed=1)
    sizes = Counter((i.candidate.jurisdiction, i.pivotal_negation, found[i.candidate.candidate_id]) for i in made)
    assert {label for _, _, label in sizes} == {Label.ENTAILMENT, Label.CONTRADICTION}, "neutral they are all"
    assert set(sizes.values()) == {16}
    both = draw_labels([*ITEMS[:64], *made[64:]], seed=1)
    assert {key: both[key] for key in [i.candidate.candidate_id for i in ITEMS[:64]]} == {
        i.candidate.candidate_id: draw_labels(ITEMS, seed=1)[i.candidate.candidate_id] for i in ITEMS[:64]
    }, "propositions change nothing for parentheticals of other strata"


def test_labels_depend_on_seed_and_ids_only() -> None:
    assert draw_labels(ITEMS, 1) == draw_labels(reversed(ITEMS), 1), "the order of coming in does not matter"
    assert draw_labels(ITEMS, 1) != draw_labels(ITEMS, 2)


def test_small_strata_do_not_all_get_the_first_label() -> None:
    alone = [negatable(f"{place}@1", jurisdiction=f"state {place}") for place in range(60)]
    counts = Counter(draw_labels(alone, seed=3).values())
    assert min(counts[label] for label in LABELS) >= 10


def test_steps_draw_independently() -> None:
    ids = [str(number) for number in range(50)]
    assert shuffled(ids, 1, "labels", str) != shuffled(ids, 1, "balance", str)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param('a "public use" is needed here', "quotation-marks", id="straight"),
        pytest.param("a “public use” is needed here", "quotation-marks", id="curly"),
        pytest.param("a ‘public use’ is needed here", "quotation-marks", id="single curly"),
        pytest.param("a 'public use' is needed here", "quotation-marks", id="single straight"),
        pytest.param("taxes are due", "under-four-words", id="three words"),
        pytest.param("the State may tax the land", "bigram-overlap", id="copied from the premise"),
    ],
)
def test_too_easy(text: str, reason: str) -> None:
    item = labelled("a", hypothesis=text, flipped=text + " not at all ever")
    found = difficulty(item, "We hold that the State may tax the land.")
    assert isinstance(found, Reject)
    assert found.reason == reason
    assert found.detail


@pytest.mark.parametrize(
    "text", ["the judges' duty is plain here", "the State's duty is plain here", "it isn’t plain to anyone here"]
)
def test_apostrophes_are_no_quotation_marks(text: str) -> None:
    item = labelled("a", hypothesis=text, flipped=text)
    assert difficulty(item, "") == item


@pytest.mark.parametrize(("limit", "kept"), [(None, True), (1.0, False), (0.5, False)])
def test_without_a_limit_words_of_the_premise_are_no_reason(limit: float | None, kept: bool) -> None:
    item = labelled("a", hypothesis="the State may tax income", flipped="the State may not tax income")
    found = difficulty(item, "Here the State may tax income.", max_overlap=limit)
    assert (found == item) is kept


def test_both_forms_must_pass_whatever_the_label() -> None:
    premise = "the State may not tax income earned abroad"
    for label in LABELS:
        item = labelled("a", label, hypothesis="the State may tax income", flipped="the State may not tax income")
        found = difficulty(item, premise)
        assert isinstance(found, Reject)
        assert found.reason == "bigram-overlap"


@pytest.mark.parametrize(
    ("hypothesis", "premise", "share"),
    [
        pytest.param("a b c", "a b c", 1.0, id="whole"),
        pytest.param("a b c", "x A B. y", 0.5, id="half, case and marks do not count"),
        pytest.param("a b c", "c b a", 0.0, id="order counts"),
        pytest.param("a b a b", "a b", 0.5, id="distinct bigrams: ab, ba"),
        pytest.param("a", "a", 0.0, id="one word has none"),
    ],
)
def test_bigram_overlap(hypothesis: str, premise: str, share: float) -> None:
    assert bigram_overlap(hypothesis, premise) == share


@given(st.lists(st.sampled_from("abcd"), min_size=2), st.lists(st.sampled_from("abcd")))
def test_overlap_is_a_share_and_whole_inside_itself(one: list[str], two: list[str]) -> None:
    assert 0 <= bigram_overlap(" ".join(one), " ".join(two)) <= 1
    assert bigram_overlap(" ".join(one), " ".join([*two, *one])) == 1
