"""How fast contracts are searched, beside bm25s alone over the same clauses in the same run.

    python benchmarks/clause_search.py PLACE [--model FOLDER] [--rerank MODEL] [--depth 50] [--encoder NAME]
                                       [--queries 100] [--threads N]

PLACE is a folder or file of contracts or clauses; ../shared/data/acord has the 3,931 clauses of ACORD. Queries are
those of its queries.jsonl where there is one, else the names of the glossary's concepts; each is asked once, after ten
others. MODEL of --model is a clause model (`lawng train clauses`), that of --rerank a re-ranker's folder or Hub name.

Prints the machine and its load, how long opening takes with what is kept of an earlier run, and p50, p95, the most and
the mean by step of each search. bm25s is given its own tokenizer with stop words and the same stemmer, and is asked for
ten clauses. The aims on two cores are 50 ms at p95, and 600 ms with a re-ranker.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lawng.clauses.collection import Library, read_library
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS
from lawng.clauses.ranking.rankers import ClauseRanker, FeatureRanker, cache_folder, searched
from lawng.clauses.ranking.rerank import DEPTH, RerankedRanker, clause_reranker
from lawng.clauses.ranking.trained import load_ranking
from lawng.clauses.search import ClauseSearcher
from lawng.models.encoder import embedder
from lawng.models.find import OFFLINE
from lawng.models.protocols import Embedder

WARM = 10
K = 10
TOTAL = "total"

Search = Callable[[str], Mapping[str, float]]
"""Asked a query; gives seconds by step."""


class Opened(NamedTuple):
    """A search that is ready."""

    name: str
    seconds: float
    search: Search


def queries_of(place: Path, n: int) -> list[str]:
    """The queries of a folder in BEIR's layout, else names of concepts."""
    path = place / "queries.jsonl"
    if path.is_file():
        found = [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines() if line]
    else:
        found = [concept.name for concept in (*SUBJECTS, *MATTERS)]
    return found[: n + WARM]


def peer(library: Library) -> Opened:
    """bm25s, as its own documentation sets it up."""
    import bm25s
    import Stemmer

    start = time.perf_counter()
    stemmer = Stemmer.Stemmer("english")
    options: dict[str, Any] = {"stopwords": "en", "stemmer": stemmer, "show_progress": False}
    index = bm25s.BM25()
    index.index(bm25s.tokenize([searched(clause) for clause in library.clauses], **options), show_progress=False)

    def search(query: str) -> dict[str, float]:
        index.retrieve(bm25s.tokenize([query], **options), k=min(K, len(library.clauses)), show_progress=False)
        return {}

    return Opened(f"bm25s {bm25s.__version__} alone", time.perf_counter() - start, search)


def ours(name: str, library: Library, make: Callable[[], ClauseRanker]) -> Opened:
    """A search by a ranker; what it makes of clauses is kept by then, as it is after a first search."""
    make()
    start = time.perf_counter()
    searcher = ClauseSearcher(library, ranker=make())
    opened = time.perf_counter() - start
    return Opened(name, opened, lambda query: searcher.search(query, K).seconds)


def rankers(library: Library, encoder: Embedder, given: argparse.Namespace) -> list[Opened]:
    """The searches that are measured."""
    clauses, cache = library.clauses, cache_folder()
    found = [
        ours("words and glossary (--encoder none)", library, lambda: FeatureRanker(clauses, None, cache)),
        ours("and meaning", library, lambda: FeatureRanker(clauses, encoder, cache)),
    ]
    ranking = load_ranking(given.model)[0] if given.model else None
    if ranking:
        found.append(ours("by a clause model", library, lambda: FeatureRanker(clauses, encoder, cache, ranking)))
    if given.rerank:
        again = clause_reranker(given.rerank)

        def reranked() -> ClauseRanker:
            return RerankedRanker(FeatureRanker(clauses, encoder, cache, ranking), again, given.depth)

        found.append(ours(f"the first {given.depth} ranked again by {Path(given.rerank).name}", library, reranked))
    return found


def measured(opened: Opened, queries: Sequence[str]) -> str:
    """A row of the table."""
    for query in queries[:WARM]:
        opened.search(query)
    times, steps = [], []
    for query in queries[WARM:]:
        start = time.perf_counter()
        steps.append(opened.search(query))
        times.append(time.perf_counter() - start)
    p50, p95, top = (1000 * float(np.percentile(times, q)) for q in (50, 95, 100))
    mean = ", ".join(
        f"{step} {1000 * np.mean([one[step] for one in steps]):.1f}" for step in steps[0] if step != "total"
    )
    return f"| {opened.name} | {opened.seconds:.1f} | {p50:.1f} | {p95:.1f} | {top:.1f} | {mean} |"


def encoding(encoder: Embedder, queries: Sequence[str]) -> str:
    """How much of it is the encoder's: two short texts a query."""
    times = []
    for query in queries:
        start = time.perf_counter()
        encoder.encode([query, f"{query} clause"])
        times.append(1000 * (time.perf_counter() - start))
    p50, p95 = np.percentile(times, [50, 95])
    return f"Of that encoding a query and its meaning: p50 {p50:.1f} ms, p95 {p95:.1f} ms"


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").is_file() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"Machine: {model}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--rerank")
    parser.add_argument("--depth", type=int, default=DEPTH)
    parser.add_argument("--encoder", default=OFFLINE)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        import torch

        torch.set_num_threads(given.threads)
    start = time.perf_counter()
    library = read_library(given.place)
    read = time.perf_counter() - start
    queries = queries_of(given.place, given.queries)
    print(machine())
    print(f"{len(library.clauses):,} clauses, read in {read:.1f} s; {len(queries) - WARM} queries")
    encoder = embedder(given.encoder)
    print("| search | opened s | p50 ms | p95 ms | max ms | mean ms by step |\n|---|---|---|---|---|---|")
    for opened in [peer(library), *rankers(library, encoder, given)]:
        print(measured(opened, queries), flush=True)
    print(encoding(encoder, queries))
    print(machine())


if __name__ == "__main__":
    main()
