"""Sets of words with at least a share in common, found at once and none of them missed.

known = Similar(0.8)
known.add(words)     known.like(words) -> (number, share) of each that is similar, in the order of adding
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

_SLACK = 1e-9
"""0.55 * 100 is a little more than 55."""


class Similar:
    """Sets known so far, by the lowest of their words.

    Two sets whose Jaccard index is `share` at least have a word in common among the lowest ones of both, by any order:
    so few that the rest could not make up the share (prefix filtering: Chaudhuri et al. 2006, "A Primitive Operator for
    Similarity Joins"). An order in which rare words are low is the quickest.

    >>> known = Similar(0.5)
    >>> known.add(frozenset("abc"))
    >>> list(known.like(frozenset("abx"))), list(known.like(frozenset("axy")))
    ([(0, 0.5)], [])
    """

    def __init__(self, share: float, order: Callable[[Any], Any] | None = None) -> None:
        self._share, self._order = share, order
        self._sets: list[frozenset[Any]] = []
        self._holders: dict[Any, list[int]] = defaultdict(list)

    def like(self, words: frozenset[Any]) -> Iterator[tuple[int, float]]:
        """The numbers of the sets that are similar, with the share in common, in the order in which they were added."""
        for number in sorted({at for word in self._prefix(words) for at in self._holders.get(word, ())}):
            other = self._sets[number]
            common = len(words & other) / len(words | other)
            if common >= self._share - _SLACK:
                yield number, common

    def add(self, words: frozenset[Any]) -> None:
        """One more set, under the next number."""
        for word in self._prefix(words):
            self._holders[word].append(len(self._sets))
        self._sets.append(words)

    def _prefix(self, words: frozenset[Any]) -> list[Any]:
        return sorted(words, key=self._order)[: len(words) - ceil(self._share * len(words) - _SLACK) + 1]
