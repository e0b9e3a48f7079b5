"""Whose words a saying is: what is reported, asked, supposed or denied is not said, whatever a case held."""

from __future__ import annotations

import pytest

from lawng.treatment.whole import treatments_of_text

A = "Baker v. Cole, 10 U.S. 20 (1805)"
B = "Drew v. Ellis, 30 U.S. 40 (1825)"
C = "Frost v. Gray, 50 U.S. 60 (1850)"


def told(text: str) -> set[tuple[str, str, str]]:
    """What cases are told of: their cite, the deed, and by which case."""
    return {(row.cite, row.told, row.by) for row in treatments_of_text(text) if row.told}


def label(text: str) -> str:
    return treatments_of_text(text)[0].label


@pytest.mark.parametrize(
    ("text", "is_told", "why"),
    [
        (f"Petitioner argues that {A}, was overruled by {B}.", False, "argued"),
        (f"Counsel says {A}, has been overruled by {B}.", False, "argued, without a that"),
        (f"We reject the contention that {A}, was overruled by {B}.", False, "a contention"),
        (f"See {C} (rejecting argument that {A}, had been overruled by {B}).", False, "an argument, in brackets"),
        (f"The question is whether {A}, was overruled by {B}.", False, "a question"),
        (f"Unless {A}, was overruled by {B}, it governs.", False, "a condition"),
        (f"It is not true that {A}, was overruled by {B}.", False, "denied"),
        (f"No court has held that {A}, has been overruled by {B}.", False, "nobody held it"),
        (f"We do not think that {A}, was implicitly overruled by {B}.", False, "not thought"),
        (f"We are unable to find that {A}, was overruled by {B}.", False, "not found"),
        (f"According to the State, {A}, was overruled by {B}.", False, "a party's words"),
        (f"Plaintiff contends that {B}, overruled {A}.", False, "in the active voice"),
        (f"Petitioner relies on {A}, which was overruled by {B}.", True, "a party cites it, the court tells it"),
        (f"We do not follow {A}, overruled by {B}.", True, "the denial is of another verb"),
        (f"The deed is not void, and {A}, was overruled by {B}.", True, "another clause's denial"),
        (f"Petitioner does not deny that {A}, was overruled by {B}.", True, "granted"),
        (f"It makes no difference that {A}, was overruled by {B}.", True, "a fact, which does not matter"),
        (f"We have held that {A}, was overruled by {B}.", True, "a holding of its own"),
        (
            f"The test for whether it is so is in {A}, overruled on other grounds by {B}.",
            True,
            "a history is so anyhow",
        ),
        (f"In {A}, the motion was overruled, and some years later in {B}, one was not.", False, "a motion"),
        (f"The instruction in {A}, was disapproved in {B}.", False, "an instruction"),
        (f"The Court could have overruled {A}, in {B}.", False, "could have"),
        (f"No court has overruled {A}, in {B}.", False, "no court"),
    ],
)
def test_a_deed_is_told_unless_the_clause_makes_it_an_argument(text: str, is_told: bool, why: str) -> None:
    assert told(text) == ({("10 U.S. 20", "overruled", "30 U.S. 40")} if is_told else set()), why


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        (f"We are bound by {A}, until it is overruled by the court en banc.", "mentioned", "a time to come"),
        (f"Until {A}, is overruled, we must follow it.", "mentioned", "a time to come, before"),
        (f"{A}, is overruled only by this court sitting en banc.", "mentioned", "a condition behind"),
        (f"{A}, is abrogated by statute.", "mentioned", "no court did it"),
        (f"We cannot say that {A}, is no longer good law.", "mentioned", "what cannot be said"),
        (f"We are loath to hold that {A}, is no longer good law.", "mentioned", "what the court is loath to say"),
        (f"It cannot be said that {A}, is no longer good law.", "mentioned", "in the passive voice"),
        (f"No court has held that {A}, is no longer good law.", "mentioned", "nobody held it"),
        (f"The Government maintains that {A}, is no longer good law.", "mentioned", "a party"),
        (f"In the Government's view, {A}, is no longer good law.", "mentioned", "a party's view"),
        (f"{A}, is not good law, says the State.", "mentioned", "a party, behind"),
        (f"The Ninth Circuit has held that {A}, is no longer good law.", "mentioned", "another court"),
        (f"The notion that {A}, is not good law is mistaken.", "mentioned", "a notion"),
        (f"We cannot agree that {A}, was wrongly decided.", "mentioned", "not agreed"),
        (f"The district court concluded that {A}, was wrongly decided.", "mentioned", "the court below"),
        (f"Commentators have said that {A}, was wrongly decided.", "mentioned", "scholars"),
        (f"Defendant tells us that {A}, is distinguishable.", "mentioned", "a party tells the court"),
        (f"Plaintiffs believe {A}, is distinguishable.", "mentioned", "a party, without a that"),
        (f"According to the Government, {A}, is distinguishable.", "mentioned", "according to a party"),
        (f"The trial court ruled that {A}, is distinguishable. We disagree.", "mentioned", "the court below"),
        (f"{A}, is hardly distinguishable.", "mentioned", "hardly is not"),
        (f"We hold that {A}, is no longer good law.", "overruled", "the court itself"),
        (f"Our conclusion is that {A}, is overruled.", "overruled", "its conclusion"),
        (f"We agree with the district court, which held that {A}, is no longer good law.", "overruled", "agreed"),
        (f"We are constrained to hold that {A}, is overruled.", "overruled", "constrained, and yet held"),
        (f"The Court today holds that {A}, is overruled.", "overruled", "the court of itself"),
        (f"The rule in the Ninth Circuit is sound; {A}, is overruled.", "overruled", "another clause"),
        (f"What was said in {A}, must be confined to the facts.", "limited", "what the case itself said"),
        (f"Because the Supreme Court has held such laws void, we now overrule {A}.", "overruled", "a ground before it"),
        (f"Having found that the rule rests on a fiction, we overrule {A}.", "overruled", "the court's own finding"),
        (
            f"Although the Government maintains that {A} controls, we now overrule it.",
            "overruled",
            "said in spite of it",
        ),
        (
            f"Because the jury found that notice was given, {A}, is distinguishable.",
            "distinguished",
            "a jury's finding",
        ),
        (f"The Court believes that {A}, is distinguishable.", "distinguished", "a court of itself"),
        (f"The Court therefore finds that {A}, is inapposite.", "distinguished", "with an adverb"),
        (f"The Court is of the opinion that {A}, is distinguishable.", "distinguished", "of the opinion"),
        (f"The court concluded that {A}, is distinguishable.", "mentioned", "what was concluded below"),
        (f"It is the opinion of this court that {A}, is overruled.", "overruled", "the opinion of this court"),
        (f"Appellant argues that {A}, is unsound and we must overrule it.", "mentioned", "argued to its end"),
        (f"As petitioner would have it, {A}, is overruled.", "mentioned", "a party would have it"),
        (f"Until today we followed {A}, but it is overruled.", "overruled", "no time to come"),
        (f"Reluctantly, we overrule {A}.", "overruled", "done with reluctance"),
        (f"Because no court has followed {A}, we overrule it.", "overruled", "nobody followed it"),
        (f"As the district court held, {A}, is distinguishable.", "distinguished", "endorsed"),
        (f"The State is right that {A}, is no longer good law.", "overruled", "a State states nothing here"),
        (f"The Government is correct that {A}, is distinguishable.", "distinguished", "a party is right"),
    ],
)
def test_what_others_say_and_what_is_supposed_is_not_said(text: str, expected: str, why: str) -> None:
    assert label(text) == expected, why


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        (f"We overrule her challenge under {A}.", "mentioned", "a challenge"),
        (f"We overrule this challenge under {A}.", "mentioned", "this one"),
        (f"We overrule such a challenge under {A}.", "mentioned", "such a one"),
        (f"We overrule his attack on the indictment under {A}.", "mentioned", "an attack"),
        (f"Both challenges, founded on {A}, are overruled.", "mentioned", "both"),
        (f"This point, based on {A}, is overruled.", "mentioned", "a point"),
        (f"Her Batson challenge under {A}, is overruled.", "mentioned", "a named challenge"),
        (f"We overrule Baker's sole issue. See {A}.", "mentioned", "the issue of one whose name a case has"),
        (f"We overrule the holding on this point of {A}.", "overruled", "a case, on a point"),
        (f"On this point {A}, is overruled.", "overruled", "a case, on a point, before"),
    ],
)
def test_what_parties_bring_is_overruled_and_no_case(text: str, expected: str, why: str) -> None:
    assert label(text) == expected, why


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        (f"The holding in {A}, that a wife may not sue her husband is overruled.", "overruled", "what it held"),
        (f"{A}, which held that a wife may not sue, is overruled.", "overruled", "which held"),
        (f"{A}, holding that no action lies if the wife consents, is overruled.", "overruled", "holding"),
        (f"So much of {A}, as holds that a wife may not sue is overruled.", "overruled", "so much of it"),
        (f"Stare decisis does not compel adherence to {A}, and we overrule it.", "overruled", "two clauses"),
        (f"We see no reason to retain {A}, and overrule it.", "overruled", "one subject, two verbs"),
        (f"Because a wife may sue, {A}, is overruled.", "overruled", "the ground of it"),
        (f"We do not lightly overrule our cases, but {A}, is overruled.", "overruled", "but"),
        (f"{A}, which held that a wife may sue, is not overruled.", "mentioned", "the verb is denied"),
        (f"We see no reason to overrule {A}, and do not overrule it.", "mentioned", "no reason to"),
        (f"If {A}, which held so, is overruled, titles fail.", "mentioned", "supposed"),
        (f"{A}, is sound and the exception is overruled.", "mentioned", "another subject"),
        (f"{A}, holding otherwise, is no help, and the demurrer is overruled.", "mentioned", "another clause"),
    ],
)
def test_only_words_that_govern_the_verb_deny_it(text: str, expected: str, why: str) -> None:
    assert label(text) == expected, why
