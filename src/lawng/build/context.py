"""What every stage of a build is given: folders, configuration, and what its output depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from lawng.build.models import Model
from lawng.config import Config
from lawng.engine import Settings, Stage, StageResult, iter_parts, load_stage, run_stage
from lawng.models.versions import library_version

Work = tuple[Iterable[Any], Callable[[Any], Iterable[Any]]]
"""The units of a stage and its task."""

_TALK = ("cli", "reports")
"""Rooms whose code does not change what a stage writes."""

_SMALL = 2_000_000
"""Bytes of compressed opinions below which starting workers, each with its models, takes longer than the work."""
_LONG = 10.0
"""Seconds of work that pay for starting worker processes, each of which takes some three to load its libraries."""


@dataclass(frozen=True)
class Context:
    """A build under way."""

    corpus: Path
    folder: Path
    """Where it is made: the folder aside."""
    config: Config
    corpus_digests: Mapping[str, str]
    models: Mapping[str, Model]
    """By role: negation, embedder, tokenizer."""

    @property
    def settings(self) -> Settings:
        """How the engine runs; a small corpus is quicker done in this process than workers are started."""
        asked = Settings(**vars(self.config.engine))
        is_small = sum(part.stat().st_size for part in iter_parts(self.corpus / "opinions")) < _SMALL
        return replace(asked, workers=1) if asked.workers is None and is_small else asked

    @property
    def seed(self) -> int:
        """Seed of every random choice."""
        return self.config.engine.seed

    def scratch(self, name: str) -> Path:
        """A folder for what only helps a stage and can be made again; it is gone when the build is finished."""
        return self.folder / "scratch" / name

    def run(self, stage: Stage, work: Callable[[], Work], seconds: float = _LONG) -> StageResult:
        """The stage's result: as it stands where its inputs are unchanged, else run now.

        `seconds` is about what it takes in one process: short work is done before workers have started.
        """
        folder = self.folder / "stages" / stage.name
        if done := load_stage(stage, folder):
            return done
        units, task = work()
        settings = self.settings if seconds >= _LONG else replace(self.settings, workers=1)
        return run_stage(stage, units, task, folder, settings)


def depends(
    sources: Iterable[tuple[StageResult, str]] = (),
    options: Mapping[str, Any] | None = None,
    libraries: Iterable[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """What a stage's bytes depend on: tables by their digests, options, libraries by version, lawng's own code."""
    return {
        "tables": {f"{result.name}/{table}": result.tally.digests.get(table) for result, table in sources},
        "options": dict(options or {}),
        "libraries": {name: library_version(name) for name in libraries},
        "code": code_digest(),
        **more,
    }


@cache
def code_digest() -> str:
    """SHA-256 over lawng's sources that make the stages: changed code runs again."""
    root = Path(__file__).parents[1]
    total = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        if name.parts[0] not in _TALK:
            total.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()
