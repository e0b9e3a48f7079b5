"""Ways to say that a case is law no longer, is of other facts, or was undone by another one."""

from __future__ import annotations

import pytest

from lawng.treatment.whole import treatments_of_text

A = "Baker v. Cole, 10 U.S. 20 (1805)"
B = "Drew v. Ellis, 30 U.S. 40 (1825)"
C = "Frost v. Gray, 50 U.S. 60 (1850)"
LATER = "Doe v. Cole, 70 U.S. 80 (1865)"
CALIFORNIA = "Smith v. Jones (1990) 10 Cal.4th 5"


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        (f"The time has come to overrule {A}, and we do so now.", "overruled", "we do so"),
        (f"Petitioner asks us to overrule {A}. We do so today.", "overruled", "what was asked is done"),
        (f"Petitioner asks us to overrule {A}. We decline to do so.", "mentioned", "it is not done"),
        (f"Petitioner asks us to overrule {A}. We do not do so today.", "mentioned", "nor today"),
        (f"We no longer follow {A}.", "overruled", "followed no longer"),
        (f"We will no longer adhere to the rule of {A}.", "overruled", "in time to come"),
        (f"Other courts no longer follow {A}.", "mentioned", "others"),
        (f"If we no longer follow {A}, chaos follows.", "mentioned", "supposed"),
        (f"Our holding in {A}, is no longer viable.", "overruled", "not viable"),
        (f"Our holding in {A}, is no longer controlling.", "overruled", "not controlling"),
        (f"Under {A}, the contract is no longer binding.", "mentioned", "a contract"),
        (f"{A}, no longer states the law.", "overruled", "states the law"),
        (f"Petitioner argues that {A}, no longer states the law.", "mentioned", "argued"),
        (f"{A}, is not good law.", "overruled", "not good law"),
        (f"It does not follow that {A}, is not good law.", "mentioned", "denied"),
        (f"Today's decision overrules {A}.", "overruled", "the decision does it"),
        (f"Today's decision does not overrule {A}.", "mentioned", "the decision does not"),
        (f"The rule announced in {A}, is hereby abolished.", "overruled", "its rule"),
        (f"{A}, held that the common law rule is hereby abolished.", "mentioned", "a rule that it abolished"),
    ],
)
def test_further_plain_words_of_an_overruling(text: str, expected: str, why: str) -> None:
    assert treatments_of_text(text)[0].label == expected, why


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        (f"Defendant's reliance on {A}, is misplaced.", "distinguished", "a comma behind the cite"),
        (f"Appellant's reliance on {A}, is misplaced.", "distinguished", "a party's reliance"),
        (f"Respondents' reliance upon {A}, is wholly misplaced.", "distinguished", "several parties'"),
        (f"Petitioner argues that our reliance on {A}, is misplaced.", "mentioned", "argued"),
        (f"We find {A}, distinguishable.", "distinguished", "found so"),
        (f"We find {A}, to be distinguishable on its facts.", "distinguished", "found to be so"),
        (f"We do not find {A}, distinguishable.", "mentioned", "not found so"),
        (f"{A}, is easily distinguished.", "distinguished", "a participle"),
        (f"{A}, cannot be distinguished.", "mentioned", "denied"),
        (f"{A}, cited by appellant, is not in point.", "distinguished", "who cited it"),
        (f"{A}, relied on by petitioner, is distinguishable.", "distinguished", "who relied on it"),
    ],
)
def test_further_plain_words_that_tell_a_case_apart(text: str, expected: str, why: str) -> None:
    assert treatments_of_text(text)[0].label == expected, why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"To the extent that {A}, and {B}, may be read to the contrary, they are disapproved.", "they"),
        (f"To the extent that {A} and {B} suggest otherwise, they are overruled.", "without commas"),
        (f"We overrule the following cases: {A}; {B}; {C}.", "a list behind a colon"),
        (f"The following decisions are hereby overruled: {A}; {B}.", "the list is the subject"),
        (f"We disapprove of the following cases to the extent they are inconsistent: {A}; {B}.", "a list, in part"),
        (f"{A}, is hereby expressly overruled, as are {B}, and {C}.", "as are"),
    ],
)
def test_each_case_of_a_list_is_overruled(text: str, why: str) -> None:
    assert {row.label for row in treatments_of_text(text)} == {"overruled"}, why


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        (f"We overruled {A}, in {B}.", "overruled", "in a case"),
        (f"This Court overruled {A}, two years later in {B}.", "overruled", "later"),
        (f"{A}, was overruled two years later in {B}.", "overruled", "later, in the passive voice"),
        (f"The Supreme Court of Ohio overruled {A}, in {B}.", "overruled", "a named court"),
        (f"We have not overruled {A}, in {B}.", "", "denied"),
        (f"The court overruled the demurrer, citing {A}, in {B}.", "", "a demurrer"),
        (f"A deed was read so. {A}, rev'd sub nom. {LATER}.", "reversed", "under another name"),
        (f"A deed was read so. {A}, rev'd, {LATER}.", "reversed", "under its own name"),
        (f"A deed is read so. {LATER}, reversing {A}.", "reversed", "reversing"),
        (f"See {CALIFORNIA}, disapproved on another ground in {LATER}.", "overruled", "California's words"),
        (f"See {CALIFORNIA}, overruled on other grounds in {LATER}.", "overruled", "on other grounds"),
        (f"See {CALIFORNIA}, superseded by statute as stated in {LATER}.", "", "by a statute, not by the case"),
    ],
)
def test_further_words_that_tell_what_another_case_did(text: str, expected: str, why: str) -> None:
    rows = treatments_of_text(text)
    assert {row.label for row in rows} == {"mentioned"}, why
    undone = {row.told: row.by for row in rows if row.told}
    by = "30 U.S. 40" if B in text else "70 U.S. 80"
    assert undone == ({expected: by} if expected else {}), why


@pytest.mark.parametrize(
    ("said", "decides", "why"),
    [
        ("It is so ordered.", False, "the end of the opinion"),
        ("It is therefore ordered that the deed be set aside.", False, "a decree"),
        ("It is overruled.", True, "the case before"),
    ],
)
def test_what_it_points_to(said: str, decides: bool, why: str) -> None:
    [row] = treatments_of_text(f"The rule is that of {A}. {said}")
    assert (row.sentence == said) is decides, why
