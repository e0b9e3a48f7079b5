"""Scores of stored predictions against scikit-learn and plain loops, and what baselines are given to learn from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn import metrics

from floats_support import close_to
from lawng.datasets.nli import Pair
from lawng.evaluation.nli import MIN_TRAIN, NliPrediction, by_source, gold_of, logs_of, n_words, predict, twin_scores
from lawng.evaluation.statistics import bootstrap, bootstrap_recall
from lawng.models.pairs import log_softmax
from lawng.models.protocols import Judged
from lawng.models.training.calibration import calibration_error
from lawng.schema.labels import LABELS

E, N, C = NAMES = [str(label) for label in LABELS]
GOLDS = {"three labels": [[E], [N], [C]], "two labels": [[E], [N, C]], "the other two": [[C], [E, N]]}
TWO = {"two labels": [E, f"{N} or {C}"], "the other two": [f"{E} or {N}", C]}
CLOSED = settings(max_examples=15)


def made_up(seed: int, golds: Sequence[list[str]], n: int = 40) -> list[NliPrediction]:
    """Predictions of all kinds, several of them over one premise."""
    draw = Random(seed)
    rows = []
    for at in range(n):
        shares = np.array([draw.random() + 0.01 for _ in NAMES])
        e, n_, c = np.log(shares / shares.sum())
        gold, twin = draw.choice(golds), draw.randrange(n)
        said = [gold_of(draw.choice(golds)) for _ in range(2)]
        rows.append(
            NliPrediction(
                str(at), "set", gold, str(twin), draw.random() < 0.5, draw.randrange(3, 6),
                str(draw.randrange(9)), e, n_, c, draw.choice([1.0, 0.5]), *said,
            )
        )  # fmt: skip
    return rows


@CLOSED
@given(st.integers(0, 10**6), st.sampled_from([*GOLDS]), st.sampled_from([0.5, 1.0, 2.0]))
def test_scores_are_those_of_scikit_learn(seed: int, kind: str, temperature: float) -> None:
    rows = made_up(seed, GOLDS[kind])
    [found] = by_source(rows, temperature, seed=4)
    names = TWO.get(kind, NAMES)
    there = {gold_of(row.gold) for row in rows}
    right = [gold_of(row.gold) for row in rows]
    sums = [[sum(math.exp(getattr(row, label)) for label in name.split(" or ")) for name in names] for row in rows]
    said = [names[int(np.argmax(each))] for each in sums]
    assert found.golds == names
    assert (found.n, found.chance) == (len(rows), close_to(1 / len(names)))
    assert found.accuracy == close_to(metrics.accuracy_score(right, said))
    assert found.balanced == close_to(metrics.recall_score(right, said, labels=[*there], average="macro"))
    assert found.macro_f1 == close_to(metrics.f1_score(right, said, labels=[*there], average="macro", zero_division=0))
    table = metrics.confusion_matrix(right, said, labels=names)
    assert [[found.confusion[gold][other] for other in names] for gold in names] == table.tolist()
    theirs = binomtest(sum(a == b for a, b in zip(right, said, strict=True)), len(rows)).proportion_ci(0.95, "exact")
    assert list(found.interval) == close_to([theirs.low, theirs.high])
    assert found.majority == close_to(metrics.accuracy_score(right, [row.majority for row in rows]))
    assert found.hypothesis_only == close_to(metrics.accuracy_score(right, [row.hypothesis_only for row in rows]))
    assert found.cut == sum(row.read < 1 for row in rows)
    # every premise is drawn with all of its pairs
    hits = [float(a == b) for a, b in zip(right, said, strict=True)]
    expected = bootstrap_recall(right, hits, 4, [row.premise for row in rows])
    assert list(found.balanced_interval) == close_to(list(expected))
    gold_shares = np.array([[float(name == gold) for name in names] for gold in right])
    assert found.ece_after == close_to(calibration_error(np.log(np.array(sums)), gold_shares))
    logits = log_softmax(logs_of(rows) * temperature)
    hot = [[sum(math.exp(row[NAMES.index(part)]) for part in name.split(" or ")) for name in names] for row in logits]
    assert found.ece_before == close_to(calibration_error(np.log(np.array(hot)), gold_shares))


@pytest.mark.parametrize(
    ("golds", "told", "accuracy"),
    [
        ([[E], [C]], NAMES, 0.0),
        ([[E]], NAMES, 0.0),
        ([[N, C]], [E, f"{N} or {C}"], 1.0),
    ],
    ids=str,
)
def test_a_label_that_no_row_has_can_be_said_all_the_same(
    golds: list[list[str]], told: list[str], accuracy: float
) -> None:
    """All are judged neutral: wrong, also where no pair is neutral."""
    rows = [replace(row, entailment=-2.3, neutral=-0.36, contradiction=-1.6) for row in made_up(3, golds)]
    [found] = by_source(rows, 1.0, seed=4)
    assert (found.golds, found.accuracy, found.balanced) == (told, accuracy, accuracy)


def test_the_interval_of_a_balanced_accuracy_knows_no_more_than_all() -> None:
    rows = [replace(row, entailment=-0.1, neutral=-3.0, contradiction=-3.0) for row in made_up(3, [[E]], 90)]
    rows += [
        replace(row, entailment=-3.0, neutral=-3.0, contradiction=-0.1, premise=f"of {at}")
        for at, row in enumerate(made_up(4, [[C]], 10))
    ]
    [found] = by_source(rows, 1.0, seed=4)
    assert (found.balanced, *found.balanced_interval) == close_to((1.0, 1.0, 1.0))


@CLOSED
@given(st.integers(0, 10**6))
def test_twins_are_counted_one_by_one(seed: int) -> None:
    rows = made_up(seed, [[E], [C], [N, C]])
    by_id = {row.pair_id: row for row in rows}
    [found] = twin_scores(rows, seed=4)
    sides: list[float] = []
    ordered, labelled, right = [], [], []
    kinds: dict[bool, list[bool]] = {True: [], False: []}
    for row in rows:
        if row.gold != [E]:
            continue
        other = by_id[row.twin_id]
        odds, of_other = row.entailment - row.contradiction, other.entailment - other.contradiction
        sides += [float(odds > 0), float(of_other < 0)]
        ordered.append(odds > of_other)
        kinds[other.n_words > row.n_words].append(odds > of_other)
        for each in (row, other):
            labelled.append(max(NAMES, key=lambda name, each=each: getattr(each, name)) in each.gold)  # type: ignore[misc]
            right.append(each.hypothesis_only == gold_of(each.gold))
    assert (found.source, found.n) == ("set", len(ordered))
    assert found.sided == close_to(np.mean(sides))
    assert found.ordered == close_to(np.mean(ordered))
    assert found.labelled == close_to(np.mean(labelled))
    assert found.hypothesis_only == close_to(np.mean(right))
    theirs = binomtest(sum(ordered), len(ordered)).proportion_ci(0.95, "exact")
    assert list(found.ordered_interval) == close_to([theirs.low, theirs.high])
    pairs = [at // 2 for at in range(len(sides))]
    assert list(found.sided_interval) == close_to(list(bootstrap(sides, 4, pairs))), "twins are drawn together"
    for part, of_part in ((found.added, kinds[True]), (found.removed, kinds[False])):
        assert part == (len(of_part), close_to(np.mean(of_part)) if of_part else 0.0)


def test_what_is_on_no_side_is_not_right() -> None:
    even = math.log(1 / 3)
    rows = [
        NliPrediction(name, "set", [gold], twin, False, 4, "p", even, even, even, 1.0, "", "")
        for name, gold, twin in (("a", E, "b"), ("b", C, "a"))
    ]
    [found] = twin_scores(rows, 1)
    assert (found.sided, found.ordered, found.added, found.removed) == (0.0, 0.0, (0, 0.0), (1, 0.0))
    assert twin_scores(rows[:1], 1) == []


def test_sources_are_kept_apart_and_stand_by_name() -> None:
    rows = made_up(1, GOLDS["three labels"], 60)
    mixed = [row if at % 3 else replace(row, source="a set") for at, row in enumerate(rows)]
    found = by_source(mixed, 1.0, 4)
    assert [each.source for each in found] == ["a set", "set"]
    assert [each.n for each in found] == [20, 40]
    assert found[0] == by_source([row for row in mixed if row.source == "a set"], 1.0, 4)[0]
    assert by_source([], 1.0, 1) == []


# --- predictions and baselines ---------------------------------------------------------------------------------------


class Fixed:
    """A judge that says of each pair what its premise says."""

    name, state = "fixed", "1"

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        return Judged(np.log([[0.5, 0.3, 0.2]] * len(premises)), [0.25] * len(premises))


def training(words: Sequence[tuple[str, str]], times: int) -> list[Pair]:
    return [Pair(f"t{at}", "p", text, [gold], "set", "train") for at, (text, gold) in enumerate([*words] * times)]


def hypothesis_labels(train: Sequence[Pair], *texts: str) -> list[str]:
    asked = [Pair(str(at), "p", text, [E], "set", "test") for at, text in enumerate(texts)]
    return [row.hypothesis_only for row in predict(Fixed(), asked, train)]


@pytest.mark.parametrize(
    ("affirmed", "negated"),
    [
        ("It owes some duty.", "It owes no duty."),
        ("Somebody may sue.", "Nobody may sue."),
        ("Someone may sue.", "No one may sue."),
        ("Some is due.", "None is due."),
        ("It said something.", "It said nothing."),
        ("Either the State or the County pays.", "Neither the State nor the County pays."),
        ("The court can hear it.", "The court cannot hear it."),
        ("The court hears it.", "The court does not hear it."),
    ],
)
def test_what_is_negated_counts_more_words(affirmed: str, negated: str) -> None:
    assert n_words(negated) > n_words(affirmed)


def test_a_prediction_has_what_was_asked_and_said() -> None:
    pair = Pair("1", "a premise", "three words here", [N, C], "set", "test", twin_id="2", negated=True)
    other = Pair("3", "another", "one", [E], "set", "test")
    first, second, third = predict(Fixed(), [pair, other, pair], [])
    assert (first.pair_id, first.source, first.gold, first.twin_id, first.negated) == ("1", "set", [N, C], "2", True)
    assert (first.n_words, second.n_words, first.read) == (3, 1, 0.25)
    assert [math.exp(value) for value in (first.entailment, first.neutral, first.contradiction)] == close_to(
        [0.5, 0.3, 0.2]
    )
    assert (first.majority, first.hypothesis_only) == ("", "")
    assert first.premise == third.premise != second.premise
    assert len(first.premise) == 16


@pytest.mark.parametrize(("n", "learns"), [(MIN_TRAIN - 2, False), (MIN_TRAIN, True)])
def test_a_baseline_needs_enough_to_learn_from(n: int, learns: bool) -> None:
    train = training([("dog", E), ("cat", N)], n // 2)
    assert hypothesis_labels(train, "dog", "cat") == ([E, N] if learns else ["", ""])


def test_a_baseline_reads_words_and_pairs_of_words() -> None:
    in_pairs = training([("dog bites man", E), ("man bites dog", N)], 20)
    assert hypothesis_labels(in_pairs, "dog bites man", "man bites dog") == [E, N]
    assert hypothesis_labels(training([("dog", E)], 30), "dog") == [""], "one label is none to tell from another"


def test_the_majority_is_that_of_the_source_and_the_first_by_name_of_equals() -> None:
    train = [*training([("a", N), ("b", E), ("c", E), ("d", N)], 1), Pair("x", "p", "e", [C], "other", "train")]
    asked = [Pair("1", "p", "a", [E], "set", "test"), Pair("2", "p", "a", [E], "other", "test")]
    assert [row.majority for row in predict(Fixed(), asked, train)] == [E, C]
    more = [*train, Pair("y", "p", "f", [N], "set", "train")]
    assert [row.majority for row in predict(Fixed(), asked, more)] == [N, C]
