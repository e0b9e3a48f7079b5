"""What a query names in words of its own, read by an encoder that learned it: `lawng train clause-encoder --marked`.

query_reader(embedder) -> function from a query to a tuple of Named

The encoder tells of each token which notion of the glossary it names, if any, and what is asked of that: that a clause
says it, takes it out, or lacks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, lowered
from lawng.clauses.meaning.negation_scope import Sense
from lawng.clauses.meaning.query_intent import Named
from lawng.errors import MissingError
from lawng.models.find import CLAUSE_FINDER
from lawng.models.onnx.embedder import OnnxEmbedder, TokenTags
from lawng.models.onnx.encoder import search_embedder
from lawng.models.protocols import Embedder
from lawng.text.words import STOP_WORDS

LEAST = 0.5
"""Probability from which a word names some notion."""
SURE = 0.35
"""Mean probability of a notion over the words of a stretch from which they name it."""
_SETS = 2
"""Of labels: notions, and what is asked of them."""
_KNOWN = {one.name for one in (*SUBJECTS, *MATTERS)}
_SENSES = {"said": Sense.SAID, "excepted": Sense.EXCEPTED, "absent": Sense.ABSENT}

_BETWEEN_BLANKS = re.compile(r"\S+")

Shares = NDArray[np.float64]
Reader = Callable[[str], tuple[Named, ...]]


def query_reader(embedder: Embedder | None) -> Reader:
    """How queries are read beside the glossary's patterns: by an encoder, if it can, else by the one in lawng's box.

    What is read stands from left to right, each concept with what is asked of it. Without an encoder, and where neither
    can read, nothing is; an encoder knows no notion that was added to the glossary after it had learned.
    """
    for one in chain([embedder], _shipped()) if embedder else ():
        if isinstance(one, OnnxEmbedder) and len(one.labels) == _SETS:
            return lru_cache(maxsize=16)(_QueryReader(one).of)  # a query is read to rank by it, and again to explain
    return _nothing


class _QueryReader:
    def __init__(self, encoder: OnnxEmbedder) -> None:
        self._encoder = encoder
        self._notions, self._senses = encoder.labels

    def of(self, query: str) -> tuple[Named, ...]:
        text = lowered(query)
        words = [*_words(text, self._encoder.tags(text))]
        if not words:
            return ()
        notions, senses = (np.array([getattr(word, name) for word in words]) for name in ("notions", "senses"))
        best = np.where(notions[:, 0] > 1 - LEAST, 0, 1 + notions[:, 1:].argmax(axis=1)).tolist()
        found = list[Named]()
        for notion, places in groupby(range(len(words)), key=best.__getitem__):
            rows = [*places]
            stretch = text[words[rows[0]].start : words[rows[-1]].end]
            sure = notions[rows, notion].mean() >= SURE and not {*stretch.split()} <= STOP_WORDS
            if sure and self._notions[notion] in _KNOWN:
                sense = _SENSES[self._senses[int(senses[rows].mean(axis=0).argmax())]]
                found.append(Named(self._notions[notion], words[rows[0]].start, words[rows[-1]].end, sense))
        return tuple(found)


class _Word(NamedTuple):
    """A word of a query, and what its parts are on the mean."""

    start: int
    end: int
    notions: Shares
    senses: Shares


def _words(text: str, told: TokenTags) -> Iterator[_Word]:
    """The words of a text, what stands between blanks, without the stops at their ends; tokens are parts of them."""
    starts = [found.start() for found in _BETWEEN_BLANKS.finditer(text)]
    at = np.searchsorted(starts, [start for start, _ in told.places], side="right").tolist()
    for _, tokens in groupby(range(len(at)), key=at.__getitem__):
        rows = [row for row in tokens if any(map(str.isalnum, text[slice(*told.places[row])]))]
        if rows:
            means = (shares[rows].mean(axis=0) for shares in told.shares)
            yield _Word(told.places[rows[0]][0], told.places[rows[-1]][1], *means)


def _nothing(_query: str) -> tuple[Named, ...]:
    return ()


def _shipped() -> Iterator[Embedder]:
    try:
        yield search_embedder(CLAUSE_FINDER)
    except MissingError:
        return
