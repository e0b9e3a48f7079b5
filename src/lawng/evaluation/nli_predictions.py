"""Predictions of a judge of pairs, and of baselines that read no premise, stored before they are scored.

predict(model, pairs, known) -> predictions      known are pairs of the training parts, for the baselines
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from importlib.util import find_spec

from lawng.datasets.nli import Pair
from lawng.models.pairs import PairModel

MIN_TRAIN = 20
"""With fewer training pairs of a source its hypothesis-only baseline is left out."""


@dataclass(frozen=True, slots=True)
class NliPrediction:
    """What was said of one pair."""

    pair_id: str
    source: str
    gold: list[str]
    twin_id: str
    negated: bool
    n_words: int
    """Of the hypothesis."""
    premise: str
    """Digest of the premise: pairs over one premise are no independent draws."""
    entailment: float
    neutral: float
    contradiction: float
    """Calibrated log-probabilities."""
    read: float
    """Share of the premise's tokens that the model read."""
    majority: str
    """The gold that is most frequent among the source's training pairs, "" without any."""
    hypothesis_only: str
    """By a model of the hypothesis's words, trained on the source's training pairs, "" where there are too few."""


def predict(model: PairModel, pairs: Sequence[Pair], known: Iterable[Pair]) -> list[NliPrediction]:
    """One prediction per pair, in order."""
    judged = model.judge([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
    training: dict[str, list[Pair]] = defaultdict(list)
    for pair in known:
        training[pair.source].append(pair)
    sources = {pair.source for pair in pairs}
    most = {name: _majority(training[name]) for name in sources}
    said = {name: _by_hypothesis(training[name], [p for p in pairs if p.source == name]) for name in sources}
    return [
        NliPrediction(
            pair_id=pair.pair_id,
            source=pair.source,
            gold=pair.gold,
            twin_id=pair.twin_id,
            negated=pair.negated,
            n_words=len(pair.hypothesis.split()),
            premise=blake2b(pair.premise.encode(), digest_size=8).hexdigest(),
            entailment=float(row[0]),
            neutral=float(row[1]),
            contradiction=float(row[2]),
            read=read,
            majority=most[pair.source],
            hypothesis_only=said[pair.source].get(pair.pair_id, ""),
        )
        for pair, row, read in zip(pairs, judged.log_probs, judged.read, strict=True)
    ]


def gold_of(labels: Sequence[str]) -> str:
    """The gold as one word: "neutral or contradiction" where the source tells no more."""
    return " or ".join(labels)


def _majority(training: Sequence[Pair]) -> str:
    counts = Counter(gold_of(pair.gold) for pair in training)
    return min(counts, key=lambda gold: (-counts[gold], gold)) if counts else ""


def _by_hypothesis(training: Sequence[Pair], pairs: Sequence[Pair]) -> dict[str, str]:
    """Labels by logistic regression on words and word pairs of the hypothesis (Poliak et al. 2018)."""
    golds = [gold_of(pair.gold) for pair in training]
    if len(golds) < MIN_TRAIN or len(set(golds)) < 2 or find_spec("sklearn") is None:
        return {}
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    model = make_pipeline(words, LogisticRegression(max_iter=1000))
    model.fit([pair.hypothesis for pair in training], golds)
    said = model.predict([pair.hypothesis for pair in pairs])
    return {pair.pair_id: str(label) for pair, label in zip(pairs, said, strict=True)}
