"""A model made small: fewer tokens, few steps of its weights, and nearly the same judgements."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer

from lawng.datasets.nli import Pair
from lawng.errors import ConfigError, MissingError
from lawng.models.folder import PACKED, window_of
from lawng.models.onnx.classifier import _lessen, check_small, common_tokens, places, shrink, trimmed
from lawng.models.onnx.weights import with_weights
from lawng.models.pairs import pair_model
from lawng.models.training.fit import fit
from lawng.models.training.options import StanceOptions
from lawng.studies.harness import unsaid
from models_support import tiny_model

pytest.importorskip("onnx", reason="it writes the files")
LABELS = ["contradiction", "entailment", "neutral"]
TEXTS = ["the court held that the tax is void .", "a dog sleeps ,", "the statute is not valid"]
PAIRS = [("the court held that the tax is void .", "the statute is not valid"), ("a dog sleeps", "the tax is void")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch = pytest.importorskip("torch")
    from transformers import AutoModelForSequenceClassification

    made: Path = tiny_model(tmp_path_factory.mktemp("tiny"), LABELS)
    model = AutoModelForSequenceClassification.from_pretrained(made)
    for at, weights in enumerate(model.parameters()):  # biases of a trained model are not all nought
        weights.data += 0.01 * torch.randn(weights.shape, generator=torch.Generator().manual_seed(at))
    model.save_pretrained(made)
    (made / "README.md").write_text("a card", "utf-8")
    return made


def whole_of(folder: Path) -> Any:
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def test_the_commonest_tokens_stay_with_all_that_is_special(folder: Path) -> None:
    whole = whole_of(folder)
    kept = common_tokens(whole, ["river river river road"], most=12)
    words = [whole.id_to_token(at) for at in kept]
    assert kept == sorted(set(kept))
    assert {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "##s", "a", ".", ",", "road", "river"} <= set(words)
    assert "dog" not in words
    fewer = common_tokens(whole, ["river river river road"], most=len(kept) - 1)
    assert [whole.id_to_token(at) for at in set(kept) - set(fewer)] == ["road"], "the rarest goes first"


def test_kept_words_are_read_as_before_and_others_not_at_all(folder: Path) -> None:
    whole = whole_of(folder)
    kept = common_tokens(whole, TEXTS)
    written, place = (
        json.loads((folder / "tokenizer.json").read_text("utf-8")),
        {old: new for new, old in enumerate(kept)},
    )
    small = Tokenizer.from_str(json.dumps(trimmed(written, place)))
    for premise, hypothesis in PAIRS:
        one, other = whole.encode(premise, hypothesis), small.encode(premise, hypothesis)
        assert other.tokens == one.tokens
        assert [kept[at] for at in other.ids] == one.ids
        assert other.type_ids == one.type_ids
    assert small.encode("river").tokens == ["[CLS]", "[UNK]", "[SEP]"]


def test_a_word_left_out_is_read_as_the_nearest_one_that_is_kept() -> None:
    vocabulary = {"[PAD]": 0, "tenant": 1, "dog": 2, "lessee": 3, "##s": 4, "hound": 5, "借": 6, "§": 7, "x": 8}
    vectors = np.array(
        [[3, 3, 0], [1, 0, 0], [0, 5, 0], [1, 0.4, 0], [0, 0, 1], [0.1, 0.2, 0], [3, 3, 0], [1, 1, 0], [1, 1, 1]]
    )
    found = places(vocabulary, vectors, [0, 1, 2, 4])
    kept = {0: 0, 1: 1, 2: 2, 4: 3}
    assert found == kept | {3: 1, 5: 2}, "by the angle, not the length; what is no word of letters is read in pieces"
    assert places(vocabulary, vectors, [0, 7]) == {0: 0, 7: 1}, "no word is kept that another could be read as"


def test_the_small_tokenizer_reads_other_words_as_one_token(folder: Path, tmp_path: Path) -> None:
    small = whole_of(shrink(folder, TEXTS, tmp_path / "small"))
    ids = small.encode("river").ids
    assert len(ids) == 3
    assert small.id_to_token(ids[1]) != "[UNK]"
    assert max(small.get_vocab().values()) < json.loads((tmp_path / "small" / "config.json").read_text())["vocab_size"]


def judged(place: Path, backend: str, pairs: Sequence[tuple[str, str]] = PAIRS) -> Any:
    premises, hypotheses = zip(*pairs, strict=True)
    return np.exp(pair_model.__wrapped__(str(place), backend).judge(premises, hypotheses).log_probs)


def test_fewer_tokens_change_nothing_where_none_is_missing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lawng.models.onnx.classifier.quantise", lambda graph: None)
    for name in ("_STEPS", "_WORD_STEPS"):
        monkeypatch.setattr(f"lawng.models.onnx.classifier.{name}", 10**6)
    small = shrink(folder, TEXTS, tmp_path / "small")
    config = json.loads((small / "config.json").read_text("utf-8"))
    assert config["vocab_size"] == len({*whole_of(small).get_vocab().values()}) < whole_of(folder).get_vocab_size()
    assert judged(small, "onnx") == pytest.approx(judged(folder, "torch"), rel=1e-3)
    assert (small / "README.md").read_text("utf-8") == "a card"
    assert {path.suffix for path in small.iterdir()} == {".json", ".md", ".gz"}


@pytest.fixture(scope="module")
def low(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with matrices of rank 5."""
    torch = pytest.importorskip("torch")
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(folder)
    for part in model.bert.encoder.modules():
        if isinstance(part, torch.nn.Linear):
            left, values, right = torch.linalg.svd(part.weight.data, full_matrices=False)
            part.weight.data = (left[:, :5] * values[:5]) @ right[:5]
    made = shutil.copytree(folder, tmp_path_factory.mktemp("ranks") / "low")
    model.save_pretrained(made)
    return made


def test_a_model_of_low_rank_is_written_as_its_factors(
    folder: Path, low: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lawng.models.onnx.classifier.quantise", lambda graph: None)
    for name in ("_STEPS", "_WORD_STEPS"):
        monkeypatch.setattr(f"lawng.models.onnx.classifier.{name}", 10**6)
    small, whole = (shrink(place, TEXTS, tmp_path / f"{place.name}-small") for place in (low, folder))
    assert judged(small, "onnx") == pytest.approx(judged(low, "torch"), rel=1e-3)
    weights = {one: sum(init.size for init in initialisers(one) if init.ndim == 2) for one in (small, whole)}
    # of each of two layers four matrices of 32 x 32, two of 32 x 64
    assert weights[whole] - weights[small] == 2 * (4 * (32 * 32 - 5 * 64) + 2 * (32 * 64 - 5 * 96))


def initialisers(place: Path) -> list[Any]:
    """The weights in a packed graph."""
    import onnx
    from onnx.numpy_helper import to_array

    graph = onnx.load_from_string(gzip.decompress((place / PACKED).read_bytes())).graph
    return [to_array(one) for one in graph.initializer]


def test_few_steps_are_nearly_the_whole(folder: Path, tmp_path: Path) -> None:
    small = shrink(folder, TEXTS, tmp_path / "small")
    words = " ".join(TEXTS).split()
    pairs = [(" ".join(words[at : at + 5]), " ".join(words[-at - 5 : len(words) - at])) for at in range(14)]
    one, other = (judged(place, backend, pairs).ravel() for place, backend in ((folder, "torch"), (small, "onnx")))
    # the weights of this model are random and large: those of a trained one lose less
    assert 0.6 < np.corrcoef(one, other)[0, 1] < 0.9999999


def test_each_row_of_weights_has_few_steps_and_its_ends() -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(500, 3)
    before = layer.weight.data.clone()
    model = torch.nn.Sequential(layer)
    model.get_input_embeddings = lambda: torch.nn.Embedding(5, 2)
    model.set_input_embeddings = lambda words: None
    model.config = SimpleNamespace()
    _lessen(model, [0, 3])
    after = layer.weight.data
    steps = before.abs().amax(dim=1, keepdim=True) / 20
    assert [len(row.unique()) <= 41 for row in after] == [True] * 3
    assert bool(((after - before).abs() <= steps / 2 + 1e-7).all())
    assert after.abs().amax(dim=1).tolist() == pytest.approx(before.abs().amax(dim=1).tolist(), rel=1e-5)
    assert model.config.vocab_size == 2


def test_a_packed_file_that_is_cut_short_is_one_line(folder: Path, tmp_path: Path) -> None:
    small = shrink(folder, TEXTS, tmp_path / "small")
    packed = small / PACKED
    packed.write_bytes(packed.read_bytes()[:-100])
    with pytest.raises(MissingError, match=r"gz: ONNX Runtime cannot run it .*train the model again"):
        judged(small, "onnx")


@pytest.mark.parametrize("kind", ["BPE", "Unigram"])
def test_a_tokenizer_that_cannot_lose_tokens_is_told_before_any_training(tmp_path: Path, kind: str) -> None:
    from tokenizers.models import BPE, Unigram
    from transformers import PreTrainedTokenizerFast

    made = BPE() if kind == "BPE" else Unigram([("a", 0.0), ("b", -1.0)], unk_id=0)
    PreTrainedTokenizerFast(tokenizer_object=Tokenizer(made)).save_pretrained(tmp_path)  # type: ignore[no-untyped-call]
    with pytest.raises(ConfigError, match=rf"its tokenizer \({kind}, .*cannot lose tokens"):
        check_small(str(tmp_path))


def test_a_window_of_an_mpnet_is_what_its_positions_leave() -> None:
    config = SimpleNamespace(model_type="mpnet", max_position_embeddings=514, pad_token_id=1)
    assert window_of(SimpleNamespace(model_max_length=10**30), config) == 512


@pytest.mark.parametrize("kind", ["folder", "low"])
def test_weights_are_read_out_of_the_graph_as_they_went_into_it(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from safetensors.torch import load_file

    place = request.getfixturevalue(kind)
    small = shrink(place, TEXTS, tmp_path / "small")
    kept = common_tokens(whole_of(place), TEXTS)
    there = with_weights(str(small), tmp_path / "weights")
    before, after = (load_file(Path(one) / "model.safetensors") for one in (place, there))
    assert set(before) == set(after)
    for name, weight in after.items():
        wanted = before[name][kept] if "word_embeddings" in name else before[name]
        assert weight.shape == wanted.shape
        # a fortieth of a row's largest number, and what int8 rounds; of a product both of its factors' share
        most = 0.12 if kind == "low" and ".layer." in name else 0.05
        rounded = "LayerNorm" not in name and not name.endswith(".bias")
        assert (weight - wanted).norm() <= (most if rounded else 1e-6) * wanted.norm(), name
    assert with_weights(there, tmp_path / "again") == there, "who has weights is taken as it is"


def test_what_comes_as_a_graph_is_trained_further_and_made_small_again(low: Path, tmp_path: Path) -> None:
    small = shrink(low, TEXTS, tmp_path / "small")
    options = StanceOptions(base=str(small), batch=4, max_length=32, epochs=2, lr=1e-3, dropout=0.0)
    rows = [Pair(f"{at}", *PAIRS[at % 2], [LABELS[at % 3]], "made", "train") for at in range(12)]
    fit(tmp_path / "work", str(small), rows, options, unsaid).save(tmp_path / "more")
    (tmp_path / "more" / "README.md").write_text("a card", "utf-8")
    again = shrink(tmp_path / "more", TEXTS, tmp_path / "again")
    sizes = [sum(one.size for one in initialisers(place)) for place in (small, again)]
    assert sizes[0] == sizes[1], "factors stay factors"
    assert whole_of(again).get_vocab() == whole_of(small).get_vocab(), "words that share a vector do so still"
    assert not np.allclose(judged(again, "onnx"), judged(small, "onnx"), atol=1e-3), "it has learned something"


@pytest.mark.parametrize("packed", [None, b"", b"no graph"])
def test_a_graph_without_weights_of_its_own_names_is_one_line(
    packed: bytes | None, folder: Path, tmp_path: Path
) -> None:
    small = shutil.copytree(shrink(folder, TEXTS, tmp_path / "small"), tmp_path / "other")
    (small / PACKED).write_bytes(b"no archive" if packed is None else gzip.compress(packed))
    with pytest.raises(MissingError, match=r"other/model-int8.onnx.gz: has no weights to train further \(.*base$"):
        with_weights(str(small), tmp_path / "weights")
    assert not (tmp_path / "weights").exists()
