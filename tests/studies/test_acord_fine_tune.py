"""Fine-tuning on ACORD's layout: the grid, what is learned from, and `lawng train relevance`."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from floats_support import close_to
from lawng.cli import app
from lawng.errors import ConfigError, InputError, LawngError
from lawng.models.folder import NOTE, ONNX
from lawng.models.training.options import Run
from lawng.models.training.relevance import Cell, cells_of, chosen, write_grid
from lawng.studies.acord.data import read_acord
from lawng.studies.acord.fine_tune import TuneSettings, Validation, digest_of, fine_tune, texts_of
from models_support import SMALL, tiny_encoder, tiny_model, weights
from ratings_support import SAMPLE


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_encoder(tmp_path_factory.mktemp("base") / "tiny"))


# --- the grid --------------------------------------------------------------------------------------------------------


def test_the_grid_of_the_paper_is_the_default() -> None:
    settings = TuneSettings()
    assert (len(settings.rates), len(settings.updates), settings.runs) == (5, 10, 3)
    assert settings.run(1e-4, 2) == Run(1e-4, settings.updates, 2)
    assert (settings.options.batch, settings.options.loss, settings.depth) == (64, "soft", 100)


def test_the_choice_is_by_the_mean_over_the_runs(tmp_path: Path) -> None:
    found = {1e-4: [{100: 0.5, 200: 0.9}, {100: 0.7, 200: 0.1}], 1e-3: [{100: 0.6, 200: 0.6}, {100: 0.6, 200: 0.62}]}
    cells = cells_of(found)
    assert [(cell.lr, cell.updates) for cell in cells] == [(1e-4, 100), (1e-4, 200), (1e-3, 100), (1e-3, 200)]
    assert chosen(cells) == Cell(1e-3, 200, (0.6, 0.62))
    assert chosen(cells).best_run == 1
    write_grid(tmp_path / "grid.csv", cells, chosen(cells))
    rows = list(csv.DictReader((tmp_path / "grid.csv").open(encoding="utf-8")))
    assert [row["chosen"] for row in rows] == ["", "", "", "yes"]
    assert (rows[1]["lr"], rows[1]["run 1"], rows[1]["mean"], rows[1]["deviation"]) == (
        "0.0001",
        "0.900000",
        "0.500000",
        "0.565685",
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rates": ()}, "--lr: none given"),
        ({"rates": (2.0,)}, "--lr 2.0"),
        ({"updates": (5, 5)}, "--updates: none given, or one twice"),
        ({"updates": (0,)}, "each must be 1 or more"),
        ({"forms": ("wide",)}, "--form wide: not known"),
        ({"targets": "stars"}, "--targets stars: not known"),
        ({"focus": 0}, "--focus 0"),
        ({"judgements": False}, "--only-groups: no groups are given"),
    ],
)
def test_wrong_settings_are_named(given: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        TuneSettings(**given)  # type: ignore[arg-type]


# --- ACORD's layout --------------------------------------------------------------------------------------------------


def test_targets_are_the_stars() -> None:
    acord = read_acord(SAMPLE, fine=True)
    rough, fine = (texts_of(acord, TuneSettings(targets=targets)) for targets in ("grades", "fine"))
    assert len(rough) == len(fine) == len(acord.of("train"))
    assert all(row.target == row.grade / 4 for row in rough)
    stars = {(acord.queries[query].text, acord.clauses[clause]): value for (query, clause), value in acord.fine.items()}
    for row in fine:
        known = stars.get((row.query, row.text)) if row.grade else None
        assert row.target == close_to(row.grade / 4 if known is None else (known - 1) / 4)
    assert any(row.target != row.grade / 4 for row in fine)
    both = texts_of(acord, TuneSettings(forms=("short", "long")))
    assert len(both) == 2 * len(rough)
    with pytest.raises(InputError, match="no finer scores"):
        texts_of(read_acord(SAMPLE), TuneSettings(targets="fine"))


def test_groups_of_graded_queries_are_learned_beside_the_judgements(tmp_path: Path) -> None:
    acord = read_acord(SAMPLE)
    ids, others = list(acord.clauses)[:8], list(acord.clauses)[8:16]
    path = tmp_path / "groups.jsonl"
    rows = [(ids, "a query of its own", "41203000"), (others, "another", "40000000")]
    lines = [json.dumps({"clauses": clauses, "queries": [["short", text, grades]]}) for clauses, text, grades in rows]
    path.write_text("\n".join(lines))
    groups = (str(path),)
    alone, both = texts_of(acord, TuneSettings()), texts_of(acord, TuneSettings(groups=groups))
    assert both[: len(alone)] == alone
    assert both[len(alone) :] == texts_of(acord, TuneSettings(groups=groups, judgements=False))
    added = [row for row in both[len(alone) :] if row.query == "a query of its own"]
    assert [(row.text, row.grade, row.target, row.hard) for row in added[:8]] == [
        (acord.clauses[ids[0]], 4, 1.0, False),
        (acord.clauses[ids[1]], 1, 0.1, False),
        (acord.clauses[ids[2]], 2, 0.4, False),
        (acord.clauses[ids[3]], 0, 0.0, True),
        (acord.clauses[ids[4]], 3, 0.8, False),
        *((acord.clauses[clause], 0, 0.0, True) for clause in ids[5:]),
    ]
    far = added[8:]
    assert {row.text for row in far} < {acord.clauses[clause] for clause in others}
    assert len({row.text for row in far}) == len(far) == 4
    assert {(row.grade, row.target, row.hard) for row in far} == {(0, 0.0, False)}


def test_one_group_has_no_others_beside_it(tmp_path: Path) -> None:
    acord, path = read_acord(SAMPLE), tmp_path / "groups.jsonl"
    path.write_text(json.dumps({"clauses": list(acord.clauses)[:8], "queries": [["short", "one", "41203000"]]}))
    assert len(texts_of(acord, TuneSettings(groups=(str(path),), judgements=False))) == 8


def test_hard_zeros_are_the_best_of_bm25() -> None:
    acord = read_acord(SAMPLE)
    texts = texts_of(acord, TuneSettings(depth=20))
    hard = Counter(row.query for row in texts if row.hard)
    assert set(hard) == {row.query for row in texts}
    assert max(hard.values()) <= 20
    assert not any(row.hard and row.grade for row in texts)


def test_test_queries_are_not_looked_at(tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(SAMPLE, changed)
    qrels = changed / "qrels" / "test.tsv"
    lines = qrels.read_text(encoding="utf-8").splitlines()
    turned = [f"{line[:-1]}{4 - int(line[-1])}" for line in lines[1:]]
    qrels.write_text("\n".join([lines[0], *turned]) + "\n", encoding="utf-8")
    one, other = read_acord(SAMPLE), read_acord(changed)
    assert one.of("test") != other.of("test")
    texts = texts_of(one, TuneSettings())
    assert texts == texts_of(other, TuneSettings())
    assert digest_of(texts, one) == digest_of(texts, other)


def test_scores_that_are_no_numbers_count_as_0(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    place = tiny_model(tmp_path / "broken", ["relevance"])
    validation = Validation(read_acord(SAMPLE), TuneSettings())
    assert validation(place) > 0.0
    file = place / "model.safetensors"
    broken = {name: torch.full_like(value, torch.nan) for name, value in load_file(file).items()}
    save_file(broken, file, {"format": "pt"})
    assert validation(place) == 0.0


# --- the command -----------------------------------------------------------------------------------------------------


def command(base: str, place: Path, *more: str) -> list[str]:
    given = ["train", "relevance", "--data", str(SAMPLE), "-o", str(place), "--base", base, "--max-length", "64"]
    return [
        *given,
        "--batch",
        "16",
        "--runs",
        "1",
        "--depth",
        "10",
        "--focus",
        "30",
        "--tags",
        "--freeze-layers",
        "1",
        *more,
    ]


@pytest.mark.slow("trains two tiny models and writes one as ONNX")
def test_the_command_trains_a_grid_and_the_study_uses_its_model(base: str, tmp_path: Path) -> None:
    place = tmp_path / "tuned"
    rates = ("--lr", "1e-4", "--lr", "1e-2", "--updates", "2", "--updates", "6")
    result = CliRunner().invoke(app, command(base, place, *rates))
    assert result.exit_code == 0, result.output
    assert re.search(r"s an update: 2 runs of 6 updates take about \d+ (minutes?|hours?)", result.stderr)
    assert result.stdout == ""
    note = json.loads((place / NOTE).read_text(encoding="utf-8"))
    rows = list(csv.DictReader((place / "grid.csv").open(encoding="utf-8")))
    assert len(rows) == len(note["grid"]) == 4
    best = max(rows, key=lambda row: float(row["mean"]))
    assert best["chosen"] == "yes" or float(best["mean"]) == pytest.approx(note["chosen"]["mean"], abs=1e-6)
    assert (note["focus"], note["options"]["max_length"], note["base"][0]) == (30, 64, base)
    assert note["tags"] is True
    assert not (place / "work").exists()
    assert not list(tmp_path.glob(".tuned*"))
    assert (place / ONNX).is_file()
    assert note["int8"]["whole"] == close_to(max(scores_of_choice(note)))
    assert "learning rate" in (place / "README.md").read_text(encoding="utf-8")
    study = CliRunner().invoke(
        app,
        [
            "study",
            "acord",
            "--data",
            str(SAMPLE),
            "-o",
            str(tmp_path / "s"),
            "--rerank",
            str(place),
            "--only",
            "bm25+tuned",
        ],
    )
    assert study.exit_code == 0, study.output
    assert "tuned" in study.stdout
    assert "not to be had" not in study.stderr


@pytest.mark.slow("trains a tiny model")
def test_a_model_of_groups_alone_says_so(base: str, tmp_path: Path) -> None:
    clauses, place, groups = list(read_acord(SAMPLE).clauses)[:8], tmp_path / "tuned", tmp_path / "own.jsonl"
    groups.write_text(json.dumps({"clauses": clauses, "queries": [["short", "a query", "41203000"]]}))
    more = ("--updates", "1", "--lr", "1e-4", "--groups", str(groups), "--only-groups", "--no-int8")
    result = CliRunner().invoke(app, command(base, place, *more))
    assert result.exit_code == 0, result.output
    note, card = (json.loads((place / NOTE).read_text("utf-8")), (place / "README.md").read_text("utf-8"))
    assert (note["groups"], note["judgements"], note["data"]["n_texts"]) == (["own.jsonl"], False, 8)
    assert "own.jsonl" in card
    assert "split train" not in card
    assert str(tmp_path) not in json.dumps(note["groups"]) + card.replace(base, "")


def scores_of_choice(note: dict[str, Any]) -> list[float]:
    choice = note["chosen"]["lr"], note["chosen"]["updates"]
    [scores] = [cell["scores"] for cell in note["grid"] if (cell["lr"], cell["updates"]) == choice]
    return list(scores)


@pytest.mark.slow("trains seven tiny models")
def test_a_killed_grid_goes_on_and_another_one_begins_anew(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(SMALL, base=base)
    settings = TuneSettings((1e-3, 1e-4), (2, 4), 1, depth=10, int8=False, options=options)
    whole = fine_tune(SAMPLE, tmp_path / "whole", settings, print)
    judged: list[Path] = []
    judge = Validation.__call__

    def breaks(self: Validation, folder: Path, backend: str = "torch") -> float:
        judged.append(folder)
        if len(judged) == 4:
            raise KeyboardInterrupt
        return judge(self, folder, backend)

    monkeypatch.setattr(Validation, "__call__", breaks)
    with pytest.raises(KeyboardInterrupt):
        fine_tune(SAMPLE, tmp_path / "killed", settings, print)
    assert not (tmp_path / "killed").exists()
    left = list((tmp_path / ".killed.partial" / "work").glob("*/at-*/model.safetensors"))
    assert len(left) == 2 + 1  # the best of the finished learning rate, the next one's first, and what was begun
    again = fine_tune(SAMPLE, tmp_path / "killed", settings, print)
    assert len(judged) == 4 + 1
    assert again.cells == whole.cells
    assert weights(tmp_path / "killed") == weights(tmp_path / "whole")
    other = replace(settings, rates=(1e-3,), updates=(1,), seed=5)
    fine_tune(SAMPLE, tmp_path / "killed", other, print)
    assert json.loads((tmp_path / "killed" / NOTE).read_text(encoding="utf-8"))["chosen"]["seed"] == 5


def test_known_errors_of_the_command_are_one_line(base: str, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "letter.txt").write_text("dear", encoding="utf-8")
    for more, said in (
        (("--loss", "hinge"), "loss 'hinge'"),
        (("--updates", "0"), "--updates"),
        (("--max-length", "128", "--updates", "1"), "more than"),
    ):
        result = CliRunner().invoke(app, command(base, tmp_path / "new", *more))
        assert isinstance(result.exception, LawngError), result.output
        assert said in str(result.exception)
        assert "\n" not in str(result.exception)
    result = CliRunner().invoke(app, command(base, taken, "--updates", "1"))
    assert isinstance(result.exception, InputError)
    assert "is no relevance model" in str(result.exception)
