"""What the contradiction algorithm refuses, and that it survives any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawng.errors import MissingError
from lawng.lawngnli.negation import Negated, Negator, Refusal
from lawng.lawngnli.negation.negator import _agreed
from lawng.lawngnli.negation.results import Edit, Plan
from lawng.lawngnli.negation.sentences import Sentence
from negation_support import answers, negator, short

REFUSALS = [
    ("affirming dismissal of claim", "verb-phrase", "a gerund phrase is no clause (A.1.5)"),
    ("expressly distinguishing earlier cases as cases of aid", "verb-phrase", "a gerund after an adverb"),
    ("denial of motion to suppress", "no-clause", "a noun phrase"),
    ("evidence seized in violation of the Fourth Amendment", "maybe-participle", "a noun phrase with a participle"),
    ("hereinafter the Joint Report", "no-clause", "an editor's note"),
    ("conviction reversed", "maybe-participle", "a headline: passive by its sense, active by its form"),
    ("search held unreasonable", "maybe-participle", "a headline"),
    ("where the defendant confessed", "subordinate-clause", "a condition without its main clause"),
    ("if the officer had a warrant", "subordinate-clause", "a condition without its main clause"),
    ("whether the court erred", "subordinate-clause", "an indirect question"),
    ("who was not a party", "relative-clause", "a relative clause"),
    ("each defendant was liable", "quantified-subject", '"each ... not" has two readings'),
    ("most courts agree", "quantified-subject", "most may and most may not"),
    ("any error was harmless", "quantified-subject", '"any ... not" is no English'),
    ("approximately 65% of the voters approved the measure", "quantified-subject", "others may have voted otherwise"),
    ("13 of the jurors were excused", "quantified-subject", "others may have been heard"),
    ("13 out of 61 voters were absent", "quantified-subject", "others may have come"),
    ("at least two jurors slept during the trial", "quantified-subject", "two others may not have slept"),
    ("two jurors did not sleep during the trial", "quantified-subject", "two others may have slept"),
    ("an officer searched the car", "quantified-subject", "another officer may not have searched it"),
    ("an officer had no warrant", "quantified-subject", "another officer may have had one"),
    ("millions of tenants paid the fee", "quantified-subject", "millions of others may not have paid it"),
    ("illustrating the harm the rules do not work", "verb-phrase", "the clause belongs to what the gerund governs"),
    ("in which it was held that gains were income", "subordinate-clause", "a relative clause behind a preposition"),
    ("the first claim was barred; the second, waived", "parse-unsure", "gapping: the second half shares the verb"),
    (
        "the lessor was liable for rent; the lessee for waste",
        "parse-unsure",
        "gapping: the second half shares the verb",
    ),
    ("the court did not, however, err", "not-invertible", "no blank may stay before the comma"),
    ("stating that the rule was void, the court weighed the evidence", "verb-phrase", "the gerund has its own clause"),
    ("the rule was void, the court weighed the evidence", "parse-unsure", "what a lost gerund leaves is no sentence"),
    ("the fumes may irritate the lungs", "weak-modal", "things are not permitted to act"),
    ("the court might reverse", "weak-modal", "what might be might also not be"),
    ("defendant may have known", "weak-modal", "a guess, compatible with its negation"),
    ("advertising may stimulate debate", "weak-modal", "a possibility, not a permission"),
    ("the rule protects solely the public", "focus-word", '"solely" has a scope of its own'),
    ("only the legislature may act", "focus-word", '"only" has a scope of its own'),
    ("the statute applies only if the defendant resides in the state", "focus-word", '"only if" is a condition'),
    ("even a brief detention is a seizure", "focus-word", '"even" adds a scale'),
    ("the search was not a seizure but a frisk", "not-but", 'without "not" there is nothing for "but" to correct'),
    ("never has the rule been applied to a minor", "inverted", "the verb stands before its subject"),
    ("rarely does the court reverse such a finding", "inverted", "the verb stands before its subject"),
    ("the court did not reverse but remanded the case", "not-invertible", '"but" opens a statement of its own'),
    ("the statute was not void but was limited by its terms", "not-invertible", '"but" opens a statement of its own'),
    ("the rule does not bar the claim but the statute does", "not-invertible", '"but" opens a statement of its own'),
    ("statute not intended to reach speech", "maybe-participle", "the participle governs what follows"),
    ("counsel not appointed until trial", "negative-polarity", '"until" would mean another thing'),
    ("the rule protects the public, not the lawyer", "contrast", "the contrast would not survive"),
    ("the court remanded rather than reversed", "contrast", "the contrast would not survive"),
    ("the court applied a rather unusual test", "not-invertible", "a degree that is no contrast"),
    ("under the act neither the state nor the city is bound", "several-negations", "the pair does not open the clause"),
    ("he did not offer any evidence", "negative-polarity", '"any" cannot stand without the negation'),
    ("limitations does not begin to run until discovery", "negative-polarity", '"until" would mean another thing'),
    ("defendant neither knew nor should have known of the defect", "several-negations", "two verbs, one negation"),
    ('"[n]o grant may be made for worship"', "several-negations", "an altered letter hides the negation"),
    ("the defendant did not", "not-invertible", "what he did not do stands elsewhere"),
    ("the officer has cause to search", "parse-unsure", "the parser takes the noun for a verb"),
    (
        "under the “plain view” and “open fields doctrines the search was lawful",
        "inside-quotation",
        "what governs it is not seen",
    ),
    ("defendant didn't object", "contraction", "not normalised (A.1.2)"),
    ("no person is competent unless he is an elector", "exception", "the exception would remain"),
    ("the State use financial incentives to advance its interests", "agreement", "a subjunctive"),
]


@pytest.mark.parametrize(("text", "reason", "why"), REFUSALS)
def test_refusals(text: str, reason: str, why: str) -> None:
    answer = answers(tuple(row[0] for row in REFUSALS))[[row[0] for row in REFUSALS].index(text)]
    assert short(answer) == f"<{reason}>", why


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("... 12 (3)", "empty"),
        ("the court held " * 3334, "too-long"),
        ("the court held that " * 40, "too-long"),
        ("最高裁判所は控訴を棄却した", "not-english"),
        ("Суд оставил решение без изменения", "not-english"),
        ("قضت المحكمة برفض الدعوى", "not-english"),
    ],
)
def test_bad_input(text: str, reason: str) -> None:
    assert short(negator().negate(text, 1)) == f"<{reason}>"


def test_nothing_to_do() -> None:
    assert negator().negate_all([], 1) == []


def test_missing_pipeline_is_one_clear_line() -> None:
    with pytest.raises(MissingError, match="en_no_such_pipeline"):
        Negator("en_no_such_pipeline").negate("the court erred", 1)


WORDS = re.split(
    r" ",
    "the court not no never did does do held hold may cannot can all some none neither nor either or and but only that "
    "which who if where because defendant State evidence error search valid is was were be been has had need needs to "
    "nothing something any until longer still standing I we it there , ; . ? \" ( ) [n]o 's n't 65% 13 of out Not ALL",
)


def _is_answer(answer: Negated | Refusal, text: str) -> bool:
    return bool(answer.reason) if isinstance(answer, Refusal) else answer.text != text


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=120), st.integers())
def test_any_text_gets_an_answer(text: str, seed: int) -> None:
    assert _is_answer(negator().negate(text, seed), text)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join))
def test_word_salad_is_refused_or_undone(text: str) -> None:
    answer = negator().negate(text, 1)
    assert _is_answer(answer, text)
    if isinstance(answer, Negated):
        assert short(negator().negate(answer.text, 1)) == text


STAY, NOT = Plan((Edit(4, 6, "was"),), True, "r"), Plan((Edit(6, 6, " not"),), False, "r")
NONE, OBJECTION = Refusal("no-clause", "x"), Refusal("several-negations", "no, none")


@pytest.mark.parametrize(
    ("plans", "expected", "why"),
    [
        ([NOT, NOT, NOT], NOT, "all three"),
        ([NOT, NONE, NOT], NOT, "one abstains"),
        ([NONE, NOT, NOT], NOT, "whichever it is"),
        ([NOT, NONE, NONE], "no-clause", "one parse alone does not suffice"),
        ([NONE, NONE, NOT], "no-clause", "nor the last"),
        ([NONE, NONE, NONE], "no-clause", "nobody found a clause"),
        ([NOT, NOT, OBJECTION], "several-negations", "one objects"),
        ([NOT, STAY, NOT], "parse-unsure", "they want different changes"),
        ([NOT, STAY, NONE], "parse-unsure", "so do two"),
    ],
)
def test_two_parses_agree_and_none_objects(plans: list[Plan | Refusal], expected: Plan | str, why: str) -> None:
    found = _agreed(Sentence(0, "it is so"), plans)
    assert (found if isinstance(found, Plan) else found.reason) == expected, why
