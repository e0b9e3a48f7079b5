"""A base trained on pairs with labels, in this process or in several that accelerate starts.

fit(work, place, pairs, options, report, dev, labels) -> Base
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import cycle, islice
from math import ceil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import torch

from lawng.datasets.nli import Pair
from lawng.errors import ConfigError, InputError, StageError
from lawng.io import iter_records, read_json, write_json
from lawng.models.folder import window_of
from lawng.models.low_rank import multiply, split
from lawng.models.training.best import Best, restore
from lawng.models.training.options import Report, StanceOptions
from lawng.models.training.plan import planned_epochs
from lawng.models.training.teacher import TaughtLoss, lessen, load_teacher
from lawng.models.training.trainer import Base, PairLoss, in_bf16, load_base, marginal_loss, train
from lawng.models.training.trainer import Pair as TrainingPair
from lawng.schema.arrow import to_arrow
from lawng.schema.labels import LABELS, Label

NAMES = tuple(map(str, LABELS))


def fit(  # noqa: PLR0913, PLR0917 (what a run is made of)
    work: Path,
    place: str,
    pairs: Sequence[Pair],
    options: StanceOptions,
    report: Report,
    dev: Sequence[Pair] = (),
    labels: Sequence[str] = NAMES,
) -> Base:
    """A base trained on pairs; goes on from the last checkpoint in `work`.

    `labels` are LABELS, or TWO_LABELS for a head that tells entailed from not. By `dev` pairs an epoch is the best,
    where the options have patience. Word embeddings stay as they are unless told: most of a small model's weights, most
    of an optimizer step's time on short texts, and words that the training data lacks would drift away from those it
    has. Raises StageError where one of several processes fails.
    """
    report(f"{len(pairs):,} pairs an epoch, {options.epochs} epochs")
    if options.processes == 1:
        return fit_here(work, place, pairs, options, report, dev, labels)
    work.mkdir(parents=True, exist_ok=True)
    done = work / "trained"
    if not done.is_dir():
        for name, rows in (("pairs", pairs), ("dev", dev)):
            pq.write_table(to_arrow(rows, Pair), work / f"{name}.parquet")
        write_json(work / "job.json", {"place": place, "options": asdict(options), "labels": [*labels]})
        _launch(work, options.processes, report)
    return load_base(str(done), labels, options, options.seed, cut="only_first")


def _readable(base: Base, pairs: Sequence[Pair], options: StanceOptions, report: Report) -> Sequence[Pair]:
    """The pairs whose hypothesis, which is never cut, leaves room for a token of the premise; the others are counted.

    Raises ConfigError when the base cannot read as many tokens as the options ask for.
    """
    window = window_of(base.tokenizer, base.inner.config)
    if options.max_length > window:
        raise ConfigError(f"max_length: {options.max_length} is more than {options.base} reads, {window} tokens")
    room = options.max_length - base.tokenizer.num_special_tokens_to_add(pair=True)

    def fits(text: str) -> bool:
        short = 2 * len(text.encode()) < room  # tokens are hardly more than bytes
        return short or bool(len(base.tokenizer(text, add_special_tokens=False)["input_ids"]) < room)

    kept = [pair for pair in pairs if fits(pair.hypothesis)]
    if lost := len(pairs) - len(kept):
        report(f"{lost:,} of {len(pairs):,} pairs left out: the hypothesis fills the {options.max_length} tokens read")
    return kept


def fit_here(  # noqa: PLR0913, PLR0917 (as above)
    work: Path,
    place: str,
    pairs: Sequence[Pair],
    options: StanceOptions,
    report: Report,
    dev: Sequence[Pair],
    labels: Sequence[str],
) -> Base:
    """The same in this process, alone or as one of several."""
    base = load_base(place, labels, options, options.seed, cut="only_first")
    if options.checkpointing and not base.inner.supports_gradient_checkpointing:
        report(f"checkpointing: {options.base} knows none, all activations are kept")
    pairs = _readable(base, pairs, options, report)
    if not pairs:
        raise InputError(f"nothing to train on: each hypothesis fills the {options.max_length} tokens read")
    most = 6 * options.max_length  # characters, of which about so many are read
    order = planned_epochs([min(len(row.premise) + len(row.hypothesis), most) for row in pairs], options)
    if options.distil:
        report(f"looking for what {options.distil:g} of the weights of its layers keep best")
        lessen(base, [_told(pairs[at], labels)[:2] for at in order], options.distil, options.together)
    else:
        split(base.inner)  # what was taught as factors stays that: so it is made small again
    if options.processes > 1:  # several drop what is no whole batch: it is filled with what came first
        order = [*islice(cycle(order), ceil(len(order) / options.batch) * options.batch)]
    updates = len(order) // options.batch
    options = replace(options, save_steps=saved_every(options, updates))
    schedule: dict[str, Any] = {"learning_rate": options.lr, "lr_scheduler_type": "linear", "seed": options.seed}
    judges = []
    dev = _readable(base, dev, options, report) if options.patience else ()
    if dev:
        # an epoch ends in the update that has its last pair
        ends = frozenset(ceil(n * len(pairs) / options.batch) for n in range(1, options.epochs + 1))
        judges = [Best(base, [_told(pair, labels) for pair in dev], ends, options.patience, work, report)]
    elif options.patience:
        report("no dev pairs: training goes through, and the last epoch is kept")
    if not any(judge.ended for judge in judges):
        train(
            base, order, lambda at: _told(pairs[at], labels), loss_of(base, place, labels, options), options, work,
            report, *judges, micro=options.together, warmup_steps=warmup_of(options, updates), **schedule,
        )  # fmt: skip
    if judges:
        restore(base, work)
    multiply(base.inner)
    return base


def loss_of(base: Base, place: str, labels: Sequence[str], options: StanceOptions) -> PairLoss:
    """The loss of a run: of labels, and with `distil` of what the base answers and has in its layers too."""
    if options.distil:
        return TaughtLoss(base.model, marginal_loss, load_teacher(place, labels, options), in_bf16(options))
    return PairLoss(base.model, marginal_loss)


def warmup_of(options: StanceOptions, updates: int) -> int:
    """Updates until the peak learning rate; at most half of all, for in a short run it would never come.

    >>> warmup_of(StanceOptions(), 160), warmup_of(StanceOptions(warmup=10_000), 160)
    (10, 80)
    """
    return max(1, min(options.warmup, updates // 2) if options.warmup else updates // 16)


def saved_every(options: StanceOptions, updates: int) -> int:
    """Updates from one checkpoint to the next: fewer in a short run, of long pairs say, so that a kill costs an eighth.

    >>> saved_every(StanceOptions(), 118), saved_every(StanceOptions(), 4000)
    (14, 200)
    """
    return min(options.save_steps, max(10, updates // 8))


def _told(pair: Pair, labels: Sequence[str]) -> TrainingPair:
    """What the model reads, and which of its outputs are right."""
    if len(labels) == len(LABELS):
        return pair.premise, pair.hypothesis, [float(label in pair.gold) for label in labels]
    entailed = float(pair.gold == [Label.ENTAILMENT])
    return pair.premise, pair.hypothesis, [entailed, 1 - entailed]


def _launch(work: Path, processes: int, report: Report) -> None:
    """Train in several processes of this machine; what the first one says is passed on."""
    if 0 < torch.cuda.device_count() < processes:
        raise ConfigError(f"processes: {processes} is more than the {torch.cuda.device_count()} GPUs of this machine")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={processes}"]
    devices = {} if torch.cuda.is_available() else {"ACCELERATE_USE_CPU": "true"}
    said = work / "processes.log"
    with (
        said.open("w", encoding="utf-8") as log,
        subprocess.Popen(
            [*command, "-m", __name__, str(work), str(os.getpid())],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | devices,
        ) as run,
    ):
        for line in run.stdout or ():
            report(line.rstrip("\n"))
    if run.returncode:
        lines = [line for line in said.read_text(encoding="utf-8").splitlines() if "Error" in line]
        raise StageError(f"{processes} processes: one failed ({(lines or ['no reason'])[0][:160]}); all is in {said}")


def _one_of_several(work: Path, parent: int) -> None:
    """What each process does; the first one talks, and writes."""
    job, first = read_json(work / "job.json"), os.environ["RANK"] == "0"
    pairs, dev = (list(iter_records(work / f"{name}.parquet", Pair)) for name in ("pairs", "dev"))

    def report(line: str) -> None:
        os.kill(parent, 0)  # without whoever waits for it nothing is trained
        if first:
            print(line, flush=True)

    base = fit_here(work, job["place"], pairs, StanceOptions(**job["options"]), report, dev, job["labels"])
    if first:
        base.save(work / "trained.partial")
        (work / "trained.partial").rename(work / "trained")


if __name__ == "__main__":
    _one_of_several(Path(sys.argv[1]), int(sys.argv[2]))
