"""A trained classifier's ONNX file for the CPU, and the model made small enough to ship.

export_int8(folder) -> path     shrink(folder, texts, output) -> output     common_tokens(tokenizer, texts, n) -> ids

Small is a model that has the tokens of its texts alone, and of each row of weights 41 steps: in int8 these need
half of a byte where they are packed by how often each comes. The file is half as large, and computes in int8.
A word that is no token any more is read as the one whose vector is nearest; what is no word, in pieces.
"""

from __future__ import annotations

import json
import re
import shutil
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.errors import ConfigError
from lawng.extras import need
from lawng.models.folder import ONNX, PACKED
from lawng.models.onnx.runtime import quantise, trace

TOKENS = 9_400
"""Of 30,527, these are 99 % of those in opinions, 96 % of those in claims that lay people write."""
_LAST_LATIN = 0x24F
_WORD = re.compile(r"(?:##)?[a-z]{2,}")
_STEPS, _WORD_STEPS = 20, 15
"""Of a row's weights, and of a token's, on either side of nought: int8 has 63, of which every third stays."""
_ENDS = {"TemplateProcessing", "BertProcessing", "RobertaProcessing"}
"""How special tokens are put around a pair."""
_FILES = ("tokenizer_config.json", "README.md")


def export_int8(folder: Path) -> Path:
    """Write `model-int8.onnx` beside a trained model: weights int8 per channel, activations as they come."""
    _write(_factored(folder), folder)
    return folder / ONNX


def _factored(folder: Path) -> Any:
    """The model in a folder; what has low rank in it is two layers."""
    from transformers import AutoModelForSequenceClassification

    from lawng.models.low_rank import split

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    split(model)
    return model


def _write(model: Any, folder: Path) -> None:
    """The graph of a model, in int8, into a folder that has its tokenizer."""
    from transformers import AutoTokenizer

    example = AutoTokenizer.from_pretrained(folder)("a premise", "a hypothesis", return_tensors="pt")
    trace(model, lambda inputs: model(**inputs).logits, dict(example), {"logits": ("texts",)}, folder / ONNX)
    quantise(folder / ONNX)


def check_small(base: str) -> None:
    """Raise ConfigError where the tokenizer of a base, a folder or Hub name, is none that can lose tokens."""
    from transformers import AutoTokenizer

    need("onnx", "onnxruntime")
    tokenizer = getattr(AutoTokenizer.from_pretrained(base), "backend_tokenizer", None)
    written = json.loads(tokenizer.to_str()) if tokenizer else {"model": {}}
    kind, ends = written["model"].get("type"), (written.get("post_processor") or {}).get("type")
    if kind != "WordPiece" or ends not in _ENDS:
        raise ConfigError(f"{base}: its tokenizer ({kind}, {ends}) cannot lose tokens; take a base of BERT's kind")


def common_tokens(tokenizer: Any, texts: Iterable[str], most: int = TOKENS) -> list[int]:
    """Ids of a `tokenizers.Tokenizer` that are kept, ascending: special ones, Latin characters, the commonest."""
    vocabulary = tokenizer.get_vocab()
    kept = {*tokenizer.get_added_tokens_decoder()}
    letters = [word for word in vocabulary if len(word.removeprefix("##")) == 1 and ord(word[-1]) <= _LAST_LATIN]
    kept |= {vocabulary[word] for word in (*letters, tokenizer.model.unk_token)}
    counts = Counter[int]()
    for text in texts:
        counts.update(tokenizer.encode(text, add_special_tokens=False).ids)
    common = [at for at, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if at not in kept]
    return sorted({*kept, *common[: max(0, most - len(kept))]})


def places(vocabulary: Mapping[str, int], vectors: NDArray[np.float32], kept: Sequence[int]) -> dict[int, int]:
    """Where ids stand when the kept ones are numbered anew: other words where the kept word of the nearest vector does.

    `vectors` are the embeddings (ids x width), nearness is their cosine. What is no word of a to z has no place.

    >>> places({"[PAD]": 0, "rent": 1, "lease": 2, "dog": 3}, np.array([[0, 0], [1, 0], [1, 0.2], [0, 1]]), [0, 1, 3])
    {0: 0, 1: 1, 3: 2, 2: 1}
    """
    found = {old: new for new, old in enumerate(kept)}
    words = {at for word, at in vocabulary.items() if _WORD.fullmatch(word)}
    near, far = sorted(words & set(found)), sorted(words - set(found))
    if not near:
        return found
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    nearest = (units[far] @ units[near].T).argmax(axis=1)
    return found | {at: found[near[row]] for at, row in zip(far, nearest, strict=True)}


def trimmed(written: dict[str, Any], place: Mapping[int, int]) -> dict[str, Any]:
    """A tokenizer.json (WordPiece) with the ids that have a place alone, numbered so; several words can have one."""
    vocabulary = {word: place[at] for word, at in written["model"]["vocab"].items() if at in place}
    around, ends = written["post_processor"], dict[str, Any]()
    if around["type"] == "TemplateProcessing":
        special = around["special_tokens"].items()
        ends = {"special_tokens": {name: one | {"ids": [place[at] for at in one["ids"]]} for name, one in special}}
    else:
        ends = {name: [around[name][0], place[around[name][1]]] for name in ("sep", "cls")}
    return {
        **written,
        "truncation": None,
        "padding": None,
        "added_tokens": [{**one, "id": place[one["id"]]} for one in written["added_tokens"]],
        "post_processor": around | ends,
        "model": written["model"] | {"vocab": vocabulary},
    }


def shrink(folder: Path, texts: Iterable[str], output: Path, most: int = TOKENS) -> Path:
    """Write a cross-encoder's folder anew, small: its packed ONNX file, its tokenizer, and what is said of it."""
    from tokenizers import Tokenizer

    whole = Tokenizer.from_file(str(folder / "tokenizer.json"))
    whole.no_truncation()
    whole.no_padding()
    pad = int(json.loads((folder / "config.json").read_text("utf-8")).get("pad_token_id") or 0)
    # padding keeps its place: MPNet counts positions from it
    kept = sorted({*common_tokens(whole, texts, most), *range(pad + 1)})
    model = _factored(folder)
    vectors = model.get_input_embeddings().weight.detach().numpy()
    place = places(whole.get_vocab(), vectors, kept)
    written = trimmed(json.loads((folder / "tokenizer.json").read_text("utf-8")), place)
    output.mkdir(parents=True, exist_ok=True)
    compact = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    (output / "tokenizer.json").write_text(compact, "utf-8")
    for name in _FILES:
        shutil.copyfile(folder / name, output / name)
    _lessen(model, kept)
    model.config.save_pretrained(output)
    _write(model, output)
    _pack(output / ONNX, output / PACKED)
    return output


def _lessen(model: Any, kept: Sequence[int]) -> None:
    """Leave the embeddings of the kept tokens alone, and of each row of weights few steps."""
    import torch

    old = model.get_input_embeddings()
    words = torch.nn.Embedding(len(kept), old.embedding_dim, padding_idx=old.padding_idx)
    words.weight.data = old.weight.data[torch.tensor(kept)]
    model.set_input_embeddings(words)
    model.config.vocab_size = len(kept)
    for layer in model.modules():
        if isinstance(layer, torch.nn.Linear | torch.nn.Embedding):
            steps = _STEPS if isinstance(layer, torch.nn.Linear) else _WORD_STEPS
            step = layer.weight.data.abs().amax(dim=1, keepdim=True).clamp(min=1e-9) / steps
            layer.weight.data = (layer.weight.data / step).round() * step


def _pack(graph: Path, packed: Path) -> None:
    """Pack a file by how often each byte comes: looking for repeats as well finds none and costs some."""
    packing = zlib.compressobj(9, zlib.DEFLATED, wbits=31, strategy=zlib.Z_HUFFMAN_ONLY)
    packed.write_bytes(packing.compress(graph.read_bytes()) + packing.flush())
    graph.unlink()
