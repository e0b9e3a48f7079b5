"""The funnel as a picture: an SVG drawn by hand, so that it needs no plotting library and is the same every time."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from lawng.reports.builds import PREMISES
from lawng.reports.funnel import FunnelStep

WIDTH, LEFT, BAR, PITCH, TOP = 1080, 290, 470, 66, 92
REASONS_SHOWN = 3

_KEPT, _DROPPED, _MADE, _INK, _PALE, _RULE = "#1f4e79", "#d8dee6", "#5b8db8", "#1c2733", "#5f6b78", "#e6eaef"
_FONT = "font-family=\"'Source Sans 3','Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif\""


@dataclass(slots=True)
class _Drawing:
    parts: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        self.parts.append(f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>')

    def box(self, x: float, y: float, width: float, fill: str) -> None:
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:.1f}" height="20" rx="2" fill="{fill}"/>')

    def rule(self, y: float) -> None:
        self.parts.append(f'<line x1="24" x2="{WIDTH - 24}" y1="{y:g}" y2="{y:g}" stroke="{_RULE}"/>')


def funnel_svg(steps: list[FunnelStep], title: str = "From citations to examples") -> str:
    """The funnel as SVG: one bar per stage, dark what was kept, light what was dropped, and the main reasons.

    All bars share one linear scale. A stage that makes many of one (citations of opinions) has a colour of its own.
    The premises, which are counted in examples and not in pairs, are shown only if some were dropped.
    """
    steps = [step for step in steps if step.dropped or step.stage != PREMISES]
    drawing = _Drawing()
    drawing.text(24, 40, title, f'font-size="22" font-weight="600" fill="{_INK}"')
    _legend(drawing)
    largest = max([step.n_in for step in steps if step.balanced] + [step.n_out for step in steps], default=1) or 1
    for i, step in enumerate(steps):
        _draw_step(drawing, step, TOP + i * PITCH, BAR / largest)
    height = TOP + len(steps) * PITCH + 12
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT}>'
    about = f"<title>{escape(title)}</title><desc>{escape(_described(steps))}</desc>"
    back = f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, about, back, *drawing.parts, "</svg>"]) + "\n"


def _legend(drawing: _Drawing) -> None:
    small = f'font-size="13" fill="{_PALE}"'
    for x, colour, words in ((24, _KEPT, "kept"), (92, _DROPPED, "dropped"), (184, _MADE, "made of what came in")):
        drawing.parts.append(f'<rect x="{x}" y="57" width="12" height="12" rx="2" fill="{colour}"/>')
        drawing.text(x + 18, 68, words, small)


def _draw_step(drawing: _Drawing, step: FunnelStep, y: float, scale: float) -> None:
    name, _, section = step.title.partition(" (")
    drawing.rule(y - 8)
    drawing.text(24, y + 16, name, f'font-size="15" font-weight="600" fill="{_INK}"')
    drawing.text(24, y + 36, section.rstrip(")"), f'font-size="12" fill="{_PALE}"')
    total = step.n_kept + step.n_dropped if step.balanced else step.n_out
    if step.balanced:
        drawing.box(LEFT, y, max(total * scale, 1), _DROPPED)
    drawing.box(LEFT, y, max(step.n_kept * scale, 1), _KEPT if step.balanced else _MADE)
    numbers = _kept(step) if step.balanced else _made(step)
    drawing.text(LEFT + max(total * scale, 1) + 10, y + 15, numbers, f'font-size="14" fill="{_INK}"')
    if step.balanced and step.n_in:
        share = f'font-size="14" font-weight="600" text-anchor="end" fill="{_INK}"'
        drawing.text(WIDTH - 24, y + 15, f"{step.n_kept / step.n_in:.1%}", share)
    drawing.text(LEFT, y + 38, _reasons(step), f'font-size="12" fill="{_PALE}"')


def _kept(step: FunnelStep) -> str:
    twins = f": {step.n_out:,} {_words(step.table)}" if step.per_item > 1 else ""
    return f"{step.n_kept:,} of {step.n_in:,} {_words(step.what)}{twins}"


def _made(step: FunnelStep) -> str:
    return f"{step.n_out:,} {_words(step.table)} from {step.n_in:,} {_words(step.what)}"


def _words(table: str) -> str:
    return table.replace("_", " ")


def _reasons(step: FunnelStep) -> str:
    n_shown = REASONS_SHOWN if len(step.dropped) > REASONS_SHOWN + 1 else REASONS_SHOWN + 1
    shown = [f"{drop.reason} {drop.n:,}" for drop in step.dropped[:n_shown]]
    rest = step.dropped[n_shown:]
    more = [f"{len(rest)} more reasons {sum(drop.n for drop in rest):,}"] if rest else []
    return f"dropped {step.n_dropped:,}: {' · '.join([*shown, *more])}" if step.dropped else ""


def _described(steps: list[FunnelStep]) -> str:
    return "; ".join(f"{step.title}: {step.n_in} {step.what} in, {step.n_out} {step.table} out" for step in steps)
