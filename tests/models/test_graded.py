"""A bi-encoder taught by graded groups: the loss against its formula, the order of groups, a run from files to a folder."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from floats_support import close_to
from lawng.cli import app
from lawng.datasets.clause_groups import read_groups
from lawng.errors import ConfigError, InputError
from lawng.models.onnx.embedder import OnnxEmbedder
from lawng.models.onnx.encoder import search_embedder
from lawng.models.training.graded import (
    GAINS,
    GROUP,
    SCALE,
    GradedLoss,
    Group,
    fit_graded,
    graded_loss,
    planned_groups,
)
from lawng.models.training.options import RetrieverOptions
from lawng.studies.acord.clause_encoder import NOTIONS, _drawn
from models_support import tiny_encoder
from ratings_support import SAMPLE

KNOWN = {f"c{n}": f"Clause {n}." for n in range(16)}
QUERIES = [["short", "cap", "41100000"], ["negation", "cap without fraud", "14000003"]]


def row(**changed: object) -> str:
    return json.dumps({"clauses": [f"c{n}" for n in range(8)], "queries": QUERIES} | changed)


def by_hand(cosines: np.ndarray, grades: np.ndarray) -> float:
    """The loss query by query, by its definition."""
    total, n = 0.0, 0
    for query, own in enumerate(grades):
        gains = np.array([GAINS[grade] for grade in own])
        if gains.max() < 0.8:
            continue
        first = query // GROUP * GROUP
        scores = SCALE * cosines[query]
        wide = np.zeros(len(scores))
        wide[first : first + GROUP] = np.where(gains >= 0.4, gains**2, 0)
        log_all = scores - np.log(np.exp(scores).sum())
        inside = scores[first : first + GROUP]
        log_own = inside - np.log(np.exp(inside).sum())
        total += -(wide / wide.sum() * log_all).sum() - (gains / gains.sum() * log_own).sum()
        n += 1
    return total / n


def test_the_loss_is_its_formula() -> None:
    chance = np.random.default_rng(3)
    cosines, grades = chance.uniform(-1, 1, (24, 24)), chance.integers(0, 5, (24, GROUP))
    grades[5] = 0
    grades[6] = [2, 1, 0, 0, 0, 0, 0, 0]
    found = graded_loss(torch.tensor(cosines), torch.tensor(grades))
    assert float(found) == close_to(by_hand(cosines, grades))
    assert float(graded_loss(torch.tensor(cosines), torch.zeros(24, GROUP, dtype=torch.long))) == 0.0


def test_a_better_order_costs_less() -> None:
    grades = torch.zeros(GROUP, GROUP, dtype=torch.long)
    grades[0, 3], grades[0, 4] = 4, 1
    right, wrong = torch.zeros(GROUP, GROUP), torch.zeros(GROUP, GROUP)
    right[0, 3] = wrong[0, 4] = 0.5
    assert graded_loss(right, grades) < graded_loss(torch.zeros(GROUP, GROUP), grades) < graded_loss(wrong, grades)


def test_labels_come_as_rows_or_as_columns() -> None:
    class Same(torch.nn.Module):
        def forward(self, features: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
            return {"sentence_embedding": features["x"]}

    torch.manual_seed(0)
    pair = [{"x": torch.randn(GROUP, 4)} for _ in range(2)]
    grades = torch.randint(0, 5, (GROUP, GROUP))
    loss = GradedLoss(Same())
    assert float(loss(pair, grades)) == close_to(float(loss(pair, [grades[:, at] for at in range(GROUP)])))


@pytest.mark.parametrize(("n", "batch", "epochs"), [(5, 16, 2), (8, 64, 1), (3, 8, 3)])
def test_each_group_is_read_whole_and_once_an_epoch(n: int, batch: int, epochs: int) -> None:
    plan = planned_groups(n, RetrieverOptions(batch=batch, epochs=epochs))
    at_once = batch // GROUP
    assert len(plan) == epochs * (n // at_once) * batch
    for at in range(0, len(plan), GROUP):
        assert [place % GROUP for place in plan[at : at + GROUP]] == list(range(GROUP))
        assert len({place // GROUP for place in plan[at : at + GROUP]}) == 1
    per = len(plan) // epochs // GROUP
    for epoch in range(epochs):
        read = [plan[at] // GROUP for at in range(epoch * per * GROUP, (epoch + 1) * per * GROUP, GROUP)]
        assert len(set(read)) == len(read)
    assert plan == planned_groups(n, RetrieverOptions(batch=batch, epochs=epochs))


def test_groups_come_in_another_order_in_each_epoch_and_by_each_seed() -> None:
    plan = planned_groups(40, RetrieverOptions(batch=8, epochs=2))
    assert len({tuple(plan), tuple(planned_groups(40, RetrieverOptions(batch=8, epochs=2, seed=1)))}) == 2
    one, two = plan[::GROUP][:40], plan[::GROUP][40:]
    assert sorted(one) == sorted(two) == list(range(0, 40 * GROUP, GROUP))
    assert one != two
    assert sorted(one) not in (one, two)


def test_groups_are_read_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "groups.jsonl"
    path.write_text(row() + "\n" + row(clauses=[f"c{n}" for n in range(8, 16)]) + "\n", encoding="utf-8")
    one, two = read_groups([path], KNOWN)
    assert one.clauses[0] == "c0"
    assert two.clauses[0] == "c8"
    assert [(query.form, query.text, query.grades[:2]) for query in one.queries] == [
        ("short", "cap", (4, 1)),
        ("negation", "cap without fraud", (1, 4)),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "no group of 8 clauses"),
        ("[1]", "no group of 8 clauses"),
        (row(clauses=["c0"]), "no group of 8 clauses"),
        (row(queries=[]), "no group of 8 clauses"),
        (row(queries=[["short", "cap", "4110000"]]), "no group of 8 clauses"),
        (row(queries=[["short", "cap", "4110000x"]]), "no group of 8 clauses"),
        (row(queries=[["short", "cap", "51100000"]]), "no group of 8 clauses"),
        (row(clauses=[*(f"c{n}" for n in range(7)), "zz"]), "clause zz is not in the collection"),
    ],
)
def test_what_is_no_group_is_named_by_its_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "groups.jsonl"
    path.write_text(row() + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"groups.jsonl:2: .*{said}"):
        read_groups([path], KNOWN)
    with pytest.raises(InputError, match=r"nothing\.jsonl: cannot be read"):
        read_groups([tmp_path / "nothing.jsonl"], KNOWN)
    path.write_text(row(queries=[["short", "cap\u2028on liability", "41100000"]]) + "\n", encoding="utf-8")
    assert len(read_groups([path], KNOWN)) == 1, "a line ends where JSON lines do, and nowhere else"


def test_fewer_groups_than_a_batch_are_refused(tmp_path: Path) -> None:
    group = Group(tuple(KNOWN)[:8], ("cap",), ((4, 1, 0, 0, 0, 0, 0, 0),))
    with pytest.raises(InputError, match="1 groups are fewer than a batch"):
        fit_graded(tmp_path / "m", [group], lambda _: 0.0, RetrieverOptions(batch=16), {}, lambda _: "", print)
    assert not (tmp_path / "m").exists()


@pytest.mark.slow("trains a tiny encoder and writes it as ONNX")
def test_the_command_teaches_an_encoder_by_groups_and_by_judgements(tmp_path: Path) -> None:
    ids = [json.loads(line)["_id"] for line in (SAMPLE / "corpus.jsonl").read_text("utf-8").splitlines()]
    lines = [row(clauses=ids[at : at + 8]) for at in range(0, 16, 8)]
    (tmp_path / "groups.jsonl").write_text("\n".join(lines), encoding="utf-8")
    marked = tmp_path / "marked.jsonl"
    marked.write_text('{"query": "[ceiling|cap] of a million, [deceit|-fraud] left out"}\n{"query": "invoices"}\n')
    place = tmp_path / "encoder"
    base = tiny_encoder(tmp_path / "tiny")
    run = CliRunner().invoke(
        app,
        [
            *("train", "clause-encoder", "--data", str(SAMPLE), "--groups", str(tmp_path / "groups.jsonl")),
            *("-o", str(place), "--base", str(base), "--batch", "16", "--epochs", "2", "--max-length", "32"),
            *("--marked", str(marked)),
        ],
    )
    assert run.exit_code == 0, run.output
    assert "2 texts with tags an epoch" in run.output
    note = json.loads((place / "lawng.json").read_text("utf-8"))
    assert note["groups"] == {"drawn": 0, "written": 2}
    assert note["queries"] == {"train": {"marked": 2, "negation": 2, "short": 2}}
    assert 0 <= note["dev"]["int8"] <= 1
    assert json.loads((place / "onnx" / "lawng.json").read_text("utf-8"))["groups"] == note["groups"]
    assert "lawng train clause-encoder" in (place / "README.md").read_text("utf-8")
    assert not list(tmp_path.glob(".encoder*"))
    before, after = (search_embedder(str(one)).encode(["a cap on liability"]).vectors for one in (base, place))
    assert not np.allclose(before, after)
    for folder in (place / "onnx", place):
        encoder = search_embedder(str(folder))
        assert isinstance(encoder, OnnxEmbedder)
        assert [len(labels) for labels in encoder.labels] == [len(NOTIONS) + 1, 3]
        told = encoder.tags("a cap on liability")
        assert told.places[1] == (2, 5)
        assert [share.shape for share in told.shares] == [(4, len(NOTIONS) + 1), (4, 3)]
        assert all(share.sum(axis=1) == close_to(np.ones(4)) for share in told.shares)
    again = CliRunner().invoke(app, ["train", "clause-encoder", "--data", str(SAMPLE), "-o", str(tmp_path / "none")])
    assert isinstance(again.exception, InputError)
    assert "no groups are given" in str(again.exception)


def test_groups_are_drawn_of_judgements_by_the_seed() -> None:
    judged = {f"c{n}": grade for n, grade in enumerate([4, 4, 3, 3, 2, 2, 1, 1, *[0] * 9])}
    found = _drawn(judged, Random("a"))
    assert found == _drawn(judged, Random("a")) != _drawn(judged, Random("b"))
    assert len(set(found)) == GROUP
    grades = [judged[clause] for clause in found]
    assert [sum(low <= grade <= high for grade in grades) for low, high in ((3, 4), (1, 2), (0, 0))] == [3, 3, 2]
    assert len(_drawn({"a": 4, "b": 0}, Random("a"))) == 2


@pytest.mark.parametrize("batch", [4, 20])
def test_a_batch_that_cuts_a_group_in_two_is_refused(batch: int, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="take a multiple of 8"):
        fit_graded(tmp_path / "m", [], lambda _: 0.0, RetrieverOptions(batch=batch), {}, lambda _: "", print)
