"""Encoders and tokenizers without torch: the same vectors and ids as sentence-transformers and transformers give."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.models.encoder import SentenceEmbedder, embedder, encoder_found
from lawng.models.find import OFFLINE, offline_model
from lawng.models.onnx import encoder as exported
from lawng.models.onnx.embedder import GRAPH, OnnxEmbedder
from lawng.models.onnx.encoder import encoder_folder, kept_encoder, search_embedder
from lawng.models.onnx.runtime import PlainTokenizer, plain_tokenizer
from lawng.models.protocols import Embedder
from models_support import WORDS, tiny_encoder, tiny_model

TEXTS = [
    "",
    "   ",
    "the court held that the statute is void",
    "THE Court HELD  that\nthe statute",
    "income tax " * 300,
    " ".join(WORDS),
    "Ünïcödé § 1983 “quoted” – 東京 العربية 🙂 e\u0301",
    "police\u200b may\u00a0search\u202e house",
    *(" ".join(WORDS[n : n + 1 + n % 7]) for n in range(len(WORDS))),
]
pytestmark = pytest.mark.skipif(find_spec("onnx") is None, reason="onnx, which writes the file, is not installed")


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache folder of the test's own, and nothing kept in memory."""
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "cache"))
    embedder.cache_clear()
    search_embedder.cache_clear()
    yield
    embedder.cache_clear()
    search_embedder.cache_clear()


def sentence_model(folder: Path, pooling: str, change: Callable[[Any], None] = lambda _: None, **parts: Any) -> str:
    """A tiny sentence-transformers model in a folder, with pooling and what else its configuration says."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules as models

    base = models.Transformer(str(tiny_encoder(folder / "base")), **parts.pop("transformer", {}))
    pool = models.Pooling(base.get_embedding_dimension(), pooling_mode=pooling)
    model = SentenceTransformer(modules=[base, pool, *parts.pop("after", ())], device="cpu")
    change(model)
    model.save(str(folder / "model"))
    return str(folder / "model")


def _prompted(model: Any) -> None:
    model.prompts = {"query": "the judge found: ", "passage": "no "}
    model.default_prompt_name = "query"


def _dense() -> tuple[Any, ...]:
    import torch
    from sentence_transformers.sentence_transformer import modules as models

    torch.manual_seed(3)
    return models.Dense(32, 16), models.Normalize()


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda f: sentence_model(f, "mean"), id="mean"),
        pytest.param(lambda f: sentence_model(f, "cls"), id="cls"),
        pytest.param(lambda f: sentence_model(f, "max"), id="max"),
        pytest.param(lambda f: sentence_model(f, "mean", after=_dense()), id="dense and normalised"),
        pytest.param(lambda f: sentence_model(f, "mean", _prompted), id="a prompt before each text"),
        pytest.param(lambda f: sentence_model(f, "mean", transformer={"max_seq_length": 12}), id="a shorter window"),
        pytest.param(lambda f: str(tiny_encoder(f / "bare")), id="a bare transformer"),
    ],
)
@pytest.mark.slow("loads the encoder twice, by torch too")
def test_vectors_are_those_of_sentence_transformers(make: Callable[[Path], str], tmp_path: Path) -> None:
    name = make(tmp_path)
    ours, theirs = search_embedder(name), embedder(name)
    assert isinstance(ours, OnnxEmbedder)
    assert isinstance(theirs, SentenceEmbedder)
    _same(ours, theirs)


def _same(ours: Embedder, theirs: Embedder) -> None:
    assert (ours.name, ours.state, ours.width, ours.max_tokens) == (
        theirs.name,
        theirs.state,
        theirs.width,
        theirs.max_tokens,
    )
    (mine, my_cut), (right, right_cut) = ours.encode(TEXTS), theirs.encode(TEXTS)
    assert my_cut == right_cut
    assert [ours.count_tokens(text) for text in TEXTS] == [theirs.count_tokens(text) for text in TEXTS]
    lengths = np.linalg.norm(right, axis=1)
    assert np.linalg.norm(mine, axis=1) == pytest.approx(lengths, rel=1e-4)
    assert ((mine * right).sum(axis=1) / lengths**2 > 1 - 1e-4).all()
    alone = np.concatenate([ours.encode([text]).vectors for text in TEXTS])
    assert np.abs(alone - mine).max() < 1e-4 * lengths.max(), "what is beside a text does not matter"
    assert (ours.encode([TEXTS[2]] * 3).vectors == ours.encode([TEXTS[2]]).vectors).all()
    assert ours.encode([]).vectors.shape == (0, theirs.width)


@pytest.mark.slow(reason="loads all-MiniLM-L6-v2 twice and writes 90 MB")
@pytest.mark.skipif(offline_model() is None, reason="the package of all-MiniLM-L6-v2 is not installed")
def test_minilm_is_the_same() -> None:
    ours = search_embedder(OFFLINE)
    assert isinstance(ours, OnnxEmbedder)
    _same(ours, embedder(OFFLINE))


def test_a_graph_is_made_once_and_again_where_it_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = encoder_found(str(tiny_encoder(tmp_path / "bare")))
    asked = 0

    def original() -> Embedder:
        nonlocal asked
        asked += 1
        return embedder(found.name)

    assert kept_encoder(found, original) is not None
    assert kept_encoder(found, original) is not None
    assert asked == 1
    folder = encoder_folder(found)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name], "nothing half-made is left"
    assert folder.parent.stat().st_mode & 0o77 == 0
    for damage in (b"", b"\0" * 100, (folder / GRAPH).read_bytes()[:-100]):
        (folder / GRAPH).write_bytes(damage)
        assert kept_encoder(found, original) is not None
    assert asked == 4
    other = found._replace(state="other")
    assert encoder_folder(other) != folder, "another state of a model is another file"


def test_without_the_runtime_a_graph_that_is_kept_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = encoder_found(str(tiny_encoder(tmp_path / "bare")))
    assert kept_encoder(found, lambda: embedder(found.name)) is not None
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "onnxruntime", None)
        assert kept_encoder(found, _not_asked) is None
    assert kept_encoder(found, _not_asked) is not None, "another environment shares the cache"


def test_a_model_that_a_graph_does_not_say_stays_with_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(tiny_encoder(tmp_path / "bare"))
    monkeypatch.setattr(exported, "_MOST", -1.0)  # no two vectors are so near: as with a model of which the graph lies
    assert isinstance(search_embedder(name), SentenceEmbedder)
    monkeypatch.undo()
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "cache"))
    assert kept_encoder(encoder_found(name), _not_asked) is None, "it is not tried again"
    monkeypatch.setattr(exported, "_LIBRARIES", ("torch",))
    assert kept_encoder(encoder_found(name), lambda: embedder(name)) is not None, "but with other libraries"


@pytest.mark.parametrize("error", [OSError("disk full"), MemoryError("7 GB")])
def test_what_failed_for_want_of_room_is_tried_again(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, cache = str(tiny_encoder(tmp_path / "bare")), tmp_path / "cache"
    monkeypatch.setenv("LAWNG_CACHE", str(cache))

    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(exported, "export_encoder", full)
    assert isinstance(search_embedder(name), SentenceEmbedder)
    assert [path for path in cache.rglob("*") if path.is_file()] == [], "no refusal is noted, and nothing half-made"
    monkeypatch.undo()
    monkeypatch.setenv("LAWNG_CACHE", str(cache))
    assert kept_encoder(encoder_found(name), lambda: embedder(name)) is not None


def _not_asked() -> Embedder:
    raise AssertionError("asked for")


@pytest.mark.parametrize("missing", ["onnx", "onnxruntime"])
def test_without_a_library_torch_computes(missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(tiny_encoder(tmp_path / "bare"))
    monkeypatch.setattr("importlib.util.find_spec", lambda one: None if one == missing else find_spec(one))
    assert isinstance(search_embedder(name), SentenceEmbedder)
    assert not (tmp_path / "cache").exists()


def test_where_nothing_can_be_kept_torch_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "file" / "cache"))
    assert isinstance(search_embedder(str(tiny_encoder(tmp_path / "bare"))), SentenceEmbedder)


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory: pytest.TempPathFactory) -> tuple[PlainTokenizer, Any]:
    from transformers import AutoTokenizer

    folder = tiny_model(tmp_path_factory.mktemp("tiny"), ["entailment", "neutral", "contradiction"])
    ours = plain_tokenizer(folder)
    assert ours is not None
    return ours, AutoTokenizer.from_pretrained(folder)


@given(st.lists(st.tuples(st.text(), st.lists(st.sampled_from(WORDS), max_size=90).map(" ".join)), min_size=1))
def test_token_ids_are_those_of_transformers(
    tokenizers: tuple[PlainTokenizer, Any], pairs: list[tuple[str, str]]
) -> None:
    ours, theirs = tokenizers
    firsts, seconds = [a for a, _ in pairs], [b[:200] for _, b in pairs]
    assert ours.model_max_length == theirs.model_max_length
    assert ours.num_special_tokens_to_add(pair=True) == theirs.num_special_tokens_to_add(pair=True)
    for side, one, two in (("only_second", ["a cat"] * len(pairs), seconds), (False, firsts, seconds)):
        options: dict[str, Any] = {"truncation": side, "max_length": 24 if side else None, "verbose": False}
        mine, right = ours(one, two, **options), theirs(one, two, **options)
        assert mine == {name: right[name] for name in mine}
        rows = [{name: mine[name][at] for name in mine} for at in range(len(pairs))]
        padded, wanted = ours.pad(rows), theirs.pad(rows, return_tensors="np")
        assert all((padded[name] == wanted[name]).all() for name in mine)
    bare: dict[str, Any] = {"add_special_tokens": False, "truncation": False, "verbose": False}
    assert ours(firsts, **bare)["input_ids"] == theirs(firsts, **bare)["input_ids"]


@pytest.mark.parametrize("lost", ["tokenizer.json", "tokenizer_config.json"])
def test_a_tokenizer_that_files_do_not_say_is_left_to_transformers(lost: str, tmp_path: Path) -> None:
    folder = tiny_model(tmp_path, ["entailment", "neutral", "contradiction"])
    os.unlink(folder / lost)
    assert plain_tokenizer(folder) is None
