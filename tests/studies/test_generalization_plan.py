"""What a study takes, told before: operations against torch's own count, trainings, hours, holes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from floats_support import close_to
from lawng.cli import app
from lawng.errors import MissingError
from lawng.models.training.options import StanceOptions
from lawng.models.training.trainer import arguments
from lawng.schema.labels import LABELS
from lawng.studies.generalization.examples import Benchmark, Example
from lawng.studies.generalization.plan import PANEL, Shape, Speed, measured_speed, plan_of, shape_of
from lawng.studies.generalization.presets import preset
from lawng.studies.generalization.systems import GeneralizationSettings
from models_support import tiny_encoder
from split_support import write_split

SPEED = Speed(2e9, 1e9, "a test")
VIEWS = ("short", "long", "bm25-short", "bm25-long")


def examples(n: int, characters: int = 4500) -> list[Example]:
    text = "ab c " * (characters // 5)
    return [
        Example(f"{at}", "x" * 45, LABELS[at % 3], dict.fromkeys(VIEWS, text), f"{at}", False, False, "made")
        for at in range(n)
    ]


BENCHMARK = Benchmark("made", {"train": examples(30), "validation": [], "test": examples(6)})


@pytest.mark.parametrize(("layers", "tokens"), [(1, 512), (3, 100)])
def test_operations_are_those_that_torch_counts(layers: int, tokens: int) -> None:
    from torch.utils.flop_counter import FlopCounterMode
    from transformers import BertConfig, BertModel

    config = BertConfig(hidden_size=128, num_attention_heads=4, intermediate_size=512, num_hidden_layers=layers)
    config._attn_implementation = "eager"
    counter = FlopCounterMode(display=False)
    with counter, torch.inference_mode():
        BertModel(config, add_pooling_layer=False)(torch.randint(0, 99, (1, tokens)))
    assert Shape(layers, 128, 512, 512).flops(tokens) == close_to(counter.get_total_flops())


def test_a_band_of_attention_is_cheaper() -> None:
    banded, whole = (Shape(2, 64, 128, 4096, band) for band in (512, 0))
    assert banded.flops(512) == whole.flops(512)
    assert whole.flops(4096) - banded.flops(4096) == close_to(2 * 4096 * 4.0 * (4096 - 512) * 64)


def row(settings: GeneralizationSettings) -> list[str]:
    return plan_of(settings, BENCHMARK, SPEED).rows[0]


def test_hours_are_operations_by_speed() -> None:
    training = StanceOptions(batch=8, epochs=3, max_length=256)
    settings = GeneralizationSettings(("roberta-large",), ("1", "3", "5"), (0, 1), training=training)
    _, revision, parameters, tokens, licence, trainings, training_hours, asking_hours = row(settings)
    shape = PANEL["roberta-large"]
    assert (parameters, tokens, licence, trainings) == ("355", "512", "MIT", "4"), "two views, two seeds"
    assert revision == "722cf37"
    trained = 3 * 3 * 4 * 30 * shape.flops(256) / 2e9 / 3600
    asked = 2 * 3 * 6 * shape.flops(512) / 1e9 / 3600
    assert float(training_hours.replace(",", "")) == pytest.approx(trained, abs=0.051)
    assert float(asking_hours.replace(",", "")) == pytest.approx(asked, abs=0.051)
    more = float(row(replace(settings, columns=("1", "3", "5", "long-as-it-is")))[7].replace(",", ""))
    assert more == pytest.approx(asked * 7 / 6, abs=0.051), "what is asked as it is, is asked once"
    again = row(replace(settings, training=replace(training, checkpointing=True)))
    assert float(again[6].replace(",", "")) == pytest.approx(trained * 4 / 3, abs=0.051)


def test_windows_take_the_whole_premise(tmp_path: Path) -> None:
    settings = GeneralizationSettings(("roberta-large",), ("1", "7"))
    one, both = (float(row(replace(settings, columns=keys))[7].replace(",", "")) for keys in (("1",), ("1", "7")))
    words = 4500 // 5 * 2  # the windows of 200 words hold 500 characters, and the hypothesis stands beside each
    windows = words // 200 * 6 * PANEL["roberta-large"].flops(int((499 + 45) / 4.5) + 3) / 1e9 / 3600
    assert both - one == pytest.approx(windows, rel=0.05, abs=0.1)


def test_other_data_are_trained_on_once_and_two_labels_take_half_the_epochs(tmp_path: Path) -> None:
    lines = [f"{'not_' * (n % 2)}entailment\tthe dog runs {n}\tit sleeps" for n in range(40)]
    (tmp_path / "mnli-dev.txt").write_text("\n".join(lines), encoding="utf-8")
    training = StanceOptions(batch=8, epochs=4)
    settings = GeneralizationSettings(("roberta-large",), ("1",), (0, 1, 2), training=training)
    plain, docnli = row(settings), row(replace(settings, intermediate=(str(tmp_path),)))
    assert (plain[5], docnli[5]) == ("3", "4")
    assert float(docnli[6].replace(",", "")) < 0.7 * float(plain[6].replace(",", ""))


def test_a_model_that_is_not_there_is_a_hole_and_one_at_hand_is_read(tmp_path: Path) -> None:
    base = tiny_encoder(tmp_path / "base")
    shape = shape_of(str(base))
    assert shape is not None
    assert shape[:4] == (2, 32, 64, 64)
    assert shape_of(str(tmp_path / "none")) is None
    missing = GeneralizationSettings((str(tmp_path / "none"),), ("1",))
    assert set(row(missing)[2:]) == {"?"}


def test_the_panel_is_the_papers() -> None:
    settings = preset("paper")
    assert settings.models == tuple(PANEL)
    assert len(PANEL) == 7
    how = settings.training
    assert (how.batch, how.lr, how.epochs, how.warmup) == (32, 1e-5, 4, 10_000), "A.2.1"
    assert (how.max_length, how.freeze_words, settings.before.max_length) == (4096, False, 2048)
    assert arguments(how, Path("work"), how.together)["weight_decay"] == 0.01


def test_the_plan_says_what_comes_first_and_whose_hours_they_are(tmp_path: Path) -> None:
    settings = GeneralizationSettings(("roberta-large",), ("1",), (0,))
    found = plan_of(settings, BENCHMARK, SPEED)
    assert found.columns[-2:] == ["GPU-hours to train", "GPU-hours to ask"]
    assert "Each base as it comes (--intermediate: the paper takes ANLI, ConTRoL or DocNLI first, too). " in found.note
    (tmp_path / "mnli-dev.txt").write_text("entailment\tthe dog runs\tit runs\n" * 4, encoding="utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "fever-nli-dev.txt").write_text("entailment\tthe dog runs\tit runs\n" * 4, encoding="utf-8")
    first, second = str(tmp_path / "mnli-dev.txt"), str(tmp_path / "other")
    more = replace(settings, intermediate=("none", first, second))
    found = plan_of(more, BENCHMARK, SPEED._replace(where="a CPU with 2 threads"))
    assert found.columns[-2:] == ["hours to train", "hours to ask"]
    assert f"Each base as it comes, and first trained on {first} or {second}. " in found.note
    found = plan_of(replace(settings, intermediate=(first,)), BENCHMARK, SPEED)
    assert f"Each base first trained on {first}. " in found.note


def test_what_cannot_be_computed_again_is_not_counted_twice() -> None:
    def hours(name: str, checkpointing: bool) -> float:
        training = StanceOptions(batch=8, epochs=300, checkpointing=checkpointing)
        return float(row(GeneralizationSettings((name,), ("1",), training=training))[6].replace(",", ""))

    assert hours("albert-xxlarge-v2", True) == hours("albert-xxlarge-v2", False)
    assert hours("roberta-large", True) == pytest.approx(4 / 3 * hours("roberta-large", False), rel=0.01)


def test_each_option_reaches_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "build" / "data").mkdir(parents=True)
    asked: list[tuple[Path, Path, GeneralizationSettings]] = []

    def study(data: Path, folder: Path, settings: GeneralizationSettings, say: object) -> None:
        asked.append((data, folder, settings))
        raise MissingError("that is all")

    monkeypatch.setattr("lawng.studies.generalization.study.study_generalization", study)
    monkeypatch.chdir(tmp_path)
    given = (
        "--model a --model b --intermediate c --column 1 --column 6 --seed 3 --seed 4 --epochs 5 --lr 0.5 --batch 24"
    )
    given += " --max-length 99 --gold g.csv --patience 2 --micro 3 --processes 2 --precision bf16 --checkpointing"
    result = CliRunner().invoke(
        app, ["study", "generalization", "build", *given.split(), "--whole", "--plain", "--unseen"]
    )
    assert "that is all" in str(result.exception)
    every: dict[str, Any] = {
        "micro": 3,
        "processes": 2,
        "precision": "bf16",
        "checkpointing": True,
        "patience": 2,
        "batch": 24,
    }
    small = preset("small")
    assert asked == [
        (
            Path("build"),
            Path("generalization"),
            replace(
                small,
                models=("a", "b"), intermediate=("c",), columns=("1", "6"), seeds=(3, 4), gold="g.csv",
                whole=True, plain=True, unseen=True,
                training=replace(small.training, epochs=5, lr=0.5, max_length=99, **every),
                before=replace(small.before, **every),
            ),
        )
    ]  # fmt: skip


def test_the_speed_is_measured() -> None:
    found = measured_speed(pairs=1, tokens=64, layers=1)
    assert found.training > 1e6
    assert found.asking > 1e6


def test_the_command_says_the_plan_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "build" / "data").mkdir(parents=True)
    for split in ("train", "validation", "test"):
        write_split(tmp_path / "build" / "data" / f"{split}.parquet", examples(6))
    given = ["study", "generalization", str(tmp_path / "build"), "-o", str(tmp_path / "study")]
    result = CliRunner().invoke(app, [*given, "--preset", "paper", "--plan"])
    assert result.exit_code == 0
    said = result.stdout
    assert "albert-xxlarge-v2" in said
    assert "6 train, 6 validation, 6 test examples" in said
    assert not (tmp_path / "study").exists()
    result = CliRunner().invoke(app, [*given, "--plan", "--unseen"])
    assert result.exit_code, "all of them have one hypothesis"
    assert "two hypotheses at least" in str(result.exception or result.output)
