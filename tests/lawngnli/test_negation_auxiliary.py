"""What closed-class words show where the parses of a sentence find no clause, and what stays refused."""

from __future__ import annotations

import pytest

from lawng.lawngnli.negation import Negated, negator
from negation_support import answers, short
from negation_support import negator as loaded

TABLE = [
    (
        "A witness rightfully may refuse to answer where... the questions asked are not pertinent to the matter",
        "A witness rightfully may not refuse to answer where... the questions asked are not pertinent to the matter",
        "the first modal decides",
    ),
    (
        "Freedom to travel throughout the United States has long been recognized as a basic right",
        "Freedom to travel throughout the United States has not long been recognized as a basic right",
        "a noun taken for a verb",
    ),
    (
        "a State may not by legislative fiat convert a private business into a public utility",
        "a State may by legislative fiat convert a private business into a public utility",
        "a phrase between the modal and its verb",
    ),
    (
        "The standard set up was not so indefinite as to confer an unlimited power",
        "The standard set up was so indefinite as to confer an unlimited power",
        "a participle in the subject",
    ),
    (
        "Where expenses incident to compliance with a statute exceed the fee, the jurisdiction is clear",
        "Where expenses incident to compliance with a statute exceed the fee, the jurisdiction is not clear",
        "a fronted clause up to its comma",
    ),
    (
        "The conflict of functions inheres in the situation",
        "The conflict of functions does not inhere in the situation",
        "a word that the dictionary knows as a verb only",
    ),
    (
        "The entry of the order upon consent does not detract from its force",
        "The entry of the order upon consent detracts from its force",
        "do-support goes, and comes back",
    ),
]
STAY = [
    ("Even though Congress, in the choice of means to effect a permissible regulation, must conform", "a fragment"),
    ("While, if the court had jurisdiction by reason of a question, it could proceed to the issue", "a nested opener"),
    ("The fact that softcover publications were delivered without restriction", "a noun phrase with its clause"),
    ("extended in modern times to virtually every member of the population, were the paradigms of aid", "a rest"),
    ("Insofar as the applicable constitutional questions have been presented vigorously", "a subordinate clause"),
    ("Available defenses may be irretrievably lost, if not then and there asserted", "a possibility"),
    ("Any exemption attached to the land is limited to the forum state", "a quantified subject"),
    ("Each conflict of functions inheres in the situation", "a subject of which not is said in two ways"),
    (
        "Where expenses incident to compliance with a statute exceed the fee, the jurisdiction is not clear and is "
        "never found",
        "a second negation",
    ),
    ("a State may merely by legislative fiat convert a private business into a public utility", "a focus word"),
]


@pytest.mark.parametrize(("text", "expected", "why"), TABLE)
def test_closed_class_words_decide(text: str, expected: str, why: str) -> None:
    answer = loaded().negate(text, 1)
    assert short(answer) == expected, why
    assert short(loaded().negate(expected, 1)) == text, why


@pytest.mark.parametrize(("text", "why"), STAY)
def test_doubt_abstains(text: str, why: str) -> None:
    assert not isinstance(answers((text,))[0], Negated), why


def test_without_the_rule_the_parses_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(negator, "auxiliary_rule", lambda clause, sentence: None)
    found = loaded().negate_all([text for text, _, _ in TABLE], 1)
    assert not [answer for answer in found if isinstance(answer, Negated)]
