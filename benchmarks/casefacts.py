"""Lay claims of CaseFacts against an index: is their case found, and does it support or refute them?

    lawng corpus import ../shared/data/courtlistener-scotus -o scotus
    lawng index scotus -o index
    python benchmarks/casefacts.py ../shared/data/casefacts index --corpus scotus

Recall of the claim's cases at 1 and 10: BM25 over whole opinions (bm25s, stop words out, Porter's stems), the index
without a re-ranker, and with it. Then, with the case given, how many of the Supported and Refuted claims are put on the
right side: by the larger of entailment and contradiction, and by the side that a search shows (undecided is neither).
95 % bootstrap intervals over claims. Claims: Putta, Devasier, Li (2026), CC BY-NC 4.0, never trained on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lawng.api import CaseSearch
from lawng.errors import LawngError
from lawng.io import iter_records
from lawng.schema import Opinion
from lawng.schema.labels import Label

SIDES = {"Supported": Label.ENTAILMENT, "Refuted": Label.CONTRADICTION}
K = 10


def interval(found: Sequence[float]) -> str:
    """Mean and 95 % bootstrap interval."""
    values = np.asarray(found)
    draws = np.random.default_rng(0).choice(values, (2000, len(values))).mean(axis=1)
    low, high = np.quantile(draws, (0.025, 0.975))
    return f"{values.mean():.3f} ({low:.3f} - {high:.3f})"


def bm25_ranking(corpus: Path) -> Callable[[str], list[str]]:
    """Case ids by BM25 of their best opinion."""
    import bm25s
    import Stemmer

    opinions = list(iter_records(corpus / "opinions", Opinion))
    stemmer = Stemmer.Stemmer("porter")
    index = bm25s.BM25()
    index.index(
        bm25s.tokenize([one.text for one in opinions], stopwords="en", stemmer=stemmer, show_progress=False),
        show_progress=False,
    )

    def ranking(claim: str) -> list[str]:
        asked = bm25s.tokenize([claim], stopwords="en", stemmer=stemmer, show_progress=False)
        rows, _ = index.retrieve(asked, k=50, show_progress=False)
        return list(dict.fromkeys(opinions[row].case_id for row in rows[0].tolist()))

    return ranking


def index_ranking(cases: CaseSearch) -> Callable[[str], list[str]]:
    """Case ids of an index's answer, by score."""

    def ranking(claim: str) -> list[str]:
        hits = cases.searcher.search(claim, k=K, judged=False).hits
        return [hit.case.case_id for hit in sorted(hits, key=lambda hit: (-hit.score, hit.case.case_id))]

    return ranking


def recalls(claims: Sequence[dict[str, Any]], ranking: Callable[[str], list[str]]) -> list[list[float]]:
    """R@1 and R@10 of each claim: whether one of its cases is there."""
    found = []
    for claim in claims:
        wanted, ranked = {f"cl:{number}" for number in claim["cluster_ids"]}, ranking(claim["claim"])
        found.append([float(bool(wanted & set(ranked[:k]))) for k in (1, K)])
    return found


def sided(claims: Sequence[dict[str, Any]], cases: CaseSearch) -> list[tuple[float, float]]:
    """For each claim with its case given: whether the likelier side is the right one, and whether it is shown there."""
    found = []
    for claim in claims:
        answer = cases.search(claim["claim"], cases=[f"cl:{number}" for number in claim["cluster_ids"]])
        stances = [hit.stance for hit in answer.hits if hit.stance]
        best = max(stances, key=lambda stance: stance.decided)
        likelier = Label.ENTAILMENT if best.entailment > best.contradiction else Label.CONTRADICTION
        right = SIDES[claim["label"]]
        found.append((float(likelier is right), float(best.side is right), float(best.side is Label.NEUTRAL)))
    return found


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", type=Path, help="folder of claims.jsonl")
    parser.add_argument("index", help="index of the Supreme Court corpora")
    parser.add_argument("--corpus", type=Path, help="corpus of the index; left out: BM25 is not measured")
    parser.add_argument("--model", default="default", help="stance model")
    parser.add_argument("--rerank", default="default", help="re-ranker")
    options = parser.parse_args()
    claims = [json.loads(line) for line in (options.claims / "claims.jsonl").read_text("utf-8").splitlines()]
    judged = [claim for claim in claims if claim["label"] in SIDES]
    systems: dict[str, list[list[float]]] = {}
    try:
        with CaseSearch(
            options.index, *(None if name == "none" else name for name in (options.model, options.rerank))
        ) as cases:
            if options.corpus:
                systems["BM25 over opinions"] = recalls(claims, bm25_ranking(options.corpus))
            ranker, cases.searcher.reranker = cases.searcher.reranker, None
            systems["search"] = recalls(claims, index_ranking(cases))
            if ranker:
                cases.searcher.reranker = ranker
                systems[f"search, {ranker.name}"] = recalls(claims, index_ranking(cases))
            sides = np.array(sided(judged, cases)) if cases.searcher.stance else None
            print(f"{len(claims)} claims; {cases.index.info.n_cases:,} cases; encoder {cases.index.info.encoder}\n")
    except LawngError as error:
        raise SystemExit(f"casefacts: {error}") from error
    print("| | R@1 | R@10 |\n| --- | --- | --- |")
    for name, found in systems.items():
        print(f"| {name} | {' | '.join(map(interval, np.array(found).T))} |")
    base = np.array(systems["search"])
    for name, found in systems.items():
        if name != "search":
            print(f"| {name} less search | {' | '.join(map(interval, (np.array(found) - base).T))} |")
    if sides is not None:
        names = ("likelier side is right", "shown on the right side", "undecided")
        told = [f"{name} {interval(column)}" for name, column in zip(names, sides.T, strict=True)]
        print(f"\nCase given, {len(judged)} claims: {'; '.join(told)}")


if __name__ == "__main__":
    main()
