"""What is made out of a case beside its text: caption, date, author, court; and that nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reporters_db import EDITIONS

from lawng.corpus.captions import read_caption
from lawng.corpus.cites import read_cites
from lawng.corpus.courts import court_named, court_of
from lawng.corpus.dates import dates_in
from lawng.corpus.names import author_in, author_name
from lawng.schema import ReporterCite
from time_support import grows_at_most


@pytest.mark.parametrize(
    ("raw", "want"),
    [
        ("(mr. chief justice vinson)", "Vinson"),
        ("(me. justice stevens)", "Stevens"),
        ("Mr. Justice FIELD", "Field"),
        ("Me. Justice Black and Me. Justice Douglas", "Black and Douglas"),
        ("MR. JUSTICE McREYNOLDS delivered the opinion of the Court", "McReynolds"),
        ("MR.- Justice PeckhaM", "Peckham"),
        ("O'CONNOR, J., concurring in part", "O'Connor"),
        ("CURRIER, J.A.D.", "Currier"),
        ("ROTHSCHILD, P.J.", "Rothschild"),
        ("ANN WALSH BRADLEY, J. (dissenting).", "Ann Walsh Bradley"),
        ("Opinion of the Court by FOLEY, J.", "Foley"),
        ("¶ 1 VERGERONT, J.", "Vergeront"),
        ("MacKENZIE, J.", "MacKenzie"),
        ("VAN DEVANTER, J.", "Van Devanter"),
        ("WILLIAM C. CONNER, District Judge.", "William C. Conner"),
        ("Per Curiam.", "Per Curiam"),
        ("The CHIEF JUSTICE", "Chief Justice"),
        ("Scalia", "Scalia"),
        ("Ruth Bader Ginsburg", "Ruth Bader Ginsburg"),
        ("", ""),
    ],
)
def test_authors_are_surnames(raw: str, want: str) -> None:
    assert author_name(raw) == want
    assert author_name(want) == want


@pytest.mark.parametrize(
    ("line", "want"),
    [
        ("MR. JUSTICE HOLMES delivered the opinion of the court.", "Holmes"),
        ("MR. JUSTICE DAY, after making the foregoing statement, delivered the opinion of the court.", "Day"),
        ("JUSTICE BRENNAN, with whom JUSTICE MARSHALL joins, dissenting.", "Brennan"),
        ("LUMBARD, Chief Judge.", "Lumbard"),
        ("PER CURIAM:", "Per Curiam"),
        ("EX PARTE WILLIAMS, TAX COMMISSIONER.", ""),
        ("Before HAND, SWAN and CHASE, Circuit Judges.", ""),
        ("The judge charged the jury that he was guilty.", ""),
        ("Justice requires that we reverse.", ""),
        ("Mr. Moses H. Grossman for petitioner.", ""),
    ],
)
def test_opening_lines(line: str, want: str) -> None:
    assert author_in(line) == want


@pytest.mark.parametrize("part", ["A ", "Mr. Justice ", "A, and ", "J. ", "Mr."])
def test_a_long_line_takes_linear_time(part: str) -> None:
    def read(times: int) -> None:
        assert len(author_in(part * times)) < 300
        author_name(part * times)

    assert grows_at_most(20, read, 5_000, 50_000)


def test_an_author_is_read_from_the_opening_of_a_long_line() -> None:
    facts = "the facts of the case were these. " * 500
    assert author_name(f"MR. JUSTICE BROWN, after stating the case, {facts}") == "Brown"
    assert author_name(facts) == facts.strip()


CAPTION = [
    "347 U.S. 483, 74 S. Ct. 686, 98 L. Ed. 873 (1954)",
    "BROWN ET AL.\u00a0v. BOARD OF EDUCATION OF TOPEKA ET AL.",
]


@pytest.mark.parametrize(
    ("lines", "want"),
    [
        (["Argued December 9, 1952.", "Reargued December 8, 1953.", "Decided May 17, 1954."], "1954-05-17"),
        (["Argued May 4, 1923. Decided May 17, 1954; rehearing denied June 1, 1954."], "1954-05-17"),
        (["Decided May 17. 1954."], "1954-05-17"),
        (["DECIDED MAY, 17, 1954"], "1954-05-17"),
        (["May 17, 1954"], "1954-05-17"),
        (["[May 17, 1954]"], "1954-05-17"),
        (["Decree entered May 17, 1954.", "IN EQUITY."], "1954-05-17"),
        (["Certiorari granted January 5, 1954.", "Decided May 17, 1954."], "1954-05-17"),
        (["Petition for rehearing denied May 17, 1954."], "1954-05-17"),
        (["Argued December 9, 1952."], "1954"),
        (["Decided February 30, 1954."], "1954"),
        (
            ["In May 17, 1954, a statute was passed; the case was filed and decided thereafter by the court below"],
            "1954",
        ),
    ],
)
def test_the_date_of_the_decision_and_no_other(lines: list[str], want: str) -> None:
    assert read_caption([*CAPTION, "No. 1.", "Supreme Court of United States.", *lines]).date == want


def test_a_caption_is_taken_apart() -> None:
    head = read_caption(
        [*CAPTION, "No. 1.", "Supreme Court of United States.", "APPEAL FROM THE DISTRICT COURT OF KANSAS."]
    )
    assert [cite.cite for cite in head.cites] == ["347 U.S. 483", "74 S. Ct. 686", "98 L. Ed. 873"]
    assert (head.docket, head.court) == ("1", "Supreme Court of United States")
    assert head.name.startswith("BROWN ET AL.")


def test_the_caption_of_a_slip_opinion() -> None:
    lines = [
        "Cite as: 570 U. S. ____ (2013) 1",
        "SCALIA, J., dissenting",
        "SUPREME COURT OF THE UNITED STATES ______",
        "No. 13A57 ____",
    ]
    head = read_caption(
        [*lines, "ON APPLICATION FOR STAY [August 2, 2013]", "The application is denied.", "Decided May 1, 1999."]
    )
    assert (head.docket, head.court, head.date) == ("13A57", "SUPREME COURT OF THE UNITED STATES", "2013-08-02")


@pytest.mark.parametrize(
    "lines",
    [
        ["In Sturges v. Crowninshield, 4 Wheat. 122, it was said that the power was not exclusive.", "We agree."],
        ["This was an action of debt.", "Doe v. Roe was cited by the Court of Appeals."],
        [],
    ],
)
def test_running_text_is_no_caption(lines: list[str]) -> None:
    head = read_caption(lines)
    assert (head.name, head.cites, head.docket, head.court, head.date) == ("", [], "", "", "")


@pytest.mark.parametrize(
    ("cite", "year", "court"),
    [
        ("410 U.S. 113", "1973", "scotus"),
        ("93 S. Ct. 705", "1973", "scotus"),
        ("2 U.S. 419", "1793", ""),
        ("351 Mass. 439", "1966", "mass"),
        ("5 Mass. App. Ct. 1", "1977", "massappct"),
        ("142 Mich. App. 294", "1985", "michctapp"),
        ("44 Cal. 2d 434", "1955", "cal"),
        ("242 N.Y. 13", "1926", "ny"),
        ("1974 Ga. LEXIS 1256", "1974", "ga"),
        ("100 Wis. 2d 1", "1975", "wis"),
        ("100 Wis. 2d 1", "1985", ""),
        ("8 F.3d 1", "1994", ""),
        ("8 F. Supp. 1", "1940", ""),
        ("1940 U.S. Dist. LEXIS 1", "1940", ""),
        ("10 N.E.2d 1", "1940", ""),
        ("1 Alaska 5", "1890", ""),
    ],
)
def test_the_reporter_tells_the_court_or_nothing(cite: str, year: str, court: str) -> None:
    assert court_of(read_cites([cite]), year) == court


@pytest.mark.parametrize(
    ("printed", "court"),
    [
        ("Supreme Court of the United States", "scotus"),
        ("United States Court of Appeals, District of Columbia Circuit.", "cadc"),
        ("United States Circuit Court of Appeals, Second Circuit", "ca2"),
        ("United States District Court, S. D. New York.", "nysd"),
        ("Supreme Court of California, In Bank.", "cal"),
        ("Court of Appeals of New York", "ny"),
        ("Supreme Court of Atlantis", ""),
        ("Supreme Court", ""),
        ("Court of Appeals", ""),
        ("", ""),
    ],
)
def test_printed_courts(printed: str, court: str) -> None:
    assert court_named(printed) == court


@given(st.text(max_size=200))
def test_any_text_can_be_looked_at(text: str) -> None:
    author_in(text), author_name(text), court_named(text), dates_in(text), read_caption([text] * 3)


def test_every_reporter_is_read_as_itself() -> None:
    read = {edition: read_cites([f"12 {edition} 345"])[0] for edition in EDITIONS}
    assert [edition for edition, cite in read.items() if cite.reporter != edition] == []
    assert read_cites(["5 U.S. (1 Cranch) 137", "2009-NMSC-035", "2015 IL App (1st) 131503"]) == [
        ReporterCite("5 U.S. 137", "5", "U.S.", "137"),
        ReporterCite("2009 NMSC 035", "2009", "NMSC", "035"),
        ReporterCite("2015 IL App (1st) 131503", "2015", "IL App (1st)", "131503"),
    ]
