"""How much should a re-ranker's score count beside the first ranking's, and how many clauses should it read?

    python benchmarks/acord_blend.py DATA WORK [--updates 125]

A cross-encoder is fine-tuned on half of ACORD's training queries, at random (`--tags --loss listwise`, as in
docs/results.md), and ranks the other half's best clauses again: those of the untrained reading, and those of a clause
model that is cross-validated over the train and valid queries. Prints NDCG@5 and NDCG@10 for each depth and weight, and
the paired difference of NDCG@10 from the first ranking with its 95 % interval. No test query is asked. WORK keeps the
trained model: some ten minutes on two cores.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from lawng.clauses.meaning.clause_annotation import AnnotationCache
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.clauses.ranking.rankers import cache_folder
from lawng.clauses.ranking.rerank import FocusedReranker, blend
from lawng.clauses.ranking.trained import RankingOptions
from lawng.evaluation.measures import NDCG, graded_measures
from lawng.models.encoder import embedder
from lawng.models.find import OFFLINE, find_model
from lawng.models.pairs import relevance_model
from lawng.models.training.options import RelevanceOptions
from lawng.models.training.relevance import Hooks, kept_at, train_relevance
from lawng.models.vector_cache import CachedEncoder
from lawng.schema import ScoredDoc
from lawng.studies.acord.clause_model import graded, queries_of
from lawng.studies.acord.clause_study import cross_validated, folds_of, reading_run
from lawng.studies.acord.data import FORMS, Acord, read_acord
from lawng.studies.acord.fine_tune import TuneSettings, texts_of

DEPTHS = (10, 20, 30, 40)
WEIGHTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0)
OPTIONS = RelevanceOptions(loss="listwise", max_length=144, freeze_layers=2, dropout=0.0)

Ranked = Mapping[str, list[ScoredDoc]]
"""The judged clauses of each query, best first."""


def trained(acord: Acord, held: set[str], settings: TuneSettings, work: Path) -> FocusedReranker:
    """A cross-encoder that has not seen the held queries in any form."""
    kept = {acord.queries[query].form(form) for query in held for form in FORMS}
    texts = [row for row in texts_of(acord, settings) if row.query not in kept]
    run = settings.run(settings.rates[0], 0)
    work.mkdir(parents=True, exist_ok=True)
    hooks = Hooks(lambda _folder: 0.0, print, show=settings.shown)
    train_relevance(find_model("base model", OFFLINE).place, texts, OPTIONS, run, work, hooks)
    place = kept_at(work, run.updates[-1])
    return FocusedReranker(relevance_model(str(place), "torch"), settings.shown)


def ranked(run: list[ScoredDoc], queries: set[str]) -> Ranked:
    found: dict[str, list[ScoredDoc]] = {query: [] for query in sorted(queries)}
    for row in run:
        if row.query_id in queries:
            found[row.query_id].append(row)
    return {query: sorted(rows, key=lambda row: -row.score) for query, rows in found.items()}


def again(acord: Acord, first: Ranked, model: FocusedReranker) -> dict[str, list[float]]:
    """The model's scores of each query's best clauses."""
    return {
        query: model.rerank(acord.queries[query].text, [acord.clauses[row.doc_id] for row in rows[: max(DEPTHS)]])
        for query, rows in first.items()
    }


def blended(first: Ranked, scores: Mapping[str, list[float]], depth: int, weight: float) -> Iterator[ScoredDoc]:
    for query, rows in first.items():
        top, rest = rows[:depth], rows[depth:]
        own = np.array([row.score for row in top])
        mixed = blend(own, np.array(scores[query][:depth]), weight)
        order = [top[place] for place in np.argsort(-mixed, kind="stable")] + rest
        yield from (ScoredDoc(query, row.doc_id, float(-rank)) for rank, row in enumerate(order))


def compare(acord: Acord, first: Ranked, model: FocusedReranker) -> None:
    scores = again(acord, first, model)
    judgements = [row for row in acord.of("train") if row.query_id in first]
    rng = np.random.default_rng(7)
    plain = graded_measures([row for rows in first.values() for row in rows], judgements)
    before = {name: np.array([plain[name][query] for query in first]) for name in NDCG}
    print(f"first alone         {'  '.join(f'{100 * before[name].mean():.1f}' for name in NDCG)}")
    for depth in DEPTHS:
        for weight in WEIGHTS:
            values = graded_measures(list(blended(first, scores, depth, weight)), judgements)
            after = {name: np.array([values[name][query] for query in first]) for name in NDCG}
            gain = 100 * (after[NDCG[1]] - before[NDCG[1]])
            low, high = np.quantile(rng.choice(gain, (2000, len(gain))).mean(axis=1), [0.025, 0.975])
            both = "  ".join(f"{100 * after[name].mean():.1f}" for name in NDCG)
            print(f"depth {depth}, weight {weight:.1f}  {both}  {gain.mean():+.1f} ({low:+.1f} to {high:+.1f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--updates", type=int, default=125)
    given = parser.parse_args()
    acord = read_acord(given.data)
    held = set(folds_of(queries_of(acord, "train"), 2, 11)[0])
    settings = TuneSettings((1e-4,), (given.updates,), 1, forms=FORMS, focus=64, tags=True, options=OPTIONS)
    model = trained(acord, held, settings, given.work)
    cache = cache_folder()
    encoder, annotations = CachedEncoder(cache, embedder(OFFLINE)), AnnotationCache(cache)
    features = ClauseFeatures(list(acord.clauses.values()), encoder, annotations=annotations)
    known = graded(acord, queries_of(acord, "train", "valid"), features)
    for name, run in (
        ("the untrained reading", reading_run(known)),
        ("the clause model, cross-validated", cross_validated(known, RankingOptions())),
    ):
        print(f"\nFirst: {name}; NDCG@5, NDCG@10 and its difference, {len(held)} training queries kept apart")
        compare(acord, ranked(run, held), model)


if __name__ == "__main__":
    main()
