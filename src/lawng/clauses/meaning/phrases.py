"""Concepts that a query names in words of its own: the nearest of many phrases by an encoder, or none.

PhraseReader(encoder).of(query) -> tuple of Named     read_phrases() -> {concept: phrases}

The phrases stand in `phrases.toml` beside this file; a lawyer adds one there, and nothing has to be trained again.
Those of "none of them" are what keeps a notion that the glossary lacks from being taken for its nearest neighbour.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, lowered
from lawng.clauses.meaning.negation_scope import Span
from lawng.clauses.meaning.query_intent import Named, spans_of
from lawng.models.vector_cache import CachedEncoder
from lawng.text.words import STOP_WORDS

NEAR = 0.78
"""Least cosine of a stretch and a phrase that it means: lower ones read notions into long descriptions. Chosen on
ACORD's train and valid queries, and these reworded."""
NEAR_ALONE = 0.95
"""The same for a stretch of one word, which may be a part of a notion's name: "liability" is no "strict liability"."""
LONGEST = 6
"""Words of a stretch."""
_A_WORD = 0.02
"""What each further word of a stretch is worth beside its cosine: "duration and territory" before "territory"."""
_MOST = 160
"""Stretches of a query that are looked at: a clause may be the query, and its words are found without this."""
_NONE = "none of them"
_SUBJECTS = {one.name for one in SUBJECTS}
_CUE = re.compile(r"\b(?:not?|never|nor|without|except\w*|exclud\w+|unless|cannot)\b|n[’']t\b")
"""Words by which a query negates and excepts: no part of a notion's name, but of how far it reaches."""
_WORD = re.compile(r"[\w’'/-]+|[.;:,()]")
_PREPOSITIONS = """
over about against between among within beyond during before after above below through onto out off up down until till
since toward towards via per amid despite while
"""
_NO_END = STOP_WORDS | frozenset(_PREPOSITIONS.split())
"""Words with which no stretch begins or ends: who "sues over patents" hands over none."""


@cache
def read_phrases() -> dict[str, tuple[str, ...]]:
    """Phrases by the concept that they ask for, and those that ask for none of them."""
    read = tomllib.loads((files(__package__) / "phrases.toml").read_text("utf-8"))
    return {name: tuple(phrases) for name, phrases in read.items()}


class PhraseReader:
    """The glossary's phrases as vectors, against which stretches of a query are held."""

    def __init__(self, encoder: CachedEncoder) -> None:
        known = {one.name for one in (*SUBJECTS, *MATTERS)}
        pairs = [(name, phrase) for name, some in read_phrases().items() for phrase in some if name in {*known, _NONE}]
        self._names = [name for name, _ in pairs]
        self._vectors = encoder.encode([phrase for _, phrase in pairs])
        self._encoder = encoder

    def of(self, query: str) -> tuple[Named, ...]:
        """The concepts that a query names in words which no pattern of the glossary knows, the surest first.

        Stretches do not overlap, nor touch what a pattern reads; empty where nothing is near enough. A subject is read
        only where the query has none: most other words tell more of the one that it has.
        """
        text = lowered(query)
        known = spans_of(text)
        taken = [span for spans in known.values() for span in spans]
        stretches = [span for span in stretches_of(text) if not _meets(span, taken)]
        if not stretches:
            return ()
        asked = [text[start:end] for start, end in stretches]
        alike = self._encoder.vectors(asked) @ self._vectors.T
        n_words = np.array([1 + one.count(" ") for one in asked])
        return tuple(self._chosen(stretches, n_words, alike, bool(_SUBJECTS & known.keys())))

    def _chosen(
        self, stretches: Sequence[Span], n_words: NDArray[np.intp], alike: NDArray[np.float32], has_subject: bool
    ) -> Iterator[Named]:
        best, nearest = alike.max(axis=1), alike.argmax(axis=1)
        taken, no_notions = list[Span](), list[Span]()
        least = np.where(n_words > 1, NEAR, NEAR_ALONE)
        for at in np.argsort(-best - _A_WORD * n_words, kind="stable").tolist():
            start, end = stretches[at]
            within = any(first <= start and end <= last for first, last in no_notions)
            if best[at] < least[at] or within or _meets((start, end), taken):
                continue
            name = self._names[nearest[at]]
            # what is no notion may be a part of one, as "third party" is of "claims of a third party"
            (no_notions if name == _NONE else taken).append((start, end))
            if name != _NONE and not (has_subject and name in _SUBJECTS):
                has_subject = has_subject or name in _SUBJECTS
                yield Named(name, start, end)


def stretches_of(text: str) -> list[Span]:
    """Stretches of up to six words that begin and end with a word of content, and reach over no stop and no negation.

    >>> ["a word of it, then"[start:end] for start, end in stretches_of("a word of it, then")]
    ['word']
    """
    words = [(*found.span(), "." if _CUE.fullmatch(found[0]) else found[0]) for found in _WORD.finditer(text)]
    return [*islice(_stretches(words), _MOST)]


def _stretches(words: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    for first, (start, _, word) in enumerate(words):
        if not word[0].isalnum() or word in _NO_END:
            continue
        for _, end, last in words[first : first + LONGEST]:
            if not last[0].isalnum():
                break
            if last not in _NO_END:
                yield start, end


def _meets(span: Span, others: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
