"""Lines in panels: what is drawn is what was given, a name keeps its colour, and the bytes are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lawng.studies.plots import line_plot


def test_curves_are_drawn_as_given(tmp_path: Path) -> None:
    seen: list[Any] = []
    panels = {"one": {"a": ([1, 2, 5], [0.1, 0.4, 0.3]), "b": ([2, 3], [0.5, 0.6])}, "two": {"b": ([7], [0.9])}}
    line_plot(panels, "Title", tmp_path / "first", seen.append)
    lines = [[(list(line.get_xdata()), list(line.get_ydata())) for line in axis.get_lines()] for axis in seen]
    assert lines == [[([1, 2, 5], [0.1, 0.4, 0.3]), ([2, 3], [0.5, 0.6])], [([7], [0.9])]]
    assert [axis.get_title() for axis in seen] == ["one", "two"]
    colours = [[line.get_color() for line in axis.get_lines()] for axis in seen]
    assert colours[0][1] == colours[1][0] != colours[0][0]
    line_plot(panels, "Title", tmp_path / "second", lambda axis: None)
    for ending in (".svg", ".png"):
        first, second = ((tmp_path / name).with_suffix(ending).read_bytes() for name in ("first", "second"))
        assert first == second
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.png", "first.svg", "second.png", "second.svg"]
