"""What to read first: planted wrong labels come first, numbers by hand, input that cannot be."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from floats_support import close_to
from lawng.cli import app
from lawng.errors import InputError
from lawng.schema.labels import LABELS
from lawng.studies.assessment.audit import audit
from lawng.studies.generalization.examples import Example
from lawng.studies.generalization.study import asked_benchmark, digest_of_examples
from lawng.studies.generalization.systems import StudyPrediction
from lawng.studies.harness import ParquetStore
from split_support import examples, write_split

TRUE = examples(90)
WRONG = {TRUE[at].key for at in (3, 17, 31, 44, 58, 72)}
GIVEN = [
    replace(one, label=one.label.flipped if one.key in WRONG and one.label != "neutral" else one.label) for one in TRUE
]
FLIPPED = {one.key for one, true in zip(GIVEN, TRUE, strict=True) if one.label != true.label}


def build(folder: Path, rows: Sequence[Example]) -> Path:
    (folder / "data").mkdir(parents=True)
    for split, own in (("train", examples(3, 500)), ("validation", examples(3, 600)), ("test", rows)):
        write_split(folder / "data" / f"{split}.parquet", own)
    return folder


def predictions(path: Path, rows: Sequence[Example], sure: float) -> Path:
    """Of a model that knows the true labels, and is so sure; the label in the file is the given one."""
    true = {one.key: one.label for one in TRUE}
    found = []
    for one in rows:
        e, n, c = (math.log(sure if label == true.get(one.key) else (1 - sure) / 2) for label in LABELS)
        found.append(StudyPrediction(one.key, str(one.label), e, n, c, 1.0, 1.0, ""))
    ParquetStore(StudyPrediction).write(path, found, "")
    return path


def test_wrong_labels_come_first_and_are_counted(tmp_path: Path) -> None:
    assert len(FLIPPED) >= 3
    place, out = build(tmp_path / "build", GIVEN), tmp_path / "audit.csv"
    (tmp_path / "predictions").mkdir()
    for name, sure in (("one", 0.9), ("other", 0.7)):
        predictions(tmp_path / "predictions" / f"{name}.parquet", GIVEN, sure)
    rows = audit(place, [tmp_path / "predictions"], out)
    assert {row.key for row in rows[: len(FLIPPED)]} == FLIPPED
    assert {row.key for row in rows if row.issue} == FLIPPED
    assert rows[0].quality == close_to((0.1 - 0.8 + 1) / 2), (
        "mean probabilities 0.8 and 0.1: half of their margin and 1"
    )
    assert rows[-1].quality == close_to((0.8 - 0.1 + 1) / 2)
    true = {one.key: str(one.label) for one in TRUE}
    assert all(row.suggested == true[row.key] for row in rows)
    with out.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [row["key"] for row in written] == [row.key for row in rows]
    assert len(written) == 90


def test_the_command_says_what_to_read_first(tmp_path: Path) -> None:
    place = build(tmp_path / "build", GIVEN)
    file = predictions(tmp_path / "one.parquet", GIVEN, 0.9)
    result = CliRunner().invoke(app, ["annotate", "audit", str(place), str(file), "-o", str(tmp_path / "audit.csv")])
    assert result.exit_code == 0, result.output
    assert result.stdout.count("?") == 5
    assert f"{len(FLIPPED)} look wrong" in result.output


def test_predictions_of_a_study_of_other_examples_are_refused(tmp_path: Path) -> None:
    place, study = build(tmp_path / "build", GIVEN), tmp_path / "study"
    (study / "predictions").mkdir(parents=True)
    file = predictions(study / "predictions" / "one.parquet", GIVEN, 0.9)
    how = {"whole": True, "plain": True, "unseen": False}
    own = digest_of_examples(asked_benchmark(place, True, True, False))
    for digest in (own, "another"):
        (study / "manifest.json").write_text(json.dumps({"digest": digest, "settings": how}), encoding="utf-8")
        for given in (study / "predictions", file):
            if digest == own:
                assert len(audit(place, [given], tmp_path / "audit.csv")) == 90
            else:
                with pytest.raises(
                    InputError, match=r"manifest.json: its study was of other examples than .*build has"
                ):
                    audit(place, [given], tmp_path / "audit.csv")


def test_only_examples_that_all_models_were_asked_are_ranked(tmp_path: Path) -> None:
    place = build(tmp_path / "build", GIVEN)
    files = [predictions(tmp_path / f"{n}.parquet", GIVEN[:n], 0.9) for n in (90, 60)]
    assert {row.key for row in audit(place, files, tmp_path / "audit.csv")} == {one.key for one in GIVEN[:60]}


def test_models_that_lacked_a_text_or_a_label_are_left_out_of_a_folder(tmp_path: Path) -> None:
    place, folder = build(tmp_path / "build", GIVEN), tmp_path / "predictions"
    folder.mkdir()
    predictions(folder / "m.short.0.long.parquet", GIVEN, 0.9)
    alone = audit(place, [folder], tmp_path / "audit.csv")
    for name in ("m.hypothesis.0.hypothesis", "m.only-short.0.only-short"):
        predictions(folder / f"{name}.parquet", GIVEN, 0.4)
    two = [
        replace(row, label="not_entailment")
        for row in ParquetStore(StudyPrediction).read(folder / "m.short.0.long.parquet")
    ]
    ParquetStore(StudyPrediction).write(folder / "m_docnli.short.0.long.parquet", two, "")
    assert audit(place, [folder], tmp_path / "audit.csv") == alone


def test_predictions_that_cannot_be_are_one_line(tmp_path: Path) -> None:
    place, out = build(tmp_path / "build", GIVEN), tmp_path / "audit.csv"
    with pytest.raises(InputError, match="no predictions of three labels: name"):
        audit(place, [tmp_path / "build"], out)
    other = predictions(tmp_path / "other.parquet", examples(30, 700), 0.9)
    with pytest.raises(InputError, match=r"other\.parquet: cl:700 is no example of this build"):
        audit(place, [other], out)
    relabelled = predictions(tmp_path / "two.parquet", [replace(one, label=LABELS[0]) for one in GIVEN], 0.9)
    with pytest.raises(InputError, match="with that label"):
        audit(place, [relabelled], out)
    with pytest.raises(InputError, match="neutral, contradiction: fewer than 10"):
        audit(place, [predictions(tmp_path / "few.parquet", GIVEN[:28:3], 0.9)], out)
    (tmp_path / "cut.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"cut\.parquet: no predictions of"):
        audit(place, [tmp_path / "cut.parquet"], out)
    assert not out.exists()
