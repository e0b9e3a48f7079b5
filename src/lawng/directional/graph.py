"""Entailment graphs as folders of memory-mapped arrays, and the look-up of many pairs of predicates at once.

A node is a predicate with the types of its arguments in the order of its arguments, `buy#ORG#PERSON`; the types of a
graph have no order, so `be sell by#PERSON#ORG` stands in the same one. Where both types are equal, `ORG_1` and `ORG_2`
tell which argument is which (Hosseini et al. 2018). A folder has the layers `typed` and `untyped` and, where predicates
bear roles of arguments as in `(be.1,be.location.in.2)`, both once more without them (Li et al. 2022, appendix G).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lawng.errors import InputError, MissingError
from lawng.extras import explained
from lawng.io.atomic_io import read_json
from lawng.io.parquet import reading

KIND = "entailment graph 1"
"""What the manifest of a folder says of itself, with the version of the format."""
TYPED, UNTYPED = "typed", "untyped"
NO_ROLES = "-no-roles"
"""What the names of layers without roles of arguments end in."""
ARRAYS = {"indptr": "int64", "indices": "int32", "scores": "float32"}
_AT_ONCE = 5_000_000
"""Pairs that are looked up at a time, which bounds the memory."""
_ROLES = re.compile(r"\((.+)\.\d+,(.+)\.\d+\)")

Array = np.ndarray[Any, np.dtype[Any]]


class Node(NamedTuple):
    """A predicate with its arguments' types, `ORG#GPE`, or without them."""

    predicate: str
    types: str = ""

    @property
    def swapped(self) -> str:
        """The types in the other order."""
        return "#".join(reversed(self.types.split("#")))

    @property
    def mirrored(self) -> bool:
        """Whether it is one of two equal types, with the arguments exchanged: `ORG_2#ORG_1`."""
        first, _, second = self.types.partition("#")
        return first.endswith("_2") and second == f"{first[:-1]}1"

    def __str__(self) -> str:
        return "#".join(filter(None, self))


def node_of(text: str) -> Node:
    """A node by its name; equal types that are not told apart are in order.

    Raises InputError when it is neither `PREDICATE` nor `PREDICATE#TYPE#TYPE`.

    >>> str(node_of("buy#ORG#ORG")), node_of("buy")
    ('buy#ORG_1#ORG_2', Node(predicate='buy', types=''))
    """
    predicate, *types = text.split("#")
    if not all((predicate, *types)) or len(types) not in (0, 2):
        raise InputError(f"{text!r}: is no predicate; write buy, or with types buy#ORG#GPE")
    if len(set(types)) == 1:
        types = [f"{types[0]}_1", f"{types[0]}_2"]
    return Node(predicate, "#".join(types))


def words_of(predicate: str) -> str:
    """The words of a predicate of a published graph, without the roles of its arguments; other predicates as they are.

    >>> words_of("(be.1,be.location.in.2)"), words_of("NEG__(go.1,go.to.2)"), words_of("play game with")
    ('be location in', 'NEG__go to', 'play game with')
    """
    mark, parted, form = predicate.rpartition("__")
    found = _ROLES.fullmatch(form)
    if not found:
        return predicate
    parts = sorted((one.replace(".", " ") for one in found.groups()), key=len)
    words = parts[1] if f"{parts[1]} ".startswith(f"{parts[0]} ") else " ".join(parts)
    return f"{mark}{parted}{words}"


@dataclass(frozen=True)
class Layer:
    """Edges as compressed sparse rows: of row r the columns are `indices[indptr[r]:indptr[r + 1]]`, ascending."""

    folder: Path
    names: list[str]
    indptr: Array
    indices: Array
    scores: Array

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The layer in a folder. Raises InputError when it is damaged."""
        file = folder / "names.parquet"
        if not file.is_file():
            raise InputError(f"{file}: is missing; make the graph again")
        with reading(file):
            names = pq.read_table(file)["name"].to_pylist()
        try:
            arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS}
        except (ValueError, EOFError) as error:
            raise _damaged(folder) from error
        layer = cls(folder, names, **arrays)
        if {name: str(array.dtype) for name, array in arrays.items()} != ARRAYS or not layer._whole():
            raise _damaged(folder)
        return layer

    def _whole(self) -> bool:
        """Whether the arrays fit together and columns ascend within each row, as bisection needs.

        Some 0.05 s for 12 million edges.
        """
        starts, n = self.indptr, len(self.indices)
        if len(starts) != len(self.names) + 1 or starts[0] != 0 or not starts[-1] == n == len(self.scores):
            return False
        if (np.diff(starts) < 0).any():
            return False
        ascends = self.indices[1:] > self.indices[:-1]
        ascends[starts[(starts > 0) & (starts < n)] - 1] = True
        return bool(ascends.all())

    @cached_property
    def ids(self) -> dict[str, int]:
        """The row of each name."""
        return {name: row for row, name in enumerate(self.names)}

    def find(self, rows: Array, columns: Array) -> Array:
        """The scores of edges, 0 where there is none or a row or column is negative: all rows bisected at once.

        Raises InputError for a score outside [0, 1] or a column that names nothing, as only a damaged file has.
        """
        if not len(self.indices):
            return np.zeros(len(rows), "float32")
        asked = (rows >= 0) & (columns >= 0)
        low = self.indptr[np.where(asked, rows, 0)]
        end = np.where(asked, self.indptr[np.where(asked, rows, 0) + 1], low)
        high, last = end, len(self.indices) - 1
        while (low < high).any():
            middle = (low + high) // 2
            right = (low < high) & (self.indices[np.minimum(middle, last)] < columns)
            low, high = np.where(right, middle + 1, low), np.where(right, high, middle)
        at = np.minimum(low, last)
        return np.where((low < end) & (self.targets(at) == columns), self.checked(at), np.float32(0))

    def checked(self, at: Array | slice) -> Array:
        """Scores by their places. Raises InputError when one is outside [0, 1] or no number."""
        found = self.scores[at]
        if not ((found >= 0) & (found <= 1)).all():
            raise _damaged(self.folder)
        return found

    def targets(self, at: Array | slice) -> Array:
        """Columns by their places. Raises InputError when one names nothing."""
        found = self.indices[at]
        width = len(self.names) * (2 if self.folder.name.startswith(UNTYPED) else 1)
        if not ((found >= 0) & (found < width)).all():
            raise _damaged(self.folder)
        return found


def _damaged(folder: Path) -> InputError:
    return InputError(f"{folder}: damaged (its arrays do not fit together, or a score is none); make the graph again")


class _Asked(NamedTuple):
    """Names that are asked for, as numbers; -1 is not there."""

    typed: Array
    untyped: Array
    word: Array
    types: Array
    swapped: Array


class Graph:
    """An entailment graph that is looked up; open it by `Graph.open`."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        with_roles = TYPED, UNTYPED
        without = (TYPED + NO_ROLES, UNTYPED + NO_ROLES) if manifest.get("roles") else with_roles
        self._layers = {name: Layer.open(folder / name) for name in {*with_roles, *without}}
        self._named = {True: with_roles, False: without}

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """A graph by its folder; its arrays stay on disk.

        Raises MissingError when there is none, InputError when it is damaged.
        """
        place = Path(folder)
        if not (place / "manifest.json").is_file():
            raise MissingError(f"{place}: no entailment graph here; make one with lawng graph build")
        manifest = read_json(place / "manifest.json")
        if manifest.get("kind") != KIND:
            raise InputError(f"{place}: its manifest is not that of an entailment graph of this version")
        try:
            return cls(place, manifest)
        except FileNotFoundError as error:
            raise InputError(f"{error.filename}: is missing; make the graph again") from error

    def score(self, premise: str, hypothesis: str, *, roles: bool = True, backoff: bool = True) -> float:
        """How far a premise entails a hypothesis, in [0, 1]; as `scores`."""
        return float(self.scores([(premise, hypothesis)], roles=roles, backoff=backoff)[0])

    def knows(self, text: str, *, roles: bool = True) -> bool:
        """Whether a node, or a predicate without types, is in the graph; without `roles` one of its words."""
        layer, name = self._at(text, roles)
        return name in layer.ids

    def _at(self, text: str, roles: bool) -> tuple[Layer, str]:
        """The layer where a node, or a predicate without types, would be, and its name there."""
        node, (typed, untyped) = node_of(text), self._named[roles]
        name = Node(node.predicate if roles else words_of(node.predicate), node.types)
        return self._layers[typed if node.types else untyped], str(name)

    def scores(self, pairs: Sequence[tuple[str, str]], *, roles: bool = True, backoff: bool = True) -> Array:
        """How far each premise entails its hypothesis: floats in [0, 1] of shape (n,), 0 where nothing is known.

        The two are nodes, or predicates without types. The edge of their typed graph is the score. Where that graph
        lacks one of them, or there are no types, it is the mean over all type pairs whose graph has both, without an
        edge 0; not so if `backoff` is false. A predicate entails itself by 1. Without `roles` predicates are told
        apart by their words alone, and the best edge counts (Li et al. 2022, appendix G).
        Raises InputError for what is no predicate, or when a score read is damaged.
        """
        parts = (pairs[start : start + _AT_ONCE] for start in range(0, len(pairs), _AT_ONCE))
        found = (self._scores(part, roles, backoff) for part in parts)
        return np.concatenate([np.zeros(0, "float32"), *found])

    def _scores(self, pairs: Sequence[tuple[str, str]], roles: bool, backoff: bool) -> Array:
        typed, untyped = (self._layers[name] for name in self._named[roles])
        p, q = self._asked([text for pair in pairs for text in pair], typed, untyped, roles)
        exchanged = (p.types == q.swapped) & (p.types != q.types)
        found = typed.find(p.typed, q.typed)
        if backoff:
            elsewhere = (p.typed < 0) | (q.typed < 0) | ((p.types != q.types) & ~exchanged)
            columns = np.where(q.untyped < 0, -1, 2 * q.untyped + exchanged)[elsewhere]
            found[elsewhere] = untyped.find(p.untyped[elsewhere], columns)
        found[(p.word == q.word) & ~exchanged] = 1
        return found

    def _asked(self, texts: list[str], typed: Layer, untyped: Layer, roles: bool) -> tuple[_Asked, _Asked]:
        """Premises and hypotheses, which alternate; a text that recurs is read once."""
        encoded = pa.array(texts, pa.large_string()).dictionary_encode()
        codes, numbers = encoded.indices.to_numpy(), dict[str, int]()
        rows = []
        for node in map(node_of, encoded.dictionary.to_pylist()):
            word = node.predicate if roles else words_of(node.predicate)
            named = (f" {word}", node.types, node.swapped)  # a blank: a predicate may be called as a type is
            found = typed.ids.get(f"{word}#{node.types}", -1), untyped.ids.get(word, -1)
            rows.append((*found, *(numbers.setdefault(one, len(numbers)) for one in named)))
        table = np.array(rows, np.int64).T
        return _Asked(*table[:, codes[::2]]), _Asked(*table[:, codes[1::2]])

    def entailed(self, premise: str, k: int = 10, *, roles: bool = True) -> list[tuple[str, float]]:
        """The k hypotheses that a premise entails most, best first; a premise without types over all type pairs.

        Of the latter those are marked "(exchanged)" whose arguments stand in the other order. Without `roles` by words.
        """
        layer, name = self._at(premise, roles)
        row = layer.ids.get(name)
        if row is None:
            return []
        among = slice(int(layer.indptr[row]), int(layer.indptr[row + 1]))
        scores, columns = layer.checked(among), layer.targets(among)
        best = np.lexsort((columns, -scores))[:k]
        places = [(int(columns[at]), 0) if "#" in name else divmod(int(columns[at]), 2) for at in best]
        names = [layer.names[row] + " (exchanged)" * exchanged for row, exchanged in places]
        return list(zip(names, map(float, scores[best]), strict=True))

    def strongest(self, k: int = 10) -> Iterator[tuple[str, str, float]]:
        """The k strongest edges between typed nodes: premise, hypothesis, score; of equal types in one order alone."""
        layer = self._layers[TYPED]
        once = np.array([not node_of(name).mirrored for name in layer.names], bool)
        rows = np.repeat(np.arange(len(layer.names)), np.diff(layer.indptr))
        best = np.argsort(-layer.checked(slice(None)), kind="stable")
        best = best[once[rows[best]]][:k]
        for row, column, score in zip(rows[best], layer.targets(best), layer.scores[best], strict=True):
            yield layer.names[row], layer.names[column], float(score)


@explained()
def open_graph(folder: str | Path) -> Graph:
    """An entailment graph, to be looked up.

    Raises MissingError when there is none, InputError when it is damaged.
    """
    return Graph.open(folder)
