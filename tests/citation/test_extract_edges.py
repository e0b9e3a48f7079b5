"""Edges of citations: how far back a mention reaches, whose a word is, and what a bracket or a quotation still counts as."""

from __future__ import annotations

import pytest

from lawng.citation.extract import citations_of, clean
from lawng.citation.parentheticals import kind_of, reported
from lawng.citation.resolve import _REACH
from lawng.citation.tails import court_and_year
from lawng.citation.tokens import tokens_of

ROE = "Roe v. Wade, 410 U.S. 113 (1973)"


@pytest.mark.parametrize(
    ("quoted", "cite"), [(1, "410 U.S. 113"), (_REACH - 1, "410 U.S. 113"), (_REACH, None), (_REACH + 3, None)]
)
def test_an_id_behind_a_quotation_reaches_back_a_few_mentions_and_no_further(quoted: int, cite: str | None) -> None:
    cites = "; ".join(f"Bee v. Foe, {n} U.S. 1 (1800)" for n in range(1, quoted + 1))
    found = citations_of(f'{ROE}: "It is so. Cf. {cites}." Id., at 300.', "t")
    assert len(found) == quoted + 2
    assert found[-1].resolved_cite == cite


@pytest.mark.parametrize(
    ("text", "cite", "why"),
    [
        (f"{ROE} (holding so; see id., at 120).", "410 U.S. 113", "in the parenthetical of a case it is that case"),
        (f"{ROE} (citing 42 U.S.C. § 1983; see id.).", None, "unless a statute stands between, in the parenthetical"),
        (f"{ROE} (citing 1 Stat. 73; see id., at 120).", None, "or what has pages too"),
        (f"{ROE} (see post, at 119; see id., at 120).", None, "or another part of the report"),
        (f"42 U.S.C. § 1983. {ROE} (holding so; see id.).", "410 U.S. 113", "a statute before the case is not between"),
        (f"{ROE}. (Evid. Code, § 352, subd. (a).) So. (Id., subd. (b).)", None, "a subdivision is of no case"),
        (f"{ROE}. (Smith Decl. Ex. A.) So. (Id. Ex. B.)", None, "nor an exhibit"),
        (f"{ROE}. (ECF No. 12 at 110.) So. (Id. at 114.)", None, "a page of the record stands between"),
    ],
)  # fmt: skip
def test_what_stands_between_a_case_and_an_id_in_its_parenthetical(text: str, cite: str | None, why: str) -> None:
    last = citations_of(text, "t")[-1]
    assert last.form == "id"
    assert last.resolved_cite == cite, why


BOTH = "Roe v. Wade, 410 U.S. 113, 93 S. Ct. 705 (1973)"


@pytest.mark.parametrize(
    ("text", "cites", "why"),
    [
        (f"{BOTH}.", ["410 U.S. 113", "93 S. Ct. 705"], "each of two parallel cites is itself"),
        (f"{BOTH}. It is so, 93 S. Ct., at 706.", ["93 S. Ct. 705"], "a short form is its own reporter's"),
        (f"{BOTH}. It is so, 93 S. Ct., at 710.", ["93 S. Ct. 705"], "though its page be another's too"),
        (f"{BOTH}. Id., at 120.", ["410 U.S. 113"], "a page is the cite's on whose pages it can be"),
        (f"{BOTH}. Roe, supra, at 710.", ["93 S. Ct. 705"], "though it be the second"),
        ("Dunn v. Gray, 50 A. 1, 50 P. 7 (1901). It is so, 50 P., at 9.", ["50 P. 7"], "in volumes of one number"),
        ("Dunn v. Gray, 50 P. 7, 50 A. 1 (1901). It is so, 50 A., at 9.", ["50 A. 1"], "whichever comes first"),
        (f"{BOTH}. Roe v. Wade, 410 U.S. 114, 93 S. Ct. 705 (1973).", ["410 U.S. 114", "93 S. Ct. 705"],
         "of two first pages in one volume the one that is written"),
    ],
)  # fmt: skip
def test_which_of_the_parallel_cites_a_mention_means(text: str, cites: list[str], why: str) -> None:
    assert [one.resolved_cite for one in citations_of(text, "t")][-len(cites) :] == cites, why


@pytest.mark.parametrize(
    ("source", "text"),
    [
        *((f"the{a}[*113]{b}tenant", f"the{' ' if a or b else ''}tenant") for a in ("", " ", "\n") for b in ("", " ")),
        *((f"the rule{a}[12]{b}tenant", "the rule tenant") for a in ("", " ") for b in (" ",)),
        ("the rule [12]tenant", "the rule tenant"),
        ("the rule [12].", "the rule."),
        ("the tenant [*113]", "the tenant"),
        ("the tenant [*113] ", "the tenant"),
        ("410 [*113] U.S. 113", "410 U.S. 113"),
    ],
)
def test_a_mark_parts_words_as_its_blanks_do(source: str, text: str) -> None:
    assert clean(source).text == text


@pytest.mark.parametrize(
    ("year", "reporter", "why"),
    [
        (1862, "Cold.", "Coldwell's reports are of 1860 to 1870"),
        (1975, "Colo.", "Colorado's of 1864 to 1980"),
        (1866, "Col.", "either: it stays as written"),
        (1800, "Col.", "neither"),
        (None, "Col.", "no year"),
    ],
)
def test_the_year_decides_between_reporters_of_one_abbreviation(year: int | None, reporter: str, why: str) -> None:
    [token] = [one for one in tokens_of("See Roe v. Wade, 1 Col. 2.") if one.form == "full"]
    assert token.standard_reporter(year) == reporter, why
    assert token.standard_cite(year) == f"1 {reporter} 2"


@pytest.mark.parametrize("before", ["See ", "It is so. ", "So we held in ", ""])
def test_a_name_that_opens_a_short_form_is_no_mention_of_its_own(before: str) -> None:
    found = citations_of(f"Nobelman v. Bank, 508 U.S. 324 (1993). {before}Nobelman at 332, 508 U.S., at 332.", "t")
    assert [one.form for one in found] == ["full", "short"]


@pytest.mark.parametrize(("length", "is_court"), [(20, True), (90, True), (91, False), (200, False)])
def test_a_court_and_year_is_short(length: int, is_court: bool) -> None:
    inner = f"D. {'M' * (length - 8)} 1991"
    assert len(inner) == length
    found = court_and_year(inner)
    assert (found is not None) is is_court
    assert found is None or found[1] == 1991


@pytest.mark.parametrize(
    ("text", "verb", "supported"),
    [
        ("holding that it is", "holding", True),
        ("Holding That it is", "holding", True),
        ("HOLDING THAT it is", "holding", True),
        ("Denying that it is", "denying", False),
        ("DENYING THAT it is", "denying", False),
    ],
)
def test_a_report_is_one_in_capitals_too(text: str, verb: str, supported: bool) -> None:
    found = reported(text)
    assert found is not None
    assert (found.verb, found.clause, found.supported) == (verb, "it is", supported)


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("“so be it”", "quotation", "nothing else"),
        ("“abcdef” x", "quotation", "four fifths of it"),
        ("“abcde” xy", "explanatory", "a little less"),
        ("“so” is what the statute says of taxes", "explanatory", "a quoted word to begin with"),
        ("the statute says “so be it, and may it be so for ever”", "explanatory", "begun in the judge's own words"),
    ],
)
def test_a_quotation_is_one_for_the_most_part(text: str, kind: str, why: str) -> None:
    assert kind_of(text) == kind, why


STATES = [
    ("Doe v. Roe, 2005 WL 7654321, at *3, *5 (D. Mass. 2005) (holding x so).", [("*3, *5", "", ["holding x so"])], "two pages"),
    ("Doe v. Roe, 2005 WL 7654321, at *3 & *5 (D. Mass. 2005).", [("*3 & *5", "", [])], "joined by a sign"),
    (
        "Doe v. Roe, 2005 WL 7654321, at *3 (D. Mass. 2005). Id. at *6 (holding x so).",
        [("*3", "", []), ("*6", "2005 WL 7654321", ["holding x so"])],
        "a page of a document in a database is not near its number",
    ),
    (
        "State v. Ito, 2009-NMSC-035, ¶ 11. Id. ¶ 12 (holding x so). Id. (noting y).",
        [("¶ 11", "", []), ("¶ 12", "2009 NMSC 035", ["holding x so"]), (None, "2009 NMSC 035", ["noting y"])],
        "an id. of a case that is cited by paragraph",
    ),
    ("Roe v. Doe, 12 F.3d 3. Id. ¶ 12 (saying x so).", [(None, "", []), ("¶ 12", None, [])], "but not of one by page"),
    (
        "State v. Ito, 123 Wn. App. 424, 433 (2004), review denied, 154 Wn.2d 1013 (2005). Id. at 434.",
        [("433", "", []), (None, "", []), ("434", "123 Wash. App. 424", [])],
        "a review that was denied is no reversal",
    ),
    (
        "Ito v. Roe, 12 A.D.3d 345 (2004), lv denied 4 N.Y.3d 700 (2005) (holding x so). Id. at 346.",
        [(None, "", ["holding x so"]), (None, "", []), ("346", "12 A.D.3d 345", [])],
        "New York's leave",
    ),
    (
        "Ito v. Roe, 12 Mass. App. Ct. 34, rev. denied, 384 Mass. 817 (1981) (holding x so).",
        [(None, "", ["holding x so"]), (None, "", [])],
        "Massachusetts's review",
    ),
    (
        "Ito v. State, 12 S.W.3d 5, 8 (Tex. App.—Austin 1999, pet. ref'd) (holding x so).",
        [("8", "", ["holding x so"])],
        "the history of a petition in a Texas court's bracket",
    ),
    (
        "Ito v. State, 12 S.W.3d 5, 8 (Tex. App.—Houston [1st Dist.] 2000, no pet.) (holding x so).",
        [("8", "", ["holding x so"])],
        "and of none",
    ),
    (
        "People v Ito, 100 Mich App 5, 10; 297 NW2d 1 (1980) (holding x so).",
        [("10", "", ["holding x so"]), (None, "", [])],
        "Michigan parts parallel cites by a semicolon",
    ),
    (
        "Roe v. Ito, 100 Mich. 5, 10; 297 U.S. 1 (1936) (holding x so).",
        [("10", "", []), (None, "", ["holding x so"])],
        "not those of two cases",
    ),
    (
        "A v. B, 10 So.3d 5 (2008), aff’d in part, rev’d in part, 20 So.3d 7 (2009) (holding x so).",
        [(None, "", []), (None, "", ["holding x so"])],
        "after a reversal in part the words are of the later case",
    ),
    (
        "Ito v. Roe, 12 S.W.3d 5, 8 (Tex. App.—Corpus Christi 2010, pet. denied) (mem. op.) (holding x so).",
        [("8", "", ["mem. op.", "holding x so"])],
        "a petition that was denied",
    ),
    (
        "People v. Ito (1956) 46 Cal.2d 818, 836. It is so. (Id. at p. 837.) It is settled (id., at pp. 838-839).",
        [("836", "", []), ("837", "46 Cal. 2d 818", []), ("838-839", "46 Cal. 2d 818", [])],
        "California's id. stands in brackets",
    ),
    (
        "Ito v. State, 280 Ga. 340 (1) (a) (627 SE2d 1) (2006) (holding x so).",
        [(None, "", ["holding x so"]), (None, "", [])],
        "Georgia's divisions, and its parallel cites in brackets",
    ),
    (
        "Ito v. Roe, 443 U. S. 307 (III) (B) (99 SCt 2781, 61 LE2d 560) (1979) (holding x so).",
        [(None, "", ["holding x so"]), (None, "", [])],
        "of which one may be of a reporter in no table",
    ),
    (
        "State v. Ito, 299 Kan. 1021, Syl. ¶ 3, 327 P.3d 1002 (2014) (holding x so).",
        [("Syl. ¶ 3", "", ["holding x so"]), (None, "", [])],
        "a paragraph of the syllabus",
    ),
    ("Ito v. Poe, 5 N.E.2d 1. So Ito at ¶ 20.", [(None, "", []), ("¶ 20", "", [])], "Ohio's paragraph behind a name"),
    (
        "Roe v. Ito, 585 U. S. ___, ___-___ (2018) (slip op., at 15) (holding x so).",
        [("___-___", "", ["slip op., at 15", "holding x so"])],
        "pages that are not printed yet",
    ),
    (
        "Roe v. Ito, 139 S. Ct. 2400, ––––, 204 L.Ed.2d 841 (2019) (holding x so).",
        [("––––", "", ["holding x so"]), (None, "", [])],
        "nor in the second reporter",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted", "why"), STATES)
def test_how_states_cite(text: str, wanted: list[tuple[str | None, str | None, list[str]]], why: str) -> None:
    found = citations_of(text, "t")
    told = [(c.pin_cite, c.resolved_cite if c.form == "id" else "", [p.text for p in c.parentheticals]) for c in found]
    assert told == wanted, why


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("People v Ito (12 NY2d 345, 350 [1963]).", "People v Ito"),
        ("Matter of Doe (Roe), 5 AD3d 10, 12 (2004).", "Matter of Doe (Roe)"),
        ("It was so (by some). 5 AD3d 10 (2004).", None),
        ("Ito v. Acme Corp., No. 12 Civ. 3456 (PAE), 2014 WL 3611597.", "Ito v. Acme Corp."),
        ("So held. Bank of Am., N.A. v. Ito (In re Ito), 5 F.3d 10.", "Bank of Am., N.A. v. Ito"),
        ("Ito v. Roe, 96-0744, p. 5 (La. 5/20/97), 694 So. 2d 203.", "Ito v. Roe"),
        ("Ito v. Roe, — U.S. —, 129 S. Ct. 1710.", "Ito v. Roe"),
        ("State v. Ito, 8th Dist. Cuyahoga No. 95000, 2011-Ohio-5.", "State v. Ito"),
        ("Ito v. Roe, 9 Cir., 1960, 280 F.2d 5.", "Ito v. Roe"),
        ("It is founded in the Due Process Clause of the Fourteenth Amendment. 410 U. S., at 153.", None),
        ("It was sold to Acme Co. 5 F.3d 10.", "Acme Co."),
        ("1616, Inc. v. City of Ito, 5 F.3d 1.", "1616, Inc. v. City of Ito"),
    ],
)
def test_names_in_the_styles_of_courts(text: str, name: str | None) -> None:
    (found,) = citations_of(text, "t")
    assert found.name == (name or "")


@pytest.mark.parametrize(
    ("text", "court"),
    [
        ("Tex. App.—Austin 1999, pet. ref'd", ("Tex. App.—Austin", 1999)),
        ("Tex. Civ. App.—Dallas 1980, writ ref'd n.r.e.", ("Tex. Civ. App.—Dallas", 1980)),
        ("Tex. App.—Houston [1st Dist.] 2000, no pet.", ("Tex. App.—Houston [1st Dist.]", 2000)),
        ("Tex. App.—Dallas 2010, orig. proceeding", ("Tex. App.—Dallas", 2010)),
        ("Tex. App.—Tyler 2010, pet. denied, untimely filed", ("Tex. App.—Tyler", 2010)),
        ("Kan. App. 1999, rev. denied", ("Kan. App.", 1999)),
        ("9th Cir. 2010, cert. denied", ("9th Cir.", 2010)),
        ("the petition was denied in 1999", None),
        ("Clean Air Act of 1970, review of permits de novo", None),
        ("holding that the writ of 1999, writ large, is void", None),
    ],
)
def test_the_year_stands_before_a_petitions_history(text: str, court: tuple[str, int] | None) -> None:
    assert court_and_year(text) == court


@pytest.mark.parametrize(
    "word",
    [
        "Accordingly",
        "Hence",
        "Reversing",
        "Despite",
        "Pursuant to",
        "Prior to",
        "Syllabus Point 1",
        "In 1993",
        "According to the State",
        "Unless",
    ],
)
def test_a_word_that_begins_the_sentence_is_none_of_the_name(word: str) -> None:
    [found] = citations_of(f"{word}, Austin v. Michigan, 494 U.S. 652 (1990), is overruled.", "text")
    assert found.name == "Austin v. Michigan"
    assert found.full_start == len(word) + 2
