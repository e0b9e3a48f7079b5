"""A collection of clauses: folders of contracts, lists of clauses, the sample contracts, and what cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clauses_support import make_folder
from lawng.clauses import collection
from lawng.clauses.collection import Library, is_library, read_library
from lawng.clauses.formats.documents import read_document
from lawng.clauses.search import ClauseSearcher
from lawng.cli import app
from lawng.errors import InputError, MissingError
from lawng.schema import ContractText

RUNNER = CliRunner()
ACORD = Path(os.environ.get("LAWNG_SHARED", Path(__file__).parents[3] / "shared")) / "data" / "acord"
SAMPLE = Path(__file__).parents[2] / "sample" / "contracts"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "contracts")


def test_the_order_does_not_depend_on_the_file_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_library(folder).clauses
    walk = os.walk
    monkeypatch.setattr("os.walk", lambda root, **_: [(a, b, c[::-1]) for a, b, c in list(walk(root))[::-1]])
    assert read_library(folder).clauses == before


def test_a_folder_without_contracts_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"")
    assert not is_library(tmp_path)
    with pytest.raises(InputError, match="no contracts here"):
        read_library(tmp_path)
    run = RUNNER.invoke(app, ["search", str(tmp_path), "cap"])
    assert isinstance(run.exception, InputError)
    assert "not an index" in str(run.exception)


def test_a_folder_of_lawngs_own_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "_stage.json").write_text("{}")
    (tmp_path / "README.md").write_text("# Card\n\nText.")
    run = RUNNER.invoke(app, ["search", str(tmp_path), "cap"])
    assert isinstance(run.exception, InputError)
    assert "not an index" in str(run.exception)


def test_lists_of_clauses_keep_their_ids_and_count_what_is_wrong(tmp_path: Path) -> None:
    rows = [
        json.dumps({"_id": "a", "text": "12.1 Cap. At most $5.", "title": "MSA"}),
        "no json",
        json.dumps({"_id": "b"}),
        json.dumps({"_id": "a", "text": "again"}),
        json.dumps({"_id": "c", "text": " - "}),
        "",
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(rows))
    (tmp_path / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "a query"}))
    library = read_library(tmp_path)
    assert [(c.clause_id, c.source, c.section, c.heading) for c in library.clauses] == [("a", "MSA", "12.1", "Cap")]
    assert [(r.id, r.reason) for r in library.rejects] == [
        ("corpus.jsonl:2", "line-not-json"),
        ("corpus.jsonl:3", "line-without-clause"),
        ("corpus.jsonl:4", "duplicate-clause"),
        ("corpus.jsonl:5", "clause-without-text"),
    ]


def test_a_folder_of_short_texts_has_one_clause_each(tmp_path: Path) -> None:
    for n in range(6):
        (tmp_path / f"{n}.txt").write_text(f"{n + 1}.1 Cap. At most ${n}.\n\n{n + 1}.2 Loss. None.\n")
    library = read_library(tmp_path)
    assert [clause.source for clause in library.clauses] == [f"{n}.txt" for n in range(6)]
    assert library.clauses[2].text == "3.1 Cap. At most $2.\n\n3.2 Loss. None."
    assert library.notes == ("each text file is taken as one clause",)
    (tmp_path / "5.txt").unlink()
    (tmp_path / "0.txt").unlink()
    assert len(read_library(tmp_path).clauses) == 8, "four files are contracts"


def test_a_link_that_leads_nowhere_is_counted(folder: Path) -> None:
    (folder / "gone.txt").symlink_to(folder / "nothing.txt")
    assert ("gone.txt", "contract-unreadable") in {(r.id, r.reason) for r in read_library(folder).rejects}


def test_a_contract_of_nothing_but_titles_is_counted(folder: Path) -> None:
    (folder / "page.txt").write_text("IN WITNESS WHEREOF, the parties have signed.\n\nBy: ______\nName:")
    assert ("page.txt", "nothing-but-titles") in {(r.id, r.reason) for r in read_library(folder).rejects}


def test_a_missing_library_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "docx", None)
    with pytest.raises(MissingError, match=r"lawng\[contracts\]"):
        read_library(folder)


def test_the_sample_contracts_are_what_their_script_makes(tmp_path: Path) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("make_contracts", SAMPLE / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for made in module.make(tmp_path):
        assert made.read_bytes() == (SAMPLE / "files" / made.name).read_bytes(), made.name


def test_the_sample_contracts_are_cut_at_every_section() -> None:
    library = read_library(SAMPLE / "files")
    assert library.rejects == []
    found = {
        name: [c.section for c in library.clauses if c.source.startswith(name)] for name in ("s", "sa", "su", "li")
    }
    assert found["su"][:5] == ["", "1.1", "1.2", "1.3", "1.4"]
    assert found["su"][-2:] == ["8.5", "Annex 1"]
    assert found["li"][-1] == "8.6"
    assert found["sa"][-2:] == ["Schedule 1, 1", "Schedule 1, 2"]
    assert library.dropped["table-of-contents"] == 12
    cap = next(
        clause for clause in library.clauses if clause.source == "licence-agreement.pdf" and clause.section == "6.2"
    )
    assert (cap.headings, cap.heading, cap.page) == (["LIMITS OF LIABILITY"], "Financial Limit", 2)


@pytest.mark.slow("reads the 450 contracts of ACORD")
@pytest.mark.skipif(not ACORD.is_dir(), reason="needs the ACORD data of the shared folder (LAWNG_SHARED)")
def test_all_of_acord_is_read_as_clauses(tmp_path: Path) -> None:
    library = read_library(ACORD)
    assert (len(library.clauses), library.rejects) == (3931, [])
    assert sum(bool(clause.section) for clause in library.clauses) > 400
    # taking all of them apart would be most of the time of these tests
    ready = ClauseSearcher(Library(library.clauses[:600]), cache=tmp_path)
    ready.search("warm up")
    answer = ready.search("as-is clause that disclaims all warranties", k=5)
    assert len(answer.hits) == 5
    assert answer.seconds["total"] < 1.0


def test_a_contract_that_could_not_be_read_for_want_of_memory_is_tried_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_document

    def full(path: Path) -> ContractText:
        try:
            raise MemoryError("7 GB")
        except MemoryError as error:
            raise InputError(f"{path}: not a PDF that can be read") from error

    monkeypatch.setattr(collection, "read_document", full)
    with pytest.raises(InputError):
        read_library(folder, cache=tmp_path / "cache")
    monkeypatch.setattr(collection, "read_document", read)
    assert read_library(folder, cache=tmp_path / "cache").clauses
