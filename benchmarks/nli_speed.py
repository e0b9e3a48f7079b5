"""How fast stance models train and judge, beside the bare trainer and full precision, in the same run.

    python benchmarks/nli_speed.py --data FILE|FOLDER [--base NAME] [--updates 30] [--model FOLDER]

Training: the same batches in the same order through `lawng.models.training.fit` and through sentence-transformers'
CrossEncoderTrainer as it comes, with its own CrossEntropyLoss; seconds from the end of the fifth update to that of the
last, in turns, the faster of two. Judging (with --model, a folder of `lawng train nli`): pairs a second by torch in
full precision, by torch in int8, and by the folder's int8 ONNX file, with the share of equal labels.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from datasets import Dataset
from sentence_transformers.cross_encoder import CrossEncoder, CrossEncoderTrainer, CrossEncoderTrainingArguments
from sentence_transformers.cross_encoder.losses import CrossEntropyLoss
from transformers import TrainerCallback
from transformers.trainer_callback import PrinterCallback

from lawng.datasets.nli import Pair
from lawng.models.find import OFFLINE, find_model
from lawng.models.pairs import pair_model
from lawng.models.training.fit import fit
from lawng.models.training.options import StanceOptions
from lawng.models.training.plan import planned_epochs
from lawng.models.training.trainer import in_order
from lawng.schema.labels import LABELS
from lawng.studies.generalization.examples import intermediate_pairs

FIRST = 5
"""Updates that are not timed: the libraries warm up."""


class Clock(TrainerCallback):
    """When each update ended."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def on_step_end(self, args: object, state: object, control: object, **kwargs: object) -> None:
        self.ends.append(time.perf_counter())


def ours(pairs: list[Pair], options: StanceOptions, place: str) -> float:
    ends: list[float] = []

    def report(line: str) -> None:
        if line.startswith("step "):
            ends.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as work:
        fit(Path(work), place, pairs, options, report)
    return ends[-1] - ends[FIRST - 1]


def bare(pairs: list[Pair], options: StanceOptions, place: str) -> float:
    most = 6 * options.max_length
    order = planned_epochs([min(len(row.premise) + len(row.hypothesis), most) for row in pairs], options)
    rows = [pairs[at] for at in order]
    table = {
        "premise": [row.premise for row in rows],
        "hypothesis": [row.hypothesis for row in rows],
        "label": [LABELS.index(row.gold[0]) for row in rows],  # type: ignore[arg-type]
    }
    model, clock = CrossEncoder(place, num_labels=3, max_length=options.max_length), Clock()
    with tempfile.TemporaryDirectory() as work:
        given = CrossEncoderTrainingArguments(
            work,
            num_train_epochs=1,
            per_device_train_batch_size=options.batch,
            learning_rate=options.lr,
            batch_sampler=in_order,
            save_strategy="no",
            logging_steps=1,
            report_to=[],
            disable_tqdm=True,
            dataloader_pin_memory=False,
        )
        data = Dataset.from_dict(table)
        trainer = CrossEncoderTrainer(model, given, data, loss=CrossEntropyLoss(model), callbacks=[clock])
        trainer.remove_callback(PrinterCallback)  # it prints between the results
        trainer.train()
    return clock.ends[-1] - clock.ends[FIRST - 1]


def training(pairs: list[Pair], options: StanceOptions, place: str, updates: int) -> None:
    found = {"lawng": [9e9], "bare": [9e9]}
    for _ in range(2):
        found["lawng"].append(ours(pairs, options, place))
        found["bare"].append(bare(pairs, options, place))
    one, other = min(found["lawng"]), min(found["bare"])
    each = (updates - FIRST) * options.batch
    print(f"training: {each / one:.1f} pairs/s, bare trainer {each / other:.1f}; ratio of times {one / other:.3f}")


def judging(pairs: list[Pair], folder: str) -> None:
    premises, hypotheses = [row.premise for row in pairs], [row.hypothesis for row in pairs]
    speeds, labels = {}, {}
    for name in ("torch", "int8", "onnx"):
        model = pair_model(folder, name)
        model.judge(premises[:32], hypotheses[:32])
        begun = time.perf_counter()
        judged = model.judge(premises, hypotheses)
        speeds[name] = len(pairs) / (time.perf_counter() - begun)
        labels[name] = judged.log_probs.argmax(axis=1)
    for name in ("int8", "onnx"):
        same = float((labels[name] == labels["torch"]).mean())
        right = [
            sum(str(LABELS[at]) in row.gold for at, row in zip(labels[kind], pairs, strict=True)) / len(pairs)
            for kind in (name, "torch")
        ]
        print(
            f"judging: {name} {speeds[name]:.1f} pairs/s, fp32 {speeds['torch']:.1f}; ratio "
            f"{speeds[name] / speeds['torch']:.2f}; {same:.1%} equal labels; right {right[0]:.3f}, fp32 {right[1]:.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="NLI data")
    parser.add_argument("--base", default=OFFLINE, help="what is trained")
    parser.add_argument("--updates", type=int, default=30)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--model", help="what judges, a folder of `lawng train nli`")
    given = parser.parse_args()
    pairs = [row for row in intermediate_pairs(str(given.data)) if len(row.gold) == 1]
    train = [row for row in pairs if row.part == "train"][: given.updates * given.batch]
    options = StanceOptions(
        epochs=1, batch=given.batch, max_length=given.tokens, freeze_words=False, log_steps=1, save_steps=10**6
    )
    training(train, options, find_model("base", given.base).place, given.updates)
    if given.model:
        judging([row for row in pairs if row.part == "dev"][:512], given.model)


if __name__ == "__main__":
    main()
