"""Names: capitals as they are written, the short form of a case's name, and what must stay as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.corpus.names import LONGEST, case_name, cased, short_name


@pytest.mark.parametrize(
    ("raw", "want", "why"),
    [
        ("MAPP v. OHIO", "Mapp v. Ohio", "capitals"),
        ("UNITED STATES ex rel. McCARL v. O'BRIEN", "United States ex rel. McCarl v. O'Brien", "Mc, O', ex rel."),
        ("THE PAQUETE HABANA", "The Paquete Habana", "a small word stands first"),
        ("LOUIS K. LIGGETT CO. v. LEE", "Louis K. Liggett Co. v. Lee", "initials"),
        ("BROTHERHOOD OF THE A.F.L. v. N.L.R.B.", "Brotherhood of the A.F.L. v. N.L.R.B.", "dotted acronyms"),
        ("NLRB v. HEARST PUBLICATIONS, INC.", "NLRB v. Hearst Publications, Inc.", "no word without a vowel"),
        ("FORD v. WILSON III", "Ford v. Wilson III", "roman numerals"),
        (
            "STATE FARM MUTUAL AUTO. INS. CO. v. DOE, JR.",
            "State Farm Mutual Auto. Ins. Co. v. Doe, Jr.",
            "clipped words",
        ),
        ("BUCKBEE-MEARS v. WOMEN'S CLUB", "Buckbee-Mears v. Women's Club", "hyphen and possessive"),
        ("Angela D. CIOTTONE v. Jonathan CIOTTONE", "Angela D. Ciottone v. Jonathan Ciottone", "surnames in capitals"),
        ("The PEOPLE v. Escobedo", "The People v. Escobedo", "a plain word in capitals"),
        ("New York Ex Rel. Rogers v. Graves", "New York ex rel. Rogers v. Graves", "Latin in small letters"),
        ("In Re Gault", "In re Gault", "Latin that stands first"),
        ("ASARCO Inc. v. Kadish", "ASARCO Inc. v. Kadish", "mixed already"),
        ("CITGO Petroleum v. Doe", "CITGO Petroleum v. Doe", "mixed already, an acronym of no list"),
        ('In re "A"', 'In re "A"', "a letter for a name"),
        ("MacDonald v. de la Cruz", "MacDonald v. de la Cruz", "mixed already"),
    ],
)
def test_capitals_are_written_out(raw: str, want: str, why: str) -> None:
    assert cased(raw) == want, why
    assert cased(want) == want, "writing it again changes nothing"


@pytest.mark.parametrize(
    ("raw", "want", "why"),
    [
        ("HELVERING, COMMISSIONER OF INTERNAL REVENUE, v. O'DONNELL.", "Helvering v. O'Donnell", "offices"),
        ("BROWN ET AL. v. UNITED STATES. UNITED STATES v. BROWN ET AL.", "Brown v. United States", "the first case"),
        ("A CO. et al. v. JONES et al. COBB et al. v. JONES", "A Co. v. Jones", "no stop but that of et al."),
        ("MERRILL LYNCH, PIERCE, FENNER & SMITH, INC. v. DOE", "Merrill Lynch, Pierce, Fenner & Smith, Inc. v. Doe", "a firm"),
        ("MISSOURI, KANSAS AND TEXAS RAILWAY COMPANY v. MAY", "Missouri, Kansas and Texas Railway Company v. May", "a firm"),
        ("LOWDEN, TRUSTEE OF THE CHICAGO, ROCK ISLAND & PACIFIC CO. v. DOE", "Lowden v. Doe", "an office at a firm"),
        ("W. K. Cunningham, Jr., Superintendent v. Nathan Thomas", "Cunningham v. Nathan Thomas", "given names with initials"),
        ("A. B. Dick Company v. Henry", "A. B. Dick Company v. Henry", "initials of a firm"),
        ("UNITED STATES of America v. The CITY OF NEW YORK", "United States v. City of New York", "Bluebook 10.2.2"),
        ("Cross v. Brown", "Cross v. Brown", "a surname that is part of a role"),
        ('UNITED STATES v. STEAMSHIP "COAMO," ETC.', 'United States v. Steamship "Coamo"', "a quotation cut at a comma"),
        ("EX PARTE MILLIGAN", "Ex parte Milligan", "one party"),
    ],
)  # fmt: skip
def test_short_names(raw: str, want: str, why: str) -> None:
    assert short_name(raw) == want, why
    assert short_name(want) == want, "a short name is its own short name"


def test_names_of_sources_stay_unless_they_are_long_or_list_roles() -> None:
    assert case_name("Board of Ed. of Ewing v. Doe Cty.") == "Board of Ed. of Ewing v. Doe Cty."
    assert (
        case_name("Commonwealth of Puerto Rico v. Terry E. Branstad")
        == "Commonwealth of Puerto Rico v. Terry E. Branstad"
    )
    assert case_name("Independence Tube Corporation, Plaintiff-Appellee v. Copperweld") == (
        "Independence Tube Corporation v. Copperweld"
    )
    seized = "UNITED STATES of America, Plaintiff-Appellee, v. $124,700 IN U.S. CURRENCY, Defendant-Appellant"
    assert case_name(seized) == "United States v. $124,700 in U.S. Currency"
    assert case_name("COMMONWEALTH v. Marquise BROWN.") == "Commonwealth v. Marquise Brown"
    assert case_name("") == ""


@given(st.text(max_size=400))
def test_short_names_are_bounded_and_never_lost(raw: str) -> None:
    short = short_name(raw)
    assert len(short) <= LONGEST + 1
    assert bool(short) == bool(raw.split())


@given(
    st.lists(
        st.sampled_from(["SMITH", "v.", "THE", "CO.,", "ET AL.", "&", "Inc.", "(No. 1)", "McRAE", ";"]), max_size=60
    )
)
def test_nothing_but_capitals_changes_in_writing(words: list[str]) -> None:
    raw = " ".join(words)
    assert cased(raw).lower() == raw.lower()
