"""Whether a quoted phrase occurs in a text: word for word; case, line breaks and the shape of marks aside."""

from __future__ import annotations

import re
from functools import lru_cache

_ALIKE = ('"“”', "'‘’", "-–—")
"""Marks that stand for each other."""
_CLASSES = {mark: f"[{re.escape(marks)}]" for marks in _ALIKE for mark in marks}


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
