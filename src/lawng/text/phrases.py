"""What a person types, and the phrases quoted in it: cleaned, on one line, and whether a phrase occurs in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

MAX_PHRASES = 8
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), 8203, 8232, 8233, 65279), " ")
# Single quotation marks quote nothing here: they are apostrophes too often.
_QUOTED = re.compile(r"\"([^\"“”]*)\"|“([^\"“”]*)”|«([^«»]*)»|„([^„“”]*)[“”]")
_AROUND = " .,;:!?"
"""What stands at the ends of a quotation for the sentence around it: a full stop or comma goes inside the marks."""
_MARK = re.compile(r"[\"“”„]")
_ALIKE = ('"“”', "'‘’", "-–—")
"""Marks that stand for each other."""
_CLASSES = {mark: f"[{re.escape(marks)}]" for marks in _ALIKE for mark in marks}


def cleaned(typed: str) -> str:
    r"""What was typed without white space around it, composed (NFC), ends of lines alike, lone surrogates replaced.

    >>> cleaned(" e\u0301\r\n\ud800 ")
    'é\n?'
    """
    whole = typed.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    return unicodedata.normalize("NFC", whole).strip()


def single_spaced(text: str) -> str:
    """The text with single blanks for white space and control characters."""
    return " ".join(text.translate(_CONTROL).split())


def quoted_phrases(text: str) -> tuple[tuple[str, ...], list[str]]:
    """Phrases of two words or more between double quotation marks, and notes on marks that are not taken for any.

    >>> quoted_phrases('guilt "beyond a reasonable doubt," not "likely."')
    (('beyond a reasonable doubt',), [])
    """
    whole = (next(filter(None, match.groups()), "") for match in _QUOTED.finditer(text))
    inner = (" ".join(phrase.split()).strip(_AROUND) for phrase in whole)
    found = tuple(dict.fromkeys(phrase for phrase in inner if len(re.findall(r"\w+", phrase)) >= 2))
    notes = []
    if _MARK.search(_QUOTED.sub(" ", text)):
        notes.append("A quotation mark has no partner: what follows it is not taken as a phrase.")
    if len(found) > MAX_PHRASES:
        notes.append(f"Only the first {MAX_PHRASES} of {len(found)} quoted phrases must occur.")
    return found[:MAX_PHRASES], notes


def occurs(phrase: str, text: str) -> bool:
    """Whether the phrase stands in the text, not inside longer words.

    >>> occurs("due process", "the Due\\nProcess Clause"), occurs("art", "party")
    (True, False)
    """
    pattern = _pattern(phrase)
    return pattern is not None and pattern.search(text) is not None


@lru_cache(maxsize=256)
def _pattern(phrase: str) -> re.Pattern[str] | None:
    words = ["".join(_CLASSES.get(c) or re.escape(c) for c in word) for word in phrase.split()]
    spaced = r"\s+".join(words)
    return re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE) if words else None


def has_phrases(text: str, phrases: Sequence[str]) -> bool:
    """Whether every phrase stands in a text, word for word."""
    return all(occurs(phrase, text) for phrase in phrases)
