"""Who speaks, and of what: the court or a dissent, the decision under review or another; by which words it is meant."""

from __future__ import annotations

from typing import Any

import pytest

from lawng.citation.extract import citations_of_case
from lawng.schema import Case, Opinion, Treatment
from lawng.treatment.features import context_of
from lawng.treatment.judge import Hearsay, read_citing, treatments_of
from lawng.treatment.mentions import distinctive_words
from lawng.treatment.whole import treatments_of_text
from records_support import case, opinion, reporter_cite

PARTIES = {"name": "Lowell v. Marsh", "parties": ["Lowell", "Marsh"]}
APPEAL: dict[str, Any] = {"citations": [reporter_cite("900 F.3d 10")], "jurisdiction": "us", **PARTIES}
HIGHEST: dict[str, Any] = {"citations": [reporter_cite("500 U.S. 10")], "jurisdiction": "us", **PARTIES}
BELOW = "The district court found for him. Lowell v. Marsh, 200 F. Supp. 3d 5 (D. Mass. 2016). Lowell appeals."
CERT = "The Court of Appeals affirmed. 900 F.2d 14 (CA1 1989). We granted certiorari."
FILL = "The deed was void for want of notice, and the tenant stayed on the land through the winter. " * 6
DREW = "Drew v. Ellis, 5 Mass. 20 (1809)"


def rows_of(citing: Case, *opinions: Opinion) -> list[Treatment]:
    return treatments_of(citing, opinions, citations_of_case(opinions))


def separate(body: list[str], part: str = "dissent") -> Opinion:
    return opinion("cl:1", body, opinion_id="cl:1/1", type=part, author="POE, J.")


# --- direct review


@pytest.mark.parametrize(
    ("given", "begins", "ends", "label", "kind"),
    [
        pytest.param(APPEAL, BELOW, "The judgment is reversed.", "reversed", "", id="reversed"),
        pytest.param(APPEAL, BELOW, "The order is vacated, and the case is remanded.", "reversed", "", id="vacated"),
        pytest.param(APPEAL, BELOW, "The judgment is affirmed.", "mentioned", "affirmed", id="affirmed"),
        pytest.param(APPEAL, BELOW, "It is so ordered.", "mentioned", "", id="nothing becomes of it"),
        pytest.param(
            APPEAL, BELOW, "The judgment is affirmed, and the case is remanded.", "mentioned", "", id="affirmed and more"
        ),
        pytest.param(HIGHEST, CERT, "The judgment is reversed.", "reversed", "", id="without a name"),
        pytest.param(HIGHEST, CERT, "The judgment is affirmed.", "mentioned", "affirmed", id="without a name, affirmed"),
        pytest.param(
            HIGHEST, "The Court of Appeals affirmed, 900 F.2d 14 (CA1 1989), cert. denied, 499 U.S. 3 (1990).",
            *("The judgment is reversed.", "mentioned", ""), id="certiorari was denied",
        ),
        pytest.param(
            APPEAL, "We were here before. Lowell v. Marsh, 800 F.3d 5 (1st Cir. 2014). Lowell appeals again.",
            *("The judgment is reversed.", "mentioned", ""), id="the same court",
        ),
        pytest.param(
            APPEAL, "Lowell v. Marsh, 480 U.S. 5 (1987), is the law. Lowell appeals.",
            *("The judgment is reversed.", "mentioned", ""), id="a court above",
        ),
        pytest.param(
            APPEAL, "The rule is that of Drew v. Ellis, 200 F. Supp. 3d 5 (D. Mass. 2016). Lowell appeals.",
            *("The judgment is reversed.", "mentioned", ""), id="other parties",
        ),
        pytest.param(
            {**APPEAL, "citations": [reporter_cite("7 Mass. 10")]}, "Lowell v. Marsh, 5 Ill. 2d 8 (1950), is cited.",
            *("The judgment is reversed.", "mentioned", ""), id="a court of another state",
        ),
    ],
)  # fmt: skip
def test_only_the_decision_under_review_is_reversed(
    given: dict[str, Any], begins: str, ends: str, label: str, kind: str
) -> None:
    row = rows_of(case("cl:1", **given), opinion("cl:1", [begins, FILL.strip(), ends]))[0]
    assert (row.label, row.kind) == (label, kind)
    if label == "reversed" or kind:
        assert row.sentence == ends


@pytest.mark.parametrize(
    ("ends", "undone", "affirmed"),
    [("Reversed.", 1, 0), ("Vacated.", 1, 0), ("Affirmed in part, reversed in part.", 1, 1), ("Remanded.", 0, 0)],
)
def test_what_becomes_of_the_decision_below_is_a_feature_of_it_alone(ends: str, undone: int, affirmed: int) -> None:
    opinions = [opinion("cl:1", [BELOW, f"See {DREW}.", FILL.strip(), ends])]
    citing = read_citing(case("cl:1", **APPEAL), opinions, citations_of_case(opinions))
    below, other = (context_of(citing, number) for number in (0, 1))
    assert (below["context below, undone"], below["context below, affirm"]) == (undone, affirmed)
    assert (other["context below, undone"], other["context below, affirm"]) == (0, 0)


@pytest.mark.parametrize(
    ("begins", "below", "why"),
    [
        (CERT, {"900 F.2d 14"}, "how the case came here"),
        (
            "The district court dismissed the suit. 700 F. Supp. 3. The Court of Appeals reversed. 900 F.2d 14.",
            {"900 F.2d 14"},
            "the last one told",
        ),
        (
            "The district court, 700 F. Supp. 3, was affirmed, 900 F.2d 14, below.",
            {"700 F. Supp. 3", "900 F.2d 14"},
            "both",
        ),
        (
            "The Court of Appeals affirmed, 900 F.2d 14 (CA1 1989), cert. denied, 499 U.S. 3 (1990).",
            set(),
            "it ended there",
        ),
        ("The Court of Appeals affirmed. Drew v. Ellis, 900 F.2d 14 (CA1 1989).", set(), "a named case of others"),
        ("A horse was sold. 900 F.2d 14.", set(), "no word of how it came here"),
    ],
)
def test_what_is_under_review(begins: str, below: set[str], why: str) -> None:
    opinions = [opinion("cl:1", [begins, FILL.strip(), "The judgment is reversed."])]
    citing = read_citing(case("cl:1", **HIGHEST), opinions, citations_of_case(opinions))
    assert {citing.every[number].cites[0] for number in citing.under_review} == below, why


def test_what_a_dissent_would_do_with_the_judgment_reverses_nothing() -> None:
    court = opinion("cl:1", [BELOW, FILL.strip(), "The judgment is affirmed."])
    rows = rows_of(case("cl:1", **APPEAL), court, separate(["I would hold the deed good.", "I would reverse."]))
    assert [(row.label, row.kind, row.opinion_id) for row in rows] == [("mentioned", "affirmed", "cl:1/0")]


# --- the court and others

COURT = ["We apply the rule of Drew v. Ellis, 5 Mass. 20 (1809), to leases.", "The tenant had notice, and he stayed."]


@pytest.mark.parametrize(
    ("court", "other", "part", "expected"),
    [
        pytest.param(
            COURT, [f"I would overrule {DREW}.", "It should be overruled."], "dissent",
            [("mentioned", True, 1), ("overruled", False, 1)], id="a dissent would overrule it",
        ),
        pytest.param(
            COURT, [f"{DREW}, was wrongly decided, and we should say so."], "concurrence",
            [("mentioned", True, 1), ("criticized", False, 1)], id="a concurrence faults it",
        ),
        pytest.param(COURT, [f"{DREW}, is the law."], "dissent", [("mentioned", True, 1)], id="a dissent cites it"),
        pytest.param(
            ["The tenant had notice."], [f"{DREW}, is the law."], "dissent", [("mentioned", False, 1)],
            id="a dissent alone cites it",
        ),
        pytest.param(
            [f"We overrule {DREW}."], [f"We should follow {DREW}. Drew is the law."], "dissent",
            [("overruled", True, 1)], id="a dissent would keep it",
        ),
    ],
)  # fmt: skip
def test_separate_opinions_do_not_decide(
    court: list[str], other: list[str], part: str, expected: list[tuple[str, bool, int]]
) -> None:
    rows = rows_of(case("cl:1", **PARTIES), opinion("cl:1", court), separate(other, part))
    assert [(row.label, row.decides, row.n_mentions) for row in rows] == expected
    for row in rows:
        where = ("cl:1/0", "majority", "HALE, J.") if row.decides else ("cl:1/1", part, "POE, J.")
        assert (row.opinion_id, row.part, row.author) == where
        assert row.treatment_id == "cl:1>5 Mass. 20" + ("" if row.decides else "/separate")


@pytest.mark.parametrize(
    ("cite", "sentence", "overruled", "why"),
    [
        ("7 Mass. 10", f"We reject {DREW}.", True, "its own case"),
        ("7 Ill. 2d 10", f"We reject {DREW}.", False, "a case of another state"),
        ("7 Ill. 2d 10", f"We overrule {DREW}.", False, "whatever the words"),
        ("500 U.S. 10", f"We overrule {DREW}.", True, "the highest court may"),
        ("7 N.E.2d 10", f"We overrule {DREW}.", True, "a reporter of several states tells no place"),
        ("7 Mass. 10", f"I would overrule {DREW}.", False, "a judge, in a text of all opinions"),
        ("7 Mass. 10", f"We now overrule {DREW}. I would go further.", True, "another sentence"),
        ("7 Mass. 10", f"We overrule {DREW}, and I would add that it was never sound.", True, "he would add"),
        ("690 F.2d 10", "We overrule Drew v. Ellis, 200 Ct. Cl. 1, 470 F.2d 1 (1972).", True, "of the same courts"),
        ("690 F.2d 10", "We overrule Drew v. Ellis, 200 Ct. Cl. 1 (1972).", True, "a reporter of two places"),
        ("690 F.2d 10", "We overrule Drew v. Ellis, 3 Mackey 1 (1884).", True, "the District's"),
        ("5 S.D. 1", "We overrule Drew v. Ellis, 2 Dakota 71 (1878).", True, "of the territory before"),
        ("7 Mass. 10", "We overrule Drew v. Ellis, 16 Pet. 1, 10 L. Ed. 865 (1842).", False, "the highest court's"),
        ("200 Miss. 1", "We overrule Drew v. Ellis, 1 How. 5 (Miss. 1834).", True, "a name that two reporters have"),
    ],
)
def test_a_court_overrules_its_own_cases_and_those_below(cite: str, sentence: str, overruled: bool, why: str) -> None:
    citing = case("cl:1", citations=[reporter_cite(cite)], **PARTIES)
    [row] = rows_of(citing, opinion("cl:1", [sentence, FILL.strip()]))
    assert (row.label == "overruled") is overruled, why


def test_unknown_dates_and_names_stay_empty() -> None:
    [row] = rows_of(case("cl:1", date="", name="", parties=[], citations=[]), opinion("cl:1", [f"We overrule {DREW}."]))
    assert (row.label, row.citing_date, row.citing_cite, row.citing_name) == ("overruled", "", "", "cl:1")
    assert (row.case_id, row.page) == ("", "")


def test_no_opinion_and_no_citation_give_no_row() -> None:
    assert rows_of(case("cl:1")) == []
    assert rows_of(case("cl:1"), opinion("cl:1", ["The deed is void. That decision is overruled."])) == []


def test_a_case_says_nothing_of_itself() -> None:
    body = ["As in Lowell v. Marsh, 1 Mass. 10 (1950), so here. Lowell is overruled. We overrule 1 Mass. 10."]
    assert rows_of(case("cl:1", **PARTIES), opinion("cl:1", body)) == []


# --- hearsay


def heard(*texts: str) -> Hearsay:
    """What cases of these texts tell of others."""
    hearsay = Hearsay()
    for at, text in enumerate(texts, 60):
        opinions = [opinion(f"cl:{at}", [text])]
        hearsay.hear(read_citing(case(f"cl:{at}"), opinions, citations_of_case(opinions)))
    return hearsay


def test_hearsay_counts_the_cases_that_tell_it_and_not_the_case_itself() -> None:
    text = f"{DREW}, overruled by Oak v. Elm, 61 Mass. 10 (1950), was cited."
    hearsay = heard(text, text, f"{text} {text}", f"{DREW}, rev'd, Ash v. Oak, 70 Mass. 10 (1960).")
    opinions = [opinion("cl:61", [f"We think little of {DREW}."])]
    citing = read_citing(case("cl:61"), opinions, citations_of_case(opinions))
    assert hearsay.about(citing.case, citing.every[0]) == (2, 0), "cl:61 has told it of itself; reversals are not told"
    assert hearsay.about(case("cl:9"), citing.every[0]) == (0, 1), "of another one"


# --- by which words a case is meant


@pytest.mark.parametrize(
    ("text", "mentions", "why"),
    [
        ("{} The Cole Act is no cause. Congress may amend the Cole Act.", 1, "another name begins with its word"),
        ("{} Cole is cited. Cole's rule is old. The Cole Court was divided.", 4, "its word alone"),
        ("{} Justice Baker dissented. Mr. Cole paid. Judge Baker did not.", 1, "a man, by his title"),
        ("{} The baker paid, and Baker is cited.", 1, "a common word of the opinion"),
        ("{} Drew v. Ellis, 30 U.S. 40 (1825). Drew is cited. Id. at 41.", 1, "of another case"),
        ("{} Id. at 21. Baker, 10 U.S. at 22. Baker, supra, at 23.", 4, "short forms, each once"),
    ],
)
def test_names_that_mean_a_case(text: str, mentions: int, why: str) -> None:
    row = treatments_of_text(text.format("Baker v. Cole, 10 U.S. 20 (1805), is old."))[0]
    assert (row.cite, row.n_mentions) == ("10 U.S. 20", mentions), why


def test_the_williams_act_is_no_case() -> None:
    text = "Lane v. Williams, 455 U.S. 624 (1982), was moot. The Williams Act is no longer good law. It is overruled."
    [row] = treatments_of_text(text)
    assert (row.label, row.n_mentions) == ("mentioned", 1)


@pytest.mark.parametrize("said", ["We overrule Lowell here.", "In so far as Lowell holds otherwise it is overruled."])
def test_a_case_of_the_same_parties_is_overruled_by_its_name(said: str) -> None:
    body = f"Lowell v. Drew, 7 Mass. 10 (1810), was between these parties. Lowell paid the rent. {said}"
    [row] = rows_of(case("cl:1", **PARTIES), opinion("cl:1", [body]))
    assert (row.label, row.n_mentions, row.sentence) == ("overruled", 2, said)


@pytest.mark.parametrize(
    ("body", "mentions", "why"),
    [
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). Lowell paid the rent. Lowell asks for more.", 1, "its own party"),
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). We overrule Lowell's objection.", 1, "what a party says is overruled"),
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). Lowell asks us to say that Lowell is overruled.", 1, "asked for"),
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). Lowell cannot survive summary judgment.", 1, "what a party does"),
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). We reject Lowell as a witness.", 1, "no case is rejected as one"),
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). We overrule the challenge of Lowell to the juror.", 1, "of a party"),
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). The protest by Lowell is overruled.", 1, "by a party"),
        ("Cf. Lowell v. Drew, 7 Mass. 10 (1810). Lowell paid. Drew was another matter.", 2, "the other party"),
        ("Cf. Poe v. Drew, 7 Mass. 10 (1810). Marsh is no party of it.", 1, "a party that no cited case has"),
    ],
)
def test_own_parties_mean_no_case(body: str, mentions: int, why: str) -> None:
    [row] = rows_of(case("cl:1", **PARTIES), opinion("cl:1", [body]))
    assert (row.label, row.n_mentions) == ("mentioned", mentions), why


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Adkins v. Children's Hospital", ["Adkins", "Children's"]),
        ("United States v. Ross", ["Ross"]),
        ("New York v. United States", []),
        ("In re Winship", ["Winship"]),
        ("", []),
    ],
)
def test_words_that_stand_for_a_case(name: str, words: list[str]) -> None:
    assert list(distinctive_words(name)) == words


def test_parallel_cites_are_one_case_and_rows_come_as_cited() -> None:
    text = (
        "Drew v. Ellis, 30 U.S. 40 (1825). Baker v. Cole, 10 U.S. 20, 3 L. Ed. 99 (1805), was first."
        " The court in Baker v. Cole, 3 L. Ed. 99 (1805), said no more. Drew is cited again."
    )
    rows = treatments_of_text(text)
    assert [(row.cite, row.parallel) for row in rows] == [("30 U.S. 40", []), ("10 U.S. 20", ["3 L. Ed. 99"])]
    assert [row.n_mentions for row in rows] == [2, 2]
