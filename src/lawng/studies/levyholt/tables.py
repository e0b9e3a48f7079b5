"""The tables and curves of the study of LevyHolt, from stored scores and the paper's printed numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.directional.curve import Curve, auc_norm, curve, measures, pair_direction
from lawng.directional.pairs import SUBSETS, Subgroup
from lawng.directional.prompts import Prompting
from lawng.directional.records import PredicatePair
from lawng.evaluation.statistics import clopper_pearson, resampled
from lawng.models.find import shown_name, slug
from lawng.reports.grid import Grid
from lawng.studies.levyholt.systems import FULL, NAMES, Asked, Benchmark, LevyHoltSettings
from lawng.studies.tables import OPEN, QUOTED, Draws, percent, printed, write_filled

_PAPER = printed(Path(__file__).with_name("paper.toml"))
Scores = Mapping[Asked, Mapping[str, float]]
"""By system, then by id of a pair."""
_TABLE1 = ("directional", "symmetric", FULL)
_PARAPHRASES = ("paraphrases-dirtrue", "paraphrases-dirfalse")
_SAME_LABEL = ("paraphrases-dirtrue", "dirfalse-unrelated")
_NOTE = "AUC_norm in per cent; in brackets the 95 % interval, bootstrap over pairs of arguments. "
Places = NDArray[np.intp]
"""Of rows that are drawn."""


class Measured:
    """Scores on the test pairs of a benchmark."""

    def __init__(self, benchmark: Benchmark, settings: LevyHoltSettings) -> None:
        self._tests = {name: benchmark.of("test", name) for name in NAMES}
        self._settings = settings

    def rows(
        self, scores: Mapping[str, float], name: str
    ) -> tuple[list[PredicatePair], list[bool], list[float]] | None:
        """The pairs of a subset, their labels and scores; None where the system was not asked all."""
        pairs, labels = self._tests[name]
        if not all(pair.pair_id in scores for pair in pairs):
            return None
        return pairs, labels, [scores[pair.pair_id] for pair in pairs]

    def cell(self, scores: Mapping[str, float], name: str) -> str:
        """AUC_norm with its interval."""
        found = self.rows(scores, name)
        if found is None:
            return OPEN
        pairs, labels, values = found
        clusters = [frozenset((pair.premise.subject.lower(), pair.premise.object.lower())) for pair in pairs]
        truth, told = np.asarray(labels), np.asarray(values)
        draws = Draws(self._settings.seed, self._settings.resamples)
        low, high = labelled_interval(lambda at: auc_norm(truth[at], told[at]), truth, clusters, draws)
        return f"{percent(auc_norm(labels, values))} ({low} to {high})"

    def mates(self) -> dict[str, str]:
        """Of each directional entry of test its converse's id."""
        pairs, labels = self._tests["directional"]
        ids = {(pair.premise, pair.hypothesis): pair.pair_id for pair in pairs}
        true = [pair for pair, label in zip(pairs, labels, strict=True) if label]
        return {pair.pair_id: ids[pair.hypothesis, pair.premise] for pair in true}


def write_tables(
    folder: Path, benchmark: Benchmark, scores: Scores, settings: LevyHoltSettings, notes: Sequence[str]
) -> dict[str, Grid]:
    """All tables as text, CSV, LaTeX and Markdown, and a precision-recall plot of each subset."""
    measured = Measured(benchmark, settings)
    tables = {
        "measures": _measures(measured, scores, notes),
        "mesh": _mesh(measured, scores, settings),
        "generalisation": _generalisation(measured, scores),
        "symmetric": _against(measured, scores, settings, Prompting.SYMMETRIC, _PARAPHRASES),
        "continuous": _against(measured, scores, settings, Prompting.CONTINUOUS, _SAME_LABEL),
        "direction": _direction(measured, scores),
    }
    for name in NAMES:
        found = {
            key.label.shown: curve(*rows[1:])
            for key, told in scores.items()
            if key.subset in (name, "nothing") and (rows := measured.rows(told, name))
        }
        draw_curves(folder / f"curve-{name}.png", f"LevyHolt, {name}", found)
    for encoder in settings.encoders:
        _draw_mesh(folder / f"mesh-{slug(encoder)}.png", measured, scores, encoder)
    return write_filled(folder / "tables", tables)


def _measures(measured: Measured, scores: Scores, notes: Sequence[str]) -> Grid:
    """Every system on what it was trained on, by both conventions of the curve's left edge."""
    columns = ["system", "test", *measures([True, False], [1.0, 0.0])]
    rows = []
    for key, told in scores.items():
        directed = key.prompting in ("direction", "order")
        for name in NAMES if key.subset == "nothing" else _TABLE1 if directed else (key.subset,):
            if found := measured.rows(told, name):
                rows.append([key.label.shown, name, *map(percent, measures(*found[1:]).values())])
    note = "The curve begins at recall 0 with precision 1, as in the paper; observed: at its first point. "
    return Grid("Measures, in per cent", columns, rows, frozenset({0, 1}), note + " ".join(notes))


def _mesh(measured: Measured, scores: Scores, settings: LevyHoltSettings) -> Grid:
    """Figures 1 and 2: prompts and hypothesis-only on each subset, and their ratio."""
    rows = []
    for encoder in settings.encoders:
        for name in NAMES:
            keys = [Asked(one, encoder, name) for one in (Prompting.DISCRETE, Prompting.HYPOTHESIS_ONLY)]
            if not all(key in scores for key in keys):
                continue
            values = [auc_norm(*found[1:]) for key in keys if (found := measured.rows(scores[key], name))]
            cells = [measured.cell(scores[key], name) for key in keys]
            quoted = [_PAPER["mesh"][one].get(name, OPEN) for one in ("prompts", "hypothesis-only")]
            ratio = f"{values[0] / values[1]:.2f}" if values[1] > 0 else OPEN
            rows.append([shown_name(encoder), name, *cells, ratio, *quoted])
    columns = ["encoder", "subset", "prompts", "hypothesis-only", "ratio", "paper: prompts", "paper: hypothesis-only"]
    note = _NOTE + "A low ratio: the score is owed to artefacts. Paper: RoBERTa-base, where it prints the number."
    title = "Prompts and hypothesis-only on pairs of subgroups (figures 1, 2)"
    return Grid(title, columns, rows, frozenset({0, 1}), note)


_CORNERS = {
    Subgroup.PARAPHRASES: (0, 1),
    Subgroup.DIR_TRUE: (1, 1),
    Subgroup.DIR_FALSE: (1, 0),
    Subgroup.UNRELATED: (0, 0),
}


def _draw_mesh(path: Path, measured: Measured, scores: Scores, encoder: str) -> None:
    """Figures 1 and 2 as they are drawn: the subgroups as corners, AUC_norm on the line between two of them."""
    from matplotlib.figure import Figure

    shown = {
        prompting: {
            name: auc_norm(*found[1:])
            for name in SUBSETS
            if (told := scores.get(Asked(prompting, encoder, name))) and (found := measured.rows(told, name))
        }
        for prompting in (Prompting.DISCRETE, Prompting.HYPOTHESIS_ONLY)
    }
    shown = {prompting: values for prompting, values in shown.items() if values}
    if not shown:
        return
    figure = Figure(figsize=(5 * len(shown), 4.5), layout="constrained")
    for axes, (prompting, values) in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown.items(), strict=True):
        for name, value in values.items():
            (x1, y1), (x2, y2) = (_CORNERS[group] for group in SUBSETS[name])
            axes.plot([x1, x2], [y1, y2], color="grey", linewidth=0.5 + 4 * max(0, value), zorder=1)
            # off the middle, where the two diagonals cross
            axes.text(x1 + 0.4 * (x2 - x1), y1 + 0.4 * (y2 - y1), percent(value), ha="center", backgroundcolor="white")
        for group, (x, y) in _CORNERS.items():
            axes.text(x, y + 0.07 * (2 * y - 1), group, ha="center", va="center", weight="bold")
        axes.set(title=f"{prompting}, {shown_name(encoder)}", xlim=(-0.25, 1.25), ylim=(-0.15, 1.15))
        axes.axis("off")
    figure.savefig(path, dpi=150)


def _generalisation(measured: Measured, scores: Scores) -> Grid:
    """Tables 1, 8, 10, 12: trained on rows, tested on columns."""
    rows = []
    for key, told in scores.items():
        if key.prompting == Prompting.DISCRETE and key.subset in _TABLE1:
            rows.append([shown_name(key.encoder), key.subset, *(measured.cell(told, name) for name in _TABLE1)])
    columns = ["model", "trained on", *_TABLE1]
    title = "Trained on one subset, tested on another (tables 1, 8, 10, 12)"
    return Grid(title, columns, _with_quoted(rows, "generalisation"), frozenset({0, 1}), _NOTE)


def _with_quoted(rows: list[list[str]], table: str) -> list[list[str]]:
    """The rows, where there are any, and below them those of the paper."""
    quoted = ((model, name, line) for model, own in _PAPER[table].items() for name, line in own.items())
    return rows and rows + [[f"{model} ({QUOTED})", name, *line.split()] for model, name, line in quoted]


def _against(
    measured: Measured, scores: Scores, settings: LevyHoltSettings, other: Prompting, names: Sequence[str]
) -> Grid:
    """Tables 2, 7, 9, 11, 13: the discrete prompts beside other ones."""
    rows = []
    for encoder in settings.encoders:
        for name in names:
            keys = [Asked(one, encoder, name) for one in (Prompting.DISCRETE, other)]
            if all(key in scores for key in keys):
                rows.append([shown_name(encoder), name, *(measured.cell(scores[key], name) for key in keys)])
    columns = ["model", "subset", "discrete", str(other)]
    quoted = _with_quoted(rows, str(other))
    return Grid(f"Discrete against {other} prompts", columns, quoted, frozenset({0, 1}), _NOTE)


def _direction(measured: Measured, scores: Scores) -> Grid:
    """Which of p => q and q => p scores higher, on all directional pairs and where hypothesis-only is wrong."""
    mates = measured.mates()
    hidden = {
        key.encoder: told for key, told in scores.items() if key[::2] == (Prompting.HYPOTHESIS_ONLY, "directional")
    }
    rows = []
    for key, told in scores.items():
        if measured.rows(told, "directional") is None or key.subset not in (*_TABLE1, "nothing"):
            continue
        wrong = {}
        if key.encoder in hidden:
            artefact = pair_direction(hidden[key.encoder], mates)
            wrong = {true: mates[true] for true, right in zip(mates, artefact, strict=True) if right < 0.5}
        rows.append([key.label.shown, *_hits(pair_direction(told, mates)), *_hits(pair_direction(told, wrong))])
    columns = ["system", "right direction", "pairs", "where hypothesis-only is wrong", "of these"]
    note = "In per cent; ties count half. In brackets the 95 % interval (Clopper-Pearson)."
    return Grid("Pair direction", columns, rows, note=note)


def _hits(values: Sequence[float]) -> list[str]:
    if not values:
        return [OPEN, "0"]
    low, high = clopper_pearson(int(sum(values)), len(values))
    return [f"{percent(float(np.mean(values)))} ({percent(low)} to {percent(high)})", f"{len(values):,}"]


def labelled_interval(
    statistic: Callable[[Places], float], truth: NDArray[np.bool_], clusters: Sequence[Hashable], draws: Draws
) -> tuple[str, str]:
    """The ends, in per cent, of the 95 % interval of a statistic of labelled rows; draws of one label say nothing."""

    def known(at: Places) -> float:
        return statistic(at) if 0 < truth[at].sum() < len(at) else float("nan")

    low, high = resampled(known, clusters, draws.seed, draws.resamples)
    return percent(low), percent(high)


def draw_curves(path: Path, title: str, curves: Mapping[str, Curve]) -> None:
    """Precision against recall by system, and of chance; nothing where there is no curve."""
    from matplotlib.figure import Figure

    if not curves:
        return
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for name, points in curves.items():
        axes.plot(points.recall, points.precision, label=name, linewidth=1.2)
    axes.axhline(next(iter(curves.values())).share, color="grey", linestyle=":", label="chance")
    axes.set(xlabel="recall", ylabel="precision", title=title, xlim=(0, 1), ylim=(0, 1.02))
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=150)
