"""What of a query a clause satisfies: each part, the words that decide it, and that they are the clause's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.clauses.meaning.clause_annotation import annotate, parts_of
from lawng.clauses.meaning.clause_sentences import flowing
from lawng.clauses.meaning.explained import MOST_WORDS, Part, explain, told
from lawng.clauses.meaning.glossary import SUBJECTS
from lawng.clauses.meaning.match_features import MATCH_FEATURES, ClauseMatcher, mended
from lawng.clauses.meaning.query_intent import query_intent
from time_support import grows_at_most

CAP = (
    "8.2 Cap. Except for fraud and gross negligence, in no event shall Supplier's total liability exceed the fees paid in "
    "the twelve (12) months before the claim, whether in contract or in tort. Supplier shall be honest."
)
PLAIN_CAP = "Each party's aggregate liability under this Agreement is limited to EUR 2,000,000.50 a year."
LIST = (
    "8.3 Carve-outs. Sections 8.1 and 8.2 do not limit:\n\n(a) breach of confidentiality obligations under Section 5, "
    "which shall not\n    exceed three times the amount in Section 8.2;\n\n(b) fraud; or\n\n(c) death.\n\nThe cap covers tort."
)
RENEWAL = "This Agreement renews automatically for successive terms of one (1) year each unless a party gives notice."
INDEMNITY = (
    "Provider shall defend Customer against claims that the Service infringes a patent. It pays what is awarded. The "
    "indemnified party leaves control of the defense to the other."
)
WAIVER = "Neither party shall be liable for lost profits. This waiver applies to negligence, except for fraud."
TOLD = [
    ("cap on liability", CAP, (), ["cap: yes (the fees paid in the twelve (12) months before the claim)"]),
    ("cap on liability", PLAIN_CAP, (), ["cap: yes (EUR 2,000,000.50 a year)"]),
    ("cap on liability", "Delivery is free.", (), ["cap: no"]),
    ("cap with a fraud carve-out", CAP, (), ["carve-out for fraud: yes (Except for fraud and gross negligence)"]),
    ("cap with a carve-out for death", CAP, (), ["carve-out for personal injury: no"]),
    ("cap with a fraud carve-out", "The cap on liability covers fraud.", (),
     ["carve-out for fraud: no (in the rule: The cap on liability covers fraud.)"]),
    ("cap with a fraud carve-out", "Our liability cap is $5. Fraud is a crime.", (),
     ["cap: yes (Our liability cap is $5.)", "carve-out for fraud: no (elsewhere: Fraud is a crime.)"]),
    ("cap based on the fees of 12 months", CAP, (),
     ["twelve months: yes (… total liability exceed the fees paid in the twelve (12) months before the claim, whether in contract or in …)"]),
    ("cap for tort that is not limited to fraud", CAP, (), ["fraud: no (taken out: Except for fraud and gross negligence)"]),
    ("cap with carve-outs", CAP, (), ["carve-outs: yes (Except for fraud and gross negligence)"]),
    ("cap with carve-outs", PLAIN_CAP, (), ["carve-outs: no"]),
    ("cap without carve-outs", PLAIN_CAP, (), ["no carve-outs: yes"]),
    ("cap without carve-outs", CAP, (), ["no carve-outs: no (Except for fraud and gross negligence)"]),
    ("cap with no carve-out for gross negligence", CAP, (),
     ["without gross negligence: no (Except for fraud and gross negligence, in no event shall Supplier's total liability "
      "exceed the fees paid in the twelve …)"]),
    ("cap with no carve-out for gross negligence", PLAIN_CAP, (), ["without gross negligence: yes"]),
    ("license without exclusivity", "Licensor grants an exclusive license.", (), ["without exclusivity: no (Licensor grants an exclusive license.)"]),
    ("mutual cap", PLAIN_CAP, (), ["mutual: yes (Each party's aggregate liability under this Agreement is limited to EUR 2,000,000.50 a year.)"]),
    ("mutual cap", CAP, (), ["mutual: no (frees the supplier alone)"]),
    ("one-sided cap", CAP, (), ["one-sided: yes (frees the supplier alone)"]),
    ("one-sided cap", PLAIN_CAP, (), ["one-sided: no (Each party's aggregate liability under this Agreement is limited to EUR 2,000,000.50 a year.)"]),
    ("one-sided cap", "Delivery is free.", (), ["one-sided: no"]),
    ("supplier-favourable cap", CAP, (), ["favours the supplier: yes (frees the supplier alone)"]),
    ("supplier-favourable cap", PLAIN_CAP, (), ["favours the supplier: no (frees both parties)"]),
    ("buyer-friendly cap", PLAIN_CAP, (), ["favours the customer: yes (frees both parties)"]),
    ("buyer-friendly cap", CAP, (), ["favours the customer: no (frees the supplier alone)"]),
    ("buyer-friendly cap", "Delivery is free.", (), ["favours the customer: no"]),
    ("customer-friendly indemnity", "Supplier shall indemnify Customer.", (), ["favours the customer: yes (makes indemnify the supplier alone)"]),
    ("cap with a carve-out for fraud and death", LIST, (),
     ["cap: yes (three times the amount in Section 8.2)", "carve-out for personal injury: yes (death.)", "carve-out for fraud: yes (fraud)"]),
    ("cap on liability that covers tort", LIST, (), ["tort: no (elsewhere: The cap covers tort.)"]),
    ("cap with a carve-out for tort", LIST, (), ["carve-out for tort: no (elsewhere: The cap covers tort.)"]),
    ("automatic renewal", RENEWAL, (),
     ["renewal: yes (This Agreement renews automatically for successive terms of one (1) year each unless a party gives notice.)"]),
    ("IP infringement indemnity with control of defence", INDEMNITY, ("Indemnities",),
     ["ip infringement: yes (Provider shall defend Customer against claims that the Service infringes a patent.)",
      "control of defence: yes (The indemnified party leaves control of the defense to the other.)"]),
    ("IP infringement indemnity", "Provider shall defend Customer against claims of infringement.", (),
     ["indemnity: no", "ip infringement: no (elsewhere: Provider shall defend Customer against claims of infringement.)"]),
    ("source code escrow", "The agent keeps it.", ("ESCROW",), ["source code escrow: yes (ESCROW)"]),
    ("damages waiver that applies to negligence", WAIVER, (), ["damages waiver: yes (Neither party shall be liable for lost profits.)"]),
    ("fraud", WAIVER, (), ["fraud: no (taken out: except for fraud.)"]),
    ("customer-friendly indemnity", "Customer shall indemnify Supplier, except for fraud.", (),
     ["favours the customer: no (makes indemnify the customer alone)"]),
    ("buyer-friendly cap", "The liability cap is $5, except for fraud.", (), ["favours the customer: yes"]),
    ("mutual non-compete", "Neither party shall compete.", (), ["mutual: yes (Neither party shall compete.)"]),
    ("one-sided non-compete", "Neither party shall compete.", (), ["one-sided: no (Neither party shall compete.)"]),
    ("cap on liability for fraud", "The liability cap does not apply to: (a) death; (b) fraud.", (), ["fraud: no (taken out: fraud.)"]),
    ("cap on liability for fraud", LIST, (), ["fraud: no (taken out: fraud)"]),
    ("cap with carve-outs", "Nothing here limits claims of fraud.", (), ["cap: no", "carve-outs: no"]),
    ("repainting of walls", CAP, (), []),
]  # fmt: skip


@pytest.mark.parametrize(("query", "text", "headings", "expected"), TOLD, ids=[f"{q}|{t[:12]}" for q, t, *_ in TOLD])
def test_each_part_is_told_with_what_decides_it(
    query: str, text: str, headings: tuple[str, ...], expected: list[str]
) -> None:
    found = [told(part) for part in explain(query_intent(query), text, headings)]
    assert [line for line in expected if line not in found] == [], found
    assert bool(found) == bool(expected)


def test_the_words_of_a_part_can_be_cut_shorter() -> None:
    part = Part("cap", "about", True, "one two three", [])
    assert (told(part, 2), told(part, 3)) == ("cap: yes (one two …)", "cap: yes (one two three)")


def test_an_item_after_the_list_has_ended_is_read_alone() -> None:
    text = "The cap does not apply to: (a) fraud; (b) death. It holds else. (c) Negligence is meant too."
    found = {
        part.asked: part.found
        for part in explain(query_intent("cap with carve-outs for fraud, death and negligence"), text)
    }
    assert (found["fraud"], found["personal injury"], found["negligence"]) == (True, True, False)


PIECES = [
    *(
        CAP,
        PLAIN_CAP,
        LIST,
        RENEWAL,
        INDEMNITY,
        WAIVER,
        "\n",
        "(a) ",
        "ﬁrm İ",
        "  ",
        "Fraud",
        "x" * 150,
        "—",
        "\n(b) death;",
    ),
    *("except for ", "shall not apply to ", "Supplier ", "either party ", "liability "),
]
QUERY = st.sampled_from(sorted({row[0] for row in TOLD}))
TEXT = st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join) | st.text(max_size=80)
SAID = ("frees ", "makes indemnify ")


@given(QUERY, TEXT, st.lists(st.sampled_from(["Indemnity", "LIABILITY CAP", "ESCROW"]), max_size=2))
def test_the_places_of_a_part_are_whole_words_of_the_clause(query: str, text: str, headings: list[str]) -> None:
    one_line = " ".join(text.split())
    for part in explain(query_intent(query), text, headings):
        for start, end in ((span.start, span.end) for span in part.spans):
            words = text[start:end]
            assert words
            assert words == words.strip()
            assert not (start and words[0].isalnum() and text[start - 1].isalnum())
            assert not (end < len(text) and words[-1].isalnum() and text[end].isalnum())
        if part.words in headings or part.words.startswith(SAID):
            continue
        told_before = part.words.startswith(("taken out: ", "in the rule: ", "elsewhere: ", "but see: "))
        rest = part.words.partition(": ")[2] if told_before else part.words
        shown = rest.removeprefix("… ").removesuffix(" …")
        assert shown in one_line
        assert len(shown.split()) <= MOST_WORDS
        assert bool(part.words) == bool(part.spans)


@given(
    QUERY,
    st.lists(
        st.sampled_from([CAP, PLAIN_CAP, RENEWAL, INDEMNITY, WAIVER, "Delivery is free."]), min_size=1, max_size=4
    ),
)
def test_it_agrees_with_what_clauses_are_ranked_by(query: str, sentences: list[str]) -> None:
    """Where there are neither lists nor headings nor broken lines."""
    text, intent = " ".join(sentences), query_intent(query)
    if not intent.subjects:
        return
    row = ClauseMatcher([text]).match(intent)[0]
    of = dict(zip(MATCH_FEATURES, row.tolist(), strict=True))
    by: dict[str, list[bool]] = {}
    for part in explain(intent, text):
        by.setdefault(part.wanted, []).append(part.found)
    assert sum(by["about"]) == round(of["subject"] * len(by["about"]))
    for wanted, column in (("says", "said"), ("carve-out", "excepted")):
        assert sum(by.get(wanted, [])) == round(max(0, of[column]) * len(by[wanted])) if wanted in by else True
    assert by.get("without", []).count(False) == round(of["unwanted"] * len(by.get("without", [])))
    if "carve-outs" in by and of["subject"]:
        assert by["carve-outs"] == [bool(of["exceptions as asked"])]
    if "mutual" in by and of["subject"] == 1:
        assert by["mutual"] == [of["mutual as asked"] >= 0.5 if intent.mutual > 0 else of["mutual as asked"] > 0.5]


def test_lines_broken_at_a_width_are_joined_and_lists_are_not() -> None:
    text = "The liability of the Supplier under this agreement is limited\n  to the fees of twenty-four months which are\n(24) months.\n(a) One;\n\n(b) two"
    assert len(flowing(text)) == len(text)
    assert [" ".join(part.split()) for part in parts_of(flowing(text))] == [
        "The liability of the Supplier under this agreement is limited to the fees of twenty-four months which are (24) months.",
        "(a) One;",
        "(b) two",
    ]


LONG_LINE = "The liability of the Supplier under this agreement is limited"


@pytest.mark.parametrize(
    ("line", "after", "joined", "why"),
    [
        (LONG_LINE, "to the fees.", True, "it goes on"),
        (LONG_LINE, "(24) months.", True, "a number in brackets is no item"),
        (LONG_LINE + "  ", "to the fees.", True, "blanks at the end of a line"),
        (LONG_LINE, "(a) fraud", False, "an item"),
        (LONG_LINE, "- fraud", False, "an item with a dash"),
        (LONG_LINE, "  \nto the fees", False, "an empty line"),
        (LONG_LINE + ".", "to the fees.", False, "a sentence ends"),
        (LONG_LINE[:39], "to the fees.", False, "a short line was not broken at a width"),
    ],
)
def test_a_line_goes_on_or_not(line: str, after: str, joined: bool, why: str) -> None:
    found = flowing(f"{line}\n{after}")
    assert found == (f"{line} {after}" if joined else f"{line}\n{after}"), why


@pytest.mark.parametrize(
    "piece", ["1.1.", "(a) ", "except for ", "the liability cap ", "x" * 50 + "\n", "$5 a party ", "; or "]
)
def test_time_grows_with_the_text(piece: str) -> None:
    intent = query_intent("mutual cap with a carve-out for fraud, liquidated damages and renewal")
    assert grows_at_most(25, lambda n: explain(intent, piece * (n // len(piece))), 2_000, 20_000)


@pytest.mark.parametrize(
    ("text", "headings", "expected", "why"),
    [
        (
            "Customer keeps what it sent.",
            [],
            "cap: probably (by its meaning: Customer keeps what it sent.)",
            "no words",
        ),
        ("It owes at most $5, up to $6.", [], "cap: probably (by its meaning: $6)", "an amount is no word of a cap"),
        ("Liability shall not exceed $5.", [], "cap: yes ($5)", "words"),
        ("It keeps it.", ["Maximum Liability"], "cap: yes (It keeps it.)", "words of a heading"),
    ],
)
def test_what_goes_by_meaning_alone_is_not_said_for_sure(
    text: str, headings: list[str], expected: str, why: str
) -> None:
    """As a ranker tells it whose encoder knows what the clause is about."""
    annotated = mended(annotate(text), [float(subject.name == "cap") for subject in SUBJECTS])
    [part] = explain(query_intent("cap"), text, headings, annotated)
    assert part.found
    assert told(part) == expected, why
