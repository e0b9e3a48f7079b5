"""Citations: tables of (text, expected, why), properties on real opinions, and plain eyecite as the other implementation."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawng.citation.extract import citations_of, citations_of_case, clean, row_of
from lawng.citation.parentheticals import kind_of
from lawng.citation.pins import pin_notes, pin_pages
from lawng.citation.signals import history_between, signal_before
from lawng.citation.tails import closing, court_and_year
from lawng.schema import PARENTHETICAL_KINDS, Citation, Opinion
from time_support import grows_at_most

SHARED = Path(os.environ.get("LAWNG_SHARED", Path(__file__).parents[3] / "shared"))
RAW = SHARED / "data" / "courtlistener-scotus" / "raw_opinions"
ROE = "Roe v. Wade, 410 U.S. 113, 120 (1973)"


def first(text: str) -> Citation:
    return citations_of(text, "t")[0]


def said(text: str) -> list[list[str]]:
    return [[" ".join(p.text.split()) for p in c.parentheticals] for c in citations_of(text, "t") if c.parentheticals]


PARENTHETICALS = [
    pytest.param(f"{ROE} (en banc) (holding x is y).", [["en banc", "holding x is y"]], id="second, which eyecite drops"),
    pytest.param(f"{ROE} (holding x (as in (a)) is y).", [["holding x (as in (a)) is y"]], id="nested"),
    pytest.param(f"{ROE} (holding {'very ' * 200}long).", [["holding " + "very " * 200 + "long"]], id="over 300 characters"),
    pytest.param("Roe v. Wade, 1 F.2d 3 (1st Cir.1991) (holding so it is).", [["holding so it is"]], id="court without blank"),
    pytest.param("Roe v. Wade, 1 F.2d 3 (CA9) (holding so it is).", [["holding so it is"]], id="court without year"),
    pytest.param("Roe v. Wade, 410 U.S. 113, 120 (holding so it is).", [["holding so it is"]], id="no court, no year"),
    pytest.param("Roe v. Wade, 410 U.S. 113,\n120 (1973) (holding\nso it is).", [["holding so it is"]], id="lines break"),
    pytest.param(f"{ROE} (holding so\n\n*121 it is).", [["holding so *121 it is"]], id="page breaks inside"),
    pytest.param("410 U.S. at 120, 93 S.Ct. at 706 (holding so it is).", [["holding so it is"]], id="short form with parallel"),
    pytest.param(f"{ROE}. Id. at 121 (noting z is w).", [["noting z is w"]], id="id."),
    pytest.param("Roe v. Wade (1973) 410 U.S. 113 [93 S.Ct. 705] [holding so it is].", [["holding so it is"]], id="California"),
    pytest.param("Roe v. State, 231 Ga. 829 (1) (204 SE2d 612) (1974) (holding so).", [["holding so"]], id="Georgia"),
    pytest.param("Roe v. Doe, 12 F. Cas. 386 (No. 6,625) (D. Md. 1879) (ship seized).", [["ship seized"]], id="docket number"),
    pytest.param("Roe v. Doe, 1 F.2d 3 (1990), aff'd, 5 U.S. 1 (1991) (holding so).", [["holding so"]], id="history"),
    pytest.param("Roe v. Doe, No. 99-12, 2003 WL 123, at *3 (D. Mass. 2003) (holding so).", [["holding so"]], id="database"),
    pytest.param("The rule of Doe, 12 F.3d at 36. Id. at 40 (arguing so it is).", [["arguing so it is"]], id="id. of an unknown case"),
    pytest.param(f"{ROE}; 42 U.S.C. § 1983. Id. § 3 (defining a person).", [], id="id. of a statute"),
    pytest.param("Roe v. Wade, 410 U.S. 113 (1973). Tr. 45. Id. at 46 (witness said so).", [], id="id. of the record"),
    pytest.param(f"{ROE} (1) the first, (2) the second.", [], id="a list is no parenthetical"),
    pytest.param(f"“So it is.” {ROE}. (Emphasis added.)", [["Emphasis added."]], id="behind the full stop"),
    pytest.param(f"{ROE} (because a) the fee and b) the fine).", [["because a) the fee and b) the fine"]], id="list inside"),
    pytest.param(f"{ROE} (quoting Doe v. Bolton, 410 U.S. 179, 181 (1973) (so held)).",
                 [["quoting Doe v. Bolton, 410 U.S. 179, 181 (1973) (so held)"], ["so held"]], id="inside another"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PARENTHETICALS)
def test_all_parentheticals_are_found_whole(text: str, expected: list[list[str]]) -> None:
    assert said(text) == expected


def test_history_gives_the_parenthetical_to_the_cited_case() -> None:
    cited, later = citations_of("Roe v. Doe, 1 F.2d 3 (1990), aff'd, 5 U.S. 1 (1991) (holding so it is).", "t")
    assert [p.text for p in cited.parentheticals] == ["holding so it is"]
    assert later.parentheticals == []
    assert cited.history == later.history == "aff'd"


PINS = [
    ("482-83", [482, 483], [], "a shorter second number borrows digits"),
    ("120, 124", [120, 124], [], "a list"),
    ("120 & n.5", [120], ["5"], "page and note"),
    ("n.5", [], ["5"], "a note alone names no page"),
    ("120-22 & nn. 5-7", [120, 121, 122], ["5", "6", "7"], "ranges of both"),
    ("1010-1012", [1010, 1011, 1012], [], "full second number"),
    ("198-202", [198, 199, 200, 201, 202], [], "over a hundred"),
    ("120-18", [120], [], "a range that runs backwards is a misprint"),
    ("*3-4", [3, 4], [], "star pages of a database"),
    ("¶ 12", [], [], "paragraphs are no pages"),
    ("11, 14 n. 3, 15", [11, 14, 15], ["3"], "a note in a list"),
    ("xii", [], [], "roman numerals are not numeric"),
]


@pytest.mark.parametrize(("pin", "pages", "notes", "why"), PINS)
def test_pin_cites_become_numbers(pin: str, pages: list[int], notes: list[str], why: str) -> None:
    assert (pin_pages(pin), pin_notes(pin)) == (pages, notes), why


PINS_IN_TEXT = [
    ("Roe v. Wade, 410 U.S. 113, 120 n.5, 93 S. Ct. 705 (1973)", "120 n.5", "eyecite loses note pins"),
    ("Roe v. Wade, 410 U.S. 113, 120-22 & n. 5 (1973)", "120-22 & n. 5", "and these"),
    ("Roe v. Wade, 410 U. S. 113, at 120 (1973)", "120", "with at"),
    ("Roe v. Wade, 410 U.S. 113, 93 S. Ct. 705 (1973)", None, "a volume is no pin"),
    ("Roe v. Wade, 410 U.S. 113 (1973)", None, "a year is no pin"),
    ("Roe, 410 U. S., at 120-121, and n. 3 (so)", "120-121, and n. 3", "short forms carry their first page"),
    ("Id., at 45, 47", "45, 47", "id."),
    ("Roe, supra, at 48; Doe", "48", "supra"),
    ("Roe, supra note 5, at 48.", "48", "the note of a supra is the citing opinion's own"),
]


@pytest.mark.parametrize(("text", "pin", "why"), PINS_IN_TEXT)
def test_pin_cites_are_read_as_written(text: str, pin: str | None, why: str) -> None:
    assert first(text).pin_cite == pin, why


SIGNALS = [
    ("See Roe", "see"), ("See, e. g., Roe", "see, e.g."), ("But see Roe", "but see"), ("Cf. Roe", "cf."),
    ("See also Roe", "see also"), ("Accord, Roe", "accord"), ("Contra, Roe", "contra"), ("E.g., Roe", "e.g."),
    ("Compare Roe", "compare"), ("But cf. Roe", "but cf."), ("See generally Roe", "see generally"), ("In Roe", None),
    ("(see Roe", "see"), ("We agree with Roe", None), ("and see Roe", "see"), ("But cf Roe", "but cf."), ("But compare Roe", "but cf."), ("See for example, Roe", "see for example"),
    ("See, also, Roe", "see also"), ("See too Roe", "see also"), ("See, however, Roe", "but see"), ("*See* Roe", "see"),
    ("See, in addition, Roe", "see also"), ("We fail to see, however, Roe", None), ("See, eg, Roe", "see, e.g."), ("See, generally, Roe", "see generally"),
]  # fmt: skip


IBIDS = ["“a part of it,” ibid., and", "a part (ibid.).", "a part; ibid.; so", "is so. Ibid.", "is so. Ibid, and"]


@pytest.mark.parametrize("text", IBIDS)
def test_every_ibid_is_found(text: str) -> None:
    [roe, ibid] = citations_of(f"Roe v. Wade, 410 U.S. 113, 120 (1973). It is {text}", "t")
    assert (ibid.form, ibid.resolved_cite) == ("id", roe.resolved_cite)


NAMES = [
    (
        "Roe, 410 U.S. 113, 120. See Irvine v. California",
        "Irvine v. California",
        "see",
        "behind a citation and its stop",
    ),
    ("as held by the Court. See Harris", "Harris", "see", "a capital before the stop"),
    ("of Buffalo, N. Y. See Shaughnessy v. Mezei", "Shaughnessy v. Mezei", "see", "an abbreviation before the signal"),
    ("of the State. Kanapaux v. Ellisor", "Kanapaux v. Ellisor", None, "a short word that is no abbreviation"),
    ("See also Louisiana ex rel. Francis v. Resweber", "Louisiana ex rel. Francis v. Resweber", "see also", "ex rel."),
    ("Doe, 1 U.S. 1, and Brown Co. v. Feldman", "Brown Co. v. Feldman", None, "behind a comma and a word"),
    ("boycotts, Fashion Originators’ Guild v. FTC", "Fashion Originators’ Guild v. FTC", None, "plural possessive"),
    ("by Brown v. Houston and Fairbank v. Roe", "Fairbank v. Roe", None, "not the end of another name"),
    ("It is old. But in Workers v. Board", "Workers v. Board", None, "but in"),
    ("See Marcus Brown & Sons v. State", "Marcus Brown & Sons v. State", "see", "a mark that belongs to the name"),
]


@pytest.mark.parametrize(("before", "name", "signal", "why"), NAMES)
def test_names_do_not_reach_over_stops_and_signals(before: str, name: str, signal: str | None, why: str) -> None:
    found = citations_of(f"{before}, 347 U.S. 128 (1954).", "t")[-1]
    assert (found.name, found.signal) == (name, signal), why


@pytest.mark.parametrize(("before", "signal"), SIGNALS)
def test_signals_are_standardised(before: str, signal: str | None) -> None:
    assert first(f"It is so. {before} v. Wade, 410 U.S. 113 (1973).").signal == signal


def test_a_signal_governs_its_string_citation() -> None:
    a, b, c = citations_of(
        "But see A v. Bee, 1 U.S. 1 (1800); C v. Dee, 2 U.S. 2 (1801). E v. Foe, 3 U.S. 3 (1802).", "t"
    )
    assert [(x.signal, x.signal_inherited) for x in (a, b, c)] == [("but see", False), ("but see", True), (None, False)]


def test_compared_cites_share_their_signal() -> None:
    text = "Compare A v. Bee, 1 U.S. 1 (1800), and C v. Dee, 2 U.S. 2 (1801), with E v. Foe, 3 U.S. 3 (1802)."
    assert [(x.signal, x.signal_inherited) for x in citations_of(text, "t")] == [
        ("compare", False), ("compare", True), ("compare", True),
    ]  # fmt: skip


KINDS = [
    ("holding that x", "explanatory"), ("no duty where the guest knew", "explanatory"),
    ("en banc", "weight"), ("per curiam", "weight"), ("Brennan, J., dissenting", "weight"), ("plurality opinion", "weight"),
    ("opinion of O’Connor, J.", "weight"), ("MARSHALL, J., concurring in judgment", "weight"), ("dictum", "weight"),
    ("quoting Roe, 410 U.S., at 120", "source"), ("citing Doe", "source"), ("quoted in Doe v. Roe", "source"),
    ("quoting Lemon and noting the difficulty of it", "explanatory"),
    ("emphasis added", "alteration"), ("citations and internal quotation marks omitted", "alteration"),
    ("footnote omitted; emphasis in original", "alteration"), ("cleaned up", "alteration"),
    ("overruled by Doe v. Roe", "history"), ("cert. denied", "history"),
    ("“the whole of it is quoted”", "quotation"), ('"the whole of it"', "quotation"),
    ("noting that “it is quoted in part”", "explanatory"), ("same", "explanatory"), ("overruling Doe v. Roe", "explanatory"), ("hereinafter Doe", "other"),
    ("together, the Doe Cases", "other"), ("together, the Acts forbid it", "explanatory"), ("part I of opinion", "other"),
    ("‘‘It opens with two single marks.”", "quotation"),
    ("summary order", "weight"), ("order", "weight"), ("ordering a new trial", "explanatory"), ("not precedential", "weight"),
    ("physical precedent only", "weight"), ("op. on reh’g", "weight"), ("panel opinion", "weight"), ("unpub.", "weight"),
    ("orig. proceeding", "weight"), ("alterations accepted", "alteration"), ("cleaned up, emphasis added", "alteration"),
    ("first and third alterations in original", "alteration"), ("first amendment bars it", "explanatory"),
    ("cleaned up the spill", "explanatory"), ("holding modified by Roe v. Doe", "history"), ("Smith II", "other"),
    ("disapproved of on other grounds in Roe v. Doe", "history"), ("disapproved the tax", "explanatory"),
    ("note accepted in payment discharges the debt", "explanatory"), ("Title VII", "explanatory"), ("Roe I", "other"),
    ("opinion on religion is protected", "explanatory"), ("opinion on state of mind is inadmissible", "explanatory"),
    ("disapproved in strong terms what the police did", "explanatory"), ("World War II", "explanatory"),
    ("holding limited by the court to cases of fraud", "explanatory"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_kinds(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize("words", ["quotation marks ", "and ", "internal ", "citations and "])
def test_a_long_run_of_labels_words_is_read_at_once(words: str) -> None:
    # of these eighteen took a second, and each further one twice as long
    assert grows_at_most(8, lambda n: kind_of(words * n + "x"), 10, 40)


RESOLUTION = [
    ("Roe v. Wade, 410 U.S. 113 (1973). Id. at 120.", "410 U.S. 113", "id."),
    ("Roe v. Wade, 410 U.S. 113 (1973) (quoting Doe v. Coe, 1 U.S. 5 (1800)). Id. at 120.", "410 U.S. 113", "not the quoted one"),
    ("Roe v. Wade, 410 U.S. 113 (1973), cert. denied, 5 U.S. 1 (1980). Id. at 120.", "410 U.S. 113", "not the denial"),
    ("Roe v. Wade, 410 U.S. 113 (1973). Ante, at 3. Id. at 120.", None, "ante is another opinion"),
    ("Roe v. Wade, 410 U.S. 113 (1973): “It is so. Cf. A v. B, 1 U.S. 1.” Id. at 120.", "410 U.S. 113", "not what it quotes"),
    ("It was A v. B, 410 U.S. 100 (1973), “and so C v. D, 410 U.S. 110, 112.” Id. at 120.", "410 U.S. 100", "though it would fit"),
    ("Roe v. Wade, 410 U.S. 113 (1973). Id. at 900.", None, "too far from the first page"),
    ("Roe v. Wade, 410 U.S. 113 (1973); A v. B, 1 U.S. 1 (1800). Roe, supra, at 120.", "410 U.S. 113", "supra by name"),
    ("A v. Bee, 410 U.S. 179 (1973); Roe v. Wade, 410 U.S. 113 (1973). Bee, 410 U.S., at 181.", "410 U.S. 179", "short by name"),
    ("A v. Bee, 410 U.S. 179 (1973); Roe v. Wade, 410 U.S. 113 (1973). Later, 410 U.S., at 120.", "410 U.S. 113", "by page"),
    ("Roe v. Wade, 410 U.S. 113, 93 S. Ct. 705 (1973). The rule of 93 S. Ct. at 710.", "93 S. Ct. 705", "by its own reporter"),
    ("Nobelman v. Bank, 508 U.S. 324 (1993); A v. B, 1 U.S. 1 (1800). So Nobelman at 332.", "508 U.S. 324", "by name and page alone"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "cite", "why"), RESOLUTION)
def test_later_mentions_are_resolved(text: str, cite: str | None, why: str) -> None:
    assert citations_of(text, "t")[-1].resolved_cite == cite, why


def test_parallel_cites_are_one_group() -> None:
    found = citations_of("Roe v. Wade, 410 U.S. 113, 120, 93 S. Ct. 705, 712 (1973) (so it is).", "t")
    assert [(c.pin_pages, c.parallel, c.group, len(c.parentheticals)) for c in found] == [
        ([120], ["93 S. Ct. 705"], 0, 1),
        ([712], ["410 U.S. 113"], 0, 0),
    ]


def test_slip_opinions_are_told_apart_though_their_pages_are_blank() -> None:
    text = (
        "See Roe v. A, 580 U.S. ___, 137 S. Ct. 100 (2017). See Doe v. B, 580 U.S. ___, 137 S. Ct. 500 (2017). "
        "In Doe, 137 S. Ct., at 505, it said so. So did Roe, 137 S. Ct., at 101. See Doe, 580 U.S., at ___, 137 S. Ct., at 502."
    )
    found = {one.cite: one.resolved_cite for one in citations_of(text) if one.cite.startswith("137")}
    assert found == {
        "137 S. Ct. 100": "137 S. Ct. 100",
        "137 S. Ct. 500": "137 S. Ct. 500",
        "137 S. Ct., at 505": "137 S. Ct. 500",
        "137 S. Ct., at 101": "137 S. Ct. 100",
        "137 S. Ct., at 502": "137 S. Ct. 500",
    }


def test_a_dissent_may_cite_in_short_what_the_court_cited_in_full() -> None:
    texts = ["Roe v. Wade, 410 U.S. 113 (1973), is settled.", "I dissent from Roe, 410 U.S., at 120."]
    opinions = [Opinion(f"c/{n}", "c", "majority", "", t, len(t), [], [], [], "x") for n, t in enumerate(texts)]

    known = {"410 U.S. 113": "cl:1"}
    assert [c.cited_case_id for c in citations_of_case(opinions, known.get)] == ["cl:1", "cl:1"]


@pytest.mark.parametrize(
    ("inner", "is_court"),
    [("1973", True), ("2d Cir. 1990", True), ("1st Cir.1991", True), ("Mass. App. Ct.", True), ("D. Mass. June 3, 1999", True),
     ("CA9", True), ("N.D. Cal.", True), ("holding so in 1991", False), ("Brennan, J., dissenting", False), ("en banc", False)],
)  # fmt: skip
def test_court_and_year(inner: str, is_court: bool) -> None:
    assert (court_and_year(inner) is not None) is is_court


def test_history_is_seen_only_when_it_fills_the_gap() -> None:
    assert history_between(", aff'd, ", 0, 9) == "aff'd"
    assert history_between(", cert. denied, ", 0, 16) == "cert. denied"
    assert history_between(", reh. denied, ", 0, 15) == "reh. denied"
    assert history_between(", certiorari denied 1944, ", 0, 26) == "certiorari denied"
    assert history_between(" and the court affirmed the rule of ", 0, 36) is None
    gap = f", petition for certiorari denied {'a' * 50} sub nom. {'B' * 112}, "
    assert history_between(gap[:-6] + ", ", 0, 200) == "petition for certiorari denied"
    assert history_between(gap, 0, len(gap)) is None, "over 200 characters"


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        ("disapproved on another ground in", "disapproved"),
        ("disapproved of in", "disapproved of"),
        ("superseded by statute as stated in", "superseded"),
        ("superseded by statute (on other grounds) as stated in", "superseded"),
        ("reversing", "reversing"),
        ("disproved in", None),
    ],
)
def test_history_that_a_later_case_tells_of(words: str, flag: str | None) -> None:
    [first, _] = citations_of(f"Smith v. Jones (1990) 10 Cal.4th 5, {words} Doe v. Roe (1999) 20 Cal.4th 10.", "x")
    assert first.history == flag


def test_signal_before_nothing() -> None:
    assert signal_before("", 0) is None


def test_line_ends_of_windows_part_paragraphs_too() -> None:
    assert clean("one.\r\n\r\ntwo\r\nthree").text == "one.\n\ntwo three"


def test_rows_are_json_and_slice_the_file() -> None:
    text = "See Roe v. Wade, 410 U. S.\n*115 113, 120 (1973) (holding\nso it is)."
    row = json.loads(json.dumps(row_of(first(text))))
    [paren] = row["parentheticals"]
    assert text[paren["start"] : paren["end"]] == paren["text"] == "holding\nso it is"
    assert row["resolved_cite"] == "410 U.S. 113"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="R v.()[]10U.S,Id\n*; aeé“”§", max_size=300))
def test_any_text_gives_spans_that_slice_it(text: str) -> None:
    for c in citations_of(text, "t"):
        assert 0 <= c.full_start <= c.start < c.end <= len(text)
        assert all(text[p.start : p.end] == p.text and p.kind in PARENTHETICAL_KINDS for p in c.parentheticals)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="a *\n\t1-[]5fn.", max_size=80))
def test_the_scanning_copy_traces_back(text: str) -> None:
    copy = clean(text)
    for offset, character in enumerate(copy.text):
        source = copy.source(offset)
        assert text[source] == character or character.isspace()


@given(st.text(alphabet="()[]a1 .,", max_size=60))
def test_brackets_close_after_they_open(text: str) -> None:
    for match in re.finditer(r"[(\[]", text):
        end, _ = closing(text, match.start()) or (None, False)
        assert end is None or (end > match.start() and text[end] in ")]")


@pytest.mark.parametrize(
    "text", ["", " \n ", "no citation", "(" * 5000, "410 U.S. 113 (" * 500, "\x00\x01 410 U.S. 113", "Id. " * 2000]
)
def test_strange_input_does_no_harm(text: str) -> None:
    assert all(c.form in {"full", "id"} for c in citations_of(text, "t"))


@pytest.mark.parametrize(
    ("passage", "small"),
    [
        ("The court relied on Roe v. Wade, 410 U.S. 113, 120 (1973) (holding that so it is). Id. at 121. ", 400),
        ("See Roe v. Wade, 410 U.S. 113, 120-21 (1973) (holding that x (citing Doe v. Bolton, } id., at 2", 150),
    ],
)
def test_a_huge_paragraph_takes_linear_time(passage: str, small: int) -> None:
    def read(times: int) -> None:
        assert len(citations_of(passage * times, "t")) == 2 * times

    assert grows_at_most(16, read, small, 10 * small)


def test_no_bracket_is_read_behind_one_that_never_closes() -> None:
    first, second = citations_of("Roe v. Wade, 410 U.S. 113 (holding so (it is. 411 U.S. 1 (1973) (holding not).", "t")
    assert [p.text for p in first.parentheticals] == ["holding so (it is. 411 U.S. 1 (1973"]
    assert [p.text for p in second.parentheticals] == ["holding not"]


def _plain(path: Path) -> str:
    return re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8"))


@pytest.mark.skipif(not RAW.is_dir(), reason="the shared corpus is not here")
def test_real_opinions_lose_none_of_eyecites_citations() -> None:
    from eyecite import get_citations
    from eyecite.models import FullCaseCitation, IdCitation, ShortCaseCitation, SupraCitation
    from eyecite.tokenizers import AhocorasickTokenizer

    kinds = (FullCaseCitation, ShortCaseCitation, IdCitation, SupraCitation)
    for path in sorted(RAW.glob("*_030concurrence.txt"))[:6]:
        text = _plain(path)
        mine = {c.start for c in citations_of(text, path.stem)}
        theirs: list[Any] = [c for c in get_citations(text, tokenizer=AhocorasickTokenizer()) if isinstance(c, kinds)]
        lost = [c.matched_text() for c in theirs if c.span()[0] not in mine]
        assert not lost, path.name


@pytest.mark.skipif(not RAW.is_dir(), reason="the shared corpus is not here")
def test_real_opinions_spans_slice_their_text() -> None:
    for path in sorted(RAW.glob("*_040dissent.txt"))[:40]:
        text = _plain(path)
        for c in citations_of(text, path.stem):
            assert c.full_start <= c.start < c.end <= len(text)
            assert all(text[p.start : p.end] == p.text for p in c.parentheticals)
