"""Propositions: what a citation stands to, whether it stands alone, and what is said of those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lawng.citation.extract import citations_of_case
from lawng.corpus.importer import import_corpus
from lawng.io import iter_records
from lawng.lawngnli.accuracy import screen
from lawng.lawngnli.candidates import located
from lawng.lawngnli.cited import Known
from lawng.lawngnli.propositions import propositions
from lawng.lawngnli.records import Refusal, Screened, Sought
from lawng.lawngnli.resolving import resolved
from lawng.lawngnli.standing import Alone, standing
from lawng.pipeline import Settings
from lawng.schema import Case, Footnote, Opinion, PageMark, Reject
from lawng.schema.dataset import PROPOSITION, PROPOSITION_KINDS
from nli_fixture import candidate
from records_support import case, opinion, reporter_cite

RULE = "A tenant who holds over after the term is bound for another year."
OTHER = "no landlord may turn out a tenant by force"
ROE, DOE = "Roe v. Wade, 410 U.S. 113, 120 (1973)", "Doe v. Bolton, 411 U.S. 179, 190 (1973)"
OWNERS = {"410 U.S. 113": "cl:2", "411 U.S. 179": "cl:3"}


CASES = {number: case(number, citations=[reporter_cite(cite)]) for cite, number in OWNERS.items()}


def found(
    *body: str, notes: Sequence[str] = (), footnotes: Sequence[Footnote] = (), cases: dict[str, Case] = CASES
) -> list[Sought | Reject]:
    text = opinion("cl:1", list(body), list(notes), footnotes=list(footnotes))
    return list(propositions(text, citations_of_case([text], OWNERS.get), Known(cases)))


def only(*body: str) -> Sought | Reject:
    [one] = found(*body)
    return one


@pytest.mark.parametrize(
    ("paragraph", "kind", "expected", "why"),
    [
        (f"{RULE} {ROE}.", "sentence", RULE, "a citation that stands alone is for the sentence before"),
        (f"We begin. {RULE} See {ROE}.", "sentence", RULE, "and for no more"),
        (f"{RULE[:-1]}, {ROE}.", "sentence", RULE[:-1], "at the end of its sentence"),
        (
            f"{RULE[:-1]}, {ROE}, and the same goes for one who never paid his rent.",
            "clause",
            RULE[:-1],
            "in the middle it is for the clause before",
        ),
        (
            f"In {ROE}, we held that {OTHER}.",
            "following",
            f"we held that {OTHER}.",
            "behind a word or two it is for what follows",
        ),
    ],
)
def test_what_a_citation_stands_to(paragraph: str, kind: str, expected: str, why: str) -> None:
    one = only(paragraph)
    assert isinstance(one, Sought), one
    assert (one.kind, one.hypothesis, one.hypothesis_source) == (kind, expected, PROPOSITION), why
    assert one.n_cited == 1
    assert "410" not in one.sentence, "the sentence has no citation"


def test_clauses_with_citations_of_their_own_are_parted() -> None:
    first, second = found(f"{RULE[:-1]}, {ROE}, but {OTHER}, {DOE}.")
    assert isinstance(first, Sought)
    assert isinstance(second, Sought)
    assert (first.hypothesis, second.hypothesis) == (RULE[:-1], OTHER)
    assert (first.cited_case_id, second.cited_case_id) == ("cl:2", "cl:3")
    assert first.n_cited == second.n_cited == 2
    assert (first.kind, second.kind) == ("clause", "clause"), "words follow the first, and stand before the second"
    assert first.sentence == second.sentence


def test_the_members_of_a_string_have_the_same_words() -> None:
    both = found(f"{RULE} {ROE}; {DOE}.")
    assert [one.hypothesis for one in both if isinstance(one, Sought)] == [RULE, RULE]
    assert len({one.candidate_id for one in both if isinstance(one, Sought)}) == 2


def test_a_page_counts_once_for_the_same_words_and_as_often_as_cases_are_cited() -> None:
    twice = found(f"{RULE} {ROE}; see also {ROE}; {DOE.replace('190', '120')}.")
    assert [one.reason if isinstance(one, Reject) else one.cited_case_id for one in twice] == [
        *("cl:2", "repeated-citation", "cl:3"),
    ]


def test_a_group_that_names_two_cases_is_no_proposition() -> None:
    text = opinion("cl:1", [f"{RULE} {ROE}, {DOE}."])
    citations = [replace(citation, group=0) for citation in citations_of_case([text], OWNERS.get)]
    [one] = propositions(text, citations, Known(CASES))
    assert isinstance(one, Reject)
    assert one.reason == "cited-case-ambiguous"


def test_a_note_of_bare_citations_belongs_to_the_sentence_at_its_mark() -> None:
    body = f"We begin. {RULE} It is so ordered."
    mark, start = body.index(" It is"), len(body) + 2
    note = f"See {ROE}."
    [one] = found(body, notes=[note], footnotes=[Footnote("1", mark, start, start + len(note))])
    assert isinstance(one, Sought)
    assert (one.kind, one.hypothesis) == ("note", RULE)


def test_a_note_with_words_of_its_own_keeps_them() -> None:
    start, note = len(RULE) + 2, f"But {OTHER}. {ROE}."
    [one] = found(RULE, notes=[note], footnotes=[Footnote("1", len(RULE), start, start + len(note))])
    assert isinstance(one, Sought)
    assert one.hypothesis == f"But {OTHER}."


@pytest.mark.parametrize(
    ("paragraph", "cases", "reason"),
    [
        (f"{RULE} But see {ROE}.", CASES, "contrary-signal"),
        (f"{RULE} Cf. {ROE}.", CASES, "contrary-signal"),
        (f"{RULE[:-1]}, overruling {ROE}.", CASES, "contrary-signal"),
        (f"{RULE} Roe v. Wade, 410 U.S. 113 (1973).", CASES, "no-pin"),
        (f"{RULE} Roe v. Wade, 410 U.S. 113, at xii.", CASES, "no-pin"),
        (f"{RULE} {ROE}.", {}, "cited-case-unknown"),
        (f"{RULE} {ROE}.", {"cl:2": case("cl:2", n_majority=0)}, "no-majority"),
        (f"So also {ROE}.", CASES, "no-words"),
        (f"{RULE[:-1]}{', and his heirs as well' * 150}, {ROE}.", CASES, "over-3000-characters"),
    ],
)
def test_why_there_is_no_proposition(paragraph: str, cases: dict[str, Case], reason: str) -> None:
    [one] = found(paragraph, cases=cases)
    assert isinstance(one, Reject)
    assert (one.stage, one.reason) == ("propositions", reason)
    assert one.id.startswith("cl:1/0@")


def test_two_cases_with_one_cite_are_told() -> None:
    text = opinion("cl:1", [f"{RULE} {ROE}."])
    [one] = propositions(text, citations_of_case([text], OWNERS.get), Known({}, {"410 U.S. 113"}))
    assert isinstance(one, Reject)
    assert one.reason == "cited-case-ambiguous"


@pytest.mark.parametrize(
    ("marks", "reason"),
    [([119, 122], "pin-not-marked"), ([], "pin-not-marked"), ([119, 120, 121], "")],
    ids=["only the dissent has the page", "no page marks", "marked"],
)
def test_the_pages_of_a_proposition_are_looked_up_like_those_of_a_parenthetical(marks: list[int], reason: str) -> None:
    one = only(f"{RULE} {ROE}.")
    assert isinstance(one, Sought)
    pages = [PageMark("U.S.", str(page), page, 40 * n) for n, page in enumerate(marks)]
    cited = opinion("cl:2", ["It was a cold winter. " * 10], pages=pages)
    place = located(one, cited)
    assert (place.reason if isinstance(place, Reject) else "") == reason
    assert isinstance(place, Reject) is bool(reason)
    if isinstance(place, Reject):
        assert place.stage == "propositions"


def test_in_the_bundled_sample_every_proposition_is_a_span_and_every_group_is_told_of(tmp_path: Path) -> None:
    import_corpus([Path(__file__).parents[2] / "sample" / "caselaw"], tmp_path / "c", None, Settings(workers=1))
    cases = {one.case_id: one for one in iter_records(tmp_path / "c/cases", Case)}
    owners = {cite.cite: one.case_id for one in cases.values() for cite in one.citations}
    n = 0
    for text in iter_records(tmp_path / "c/opinions", Opinion):
        citations = citations_of_case([text], owners.get)
        made = list(propositions(text, citations, Known(cases)))
        assert len(made) == len({citation.group for citation in citations})
        for one in made:
            if isinstance(one, Sought):
                assert one.hypothesis == " ".join(text.text[one.start : one.end].split())
                assert one.kind in PROPOSITION_KINDS
                assert not any(one.start < c.start < one.end for c in citations), "no citation inside"
                n += 1
    assert n > 150


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        (RULE, RULE[:-1], "a rule stands alone; its full stop goes"),
        (f"Moreover, {RULE}", RULE[:-1], "what joins it to the sentence before goes"),
        (f"we held that {OTHER}", OTHER, "the frame goes"),
        (f"In Roe, this Court concluded that {OTHER}.", OTHER, "with its lead"),
        (f"It has long been settled that {OTHER}.", OTHER, "an expletive frame, too"),
        (
            "A [c]ourt may not ‘presume’ the waiver of a right.",
            "A court may not presume the waiver of a right",
            "brackets",
        ),
        (
            "A State may not impermis-sibly tax land of the United States.",
            None,
            "a word that the print parted is joined",
        ),
        ("A landlord may bring a suit, but the suit must be brought in time.", None, "what it points to is in it"),
        ("It is a rule of law that no man may be a judge of himself.", None, "an expletive points to nothing"),
        (f"The settled rule is that {OTHER}.", OTHER, "a rule's frame"),
        (f"As we have so often held, {OTHER}.", OTHER[0].upper() + OTHER[1:], "what was said before goes"),
        (f"“{RULE[:-1]} [or two, if he likes].”", f"{RULE[:-1]} or two, if he likes", "words in brackets stay"),
        (f"`{RULE}''", RULE[:-1], "quotation marks of a typewriter"),
        ("This Court will not weigh again what a jury of the vicinage has found.", None, "this Court is no pronoun"),
        ("The act of holding over binds a tenant for a year.", None, "no statute"),
        (f"{RULE[:-1]}{' and for one year more' * 11}.", None, "68 words"),
        (
            "We have often bound a tenant who holds over, and we may do so where he pays.",
            "This Court has often bound a tenant who holds over, and this Court may do so where he pays",
            "a court that says we is this Court",
        ),
        ("In criminal cases a tenant may not be bound without a jury.", None, "cases that are no precedents"),
    ],
)
def test_what_stands_alone(text: str, expected: str | None, why: str) -> None:
    made = standing(text)
    assert isinstance(made, Alone), (made, why)
    if expected is not None:
        assert made.text == expected, why
    assert "impermis-sibly" not in made.text


@pytest.mark.parametrize("said", ["doubtful", "unlikely", "possible", "said", "not conceivable"])
def test_what_nobody_stands_behind_is_not_taken_out_of_its_doubt(said: str) -> None:
    made = standing(f"It is {said} that a state may tax the land of the United States.")
    assert isinstance(made, Refusal) or "It is" in made.text
    settled = standing("It is settled that a state may tax the land of the United States.")
    assert isinstance(settled, Alone)
    assert settled.text == "a state may tax the land of the United States"


@pytest.mark.parametrize(
    ("before", "text", "expected", "why"),
    [
        ("The Tenancy Act is old.", "the Act binds a tenant who", "the Tenancy Act binds a tenant who", "one name"),
        ("Under the Tenancy Act it is so.", "That Act binds", "The Tenancy Act binds", "an opening is no name's part"),
        ("The Tenancy Act and the Land Act.", "the Act binds", "the Act binds", "two names leave a doubt"),
        ("The Tenancy Act and the Act of 1917.", "the Act binds", "the Act binds", "a year makes a name"),
        ("The Tenancy Act. The Tenancy Act.", "the Act binds", "the Tenancy Act binds", "one name twice"),
        ("Of the Tenancy Act and the Tenancy Act", "the Act binds", "the Tenancy Act binds", "it ends in its head"),
        ("Although Tenancy Act law is old,", "the Act binds", "the Act binds", "an opening word may be no name's"),
        ("The Tenancy Act.", "the Act, and the Tenancy Act", "the Act, and the Tenancy Act", "it is another one"),
        ("The Act is old.", "the Act binds", "the Act binds", "nothing names it"),
        ("The Tenancy Act.", "the Act of 1917 binds", "the Act of 1917 binds", "it has a name of its own"),
        ("The Tenancy Act.", "the statute binds", "the statute binds", "a small letter is any statute"),
        ("The Land Commission.", "the Commission may", "the Commission may", "no law"),
        ("", "the Land Act binds where that Act", "the Land Act binds where the Land Act", "named in the text"),
        (
            "The Privileges and Immunities Clause.",
            "such Clause",
            "the Privileges and Immunities Clause",
            "joined by and",
        ),
    ],
)
def test_a_law_that_the_words_before_name(before: str, text: str, expected: str, why: str) -> None:
    assert resolved(text, before) == expected, why


def test_a_named_law_makes_a_proposition_stand_alone() -> None:
    text, before = "The Act binds a tenant who holds over.", "The Tenancy Act is old."
    assert isinstance(standing(text), Refusal)
    made = standing(text, before)
    assert made == Alone("The Tenancy Act binds a tenant who holds over", ["law named"])
    said = {"hypothesis": text, "before": before, "kind": "sentence", "hypothesis_source": PROPOSITION}
    kept = screen(candidate(**said), {})
    assert isinstance(kept, Screened)
    assert kept.hypothesis == made.text


def test_the_words_before_a_proposition_are_those_of_its_paragraph() -> None:
    [one] = found("Another paragraph.", f"The Tenancy Act\n is old. {RULE} {ROE}.")
    assert isinstance(one, Sought)
    assert one.before == "The Tenancy Act is old."
    [far] = found(f"{'It is an old rule. ' * 60}{RULE} {ROE}.")
    assert isinstance(far, Sought)
    assert 690 < len(far.before) <= 700


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Such a tenant is bound for the whole of another year.", "reference"),
        ("They are bound for another year by the terms of a lease.", "pronoun"),
        ("It may tax the land of a citizen of another State.", "pronoun"),
        ("We think that a tenant who holds over is bound.", "present-case"),
        ("We have never held that a tenant who holds over is bound.", "unsupportive-frame"),
        ("This Court rejected the claim that a tenant who holds over is bound.", "unsupportive-frame"),
        ("Our law has long bound a tenant who holds over his term.", "first-person"),
        ("The petitioner held over and was bound for another year.", "party"),
        ("The Court of Appeals bound a tenant who held over his term.", "lower-court"),
        ("A tenant, counsel argues with force, contends that he is free.", "contention"),
        ("A neighbour testified to a tenant's holding over after the term.", "record"),
        ("A line of cases has bound a tenant who holds over.", "plural-cases"),
        ("Two cases bound a tenant who held over his term.", "plural-cases"),
        ("Cases cited by counsel bound a tenant who held over.", "plural-cases"),
        ("A tenant who holds over is bound, as we see it.", "first-person"),
        ("A tenant who holds over is bound under the statute for a year.", "statute"),
        ("The tax is not upon the land of a citizen.", "definite"),
        ("Is a tenant who holds over after the term bound?", "asks"),
        ("relied upon the old rule of holding over for a year", "fragment"),
        ("A tenant who holds over after the term is bound by", "fragment"),
        ("III. THE LIABILITY OF TENANTS WHO HOLD OVER", "heading"),
        ("The Liability of Tenants Who Hold Over Their Term", "heading"),
        ("El inquilino que permanece después del plazo queda obligado por otro año", "other-language"),
        ("A tenant who holds ov^r after the term is bound.", "noise"),
        ("A tenant is bound.", "under-six-words"),
        (f"{RULE[:-1]}{' and for one year more' * 15}.", "over-seventy-words"),
    ],
)
def test_what_does_not_stand_alone_is_told(text: str, reason: str) -> None:
    made = standing(text)
    assert isinstance(made, Refusal)
    assert made.reason == reason
    assert made.detail


def test_a_proposition_goes_through_its_own_filters_and_a_parenthetical_through_the_papers() -> None:
    said = {
        "hypothesis": "Moreover, a tenant of 5 rooms is bound.",
        "kind": "sentence",
        "hypothesis_source": PROPOSITION,
    }
    kept = screen(candidate(**said), {})
    assert isinstance(kept, Screened)
    assert (kept.hypothesis, kept.steps) == ("A tenant of 5 rooms is bound", ["opening off"])
    dropped = screen(candidate(hypothesis=said["hypothesis"]), {})
    assert isinstance(dropped, Reject)
    assert dropped.reason == "keyword", "the paper drops digits"
    lone = screen(candidate(**{**said, "hypothesis": "Such tenants of rooms are bound for a year."}), {})
    assert isinstance(lone, Reject)
    assert (lone.stage, lone.reason) == ("standing", "reference")
