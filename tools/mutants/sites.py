"""Where a file can be mutated, by cosmic-ray's operators, and the sample that a seed takes of a room."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

_ORDER = "(Eq|NotEq|Lt|LtE|Gt|GtE)"
_LEFT_OUT = re.compile(
    rf"NoOp|Variable|_(Pow|[LR]Shift|BitXor)$|(Add|Sub|Mul|Div|Mod)_Bit|Bit(Or|And)_[^B]|{_ORDER}_Is|_Is(Not)?_{_ORDER}$"
)
"""Operators that do nothing or want arguments, and replacements that nobody writes by mistake and any test sees."""
_TALK = re.compile(r"^(log|logger|logging|_log|warnings|progress)\b")

Place = tuple[int, int]
_Way = tuple[str, int, str, int]
"""Rank by the seed, line, operator, and the how-manieth of it in the file."""


@dataclass(frozen=True)
class Mutant:
    """One file as one mutation leaves it."""

    room: str
    file: str
    operator: str
    occurrence: int
    line: int
    was: str
    now: str
    code: str
    tests: tuple[str, ...] = ()
    """The tests to run, where they are named."""

    @property
    def diff(self) -> str:
        """The lines that change."""
        return f"{self.file}:{self.line}\n  - {self.was}\n  + {self.now}"


def digest(*parts: str) -> str:
    """SHA-256 of texts."""
    return sha256("\0".join(parts).encode()).hexdigest()


def sample(room: str, files: Iterable[Path], n: int, seed: int, silent: str = "(?!)") -> list[Mutant]:
    """At most `n` mutants of a room, one a place; a seed chooses the same whatever changes elsewhere in the files.

    Lines in which the pattern `silent` is found are left alone.
    """
    places: dict[tuple[str, Place], list[_Way]] = {}
    sources = {str(path): path.read_text(encoding="utf-8") for path in files}
    for name, source in sources.items():
        for place, line, operator, occurrence in _sites(source, re.compile(silent)):
            rank = digest(str(seed), name, line, str(place[1]), operator)
            places.setdefault((name, place), []).append((rank, place[0], operator, occurrence))
    chosen: list[Mutant] = []
    for (name, _), ways in sorted(places.items(), key=lambda item: (min(item[1]), item[0])):
        if len(chosen) == n:
            break
        made = (_mutant(room, name, sources[name], way) for way in sorted(ways))
        chosen.extend(mutant for mutant in (next(filter(None, made), None),) if mutant)
    return chosen


def planted(entry: dict[str, str | list[str]], root: Path, at: int) -> Mutant | None:
    """A fault of the table of planted ones; None where what it replaces is not once in its file any more."""
    name, was, now = (str(entry[key]).strip("\n") for key in ("file", "original", "planted"))
    source = (root / name).read_text(encoding="utf-8") if (root / name).is_file() else ""
    if source.count(was) != 1:
        return None
    line = source[: source.index(was)].count("\n") + 1
    return Mutant("planted", name, "planted", at, line, was, now, source.replace(was, now), tuple(entry["tests"]))


def _sites(source: str, quiet: re.Pattern[str]) -> Iterator[tuple[Place, str, str, int]]:
    """Each mutation that means something: its place, its line, the operator, and the how-manieth of it in the file."""
    lines = source.splitlines()
    nodes = list(ast_nodes(get_ast(source)))
    silent = list(_silent(ast.parse(source), lines))
    for name in operator_names():
        if _LEFT_OUT.search(name):
            continue
        operator = get_operator(name)()
        positions = (start for node in nodes for start, _ in operator.mutation_positions(node))
        for occurrence, place in enumerate(positions):
            line = lines[place[0] - 1]
            if not quiet.search(line) and not any(start <= place < end for start, end in silent):
                yield place, line, name, occurrence


def _silent(tree: ast.AST, lines: list[str]) -> Iterator[tuple[Place, Place]]:
    """Stretches in which a mutation changes no behaviour: annotations, what only type checkers read, talk."""
    for node in ast.walk(tree):
        quiet: ast.AST | None = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            quiet = node if node.name in {"__repr__", "__rich__"} else node.returns
        elif isinstance(node, ast.arg | ast.AnnAssign):
            quiet = node.annotation
        elif (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")) or (
            isinstance(node, ast.Call) and _TALK.match(ast.unparse(node.func))
        ):
            quiet = node
        if isinstance(quiet, ast.stmt | ast.expr):
            end = quiet.end_lineno or quiet.lineno, quiet.end_col_offset or 0
            yield _place(lines, quiet.lineno, quiet.col_offset), _place(lines, *end)


def _place(lines: list[str], line: int, offset: int) -> Place:
    """Python counts bytes of a line, cosmic-ray's parser characters."""
    return line, len(lines[line - 1].encode()[:offset].decode())


def _mutant(room: str, name: str, source: str, way: _Way) -> Mutant | None:
    """None where nothing changes or no Python comes out."""
    _, line, operator, occurrence = way
    code = mutate_code(source, get_operator(operator)(), occurrence)
    try:
        if code is None or ast.dump(ast.parse(code)) == ast.dump(ast.parse(source)):
            return None
    except SyntaxError:
        return None
    changed = [text for text in difflib.ndiff(source.splitlines(), code.splitlines()) if text[0] in "-+"]
    was, now = (" / ".join(text[2:].strip() for text in changed if text[0] == sign) for sign in "-+")
    return Mutant(room, name, operator, occurrence, line, was, now, code)
