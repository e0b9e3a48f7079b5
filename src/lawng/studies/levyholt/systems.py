"""What is asked of LevyHolt, and of whom: the benchmark, the options, and the systems of the study."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.directional.curve import auc_norm_spread
from lawng.directional.direction import DirectionScorer
from lawng.directional.gauge import Draw, Gauge, Ranges, draws
from lawng.directional.pairs import SUBSETS, Splits, Subgroup, read_splits, subgroups, subset, together
from lawng.directional.prompts import Prompting
from lawng.directional.records import PredicatePair
from lawng.directional.wordnet import WordNet, wordnet_model
from lawng.errors import ConfigError
from lawng.io.progress import Progress
from lawng.models.encoder import embedder
from lawng.models.find import find_model, shown_name, slug
from lawng.models.vector_cache import CachedEncoder
from lawng.studies.harness import (
    Depends,
    Notes,
    System,
    SystemLabel,
    texts_digest,
)

FULL = "full"
NAMES = (*SUBSETS, FULL)
"""What systems are trained on and tested on: all pairs of subgroups, and all pairs."""
_WHOLE = ("directional", "symmetric", FULL)
"""Trained on these, discrete prompts are tested on all pairs (tables 1, 8, 10, 12); all others on their own subset."""
_DIRECTIONAL_FOLDER = "dirposi_dirnegi"


@dataclass(frozen=True)
class LevyHoltSettings:
    """Options of the study."""

    encoders: tuple[str, ...] = ("all-MiniLM-L6-v2",)
    prompting: tuple[str, ...] = (Prompting.DISCRETE, Prompting.HYPOTHESIS_ONLY)
    subsets: tuple[str, ...] = NAMES
    draws: int = 100
    rate: tuple[float, float] = Ranges().rate
    accumulation: tuple[int, int] = Ranges().accumulation
    epochs: int = 3
    bf16: bool = False
    entailed: Path | None = None
    """Entailed pairs from elsewhere (SherLIiC) that teach the direction scorer, without which it is left out."""
    seed: int = 7
    resamples: int = 1000


@dataclass(frozen=True, slots=True)
class PairScore:
    """What a system says of a pair: higher is surer that it is entailed."""

    pair_id: str
    score: float


class Benchmark(NamedTuple):
    """LevyHolt with its subgroups."""

    name: str
    splits: Splits
    groups: dict[str, Subgroup]

    @property
    def depends(self) -> Depends:
        """Every pair, its split and its subgroup."""
        rows = [(split, pair) for split, pairs in self.splits.pairs.items() for pair in pairs]
        return {"pairs": texts_digest(f"{split} {pair} {self.groups[pair.pair_id]}" for split, pair in rows)}

    def of(self, split: str, name: str) -> tuple[list[PredicatePair], list[bool]]:
        """The pairs and labels of a subset in a split."""
        return subset(self.splits.pairs[split], self.groups, SUBSETS.get(name))


class Asked(NamedTuple):
    """A system on what it was trained on."""

    prompting: str
    """Or "cosine", "direction", or "order" (direction alone), which are not prompted."""
    encoder: str
    subset: str

    @property
    def label(self) -> SystemLabel:
        """Its file's name, and how it is shown."""
        return SystemLabel(
            f"{self.prompting}.{slug(self.encoder)}.{self.subset}",
            f"{self.prompting}, {shown_name(self.encoder)}, trained on {self.subset}",
        )


def read_benchmark(data: Path, seed: int) -> Benchmark:
    """LevyHolt with entries and converses in one split; see `lawng.directional.pairs.together`."""
    splits = read_splits(data / "orig" if (data / "orig").is_dir() else data)
    groups = subgroups(splits.all())
    published = data / _DIRECTIONAL_FOLDER
    return Benchmark("levyholt", together(splits, groups, published if published.is_dir() else None, seed), groups)


def check_names(settings: LevyHoltSettings) -> None:
    """Raise ConfigError for an unknown prompting or subset."""
    for given, known in ((settings.prompting, list(Prompting)), (settings.subsets, list(NAMES))):
        if unknown := [name for name in given if name not in known]:
            raise ConfigError(f"{unknown[0]}: not among {', '.join(known)}")


def asked(settings: LevyHoltSettings) -> list[Asked]:
    """All systems by what they are trained on. Raises ConfigError for an unknown name."""
    check_names(settings)
    prompted = [
        Asked(prompting, encoder, name)
        for encoder in settings.encoders
        for prompting in settings.prompting
        for name in settings.subsets
    ]
    plain = [Asked("cosine", encoder, "nothing") for encoder in settings.encoders]
    taught = settings.encoders if settings.entailed else ()
    direct = [Asked(kind, encoder, "symmetric") for encoder in taught for kind in ("direction", "order")]
    return [*plain, *direct, *prompted]


def systems(settings: LevyHoltSettings, cache: Path) -> list[System[Benchmark, PairScore]]:
    """The systems before their models are loaded; `cache` keeps the vectors of propositions."""

    def system(key: Asked) -> System[Benchmark, PairScore]:
        if key.prompting == "cosine":
            return System(key.label, lambda: Cosine(key, settings, cache))
        if key.prompting in ("direction", "order"):
            return System(key.label, lambda: Direction(key, settings, cache))
        return System(key.label, lambda: Prompted(key, settings, cache))

    return [system(key) for key in asked(settings)]


@dataclass
class Answering:
    """What the systems share: their name, the options, and what is to be said of them."""

    key: Asked
    settings: LevyHoltSettings
    cache: Path

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Normalised vectors of propositions, each made once."""
        return CachedEncoder(self.cache, embedder(self.key.encoder)).encode(texts)

    @cached_property
    def state(self) -> str:
        """Of the encoder. Raises MissingError where it cannot be had."""
        return find_model("encoder", self.key.encoder).state

    def notes(self) -> Notes:
        """Nothing."""
        return {}


class Cosine(Answering):
    """The cosine of the two propositions, the same both ways."""

    @property
    def depends(self) -> Depends:
        """The encoder."""
        return {"encoder": self.state}

    def answer(self, data: Benchmark, progress: Progress) -> Iterable[PairScore]:
        """Every test pair."""
        pairs, _ = data.of("test", FULL)
        texts = [str(side) for pair in pairs for side in (pair.premise, pair.hypothesis)]
        vectors = self.encode(texts)
        yield from _rows(pairs, (vectors[0::2] * vectors[1::2]).sum(axis=1))


class Direction(Answering):
    """The scorer that respects direction by construction; it is taught no directional pair of LevyHolt."""

    @property
    def depends(self) -> Depends:
        """The encoder, WordNet, and the entailed pairs."""
        entailed = texts_digest(map(str, self._entailed))
        return {
            "encoder": self.state,
            "wordnet": wordnet_model().state,
            "entailed": entailed,
            "kind": self.key.prompting,
        }

    @cached_property
    def _entailed(self) -> list[PredicatePair]:
        assert self.settings.entailed is not None
        return [pair for pair in read_splits(self.settings.entailed).all() if pair.entailed]

    def answer(self, data: Benchmark, progress: Progress) -> Iterable[PairScore]:
        """Every test pair."""
        words = WordNet(wordnet_model().place)
        scorer = DirectionScorer.fit(self.encode, words, self._entailed, *data.of("train", "symmetric"))
        pairs, _ = data.of("test", FULL)
        yield from _rows(pairs, (scorer.scores if self.key.prompting == "direction" else scorer.direction)(pairs))


class Prompted(Answering):
    """The gauge: the draw of hyper-parameters that is best on dev, asked for test."""

    _chosen = ""

    @property
    def depends(self) -> Depends:
        """The encoder and how it is trained."""
        return {
            "encoder": self.state,
            "draws": [repr(draw) for draw in settings_draws(self.settings)],
            "as": [*self.key],
        }

    def notes(self) -> Notes:
        """Which draw was chosen."""
        return {self.key.label.name: [self._chosen]}

    def answer(self, data: Benchmark, progress: Progress) -> Iterable[PairScore]:
        """Every test pair, or those of the subset that it is trained on."""
        subset = self.key.subset
        gauge, chosen = best_gauge(
            self.key, data.of("train", subset), data.of("dev", subset), settings_draws(self.settings), progress
        )
        self._chosen = f"{self.key.label.shown}: {chosen}"
        whole = subset in _WHOLE and self.key.prompting == Prompting.DISCRETE
        pairs, _ = data.of("test", FULL if whole else subset)
        yield from _rows(pairs, gauge.scores(pairs))


Labelled = tuple[Sequence[PredicatePair], Sequence[bool]]


def settings_draws(settings: LevyHoltSettings) -> list[Draw]:
    """The hyper-parameters to try."""
    ranges = Ranges(rate=settings.rate, accumulation=settings.accumulation)
    return draws(settings.draws, settings.seed, ranges, settings.epochs, settings.bf16)


def best_gauge(
    key: Asked, train: Labelled, dev: Labelled, options: Sequence[Draw], progress: Progress
) -> tuple[Gauge, str]:
    """The gauge of the hyper-parameters that have the highest AUC_norm on dev, and a line that says which.

    Ties are spread: by the published conventions a model that collapsed, or ranks backwards, has a half.
    """
    best: tuple[float, Gauge, Draw] | None = None
    for done, draw in enumerate(options, 1):
        gauge = Gauge.train(key.encoder, Prompting(key.prompting), *train, draw)
        value = auc_norm_spread(dev[1], gauge.scores(dev[0]))
        if best is None or value > best[0]:
            best = value, gauge, draw
        progress(done, len(options))
    assert best is not None
    value, gauge, draw = best
    by = f"rate {draw.rate:.2g}, decay {draw.decay:.2g}, {draw.accumulation} steps an update"
    return gauge, f"AUC_norm on dev {100 * value:.1f} by {by}"


def _rows(pairs: Sequence[PredicatePair], scores: Any) -> Iterable[PairScore]:
    return (PairScore(pair.pair_id, float(score)) for pair, score in zip(pairs, scores, strict=True))
