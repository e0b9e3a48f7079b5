"""Paragraphs of a text: the best ones for a query by Okapi BM25, and the last ones put first (LawngNLI, A.1.9, 4.1).

Scores are those of gensim's BM25 (3.8: `gensim.summarization.bm25.BM25`, 4: `OkapiBM25Model` with a dictionary), which
the published LawngNLI code builds anew for each document (paper: "BM25 ... via Gensim 3.8.3"). It is quick because
nothing but numbers is made of the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BREAK = "\n\n"
BEST = 5
PREPENDED_TOKENS = 512
K1, B, EPSILON = 1.5, 0.75, 0.25
"""gensim's defaults."""

_BLANK, _BREAK = 32, 10
# Lower case and "is it a word" in one table over Latin-1; other characters (curly quotes, dashes) become blanks.
_FOLD = bytes(
    _BREAK if code == _BREAK else ord(low) if (low := chr(code).lower()).isalnum() and ord(low) < 256 else _BLANK
    for code in range(256)
)
# A word is read as three numbers of eight letters, so words are told apart by 24 letters and their length.
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], dtype=np.uint64)
_FIRST_LETTERS = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
# A sort key is 44 bits of a word's hash, then the number of its text: equal words of one text come together.
_TEXT_BITS = 20
_TEXT_MASK = np.uint64((1 << _TEXT_BITS) - 1)


class _Postings(NamedTuple):
    """How often each word is in each text: parallel arrays, sorted by word, then by text."""

    hashes: NDArray[np.uint64]
    texts: NDArray[np.int64]
    counts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    """Words of each text, with repetitions."""


def best_paragraphs(paragraphs: Sequence[str], query: str, n: int = BEST) -> list[int]:
    """Numbers of the n paragraphs with the highest BM25 score, in document order (LawngNLI, 4.1).

    Of equal scores the earlier paragraph is taken. Fewer paragraphs than n are all taken.

    >>> best_paragraphs(["A tax.", "No duty.", "The tax is due.", "So ordered.", "Reversed."], "tax", n=2)
    [0, 2]
    """
    scores = _index(tuple(paragraphs)).scores(query)
    # Rounded, so that equal scores stay equal whatever the order of summation.
    ranked = sorted(range(len(scores)), key=lambda number: (-round(scores[number], 9), number))
    return sorted(ranked[:n])


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


def words(text: str) -> list[bytes]:
    """The words that BM25 counts: runs of Latin-1 letters and digits, lower case.

    >>> words("Petitioner's “taking”, §1983")
    [b'petitioner', b's', b'taking', b'1983']
    """
    return _folded([text]).split()


def bm25_scores(query: str, documents: Sequence[str]) -> list[float]:
    """BM25 score of each document for the query; for several queries use one `Bm25`.

    >>> [round(score, 3) for score in bm25_scores("tax", ["the tax is void", "no duty is owed", "it is so ordered"])]
    [0.511, 0.0, 0.0]
    """
    return Bm25(documents).scores(query)


class Bm25:
    """Some documents, ready to be asked: they are the whole collection, idf and mean length are their own."""

    def __init__(self, documents: Sequence[str]) -> None:
        self._found = _postings(documents)
        self._n = len(documents)
        every = np.arange(self._n + 1)
        self._idf_of = np.log(self._n - every + 0.5) - np.log(every + 0.5)
        self._idf_of[0] = 0.0  # a word of the query that no document has
        if len(self._found.hashes):
            # Negative for a word in more than half of the documents: gensim takes a quarter of the average instead.
            average = self._idf_of[np.diff(_runs(self._found.hashes))].mean()
            self._idf_of = np.where(self._idf_of < 0, EPSILON * average, self._idf_of)

    def scores(self, query: str) -> list[float]:
        """BM25 score of each document; a word that the query repeats counts each time, as in gensim."""
        found, asked = self._found, _postings([query])
        if not len(asked.hashes) or not len(found.hashes):
            return [0.0] * self._n
        firsts = np.searchsorted(found.hashes, asked.hashes, side="left")
        lasts = np.searchsorted(found.hashes, asked.hashes, side="right")
        counts = np.zeros((self._n, len(firsts)))
        for word, (first, last) in enumerate(zip(firsts.tolist(), lasts.tolist(), strict=True)):
            counts[found.texts[first:last], word] = found.counts[first:last]
        norms = K1 * (1 - B + B * found.lengths / found.lengths.mean())
        saturated = counts * (K1 + 1) / (counts + norms[:, None])
        scores: list[float] = (saturated @ (asked.counts * self._idf_of[lasts - firsts])).tolist()
        return scores


def _folded(texts: Sequence[str]) -> bytes:
    """The texts in lower case, one a line, all that is not a word blank."""
    lines = (text.replace("\n", " ") for text in texts)
    return "\n".join(lines).encode("latin-1", "replace").translate(_FOLD)


def _postings(texts: Sequence[str]) -> _Postings:
    if len(texts) > 1 << _TEXT_BITS:
        raise ValueError(f"{len(texts):,} texts; no more than {1 << _TEXT_BITS:,} are compared at once")
    padded = b"\n" + _folded(texts) + b"\n" + bytes(24)
    letters = np.frombuffer(padded, dtype=np.uint8)
    is_word = letters > _BLANK
    edges = np.flatnonzero(is_word[1:] != is_word[:-1]) + 1
    starts = edges[::2]
    lengths = np.diff(np.searchsorted(starts, np.flatnonzero(letters == _BREAK)))
    numbers = np.repeat(np.arange(len(texts), dtype=np.uint64), lengths)
    keys = np.sort((_hashes(padded, starts, edges[1::2] - starts) & ~_TEXT_MASK) | numbers)
    runs = _runs(keys)
    firsts = keys[runs[:-1]]
    return _Postings(firsts & ~_TEXT_MASK, (firsts & _TEXT_MASK).astype(np.int64), np.diff(runs), lengths)


def _hashes(padded: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A 64-bit hash of each word, best in its upper bits."""
    eights = np.ndarray(len(padded) - 7, dtype="<u8", buffer=padded, strides=(1,))
    hashes: NDArray[np.uint64] = lengths.astype(np.uint64) * _FACTORS[-1]
    hashes += (eights[starts] & _FIRST_LETTERS[np.minimum(lengths, 8)]) * _FACTORS[0]
    for offset, factor in ((8, _FACTORS[1]), (16, _FACTORS[2])):
        long = np.flatnonzero(lengths > offset)
        hashes[long] += (eights[starts[long] + offset] & _FIRST_LETTERS[np.minimum(lengths[long] - offset, 8)]) * factor
    return hashes


def _runs(ordered: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Where runs of equal values begin, and the end of the last."""
    inner = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.concatenate(([0], inner, [len(ordered)])) if len(ordered) else np.zeros(1, dtype=np.int64)


@lru_cache(maxsize=16)
def _index(paragraphs: tuple[str, ...]) -> Bm25:
    """Kept for the premises in hand: an example and its twin ask the same paragraphs."""
    return Bm25(paragraphs)
