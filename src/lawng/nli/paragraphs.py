"""Views of a premise by paragraphs: the best ones for a hypothesis, and the last ones put first (LawngNLI, A.1.9, 4.1).

best_paragraphs(paragraphs, query, n=5) -> list[int]
bm25_view(premise, query, n=5) -> str
prepended(premise, count_tokens, minimum=512) -> str
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from lawng.nli.bm25 import Bm25

BREAK = "\n\n"
BEST = 5
PREPENDED_TOKENS = 512


def best_paragraphs(paragraphs: Sequence[str], query: str, n: int = BEST) -> list[int]:
    """Numbers of the n paragraphs with the highest BM25 score, in document order (LawngNLI, 4.1).

    Of equal scores the earlier paragraph is taken. Fewer paragraphs than n are all taken.

    >>> best_paragraphs(["A tax.", "No duty.", "The tax is due.", "So ordered.", "Reversed."], "tax", n=2)
    [0, 2]
    """
    return _best(_index(tuple(paragraphs)), query, n)


def bm25_view(premise: str, query: str, n: int = BEST) -> str:
    """The premise's n best paragraphs for a hypothesis, in document order, as a text (LawngNLI, 4.1)."""
    paragraphs = premise.split(BREAK)
    return BREAK.join(paragraphs[number] for number in best_paragraphs(paragraphs, query, n))


def prepended(premise: str, count_tokens: Callable[[str], int], minimum: int = PREPENDED_TOKENS) -> str:
    """The premise with its last paragraphs copied to its beginning (LawngNLI, A.1.9).

    As few paragraphs as have at least `minimum` tokens together, all of them if the whole premise has fewer: it keeps
    models from reading the label off the beginning.
    """
    paragraphs = premise.split(BREAK)
    first, tokens = len(paragraphs), 0
    while first > 0 and tokens < minimum:
        first -= 1
        tokens += count_tokens(paragraphs[first])
    return BREAK.join([*paragraphs[first:], *paragraphs])


@lru_cache(maxsize=16)
def _index(paragraphs: tuple[str, ...]) -> Bm25:
    """Kept for the premises in hand: an example and its twin ask the same paragraphs."""
    return Bm25(paragraphs)


def _best(index: Bm25, query: str, n: int) -> list[int]:
    scores = index.scores(query)
    # Rounded, so that equal scores stay equal whatever the order of summation.
    ranked = sorted(range(len(scores)), key=lambda number: (-round(scores[number], 9), number))
    return sorted(ranked[:n])
