"""Silver data for a re-ranker: queries made of the glossary, their clauses graded by the untrained reading.

silver_texts(acord, n, seed, features, anatomies) -> graded texts

Fifty training queries are few to learn from. The reading ranks clauses for any query that the glossary knows, so it
teaches a model what the graded queries do not show (distillation; Hinton, Vinyals and Dean, 2015).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import product
from operator import or_

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from lawng.clauses.meaning.anatomies import Anatomy
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.models.train.relevance_data import GradedText
from lawng.studies.acord.data import GRADES, Acord

Scale = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_OFTEN = 25
"""Clauses that say a matter of a subject, from which a query asks for both."""
_SAID = ("{matter} {subject}", "{subject} for {matter}", "{subject} that covers {matter}")
_EXCEPTED = (
    "{matter} exception to {subject}",
    "{subject} with {matter} carveout",
    "{subject} does not apply to {matter}",
)
_SUBJECT = ("{subject}", "{subject} clause", "{meaning}")
_BANDS = ((0, 10, 10), (10, 60, 8), (60, None, 6))
"""Ranks by the reading, and how many clauses are drawn among them: most of what is learned is at the top."""
_HARD = 100
"""Ranks of which an irrelevant clause is hard."""


def silver_texts(
    acord: Acord, n: int, seed: int, features: ClauseFeatures, anatomies: Sequence[Anatomy]
) -> list[GradedText]:
    """Graded texts for at most `n` made-up queries; `features` and `anatomies` are of the corpus's clauses, in
    its order.

    Targets are the gains, over the highest, that training clauses of such a reading have on average; no other
    judgement is looked at, and no query in the words of a validation or test query is among them.
    """
    rng = np.random.default_rng((seed, 5))
    scale, texts = _scale(acord, features), list(acord.clauses.values())
    others = {acord.queries[row.query_id].text.casefold() for row in acord.of("valid", "test")}
    queries = [query for query in silver_queries(anatomies, n, seed) if query.casefold() not in others]
    return [row for query in queries for row in _graded(query, texts, features, scale, rng)]


def silver_queries(anatomies: Sequence[Anatomy], n: int, seed: int) -> list[str]:
    """At most `n` queries: every subject, and subjects with the matters that the clauses often say or except of them.

    >>> silver_queries([], 0, 1), len(silver_queries([], 40, 1))
    ([], 40)
    """
    alone = [form.format(subject=one.name, meaning=one.meaning) for form in _SUBJECT for one in SUBJECTS]
    rest = sorted(_combined(anatomies))
    chosen = np.random.default_rng((seed, 6)).permutation(len(rest))
    return [*alone, *(rest[place] for place in chosen)][:n]


def _combined(anatomies: Sequence[Anatomy]) -> Iterator[str]:
    said, excepted = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for sentences in anatomies:
        about = _named(SUBJECTS, (sentence.about for sentence in sentences))
        said.update(product(about, _named(MATTERS, (sentence.said for sentence in sentences))))
        excepted.update(product(about, _named(MATTERS, (sentence.excepted for sentence in sentences))))
    for counts, forms in ((said, _SAID), (excepted, _EXCEPTED)):
        for (subject, matter), count in counts.items():
            if count >= _OFTEN:
                yield from (form.format(subject=subject, matter=matter) for form in forms)


def _named(kind: tuple[Concept, ...], sentences: Iterable[int]) -> list[str]:
    bits = reduce(or_, sentences, 0)
    return [concept.name for place, concept in enumerate(kind) if bits >> place & 1]


def _scale(acord: Acord, features: ClauseFeatures) -> Scale:
    """From a reading to the mean gain of training clauses that have it, over the highest gain; never falling."""
    place = {clause: row for row, clause in enumerate(acord.clauses)}
    readings, gains = [], []
    for query, grades in acord.judged("train").items():
        reading = features.look(acord.queries[query].text).reading["reading"]
        readings += [reading[place[clause]] for clause in grades]
        gains += [grade / max(GRADES) for grade in grades.values()]
    fitted = IsotonicRegression(out_of_bounds="clip").fit(readings, gains)
    return lambda reading: np.asarray(fitted.predict(reading), dtype=np.float64)


def _graded(
    query: str, texts: Sequence[str], features: ClauseFeatures, scale: Scale, rng: np.random.Generator
) -> Iterator[GradedText]:
    reading = features.look(query).reading["reading"]
    order = np.argsort(-reading, kind="stable")
    targets = scale(reading)
    for first, last, n in _BANDS:
        band = np.arange(len(order))[first:last]
        for rank in sorted(rng.choice(band, min(n, len(band)), replace=False).tolist()):
            target = float(targets[order[rank]])
            grade = round(target * max(GRADES))
            yield GradedText(query, texts[order[rank]], grade, target, grade == 0 and rank < _HARD)
