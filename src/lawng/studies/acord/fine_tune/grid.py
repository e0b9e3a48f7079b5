"""The grid of ACORD's fine-tuning (F.2): what is tried, what is chosen, and the table of it.

TuneSettings      chosen(scores) -> Cell      write_grid(path, cells, choice)
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from lawng.clauses.meaning.focus import Shown
from lawng.engine.aside import aside_file
from lawng.errors import ConfigError
from lawng.models.train.relevance_options import RelevanceOptions, Run
from lawng.studies.acord.data import FORMS
from lawng.studies.acord.settings import DEPTH

RATES = (5e-5, 1e-4, 3e-4, 5e-4, 1e-3)
UPDATES = (100, 200, 400, 600, 800, 1000, 1500, 2000, 2500, 3000)
RUNS = 3
TARGETS = ("grades", "fine")
"""What a text's target is made of: its whole stars, or the mean stars of the supplement, where it has them."""


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """What `lawng train relevance` tries; by default the paper's grid.

    Raises ConfigError when the grid is empty, or a form, the targets or the focus are none.
    """

    rates: tuple[float, ...] = RATES
    updates: tuple[int, ...] = UPDATES
    runs: int = RUNS
    forms: tuple[str, ...] = FORMS[:1]
    """Of the training queries; the first is what the validation queries are asked in."""
    targets: str = TARGETS[0]
    focus: int | None = None
    """Words of a clause that the model reads, chosen by the query; None is its beginning."""
    expand: int = 0
    """Words of the glossary that are added to a query."""
    tags: bool = False
    """Whether a clause begins with what the glossary finds in it of what is asked."""
    silver: int = 0
    """Queries made of the glossary that are learned from too, graded by the untrained reading."""
    depth: int = DEPTH
    """Clauses of a validation query, BM25's best, that are ranked again."""
    seed: int = 0
    """Of the first run; each other has the next."""
    int8: bool = True
    options: RelevanceOptions = field(default_factory=RelevanceOptions)

    def __post_init__(self) -> None:
        for option, values in (("--lr", self.rates), ("--updates", self.updates), ("--form", self.forms)):
            if not values or len(set(values)) != len(values):
                raise ConfigError(f"{option}: none given, or one twice; name each once")
        if wrong := [form for form in self.forms if form not in FORMS]:
            raise ConfigError(f"--form {', '.join(wrong)}: not known; there are {', '.join(FORMS)}")
        if any(not 0 < rate < 1 for rate in self.rates):
            raise ConfigError(f"--lr {' '.join(map(str, self.rates))}: each must be between 0 and 1")
        if min(self.updates) < 1 or self.runs < 1 or self.depth < 1:
            raise ConfigError("--updates, --runs, --depth: each must be 1 or more")
        if self.targets not in TARGETS:
            raise ConfigError(f"--targets {self.targets}: not known; there are {', '.join(TARGETS)}")
        if self.focus is not None and self.focus < 1:
            raise ConfigError(f"--focus {self.focus}: less than one word")
        if self.expand < 0 or self.silver < 0:
            raise ConfigError(f"--expand {self.expand}, --silver {self.silver}: less than none")

    @property
    def shown(self) -> Shown:
        """How queries and clauses are shown to the model."""
        return Shown(self.focus, self.expand, self.tags)

    def run(self, rate: float, number: int) -> Run:
        """The run of a learning rate with a number from 0."""
        return Run(rate, tuple(sorted(self.updates)), self.seed + number)


class Cell(NamedTuple):
    """A learning rate and a number of updates, with the validation scores of their runs."""

    lr: float
    updates: int
    scores: tuple[float, ...]
    """NDCG@10, 0 to 1, in the order of the runs."""

    @property
    def mean(self) -> float:
        """Over the runs."""
        return mean(self.scores)

    @property
    def best_run(self) -> int:
        """The number of the run with the best score, the first of equal ones."""
        return self.scores.index(max(self.scores))


def chosen(cells: Sequence[Cell]) -> Cell:
    """The cell with the best mean; of equal ones that with fewer updates, then that with the lower learning rate.

    >>> chosen([Cell(1e-3, 100, (0.6, 0.6)), Cell(1e-4, 200, (0.5, 0.7)), Cell(1e-4, 400, (0.9, 0.1))])
    Cell(lr=0.001, updates=100, scores=(0.6, 0.6))
    """
    return min(cells, key=lambda cell: (-round(cell.mean, 9), cell.updates, cell.lr))


def cells_of(found: Mapping[float, Sequence[Mapping[int, float]]]) -> list[Cell]:
    """The cells of learning rates whose runs are all done, from the scores of each run by its number of updates."""
    return [
        Cell(rate, updates, tuple(scores[updates] for scores in runs))
        for rate, runs in found.items()
        for updates in sorted(runs[0])
    ]


def write_grid(path: Path, cells: Sequence[Cell], choice: Cell) -> None:
    """The grid as CSV: a line for each cell, scores from 0 to 1."""
    runs = range(1, len(choice.scores) + 1)
    with aside_file(path) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["lr", "updates", *(f"run {run}" for run in runs), "mean", "deviation", "chosen"])
        for cell in cells:
            spread = f"{stdev(cell.scores):.6f}" if len(cell.scores) > 1 else ""
            scores = (f"{score:.6f}" for score in cell.scores)
            mark = "yes" if cell == choice else ""
            table.writerow([f"{cell.lr:g}", cell.updates, *scores, f"{cell.mean:.6f}", spread, mark])
