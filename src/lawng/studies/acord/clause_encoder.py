"""A bi-encoder for clauses: `lawng train clause-encoder`, on ACORD's training queries and on groups of graded queries,
that also reads queries: it learns from marked ones which tokens name which notion, and what is asked of it.

train_clause_encoder(data, files, folder, options, report) -> the model's folder
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS
from lawng.datasets.clause_groups import GradedQuery, read_groups
from lawng.datasets.marked_queries import SENSES, MarkedQuery, read_marked
from lawng.errors import InputError
from lawng.evaluation.measures import NDCG, graded_measures, mean_of
from lawng.extras import explained
from lawng.models.protocols import Embedder
from lawng.models.training.finish import clause_encoder_card
from lawng.models.training.graded import GROUP, Group, fit_graded
from lawng.models.training.options import Report, RetrieverOptions
from lawng.models.training.tagged import TaggedText, Tagging
from lawng.studies.acord.data import FORMS, Acord, read_acord, task_of

NOTIONS = tuple(concept.name for concept in (*SUBJECTS, *MATTERS))
_DRAWN = ((4, 3), (2, 1), (0, 0))
"""Highest and lowest grade of the clauses of a drawn group, in thirds."""


@explained()
def train_clause_encoder(  # noqa: PLR0913 (what it is made from)
    data: Path,
    files: Sequence[Path],
    folder: Path,
    options: RetrieverOptions,
    report: Report,
    *,
    marked: Sequence[Path] = (),
    draws: int = 0,
) -> Path:
    """Train on groups of clauses with graded queries, and on the queries of ACORD's training split where it is told to.

    `files` are read by `lawng.datasets.clause_groups`, their clauses are ACORD's; `marked` ones by
    `lawng.datasets.marked_queries`. Of each training query `draws` groups
    are drawn, asked in all of its forms; with none, a clause model can learn from ACORD's queries how far to trust the
    encoder. The validation queries judge, the test queries are not looked at. Raises InputError when a file cannot be
    read or there is nothing to train on, ConfigError for options that cannot be, MissingError when the base cannot be
    had.
    """
    acord = read_acord(data)
    read = read_groups(files, acord.clauses)
    written = [Group(tuple(map(acord.clauses.__getitem__, one.clauses)), *_columns(one.queries)) for one in read]
    drawn = list(_of_judgements(acord, options.seed, draws))
    if not drawn and not written:
        raise InputError(f"{data}: no training query is judged, and no groups are given")
    forms = Counter(query.form for group in read for query in group.queries)
    tagging = _tagging(read_marked(marked, NOTIONS))
    judged = {"of the collection": len(acord.judged("train"))} if draws else {}
    judged |= {"marked": len(tagging.texts)} if tagging else {}
    told = {
        "queries": {"train": {**judged, **dict(sorted(forms.items()))}},
        "groups": {"drawn": len(drawn), "written": len(written)},
        "licences": list(acord.licences),
    }
    groups = [*written, *drawn]
    return fit_graded(folder, groups, validation(acord), options, told, clause_encoder_card, report, tagging)


def _tagging(queries: Sequence[MarkedQuery]) -> Tagging | None:
    texts = [
        TaggedText(query.text, tuple((one.start, one.end, (one.notion, one.sense)) for one in query.marks))
        for query in queries
    ]
    return Tagging((("", *NOTIONS), (*SENSES.values(),)), texts) if texts else None


def _columns(queries: Sequence[GradedQuery]) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    return tuple(one.text for one in queries), tuple(one.grades for one in queries)


def _of_judgements(acord: Acord, seed: int, draws: int) -> Iterator[Group]:
    """Groups of a training query's clauses: best ones, poor ones, and irrelevant ones."""
    for query, judged in sorted(acord.judged("train").items()):
        asked = tuple(dict.fromkeys(acord.queries[query].form(form) for form in FORMS))
        for draw in range(draws):
            chosen = _drawn(judged, Random(f"{seed} {draw} {query}"))
            if len(chosen) == GROUP:
                grades = tuple(judged[clause] for clause in chosen)
                yield Group(tuple(acord.clauses[one] for one in chosen), asked, (grades,) * len(asked))


def _drawn(judged: dict[str, int], random: Random) -> list[str]:
    """Clauses of a query, at most a third of the best and of the poor, the rest irrelevant."""
    found: list[str] = []
    for most, (high, low) in zip((3, 6, GROUP), _DRAWN, strict=True):
        some = [clause for clause, grade in judged.items() if low <= grade <= high]
        found += random.sample(some, min(len(some), most - len(found)))
    return found


def validation(acord: Acord) -> Callable[[Embedder], float]:
    """What judges an encoder: NDCG@10 of the validation queries by cosine, the mean over their forms."""
    task = task_of(acord, "valid")

    def judge(encoder: Embedder) -> float:
        read = sorted({number for pool in task.pools.values() for number in pool.tolist()})
        vectors = np.zeros((len(task.texts), encoder.width), np.float32)
        vectors[read] = encoder.encode([task.texts[number] for number in read]).vectors
        return float(np.mean([_ndcg(encoder, vectors, form) for form in FORMS]))

    def _ndcg(encoder: Embedder, vectors: NDArray[np.float32], form: str) -> float:
        asked = encoder.encode([query.form(form) for query in task.queries]).vectors
        rows = zip(task.queries, asked, strict=True)
        run = [row for query, one in rows for row in task.run(query, (vectors @ one)[task.pools[query.query_id]])]
        return mean_of(graded_measures(run, task.judgements)[NDCG[1]])

    return judge
