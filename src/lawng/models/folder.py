"""A classification model's folder: tokenizer, labels, window, what `lawng.json` adds, and how it computes.

load_folder(name, role) -> Loaded
load_backend(loaded, name) -> a function from a batch of token ids to logits, n x labels: by torch, by torch with int8
linear layers, or by ONNX Runtime from the folder's file
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.errors import ConfigError, InputError, LabelMapError, MissingError
from lawng.io import file_digest
from lawng.models.find import TORCH_WEIGHTS, FoundModel, find_model
from lawng.models.onnx.runtime import installed, open_session, plain_tokenizer
from lawng.schema.labels import label_columns
from lawng.schema.views import SHORT, VIEWS

NOTE = "lawng.json"
"""What a trained model's folder says of itself: data, options, scores."""
ONNX = "model-int8.onnx"
PACKED = f"{ONNX}.gz"
"""The same, packed, of a model that was made small."""
BACKENDS = ("auto", "torch", "bf16", "int8", "onnx")
_WEIGHTS = (*TORCH_WEIGHTS, ONNX, PACKED)
_LONGEST = 8192

Batch = Sequence[dict[str, list[int]]]
Backend = Callable[[Batch], NDArray[np.float64]]


class Loaded(NamedTuple):
    """All of a model but its weights."""

    name: str
    place: str
    state: str
    tokenizer: Any
    n_labels: int
    columns: tuple[int, ...]
    """Of its outputs, in the order of `LABELS`, or of `TWO_LABELS`; () for a model with one output."""
    window: int
    """Tokens that it reads of a pair, special ones included."""
    temperature: float
    """That its outputs are divided by."""
    least: float = 0.0
    """A side of a smaller probability is left undecided."""
    view: str = SHORT
    """What it was shown in training (`lawng.schema.views`)."""


def load_folder(name: str, role: str, labels: tuple[int, ...] = (3,), plain: bool = False) -> Loaded:
    """A model by folder or Hub name, without its weights.

    `labels` are numbers of outputs that it may have: 3 for NLI, 2 for entailed or not, 1 for relevance. With `plain`
    transformers is left out where the folder has an ONNX file and says all else by itself.

    Raises MissingError when it, its configuration or its weights cannot be had, LabelMapError when it has other labels.
    """
    found = find_model(role, name)
    note = read_note(Path(found.place))
    config, tokenizer = (_plain(Path(found.place)) if plain else None) or (
        _config(found, role),
        _tokenizer(found, role),
    )
    return Loaded(
        found.name,
        found.place,
        found.state,
        tokenizer,
        int(config.num_labels),
        _columns(found.name, role, config, labels),
        window_of(tokenizer, config),
        _number(note, "temperature", 1.0, found.place),
        _number(note, "least", 0.0, found.place),
        _view(note, found.place),
    )


def read_note(folder: Path) -> dict[str, Any]:
    """`lawng.json` of a folder, {} where there is none.

    Raises InputError when it is no JSON, or a file that it gives the SHA-256 of is another one.
    """
    path = folder / NOTE
    if not path.is_file():
        return {}
    try:
        note = dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); train the model again") from error
    for name, digest in note.get("sha256", {}).items():
        if (folder / name).is_file() and file_digest(folder / name) != digest:
            raise InputError(f"{folder / name}: is not the file that {NOTE} tells of; install or train the model again")
    return note


def has_graph(folder: Path) -> bool:
    """Whether a folder has an ONNX file, packed or not, and ONNX Runtime is there to run it."""
    return _has_file(folder) and installed("onnxruntime")


def is_graph_alone(place: str) -> bool:
    """Whether a model's folder has an ONNX file and no weights for torch."""
    return _has_file(Path(place)) and not any(True for pattern in TORCH_WEIGHTS for _ in Path(place).glob(pattern))


def _has_file(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (ONNX, PACKED))


def _plain(folder: Path) -> tuple[Any, Any] | None:
    """Configuration and tokenizer as the files have them, None where these leave anything to transformers."""
    if not has_graph(folder):
        return None
    try:
        given = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        labels = {int(place): str(label) for place, label in given["id2label"].items()}
        names = ("model_type", "max_position_embeddings", "pad_token_id")
        config = SimpleNamespace(id2label=labels, num_labels=len(labels), **{name: given[name] for name in names})
    except (OSError, ValueError, KeyError, AttributeError):
        return None
    tokenizer = plain_tokenizer(folder)
    return (config, tokenizer) if tokenizer else None


def _config(found: FoundModel, role: str) -> Any:
    from transformers import AutoConfig

    folder = Path(found.place)
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise MissingError(f"{role} {found.name}: no config.json in the folder; name a Hugging Face model's folder")
    if folder.is_dir() and not any(True for pattern in _WEIGHTS for _ in folder.glob(pattern)):
        raise MissingError(f"{role} {found.name}: no weights in the folder; name one with model.safetensors")
    with loading(f"{role} {found.name}: config.json cannot be read"):
        return AutoConfig.from_pretrained(found.place)


def _tokenizer(found: FoundModel, role: str) -> Any:
    from transformers import AutoTokenizer

    with loading(f"{role} {found.name}: no tokenizer that can be read"):
        return AutoTokenizer.from_pretrained(found.place)


def _columns(name: str, role: str, config: Any, labels: tuple[int, ...]) -> tuple[int, ...]:
    n = int(config.num_labels)
    if n not in labels:
        hint = "1-label relevance" if labels == (1,) else "3-label NLI"
        wanted = " or ".join(map(str, labels))
        raise LabelMapError(f"{role} {name}: has {n} labels where {wanted} are needed; name a {hint} model")
    if n == 1:
        return ()
    try:
        return label_columns(config.id2label)
    except LabelMapError as error:
        raise LabelMapError(f"{role} {name}: {error}; write its id2label into config.json") from error


_FROM_PADDING = (
    "roberta", "camembert", "mpnet", "longformer", "data2vec-text", "ibert", "luke", "xmod", "lilt", "esm", "markuplm",
    "layoutlmv3",
)  # fmt: skip
"""RoBERTa and its kin count positions from the padding's number on."""


def window_of(tokenizer: Any, config: Any) -> int:
    """Tokens that a model reads of a pair, special ones included: the tokenizer's limit or the positions it has."""
    limits = [int(tokenizer.model_max_length), _LONGEST]
    positions = getattr(config, "max_position_embeddings", None)
    if positions:
        offset = (config.pad_token_id or 0) + 1 if any(kin in config.model_type for kin in _FROM_PADDING) else 0
        limits.append(int(positions) - offset)
    return min(limits)


def _number(note: dict[str, Any], key: str, usual: float, place: str) -> float:
    value = note.get(key, usual)
    if not isinstance(value, int | float) or not (value > 0 or value == usual):
        raise InputError(f"{place}/{NOTE}: {key} {value!r} is no number above 0")
    return float(value)


def _view(note: dict[str, Any], place: str) -> str:
    view = note.get("view", SHORT)
    if view not in VIEWS:
        raise InputError(f"{place}/{NOTE}: view {view!r} is not one of {', '.join(VIEWS)}")
    return str(view)


@contextmanager
def loading(said: str, advice: str = "") -> Iterator[None]:
    """Turn what the libraries raise, of many kinds, all meaning not to be had, into a MissingError with their words."""
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise MissingError(f"{said} ({reason}){advice}") from error


def load_backend(loaded: Loaded, name: str = "auto", threads: int = 0) -> Backend:
    """The backend of a model; `auto` is `onnx` where the folder has the file and ONNX Runtime is there, else `torch`.

    `bf16` is torch with weights of sixteen bits, quicker on a GPU and on a processor that is quick with it (Intel's
    AMX). `threads` are those of ONNX Runtime for one batch, 0 is one a core.

    Raises ConfigError when there is no such backend, MissingError when its file, library or weights are missing.
    """
    if name not in BACKENDS:
        raise ConfigError(f"backend {name!r} is not one of {', '.join(BACKENDS)}")
    if name == "auto":
        # of a model that was made small there is no more than the graph
        name = "onnx" if has_graph(Path(loaded.place)) or (Path(loaded.place) / PACKED).is_file() else "torch"
    return OnnxBackend(loaded, threads) if name == "onnx" else TorchBackend(loaded, name)


def device() -> str:
    """`cuda` where there is a GPU, else `cpu`."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


class TorchBackend:
    """transformers on torch, on the GPU where there is one."""

    def __init__(self, loaded: Loaded, numbers: str = "torch") -> None:
        self._tokenizer = loaded.tokenizer
        self._device = "cpu" if numbers == "int8" else device()
        model = _weights(loaded).eval().to(self._device)
        self._model = _int8(model) if numbers == "int8" else model.bfloat16() if numbers == "bf16" else model

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Logits of a batch."""
        import torch

        padded = self._tokenizer.pad([*batch], return_tensors="pt").to(self._device)
        with torch.inference_mode():
            return np.asarray(self._model(**padded).logits.double().cpu().numpy())


class OnnxBackend:
    """The folder's ONNX file by ONNX Runtime, on the CPU."""

    def __init__(self, loaded: Loaded, threads: int = 0) -> None:
        packed = Path(loaded.place) / PACKED
        path = packed if packed.is_file() else packed.with_name(ONNX)
        if not path.is_file():
            raise MissingError(f"{path}: is not there; use the backend torch, or train the model with onnx installed")
        self._tokenizer = loaded.tokenizer
        self._session = _session(path, threads)
        self.at_once = (os.cpu_count() or 1) if threads == 1 else 1
        """Batches that are best read side by side."""
        self._names = [given.name for given in self._session.get_inputs()]

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Logits of a batch."""
        padded = self._tokenizer.pad([*batch], return_tensors="np")
        given = {name: padded[name].astype(np.int64) for name in self._names}
        return np.asarray(self._session.run(None, given)[0], dtype=np.float64)


def _session(path: Path, threads: int) -> Any:
    try:
        return open_session(path, threads)
    except ModuleNotFoundError:
        raise
    except Exception as error:  # the library raises kinds of its own, all meaning: not a model that it can run
        advice = "install or train the model again" if path.suffix == ".gz" else "use the backend torch"
        raise MissingError(f"{path}: ONNX Runtime cannot run it ({str(error)[:100]}); {advice}") from error


def _weights(loaded: Loaded) -> Any:
    from transformers import AutoModelForSequenceClassification

    with loading(f"model {loaded.name}: its weights cannot be loaded"):
        attention = plain_attention(loaded.place)
        model, report = AutoModelForSequenceClassification.from_pretrained(
            loaded.place, output_loading_info=True, **attention
        )
    if missing := sorted(report["missing_keys"]):
        raise MissingError(
            f"model {loaded.name}: is no trained classifier, it has no {missing[0]}; train one with `lawng train nli`"
        )
    return model


def plain_attention(place: str) -> dict[str, str]:
    """What a model is loaded with so that it attends alike to all texts.

    transformers' BigBird turns from sparse to full attention at the first short batch, and stays so: its answers would
    hang on what came before.
    """
    from transformers import AutoConfig

    sparse = AutoConfig.from_pretrained(place).model_type == "big_bird"
    return {"attention_type": "original_full"} if sparse else {}


def _int8(model: Any) -> Any:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated in favour of torchao, which is not among the dependencies
        return torch.ao.quantization.quantize_dynamic(  # type: ignore[no-untyped-call]
            model, {torch.nn.Linear}, dtype=torch.qint8
        )
