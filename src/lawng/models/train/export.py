"""The int8 model for the CPU: ONNX by torch's exporter, weights quantised by ONNX Runtime, and what that costs."""

from __future__ import annotations

import importlib.util
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lawng.models.folder import ONNX


def can_export() -> bool:
    """Whether the libraries that write ONNX are installed: `onnx` and `onnxruntime`."""
    return all(importlib.util.find_spec(name) is not None for name in ("onnx", "onnxruntime"))


def export_int8(folder: Path) -> Path:
    """Write `model-int8.onnx` beside a trained model: weights int8 per channel, activations as they come."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = folder / "model.onnx.partial"
    _export(folder, whole)
    with warnings.catch_warnings(), _quiet():
        warnings.simplefilter("ignore")
        quantize_dynamic(str(whole), str(folder / ONNX), weight_type=QuantType.QInt8, per_channel=True)
    whole.unlink()
    return folder / ONNX


@contextmanager
def _quiet() -> Iterator[None]:
    """Without ONNX Runtime's advice to the root logger, which is about models of images."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def _export(folder: Path, path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    example = dict(AutoTokenizer.from_pretrained(folder)("a premise", "a hypothesis", return_tensors="pt"))
    names = list(example)

    class Bare(torch.nn.Module):
        """The model with its inputs by place: the exporter knows no names."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: Any) -> Any:
            return self.model(**dict(zip(names, inputs, strict=True))).logits

    axes = {name: {0: "pairs", 1: "tokens"} for name in names} | {"logits": {0: "pairs"}}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # tracing warns of each branch that it fixes; the tests compare the outcome
        torch.onnx.export(
            Bare().eval(),
            tuple(example.values()),
            str(path),
            dynamo=False,  # the newer exporter needs onnxscript
            opset_version=17,
            input_names=names,
            output_names=["logits"],
            dynamic_axes=axes,
        )
