"""Prompts: both directions apart, symmetric ones together, the premise hidden; the gauge learns from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lawng.directional.gauge import Draw, Gauge, Ranges, draws
from lawng.directional.prompts import WORDINGS, Prompting, pieces, sentences
from lawng.directional.records import PredicatePair, Triple
from lawng.errors import ConfigError, MissingError

PAIR = PredicatePair("1", Triple("Ada", "bought", "Bix"), Triple("Ada", "owns", "Bix"), True)
CONVERSE = replace(PAIR, premise=PAIR.hypothesis, hypothesis=PAIR.premise)
CHINESE = PredicatePair("2", Triple("甲", "买了", "乙"), Triple("甲", "拥有", "乙"), True, "zh")


@pytest.mark.parametrize("pair", [PAIR, CHINESE])
def test_five_prompts_of_one_direction(pair: PredicatePair) -> None:
    shown = sentences(pair, Prompting.DISCRETE)
    assert len(shown) == len(set(shown)) == 5
    converse = replace(pair, premise=pair.hypothesis, hypothesis=pair.premise)
    assert not set(shown) & set(sentences(converse, Prompting.DISCRETE)), "none is the converse of another"


def test_the_last_two_deny_what_they_turn_round() -> None:
    *_, because, means = WORDINGS["en"].prompts
    assert (because.count("not the case"), means.count("not the case")) == (2, 2)
    assert because.index("{p}") < because.index("{h}"), "not p because not h"
    assert means.index("{h}") < means.index("{p}"), "not h, so not p"


@pytest.mark.parametrize("pair", [PAIR, CHINESE])
def test_symmetric_prompts_are_the_same_both_ways(pair: PredicatePair) -> None:
    converse = replace(pair, premise=pair.hypothesis, hypothesis=pair.premise)
    assert sorted(sentences(pair, Prompting.SYMMETRIC)) == sorted(sentences(converse, Prompting.SYMMETRIC))


@pytest.mark.parametrize(("pair", "hidden", "word"), [(PAIR, "bought", "true"), (CHINESE, "买了", "正确")])
def test_hypothesis_only_hides_the_premise(pair: PredicatePair, hidden: str, word: str) -> None:
    for sentence in sentences(pair, Prompting.HYPOTHESIS_ONLY):
        assert hidden not in sentence
        assert word in sentence
        assert str(pair.hypothesis) in sentence


def test_continuous_prompts_hold_the_pieces_in_order() -> None:
    [sentence] = sentences(PAIR, Prompting.CONTINUOUS)
    assert [word for word in sentence.split() if word.startswith("[")] == pieces()


def test_a_language_without_prompts_is_refused() -> None:
    with pytest.raises(ConfigError, match="no prompts in 'xx'"):
        sentences(replace(PAIR, language="xx"), Prompting.DISCRETE)


def test_draws_are_log_uniform_and_a_longer_list_begins_with_the_shorter() -> None:
    ranges = Ranges()
    many = draws(400, 3, ranges)
    assert draws(5, 3, ranges) == many[:5]
    assert all(ranges.rate[0] <= one.rate <= ranges.rate[1] and 1 <= one.accumulation <= 17 for one in many)
    below = np.mean([one.rate < np.sqrt(ranges.rate[0] * ranges.rate[1]) for one in many])
    assert abs(below - 0.5) < 0.08, "half lie below the geometric mean"
    assert {one.accumulation for one in many} == set(range(1, 18))


RATE, EPOCHS = 4e-4, 3.0


def pairs(n: int) -> tuple[list[PredicatePair], list[bool]]:
    """Buying entails owning and does not entail singing about."""
    names = [(f"Ada{i}", f"Bix{i}") for i in range(n)]
    rows = [PredicatePair(a, Triple(a, "bought", b), Triple(a, "owns", b), True) for a, b in names]
    other = [
        replace(row, pair_id=row.pair_id + "o", hypothesis=replace(row.hypothesis, predicate="sings about"))
        for row in rows
    ]
    return rows + other, [True] * n + [False] * n


@pytest.mark.slow("fine-tunes a small encoder")
@pytest.mark.parametrize("prompting", [Prompting.DISCRETE, Prompting.CONTINUOUS, Prompting.SYMMETRIC])
def test_the_gauge_learns_and_symmetric_prompts_see_no_direction(prompting: Prompting) -> None:
    train, labels = pairs(6)
    gauge = Gauge.train(
        "all-MiniLM-L6-v2",
        prompting,
        train,
        labels,
        Draw(RATE, 1e-4, 1, EPOCHS, 4, 1, bf16=prompting is Prompting.CONTINUOUS),
    )
    scores = gauge.scores(train)
    assert scores.shape == (12,)
    assert scores[:6].mean() - scores[6:].mean() > 0.1
    turned = gauge.scores([replace(one, premise=one.hypothesis, hypothesis=one.premise) for one in train])
    same = np.abs(turned - scores).max() < 1e-4
    assert same == (prompting is Prompting.SYMMETRIC)
    assert gauge.scores([]).shape == (0,)


def test_a_base_that_is_not_there_is_said_in_one_line() -> None:
    with pytest.raises(MissingError):
        Gauge.train("/no/such/model", Prompting.DISCRETE, [PAIR], [True], Draw(1e-4, 0, 1))
