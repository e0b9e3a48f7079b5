"""Whether a quoted phrase occurs in a text: word for word; case, line breaks and the shape of quotation marks aside."""

from __future__ import annotations

import re

_PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "\u00a0": " "})


def occurs(phrase: str, text: str) -> bool:
    """Whether the phrase stands in the text, not inside longer words.

    >>> occurs("due process", "the Due\\nProcess Clause"), occurs("art", "party")
    (True, False)
    """
    wanted = _plain(phrase)
    return bool(wanted) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", _plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(text.translate(_PLAIN).casefold().split())
