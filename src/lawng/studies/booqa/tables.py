"""The tables and curves of the study of BoOQA, from stored scores and the paper's printed numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lawng.directional.curve import auc_norm, auc_norm_spread, curve, measures
from lawng.reports.grid import Grid
from lawng.studies.booqa.answering import BooqaSettings, Scores
from lawng.studies.booqa.data import Booqa, Questions
from lawng.studies.levyholt.tables import Places, draw_curves, labelled_interval
from lawng.studies.tables import QUOTED, Draws, percent, printed, write_filled

_PAPER = printed(Path(__file__).with_name("paper.toml"))
DEV, TEST = "dev", "test"
COMBINED, WITHOUT = "combined", "combined, without hypernymy"
FEWEST_WINDOWS = 5
"""With fewer an interval says nothing."""
Told = Mapping[str, Mapping[str, Scores]]
"""Scores by system as shown, then by split, in the order of its questions."""


class Hidden(NamedTuple):
    """What a hypothesis-only model says of the masked propositions of test."""

    labels: Sequence[bool]
    scores: Scores
    windows: Sequence[str]


class Outcome(NamedTuple):
    """What there is to tell."""

    data: Booqa
    told: Told
    hidden: Mapping[str, Hidden]
    """By hypothesis-only model."""
    notes: Sequence[str]


def write_tables(folder: Path, outcome: Outcome, settings: BooqaSettings) -> dict[str, Grid]:
    """All tables as text, CSV, LaTeX and Markdown, and a precision-recall plot of each split."""
    data, told = outcome.data, outcome.told
    tables = {
        "measures": _measures(outcome, settings),
        "combined": _combined(data.splits[TEST], told, settings),
        "hypothesis-only": _hypothesis_only(outcome, settings),
    }
    for split in data.splits.values():
        curves = {name: curve(split.labels, scores[split.name]) for name, scores in told.items()}
        draw_curves(folder / f"curve-{split.name}.png", f"BoOQA, {split.name}", curves)
    return write_filled(folder / "tables", tables)


def _measures(outcome: Outcome, settings: BooqaSettings) -> Grid:
    """Every system on both splits (tables 5, 15, 16)."""
    test = outcome.data.splits[TEST]
    true, windows = test.labels.count(True), len({one.window for one in test.questions})
    columns = ["system", "dev", "dev, spread", "test", "test, spread", "observed", "AUC_50", "AUC_50, observed"]
    columns += ["in order", "with a score"]
    rows = [_row(name, outcome.data, scores, settings) for name, scores in outcome.told.items()]
    for name, line in _PAPER["systems"].items():
        dev, own = line.split()
        rows.append([f"{name} ({QUOTED})", dev, "", own, *[""] * (len(columns) - 4)])
    note = (
        f"AUC_norm in per cent; test has {true:,} true and {len(test.labels) - true:,} false questions. Spread: ties "
        f"broken at random, on average, with a 95 % interval by bootstrap where windows are enough ({windows}); else "
        "equal scores flatter, as of a graph most are 0. Observed: the curve begins at its first point. In order: of a "
        "bundle's pairs of a positive and a negative those with the positive above, ties half. A negative is none of "
        "which the window says a kind or a synonym: hypernymy, and what it is combined with, is told by construction "
        "that such evidence speaks for a true question. "
    )
    return Grid("Systems on BoOQA (tables 5, 15, 16)", columns, rows, note=note + " ".join(outcome.notes))


def _row(name: str, data: Booqa, scores: Mapping[str, Scores], settings: BooqaSettings) -> list[str]:
    dev, test = data.splits[DEV], data.splits[TEST]
    own = measures(test.labels, scores[TEST])
    windows = [one.window for one in test.questions]
    return [
        name,
        percent(auc_norm(dev.labels, scores[DEV])),
        percent(auc_norm_spread(dev.labels, scores[DEV])),
        percent(own["AUC_norm"]),
        _with_interval(test.labels, scores[TEST], windows, settings),
        *(percent(own[measure]) for measure in ("AUC_norm(observed)", "AUC_50", "AUC_50(observed)")),
        percent(bundles_in_order(test, scores[TEST])),
        percent(float(np.mean(scores[TEST] > 0))),
    ]


def _with_interval(labels: Sequence[bool], scores: Scores, windows: Sequence[str], settings: BooqaSettings) -> str:
    """AUC_norm with ties spread, and its interval where there are windows enough."""
    truth = np.asarray(labels)
    value = percent(auc_norm_spread(truth, scores))
    if len(set(windows)) < FEWEST_WINDOWS:
        return value
    draws = Draws(settings.seed, settings.resamples)
    low, high = labelled_interval(lambda at: auc_norm_spread(truth[at], scores[at]), truth, windows, draws)
    return f"{value} ({low} to {high})"


def bundles_in_order(split: Questions, scores: Scores) -> float:
    """The share of pairs of a positive and a negative of its bundle in which the positive has more; ties half."""
    positive = {one.bundle: score for one, score in zip(split.questions, scores, strict=True) if one.label}
    gaps = [positive[one.bundle] - score for one, score in zip(split.questions, scores, strict=True) if not one.label]
    return float(np.mean([0.5 + 0.5 * np.sign(gap) for gap in gaps]))


def _combined(test: Questions, told: Told, settings: BooqaSettings) -> Grid:
    """The combined scorers against each other system."""
    truth, windows = np.asarray(test.labels), [one.window for one in test.questions]
    rows = []
    for mixed in (COMBINED, WITHOUT):
        for name in [name for name in told if name not in {COMBINED, WITHOUT}]:
            both = told[mixed][TEST], told[name][TEST]

            def gap(at: Places, both: tuple[Scores, Scores] = both) -> float:
                one, other = (auc_norm_spread(truth[at], values[at]) for values in both)
                return one - other

            ends = labelled_interval(gap, truth, windows, Draws(settings.seed, settings.resamples))
            rows.append([mixed, name, percent(gap(np.arange(len(truth)))), *ends])
    columns = ["combined", "system", "gap", "95 % low", "95 % high"]
    note = (
        f"AUC_norm of test, ties broken at random, in points: the combined scorer's minus the system's, with its "
        f"interval by bootstrap over {len(set(windows))} windows. Hypernymy knows what the negatives were chosen by."
    )
    return Grid("The combined scorers against each system", columns, rows, frozenset({0, 1}), note)


def _hypothesis_only(outcome: Outcome, settings: BooqaSettings) -> Grid:
    """What can be told without evidence (table 3)."""
    hidden, masked = outcome.hidden, outcome.data.masked
    rows = [[name, percent(auc_norm(*one[:2])), _with_interval(*one, settings)] for name, one in hidden.items()]
    rows += [[f"{name} ({QUOTED})", value, ""] for name, value in _PAPER["hypothesis-only"].items()] if rows else []
    learnt = {one.text for one in masked["train"]}
    known = sum(one.text in learnt for one in masked[TEST])
    note = (
        f"AUC_norm in per cent on {len(masked[TEST]):,} masked propositions of test; lower is better. With its "
        f"arguments none is in another file; the text of {known:,} is in train, of other arguments."
    )
    return Grid("Hypothesis-only (table 3)", ["system", "test", "test, spread"], rows, note=note)
