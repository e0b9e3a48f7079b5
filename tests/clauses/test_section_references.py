"""Sections that a contract names by number: their titles tell what is taken out of a rule, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.clauses.collection import Library
from lawng.clauses.meaning.clause_annotation import annotate
from lawng.clauses.meaning.explained import explain, told
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.search import ClauseSearcher
from lawng.clauses.sections.cut import clauses_of
from lawng.clauses.sections.references import TITLE, sections_of, titled, titles_of
from lawng.schema import Clause, ContractText
from time_support import grows_at_most

TITLES = {"5": "CONFIDENTIALITY", "7": "INDEMNITY", "7.2": "INDEMNITY By Customer", "9": "FEES"}
HEAD = "1. Fees\n\n1.1 Payment. Customer pays.\n\n"
CAP = "3. Liability\n\n3.1 Cap. {rule}\n\n3.2 Losses. Fees are due.\n\n"
TAIL = "5. Confidentiality\n\n5.1 Duty. Neither party tells.\n\n7. Indemnity\n\n7.1 Provider. It pays.\n"
CAPPED = "total liability shall not exceed the fees paid."


def searcher_of(cache: Path, text: str) -> ClauseSearcher:
    return ClauseSearcher(Library(clauses_of(ContractText(text), "a.txt").clauses), cache=cache)


@pytest.mark.parametrize(
    ("text", "expected", "why"),
    [
        ("breach of Section 5, which", "breach of Section 5 ⟦CONFIDENTIALITY⟧, which", "a number"),
        ("Sections 5, 7.2 and 9.", "Sections 5 ⟦CONFIDENTIALITY⟧, 7.2 ⟦INDEMNITY By Customer⟧ and 9 ⟦FEES⟧.", "a list"),
        ("Section 7.1(a)(ii);", "Section 7.1(a)(ii) ⟦INDEMNITY⟧;", "no title of its own: that of what it is in"),
        ("ARTICLE VII or Article V", "ARTICLE VII ⟦INDEMNITY⟧ or Article V ⟦CONFIDENTIALITY⟧", "in roman numerals"),
        ("claims under clause 5.", "claims under clause 5 ⟦CONFIDENTIALITY⟧.", "a clause, as in England"),
        ("Section 5 of this Agreement", "Section 5 ⟦CONFIDENTIALITY⟧ of this Agreement", "of this one"),
        ("Section 5 of the Securities Act", "Section 5 of the Securities Act", "of a statute"),
        ("Section 5 of Exhibit A", "Section 5 of Exhibit A", "of an exhibit"),
        ("the 5 sections", "the 5 sections", "no reference"),
        ("Section 8 and Section 55", "Section 8 and Section 55", "numbers without a title"),
        ("subsection 5, intersection 7", "subsection 5, intersection 7", "other words"),
    ],
)
def test_a_title_stands_behind_the_number_that_refers_to_it(text: str, expected: str, why: str) -> None:
    assert titled(text, TITLES) == expected, why
    assert TITLE.sub("", expected) == text, "nothing else is changed"


def clause(section: str, heading: str, *headings: str, source: str = "a") -> Clause:
    return Clause(f"{source}#0", source, section, heading, list(headings), 0, 0, 1, "x", 1)


@pytest.mark.parametrize(
    ("clauses", "expected", "why"),
    [
        (
            [clause("5.1", "Duty", "SECRETS")],
            {"5": "SECRETS", "5.1": "SECRETS Duty"},
            "a section is called what heads it",
        ),
        ([clause("5.1", "Duty", "PART I", "SECRETS")], {"5": "SECRETS", "5.1": "SECRETS Duty"}, "parts have no number"),
        ([clause("5.1", "Duty")], {"5.1": "Duty"}, "the article has no heading"),
        ([clause("V", "Secrets: all")], {"5": "Secrets all"}, "numbers in digits, titles in words alone"),
        ([clause("2", "Term"), clause("2", "Scope")], {}, "two sections of one number: none is meant for sure"),
        ([clause("2", "Term"), clause("2", "Term")], {"2": "Term"}, "a section in two pieces"),
        (
            [clause("Schedule 1, 2", "Fees"), clause("", "Fees"), clause("(a)", "Fees")],
            {},
            "no numbers of the contract",
        ),
        ([clause("2.1", "", " ".join(["word"] * 13))], {}, "a sentence that leads into a list is no title"),
    ],
)
def test_titles_are_those_of_the_sections(clauses: list[Clause], expected: dict[str, str], why: str) -> None:
    assert dict(titles_of(clauses).get("a", {})) == expected, why


def test_each_contract_has_its_own_titles() -> None:
    found = titles_of([clause("2", "Term"), clause("2", "Scope", source="b")])
    assert {source: dict(titles) for source, titles in found.items()} == {"a": {"2": "Term"}, "b": {"2": "Scope"}}


@pytest.mark.parametrize(
    ("rule", "asked", "expected", "why"),
    [
        (f"Except for breach of Section 5, {CAPPED}", "cap with a carve-out for confidentiality", True, "an exception"),
        (f"Except for breach of Section 9, {CAPPED}", "cap with a carve-out for confidentiality", False, "another one"),
        (
            f"The {CAPPED} This does not apply to: (a) fraud; (b) Section 5; or (c) Section 7.",
            "cap with a carve-out for indemnity",
            True,
            "an item of a list",
        ),
        (
            f"Except for breach of Section 5, {CAPPED}",
            "cap without a carve-out for confidentiality",
            False,
            "it has one",
        ),
        (f"As Section 5 says, {CAPPED}", "cap with a carve-out for confidentiality", False, "in the rule"),
        (
            f"As Section 5 says, {CAPPED}",
            "cap without a word on confidentiality",
            True,
            "a number in a rule says nothing",
        ),
        (
            f"Except for Section 5 of the Act, {CAPPED}",
            "cap with a carve-out for confidentiality",
            False,
            "a statute's",
        ),
    ],
)
def test_what_a_rule_takes_out_is_told_by_the_titles(
    tmp_path: Path, rule: str, asked: str, expected: bool, why: str
) -> None:
    ready = searcher_of(tmp_path, HEAD + CAP.format(rule=rule) + TAIL)
    [hit] = [hit for hit in ready.search(asked).hits if hit.clause.section == "3.1"]
    assert hit.parts[0].found, "it is about the cap"
    assert hit.parts[1].found == expected, why


def test_clauses_are_ranked_by_the_titles(tmp_path: Path) -> None:
    """The two clauses have the same words but a number."""
    rules = [f"3.{n} Cap. Except for breach of Section {of}, {CAPPED}\n\n" for n, of in ((1, 1), (2, 5), (3, 7))]
    ready = searcher_of(tmp_path, HEAD + "3. Liability\n\n" + "".join(rules) + TAIL)
    for asked, first in (("confidentiality", "3.2"), ("indemnity", "3.3")):
        assert ready.search(f"liability cap, except for {asked}").hits[0].clause.section == first


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (f"Except as set forth in Section 8.3, {CAPPED}", "but see: Except as set forth in Section 8.3"),
        (f"Subject to clauses 4 and 6.2, the {CAPPED}", "but see: Subject to clauses 4 and 6.2"),
        (f"Subject to Section 17 of the Act, the {CAPPED}", ""),
        (f"The {CAPPED}", ""),
        (f"The {CAPPED} See Section 4.", ""),
        (f"Fees are due, subject to Section 4. The {CAPPED}", ""),
    ],
)
def test_a_rule_that_yields_to_another_section_says_so(rule: str, words: str) -> None:
    for asked, found in (("cap without a carve-out for fraud", True), ("cap with a carve-out for fraud", False)):
        part = explain(query_intent(asked), rule)[1]
        assert (part.found, part.words) == (found, words)
        assert told(part).endswith(f"({words})" if words else ("yes" if found else "no"))


YIELDING = "3. Liability\n\n3.1 Cap. {opening}, total liability shall not exceed the fees paid.\n\n3.2 Losses. Fees are due.\n\n"
LIFTING = "3.3 Carve-outs. Subject to Section 3.1, the cap in Section 3.1 does not apply to fraud.\n\n"


@pytest.mark.parametrize(
    ("opening", "with_it", "without_it", "why"),
    [
        ("Except as set forth in Section 3.3", "yes (in 3.3: ", "no (in 3.3: ", "it is taken out there"),
        ("Subject to Article III", "yes (in 3.3: ", "no (in 3.3: ", "in a section of the article"),
        ("Subject to Sections 3.2 and 3.3", "yes (in 3.3: ", "no (in 3.3: ", "in the second one"),
        ("Except as set forth in Section 3.2", "no (but see", "yes (but see", "that one says nothing of it"),
        ("Except as set forth in Section 9", "no (but see", "yes (but see", "there is none"),
        ("Except as set forth in Section 3.1", "no (but see", "yes (but see", "it refers to itself"),
        (
            "Except for fraud and Section 3.3",
            "yes (Except for fraud",
            "no (Except for fraud",
            "its own words come first",
        ),
        (
            "Also for fraud, and subject to Section 3.3",
            "no (in the rule: ",
            "no (Also for fraud",
            "they do in a rule, too",
        ),
    ],
)
def test_a_rule_is_followed_to_the_section_that_it_yields_to(
    tmp_path: Path, opening: str, with_it: str, without_it: str, why: str
) -> None:
    ready = searcher_of(tmp_path, HEAD + YIELDING.format(opening=opening) + LIFTING + TAIL)
    for asked, expected in (("with a carve-out", with_it), ("without a carve-out", without_it)):
        hits = {hit.clause.section: hit for hit in ready.search(f"liability cap {asked} for fraud").hits}
        answer = told(hits["3.1"].parts[1]).partition(": ")[2]
        assert answer.startswith(expected), f"{why}: {answer}"
        if "(in 3.3" in expected:
            assert not hits["3.1"].parts[1].spans, "nothing of the clause itself decides it"


@pytest.mark.parametrize(
    ("words", "asked", "expected", "why"),
    [
        ("Nothing in this Agreement limits liability for fraud.", "cap", "no (in 9.1: ", "every limit is lifted"),
        (
            "None of the exclusions in these terms restricts liability for fraud.",
            "cap",
            "no (in 9.1: ",
            "in other words",
        ),
        ("Nothing in this Agreement limits liability for death.", "cap", "yes", "of something else"),
        ("Nothing in this Agreement makes fraud lawful.", "cap", "yes", "no limit is lifted"),
        ("Nothing in Section 4 limits liability for fraud.", "cap", "yes", "of one section"),
        ("Nothing in this Agreement limits liability for fraud.", "renewal", "yes", "it is about no limit"),
    ],
)
def test_what_lifts_every_limit_is_held_against_caps(
    tmp_path: Path, words: str, asked: str, expected: str, why: str
) -> None:
    rule = {"cap": f"The {CAPPED}", "renewal": "It renews automatically for terms of one year."}[asked]
    ready = searcher_of(tmp_path, HEAD + CAP.format(rule=rule) + TAIL + f"\n9. General\n\n9.1 Law. {words}\n")
    hits = {hit.clause.section: hit for hit in ready.search(f"{asked} without a carve-out for fraud").hits}
    assert told(hits["3.1"].parts[1]).partition(": ")[2].startswith(expected), why


def test_a_section_of_another_contract_is_not_followed(tmp_path: Path) -> None:
    yields = YIELDING.format(opening="Except as set forth in Section 3.3")
    texts = {"a.txt": HEAD + yields + TAIL, "b.txt": HEAD + yields + LIFTING + TAIL}
    library = Library([one for name, text in texts.items() for one in clauses_of(ContractText(text), name).clauses])
    # clauses of equal words are one hit: the first contract's
    hits = ClauseSearcher(library, cache=tmp_path).search("liability cap with a carve-out for fraud").hits
    [first] = [hit for hit in hits if hit.clause.section == "3.1"]
    assert first.clause.source == "a.txt"
    assert not first.parts[1].found


def test_clauses_of_a_list_are_of_no_one_contract(tmp_path: Path) -> None:
    """Its clauses have numbers, and one source, and are of many contracts."""
    text = HEAD + YIELDING.format(opening="Except for Section 5 and as set forth in Section 3.3") + LIFTING + TAIL
    text += "\n9. General\n\n9.1 Law. Nothing in this Agreement limits liability for fraud.\n"
    cut = clauses_of(ContractText(text), "a.txt").clauses
    listed = [replace(one, clause_id=f"c{n}", start=0, end=len(one.text)) for n, one in enumerate(cut)]
    assert not titles_of(listed)
    assert not sections_of(listed)
    for clauses, answers in ((cut, ["yes", "yes"]), (listed, ["no", "no"])):
        ready = ClauseSearcher(Library(clauses), cache=tmp_path)
        hits = ready.search("liability cap with carve-outs for fraud and confidentiality").hits
        [parts] = [hit.parts for hit in hits if hit.clause.section == "3.1"]
        assert [part.answer for part in parts if part.wanted == "carve-out"] == answers


def test_of_two_sections_with_one_number_none_is_followed() -> None:
    twice = [clause("8.3", "Carve-outs"), clause("8.3", "Delivery"), clause("8.4", "Losses"), clause("8.4", "Losses")]
    assert sections_of(twice) == {("a", "8"): [2, 3], ("a", "8.4"): [2, 3]}


PIECES = st.sampled_from((
    "Except for Section 5, ", "(a) Section 7; ", "Sections 5 and 7.2. ", "The cap shall not apply to Section 5. ",
    CAPPED, "Neither party is liable for lost profits. ", "\n", "Fraud; or ", "Article V (Confidentiality) ",
))  # fmt: skip


@given(st.lists(PIECES, max_size=6).map("".join))
def test_titles_change_matters_alone(text: str) -> None:
    plain, read = annotate(text), annotate(titled(text, TITLES))
    assert len(plain) == len(read), "the same sentences"
    for before, after in zip(plain, read, strict=True):
        assert before == after._replace(said=before.said, excepted=before.excepted)
        assert before.said & after.said == before.said
        assert before.excepted & after.excepted == before.excepted


def test_a_contract_in_the_places_of_its_own(tmp_path: Path) -> None:
    """The text of a clause stays as it is, also where titles are read into it."""
    text = HEAD + CAP.format(rule=f"Except for breach of Section 5, {CAPPED}") + TAIL
    [kept] = [one for one in clauses_of(ContractText(text), "a.txt").clauses if one.section == "3.1"]
    ready = searcher_of(tmp_path, text)
    [hit] = [
        hit for hit in ready.search("cap with a carve-out for confidentiality").hits if hit.clause.section == "3.1"
    ]
    assert hit.clause.text == kept.text
    [span] = hit.parts[1].spans
    assert "Section 5" in hit.clause.text[span.start : span.end]


@pytest.mark.parametrize("piece", ["Section 1, ", "Sections 1 and ", "Article I", "1.1.", "(a)", "⟦", "section  "])
def test_time_grows_with_the_text(piece: str) -> None:
    assert grows_at_most(25, lambda n: annotate(titled(piece * (n // len(piece)), TITLES)), 2_000, 20_000)
