"""The study's tables in the paper's layout, and the answer in one paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from lawng.io import write_text
from lawng.reports.grid import Grid, to_csv
from lawng.schema.views import HYPOTHESIS
from lawng.studies.generalization.columns import ARTEFACTS, AS_IT_IS, GRID, Column, needs_long
from lawng.studies.generalization.gaps import Gap
from lawng.studies.generalization.scores import ALL, HARD, LENGTH, LENGTHY, NEGATED, Bias, Score
from lawng.studies.plots import Curve, line_plot
from lawng.studies.tables import OPEN, share, write_filled

SUBSETS: Mapping[str, tuple[str, Sequence[tuple[str, str]]]] = {
    "table-14": ("long", (("long-as-it-is", ALL), ("5", ALL), ("5", LENGTHY), ("5", NEGATED))),
    "table-15": ("short", (("short-as-it-is", ALL), ("short", ALL), ("short", LENGTHY), ("short", NEGATED))),
}
TWO = " (entailed or not)"
TWO_NOTE = "Below, models of two labels: entailed examples count twice, so that chance is one half."
NOTE = "Mean over seeds; after +/- the larger deviation of the Clopper-Pearson 95 % bounds."
GRID_NOTE = (
    f"{NOTE} (1) to (4), (7) and (8) train on short premises, (5), (6), (9) and (10) on long ones; (2) reads 512 "
    "tokens; (3), (4) and (6) read the five paragraphs that BM25 finds; (7) to (10) judge the premise window by window "
    "and are not in the paper. Largest p of McNemar's exact test against the best column trained on long premises."
)

TITLES: Mapping[str, tuple[str, Sequence[Column], str]] = {
    "table-13": ("Accuracy with long premises", GRID, GRID_NOTE),
    "as-it-is": ("Accuracy of models that are fine-tuned on none of it", AS_IT_IS, NOTE),
    "table-12": ("Accuracy of baselines that lack a text", ARTEFACTS, NOTE),
}
Holes = Mapping[str, Sequence[tuple[str, str, int]]]
"""Models, columns and seeds without an answer, by why."""
FEWEST = 20
"""Cases with which a resampling says something."""


def write_tables(
    folder: Path,
    scores: Sequence[Score],
    gaps: Sequence[Gap],
    biases: Sequence[Bias],
    holes: Holes,
) -> dict[str, Grid]:
    """Write tables 12 to 16 with a cell for each number that there is, all scores, all gaps, and the answer.

    `gaps` are all that `gaps_of` makes of the answers that the scores are of, `holes` what
    has no answer.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = {(one.model, one.column, one.subset): one for one in scores}
    missing = [(model, column) for cells in holes.values() for model, column, _ in cells]
    models = list(dict.fromkeys([*(one.model for one in scores), *(model for model, _ in missing)]))
    grids = {
        name: _grid(title, models, [(column.key, ALL) for column in columns], known, missing, note)
        for name, (title, columns, note) in TITLES.items()
    }
    grids["table-13"].rows.extend(_largest(gaps))
    for name, (premise, cells) in SUBSETS.items():
        title = f"Accuracy with {premise} premises, fine-tuned on the same, by subset"
        grids[name] = _grid(title, models, cells, known, missing, NOTE)
    grids["gaps"] = _gaps(gaps)
    grids["table-16"] = _biases(biases)
    _curves(folder / "accuracy-by-length", scores)
    write_text(folder / "scores.csv", _scores_csv(scores))
    write_text(folder / "answer.txt", "\n".join([answer(scores, gaps), *told_holes(holes)]) + "\n")
    return write_filled(folder, grids)


def told_holes(holes: Holes) -> list[str]:
    """A line for each reason why models and columns have no answer.

    >>> told_holes({"base model b: is not there": [("b", "1", 0), ("b", "3", 0), ("b", "1", 1)]})
    ['not to be had: base model b: is not there (b: columns 1, 3, seeds 0, 1)']
    """
    lines = []
    for why, cells in holes.items():
        of = "; ".join(_listed(model, cells) for model in dict.fromkeys(name for name, *_ in cells))
        lines.append(f"not to be had: {why} ({of})")
    return lines


def _listed(model: str, cells: Sequence[tuple[str, str, int]]) -> str:
    own = [(column, str(seed)) for name, column, seed in cells if name == model]
    columns, seeds = (", ".join(dict.fromkeys(of)) for of in zip(*own, strict=True))
    return f"{model}: columns {columns}, seeds {seeds}"


def _grid(  # noqa: PLR0913, PLR0917 (what it is made of)
    title: str,
    models: Sequence[str],
    cells: Sequence[tuple[str, str]],
    known: Mapping[tuple[str, str, str], Score],
    missing: Sequence[tuple[str, str]],
    note: str,
) -> Grid:
    """A row for each model that has a number in it or should have one; below them how many were asked.

    Models that tell entailed from not stand below those of three labels (tables 14 and 15).
    """
    heads = [key if subset == ALL else f"{key}: {subset}" for key, subset in cells]
    two = {one.model for one in known.values() if one.labels == 2}
    lacking = {model for model, column in missing if column in {key for key, _ in cells}}
    rows: list[list[str]] = []
    for wanted in (False, True):
        own = [model for model in models if (model in two) == wanted]
        told = [[model, *(_cell(known.get((model, *cell))) for cell in cells)] for model in own]
        told = [row for row in told if row[0] in lacking or any(cell != OPEN for cell in row[1:])]
        asked = [max((known[model, *cell].n for model in own if (model, *cell) in known), default=0) for cell in cells]
        n = [f"N{TWO if wanted else ''}", *(f"{count:,}" if count else OPEN for count in asked)]
        rows += [*told, n] if told else []
    return Grid(title, ["", *heads], rows, note=f"{note} {TWO_NOTE}" if two else note)


def _largest(gaps: Sequence[Gap]) -> Iterator[list[str]]:
    """The paper's row of the largest p of all models, each against its own best column with long premises."""
    own = [(gap.column, gap.comparison.test.p) for gap in gaps if gap.comparison.test and not gap.other]
    found = {column.key: [p for key, p in own if key == column.key] for column in GRID}
    if any(found.values()):
        yield ["largest p", *(share(max(p)) if p else OPEN for p in found.values())]


def _cell(score: Score | None) -> str:
    """As the paper prints it: 0.742+/-0.014."""
    return f"{share(score.accuracy)}+/-{share(score.deviation)}" if score else OPEN


def _gaps(gaps: Sequence[Gap]) -> Grid:
    rows = [
        [
            gap.model,
            gap.column,
            f"{gap.other}: {gap.best}" if gap.other else gap.best,
            f"{one.gap.mean:+.3f}",
            f"{one.gap.interval.low:+.3f} to {one.gap.interval.high:+.3f}",
            f"{one.test.p:.3f}" if one.test else OPEN,
            f"{one.p_holm:.3f}",
        ]
        for gap in gaps
        for one in [gap.comparison]
    ]
    note = "Bootstrap over cases, 95 %; p of McNemar's exact test on the first seed, then after Holm over the columns."
    columns = ["", "trained without long premises", "best trained with them", "difference", "95 %", "p", "p, Holm"]
    return Grid("Without long premises less the best with them", columns, rows, note=note)


def _biases(biases: Sequence[Bias]) -> Grid:
    rows = []
    for one in biases:
        told = [
            f"{share(value)} ({share(over.low)}-{share(over.high)})"
            for value, over in zip((*one.automatic, *one.gold), one.intervals, strict=True)
        ]
        bias = f"{one.bias:+.3f} ({one.of_bias.low:+.3f} to {one.of_bias.high:+.3f})"
        rows.append([one.model, *(told[at] for at in (0, 2, 1, 3)), bias, f"{one.n:,}"])
    if len(biases) > 1:
        rows.append(["mean", *[OPEN] * 4, f"{mean(one.bias for one in biases):+.3f}", OPEN])
    columns = ["", "4, automatic", "4, gold", "6, automatic", "6, gold", "bias of the lead", "N"]
    note = (
        "Balanced accuracy, mean over seeds; bias: the lead of 6 over 4 by automatic labels, less that by gold ones. "
        "In brackets 95 %, bootstrap over cases."
    )
    return Grid("Automatic against gold labels", columns, rows, note=note)


def _scores_csv(scores: Sequence[Score]) -> str:
    measured = ("accuracy", "deviation", "low", "high", "balanced", "ece", "seeds", "spread")
    head = ["model", "column", "subset", "n", *measured]
    rows = [
        [one.model, one.column, one.subset, str(one.n)]
        + [f"{x:.6f}" for x in (one.accuracy, one.deviation, *one.interval, one.balanced, one.ece)]
        + [str(one.seeds), f"{one.spread:.6f}"]
        for one in scores
    ]
    return to_csv(head, rows)


def _curves(path: Path, scores: Sequence[Score]) -> None:
    """Accuracy of the grid's columns by the length of the long premise, a panel for each model."""
    panels: dict[str, dict[str, Curve]] = {}
    for model in dict.fromkeys(one.model for one in scores):
        for column in GRID:
            own = [one for one in scores if (one.model, one.column) == (model, column.key) and LENGTH in one.subset]
            if own:
                ends = [int(one.subset.rpartition("-")[2]) for one in own]
                panels.setdefault(model, {})[f"({column.key})"] = ends, [one.accuracy for one in own]
    if panels:
        line_plot(panels, "Accuracy by length of the long premise", path, _dress)


def _dress(axis: Any) -> None:
    axis.set_ylim(0, 1)
    axis.set_xlabel("words of the long premise, at most")
    axis.set_ylabel("accuracy")


def answer(scores: Sequence[Score], gaps: Sequence[Gap]) -> str:
    """What the numbers say to the question, or that they say nothing yet."""
    grid = {column.key: column for column in GRID}
    order = [*grid]  # of equals the first, as in the gaps
    asked = sorted(
        (one for one in scores if one.subset == ALL and one.column in grid), key=lambda one: order.index(one.column)
    )
    most = max((one.labels for one in asked), default=0)  # models of two labels are not compared with those of three
    asked = [one for one in asked if one.labels == most]
    long = [one for one in asked if needs_long(grid[one.column])]
    short = [one for one in asked if not needs_long(grid[one.column])]
    if not long or not short:
        return "No answer: it takes a column trained on short premises and one trained on long ones."
    best, other = (max(some, key=lambda one: round(one.accuracy, 9)) for some in (short, long))
    told = (
        f"On {best.n:,} long premises the best system that was not fine-tuned on long ones ({best.model}, column "
        f"{best.column}) is right for {share(best.accuracy)} ({_interval(best)}), the best that was ({other.model}, "
        f"column {other.column}) for {share(other.accuracy)} ({_interval(other)}), a difference of "
        f"{best.accuracy - other.accuracy:+.3f}."
    )
    named = best.model, best.column, other.column, other.model if other.model != best.model else ""
    same = next((gap for gap in gaps if (gap.model, gap.column, gap.best, gap.other) == named), None)
    if same is None:
        return f"{told} They have no seed in common, so nothing is tested."
    low, high = same.comparison.gap.interval
    verdict = (
        "too few cases to tell"
        if same.cases < FEWEST
        else "no long premises are needed to come within one point"
        if low >= -0.01
        else "long premises are needed"
        if high < 0
        else "these data do not tell whether long premises are needed"
    )
    blind = _blind(scores, best, other, leads=low > 0 or high < 0)
    return f"{told} Paired, over cases, {low:+.3f} to {high:+.3f}: {verdict}.{blind}"


def _blind(scores: Sequence[Score], best: Score, other: Score, *, leads: bool) -> str:
    """What the same model is right for by hypotheses alone, and whether that may be why one column leads."""
    known = {(one.model, one.column, one.subset): one for one in scores}
    alone = known.get((best.model, HYPOTHESIS, ALL))
    hard = [known.get((best.model, one.column, HARD)) for one in (best, other) if other.model == best.model]
    if not alone:
        return " Whether it is reading that tells the label is not known: the column hypothesis was not asked."
    told = f" By hypotheses alone the model is right for {share(alone.accuracy)}"
    first, second = hard or (None, None)
    if first and second:
        told += (
            f"; on the {first.n:,} examples that it gets wrong so, the two are right for {share(first.accuracy)} and "
            f"{share(second.accuracy)}"
        )
        if leads and (first.accuracy - second.accuracy) * (best.accuracy - other.accuracy) < 0:
            told += ", the other way round: the lead is of what hypotheses give away, not of reading"
    return told + "."


def _interval(score: Score) -> str:
    return f"{share(score.interval.low)}-{share(score.interval.high)}"
