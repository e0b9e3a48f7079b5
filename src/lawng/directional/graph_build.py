"""Entailment graphs of relations: predicates are compared by the pairs of arguments that they share.

Each pair of arguments is a feature of a predicate, weighed by pointwise mutual information; BInc, the score by default,
is the geometric mean of Lin's similarity and Weeds' precision (Szpektor and Dagan 2008; Hosseini et al. 2018).
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lawng.corpus.archives import READING, open_packed
from lawng.corpus.decoding import values_of
from lawng.directional.graph import TYPED, Array, Graph
from lawng.directional.graph_store import in_order, largest, write_graph
from lawng.directional.records import Relation
from lawng.errors import ConfigError, InputError, MissingError
from lawng.extras import explained
from lawng.io import TableWriter, atomic_folder, check_inputs, iter_records
from lawng.io.atomic_io import check_place
from lawng.schema import Reject

SCORES = ("binc", "lin", "weeds")
_ROWS = 256
"""Premises that are compared with all hypotheses at a time: no matrix of all pairs is ever made."""
_NEEDED = {field.name for field in fields(Relation) if field.default is MISSING}


@dataclass(frozen=True)
class GraphOptions:
    """How a graph is made. Raises ConfigError for a value that cannot be."""

    score: str = "binc"
    """The score of an edge: one of `SCORES`."""
    min_predicates: int = 3
    """Pairs of arguments with fewer predicates are left out first, as in Hosseini et al. 2018."""
    min_pairs: int = 3
    """Then predicates with fewer pairs of arguments."""
    best: int = 200
    """The most edges that leave a node."""
    threshold: float = 0.01
    """The least score of an edge."""

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise ConfigError(f"score: {self.score!r} is none of {', '.join(SCORES)}")
        if min(self.min_predicates, self.min_pairs, self.best) < 1 or not 0 < self.threshold <= 1:
            raise ConfigError("min_predicates, min_pairs and best are at least 1, threshold is above 0 and at most 1")


@explained()
def build_graph(
    relations: str | Path | Iterable[Relation], output: str | Path, *, replace_other: bool = False, **options: Any
) -> Graph:
    """Make an entailment graph of relations, records or a file of `lawng relations`; those not asserted do not count.

    `options` are fields of `GraphOptions`. What is no relation between two arguments is in `rejects.parquet`. The same
    relations, in whatever order, give the same bytes.
    Raises ConfigError for an option that cannot be, MissingError when there is no such file, InputError when it cannot
    be read, has no relation or leaves no predicate, or a graph of other relations is in the folder.
    """
    how, folder = GraphOptions(**options), Path(output)
    check_place(folder, TYPED, "entailment graph")
    with atomic_folder(folder) as partial:
        counts: Counter[str] = Counter()
        with TableWriter(partial / "rejects.parquet", Reject) as rejects:
            read = read_relations(Path(relations)) if isinstance(relations, str | Path) else relations
            table = _table(_asserted(read, counts, rejects))
        if isinstance(relations, str | Path) and counts["relations"] == counts["not-a-relation"]:
            said = f"none of its {counts['relations']:,} rows is a relation"
            raise InputError(f"{relations}: not a file of relations ({said}); make one with lawng relations -o")
        inputs = table.digest()
        if not replace_other:
            check_inputs(folder / "manifest.json", inputs, "a graph of something else")
        weights, names = _weights(table, how)
        facts = {"made_by": "lawng graph build", "inputs": inputs, "options": asdict(how)}
        write_graph(partial, names, edges_of(weights, how), {**facts, "counts": dict(sorted(counts.items()))})
    return Graph.open(folder)


def read_relations(path: Path) -> Iterator[Relation | Reject]:
    """The relations of a Parquet file or of JSON lines, and a reject for each line that is none.

    Raises MissingError when there is no such file, InputError when it cannot be read.
    """
    if not path.is_file():
        raise MissingError(f"{path}: no file of relations; make one with lawng relations -o")
    try:
        if path.suffix == ".parquet":
            yield from iter_records(path, Relation)
            return
        with open_packed(path) as stream:
            for found in values_of(stream):
                yield _relation(found.value, f"{path.name}:{found.place}")
    except (*READING, InputError) as error:
        raise InputError(f"{path}: not a file of relations ({error}); make one with lawng relations -o") from error


def _relation(value: Any, place: str) -> Relation | Reject:
    if not isinstance(value, dict) or not value.keys() >= _NEEDED:
        said = str(value) if isinstance(value, Exception) else f"it needs {', '.join(sorted(_NEEDED))}"
        return Reject("relations", place, "not-a-relation", said[:300], place)
    return Relation(**{field.name: value[field.name] for field in fields(Relation) if field.name in value})


def _asserted(read: Iterable[Relation | Reject], counts: Counter[str], rejects: TableWriter) -> Iterator[Relation]:
    for one in read:
        counts["relations"] += 1
        found = one if isinstance(one, Reject) else _wrong(one)
        if found is not None:
            counts[found.reason] += 1
            rejects.write(found)
        elif isinstance(one, Relation):
            counts["asserted" if one.asserted else "not asserted"] += 1
            yield from (one,) if one.asserted else ()


def _wrong(one: Relation) -> Reject | None:
    reason = ""
    texts = one.subject, one.predicate, one.object, one.subject_type, one.object_type
    if not all(isinstance(text, str) and text.strip() for text in texts):
        reason = "empty-argument"
    elif any("#" in text for text in (one.predicate, one.subject_type, one.object_type)):
        reason = "mark-in-predicate"
    elif one.subject == one.object:
        reason = "argument-with-itself"
    place = f"{one.document_id}@{one.sentence_start}"
    return Reject("relations", place, reason, " | ".join(map(str, texts)), place) if reason else None


def _mentions(one: Relation) -> tuple[tuple[str, tuple[str, str, str]], ...]:
    """The node and the feature of a relation; of equal types two, the second with the arguments exchanged."""
    first, second = one.subject_type, one.object_type
    there, back = one.arguments, one.arguments[::-1]
    if first != second:
        types, pair = (f"{first}#{second}", there) if first < second else (f"{second}#{first}", back)
        return ((f"{one.predicate}#{first}#{second}", (types, *pair)),)
    numbered = f"{one.predicate}#{first}_1#{first}_2", f"{one.predicate}#{first}_2#{first}_1"
    return (numbered[0], (first, *there)), (numbered[1], (first, *back))


class _Table(NamedTuple):
    """How often each node is said of each pair of arguments, shape (n, m).

    Nodes and pairs are sorted, so that sums of floats do not hang on the order of the relations.
    """

    names: list[str]
    pairs: list[tuple[str, str, str]]
    """Types of the graph, and the arguments in the order of its types."""
    counts: Any

    def digest(self) -> str:
        """What tells the evidence of a graph from another's."""
        whole = hashlib.sha256()
        for one in (*self.names, *self.pairs):
            whole.update(repr(one).encode())
        for numbers in (self.counts.indptr, self.counts.indices, self.counts.data):
            whole.update(numbers.tobytes())
        return whole.hexdigest()


def _table(relations: Iterable[Relation]) -> _Table:
    from scipy.sparse import csr_array

    nodes, features = dict[str, int](), dict[tuple[str, str, str], int]()
    rows, columns = array("i"), array("i")
    for node, pair in (mention for one in relations for mention in _mentions(one)):
        rows.append(nodes.setdefault(node, len(nodes)))
        columns.append(features.setdefault(pair, len(features)))
    names, row_of = in_order(nodes)
    pairs, column_of = in_order(features)
    places = row_of[rows], column_of[columns]
    counts = csr_array((np.ones(len(rows)), places), shape=(len(names), len(pairs)))
    counts.sum_duplicates()
    return _Table(names, pairs, counts)


def _weights(table: _Table, how: GraphOptions) -> tuple[Any, list[str]]:
    """Positive pointwise mutual information of nodes and pairs of arguments (n, m), and the names of the nodes."""
    names, pairs, counts = table
    often = (counts > 0).sum(axis=0) >= how.min_predicates
    counts, pairs = counts[:, often], [pair for pair, kept in zip(pairs, often, strict=True) if kept]
    full = (counts > 0).sum(axis=1) >= how.min_pairs
    counts, names = counts[full], [name for name, kept in zip(names, full, strict=True) if kept]
    if not names:
        said = f"{int(table.counts.sum()):,} mentions of {len(table.names):,} typed predicates"
        raise InputError(f"no predicate has enough pairs of arguments ({said}); lower --min-predicates or --min-pairs")
    return _information(counts, np.unique([pair[0] for pair in pairs], return_inverse=True)[1]), names


def _information(counts: Any, graph: Array) -> Any:
    """Pointwise mutual information, where it is positive; probabilities are those of a pair's typed graph."""
    of_node, of_pair = counts.sum(axis=1), counts.sum(axis=0)
    of_graph = np.bincount(graph, of_pair)[graph]
    found = counts.tocoo()
    expected = of_node[found.row] * of_pair[found.col] / of_graph[found.col]
    found.data = np.maximum(np.log(found.data / expected), 0)
    weights = found.tocsr()
    weights.eliminate_zeros()
    weights.sort_indices()
    return weights


def edges_of(weights: Any, how: GraphOptions) -> Any:
    """The edges between nodes by their weighted features (n, m), as a matrix (n, n); the best of each node."""
    compared, starts = Compared(weights), range(0, weights.shape[0], _ROWS)
    blocks = [_best(compared.similarities(start, start + _ROWS, how.score), start, how) for start in starts]
    rows, columns, scores = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return largest(rows, columns, scores, weights.shape[0])


class Compared:
    """Nodes by their weighted features, shape (n, m), as they are compared with each other."""

    def __init__(self, weights: Any) -> None:
        has = weights.copy()
        has.data[:] = 1
        self._premises = weights, has
        self._hypotheses = has.T.tocsr(), weights.T.tocsr()
        self._sums = weights.sum(axis=1)

    def similarities(self, start: int, stop: int, score: str) -> Any:
        """How far the nodes from start to stop entail each node, shape (stop - start, n), in coordinates.

        Weeds' precision is the share of the premise's weight that lies on features which the hypothesis has too, Lin's
        similarity that share of both together, BInc their geometric mean (Szpektor and Dagan 2008).
        """
        sides = zip(self._premises, self._hypotheses, strict=True)
        premise, hypothesis = (left[start:stop] @ right for left, right in sides)
        for one in (premise, hypothesis):
            one.sort_indices()  # both have the same places, for no weight is 0
        found = premise.tocoo()
        total = self._sums[start:stop][found.row]
        weeds = premise.data / total
        lin = (premise.data + hypothesis.data) / (total + self._sums[found.col])
        found.data = np.minimum({"weeds": weeds, "lin": lin, "binc": np.sqrt(lin * weeds)}[score], 1)
        return found


def _best(found: Any, start: int, how: GraphOptions) -> tuple[Array, Array, Array]:
    """Rows, columns and scores of the best edges that leave each node; of equal ones the first names'."""
    rows = found.row + start
    kept = (found.data >= how.threshold) & (rows != found.col)
    rows, columns, scores = rows[kept], found.col[kept], found.data[kept]
    order = np.lexsort((columns, -scores.astype(np.float32), rows))
    rank = np.arange(len(rows)) - np.searchsorted(rows[order], rows[order])
    order = order[rank < how.best]
    return rows[order], columns[order], scores[order]
