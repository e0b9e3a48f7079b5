"""The training run of a relevance model: a 1-label cross-encoder on graded texts, kept at given numbers of updates.

train_relevance(place, texts, options, run, work, judge, report) -> {number of updates: what `judge` says of the model}
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainerCallback, TrainingArguments
from transformers.trainer_callback import PrinterCallback
from transformers.utils import logging

from lawng.errors import ConfigError
from lawng.models.folder import window_of
from lawng.models.train.relevance_data import GradedText, planned
from lawng.models.train.relevance_loss import relevance_loss
from lawng.models.train.relevance_options import RelevanceOptions, Report, Run
from lawng.models.train.trainer import Talk, house_arguments, last_checkpoint

Judge = Callable[[Path], float]
"""How good the model in a folder is; higher is better."""
Show = Callable[[str, str], tuple[str, str]]
"""What the model reads of a query and a text."""
_FIRST = 5
"""Updates after which their speed is known."""


class Hooks(NamedTuple):
    """What a run calls."""

    judge: Judge
    report: Report
    paced: Callable[[float], None] = lambda _seconds: None
    """Told once how many seconds an update takes."""
    show: Show = lambda query, text: (query, text)


def kept_at(work: Path, updates: int) -> Path:
    """Where a run keeps its model after so many updates; with `score.json` in it, it is whole."""
    return work / f"at-{updates}"


def scores_of(work: Path, run: Run) -> dict[int, float]:
    """What was said of the models that a run has kept so far, by the number of updates."""
    files = {n: kept_at(work, n) / "score.json" for n in run.updates}
    return {n: float(json.loads(file.read_text())) for n, file in files.items() if file.is_file()}


def train_relevance(  # noqa: PLR0913, PLR0917 (what a run is made of)
    place: str, texts: Sequence[GradedText], options: RelevanceOptions, run: Run, work: Path, hooks: Hooks
) -> dict[int, float]:
    """Train on the texts and keep the model in `work` at each number of updates of the run, judged.

    AdamW with weight decay 0.01 and a constant learning rate (ACORD, F.2). A killed run goes on from its last whole
    checkpoint in `work` and ends as one that was not killed. Raises ConfigError where the base reads fewer tokens, or
    has fewer layers, InputError as `planned` does.
    """
    if len(scores_of(work, run)) < len(run.updates):
        _train(place, texts, options, run, work, hooks)
        shutil.rmtree(work / "trainer")
    return scores_of(work, run)


def _train(  # noqa: PLR0913, PLR0917 (as above)
    place: str, texts: Sequence[GradedText], options: RelevanceOptions, run: Run, work: Path, hooks: Hooks
) -> None:
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    model, tokenizer = _begin(place, options, run.seed)
    _check_queries({hooks.show(query, "")[0] for query in {row.query for row in texts}}, tokenizer, options)
    trainer = RelevanceTrainer(
        model=model,
        args=_arguments(options, run, work / "trainer"),
        train_dataset=Planned([texts[at] for at in planned(texts, options, run)]),
        data_collator=Collate(tokenizer, options, hooks.show),
        callbacks=[Talk(hooks.report), Keep(tokenizer, run, work, hooks)],
    )
    trainer.options = options
    trainer.remove_callback(PrinterCallback)  # it prints to standard output, which is for data
    done = last_checkpoint(work / "trainer")
    if done:
        hooks.report(f"going on from {done.name}")
    trainer.train(resume_from_checkpoint=str(done) if done else None)


class RelevanceTrainer(Trainer):
    """transformers' Trainer with the loss that the options name."""

    options: RelevanceOptions

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The loss of a micro-batch."""
        targets = inputs.pop("targets")
        outputs = model(**inputs)
        scores = outputs.logits.view(-1).float()
        loss = relevance_loss(self.options.loss, scores, targets, self.options.group)
        return (loss, outputs) if return_outputs else loss


class Planned(torch.utils.data.Dataset[GradedText]):
    """The texts of a plan, in its order."""

    def __init__(self, rows: Sequence[GradedText]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: int) -> GradedText:
        return self._rows[at]


class Collate:
    """A micro-batch as tensors: the query first and whole, the text truncated, padded to the longest pair."""

    def __init__(self, tokenizer: Any, options: RelevanceOptions, show: Show) -> None:
        self._tokenizer = tokenizer
        self._max_length = options.max_length
        self._show = show

    def __call__(self, rows: list[GradedText]) -> dict[str, Any]:
        """One micro-batch."""
        shown = [self._show(row.query, row.text) for row in rows]
        coded = self._tokenizer(
            [query for query, _ in shown],
            [text for _, text in shown],
            truncation="only_second",
            max_length=self._max_length,
            padding=True,
            pad_to_multiple_of=8,
            return_tensors="pt",
        )
        return {**coded, "targets": torch.tensor([row.target for row in rows])}


class Keep(TrainerCallback):
    """Keeps and judges the model at the run's numbers of updates, and says how long an update takes."""

    def __init__(self, tokenizer: Any, run: Run, work: Path, hooks: Hooks) -> None:
        self._tokenizer = tokenizer
        self._run = run
        self._work = work
        self._hooks = hooks
        self._begun, self._n_done = 0.0, 0

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """The first one starts the clock."""
        self._begun = self._begun or time.monotonic()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """After an update."""
        self._n_done += 1
        if self._n_done == _FIRST:
            self._hooks.paced((time.monotonic() - self._begun) / _FIRST)
        if state.global_step in self._run.updates:
            self._keep(kwargs["model"], state.global_step)

    def _keep(self, model: Any, updates: int) -> None:
        final = kept_at(self._work, updates)
        if (final / "score.json").is_file():  # a run that was killed after it, and goes on from before
            return
        partial = final.with_suffix(".partial")
        model.save_pretrained(partial)
        self._tokenizer.save_pretrained(partial)
        score = self._hooks.judge(partial)
        (partial / "score.json").write_text(json.dumps(score))
        partial.rename(final)
        self._hooks.report(f"after {updates:,} updates: {score:.4f}")


def _begin(place: str, options: RelevanceOptions, seed: int) -> tuple[Any, Any]:
    """The model to be trained, and its tokenizer."""
    tokenizer = AutoTokenizer.from_pretrained(place)
    torch.manual_seed(seed)
    model = AutoModelForSequenceClassification.from_pretrained(
        place, num_labels=1, id2label={0: "relevance"}, label2id={"relevance": 0}, ignore_mismatched_sizes=True
    )
    window = window_of(tokenizer, model.config)
    if options.max_length > window:
        raise ConfigError(f"max_length: {options.max_length} is more than {options.base} reads, {window} tokens")
    tokenizer.model_max_length = options.max_length  # whoever loads the model reads as much as it has learned to read
    _freeze(model, options)
    for part in model.modules():
        if isinstance(part, torch.nn.Dropout) and options.dropout is not None:
            part.p = options.dropout
    return model, tokenizer


def _freeze(model: Any, options: RelevanceOptions) -> None:
    n = int(model.config.num_hidden_layers)
    if options.freeze_layers > n:
        raise ConfigError(f"freeze_layers: {options.freeze_layers} is more than the {n} layers of {options.base}")
    frozen = [model.get_input_embeddings()] if options.freeze_words else []
    if options.freeze_layers:
        inner = model.base_model
        layers = next(part for part in inner.modules() if isinstance(part, torch.nn.ModuleList) and len(part) == n)
        frozen += [inner.embeddings, *layers[: options.freeze_layers]]
    for part in frozen:
        part.requires_grad_(False)


def _check_queries(queries: set[str], tokenizer: Any, options: RelevanceOptions) -> None:
    n, longest = max((len(tokenizer(query, verbose=False)["input_ids"]), query) for query in queries)
    if n + 8 > options.max_length:
        raise ConfigError(
            f"max_length: {options.max_length} leaves no room for a text beside the query "
            f"{longest[:60]!r}..., which has {n} tokens"
        )


def _arguments(options: RelevanceOptions, run: Run, work: Path) -> TrainingArguments:
    return TrainingArguments(
        output_dir=str(work),
        max_steps=run.updates[-1],
        per_device_train_batch_size=options.micro,
        gradient_accumulation_steps=options.batch // options.micro,
        train_sampling_strategy="sequential",
        learning_rate=run.lr,
        warmup_steps=options.warmup,
        lr_scheduler_type="constant_with_warmup",
        seed=run.seed,
        **house_arguments(options.save_steps, options.log_steps),
    )
