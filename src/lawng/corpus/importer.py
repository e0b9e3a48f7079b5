"""The import of a corpus: sources to a folder of tables, made aside and shown only when whole."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lawng import __version__
from lawng.corpus.detect import detect, read_unit, work_units
from lawng.corpus.doubles import keep_first
from lawng.corpus.load import MANIFEST
from lawng.corpus.units import CASES, OPINIONS
from lawng.engine import Settings, Stage, StageResult, aside, check_place, run_stage
from lawng.engine.run import STAGE, load_stage
from lawng.engine.unit import write_json
from lawng.engine.writer import file_digest
from lawng.errors import InputError, StageError
from lawng.records import Case, Opinion

_VERSION = 1
"""Counts up when the same sources give other records, so that an old corpus is not taken for a new one."""


def import_corpus(
    sources: Sequence[Path], folder: Path, format: str | None = None, settings: Settings | None = None
) -> StageResult:
    """Import sources into a corpus folder; an import that was killed goes on where it was.

    Raises InputError when a source cannot be used or nothing in the sources is a case, StageError when the counts
    do not add up.
    """
    check_place(folder, STAGE, "corpus")
    inputs = {"version": _VERSION, "format": format, "sources": [_source(path, format) for path in sources]}
    stage = Stage("import", {CASES: Case, OPINIONS: Opinion}, inputs)
    if (folder / MANIFEST).is_file() and (done := load_stage(stage, folder)):
        return done
    with aside(folder) as partial:
        result = _import(sources, format, partial, stage, settings)
        write_json(partial / MANIFEST, _manifest(result, inputs))
    return replace(result, folder=folder)


def _import(
    sources: Sequence[Path], format: str | None, partial: Path, stage: Stage, settings: Settings | None
) -> StageResult:
    scratch = partial / "_scratch"
    units = work_units(list(sources), format, scratch)
    result = keep_first(run_stage(stage, units, read_unit, partial / "_tables", settings), stage, settings)
    _check(result, ", ".join(map(str, sources)))
    for made in result.folder.iterdir():
        os.replace(made, partial / made.name)
    result.folder.rmdir()
    shutil.rmtree(scratch, ignore_errors=True)
    return result


def _check(result: StageResult, sources: str) -> None:
    """All that came in went out or was rejected; and something did come in."""
    tally = result.tally
    for what in (CASES, OPINIONS):
        dropped = sum(tally.rejects.get(what, {}).values())
        if tally.seen.get(what, 0) != tally.out[what] + dropped:
            came, went = tally.seen.get(what, 0), tally.out[what]
            raise StageError(f"import: {came} {what} in, {went} out, {dropped} rejected; this is a bug, report it")
    if not tally.out[CASES]:
        reasons = ", ".join(sorted(f"{n} {why}" for by in tally.rejects.values() for why, n in by.items()))
        raise InputError(f"{sources}: no case in the sources ({reasons or 'they are empty'}); nothing was imported")


def _manifest(result: StageResult, inputs: dict[str, Any]) -> dict[str, Any]:
    return {
        "lawng": __version__,
        **inputs,
        "fingerprint": result.fingerprint,
        "tally": {"seen": result.tally.seen, "out": result.tally.out, "rejects": result.tally.rejects},
        "digests": result.tally.digests,
    }


def _source(path: Path, format: str | None) -> dict[str, Any]:
    """What a source is, by its content: not where it lies."""
    form = format or detect(path)
    digest = hashlib.sha256()
    files = list(_files(path))
    for file in files:
        digest.update(file.relative_to(path).as_posix().encode() if path.is_dir() else path.name.encode())
        digest.update(file_digest(file).encode())
    return {"name": path.name, "format": form, "files": len(files), "sha256": digest.hexdigest()}


def _files(path: Path) -> Iterator[Path]:
    yield from sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
