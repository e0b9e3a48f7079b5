"""How clause search reads queries that nobody tuned it on: reworded, with half of the glossary forgotten, in pairs.

    python benchmarks/clause_queries.py ACORD [CLAUSE_MODEL ENCODER]

NDCG@5 and @10 over ACORD's judged clauses in all forms of its queries, and reworded (`data/clauses/reworded.jsonl`, by
a reader who knew neither glossary nor clauses), for BM25 + MiniLM, for the encoder alone, for the untrained reading and
for a clause model, and for both with the first clauses ranked again; over all queries, each by trees of the other
categories; then with the concepts alone that train and valid queries ask for. Pairs of queries (`same`, `opposite`)
over the whole collection: rank-biased overlap of the first 50 (p = 0.9), and common clauses of the first five. Queries
with constraints, graded from a pool. Phrasings of notions, and whole queries with the notions that they ask for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lawng.clauses.meaning.query_intent as reader
import lawng.clauses.meaning.query_reader as learned
import lawng.clauses.ranking.features as weighed
from lawng.annotation.ratings import SPLITS
from lawng.clauses.meaning.clause_annotation import AnnotationCache
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS
from lawng.clauses.ranking.features import ClauseFeatures, z_scores
from lawng.clauses.ranking.rankers import cache_folder
from lawng.clauses.ranking.rerank import DEPTH, SHIPPED_WEIGHT, blend, clause_reranker
from lawng.clauses.ranking.trained import RankingOptions, fit_ranking, load_ranking
from lawng.evaluation.measures import NDCG, graded_measures, mean_of
from lawng.evaluation.statistics import difference
from lawng.models.find import CLAUSE_FINDER, CLAUSE_RERANKER, OFFLINE
from lawng.models.onnx.encoder import search_embedder
from lawng.models.vector_cache import CachedEncoder
from lawng.schema import Judgement, ScoredDoc
from lawng.studies.acord.clause_model import graded, queries_of
from lawng.studies.acord.data import FORMS, Acord, read_acord

QUERIES = Path(__file__).parent / "data" / "clauses"
Ranker = Callable[[str], NDArray[np.floating]]
Values = dict[str, dict[str, float]]
_DEEP, _P = 50, 0.9
_PAIRS = ("same", "same-2", "same-3", "same-4", "opposite", "opposite-2")
_NOTHING = ("asked-nothing", "asked-nothing-2", "asked-nothing-3")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (QUERIES / f"{name}.jsonl").read_text("utf-8").splitlines()]


class Again:
    """The first of some clauses ranked again, as `lawng clauses` does; among judged clauses the first of these."""

    def __init__(self, first: Ranker, texts: Sequence[str], read: Callable[[str, str], float]) -> None:
        self._first, self._texts, self._read = first, texts, read

    def __call__(self, query: str) -> NDArray[np.floating]:
        return self.within(query, np.arange(len(self._texts)))

    def within(self, query: str, rows: NDArray[np.intp]) -> NDArray[np.floating]:
        """Scores of some rows, in their order."""
        first = self._first(query)[rows]
        order = np.argsort(-first, kind="stable")
        top = order[:DEPTH]
        own = np.array([self._read(query, self._texts[row]) for row in rows[top].tolist()])
        order[:DEPTH] = top[np.argsort(-blend(first[top], own, SHIPPED_WEIGHT), kind="stable")]
        found = np.empty(len(rows))
        found[order] = -np.arange(len(rows), dtype=np.float64)
        return found


def within(ranker: Ranker, query: str, rows: Sequence[int]) -> list[float]:
    """A ranking's scores of some clauses; of a re-ranked one as if there were no others."""
    at = np.array(rows, dtype=np.intp)
    return (ranker.within(query, at) if isinstance(ranker, Again) else ranker(query)[at]).tolist()


def values_of(acord: Acord, splits: Sequence[str], wording: Callable[[str], str], ranker: Ranker) -> Values:
    place = {clause: number for number, clause in enumerate(acord.clauses)}
    judged = acord.judged(*splits)
    run = []
    for query in queries_of(acord, *splits):
        scores = within(ranker, wording(query), [place[clause] for clause in judged[query]])
        run += map(partial(ScoredDoc, query), judged[query], scores)
    return graded_measures(run, acord.of(*splits))


def table(acord: Acord, rankers: dict[str, Ranker]) -> Iterator[str]:
    reworded = {row["query"]: row["reworded"] for row in rows("reworded")}
    for splits in (("test",), ("train", "valid")):
        for form in (*FORMS, "reworded"):

            def wording(query: str, form: str = form) -> str:
                asked = acord.queries[query]
                return reworded[asked.text] if form == "reworded" else asked.form(form)

            found = {name: values_of(acord, splits, wording, ranker) for name, ranker in rankers.items()}
            first, asked = next(iter(found.values())), f"{'+'.join(splits):12}{form:10}"
            for name, values in found.items():
                yield f"{asked}{name:34}{shown(values)}{against(values, first)}"


def shown(values: Values) -> str:
    return "  ".join(f"{100 * mean_of(values[name]):5.1f}" for name in NDCG)


def against(values: Values, first: Values) -> str:
    if values is first:
        return ""
    own, other = ([found[NDCG[1]][query] for query in first[NDCG[1]]] for found in (values, first))
    gap = difference(own, other, 7)
    return f"   {100 * gap.mean:+.1f} ({100 * gap.interval.low:+.1f} to {100 * gap.interval.high:+.1f})"


def overlap(one: Sequence[int], other: Sequence[int]) -> float:
    """Rank-biased overlap of two rankings as far as they go, over what it could be (Webber, Moffat and Zobel, 2010)."""
    shares = [len(set(one[:depth]) & set(other[:depth])) / depth for depth in range(1, len(one) + 1)]
    weights = [_P**at for at in range(len(shares))]
    return float(np.average(shares, weights=weights))


def pairs(name: str, ranker: Ranker) -> str:
    def first(query: str) -> list[int]:
        found: list[int] = np.argsort(-ranker(query), kind="stable")[:_DEEP].tolist()
        return found

    found = [(first(row["a"]), first(row["b"])) for row in rows(name)]
    alike, five = mean(overlap(*pair) for pair in found), mean(len({*a[:5]} & {*b[:5]}) for a, b in found)
    equal = sum({*a[:5]} == {*b[:5]} for a, b in found)
    return f"{name} overlap {alike:.2f}, of the first five {five:.1f} are common, all five in {equal} of {len(found)}"


def constraints(acord: Acord, rankers: dict[str, Ranker]) -> Iterator[str]:
    """NDCG on queries with constraints, over the clauses that were graded of each (`data/clauses/README.md`)."""
    grades = {row["id"]: row["grades"] for row in rows("constraint-grades")}
    judged = [Judgement(query, one, grade) for query, own in grades.items() for one, grade in own.items()]
    place = {clause: number for number, clause in enumerate(acord.clauses)}
    found, asked = dict[str, Values](), {row["id"]: row["query"] for row in rows("constraints")}
    for name, ranker in rankers.items():
        run = []
        for query, own in grades.items():
            run += map(partial(ScoredDoc, query), own, within(ranker, asked[query], [place[one] for one in own]))
        found[name] = graded_measures(run, judged)
    for name, values in found.items():
        yield f"{'constraints':22}{name:34}{shown(values)}{against(values, next(iter(found.values())))}"


def phrasings(features: ClauseFeatures) -> str:
    def read(query: str) -> set[str]:
        found = features.intent(query)
        return {one.name for one in (*found.subjects, *found.said, *found.excepted, *found.absent)}

    asked, unknown = rows("phrasings"), rows("unknown")
    right, wrong = (
        sum(one["notion"] in read(one["query"]) for one in asked),
        sum(bool(read(one["query"])) for one in unknown),
    )
    return (
        f"{right} of {len(asked)} phrasings are read as their notion, {wrong} of {len(unknown)} unknown notions as one"
    )


def asked(features: ClauseFeatures, more: str) -> str:
    """Notions that queries ask for, found among all, with what is asked of them."""

    def read(query: str) -> dict[str, set[str]]:
        found = features.intent(query)
        parts = {"about": found.said, "excepted": found.excepted, "absent": found.absent, "subject": found.subjects}
        return {part: {one.name for one in concepts} for part, concepts in parts.items()}

    right = given = wanted = subjects = matters = meant = whole = 0
    for row in rows(f"asked{more}"):
        own = {part: set(row[part]) for part in ("about", "excepted", "absent")} | {
            "subject": {row["subject"]} - {None}
        }
        found = read(row["query"])
        whole += found == own
        asked_for, read_as = (set().union(*parts.values()) for parts in (own, found))
        right, given, wanted = right + len(asked_for & read_as), given + len(read_as), wanted + len(asked_for)
        subjects += found.pop("subject") == own.pop("subject")
        matters += sum(len(part & read_as) for part in own.values())
        meant += sum(len(own[part] & found[part]) for part in own)
    return (
        f"Notions of {len(rows(f'asked{more}'))} queries (asked{more}): precision {right / given:.3f}, recall "
        f"{right / wanted:.3f}, {subjects} with the right subject; {meant} of {matters} matters in the right sense, "
        f"{whole} wholly right"
    )


def misread(features: ClauseFeatures, name: str) -> str:
    """How many of the queries that ask for no notion are read as one."""
    wrong = [bool(features.intent(row["query"]).named + features.intent(row["query"]).absent) for row in rows(name)]
    return f"{sum(wrong)} of {len(wrong)} that ask for none ({name}) are read"


def category_left_out(acord: Acord, features: ClauseFeatures) -> str:
    """All queries, each ranked by trees that learned from the other clause categories alone."""
    known = graded(acord, queries_of(acord, *SPLITS), features)
    run = []
    for category in acord.categories():
        own = [query for query in known.examples if acord.queries[query].category == category]
        rest = [known.examples[query] for query in known.examples if query not in own]
        ranking = fit_ranking(rest, RankingOptions()) if own else None
        run += [row for query in own if ranking for row in known.run(query, ranking)]
    return shown(graded_measures(run, acord.of(*SPLITS)))


def forget(acord: Acord) -> str:
    """Leave of the glossary the concepts that train and valid queries ask for."""
    texts = [acord.queries[query].text.lower() for query in queries_of(acord, "train", "valid")]
    kept = [[one for one in kind if any(one.asked.search(text) for text in texts)] for kind in (SUBJECTS, MATTERS)]
    reader.SUBJECTS, reader.MATTERS = (tuple(some) for some in kept)
    learned._KNOWN = {one.name for one in (*reader.SUBJECTS, *reader.MATTERS)}
    weighed.SUBJECTS = reader.SUBJECTS  # what clauses nearest to a description are about
    reader.query_intent.cache_clear()
    return f"{len(kept[0])} subjects and {len(kept[1])} matters"


def main() -> None:
    acord = read_acord(Path(sys.argv[1]))
    texts, kept = list(acord.clauses.values()), AnnotationCache(cache_folder())
    ranking = load_ranking(Path(sys.argv[2]))[0] if len(sys.argv) > 2 else None
    name = sys.argv[3] if len(sys.argv) > 3 else CLAUSE_FINDER

    def ready(encoder: str) -> ClauseFeatures:
        return ClauseFeatures(texts, CachedEncoder(cache_folder(), search_embedder(encoder)), annotations=kept)

    def rankers(features: ClauseFeatures) -> dict[str, Ranker]:
        found: dict[str, Ranker] = {"reading": lambda query: features.scores(query).heuristic}
        if ranking:
            found["clause model"] = lambda query: ranking.scores(features.of(query))
        return found

    plain, features = ready(OFFLINE), ready(name)

    def fusion(query: str) -> NDArray[np.floating]:
        measures = plain.scores(query).measures
        return z_scores(measures["bm25"]) + z_scores(measures["cosine"])

    every: dict[str, Ranker] = {
        "BM25 + MiniLM": fusion,
        "encoder alone": lambda query: features.scores(query).measures["cosine"],
    }
    reranker = clause_reranker(CLAUSE_RERANKER)
    read = lru_cache(maxsize=None)(lambda query, text: reranker.rerank(query, [text])[0])
    for label, ranker in rankers(features).items():
        every |= {label: ranker, f"{label}, the first {DEPTH} again": Again(ranker, texts, read)}
    for line in table(acord, every):
        print(line, flush=True)
    for label, ranker in every.items():
        print(label, *(pairs(name, ranker) for name in _PAIRS), sep="; ", flush=True)
    print(*constraints(acord, every), sep="\n", flush=True)
    print(phrasings(features), *(asked(features, more) for more in ("", "-2", "-3")), sep="\n")
    print(*(misread(features, name) for name in _NOTHING), sep="\n", flush=True)
    print("All queries, their category left out, clause model:", category_left_out(acord, features), flush=True)
    print(f"With what train and valid queries ask for alone ({forget(acord)}):")
    for line in table(acord, {"BM25 + MiniLM": fusion, **rankers(ready(name))}):
        if line.startswith("test"):
            print(line, flush=True)


if __name__ == "__main__":
    main()
