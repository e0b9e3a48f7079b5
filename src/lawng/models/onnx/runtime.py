"""An ONNX file written by torch's exporter, and opened by ONNX Runtime on the CPU; token ids without transformers.

installed("onnxruntime") -> bool     open_session(path) -> session     trace(model, ask, example, output, path)
plain_tokenizer(folder) -> PlainTokenizer, or None where the folder does not say all of it"""

from __future__ import annotations

import gzip
import importlib.util
import json
import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

_UNLIMITED = int(1e30)
"""What transformers says of a model without a limit."""


def installed(*libraries: str) -> bool:
    """Whether these libraries are, without importing any."""
    return all(importlib.util.find_spec(name) is not None for name in libraries)


def open_session(path: Path, threads: int = 0) -> Any:
    """A session of a file (packed where it ends in .gz), for several threads; `threads` of its own, 0 is one a core.

    Raises the library's own exceptions, of many kinds, where the file is no model that it can run.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3  # errors: it warns of graphs that it could have made faster
    graph = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else str(path)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def trace(
    model: Any,
    ask: Callable[[dict[str, Any]], Any],
    example: Mapping[str, Any],
    outputs: Mapping[str, Sequence[str]],
    path: Path,
) -> None:
    """Write the graph of what `ask` has a model make of named tensors, texts x tokens each.

    `outputs` are the names of what it makes, with the axes that vary: `texts`, or `texts` and `tokens`. The tracing
    fixes each branch that the example takes: whoever calls compares the outcome.
    """
    import torch

    names = list(example)

    class Bare(torch.nn.Module):
        """The model with its inputs by place: the exporter knows no names."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: Any) -> Any:
            return ask(dict(zip(names, inputs, strict=True)))

    axes = {name: {0: "texts", 1: "tokens"} for name in names}
    axes |= {name: dict(enumerate(varied)) for name, varied in outputs.items()}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # tracing warns of each branch that it fixes
        torch.onnx.export(
            Bare().eval(),
            tuple(example.values()),
            str(path),
            dynamo=False,  # the newer exporter needs onnxscript
            opset_version=17,
            input_names=names,
            output_names=[*outputs],
            dynamic_axes=axes,
        )


def quantise(graph: Path) -> None:
    """Turn the weights of a graph into int8 per channel; activations are turned as they come."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = graph.rename(graph.with_name(f"{graph.name}.partial"))
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)  # ONNX Runtime's advice to the root logger is about models of images
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # seven bits: processors without VNNI add products of eight in sixteen, which overflows
            quantize_dynamic(str(whole), str(graph), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    finally:
        logging.disable(before)
    whole.unlink()


class PlainTokenizer:
    """Texts, or pairs of them, to token ids; the same as transformers' tokenizer of the folder makes."""

    def __init__(self, tokenizer: Any, limit: int, pad: str, side: str) -> None:
        self.model_max_length = limit
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._pad_id = int(tokenizer.token_to_id(pad))
        self._side = side
        self._lock = Lock()  # the library keeps the truncation in the tokenizer

    def num_special_tokens_to_add(self, pair: bool = False) -> int:
        """Tokens of the model's own around a text, or a pair."""
        return int(self._tokenizer.num_special_tokens_to_add(pair))

    def __call__(  # noqa: PLR0913 (as transformers has it)
        self,
        first: Sequence[str],
        second: Sequence[str] | None = None,
        *,
        add_special_tokens: bool = True,
        truncation: str | bool = False,
        max_length: int | None = None,
        verbose: bool = True,
    ) -> dict[str, list[list[int]]]:
        """Ids, types and mask of each text or pair; `truncation` is false, or which of a pair is cut."""
        given = list(first) if second is None else list(zip(first, second, strict=True))
        with self._lock:
            if truncation:
                self._tokenizer.enable_truncation(max_length, strategy=truncation)
            else:
                self._tokenizer.no_truncation()
            coded = self._tokenizer.encode_batch(given, add_special_tokens=add_special_tokens)
        return {
            "input_ids": [one.ids for one in coded],
            "token_type_ids": [one.type_ids for one in coded],
            "attention_mask": [one.attention_mask for one in coded],
        }

    def pad(self, batch: Sequence[dict[str, list[int]]], return_tensors: str = "np") -> dict[str, NDArray[np.int64]]:
        """Rows of one length, of which the mask says what is padding."""
        longest = max(len(row["input_ids"]) for row in batch)

        def padded(name: str, row: list[int]) -> NDArray[np.int64]:
            extra = longest - len(row)
            around = (0, extra) if self._side == "right" else (extra, 0)
            return np.pad(np.array(row, np.int64), around, constant_values=self._pad_id if name == "input_ids" else 0)

        return {name: np.array([padded(name, row[name]) for row in batch]) for name in batch[0]}


def plain_tokenizer(folder: Path) -> PlainTokenizer | None:
    """The tokenizer of a model's folder, None where transformers is needed to know it."""
    from tokenizers import Tokenizer

    try:
        settings = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        pad = settings["pad_token"]
        limit = int(settings.get("model_max_length", _UNLIMITED))
        name = pad["content"] if isinstance(pad, dict) else str(pad)
        if settings.get("truncation_side", "right") != "right":
            return None
        return PlainTokenizer(tokenizer, limit, name, str(settings.get("padding_side", "right")))
    except Exception:  # the library raises kinds of its own, all meaning: not a tokenizer as it knows them
        return None
