from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lawng.errors import InputError, StageError
from lawng.reports.builds import open_build
from lawng.reports.dataset import SPLITS, column_notes, row_schema, write_dataset
from reports_fixture import N, examples, fallen, make_build, make_corpus, opinion


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_corpus(tmp_path_factory.mktemp("made") / "corpus")


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return make_build(tmp_path / "build")


def rows_of(build: Path) -> list[dict[str, Any]]:
    return [row for s in SPLITS for row in pq.read_table(build / "data" / f"{s}.parquet").to_pylist()]


def test_every_example_is_written_once_to_its_split(build: Path, corpus: Path) -> None:
    written = write_dataset(build, corpus)
    expected = {x.example_id: x.split for n in range(1, N + 1) if not fallen(n) for x in examples(n)}
    assert {row["id"]: row["split"] for row in rows_of(build)} == expected
    assert sum(written.values()) == len(expected) == len(rows_of(build))
    for split in SPLITS:
        table = pq.read_table(build / "data" / f"{split}.parquet")
        assert set(table["split"].to_pylist()) == {split}
        assert table.schema.equals(row_schema())


def test_the_texts_are_those_of_the_spans(build: Path, corpus: Path) -> None:
    write_dataset(build, corpus)
    for row in rows_of(build):
        text = opinion(int(row["premise_opinion_id"][4:-2])).text
        assert row["premise_long_raw"] == text
        assert row["premise_short_raw"] == text[row["premise_start"] : row["premise_end"]]
        assert "Mass. 9" in row["premise_short_raw"]
        assert "Mass. 9" not in row["premise_short"]
        citing = opinion(int(row["citing_opinion_id"][4:-2])).text
        assert citing[row["citing_start"] : row["citing_end"]].startswith("holding that insurer")
        assert row["cited_case_name"].startswith("Ostrander v. Mill No. ")


def test_lines_and_parquet_hold_the_same_rows(build: Path, corpus: Path) -> None:
    write_dataset(build, corpus)
    for split in SPLITS:
        lines = (build / "data" / f"{split}.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line) for line in lines] == pq.read_table(build / "data" / f"{split}.parquet").to_pylist()
        assert len(lines) > 0


def test_two_writings_give_the_same_bytes(build: Path, corpus: Path) -> None:
    write_dataset(build, corpus)
    first = {path.name: path.read_bytes() for path in (build / "data").iterdir()}
    write_dataset(build, corpus)
    assert {path.name: path.read_bytes() for path in (build / "data").iterdir()} == first
    assert len(first) == 6


def test_an_example_without_its_premise_stops_the_writing(build: Path, corpus: Path) -> None:
    part = next((build / "stages" / "80-premises" / "short_premises").iterdir())
    pq.write_table(pq.read_table(part).slice(1), part)
    with pytest.raises(StageError, match=r"of 66 examples .* lack a premise"):
        write_dataset(build, corpus)
    assert not (build / "data").exists()


def test_every_column_is_documented() -> None:
    assert list(column_notes()) == row_schema().names
    assert all(note.endswith(".") for note in column_notes().values())


def test_what_is_not_a_build_is_said_in_one_line(tmp_path: Path, build: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        open_build(tmp_path / "nothing")
    with pytest.raises(InputError, match="not a build"):
        open_build(tmp_path)
    with pytest.raises(StageError, match="not finished"):
        open_build(build)
