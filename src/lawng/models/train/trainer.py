"""The training run itself: a 3-label cross-encoder by transformers' Trainer, checkpointed and resumable."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainerCallback, TrainingArguments
from transformers.trainer_callback import PrinterCallback
from transformers.utils import logging

from lawng.datasets.nli import Pair
from lawng.labels import LABELS
from lawng.models.train.loss import marginal_loss
from lawng.models.train.options import TrainOptions

Report = Callable[[str], None]


@dataclass(frozen=True)
class Trained:
    """A model fresh from training, its tokenizer, and how many optimizer steps it took."""

    model: Any
    tokenizer: Any
    steps: int


class MarginalTrainer(Trainer):
    """transformers' Trainer with the loss over sets of labels."""

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The marginal loss of a batch."""
        right = inputs.pop("right")
        outputs = model(**inputs)
        loss = marginal_loss(outputs.logits, right)
        return (loss, outputs) if return_outputs else loss


class Tokenised(torch.utils.data.Dataset[dict[str, Any]]):
    """Pairs as token ids; the premise alone is truncated."""

    column_names = ("input_ids", "length")
    """That the Trainer can find the lengths by which it groups batches."""

    def __init__(self, pairs: Sequence[Pair], tokenizer: Any, max_length: int) -> None:
        coded = tokenizer(
            [pair.premise for pair in pairs],
            [pair.hypothesis for pair in pairs],
            truncation="only_first",
            max_length=max_length,
        )
        self._rows = [{key: coded[key][row] for key in coded} for row in range(len(pairs))]
        self._right = [[float(label in pair.gold) for label in LABELS] for pair in pairs]
        self._lengths = [len(row["input_ids"]) for row in self._rows]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: Any) -> Any:
        if row == "length":
            return self._lengths
        return {**self._rows[row], "right": self._right[row]}


class Collate:
    """A batch padded to its longest row, rounded up to eights."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def __call__(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """One batch of tensors."""
        right = torch.tensor([row["right"] for row in rows])
        coded = [{key: value for key, value in row.items() if key != "right"} for row in rows]
        batch = self._tokenizer.pad(coded, pad_to_multiple_of=8, return_tensors="pt")
        return {**batch, "right": right}


class Talk(TrainerCallback):
    """Says how far training is, with the time left."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """One line per log event."""
        logs = kwargs.get("logs") or {}
        if "loss" in logs:
            self._report(f"step {state.global_step:,} of {state.max_steps:,}, loss {float(logs['loss']):.3f}")


def train(base: str, pairs: Sequence[Pair], options: TrainOptions, work: Path, report: Report) -> Trained:
    """Train all but the word embeddings of a base model on the pairs; goes on from the last checkpoint in `work`.

    Word embeddings stay as they are: most of a small model's weights, most of an optimizer step's time on short
    texts, and words that the training data lacks would drift away from those it has.
    """
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    tokenizer = AutoTokenizer.from_pretrained(base)
    torch.manual_seed(options.seed)
    model = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=len(LABELS),
        id2label={place: str(label) for place, label in enumerate(LABELS)},
        label2id={str(label): place for place, label in enumerate(LABELS)},
    )
    for parameter in model.get_input_embeddings().parameters():
        parameter.requires_grad = not options.freeze_words
    data = Tokenised(pairs, tokenizer, options.max_length)
    trainer = MarginalTrainer(
        model=model,
        args=_arguments(options, work, len(data)),
        train_dataset=data,
        data_collator=Collate(tokenizer),
        callbacks=[Talk(report)],
    )
    trainer.remove_callback(PrinterCallback)  # it prints to standard output, which is for data
    done = last_checkpoint(work)
    if done:
        report(f"going on from {done.name}")
    trainer.train(resume_from_checkpoint=str(done) if done else None)
    return Trained(trainer.model, tokenizer, trainer.state.global_step)


def last_checkpoint(work: Path) -> Path | None:
    """The newest checkpoint that was written whole, None without one: a run can be killed while it writes."""
    found = [(int(path.name.rpartition("-")[2]), path) for path in work.glob("checkpoint-*") if _is_whole(path)]
    return max(found)[1] if found else None


def _is_whole(checkpoint: Path) -> bool:
    try:  # written last
        json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


def house_arguments(save_steps: int, log_steps: int) -> dict[str, Any]:
    """What every training run here gives transformers' Trainer: AdamW's weight decay, two checkpoints, a silent log."""
    return {
        "weight_decay": 0.01,
        "save_steps": save_steps,
        "save_total_limit": 2,
        "logging_steps": log_steps,
        "report_to": [],
        "disable_tqdm": True,
        "remove_unused_columns": False,
        "dataloader_pin_memory": False,
        "bf16": torch.cuda.is_available() and torch.cuda.is_bf16_supported(),
    }


def _arguments(options: TrainOptions, work: Path, n: int) -> TrainingArguments:
    steps = max(1, n * options.epochs // options.batch)
    return TrainingArguments(
        output_dir=str(work),
        num_train_epochs=options.epochs,
        per_device_train_batch_size=options.batch,
        learning_rate=options.lr,
        warmup_steps=max(1, steps // 16),
        lr_scheduler_type="linear",
        train_sampling_strategy="group_by_length",
        length_column_name="length",
        seed=options.seed,
        **house_arguments(options.save_steps, options.log_steps),
    )
