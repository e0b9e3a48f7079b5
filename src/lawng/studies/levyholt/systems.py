"""What is asked of LevyHolt, and of whom: the benchmark, the options, and the systems of the study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

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
from lawng.studies.harness import Answers, Depends, Notes, System, SystemLabel, texts_digest

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
    """The systems before their models are loaded; `cache` keeps the vectors of propositions.

    Raises MissingError or InputError where an encoder or the folder of entailed pairs is not there.
    """
    for encoder in settings.encoders:
        encoder_state(encoder)  # here and below: so that a slip is told before an earlier study is cleared
    if settings.entailed is not None:
        read_splits(settings.entailed)
    kinds = {"cosine": _cosine, "direction": _directed, "order": _directed}
    return [
        System(key.label, partial(kinds.get(key.prompting, _prompted), key, settings, cache)) for key in asked(settings)
    ]


def encoder_state(encoder: str) -> str:
    """What vectors of an encoder, and what is trained of it, depend on. Raises MissingError where it cannot be had."""
    return find_model("encoder", encoder).state


def _cosine(key: Asked, _settings: LevyHoltSettings, cache: Path) -> Answers[Benchmark, PairScore]:
    """The cosine of the two propositions, the same both ways."""

    def answer(data: Benchmark, _progress: Progress) -> list[PairScore]:
        pairs, _ = data.of("test", FULL)
        texts = [str(side) for pair in pairs for side in (pair.premise, pair.hypothesis)]
        vectors = CachedEncoder(cache, embedder(key.encoder)).encode(texts)
        return rows_of(pairs, (vectors[0::2] * vectors[1::2]).sum(axis=1))

    return Answers(answer, {"encoder": encoder_state(key.encoder)})


def _directed(key: Asked, settings: LevyHoltSettings, cache: Path) -> Answers[Benchmark, PairScore]:
    """The scorer that respects direction by construction; it is taught no directional pair of LevyHolt."""
    assert settings.entailed is not None
    entailed = [pair for pair in read_splits(settings.entailed).all() if pair.entailed]

    def answer(data: Benchmark, _progress: Progress) -> list[PairScore]:
        encode = CachedEncoder(cache, embedder(key.encoder)).encode
        words = WordNet(wordnet_model().place)
        scorer = DirectionScorer.fit(encode, words, entailed, *data.of("train", "symmetric"))
        pairs, _ = data.of("test", FULL)
        return rows_of(pairs, (scorer.scores if key.prompting == "direction" else scorer.direction)(pairs))

    taught = {"wordnet": wordnet_model().state, "entailed": texts_digest(map(str, entailed)), "kind": key.prompting}
    return Answers(answer, {"encoder": encoder_state(key.encoder), **taught})


def _prompted(key: Asked, settings: LevyHoltSettings, _cache: Path) -> Answers[Benchmark, PairScore]:
    """The gauge, asked for the test pairs of the subset that it is trained on, or for all."""
    best = BestGauge(key, settings)

    def answer(data: Benchmark, progress: Progress) -> list[PairScore]:
        gauge = best.of(data.of("train", key.subset), data.of("dev", key.subset), progress)
        whole = key.subset in _WHOLE and key.prompting == Prompting.DISCRETE
        pairs, _ = data.of("test", FULL if whole else key.subset)
        return rows_of(pairs, gauge.scores(pairs))

    return Answers(answer, best.depends, best.notes)


Labelled = tuple[Sequence[PredicatePair], Sequence[bool]]


class BestGauge:
    """The gauge of the hyper-parameters that have the highest AUC_norm on dev, trained when it is first asked for."""

    def __init__(self, key: Asked, settings: LevyHoltSettings) -> None:
        """Raises MissingError where the encoder cannot be had."""
        ranges = Ranges(rate=settings.rate, accumulation=settings.accumulation)
        self._draws = draws(settings.draws, settings.seed, ranges, settings.epochs, settings.bf16)
        self.key = key
        self._best: tuple[float, Gauge, Draw] | None = None
        drawn = [repr(draw) for draw in self._draws]
        self.depends: dict[str, Any] = {"encoder": encoder_state(key.encoder), "draws": drawn, "as": [*key]}

    def of(self, train: Labelled, dev: Labelled, progress: Progress) -> Gauge:
        """Ties are spread: by the published conventions a model that collapsed, or ranks backwards, has a half."""
        best = self._best
        for done, draw in enumerate([] if best else self._draws, 1):
            gauge = Gauge.train(self.key.encoder, Prompting(self.key.prompting), *train, draw)
            value = auc_norm_spread(dev[1], gauge.scores(dev[0]))
            if best is None or value > best[0]:
                best = value, gauge, draw
            progress(done, len(self._draws))
        assert best is not None
        self._best = best
        return best[1]

    def notes(self) -> Notes:
        """Which hyper-parameters were chosen."""
        if self._best is None:
            return {}
        value, _, draw = self._best
        by = f"rate {draw.rate:.2g}, decay {draw.decay:.2g}, {draw.accumulation} steps an update"
        label = self.key.label
        return {label.name: [f"{label.shown}: AUC_norm on dev {100 * value:.1f} by {by}"]}


def rows_of(pairs: Sequence[PredicatePair], scores: Any) -> list[PairScore]:
    """A row for each pair."""
    return [PairScore(pair.pair_id, float(score)) for pair, score in zip(pairs, scores, strict=True)]
