"""How far WordNet has the words of one predicate above those of another: who walks moves, and not the reverse."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from lawng.directional.wordnet import WordNet
from lawng.text.words import content_words

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset


class Hypernymy:
    """Scores pairs of predicates, given in lemmas; it respects direction."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._above = lru_cache(maxsize=100_000)(self._kinds)
        self._senses = lru_cache(maxsize=100_000)(self._ranks)

    def score(self, premise: str, hypothesis: str) -> float:
        """From 0 to 1: the mean over the content words of the hypothesis of how near each is above one of the premise.

        A word that both have counts 1; one that is a hypernym 1 / (1 + steps up + ranks of both senses), the most
        frequent sense having rank 0; any other 0.

        >>> from lawng.directional.wordnet import wordnet_folder
        >>> measure = Hypernymy(WordNet(wordnet_folder()))
        >>> measure.score("warn", "advise") > measure.score("advise", "warn")
        True
        """
        said, asked = (content_words(one).lower().split() for one in (premise, hypothesis))
        return float(np.mean([max((self._word(one, word) for one in said), default=0.0) for word in asked or [""]]))

    def _word(self, below: str, above: str) -> float:
        if below == above:
            return 1.0
        kinds, senses = self._above(below), self._senses(above)
        return max((1 / (1 + kinds[name] + rank) for name, rank in senses.items() if name in kinds), default=0.0)

    def _ranks(self, word: str) -> dict[str, int]:
        """The synsets of a word, as a verb and as a noun, and how many of its part of speech are more frequent."""
        return {sense.name(): rank for pos in "vn" for rank, sense in enumerate(self._wordnet.senses(word, pos))}

    def _kinds(self, word: str) -> dict[str, int]:
        """All synsets above one of a word, or equal to it: steps up and the sense's rank, the least sum of both."""
        found: dict[str, int] = {}
        for pos in "vn":
            for rank, sense in enumerate(self._wordnet.senses(word, pos)):
                for name, steps in _steps_up(sense).items():
                    found[name] = min(found.get(name, rank + steps), rank + steps)
        return found


def _steps_up(sense: Synset) -> dict[str, int]:
    """A synset and all above it, with the fewest steps up; WordNet 3.0 has a circle, of restrain and inhibit."""
    found, level, steps = dict[str, int](), [sense], 0
    while level:
        found |= {one.name(): steps for one in level}
        above = [kind for one in level for kind in (*one.hypernyms(), *one.instance_hypernyms())]
        level, steps = [kind for kind in above if kind.name() not in found], steps + 1
    return found
