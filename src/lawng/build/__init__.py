"""A build: the stages of the construction one after another, then what a user takes from it."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lawng.build.context import Context
from lawng.build.manifest import manifest_of
from lawng.build.models import models_of
from lawng.config import Config
from lawng.engine import StageResult, aside, check_place, read_stage
from lawng.engine.unit import write_json
from lawng.errors import InputError
from lawng.extras import explained

__all__ = ["BuildResult", "build_dataset"]

Say = Callable[[str], None]
LOG = "log.jsonl"


@dataclass(frozen=True)
class BuildResult:
    """A finished build: where it is, its stages, and how many rows each split has."""

    folder: Path
    stages: list[StageResult]
    rows: dict[str, int]


@explained()
def build_dataset(
    corpus: Path, output: Path, config: Config, say: Say = lambda _: None, *, replace_other: bool = False
) -> BuildResult:
    """Build the data set of a corpus into a folder that appears when it is whole (LawngNLI, A.1).

    A killed build goes on; stages of an earlier build whose inputs are unchanged are taken over.
    `say` is told in a line of each stage. Raises InputError when there is no corpus, when something else is in the
    folder or a build of another corpus that is not to be replaced, MissingError when a model is missing, StageError
    when a stage cannot go on.
    """
    # here and not above: a worker that unpickles one stage's task should not load the libraries of all
    from lawng.build.stages import run_stages

    digests = _corpus_digests(corpus)
    check_place(output, "stages", "build")
    if not replace_other:
        _check_corpus(output / "manifest.json", digests)
    models = models_of(config)
    for model in models.values():
        say(f"{model.role}: {model.name}" + (f" ({model.note})" if model.note else ""))
    with aside(output) as folder:
        _take_over(output, folder)
        context = Context(corpus.absolute(), folder, config, digests, models)
        stages = _logged(run_stages(context), folder, say)
        write_json(folder / "manifest.json", manifest_of(context, models.values(), stages))
        rows = _write_output(folder, corpus)
        shutil.rmtree(folder / "scratch", ignore_errors=True)
    return BuildResult(output, stages, rows)


def _corpus_digests(corpus: Path) -> dict[str, str]:
    if not (corpus / "_stage.json").is_file():
        raise InputError(f"{corpus}: not a corpus (no _stage.json); make one with `lawng corpus import`")
    digests = read_stage(corpus)["tally"]["digests"]
    return {table: digests[table] for table in ("cases", "opinions") if table in digests}


def _check_corpus(manifest: Path, digests: dict[str, str]) -> None:
    """Whether a build that is there, and can be read, was made of the same corpus."""
    try:
        other = json.loads(manifest.read_text("utf-8"))["inputs"] != digests
    except (OSError, ValueError, KeyError, TypeError):
        return
    if other:
        raise InputError(f"{manifest.parent}: is a build of another corpus; --replace, or name another place with -o")


def _take_over(old: Path, folder: Path) -> None:
    """Link the finished stages of the build that is there, so that it stays whole while the new one is made."""
    for book in sorted(old.glob("stages/*/_stage.json")):
        new = folder / "stages" / book.parent.name
        if not new.exists():
            shutil.copytree(book.parent, new.with_name(f".{new.name}"), copy_function=_link, dirs_exist_ok=True)
            os.replace(new.with_name(f".{new.name}"), new)


def _link(source: str, target: str) -> None:
    Path(target).unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copy2(source, target)


def _logged(stages: Iterator[StageResult], folder: Path, say: Say) -> list[StageResult]:
    done = []
    with _log(folder) as log:
        for stage in stages:
            log(stage)
            say(describe(stage))
            done.append(stage)
    return done


def describe(stage: StageResult) -> str:
    """One line about a finished stage."""
    seen = ", ".join(f"{n:,} {what}" for what, n in stage.tally.seen.items())
    out = ", ".join(f"{n:,} {table}" for table, n in stage.tally.out.items())
    return f"{stage.name}: {seen} in, {out} out, {stage.tally.n_rejects:,} rejected" + (" (kept)" * stage.reused)


@contextmanager
def _log(folder: Path) -> Iterator[Callable[[StageResult], None]]:
    """Run times, in a file of their own: all other files are the same in every run."""
    last = time.perf_counter()
    with (folder / LOG).open("a", encoding="utf-8") as file:

        def log(stage: StageResult) -> None:
            nonlocal last
            now = time.perf_counter()
            line = {"at": time.strftime("%FT%TZ", time.gmtime()), "stage": stage.name, "seconds": round(now - last, 3)}
            file.write(json.dumps({**line, "reused": stage.reused}) + "\n")
            file.flush()
            last = now

        yield log


def _write_output(folder: Path, corpus: Path) -> dict[str, int]:
    from lawng.reports.output import write_output

    return write_output(folder, corpus).rows
