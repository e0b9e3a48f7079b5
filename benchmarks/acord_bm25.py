"""Which BM25 is best for clauses: a grid over analyser, idf, k1, b and collection, chosen on train and valid queries.

    python benchmarks/acord_bm25.py ../shared/data/acord

First every analyser, idf, k1 and b with the whole corpus as the collection; then, for the best idf, k1 and b of each
analyser, the judged clauses of the query as the collection. NDCG@10 decides. The test queries are asked once, by the
winner.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

from lawng.evaluation.graded import NDCG, STARS, graded_measures, mean_of, star_precision
from lawng.evaluation.measures import measures_of, per_query
from lawng.records import ScoredDoc
from lawng.retrieval.bm25 import Analyser, Bm25Options, TextBm25, content_stems, stems
from lawng.studies.acord.data import Acord, read_acord

METHODS = ("lucene", "robertson", "atire")
K1 = (0.6, 0.9, 1.2, 1.6, 2.0)
B = (0.3, 0.5, 0.75, 0.9)
ROWS = 12


class Tried(NamedTuple):
    ndcg: float
    analyser: str
    options: Bm25Options
    collection: str


def with_pairs(analyser: Analyser) -> Analyser:
    """The words, and each two that stand side by side."""

    def words(text: str) -> list[str]:
        found = analyser(text)
        return [*found, *(f"{one} {other}" for one, other in pairwise(found))]

    return words


ANALYSERS: Mapping[str, Analyser] = {
    "stems": stems,
    "content_stems": content_stems,
    "stems and pairs": with_pairs(stems),
    "content_stems and pairs": with_pairs(content_stems),
}


class Ranker:
    """BM25 over the corpus or over the pool of each query, its texts analysed once for all options."""

    def __init__(self, acord: Acord, analyser: Analyser) -> None:
        self._acord = acord
        self._number = {clause: number for number, clause in enumerate(acord.clauses)}
        words = {text: analyser(text) for text in acord.clauses.values()}
        self._analyser: Callable[[str], list[str]] = lambda text: words.get(text) or analyser(text)
        self._texts = list(acord.clauses.values())

    def run(self, splits: tuple[str, ...], options: Bm25Options, collection: str) -> list[ScoredDoc]:
        """Scores of the judged clauses of each query."""
        bm25 = TextBm25(self._texts, self._analyser, options)
        rows = []
        for query, judged in self._acord.judged(*splits).items():
            numbers = [self._number[clause] for clause in judged]
            text = self._acord.queries[query].text
            scores = bm25.pool(numbers).scores(text) if collection == "pool" else bm25.scores(text)[numbers]
            pairs = zip(judged, scores.tolist(), strict=True)
            rows += [ScoredDoc(query, clause, round(score, 6)) for clause, score in pairs]
        return rows

    def ndcg(self, options: Bm25Options, collection: str) -> float:
        """NDCG@10 over the queries of train and valid."""
        [measure] = measures_of(["nDCG@10"])
        known = self._acord.of("train", "valid")
        return mean_of(per_query(self.run(("train", "valid"), options, collection), known, measure))


def grid(acord: Acord) -> list[Tried]:
    """All that was tried, best first."""
    found = []
    for name, analyser in ANALYSERS.items():
        ranker = Ranker(acord, analyser)
        settings = [Bm25Options(k1, b, method) for method, k1, b in product(METHODS, K1, B)]
        whole = [Tried(ranker.ndcg(options, "corpus"), name, options, "corpus") for options in settings]
        best = max(whole).options
        pool = Tried(ranker.ndcg(best, "pool"), name, best, "pool")
        found += [*whole, pool]
        print(f"{name}: {len(whole) + 1} tried, best {100 * max(*whole, pool).ndcg:.1f}", flush=True)
    return sorted(found, key=lambda tried: -tried.ndcg)


def main() -> None:
    """Print the grid on train and valid, and the winner's measures on test."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    acord = read_acord(parser.parse_args().data)
    found = grid(acord)
    print(f"\nNDCG@10 over {len(acord.judged('train', 'valid'))} train and valid queries, the best {ROWS}:")
    for tried in found[:ROWS]:
        print(f"{100 * tried.ndcg:6.2f}  {tried.analyser:24} {tried.options}  {tried.collection}")
    best = found[0]
    run = Ranker(acord, ANALYSERS[best.analyser]).run(("test",), best.options, best.collection)
    measures = graded_measures(run, acord.of("test"))
    names = [*NDCG, *(star_precision(stars) for stars in STARS)]
    print("\ntest: " + " / ".join(f"{100 * mean_of(measures[name]):.1f}" for name in names))


if __name__ == "__main__":
    main()
