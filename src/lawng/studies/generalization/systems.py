"""The cells of the study: a model trained on one view of the premise answers another one.

systems_of(settings, benchmark, work) -> systems with the data that each is asked; a `Column` of table 13 names both
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from lawng.datasets.nli import Pair
from lawng.errors import ConfigError, InputError, LabelMapError, MissingError
from lawng.io import atomic_folder, read_json, write_json
from lawng.io.progress import Progress
from lawng.models.find import OFFLINE, FoundModel, find_model
from lawng.models.folder import load_backend, load_folder, window_of
from lawng.models.pairs import CrossEncoder
from lawng.models.training.options import StanceOptions
from lawng.models.training.plan import begin, digest_of
from lawng.studies.generalization.examples import (
    FILTERED,
    HYPOTHESIS,
    LONG,
    ONLY,
    PREMISES,
    SHORT,
    Benchmark,
    Example,
    pairs_of,
)
from lawng.studies.generalization.windows import Windowed
from lawng.studies.harness import Notes, Say, System, SystemLabel, texts_digest
from lawng.text.paragraphs import BREAK

BATCH = 32
"""Pairs judged together; they are sorted by length."""


class Column(NamedTuple):
    """A column of a table: what is trained on, and what is read."""

    key: str
    trained: str
    """The view of the training pairs, "" for none: the base as it is."""
    read: str
    window: int = 0
    """Tokens that the model may read, 0 for all that it can."""
    windows: bool = False
    """Whether the premise is judged window by window."""

    @property
    def asked(self) -> str:
        """What is read, as files have it.

        >>> Column("2", "short", "long", window=512).asked
        'long-512'
        """
        return self.read + (f"-{self.window}" if self.window else "") + ("-windows" if self.windows else "")


GRID = (
    Column("1", SHORT, LONG),
    Column("2", SHORT, LONG, window=512),
    Column("3", SHORT, f"{FILTERED}{LONG}"),
    Column("4", f"{FILTERED}{SHORT}", f"{FILTERED}{LONG}"),
    Column("5", LONG, LONG),
    Column("6", f"{FILTERED}{LONG}", f"{FILTERED}{LONG}"),
    Column("7", SHORT, LONG, windows=True),
    Column("8", f"{FILTERED}{SHORT}", LONG, windows=True),
    Column("9", LONG, LONG, windows=True),
    Column("10", f"{FILTERED}{LONG}", LONG, windows=True),
)
"""Table 13, and ours: the premise window by window."""
OTHERS = (Column("long-as-it-is", "", LONG), Column("short-as-it-is", "", SHORT), Column("short", SHORT, SHORT))
"""What tables 14 and 15 have beside the grid."""
ARTEFACTS = (
    Column("hypothesis", HYPOTHESIS, HYPOTHESIS),
    *(Column(f"{ONLY}{view}", f"{ONLY}{view}", f"{ONLY}{view}") for view in PREMISES),
)
"""Table 12: what the labels can be told by without the other text."""


@dataclass(frozen=True)
class GeneralizationSettings:
    """What is run. Raises ConfigError for columns or seeds that cannot be."""

    models: tuple[str, ...] = (OFFLINE,)
    """Bases, by Hub name or folder."""
    columns: tuple[str, ...] = ()
    """Keys of columns; () takes all."""
    seeds: tuple[int, ...] = (0,)
    training: StanceOptions = field(
        default_factory=lambda: StanceOptions(batch=32, lr=1e-5, epochs=4, max_length=512, freeze_words=False)
    )
    """The paper's (A.2.1), at 512 tokens; `base` and `seed` are those of the cell."""
    whole: bool = False
    """Whether examples outside the analysis subset are taken too."""
    gold: str = ""
    """Gold labels for table 16, the `gold.csv` of `lawng annotate gold`; "" for none."""
    resamples: int = 2000

    def __post_init__(self) -> None:
        known = [column.key for column in (*GRID, *OTHERS, *ARTEFACTS)]
        if unknown := [key for key in self.columns if key not in known]:
            raise ConfigError(f"columns: there is no {', '.join(map(repr, unknown))}; there are {', '.join(known)}")
        if not self.models or not self.seeds:
            raise ConfigError("name one model and one seed at least")
        if len({*self.models}) < len(self.models) or len({*self.seeds}) < len(self.seeds):
            raise ConfigError("a model or a seed is there twice; name each once")

    @property
    def wanted(self) -> list[Column]:
        """The columns."""
        return [one for one in (*GRID, *OTHERS, *ARTEFACTS) if not self.columns or one.key in self.columns]


@dataclass(frozen=True, slots=True)
class StudyPrediction:
    """What a model says of an example, and what it read of the premise."""

    key: str
    label: str
    """The automatic label."""
    entailment: float
    neutral: float
    contradiction: float
    """Natural logarithms of the probabilities."""
    read_share: float
    """Share of the premise's tokens that was read; with windows, of the least read one."""
    pin_seen: float
    """Share of the cited paragraphs (those of the short premise) that stand in what was read; -1 where unknown."""
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
        """Texts, labels, and how much is read of them."""
        return {"pairs": digest_of(self.pairs), "window": self.column.window, "windows": self.column.windows}


@dataclass
class Trained:
    """A base, fine-tuned on a view where there is one, when it is first asked."""

    base: FoundModel
    view: str
    pairs: Sequence[Pair]
    options: StanceOptions
    folder: Path
    """Where its weights stay."""
    say: Say

    @property
    def depends(self) -> Mapping[str, Any]:
        """The base's state, the training pairs in order, and the options."""
        options = asdict(self.options) if self.view else {}
        return {**options, "base": self.base.state, "view": self.view, "pairs": digest_of(self.pairs)}

    def answer(self, data: Question, progress: Progress, /) -> Iterator[StudyPrediction]:
        """One prediction for each example."""
        pairs, model = data.pairs, self._judge(data.column)
        for start in range(0, len(pairs), _AT_ONCE):
            some, of = pairs[start : start + _AT_ONCE], data.examples[start : start + _AT_ONCE]
            yield from predictions(model, of, some)
            progress(start + len(some), len(pairs))

    def notes(self) -> Notes:
        """None."""
        return {}

    def _judge(self, column: Column) -> CrossEncoder | Windowed:
        loaded = self._loaded
        window = min(loaded.window, column.window or loaded.window)
        model = CrossEncoder(loaded._replace(window=window), self._backend, BATCH)
        return Windowed(model) if column.windows else model

    @cached_property
    def _backend(self) -> Any:
        return load_backend(self._loaded, "torch")

    @cached_property
    def _loaded(self) -> Any:
        place = str(self._trained()) if self.view else self.base.place
        return load_folder(place, "model of the study")

    def _trained(self) -> Path:
        from lawng.models.training.stance import fit

        needed, mark = {"depends": texts_digest([repr(self.depends)])}, self.folder / "study.json"
        if mark.is_file() and read_json(mark) == needed:
            return self.folder
        with atomic_folder(self.folder) as partial:
            begin(partial / "work", needed)
            model = fit(partial / "work" / "trainer", self.base.place, self.pairs, self.options, self.say)
            model.save(partial)
            write_json(partial / "study.json", needed)
            shutil.rmtree(partial / "work")
        return self.folder


_AT_ONCE = 1024
AS_IT_IS = "as-it-is"


def systems_of(
    settings: GeneralizationSettings, benchmark: Benchmark, work: Path, say: Say
) -> Iterator[tuple[System[Question, StudyPrediction], list[Question]]]:
    """Each model, trained on each view, with what it is asked; a view that nothing is there of is left out.

    Raises InputError where no column is left.
    """
    columns = [one for one in settings.wanted if _possible(benchmark, one)]
    if not columns:
        raise InputError(f"{benchmark.name}: nothing to train on or to ask for the columns {settings.columns or 'all'}")
    for name, shown in zip(settings.models, shown_names(settings.models), strict=True):
        for seed in settings.seeds:
            for view in dict.fromkeys(column.trained for column in columns):
                own = [column for column in columns if column.trained == view]
                label = SystemLabel(
                    f"{shown}.{view or AS_IT_IS}.{seed}", f"{name}, {view or AS_IT_IS}", shown, f"{seed}"
                )
                asked = [Question(column.asked, benchmark.of("test", column.read), column) for column in own]
                yield System(label, _loader(settings, benchmark, name, view, seed, work / label.name, say)), asked


def shown_names(models: Sequence[str]) -> list[str]:
    """The last part of each name, all of it where two end alike.

    >>> shown_names(["roberta-large", "mine/model", "yours/model"])
    ['roberta-large', 'mine_model', 'yours_model']
    """
    ends = [Path(name).name for name in models]
    return [
        end if ends.count(end) == 1 else name.strip("/").replace("/", "_")
        for name, end in zip(models, ends, strict=True)
    ]


@contextmanager
def _or_hole(name: str) -> Iterator[None]:
    """Makes of a base without NLI labels one that cannot be had: a hole in the tables."""
    try:
        yield
    except LabelMapError as error:
        raise MissingError(f"{name}, as it is: {error}") from error


def _longest(place: str) -> int:
    """Tokens of a pair that a base can read."""
    from transformers import AutoConfig, AutoTokenizer

    return window_of(AutoTokenizer.from_pretrained(place), AutoConfig.from_pretrained(place))


def _possible(benchmark: Benchmark, column: Column) -> bool:
    trained = not column.trained or benchmark.of("train", column.trained)
    return bool(trained and benchmark.of("test", column.read))


def _loader(  # noqa: PLR0913, PLR0917 (what a cell is made of)
    settings: GeneralizationSettings, benchmark: Benchmark, name: str, view: str, seed: int, folder: Path, say: Say
) -> Any:
    def load() -> Trained:
        base = find_model("base model", name)
        if not view:  # a head that was made at random says nothing
            with _or_hole(name):
                load_folder(base.place, "base model")
        longest = min(settings.training.max_length, _longest(base.place))
        options = replace(settings.training, base=base.name, seed=seed, max_length=longest)
        pairs = pairs_of(benchmark.of("train", view), view, "train") if view else []
        return Trained(base, view, pairs, options, folder, say)

    return load


def predictions(
    model: CrossEncoder | Windowed, examples: Sequence[Example], pairs: Sequence[Pair]
) -> Iterable[StudyPrediction]:
    """The model's judgements with what it read."""
    judged = model.judge([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
    passages = model.passages if isinstance(model, Windowed) else [""] * len(pairs)
    for one, pair, row, read, passage in zip(examples, pairs, judged.log_probs, judged.read, passages, strict=True):
        seen = pin_seen(one, pair.premise, read)
        entailment, neutral, contradiction = map(float, row)
        yield StudyPrediction(one.key, str(one.label), entailment, neutral, contradiction, float(read), seen, passage)


def pin_seen(example: Example, premise: str, read: float) -> float:
    """Share of the paragraphs of the short premise that stand in the part that was read; -1 without one.

    >>> from lawng.schema.labels import Label
    >>> one = Example("", "", Label.NEUTRAL, {"short": "B."}, "", False, False, "")
    >>> pin_seen(one, "A.\\n\\nB.", 1.0), pin_seen(one, "A.\\n\\nB.", 0.5)
    (1.0, 0.0)
    """
    cited = example.premises.get(SHORT, "")
    if not cited or not premise:
        return -1.0
    shown = premise[: round(read * len(premise))]
    paragraphs = [text for text in cited.split(BREAK) if text.strip()]
    return sum(text in shown for text in paragraphs) / max(1, len(paragraphs))
