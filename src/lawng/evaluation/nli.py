"""Judges of pairs: predictions, stored before they are scored; baselines that read no premise; scores.

predict(model, pairs, known) -> predictions      known are pairs of the training parts, for the baselines
by_source(predictions, temperature, seed) -> SourceScores      twin_scores(predictions, seed) -> TwinScores
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from importlib.util import find_spec
from string import punctuation

import numpy as np
from numpy.typing import NDArray

from lawng.datasets.nli import Pair
from lawng.evaluation.statistics import Interval, bootstrap, bootstrap_recall, clopper_pearson, mean_recall
from lawng.models.pairs import log_softmax
from lawng.models.protocols import PairModel
from lawng.models.training.calibration import calibration_error
from lawng.schema.labels import LABELS, Label
from lawng.schema.views import SHORT, shown

Floats = NDArray[np.float64]
_NAMES = [*map(str, LABELS)]
_STAND_FOR_OTHERS = frozenset({"no", "none", "nobody", "nothing", "neither", "nor"})
"""Words that negate in the place of another, such as "some" and "either" (A.1.5, step 1)."""
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
    """Of the hypothesis, negative ones twice: what negates adds to it, also where "no" stands for "some"."""
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


def predict(model: PairModel, pairs: Sequence[Pair], known: Iterable[Pair], view: str = SHORT) -> list[NliPrediction]:
    """One prediction per pair, in order; the model is shown of it what `view` says."""
    asked = [shown(view, pair.premise, pair.hypothesis) for pair in pairs]
    judged = model.judge([premise for premise, _ in asked], [hypothesis for _, hypothesis in asked])
    training: dict[str, list[Pair]] = defaultdict(list)
    for pair in known:
        training[pair.source].append(pair)
    sources = {pair.source for pair in pairs}
    most = {name: most_frequent(gold_of(pair.gold) for pair in training[name]) for name in sources}
    said = {name: _by_hypothesis(training[name], [p for p in pairs if p.source == name]) for name in sources}
    return [
        NliPrediction(
            pair_id=pair.pair_id,
            source=pair.source,
            gold=pair.gold,
            twin_id=pair.twin_id,
            negated=pair.negated,
            n_words=n_words(pair.hypothesis),
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


def n_words(hypothesis: str) -> int:
    """Words of a hypothesis, so counted that one which is negated has more (LawngNLI, A.1.5).

    >>> n_words("It has no duty."), n_words("It has some duty."), n_words("It cannot sue."), n_words("It can sue.")
    (5, 4, 4, 3)
    """
    words = hypothesis.casefold().replace("cannot", "can not").split()
    return len(words) + sum(word.strip(punctuation) in _STAND_FOR_OTHERS for word in words)


def gold_of(labels: Sequence[str]) -> str:
    """The gold as one word: "neutral or contradiction" where the source tells no more."""
    return " or ".join(labels)


def most_frequent(labels: Iterable[str]) -> str:
    """The most frequent label, the first in the alphabet of equal ones; "" without any.

    >>> most_frequent(["b", "a", "b", "a"])
    'a'
    """
    counts = Counter(labels)
    return min(counts, key=lambda label: (-counts[label], label)) if counts else ""


def by_hypothesis(
    texts: Sequence[str], labels: Sequence[str], asked: Sequence[str], sublinear: bool = False
) -> list[str]:
    """Labels by logistic regression on words and word pairs (Poliak et al. 2018)."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=sublinear)
    model = make_pipeline(words, LogisticRegression(max_iter=1000)).fit(texts, labels)
    return [str(label) for label in model.predict(asked)]


def _by_hypothesis(training: Sequence[Pair], pairs: Sequence[Pair]) -> dict[str, str]:
    """Labels by the hypothesis's words alone; {} where the training pairs are too few to tell."""
    golds = [gold_of(pair.gold) for pair in training]
    if len(golds) < MIN_TRAIN or len(set(golds)) < 2 or find_spec("sklearn") is None:
        return {}
    hypotheses = [pair.hypothesis for pair in training]
    said = by_hypothesis(hypotheses, golds, [pair.hypothesis for pair in pairs], sublinear=True)
    return {pair.pair_id: label for pair, label in zip(pairs, said, strict=True)}


@dataclass(frozen=True, slots=True)
class SourceScores:
    """How good a model is on one data set, beside what needs no premise."""

    source: str
    n: int
    golds: list[str]
    """The labels that the data set tells apart."""
    accuracy: float
    interval: Interval
    """Of the accuracy, Clopper-Pearson."""
    balanced: float
    """The mean recall of the labels that some pair has; the macro-F1 is over these, too."""
    balanced_interval: Interval
    """Of the balanced accuracy, bootstrap over premises."""
    macro_f1: float
    confusion: dict[str, dict[str, int]]
    """By gold, by prediction."""
    ece_before: float
    ece_after: float
    """Expected calibration error without and with the temperature."""
    chance: float
    majority: float | None
    hypothesis_only: float | None
    cut: int
    """Pairs of which the premise was not read whole."""


@dataclass(frozen=True, slots=True)
class TwinScores:
    """Support against refute on twins: the right premise is given, the hypothesis is as it was or negated."""

    source: str
    n: int
    """Twins, each of two pairs."""
    sided: float
    """Share of the pairs on the right side: entailment more probable than contradiction where it supports."""
    sided_interval: Interval
    """Bootstrap over twins."""
    ordered: float
    """Share of the twins in which the supporting hypothesis has the higher odds of entailment to contradiction."""
    ordered_interval: Interval
    """Clopper-Pearson."""
    labelled: float
    """Share of the pairs whose most probable label of three is right."""
    added: tuple[int, float]
    removed: tuple[int, float]
    """Twins whose negation was added, or removed, and the share ordered rightly; negation words alone order the one
    kind right and the other wrong."""
    hypothesis_only: float | None


def by_source(predictions: Sequence[NliPrediction], temperature: float, seed: int) -> list[SourceScores]:
    """Scores for each source, by name; where a gold is of two labels, their probabilities are added."""
    found: dict[str, list[NliPrediction]] = defaultdict(list)
    for row in predictions:
        found[row.source].append(row)
    return [_scores(name, rows, temperature, seed) for name, rows in sorted(found.items())]


def _scores(name: str, rows: Sequence[NliPrediction], temperature: float, seed: int) -> SourceScores:
    golds = _told_apart(rows)
    logs = logs_of(rows)
    said = [golds[place] for place in _grouped(logs, golds).argmax(axis=1)]
    right = [gold_of(row.gold) for row in rows]
    pairs = Counter(zip(right, said, strict=True))
    hits = np.array([a == b for a, b in zip(said, right, strict=True)], dtype=float)
    sizes = {gold: right.count(gold) for gold in golds}
    one_hot = np.array([[float(gold == each) for each in golds] for gold in right])
    return SourceScores(
        source=name,
        n=len(rows),
        golds=golds,
        accuracy=float(hits.mean()),
        interval=clopper_pearson(int(hits.sum()), len(rows)),
        balanced=mean_recall(right, hits.tolist()),
        balanced_interval=bootstrap_recall(right, hits.tolist(), seed, [row.premise for row in rows]),
        macro_f1=float(np.mean([2 * pairs[gold, gold] / (said.count(gold) + n) for gold, n in sizes.items() if n])),
        confusion={gold: {other: pairs[gold, other] for other in golds} for gold in golds},
        ece_before=calibration_error(_grouped(log_softmax(logs * temperature), golds), one_hot),
        ece_after=calibration_error(_grouped(logs, golds), one_hot),
        chance=1 / len(golds),
        majority=_share(rows, right, "majority"),
        hypothesis_only=_share(rows, right, "hypothesis_only"),
        cut=sum(0 < row.read < 1 for row in rows),
    )


def _told_apart(rows: Sequence[NliPrediction]) -> list[str]:
    """The labels that a data set tells apart, whether some of these rows has them or not.

    All three, unless a gold is of two labels: then that gold and the third label.
    """
    there = {gold_of(row.gold) for row in rows}
    joined = {label for gold in there if " or " in gold for label in gold.split(" or ")}
    return sorted(there | (set(_NAMES) - joined), key=lambda gold: _NAMES.index(gold.partition(" or ")[0]))


def twin_scores(predictions: Sequence[NliPrediction], seed: int) -> list[TwinScores]:
    """Scores for each source that has twins, by name."""
    by_id = {row.pair_id: row for row in predictions}
    found: dict[str, list[tuple[NliPrediction, NliPrediction]]] = defaultdict(list)
    for row in predictions:
        if row.gold == [Label.ENTAILMENT] and row.twin_id in by_id:
            found[row.source].append((row, by_id[row.twin_id]))
    return [_twins(name, pairs, seed) for name, pairs in sorted(found.items())]


def _twins(name: str, pairs: Sequence[tuple[NliPrediction, NliPrediction]], seed: int) -> TwinScores:
    odds = np.array([[row.entailment - row.contradiction for row in pair] for pair in pairs])
    sided = np.column_stack([odds[:, 0] > 0, odds[:, 1] < 0]).astype(float)
    ordered = odds[:, 0] > odds[:, 1]
    rows = [row for pair in pairs for row in pair]
    best = logs_of(rows).argmax(axis=1).tolist()
    added = np.array([second.n_words > first.n_words for first, second in pairs])
    return TwinScores(
        source=name,
        n=len(pairs),
        sided=float(sided.mean()),
        sided_interval=bootstrap(sided.ravel().tolist(), seed, [place for place in range(len(pairs)) for _ in "ab"]),
        ordered=float(ordered.mean()),
        ordered_interval=clopper_pearson(int(ordered.sum()), len(pairs)),
        labelled=float(np.mean([LABELS[place] in row.gold for row, place in zip(rows, best, strict=True)])),
        added=_part(ordered, added),
        removed=_part(ordered, ~added),
        hypothesis_only=_share(rows, [gold_of(row.gold) for row in rows], "hypothesis_only"),
    )


def logs_of(rows: Sequence[NliPrediction]) -> Floats:
    """Log-probabilities, n x 3, in the order of `LABELS`."""
    return np.array([[row.entailment, row.neutral, row.contradiction] for row in rows]).reshape(-1, len(LABELS))


def _part(ordered: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> tuple[int, float]:
    n = int(chosen.sum())
    return n, float(ordered[chosen].mean()) if n else 0.0


def _grouped(logs: Floats, golds: Sequence[str]) -> Floats:
    """Log-probabilities of the golds: a gold of two labels has the sum of both."""
    columns = [[place for place, label in enumerate(LABELS) if label in gold.split(" or ")] for gold in golds]
    return np.column_stack([np.logaddexp.reduce(logs[:, places], axis=1) for places in columns])


def _share(rows: Sequence[NliPrediction], right: Sequence[str], name: str) -> float | None:
    """Accuracy of a baseline, None where it said nothing."""
    said = [str(getattr(row, name)) for row in rows]
    if not any(said):
        return None
    return float(np.mean([a == b for a, b in zip(said, right, strict=True)]))
