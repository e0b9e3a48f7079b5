"""The contradiction algorithm on real hypotheses that were judged by reading (docs/negation.md)."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lawng.lawngnli.negation import Negated, Refusal
from lawng.lawngnli.negation.lexicon import TOUCHED, base_form
from negation_support import answers, negator, short

pytestmark = pytest.mark.slow("parses a thousand sentences", mutants=True)
JUDGED = Path(__file__).parents[1] / "data" / "negation_judged.jsonl"
REFUSED = JUDGED.with_name("negation_refused.jsonl")


@cache
def rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines())


@cache
def changed() -> tuple[tuple[dict[str, Any], Negated], ...]:
    """The judged rows that are accepted today, with today's answer."""
    pairs = []
    for seed in sorted({row["seed"] for row in rows()}):
        mine = [row for row in rows() if row["seed"] == seed]
        pairs += list(zip(mine, answers(tuple(row["hypothesis"] for row in mine), seed), strict=True))
    return tuple((row, answer) for row, answer in pairs if isinstance(answer, Negated))


def test_there_are_enough_judgements() -> None:
    assert len(rows()) >= 200
    assert all({"hypothesis", "negated", "grammatical", "opposite", "note"} <= set(row) for row in rows())
    assert all(row["note"] for row in rows() if not (row["grammatical"] and row["opposite"]))


def test_every_answer_is_the_judged_one_or_the_one_that_took_its_place() -> None:
    """Who changes an answer reads it again, and judges it or writes it down as `now`; a tie of the parser may fall elsewhere."""
    other = []
    for seed in sorted({row["seed"] for row in rows()}):
        mine = [row for row in rows() if row["seed"] == seed]
        today = map(short, answers(tuple(row["hypothesis"] for row in mine), seed))
        other += [(row, text) for row, text in zip(mine, today, strict=True) if text != row.get("now", row["negated"])]
    assert len(other) <= 1, f"{len(other)} answers have changed: {other[:5]}"


def test_what_is_refused_is_refused_for_the_reason_read() -> None:
    """167 "that" clauses of opinions, up to twelve of each reason; 29 are `cautious`: a careful reader could negate them.

    Who mends one of those moves it to the judged rows.
    """
    refused = [json.loads(line) for line in REFUSED.read_text(encoding="utf-8").splitlines()]
    today = answers(tuple(row["hypothesis"] for row in refused))
    reasons = [answer.reason if isinstance(answer, Refusal) else "" for answer in today]
    other = [(row, reason) for row, reason in zip(refused, reasons, strict=True) if row["reason"] != reason]
    assert len(other) <= 1, f"{len(other)} reasons have changed: {other[:5]}"


def test_goals_hold_among_those_accepted_today() -> None:
    same = [row for row, answer in changed() if answer.text == row["negated"]]
    assert sum(row["opposite"] for row in same) >= 0.95 * len(same)
    assert sum(row["grammatical"] for row in same) >= 0.97 * len(same)


def test_negating_twice_gives_the_text_back() -> None:
    for seed in sorted({row["seed"] for row, _ in changed()}):
        pairs = [(row["hypothesis"], answer) for row, answer in changed() if row["seed"] == seed][::8]
        back = negator().negate_all([answer.text for _, answer in pairs], seed)
        assert [b.text if isinstance(b, Negated) else b.reason for b in back] == [text for text, _ in pairs]


def test_exactly_one_side_has_pivotal_negation() -> None:
    row, answer = changed()[0]
    back = negator().negate(answer.text, row["seed"])
    assert isinstance(back, Negated)
    assert back.pivotal_negation is not answer.pivotal_negation


def _content(text: str) -> list[str]:
    words = re.findall(r"\w+", text.lower().replace("cannot", "can not"))
    return [word for word in words if word not in TOUCHED]


def _same_verb(before: str, after: str) -> bool:
    return any(base_form(a, tag) == b for a, b in ((before, after), (after, before)) for tag in ("VBD", "VBZ", "VBP"))


@pytest.mark.parametrize("part", range(4))
def test_the_other_words_are_kept_in_order(part: int) -> None:
    for row, answer in changed()[part::4]:
        before, after = _content(row["hypothesis"]), _content(answer.text)
        assert len(before) == len(after), answer.text
        differing = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        assert all(_same_verb(a, b) for a, b in differing), (differing, answer.text)
        assert len(differing) <= 3, answer.text
