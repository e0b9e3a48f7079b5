"""The stretch of a long premise that a model with a short window is given: whole sentences, the likeliest ones."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from lawng.schema import Span

JUDGED_WORDS = 90
"""Words of a premise around a deciding sentence: it, and what stands beside it."""
LEAD_WORDS = 25
"""A sentence of fewer words has those before it with it: "We disagree." says nothing alone."""
_SENTENCE = re.compile(r"(?<=[.!?;”\"])\s+(?=[\"“‘\[(]?[A-Z])|\n+")
_WORD = re.compile(r"[a-z]{3,}")
_NEGATION = frozenset(
    {"not", "never", "cannot", "nor", "did", "does", "was", "were", "the", "and", "that", "for", "are"}
)
"""Words that must not decide: a hypothesis and its negation get the same window."""


def best_window(premise: str, hypothesis: str, words: int = 110) -> str:
    """The window of whole sentences, at most `words` long, that shares the rarest words with the hypothesis.

    A word counts by its inverse document frequency over the premise's own windows, once; of equals the first window
    wins. Negation words do not count, so that the choice cannot depend on the label. A premise of at most `words`
    words is given back as it is; a longer sentence is cut at `words`.

    >>> best_window("The dog sleeps. The cat ate a mouse.", "a mouse was eaten", words=5)
    'The cat ate a mouse.'
    """
    if len(premise.split()) <= words:
        return premise
    windows = windows_of(premise, words)
    kept = [_content(window) for window in windows]
    spread = Counter(word for content in kept for word in content)
    wanted = _content(hypothesis)
    scores = [sum(math.log(1 + len(windows) / spread[word]) for word in sorted(wanted & content)) for content in kept]
    return windows[max(range(len(windows)), key=lambda place: (scores[place], -place))]


def around(sentences: Sequence[str], at: int, words: int) -> str:
    """A sentence with its neighbours, whole ones in text order, at most `words` words; itself in any case.

    The sentence before comes first: what "it" stands for is there; then the one behind, and so on.

    >>> around(["It rained.", "Was he wet?", "He was."], 2, words=5)
    'Was he wet? He was.'
    """
    return " ".join(sentences[at] for at in places_around(sentences, at, words))


def places_around(sentences: Sequence[str], at: int, words: int) -> range:
    """Places of the sentences that `around` puts together."""
    first = last = at
    left = words - len(sentences[at].split())
    for step in range(2 * len(sentences)):
        other = first - 1 if step % 2 == 0 else last + 1
        if 0 <= other < len(sentences) and (n := len(sentences[other].split())) <= left:
            first, last, left = min(first, other), max(last, other), left - n
    return range(first, last + 1)


def with_lead(text: str, spans: Sequence[Span], at: int, fewest: int = LEAD_WORDS) -> str:
    """A sentence, with the sentences before it where it has few words; white space collapsed.

    >>> with_lead("Was it lawful? We think not.", [Span(0, 14), Span(15, 28)], 1)
    'Was it lawful? We think not.'
    """
    first = at
    while first > 0 and len(text[spans[first].start : spans[at].end].split()) < fewest:
        first -= 1
    return " ".join(text[spans[first].start : spans[at].end].split())


def _content(text: str) -> set[str]:
    return {word[:6] for word in _WORD.findall(text.lower()) if word not in _NEGATION}  # a crude stem


def windows_of(text: str, words: int, apart: bool = False) -> list[str]:
    """Windows of whole sentences, at most `words` long, from every other sentence on, with `apart` one after another.

    A longer sentence is cut; white space is collapsed, and every word is in a window.

    >>> windows_of("One sleeps. Two eat. Three run.", words=4)
    ['One sleeps. Two eat.', 'Three run.']
    """
    whole = [sentence.split() for sentence in _SENTENCE.split(text) if sentence]
    sentences = [" ".join(parts[at : at + words]) for parts in whole for at in range(0, len(parts), words)]
    lengths = [len(sentence.split()) for sentence in sentences]
    found, start = [], 0
    while start < len(sentences):
        end, total = start, 0
        while end < len(sentences) and total + lengths[end] <= words:
            total += lengths[end]
            end += 1
        found.append(" ".join(sentences[start:end]))
        start = end if apart else min(start + 2, end)  # every sentence is in a window, however long its neighbours are
    return found
