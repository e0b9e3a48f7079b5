"""The weights: what they give is the regression's, a file gives back what was written, a damaged one is named."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from floats_support import close_to
from lawng.errors import InputError
from lawng.schema import TREATMENTS
from lawng.treatment.model import FILE, fit_weights, load_weights

GOOD: dict[str, Any] = {
    "told": {"pairs": 2},
    "labels": ["mentioned", "overruled"],
    "bias": [0.5, -0.5],
    "absent": {"context court": 2.0},
    "weights": {"C overrule": [-1.0, 1.0], "context court": [0.25, 0.0]},
}


def written(folder: Path, **changes: Any) -> Path:
    (folder / "w.json").write_text(json.dumps(GOOD | changes))
    return folder / "w.json"


def rows_of(n: int) -> tuple[list[dict[str, float]], list[str]]:
    """Rows with two features of words and one of context, which every third row lacks."""
    draw = random.Random(5)
    labels = [("mentioned", "overruled", "limited")[at % 3] for at in range(n)]
    rows = []
    for at, label in enumerate(labels):
        row = {"C overrule": draw.random() + (label == "overruled"), "C limit": draw.random() + (label == "limited")}
        rows.append(row if at % 3 == at % 2 else row | {"context court": draw.random() * 3})
    return rows, labels


def test_weights_are_those_of_a_regression_over_standardised_features() -> None:
    rows, labels = rows_of(60)
    importance = [1.0 + at % 2 for at in range(60)]
    names = ["C limit", "C overrule", "context court"]
    known = [row["context court"] for row in rows if "context court" in row]
    mean = sum(known) / len(known)
    full = np.array([[row.get(name, mean) for name in names] for row in rows])
    scaler = StandardScaler().fit(full)
    model = LogisticRegression(C=0.2, max_iter=3000).fit(scaler.transform(full), labels, sample_weight=importance)
    weights = fit_weights(rows, labels, importance, 0.2)
    assert weights.labels == tuple(model.classes_)
    for row, expected in zip(rows, model.predict_proba(scaler.transform(full)), strict=True):
        assert list(weights.of(row).values()) == close_to(expected.tolist())
    assert weights.of({})["limited"] == close_to(float(model.predict_proba(scaler.transform([[0, 0, mean]]))[0][0])), (
        "no words, and a context like the average"
    )


def test_two_labels_have_weights_each(tmp_path: Path) -> None:
    rows, labels = rows_of(60)
    labels = ["overruled" if label == "overruled" else "mentioned" for label in labels]
    weights = fit_weights(rows, labels, [1.0] * 60, 0.2)
    names = ["C limit", "C overrule", "context court"]
    known = [row["context court"] for row in rows if "context court" in row]
    full = np.array([[row.get(name, sum(known) / len(known)) for name in names] for row in rows])
    scaler = StandardScaler().fit(full)
    model = LogisticRegression(C=0.2, max_iter=3000).fit(scaler.transform(full), labels)
    for row, expected in zip(rows, model.predict_proba(scaler.transform(full)), strict=True):
        assert list(weights.of(row).values()) == close_to(expected.tolist())
    weights.save(tmp_path / "weights.json")
    assert load_weights(tmp_path / "weights.json").labels == ("mentioned", "overruled")


def test_a_feature_of_fewer_than_three_rows_counts_for_nothing() -> None:
    rows, labels = rows_of(30)
    rare = [{**row, "S rare": 1.0} if at < 2 else row for at, row in enumerate(rows)]
    assert "S rare" not in fit_weights(rare, labels).places
    rare[2] |= {"S rare": 1.0}
    assert "S rare" in fit_weights(rare, labels).places


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    weights = fit_weights(*rows_of(60))
    weights.save(tmp_path / "w.json")
    again = load_weights(tmp_path / "w.json")
    assert (again.labels, again.places, again.told) == (weights.labels, weights.places, weights.told)
    row = {"C overrule": 0.7, "never seen": 9.0}
    assert again.of(row) == pytest.approx(weights.of(row), abs=2e-3), "four digits are kept"


def test_probabilities_of_a_file(tmp_path: Path) -> None:
    weights = load_weights(written(tmp_path))
    even = weights.of({"C overrule": 1.0, "context court": 0.0})
    assert even == {"mentioned": close_to(1 / (1 + np.e)), "overruled": close_to(np.e / (1 + np.e))}
    assert weights.of({"C overrule": 0.0})["mentioned"] == close_to(np.exp(1.5) / (1 + np.exp(1.5))), "2 x 0.25 + 1"
    assert weights.speaks_for("overruled", {"C overrule": 2.0}) == close_to(4.0)
    assert weights.speaks_for("mentioned", {"C overrule": 2.0, "context court": 4.0}) == close_to(-3.0)


def test_the_weights_that_come_along_know_every_label() -> None:
    weights = load_weights()
    assert set(weights.labels) == set(TREATMENTS)
    assert np.isfinite(weights.weights).all()
    assert np.isfinite(weights.bias).all()
    assert len(weights.places) == len(set(weights.places)) > 50
    assert sum(weights.of({}).values()) == close_to(1.0)
    assert FILE.name == "weights.json"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"labels": ["good", "bad"]}, id="foreign labels"),
        pytest.param({"labels": ["mentioned", "bad"]}, id="one foreign label"),
        pytest.param({"labels": []}, id="no labels"),
        pytest.param({"labels": "ab"}, id="labels in one word"),
        pytest.param({"labels": 7}, id="labels are a number"),
        pytest.param({"bias": [1.0]}, id="a bias too few"),
        pytest.param({"weights": {"C overrule": [1.0]}}, id="a weight too few"),
        pytest.param({"weights": {"C overrule": ["x", "y"]}}, id="words for numbers"),
        pytest.param({"weights": [1.0, 2.0]}, id="weights without names"),
        pytest.param({"absent": 3}, id="absent is a number"),
        pytest.param({"absent": {"context court": "x"}}, id="a word for an average"),
    ],
)
def test_weights_that_are_none_are_named(changes: dict[str, Any], tmp_path: Path) -> None:
    file = written(tmp_path, **changes)
    with pytest.raises(InputError, match=r"w\.json: no weights of treatments \(") as caught:
        load_weights(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe", json.dumps(GOOD).encode()[:-20]])
def test_a_damaged_file_of_weights_is_named(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "w.json").write_bytes(raw)
    with pytest.raises(InputError, match=r"w\.json: no weights of treatments \("):
        load_weights(tmp_path / "w.json")


@pytest.mark.parametrize("name", ["labels", "bias", "absent", "weights", "told"])
def test_a_part_that_lacks_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(json.dumps({key: value for key, value in GOOD.items() if key != name}))
    with pytest.raises(InputError, match=rf"w\.json: .*{name}"):
        load_weights(tmp_path / "w.json")


def test_no_file_of_weights(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.json: no weights of treatments"):
        load_weights(tmp_path / "no.json")
