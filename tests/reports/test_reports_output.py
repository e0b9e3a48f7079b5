from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from floats_support import close_to
from lawng.reports.baselines import baselines
from lawng.reports.dataset import SPLITS, row_schema
from lawng.reports.output import write_output
from lawng.reports.statistics import PERCENTILES, dataset_statistics
from lawng.schema.labels import LABELS
from reports_fixture import make_build, make_corpus, make_empty_build


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("output")
    build = make_build(folder / "build")
    (build / "manifest.json").write_text(json.dumps({"models": {"embedder": "tiny"}, "seed": 7}))
    write_output(build, make_corpus(folder / "corpus"))
    return build


def all_rows(build: Path) -> list[dict[str, Any]]:
    return [row for s in SPLITS for row in pq.read_table(build / "data" / f"{s}.parquet").to_pylist()]


def test_datasets_loads_the_build_with_class_labels(build: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(build), cache_dir=str(tmp_path))
    assert list(loaded) == list(SPLITS)
    assert loaded["train"].features["label"].names == [str(label) for label in LABELS]
    assert loaded["train"].column_names == row_schema().names
    names = loaded["test"].features["label"].int2str(loaded["test"]["label"][:])
    assert names == pq.read_table(build / "data" / "test.parquet")["label"].to_pylist()


def test_datasets_loads_the_lines(build: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    files = {split: str(build / "data" / f"{split}.jsonl") for split in SPLITS}
    loaded = datasets.load_dataset("json", data_files=files, cache_dir=str(tmp_path))
    assert sum(part.num_rows for part in loaded.values()) == len(all_rows(build)) == 66


def test_croissant_validates_and_its_records_are_ours(build: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    described = mlcroissant.Dataset(jsonld=str(build / "croissant.json"))
    assert not described.metadata.ctx.issues.errors
    # a date of publication would make two builds of the same data differ
    assert all("datePublished" in warning for warning in described.metadata.ctx.issues.warnings)
    first = next(iter(described.records("test")))
    ours = pq.read_table(build / "data" / "test.parquet").to_pylist()[0]
    assert first["test/hypothesis"].decode() == ours["hypothesis"]
    assert {f.name for f in described.metadata.record_sets[0].fields} == set(row_schema().names)


def test_the_card_tells_this_builds_numbers(build: Path) -> None:
    text = (build / "README.md").read_text("utf-8")
    assert "This build has 66 examples, 33 of them twins" in text
    assert '"embedder": "tiny"' in text
    assert "| Accuracy filters (A.1.2) | candidates to screened | 36 | 33 | 3 | 91.7% |" in text
    assert all(f"`{name}`" in text for name in row_schema().names)


def test_statistics_agree_with_numpy(build: Path) -> None:
    rows = [row for row in all_rows(build) if row["analysis"]]
    columns = dataset_statistics(build / "data").table_2
    column = next(c for c in columns if (c.premises, c.subset) == ("short", "analysis"))
    assert column.premise_tokens == list(np.percentile([row["tokens_short"] for row in rows], PERCENTILES))
    assert column.hypothesis_tokens == close_to(np.mean([row["tokens_hypothesis"] for row in rows]))
    for label in LABELS:
        hypotheses = [str(row["hypothesis"]).split() for row in rows if row["label"] == label]
        assert column.negation[label] == close_to(np.mean(["not" in words for words in hypotheses]))
    train = [row for row in rows if row["split"] == "train"]
    assert column.training_examples == len(train)
    assert column.unique_training_hypotheses == len({row["hypothesis"] for row in train})
    spans = {(row["premise_opinion_id"], row["premise_start"], row["premise_end"]) for row in train}
    assert column.unique_training_premises == len(spans)


def test_twins_balance_negation_over_labels(build: Path) -> None:
    statistics = dataset_statistics(build / "data")
    assert statistics.twins == 33
    assert sum(statistics.pivotal_negation.values()) == 33
    totals = {label: sum(split[label] for split in statistics.labels.values()) for label in LABELS}
    assert totals == dict.fromkeys(LABELS, 22)


def test_baselines_say_when_there_is_too_little(build: Path, tmp_path: Path) -> None:
    assert {b["accuracy"] for b in baselines(build / "data")} == {None}
    assert "needs 60 training" in baselines(build / "data")[0]["note"]


def test_a_hypothesis_that_gives_its_label_away_is_seen(build: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    table = pq.read_table(build / "data" / "train.parquet")
    told = [f"this one is {label}" for label in table["label"].to_pylist()]
    table = table.set_column(2, table.schema.field("hypothesis"), [told])
    for split in SPLITS:
        with pq.ParquetWriter(tmp_path / f"{split}.parquet", table.schema) as file:
            file.write_table(table)
            file.write_table(table)
    found = {b["name"]: b["accuracy"] for b in baselines(tmp_path)}
    assert found["hypothesis only"] == 1.0
    assert found["majority label"] < 0.5
    assert found["lengths only"] < 0.9


def test_rejects_are_gathered_with_their_stage(build: Path) -> None:
    rows = pq.read_table(build / "rejects.parquet").to_pylist()
    assert len(rows) == 3
    assert {(row["stage"], row["reason"]) for row in rows} == {("30-accuracy/keywords", "keyword")}


def test_writing_again_gives_the_same_bytes(build: Path, tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "corpus")
    first = {p: p.read_bytes() for p in build.rglob("*") if p.is_file()}
    (build / "retrieval").mkdir()
    (build / "retrieval" / "corpus.jsonl").write_text("of a run with propositions that was killed")
    write_output(build, corpus)
    assert {p: p.read_bytes() for p in build.rglob("*") if p.is_file()} == first


def test_an_empty_build_is_written_and_says_so(tmp_path: Path) -> None:
    build = make_empty_build(tmp_path / "build")
    assert sum(write_output(build, tmp_path / "corpus").values()) == 0
    assert "This build has 0 examples" in (build / "README.md").read_text("utf-8")
    assert dataset_statistics(build / "data").table_2[0].premise_tokens == []
    assert pq.read_table(build / "data" / "train.parquet").schema.equals(row_schema())
