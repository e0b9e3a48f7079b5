"""What queries of every kind ask for, by the glossary."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS
from lawng.clauses.meaning.negation_scope import Sense
from lawng.clauses.meaning.query_intent import Named, query_intent


class Asked(NamedTuple):
    """What a query should be taken to ask; names of concepts."""

    subjects: Set[str]
    said: Set[str] = frozenset()
    excepted: Set[str] = frozenset()
    absent: Set[str] = frozenset()
    carve_outs: int = 0
    mutual: int = 0
    favours: int = 0


QUERIES = {
    # short
    "audit rights": Asked({"audit rights"}),
    "AUDIT RIGHTS": Asked({"audit rights"}),
    "cap on liability with carve-outs": Asked({"cap"}, carve_outs=1),
    "cap on liability with carveouts": Asked({"cap"}, carve_outs=1),
    "limitation of liability without carve-outs": Asked({"cap"}, carve_outs=-1),
    "cap on liability with no exceptions": Asked({"cap"}, carve_outs=-1),
    "unqualified cap on liability": Asked({"cap"}, carve_outs=-1),
    "fraud exception to cap on liability": Asked({"cap"}, excepted={"fraud"}, carve_outs=1),
    "fraud exception to indirect damages waiver": Asked({"damages waiver"}, excepted={"fraud"}, carve_outs=1),
    "cap on liability for indirect damages": Asked({"cap"}, said={"indirect damages"}),
    "bodily injury exception to cap on liability via indemnification carve-out": Asked(
        {"cap"}, excepted={"personal injury", "indemnification obligations"}, carve_outs=1
    ),
    "third-party IP infringement exception to cap": Asked(
        {"cap"}, excepted={"third-party ip infringement"}, carve_outs=1
    ),
    "fraud indemnity": Asked({"indemnity"}, said={"fraud"}),
    "mutual damages waiver of lost profits": Asked({"damages waiver"}, said={"lost profits"}, mutual=1),
    "unilateral indemnity": Asked({"indemnity"}, mutual=-1),
    "one-sided non-compete": Asked({"non-compete"}, mutual=-1),
    "seller-favorable as-is clause": Asked({"as is"}, favours=1),
    "vendor friendly indemnification": Asked({"indemnity"}, favours=1),
    "buyer-favourable warranty disclaimer": Asked({"warranty disclaimer"}, favours=-1),
    "different liability caps for each": Asked({"cap"}),
    "non-compete bound by time and territory": Asked({"non-compete"}, said={"time and territory"}),
    "non-compete not bound by time and territory": Asked(
        {"non-compete"}, said={"more than twelve months"}, absent={"time and territory"}
    ),
    "indemnity that does not cover first party claims": Asked({"indemnity"}, absent={"first party claims"}),
    "anti-assignment that requires notice only": Asked({"anti-assignment"}, said={"notice only"}),
    "trademark or copyright infringement indemnity": Asked({"indemnity"}, said={"trademark or copyright"}),
    "joint IP ownership": Asked({"joint ip ownership"}),
    # without a subject, or unknown
    "fraud": Asked(set(), said={"fraud"}),
    "repainting of walls": Asked(set()),
    "责任限制": Asked(set()),
    # medium
    "indirect damages waiver applies to a party's liability for fraud or negligence": Asked(
        {"damages waiver"}, said={"fraud", "negligence"}
    ),
    "warranty disclaimer that does not specifically waive title and non-infringement warranties": Asked(
        {"warranty disclaimer"}, absent={"title and non-infringement"}
    ),
    # long
    "A clause under which each party's liability is limited to a fixed sum, with an exception for gross negligence": Asked(
        {"cap"}, said={"fixed amount"}, excepted={"gross negligence"}, carve_outs=1, mutual=1
    ),
    "A clause by which the supplier must indemnify the customer, and must defend claims brought by third parties": Asked(
        {"indemnity"}, said={"defending claims"}
    ),
}  # fmt: skip


@pytest.mark.parametrize(("query", "asked"), QUERIES.items())
def test_what_a_query_asks_for(query: str, asked: Asked) -> None:
    found = query_intent(query)
    subjects, said, excepted, absent = ({concept.name for concept in kind} for kind in found[:4])
    assert Asked(subjects, said, excepted, absent, *found[4:7]) == asked


def test_the_meaning_has_all_that_is_asked_and_nothing_that_may_not_be_there() -> None:
    found = query_intent("cap on liability except for fraud")
    cap, fraud = (
        next(one for one in kind if one.name == name) for kind, name in ((SUBJECTS, "cap"), (MATTERS, "fraud"))
    )
    assert found.meaning == f"{cap.meaning} {fraud.meaning}"
    assert query_intent("cap that does not mention fraud").meaning == cap.meaning
    assert query_intent("repainting of walls").meaning == ""


@given(st.one_of(st.text(max_size=300), st.lists(st.sampled_from(sorted(QUERIES)), max_size=4).map(" ".join)))
def test_a_matter_is_asked_for_in_one_way(query: str) -> None:
    found = query_intent(query)
    matters = [*found.said, *found.excepted, *found.absent]
    assert len({matter.name for matter in matters}) == len(matters)
    assert not (found.excepted and found.carve_outs != 1)
    assert {found.carve_outs, found.mutual, found.favours} <= {-1, 0, 1}


def test_a_whole_clause_may_be_the_query() -> None:
    clause = "Neither party's total liability shall exceed $5, except for fraud. " * 300
    assert query_intent(clause[:20_000]).carve_outs == 1


@pytest.mark.parametrize(
    ("query", "absent", "excepted"),
    [
        ("cap without a carve-out for fraud", {"fraud"}, set()),
        ("cap lacking an exception for fraud or negligence", {"fraud", "negligence"}, set()),
        ("cap where fraud is not carved out", {"fraud"}, set()),
        ("cap with carve-outs for fraud, but not for negligence", {"negligence"}, {"fraud"}),
        ("cap with a carve-out for fraud", set(), {"fraud"}),
        ("cap without fraud", set(), {"fraud"}),  # no exception is spoken of: what is told of the word stands
    ],
)
def test_a_negated_exception_is_none_whatever_the_words_look_like(
    query: str, absent: set[str], excepted: set[str]
) -> None:
    told = tuple(
        Named(name, query.index(name), query.index(name) + len(name), Sense.EXCEPTED)
        for name in ("fraud", "negligence")
        if name in query
    )
    found = query_intent(query, told)
    assert ({one.name for one in found.absent}, {one.name for one in found.excepted}) == (absent, excepted)


@pytest.mark.parametrize(
    ("query", "subjects", "why"),
    [
        ("control of defence and hold harmless", {"indemnity"}, "both are of one subject"),
        ("shelf life in new york", set(), "of two subjects: neither is meant more"),
        ("hold harmless, gross negligence", {"indemnity"}, "negligence is of no subject"),
        ("gross negligence", set(), "it may be said of many"),
        ("cap, not hold harmless", {"cap"}, "a subject is named"),
        ("no control of defence", set(), "what must not be there is no question"),
    ],
)
def test_matters_of_one_subject_mean_it_where_none_is_named(query: str, subjects: set[str], why: str) -> None:
    told = tuple(
        Named(one.name, query.index(one.name), query.index(one.name) + len(one.name))
        for one in MATTERS
        if one.name in query
    )
    assert {one.name for one in query_intent(query, told).subjects} == subjects, why
    by_patterns = query_intent(query)
    assert {one.name for one in by_patterns.subjects} == subjects & {"cap"}, "a pattern alone implies nothing"
