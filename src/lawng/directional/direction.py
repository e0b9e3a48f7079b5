"""A scorer of predicate entailment that respects direction by construction.

    scorer = DirectionScorer.fit(encode, wordnet, entailed, related, labels)
    scorer.scores(pairs)        how likely the premise entails the hypothesis
    scorer.direction(pairs)     D(p, h) = -D(h, p), whatever was learnt: which of the two orders is likelier

The score is the product of two probabilities: that the two propositions say something related, which is the same both
ways, and that, if so, this is the direction. The first is learnt from labelled pairs whose converse has the same label
(paraphrases and unrelated pairs), the second from entailed pairs of any source, each against its own converse: both
orders are seen together, and no weight can favour what hypotheses look like. Direction is told by features of a
proposition alone (their difference: of its vector, its predicate's, and its predicate's with other arguments) and of
the two (minus the same the other way round).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.directional.records import PredicatePair
from lawng.directional.wordnet import WordNet
from lawng.text.words import content_words

Floats = NDArray[np.float64]
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to their normalised vectors, a row each."""

DIRECTION_FEATURES = ("words", "content words", "covered", "senses", "hypernyms")
"""Besides the difference of the vectors: what is longer says more; what is covered by the other says less; words of
many senses are general; a hypernym is entailed."""
STRENGTH = 0.003
"""Inverse of the regularisation; of 0.003, 0.03 and 0.3 the best on the directional pairs of train and dev."""


@dataclass(frozen=True)
class DirectionScorer:
    """A fitted scorer."""

    encode: Encode
    wordnet: WordNet | None
    """Without it the two features of WordNet are 0."""
    _related: Any
    _direction: Any

    @classmethod
    def fit(
        cls,
        encode: Encode,
        wordnet: WordNet | None,
        entailed: Sequence[PredicatePair],
        related: Sequence[PredicatePair],
        labels: Sequence[bool],
    ) -> DirectionScorer:
        """Learn direction from `entailed` and relatedness from `related` with its labels."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MaxAbsScaler

        def model(intercept: bool) -> Any:
            # scaled without a shift, so that what is antisymmetric stays so
            return make_pipeline(MaxAbsScaler(), LogisticRegression(C=STRENGTH, fit_intercept=intercept, max_iter=5000))

        scorer = cls(encode, wordnet, model(True), model(False))
        scorer._related.fit(scorer._symmetric(related), labels)
        forward = scorer._antisymmetric(entailed)
        truth = np.r_[np.ones(len(forward)), np.zeros(len(forward))]
        scorer._direction.fit(np.vstack([forward, -forward]), truth)
        return scorer

    def scores(self, pairs: Sequence[PredicatePair]) -> Floats:
        """From 0 to 1 for each pair."""
        return _sigmoid(self.relatedness(pairs)) * _sigmoid(self.direction(pairs))

    def relatedness(self, pairs: Sequence[PredicatePair]) -> Floats:
        """Log odds that the two are related; the same for a pair and its converse."""
        return np.asarray(self._related.decision_function(self._symmetric(pairs)), np.float64)

    def direction(self, pairs: Sequence[PredicatePair]) -> Floats:
        """Log odds of this direction against the other: of opposite sign for the converse."""
        return np.asarray(self._direction.decision_function(self._antisymmetric(pairs)), np.float64)

    def _symmetric(self, pairs: Sequence[PredicatePair]) -> Floats:
        sides = [(str(pair.premise), str(pair.hypothesis)) for pair in pairs]
        premises, hypotheses = self._vectors(sides)
        words = [(_words(premise), _words(hypothesis)) for premise, hypothesis in sides]
        overlap = np.array([len(said & asked) / max(1, len(said | asked)) for said, asked in words])
        cosine = (premises * hypotheses).sum(axis=1)
        return np.column_stack([cosine, overlap, premises * hypotheses, np.abs(premises - hypotheses)])

    def _antisymmetric(self, pairs: Sequence[PredicatePair]) -> Floats:
        sides = [(str(pair.premise), str(pair.hypothesis)) for pair in pairs]
        apart = [_apart(*both) for both in sides]
        framed = [(f"someone {one} something", f"someone {other} something") for one, other in apart]
        read = [self._vectors(some) for some in (sides, apart, framed)]
        told = np.array([self._features(*both) for both in sides]).reshape(len(pairs), len(DIRECTION_FEATURES))
        return np.column_stack([*(premises - hypotheses for premises, hypotheses in read), told])

    def _vectors(self, sides: Sequence[tuple[str, str]]) -> tuple[Floats, Floats]:
        vectors = np.asarray(self.encode([text for both in sides for text in both]), np.float64)
        return vectors[0::2], vectors[1::2]

    def _features(self, premise: str, hypothesis: str) -> list[float]:
        said, asked = _words(premise), _words(hypothesis)
        return [
            float(len(premise.split()) - len(hypothesis.split())),
            float(len(said) - len(asked)),
            _share(asked, said) - _share(said, asked),
            self._senses(asked) - self._senses(said),
            float(self._above(said, asked)) - float(self._above(asked, said)),
        ]

    def _senses(self, words: frozenset[str]) -> float:
        """Mean of the logarithms of the numbers of senses."""
        found = [np.log1p(len(_synsets(self.wordnet, word))) for word in words]
        return float(np.mean(found)) if found else 0.0

    def _above(self, below: frozenset[str], above: frozenset[str]) -> bool:
        """Whether a word of the one, which the other lacks, is a hypernym of a word of the other."""
        kinds = {name for word in below - above for name in _hypernyms(self.wordnet, word)}
        return any(name in kinds for word in above - below for name in _synsets(self.wordnet, word))


def _sigmoid(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-odds))


def _apart(premise: str, hypothesis: str) -> tuple[str, str]:
    """Two propositions without the words that both begin and both end with: their predicates, at least a word each.

    >>> _apart("Germany is occupying all of France", "Germany occupied all of France")
    ('is occupying', 'occupied')
    """
    one, other = premise.split(), hypothesis.split()
    most = min(len(one), len(other)) - 1
    same = [a.lower() == b.lower() for a, b in zip(one, other, strict=False)]
    start = min(most, (*same, False).index(False))
    back = [a.lower() == b.lower() for a, b in zip(reversed(one), reversed(other), strict=False)]
    end = min(most - start, (*back, False).index(False)) if most > 0 else 0
    return " ".join(one[start : len(one) - end]), " ".join(other[start : len(other) - end])


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / max(1, len(part))


@lru_cache(maxsize=100_000)
def _words(text: str) -> frozenset[str]:
    """The lemmas of the content words, as verbs where they may be verbs: no parser sees so short a text."""
    from lemminflect import getLemma

    found = set()
    for word in content_words(text).lower().split():
        lemmas = [lemma for pos in ("VERB", "NOUN") for lemma in getLemma(word, pos, lemmatize_oov=False)]
        found.add(lemmas[0] if lemmas else word)
    return frozenset(found)


@lru_cache(maxsize=100_000)
def _synsets(wordnet: WordNet | None, word: str) -> frozenset[str]:
    return frozenset(sense.name() for pos in "vn" for sense in (wordnet.senses(word, pos) if wordnet else ()))


@lru_cache(maxsize=100_000)
def _hypernyms(wordnet: WordNet | None, word: str) -> frozenset[str]:
    """Every synset above one of the word's."""
    senses = [sense for pos in "vn" for sense in (wordnet.senses(word, pos) if wordnet else ())]
    return frozenset(kind.name() for sense in senses for kind in sense.closure(lambda one: one.hypernyms()))
