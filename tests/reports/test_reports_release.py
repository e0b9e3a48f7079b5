from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.errors import InputError
from lawng.reports.builds import Build
from lawng.reports.output import write_output
from lawng.reports.release import delta_of, export_ids, patched, rebuild
from reports_fixture import make_build, make_corpus

WORDS = st.lists(st.sampled_from(["the", "court", "held", "see", "not", "Id.", "\n\n"]), max_size=60).map(" ".join)


@given(WORDS, WORDS)
def test_a_delta_gives_the_text_back(base: str, text: str) -> None:
    assert patched(base, delta_of(base, text)) == text


@given(WORDS, st.integers(0, 80), st.integers(0, 80))
def test_a_cut_is_written_without_text(base: str, start: int, length: int) -> None:
    long = base + " A sentence that stands only here, at the end of it all."
    cut = long[:start] + long[start + length :]
    delta = delta_of(long, cut)
    assert patched(long, delta) == cut
    assert sum(isinstance(step, str) for step in delta) <= 2


def test_a_delta_of_another_base_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        patched("short", [[0, 50]])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path / "corpus")


@pytest.fixture
def build(tmp_path: Path, corpus: Path) -> Build:
    folder = make_build(tmp_path / "build")
    write_output(folder, corpus)
    return Build(folder)


def data_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "data").iterdir())}


def test_export_and_rebuild_give_identical_files(build: Build, corpus: Path, tmp_path: Path) -> None:
    exported = export_ids(build, tmp_path / "ids.jsonl")
    rebuilt = rebuild(tmp_path / "ids.jsonl", corpus, tmp_path / "again")
    assert exported.n == rebuilt.counts["same"] == 66
    assert rebuilt.differences == []
    assert data_bytes(tmp_path / "again") == data_bytes(build.folder)


def test_a_release_has_no_text(build: Build, tmp_path: Path) -> None:
    exported = export_ids(build, tmp_path / "ids.jsonl")
    text = (tmp_path / "ids.jsonl").read_text("utf-8")
    assert "premium" not in text
    assert "Judgment" not in text
    assert 0 < exported.written_out < exported.characters / 50


def plant(corpus: Path, opinion_id: str, old: str, new: str | None) -> None:
    part = next((corpus / "opinions").glob("part-*.parquet"))
    table = pq.read_table(part)
    rows = table.to_pylist()
    for row in rows:
        if row["opinion_id"] == opinion_id:
            row["text"] = row["text"].replace(old, new or "")
    kept = [row for row in rows if new is not None or row["opinion_id"] != opinion_id]
    pq.write_table(type(table).from_pylist(kept, schema=table.schema), part)


def test_a_changed_opinion_is_reported_row_by_row(build: Build, corpus: Path, tmp_path: Path) -> None:
    export_ids(build, tmp_path / "ids.jsonl")
    plant(corpus, "cap:9/0", "The insurer kept the money", "The insurer lost the money")
    rebuilt = rebuild(tmp_path / "ids.jsonl", corpus, tmp_path / "again")
    expected = {
        row["id"]
        for split in ("train", "validation", "test")
        for row in pq.read_table(build.folder / "data" / f"{split}.parquet").to_pylist()
        if row["premise_opinion_id"] == "cap:9/0"
    }
    lines = [json.loads(line) for line in (tmp_path / "again" / "differences.jsonl").read_text().splitlines()]
    assert {line["id"] for line in lines} == expected != set()
    assert {line["status"] for line in lines} == {"differs"}
    assert all("premise_short_raw" in line["texts"] and "hypothesis" not in line["texts"] for line in lines)
    assert rebuilt.counts == {"same": 66 - len(expected), "differs": len(expected)}


def test_a_lost_opinion_is_missing(build: Build, corpus: Path, tmp_path: Path) -> None:
    export_ids(build, tmp_path / "ids.jsonl")
    plant(corpus, "cap:8/0", "", None)
    rebuilt = rebuild(tmp_path / "ids.jsonl", corpus, tmp_path / "again")
    assert rebuilt.counts["missing"] > 0
    assert rebuilt.counts["same"] + rebuilt.counts["missing"] == 66
    assert all(row["opinions"] == ["cap:8/0"] for row in rebuilt.differences)


def test_what_is_no_release_is_said_with_its_line(corpus: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    for content, message in (('{"id": 1}\n', "no header"), ("hello\n", "line 1: not JSON")):
        bad.write_text(content)
        with pytest.raises(InputError, match=message):
            rebuild(bad, corpus, tmp_path / "again")
    assert not (tmp_path / "again").exists()
    with pytest.raises(InputError, match="cannot read"):
        rebuild(tmp_path / "nothing.jsonl", corpus, tmp_path / "again")


def test_half_a_release_makes_nothing(build: Build, corpus: Path, tmp_path: Path) -> None:
    whole = tmp_path / "ids.jsonl"
    export_ids(build, whole)
    lines = whole.read_text("utf-8").splitlines(keepends=True)
    for kept in (1, 34, 66):
        (tmp_path / "cut.jsonl").write_text("".join(lines[:kept]), "utf-8")
        with pytest.raises(InputError, match=f"has {kept - 1} of its 66 examples: it was cut"):
            rebuild(tmp_path / "cut.jsonl", corpus, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_folder_of_something_else_is_not_replaced(build: Build, corpus: Path, tmp_path: Path) -> None:
    export_ids(build, tmp_path / "ids.jsonl")
    with pytest.raises(InputError, match="is there and is no rebuilt"):
        rebuild(tmp_path / "ids.jsonl", corpus, corpus)
    assert (corpus / "opinions").is_dir()
    rebuild(tmp_path / "ids.jsonl", corpus, tmp_path / "again")
    assert rebuild(tmp_path / "ids.jsonl", corpus, tmp_path / "again").counts["same"] == 66
