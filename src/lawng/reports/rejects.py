"""Rejects of all stages: as they are stored, chosen by reason or stage, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from lawng.errors import InputError
from lawng.reports.builds import Build
from lawng.reports.grid import Grid


def iter_rejects(build: Build, reason: str | None = None, stage: str | None = None) -> Iterator[dict[str, Any]]:
    """The rejects in the order of the stages, streaming; `step` is the step inside the stage.

    `stage` is a stage's name, with or without its number, or a step's. Raises InputError, naming what there is,
    when the build has no such stage or step, or no reject for that reason.
    """
    seen = _books(build)
    if stage is not None and not any(_is(stage, folder, step) for folder, step, _ in seen):
        raise InputError(f"no rejects of stage {stage} in {build.folder}; there are: {_listed(s for _, s, _ in seen)}")
    if reason is not None and not any(reason == found for *_, found in seen):
        raise InputError(f"no rejects for {reason} in {build.folder}; reasons are: {_listed(r for *_, r in seen)}")
    return _chosen(build, reason, stage)


def count_grid(rows: Iterable[dict[str, Any]]) -> Grid:
    """How many rejects there are by stage, step and reason."""
    counts = Counter((row["stage"], row["step"], row["reason"]) for row in rows)
    cells = [[*key, f"{n:,}"] for key, n in sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0]))]
    return Grid("Rejects", ["stage", "step", "reason", "n"], cells, frozenset({0, 1, 2}))


def _books(build: Build) -> list[tuple[str, str, str]]:
    return [
        (folder, step, reason)
        for folder in build.stages
        for step, reasons in build.tally(folder)["tally"]["rejects"].items()
        for reason in reasons
    ]


def _chosen(build: Build, reason: str | None, stage: str | None) -> Iterator[dict[str, Any]]:
    for folder in build.stages:
        for batch in build.table(folder, "rejects").batches():
            for row in batch.to_pylist():
                if reason in (None, row["reason"]) and (stage is None or _is(stage, folder, row["stage"])):
                    yield {"stage": folder, "step": row["stage"], **{k: row[k] for k in ("id", "reason", "detail")}}


def _is(stage: str, folder: str, step: str) -> bool:
    return stage in (folder, folder.partition("-")[2], step)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(set(words))) or "none"
