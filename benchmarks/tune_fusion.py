"""How four rankings are fused: chosen on one half of the described cases, measured on the other.

    python benchmarks/tune_fusion.py INDEX BUILD [--sample 600] [--depth 400] [-o FILE]

Tuning queries are descriptions (parentheticals) in INDEX of cases of the training half (`models.train.candidates.side`,
a fixed hash of the described case); test queries are the candidates of BUILD whose cited case is of the other half, so
no case is on both sides. The target is the described case. The query's own description is left out, and any other of
equal words; passages are matched without parentheticals. Prints every method's best setting on the tuning half, and
for the setting chosen, for each ranker alone and for equal weights: Recall@1, 10, 100 and MRR on both halves.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.engine import iter_records
from lawng.evaluation.intervals import clopper_pearson
from lawng.models.train.candidates import side
from lawng.records import Candidate, Description
from lawng.retrieval.reader import Index
from lawng.search.fusion import RANKERS, FusionSettings, fuse

KS = (1, 10, 100)
METHODS, FURTHER, STEP = ("sum", "span", "rrf"), (0.0, 0.25, 0.5), 20
TOLD = ("explanatory", "quotation")
"""Kinds that say something of the case: "emphasis added" can be found by nobody."""


class Asked(NamedTuple):
    """A query with its target, and what each ranker found for it."""

    text: str
    kind: str
    target: str
    found: dict[str, list[tuple[str, str, float]]]


class Row(NamedTuple):
    id: str
    case_id: str
    score: float


def asked_of(index: Index, queries: Iterable[tuple[str, str, str, str]], depth: int) -> list[Asked]:
    """The queries (id, text, kind, target) with their rankings."""
    by_text: dict[str, list[str]] = {}
    for one in every_description(index):
        by_text.setdefault(_key(one.text), []).append(one.description_id)
    found = []
    for query_id, text, kind, target in queries:
        left = sorted({query_id, *by_text.get(_key(text), [])})
        vector = index.encode(text)
        rankings = (
            index.match_passages(text, depth),
            index.near_passages(vector, depth),
            index.match_descriptions(text, depth, leave_out=left),
            index.near_descriptions(vector, depth, leave_out=left),
        )
        found.append(Asked(text, kind, target, dict(zip(RANKERS, map(list, rankings), strict=True))))
    return found


def every_description(index: Index) -> list[Description]:
    described = index.descriptions_of(index.case_ids(), 1_000_000)
    return sorted((one for some in described.values() for one in some), key=lambda one: one.description_id)


def _key(text: str) -> str:
    return " ".join(text.split()).lower()


class Matrix(NamedTuple):
    """Normalised case scores of one query: rankers x cases, cases by id, and the target's column, -1 for none."""

    scores: NDArray[np.float64]
    target: int


def matrix_of(one: Asked, method: str, further: float) -> Matrix:
    columns = {}
    for ranker in RANKERS:
        rows = [Row(*row) for row in one.found[ranker]]
        settings = FusionSettings(method, {ranker: 1.0}, further)
        columns[ranker] = {case.case_id: case.score for case in fuse({ranker: rows}, settings)}
    cases = sorted({case for column in columns.values() for case in column})
    scores = np.array([[columns[ranker].get(case, 0.0) for case in cases] for ranker in RANKERS])
    return Matrix(scores.reshape(len(RANKERS), -1), cases.index(one.target) if one.target in cases else -1)


def ranks_of(matrices: Sequence[Matrix], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank of each query's target by each of the weightings (weightings x queries), infinite where it is not found."""
    ranks = np.full((len(weights), len(matrices)), np.inf)
    for query, (scores, target) in enumerate(matrices):
        if target < 0:
            continue
        fused = np.round(weights @ scores, 12)
        own = fused[:, target : target + 1]
        before = (fused > own).sum(axis=1) + (fused[:, :target] == own).sum(axis=1)
        ranks[:, query] = np.where(own[:, 0] > 0, before + 1.0, np.inf)
    return ranks


def simplex(step: int) -> NDArray[np.float64]:
    """All weightings of four rankers in steps of 1/step."""
    found = [
        (a, b, c, step - a - b - c)
        for a in range(step + 1)
        for b in range(step + 1 - a)
        for c in range(step + 1 - a - b)
    ]
    return np.array(found, dtype=np.float64) / step


def choose(tuning: Sequence[Asked]) -> list[tuple[float, str, float, NDArray[np.float64]]]:
    """The best weighting of each method by MRR on the tuning queries, best method first."""
    weights = simplex(STEP)
    found = []
    for method in METHODS:
        for further in FURTHER:
            ranks = ranks_of([matrix_of(one, method, further) for one in tuning], weights)
            mrr = (1 / ranks).mean(axis=1)
            best = int(np.argmax(mrr))
            found.append((float(mrr[best]), method, further, weights[best]))
    return sorted(found, key=lambda one: -one[0])


def report(name: str, queries: Sequence[Asked], method: str, further: float, weights: Sequence[float]) -> str:
    [ranks] = ranks_of([matrix_of(one, method, further) for one in queries], np.array([weights]))
    cells = []
    for k in KS:
        hits = int((ranks <= k).sum())
        interval = clopper_pearson(hits, len(ranks))
        cells.append(f"{hits / len(ranks):.3f} ({interval.low:.3f}-{interval.high:.3f})")
    return f"| {name} | " + " | ".join(cells) + f" | {(1 / ranks).mean():.3f} |"


def table(title: str, queries: Sequence[Asked], chosen: tuple[str, float, Sequence[float]]) -> list[str]:
    method, further, weights = chosen
    systems = [("chosen", *chosen), ("equal weights", method, further, [0.25] * 4)]
    systems += [(f"{ranker} alone", method, further, np.eye(4)[n].tolist()) for n, ranker in enumerate(RANKERS)]
    systems += [("passages only", method, further, [*_scaled(weights[:2]), 0, 0])]
    head = f"| {title} (n = {len(queries)}) | " + " | ".join(f"Recall@{k}" for k in KS) + " | MRR |"
    return [head, "|---|" + "---|" * (len(KS) + 1), *(report(n, queries, m, f, w) for n, m, f, w in systems), ""]


def _scaled(weights: Sequence[float]) -> list[float]:
    return [float(weight) / (sum(weights) or 1.0) for weight in weights]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("build", type=Path)
    parser.add_argument("--sample", type=int, default=600)
    parser.add_argument("--depth", type=int, default=400)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    index = Index.open(given.index)
    known = [one for one in every_description(index) if one.kind in TOLD and side(one.case_id) == "train"]
    drawn = sorted(random.Random(7).sample(known, min(given.sample, len(known))), key=lambda one: one.description_id)
    tuning = asked_of(index, [(d.description_id, d.text, d.kind, d.case_id) for d in drawn], given.depth)
    stage = given.build / "stages" / "20-candidates" / "candidates"
    candidates = [c for c in iter_records(stage, Candidate) if side(c.cited_case_id) == "held-out"]
    rows = [(c.candidate_id, c.hypothesis, c.kind, c.cited_case_id) for c in candidates]
    test = asked_of(index, rows, given.depth)
    settings = choose(tuning)
    lines = [f"tuning: {m}, further {f}: MRR {s:.4f}, weights {w.tolist()}" for s, m, f, w in settings] + [""]
    _, method, further, weights = settings[0]
    chosen = (method, further, weights.tolist())
    lines += table("tuning half", tuning, chosen)
    told = [one for one in test if one.kind in TOLD]
    lines += table("test half, explanatory", [one for one in test if one.kind == "explanatory"], chosen)
    lines += table("test half, explanatory and quotation", told, chosen)
    lines += table("test half, all candidates", test, chosen)
    lines.append(
        json.dumps({"method": method, "further": further, "weights": dict(zip(RANKERS, weights, strict=True))})
    )
    print("\n".join(lines))
    if given.output:
        given.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
