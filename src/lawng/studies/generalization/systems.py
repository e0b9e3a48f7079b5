"""The cells of the study: a model trained on one view of the premise answers another one.

systems_of(settings, benchmark, work) -> systems with the data that each is asked; a `Column` of table 13 names both
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from lawng.datasets.nli import Pair
from lawng.errors import ConfigError, InputError, LawngError
from lawng.io.progress import Progress
from lawng.models.find import OFFLINE
from lawng.models.folder import is_graph_alone, load_backend, load_folder
from lawng.models.openai.embeddings import PREFIX
from lawng.models.openai.nli import StanceLLM, llm_named, stance_llm
from lawng.models.pairs import CrossEncoder
from lawng.models.protocols import PairModel
from lawng.models.training.options import StanceOptions
from lawng.models.training.plan import digest_of
from lawng.schema.labels import LABELS, NOT_ENTAILMENT, TWO_LABELS, Label
from lawng.schema.views import SHORT
from lawng.studies.generalization.columns import ARTEFACTS, GRID, OTHERS, Column
from lawng.studies.generalization.examples import Benchmark, Example, intermediate_pairs, pairs_of
from lawng.studies.generalization.weights import THREE, Origin, Trained, balanced, base_of, labels_told, longest_of
from lawng.studies.generalization.windows import Windowed, pin_seen, words_seen
from lawng.studies.harness import Notes, Say, System, SystemLabel, texts_digest

VANILLA = "none"
BATCH = 32
"""Pairs judged together, sorted by length. Fewer where a model reads more than `_WINDOW`, for a GPU's memory."""
_WINDOW = 512


@dataclass(frozen=True)
class GeneralizationSettings:
    """What is run. Raises ConfigError for columns or seeds that cannot be."""

    models: tuple[str, ...] = (OFFLINE,)
    """Bases, by Hub name or folder; or `openai:MODEL`, which is asked as it is."""
    columns: tuple[str, ...] = ()
    """Keys of columns; () takes all."""
    seeds: tuple[int, ...] = (0,)
    intermediate: tuple[str, ...] = (VANILLA,)
    """NLI data that each base is fine-tuned on first, files or folders; `none` for a base without."""
    training: StanceOptions = field(
        default_factory=lambda: StanceOptions(batch=32, lr=1e-5, epochs=4, max_length=512, freeze_words=False)
    )
    """The paper's (A.2.1) but for its warm-up, at 512 tokens; `base` and `seed` are those of the cell."""
    before: StanceOptions = field(
        default_factory=lambda: StanceOptions(batch=32, lr=1e-5, epochs=2, max_length=512, freeze_words=False)
    )
    """How a base is fine-tuned on other data first; `base` is that of the cell."""
    whole: bool = False
    """Whether examples outside the analysis subset are taken too."""
    plain: bool = False
    """Whether long premises of a build are as the opinion has them, without the paragraphs copied to their front."""
    unseen: bool = False
    """Whether hypotheses that are asked are kept out of training, see `unseen`."""
    gold: str = ""
    """Gold labels for table 16, the `gold.csv` of `lawng annotate gold`; "" for none."""
    resamples: int = 2000

    def __post_init__(self) -> None:
        known = [column.key for column in (*GRID, *OTHERS, *ARTEFACTS)]
        if unknown := [key for key in self.columns if key not in known]:
            raise ConfigError(f"columns: there is no {', '.join(map(repr, unknown))}; there are {', '.join(known)}")
        if min(self.training.sample, self.before.sample) < 1:
            raise ConfigError("sample: the study trains on all pairs; leave it at 1, or give it less data")
        if not self.models or not self.seeds:
            raise ConfigError("name one model and one seed at least")
        for given in (self.models, self.seeds, self.intermediate):
            if len({*given}) < len(given):
                raise ConfigError("a model, a data set or a seed is there twice; name each once")

    @property
    def wanted(self) -> list[Column]:
        """The columns."""
        return [one for one in (*GRID, *OTHERS, *ARTEFACTS) if not self.columns or one.key in self.columns]


@dataclass(frozen=True, slots=True)
class StudyPrediction:
    """What a model says of an example, and what it read of the premise."""

    key: str
    label: str
    """The automatic label; of a model with two labels `entailment` or `not_entailment`."""
    entailment: float
    neutral: float
    contradiction: float
    """Natural logarithms of the probabilities; of a model with two labels neutral has all that is not entailed."""
    read_share: float
    """Share of the premise's tokens that was read; with windows, of the least read one."""
    pin_seen: float
    """Share of the cited paragraphs (those of the short premise) that were read whole; -1 where unknown."""
    passage: str
    """Of windows the one that decided, else ""."""


class Question(NamedTuple):
    """Examples as they are asked."""

    name: str
    examples: Sequence[Example]
    column: Column

    @property
    def pairs(self) -> list[Pair]:
        """What the model reads."""
        return pairs_of(self.examples, self.column.read)

    @property
    def depends(self) -> Mapping[str, Any]:
        """Texts, labels, how much is read of them, and the paragraphs that should be."""
        cited = texts_digest(one.premises.get(SHORT, "") for one in self.examples)
        read = {"window": self.column.window, "windows": self.column.windows}
        return {"pairs": digest_of(self.pairs), "cited": cited, **read}


@dataclass
class Asked:
    """Weights, made when they are first asked."""

    weights: Origin
    backend: str = "torch"

    @property
    def depends(self) -> Mapping[str, Any]:
        """What the weights are made of, and the numbers that they are asked with."""
        return {"weights": self.weights.state, "backend": self.backend}

    def answer(self, data: Question, progress: Progress, /) -> Iterator[StudyPrediction]:
        """One prediction for each example."""
        two = self._loaded.n_labels != len(LABELS)
        for row in _answers(self._judge(data.column), data, _AT_ONCE, progress):
            yield _of_two(row) if two else row

    def notes(self) -> Notes:
        """None."""
        return {}

    def _judge(self, column: Column) -> CrossEncoder | Windowed:
        loaded = self._loaded
        window = min(loaded.window, column.window or loaded.window)
        at_once = BATCH if column.windows else max(1, BATCH * _WINDOW // max(window, _WINDOW))
        model = CrossEncoder(loaded._replace(window=window), self._backend, at_once)
        return Windowed(model) if column.windows else model

    @cached_property
    def _backend(self) -> Any:
        return load_backend(self._loaded, self.backend)

    @cached_property
    def _loaded(self) -> Any:
        if isinstance(self._place, LawngError):
            raise self._place
        return load_folder(self._place, "model of the study", (2, 3))

    @cached_property
    def _place(self) -> str | LawngError:
        try:
            return self.weights.place()
        except LawngError as error:  # what cannot be trained is not tried again for each column
            error.__cause__ = error.__context__ = None
            return error.with_traceback(None)  # which holds what was trained


@dataclass
class Told:
    """A language model, asked as it is."""

    model: StanceLLM

    @property
    def depends(self) -> Mapping[str, Any]:
        """The model and its words."""
        return {"model": self.model.state}

    def answer(self, data: Question, progress: Progress, /) -> Iterator[StudyPrediction]:
        """One prediction for each example."""
        model = Windowed(self.model) if data.column.windows else self.model
        return _answers(model, data, BATCH, progress)

    def notes(self) -> Notes:
        """Tokens, and what could not be read."""
        return {self.model.name: self.model.notes()}


def _answers(
    model: PairModel | Windowed, data: Question, at_once: int, progress: Progress
) -> Iterator[StudyPrediction]:
    pairs = data.pairs
    for start in range(0, len(pairs), at_once):
        some = pairs[start : start + at_once]
        yield from predictions(model, data.examples[start : start + at_once], some)
        progress(start + len(some), len(pairs))


_AT_ONCE = 1024
AS_IT_IS = "as-it-is"


def systems_of(
    settings: GeneralizationSettings, benchmark: Benchmark, work: Path, say: Say
) -> Iterator[tuple[System[Question, StudyPrediction], list[Question]]]:
    """Each model, trained on each view, with what it is asked; a view that nothing is there of is left out.

    Raises InputError where no column is left.
    """
    columns = [one for one in settings.wanted if possible(benchmark, one)]
    if not columns:
        raise InputError(f"{benchmark.name}: nothing to train on or to ask for the columns {settings.columns or 'all'}")
    # all that can be wrong is told before anything is trained
    hidden = {one.hypothesis for one in benchmark.splits["test"]} if settings.unseen else set()
    others = {
        before: Other(_without(intermediate_pairs(before, say), hidden, before, say))
        for before in settings.intermediate
        if before != VANILLA
    }
    families, told = families_of(settings), set[str]()
    parts_of = {family: _parts(name, columns) for family, (name, _) in families.items()}
    for family, (name, before) in families.items():
        parts = parts_of[family]
        for seed, own in product(settings.seeds, parts):
            view = own[0].trained
            if seed != settings.seeds[0] and not view:
                continue  # what is asked as it is says the same again
            label = SystemLabel(
                f"{family}.{view or AS_IT_IS}.{seed}", f"{family}, {view or AS_IT_IS}", family, f"{seed}"
            )
            made = _Made(name, others.get(before), view, seed, work / label.name, work / f"{family}.before")
            asked = [Question(column.asked, benchmark.of("test", column.read), column) for column in own]
            yield System(label, partial(_loaded, settings, benchmark, made, say, told)), asked


def _without(pairs: Sequence[Pair], hidden: Collection[str], name: str, say: Say) -> list[Pair]:
    """The pairs that have none of the hypotheses that are to be new to the model."""
    kept = [pair for pair in pairs if pair.hypothesis not in hidden]
    if lost := len(pairs) - len(kept):
        say(f"{name}: {lost:,} pairs left out, of hypotheses that the test asks and no training may")
    return kept


def _parts(name: str, columns: Sequence[Column]) -> list[list[Column]]:
    """The columns that are asked together: of one training; a language model's answers are counted by column."""
    if name.startswith(PREFIX):
        llm_named(name)
        if parts := [[one] for one in columns if not one.trained]:
            return parts
        raise InputError(f"{name}: a language model is asked as it is; name a column -as-it-is, or leave it out")
    views = dict.fromkeys(column.trained for column in columns)
    return [[column for column in columns if column.trained == view] for view in views]


def families_of(settings: GeneralizationSettings) -> dict[str, tuple[str, str]]:
    """What tables call a base with the data that it is fine-tuned on first, and which these are.

    Raises ConfigError where two would be called alike.

    >>> families_of(GeneralizationSettings(("roberta-large",), intermediate=("none", "data/anli")))
    {'roberta-large': ('roberta-large', 'none'), 'roberta-large_anli': ('roberta-large', 'data/anli')}
    """
    found: dict[str, tuple[str, str]] = {}
    for name, shown in zip(settings.models, shown_names(settings.models), strict=True):
        for before in (VANILLA,) if name.startswith(PREFIX) else settings.intermediate:
            end = Path(before).resolve().name.partition(".")[0].replace(" ", "_")
            family = shown if before == VANILLA else f"{shown}_{end}"
            if family in found:
                raise ConfigError(f"{family}: {found[family]} and {(name, before)} would be called alike; rename one")
            found[family] = name, before
    return found


class Other(NamedTuple):
    """Other NLI data that come first, read once for all models."""

    pairs: Sequence[Pair]

    def of(self, part: str) -> list[Pair]:
        """The pairs of a part."""
        return [pair for pair in self.pairs if pair.part == part]


def shown_names(models: Sequence[str]) -> list[str]:
    """The last part of each name, all of it where two end alike.

    >>> shown_names(["roberta-large", "mine/model", "yours/model", "openai:gpt-4o"])
    ['roberta-large', 'mine_model', 'yours_model', 'gpt-4o']
    """
    models = [name.removeprefix(PREFIX).partition("?")[0] for name in models]
    ends = [Path(name).name for name in models]
    return [
        end if ends.count(end) == 1 else name.strip("/").replace("/", "_")
        for name, end in zip(models, ends, strict=True)
    ]


def possible(benchmark: Benchmark, column: Column) -> bool:
    """Whether there is something to train on, and something to ask."""
    trained = not column.trained or benchmark.of("train", column.trained)
    return bool(trained and benchmark.of("test", column.read))


class _Made(NamedTuple):
    """What weights are made of, and where they stay."""

    model: str
    before: Other | None
    view: str
    seed: int
    folder: Path
    intermediate: Path


def _loaded(
    settings: GeneralizationSettings, benchmark: Benchmark, made: _Made, say: Say, told: set[str]
) -> Asked | Told:
    """`told` are models of which it was said that they read less than was asked."""
    if made.model.startswith(PREFIX):
        return Told(stance_llm(made.model, made.folder.parent.parent))
    base = base_of(made.model)
    backend = "bf16" if settings.training.precision == "bf16" else "torch"
    weights: Origin = base
    longest = longest_of(base)
    asked = settings.training.max_length
    if made.view and longest < asked and made.model not in told:
        told.add(made.model)
        say(f"{base.found.name} reads {longest:,} tokens: it is trained with so many, not {asked:,}")
    if made.before:
        options = replace(_cut(settings.before, longest), base=base.found.name)
        train, dev = made.before.of("train"), made.before.of("dev")
        weights = Trained(base, train, options, made.intermediate, labels_told(train, THREE), say, dev)
    elif not made.view:
        base.check_head()
        backend = "auto" if is_graph_alone(base.found.place) else backend
    if not made.view:
        return Asked(weights, backend)
    options = replace(_cut(settings.training, longest), base=base.found.name, seed=made.seed)
    pairs, dev = (pairs_of(benchmark.of(split, made.view), made.view, "train") for split in ("train", "validation"))
    if weights.labels == TWO_LABELS:
        (pairs, options), (dev, _) = balanced(pairs, options), balanced(dev, options)
    return Asked(Trained(weights, pairs, options, made.folder, weights.labels, say, dev), backend)


def _cut(options: StanceOptions, longest: int) -> StanceOptions:
    return replace(options, max_length=min(options.max_length, longest))


def _of_two(row: StudyPrediction) -> StudyPrediction:
    return row if row.label == Label.ENTAILMENT else replace(row, label=NOT_ENTAILMENT)


def predictions(
    model: PairModel | Windowed, examples: Sequence[Example], pairs: Sequence[Pair]
) -> Iterable[StudyPrediction]:
    """The model's judgements with what it read."""
    judged = model.judge([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
    if isinstance(model, Windowed):
        passages, words = model.passages, model.seen
    else:
        passages = [""] * len(pairs)
        words = [words_seen([pair.premise], [read]) for pair, read in zip(pairs, judged.read, strict=True)]
    told = zip(judged.log_probs, judged.read, passages, words, strict=True)
    for one, pair, (row, read, passage, of_words) in zip(examples, pairs, told, strict=True):
        seen = pin_seen(one, pair.premise, of_words)
        entailment, neutral, contradiction = map(float, row)
        yield StudyPrediction(one.key, str(one.label), entailment, neutral, contradiction, float(read), seen, passage)
