"""Running a stage: what is done already, what is left, and its manifest."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from lawng.errors import StageError
from lawng.io import write_json
from lawng.pipeline.stage import Settings, Stage, StageResult, Tally
from lawng.pipeline.workers import REJECTS, UNITS, Job, Task, read_tally, run_units

STAGE = "_stage.json"
_RUNNING = "_running"


def run_stage(
    stage: Stage, units: Iterable[Any], task: Task, folder: str | Path, settings: Settings | None = None
) -> StageResult:
    """Run a task over units into a stage folder, or find it done; a killed run goes on with the units left.

    The bytes depend on units, task and seed alone, not on runner or workers.
    Raises StageError when a unit fails unexpectedly, a worker dies, or what came in is not what went out.
    """
    folder = Path(folder)
    if done := load_stage(stage, folder):
        return done
    todo = list(units)
    _prepare(stage, todo, task, folder)
    job = Job(stage, task, folder)
    if not todo:
        job.write_empty()
    left = [(n, unit) for n, unit in enumerate(todo) if not job.unit_file(n).exists()]
    run_units(job, left, settings or Settings(), len(todo))
    return _close(job, len(todo))


def load_stage(stage: Stage, folder: Path) -> StageResult | None:
    """The finished stage in a folder if it has this stage's fingerprint, else None; a damaged manifest is none."""
    if stage.fingerprint is None or not (folder / STAGE).is_file():
        return None
    try:
        manifest = read_stage(folder)
    except StageError:
        return None
    if manifest["fingerprint"] != stage.fingerprint:
        return None
    return StageResult(
        stage.name, folder, Tally(**manifest["tally"]), stage.fingerprint, manifest["units"], reused=True
    )


def read_stage(folder: str | Path) -> dict[str, Any]:
    """The manifest of a finished stage: name, fingerprint, inputs, units and tally.

    Raises StageError when the stage is not finished or its manifest is damaged.
    """
    path = Path(folder) / STAGE
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if not {"stage", "fingerprint", "units", "tally"} <= manifest.keys():
            raise ValueError("no manifest of a stage")
        Tally(**manifest["tally"])
    except FileNotFoundError:
        raise StageError(f"{folder}: not a finished stage (no {STAGE}); run the command that makes it again") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise StageError(f"{path}: damaged ({error}); delete {folder} and run again") from error
    return manifest


def _prepare(stage: Stage, units: Sequence[Any], task: Task, folder: Path) -> None:
    """Keep the parts of a killed run of the very same work; clear away all else of this stage."""
    key = sha256(pickle.dumps((stage.fingerprint, task, units), protocol=4)).hexdigest()
    running = folder / _RUNNING
    if not (running.is_file() and running.read_text() == key):
        # the manifest goes first: a stage without it is not there
        for file in (folder / STAGE, running):
            file.unlink(missing_ok=True)
        for table in (UNITS, *stage.tables, REJECTS):
            shutil.rmtree(folder / table, ignore_errors=True)
    (folder / UNITS).mkdir(parents=True, exist_ok=True)
    for table in (*stage.tables, REJECTS, UNITS):
        for leftover in (folder / table).glob(".*"):
            leftover.unlink(missing_ok=True)
    running.write_text(key)


def _close(job: Job, units: int) -> StageResult:
    stage, folder = job.stage, job.folder
    tally = Tally(out=dict.fromkeys(sorted(stage.tables), 0))
    for number in range(units):
        tally.add(read_tally(job.unit_file(number)))
    _check_balance(stage, tally)
    manifest = {
        "stage": stage.name,
        "fingerprint": stage.fingerprint,
        "inputs": stage.inputs,
        "balance": stage.balance,
        "units": units,
        "tally": vars(tally),
    }
    write_json(folder / STAGE, manifest)
    shutil.rmtree(folder / UNITS, ignore_errors=True)
    (folder / _RUNNING).unlink(missing_ok=True)
    return StageResult(stage.name, folder, tally, stage.fingerprint, units)


def _check_balance(stage: Stage, tally: Tally) -> None:
    if stage.balance is None:
        return
    what, table = stage.balance
    came, went = tally.seen.get(what, 0), tally.out.get(table, 0) + tally.n_rejects
    if came != went:
        raise StageError(f"stage {stage.name}: {came} {what} in, but {went} out and rejected; this is a bug in a step")
