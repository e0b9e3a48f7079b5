"""Sentences as a parser trained on edited English expects them, with offsets that lead back.

Parentheticals begin in lower case, drop the final period and often stand under a lost "holding that".
Each sentence is therefore parsed in three frames, and only what two parses agree on and none denies is believed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lawng.nli.negation.words import OPENERS

_STANDING = re.compile(r"\b((?:ha[sd]|have|lack(?:s|ed)?|no|confers?|of) )standing\b")


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence inside the string that is parsed."""

    text: str
    sentence: str
    """As it stands in the hypothesis."""
    offset: int
    """Where the sentence begins in `text`."""

    @property
    def end(self) -> int:
        """Where the sentence ends in `text`."""
        return self.offset + len(self.sentence)


def alone(sentence: str) -> Frame:
    """The sentence by itself, with a capital and a final period.

    >>> alone("pretrial publicity was not prejudicial").text
    'Pretrial publicity was not prejudicial.'
    """
    return Frame(_capital(_helped(sentence)) + _period(sentence), sentence, 0)


def reported(sentence: str) -> Frame:
    """The sentence as what a court held.

    >>> reported("No duty exists").text
    'The court held that no duty exists.'
    """
    prefix = "The court held that "
    return Frame(prefix + _lower(_helped(sentence)) + _period(sentence), sentence, len(prefix))


def clear(sentence: str) -> Frame:
    """The sentence as what is clear, with the article that parentheticals drop.

    >>> clear("city's regulation bore no relationship to speech").text
    "It is clear that the city's regulation bore no relationship to speech."
    """
    prefix = "It is clear that "
    first = sentence.split(" ", 1)[0]
    if first[:1].isalpha() and first.islower() and first not in OPENERS and not first.endswith("ly"):
        prefix += "the "
    return Frame(prefix + _lower(_helped(sentence)) + _period(sentence), sentence, len(prefix))


FRAMES = (alone, reported, clear)


def _helped(sentence: str) -> str:
    """The sentence with "standing", which parsers take for a verb, as a noun of the same length."""
    return _STANDING.sub(r"\1capacity", sentence)


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:] if sentence[:1].isascii() else sentence


def _lower(sentence: str) -> str:
    first = sentence.split(" ", 1)[0].lower()
    return sentence[0].lower() + sentence[1:] if first in OPENERS else sentence


def _period(sentence: str) -> str:
    return "" if sentence.rstrip("\"'”’)]").endswith((".", "?", "!")) else "."
