"""What the tests of search share: records made by hand, and stance models that follow a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from lawng.records import Description, IndexedCase, Passage
from lawng.search.answer import DescriptionHit, Hit, PassageHit


class Found(NamedTuple):
    id: str
    case_id: str
    score: float


class Judged(NamedTuple):
    log_probs: Any
    read: list[float]


@dataclass
class RuleModel:
    """A stance model that says what a rule says of a premise: entailment, neutral, contradiction."""

    rule: Callable[[str], tuple[float, float, float]]
    flipped: bool = False
    read: float = 1.0
    name: str = "rule"
    state: str = "1"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Any:
        self.asked += list(zip(premises, hypotheses, strict=True))
        rows = [self.rule(premise) for premise in premises]
        if self.flipped:
            rows = [(c, n, e) for e, n, c in rows]
        return Judged(np.log(np.array(rows, dtype=np.float64)), [self.read] * len(rows))


def by_letters(premise: str) -> tuple[float, float, float]:
    """A stance that depends on the text alone and falls on all three sides."""
    weights = [1.0 + premise.count(letter) ** 2 for letter in "tns"]
    return (weights[0] / sum(weights), weights[1] / sum(weights), weights[2] / sum(weights))


def passage(number: int, text: str, case_id: str = "cl:1") -> Passage:
    return Passage(
        passage_id=f"{case_id}/0#{number}",
        opinion_id=f"{case_id}/0",
        case_id=case_id,
        court="Court",
        jurisdiction="us",
        date="1990",
        part="majority",
        author="Doe",
        start=0,
        end=len(text),
        first_page="12",
        last_page="13",
        text=text,
        searched=text,
        n_words=len(text.split()),
        cut=False,
    )


def description(number: int, text: str, case_id: str = "cl:1") -> Description:
    return Description(
        description_id=f"cl:9/0@{number}",
        case_id=case_id,
        cite="1 U.S. 1",
        parallel=[],
        court="Court",
        jurisdiction="us",
        date="1990",
        part="majority",
        text=text,
        kind="explanatory",
        signal="see",
        pin_cite="2",
        pin_pages=[2],
        citing_case_id="cl:9",
        citing_opinion_id="cl:9/0",
        citing_name="Nine v. Ten",
        citing_cite="9 U.S. 9",
        citing_date="1999-01-01",
        citing_part="majority",
        citing_author="Roe",
        citing_page="11",
        start=number,
        end=number + len(text),
    )


def case(case_id: str = "cl:1", **changes: Any) -> IndexedCase:
    fields: dict[str, Any] = {
        "case_id": case_id,
        "name": "One v. Two",
        "citations": ["1 U.S. 1"],
        "court": "Court",
        "jurisdiction": "us",
        "date": "1990",
        "cited_by": 1,
        "opinions": [f"{case_id}/0"],
        "parts": ["majority"],
        "n_words": 1000,
    }
    return IndexedCase(**(fields | changes))


def hit(case_id: str, texts: Sequence[str], described: Sequence[str] = (), score: float = 0.5) -> Hit:
    """A hit with passages of falling scores and descriptions that matched."""
    passages = [
        PassageHit(passage(n, text, case_id), score - n / 10, {}, [], (0, len(text))) for n, text in enumerate(texts)
    ]
    descriptions = [
        DescriptionHit(description(n, text, case_id), score - 0.05 - n / 10, {}) for n, text in enumerate(described)
    ]
    return Hit(case(case_id), score, ("bm25",), {"bm25": score}, passages, descriptions)
