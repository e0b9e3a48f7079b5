"""Imports point one way, and `import lawng` is quick and light."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import lawng

SOURCE = Path(lawng.__file__).parent
ORDER = (
    "base",
    "schema",
    "text",
    "io",
    "pipeline",
    "corpus",
    "citation",
    "treatment",
    "datasets",
    "models",
    "evaluation",
    "index",
    "reports",
    "lawngnli",
    "search",
    "clauses",
    "directional",
    "annotation",
    "studies",
    "api",
    "__init__",
    "web",
    "cli",
)
BASE = {"errors", "config", "extras"}
HEAVY = {"torch", "spacy", "daft", "matplotlib", "eyecite", "faiss", "transformers", "sentence_transformers", "ray"}
ADAPTERS = {"eyecite": "citation", "daft": "pipeline", "ray": "pipeline", "hyperscan": "citation"}
"""Libraries that one room alone knows."""


def room_of(parts: tuple[str, ...]) -> str:
    return "base" if parts[0] in BASE else parts[0]


@cache
def imports_of(path: Path) -> list[tuple[str, bool]]:
    """Dotted names that a file imports, each with whether it does so as soon as it is imported itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {
        id(node) for function in ast.walk(tree) if isinstance(function, ast.FunctionDef) for node in ast.walk(function)
    }
    typing = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    found = []
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [_module(node.module, alias.name) for alias in node.names]
        found += [(name, id(node) not in inner | typing) for name in names]
    return found


def _module(package: str, name: str) -> str:
    """What `from package import name` imports: a module of the package, or something in it."""
    place = SOURCE.parent / package.replace(".", "/") / name
    return (
        f"{package}.{name}" if package == "lawng" or place.is_dir() or place.with_suffix(".py").is_file() else package
    )


FILES = sorted(SOURCE.rglob("*.py"))


def test_imports_point_one_way() -> None:
    wrong = []
    for path in FILES:
        room = room_of(path.relative_to(SOURCE).with_suffix("").parts)
        for name, _ in imports_of(path):
            if name.startswith("lawng.") and not name.startswith("lawng.__"):
                other = room_of(tuple(name.split(".")[1:]))
                if ORDER.index(other) > ORDER.index(room):
                    wrong.append(f"{path.relative_to(SOURCE)} imports {name}")
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Neither as they are imported, nor within functions, nor for types; the tests' own modules are among them."""
    tests = Path(__file__).parent
    names = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for path in FILES}
    modules = {name.removesuffix(".__init__"): path for name, path in names.items()}
    modules |= {path.stem: path for path in tests.rglob("*_*.py") if not path.stem.startswith("test_")}

    def targets(path: Path) -> set[str]:
        return {name for name, _ in imports_of(path) if name in modules and modules[name] != path}

    TopologicalSorter({name: targets(path) for name, path in modules.items()}).prepare()  # raises CycleError


def test_some_libraries_are_known_to_one_room_only() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in FILES
        for name, _ in imports_of(path)
        if (room := ADAPTERS.get(name.partition(".")[0])) and path.relative_to(SOURCE).parts[0] != room
    ]
    assert wrong == []


def test_importing_lawng_is_quick_and_light() -> None:
    code = "import sys; before = len(sys.modules); import lawng, lawng.schema, lawng.errors, lawng.schema.labels, lawng.config;"
    code += "print(len(sys.modules) - before); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    number, names = run.stdout.splitlines()
    assert HEAVY & set(names.split()) == set()
    assert int(number) < 150, "modules, a millisecond each at most; seconds depend on the machine"


def test_the_command_line_starts_without_models() -> None:
    code = "import sys, lawng.cli; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(run.stdout.split()) == set()
