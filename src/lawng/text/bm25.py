"""BM25 over texts in memory, scored by bm25s, with analysers of `lawng.text.words`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from logging import getLogger
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.text.words import stems

Analyser = Callable[[str], list[str]]


class Bm25Options(NamedTuple):
    """BM25's two numbers, and its idf."""

    k1: float = 1.2
    b: float = 0.75
    method: str = "lucene"
    """Of bm25s: lucene, robertson, atire, bm25l, bm25+."""


_LUCENE = Bm25Options()


class TextBm25:
    """Texts, ready to be asked: they are the whole collection, whose counts make the idf and the mean length."""

    def __init__(self, texts: Sequence[str], analyser: Analyser = stems, options: Bm25Options = _LUCENE) -> None:
        self._read([analyser(text) for text in texts], analyser, options)

    def scores(self, query: str) -> NDArray[np.float64]:
        """BM25 score of each text, 0 where no word of the query occurs; a word asked twice counts twice."""
        known = [word for word in self._analyser(query) if word in self._index.vocab_dict]
        if not known:
            return np.zeros(len(self._words))
        return np.asarray(self._index.get_scores(known), dtype=np.float64)

    def pool(self, numbers: Sequence[int]) -> TextBm25:
        """BM25 over some of the texts, by number: a collection of its own."""
        part = TextBm25.__new__(TextBm25)
        part._read([self._words[number] for number in numbers], self._analyser, self._options)
        return part

    def _read(self, words: list[list[str]], analyser: Analyser, options: Bm25Options) -> None:
        import bm25s

        getLogger("bm25s").setLevel("WARNING")  # it logs each index from DEBUG on, wherever something shows the log

        self._words, self._analyser, self._options = words, analyser, options
        self._index = bm25s.BM25(method=options.method, k1=options.k1, b=options.b)
        # bm25s cannot index a collection without words
        self._index.index(words if any(words) else [["\0"]] * max(1, len(words)), show_progress=False)
