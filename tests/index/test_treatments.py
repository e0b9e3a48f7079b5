"""What later cases did to a case, late linked: a new volume turns an old case bad, and nobody is told of it too early."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import records_support
from encoder_support import HashingEncoder
from lawng.errors import InputError
from lawng.index import store
from lawng.index.reader import Index
from lawng.index.treated import CaseTreatment
from lawng.index.writer import index_corpus
from lawng.schema import Case, Opinion, Treatment
from records_support import reporter_cite, treatment
from retrieval_support import write_corpus

OLD, NEW, FIRST = "1 U.S. 1", "2 U.S. 3", "cl:1"
Pair = tuple[Case, list[Opinion]]
Index_of = Callable[..., Index]
numbers = count()


def decided(case_id: str, date: str, cite: str, words: str = "Affirmed.") -> Pair:
    made = records_support.case(case_id, name=f"Party {case_id} v. State", date=date, citations=[reporter_cite(cite)])
    return made, [records_support.opinion(case_id, [words])]


def says(citing: str, date: str, label: str = "overruled", **changes: Any) -> Treatment:
    """What a case says of the old one."""
    given = {"treatment_id": f"{citing}>{OLD}", "cite": OLD, "citing_date": date, **changes}
    return treatment("", label, citing, **given)


@pytest.fixture
def grown(tmp_path: Path) -> Index_of:
    """An index to which volumes are added, one by one."""

    def make(*volumes: Sequence[Pair]) -> Index:
        place = tmp_path / f"index{next(numbers)}"
        for at, cases in enumerate(volumes):
            index_corpus(write_corpus(place / f"../corpus{next(numbers)}", cases), place, HashingEncoder(), add=at > 0)
        return Index.open(place, HashingEncoder())

    return make


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[Treatment]:
    """Rows written by hand, which the judge gives for their citing cases."""
    written: list[Treatment] = []

    def treatments_of(case: Case, *_: object) -> list[Treatment]:
        return [one for one in written if one.citing_case_id == case.case_id]

    monkeypatch.setattr("lawng.treatment.judge.treatments_of", treatments_of)
    return written


def of_first(index: Index) -> tuple[list[str], CaseTreatment]:
    """Ids of what was done to the first case, and what is known of it."""
    rows = index.treatments_of([FIRST], separate=True)[FIRST]
    return [one.treatment_id for one in rows], index.case_treatments([FIRST])[FIRST]


def test_a_new_volume_turns_an_old_case_bad(grown: Index_of, tmp_path: Path) -> None:
    before = grown([decided(FIRST, "1950", OLD)])
    assert of_first(before) == ([], CaseTreatment())
    words = "We granted leave. We overrule Smith v. Jones, 1 U.S. 1. Reversed."
    volume = write_corpus(tmp_path / "new", [decided("cl:2", "1990", NEW, words)])
    index_corpus(volume, before.place, HashingEncoder(), add=True)
    assert of_first(before) == ([], CaseTreatment()), "who had it open"
    after = before.refreshed()
    [flag] = after.case_treatments([FIRST])[FIRST].flags
    assert (flag.case_id, flag.citing_case_id, flag.label) == (FIRST, "cl:2", "overruled")
    assert after.opinion(flag.opinion_id).text[flag.start : flag.end] == flag.sentence
    assert of_first(after)[1].words == f"overruled by Party cl:2 v. State, {NEW} (1990): “{flag.sentence}”"


def test_a_treated_case_that_comes_late_is_linked(grown: Index_of, judged: list[Treatment]) -> None:
    judged += [says("cl:2", "1990"), says("cl:3", "1995", "mentioned")]
    citing = [decided("cl:2", "1990", NEW), decided("cl:3", "1995", "3 U.S. 3")]
    late, at_once = grown(citing, [decided(FIRST, "1950", OLD)]), grown([*citing, decided(FIRST, "1950", OLD)])
    assert of_first(late) == of_first(at_once)
    assert of_first(late)[0] == [f"cl:3>{OLD}", f"cl:2>{OLD}"], "the newest first"


@pytest.mark.slow("adds to indexes ten times")
def test_five_additions_in_any_order_equal_one_rebuild(grown: Index_of, judged: list[Treatment]) -> None:
    judged += [
        says("cl:2", "1990"),
        says("cl:3", "1995", parallel=["9 S. Ct. 9"]),
        says("cl:4", "1960", cite="9 S. Ct. 9"),
        says("cl:1", "1950", cite=NEW, treatment_id="cl:1>it"),
    ]
    cases = [decided(f"cl:{n}", date, cite) for n, date, cite in (
        (1, "1950", OLD), (2, "1990", NEW), (3, "1995", "3 U.S. 3"), (4, "1960", "4 U.S. 4"), (5, "1949", "9 S. Ct. 9"),
    )]  # fmt: skip
    ids = [case.case_id for case, _ in cases]
    whole = grown(cases)
    expected = whole.treatments_of(ids), whole.case_treatments(ids)
    assert {case_id: len(some) for case_id, some in expected[0].items() if some} == {"cl:1": 2, "cl:5": 1}
    for order in (cases, cases[::-1]):
        index = grown(*([one] for one in order))
        assert (index.treatments_of(ids), index.case_treatments(ids)) == expected


def test_a_cite_that_becomes_ambiguous_unlinks(grown: Index_of, judged: list[Treatment]) -> None:
    judged.append(says("cl:2", "1990"))
    both = [decided(FIRST, "1950", OLD), decided("cl:2", "1990", NEW)]
    assert of_first(grown(both))[0] == [f"cl:2>{OLD}"]
    index = grown(both, [decided("cl:9", "1951", OLD)])
    assert index.case_treatments([FIRST, "cl:9"]) == {FIRST: CaseTreatment(), "cl:9": CaseTreatment()}
    [row] = index._tables["treatments"].search().to_list()
    assert (row["case_id"], row["cites"]) == ("", [OLD]), "it is kept, of no case"


def test_what_a_case_says_of_itself_is_of_no_case(grown: Index_of, judged: list[Treatment]) -> None:
    judged.append(says(FIRST, "1950"))
    assert of_first(grown([decided(FIRST, "1950", OLD)])) == ([], CaseTreatment())


@pytest.mark.parametrize(
    ("citing", "counts"),
    [
        pytest.param("1949-12-31", False, id="the day before the year"),
        pytest.param("1949", False, id="the year before"),
        pytest.param("1950", True, id="the same year"),
        pytest.param("1950-02", True, id="a month of the year"),
        pytest.param("", True, id="not known"),
    ],
)
def test_an_earlier_case_treats_no_later_one(
    grown: Index_of, judged: list[Treatment], citing: str, counts: bool
) -> None:
    judged += [says("cl:2", citing), says(FIRST, "1950", cite=NEW, treatment_id=f"{FIRST}>{NEW}")]
    index = grown([decided(FIRST, "1950", OLD), decided("cl:2", citing, NEW)])
    assert len(index.treatments_of([FIRST])[FIRST]) == index.case_treatments([FIRST])[FIRST].n_citing == counts
    assert index.case_treatments(["cl:2"])["cl:2"].n_citing == 1, "the other way round it is later, or may be"


def test_flags_are_what_decides_gravest_first_and_all_is_counted(grown: Index_of, judged: list[Treatment]) -> None:
    judged += [
        says("cl:2", "1990", "questioned"),
        says("cl:3", "1991", "overruled", kind="in-part"),
        says("cl:4", "1960", "overruled"),
        says("cl:5", "1970", "overruled"),
        says("cl:6", "1999", "distinguished", n_mentions=5),
        says("cl:7", "1998", "mentioned"),
        says("cl:7", "1998", "criticized", treatment_id=f"cl:7>{OLD}/separate", decides=False, n_mentions=1),
    ]
    cases = [decided(f"cl:{n}", "1950", f"{n} U.S. {n}") for n in range(1, 8)]
    index = grown(cases)
    found = index.case_treatments([FIRST])[FIRST]
    assert [one.citing_case_id for one in found.flags] == ["cl:5", "cl:4", "cl:3", "cl:2"]
    assert (found.label, found.n_citing, found.n_mentions) == ("overruled", 6, 16)
    assert [one.citing_case_id for one in index.treatments_of([FIRST])[FIRST]] == [
        f"cl:{n}" for n in (6, 7, 3, 2, 5, 4)
    ]
    assert len(index.treatments_of([FIRST], separate=True)[FIRST]) == 7
    assert [one.label for one in index.treatments_of([FIRST], ("distinguished",))[FIRST]] == ["distinguished"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "no negative treatment found among the 2 later cases in this index that cite it (9 mentions read)"),
        ([{}], "overruled by Roe v. Doe, 12 U.S. 3 (1999): “We overrule it.”"),
        ([{"kind": "in-part"}], "overruled in part by Roe v. Doe, 12 U.S. 3 (1999): “We overrule it.”"),
        ([{"citing_cite": "", "citing_date": ""}], "overruled by Roe v. Doe (n.d.): “We overrule it.”"),
        ([{"label": "limited", "sentence": "No\n\nmore."}, {}], "limited by Roe v. Doe, 12 U.S. 3 (1999): “No more.”"),
    ],
)
def test_the_words_say_who_did_it_or_among_how_many_none(rows: list[dict[str, Any]], words: str) -> None:
    found = CaseTreatment(tuple(treatment(**given) for given in rows), 2, 9)
    assert found.words == words
    assert found.to_row()["words"] == words


def test_a_long_sentence_is_cut_between_words() -> None:
    words = CaseTreatment((treatment(sentence="overruled " * 90),)).words
    assert words.endswith("overruled …”")
    assert len(words) < 400


def test_an_index_of_another_form_is_refused_in_one_line(grown: Index_of, monkeypatch: pytest.MonkeyPatch) -> None:
    place = grown([decided(FIRST, "1950", OLD)]).place
    monkeypatch.setattr(store, "FORM", store.FORM + 1)
    with pytest.raises(InputError, match=r"has form 3, this lawng reads 4; make it again$"):
        Index.open(place)


def test_what_a_third_case_tells_is_a_flag_unless_the_case_itself_says_it(
    grown: Index_of, judged: list[Treatment]
) -> None:
    tells = says("cl:3", "1995", "mentioned", kind="told-in-part", told="overruled", by=NEW)
    judged.append(tells)
    cases = [decided(FIRST, "1950", OLD), decided("cl:3", "1995", "3 U.S. 5")]
    _, told = of_first(grown(cases))
    assert (told.label, [one.told for one in told.flags]) == ("overruled", ["overruled"])
    assert told.words.startswith(f"overruled in part by {NEW}, as told in ")
    judged.append(says("cl:2", "1990", citing_cite=NEW))
    _, said = of_first(grown([*cases, decided("cl:2", "1990", NEW)]))
    assert [one.citing_case_id for one in said.flags] == ["cl:2"], "its own words go before hearsay"
    judged[-1] = says("cl:2", "1990", "limited", citing_cite=NEW)
    _, both = of_first(grown([*cases, decided("cl:2", "1990", NEW)]))
    assert [one.citing_case_id for one in both.flags] == ["cl:3", "cl:2"], "it says less than is told of it"
