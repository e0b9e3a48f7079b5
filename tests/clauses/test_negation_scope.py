"""How far the negations and exceptions of a lawyer's query reach; none of the queries is one of ACORD's."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauses_support import searcher
from lawng.clauses.meaning.negation_scope import Scope, Sense
from lawng.clauses.meaning.query_intent import affirmed, query_intent


class Asked(NamedTuple):
    """What a query should be taken to ask; names of concepts."""

    subject: str
    said: Set[str] = frozenset()
    excepted: Set[str] = frozenset()
    absent: Set[str] = frozenset()
    carve_outs: int = 0
    mutual: int = 0


QUERIES = {
    "liability cap that does not apply to breach of confidentiality": Asked("cap", excepted={"confidentiality"}, carve_outs=1),
    "cap on liability with no carve-out for gross negligence": Asked("cap", absent={"gross negligence"}),
    "limitation of liability that applies to negligence but not to wilful misconduct": Asked("cap", said={"negligence"}, excepted={"willful misconduct"}, carve_outs=1),
    "liability capped at the purchase price, without exceptions": Asked("cap", said={"purchase price"}, carve_outs=-1),
    "indemnity that does not mention gross negligence": Asked("indemnity", absent={"gross negligence"}),
    "uncapped liability for fraud with a twelve month cap otherwise": Asked("cap", said={"twelve months"}, excepted={"fraud"}, carve_outs=1),
    "liability cap, carve-outs not permitted": Asked("cap", carve_outs=-1),
    "damages waiver except for breach of confidentiality or gross negligence": Asked("damages waiver", excepted={"confidentiality", "gross negligence"}, carve_outs=1),
    "mutual waiver of consequential damages that does not include lost profits": Asked("damages waiver", said={"consequential damages"}, absent={"lost profits"}, mutual=1),
    "disclaimer of warranties not limited to implied warranties": Asked("warranty disclaimer", said={"implied warranties"}),
    "non-compete that does not bind affiliates": Asked("non-compete", absent={"affiliates"}),
    "governing law other than New York": Asked("governing law", absent={"new york"}),
    "anti-assignment clause that does not apply to affiliates": Asked("anti-assignment", excepted={"affiliates"}, carve_outs=1),
    "license that does not extend to affiliates": Asked("license", excepted={"affiliates"}, carve_outs=1),
    "exclusive remedy other than for fraud": Asked("exclusive remedy", excepted={"fraud"}, carve_outs=1),
    "cap on liability that is not mutual": Asked("cap", mutual=-1),
    "limitation of liability not without exceptions": Asked("cap", carve_outs=1),
    "liability cap with exceptions but none for negligence": Asked("cap", absent={"negligence"}, carve_outs=1),
    "indemnity without hold harmless and with control of the defence": Asked("indemnity", said={"control of defence"}, absent={"hold harmless"}),
    "indemnification, no cap": Asked("indemnity", absent={"cap"}),
    "exclusivity clause which lacks a time and territory limit": Asked("exclusivity", absent={"time and territory"}),
    "neither party is liable for punitive damages, except in case of fraud": Asked("damages waiver", said={"punitive damages"}, excepted={"fraud"}, carve_outs=1, mutual=1),
    "cap on liability with nothing carved out": Asked("cap", carve_outs=-1),
    "liability cap that carves out nothing": Asked("cap", carve_outs=-1),
    "liability cap that carves out fraud but not negligence": Asked("cap", absent={"negligence"}, excepted={"fraud"}, carve_outs=1),
    "limitation of liability that covers fraud but not negligence": Asked("cap", said={"fraud"}, excepted={"negligence"}, carve_outs=1),
    "each of the parties may terminate for convenience": Asked("termination for convenience", mutual=1),
    "the two companies may not disparage one another": Asked("non-disparagement", mutual=1),
    "two-way indemnity": Asked("indemnity", mutual=1),
    "only one party may terminate for convenience": Asked("termination for convenience", mutual=-1),
    "breach of confidentiality is not subject to the limitation of liability": Asked("cap", excepted={"confidentiality"}, carve_outs=1),
    "automatic renewal without notice to renew": Asked("renewal", said={"automatic renewal"}, absent={"notice to renew"}),
    "liability limit: no exceptions, fixed amount": Asked("cap", said={"fixed amount"}, carve_outs=-1),
    "cap applies notwithstanding gross negligence": Asked("cap", said={"gross negligence"}),
    "cap on liability free of any carve-outs": Asked("cap", carve_outs=-1),
    "not only a cap on liability but also a waiver of lost profits": Asked("cap", said={"lost profits"}),
    "product warranty that excludes defects in shipping": Asked("product warranty", excepted={"defects", "manufacturing and shipping"}, carve_outs=1),
    "indemnity apart from claims for strict liability": Asked("indemnity", excepted={"strict liability"}, carve_outs=1),
    "cap that doesnt apply to fraud": Asked("cap", excepted={"fraud"}, carve_outs=1),
    "liability cap does not apply where there is gross negligence": Asked("cap", excepted={"gross negligence"}, carve_outs=1),
    "cap that applies to everything but fraud": Asked("cap", excepted={"fraud"}, carve_outs=1),
    "cap from which confidentiality is not exempt": Asked("cap", absent={"confidentiality"}),
    "limitation of liability with fraud not being excluded": Asked("cap", absent={"fraud"}),
    "audit rights not including affiliates": Asked("audit rights", absent={"affiliates"}),
    "non-solicitation of employees not limited in time and territory": Asked("no solicit of employees", absent={"time and territory"}),
    "limitation of liability that is silent on gross negligence": Asked("cap", absent={"gross negligence"}),
    "nothing in the limitation of liability limits liability for fraud": Asked("cap", excepted={"fraud"}, carve_outs=1),
    "liability cap with no exceptions, including for gross negligence": Asked("cap", absent={"gross negligence"}),
    "limitation of liability that does not cover bodily injury": Asked("cap", excepted={"personal injury"}, carve_outs=1),
    "insurance clause instead of an indemnity": Asked("insurance", absent={"indemnity"}),
    "limitation of liability without a carve-out": Asked("cap", carve_outs=-1),
    "liability cap not extending to fraud or personal injury": Asked("cap", excepted={"fraud", "personal injury"}, carve_outs=1),
    "cap on liability other than for infringement of intellectual property": Asked("cap", excepted={"ip infringement"}, carve_outs=1),
    "indemnity without a duty to defend": Asked("indemnity", absent={"defending claims"}),
    "indemnification for third party claims but not first party claims": Asked("indemnity", said={"third party claims"}, absent={"first party claims"}),
    "cap with fraud carved out": Asked("cap", excepted={"fraud"}, carve_outs=1),
    "limitation of liability not subject to any exceptions": Asked("cap", carve_outs=-1),
    "waiver of consequential damages unless caused by fraud": Asked("damages waiver", said={"consequential damages"}, excepted={"fraud"}, carve_outs=1),
    "warranty disclaimer including but not limited to merchantability and fitness": Asked("warranty disclaimer", said={"merchantability and fitness"}),
    "non-compete without limits of time and territory": Asked("non-compete", absent={"time and territory"}),
    "renewal no later than twelve months after notice to renew": Asked("renewal", said={"twelve months", "notice to renew"}),
    "governing law of England excluding the UCC": Asked("governing law", said={"england"}, excepted={"uniform code excluded"}, carve_outs=1),
    "assignment prohibited without consent, affiliates excepted": Asked("", excepted={"affiliates"}, carve_outs=1),
    "insurance clause without strict liability": Asked("insurance", absent={"strict liability"}),
    "exclusive remedy that is not repair or replacement": Asked("exclusive remedy", absent={"replacement or refund"}),
    "indemnity that is not one-sided": Asked("indemnity", mutual=1),
    "cap that does not exclude fraud": Asked("cap", absent={"fraud"}),
    "no carve-outs other than fraud from the cap": Asked("cap", excepted={"fraud"}, carve_outs=1),
    "indemnity without hold harmless or duty to defend": Asked("indemnity", absent={"hold harmless", "defending claims"}),
    "license without exclusivity": Asked("license", absent={"exclusivity"}),
    "supplier has no liability for lost profits": Asked("damages waiver", said={"lost profits"}),
    "third party IP infringement is excluded from the cap": Asked("cap", excepted={"third-party ip infringement"}, carve_outs=1),
    "gross negligence is not excluded from the liability cap": Asked("cap", absent={"gross negligence"}),
    "limitation of liability where bodily injury falls outside the cap": Asked("cap", excepted={"personal injury"}, carve_outs=1),
    "as-is clause with no exception for title": Asked("as is", absent={"title and non-infringement"}),
    "cap doesn’t apply to indemnification": Asked("cap", excepted={"indemnification obligations"}, carve_outs=1),
    "liability cap absent any exceptions": Asked("cap", carve_outs=-1),
    "liability of not more than twelve months fees": Asked("", said={"twelve months"}),
    "product warranty with a refund rather than repair": Asked("product warranty", said={"replacement or refund"}),
    "most favored nation clause save for affiliates": Asked("most favored nation", excepted={"affiliates"}, carve_outs=1),
    "covenant not to sue except for fraud": Asked("covenant not to sue", excepted={"fraud"}, carve_outs=1),
    "indemnity that omits negligence": Asked("indemnity", absent={"negligence"}),
    "the cap shall not apply to death, fraud, or wilful misconduct": Asked("cap", excepted={"personal injury", "fraud", "willful misconduct"}, carve_outs=1),
    "warranty disclaimer lacking merchantability": Asked("warranty disclaimer", absent={"merchantability and fitness"}),
    "indemnity which does not cover affiliates but covers third party claims": Asked("indemnity", said={"third party claims"}, absent={"affiliates"}),
    "liability for confidentiality breaches uncapped, all else capped at 12 months of fees": Asked("cap", said={"twelve months"}, excepted={"confidentiality"}, carve_outs=1),
    "non-exclusive license to affiliates": Asked("license", said={"affiliates"}),
    # a third part, written when the others held: 33 of 36 at first
    "liability cap with no exclusion for fraud": Asked("cap", absent={"fraud"}),
    "a limitation of liability from which death and personal injury are excluded": Asked("cap", excepted={"personal injury"}, carve_outs=1),
    "limitation of liability excluding liability for death or fraud": Asked("cap", excepted={"personal injury", "fraud"}, carve_outs=1),
    "cap carve-out for IP infringement but no carve-out for gross negligence": Asked("cap", excepted={"ip infringement"}, absent={"gross negligence"}, carve_outs=1),
    "warranty disclaimer that makes no mention of title": Asked("warranty disclaimer", absent={"title and non-infringement"}),
    "governing law neither New York nor England": Asked("governing law", absent={"new york", "england"}),
    "absolute liability cap with zero carve-outs": Asked("cap", carve_outs=-1),
    "liability cap (excludes: fraud)": Asked("cap", excepted={"fraud"}, carve_outs=1),
    "liability cap; carve-outs: fraud, confidentiality": Asked("cap", excepted={"fraud", "confidentiality"}, carve_outs=1),
    "no party is liable for lost profits unless arising from fraud": Asked("damages waiver", said={"lost profits"}, excepted={"fraud"}, carve_outs=1),
    "exclusion of consequential damages": Asked("damages waiver", said={"consequential damages"}),
}  # fmt: skip


@pytest.mark.parametrize(("query", "asked"), QUERIES.items())
def test_what_negations_and_exceptions_govern(query: str, asked: Asked) -> None:
    found = query_intent(query)
    subjects, said, excepted, absent = (frozenset(concept.name for concept in kind) for kind in found[:4])
    assert subjects == ({asked.subject} if asked.subject else frozenset())
    assert Asked(asked.subject, said, excepted, absent, found.carve_outs, found.mutual) == asked


NOTIONS = ("fraud", "confidentiality", "personal injury", "gross negligence")


@given(st.permutations(NOTIONS), st.integers(1, 4), st.sampled_from(("or", "and")))
def test_what_is_listed_is_governed_whole_and_in_any_order(notions: list[str], n: int, by: str) -> None:
    said = ", ".join(notions[:n]) if n < 2 else f"{', '.join(notions[: n - 1])} {by} {notions[n - 1]}"
    for cue in ("that does not apply to", "except for", "excluding", "with carve-outs for", "not extending to"):
        found = query_intent(f"liability cap {cue} {said}")
        assert ({one.name for one in found.excepted}, found.said, found.absent) == (set(notions[:n]), (), ()), cue
    for cue in ("without", "that does not mention", "lacking"):
        found = query_intent(f"liability cap {cue} {said}")
        assert ({one.name for one in found.absent}, found.said, found.carve_outs) == (set(notions[:n]), (), 0), cue


@given(st.sampled_from(NOTIONS), st.sampled_from(NOTIONS), st.sampled_from(("but with", "and with", "; it covers")))
def test_a_new_phrase_ends_what_a_negation_governs(first: str, second: str, opens: str) -> None:
    found = query_intent(f"indemnity without {first} {opens} {second}")
    if first != second:
        assert ([one.name for one in found.absent], [one.name for one in found.said]) == ([first], [second])


@pytest.mark.parametrize("name", NOTIONS)
def test_a_negation_after_a_notion_does_not_reach_back(name: str) -> None:
    found = query_intent(f"cap covering {name}, without twelve month limits")
    assert ([one.name for one in found.said], [one.name for one in found.absent]) == ([name], ["twelve months"])


PIECES = st.sampled_from([
    "no ", "not ", "without ", "except for ", "excluded ", "carve-out", "exceptions ", "fraud ", "cap ", "indemnity ", "(i)",
    "(", ")", ":", ", ", " and ", " or ", " but ", "that ", "does not apply to ", "uncapped ", "unqualified ", "n't ", "\u0130",
])  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_whatever_is_asked_each_notion_is_asked_for_in_one_way(query: str) -> None:
    found = query_intent(query)
    names = [one.name for kind in (found.subjects, found.said, found.excepted, found.absent) for one in kind]
    assert len(names) == len(set(names))
    assert not (found.excepted and found.carve_outs != 1)
    assert len(affirmed(query)) <= len(query)


@given(st.text(alphabet="no twiuexcpfradl,.()'’-", max_size=80), st.lists(st.integers(0, 79), max_size=5))
def test_every_place_of_any_query_has_a_sense(query: str, starts: list[int]) -> None:
    spans = [(start, start + 3) for start in starts if start + 3 <= len(query)]
    found = Scope(query, spans, spans[:1], restricts=True)
    assert all(found.at(place) in Sense for place in range(len(query)))
    assert found.carve_outs() in {-1, 0, 1}


CLAUSES = {
    "plain": "Each party's total liability under this agreement shall not exceed the fees paid.",
    "confidential": "Except for breach of confidentiality, a party's total liability shall not exceed the fees paid.",
    "fraud": "Except for fraud, each party's total liability under this agreement shall not exceed the fees paid.",
    "indemnity": "The seller shall indemnify, defend and hold harmless the buyer from any third party claims.",
    "capped indemnity": "The seller shall indemnify the buyer; its aggregate liability under this shall not exceed $5.",
    "notices": "Notices shall be in writing and are effective when received by the other party.",
}


@pytest.mark.parametrize(
    ("query", "first", "behind"),
    [
        ("liability cap that does not apply to breach of confidentiality", "confidential", ("plain", "fraud")),
        ("liability cap without a carve-out", "plain", ("confidential", "fraud")),
        ("liability cap without a carve-out for fraud", "plain", ("fraud",)),
        ("liability cap with a carve-out for fraud", "fraud", ("plain", "confidential")),
        ("indemnity without a cap on liability", "indemnity", ("capped indemnity",)),
        ("indemnity without hold harmless", "capped indemnity", ("indemnity",)),
    ],
)
def test_what_is_asked_comes_before_what_is_negated(
    tmp_path: Path, query: str, first: str, behind: tuple[str, ...]
) -> None:
    found = [hit.clause.text for hit in searcher(tmp_path, *CLAUSES.values()).search(query).hits]
    names = [next(name for name, text in CLAUSES.items() if text == one) for one in found]
    assert all(names.index(first) < names.index(other) for other in behind if other in names)
