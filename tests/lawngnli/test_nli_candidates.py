"""Candidates (A.1.1): what becomes one, and every reason why a parenthetical does not."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lawng.lawngnli.candidates
from lawng.citation.pins import pin_pages
from lawng.lawngnli.candidates import locate, located, whole_paragraphs
from lawng.lawngnli.cited import Known
from lawng.lawngnli.records import Passage, Sought
from lawng.lawngnli.sought import n_units, sought
from lawng.pipeline import Count
from lawng.schema import Candidate, Citation, Footnote, Opinion, PageMark, Reject, ReporterCite, Span
from nli_fixture import citation, opinion
from records_support import case

CITING = opinion("cap:1", ["The rule is settled. " * 20, "It is so ordered. " * 10])
CASES = {"cap:1": case("cap:1"), "cap:2": case("cap:2"), "cap:3": case("cap:3")}
CITED = opinion("cap:2", ["First page.", "The State may tax income.", "Third page."])


def seek(*citations: Citation, ambiguous: frozenset[str] = frozenset(), **cited: Any) -> list[Sought | Reject]:
    cases = CASES | {"cap:2": replace(CASES["cap:2"], **cited)}
    found = list(sought(CITING, citations, Known(cases, ambiguous)))
    assert len(found) == n_units(citations), "a unit was lost or doubled"
    return found


def reasons(found: list[Sought | Reject]) -> list[str]:
    return [item.reason if isinstance(item, Reject) else "sought" for item in found]


def test_a_parenthetical_with_a_pin_becomes_a_candidate() -> None:
    [item] = seek(citation(5, ["holding  that\nx"]))
    assert isinstance(item, Sought)
    assert item.candidate_id == "cap:1/0@25"
    assert item.hypothesis == "holding that x", "white space is collapsed"
    assert item.citing_page == "10"
    found = located(item, CITED)
    assert isinstance(found, Candidate)
    assert CITED.text[found.premise_start : found.premise_end] == "The State may tax income."
    assert (found.cited_cite, found.pin_pages, found.cited_opinion_id) == ("2 Mass. 10", [11], "cap:2/0")


@pytest.mark.parametrize(("start", "before"), [(5, 5), (199, 199), (300, 200)])
def test_the_context_is_what_stands_around_the_citation(start: int, before: int) -> None:
    cite = citation(start, ["holding that x"])
    [item] = seek(cite)
    assert isinstance(item, Sought)
    around = CITING.text[start - before : start], CITING.text[cite.full_end : cite.full_end + 200]
    assert item.context.split("…") == [*around]


@pytest.mark.parametrize(
    ("changes", "cited", "reason"),
    [
        pytest.param({"parentheticals": []}, {}, "no-parenthetical", id="nothing said of the case"),
        pytest.param({"pin_cite": None, "pin_pages": []}, {}, "no-pin", id="no pin"),
        pytest.param({"pin_cite": "xii", "pin_pages": []}, {}, "pin-not-numeric", id="roman page"),
        pytest.param({"cited_case_id": None}, {}, "cited-case-unknown", id="not in the corpus"),
        pytest.param({"cited_case_id": "cap:9"}, {}, "cited-case-unknown", id="id of no case"),
        pytest.param({"cited_case_id": "cap:1"}, {}, "self-citation", id="cites itself"),
        pytest.param({}, {"n_majority": 0}, "no-majority", id="all dissent"),
        pytest.param({}, {"n_majority": 2}, "several-majorities", id="two opinions of the court"),
    ],
)
def test_reasons(changes: dict[str, Any], cited: dict[str, Any], reason: str) -> None:
    assert reasons(seek(replace(citation(5, ["holding x"]), **changes), **cited)) == [reason]


def test_a_cite_that_names_two_cases_is_ambiguous() -> None:
    doubtful = citation(5, ["holding x"], cited_case_id=None)
    assert reasons(seek(doubtful, ambiguous=frozenset({"2 Mass. 10"}))) == ["cited-case-ambiguous"]


def test_only_the_first_of_consecutive_citations_with_one_parenthetical() -> None:
    first, second, third = (citation(start, ["holding x"]) for start in (5, 60, 120))
    other = citation(90, ["holding y"])
    both = [citation(start, ["en banc", "holding x"]) for start in (5, 90)]
    assert reasons(seek(*both)) == ["sought", "sought", "repeated-citation", "repeated-citation"]
    assert reasons(seek(first, second)) == ["sought", "repeated-citation"]
    assert reasons(seek(first, other, third)) == ["sought", "sought", "sought"], "not consecutive"
    elsewhere = replace(second, cited_case_id="cap:3", resolved_cite="3 Mass. 10")
    assert reasons(seek(first, elsewhere)) == ["sought", "sought"], "another case"


def test_the_first_citation_stands_even_without_a_pin() -> None:
    first = citation(5, ["holding x"], pin_cite=None, pin_pages=[])
    assert reasons(seek(first, citation(60, ["holding x"]))) == ["no-pin", "repeated-citation"]


def test_a_parallel_group_counts_once_and_brings_all_its_pins() -> None:
    official = citation(5, ["holding x"], group=1)
    parallel = replace(official, start=16, cite="3 N.E., at 44", resolved_cite="3 N.E. 40", pin_pages=[44])
    cites = [ReporterCite("2 Mass. 10", "2", "Mass.", "10"), ReporterCite("3 N.E. 40", "3", "N.E.", "40")]
    found = seek(official, parallel, citations=cites)
    assert sorted(reasons(found)) == ["parallel-citation", "sought"]
    item = next(item for item in found if isinstance(item, Sought))
    assert [(pin.reporter, pin.pages) for pin in item.pins] == [("Mass.", [11]), ("N.E.", [44])]
    only_regional = replace(CITED, pages=[PageMark("N.E.", "44", 44, 13), PageMark("N.E.", "45", 45, 40)])
    premise = located(item, only_regional)
    assert isinstance(premise, Candidate)
    assert (premise.cited_cite, premise.pin_pages) == ("3 N.E. 40", [44]), "the marked reporter serves"


def test_two_parentheticals_of_one_citation_are_two_candidates() -> None:
    assert reasons(seek(citation(5, ["en banc", "holding x"]))) == ["sought", "sought"]


def test_a_short_form_counts_pages_of_its_own_reporter() -> None:
    cites = [ReporterCite("2 Mass. 10", "2", "Mass.", "10"), ReporterCite("3 S. Ct. 40", "3", "S. Ct.", "40")]
    [item] = seek(citation(5, ["holding x"], cite="3 S.Ct., at 44", pin_pages=[44]), citations=cites)
    assert isinstance(item, Sought)
    assert item.pins[0].reporter == "S. Ct."


@pytest.mark.parametrize(
    ("cited", "reason"),
    [
        pytest.param(None, "no-majority", id="none"),
        pytest.param(replace(CITED, pages=[]), "pin-not-marked", id="no page marks"),
    ],
)
def test_reasons_that_only_the_cited_opinion_tells(cited: Opinion | None, reason: str) -> None:
    [item] = seek(citation(5, ["holding x"]))
    assert isinstance(item, Sought)
    found = located(item, cited)
    assert isinstance(found, Reject)
    assert found.reason == reason


def test_a_page_of_the_dissent_is_told_from_an_opinion_without_marks() -> None:
    [item] = seek(citation(5, ["holding x"], pin_cite="99", pin_pages=[99]))
    assert isinstance(item, Sought)
    details = [
        found.detail
        for pages in (
            [PageMark("A.", "7", 7, 0), *CITED.pages, PageMark("N.E.", "8", 8, 0)],
            [PageMark("N.E.", "8", 8, 0)],
        )
        if isinstance(found := located(item, replace(CITED, pages=pages)), Reject)
    ]
    assert details == [
        "cap:2: Mass. 99; the majority has 10-12",
        "cap:2: Mass. 99; no pages of that reporter are marked",
    ]


def test_a_pinned_footnote_joins_only_where_it_touches_the_page() -> None:
    text = "First page.\n\nSecond page.\n\nThe note."
    near = opinion("cap:2", ["First page.", "Second page.", "The note."], body_end=25)
    noted = replace(near, footnotes=[Footnote("5", 24, 27, 36)])
    last, first = (citation(5, ["holding x"], pin_pages=[page], pin_notes=["5"]) for page in (11, 10))
    texts = []
    for cite in (last, first):
        [item] = seek(cite)
        assert isinstance(item, Sought)
        found = located(item, replace(noted, pages=noted.pages[:2]))
        assert isinstance(found, Candidate)
        texts.append(text[found.premise_start : found.premise_end])
    assert texts == ["Second page.\n\nThe note.", "First page."]


@pytest.mark.parametrize(
    ("pin", "label", "premise"),
    [
        pytest.param("10, n. 5", "5", "The note.", id="the note alone"),
        pytest.param("10 n.5", "5", "The note.", id="without a comma"),
        pytest.param("10, and n. 5", "5", "First page.", id="page and note: the note is too far for one span"),
        pytest.param("10 & n.5", "5", "First page.", id="the same with &"),
        pytest.param(
            "10 n.5, 11", "5", "First page.\n\nSecond page.\n\nMore of it.\n\nThe note.", id="another page too"
        ),
        pytest.param("10, n. 6", "6", "First page.", id="a note whose mark is on another page"),
        pytest.param(
            "11, n. 5", "5", "Second page.\n\nMore of it.\n\nThe note.", id="a note whose mark is on the page before"
        ),
        pytest.param("10, n. 7", "7", "First page.", id="a note that is not there"),
    ],
)
def test_a_pin_of_a_note_alone_has_the_note_for_its_premise(pin: str, label: str, premise: str) -> None:
    paragraphs = ["First page.", "Second page.", "More of it.", "The note."]
    plain = opinion("cap:2", [*paragraphs, "Another."], body_end=38)
    assert plain.text[40:49] == "The note."
    noted = replace(plain, pages=plain.pages[:2], footnotes=[Footnote("5", 4, 40, 49), Footnote("6", 30, 51, 59)])
    [item] = seek(citation(5, ["holding x"], pin_cite=pin, pin_pages=pin_pages(pin), pin_notes=[label]))
    assert isinstance(item, Sought)
    found = located(item, noted)
    assert isinstance(found, Candidate)
    assert noted.text[found.premise_start : found.premise_end] == premise


@given(st.integers(0, 55), st.integers(0, 55))
def test_whole_paragraphs_contain_the_span_and_end_at_borders(one: int, two: int) -> None:
    start, end = min(one, two), max(one, two) + 1
    found = whole_paragraphs(CITED, Span(start, end))
    touched = [p for p in CITED.paragraphs if p.start < end and start < p.end]
    if touched:
        assert found == Span(touched[0].start, touched[-1].end)
    assert all(not (p.start < found.start < p.end) and not (p.start < found.end < p.end) for p in touched)


def test_a_note_of_nothing_but_citations_is_no_premise() -> None:
    cited = opinion("cap:2", ["First page.", "See Roe v. Wade, 2 Mass. 10, 11.", "Third page."])
    at = cited.text.index("Roe")
    roe = replace(citation(at, []), start=at + 13, full_start=at, end=at + 27, full_end=cited.text.index(".\n\nThird"))
    [item] = seek(citation(5, ["holding x"]))
    assert isinstance(item, Sought)
    for citations, reason in (([roe], "premise-only-citations"), ([], None)):
        unit: Any = SimpleNamespace(pairs=lambda found=citations: [(cited, found)]), None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lawng.lawngnli.candidates, "iter_records", lambda part, record: [item])
            found = [one for one in locate(unit) if not isinstance(one, Count)]
        if reason is None:
            assert [type(one) for one in found] == [Candidate, Passage]
        else:
            [reject] = found
            assert isinstance(reject, Reject)
            assert (reject.stage, reject.reason) == ("candidates", reason)
            assert reject.detail == "See Roe v. Wade, 2 Mass. 10, 11."
