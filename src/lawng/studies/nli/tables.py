"""The tables of an evaluation of a stance model, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawng.evaluation.intervals import Interval
from lawng.evaluation.nli_scores import SourceScores, TwinScores
from lawng.reports.grid import Grid, markdown


def as_markdown(made: dict[str, Any], sources: Sequence[SourceScores], twins: Sequence[TwinScores]) -> str:
    """All tables: data sets, twins, calibration, confusion."""
    grids = [_sources(made, sources), *([_twins(twins)] if twins else []), _calibration(made, sources)]
    grids += [_confusion(row) for row in sources]
    return "\n\n".join(markdown(grid) for grid in grids) + "\n"


def _sources(made: dict[str, Any], sources: Sequence[SourceScores]) -> Grid:
    columns = [
        "data",
        "labels",
        "n",
        "accuracy",
        "balanced",
        "macro-F1",
        "chance",
        "majority",
        "hypothesis only",
        "cut",
    ]
    rows = [
        [
            row.source,
            str(len(row.golds)),
            f"{row.n:,}",
            _with(row.accuracy, row.interval),
            _with(row.balanced, row.balanced_interval),
            f"{row.macro_f1:.3f}",
            f"{row.chance:.3f}",
            _or_dash(row.majority),
            _or_dash(row.hypothesis_only),
            f"{row.cut:,}",
        ]
        for row in sources
    ]
    note = (
        "Accuracy with Clopper-Pearson, balanced accuracy with bootstrap intervals over premises, 95 %. Majority and "
        "hypothesis only are learnt from the training pairs of the same data. cut: premises not read whole."
    )
    return Grid(f"{made['model']} ({made['backend']}) on pairs that it was not trained on", columns, rows, note=note)


def _twins(twins: Sequence[TwinScores]) -> Grid:
    columns = [
        "data",
        "twins",
        "right side",
        "ordered",
        "right label of 3",
        "negation added",
        "removed",
        "hypothesis only",
    ]
    rows = [
        [
            row.source,
            f"{row.n:,}",
            _with(row.sided, row.sided_interval),
            _with(row.ordered, row.ordered_interval),
            f"{row.labelled:.3f}",
            f"{row.added[1]:.3f} of {row.added[0]:,}",
            f"{row.removed[1]:.3f} of {row.removed[0]:,}",
            _or_dash(row.hypothesis_only),
        ]
        for row in twins
    ]
    note = (
        "Right side: pairs with entailment above contradiction where they support, below where they refute; ordered: "
        "twins whose supporting member has the higher odds; chance is 0.5 for both. Added, removed: ordered, by what "
        "the negation algorithm did. Hypothesis only is asked for the right label without the premise."
    )
    return Grid("Support against refute on twins, the right premise given", columns, rows, note=note)


def _calibration(made: dict[str, Any], sources: Sequence[SourceScores]) -> Grid:
    rows = [[row.source, f"{row.ece_before:.3f}", f"{row.ece_after:.3f}"] for row in sources]
    title = f"Expected calibration error, 10 bins, without and with the temperature {made['temperature']}"
    return Grid(title, ["data", "before", "after"], rows)


def _confusion(row: SourceScores) -> Grid:
    rows = [[gold, *(f"{row.confusion[gold][other]:,}" for other in row.golds)] for gold in row.golds]
    return Grid(f"{row.source}: gold by row, prediction by column", ["", *row.golds], rows)


def _with(value: float, interval: Interval) -> str:
    return f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"


def _or_dash(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
