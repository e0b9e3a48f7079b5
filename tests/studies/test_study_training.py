"""The training set for re-ranking: neutral hypotheses with near but wrong opinions, and no query of the test side."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lawng.datasets.splits import side
from lawng.errors import ConfigError
from lawng.lawngnli.negation import Negated, Refusal
from lawng.studies.retrieval.training import retrieval_training_set
from study_support import ENCODER, N_CASES, Made, candidate, holding, side_of


def test_the_training_set_pairs_neutral_hypotheses_with_near_wrong_opinions(small: Made, tmp_path: Path) -> None:
    done = retrieval_training_set(small.build, small.corpus, tmp_path / "set", encoder=ENCODER, whole=True)
    again = retrieval_training_set(small.build, small.corpus, tmp_path / "again", encoder=ENCODER, whole=True)
    assert done.rows == again.rows
    for split in ("train", "validation"):
        source = {row["id"]: row for row in pq.read_table(small.build / "data" / f"{split}.parquet").to_pylist()}
        rows = pq.read_table(tmp_path / "set" / "data" / f"{split}.parquet").to_pylist()
        assert rows == pq.read_table(tmp_path / "again" / "data" / f"{split}.parquet").to_pylist()
        own_half = {key for key, row in source.items() if side(row["cited_case_id"]) == "train"}
        assert {row["id"] for row in rows} <= own_half < set(source), "what is tested on the other half trains nothing"
        assert {key for key in own_half if source[key]["label"] != "neutral"} <= {row["id"] for row in rows}
        for row in rows:
            own = source[row["id"]]
            assert side(row["cited_case_id"]) == "train"
            excepted = {own["cited_case_id"], own["citing_case_id"]}
            assert (row["cited_case_id"] in excepted) == (row["label"] != "neutral")
            assert side_of(int(row["cited_case_id"][4:])) == own["jurisdiction"]
            if row["label"] != "neutral":
                assert holding(int(row["cited_case_id"][4:])) in row["premise"]
    assert sum(done.rows["train"].values()) > 0
    short = retrieval_training_set(small.build, small.corpus, tmp_path / "five", encoder=ENCODER)
    five = pq.read_table(tmp_path / "five" / "data" / "train.parquet").to_pylist()
    assert short.rows == done.rows
    assert all(len(row["premise"].split("\n\n")) == 5 for row in five)


def test_no_wrong_opinion_is_one_of_the_test_split(small: Made, tmp_path: Path) -> None:
    build = Path(shutil.copytree(small.build, tmp_path / "build"))
    for split in ("train", "validation"):  # of the neutral ones here none is of a case to train on
        file = build / "data" / f"{split}.parquet"
        table = pq.read_table(file)
        neutral = [{**row, "label": "neutral"} for row in table.to_pylist()]
        pq.write_table(pa.Table.from_pylist(neutral, table.schema), file)

    def wrong_ones(place: Path) -> set[str]:
        retrieval_training_set(build, small.corpus, place, encoder=ENCODER)
        files = [place / "data" / f"{split}.parquet" for split in ("train", "validation")]
        rows = [row for file in files for row in pq.read_table(file).to_pylist()]
        return {row["cited_case_id"] for row in rows if row["label"] == "neutral"}

    before = wrong_ones(tmp_path / "before")
    test = pq.read_table(build / "data" / "test.parquet")
    rows = test.to_pylist()
    for row, name in zip(rows, ("premise_case_id", "cited_case_id"), strict=False):
        row[name] = min(before)
        pq.write_table(pa.Table.from_pylist(rows, test.schema), build / "data" / "test.parquet")
        after = wrong_ones(tmp_path / name)
        assert after
        assert min(before) not in after
        before = after


def test_the_training_set_of_candidates_keeps_to_the_training_side(small: Made, tmp_path: Path) -> None:
    def negate(texts: Sequence[str]) -> list[Negated | Refusal]:
        return [Negated(text.replace(" may ", " may not "), False, "", "") for text in texts]

    done = retrieval_training_set(
        small.build, small.corpus, tmp_path / "set", encoder=ENCODER, source="candidates", negate=negate
    )
    rows = [
        row
        for split in ("train", "validation")
        for row in pq.read_table(tmp_path / "set" / "data" / f"{split}.parquet").to_pylist()
    ]
    wanted = {
        one.candidate_id: one
        for n in range(N_CASES)
        if (one := candidate(n)) and one.kind == "explanatory" and side(one.cited_case_id) == "train"
    }
    assert {row["id"].partition(":entail")[0].partition(":contradict")[0] for row in rows} == set(wanted)
    assert {side(row["cited_case_id"]) for row in rows} == {"train"}, "the wrong ones too"
    assert len(rows) == 4 * len(wanted) > 0
    for row in rows:
        assert (" may not " in row["hypothesis"]) == (":contradict" in row["id"])
        assert (row["label"] == "neutral") == row["id"].endswith(":neutral")
    assert done.dropped == 0
    with pytest.raises(ConfigError, match="--from thin-air"):
        retrieval_training_set(small.build, small.corpus, tmp_path / "other", encoder=ENCODER, source="thin-air")
