"""An ONNX file opened by ONNX Runtime, on the CPU.

open_session(path) -> session     installed() -> bool
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any


def installed() -> bool:
    """Whether ONNX Runtime is."""
    return importlib.util.find_spec("onnxruntime") is not None


def open_session(path: Path, threads: int = 0) -> Any:
    """A session of a file, which several threads may use; `threads` of its own, 0 is one a core.

    Raises the library's own exceptions, of many kinds, where the file is no model that it can run.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3  # errors: it warns of graphs that it could have made faster
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
