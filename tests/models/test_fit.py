"""Training of cross-encoders: order of labels, batches in parts, several processes, early stopping, a kill."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import entropy

from floats_support import close_to
from lawng.datasets.nli import Pair
from lawng.errors import ConfigError, InputError, LabelMapError, MissingError, StageError
from lawng.models.folder import load_folder
from lawng.models.low_rank import multiply, rank_of
from lawng.models.pairs import pair_model
from lawng.models.training.best import Best, dev_loss, stops
from lawng.models.training.fit import NAMES, fit, loss_of
from lawng.models.training.options import StanceOptions
from lawng.models.training.teacher import TaughtLoss, check_teacher, lessen, load_teacher
from lawng.models.training.trainer import Base, PairLoss, _whole, load_base, marginal_loss, on_one_gpu
from lawng.schema.labels import LABELS, TWO_LABELS, label_columns
from lawng.studies.harness import unsaid
from models_support import calm_encoder, tiny_encoder, tiny_model, tiny_tokenizer

TEXTS = ("the court held that the statute is void", "the river runs", "the tax was valid", "no dog sleeps")


def pairs(n: int, part: str = "train") -> list[Pair]:
    return [
        Pair(f"{part}:{at}", f"{TEXTS[at % 4]} .", TEXTS[(at * 3 + at // 4) % 4], [str(LABELS[at % 3])], "made", part)
        for at in range(n)
    ]


def options(**more: object) -> StanceOptions:
    given: dict[str, object] = {"batch": 8, "lr": 1e-2, "epochs": 2, "max_length": 32, "freeze_words": False}
    return StanceOptions(**{**given, "save_steps": 2, "log_steps": 1, **more})  # type: ignore[arg-type]


def told(base: Base) -> list[np.ndarray]:
    return [weight.detach().numpy().copy() for weight in base.inner.parameters()]


def same(one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> bool:
    return all(np.allclose(a, b, atol=1e-3) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("given", "labels"),
    [
        (["contradiction", "NEUTRAL", "entailment"], NAMES),
        (["neutral", "contradiction", "Entailment"], NAMES),
        (["not_entailment", "entailment"], TWO_LABELS),
    ],
)
def test_a_base_begins_with_what_it_knows_whatever_the_order_of_its_labels(
    tmp_path: Path, given: list[str], labels: tuple[str, ...]
) -> None:
    model = tiny_model(tmp_path / "nli", given)
    base = load_base(str(model), labels, options(), 0, cut="only_first")
    base.save(tmp_path / "begun")
    rows = [(pair.premise, pair.hypothesis) for pair in pairs(8)]
    before, after = (
        torch.softmax(torch.tensor(logits_of(place, rows)), dim=1).numpy() for place in (model, tmp_path / "begun")
    )
    assert after == close_to(before[:, list(label_columns(dict(enumerate(given))))])
    assert list(base.inner.config.id2label.values()) == [*labels]


@pytest.mark.parametrize("labels", [NAMES, TWO_LABELS])
def test_a_head_of_as_many_unknown_labels_is_refused_not_guessed(tmp_path: Path, labels: tuple[str, ...]) -> None:
    unknown = [f"LABEL_{at}" for at in range(len(labels))]
    model = tiny_model(tmp_path / "unknown", unknown)
    with pytest.raises(LabelMapError, match=r"base model unknown: .*into config\.json, or take a base without"):
        load_base(str(model), labels, options(), 0, cut="only_first")
    other = tiny_model(tmp_path / "other", [*unknown, "one more"])
    assert load_base(str(other), labels, options(), 0, cut="only_first").inner.config.num_labels == len(labels)
    note = json.loads((model / "config.json").read_text("utf-8"))
    (model / "config.json").write_text(json.dumps(note | {"architectures": None}), encoding="utf-8")
    if len(labels) == 3:  # any encoder has two
        with pytest.raises(LabelMapError, match="base model unknown"):
            load_base(str(model), labels, options(), 0, cut="only_first")
    encoder = str(tiny_encoder(tmp_path / "encoder"))
    assert load_base(encoder, labels, options(), 0, cut="only_first").inner.config.num_labels == len(labels)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_base_that_was_cut_is_one_line(tmp_path: Path, name: str) -> None:
    base = tiny_model(tmp_path / "cut", [*NAMES])
    (base / name).write_bytes((base / name).read_bytes()[:-40])
    with pytest.raises(MissingError, match=r"base model cut: cannot be read .*; download or train it again") as told:
        load_base(str(base), NAMES, options(), 0, cut="only_first")
    assert "\n" not in str(told.value)


def test_want_of_memory_is_no_fault_of_a_checkpoint() -> None:
    with pytest.raises(torch.OutOfMemoryError), _whole("checkpoint-4"):
        raise torch.OutOfMemoryError("all of it is taken")


def test_a_short_run_that_is_killed_loses_little(tmp_path: Path) -> None:
    base, lines = str(tiny_encoder(tmp_path / "base")), list[str]()

    def kill(line: str) -> None:
        if line.startswith("step 12"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path / "work", base, pairs(64), options(save_steps=200), kill)
    fit(tmp_path / "work", base, pairs(64), options(save_steps=200), lines.append)
    assert "going on from checkpoint-10" in lines


@pytest.mark.parametrize("name", ["model.safetensors", "optimizer.pt", "scheduler.pt", "rng_state.pth"])
def test_a_checkpoint_that_was_cut_is_one_line_and_without_it_training_goes_on(tmp_path: Path, name: str) -> None:
    base, work, lines = str(tiny_encoder(tmp_path / "base")), tmp_path / "work", list[str]()

    def kill(line: str) -> None:
        if line.startswith("step 5"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(work, base, pairs(24), options(), kill)
    last = work / "checkpoint-4" / name
    last.write_bytes(last.read_bytes()[:-40])
    with pytest.raises(MissingError, match=r"checkpoint-4: cannot be read .*; delete it, and training goes on"):
        fit(work, base, pairs(24), options(), unsaid)
    last.unlink()
    for file in last.parent.iterdir():
        file.unlink()
    fit(work, base, pairs(24), options(), lines.append)
    assert "going on from checkpoint-2" in lines


def logits_of(place: Path, rows: Sequence[tuple[str, str]]) -> np.ndarray:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model, tokenizer = (kind.from_pretrained(place) for kind in (AutoModelForSequenceClassification, AutoTokenizer))
    with torch.inference_mode():
        coded = tokenizer([one for one, _ in rows], [other for _, other in rows], padding=True, return_tensors="pt")
        return np.asarray(model(**coded).logits)


@pytest.mark.slow("trains tiny models three times")
def test_parts_of_a_batch_add_up_to_the_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, forward, together = str(calm_encoder(tmp_path / "base")), PairLoss.forward, list[int]()

    def counted(self: PairLoss, columns: Any, *rest: Any, **more: Any) -> torch.Tensor:
        together.append(len(columns[0]))
        return forward(self, columns, *rest, **more)

    monkeypatch.setattr(PairLoss, "forward", counted)
    whole, parts, spared = (
        told(fit(tmp_path / name, base, pairs(24), options(**more), unsaid))
        for name, more in (("whole", {}), ("parts", {"micro": 4}), ("spared", {"checkpointing": True}))
    )
    assert together == [8] * 6 + [4] * 12 + [8] * 6
    assert same(whole, parts)
    assert same(whole, spared), "activations computed again"
    assert not same(whole, told(load_base(base, NAMES, options(), 0, cut="only_first"))), "it has learned"


@pytest.mark.slow("starts two processes")
def test_two_processes_end_with_the_weights_of_one(tmp_path: Path) -> None:
    base, said = str(calm_encoder(tmp_path / "base")), list[str]()
    one = told(fit(tmp_path / "one", base, pairs(32), options(), unsaid))
    two = fit(tmp_path / "two", base, pairs(32), options(processes=2), said.append)
    assert same(one, told(two))
    assert any(line.startswith("step 8 of 8") for line in said), "eight updates, as one process makes"


@pytest.mark.slow("starts two processes")
def test_two_processes_read_every_pair_and_judge_every_epoch(tmp_path: Path) -> None:
    base, said = str(tiny_encoder(tmp_path / "base")), list[str]()
    how = options(epochs=3, patience=3, processes=2)
    fit(tmp_path / "two", base, pairs(21), how, said.append, pairs(4, "dev"))
    assert [int(line.split()[1]) for line in said if line.startswith("after ")] == [3, 6, 8], "as one process"
    assert sorted(json.loads((tmp_path / "two" / "epochs.json").read_text())) == ["3", "6", "8"]


def test_a_process_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho going on\necho 'RuntimeError: out of memory' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))
    said: list[str] = []
    with pytest.raises(StageError, match=r"2 processes: one failed \(RuntimeError: out of memory\); all is in .*log"):
        fit(tmp_path / "two", "base", pairs(16), options(processes=2), said.append)
    assert said[-1] == "going on"
    assert not (tmp_path / "two" / "trained").exists()


def test_the_best_epoch_is_kept_and_worse_ones_end_the_training(tmp_path: Path) -> None:
    base, said = str(calm_encoder(tmp_path / "base")), list[str]()
    turned = [replace(pair, gold=[str(LABELS[(at + 1) % 3])], part="dev") for at, pair in enumerate(pairs(12))]
    how = options(epochs=30, lr=0.02, patience=2)
    found = fit(tmp_path / "work", base, pairs(24), how, said.append, turned)
    losses = [float(line.split("loss ")[1].split()[0]) for line in said if line.startswith("after ")]
    assert len(losses) < 30, "dev pairs that say the opposite get worse"
    assert min(losses) == losses[-3], "two epochs after the best one"
    dev = [(pair.premise, pair.hypothesis, [float(label in pair.gold) for label in NAMES]) for pair in turned]
    assert dev_loss(found, dev, 5) == pytest.approx(min(losses), abs=1e-3), "its weights are those of the best epoch"


def test_a_killed_training_judges_again_and_ends_alike(tmp_path: Path) -> None:
    base, dev = str(calm_encoder(tmp_path / "base")), pairs(9, "dev")
    how = options(epochs=4, patience=4)
    whole = fit(tmp_path / "whole", base, pairs(24), how, unsaid, dev)

    def kill(line: str) -> None:
        if line.startswith("after 9 "):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path / "killed", base, pairs(24), how, kill, dev)
    said: list[str] = []
    again = fit(tmp_path / "killed", base, pairs(24), how, said.append, dev)
    assert "going on from checkpoint-8" in said
    assert all(np.array_equal(a, b) for a, b in zip(told(whole), told(again), strict=True))


@pytest.mark.parametrize(
    ("process", "before", "loss", "patience", "stops", "after"),
    [
        (0, {"3": 1.0, "6": 0.5, "9": 0.9, "12": 0.95}, 0.5, 2, False, {"3": 1.0, "6": 0.5}),
        (1, {"3": 1.0, "6": 1.2}, 1.1, 1, True, {"3": 1.0, "6": 1.2}),
    ],
    ids=["what a killed run had beyond its checkpoint does not decide", "the first process writes, and all read it"],
)
def test_an_epoch_is_judged_beside_those_before_it(
    process: int,
    before: dict[str, float],
    loss: float,
    patience: int,
    stops: bool,
    after: dict[str, float],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base = load_base(str(tiny_encoder(tmp_path / "base")), NAMES, options(), 0, cut="only_first")
    (tmp_path / "epochs.json").write_text(json.dumps(before))
    monkeypatch.setattr("lawng.models.training.best.dev_loss", lambda *_: loss)
    best = Best(base, [("a", "b", [1.0, 0.0, 0.0])], frozenset({3, 6, 9, 12}), patience, tmp_path, unsaid)
    args = SimpleNamespace(process_index=process, per_device_train_batch_size=8)
    control = SimpleNamespace(should_training_stop=False)
    best.on_step_end(args, SimpleNamespace(global_step=6, is_world_process_zero=process == 0), control)
    assert control.should_training_stop is stops
    assert (tmp_path / "best.pt").is_file() is (process == 0), "0.5 is better than 1.0, 1.1 is not"
    assert json.loads((tmp_path / "epochs.json").read_text()) == after


def test_a_training_that_worse_epochs_ended_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, losses = str(calm_encoder(tmp_path / "base")), iter([1.0, 2.0])
    monkeypatch.setattr("lawng.models.training.best.dev_loss", lambda *_: next(losses))
    how, dev = options(epochs=4, patience=1, save_steps=1), pairs(4, "dev")
    ended = fit(tmp_path / "work", base, pairs(24), how, unsaid, dev)
    said: list[str] = []
    again = fit(tmp_path / "work", base, pairs(24), how, said.append, dev)  # as if killed before its weights were saved
    assert not [line for line in said if line.startswith(("going on", "step"))]
    assert all(np.array_equal(a, b) for a, b in zip(told(ended), told(again), strict=True))


def test_a_training_that_diverged_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = str(tiny_encoder(tmp_path / "base"))
    monkeypatch.setattr("lawng.models.training.best.dev_loss", lambda *_: float("nan"))
    with pytest.raises(StageError, match="after 2 updates the loss is nan: it diverged; take a smaller lr"):
        fit(tmp_path / "work", base, pairs(16), options(epochs=1, patience=1), unsaid, pairs(4, "dev"))


def test_of_several_gpus_a_process_takes_one() -> None:
    from sentence_transformers.cross_encoder import CrossEncoderTrainingArguments

    args = CrossEncoderTrainingArguments("x", per_device_train_batch_size=8, use_cpu=True)
    args._n_gpu = 4
    assert (args.train_batch_size, on_one_gpu(args).train_batch_size, args.n_gpu) == (32, 8, 1)
    args._n_gpu = 0
    assert on_one_gpu(args).n_gpu == 0, "and where there is none, none"


def test_an_epoch_ends_in_the_update_that_has_its_last_pair(tmp_path: Path) -> None:
    base, said = str(tiny_encoder(tmp_path / "base")), list[str]()
    fit(tmp_path / "work", base, pairs(21), options(epochs=3, patience=3), said.append, pairs(4, "dev"))
    judged = [int(line.split()[1]) for line in said if line.startswith("after ")]
    assert judged == [3, 6, 8], "of 21 pairs, eight in an update: the 21st, the 42nd, the 63rd"
    said.clear()
    long = replace(pairs(1, "dev")[0], hypothesis="the dog runs " * 60)
    fit(tmp_path / "long", base, pairs(8), options(epochs=1, patience=1), said.append, [*pairs(4, "dev"), long])
    assert any(line.startswith("1 of 5 pairs left out") for line in said), "a hypothesis is never cut"
    assert any(line.startswith("after ") for line in said)
    fit(tmp_path / "other", base, pairs(8), options(epochs=1, patience=1), said.append)
    assert any("no dev pairs" in line for line in said)


@pytest.mark.parametrize(
    ("losses", "patience", "ends"),
    [([1.0], 1, False), ([1.0, 1.0], 1, True), ([2.0, 1.0, 1.5, 1.2], 3, False), ([2.0, 1.0, 1.5, 1.2, 3.0], 3, True)],
    ids=["the first", "no gain is no gain", "two after it", "three after it"],
)
def test_patience(losses: list[float], patience: int, ends: bool) -> None:
    assert stops(losses, patience) is ends


@pytest.mark.slow("trains a tiny model")
def test_a_head_of_two_tells_entailed_from_not(tmp_path: Path) -> None:
    base = str(calm_encoder(tmp_path / "base"))
    fit(tmp_path / "work", base, pairs(12), options(epochs=40), unsaid, labels=TWO_LABELS).save(tmp_path / "two")
    assert load_folder(str(tmp_path / "two"), "model", (2, 3)).columns == (0, 1)
    with pytest.raises(LabelMapError, match="has 2 labels where 3 are needed"):
        pair_model(str(tmp_path / "two"))
    rows = [(pair.premise, pair.hypothesis) for pair in pairs(12)]
    entailed = logits_of(tmp_path / "two", rows).argmax(axis=1) == 0
    assert entailed.tolist() == [pair.gold == ["entailment"] for pair in pairs(12)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"micro": 3}, "batch: 8 is not made of 1 times 3"),
        ({"processes": 3, "micro": 1}, "batch: 8 is not made of 3 times 1"),
        ({"processes": 0}, "processes: 0"),
        ({"patience": -1}, "patience: -1"),
        ({"warmup": -2}, "warmup: -2"),
        ({"precision": "fp8"}, "precision 'fp8'"),
    ],
)
def test_options_that_cannot_be_are_told(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        options(**wrong)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_fp16_needs_a_gpu(tmp_path: Path) -> None:
    base = str(tiny_encoder(tmp_path / "base"))
    with pytest.raises(ConfigError, match="fp16 needs a GPU"):
        fit(tmp_path / "work", base, pairs(8), options(precision="fp16"), unsaid)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_processor_trains_in_bf16_where_it_is_told_to(tmp_path: Path) -> None:
    base = str(tiny_encoder(tmp_path / "base"))
    whole, half, auto = (
        fit(tmp_path / name, base, pairs(8), options(precision=name), unsaid) for name in ("fp32", "bf16", "auto")
    )
    for name, weights in whole.inner.named_parameters():
        ours = half.inner.get_parameter(name)
        assert ours.dtype == torch.float32, "kept whole; the arithmetic is half"
        torch.testing.assert_close(auto.inner.get_parameter(name), weights)
    gaps = [(half.inner.get_parameter(name) - one).abs().max().item() for name, one in whole.inner.named_parameters()]
    assert 0 < max(gaps) < 0.05


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize(
    ("precision", "times", "said"), [("bf16", 1.8, True), ("bf16", 0.4, False), ("fp32", 1.8, False)]
)
def test_that_bf16_is_slower_here_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precision: str, times: float, said: bool
) -> None:
    monkeypatch.setattr("lawng.models.training.trainer.bf16_over_fp32", lambda: times)
    told: list[str] = []
    fit(tmp_path / "run", str(tiny_encoder(tmp_path / "base")), pairs(8), options(precision=precision), told.append)
    expected = "bf16 takes 1.8 times as long as fp32 on this processor: --precision fp32 is done sooner"
    assert [line for line in told if line.startswith("bf16 takes")] == [expected] * said


def test_what_a_model_says_does_not_hang_on_what_it_was_asked_before(tmp_path: Path) -> None:
    from transformers import BigBirdConfig, BigBirdForSequenceClassification

    torch.manual_seed(0)
    tokenizer = tiny_tokenizer(limit=1024)
    labels: dict[str, Any] = {"num_labels": 3, "id2label": dict(enumerate(NAMES))}
    config = BigBirdConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=1024, initializer_range=0.4,
        block_size=16, attention_type="block_sparse", pad_token_id=0, **labels,
    )  # fmt: skip
    BigBirdForSequenceClassification(config).save_pretrained(tmp_path / "bird")
    tokenizer.save_pretrained(tmp_path / "bird")
    model = pair_model(str(tmp_path / "bird"), "torch")
    long = " ".join(TEXTS * 30)
    first = model.judge([long], ["the river runs"]).log_probs
    model.judge(["the river runs"], ["no dog sleeps"])
    assert model.judge([long], ["the river runs"]).log_probs == close_to(first), "sparse attention turns to full"


@pytest.mark.slow("trains a tiny model")
@pytest.mark.parametrize(
    ("kind", "own"),
    [
        ("Albert", {"embedding_size": 16, "max_position_embeddings": 64}),
        ("Bart", {"max_position_embeddings": 64, "eos_token_id": 3, "bos_token_id": 2, "forced_eos_token_id": 3}),
        ("BigBird", {"max_position_embeddings": 64}),
        ("Longformer", {"max_position_embeddings": 65, "attention_window": 8, "sep_token_id": 3}),
        ("Roberta", {"max_position_embeddings": 65}),
    ],
    ids=["albert", "bart", "bigbird", "longformer", "roberta"],
)
def test_each_architecture_of_the_panel_is_trained_and_asked(kind: str, own: dict[str, Any], tmp_path: Path) -> None:
    import transformers

    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    if kind == "Bart":
        size = {"d_model": 32} | {
            f"{part}_{name}": n
            for part in ("encoder", "decoder")
            for name, n in (("layers", 2), ("attention_heads", 2), ("ffn_dim", 64))
        }
    tokenizer = tiny_tokenizer()
    if kind in {"Bart", "Longformer", "Roberta"}:  # theirs have no types of tokens
        tokenizer.model_input_names = ["input_ids", "attention_mask"]
    config = getattr(transformers, f"{kind}Config")(vocab_size=len(tokenizer), pad_token_id=0, **size, **own)
    place = tmp_path / "base"
    getattr(transformers, f"{kind}Model")(config).save_pretrained(place)
    tokenizer.save_pretrained(place)
    how = options(epochs=1, micro=4, checkpointing=True)
    base = load_base(str(place), NAMES, how, 0, cut="only_first")
    assert base.inner.is_activation_checkpointing is (kind != "Albert")
    begun = told(base)
    said: list[str] = []
    found = fit(tmp_path / "work", str(place), pairs(24), how, said.append)
    assert any(line.startswith("checkpointing: ") for line in said) is (kind == "Albert")
    assert not same(begun, told(found)), "it has learned"
    found.save(tmp_path / "trained")
    model = pair_model(str(tmp_path / "trained"), "torch")
    judged = model.judge([TEXTS[0] * 30, TEXTS[1]], [TEXTS[2], TEXTS[3]])
    assert np.exp(judged.log_probs).sum(axis=1) == close_to([1.0, 1.0])
    assert judged.read[0] < judged.read[1] == 1, "64 tokens are read, whatever it is"
    alone = model.judge([TEXTS[1]], [TEXTS[3]]).log_probs[0]
    assert judged.log_probs[1] == close_to(alone), "what stands beside it in a batch says nothing"


def batch(n: int) -> tuple[tuple[list[str], list[str]], torch.Tensor]:
    rows = pairs(n)
    right = torch.tensor([[float(label in row.gold) for label in NAMES] for row in rows])
    return ([row.premise for row in rows], [row.hypothesis for row in rows]), right


def test_a_student_like_its_teacher_has_the_loss_of_labels_alone(tmp_path: Path) -> None:
    place = str(tiny_model(tmp_path / "nli", NAMES))
    how = options(distil=0.5, dropout=0.0)
    base = load_base(place, NAMES, how, 0, cut="only_first")
    columns, right = batch(8)
    alone = PairLoss(base.model, marginal_loss)(columns, right)
    taught = TaughtLoss(base.model, marginal_loss, load_teacher(place, NAMES, how))
    assert taught(columns, right).item() == close_to(alone.item())
    with torch.no_grad():
        base.inner.classifier.weight.zero_()
    changed = PairLoss(base.model, marginal_loss)(columns, right).item()
    assert taught(columns, right).item() > changed + 0.01, "its answers are others now"
    assert {id(one) for one in taught.parameters()} == {id(one) for one in base.model.parameters()}, "no teacher's"


def lessened(place: Path, how: StanceOptions) -> Base:
    base = load_base(str(place), NAMES, how, 0, cut="only_first")
    lessen(base, [(row.premise, row.hypothesis) for row in pairs(24)], how.distil, 8)
    return base


def ranks_of(base: Base) -> list[int]:
    layer = base.inner.bert.encoder.layer[1]
    return [int(torch.linalg.matrix_rank(part.dense.weight, tol=1e-3)) for part in (layer.intermediate, layer.output)]


@pytest.mark.slow("trains a tiny model")
def test_a_student_learns_what_its_teacher_answers_where_labels_say_nothing(tmp_path: Path) -> None:
    place, how = tiny_model(tmp_path / "nli", NAMES), options(distil=0.2, dropout=0.0, epochs=8)
    rows = [replace(row, gold=[*NAMES]) for row in pairs(48)]  # labels that say nothing
    asked = [(row.premise, row.hypothesis) for row in pairs(16)]
    begun = lessened(place, how)
    multiply(begun.inner)
    begun.save(tmp_path / "begun")
    fit(tmp_path / "work", str(place), rows, how, unsaid).save(tmp_path / "student")
    teacher, before, after = (
        torch.softmax(torch.tensor(logits_of(tmp_path / name, asked)), dim=1) for name in ("nli", "begun", "student")
    )
    assert (after - teacher).abs().mean() < 0.5 * (before - teacher).abs().mean()
    saved = load_base(str(tmp_path / "student"), NAMES, options(), 0, cut="only_first")
    assert ranks_of(saved) == [rank_of(torch.nn.Linear(32, 64), 0.2)] * 2, "saved as products that any library loads"
    again = fit(tmp_path / "more", str(tmp_path / "student"), pairs(48), options(dropout=0.0), unsaid)
    assert ranks_of(again) == ranks_of(saved), "who trains it further gets a model as small"
    assert not same(told(saved), told(again)), "it has learned something"


@pytest.mark.slow("trains a tiny model three times")
def test_a_student_whose_training_was_killed_ends_alike(tmp_path: Path) -> None:
    place, how = str(tiny_model(tmp_path / "nli", NAMES)), options(distil=0.3, dropout=0.0)

    def kill(line: str) -> None:
        if line.startswith("step 5 "):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(tmp_path / "killed", place, pairs(24), how, kill)
    said: list[str] = []
    again = fit(tmp_path / "killed", place, pairs(24), how, said.append)
    assert "going on from checkpoint-4" in said
    whole = fit(tmp_path / "whole", place, pairs(24), how, unsaid)
    assert same(told(whole), told(again))
    assert not same(told(whole), told(lessened(Path(place), how))), "it has learned something"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"keep_layers": 1}, "distil: all layers are kept and trained"),
        ({"freeze_layers": 1}, "distil: all layers are kept and trained"),
        ({"processes": 2}, "distil: all layers .* by one process"),
        ({"distil": 1.0}, "distil: 1.0 is not 0 or more and below 1"),
    ],
)
def test_what_a_student_cannot_be_is_one_line(more: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        options(**{"distil": 0.5, **more})


def test_a_base_without_labels_has_nothing_to_teach(tmp_path: Path) -> None:
    check_teacher(str(tiny_model(tmp_path / "nli", NAMES)))
    with pytest.raises(ConfigError, match=r"distil: .*base is no trained stance model, which could teach"):
        check_teacher(str(tiny_encoder(tmp_path / "base")))


def test_a_base_whose_layers_are_one_teaches_no_smaller_one() -> None:
    from transformers import AlbertConfig, AlbertForSequenceClassification

    config = AlbertConfig(vocab_size=9, embedding_size=8, hidden_size=8, intermediate_size=8, num_hidden_layers=3)
    config.num_attention_heads = 2
    base = Base(None, AlbertForSequenceClassification(config), None)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="distil: the base has no layers of its own"):
        lessen(base, [("a", "b")], 0.5, 8)


@pytest.mark.parametrize(("precision", "wanted"), [("bf16", torch.bfloat16), ("fp32", torch.float32)])
def test_a_student_computes_in_what_it_is_told_to(tmp_path: Path, precision: str, wanted: torch.dtype) -> None:
    place = str(tiny_model(tmp_path / "nli", NAMES))
    how = options(distil=0.5, dropout=0.0, precision=precision)
    base, seen = lessened(Path(place), how), list[torch.dtype]()
    base.inner.classifier.register_forward_hook(lambda _, __, found: seen.append(found.dtype))
    loss_of(base, place, NAMES, how)(*batch(8)).backward()
    assert seen == [wanted], "the trainer's own precision does not reach a model that is asked past it"
    assert all(one.grad is None or one.grad.dtype == torch.float32 for one in base.inner.parameters())


def test_the_distance_from_a_teacher_is_that_of_answers_and_of_real_tokens(tmp_path: Path) -> None:
    place = str(tiny_model(tmp_path / "nli", NAMES))
    how = options(distil=0.5, dropout=0.0)
    student, whole = lessened(Path(place), how), load_base(place, NAMES, how, 0, cut="only_first")
    columns, right = batch(8)
    coded = student.tokenizer(*columns, padding=True, return_tensors="pt")
    real = coded["attention_mask"].bool()
    assert not real.all(), "some are shorter than others"
    with torch.inference_mode():
        ours, theirs = (one.inner.eval()(**coded, output_hidden_states=True) for one in (student, whole))
        found = TaughtLoss(student.model, lambda _, __: torch.tensor(0.0), load_teacher(place, NAMES, how))
        told = found(columns, right).item()
    said, taught = (torch.softmax(one.logits, dim=1).numpy() for one in (ours, theirs))
    answers = np.mean([entropy(q, p) for p, q in zip(said, taught, strict=True)])
    layers = [[one.hidden_states[at][real].numpy() for one in (theirs, ours)] for at in (1, 2)]
    apart = np.mean([((own - ends) ** 2).mean() / ends.var(axis=0).mean() for ends, own in layers])
    assert told == close_to(float(answers + apart))


def test_a_hypothesis_that_fills_what_is_read_is_left_out_and_counted(tmp_path: Path) -> None:
    base, said = str(tiny_encoder(tmp_path / "base")), list[str]()
    filled = replace(pairs(1)[0], pair_id="long", hypothesis="dog " * 40)
    with_it = told(fit(tmp_path / "one", base, [*pairs(16), filled], options(), said.append))
    assert "1 of 17 pairs left out: the hypothesis fills the 32 tokens read" in said
    assert same(with_it, told(fit(tmp_path / "two", base, pairs(16), options(), unsaid)))


def test_where_no_hypothesis_leaves_room_there_is_nothing_to_train_on(tmp_path: Path) -> None:
    long = [replace(pair, hypothesis="the dog runs " * 60) for pair in pairs(8)]
    with pytest.raises(InputError, match="nothing to train on: each hypothesis fills the 32 tokens read"):
        fit(tmp_path / "work", str(tiny_encoder(tmp_path / "base")), long, options(), unsaid)


def test_more_tokens_than_the_base_reads_are_refused_at_once(tmp_path: Path) -> None:
    base = str(tiny_encoder(tmp_path / "base"))
    with pytest.raises(ConfigError, match=r"max_length: 4096 is more than .* reads, \d+ tokens"):
        fit(tmp_path / "work", base, pairs(8), options(max_length=4096), unsaid)
