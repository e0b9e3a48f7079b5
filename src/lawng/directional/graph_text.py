"""Entailment graphs as they are published, a text file for each pair of types, read line by line.

A file begins `types: person#location, num preds: N`. Of each premise, `predicate: (go.1,go.to.2)#person#location`, it
has sections (`BInc sims`) of lines `HYPOTHESIS SCORE`, one for each kind of score (Hosseini et al. 2018).
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lawng.corpus.archives import READING, open_packed
from lawng.directional.graph import TYPED, Graph, node_of
from lawng.directional.graph_store import in_order, largest, write_graph
from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import TableWriter, atomic_folder, check_inputs, file_digest
from lawng.io.atomic_io import check_place
from lawng.io.limits import OverLimitError, lines_of
from lawng.schema import Reject

FILES = "*sim*.txt*"
"""The files of a published graph; each may be packed."""
_ABOVE = 1e-6
"""By so much a score may be above 1, as sums of floats are."""


@explained()
def read_graph(source: str | Path, output: str | Path, score: str = "BInc", *, replace_other: bool = False) -> Graph:
    """Make a graph of a folder of published text files, by the score of a name (`BInc`, `Lin`, `iter 1`).

    A line that is none, or whose score is outside [0, 1], is in `rejects.parquet` with its file and number.
    Raises InputError when there are no such files, or none has that score, or a graph of others is in the folder.
    """
    folder = Path(output)
    files = sorted(Path(source).glob(FILES))
    if not files:
        raise InputError(f"{source}: no published graph here (no {FILES})")
    check_place(folder, TYPED, "entailment graph")
    inputs = hashlib.sha256("".join(f"{file.name} {file_digest(file)}\n" for file in files).encode()).hexdigest()
    if not replace_other:
        check_inputs(folder / "manifest.json", inputs, "a graph of something else")
    with atomic_folder(folder) as partial:
        reader = _Reader(score)
        with TableWriter(partial / "rejects.parquet", Reject) as rejects:
            for reject in (reject for file in files for reject in reader.read(file)):
                reader.counts[reject.reason] += 1
                rejects.write(reject)
        facts = {"made_by": "lawng graph read", "inputs": inputs, "options": {"score": score}}
        names, edges = reader.matrix(str(source))
        write_graph(partial, names, edges, {**facts, "counts": dict(sorted(reader.counts.items()))})
    return Graph.open(folder)


class _Reader:
    """Nodes and edges of many files, in little memory."""

    def __init__(self, score: str) -> None:
        self.counts: Counter[str] = Counter()
        self._score = score
        self._sections: set[str] = set()
        self._nodes: dict[str, int] = {}
        self._read: dict[str, int] = {}
        """The number of each name as it is written."""
        self._types: list[frozenset[str]] = []
        self._rows, self._columns, self._scores = array("i"), array("i"), array("f")

    def read(self, path: Path) -> Iterator[Reject]:
        """Take the edges of a file up; what is none is given back."""
        self.counts["files"] += 1
        try:
            with open_packed(path) as stream:
                yield from self._lines(path.name, stream)
        except (*READING, OverLimitError) as error:
            yield Reject("lines", path.name, "file-breaks-off", str(error), path.name)

    def _lines(self, file: str, stream: Any) -> Iterator[Reject]:
        premise, chosen = -1, False
        for number, line in enumerate(lines_of(stream), start=1):
            place = f"{file}:{number}"
            if isinstance(line, OverLimitError):
                yield Reject("lines", place, "line-too-long", str(line), place)
                continue
            text = line.decode("utf-8", "replace").replace("` ", "").strip()
            if number == 1:
                if "#" not in text:
                    yield Reject("lines", place, "not-a-graph", f"no types in {text[:80]!r}", place)
                    return
            elif text.startswith("predicate:"):
                premise, chosen = self._node(text.removeprefix("predicate:").strip()), False
                if premise < 0:
                    yield Reject("lines", place, "not-a-predicate", text[:300], place)
            elif text.endswith((" sim", " sims")):
                chosen = self._section(text.rpartition(" ")[0])
            elif chosen and text and (why := self._edge(premise, text)):
                yield Reject("lines", place, why, text[:300], place)

    def _section(self, name: str) -> bool:
        self._sections.add(name)
        return name.casefold() == self._score.casefold()

    def _edge(self, premise: int, text: str) -> str:
        """Keep the edge that a line tells, or say why it tells none."""
        reason = ""
        name, _, number = text.rpartition(" ")
        hypothesis = self._node(name)
        if premise < 0 or hypothesis < 0:
            reason = "not-a-predicate"
        elif not 0 <= (score := _number(number)) <= 1 + _ABOVE:
            reason = "score-outside-bounds"
        elif self._types[premise] != self._types[hypothesis]:
            reason = "types-differ"
        else:
            self.counts["edges" if score else "edges of score 0"] += 1
            self._rows.append(premise)
            self._columns.append(hypothesis)
            self._scores.append(min(score, 1))
        return reason

    def _node(self, name: str) -> int:
        """The number of a typed predicate, -1 for what is none."""
        found = self._read.get(name)
        if found is None:
            try:
                node = node_of(name)
            except InputError:
                return -1
            if not node.types:
                return -1
            found = self._read[name] = self._nodes.setdefault(str(node), len(self._nodes))
            if found == len(self._types):
                self._types.append(frozenset((node.types, node.swapped)))
        return found

    def matrix(self, source: str) -> tuple[list[str], Any]:
        """The names of the nodes, sorted, and their edges. Raises InputError when no section has the score."""
        if not any(map(self._section, list(self._sections))):
            there = ", ".join(sorted(self._sections)) or "none"
            raise InputError(f"{source}: no scores named {self._score!r}; there are: {there}")
        names, places = in_order(self._nodes)
        rows, columns, scores = map(np.asarray, (self._rows, self._columns, self._scores))
        kept = scores > 0
        return names, largest(places[rows[kept]], places[columns[kept]], scores[kept], len(names))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
