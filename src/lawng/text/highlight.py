"""What in a text is worth a look: the words of a query, and the sentences nearest to it, as exact spans."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lawng.schema import Span
from lawng.text.sentences import sentence_spans
from lawng.text.words import light_stem

MOST_WORDS = 90
"""A quotation is not made longer than this by a second sentence."""
_SHORTNESS = 0.15
"""Of two sentences that share the same words the shorter one is nearer, a little."""
_WORD = re.compile(r"[^\W_]+(?:[’'][^\W_]+)*")
_CITE = re.compile(r"\b\d+\s+(?:[A-Z][\w.’']*\s*){1,4}(?:\d(?:d|th)\s+)?(?:(?:at|,|§+)\s*){0,2}\d+")
"""Volume, reporter, page: no sentence ends inside."""


class Highlighted(NamedTuple):
    """What is worth a look in a text."""

    highlights: list[tuple[int, int]]
    """Spans of the query's words in any inflection, stop words left out; ascending."""
    quoted: tuple[int, int]
    """Span of the sentence that shares most with the query, with a neighbour that adds to it."""


class _Sentence(NamedTuple):
    start: int
    end: int
    shared: frozenset[str]
    """Stems that it shares with the query."""


class Highlighter:
    """A query, ready to be looked for in texts."""

    def __init__(self, query: str) -> None:
        self._stems = frozenset(found for _, _, found in _stems(query))

    def look(self, text: str) -> Highlighted:
        """What of a text is worth a look.

        A sentence counts by the query's words in it, each of which weighs less the more sentences have it. Without a
        shared word the first sentence is quoted; of equals the first.

        >>> text = "So it was. Requiring warrants is right."
        >>> [text[a:b] for a, b in Highlighter("A warrant is required").look(text).highlights]
        ['Requiring', 'warrants']
        """
        words = [word for word in _stems(text) if word[2] in self._stems]
        spans = [(start, end) for start, end, _ in words]
        starts = [start for start, _ in spans]
        sentences = []
        for span in spans_of(text):
            inside = words[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
            sentences.append(_Sentence(span.start, span.end, frozenset(word[2] for word in inside)))
        return Highlighted(spans, _nearest(sentences, text) if sentences else (0, len(text)))

    def shared(self, text: str) -> frozenset[str]:
        """Stems of the query's words that a text has."""
        return self._stems & {word for _, _, word in _stems(text)}

    def coverage(self, text: str) -> float:
        """The share of the query's words that a text has, 0 to 1."""
        return len(self.shared(text)) / len(self._stems) if self._stems else 0.0


def has_content(text: str) -> bool:
    """Whether a text has a word that says something."""
    return bool(_stems(text))


def telling_words(text: str) -> list[str]:
    """The words of a text that say something, as written, of several inflections the first.

    >>> telling_words("The tenant's rights, and a right of tenants")
    ["tenant's", 'rights']
    """
    first: dict[str, str] = {}
    for start, end, found in _stems(text):
        first.setdefault(found, text[start:end])
    return list(first.values())


@lru_cache(maxsize=512)
def _stems(text: str) -> tuple[tuple[int, int, str], ...]:
    found = ((match.start(), match.end(), light_stem(match.group())) for match in _WORD.finditer(text))
    return tuple(one for one in found if one[2])


@lru_cache(maxsize=512)
def spans_of(text: str) -> tuple[Span, ...]:
    """The sentences of a text, none of which ends inside a citation."""
    cites = [Span(*match.span()) for match in _CITE.finditer(text)]
    return tuple(sentence_spans(text, 0, len(text), cites))


def _nearest(sentences: Sequence[_Sentence], text: str) -> tuple[int, int]:
    in_sentences = Counter(word for sentence in sentences for word in sentence.shared)
    scores = [_score(sentence, in_sentences) for sentence in sentences]
    best = max(range(len(sentences)), key=lambda n: (scores[n], -n))
    first, last = sorted((best, _neighbour(best, sentences, scores, text)))
    return sentences[first].start, sentences[last].end


def _score(sentence: _Sentence, in_sentences: Counter[str]) -> float:
    weight = sum(1.0 / math.sqrt(in_sentences[word]) for word in sorted(sentence.shared))
    return weight / math.pow(max(sentence.end - sentence.start, 60), _SHORTNESS)


def _neighbour(best: int, sentences: Sequence[_Sentence], scores: Sequence[float], text: str) -> int:
    """The sentence beside the best one that is quoted with it: it must add words, and not make it too long."""
    beside = [n for n in (best - 1, best + 1) if 0 <= n < len(sentences)]
    added = [
        n for n in beside if len(sentences[n].shared - sentences[best].shared) >= 2 and scores[n] >= 0.6 * scores[best]
    ]
    if not added:
        return best
    other = max(added, key=lambda n: (scores[n], -n))
    words = sum(len(text[sentences[n].start : sentences[n].end].split()) for n in (best, other))
    return other if words <= MOST_WORDS else best
