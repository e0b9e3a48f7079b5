"""Lines in panels beside each other, as the studies draw them: the same bytes for the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Curve = tuple[Sequence[float], Sequence[float]]
"""Abscissae and ordinates."""

_COLOURS = (
    *("#0b5394", "#b45f06", "#38761d", "#741b47", "#666666"),
    *("#990000", "#134f5c", "#7f6000", "#351c75", "#000000"),
)
_DASHES = ("-", (0, (4, 2)), (0, (1, 1.5)))

_STYLE: dict[Any, Any] = {  # matplotlib types its keys one by one
    "svg.hashsalt": "lawng",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
}


def line_plot(panels: Mapping[str, Mapping[str, Curve]], title: str, path: Path, dress: Callable[[Any], None]) -> None:
    """Draw curves by panel and name to `path` with the endings .svg and .png; a name keeps its colour in all panels.

    `dress` is given each of matplotlib's axes when its lines are there: scales and labels.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(5.2 * max(1, len(panels)), 4.6))
        axes = figure.subplots(1, max(1, len(panels)), squeeze=False)[0]
        names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
        for axis, (panel, curves) in zip(axes, panels.items(), strict=False):
            _draw(axis, panel, curves, names)
            dress(axis)
        handles, labels = axes[0].get_legend_handles_labels()
        columns = min(3, max(1, len(names)))
        rows = -(-len(names) // columns)
        figure.suptitle(title, x=0.02, ha="left", fontsize=11)
        figure.legend(handles, labels, loc="lower center", ncols=columns, frameon=False, fontsize=8)
        figure.tight_layout(rect=(0, 0.045 * rows + 0.02, 1, 0.98))
        for ending, metadata in ((".svg", {"Date": None}), (".png", {"Software": None})):
            partial = path.with_suffix(f"{ending}.partial")
            figure.savefig(partial, format=ending[1:], metadata=metadata, dpi=130)
            partial.replace(path.with_suffix(ending))


def _draw(axis: Any, panel: str, curves: Mapping[str, Curve], names: Sequence[str]) -> None:
    for name, (across, up) in curves.items():
        at = names.index(name)
        style = {"color": _COLOURS[at % len(_COLOURS)], "linestyle": _DASHES[at // len(_COLOURS) % len(_DASHES)]}
        axis.plot(across, up, label=name, linewidth=1.6, **style)
    axis.grid(color="#dddddd", linewidth=0.6)
    axis.set_title(panel, fontsize=10)
