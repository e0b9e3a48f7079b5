"""Descriptions: every field of one, whom it is about when cites are parallel, and how much of a sentence is taken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.citation.extract import citations_of_case
from lawng.index.descriptions import (
    CITING,
    cites_of_group,
    citing_sentences,
    contrary,
    descriptions_of_opinion,
    part_of,
    undescribed,
)
from lawng.schema import Case, Citation, Description, PageMark, Parenthetical
from records_support import citation
from retrieval_support import case_of, opinion_of

RULE = "The tenant who holds over after the term is bound for another year."


def citing(*paragraphs: str) -> list[Description]:
    opinion = opinion_of(list(paragraphs))
    return citing_sentences(opinion, case_of(), citations_of_case([opinion]))


def described(*paragraphs: str) -> list[Description]:
    opinion = opinion_of(list(paragraphs))
    return descriptions_of_opinion(opinion, case_of(), citations_of_case([opinion]))


def test_every_field_of_a_description() -> None:
    text = "But see Roe v. Wade, 410 U.S. 113, 93 S. Ct. 705, 120-21 (1973) (Stewart, J., concurring) (holding  that\nit may)."
    [found] = described("We begin.", text)
    start = len("We begin.\n\n") + text.index("holding")
    assert found == Description(
        description_id=f"cl:1/0@{start}",
        case_id="",
        cite="410 U.S. 113",
        parallel=["93 S. Ct. 705"],
        court="",
        jurisdiction="",
        date="",
        part="concurrence",
        text="holding that it may",
        kind="explanatory",
        signal="but see",
        pin_cite="120-21",
        pin_pages=[120, 121],
        citing_case_id="cl:1",
        citing_opinion_id="cl:1/0",
        citing_name="A v. B",
        citing_cite="1 U.S. 1",
        citing_date="1990",
        citing_part="majority",
        citing_author="J.",
        citing_page="",
        start=start,
        end=start + len("holding  that\nit may"),
    )
    assert not contrary(found), "its signal is for the citation, and its words are a court's own about the case"


@pytest.mark.parametrize(
    ("case", "cite", "page"),
    [
        (case_of(), "1 U.S. 1", "2"),
        (replace(case_of(), citations=[]), "", "705"),
    ],
    ids=["in the first reporter that the case is cited by", "else in the one that is marked first"],
)
def test_the_page_of_a_description(case: Case, cite: str, page: str) -> None:
    body = ["We begin.", "Roe v. Wade, 410 U.S. 113 (holding that it may)."]
    marks = [PageMark("S. Ct.", "705", 705, 0), PageMark("U.S.", "1", 1, 0), PageMark("U.S.", "2", 2, len(body[0]))]
    opinion = replace(opinion_of(body), pages=marks)
    [found] = descriptions_of_opinion(opinion, case, citations_of_case([opinion]))
    assert (found.citing_cite, found.citing_page) == (cite, page)


@pytest.mark.parametrize(
    ("weights", "part"),
    [
        ([], "majority"),
        (["per curiam"], "majority"),
        (["Brennan, J., dissenting"], "dissent"),
        (["plurality opinion"], "plurality"),
        (["en banc", "concurring"], "concurrence"),
        (["concurring in judgment", "dissenting in part"], "concurrence-in-part"),
        (["DISSENTING"], "dissent"),
    ],
)
def test_whose_words_are_described(weights: list[str], part: str) -> None:
    assert part_of(weights) == part


def member(cite: str, *parallel: str, **changes: object) -> Citation:
    return citation("cl:1/0", 0, cite, parallel=list(parallel), **changes)


def test_own_cites_come_before_parallel_ones_each_once_and_none_empty() -> None:
    group = [
        member("1 U.S. 1", "3 S. Ct. 3", ""),
        member("2 L. Ed. 2", "1 U.S. 1"),
        member("9 F. 9", resolved_cite=None),
    ]
    assert cites_of_group(group) == ["1 U.S. 1", "2 L. Ed. 2", "3 S. Ct. 3"]
    assert cites_of_group([]) == []


def test_what_stands_for_no_case_describes_none_and_is_counted() -> None:
    opinion = opinion_of([RULE])
    said = [Parenthetical("holding x", 4, 13, "explanatory"), Parenthetical("en banc", 20, 27, "weight")]
    lost = [member("9 F. 9", resolved_cite=None, parentheticals=said)]
    assert descriptions_of_opinion(opinion, case_of(), lost) == []
    assert undescribed(lost) == 1
    assert undescribed([member("9 F. 9", parentheticals=said)]) == 0


def test_pin_and_signal_are_those_of_the_member_that_has_them_and_a_shared_parenthetical_is_told_apart() -> None:
    opinion = opinion_of([RULE])
    said = [Parenthetical("The tenant", 0, 10, "explanatory")]
    first = member("1 U.S. 1", parentheticals=said)
    second = member("2 U.S. 2", parentheticals=said, signal="see", pin_cite="7", pin_pages=[7])
    other = citation("cl:1/0", 20, "3 U.S. 3", parentheticals=said, group=1)
    one, two = descriptions_of_opinion(opinion, case_of(), [first, second, other])
    assert (one.cite, one.parallel, one.signal, one.pin_cite, one.pin_pages) == (
        "1 U.S. 1", ["2 U.S. 2"], "see", "7", [7],
    )  # fmt: skip
    assert (two.cite, two.signal, two.pin_cite, two.pin_pages) == ("3 U.S. 3", "", "", [])
    assert (one.description_id, two.description_id) == ("cl:1/0@0", "cl:1/0@28")


@pytest.mark.parametrize(
    ("paragraph", "expected", "why"),
    [
        (f"{RULE} So holds each of them. Roe v. Wade, 410 U.S. 113.", f"{RULE} So holds each of them.", "four words"),
        (f"{RULE} So holds each and every one. Roe v. Wade, 410 U.S. 113.", "So holds each and every one.", "five"),
        (f"{RULE} It is so. It was so. Roe v. Wade, 410 U.S. 113.", None, "the third before is not taken"),
        (f"{RULE} It is so. See Roe v. Wade, 410 U.S. 113.", f"{RULE} It is so.", "two before are"),
    ],
)
def test_how_many_sentences_are_taken(paragraph: str, expected: str | None, why: str) -> None:
    assert [one.text for one in citing(paragraph)] == ([expected] if expected else []), why


@pytest.mark.parametrize(("n", "cut"), [(119, False), (120, True)])
def test_a_sentence_of_more_than_120_words_is_cut(n: int, cut: bool) -> None:
    [found] = citing(f"{' '.join(['tenants'] * n)} stay, Roe v. Wade, 410 U.S. 113.")
    assert len(found.text.split()) == 120 + cut
    assert found.text.endswith(" …") is cut


@pytest.mark.parametrize("signal", ["but see", "contra", "compare", "see", ""])
def test_only_a_citing_sentence_can_be_set_against_its_case(signal: str) -> None:
    [found] = citing(f"{RULE} {signal.capitalize()} Roe v. Wade, 410 U.S. 113.".replace("  ", " "))
    assert found.kind == CITING
    assert contrary(found) is (signal in {"but see", "contra", "compare"})


PIECES = st.sampled_from([
    RULE, "It is so.", "Roe v. Wade, 410 U.S. 113, 120 (1973).", "See Doe v. Bolton, 410 U.S. 179 (holding that it may).",
    "In Poe v. Ullman, 367 U.S. 497, the Court held that a tenant at will owes no rent.", "Id., at 12.",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=4))
def test_citing_sentences_are_spans_of_one_paragraph_without_citations_each_known_by_its_own_id(
    said: list[str],
) -> None:
    opinion = opinion_of(said)
    found = citing(*said)
    assert len({one.description_id for one in found}) == len(found)
    assert len({(one.cite, one.start) for one in found}) == len(found)
    for one in found:
        assert any(p.start <= one.start < one.end <= p.end for p in opinion.paragraphs)
        assert "U.S." not in one.text
        assert "  " not in one.text
