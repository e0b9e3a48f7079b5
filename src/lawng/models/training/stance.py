"""A stance model from data to folder: gather, train, calibrate, write; killed at any time, the same command goes on.

train_stance(folder, inputs, negate, options, report, small) -> Path
"""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from lawng.datasets.candidates import Negate
from lawng.datasets.nli import Pair, Source
from lawng.datasets.recipe import TEST_ONLY, Inputs, epoch, gather
from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import atomic_folder, check_place, file_digest, iter_records
from lawng.models.find import find_model
from lawng.models.folder import NOTE, read_note
from lawng.models.onnx.classifier import check_small
from lawng.models.training.finish import finish_stance, write_small
from lawng.models.training.fit import fit
from lawng.models.training.options import Report, StanceOptions
from lawng.models.training.plan import digest_of
from lawng.models.training.teacher import check_teacher
from lawng.pipeline.closure import code_digest
from lawng.schema.arrow import to_arrow

Counts = Mapping[str, Mapping[str, int]]


@explained()
def train_stance(  # noqa: PLR0913, PLR0917 (what it is made of, and how)
    folder: Path, inputs: Inputs, negate: Negate, options: StanceOptions, report: Report, small: bool = False
) -> Path:
    """Train a stance model and write its folder, whole or not at all.

    The folder then has the model and its tokenizer as transformers writes them, `lawng.json`, `README.md` and an int8
    model for the CPU; with `small` also `onnx`, a model less than half as large. A killed run leaves `.NAME.partial`
    beside it, from which the same command goes on; other data or options begin anew. Raises InputError when there is
    nothing to train on, or something else stands at the place, ConfigError when the base cannot be made small, or is to
    teach and cannot.
    """
    check_place(folder, NOTE, "stance model")
    inputs.sources()  # what is not there is told before anything is begun
    base = find_model("base model", options.base)
    told = read_note(Path(base.place))
    if small:
        check_small(base.place)
    if options.distil:
        check_teacher(base.place)
    with atomic_folder(folder) as partial:
        work = partial / "work"
        pairs = _gathered(work, inputs, negate, options, report)
        if not any(pair.part == "train" for pair in pairs):
            raise InputError("nothing to train on: the data given hold test pairs alone")
        state = {
            "options": asdict(options),
            "view": inputs.view,
            "base": [base.name, base.state],
            "before": _added(told.get("before", {}), told.get("pairs", {}).get("train", {})),
            "pairs": digest_of(pairs),
        }
        _begin(work / "trainer", state)
        seconds = _trained(work, base.place, pairs, options, report)
        files = {source.name: file_digest(source.path) for source in inputs.sources() if source.name not in TEST_ONLY}
        note = finish_stance(partial, work / "trained", pairs, files, {**state, "seconds": seconds}, report)
        if small:
            texts = chain(inputs.opinions(), (text for pair in pairs for text in (pair.premise, pair.hypothesis)))
            write_small(partial, texts, pairs, note, report)
        shutil.rmtree(work)
    return folder


def _added(before: Counts, then: Counts) -> Counts:
    """The pairs of all stages by source and label: one set can be in several."""
    return {
        name: dict(Counter(before.get(name, {})) + Counter(then.get(name, {})))
        for name in dict.fromkeys([*before, *then])
    }


def _gathered(work: Path, inputs: Inputs, negate: Negate, options: StanceOptions, report: Report) -> list[Pair]:
    """The pairs, from a killed run of the same inputs where there is one: making twins takes minutes."""
    sources = inputs.sources()
    key = _key(inputs, sources, options.seed)
    table, mark = work / "pairs.parquet", work / "pairs.json"
    if mark.is_file() and json.loads(mark.read_text(encoding="utf-8")) == key:
        return list(iter_records(table, Pair))
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    made = inputs.made(negate, say=report)
    pq.write_table(to_arrow(gather(sources, made, negate, options.seed, report, inputs.view), Pair), table)
    mark.write_text(json.dumps(key), encoding="utf-8")
    return list(iter_records(table, Pair))  # the very records that a run which goes on will have


def _key(inputs: Inputs, sources: Sequence[Source], seed: int) -> dict[str, Any]:
    manifests = [*(path / "manifest.json" for path in (*inputs.builds, *inputs.corpora)), *inputs.excerpts]
    files = {source.name: file_digest(source.path) for source in sources if source.name not in TEST_ONLY}
    return {
        "code": code_digest("lawng.datasets.recipe"),
        "seed": seed,
        "negator": inputs.negator,
        "statements": inputs.statements,
        "view": inputs.view,
        "files": files,
        "made": [file_digest(path) for path in manifests if path.is_file()],
    }


def _trained(work: Path, base: str, pairs: Sequence[Pair], options: StanceOptions, report: Report) -> float:
    """Train, or take what a killed run had trained already; seconds of this process's training."""
    final, saved = work / "trained", work / "trained.partial"
    if final.is_dir():
        return float((final / "seconds").read_text())
    begun = time.monotonic()
    dev = [pair for pair in pairs if pair.part == "dev"]
    fit(work / "trainer", base, epoch(pairs, options.sample, options.seed), options, report, dev).save(saved)
    seconds = round(time.monotonic() - begun, 1)
    (saved / "seconds").write_text(str(seconds))
    saved.rename(final)
    return seconds


def _begin(work: Path, state: dict[str, Any]) -> None:
    """Clear what a run with other options left."""
    mark = work.with_suffix(".json")
    if mark.is_file() and json.loads(mark.read_text(encoding="utf-8")) == state:
        return
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(work.parent / "trained", ignore_errors=True)
    mark.write_text(json.dumps(state), encoding="utf-8")
