"""What later cases did to the cases found: shown with each, in words, and good law alone where it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import records_support
from lawng.cli import app
from lawng.index.reader import Index
from lawng.index.writer import index_corpus
from lawng.schema import Case, Treatment
from lawng.search import Answer, Searcher, SearchSettings
from records_support import reporter_cite, treatment
from retrieval_support import write_corpus
from search_support import ENCODER, RuleModel

RULE = "A landlord must return the deposit"
FLAG = "overruled by Roe v. Doe, 12 U.S. 3 (1999): “We overrule it.”"
NONE = "no negative treatment found among the 1 later cases in this index that cite it (2 mentions read)"
LAST = "cl:10"
TREATED = {
    "cl:1": treatment(),
    "cl:2": treatment(label="reversed", kind="in-part"),
    **{f"cl:{n}": treatment() for n in (3, 4, 5)},
    "cl:6": treatment(label="criticized"),
    "cl:7": treatment(decides=False, part="dissent"),
}
"""What the last case does to the others, which say more of the rule than those to which nothing is done."""
UNDONE = [f"cl:{n}" for n in range(1, 6)]


def rows_of(case: Case, *_: object) -> list[Treatment]:
    said = TREATED.items() if case.case_id == LAST else ()
    own = [replace(one, treatment_id=f"{LAST}>{n}", cite=f"{n[3:]} U.S. 1") for n, one in said]
    return [replace(one, case_id="", citing_case_id=LAST) for one in own]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("treated")
    pairs = [
        (
            records_support.case(f"cl:{n}", name=name, citations=[reporter_cite(f"{n} U.S. 1")]),
            [records_support.opinion(f"cl:{n}", [f"{RULE}. " + "We say no more of it. " * n])],
        )
        for n, name in enumerate([*(f"Tenant {n} v. Owner" for n in range(1, 10)), "Roe v. Doe"], 1)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lawng.treatment.judge.treatments_of", rows_of)
        index_corpus(write_corpus(folder / "corpus", pairs), folder / "index", ENCODER)
    return folder / "index"


@pytest.fixture(scope="module")
def index(place: Path) -> Iterator[Index]:
    opened = Index.open(place, ENCODER)
    yield opened
    opened.close()


def ids_of(answer: Answer) -> list[str]:
    return [hit.case.case_id for hit in answer.hits]


def test_each_hit_says_what_was_done_to_it(index: Index) -> None:
    answer = Searcher(index).search(RULE)
    words = {hit.case.case_id: hit.treatment.words for hit in answer.hits if hit.treatment}
    assert (words["cl:1"], words["cl:7"]) == (FLAG, NONE), "a dissent flags nothing"
    assert words["cl:2"].startswith("reversed in part by Roe v. Doe")
    assert words["cl:8"] == NONE.replace("1 later", "0 later").replace("2 mentions", "0 mentions")
    assert {hit.case.case_id for hit in answer.hits if hit.flag} == {*UNDONE, "cl:6"}
    row = next(row for row in answer.to_rows() if row["case"]["case_id"] == "cl:1")
    assert (row["treatment"]["label"], row["treatment"]["flags"][0]["sentence"]) == ("overruled", "We overrule it.")
    frame = answer.to_pandas().set_index("case_id")
    assert frame.loc[["cl:1", "cl:6", "cl:7"], "treatment"].to_list() == ["overruled", "criticized", ""]
    assert f"<b>{FLAG}</b>" in answer._repr_html_()
    assert NONE not in answer._repr_html_()


def test_an_overruled_case_keeps_its_rank_and_the_first_one_is_told_of(index: Index) -> None:
    answer = Searcher(index, RuleModel(lambda _: (0.9, 0.05, 0.05))).search(RULE, k=10)
    first = answer.supporting[0]
    assert ids_of(answer) == ids_of(Searcher(index).search(RULE, k=10))
    assert first.case.case_id in UNDONE
    said = f"The first supporting case, {first.case.name}, {first.case.citations[0]}, was "
    assert [note for note in answer.notes if note.startswith(said)]
    good = Searcher(index, RuleModel(lambda _: (0.9, 0.05, 0.05))).search(RULE, k=10, good_law=True)
    assert good.supporting
    assert not [note for note in good.notes if note.startswith("The first supporting")]


def test_good_law_leaves_out_what_was_overruled_or_reversed_and_counts_it(index: Index) -> None:
    answer = Searcher(index).search(RULE, k=10, good_law=True)
    assert answer.good_law
    assert sorted(ids_of(answer)) == sorted([*(f"cl:{n}" for n in range(6, 10)), LAST])
    [note] = [note for note in answer.notes if "left out" in note]
    assert note.startswith("5 case(s) left out that were overruled or reversed: ")
    assert {f"Tenant {n} v. Owner, {n} U.S. 1" for n in range(1, 6)} == set(note.partition(": ")[2][:-1].split("; "))


def test_good_law_fills_the_list_from_further_down(index: Index) -> None:
    searcher = Searcher(index, settings=SearchSettings(depth=1))
    assert set(ids_of(searcher.search(RULE, k=1))) < set(UNDONE), "none of the first four would be left"
    answer = searcher.search(RULE, k=1, good_law=True)
    assert len(answer.hits) == 1
    assert answer.hits[0].case.case_id not in UNDONE
    assert len(searcher.search(RULE, k=9, good_law=True).hits) == 5, "there are no more"


@pytest.mark.parametrize("asked", [[], ["cl:3"]])
def test_a_case_that_is_asked_for_by_name_is_shown_with_its_flag(index: Index, asked: list[str]) -> None:
    argument = RULE if asked else f"{RULE}. 3 U.S. 1"
    answer = Searcher(index).search(argument, good_law=True, cases=asked)
    assert (answer.hits[0].case.case_id, answer.hits[0].flag) == ("cl:3", FLAG)
    said = "Tenant 3 v. Owner, 3 U.S. 1, was overruled and is shown because it is asked for by name."
    assert [note for note in answer.notes if "was overruled" in note] == [said]
    left_out = [note[:9] for note in answer.notes if "left out" in note]
    assert left_out == ([] if asked else ["4 case(s)"]), "it is not among them"


def test_the_command_shows_flags_and_leaves_out(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawng.index.reader.search_embedder", lambda name: ENCODER)
    monkeypatch.setenv("LAWNG_STANCE_MODEL", str(place / "none"))
    command = ["search", str(place), RULE, "--rerank", "none"]
    shown = CliRunner().invoke(app, command, env={"COLUMNS": "120"}).stdout
    assert f"Overruled{FLAG.removeprefix('overruled')}" in shown
    assert "no negative treatment" not in shown.lower()
    run = CliRunner().invoke(app, [*command, "--good-law", "--to", "jsonl"])
    assert {json.loads(line)["treatment"]["label"] for line in run.stdout.splitlines()} == {"criticized", ""}
    assert "5 case(s) left out that were overruled or reversed" in run.stderr
