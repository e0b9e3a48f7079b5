"""The folder of an entailment graph written: its typed edges, their means over types, and both without roles.

What goes in and out of the functions is a matrix of scores (scipy's CSR), whose rows and columns are nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lawng.directional.graph import ARRAYS, KIND, NO_ROLES, TYPED, UNTYPED, Array, Node, node_of, words_of
from lawng.io import write_json

T = TypeVar("T")
_ROWS = 200_000
"""Edges whose type pairs are counted at a time."""


def largest(rows: Array, columns: Array, scores: Array, n: int) -> Any:
    """Edges between n nodes as a matrix (n, n), of several between the same two nodes the best; none to itself."""
    from scipy.sparse import csr_array

    keys = np.where(rows == columns, -1, rows.astype(np.int64) * n + columns)
    order = np.lexsort((-scores, keys))
    kept, first = np.unique(keys[order], return_index=True)
    kept, first = kept[kept >= 0], first[kept >= 0]
    edges = csr_array((scores[order][first].astype(np.float32), (kept // n, kept % n)), shape=(n, n))
    edges.sort_indices()
    return edges


def in_order(numbers: dict[T, int]) -> tuple[list[T], Array]:
    """What is numbered from 0, sorted, and the place there by its number.

    >>> in_order({"b": 0, "a": 1})
    (['a', 'b'], array([1, 0]))
    """
    ordered = sorted(numbers)  # type: ignore[type-var]
    places = np.empty(len(ordered), np.int64)
    places[[numbers[one] for one in ordered]] = np.arange(len(ordered))
    return ordered, places


def write_graph(folder: Path, names: Sequence[str], edges: Any, facts: dict[str, Any]) -> None:
    """Write the layers of a graph and, last, its manifest; `names` are those of the matrix' rows."""
    nodes = [node_of(name) for name in names]
    _write_layer(folder / TYPED, list(map(str, nodes)), edges)
    _write_layer(folder / UNTYPED, *_means(nodes, edges))
    merged = [Node(words_of(node.predicate), node.types) for node in nodes]
    roles = merged != nodes
    if roles:
        kept = sorted(set(merged), key=str)
        at = {node: row for row, node in enumerate(kept)}
        to, found = np.array([at[node] for node in merged]), edges.tocoo()
        best = largest(to[found.row], to[found.col], found.data, len(kept))
        _write_layer(folder / (TYPED + NO_ROLES), list(map(str, kept)), best)
        _write_layer(folder / (UNTYPED + NO_ROLES), *_means(kept, best))
    graphs = len({frozenset((node.types, node.swapped)) for node in nodes})
    sizes = {"nodes": len(nodes), "edges": int(edges.nnz), "type_pairs": graphs, "roles": roles}
    write_json(folder / "manifest.json", {"kind": KIND, **sizes, **facts})


def _write_layer(folder: Path, names: list[str], edges: Any) -> None:
    folder.mkdir(exist_ok=True)
    pq.write_table(pa.table({"name": pa.array(names, pa.large_string())}), folder / "names.parquet", compression="zstd")
    for (name, kind), array in zip(ARRAYS.items(), (edges.indptr, edges.indices, edges.data), strict=True):
        np.save(folder / f"{name}.npy", array.astype(kind))


def _means(nodes: Sequence[Node], edges: Any) -> tuple[list[str], Any]:
    """The predicates, and the mean score of each two over the type pairs whose graph has both, without an edge 0.

    Shape (n, 2n): column 2q is predicate q with the arguments in the premise's order, 2q + 1 with them exchanged. Of
    two equal types, where each edge stands twice, one order of the premise counts.
    """
    from scipy.sparse import csr_array

    names = sorted({node.predicate for node in nodes})
    in_order, in_other_order = [node.types for node in nodes], [node.swapped for node in nodes]
    kinds = {types: at for at, types in enumerate(sorted({*in_order, *in_other_order}))}
    rows = {name: row for row, name in enumerate(names)}
    predicate = np.array([rows[node.predicate] for node in nodes])
    types, swapped = (np.array([kinds[t] for t in row]) for row in (in_order, in_other_order))
    once = ~np.array([node.mirrored for node in nodes])
    found = edges.tocoo()
    exchanged = (types[found.row] == swapped[found.col]) & (types[found.row] != types[found.col])
    kept = once[found.row] & ((types[found.row] == types[found.col]) | exchanged)
    columns = 2 * predicate[found.col] + exchanged
    size = len(names), 2 * len(names)
    sums = csr_array((found.data[kept].astype(float), (predicate[found.row[kept]], columns[kept])), shape=size)
    sums.sum_duplicates()
    sums.sort_indices()
    premises = _members(predicate[once], types[once], (size[0], len(kinds)))
    both = np.concatenate((2 * predicate, 2 * predicate + 1)), np.concatenate((types, swapped))
    sums.data /= _shared(premises, _members(*both, (size[1], len(kinds))), sums.tocoo())
    return names, sums


def _members(rows: Array, columns: Array, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape)


def _shared(premises: Any, hypotheses: Any, edges: Any) -> Array:
    """Of each edge, in how many type pairs both of its predicates stand."""
    blocks = (slice(start, start + _ROWS) for start in range(0, edges.nnz, _ROWS))
    found = [premises[edges.row[some]].multiply(hypotheses[edges.col[some]]).sum(axis=1) for some in blocks]
    return np.concatenate([np.zeros(0), *found])
