"""The funnel: what went into every stage, what came out, what was dropped and why (paper, Table 3, with numbers).

As a table, as JSON, and as a picture: an SVG drawn by hand, which needs no plotting library and is the same every time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any
from xml.sax.saxutils import escape

from lawng.errors import StageError
from lawng.reports.builds import Build
from lawng.reports.grid import Grid

TITLES = {
    "10-citations": "Citations read",
    "15-sought": "Known cited cases (A.1.1)",
    "20-candidates": "Cited pages found (A.1.1)",
    "30-accuracy": "Accuracy filters (A.1.2)",
    "40-negation": "Contradiction algorithm (A.1.3, A.1.5)",
    "50-labels": "Labels, difficulty filters (A.1.4, A.1.6)",
    "60-neutral": "Neutralisation (A.1.7)",
    "70-balance": "Balance, split, twins (A.1.8)",
    "80-premises": "Premises (A.1.9)",
    "10-articles": "Articles read",
    "20-windows": "Context windows (BoOQA, 4.1)",
    "30-relations": "Relations",
    "40-frequencies": "Frequencies of predicates",
    "50-positives": "Positives (BoOQA, D)",
    "60-negatives": "Negatives (BoOQA, D)",
    "70-sample": "Bundles drawn (BoOQA, D)",
}
"""What a person calls each stage, with the section of the paper's appendix."""

SIDE = frozenset({"12-treatments", "55-vectors", "65-lengths"})
"""Stages that only prepare another one: checked, and shown only if they drop something."""

PER_ITEM = {"70-balance": 2}
"""Rows that a stage makes of each thing kept, where it is not one: an example and its twin (A.1.8)."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Rejects of one step for one reason."""

    step: str
    reason: str
    n: int


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One stage of the funnel."""

    stage: str
    n_in: int
    what: str
    """What came in: "citations"."""
    n_out: int
    table: str
    """What went out, the name of the stage's main table: "candidates"."""
    dropped: list[Dropped]
    """The most frequent reason first."""
    balanced: bool
    """Whether in = kept + dropped must hold: not where one thing gives many, as an opinion gives citations."""
    per_item: int = 1
    """Rows made of each thing kept."""

    @property
    def title(self) -> str:
        """What a person calls the stage."""
        return TITLES.get(self.stage, self.stage)

    @property
    def n_kept(self) -> int:
        """How many of what came in went on; two examples for one, where twins are made."""
        return self.n_out // self.per_item

    @property
    def n_dropped(self) -> int:
        """All rejects of the stage."""
        return sum(drop.n for drop in self.dropped)


def read_funnel(build: Build) -> list[FunnelStep]:
    """The funnel of a build, checked.

    Raises StageError when the numbers do not add up: in = kept + rejects in every balanced stage, as many rows
    in the tables as the tally says, as many going into a stage as came out of the one before.
    """
    steps = [_step(stage, build.tally(stage)) for stage in build.stages]
    faults = [*_unbalanced(steps), *_broken_links(steps), *_miscounted(build)]
    if faults:
        raise StageError(f"the funnel of {build.folder} does not add up: {'; '.join(faults)}")
    return [step for step in steps if step.stage not in SIDE or step.dropped]


def _step(stage: str, manifest: dict[str, Any]) -> FunnelStep:
    tally, balance = manifest["tally"], manifest.get("balance")
    what, table = balance or (next(iter(tally["seen"]), "units"), next(iter(tally["out"]), ""))
    per_item = PER_ITEM.get(stage, 1)
    drops = [Dropped(step, reason, n) for step, reasons in tally["rejects"].items() for reason, n in reasons.items()]
    drops.sort(key=lambda drop: (-drop.n, drop.step, drop.reason))
    balanced = balance is not None or per_item > 1
    n_in = tally["seen"].get(what, 0 if balanced else manifest["units"])
    n_out = tally["out"].get(table, 0)
    return FunnelStep(stage, n_in, what, n_out, table, drops, balanced, per_item)


def _unbalanced(steps: list[FunnelStep]) -> Iterator[str]:
    for step in steps:
        if step.balanced and step.n_in * step.per_item != step.n_out + step.n_dropped * step.per_item:
            each = f" ({step.per_item} of each)" if step.per_item > 1 else ""
            yield f"{step.stage}: {step.n_in} in, but {step.n_out} out{each} and {step.n_dropped} rejected"


def _broken_links(steps: list[FunnelStep]) -> Iterator[str]:
    """Where what goes into a stage is a table of an earlier one, all of it must have gone in."""
    made: dict[str, FunnelStep] = {}
    for step in steps:
        before = made.get(step.what)
        if before and before.n_out != step.n_in:
            yield f"{before.n_out} {step.what} came out of {before.stage}, but {step.n_in} went into {step.stage}"
        made[step.table] = step


def _miscounted(build: Build) -> Iterator[str]:
    for stage in build.stages:
        tally = build.tally(stage)["tally"]
        for table, n in tally["out"].items():
            if (rows := build.table(table).n_rows) != n:
                yield f"{stage}: the tally says {n} {table}, the table has {rows}"
        counted = {(step, reason): n for step, reasons in tally["rejects"].items() for reason, n in reasons.items()}
        stored: Counter[tuple[str, str]] = Counter()
        for batch in build.rejects(stage).batches(["stage", "reason"]):
            stored.update(zip(batch["stage"].to_pylist(), batch["reason"].to_pylist(), strict=True))
        if dict(stored) != counted:
            told, found = sum(counted.values()), sum(stored.values())
            yield f"{stage}: the tally says {told} rejects, the table has {found}, or other reasons"


def funnel_grid(steps: list[FunnelStep], reasons: bool = True) -> Grid:
    """The funnel as a table; with `reasons`, under each stage why things were dropped."""
    rows: list[list[str]] = []
    for step in steps:
        unit = step.table if step.what == step.table else f"{step.what} to {step.table}"
        rows.append([step.title, unit, f"{step.n_in:,}", f"{step.n_out:,}", f"{step.n_dropped:,}", _share(step)])
        for drop in step.dropped if reasons else ():
            why = drop.reason if drop.reason.startswith(drop.step) else f"{drop.step}: {drop.reason}"
            rows.append([f"    {why}", "", "", "", f"{drop.n:,}", ""])
    note = "In = kept + dropped wherever a share is given; each one kept in the balance gives two examples, twins."
    columns = ["Step", "Of what", "In", "Out", "Dropped", "Kept"]
    return Grid("The funnel (Table 3 with numbers)", columns, rows, frozenset({0, 1}), note)


def _share(step: FunnelStep) -> str:
    return f"{step.n_kept / step.n_in:.1%}" if step.balanced and step.n_in else ""


def funnel_json(steps: list[FunnelStep]) -> list[dict[str, Any]]:
    """The funnel as plain JSON values."""
    return [{**asdict(step), "title": step.title, "n_dropped": step.n_dropped} for step in steps]


WIDTH, LEFT, BAR, PITCH, TOP = 1080, 290, 470, 66, 92
REASONS_SHOWN = 3

_KEPT, _DROPPED, _MADE, _INK, _PALE, _RULE = "#1f4e79", "#d8dee6", "#5b8db8", "#1c2733", "#5f6b78", "#e6eaef"
_FONT = "font-family=\"'Source Sans 3','Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif\""


def _text(x: float, y: float, words: str, style: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'


def _box(y: float, width: float, fill: str) -> str:
    return f'<rect x="{LEFT}" y="{y:g}" width="{width:.1f}" height="20" rx="2" fill="{fill}"/>'


def funnel_svg(steps: list[FunnelStep], title: str = "From citations to examples") -> str:
    """The funnel as SVG: one bar per stage, dark what was kept, light what was dropped, and the main reasons.

    All bars share one linear scale. A stage that makes many of one (citations of opinions) has a colour of its own.
    The premises, which are counted in examples and not in pairs, are shown only if some were dropped.
    """
    steps = [step for step in steps if step.dropped or step.stage != "80-premises"]
    parts = [_text(24, 40, title, f'font-size="22" font-weight="600" fill="{_INK}"')]
    for x, colour, words in ((24, _KEPT, "kept"), (92, _DROPPED, "dropped"), (184, _MADE, "made of what came in")):
        parts.append(f'<rect x="{x}" y="57" width="12" height="12" rx="2" fill="{colour}"/>')
        parts.append(_text(x + 18, 68, words, f'font-size="13" fill="{_PALE}"'))
    largest = max([step.n_in for step in steps if step.balanced] + [step.n_out for step in steps], default=1) or 1
    for i, step in enumerate(steps):
        parts += _drawn(step, TOP + i * PITCH, BAR / largest)
    height = TOP + len(steps) * PITCH + 12
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT}>'
    told = "; ".join(f"{step.title}: {step.n_in} {step.what} in, {step.n_out} {step.table} out" for step in steps)
    about = f"<title>{escape(title)}</title><desc>{escape(told)}</desc>"
    back = f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, about, back, *parts, "</svg>"]) + "\n"


def _drawn(step: FunnelStep, y: float, scale: float) -> Iterator[str]:
    name, _, section = step.title.partition(" (")
    what, table = step.what.replace("_", " "), step.table.replace("_", " ")
    yield f'<line x1="24" x2="{WIDTH - 24}" y1="{y - 8:g}" y2="{y - 8:g}" stroke="{_RULE}"/>'
    yield _text(24, y + 16, name, f'font-size="15" font-weight="600" fill="{_INK}"')
    yield _text(24, y + 36, section.rstrip(")"), f'font-size="12" fill="{_PALE}"')
    if step.balanced:
        width = max((step.n_kept + step.n_dropped) * scale, 1)
        twins = f": {step.n_out:,} {table}" if step.per_item > 1 else ""
        numbers = f"{step.n_kept:,} of {step.n_in:,} {what}{twins}"
        yield _box(y, width, _DROPPED)
    else:
        width = max(step.n_out * scale, 1)
        numbers = f"{step.n_out:,} {table} from {step.n_in:,} {what}"
    yield _box(y, max(step.n_kept * scale, 1), _KEPT if step.balanced else _MADE)
    yield _text(LEFT + width + 10, y + 15, numbers, f'font-size="14" fill="{_INK}"')
    if share := _share(step):
        yield _text(WIDTH - 24, y + 15, share, f'font-size="14" font-weight="600" text-anchor="end" fill="{_INK}"')
    yield _text(LEFT, y + 38, _reasons(step), f'font-size="12" fill="{_PALE}"')


def _reasons(step: FunnelStep) -> str:
    n_shown = REASONS_SHOWN if len(step.dropped) > REASONS_SHOWN + 1 else REASONS_SHOWN + 1
    shown = [f"{drop.reason} {drop.n:,}" for drop in step.dropped[:n_shown]]
    rest = step.dropped[n_shown:]
    more = [f"{len(rest)} more reasons {sum(drop.n for drop in rest):,}"] if rest else []
    return f"dropped {step.n_dropped:,}: {' · '.join([*shown, *more])}" if step.dropped else ""
