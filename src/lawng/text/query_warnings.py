"""Why what was found may have nothing to do with what was asked: said in words, for cases and for clauses alike.

A search by meaning always finds something: some passage is the nearest even to noise. So it is said when the words
asked for say nothing, are hardly there, or are no prose.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from lawng.text.highlight import telling_words

_MOST_ASKED = 40
"""Words that are looked up; a longer text is judged by its first ones."""
_NAMED = 6
_CODE = frozenset("*\\#@{}_")
_SYMBOLS = ("Sm", "Sk")
"""Unicode's categories of mathematical symbols and of modifiers: operators, in prose as rare as the signs above."""
NONE_OCCURS = "No word of the {} occurs in"
BY_CHANCE = "what is found may have nothing to do with it"


def query_warnings(
    text: str, occurs: Callable[[str], bool], what: str, where: str, by: str | None = "by meaning alone"
) -> list[str]:
    """Warnings about a text that is asked: none where most of its words occur, names and rare words beside them or not.

    `occurs` tells whether a word, in any inflection, is in what is searched; `by` what finds anything where none is.
    """
    words = telling_words(text)[:_MOST_ASKED]
    if not words:
        return [f"No word of the {what} says anything to search for: {BY_CHANCE}."]
    unknown = [word for word in words if not occurs(word)]
    found = []
    if len(unknown) == len(words):
        found.append(f"{NONE_OCCURS.format(what)} {where}{f'; what is found is found {by}' if by else ''}.")
    elif 2 * len(unknown) > len(words):
        listed = ", ".join(unknown[:_NAMED]) + (" …" if len(unknown) > _NAMED else "")
        share = f"{len(unknown)} of {len(words)}"
        found.append(f"Most words of the {what} do not occur in {where} ({listed}; {share}): {BY_CHANCE}.")
    signs = sum(character in _CODE or unicodedata.category(character) in _SYMBOLS for character in text)
    if signs >= 2 and 4 * signs >= len(words):
        found.append(f"The {what} reads like code, not like a sentence: {BY_CHANCE}.")
    return found
