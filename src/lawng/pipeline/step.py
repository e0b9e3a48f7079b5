"""A step of a construction, declared once, and how one step runs after another into the folder of a build.

A `Step` says what it reads (tables of earlier steps, the corpus, options, models), what it writes, and how its work is
cut into units. It is given nothing else, so its fingerprint cannot miss an input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lawng.extras import library_version
from lawng.io import iter_parts
from lawng.pipeline.closure import code_digest
from lawng.pipeline.run import load_stage, run_stage
from lawng.pipeline.stage import Settings, Stage, StageResult
from lawng.pipeline.workers import Task

Work = tuple[Iterable[Any], Task]
"""The units of a step, and what is done to each."""

_SMALL = 2_000_000
"""Bytes of compressed opinions, or of other sources, below which the work takes less time than starting workers, each
with its models."""
_LONG = 10.0
"""Seconds of work that pay for starting worker processes, each of which takes some three to load its libraries."""


@dataclass(frozen=True)
class Model:
    """A model by role: what people call it, where it is loaded from, and which state of it this is."""

    role: str
    name: str
    place: str
    state: str
    """Version or digest: builds with different states are different builds."""
    note: str = ""
    """Why it is not the paper's, where it is not."""


@dataclass(frozen=True)
class Step:
    """The declaration of a step."""

    name: str
    outputs: Mapping[str, type]
    """Record class by table."""
    prepare: Callable[[Inputs], Work]
    """Its units and its task; called only when the step must run."""
    tables: tuple[str, ...] = ()
    """Tables of earlier steps that it reads, the one that its work grows with first."""
    corpus: bool = False
    """Whether it reads the corpus."""
    options: tuple[str, ...] = ()
    """Options that it is given, by path: "neutral.top_k"."""
    models: tuple[str, ...] = ()
    """Models that it is given, by role."""
    libraries: tuple[str, ...] = ()
    """Libraries whose version may change what it writes."""
    balance: tuple[str, str] | None = None
    """(what comes in, table): as many must come in as rows go to the table plus rejects."""
    seconds: float | None = None
    """About what a row of its first table takes in one process: short work is done before workers have started.
    None: long."""

    @property
    def module(self) -> str:
        """The module that declares it, whose import closure is its code."""
        return self.prepare.__module__


@dataclass(frozen=True)
class Context:
    """A build under way: where it is made, and all that its steps may be given."""

    corpus: Path
    folder: Path
    options: Mapping[str, Any]
    corpus_digests: Mapping[str, str]
    models: Mapping[str, Model]
    settings: Settings


@dataclass(frozen=True)
class Inputs:
    """What a step is given: exactly what it declares."""

    step: Step
    context: Context
    made: Mapping[str, StageResult]
    """The results of earlier steps by table."""

    def table(self, name: str) -> Path:
        """The folder of a table. Raises KeyError when the step does not declare it."""
        return self.made[_declared(name, self.step.tables)].table(name)

    def option(self, path: str) -> Any:
        """The value of an option. Raises KeyError when the step does not declare it."""
        return self.context.options[_declared(path, self.step.options)]

    def model(self, role: str) -> Model:
        """The model of a role. Raises KeyError when the step does not declare it."""
        return self.context.models[_declared(role, self.step.models)]

    @property
    def corpus(self) -> Path:
        """The folder of the corpus. Raises KeyError when the step does not declare that it reads it."""
        _declared(True, (self.step.corpus,))
        return self.context.corpus

    def scratch(self, name: str) -> Path:
        """A folder for what only helps a step and can be made again; it is gone when the build is finished."""
        return self.context.folder / "scratch" / name


def run_steps(steps: Iterable[Step], context: Context) -> Iterator[StageResult]:
    """Run each step, or find it done, and hand on its result; tables of all steps have names of their own."""
    made: dict[str, StageResult] = {}
    for step in steps:
        result = run_step(step, context, made)
        made.update(dict.fromkeys(step.outputs, result))
        yield result


def run_step(step: Step, context: Context, made: Mapping[str, StageResult]) -> StageResult:
    """The result of a step: as it stands where nothing that it depends on has changed, else run now."""
    stage = Stage(step.name, step.outputs, _depends(step, context, made), step.balance)
    folder = context.folder / "stages" / step.name
    if done := load_stage(stage, folder):
        return done
    units, task = step.prepare(Inputs(step, context, made))
    return run_stage(stage, units, task, folder, _settings(step, context, made))


def _declared(name: Any, names: tuple[Any, ...]) -> Any:
    if name not in names:
        raise KeyError(f"{name}: not declared by the step")
    return name


def _depends(step: Step, context: Context, made: Mapping[str, StageResult]) -> dict[str, Any]:
    return {
        "tables": {name: made[name].tally.digests.get(name) for name in step.tables},
        "corpus": dict(context.corpus_digests) if step.corpus else None,
        "options": {path: context.options[path] for path in step.options},
        # not its place: the bytes are the same wherever it is
        "models": {role: [context.models[role].name, context.models[role].state] for role in step.models},
        "libraries": {name: library_version(name) for name in step.libraries},
        "code": code_digest(step.module),
    }


def _settings(step: Step, context: Context, made: Mapping[str, StageResult]) -> Settings:
    """How the step runs; what is small or short is quicker done in this process than workers are started."""
    given = context.settings
    is_small = sum(part.stat().st_size for part in _sources(context.corpus)) < _SMALL
    is_short = step.seconds is not None and step.seconds * made[step.tables[0]].tally.out[step.tables[0]] < _LONG
    return replace(given, workers=1) if is_short or (given.workers is None and is_small) else given


def _sources(corpus: Path) -> Iterator[Path]:
    """The parts of a corpus's opinions; of sources that are no such corpus, all files."""
    if (corpus / "opinions").is_dir():
        return iter_parts(corpus / "opinions")
    return (path for path in ([corpus] if corpus.is_file() else corpus.rglob("*")) if path.is_file())
