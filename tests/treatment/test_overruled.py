"""What overrules a case, and what only has the words of it: sentences as courts write them."""

from __future__ import annotations

import pytest

from lawng.schema import Treatment
from lawng.treatment.cues import acts_of
from lawng.treatment.judge import disposing
from lawng.treatment.plainly import said_plainly
from lawng.treatment.whole import treatments_of_text
from records_support import opinion

BAKER = "Baker v. Cole, 10 U.S. 20 (1805)"
DREW = "Drew v. Ellis, 30 U.S. 40 (1825)"
FROST = "Frost v. Gray, 50 U.S. 60 (1850)"
ONCE = f"{BAKER}, was decided on those facts."


def by_cite(text: str) -> dict[str, Treatment]:
    return {row.cite: row for row in treatments_of_text(text)}


@pytest.mark.parametrize(
    ("text", "cites", "kind", "words"),
    [
        pytest.param(f"We now overrule {BAKER}.", "10 U.S. 20", "", "We now overrule Baker", id="we do"),
        pytest.param(f"{BAKER}, is overruled.", "10 U.S. 20", "", "is overruled", id="it is"),
        pytest.param(f"{BAKER}, is no longer good law.", "10 U.S. 20", "", "no longer good law", id="no overrul-"),
        pytest.param(
            f"{BAKER}, is overruled to the extent that it is inconsistent with what we say today.",
            *("10 U.S. 20", "in-part", "to the extent"), id="in part, behind",
        ),
        pytest.param(
            f"To the extent that {BAKER}, holds otherwise, it is overruled.",
            *("10 U.S. 20", "in-part", "To the extent"), id="in part, before",
        ),
        pytest.param(
            f"{BAKER}, {DREW}, and {FROST}, are hereby overruled.",
            *("10 U.S. 20|30 U.S. 40|50 U.S. 60", "", "are hereby overruled"), id="a list of cites",
        ),
        pytest.param(
            f"The question was put in {BAKER}, in {DREW}, and in {FROST}. Baker, Drew and Frost are overruled.",
            *("10 U.S. 20|30 U.S. 40|50 U.S. 60", "", "Baker, Drew and Frost are overruled"), id="a list of names",
        ),
        pytest.param(
            f"{ONCE} That decision can no longer stand.",
            *("10 U.S. 20", "", "That decision can no longer stand."), id="that decision",
        ),
        pytest.param(
            f"{DREW}, and {BAKER}, are to the contrary. Those cases are overruled.",
            *("30 U.S. 40|10 U.S. 20", "", "Those cases are overruled."), id="those cases",
        ),
        pytest.param(
            f"{DREW}, and {BAKER}, are to the contrary. That decision is overruled.",
            *("10 U.S. 20", "", "That decision is overruled."), id="that decision is the last",
        ),
        pytest.param(
            f"{ONCE} Id. at 21. We overrule that case.",
            *("10 U.S. 20", "", "We overrule that case."), id="the case of an id.",
        ),
        pytest.param(
            f"{ONCE} The land was sold twice since. The tenant stayed. Baker is overruled.",
            *("10 U.S. 20", "", "Baker is overruled."), id="by name, far from its cite",
        ),
        pytest.param(
            f"{ONCE} We should not have held so. We therefore overrule that part of Baker which speaks of leases.",
            *("10 U.S. 20", "in-part", "overrule that part of Baker"), id="a part of it",
        ),
        pytest.param(
            "Walton v. Arizona, 497 U.S. 639 (1990), upheld the scheme. We overrule Walton to the extent that it allows"
            " a sentencing judge, sitting without a jury, to find an aggravating circumstance.",
            *("497 U.S. 639", "in-part", "We overrule Walton"), id="Ring v. Arizona",
        ),
        pytest.param(
            "Booth v. Maryland, 482 U.S. 496 (1987), barred such evidence. Our later case went further, South Carolina"
            " v. Gathers, 490 U.S. 805 (1989). Booth and Gathers were wrongly decided and should be, and now are,"
            " overruled.",
            *("482 U.S. 496|490 U.S. 805", "", "should be, and now are, overruled."), id="Payne v. Tennessee",
        ),
        pytest.param(
            "Bowers v. Hardwick, 478 U.S. 186 (1986), considered the same statute. Bowers was not correct when it was"
            " decided, and it is not correct today. It ought not to remain binding precedent. Bowers v. Hardwick should"
            " be and now is overruled.",
            *("478 U.S. 186", "", "should be and now is overruled."), id="Lawrence v. Texas",
        ),
        pytest.param(
            "Adkins v. Children's Hospital, 261 U.S. 525 (1923), held the Act void. Our conclusion is that the case of"
            " Adkins v. Children's Hospital, supra, should be, and it is, overruled.",
            *("261 U.S. 525", "", "should be, and it is, overruled."), id="West Coast Hotel v. Parrish",
        ),
        pytest.param(
            "The Court's decisions in Quill Corp. v. North Dakota, 504 U.S. 298 (1992), and National Bellas Hess, Inc."
            " v. Department of Revenue of Ill., 386 U.S. 753 (1967), should be, and now are, overruled.",
            *("504 U.S. 298|386 U.S. 753", "", "should be, and now are, overruled."), id="South Dakota v. Wayfair",
        ),
        pytest.param(
            "The Court's decision in Dr. Miles Medical Co. v. John D. Park & Sons Co., 220 U.S. 373 (1911), is now"
            " overruled.",
            *("220 U.S. 373", "", "is now overruled."), id="Leegin v. PSKS",
        ),
        pytest.param(
            "National League of Cities v. Usery, 426 U.S. 833 (1976), is overruled.",
            *("426 U.S. 833", "", "is overruled."), id="Garcia v. San Antonio",
        ),
    ],
)  # fmt: skip
def test_overruled(text: str, cites: str, kind: str, words: str) -> None:
    done = {cite: row for cite, row in by_cite(text).items() if row.label == "overruled"}
    assert "|".join(done) == cites
    for row in done.values():
        assert (row.kind, row.decides, row.told, row.by, row.done) == (kind, True, "", "", "overruled")
        assert words in row.sentence
        assert 0.5 < row.probability <= 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"Petitioner asks us to overrule {BAKER}.", id="asks us to"),
        pytest.param(f"Petitioner urges that {BAKER}, be overruled.", id="urges that"),
        pytest.param(f"Counsel argues that {BAKER}, should be overruled. The argument comes too late.", id="argues"),
        pytest.param(f"Respondents contend that {BAKER}, is no longer good law.", id="contends, without the word"),
        pytest.param(f"We decline to overrule {BAKER}.", id="declines"),
        pytest.param(f"We decline the invitation to overrule {BAKER}.", id="declines the invitation"),
        pytest.param(f"We are not prepared to overrule {BAKER}.", id="not prepared"),
        pytest.param(f"{ONCE} We see no reason to overrule Baker, and we do not.", id="no reason"),
        pytest.param(f"{ONCE} Baker has not been overruled, and courts cite it still.", id="has not been"),
        pytest.param(f"Do we overrule {BAKER}?", id="a question"),
        pytest.param(f"{ONCE} We need not decide whether Baker should be overruled.", id="whether"),
        pytest.param(f"{ONCE} If Baker were overruled, the titles of half the county would be in doubt.", id="if"),
        pytest.param(f"{ONCE} Were we to overrule Baker, many titles would be in doubt.", id="were we to"),
        pytest.param(f"{ONCE} Even if we should overrule Baker, plaintiff would gain nothing.", id="even if"),
        pytest.param(f"We would have to overrule {BAKER}, in order to hold so, and we will not.", id="would have to"),
        pytest.param(f"The dissent would overrule {BAKER}.", id="the dissent, as the court tells"),
        pytest.param(f'In {DREW}, the court said that "we overrule {BAKER}."', id="quoted"),
        pytest.param(f'In {DREW}, the court wrote: "{BAKER}, is overruled." The deed was sealed.', id="quoted whole"),
        pytest.param(f"The objection was overruled under {BAKER}.", id="an objection"),
        pytest.param(f"The trial court overruled the motion, relying on {BAKER}.", id="a motion"),
        pytest.param(f"The defendant’s objection is overruled. See {BAKER}.", id="an objection, then its ground"),
        pytest.param(f"The motion to strike is overruled on the authority of {BAKER}.", id="on its authority"),
        pytest.param(f"Counsel objected under {BAKER}. The objection was overruled.", id="the next sentence's"),
        pytest.param(f"Plaintiff’s demurrer was overruled on the strength of {BAKER}, and he appeals.", id="demurrer"),
        pytest.param(f"The exception is overruled. {BAKER}.", id="an exception"),
        pytest.param(
            f"Applying {BAKER}, we find the proof enough, and the sole assignment of error is overruled.",
            id="an assignment of error",
        ),
        pytest.param(f"In light of {BAKER}, Smith’s first assignment of error is overruled.", id="the first of them"),
        pytest.param(f"Since the rule of {BAKER}, was kept, issue one is overruled.", id="an issue"),
        pytest.param(f"We overrule his second point of error under {BAKER}.", id="a point of error"),
        pytest.param(
            "Runyon v. McCrary, 427 U.S. 160 (1976), stands in the way. We conclude, upon direct consideration of the"
            " issue, that no special justification has been shown for overruling Runyon.",
            id="Patterson v. McLean Credit Union",
        ),
        pytest.param(
            "Miranda v. Arizona, 384 U.S. 436 (1966), announced the rule. We hold that Miranda, being a constitutional"
            " decision of this Court, may not be in effect overruled by an Act of Congress, and we decline to overrule"
            " Miranda ourselves.",
            id="Dickerson v. United States",
        ),
        f"We approve {BAKER}. The decision below is disapproved.",
        f"We approve {BAKER}. The judgment of the district court is overruled.",
        f"The court below wrote: “We overrule {BAKER}.”",
        f'The court below wrote: "We overrule {BAKER}."',
        f"On the authority of {BAKER}, the application for rehearing is overruled.",
        f"Under {BAKER}, this assignment is overruled.",
    ],
)
def test_not_overruled(text: str) -> None:
    rows = treatments_of_text(text)
    assert rows, "it is cited"
    assert {row.label for row in rows} == {"mentioned"}
    assert {row.told for row in rows} == {""}, "nor is it told of another case"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(f"{BAKER}, which overruled {DREW}, left the form of notice as it was.", "overruled", id="which"),
        pytest.param(f"See {BAKER} (overruling {DREW}).", "overruled", id="in a parenthetical"),
        pytest.param(f"See {BAKER} (overruling in part {DREW}).", "overruled in part", id="in part"),
        pytest.param(f"But see {DREW}, overruled in part by {BAKER}.", "overruled in part", id="in part, by"),
        pytest.param(f"A deed was read so once. {DREW}, rev'd, {BAKER}.", "reversed", id="reversed on review"),
        pytest.param(f"A deed is read so. {BAKER}, rev'g {DREW}.", "reversed", id="reversing"),
    ],
)
def test_what_another_case_did_is_told(text: str, told: str) -> None:
    row = by_cite(text)["30 U.S. 40"]
    assert (row.label, row.by, row.deed) == ("mentioned", "10 U.S. 20", told)
    assert (row.kind, row.done) == ("told-in-part" if row.in_part else "told", told.split(maxsplit=1)[0])
    assert told[:5] in row.sentence or "rev'" in row.sentence


@pytest.mark.parametrize(
    "text",
    [
        f"{BAKER}, never overruled {DREW}.",
        f"{BAKER}, should not have overruled {DREW}.",
        f"{DREW}, was not overruled by {BAKER}.",
        f"{BAKER}, is said to have distinguished {DREW}.",
    ],
)
def test_what_another_case_did_not_do_is_not_told(text: str) -> None:
    assert {(row.kind, row.told) for row in treatments_of_text(text)} == {("", "")}


@pytest.mark.parametrize("signal", ["see", "see also", "cf."])
def test_what_supports_an_overruling_is_not_overruled(signal: str) -> None:
    found = by_cite(f"We therefore overrule {BAKER}; {signal} {DREW}.")
    assert found["10 U.S. 20"].label == "overruled"
    assert found["30 U.S. 40"].label != "overruled"


def test_the_case_that_overruled_another_stands() -> None:
    row = by_cite(f"The trustee had notice. See {BAKER} (overruling {DREW}). We apply Baker here.")["10 U.S. 20"]
    assert (row.label, row.kind, row.told, row.by) == ("mentioned", "followed", "", "")
    assert row.sentence.endswith("We apply Baker here.")


@pytest.mark.parametrize(
    ("words", "label", "kind"),
    [
        ("Baker is hereby limited to its facts.", "limited", ""),
        ("We limit Baker to its facts.", "limited", ""),
        ("Baker must be confined to cases in which the buyer is a merchant.", "limited", ""),
        ("We decline to extend Baker to a lease.", "limited", ""),
        ("Baker is not limited to its facts.", "mentioned", ""),
        ("Baker is plainly distinguishable.", "distinguished", ""),
        ("Baker is inapposite.", "distinguished", ""),
        ("Plaintiff's reliance on Baker is misplaced.", "distinguished", ""),
        ("Defendant argues that Baker is distinguishable.", "mentioned", ""),
        ("We disagree with the reasoning of Baker, but nothing here turns on it.", "criticized", ""),
        ("We are not persuaded by Baker.", "criticized", ""),
        ("Baker was wrongly decided.", "criticized", ""),
        ("We do not agree that Baker was wrongly decided.", "mentioned", ""),
        ("We doubt whether Baker remains good law.", "questioned", ""),
        ("The continuing validity of Baker is doubtful.", "questioned", ""),
        ("Whether Baker would be decided in the same way today may be doubted.", "questioned", ""),
        ("We follow Baker.", "mentioned", "followed"),
        ("This case is governed by Baker.", "mentioned", "followed"),
        ("Baker is controlling.", "mentioned", "followed"),
        ("We do not follow Baker.", "mentioned", ""),
        ("Petitioner argues that this case is governed by Baker.", "mentioned", ""),
        ("Baker was a case of leases.", "mentioned", ""),
    ],
)
def test_lesser_treatments_in_plain_words(words: str, label: str, kind: str) -> None:
    [row] = treatments_of_text(f"{ONCE} {words}")
    assert (row.label, row.kind) == (label, kind)
    if label != "mentioned" or kind:
        assert words in row.sentence


def test_the_gravest_of_what_is_said_plainly_decides() -> None:
    [row] = treatments_of_text(
        f"{ONCE} Baker is distinguishable. Baker is also confined to its facts. We follow Baker."
    )
    assert (row.label, row.kind, row.n_mentions) == ("limited", "", 4)
    assert "confined to its facts" in row.sentence


@pytest.mark.parametrize(
    ("masked", "label"),
    [
        ("We overrule TARGET.", "overruled"),
        ("We overrule CASE and distinguish TARGET.", ""),
        ("CASE said that TARGET is overruled.", ""),
        ("TARGET is overruled?", ""),
        ("We overrule the decision of Drew v. Ellis and TARGET.", ""),
        ("Nothing in TARGET is overruled.", ""),
        ("TARGET is good law.", ""),
    ],
)
def test_what_is_plain_is_the_cases_own(masked: str, label: str) -> None:
    assert said_plainly(masked) == label


@pytest.mark.parametrize(
    ("masked", "act"),
    [
        ("We now overrule TARGET.", ("overrule", "obj", "we")),
        ("TARGET is overruled.", ("overrule", "subj", "past|we")),
        ("CASE overruled TARGET.", ("overrule", "obj", "third")),
        ("TARGET overruled CASE.", ("overrule", "subj", "plain")),
        ("We decline to overrule TARGET.", ("overrule", "obj", "neg")),
        ("Petitioner would have us overrule TARGET.", ("overrule", "obj", "ask")),
        ("Do we overrule TARGET?", ("overrule", "obj", "ask")),
        ("TARGET had been overruled.", ("overrule", "subj", "past")),
        ("Objections that are overruled fill the record.", ("overrule", "far", "we")),
        ("TARGET is cited. " + "x " * 90 + "The objection is overruled.", ("overrule", "far", "we")),
        ("We confine TARGET to its facts.", ("limit", "obj", "we")),
        ("We affirm on the authority of CASE.", ("affirm", "other", "we")),
    ],
)
def test_acts_have_a_role_and_a_mood(masked: str, act: tuple[str, str, str]) -> None:
    [found] = [one for one in acts_of(masked) if one.family == act[0]]
    assert found.role == act[1]
    assert found.mood in act[2].split("|")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (["The judgment is affirmed. It is so ordered."], "The judgment is affirmed."),
        (["The deed is void.", "Reversed.", "So ordered."], "Reversed."),
        (["We affirm the decree.", "The order is vacated."], "The order is vacated."),
        (["The deed is void."], ""),
        (["The judgment is affirmed.", "x " * 1000], ""),
    ],
)
def test_the_last_disposition_decides(body: list[str], words: str) -> None:
    made = opinion("cl:1", body)
    found = disposing(made)
    assert (made.text[found.start : found.end] if found else "") == words


def test_a_disposition_in_a_footnote_is_none() -> None:
    assert disposing(opinion("cl:1", ["The deed is void."], ["The judgment was reversed."])) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Should Baker v. Cole, 10 U.S. 20 (1805), be overruled?", [("mentioned", "")]),
        ("If Baker v. Cole, 10 U.S. 20 (1805), were overruled, a great many deeds would fail.", [("mentioned", "")]),
        ("Whether Baker v. Cole, 10 U.S. 20 (1805), would be decided so today may be doubted.", [("questioned", "")]),
        (
            "Baker v. Cole, 10 U.S. 20 (1805), which overruled Drew v. Ellis, 30 U.S. 40 (1825), left the rest.",
            [("mentioned", ""), ("mentioned", "10 U.S. 20")],
        ),
        (
            "Drew v. Ellis, 30 U.S. 40 (1825), overruled by Baker v. Cole, 10 U.S. 20 (1805), had held so.",
            [("mentioned", "10 U.S. 20"), ("mentioned", "")],
        ),
        ("Plaintiff says that Baker v. Cole, 10 U.S. 20 (1805), is distinguishable.", [("mentioned", "")]),
    ],
)
def test_who_did_it_and_whether_at_all_is_read_in_a_single_sentence(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(row.label, row.by) for row in treatments_of_text(text)] == expected
