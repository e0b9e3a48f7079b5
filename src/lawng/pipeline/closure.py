"""What code a step runs: the files of lawng that its module imports, directly or through others."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
_DATA = frozenset({".json", ".toml", ".csv", ".txt"})


def import_closure(module: str, package: Path = PACKAGE) -> list[Path]:
    """The files of a module and of all that it imports of its package, sorted; imports inside functions count too.

    Read from the source, so nothing is run. Left out are other packages, imports for type checkers alone, names that
    a program puts together (`import_module`), and the package's own `__init__`, which offers all rooms lazily.

    >>> "io/parquet.py" in {file.relative_to(PACKAGE).as_posix() for file in import_closure("lawng.pipeline.units")}
    True
    """
    found: dict[str, Path] = {}
    queue = [module]
    while queue:
        name = queue.pop()
        file = _file_of(name, package)
        if file is not None and name not in found:
            found[name] = file
            queue += _parents(name)
            queue += [parent for other in _imported(file) for parent in (other, *_parents(other))]
    return sorted(found.values())


@cache
def code_digest(module: str, package: Path = PACKAGE) -> str:
    """SHA-256 over names and bytes of the files in a module's import closure: changed code runs again.

    Weights and tables that lie beside these files count as code.
    """
    total = hashlib.sha256()
    files = import_closure(module, package)
    beside = {data for folder in {file.parent for file in files} for data in folder.iterdir() if data.suffix in _DATA}
    for file in sorted({*files, *beside}):
        total.update(f"{file.relative_to(package).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return total.hexdigest()


def _parents(name: str) -> list[str]:
    """The packages whose `__init__` runs before the module: "lawng.io" for "lawng.io.parquet"."""
    parts = name.split(".")
    return [".".join(parts[:n]) for n in range(2, len(parts))]


def _file_of(name: str, package: Path) -> Path | None:
    first, *rest = name.split(".")
    if first != package.name or not rest:
        return None
    place = package.joinpath(*rest)
    return next((file for file in (place / "__init__.py", place.with_name(f"{place.name}.py")) if file.is_file()), None)


def _imported(file: Path) -> Iterator[str]:
    queue: list[ast.AST] = [ast.parse(file.read_bytes())]
    while queue:
        node = queue.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            queue += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)  # a name may be a module
        queue += ast.iter_child_nodes(node)
