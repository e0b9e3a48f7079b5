"""What is said of a case that was law no longer when it was said is left out of a build, if asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import pytest

from lawng.citation.extract import citations_of_case
from lawng.io import Lookup
from lawng.lawngnli.accuracy import screen
from lawng.lawngnli.records import Screened
from lawng.lawngnli.sources import Source
from lawng.lawngnli.treatments import find_treatments
from lawng.lawngnli.undone import Undone, undone_cases
from lawng.pipeline import Count
from lawng.schema import Case, Citation, Opinion, Reject, Treatment
from nli_fixture import candidate
from records_support import case, opinion, treatment

CITED = "cl:1"


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        pytest.param({}, "treatment", "cl:8", id="a parenthetical"),
        pytest.param(
            {"hypothesis_source": "proposition", "hypothesis": "The tax is void."}, "treatment", "cl:8", id="p"
        ),
        pytest.param({"history": "overruled by"}, "case-history", "overruled by", id="the history is told first"),
        pytest.param({"hypothesis": "quoting the rule"}, "treatment", "cl:8", id="the words are looked at last"),
    ],
)
def test_an_undone_case_is_a_reject_of_its_own(changes: dict[str, Any], reason: str, detail: str) -> None:
    found = screen(candidate(**changes), {}, undone_by="cl:8")
    assert isinstance(found, Reject)
    assert (found.stage, found.reason, found.detail) == ("accuracy", reason, detail)
    assert found.id == candidate().candidate_id


def test_without_one_nothing_is_left_out() -> None:
    assert isinstance(screen(candidate(), {}, undone_by=""), Screened)
    assert screen(candidate(), {}) == screen(candidate(), {}, undone_by="")


DATES = {
    **{CITED: "1950", "early": "1980", "late": "1995", "day": "1990-06-02", "eve": "1990-05-31", "year": "1990"},
    **{"undated": "", "by90": "1990-06-01", "by99": "1999"},
}


@pytest.mark.parametrize(
    ("by", "citing", "expected", "why"),
    [
        ([("1990-06-01", "by90")], "late", "by90", "five years after"),
        ([("1990-06-01", "by90")], "day", "by90", "a day after"),
        ([("1990-06-01", "by90")], "eve", "", "a day before"),
        ([("1990-06-01", "by90")], "early", "", "years before"),
        ([("1990-06-01", "by90")], "year", "", "the same year may be before"),
        ([("1990-06-01", "by90")], "by90", "", "the case that did it speaks of it as law"),
        ([("1990-06-01", "by90")], "undated", "", "when is not known"),
        ([("1990-06-01", "by90")], "unheard of", "", "a case of no corpus"),
        ([("", "by90")], "late", "", "when it was undone is not known"),
        ([("1990", "year")], "day", "", "that year, on a day that is not known"),
        ([("1980", "late")], "late", "", "itself, whatever its date"),
        ([("1990-06-01", "by90"), ("1999", "by99")], "late", "by90", "between the two"),
        ([("1985", "late"), ("1990-06-01", "by90")], "late", "by90", "not the first, which is itself"),
        ([("", "x"), ("1990-06-01", "by90")], "late", "by90", "not the first, which has no date"),
        ([("1985", "by85"), ("1990-06-01", "by90")], "late", "by85", "the earliest"),
        ([], "late", "", "nobody did"),
    ],
)
def test_who_undid_a_case_before_another_spoke_of_it(
    by: list[tuple[str, str]], citing: str, expected: str, why: str
) -> None:
    assert Undone({CITED: by}, DATES).before(CITED, citing) == expected, why
    assert Undone({"cl:2": by}, DATES).before(CITED, citing) == "", "another case was undone"


def test_nothing_is_undone_unless_it_is_told() -> None:
    assert Undone().before(CITED, "late") == ""


def test_treatments_make_a_list_by_date() -> None:
    rows = [
        treatment(CITED, "overruled", "by99", citing_date="1999"),
        treatment(CITED, "reversed", "by90", citing_date="1990-06-01"),
        treatment("cl:2", "mentioned", "late", citing_date="1995", kind="told", told="overruled", by="3 U.S. 3"),
    ]
    undone = undone_cases(rows, [case(name, date=date) for name, date in DATES.items()])
    assert undone.dates == DATES
    assert undone.by_case == {CITED: [("1990-06-01", "by90"), ("1999", "by99")], "cl:2": [("1995", "3 U.S. 3")]}
    assert undone.before("cl:2", "by99") == "3 U.S. 3", "as one told it, so by then it was done"
    assert undone.before("cl:2", "by90") == "", "it may have been done later"


class Slice(NamedTuple):
    """Stands for a slice of the opinions with their citations."""

    read: list[tuple[Opinion, list[Citation]]]

    def pairs(self) -> Iterator[tuple[Opinion, list[Citation]]]:
        yield from self.read


def found_in(texts: dict[str, list[tuple[str, str]]], known: bool = True) -> list[Treatment | Count]:
    """What the step finds in cases of these opinions, of type and text."""
    cites = {f"{n} Mass. 10": f"cl:{n}" for n in range(1, 10) if n != 5}
    read = []
    for case_id, said in texts.items():
        opinions = [
            opinion(case_id, [text], opinion_id=f"{case_id}/{at}", type=part) for at, (part, text) in enumerate(said)
        ]
        citations = citations_of_case(opinions, cites.get)
        read += [(one, [c for c in citations if c.opinion_id == one.opinion_id]) for one in opinions]
    cases = {case_id: case(case_id, name=f"Party v. State{case_id[3:]}", parties=[]) for case_id in texts}
    return list(find_treatments(cast("Source", Slice(read)), cast("Lookup[Case]", cases) if known else None))


OVERRULES = "We overrule Ash v. Elm, 1 Mass. 10 (1950)."


@pytest.mark.parametrize(
    ("said", "rows", "why"),
    [
        ([("majority", OVERRULES)], [("cl:1", "overruled", "overruled")], "an overruling"),
        ([("majority", "See Oak v. Fir, 3 Mass. 10 (1960) (overruling Ash v. Elm, 1 Mass. 10 (1950)).")],
         [("cl:1", "mentioned", "overruled")], "as told of another case"),
        ([("dissent", OVERRULES)], [], "a dissent decides nothing"),
        ([("majority", "Ash v. Elm, 1 Mass. 10 (1950), is limited to its facts.")], [], "limited is not undone"),
        ([("majority", "We follow Ash v. Elm, 1 Mass. 10 (1950).")], [], "followed"),
        ([("majority", "We overrule Ash v. Elm, 5 Mass. 10 (1950).")], [], "a case that is not in the corpus"),
        ([("majority", "The tenant stayed."), ("concurrence", "I agree."), ("plurality", OVERRULES)],
         [("cl:1", "overruled", "overruled")], "any opinion of the case's"),
        ([("majority", "The tenant stayed.")], [], "no citation"),
    ],
)  # fmt: skip
def test_the_step_keeps_what_undoes_cases_of_the_corpus(
    said: list[tuple[str, str]], rows: list[tuple[str, str, str]], why: str
) -> None:
    found = found_in({"cl:9": said})
    kept = [one for one in found if isinstance(one, Treatment)]
    assert [(one.case_id, one.label, one.done) for one in kept] == rows, why
    assert [(one.n, one.what) for one in found if isinstance(one, Count)] == [(len(said), "opinions")]
    assert found_in({"cl:9": said}, known=False) == [], "unless the filter asks for it"


def test_the_cases_of_a_slice_are_judged_apart() -> None:
    found = found_in(
        {"cl:8": [("majority", OVERRULES)], "cl:9": [("majority", "Baker stayed. That case is overruled.")]}
    )
    assert [one.citing_case_id for one in found if isinstance(one, Treatment)] == ["cl:8"]
    assert sum(one.n for one in found if isinstance(one, Count)) == 2
