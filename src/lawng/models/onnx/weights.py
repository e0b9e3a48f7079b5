"""The weights of a classifier of which there is its int8 graph alone, read out of it: so it can be trained further.

with_weights(place, folder) -> where torch finds them
"""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lawng.extras import need
from lawng.models.find import TORCH_WEIGHTS
from lawng.models.folder import ONNX, PACKED, loading

_LAYER = re.compile(r"/model/(.+?)/(?:MatMul|Gemm|Gather)\w*$")
"""A node's name as torch's exporter makes it of the module that computes there."""


def with_weights(place: str, folder: Path) -> str:
    """Where torch finds the weights of a model: at its place or, where that has its graph alone, in `folder`, made so.

    Raises MissingError when the graph is of another kind than `lawng train` writes, or the library onnx is missing.
    """
    given = Path(place)
    graph = next((given / name for name in (ONNX, PACKED) if (given / name).is_file()), None)
    if graph is None or any(True for name in TORCH_WEIGHTS for _ in given.glob(name)):
        return place
    need("onnx")
    from transformers import AutoConfig, AutoModelForSequenceClassification

    with loading(f"{graph}: has no weights to train further", "; take another base"):
        config = AutoConfig.from_pretrained(place)
        model = AutoModelForSequenceClassification.from_config(config)  # type: ignore[no-untyped-call]
        state = _state(graph)
        if missing := sorted(set(model.state_dict()) - set(state)):
            raise ValueError(f"no {missing[0]}")
        model.load_state_dict(state)
    model.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(given / name, folder / name)
    return str(folder)


def _state(graph: Path) -> dict[str, Tensor]:
    """Weights by their names in the model: factors multiplied, int8 as the numbers that it stands for."""
    import onnx
    from onnx.numpy_helper import to_array

    content = gzip.decompress(graph.read_bytes()) if graph.name == PACKED else graph.read_bytes()
    whole = onnx.load_from_string(content).graph
    values = {one.name: to_array(one) for one in whole.initializer}
    found = {name: torch.tensor(value) for name, value in _plain(values)} | dict(_quantised(whole, values))
    for name in [name for name in found if name.endswith(".up.weight")]:
        layer = name.removesuffix(".up.weight")
        found[f"{layer}.weight"] = found.pop(name) @ found.pop(f"{layer}.down.weight")
        if f"{layer}.up.bias" in found:
            found[f"{layer}.bias"] = found.pop(f"{layer}.up.bias")
    return found


def _plain(values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if name.startswith("model.") and value.dtype == np.float32 and not name.endswith("_scale"):
            yield name.removeprefix("model."), value


def _quantised(whole: Any, values: dict[str, Any]) -> Iterator[tuple[str, Tensor]]:
    for node in whole.node:
        layer = _LAYER.match(node.name)
        given = [name for name in node.input if name.endswith("_quantized") and name in values]
        if layer and given:
            stem = given[0].removesuffix("_quantized")
            numbers = values[given[0]].astype(np.float32) - values[f"{stem}_zero_point"].astype(np.float32)
            weight = torch.tensor(numbers * values[f"{stem}_scale"])
            # a product with a matrix has it inputs x outputs, a table of embeddings is as it was
            yield f"{layer[1].replace('/', '.')}.weight", weight if node.op_type == "Gather" else weight.T.contiguous()
