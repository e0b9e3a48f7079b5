"""The funnel: what went into every stage, what came out, what was dropped and why (paper, Table 3, with numbers)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

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
}
"""What a person calls each stage, with the section of the paper's appendix."""

SIDE = frozenset({"55-vectors", "65-lengths"})
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

    Raises StageError when the books do not add up: in = kept + rejects in every balanced stage, as many rows
    in the tables as the tally says, as many going into a stage as came out of the one before.
    """
    steps = [_step(stage, build.tally(stage)) for stage in build.stages]
    faults = [*_unbalanced(steps), *_broken_links(steps), *_miscounted(build)]
    if faults:
        raise StageError(f"the funnel of {build.folder} does not add up: {'; '.join(faults)}")
    return [step for step in steps if step.stage not in SIDE or step.dropped]


def _step(stage: str, book: dict[str, Any]) -> FunnelStep:
    tally, balance = book["tally"], book.get("balance")
    what, table = balance or (next(iter(tally["seen"]), "units"), next(iter(tally["out"]), ""))
    per_item = PER_ITEM.get(stage, 1)
    drops = [Dropped(step, reason, n) for step, reasons in tally["rejects"].items() for reason, n in reasons.items()]
    drops.sort(key=lambda drop: (-drop.n, drop.step, drop.reason))
    balanced = balance is not None or per_item > 1
    n_in = tally["seen"].get(what, 0 if balanced else book["units"])
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
            if (rows := build.table(stage, table).n_rows) != n:
                yield f"{stage}: the tally says {n} {table}, the table has {rows}"
        counted = {(step, reason): n for step, reasons in tally["rejects"].items() for reason, n in reasons.items()}
        if (stored := _stored_rejects(build, stage)) != counted:
            told, found = sum(counted.values()), sum(stored.values())
            yield f"{stage}: the tally says {told} rejects, the table has {found}, or other reasons"


def _stored_rejects(build: Build, stage: str) -> dict[tuple[str, str], int]:
    counts: Counter[tuple[str, str]] = Counter()
    for batch in build.table(stage, "rejects").batches(["stage", "reason"]):
        counts.update(zip(batch["stage"].to_pylist(), batch["reason"].to_pylist(), strict=True))
    return dict(counts)


def funnel_grid(steps: list[FunnelStep], reasons: bool = True) -> Grid:
    """The funnel as a table; with `reasons`, under each stage why things were dropped."""
    rows: list[list[str]] = []
    for step in steps:
        unit = step.table if step.what == step.table else f"{step.what} to {step.table}"
        rows.append([step.title, unit, f"{step.n_in:,}", f"{step.n_out:,}", f"{step.n_dropped:,}", _share(step)])
        rows += [[f"    {_why(drop)}", "", "", "", f"{drop.n:,}", ""] for drop in step.dropped if reasons]
    note = "In = kept + dropped wherever a share is given; each one kept in the balance gives two examples, twins."
    columns = ["Step", "Of what", "In", "Out", "Dropped", "Kept"]
    return Grid("The funnel (Table 3 with numbers)", columns, rows, frozenset({0, 1}), note)


def _share(step: FunnelStep) -> str:
    return f"{step.n_kept / step.n_in:.1%}" if step.balanced and step.n_in else ""


def _why(drop: Dropped) -> str:
    return drop.reason if drop.reason.startswith(drop.step) else f"{drop.step}: {drop.reason}"


def funnel_json(steps: list[FunnelStep]) -> list[dict[str, Any]]:
    """The funnel as plain JSON values."""
    return [{**asdict(step), "title": step.title, "n_dropped": step.n_dropped} for step in steps]
