"""Training a stance model: readers, what is trained on, the loss, the run, and a killed one."""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from floats_support import close_to
from lawng.datasets.candidates import Flip
from lawng.datasets.nli import Pair, Source, find_sources, read_source
from lawng.datasets.nli_tables import NOT_ENTAILED
from lawng.datasets.recipe import TEST_ONLY, Inputs, counts, epoch, gather, held_out_pairs
from lawng.datasets.splits import part_of, side
from lawng.errors import ConfigError, InputError
from lawng.evaluation.nli import NliPrediction
from lawng.models.folder import ONNX, PACKED
from lawng.models.pairs import pair_model
from lawng.models.training.calibration import calibration_error, fit_temperature, loss_at
from lawng.models.training.options import StanceOptions
from lawng.models.training.stance import train_stance
from lawng.schema.labels import LABELS, Label
from lawng.studies.harness import ParquetStore
from lawng.studies.nli import evaluate
from lawng.text.windows import best_window
from models_support import tiny_encoder, tiny_model

ROWS = [
    ("the dog sleeps", "the dog runs", "CONTRADICTION"),
    ("the cat runs", "the cat runs yes", "ENTAILMENT"),
    ("a river", "a road", "NEUTRAL"),
    ("the tax was void", "the tax was not valid", "ENTAILMENT"),
]


def negate(texts: Sequence[str]) -> list[Flip | None]:
    """A stand-in: "is" and "is not" change places, all else is refused."""
    return [
        Flip(text.replace(" is not ", " is "), True)
        if " is not " in text
        else (Flip(text.replace(" is ", " is not "), False) if " is " in text else None)
        for text in texts
    ]


def sick(folder: Path, name: str, rows: Sequence[tuple[str, str, str]]) -> None:
    lines = ["pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"]
    lines += [f"{n}\t{premise}\t{hypothesis}\t3.0\t{label}" for n, (premise, hypothesis, label) in enumerate(rows)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    sick(folder, "SICK_train.txt", ROWS * 6)
    sick(folder, "SICK_trial.txt", ROWS)
    sick(folder, "SICK_test_annotated.txt", ROWS[:2])
    lines = [f"entailment\tthe court {n} held it\tthe statute is void {n}" for n in range(30)]
    lines += [f"not_entailment\tthe court {n} held it\tthe tax is not void {n}" for n in range(30)]
    (folder / "mnli-dev.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


# --- readers ---------------------------------------------------------------------------------------------------------


def test_two_labels_mean_that_the_other_two_are_open(data: Path) -> None:
    pairs = list(read_source(Source("mnli/mnli-dev", data / "mnli-dev.txt")))
    assert [pairs[0].gold, pairs[30].gold] == [[Label.ENTAILMENT], list(NOT_ENTAILED)]
    assert {part_of(pair.premise) for pair in pairs} == {pair.part for pair in pairs} > {"train", "test"}
    assert len({pair.pair_id for pair in pairs}) == 60


def test_a_file_of_another_format_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mnli-dev.txt"
    path.write_text("maybe\ta premise\ta hypothesis\n")
    with pytest.raises(InputError, match="label 'maybe'"):
        list(read_source(Source("mnli/mnli-dev", path)))
    path.write_text("one column\n")
    with pytest.raises(InputError, match=r"mnli-dev.txt, line 1: not a file of mnli"):
        list(read_source(Source("mnli/mnli-dev", path)))
    with pytest.raises(InputError, match="is not there"):
        find_sources([tmp_path / "nothing"])
    (tmp_path / "dev.jsonl").write_text('{"query": "another project\'s file"}\n')
    path.unlink()
    with pytest.raises(InputError, match="no NLI data known here"):
        find_sources([tmp_path])


# --- candidates and windows ------------------------------------------------------------------------------------------


def test_sides_are_about_halves_and_fixed() -> None:
    sides = Counter(side(f"cl:{number}") for number in range(4000))
    assert sides["train"] == pytest.approx(2000, abs=130)


def test_a_window_holds_the_sentence_that_matters_and_ignores_negation() -> None:
    premise = " ".join(f"Sentence {n} tells of nothing much at all today." for n in range(60))
    premise += " The quarantine statute was void. " + " ".join(f"Line {n} is other talk again." for n in range(60))
    found = best_window(premise, "the quarantine statute was void", words=40)
    assert "quarantine statute was void" in found
    assert len(found.split()) <= 40
    assert found == best_window(premise, "the quarantine statute was not void", words=40)
    assert best_window("short", "anything") == "short"
    assert best_window("word " * 300, "word", words=50) == "word " * 49 + "word"


# --- what is trained on ----------------------------------------------------------------------------------------------


def test_test_files_are_never_opened(data: Path) -> None:
    (data / "SICK_test_annotated.txt").write_bytes(b"\xff not readable at all")
    sources = find_sources([data])
    assert {source.name for source in sources} & TEST_ONLY == {"sick/SICK_test_annotated"}
    pairs = gather(sources, [], negate, seed=0)
    assert {pair.part for pair in pairs} == {"train", "dev"}
    with pytest.raises(InputError):
        held_out_pairs(sources, [])


def test_pairs_whose_id_another_has_are_counted(data: Path) -> None:
    (data / "again").mkdir()
    shutil.copy(data / "SICK_trial.txt", data / "again")
    said: list[str] = []
    once = gather(find_sources([data / "SICK_trial.txt"]), [], negate, seed=0)
    twice = gather(find_sources([data / "SICK_trial.txt", data / "again"]), [], negate, 0, said.append)
    assert len(twice) == len(once)
    assert said[0].startswith(f"{len(ROWS)} pairs left out whose id another has")


def test_twins_share_premise_and_part_and_flip_the_label(data: Path) -> None:
    pairs = {pair.pair_id: pair for pair in gather(find_sources([data]), [], negate, seed=0)}
    made = [pair for pair in pairs.values() if pair.twin_id]
    assert made
    for pair in made:
        first = pairs[pair.twin_id]
        assert (first.premise, first.part, first.gold) == (pair.premise, pair.part, ["entailment"])
        assert pair.gold == ["contradiction"]
        assert pair.hypothesis != first.hypothesis
        assert pair.negated
    elsewhere = [pair for pair in pairs.values() if pair.negated and not pair.twin_id]
    assert elsewhere, "negated hypotheses are not contradictions alone"
    assert {tuple(pair.gold) for pair in elsewhere} == {("neutral",)}


def test_no_premise_is_trained_on_and_tested(data: Path) -> None:
    sources = find_sources([data])
    trained = {pair.premise for pair in gather(sources, [], negate, seed=0) if pair.source.startswith("mnli")}
    tested = {pair.premise for pair in held_out_pairs(sources, []) if pair.source == "mnli"}
    assert trained
    assert tested
    assert not trained & tested


def test_a_sample_keeps_twins_together() -> None:
    pairs = [
        Pair(f"mnli:{n}{tail}", "p", "h", ["entailment"], "mnli", "train") for n in range(400) for tail in ("", ":twin")
    ]
    kept = [pair.pair_id for pair in epoch(pairs, 0.5, seed=0)]
    assert 300 < len(kept) < 500
    assert {key.removesuffix(":twin") for key in kept if key.endswith(":twin")} == {k for k in kept if k[-1] != "n"}
    assert counts(pairs) == {"train": {"mnli": {"entailment": 800}}}


# --- loss and temperature --------------------------------------------------------------------------------------------


def test_the_marginal_loss_by_hand() -> None:
    import torch
    from torch.nn.functional import cross_entropy

    from lawng.models.training.trainer import marginal_loss

    logits = torch.tensor([[2.0, 1.0, 0.0], [0.5, -1.0, 3.0]])
    open_two = marginal_loss(logits[:1], torch.tensor([[0.0, 1.0, 1.0]]))
    by_hand = -math.log((math.e + 1) / (math.e**2 + math.e + 1))
    assert float(open_two) == close_to(by_hand)
    one = marginal_loss(logits, torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    assert float(one) == close_to(float(cross_entropy(logits, torch.tensor([0, 1]))))
    both = marginal_loss(logits, torch.tensor([[0.0, 1.0, 1.0], [0.0, 1.0, 0.0]]))
    alone = marginal_loss(logits[1:], torch.tensor([[0.0, 1.0, 0.0]]))
    assert float(both) == close_to((by_hand + float(alone)) / 2)


def test_the_loss_of_calibration_is_that_of_training() -> None:
    import torch

    from lawng.models.training.trainer import marginal_loss

    scores = np.random.default_rng(0).normal(size=(20, 3)) * 3
    right = np.array([[1, 0, 0], [0, 1, 1]] * 10, dtype=float)
    assert loss_at(scores, right, 1.0) == close_to(float(marginal_loss(torch.tensor(scores), torch.tensor(right))))


def test_a_temperature_makes_up_for_too_much_sureness() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(3000, 3)) * 1.5
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    right = np.eye(3)[[rng.choice(3, p=row) for row in shares]]
    found = fit_temperature(scores * 4, right)
    assert found == pytest.approx(4, rel=0.1)
    logs = [np.log(np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)) for s in (scores * 4, scores * 4 / found)]
    assert calibration_error(logs[1], right) < 0.03 < calibration_error(logs[0], right)
    assert fit_temperature(scores[:0], right[:0]) == 1.0


def test_the_calibration_error_is_that_of_scikit_learns_curve() -> None:
    from sklearn.calibration import calibration_curve

    rng = np.random.default_rng(3)
    logs = np.log(rng.dirichlet([1, 1, 1], size=400))
    right = np.eye(3)[rng.integers(0, 3, size=400)]
    sure, hit = np.exp(logs.max(axis=1)), right[np.arange(400), logs.argmax(axis=1)]
    true, said = calibration_curve(hit, sure, n_bins=10)
    sizes = np.histogram(sure, np.linspace(0, 1, 11))[0]
    assert calibration_error(logs, right) == close_to(np.average(abs(true - said), weights=sizes[sizes > 0]))
    assert (sizes > 0).sum() > 4


def test_each_option_reaches_the_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from lawng.cli import app

    asked: list[tuple[object, ...]] = []

    def train(*given: object, **options: object) -> Path:
        asked.append((*given, options.pop("parser"), options.pop("small"), options.pop("statements")))
        del options["report"]
        asked.append((options,))
        return tmp_path

    monkeypatch.setattr("lawng.cli.train.train_stance", train)
    given = "-o out --data d --build b --corpus c --excerpts e --spacy-model p --small --statements 7"
    how = "--base x --batch 24 --max-length 99 --epochs 5 --sample 0.5 --lr 0.25 --seed 3 --warmup 11 --train-words "
    how += "--freeze-layers 1 --keep-layers 4 --distil 0.4 --dropout 0.1 --view long --patience 2 --micro 3 "
    how += "--processes 2 --precision bf16 --checkpointing"
    result = CliRunner().invoke(app, ["train", "nli", *given.split(), *how.split()])
    assert result.exit_code == 0, result.output
    paths = ([Path(name)] for name in "dbce")
    assert asked[0] == (Path("out"), *paths, "p", True, 7)
    [options] = asked[1]
    assert options == {
        "base": "x", "batch": 24, "max_length": 99, "epochs": 5, "sample": 0.5, "lr": 0.25, "seed": 3, "warmup": 11,
        "freeze_words": False, "freeze_layers": 1, "keep_layers": 4, "distil": 0.4, "dropout": 0.1, "view": "long",
        "patience": 2, "micro": 3, "processes": 2, "precision": "bf16", "checkpointing": True,
    }  # fmt: skip
    assert "lawng evaluate nli" in result.output
    assert " --data BUILD/data; lawng search INDEX" in result.output, "other data have no long premises"
    blind = CliRunner().invoke(app, ["train", "nli", "-o", "out", "--view", "hypothesis"])
    assert blind.exit_code == 0
    assert "lawng evaluate nli" in blind.output
    assert "lawng search" not in blind.output, "it takes no model that saw one text alone"
    assert "--data" not in blind.output


# --- the run ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("base") / "encoder")


def options(base: Path, **other: object) -> StanceOptions:
    settings: dict[str, object] = {
        "base": str(base),
        "batch": 4,
        "max_length": 48,
        "save_steps": 5,
        "log_steps": 1,
        "lr": 0.01,
    }
    return StanceOptions(**{**settings, **other})  # type: ignore[arg-type]


@pytest.mark.slow("trains a tiny model")
def test_a_trained_model_is_a_folder_that_judges(data: Path, base: Path, tmp_path: Path) -> None:
    said: list[str] = []
    (data / "mnli-dev.txt").unlink()
    folder = train_stance(
        tmp_path / "stance",
        Inputs((data,)),
        negate,
        options(base, epochs=12, lr=0.005, freeze_words=False),
        said.append,
    )
    note = json.loads((folder / "lawng.json").read_text())
    assert note["labels"] == [str(label) for label in LABELS]
    assert note["pairs"]["train"]["sick"] == {"contradiction": 6, "entailment": 12, "neutral": 6}
    assert "sick/SICK_test_annotated" not in note["files"]
    assert len(note["files"]) == 2
    assert (folder / "README.md").read_text().startswith("# Stance model")
    assert not (folder / "work").exists()
    assert (folder / ONNX).is_file() == (note["int8"] is not None)
    judged = pair_model(str(folder), "torch").judge([row[0] for row in ROWS], [row[1] for row in ROWS])
    assert [place == 0 for place in judged.log_probs.argmax(axis=1)] == [row[2] == "ENTAILMENT" for row in ROWS]
    assert any("step " in line for line in said)


@pytest.mark.slow("trains a tiny model")
def test_a_model_of_hypotheses_alone_is_asked_by_them_alone(data: Path, base: Path, tmp_path: Path) -> None:
    inputs, how = Inputs((data,), view="hypothesis"), options(base, epochs=2, lr=0.005)
    folder = train_stance(tmp_path / "stance", inputs, negate, how, lambda _: None)
    assert json.loads((folder / "lawng.json").read_text())["view"] == "hypothesis"
    assert "It is shown the view `hypothesis`" in (folder / "README.md").read_text()
    with pytest.raises(ConfigError, match=r"stance: was trained on the view hypothesis, one text of two; take another"):
        pair_model(str(folder), "torch")
    given = (str(folder), Inputs((data / "SICK_test_annotated.txt",)), negate)
    assert "shown the view hypothesis" in evaluate(*given, tmp_path / "own", backend="torch")
    assert "shown the view" not in evaluate(*given, tmp_path / "both", backend="torch", view="short")
    asked = {"own": ["", ""], "both": [row[0] for row in ROWS[:2]]}
    for name, premises in asked.items():
        rows = ParquetStore(NliPrediction).read(tmp_path / name / "predictions.parquet")
        found = [[row.entailment, row.neutral, row.contradiction] for row in rows]
        judged = pair_model(str(folder), "torch", blind=True).judge(premises, [row[1] for row in ROWS[:2]])
        assert found == close_to(judged.log_probs), name
        assert len({row.premise for row in rows}) == 2, "errors over one premise come together, shown or not"


@pytest.mark.slow("trains a tiny model")
def test_a_trained_one_teaches_fewer_weights_and_the_card_says_so(data: Path, base: Path, tmp_path: Path) -> None:
    teacher = tiny_model(tmp_path / "nli", [str(label) for label in LABELS])
    how = options(teacher, epochs=1, distil=0.3)
    folder = train_stance(tmp_path / "stance", Inputs((data,)), negate, how, lambda _: None, small=True)
    small = json.loads((folder / "onnx" / "lawng.json").read_text("utf-8"))
    assert small["int8"]["same_label"] > 0.5
    for place in (folder, folder / "onnx"):
        assert (
            "Its layers have 0.3 of the weights of its base's, which taught them." in (place / "README.md").read_text()
        )
    with pytest.raises(ConfigError, match=r"distil: .* is no trained stance model"):
        train_stance(tmp_path / "other", Inputs((data,)), negate, options(base, distil=0.3), lambda _: None)
    assert not (tmp_path / "other").exists()


@pytest.mark.slow("trains a tiny model")
def test_a_small_one_stands_beside_it_and_judges_alike(data: Path, base: Path, tmp_path: Path) -> None:
    said: list[str] = []
    how = options(base, epochs=12, lr=0.005, freeze_words=False)
    folder = train_stance(tmp_path / "stance", Inputs((data,)), negate, how, said.append, small=True)
    small, whole = (json.loads((place / "lawng.json").read_text()) for place in (folder / "onnx", folder))
    own = {"int8", "sha256", "temperature", "least", "risks", "dev"}
    assert {key: small[key] for key in small if key not in own} == {key: whole[key] for key in whole if key not in own}
    assert small["sha256"].keys() == {PACKED, "config.json", "tokenizer.json"}
    assert 0 < small["int8"]["mean_dp"] < 0.1
    assert f"difference of a probability {small['int8']['mean_dp']}" in (folder / "onnx" / "README.md").read_text()
    assert said[-1].endswith("bytes in onnx")
    premises, hypotheses, _ = zip(*ROWS, strict=True)
    one, other = (pair_model(str(place)).judge(premises, hypotheses).log_probs for place in (folder, folder / "onnx"))
    sure = np.exp(one).max(axis=1) > 0.8
    assert sure.sum() > len(ROWS) / 2
    assert other[sure].argmax(axis=1).tolist() == one[sure].argmax(axis=1).tolist()


@pytest.mark.slow("trains a tiny model four times")
def test_the_card_tells_what_a_base_was_taught_and_what_that_one_s_base(base: Path, tmp_path: Path) -> None:
    for name in ("mnli", "fever-nli"):
        (tmp_path / name).mkdir()
        lines = [f"entailment\tthe court held it {n}\tthe statute is void" for n in range(40)]
        (tmp_path / name / f"{name}-dev.txt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "sick").mkdir()
    sick(tmp_path / "sick", "SICK_train.txt", ROWS)
    folder = base
    for stage, name in enumerate(("sick", "mnli", "mnli", "fever-nli")):
        inputs, place = Inputs((tmp_path / name,)), tmp_path / f"stage-{stage}"
        folder = train_stance(place, inputs, negate, options(folder, epochs=1), lambda _: None)
    card = (folder / "README.md").read_text("utf-8")
    assert "| fever | entailment |" in card
    assert "| mnli (its base) | entailment |" in card
    assert "| sick (its base) | entailment |" in card
    once, then = (json.loads((tmp_path / f"stage-{n}" / "lawng.json").read_text("utf-8")) for n in (1, 3))
    assert then["before"]["mnli"]["entailment"] == 2 * once["pairs"]["train"]["mnli"]["entailment"], "of both stages"
    licences = card.partition("## Licences of the data")[2]
    assert all(name in licences for name in ("SICK: CC BY-NC-SA", "MultiNLI", "FEVER"))


@pytest.mark.slow("trains a tiny model")
def test_what_a_run_killed_at_its_end_left_does_not_spoil_the_next(data: Path, base: Path, tmp_path: Path) -> None:
    left = tmp_path / ".stance.partial"
    (left / "onnx").mkdir(parents=True)
    (left / PACKED).write_bytes(b"of other weights")
    (left / "lawng.json").write_text(json.dumps({"sha256": {ONNX: "of another file"}}), "utf-8")
    folder = train_stance(tmp_path / "stance", Inputs((data,)), negate, options(base, epochs=1), lambda _: None)
    assert json.loads((folder / "lawng.json").read_text("utf-8"))["int8"]
    assert not (folder / "onnx").exists()
    assert not (folder / PACKED).exists(), "a graph of other weights"


def test_other_twins_or_views_are_other_data(data: Path, base: Path, tmp_path: Path) -> None:
    calls: list[int] = []

    def counted(texts: Sequence[str]) -> list[Flip | None]:
        calls.append(len(texts))
        return negate(texts)

    def kill(line: str) -> None:
        if "pairs an epoch" in line:
            raise Killed

    asked = []
    first = Inputs((data,))
    other = replace(first, negator="another 1.0")
    for inputs in (first, first, other, replace(other, view="only-short")):
        with pytest.raises(Killed):
            train_stance(tmp_path / "s", inputs, counted, options(base), kill)
        asked.append(len(calls))
    assert 0 < asked[0] == asked[1] < asked[2] < asked[3]


class Killed(BaseException):
    """What no handler catches."""


@pytest.mark.slow("trains a tiny model three times")
def test_a_killed_run_goes_on_and_ends_the_same(data: Path, base: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    def until(line: str) -> None:
        if line.startswith("step 8 "):
            raise Killed

    place = tmp_path / "killed"
    with pytest.raises(Killed):
        train_stance(place, Inputs((data,)), negate, options(base, epochs=1), until)
    assert not place.exists(), "nothing half-made where a model should be"
    broken = tmp_path / ".killed.partial" / "work" / "trainer" / "checkpoint-7"
    broken.mkdir()  # as if it had been killed while writing
    said: list[str] = []
    train_stance(place, Inputs((data,)), negate, options(base, epochs=1), said.append)
    assert "going on from checkpoint-5" in said
    whole = train_stance(tmp_path / "whole", Inputs((data,)), negate, options(base, epochs=1), said.append)
    first, second = (load_file(folder / "model.safetensors") for folder in (place, whole))
    assert all(np.allclose(first[name], second[name], rtol=1e-4, atol=1e-5) for name in second)


def test_what_stands_at_the_place_is_not_lost(data: Path, base: Path, tmp_path: Path) -> None:
    place = tmp_path / "thesis"
    place.mkdir()
    (place / "chapter1.txt").write_text("years of work")
    with pytest.raises(InputError, match="no stance model"):
        train_stance(place, Inputs((data,)), negate, options(base), print)
    for file in data.iterdir():
        if "test" not in file.name:
            file.unlink()
    row = {"sentence1": "a", "sentence2": "b", "pairID": "1", "gold_label": "-"}
    (data / "multinli_1.0_train.jsonl").write_text(json.dumps(row))
    told: list[str] = []
    with pytest.raises(InputError, match="nothing to train on"):
        train_stance(tmp_path / "new", Inputs((data,)), negate, options(base), told.append)
    assert told == ["multinli_1.0_train: 1 row without a gold label left out"]


@pytest.mark.parametrize("wrong", [{"epochs": 0}, {"lr": 0.0}, {"sample": 1.5}, {"max_length": 8}])
def test_wrong_options_are_named(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        StanceOptions(**wrong)  # type: ignore[arg-type]
