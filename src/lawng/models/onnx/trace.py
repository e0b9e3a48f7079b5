"""A torch model as an ONNX file, by torch's exporter.

can_trace() -> bool     trace(model, ask, example, output, path)
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def can_trace() -> bool:
    """Whether the libraries that write and run ONNX are installed: `onnx` and `onnxruntime`."""
    return all(importlib.util.find_spec(name) is not None for name in ("onnx", "onnxruntime"))


def trace(
    model: Any, ask: Callable[[dict[str, Any]], Any], example: Mapping[str, Any], output: str, path: Path
) -> None:
    """Write the graph of what `ask` has a model make of named tensors, texts x tokens each: a row for each text.

    The tracing fixes each branch that the example takes: whoever calls compares the outcome.
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

    axes = {name: {0: "texts", 1: "tokens"} for name in names} | {output: {0: "texts"}}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # tracing warns of each branch that it fixes
        torch.onnx.export(
            Bare().eval(),
            tuple(example.values()),
            str(path),
            dynamo=False,  # the newer exporter needs onnxscript
            opset_version=17,
            input_names=names,
            output_names=[output],
            dynamic_axes=axes,
        )
