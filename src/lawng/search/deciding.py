"""Which sentence of a case decides an argument, and with it which passage and which case come first.

    decide(hits, argument, reranker, settings) -> hits

Facts, questions and pleadings share an argument's words; what answers it stands elsewhere. Every sentence of a hit's
passages is weighed by its words, those around it, and what it does (`lawng.search.roles`); the likeliest are read by a
re-ranker, a cross-encoder that was taught which sentences decide. Its score and the weight are added up. A passage is
as good as its best sentence, which is quoted; a case moves up by it among those that were found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.schema import Span
from lawng.search.answer import Hit
from lawng.search.passage_selection import DISSENT
from lawng.search.roles import load_roles
from lawng.search.state import DECIDES, DecidingSettings
from lawng.text.highlight import spans_of
from lawng.text.paragraphs import bm25_scores
from lawng.text.windows import with_lead

if TYPE_CHECKING:
    from lawng.models.protocols import Reranker

Numbers = NDArray[np.float64]


class _Sentence(NamedTuple):
    hit: int
    passage: int
    """Its place among the hit's passages."""
    span: Span
    """In the passage's text."""
    text: str
    """With what leads to it."""
    weight: float


Scored = dict[tuple[int, int], list[tuple[float, Span]]]
"""By hit and passage: its sentences with their scores, the best first."""


def decide(hits: Sequence[Hit], argument: str, reranker: Reranker, settings: DecidingSettings) -> list[Hit]:
    """The hits in the order given, their passages in order of what decides, quoted so, and their scores moved by it.

    Dissents stay last: they say what the case did not hold. Hits without passages, or without a score, gain nothing.
    Raises InputError when the argument fills the re-ranker's window.
    """
    weighed = [_weighed(number, hit, argument, settings) for number, hit in enumerate(hits)]
    few = max(settings.n_of_case, settings.n_read // max(1, len(hits)))  # of a case asked alone all that may be read
    likely = [one for some in weighed for one in sorted(some, key=lambda one: -one.weight)[:few]]
    read = sorted(likely, key=lambda one: (-hits[one.hit].score, -one.weight))[: settings.n_read]
    logits = dict(zip(map(id, read), reranker.rerank(argument, [one.text for one in read]), strict=True))
    least = min(logits.values(), default=0.0)  # of what is not read
    scored: Scored = defaultdict(list)
    for one in (one for some in weighed for one in some):
        score = settings.reranker * logits.get(id(one), least) + one.weight
        scored[one.hit, one.passage].append((score, one.span))
    for found in scored.values():
        found.sort(key=lambda row: -row[0])
    return _moved([_with(hit, number, scored) for number, hit in enumerate(hits)], settings)


def _weighed(number: int, hit: Hit, argument: str, settings: DecidingSettings) -> list[_Sentence]:
    """All sentences of a hit's passages with their weights."""
    found: list[tuple[int, Span, str, str]] = []
    roles = []
    for place, one in enumerate(hit.passages):
        text, spans = one.read, spans_of(one.passage.text) or (Span(0, len(one.passage.text)),)
        alone = [" ".join(text[s.start : s.end].split()) for s in spans]
        found += [(place, s, with_lead(text, spans, at), alone[at]) for at, s in enumerate(spans)]
        roles.append(load_roles().of(alone))
    if not found:
        return []
    lead, own = (
        _shares(bm25_scores(argument, texts)) for texts in ([row[2] for row in found], [row[3] for row in found])
    )
    beside = _shares(np.convolve(own, np.ones(7), "same")[: len(own)] if len(own) >= 7 else own)
    weights = settings.lead * lead + settings.words * own + settings.around * beside
    weights = weights + np.log(np.concatenate(roles) + 1e-3) @ np.array(settings.roles)
    return [
        _Sentence(number, place, span, text, float(weight))
        for (place, span, text, _), weight in zip(found, weights, strict=True)
    ]


def _shares(scores: Sequence[float] | Numbers) -> Numbers:
    found = np.asarray(scores, dtype=np.float64)
    top = float(found.max(initial=0.0))
    return found / top if top > 0 else np.zeros(len(found))


def _with(hit: Hit, number: int, scored: Scored) -> tuple[Hit, float | None]:
    """A hit, its passages in the order of their best sentences, and the best one's score, None where it moves none."""
    if not hit.passages:
        return hit, None
    found = [scored[number, place] for place in range(len(hit.passages))]
    top = max(score for sentences in found for score, _ in sentences)
    shown = []
    for one, sentences in zip(hit.passages, found, strict=True):
        likely = tuple((span.start, span.end, float(np.exp((score - top) / 2))) for score, span in sentences)
        (start, end, share), own = likely[0], {DECIDES: sentences[0][0]}
        shown.append(replace(one, quoted=(start, end), score=share, scores=one.scores | own, likely=likely))
    shown.sort(key=lambda one: (one.passage.part == DISSENT, -one.score))
    first = shown[0]
    # what only a dissent says, or of a case that is only named, moves no case
    moves = hit.score > 0 and first.passage.part != DISSENT
    return replace(hit, passages=shown), first.scores[DECIDES] if moves else None


def _moved(found: Sequence[tuple[Hit, float | None]], settings: DecidingSettings) -> list[Hit]:
    """The hits, each with what its best sentence adds to its own score; both are scaled, so that 1 stays the most."""
    known = [score for _, score in found if score is not None]
    low, top = min(known, default=0.0), max(known, default=0.0)
    moved = []
    for hit, score in found:
        share = 0.0 if score is None else (score - low) / (top - low) if top > low else 1.0
        added = hit.scores | ({DECIDES: settings.case * share} if score is not None else {})
        scaled = {name: value / (1 + settings.case) for name, value in added.items()}
        moved.append(replace(hit, score=(hit.score + settings.case * share) / (1 + settings.case), scores=scaled))
    return moved
