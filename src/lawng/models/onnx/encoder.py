"""A sentence-transformers model as an ONNX file, made once for each state of a model and kept with lawng's caches.

search_embedder(name) -> Embedder, this file's where it can be had
kept_encoder(found, original) -> OnnxEmbedder, or None where it cannot be made

The whole pipeline is one graph: transformer, pooling, dense layers, normalisation. What it makes of some texts, empty,
long and in other scripts, is compared with the model itself before it is kept; a model of which the graph says anything
else stays with torch, and is not tried again by the same versions of the libraries.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from lawng.extras import library_version
from lawng.io import file_digest
from lawng.io.kv_store import cache_root, key_of, private_folder
from lawng.models.encoder import embedder, encoder_found
from lawng.models.find import FoundModel, LoadedOnce, shown_name, slug
from lawng.models.folder import read_note
from lawng.models.onnx.embedder import GRAPH, NOTE, PARTS, TAGS, TOKENIZER, VECTORS, WEIGHTS, OnnxEmbedder
from lawng.models.onnx.runtime import installed, quantise, trace
from lawng.models.protocols import Embedder

FORM = "3"
"""Counts up when what is kept changes."""
_LIBRARIES = ("torch", "transformers", "sentence-transformers", "onnx", "onnxruntime")
_MOST = 3e-3
"""Distance of two vectors of a text, as a share of their length, up to which they are the same: a cosine of 1 - 5e-6.
What rounding alone does is a hundred times less."""
PROBES = (
    "",
    " ",
    "a",
    "The court held that the search was lawful.",
    "THE COURT HELD; THE SEARCH WAS Lawful?",
    "  blanks \t before and\n\nbetween  ",
    "Ünïcödé, e\u0301 combined, § 1983 “quoted” – 東京 מה אומר العربية 🙂 \u200bzero\u00a0width",
    "the statute of limitations " * 40,
    "a landlord may not keep a deposit without a list of damage; " * 400,
)
_LOG = logging.getLogger(__name__)


def encoder_folder(found: FoundModel) -> Path:
    """Where the graph of a model's state is kept."""
    key = key_of(FORM, shown_name(found.name), found.state).hex()
    return cache_root() / "encoders" / f"{slug(shown_name(found.name))[:60]}-{key}"


def kept_encoder(found: FoundModel, original: Callable[[], Embedder]) -> OnnxEmbedder | None:
    """The encoder of a model's state by ONNX Runtime, exported now where it is not kept yet; None where it cannot be.

    `original` loads the model, to compare. A folder that is damaged is made anew, and nothing that goes wrong here
    stops a search.
    """
    if not installed("onnxruntime"):
        return None
    folder = encoder_folder(found)
    read = _read(folder, found)
    if read is None and installed("onnx", "onnxruntime") and not _refused(folder):
        _make(found, folder, original)
        read = _read(folder, found)
    return read


@LoadedOnce
def search_embedder(name: str) -> Embedder:
    """The embedder of a search: the model's graph, made at first use and kept; where none can be made, `embedder`'s.

    The vectors are those of `embedder(name)` up to rounding. Raises as it does.
    """
    if name.startswith("openai:"):
        return embedder(name)
    try:
        where = encoder_found(name)
        found = None if (Path(where.place) / GRAPH).is_file() else kept_encoder(where, lambda: embedder(name))
    except ImportError as error:
        _LOG.debug("%s: not by ONNX Runtime (%s)", name, error)
        found = None
    return found or embedder(name)


def _read(folder: Path, found: FoundModel) -> OnnxEmbedder | None:
    if not (folder / GRAPH).is_file():
        return None
    try:
        return OnnxEmbedder(folder, found.name, found.state)
    except Exception as error:  # ONNX Runtime raises kinds of its own, all meaning: damaged
        _LOG.debug("%s: is made anew (%s)", folder, error)
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _make(found: FoundModel, folder: Path, original: Callable[[], Embedder]) -> None:
    """Export a model aside and move it to its place, or note that it cannot be."""
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    try:
        private_folder(folder.parent)
        shutil.rmtree(aside, ignore_errors=True)  # of a killed process that had this number
        aside.mkdir(mode=0o700)
    except OSError as error:
        _LOG.debug("%s: nothing can be kept there (%s)", folder.parent, error)
        return
    try:
        export_encoder(found.place, aside)
        _compare(OnnxEmbedder(aside, found.name, found.state), original())
    except Exception as error:  # torch's exporter raises kinds of its own, all meaning: not this model
        _LOG.debug("%s: no ONNX graph of it (%s)", found.name, error)
        shutil.rmtree(aside, ignore_errors=True)
        if isinstance(error, OSError | MemoryError):  # of this machine now, not of the model
            return
        note = {"reason": str(error)[:300], "versions": _versions()}
        with suppress(OSError):
            _refusal(folder).write_text(json.dumps(note), encoding="utf-8")
        return
    try:
        aside.rename(folder)
    except OSError:  # another process was first
        shutil.rmtree(aside, ignore_errors=True)


def export_encoder(place: str, folder: Path, *, int8: bool = False) -> None:
    """Write the graph of a sentence-transformers model into a folder, with its tokenizer and what `OnnxEmbedder` reads.

    With `int8` its weights are int8 per channel, in one file a quarter as large: vectors differ a little.
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as hub

    hub.disable_progress_bar()  # type: ignore[no-untyped-call]
    # eager: the fused attention takes its branches by the lengths of the texts
    plain = {"attn_implementation": "eager", "torch_dtype": torch.float32}
    model: Any = SentenceTransformer(place, device="cpu", model_kwargs=plain).eval()
    given = model.preprocess(["one text", "another one, which has some more words"])
    tensors = {name: value for name, value in given.items() if isinstance(value, torch.Tensor)}
    if strange := sorted(set(tensors) - set(PARTS)):
        raise ValueError(f"takes {', '.join(strange)}")
    outputs = {VECTORS: ("texts",)} | ({TAGS: ("texts", "tokens")} if TAGS in model(dict(tensors)) else {})

    def ask(inputs: dict[str, Any]) -> tuple[Any, ...]:
        made = model(dict(inputs))
        return (made["sentence_embedding"], *(made[name] for name in outputs if name != VECTORS))

    trace(model, ask, tensors, outputs, folder / GRAPH)
    (quantise if int8 else _part)(folder / GRAPH)
    # as sentence-transformers has just set it: with the model's truncation and padding
    (folder / TOKENIZER).write_text(model.tokenizer.backend_tokenizer.to_str(), encoding="utf-8")
    limit = model.max_seq_length
    note = {
        "width": int(model.get_embedding_dimension()),
        "max_tokens": None if limit is None else int(limit),
        "prompt": model.prompts.get(model.default_prompt_name) or "",
        "versions": _versions(),
        "sha256": {name: file_digest(folder / name) for name in (GRAPH, "tokenizer.json")} if int8 else {},
    }
    told = read_note(Path(place))
    note |= {"tags": told["tags"]} if "tags" in told else {}
    (folder / NOTE).write_text(json.dumps(note), encoding="utf-8")


def _part(graph: Path) -> None:
    """Put the weights into a file of their own, of which no second copy is made in memory when it is opened."""
    import onnx

    whole = onnx.load(graph)
    for old in graph.parent.iterdir():  # torch parts a graph of more than 2 GB by itself, into many files
        old.unlink()
    onnx.save_model(whole, graph, save_as_external_data=True, location=WEIGHTS, size_threshold=1024)


def _compare(ours: Embedder, theirs: Embedder) -> None:
    """See to it that two encoders say the same. Raises ValueError when they do not."""
    if (ours.width, ours.max_tokens) != (theirs.width, theirs.max_tokens):
        raise ValueError("other dimensions, or another window")
    (mine, my_cut), (right, right_cut) = ours.encode(PROBES), theirs.encode(PROBES)
    apart = np.linalg.norm(mine - right, axis=1) / np.maximum(np.linalg.norm(right, axis=1), 1e-12)
    if not np.all(apart <= _MOST) or my_cut != right_cut:
        raise ValueError(f"other vectors, {np.max(apart):.1e} apart")


def _versions() -> dict[str, Any]:
    return {name: library_version(name) for name in _LIBRARIES}


def _refusal(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.refused.json")


def _refused(folder: Path) -> bool:
    """Whether these versions of the libraries have been tried."""
    try:
        note = json.loads(_refusal(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(note, dict) and note.get("versions") == _versions()
