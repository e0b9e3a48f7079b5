"""What a study takes, told before it begins: models, data, trainings, and hours by the speed of this very machine.

plan_of(settings, benchmark, speed) -> Grid      measured_speed(training) -> floating-point operations a second
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from timeit import repeat
from typing import Any, NamedTuple

from lawng.datasets.nli import Pair
from lawng.errors import MissingError
from lawng.models.find import find_model, fixed_revision
from lawng.models.folder import device, loading, window_of
from lawng.models.openai.embeddings import PREFIX
from lawng.models.training.options import StanceOptions
from lawng.reports.grid import Grid
from lawng.studies.generalization.columns import Column
from lawng.studies.generalization.examples import Benchmark, intermediate_pairs, pairs_of
from lawng.studies.generalization.systems import VANILLA, GeneralizationSettings, possible, shown_names
from lawng.studies.generalization.weights import balanced, labels_told
from lawng.studies.generalization.windows import WORDS
from lawng.text.windows import windows_of

_CPU = "a CPU"
_ALL_KEPT = frozenset({"albert", "mpnet"})
"""Architectures that know no checkpointing of activations."""
CHARACTERS = 4.5
"""Of a token, about."""


class Shape(NamedTuple):
    """What of a model its time hangs on, and what its card says."""

    layers: int
    width: int
    inner: int
    """Width of the feed-forward layers."""
    window: int
    """Tokens of premise and hypothesis together."""
    band: int = 0
    """Tokens that one attends to, 0 for all."""
    parameters: str = "?"
    """In millions."""
    licence: str = "?"
    recomputes: bool = True
    """Whether activations can be computed again to spare memory (`--checkpointing`)."""

    def flops(self, tokens: int) -> float:
        """Floating-point operations of a forward pass over a text, whatever its padding.

        >>> Shape(12, 768, 3072, 512).flops(512) / 1e9
        96.636764...
        """
        weights = 4 * self.width**2 + 2 * self.width * self.inner
        attended = min(tokens, self.band or tokens)
        return self.layers * tokens * (2.0 * weights + 4.0 * attended * self.width)


PANEL: Mapping[str, Shape] = {
    "albert-xxlarge-v2": Shape(12, 4096, 16384, 512, 0, "223", "Apache-2.0", recomputes=False),
    # keys and values of the one token that attends to all are computed beside: 12 layers take the time of 14
    "allenai/longformer-base-4096": Shape(14, 768, 3072, 4096, 1024, "149", "Apache-2.0"),
    # a decoder's layer attends twice: 12 and 12 layers take the time of 28
    "facebook/bart-large": Shape(28, 1024, 4096, 1024, 0, "406", "Apache-2.0"),
    # with full attention, see `plain_attention`
    "google/bigbird-roberta-base": Shape(12, 768, 3072, 4096, 0, "128", "Apache-2.0"),
    "nlpaueb/legal-bert-base-uncased": Shape(12, 768, 3072, 512, 0, "110", "CC BY-SA 4.0"),
    "roberta-large": Shape(24, 1024, 4096, 512, 0, "355", "MIT"),
    "zlucia/custom-legalbert": Shape(12, 768, 3072, 512, 0, "110", "not stated"),
}
"""The paper's seven models on the Hub (A.4), five at one of `REVISIONS`; the manifest says what was taken of all."""


Training = tuple[list[Pair], StanceOptions, int]
"""Pairs, options, and how often."""


class Speed(NamedTuple):
    """Floating-point operations a second."""

    training: float
    asking: float
    where: str


def plan_of(settings: GeneralizationSettings, benchmark: Benchmark, speed: Speed) -> Grid:
    """A row for each model: how often it is trained, and hours to train and to ask all columns (one process).

    Models without a shape, which are neither of the panel nor at hand, have holes.
    """
    columns = [one for one in settings.wanted if possible(benchmark, one)]
    trainings = list(_trainings(settings, benchmark, columns))
    rows = [
        [shown, *_row(settings, benchmark, (columns, trainings), name, speed)]
        for name, shown in zip(settings.models, shown_names(settings.models), strict=True)
    ]
    sizes = ", ".join(f"{len(rows):,} {split}" for split, rows in benchmark.splits.items())
    hours = "hours" if speed.where.startswith(_CPU) else "GPU-hours"
    heads = ["", "revision", "million parameters", "tokens", "licence", "trainings"]
    heads += [f"{hours} to {what}" for what in ("train", "ask")]
    others = [before for before in settings.intermediate if before != VANILLA]
    before = (
        "as it comes" * (VANILLA in settings.intermediate),
        f"first trained on {' or '.join(others)}" * bool(others),
    )
    paper = "" if others else " (--intermediate: the paper takes ANLI, ConTRoL or DocNLI first, too)"
    note = (
        f"Each base {', and '.join(filter(None, before))}{paper}. "
        f"Of {sizes} examples, by {speed.training / 1e12:.2f} and {speed.asking / 1e12:.2f} TFLOP/s measured on "
        f"{speed.where}; tokens of {CHARACTERS} characters. What is there already is not made again."
    )
    return Grid(f"The study of {benchmark.name}", heads, rows, text=frozenset({0, 1, 4}), note=note)


def _row(
    settings: GeneralizationSettings,
    benchmark: Benchmark,
    work: tuple[list[Column], list[Training]],
    name: str,
    speed: Speed,
) -> list[str]:
    if (shape := shape_of(name)) is None:
        return [_revision(name), *"??????"]
    (columns, trainings), n, training = work, 0, 0.0
    for pairs, options, times in trainings:
        n += times
        training += times * _training(shape, pairs, options)
    asked = (_asking(shape, benchmark, one) * (len(settings.seeds) if one.trained else 1) for one in columns)
    asking = len(settings.intermediate) * sum(asked)
    hours = (training / speed.training / 3600, asking / speed.asking / 3600)
    return [
        _revision(name),
        shape.parameters,
        f"{shape.window:,}",
        shape.licence,
        str(n),
        *(f"{x:,.1f}" for x in hours),
    ]


def _revision(name: str) -> str:
    """The beginning of the revision that is always taken of a model on the Hub, "" of others."""
    fixed = None if Path(name).is_dir() else fixed_revision(name)
    return fixed[1][:7] if fixed else ""


def _trainings(settings: GeneralizationSettings, benchmark: Benchmark, columns: list[Column]) -> Iterator[Training]:
    """Once on other data, for each seed on a view."""
    views = dict.fromkeys(column.trained for column in columns if column.trained)
    for before in settings.intermediate:
        two = False
        if before != VANILLA:
            first = [pair for pair in intermediate_pairs(before) if pair.part == "train"]
            two = len(labels_told(first, ("", "", ""))) == 2
            yield first, settings.before, 1
        for view in views:
            pairs = pairs_of(benchmark.of("train", view), view, "train")
            own, options = balanced(pairs, settings.training) if two else (pairs, settings.training)
            yield own, options, len(settings.seeds)


def _tokens(pair: Pair) -> int:
    return int((len(pair.premise) + len(pair.hypothesis)) / CHARACTERS) + 3


def _training(shape: Shape, pairs: list[Pair], options: StanceOptions) -> float:
    longest = min(shape.window, options.max_length)
    passes = 4 if options.checkpointing and shape.recomputes else 3  # a backward pass takes two forward ones
    return passes * options.epochs * sum(shape.flops(min(longest, _tokens(pair))) for pair in pairs)


def _asking(shape: Shape, benchmark: Benchmark, column: Column) -> float:
    pairs = pairs_of(benchmark.of("test", column.read), column.read)
    if column.windows:
        pairs = [replace(pair, premise=text) for pair in pairs for text in windows_of(pair.premise, WORDS, apart=True)]
    longest = min(shape.window, column.window or shape.window)
    return sum(shape.flops(min(longest, _tokens(pair))) for pair in pairs)


def shape_of(name: str) -> Shape | None:
    """A model's shape, of the panel or by its own configuration; None where it cannot be had."""
    if name in PANEL:
        return PANEL[name]
    if name.startswith(PREFIX):
        return None
    try:
        found = find_model("base model", name)
        with loading(f"base model {found.name}: config.json cannot be read"):
            from transformers import AutoConfig, AutoTokenizer

            config, tokenizer = AutoConfig.from_pretrained(found.place), AutoTokenizer.from_pretrained(found.place)
            sizes = config.num_hidden_layers, config.hidden_size, config.intermediate_size
            return Shape(*sizes, window_of(tokenizer, config), recomputes=config.model_type not in _ALL_KEPT)
    except MissingError:
        return None


def measured_speed(pairs: int = 4, tokens: int = 512, layers: int = 2) -> Speed:
    """How fast this machine trains and asks, by a BERT of base width with random weights; takes some seconds."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    where = device()
    many = pairs * (8 if where == "cuda" else 1)
    model: Any = BertForSequenceClassification(BertConfig(num_hidden_layers=layers))
    model.to(where)
    given = torch.randint(1000, 20000, (many, tokens), device=where)

    def train() -> None:
        model(given, labels=torch.zeros(many, dtype=torch.long, device=where)).loss.backward()

    def ask() -> None:
        with torch.inference_mode():
            model(given)

    def timed(work: Callable[[], None]) -> None:
        work()
        if where == "cuda":
            torch.cuda.synchronize()

    done = many * Shape(layers, 768, 3072, tokens).flops(tokens)
    half = where == "cuda" and torch.cuda.is_bf16_supported()
    with torch.autocast(where, torch.bfloat16, enabled=half):
        # of the fastest of three, the first left out
        seconds = [min(repeat(partial(timed, work), number=1, repeat=4)[1:]) for work in (train, ask)]
    name = torch.cuda.get_device_name() if where == "cuda" else f"{_CPU} with {torch.get_num_threads()} threads"
    return Speed(3 * done / seconds[0], done / seconds[1], name)
