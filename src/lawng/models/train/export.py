"""The int8 model for the CPU: ONNX by torch's exporter, weights quantised by ONNX Runtime, and what that costs."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lawng.models.folder import ONNX
from lawng.models.onnx.trace import trace


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
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    example = AutoTokenizer.from_pretrained(folder)("a premise", "a hypothesis", return_tensors="pt")
    trace(model, lambda inputs: model(**inputs).logits, dict(example), "logits", path)
