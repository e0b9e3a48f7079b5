"""What clauses are about, distilled from the glossary's patterns and from graded queries: `lawng train subjects`.

train_clause_subjects(data, files, encoder, file) -> what is told of it
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.clause_annotation import AnnotationCache
from lawng.clauses.meaning.glossary import SUBJECTS
from lawng.clauses.meaning.match_features import MATCH_FEATURES, ClauseMatcher, SentenceArrays
from lawng.clauses.meaning.query_intent import QueryIntent, query_intent
from lawng.clauses.meaning.query_reader import query_reader
from lawng.clauses.ranking.clause_subjects import ClauseSubjects, fit_subjects
from lawng.clauses.ranking.rankers import cache_folder
from lawng.datasets.clause_groups import ClauseGroup, read_groups
from lawng.errors import InputError
from lawng.extras import explained
from lawng.io.progress import Progress, progress_bar
from lawng.models.onnx.encoder import search_embedder
from lawng.models.vector_cache import CachedEncoder
from lawng.studies.acord.data import read_acord

FOLDS = 5
"""Parts of the groups, each of which judges weights that other clauses taught."""
_SURE = 4.0
"""What a reader's grade counts beside a pattern. One of 1, 4 on held-out groups."""
_GOOD = 3
"""Grade from which a clause is about what its query asks; one of 0 is not."""
_PLACE = {subject.name: place for place, subject in enumerate(SUBJECTS)}

Rows = NDArray[np.float32]


class _Clauses(NamedTuple):
    """Clauses with what patterns and vectors say of them, by number; the groups; what each of their queries asks."""

    number: dict[str, int]
    texts: list[str]
    annotations: AnnotationCache
    vectors: Rows
    labels: NDArray[np.bool_]
    """Whether a pattern says that a clause is about a subject, n x `SUBJECTS`."""
    groups: list[ClauseGroup]
    asked: dict[str, QueryIntent]

    def rows(self, group: ClauseGroup) -> list[int]:
        """The clauses of a group."""
        return [self.number[clause] for clause in group.clauses]


@explained()
def train_clause_subjects(data: Path, files: Sequence[Path], encoder: str, file: Path) -> dict[str, Any]:
    """Teach what clauses are about, and write the weights for an encoder's folder.

    A clause is about a subject where a pattern of the glossary says so, but for what readers say of it: one that they
    grade 3 or 4 for a query with that subject alone is, one that they grade 0 is not. Told are how many clauses and
    queries there were, and the NDCG of queries of held-out groups by how a clause fits, by patterns alone and with
    weights that the other groups taught. ACORD's own queries and grades are not used. Raises InputError when there are
    no groups, or a file cannot be read; MissingError when the encoder cannot be had.
    """
    acord = read_acord(data)
    groups = read_groups(files, acord.clauses)
    if len(groups) < FOLDS:
        raise InputError(f"{len(groups)} groups of clauses are given, {FOLDS} are needed; name files by --groups")
    vectors = CachedEncoder(cache_folder(), search_embedder(encoder))
    named, texts = query_reader(vectors.embedder), list(acord.clauses.values())
    queries = {query.text for group in groups for query in group.queries}
    asked = {text: query_intent(text, named(text)) for text in sorted(queries)}
    kept = AnnotationCache(cache_folder())
    patterns = SentenceArrays(kept.of(texts))
    with progress_bar("Clauses encoded") as progress:
        encoded = vectors.encode(texts, progress)
    clauses = _Clauses(
        {clause: number for number, clause in enumerate(acord.clauses)},
        texts,
        kept,
        encoded,
        patterns.any(patterns.about.T).T > 0,
        groups,
        asked,
    )
    with progress_bar("Parts of the groups judged") as progress:
        told = {"clauses": len(texts), "groups": len(groups), "ndcg": _held_out(clauses, progress)}
    _taught(clauses, np.arange(len(texts))).write(file, told)
    return told


def _taught(clauses: _Clauses, rows: NDArray[np.intp]) -> ClauseSubjects:
    """Weights by what patterns and readers say of some of the clauses."""
    labels = clauses.labels.copy()
    sure = np.ones(labels.shape)
    for (number, place), grade in _graded(clauses).items():
        if grade >= _GOOD or not grade:
            labels[number, place], sure[number, place] = bool(grade), _SURE
    return fit_subjects(clauses.vectors[rows], labels[rows], sure[rows])


def _graded(clauses: _Clauses) -> dict[tuple[int, int], int]:
    """The best grade of each clause for queries with one subject, by the numbers of clause and subject."""
    found: dict[tuple[int, int], int] = {}
    for group in clauses.groups:
        for query in group.queries:
            subjects = clauses.asked[query.text].subjects
            if len(subjects) == 1:
                place = _PLACE[subjects[0].name]
                for number, grade in zip(clauses.rows(group), query.grades, strict=True):
                    found[number, place] = max(grade, found.get((number, place), 0))
    return found


def _held_out(clauses: _Clauses, progress: Progress) -> dict[str, float]:
    """Mean NDCG of the queries that are read, by fit within their groups, of whose clauses the weights saw none."""
    by: dict[str, list[float]] = {"patterns": [], "taught": []}
    for fold in range(FOLDS):
        own = clauses.groups[fold::FOLDS]
        seen = np.array(sorted({*range(len(clauses.texts))}.difference(*map(clauses.rows, own))), np.intp)
        taught = _taught(clauses, seen).of(clauses.vectors)
        for group in own:
            by["patterns"] += _ndcg(clauses, group, None)
            by["taught"] += _ndcg(clauses, group, taught[clauses.rows(group)])
        progress(fold + 1, FOLDS)
    return {name: round(float(np.mean(values)), 4) for name, values in by.items()}


def _ndcg(clauses: _Clauses, group: ClauseGroup, told: NDArray[np.float64] | None) -> list[float]:
    from sklearn.metrics import ndcg_score

    rows = clauses.rows(group)
    matcher = ClauseMatcher([clauses.texts[row] for row in rows], clauses.annotations, told)
    fit = MATCH_FEATURES.index("fit")
    asked = [(clauses.asked[query.text], query.grades) for query in group.queries]
    return [
        float(ndcg_score([grades], [matcher.match(intent)[:, fit]]))
        for intent, grades in asked
        if intent.subjects and any(grades)
    ]
