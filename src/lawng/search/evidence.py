"""What in a passage is worth a look: the argument's words, and the sentences nearest to it, as exact spans.

Evidence(argument).highlights(text) -> spans      Evidence(argument).quoted(text) -> span
"""

from __future__ import annotations

import math
import re

from lawng.records import Span
from lawng.retrieval.sentences import sentence_spans
from lawng.search.words import NO_EVIDENCE, stem

MOST_WORDS = 90
"""A quotation is not made longer than this by a second sentence."""
_SHORTNESS = 0.15
"""Of two sentences that share the same words the shorter one is nearer, a little."""
_WORD = re.compile(r"[^\W_]+(?:[’'][^\W_]+)*")


_CITE = re.compile(r"\b\d+\s+(?:[A-Z][\w.’']*\s*){1,4}(?:\d(?:d|th)\s+)?(?:(?:at|,|§+)\s*){0,2}\d+")
"""Volume, reporter, page: no sentence ends inside."""


class Evidence:
    """An argument, ready to be looked for in passages."""

    def __init__(self, argument: str) -> None:
        self._stems = frozenset(stem(word) for word in map(str.lower, _WORD.findall(argument)) if _counts(word))

    def highlights(self, text: str) -> list[tuple[int, int]]:
        """Spans of the argument's words in a text, in any inflection, stop words left out; ascending.

        >>> Evidence("A warrant is required").highlights("Requiring warrants")
        [(0, 9), (10, 18)]
        """
        return [match.span() for match in _WORD.finditer(text) if self._has(match.group())]

    def quoted(self, text: str) -> tuple[int, int]:
        """Span of the sentence of a text that shares most with the argument, with a neighbour that adds to it.

        A sentence counts by the rarer of the argument's words in it: each word weighs less the more sentences have it.
        Without a shared word it is the first sentence; of equals the first.
        """
        spans = [(span.start, span.end) for span in sentence_spans(text, 0, len(text), _cites(text))]
        found = [self._shared(text[start:end]) for start, end in spans]
        scores = [self._score(one, found, end - start) for one, (start, end) in zip(found, spans, strict=True)]
        best = max(range(len(spans)), key=lambda n: (scores[n], -n), default=None)
        if best is None:
            return (0, len(text))
        first, last = self._widened(best, found, scores, [text[start:end] for start, end in spans])
        return (spans[first][0], spans[last][1])

    def coverage(self, text: str) -> float:
        """The share of the argument's words that a text has, 0 to 1."""
        return len(self._shared(text)) / len(self._stems) if self._stems else 0.0

    def _has(self, word: str) -> bool:
        return _counts(word) and stem(word.lower()) in self._stems

    def _shared(self, sentence: str) -> frozenset[str]:
        words = (word for word in _WORD.findall(sentence) if _counts(word))
        return self._stems & frozenset(stem(word.lower()) for word in words)

    @staticmethod
    def _score(one: frozenset[str], every: list[frozenset[str]], length: int) -> float:
        weight = sum(1.0 / math.sqrt(sum(word in other for other in every)) for word in one)
        return weight / math.pow(max(length, 60), _SHORTNESS)

    @staticmethod
    def _widened(best: int, found: list[frozenset[str]], scores: list[float], sentences: list[str]) -> tuple[int, int]:
        beside = [n for n in (best - 1, best + 1) if 0 <= n < len(found)]
        added = [n for n in beside if len(found[n] - found[best]) >= 2 and scores[n] >= 0.6 * scores[best] > 0]
        if added:
            other = max(added, key=lambda n: (scores[n], -n))
            if len(sentences[best].split()) + len(sentences[other].split()) <= MOST_WORDS:
                return min(best, other), max(best, other)
        return best, best


def _counts(word: str) -> bool:
    return len(word) > 1 and word.lower() not in NO_EVIDENCE


def _cites(text: str) -> list[Span]:
    return [Span(*match.span()) for match in _CITE.finditer(text)]
