"""A build: the steps of the construction one after another, then what a user takes from it."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lawng import __version__
from lawng.config import BooqaConfig, Config, option_values
from lawng.errors import InputError
from lawng.extras import explained, library_version
from lawng.io import atomic_folder, check_inputs, check_place, write_json
from lawng.lawngnli.models import models_of
from lawng.pipeline import Context, Model, Settings, StageResult, Step, read_stage, run_steps
from lawng.pipeline.closure import code_digest
from lawng.pipeline.stage import digest
from lawng.reports.output import write_output

__all__ = ["BuildResult", "build_dataset"]

LOG = "log.jsonl"
LIBRARIES = (
    *("daft", "pyarrow", "numpy", "eyecite", "reporters-db", "hyperscan", "spacy", "lemminflect"),
    *("torch", "transformers", "sentence-transformers", "faiss-cpu"),
)


@dataclass(frozen=True)
class BuildResult:
    """A finished build: where it is, its stages, and how many rows each split has."""

    folder: Path
    stages: list[StageResult]
    rows: dict[str, int]


def all_steps() -> tuple[Step, ...]:
    """The steps of the construction in order (LawngNLI, A.1); importing them is what takes time."""
    from lawng.lawngnli import (
        accuracy,
        balance,
        candidates,
        citations,
        labels,
        lengths,
        neutral,
        premises,
        treatments,
        vectors,
    )
    from lawng.lawngnli.negation import negator
    from lawng.lawngnli.sought import STEP as SOUGHT

    text = (citations.STEP, treatments.STEP, SOUGHT, candidates.STEP, accuracy.STEP, negator.STEP, labels.STEP)
    return (*text, vectors.STEP, neutral.STEP, lengths.STEP, balance.STEP, premises.STEP)


@explained()
def build_dataset(
    corpus: Path,
    output: Path,
    config: Config,
    log: Callable[[str], None] = lambda _: None,
    *,
    replace_other: bool = False,
) -> BuildResult:
    """Build the data set of a corpus into a folder that appears when it is whole (LawngNLI, A.1).

    A killed build goes on; stages of an earlier build whose inputs are unchanged are taken over.
    `log` is told in a line of each stage. Raises InputError when there is no corpus, when something else is in the
    folder or a build of another corpus that is not to be replaced, MissingError when a model is missing, StageError
    when a stage cannot go on.
    """
    digests = _corpus_digests(corpus)
    check_place(output, "stages", "build")
    if not replace_other:
        check_inputs(output / "manifest.json", digests, "a build of another corpus")
    models = models_of(config)
    for model in models.values():
        log(f"{model.role}: {model.name}" + (f" ({model.note})" if model.note else ""))
    with atomic_folder(output) as folder:
        take_over(output, folder, {step.name for step in all_steps()})
        context = context_of(corpus, folder, config, digests, models)
        stages = run_logged(all_steps(), context, log)
        write_json(folder / "manifest.json", _manifest(config, context, stages))
        rows = write_output(folder, corpus)
        shutil.rmtree(folder / "scratch", ignore_errors=True)
    return BuildResult(output, stages, rows)


def context_of(
    source: Path, folder: Path, config: Config | BooqaConfig, digests: dict[str, str], models: dict[str, Model]
) -> Context:
    """What the steps of a build are given."""
    settings = Settings(config.engine.engine, config.engine.address, config.engine.workers)
    return Context(source.absolute(), folder, option_values(config), digests, models, settings)


def _corpus_digests(corpus: Path) -> dict[str, str]:
    if not (corpus / "_stage.json").is_file():
        raise InputError(f"{corpus}: not a corpus (no _stage.json); make one with `lawng corpus import`")
    digests = read_stage(corpus)["tally"]["digests"]
    return {table: digests[table] for table in ("cases", "opinions") if table in digests}


def take_over(old: Path, folder: Path, names: Container[str]) -> None:
    """Link the finished stages of these names of the build that is there, so that it stays whole meanwhile."""
    for stage in (path.parent for path in sorted(old.glob("stages/*/_stage.json"))):
        if stage.name not in names:
            continue
        new = folder / "stages" / stage.name
        if not new.exists():
            shutil.copytree(stage, new.with_name(f".{new.name}"), copy_function=_link, dirs_exist_ok=True)
            os.replace(new.with_name(f".{new.name}"), new)


def _link(source: str, target: str) -> None:
    Path(target).unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copy2(source, target)


def run_logged(steps: Sequence[Step], context: Context, log: Callable[[str], None]) -> list[StageResult]:
    """The steps; run times go to a file of their own: all other files are the same in every run."""
    done, last = [], time.perf_counter()
    with (context.folder / LOG).open("a", encoding="utf-8") as file:
        for stage in run_steps(steps, context):
            seconds, last = round(time.perf_counter() - last, 3), time.perf_counter()
            at = time.strftime("%FT%TZ", time.gmtime())
            line = {"at": at, "stage": stage.name, "seconds": seconds, "reused": stage.reused}
            file.write(json.dumps(line) + "\n")
            file.flush()
            log(describe(stage))
            done.append(stage)
    return done


def describe(stage: StageResult) -> str:
    """One line about a finished stage."""
    seen = ", ".join(f"{n:,} {what}" for what, n in stage.tally.seen.items()) or "nothing"
    out = ", ".join(f"{n:,} {table}" for table, n in stage.tally.out.items())
    return f"{stage.name}: {seen} in, {out} out, {stage.tally.n_rejects:,} rejected" + (" (kept)" * stage.reused)


def manifest_of(
    values: dict[str, Any],
    context: Context,
    stages: Iterable[StageResult],
    steps: Iterable[Step],
    libraries: Iterable[str],
) -> dict[str, Any]:
    """Input digests, configuration, seed, models, versions, and each stage with its fingerprint and digests.

    `values` are the options by section, with models by their names. No times and no places, so that it too is the same
    every time.
    """
    seed = values["engine"]["seed"]
    return {
        "lawng": __version__,
        "code": digest({step.name: code_digest(step.module) for step in steps}),
        "seed": seed,
        "config": values | {"engine": {"seed": seed}},  # the others change how a build runs, not what it gives
        "models": {
            role: {name: value for name in ("name", "state", "note") if (value := getattr(model, name))}
            for role, model in context.models.items()
        },
        "versions": {name: library_version(name) for name in libraries},
        "inputs": dict(context.corpus_digests),
        "stages": {
            stage.name: {"fingerprint": stage.fingerprint, "digests": stage.tally.digests, "out": stage.tally.out}
            for stage in stages
        },
    }


def _manifest(config: Config, context: Context, stages: Iterable[StageResult]) -> dict[str, Any]:
    values = asdict(config)
    for section, option, role in (("negation", "model", "negation"), ("neutral", "embedder", "embedder")):
        values[section][option] = context.models[role].name
    values["premises"]["tokenizer"] = context.models["tokenizer"].name
    values["hypotheses"]["verifier"] = values["hypotheses"]["verifier"] and context.models["verifier"].name
    return manifest_of(values, context, stages, all_steps(), LIBRARIES)
