"""Near-duplicate hypotheses: judges copy each other's parentheticals (for the split by case).

near_duplicates(hypotheses) -> list[int]      a cluster number for each
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil

from lawng.nli.components import components

SIMILAR = 0.8
# A hypothesis and its negation are near-duplicates: what negation adds or takes away does not count.
_NEGATION_WORDS = {"not", "no", "never", "cannot", "can", "do", "does", "did"}
_WORD = re.compile(r"\w+")


def near_duplicates(hypotheses: Sequence[str], similar: float = SIMILAR) -> list[int]:
    """Cluster numbers: two hypotheses are linked when their word sets have a Jaccard index of at least `similar`.

    Clusters are closed under links. Case, punctuation and words of negation do not count.

    >>> near_duplicates(["the State may tax income", "The State may not tax income.", "a duty is owed"])
    [0, 0, 1]
    """
    sets = [_words(text) for text in hypotheses]
    return [int(number) for number in components(list(_links(sets, similar)), len(sets))]


def _words(text: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(text.lower()))
    return (words - _NEGATION_WORDS) or words


def _links(sets: list[frozenset[str]], similar: float) -> Iterator[tuple[int, int]]:
    """Pairs similar enough, found by prefixes: of two such sets ordered by rarity, the rarest words must meet."""
    frequency = Counter(word for words in sets for word in words)
    holders: dict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(sets):
        rare_first = sorted(words, key=lambda word: (frequency[word], word))
        prefix = rare_first[: len(words) - ceil(similar * len(words) - 1e-9) + 1]
        for other in sorted({other for word in prefix for other in holders[word]}):
            if len(words & sets[other]) >= similar * len(words | sets[other]):
                yield other, number
        for word in prefix:
            holders[word].append(number)
