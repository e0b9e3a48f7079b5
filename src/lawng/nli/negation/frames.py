"""Sentences as a parser trained on edited English expects them, with offsets that lead back.

Parentheticals begin in lower case, drop the final period and often stand under a lost "holding that".
Each sentence is therefore parsed in two frames, alone and under "The court held that", and only what
both parses agree on is believed.
"""

from __future__ import annotations

from dataclasses import dataclass

_CLOSED_CLASS = frozenset(
    "a an the this that these those it he she they we there in on at by when where if no some all each every neither "
    "either both none nothing something someone because since while although though under his her its their our".split()
)
"""Words that are capitalised only because they begin a sentence."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence inside the string that is parsed."""

    text: str
    offset: int
    """Where the sentence begins in `text`."""
    length: int


def alone(sentence: str) -> Frame:
    """The sentence by itself, with a capital and a final period.

    >>> alone("pretrial publicity was not prejudicial").text
    'Pretrial publicity was not prejudicial.'
    """
    return Frame(_capital(sentence) + _period(sentence), 0, len(sentence))


def reported(sentence: str) -> Frame:
    """The sentence as what a court held.

    >>> reported("No duty exists").text
    'The court held that no duty exists.'
    """
    prefix = "The court held that "
    return Frame(prefix + _lower(sentence) + _period(sentence), len(prefix), len(sentence))


FRAMES = (alone, reported)


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:] if sentence[:1].isascii() else sentence


def _lower(sentence: str) -> str:
    first = sentence.split(" ", 1)[0].lower()
    return sentence[0].lower() + sentence[1:] if first in _CLOSED_CLASS else sentence


def _period(sentence: str) -> str:
    return "" if sentence.rstrip("\"'”’)]").endswith((".", "?", "!")) else "."
