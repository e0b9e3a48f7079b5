"""Training relevance models: what is drawn, losses, and runs that are killed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from floats_support import close_to
from lawng.errors import ConfigError, InputError
from lawng.models.pairs import relevance_model
from lawng.models.training.options import LOSSES, RelevanceOptions, Run
from lawng.models.training.plan import GradedText, planned_updates, without_contrast
from models_support import SMALL, WORDS, calm_encoder, tiny_encoder, weights

NOUNS = ["statute", "river", "dog"]


def graded() -> list[GradedText]:
    """Texts whose grade is how often they have the query's one word."""
    rng = np.random.default_rng(3)
    found = []
    for asked in NOUNS * 6:
        rest = [word for word in NOUNS if word != asked]
        for n_shared in (0, 0, 0, 0, 1, 1, 2):
            words = [*[asked] * n_shared, *rng.choice(rest, 3 - n_shared)]
            found.append(GradedText(asked, " ".join(rng.permutation(words)), n_shared, n_shared / 2))
    return found


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_encoder(tmp_path_factory.mktemp("base") / "tiny"))


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(calm_encoder(tmp_path_factory.mktemp("calm") / "tiny"))


def train(base: str, options: RelevanceOptions, run: Run, work: Path, judge: object = None) -> list[str]:
    """What a run says."""
    from lawng.models.training.relevance import Hooks, train_relevance

    said: list[str] = []
    work.mkdir(exist_ok=True)
    hooks = Hooks(judge if callable(judge) else (lambda _folder: 0.5), said.append)
    train_relevance(base, graded(), replace(options, base=base), run, work, hooks)
    return said


# --- what is drawn ---------------------------------------------------------------------------------------------------


def test_grades_are_equally_frequent_and_none_comes_twice_before_all_came_once() -> None:
    texts = graded()
    plan = planned_updates(texts, SMALL, Run(1e-3, (30,), 0))
    drawn = Counter(texts[place].grade for place in plan)
    assert drawn == {0: 160, 1: 160, 2: 160}
    times = Counter(place for place in plan if texts[place].grade == 2)
    assert set(times) == {place for place, row in enumerate(texts) if row.grade == 2}
    assert max(times.values()) - min(times.values()) <= 1
    assert (
        plan == planned_updates(texts, SMALL, Run(1e-3, (30,), 0)) != planned_updates(texts, SMALL, Run(1e-3, (30,), 1))
    )


def test_a_plan_of_more_updates_begins_with_that_of_fewer() -> None:
    for loss in LOSSES:
        options = replace(SMALL, loss=loss)
        short, long = (planned_updates(graded(), options, Run(1e-3, (n,), 0)) for n in (3, 9))
        assert long[: len(short)] == short
        assert len(long) == 9 * options.batch


def test_micro_batches_have_pairs_of_about_one_length() -> None:
    texts = [GradedText("dog", "cat " * n, n % 2, n % 2 / 4) for n in range(1, 60)]
    plan = planned_updates(texts, SMALL, Run(1e-3, (4,), 0))
    lengths = np.array([len(texts[place].text) for place in plan]).reshape(4, 16)
    assert (np.diff(lengths, axis=1) >= 0).all()


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 0, 60), (0.5, 150, 260), (1.0, 320, 320)])
def test_hard_zeros_are_drawn_as_often_as_asked(share: float, least: int, most: int) -> None:
    texts = [GradedText("dog", f"road {n}", 0, 0.0, hard=n < 5) for n in range(50)]
    texts += [GradedText("dog", f"dog {n}", 4, 1.0) for n in range(5)]
    plan = planned_updates(texts, replace(SMALL, hard_zeros=share), Run(1e-3, (40,), 0))
    assert least <= sum(texts[place].hard for place in plan) <= most
    assert sum(texts[place].grade == 0 for place in plan) == 320


def test_lists_are_of_one_query() -> None:
    texts = graded()
    lists = np.array(planned_updates(texts, replace(SMALL, loss="listwise"), Run(1e-3, (10,), 0))).reshape(-1, 4)
    for group in lists.tolist():
        assert len({texts[place].query for place in group}) == 1
    assert all(len(set(group)) == 4 and len({texts[place].grade for place in group}) == 3 for group in lists.tolist())


def test_nothing_to_learn_from_is_one_line() -> None:
    alike = [GradedText("q", "a", 0, 0.0), GradedText("p", "b", 1, 0.25)]
    assert without_contrast(alike) == ["q", "p"]
    assert len(planned_updates(alike, SMALL, Run(1e-3, (1,), 0))) == 16
    with pytest.raises(InputError, match="no query has texts of two grades"):
        planned_updates(alike, replace(SMALL, loss="listwise"), Run(1e-3, (1,), 0))
    with pytest.raises(InputError, match="all of one grade"):
        planned_updates(alike[:1], SMALL, Run(1e-3, (1,), 0))


# --- losses and runs -------------------------------------------------------------------------------------------------


def test_losses_by_hand() -> None:
    import torch

    from lawng.models.training.trainer import listwise_loss

    scores, targets = torch.tensor([1.0, -1.0, 0.0, 0.0]), torch.tensor([1.0, 0.0, 0.75, 0.25])
    lists = [-np.log(np.exp(1) / (np.exp(1) + np.exp(-1))), np.log(2.0)]
    assert float(listwise_loss(scores, targets, 2)) == close_to(np.mean(lists))


def test_the_soft_loss_is_the_cross_entropy_of_what_the_model_says(base: str) -> None:
    import torch

    from lawng.models.training.relevance import loss_of
    from lawng.models.training.trainer import load_base

    model = load_base(base, ["relevance"], SMALL, 0, cut="only_second").model.eval()
    texts, targets = [["dog"] * 3, ["a dog", "a cat", "road " * 90]], torch.tensor([1.0, 0.25, 0.5])
    scores = model.predict([*zip(*texts, strict=True)], activation_fn=torch.nn.Identity())
    by_hand = np.mean(np.log1p(np.exp(scores)) - targets.numpy() * scores)
    assert float(loss_of(model, SMALL)(texts, targets).detach()) == close_to(by_hand)


@pytest.mark.slow("trains a tiny model until it has learned")
@pytest.mark.parametrize("loss", LOSSES)
def test_the_model_learns_shared_words(calm: str, tmp_path: Path, loss: str) -> None:
    run = Run(3e-3, (2, 60), 0)
    said = train(calm, replace(SMALL, loss=loss, batch=32, save_steps=500, log_steps=20), run, tmp_path / "work")
    losses = [float(line.rpartition(" ")[2]) for line in said if "loss" in line]
    assert losses[-1] < 0.7 * losses[0]

    def agreement(folder: Path) -> float:
        model, texts = relevance_model(str(folder)), graded()
        scores = np.array(model.score([row.query for row in texts], [row.text for row in texts]))
        pairs = [(one, other) for one, a in enumerate(texts) for other, b in enumerate(texts) if a.query == b.query and a.grade == 2 and b.grade == 0]  # fmt: skip
        return float(np.mean([scores[better] > scores[worse] for better, worse in pairs]))

    assert agreement(tmp_path / "work" / "at-60") > max(0.9, agreement(tmp_path / "work" / "at-2"))


@pytest.mark.slow("trains a tiny model three times")
def test_a_killed_run_ends_as_one_that_was_not(base: str, tmp_path: Path) -> None:
    run = Run(1e-3, (3, 10), 0)
    train(base, SMALL, run, tmp_path / "whole")

    def killed(folder: Path) -> float:
        if folder.name.startswith("at-10"):
            raise KeyboardInterrupt
        return 0.25

    with pytest.raises(KeyboardInterrupt):
        train(base, SMALL, run, tmp_path / "killed", killed)
    assert (tmp_path / "killed" / "at-3" / "score.json").is_file()
    assert not (tmp_path / "killed" / "at-10").exists()
    assert "going on from checkpoint-8" in train(base, SMALL, run, tmp_path / "killed")
    assert weights(tmp_path / "killed" / "at-10") == weights(tmp_path / "whole" / "at-10")
    assert not (tmp_path / "killed" / "trainer").exists()


@pytest.mark.slow("trains a small model")
def test_micro_batches_add_up_to_the_batch(base: str, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    for micro in (16, 4):
        train(base, replace(SMALL, micro=micro, dropout=0.0), Run(1e-3, (3,), 0), tmp_path / str(micro))
    one, other = (load_file(tmp_path / str(micro) / "at-3" / "model.safetensors") for micro in (16, 4))
    # a tenth of one update; the bias of keys changes no output, its gradient is what rounding leaves
    moved = [name for name in one if not name.endswith("key.bias")]
    assert all(np.allclose(one[name], other[name], atol=1e-4) for name in moved)


@pytest.mark.slow("trains a small model")
def test_frozen_parts_stay(base: str, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    before = load_file(Path(base) / "model.safetensors")

    def moved(options: RelevanceOptions, name: str) -> set[str]:
        train(base, options, Run(1e-2, (2,), 0), tmp_path / name)
        after = load_file(tmp_path / name / "at-2" / "model.safetensors")
        return {part for part, value in before.items() if not np.array_equal(value, after[f"bert.{part}"])}

    every = moved(SMALL, "none")
    words = moved(replace(SMALL, freeze_words=True), "words")
    layer = moved(replace(SMALL, freeze_layers=1), "layer")
    train(base, replace(SMALL, keep_layers=1), Run(1e-2, (2,), 0), tmp_path / "kept")
    kept = load_file(tmp_path / "kept" / "at-2" / "model.safetensors")
    assert any(".layer.0." in name for name in kept)
    assert not any(".layer.1." in name for name in kept), "the upper one is gone"
    config = json.loads((tmp_path / "kept" / "at-2" / "config.json").read_text("utf-8"))
    assert config["num_hidden_layers"] == 1
    assert "embeddings.word_embeddings.weight" in every - words
    assert "embeddings.position_embeddings.weight" in words
    assert layer == {name for name in every if not name.startswith(("embeddings.", "encoder.layer.0."))}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (replace(SMALL, max_length=128), "max_length: 128 is more than .* reads, 64 tokens"),
        (replace(SMALL, max_length=16), None),
        (replace(SMALL, freeze_layers=3), "freeze_layers: 3 is more than the 2 layers"),
        (replace(SMALL, keep_layers=3), "keep_layers: 3 is more than the 2 layers"),
        (replace(SMALL, keep_layers=1, freeze_layers=2), "freeze_layers: 2 is more than the 1 layers"),
    ],
)
def test_what_the_base_cannot_do_is_one_line(
    base: str, tmp_path: Path, options: RelevanceOptions, said: str | None
) -> None:
    if said is None:
        assert train(base, options, Run(1e-3, (1,), 0), tmp_path / "work")[-1].startswith("after 1 updates")
        return
    with pytest.raises(ConfigError, match=said):
        train(base, options, Run(1e-3, (1,), 0), tmp_path / "work")


def test_a_base_whose_layers_are_one_is_trained_whole_or_not_at_all() -> None:
    from transformers import AlbertConfig, AlbertForSequenceClassification

    from lawng.models.training.trainer import settle

    config = AlbertConfig(vocab_size=9, embedding_size=8, hidden_size=8, intermediate_size=8, num_hidden_layers=3)
    config.num_attention_heads = 2
    albert = AlbertForSequenceClassification(config)
    settle(albert, SMALL)
    assert albert.config.num_hidden_layers == 3
    for options in (replace(SMALL, keep_layers=2), replace(SMALL, freeze_layers=1)):
        with pytest.raises(ConfigError, match="has no layers of its own; leave both at 0"):
            settle(albert, options)


def test_a_base_with_a_kind_for_each_layer_keeps_those_of_the_lowest(tmp_path: Path) -> None:
    from transformers import ModernBertConfig, ModernBertForSequenceClassification

    from lawng.models.training.trainer import settle

    sizes: Any = {"hidden_size": 8, "num_attention_heads": 1, "intermediate_size": 8, "num_hidden_layers": 4}
    model = ModernBertForSequenceClassification(ModernBertConfig(vocab_size=9, pad_token_id=0, **sizes))
    settle(model, replace(SMALL, keep_layers=2))
    model.save_pretrained(tmp_path)
    kept = ModernBertForSequenceClassification.from_pretrained(tmp_path)
    assert len(kept.model.layers) == len(kept.config.layer_types or ()) == 2


def test_a_query_that_leaves_no_room_is_one_line(base: str, tmp_path: Path) -> None:
    from lawng.models.training.relevance import Hooks, train_relevance

    texts = [GradedText("dog " * 60, "cat", 1, 0.25), GradedText("dog", "road", 0, 0.0)]
    with pytest.raises(ConfigError, match="leaves no room for a text beside the query 'dog dog"):
        train_relevance(base, texts, SMALL, Run(1e-3, (1,), 0), tmp_path, Hooks(lambda _: 0.0, print))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"loss": "hinge"}, "loss 'hinge' is not one of soft, listwise"),
        ({"batch": 20, "micro": 16}, "batch: 20 is not made of micro-batches of 16"),
        ({"batch": 0}, "batch: 0 is not 1 or more"),
        ({"hard_zeros": 2.0}, "hard_zeros: 2.0"),
        ({"dropout": 1.0}, "dropout: 1.0"),
        ({"freeze_layers": -1}, "freeze_layers: -1"),
        ({"keep_layers": -1}, "keep_layers: -1"),
        ({"max_length": 4}, "max_length: 4"),
    ],
)
def test_wrong_options_are_named(given: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        RelevanceOptions(**given)  # type: ignore[arg-type]


def test_the_vocabulary_has_the_nouns() -> None:
    assert set(NOUNS) <= set(WORDS)
