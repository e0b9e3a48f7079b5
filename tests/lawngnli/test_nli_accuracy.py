"""Accuracy filters (A.1.2), one table each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.lawngnli.accuracy import faults, later_cases, normalise, normalised, party_key, screen, strip_ing_that
from lawng.lawngnli.records import Refusal, Screened
from lawng.schema import Reject
from nli_fixture import candidate, screened
from records_support import case


@pytest.mark.parametrize(
    ("parties", "date", "rejected"),
    [
        pytest.param(["Alder", "Birch"], "1951", True, id="same order"),
        pytest.param(["Birch", "Alder"], "1951", True, id="reverse order"),
        pytest.param(["ALDER, et al.", "Birch, Inc."], "1951", True, id="written otherwise"),
        pytest.param(["Alder", "Birch"], "1949", False, id="earlier"),
        pytest.param(["Alder", "Birch"], "1950-06", False, id="same year: not surely later"),
        pytest.param(["Alder", "Cedar"], "1951", False, id="other party"),
        pytest.param(["Alder", "Birch"], "", False, id="no date"),
    ],
)
def test_later_case_of_the_same_parties(parties: list[str], date: str, rejected: bool) -> None:
    later = later_cases([case("cap:1", date="1950"), case("cap:5", parties=parties, date=date)])
    found = list(faults(candidate(), later))
    assert found == ([Refusal("later-same-parties", "cap:5")] if rejected else [])


def test_the_parties_are_those_of_the_citing_case() -> None:
    later = later_cases([case("cap:2", date="1950"), case("cap:5", date="1960")])
    assert list(faults(candidate(), later)) == [], "cap:2 is the cited case, it may have come back to court"


def test_a_name_of_nothing_but_noise_is_kept() -> None:
    assert party_key(["The Company"]) == ("the company",)


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        pytest.param("quoting the rule", "quoting", id="quoting"),
        pytest.param("Emphasis added", "mphasis", id="capital inside the pattern"),
        pytest.param("holding that section 5 applies", "5", id="digit"),
        pytest.param("describing Alder v. Birch", "v.", id="versus"),
        pytest.param("the majority and the dissent", "dissent, majority", id="two words"),
        pytest.param("holding so, in chambers", ", in chambers", id="in chambers"),
        pytest.param("holding that a statute under § applies", "§", id="section sign"),
    ],
)
def test_keywords(text: str, detail: str) -> None:
    assert list(faults(candidate(hypothesis=text), {})) == [Refusal("keyword", detail)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Quoting the rule", id="the pattern is case-sensitive"),
        pytest.param("holding that a plea is void for mere reciting", id="citing needs its blank"),
        pytest.param("holding that a duty is owed", id="plain"),
    ],
)
def test_no_keywords(text: str) -> None:
    assert list(faults(candidate(hypothesis=text), {})) == []


def test_case_history() -> None:
    assert list(faults(candidate(history="aff'd"), {})) == [Refusal("case-history", "aff'd")]
    assert list(faults(candidate(), {})) == []


@pytest.mark.parametrize(
    ("text", "rest", "step"),
    [
        ("holding that the tax is void", "the tax is void", "ing-that: holding"),
        ("Holding that the tax is void", "the tax is void", "ing-that: holding"),
        ("holding, inter alia, that the tax is void", "the tax is void", "ing-that: holding, inter alia"),
        ("noting further that the tax is void", "the tax is void", "ing-that: noting further"),
        ("finding specifically that the tax is void", "the tax is void", "ing-that: finding specifically"),
        ("holding that, absent notice, the tax is void", "absent notice, the tax is void", "ing-that: holding"),
    ],
)
def test_ing_that(text: str, rest: str, step: str) -> None:
    found = strip_ing_that(screened(text))
    assert isinstance(found, Screened)
    assert (found.hypothesis, found.steps) == (rest, [step])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("nothing that the State did was void", id="no verb"),
        pytest.param("upholding a tax that was void", id="that belongs to a noun"),
        pytest.param("the court, holding that x, reversed", id="not at the beginning"),
        pytest.param("holding the tax void", id="no that"),
    ],
)
def test_nothing_to_strip(text: str) -> None:
    assert strip_ing_that(screened(text)) == screened(text)


def test_a_verb_that_does_not_support_its_clause() -> None:
    found = strip_ing_that(screened("rejecting that the tax is void"))
    assert isinstance(found, Reject)
    assert (found.reason, found.detail) == ("unsupportive-verb", "rejecting that ")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("the State can't tax", "the State cannot tax"),
        ("it won’t do", "it will not do"),
        ("Can't be", "Cannot be"),
        ("they aren't liable and don't pay", "they are not liable and do not pay"),
        ("we're sure they've paid and they'll stay", "we are sure they have paid and they will stay"),
        ("the State's tax isn't void", "the State's tax is not void"),
        ("it's void and he'd paid", "it's void and he'd paid"),
        ("a  b\n c", "a b c"),
    ],
)
def test_normalise(text: str, plain: str) -> None:
    assert normalised(text) == plain


@given(st.text(alphabet="abcn'’t , .s", max_size=40))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


def test_screen_in_order_and_with_steps() -> None:
    passed = screen(candidate(hypothesis="holding that the State can't tax income"), {})
    assert isinstance(passed, Screened)
    assert passed.hypothesis == "the State cannot tax income"
    assert passed.steps == ["ing-that: holding", "normalise"]
    assert passed is normalise(passed), "what is plain already gets no step"
    quotation = candidate(kind="quotation", hypothesis="the State cannot tax")
    stopped = screen(quotation, {})
    assert isinstance(stopped, Reject)
    assert (stopped.reason, stopped.detail) == ("not-explanatory", "quotation")
    assert isinstance(screen(quotation, {}, only_explanatory=False), Screened), "the paper had no kinds"
