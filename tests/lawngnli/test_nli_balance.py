"""Balance, splits and twins (A.1.8), with a planted leak for the split by case."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from random import Random
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawng.lawngnli.balance import (
    Group,
    How,
    analysis_subset,
    balance,
    finished,
    group_of,
    split_paper,
    split_time,
    twinned,
    uses,
)
from lawng.lawngnli.records import Paired
from lawng.lawngnli.split_case import near_duplicates, split_case, ties_of
from lawng.schema import Example, Reject
from lawng.schema.dataset import PROPOSITION
from lawng.schema.labels import LABELS, Label
from nli_fixture import labelled, paired

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def distinct(number: int) -> str:
    """A hypothesis that is near no other number's."""
    return " ".join(f"{LETTERS[number % 26]}{number}{place}" for place in LETTERS[:5])


def example(number: int, citing: str | None = None, cited: str | None = None, text: str | None = None) -> Paired:
    said = text or distinct(number)
    item = labelled(
        f"id{number:04}",
        LABELS[number % 3],
        hypothesis=said,
        flipped=f"not {said}",
        negation=number // 3 % 2 == 0,
        citing=citing or f"citing{number}",
        cited=cited or f"cited{number}",
    )
    return paired(item)


def world(n: int, citing: int, cited: int) -> list[Paired]:
    """n examples among so many citing and cited cases: the fewer cases, the more hangs together."""
    return [example(k, f"citing{k * 7 % citing}", f"cited{k * 13 % cited}") for k in range(n)]


def small(items: list[Paired]) -> frozenset[str]:
    """The analysis subset: half of the opinions."""
    opinions = (item.premise.opinion_id for item in items)
    return analysis_subset({opinion_id: 4096 + crc32(opinion_id.encode()) % 2 for opinion_id in opinions})


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 5), max_size=60), st.integers(0, 9))
def test_groups_are_equal_within_each_subset_and_nothing_is_lost(kinds: list[int], seed: int) -> None:
    items = [
        paired(labelled(f"id{n:03}", LABELS[kind % 3], negation=kind > 2, cited=f"c{n}"))
        for n, kind in enumerate(kinds)
    ]
    analysis = small(items)
    found = list(balance(items, analysis, seed))
    kept = [item for item in found if isinstance(item, Paired)]
    assert sorted(item.candidate_id if isinstance(item, Paired) else item.id for item in found) == [
        item.candidate_id for item in items
    ]
    before = Counter((item.premise.opinion_id in analysis, group_of(item)) for item in items)
    after = Counter((item.premise.opinion_id in analysis, group_of(item)) for item in kept)
    for subset in (True, False):
        assert {after[subset, group] for group in Group} == {min(before[subset, group] for group in Group)}


def proposition(number: int, *, negation: bool) -> Paired:
    """A proposition with a premise of its own, and another that neutralisation found."""
    item = example(number).item
    label = LABELS[0] if number % 2 else LABELS[2]
    item = replace(
        item,
        label=str(label),
        pivotal_negation=negation,
        candidate=replace(item.candidate, hypothesis_source=PROPOSITION),
    )
    own = paired(item)
    return replace(own, alternative=replace(own.premise, case_id=f"other{number}", opinion_id=f"other{number}/0"))


def test_a_proposition_is_used_as_neutral_too_and_a_parenthetical_once() -> None:
    said, cited = example(4), proposition(5, negation=True)
    first, own, neutral = uses([said, cited])
    assert (first, own) == (said, cited)
    assert (neutral.item.label, neutral.premise, neutral.item.hypothesis) == (
        Label.NEUTRAL,
        cited.alternative,
        cited.item.hypothesis,
    )
    assert (own.use_id, neutral.use_id, said.use_id) == ("id0005", "id0005:neutral", "id0004")
    assert {e.example_id for e in twinned(neutral, "train", True)} == {
        "id0005:neutral:original",
        "id0005:neutral:twin",
    }
    assert {e.label for e in twinned(neutral, "train", True)} == {Label.NEUTRAL}


def test_the_neutral_ones_that_stay_are_of_hypotheses_that_stay() -> None:
    items = list(uses(proposition(n, negation=n < 20) for n in range(100)))
    kept = [item for item in balance(items, frozenset(), 3) if isinstance(item, Paired)]
    groups = Counter(group_of(item) for item in kept)
    assert set(groups.values()) == {20}, "as many as the judges negated"
    own = {item.candidate_id for item in kept if group_of(item) != Group.NEUTRAL}
    assert {item.candidate_id for item in kept if group_of(item) == Group.NEUTRAL} <= own


@pytest.mark.parametrize("how", ["paper", "case", "time"])
def test_propositions_are_balanced_split_and_lose_nothing(how: How) -> None:
    items = list(uses(proposition(n, negation=n % 3 == 0) for n in range(240)))
    dates = {item.item.candidate.citing_case_id: f"{1900 + n:04}" for n, item in enumerate(items)}
    found = list(finished(items, small(items), dates, how, seed=2))
    examples = [item for item in found if isinstance(item, Example)]
    assert {e.split for e in examples} == {"train", "validation", "test"}
    assert len(examples) // 2 + sum(isinstance(item, Reject) for item in found) == len(items) == 480
    cells = Counter((e.analysis, e.label, e.pivotal_negation) for e in examples)
    assert len({n for (analysis, _, _), n in cells.items() if analysis}) == 1
    assert len({n for (analysis, _, _), n in cells.items() if not analysis}) == 1
    sides: dict[str, set[str]] = defaultdict(set)
    for e in examples:
        sides[e.candidate_id].add(e.split)
    assert {len(split) for split in sides.values()} == {1}, "both uses on one side"
    assert len(sides) < len(examples) // 2, "some are used twice"


def test_the_source_of_a_hypothesis_does_not_give_its_label_away() -> None:
    said = [replace(example(n).item, pivotal_negation=n % 5 == 0) for n in range(1000, 1150)]
    items = [*map(paired, said), *uses(proposition(n, negation=n % 3 == 0) for n in range(240))]
    cells: dict[tuple[bool, str], Counter[str]] = defaultdict(Counter)
    analysis = small(items)
    for item in balance(items, analysis, 3):
        if isinstance(item, Paired):
            cells[item.premise.opinion_id in analysis, item.item.candidate.hypothesis_source][group_of(item)] += 1
    assert len(cells) == 4, "two sources, in and outside of the analysis subset"
    for groups in cells.values():
        assert len(groups) == len(Group)
        assert len(set(groups.values())) == 1


def test_a_neutral_use_that_stays_alone_is_split_by_itself() -> None:
    items = [item for item in uses(proposition(n, negation=False) for n in range(60)) if item.item.label == "neutral"]
    parts = split_paper(items, frozenset(), seed=1)
    assert Counter(parts.values()) == {"train": 54, "validation": 3, "test": 3}


@pytest.mark.parametrize("how", ["paper", "case", "time"])
def test_twins_balance_label_by_negation_exactly(how: How) -> None:
    items = world(300, 90, 80)
    analysis = small(items)
    dates = {item.item.candidate.citing_case_id: f"{1900 + n:04}" for n, item in enumerate(items)}
    found = list(finished(items, analysis, dates, how, seed=5))
    examples = [item for item in found if isinstance(item, Example)]
    rejects = [item for item in found if isinstance(item, Reject)]
    assert len(examples) // 2 + len(rejects) == len(items), "in = out + rejects"
    for subset in (True, False):
        cells = Counter((e.label, e.pivotal_negation) for e in examples if e.analysis == subset)
        assert len(cells) == 6
        assert len(set(cells.values())) == 1, cells
    by_id = {e.example_id: e for e in examples}
    for one in examples:
        twin = by_id[one.twin_id]
        assert twin.twin_id == one.example_id
        assert (twin.split, twin.premise_opinion_id) == (one.split, one.premise_opinion_id)
        assert twin.label == Label(one.label).flipped
        assert twin.pivotal_negation != one.pivotal_negation
        assert twin.hypothesis != one.hypothesis


@pytest.mark.parametrize(
    ("label", "texts", "labels", "negations"),
    [
        (Label.ENTAILMENT, ("said", "denied"), ("entailment", "contradiction"), (False, True)),
        (Label.CONTRADICTION, ("denied", "said"), ("contradiction", "entailment"), (True, False)),
        (Label.NEUTRAL, ("said", "denied"), ("neutral", "neutral"), (False, True)),
    ],
)
def test_twinned(label: Label, texts: tuple[str, str], labels: tuple[str, str], negations: tuple[bool, bool]) -> None:
    pair = twinned(paired(labelled("a", label, hypothesis="said", flipped="denied")), "train", True)
    assert tuple(e.hypothesis for e in pair) == texts
    assert tuple(e.label for e in pair) == labels
    assert tuple(e.pivotal_negation for e in pair) == negations
    assert [bool(e.steps) for e in pair] == [text == "denied" for text in texts], "the change is recorded where made"
    assert {e.original_label for e in pair} == {str(label)}


def test_paper_split_is_stratified() -> None:
    items = [example(k) for k in range(600)]
    analysis = small(items)
    parts = split_paper(items, analysis, seed=1)
    strata = Counter((item.premise.opinion_id in analysis, group_of(item), parts[item.candidate_id]) for item in items)
    sizes = Counter((item.premise.opinion_id in analysis, group_of(item)) for item in items)
    for (subset, group), size in sizes.items():
        assert strata[subset, group, "test"] == pytest.approx(0.05 * size, abs=1)
        assert strata[subset, group, "validation"] == pytest.approx(0.05 * size, abs=1)
    assert parts != split_paper(items, analysis, seed=2)
    assert parts == split_paper(items[::-1], analysis, seed=1)


def test_time_split_never_divides_a_date() -> None:
    items = [example(k) for k in range(100)]
    dates = {f"citing{k}": f"19{k // 4:02}" for k in range(99)}  # four a year; the last has no date
    parts = split_time(items, dates)
    by_split: dict[str, set[str]] = {}
    for item in items:
        by_split.setdefault(parts[item.candidate_id], set()).add(dates.get(item.item.candidate.citing_case_id, ""))
    assert max(by_split["train"]) < min(by_split["validation"])
    assert max(by_split["validation"]) < min(by_split["test"])
    assert parts["id0099"] == "train", "without a date"


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 12), max_size=60), st.randoms(use_true_random=False))
def test_a_date_on_a_border_goes_to_the_later_split(years: list[int], random: Random) -> None:
    """Against a plain reading of the rule: a date is where its newest example is, in a row by date cut 90/5/5."""
    items = [example(k) for k in range(len(years))]
    dates = {f"citing{k}": f"19{year:02}" if year else "" for k, year in enumerate(years)}
    row = sorted(year for year in years)
    parts = split_time(random.sample(items, len(items)), dates)
    held = round(0.1 * len(row) + 1e-9)
    test = round(0.05 * len(row) + 1e-9)
    for k, year in enumerate(years):
        newest = len(row) - 1 - row[::-1].index(year)
        later = "test" if newest >= len(row) - test else "validation" if newest >= len(row) - held else "train"
        assert parts[f"id{k:04}"] == (later if year else "train"), "no date: nothing says that it is new"
    assert len(parts) == len(items)


def leaks(items: list[Paired], parts: dict[str, str]) -> list[str]:
    """Ties that examples of two splits have in common."""
    sides: dict[str, set[str]] = {}
    for item, ties in zip(items, ties_of(items), strict=True):
        for tie in ties:
            sides.setdefault(tie, set()).update({parts[item.candidate_id]} if item.candidate_id in parts else ())
    return sorted(tie for tie, seen in sides.items() if len(seen) > 1)


@pytest.mark.parametrize(
    ("citing", "cited"),
    [
        pytest.param(400, 400, id="loose"),
        pytest.param(60, 90, id="linked"),
        pytest.param(12, 40, id="one giant component"),
    ],
)
def test_case_split_leaks_nothing(citing: int, cited: int) -> None:
    items = world(300, citing, cited)
    parts = split_case(items, seed=2)
    assert leaks(items, parts) == []
    assert Counter(parts.values())["train"] >= 0.7 * len(items)
    assert len(items) - len(parts) <= 0.2 * len(items)
    assert {"validation", "test"} <= set(parts.values())
    assert parts == split_case(items[::-1], seed=2)


def test_loose_examples_are_split_without_loss() -> None:
    parts = split_case([example(k) for k in range(200)], seed=1)
    assert Counter(parts.values()) == {"train": 180, "validation": 10, "test": 10}


@pytest.mark.parametrize("how", ["paper", "case", "time"])
def test_a_small_corpus_holds_out_more(how: How) -> None:
    items = [example(k) for k in range(200)]
    dates = {f"citing{k}": f"{1900 + k}" for k in range(200)}
    found = finished(items, small(items), dates, how, seed=1, share=0.25)
    counts = Counter(row.split for row in found if isinstance(row, Example))
    assert [counts[side] / counts.total() for side in ("train", "validation", "test")] == pytest.approx(
        [0.5, 0.25, 0.25], abs=0.02
    ), "strata and the balance round"


def test_held_out_quarters_of_one_giant_component_leak_nothing() -> None:
    items = world(300, 60, 90)
    parts = split_case(items, seed=2, share=0.25)
    assert leaks(items, parts) == []
    assert len(items) - len(parts) <= 0.2 * len(items)
    assert Counter(parts.values())["test"] > 2 * Counter(split_case(items, seed=2).values())["test"]


def test_the_leak_check_sees_a_planted_leak() -> None:
    items = [example(k) for k in range(100)]
    parts = split_case(items, seed=1)
    held_out = next(item for item in items if parts[item.candidate_id] == "test")
    spy = example(999, cited=held_out.item.candidate.cited_case_id)
    assert leaks([*items, spy], {**parts, spy.candidate_id: "train"}) == [spy.item.candidate.cited_case_id]
    assert leaks([*items, spy], split_case([*items, spy], seed=1)) == []


@pytest.mark.parametrize(
    "spy",
    [
        pytest.param(example(999, citing="citing7"), id="citing case"),
        pytest.param(example(999, cited="cited7"), id="cited case"),
        pytest.param(example(999, citing="cited7"), id="cited here, citing there"),
        pytest.param(paired(example(999).item, premise_case="cited7"), id="premise of a neutral example"),
        pytest.param(example(999, text=distinct(7).upper() + "."), id="the same words"),
        pytest.param(example(999, text="not " + distinct(7)), id="their negation"),
        pytest.param(
            paired(replace(example(999).item, hypothesis="it lacks " + distinct(999), flipped=distinct(7))),
            id="its twin has the same words",
        ),
    ],
)
def test_what_ties_two_examples(spy: Paired) -> None:
    items = [example(k) for k in range(20)]
    one, other = ties_of([*items, spy])[7], ties_of([*items, spy])[-1]
    assert one & other
    assert not any(a & b for a, b in combinations(ties_of(items), 2))


def test_a_conflict_is_a_counted_reject() -> None:
    items = world(300, 12, 40)
    found = list(finished(items, small(items), {}, "case", seed=2))
    conflicts = [item for item in found if isinstance(item, Reject) and item.reason == "split-conflict"]
    assert len(conflicts) == len(items) - len(split_case(items, seed=2))
    assert conflicts
    assert all(reject.detail for reject in conflicts)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("how", ["paper", "case", "time"])
def test_tiny_sets(n: int, how: How) -> None:
    items = [example(k) for k in range(n)]
    found = list(finished(items, frozenset(), {}, how, seed=1))
    assert sum(1 if isinstance(item, Reject) else 0.5 for item in found) == n


def brute_force(texts: list[str]) -> set[tuple[int, int]]:
    sets = [set(text.split()) for text in texts]
    pairs = combinations(range(len(texts)), 2)
    return {(a, b) for a, b in pairs if len(sets[a] & sets[b]) >= 0.8 * len(sets[a] | sets[b])}


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1).map(" ".join), min_size=1, max_size=12))
def test_near_duplicates_are_those_of_comparing_all(texts: list[str]) -> None:
    clusters = near_duplicates(texts)
    linked = brute_force(texts)
    assert all(clusters[a] == clusters[b] for a, b in linked)
    for cluster in set(clusters):
        members = [n for n in range(len(texts)) if clusters[n] == cluster]
        reached = {members[0]}
        while more := {b for a, b in linked if a in reached} | {a for a, b in linked if b in reached}:
            if more <= reached:
                break
            reached |= more
        assert reached == set(members), "a cluster hangs together by links"
