"""Difficulty filters: no quotations, no stumps, no copying from the premise (LawngNLI, A.1.6)."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise

from lawng.lawngnli.records import Labelled
from lawng.schema import Reject

MAX_OVERLAP = 0.5
_WORD = re.compile(r"\w+(?:['’]\w+)*")
# A straight or closing single quote also ends a possessive plural ("judges'"), so only opening ones count.
_QUOTATION = re.compile(r"[\"“”„«»‘]|``|''|(?<![\w.,;)])'(?=\w)")


def difficulty(
    item: Labelled, premise: str, *, min_words: int = 4, max_overlap: float | None = MAX_OVERLAP
) -> Labelled | Reject:
    """The item, or a reject as too easy or too short (LawngNLI, A.1.6); `premise` is the text of its short premise.

    Without `max_overlap` none is too easy.

    Both the hypothesis and its negation must pass: both will be in the data set, as twins, and a filter that saw only
    the one that the label shows would wear the labels down unequally.
    """
    drop_as = partial(Reject, "difficulty", item.candidate.candidate_id)
    forms = (item.hypothesis, item.flipped)
    if quote := next((found[0] for form in forms if (found := _QUOTATION.search(form))), None):
        return drop_as("quotation-marks", quote)
    if min(len(words_of(form)) for form in forms) < min_words:
        return drop_as("under-four-words", item.hypothesis)
    overlap = either_overlap(item, premise)
    return item if max_overlap is None or overlap < max_overlap else drop_as("bigram-overlap", f"{overlap:.2f}")


def either_overlap(item: Labelled, premise: str) -> float:
    """The `bigram_overlap` of the hypothesis or of its negation, whichever is more."""
    return max(bigram_overlap(form, premise) for form in (item.hypothesis, item.flipped))


def bigram_overlap(hypothesis: str, premise: str) -> float:
    """Share of the hypothesis's distinct word bigrams that the premise has too, 0 to 1 (LawngNLI, A.1.6, A.1.7).

    Words are lower-cased, punctuation does not count; a hypothesis of one word has no bigrams and overlaps by 0.

    >>> bigram_overlap("the State may tax", "The State may not tax.")
    0.6666666666666666
    """
    asked, there = (set(pairwise(words_of(text))) for text in (hypothesis, premise))
    return len(asked & there) / len(asked) if asked else 0.0


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return _WORD.findall(text.lower())
