"""Training of a re-ranker of passages: which sentence of an opinion decides an argument.

fit_reranker(folder, queries, options, run, report) -> the model's folder

A 1-label cross-encoder (`lawng.models.training.relevance`), taught by lists: of each query a text that decides it,
others of the same opinion that only look so, and the deciding text of another case. It is judged on the queries of part
`dev`.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lawng.datasets.ranking import RankedQuery
from lawng.datasets.splits import hash_of
from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import atomic_folder, check_place
from lawng.models.find import find_model
from lawng.models.folder import NOTE
from lawng.models.pairs import relevance_model
from lawng.models.training.finish import finish_relevance, reranker_card
from lawng.models.training.options import RelevanceOptions, Report, Run
from lawng.models.training.plan import GradedText, begin, digest_of
from lawng.models.training.relevance import Hooks, kept_at, train_relevance

LIST_OPTIONS: dict[str, Any] = {
    "loss": "listwise", "batch": 48, "micro": 48, "list_size": 6, "max_length": 160,
    "freeze_words": True, "dropout": 0.0,
}  # fmt: skip
"""Fields of `RelevanceOptions` that fit lists of sentences."""
_MOST_JUDGED = 300
"""Queries of part `dev` that are asked each time: a hundred have an interval of ten points."""


@explained()
def fit_reranker(
    folder: Path, queries: Sequence[RankedQuery], options: RelevanceOptions, run: Run, report: Report
) -> Path:
    """Train a re-ranker and write its folder, whole or not at all: weights, an int8 file, `lawng.json`, a card.

    A killed run leaves `.NAME.partial` beside it, from which the same command goes on. Queries of cases that are held
    out are not looked at. Raises InputError when there is nothing to train on, or something else stands at the place.
    """
    check_place(folder, NOTE, "re-ranker")
    of_part = {part: [query for query in queries if query.part == part and query.wrong] for part in ("train", "dev")}
    if not of_part["train"]:
        raise InputError("nothing to train on: no query of a training case has a wrong text beside the right one")
    texts, base = list(graded(of_part["train"])), find_model("base model", options.base)
    asked = sorted(of_part["dev"], key=lambda query: hash_of(query.query_id))[:_MOST_JUDGED]
    told = {
        "base": [base.name, base.state],
        "options": asdict(options) | run._asdict(),
        "queries": {part: dict(sorted(Counter(q.source for q in some).items())) for part, some in of_part.items()},
        "texts": len(texts),
    }

    def judge(folder: Path, backend: str = "torch") -> float:
        return reciprocal_rank(folder, asked, backend) if asked else 0.0

    with atomic_folder(folder) as partial:
        work = partial / "work"
        begin(work, told | {"data": digest_of(texts)})
        scores = train_relevance(base.place, texts, options, run, work, Hooks(judge, report))
        best = max(scores, key=lambda updates: (scores[updates], -updates))
        chosen = {"updates": best, "dev": round(scores[best], 4), "n_dev": len(asked)}
        finish_relevance(partial, kept_at(work, best), {**told, "chosen": chosen}, judge, report, reranker_card)
        shutil.rmtree(work)
    return folder


def graded(queries: Sequence[RankedQuery]) -> Iterator[GradedText]:
    """The texts of the queries as lists are drawn from them; the wrong ones of the same opinion are the hard ones."""
    for at, query in enumerate(queries):
        yield from (GradedText(query.text, text, 1, 1.0) for text in query.right)
        yield from (GradedText(query.text, text, 0, 0.0, hard=True) for text in query.wrong)
        other = queries[(at + 1 + hash_of(query.query_id) % max(1, len(queries) - 1)) % len(queries)]
        if other.case_id != query.case_id:
            yield GradedText(query.text, other.right[0], 0, 0.0)


def reciprocal_rank(place: Path, queries: Sequence[RankedQuery], backend: str = "auto") -> float:
    """The mean reciprocal rank of a query's first right text among all of its texts, by the model in a folder."""
    model = relevance_model(str(place), backend)
    pairs = [(query.text, text) for query in queries for text in (*query.right, *query.wrong)]
    scores = iter(model.score([query for query, _ in pairs], [text for _, text in pairs]))
    return float(np.mean([_reciprocal(query, scores) for query in queries]))


def _reciprocal(query: RankedQuery, scores: Iterator[float]) -> float:
    right = max(next(scores) for _ in query.right)
    return 1.0 / (1 + sum([next(scores) >= right for _ in query.wrong]))
