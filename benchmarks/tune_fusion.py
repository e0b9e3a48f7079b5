"""How the rankings of a search are fused: chosen on one half of the cited cases, measured on the other.

    python benchmarks/tune_fusion.py INDEX BUILD [--sample 400] [--depth 100] [-o FILE]

Queries are what later courts say of a case, and the target is that case: parentheticals, and citing sentences, which
are the nearest thing to a lawyer's argument that a corpus has. Those of cases of the training half
(`datasets.splits.side`, a fixed hash of the cited case) choose, by the mean of MRR over the two kinds; those of
the other half measure, and beside them all candidates of BUILD of that half, of which many say nothing of their case.
Left out for each query: everything that the citing case says of any case, every description with the query's words,
and the citing case itself. Prints every method's best setting on the tuning half, and for the one chosen, for each
ranker alone and for equal weights Recall@1, 10, 100 and MRR on both halves.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.datasets.splits import side
from lawng.engine import iter_records
from lawng.evaluation.intervals import clopper_pearson
from lawng.records import Candidate
from lawng.retrieval.citing import CITING
from lawng.retrieval.rank import Found
from lawng.retrieval.reader import Index
from lawng.search.fusion import RANKERS, FusionSettings, fuse
from lawng.studies.retrieval.indexed import Descriptions, all_descriptions

KS = (1, 10, 100)
METHODS, FURTHER, STEP = ("sum", "span", "rrf"), (0.0, 0.5), 20
TOLD = ("explanatory", "quotation")
"""Kinds that say something of the case: "emphasis added" can be found by nobody."""


class Query(NamedTuple):
    """What is asked, and the case to be found."""

    id: str
    text: str
    kind: str
    target: str
    citing_case: str


class Asked(NamedTuple):
    """A query with what each ranker found for it."""

    query: Query
    found: dict[str, list[Found]]


def asked_of(index: Index, queries: Iterable[Query], depth: int) -> list[Asked]:
    """The queries with their rankings."""
    known = Descriptions(all_descriptions(index))
    return [Asked(query, _rankings(index, query, known, depth)) for query in queries]


def _rankings(index: Index, query: Query, known: Descriptions, depth: int) -> dict[str, list[Found]]:
    left = sorted({query.id} | known.equal([query.text]) | known.of_case(query.citing_case))
    vector = index.encode(query.text)
    rankings = (
        index.match_passages(query.text, depth),
        index.near_passages(vector, depth),
        index.match_opinions(query.text, depth),
        index.match_descriptions(query.text, depth, leave_out=left),
        index.near_descriptions(vector, depth, leave_out=left),
    )
    others = ([one for one in found if one.case_id != query.citing_case] for found in rankings)
    return dict(zip(RANKERS, others, strict=True))


def drawn(index: Index, half: str, kinds: Sequence[str], n: int) -> list[Query]:
    """Descriptions of some kinds of cases of one half as queries, at most n."""
    known = [one for one in all_descriptions(index) if one.kind in kinds and side(one.case_id) == half]
    some = sorted(random.Random(7).sample(known, min(n, len(known))), key=lambda one: one.description_id)
    return [Query(d.description_id, d.text, d.kind, d.case_id, d.citing_case_id) for d in some]


class Matrix(NamedTuple):
    """Normalised case scores of one query: rankers x cases, cases by id, and the target's column, -1 for none."""

    scores: NDArray[np.float64]
    target: int


def matrix_of(one: Asked, method: str, further: float) -> Matrix:
    columns = {}
    for ranker in RANKERS:
        settings = FusionSettings(method, {ranker: 1.0}, further)
        columns[ranker] = {case.case_id: case.score for case in fuse({ranker: one.found[ranker]}, settings)}
    cases = sorted({case for column in columns.values() for case in column})
    scores = np.array([[columns[ranker].get(case, 0.0) for case in cases] for ranker in RANKERS])
    return Matrix(scores.reshape(len(RANKERS), -1), cases.index(one.query.target) if one.query.target in cases else -1)


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
    """All weightings of the rankers in steps of 1/step."""
    bars = combinations(range(step + len(RANKERS) - 1), len(RANKERS) - 1)
    cuts = np.array([(-1, *bar, step + len(RANKERS) - 1) for bar in bars])
    return (np.diff(cuts, axis=1) - 1) / step


def choose(tuning: Sequence[Sequence[Asked]]) -> list[tuple[float, str, float, NDArray[np.float64]]]:
    """The best weighting of each method by the mean of MRR over sets of tuning queries, best method first."""
    weights = simplex(STEP)
    found = []
    for method in METHODS:
        for further in FURTHER:
            ranks = [ranks_of([matrix_of(one, method, further) for one in some], weights) for some in tuning]
            mrr = np.mean([(1 / rank).mean(axis=1) for rank in ranks], axis=0)
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
    systems = [("chosen", *chosen), ("equal weights", method, further, [1 / len(RANKERS)] * len(RANKERS))]
    systems += [
        (f"{ranker} alone", method, further, np.eye(len(RANKERS))[n].tolist()) for n, ranker in enumerate(RANKERS)
    ]
    systems += [("no descriptions", method, further, [*_scaled(weights[:3]), 0, 0])]
    head = f"| {title} (n = {len(queries)}) | " + " | ".join(f"Recall@{k}" for k in KS) + " | MRR |"
    return [head, "|---|" + "---|" * (len(KS) + 1), *(report(n, queries, m, f, w) for n, m, f, w in systems), ""]


def _scaled(weights: Sequence[float]) -> list[float]:
    return [float(weight) / (sum(weights) or 1.0) for weight in weights]


def candidates_of(build: Path) -> list[Query]:
    """All candidates of the test half."""
    stage = build / "stages" / "20-candidates" / "candidates"
    held_out = (c for c in iter_records(stage, Candidate) if side(c.cited_case_id) == "held-out")
    return [Query(c.candidate_id, c.hypothesis, c.kind, c.cited_case_id, c.citing_case_id) for c in held_out]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("build", type=Path)
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    index = Index.open(given.index)
    halves = {
        half: [asked_of(index, drawn(index, half, kinds, given.sample), given.depth) for kinds in (TOLD, (CITING,))]
        for half in ("train", "held-out")
    }
    tuning, test = halves["train"], halves["held-out"]
    candidates = asked_of(index, candidates_of(given.build), given.depth)
    settings = choose(tuning)
    lines = [f"tuning: {m}, further {f}: MRR {s:.4f}, weights {w.tolist()}" for s, m, f, w in settings] + [""]
    _, method, further, weights = settings[0]
    chosen = (method, further, weights.tolist())
    for half, (told, cited) in (("tuning", tuning), ("test", test)):
        lines += table(f"{half} half, explanatory and quotation", told, chosen)
        lines += table(f"{half} half, citing sentences", cited, chosen)
    lines += table("test half, all candidates", candidates, chosen)
    lines.append(
        json.dumps({"method": method, "further": further, "weights": dict(zip(RANKERS, weights, strict=True))})
    )
    print("\n".join(lines))
    if given.output:
        given.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
