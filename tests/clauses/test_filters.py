"""`lawng clauses`: which contracts and clauses are looked at, from which places, and what is said of those left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import lawng
from lawng.clauses.collection import read_library
from lawng.clauses.facts import Facts, Party
from lawng.clauses.filters import ClauseFilters, chosen
from lawng.clauses.libraries import read_libraries
from lawng.clauses.search import ClauseSearcher
from lawng.cli import app
from lawng.errors import InputError

RUNNER = CliRunner()
OPENINGS = {
    "acme.txt": 'This Agreement is made on 4 March 2024 between Acme, Inc. ("Supplier") and Roe Ltd (the "Buyer").',
    "older/doe.txt": "This Agreement is dated January 2021 and made between Doe GmbH and Roe Ltd.",
    "year.txt": "This Agreement is made this ____ day of ______, 2022 between Acme, Inc. and Poe LLC.",
    "none.txt": "Terms that everybody accepts.",
}
TERMS = "\n\n1. LIABILITY\n\n1.1 Cap. Liability is limited to $5, except for fraud.\n\n1.2 Loss. None.\n\n2. FEES\n\n2.1 Sum. $5.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "contracts"
    for name, opening in OPENINGS.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(f"AGREEMENT\n\n{opening}{TERMS}\n{name} is its name. " + "And so on. " * 900)
    return place


def run(*arguments: object) -> Result:
    return RUNNER.invoke(app, ["clauses", *map(str, arguments), "--encoder", "none"])


def sources(*arguments: object) -> list[str]:
    found = run(*arguments, "--to", "jsonl", "-k", 100)
    assert found.exit_code == 0, found.output
    return sorted({json.loads(line)["source"] for line in found.stdout.splitlines()}
                  | {one["source"] for line in found.stdout.splitlines() for one in json.loads(line)["also"]})  # fmt: skip


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["acme.txt", "none.txt", "older/doe.txt", "year.txt"]),
        (["--file", "older"], ["older/doe.txt"]),
        (["--file", "TXT acme"], ["acme.txt"]),
        (["--file", "acme", "--file", "none"], ["acme.txt", "none.txt"]),
        (["--party", "roe"], ["acme.txt", "older/doe.txt"]),
        (["--party", "inc acme"], ["acme.txt", "year.txt"]),
        (["--party", "doe", "--party", "poe"], ["older/doe.txt", "year.txt"]),
        (["--party", "buyer"], ["acme.txt"]),
        (["--after", "2022"], ["acme.txt", "year.txt"]),
        (["--after", "2022-07-01"], ["acme.txt", "year.txt"]),
        (["--after", "2024-03-04"], ["acme.txt"]),
        (["--before", "2022"], ["older/doe.txt", "year.txt"]),
        (["--before", "2021-01-15"], ["older/doe.txt"]),
        (["--after", "2022", "--before", "2023"], ["year.txt"]),
        (["--after", "2022", "--party", "roe"], ["acme.txt"]),
    ],
)
def test_filters_choose_contracts(folder: Path, options: Sequence[str], expected: list[str]) -> None:
    assert sources(folder, "liability cap", *options) == expected


def test_a_heading_is_its_own_or_one_around_it_and_all_its_words_count(folder: Path) -> None:
    for words, sections in (("liability", {"1.1", "1.2"}), ("cap liability", {"1.1"}), ("fees", {"2.1"})):
        found = run(folder, "$5 loss", "--heading", words, "--to", "jsonl", "-k", 100)
        assert {json.loads(line)["section"] for line in found.stdout.splitlines()} == sections


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--party", "roe"], ["1 contract states no party that could be read, and is left out."]),
        (["--before", "2022"], ["1 contract states no date that could be read, and is left out."]),
        (["--file", "txt"], []),
        (["--file", "acme", "--party", "roe"], []),
        (["--party", "roe", "--after", "2020"], ["1 contract states no party that could be read, and is left out."]),
    ],
)
def test_contracts_that_do_not_tell_are_left_out_and_counted(folder: Path, options: list[str], said: list[str]) -> None:
    notes = run(folder, "liability cap", *options).stderr.splitlines()
    assert [line for line in notes if "could be read" in line] == said


def test_several_that_do_not_tell_are_several(folder: Path) -> None:
    (folder / "more.txt").write_text((folder / "none.txt").read_text())
    _, notes = chosen(read_library(folder), ClauseFilters(after="2000"))
    assert notes == ("2 contracts state no date that could be read, and are left out.",)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--file", "zzz"], "no contract has 'zzz' in its name; look at the file names"),
        (["--party", "zzz", "--party", "acme gmbh"], "no contract has a party 'zzz' or 'acme gmbh'; 1 contract states no "
         "party that could be read; there are Acme, Inc., Doe GmbH, Poe LLC, Roe Ltd, Roe Ltd."),
        (["--after", "2025"], "no contract is dated 2025 or later; 1 contract states no date that could be read; their "
         "dates are 2021-01 to 2024-03-04"),
        (["--before", "2001", "--after", "2000"], "no contract is dated 2000 or later and 2001 or earlier"),
        (["--heading", "zzz"], "no clause has 'zzz' in its headings"),
        (["--party", "poe", "--after", "2023"], "no contract is dated 2023 or later"),
        (["--file", "none", "--party", "roe"], "no contract has a party 'roe'; 1 contract states no party"),
        (["--after", "2024-02-31"], "after '2024-02-31' is no date"),
        (["--after", "2024", "--before", "2023"], "leave no day"),
    ],
)  # fmt: skip
def test_filters_that_leave_nothing_are_one_line(folder: Path, options: list[str], said: str) -> None:
    found = run(folder, "liability cap", *options)
    assert isinstance(found.exception, InputError)
    assert said in str(found.exception)
    assert "\n" not in str(found.exception)
    assert found.stdout == ""


def test_dates_that_are_none_are_told_before_anything_is_read(tmp_path: Path) -> None:
    found = run(tmp_path / "nothing", "liability cap", "--after", "yesterday")
    assert "'yesterday' is no date" in str(found.exception)
    with pytest.raises(InputError, match="yesterday"):
        lawng.search_contracts(tmp_path / "nothing", "cap", after="yesterday")


def test_the_facts_of_a_contract_are_kept_with_it(folder: Path, tmp_path: Path) -> None:
    first, again = (read_library(folder, cache=tmp_path / "cache") for _ in range(2))
    assert first.facts == again.facts
    assert first.facts["acme.txt"] == Facts(
        (Party("Acme, Inc.", ("Supplier",)), Party("Roe Ltd", ("Buyer",))), "2024-03-04"
    )
    assert {first.facts_of(clause).date for clause in first.clauses} == {"2024-03-04", "2021-01", "2022", ""}


def test_rows_of_a_list_tell_their_party_and_date_themselves(tmp_path: Path) -> None:
    rows = [
        {"_id": "a", "text": "Liability is capped.", "title": "One", "party": "Acme", "date": "March 4, 2024"},
        {"_id": "b", "text": "Liability is limited.", "title": "One", "party": ["Roe", 3, ""]},
        {
            "_id": "c",
            "text": "This Agreement is made on 1 May 2001 between Liability Inc. and Cap Inc.",
            "title": "Two",
        },
        {"_id": "d", "text": "Liability!", "party": {"name": "Acme"}, "date": None},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    library = read_library(tmp_path)
    assert library.facts == {"a": Facts((Party("Acme"),), "2024-03-04"), "b": Facts((Party("Roe"),))}
    found = run(tmp_path, "liability", "--party", "acme", "--to", "jsonl")
    assert [json.loads(line)["clause_id"] for line in found.stdout.splitlines()] == ["a"]


def test_another_place_is_searched_beside_it_under_names_of_its_own(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "acme.txt").write_text(f"This Agreement is made on 1 May 2001 between Zoe Inc. and Roe Ltd.{TERMS}")
    (other / "list.jsonl").write_text(json.dumps({"_id": "a", "text": "Liability.", "date": "1999"}))
    (tmp_path / "list.jsonl").write_text(json.dumps({"_id": "a", "text": "A liability.", "date": "1998"}))
    (other / "a folder").mkdir()
    (other / "a folder" / "acme.txt").write_text("AGREEMENT\n")
    library = read_libraries([folder, other, tmp_path / "list.jsonl", folder])
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    (drafts / "acme.txt").write_text("This Agreement is made on 1 May 2001 between Zoe Inc. and Roe Ltd.\n")
    assert read_libraries([folder, drafts]).facts["acme.txt"].parties[0].name == "Acme, Inc."
    assert len({clause.clause_id for clause in library.clauses}) == len(library.clauses)
    assert library.facts[f"{other}/acme.txt"].parties[0].name == "Zoe Inc."
    assert library.facts["acme.txt"].parties[0].name == "Acme, Inc."
    assert (library.facts["a"].date, library.facts[f"{tmp_path / 'list.jsonl'}/a"].date) == ("1999", "1998")
    dated = {library.facts_of(clause).date for clause in library.clauses if clause.source.endswith("list.jsonl")}
    assert dated == {"1999", "1998"}
    added = ["--add", other, "--add", tmp_path / "list.jsonl"]
    assert sources(folder, "liability cap", *added, "--party", "zoe") == [f"{other}/acme.txt"]
    assert sources(folder, "liability", *added, "--before", "1999") == [f"{tmp_path}/list.jsonl", "list.jsonl"]


def test_one_place_is_as_it_is(folder: Path) -> None:
    assert read_libraries([folder, folder / "."]) == read_library(folder)


def test_an_index_or_a_corpus_is_no_place_for_it(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "index" / "commits.lance").mkdir(parents=True)
    for arguments in (
        [tmp_path / "index", "cap"],
        [folder, "cap", "--add", tmp_path / "index"],
        ["s3://bucket/index", "cap"],
    ):
        found = run(*arguments)
        assert isinstance(found.exception, InputError)
        assert "has no contracts but an index" in str(found.exception)
        assert "lawng search" in str(found.exception)


def test_search_on_contracts_is_the_same_by_its_old_options(folder: Path) -> None:
    old = RUNNER.invoke(
        app, ["search", str(folder), "liability cap", "--source", "acme", "--encoder", "none", "--to", "jsonl"]
    )
    assert old.exit_code == 0
    assert old.stdout == run(folder, "liability cap", "--file", "acme", "--to", "jsonl").stdout != ""


def test_each_hit_has_its_parts_in_both_forms(folder: Path) -> None:
    table = run(folder, "liability cap with a carve-out for fraud and death", "-k", 1).stdout
    assert "✓ cap: yes ($5); ✓ carve-out for" in table
    assert "✓ carve-out for fraud: yes (except for fraud.)" in " ".join(table.split())
    jsonl = run(folder, "liability cap with a carve-out for fraud and death", "-k", 1, "--to", "jsonl").stdout
    row = json.loads(jsonl)
    assert [(part["asked"], part["found"]) for part in row["parts"]] == [
        ("cap", True),
        ("fraud", True),
        ("personal injury", False),
    ]
    [(start, end)] = row["parts"][1]["spans"]
    assert row["text"][start:end] == "fraud"
    assert "yes" not in run(folder, "what else is there", "-k", 1).stdout


def test_a_query_is_read_from_standard_input(folder: Path) -> None:
    found = RUNNER.invoke(
        app, ["clauses", str(folder), "-", "--encoder", "none", "--to", "jsonl"], input="liability cap"
    )
    assert found.stdout == run(folder, "liability cap", "--to", "jsonl").stdout != ""


def test_the_filters_are_those_of_python_too(folder: Path) -> None:
    answer = lawng.search_contracts(
        folder, "liability cap", 1, parties=["roe"], headings=["cap"], after="2024", files=["acme"], encoder="none"
    )
    assert [(hit.clause.source, hit.clause.section) for hit in answer.hits] == [("acme.txt", "1.1")]
    assert answer.n_clauses == 1
    other = lawng.search_contracts(folder / "none.txt", "cap", add=[folder / "acme.txt"], before="2024", encoder="none")
    assert {hit.clause.source for hit in other.hits} == {"acme.txt"}
    assert ClauseSearcher(read_library(folder)).search("cap", filters=ClauseFilters(files=("year",))).n_documents == 1
