"""Judges of pairs and relevance models, on tiny models made here, against plain transformers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from floats_support import close_as_a_whole, close_to
from lawng.errors import ConfigError, InputError, LabelMapError, MissingError
from lawng.models.pairs import CrossEncoder, pair_model, relevance_model
from lawng.schema.labels import Label, label_columns
from models_support import tiny_model

PREMISES = [
    "The court held that the statute is void.",
    "A dog sleeps.",
    "no tax",
    "",
    "The river runs on the road , yes",
]
HYPOTHESES = ["the statute is not void", "the dog runs", "the tax is void", "a cat sleeps", "the judge found no road"]
ORDERS = (
    ["entailment", "neutral", "contradiction"],
    ["CONTRADICTION", "ENTAILMENT", "NEUTRAL"],
    ["neutral", "refutes", "Supports"],
)
Folders = Callable[[Sequence[str]], Path]


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    made: dict[tuple[str, ...], Path] = {}

    def folder(labels: Sequence[str]) -> Path:
        key = tuple(labels)
        if key not in made:
            made[key] = tiny_model(tmp_path_factory.mktemp("tiny"), labels)
        return made[key]

    return folder


def plain(folder: Path, premise: str, hypothesis: str) -> np.ndarray:
    """The logits of one pair by transformers alone, in the model's own order."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        logits = model(**tokenizer([premise], [hypothesis], return_tensors="pt", truncation="only_first")).logits
    return np.asarray(logits[0].double().numpy())


@pytest.mark.parametrize("labels", ORDERS, ids=["ours", "shouted", "synonyms"])
def test_judgements_are_those_of_transformers_in_our_order(folder_of: Folders, labels: list[str]) -> None:
    judged = pair_model(str(folder_of(labels))).judge(PREMISES, HYPOTHESES)
    columns = label_columns(dict(enumerate(labels)))
    for row, (premise, hypothesis) in enumerate(zip(PREMISES, HYPOTHESES, strict=True)):
        logits = plain(folder_of(labels), premise, hypothesis)[list(columns)]
        expected = logits - np.log(np.exp(logits).sum())
        assert judged.log_probs[row] == close_as_a_whole(expected)
    assert np.exp(judged.log_probs).sum(axis=1) == close_to(1.0)
    assert len({tuple(row.round(3)) for row in judged.log_probs}) == len(PREMISES), "a judge that judges"


def test_a_model_that_says_no_numbers_is_told_and_not_taken_for_entailment(folder_of: Folders, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = folder_of(ORDERS[0])
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    torch.nn.init.constant_(model.classifier.bias, float("nan"))
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="says no numbers of 5 of 5 pairs; its training diverged"):
        pair_model(str(tmp_path), "torch").judge(PREMISES, HYPOTHESES)


def test_what_a_reader_is_told_names_no_place_of_this_computer(folder_of: Folders) -> None:
    folder = folder_of(ORDERS[0])
    with pytest.raises(InputError, match="leave no room") as told:
        pair_model(str(folder)).judge(["a dog"], ["a dog " * 600])
    assert str(folder.parent) not in str(told.value)
    assert str(told.value).startswith(f"{folder.name}: ")


def test_the_order_of_labels_does_not_change_what_is_said(folder_of: Folders) -> None:
    said = [pair_model(str(folder_of(labels))).judge(PREMISES, HYPOTHESES).log_probs for labels in ORDERS[:2]]
    # same seed, hence same logits in the model's own order: the columns differ as the names do
    assert said[0][:, 0] == close_as_a_whole(said[1][:, 2]), (
        "first of the one is entailment, of the other contradiction"
    )
    assert said[0][:, 1] == close_as_a_whole(said[1][:, 0])


def test_batches_change_nothing(folder_of: Folders) -> None:
    whole = pair_model(str(folder_of(ORDERS[0]))).judge(PREMISES, HYPOTHESES)
    single = pair_model(str(folder_of(ORDERS[0])), batch=1).judge(PREMISES, HYPOTHESES)
    assert whole.log_probs == close_as_a_whole(single.log_probs)
    assert whole.log_probs.dtype == np.float64


def test_a_cut_premise_is_flagged_and_the_argument_is_whole(folder_of: Folders) -> None:
    model = pair_model(str(folder_of(ORDERS[0])))
    long = "the court held that the tax is void " * 20  # 160 tokens, a window of 64
    judged = model.judge([long, "the tax is void"], ["the tax is void"] * 2)
    assert judged.read == [close_to((64 - 3 - 4) / 160), 1.0]
    cut = model.judge([" ".join(long.split()[:57])], ["the tax is void"])
    assert judged.log_probs[0] == close_as_a_whole(cut.log_probs[0])


def test_an_argument_that_fills_the_window_is_refused(folder_of: Folders) -> None:
    with pytest.raises(InputError, match="shorten the argument"):
        pair_model(str(folder_of(ORDERS[0]))).judge(["a tax"], ["the tax is void " * 20])


def test_no_pairs_and_uneven_ones(folder_of: Folders) -> None:
    model = pair_model(str(folder_of(ORDERS[0])))
    assert model.judge([], []).log_probs.shape == (0, 3)
    with pytest.raises(InputError, match="one for each"):
        model.judge(["a", "b"], ["a"])


def test_the_temperature_of_the_folder_is_used(folder_of: Folders, tmp_path: Path) -> None:
    warm = tiny_model(tmp_path / "warm", ORDERS[0])
    (warm / "lawng.json").write_text(json.dumps({"temperature": 2.5}))
    hot, cold = (
        pair_model(str(folder)).judge(PREMISES, HYPOTHESES).log_probs for folder in (warm, folder_of(ORDERS[0]))
    )
    assert hot[:, 0] - hot[:, 1] == close_as_a_whole((cold[:, 0] - cold[:, 1]) / 2.5)
    assert (hot.argmax(axis=1) == cold.argmax(axis=1)).all()
    assert pair_model(str(warm)) is pair_model(str(warm)), "loaded once"
    (warm / "lawng.json").write_text(json.dumps({"temperature": 0}))  # and anew where the folder has changed
    with pytest.raises(InputError, match="temperature 0"):
        pair_model(str(warm))


@pytest.mark.parametrize("fewer", ["int8", "bf16"])
def test_fewer_bits_say_nearly_the_same(folder_of: Folders, fewer: str) -> None:
    whole, quick = (pair_model(str(folder_of(ORDERS[0])), b).judge(PREMISES, HYPOTHESES) for b in ("torch", fewer))
    gap = np.abs(np.exp(whole.log_probs) - np.exp(quick.log_probs))
    assert 0 < gap.max() < 0.1, "quantised indeed, and not by much"


@pytest.mark.skipif(find_spec("onnx") is None, reason="onnx, which writes the file, is not installed")
def test_onnx_says_nearly_the_same_and_is_taken_by_itself(tmp_path: Path) -> None:
    from lawng.models.onnx.classifier import export_int8

    folder = tiny_model(tmp_path / "model", ORDERS[1])
    whole = pair_model(str(folder), "torch").judge(PREMISES, HYPOTHESES)
    export_int8(folder)
    auto, onnx = (pair_model(str(folder), backend).judge(PREMISES, HYPOTHESES) for backend in ("auto", "onnx"))
    assert (auto.log_probs == onnx.log_probs).all()
    assert 0 < np.abs(np.exp(whole.log_probs) - np.exp(onnx.log_probs)).max() < 0.15, "seven bits on any processor"


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        pytest.param(["LABEL_0", "LABEL_1", "LABEL_2"], "'LABEL_0' is no NLI label", id="unnamed"),
        pytest.param(["entailment", "not_entailment"], "has 2 labels", id="two"),
        pytest.param(
            ["entailment", "entails", "neutral"], "contradiction is missing; entailment is there 2", id="double"
        ),
    ],
)
def test_other_labels_are_refused(folder_of: Folders, labels: list[str], said: str) -> None:
    with pytest.raises(LabelMapError, match=said) as caught:
        pair_model(str(folder_of(labels)))
    assert "\n" not in str(caught.value)


def test_what_is_no_model_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder_of: Folders) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    bare = tiny_model(tmp_path / "bare", ORDERS[0])
    (bare / "model.safetensors").unlink()
    for name, said in (("/no/such/model", "no such folder"), ("empty", "no config.json"), ("bare", "no weights")):
        with pytest.raises(MissingError, match=said) as caught:
            pair_model(str(tmp_path / name))
        assert "\n" not in str(caught.value)
    with pytest.raises(ConfigError, match="backend 'gpu' is not one of auto"):
        pair_model(str(folder_of(ORDERS[0])), "gpu")
    with pytest.raises(MissingError, match="use the backend torch"):
        pair_model(str(folder_of(ORDERS[0])), "onnx")


def test_an_encoder_without_a_head_is_no_judge(tmp_path: Path) -> None:
    from transformers import BertModel

    folder = tiny_model(tmp_path / "model", ORDERS[0])
    BertModel.from_pretrained(folder).save_pretrained(folder)
    with pytest.raises((MissingError, LabelMapError)) as caught:
        pair_model(str(folder))
    assert "\n" not in str(caught.value)


def test_relevance_scores_are_logits_in_order(folder_of: Folders) -> None:
    model = relevance_model(str(folder_of(["relevance"])))
    scores = model.score("the tax is void", PREMISES)
    expected = [float(plain(folder_of(["relevance"]), "the tax is void", text)[0]) for text in PREMISES]
    assert scores == close_as_a_whole(expected), "the query first"
    assert model.score(["a dog"] * 2, PREMISES[:2]) != scores[:2]
    assert model.score("a dog", []) == []
    with pytest.raises(InputError, match="one query"):
        model.score(["a", "b"], ["a"])


def test_a_judge_is_no_relevance_model(folder_of: Folders) -> None:
    with pytest.raises(LabelMapError, match="has 3 labels where 1 are needed"):
        relevance_model(str(folder_of(ORDERS[0])))


def test_states_differ_with_the_weights(tmp_path: Path, folder_of: Folders) -> None:
    other = pair_model(str(tiny_model(tmp_path / "other", ORDERS[0], seed=1)))
    assert isinstance(other, CrossEncoder)
    assert other.state
    assert other.state != pair_model(str(folder_of(ORDERS[0]))).state


def test_flipping_and_columns_agree() -> None:
    assert label_columns({2: "entail", 0: "neither", 1: "contradicts"}) == (2, 0, 1)
    assert Label.ENTAILMENT.flipped is Label.CONTRADICTION
