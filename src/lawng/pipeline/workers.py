"""A unit run to its end, and units handed to worker processes through Daft: the native runner, or Ray by one option."""

from __future__ import annotations

import json
import logging
import os
import pickle
import socket
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawng.errors import InputError, LawngError, MissingError, StageError
from lawng.extras import missing_library
from lawng.io import TableWriter, file_digest, write_json
from lawng.io.progress import progress_bar
from lawng.io.threads import one_thread_per_worker
from lawng.pipeline.stage import Count, Settings, Stage, Tally
from lawng.schema import Reject

if TYPE_CHECKING:
    import daft

REJECTS = "rejects"
UNITS = "_units"
UNREADABLE = "unit-unreadable"

Task = Callable[[Any], Iterable[Any]]
Numbered = Sequence[tuple[int, Any]]


@dataclass(frozen=True)
class Job:
    """All that a worker needs beside the unit; picklable."""

    stage: Stage
    task: Task
    folder: Path

    def run(self, unit: Any, number: int) -> Tally:
        """Run the task on a unit and write its parts; a unit that cannot be read becomes one reject.

        Only InputError is about the unit: a missing model, say, would fail every one of them.
        """
        try:
            tally = self._write(number, self.task(unit))
        except InputError as error:
            came = [Count(1, self.stage.balance[0])] if self.stage.balance else []
            reject = Reject(self.stage.name, unit_name(unit, number), UNREADABLE, str(error))
            tally = self._write(number, [*came, reject])
        write_json(self.unit_file(number), asdict(tally))
        return tally

    def unit_file(self, number: int) -> Path:
        """The tally of a unit, there once its parts are."""
        return self.folder / UNITS / f"{number:05d}.json"

    @property
    def stop_file(self) -> Path:
        """Where it is, the units that are not begun are passed over, in whatever process."""
        return self.folder / UNITS / ".stop"

    @property
    def trace_file(self) -> Path:
        """The traceback of an unexpected failure, for whoever mends it."""
        return self.folder / UNITS / "failure.txt"

    def write_empty(self) -> None:
        """Write parts without rows, so that the tables of a stage without units can be read."""
        self._write(0, [])

    def _write(self, number: int, rows: Iterable[Any]) -> Tally:
        tally = Tally()
        tables = {**self.stage.tables, REJECTS: Reject}
        with ExitStack() as stack:
            writers = {
                name: stack.enter_context(TableWriter(self.folder / name / f"part-{number:05d}.parquet", record))
                for name, record in tables.items()
            }
            by_type = {record: writers[name] for name, record in tables.items()}
            for row in rows:
                self._route(row, by_type, tally)
        tally.out = {name: writers[name].rows for name in sorted(self.stage.tables)}
        tally.digests = {name: file_digest(writers[name].path) for name in sorted(writers)}
        return tally

    def _route(self, row: Any, writers: dict[type, TableWriter], tally: Tally) -> None:
        if isinstance(row, Count):
            tally.receive(row)
            return
        writer = writers.get(type(row))
        if writer is None:
            raise TypeError(f"the task yielded a {type(row).__name__}, for which stage {self.stage.name} has no table")
        if isinstance(row, Reject):
            tally.reject(row.stage, row.reason)
        writer.write(row)


def unit_name(unit: Any, number: int) -> str:
    """What to call a unit in messages and rejects: its `name` or its first member's, the text that it is, its number.

    >>> unit_name((Path("data/part-00003.parquet"), 1), 3), unit_name((2, 1), 7)
    ('part-00003.parquet', 'unit 7')
    """
    if isinstance(unit, tuple):
        return unit_name(unit[0], number)
    name = unit if isinstance(unit, str) else getattr(unit, "name", None)
    return name if isinstance(name, str) else f"unit {number}"


def read_tally(path: Path) -> Tally:
    """A tally as `write_json` left it.

    Raises StageError when the file is damaged.
    """
    try:
        return Tally(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise StageError(f"{path}: damaged ({error}); delete the folder {path.parent.parent} and run again") from error


def run_units(job: Job, units: Numbered, settings: Settings, total: int) -> None:
    """Run the units that are left, in worker processes when there is more than one worker and unit.

    Raises StageError at the first unit that fails unexpectedly or when a worker dies.
    """
    if not units:
        return
    workers = min(settings.n_workers, len(units))
    alone = settings.engine == "native" and workers == 1
    outcomes = _in_process(job, units) if alone else _in_workers(job, units, settings, workers)
    job.stop_file.unlink(missing_ok=True)
    try:
        with progress_bar(job.stage.name, total, total - len(units)) as progress:
            for done, failure in enumerate(outcomes, total - len(units) + 1):
                if failure:
                    job.stop_file.touch()
                    # what is under way ends, what is not begun is passed over: Daft must not be left with open work
                    list(outcomes)
                    raise StageError(f"stage {job.stage.name}: {failure}")
                progress(done, total)
    except BaseException:
        job.stop_file.touch()  # workers stop too
        raise


def _in_process(job: Job, units: Numbered) -> Iterator[str]:
    with one_thread_per_worker():
        for number, unit in units:
            yield attempt(job, unit, number)


def attempt(job: Job, unit: Any, number: int) -> str:
    """Run one unit; "" when it is written or passed over, else one line that names the unit and the failure."""
    if job.stop_file.exists():
        return ""
    try:
        job.run(unit, number)
    except LawngError as error:
        return _one_line(error)
    except Exception as error:
        if said := missing_library(error):
            return said
        job.trace_file.write_text(traceback.format_exc(), encoding="utf-8")
        name, kind = unit_name(unit, number), type(error).__name__
        return f"{name} failed with {kind}: {_one_line(error)} (traceback: {job.trace_file})"
    return ""


def _in_workers(job: Job, units: Numbered, settings: Settings, workers: int) -> Iterator[str]:
    with one_thread_per_worker():
        frame = _frame(pickle.dumps(job), units, settings, workers)
        try:
            for row in frame.iter_rows(results_buffer_size=1):
                yield str(row["failure"])
        except LawngError:
            raise
        except Exception as error:
            raise StageError(
                f"stage {job.stage.name}: a worker process died ({_one_line(error)}); "
                "run again to go on with the units left, with fewer --workers if memory was short"
            ) from error


def _frame(job: bytes, units: Numbered, settings: Settings, workers: int) -> daft.DataFrame:
    import daft

    _choose_runner(settings)
    worker = daft.cls(use_process=True, max_concurrency=workers)(_worker_class())(list(sys.path), job)
    ordered = sorted(units, key=lambda pair: -getattr(pair[1], "weight", 0))
    rows = {"number": [n for n, _ in ordered], "unit": [pickle.dumps(unit) for _, unit in ordered]}
    frame = daft.from_pydict(rows).into_batches(1)
    return frame.select(worker.run(daft.col("unit"), daft.col("number")).alias("failure"))


def _worker_class() -> type:
    import daft

    class Worker:
        def __init__(self, path: list[str], job: bytes) -> None:
            sys.path.extend(entry for entry in path if entry not in sys.path)  # a task may live beside a script
            self.job: Job = pickle.loads(job)

        @daft.method(return_dtype=daft.DataType.string())
        def run(self, unit: bytes, number: int) -> str:
            return attempt(self.job, pickle.loads(unit), number)

    return Worker


_READY = 1200
"""Seconds that Ray's workers may take to load their libraries; Daft's own 120 are too few for one busy core."""


def _choose_runner(settings: Settings) -> None:
    import daft

    logging.getLogger("daft").setLevel(logging.ERROR)
    os.environ.setdefault("DAFT_PROGRESS_BAR", "0")
    if settings.engine == "ray":
        _join_ray(settings)
        daft.set_runner_ray(noop_if_initialized=True)
        daft.set_execution_config(actor_udf_ready_timeout=_READY)


def _join_ray(settings: Settings) -> None:
    """Join the cluster at the address, or start one on this machine with room for every worker."""
    import ray

    if ray.is_initialized():
        return
    quiet: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
    if settings.address:
        _knock(settings.address)
        ray.init(settings.address, **quiet)
    else:
        cores = max(settings.n_workers + 1, os.cpu_count() or 1)
        ray.init(num_cpus=cores, include_dashboard=False, **quiet)


def _knock(address: str) -> None:
    """Ray waits for minutes where nobody answers."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdigit()):
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise MissingError(f"engine ray: no cluster answers at {address} ({error}); see that it runs") from error


def _one_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
