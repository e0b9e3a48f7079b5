"""The training run of a cross-encoder, by sentence-transformers' `CrossEncoderTrainer`: checkpointed and resumable.

load_base(place, labels, options, seed, ...) -> Base(model, tokenizer)
train(base, order, pair, loss, options, work, report, ...)

Losses that the library lacks, in the form in which its trainer calls them: `PairLoss(model, marginal_loss)` for pairs
of which a set of labels is right, `PairLoss(model, partial(listwise_loss, group=8))` for lists of a query's texts.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from logging import getLogger
from pathlib import Path
from tempfile import TemporaryDirectory
from timeit import repeat
from typing import Any, NamedTuple

import torch
from datasets import Dataset
from safetensors.torch import load_model
from sentence_transformers.base.sampler import DefaultBatchSampler
from sentence_transformers.cross_encoder import CrossEncoder, CrossEncoderTrainer, CrossEncoderTrainingArguments
from sentence_transformers.util import batch_to_device
from torch import Tensor
from torch.nn import functional
from torch.utils.data import SequentialSampler
from transformers import AutoConfig, AutoTokenizer, TrainerCallback
from transformers.trainer_callback import PrinterCallback
from transformers.utils import logging

from lawng.errors import ConfigError, LabelMapError, MissingError
from lawng.models.find import shown_name
from lawng.models.folder import loading, plain_attention
from lawng.models.onnx.weights import with_weights
from lawng.models.training.options import Report, TrainOptions
from lawng.schema.labels import label_columns

Pair = tuple[str, str, float | list[float]]
"""Two texts as the model reads them, and the label: a target, or which of its labels are right."""


class Base(NamedTuple):
    """A model to be trained, and its tokenizer."""

    model: CrossEncoder
    inner: Any
    """transformers' model in it."""
    tokenizer: Any
    """As it is saved: with the base's own limit."""

    def save(self, folder: Path) -> None:
        """Write both as transformers writes them."""
        self.inner.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        given = Path(self.tokenizer.name_or_path) / "tokenizer.json"
        if given.is_file():  # the library writes one word of those that share an id
            shutil.copyfile(given, folder / given.name)


def load_base(place: str, labels: Sequence[str], options: TrainOptions, seed: int, cut: str) -> Base:
    """A base model with a head of so many outputs, made anew by the seed where it has none, or another number.

    Of a base that is an int8 graph alone, as those that come with lawng, the weights are read out of the graph.

    `cut` is which text of a pair is truncated: `only_first` or `only_second`. Raises ConfigError where the base has
    fewer layers than the options freeze, MissingError where it cannot be read, LabelMapError where its head has as many
    outputs of other names.
    """
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    getLogger("sentence_transformers").setLevel("ERROR")  # it warns that an encoder becomes a cross-encoder
    torch.manual_seed(seed)
    names: dict[str, Any] = {
        "id2label": dict(enumerate(labels)),
        "label2id": {label: at for at, label in enumerate(labels)},
    }
    others: dict[str, Any] = {"ignore_mismatched_sizes": True}
    unread = f"base model {shown_name(place)}: cannot be read"
    with TemporaryDirectory() as aside:
        there = with_weights(place, Path(aside))
        with loading(unread, "; download or train it again"):
            given = names | plain_attention(place)
            model = CrossEncoder(there, num_labels=len(labels), config_kwargs=given, model_kwargs=others)
            tokenizer = AutoTokenizer.from_pretrained(place)
    _name_outputs(model.transformers_model, place, len(labels))
    model[0].processing_kwargs = {"text": {"truncation": cut, "max_length": options.max_length}}
    settle(model.transformers_model, options)
    return Base(model, model.transformers_model, tokenizer)


def _name_outputs(model: Any, place: str, n: int) -> None:
    """Put the outputs of a base with NLI labels in the order of ours: bases differ in it."""
    config = AutoConfig.from_pretrained(place)
    try:
        columns = label_columns(config.id2label)
    except LabelMapError as error:
        kinds = config.architectures  # without them two labels say nothing: so many has every encoder
        headed = n > 2 if kinds is None else any(name.endswith("ForSequenceClassification") for name in kinds)
        if headed and config.num_labels == n > 1:  # kept as it is: nobody could tell which output is which
            said = "write their NLI names, as id2label, into config.json, or take a base without this head"
            raise LabelMapError(f"base model {shown_name(place)}: {error}; {said}") from error
        return
    if len(columns) == n:
        head = [part for part in model.modules() if isinstance(part, torch.nn.Linear) and part.out_features == n][-1]
        with torch.no_grad():
            for weights in head.parameters():
                weights.copy_(weights[[*columns]].clone())


def settle(model: Any, options: TrainOptions) -> None:
    """Keep and freeze of transformers' model what the options say, and set its dropout.

    Raises ConfigError for more layers than it has.
    """
    n, inner = int(model.config.num_hidden_layers), model.base_model
    kept = options.keep_layers or n
    for name, asked, most in (("keep_layers", kept, n), ("freeze_layers", options.freeze_layers, min(kept, n))):
        if asked > most:
            raise ConfigError(f"{name}: {asked} is more than the {most} layers of {options.base}")
    layers = layers_of(model)
    if not layers and (kept < n or options.freeze_layers):  # ALBERT's layers are one
        raise ConfigError(f"keep_layers, freeze_layers: {options.base} has no layers of its own; leave both at 0")
    del layers[kept:]
    model.config.num_hidden_layers = kept
    if kinds := getattr(model.config, "layer_types", None):  # ModernBERT's
        model.config.layer_types = kinds[:kept]
    frozen = [model.get_input_embeddings()] if options.freeze_words else []
    if options.freeze_layers:
        frozen += [inner.embeddings, *layers[: options.freeze_layers]]
    for part in frozen:
        part.requires_grad_(False)
    if options.checkpointing and model.supports_gradient_checkpointing:  # ALBERT and MPNet do not
        model.activation_checkpointing_enable({"use_reentrant": False})
    for part in model.modules():
        if isinstance(part, torch.nn.Dropout) and options.dropout is not None:
            part.p = options.dropout


def layers_of(model: Any) -> torch.nn.ModuleList:
    """The layers of transformers' model, none where they are one, as ALBERT's."""
    n, parts = int(model.config.num_hidden_layers), model.base_model.modules()
    lists = [part for part in parts if isinstance(part, torch.nn.ModuleList) and len(part) == n]
    return lists[0] if lists else torch.nn.ModuleList()


def train(  # noqa: PLR0913, PLR0917 (what a run is made of)
    base: Base,
    order: Sequence[int],
    pair: Callable[[int], Pair],
    loss: torch.nn.Module,
    options: TrainOptions,
    work: Path,
    report: Report,
    *callbacks: TrainerCallback,
    micro: int | None = None,
    **schedule: Any,
) -> None:
    """Train a model with AdamW; goes on from the last checkpoint in `work`, and ends as if never killed.

    `order` has the places of pairs, all updates one after another; `pair` makes the pair at a place when it is read.
    `micro` pairs go through the model together, `schedule` is what the library's arguments call seed, learning rate,
    warm-up, and what the rate does then.
    """

    def read(rows: dict[str, list[int]]) -> dict[str, Any]:
        return dict(zip(("first", "second", "label"), zip(*map(pair, rows["place"]), strict=True), strict=True))

    given = CrossEncoderTrainingArguments(**arguments(options, work, micro or options.batch), **schedule)
    trainer = Trainer(
        model=base.model,
        args=on_one_gpu(given),
        train_dataset=Dataset.from_dict({"place": [*order]}).with_transform(read),
        loss=loss,
        callbacks=[Talk(report), *callbacks],
    )
    run(trainer, work, report)


def run(trainer: Any, work: Path, report: Report) -> None:
    """Let one of sentence-transformers' trainers train, from the last checkpoint in `work`."""
    trainer.remove_callback(PrinterCallback)  # it prints to standard output, which is for data
    if trainer.args.bf16 and not torch.cuda.is_available() and (times := bf16_over_fp32()) > _SLOWER:
        report(f"bf16 takes {times:.1f} times as long as fp32 on this processor: --precision fp32 is done sooner")
    done = last_checkpoint(work)
    if done:
        report(f"going on from {done.name}")
    trainer.train(resume_from_checkpoint=str(done) if done else None)


_SLOWER = 1.2


def bf16_over_fp32() -> float:
    """How long this processor takes in bf16 for what takes it 1 in fp32: 0.3 with AMX, 2 where it has to convert.

    That it has instructions for bf16 tells nothing: Intel's without AMX take longer with them, AMD's do not.
    """
    seconds = {}
    for kind in (torch.float32, torch.bfloat16):
        one, other = torch.ones(512, 768, dtype=kind), torch.ones(768, 3072, dtype=kind)
        torch.mm(one, other)  # the first one prepares
        seconds[kind] = min(repeat(partial(torch.mm, one, other), number=1, repeat=5))
    return seconds[torch.bfloat16] / seconds[torch.float32]


class Trainer(CrossEncoderTrainer):
    """sentence-transformers' trainer without its model card, for which lawng writes its own."""

    def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
        """None."""

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: torch.nn.Module | None = None) -> None:
        """Into the model as it is: one of factors is none that a library would make of its configuration."""
        whole: Any = model or self.model
        with _whole(resume_from_checkpoint):
            load_model(whole.transformers_model, Path(resume_from_checkpoint) / "model.safetensors")

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        with _whole(checkpoint):
            super()._load_optimizer_and_scheduler(checkpoint)

    def _load_rng_state(self, checkpoint: str | None) -> None:
        with _whole(checkpoint):
            super()._load_rng_state(checkpoint)


@contextmanager
def _whole(checkpoint: str | None) -> Iterator[None]:
    """Raises MissingError where a file of a checkpoint cannot be read, but not for want of memory."""
    try:
        with loading(f"{checkpoint}: cannot be read", "; delete it, and training goes on from before it"):
            yield
    except MissingError as error:
        if isinstance(error.__cause__, torch.OutOfMemoryError):
            raise error.__cause__ from None
        raise


def in_order(dataset: Dataset, batch_size: int, drop_last: bool, **_: Any) -> DefaultBatchSampler:
    """Batches in the order of the plan."""
    return DefaultBatchSampler(SequentialSampler(dataset), batch_size, drop_last)


class Talk(TrainerCallback):
    """Says how far training is."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """One line per log event."""
        logs = kwargs.get("logs") or {}
        if "loss" in logs:
            self._report(f"step {state.global_step:,} of {state.max_steps:,}, loss {float(logs['loss']):.3f}")


def last_checkpoint(work: Path) -> Path | None:
    """The newest checkpoint that was written whole, None without one: a run can be killed while it writes."""
    whole = {}
    for path in work.glob("checkpoint-*"):
        with suppress(OSError, ValueError):  # written last
            json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
            whole[int(path.name.rpartition("-")[2])] = path
    return whole[max(whole)] if whole else None


def arguments(options: TrainOptions, work: Path, micro: int) -> dict[str, Any]:
    """What the arguments of every trainer have in common; `micro` texts or pairs go through the model together.

    Raises ConfigError where the precision needs a GPU and there is none.
    """
    gpu = torch.cuda.is_available()
    if options.precision == "fp16" and not gpu:
        raise ConfigError("precision: fp16 needs a GPU, and there is none; take fp32, or bf16")
    return {
        "output_dir": str(work),
        "num_train_epochs": 1,
        "per_device_train_batch_size": micro,
        "gradient_accumulation_steps": options.batch // (micro * getattr(options, "processes", 1)),
        "batch_sampler": in_order,
        "weight_decay": 0.01,
        "save_steps": options.save_steps,
        "save_total_limit": 2,
        "logging_steps": options.log_steps,
        "report_to": [],
        "disable_tqdm": True,
        "dataloader_pin_memory": False,
        "bf16": in_bf16(options),
        "fp16": options.precision == "fp16",
        "use_cpu": not gpu,
    }


def on_one_gpu(args: Any) -> Any:
    """The arguments of a trainer, for one GPU of those there: with several each would get a whole batch."""
    args._n_gpu = min(args.n_gpu, 1)  # the library has no other way than to hide them
    return args


def in_bf16(options: TrainOptions) -> bool:
    """Whether a run computes in sixteen bits: told to, or by itself on a GPU that has them."""
    by_itself = options.precision == "auto" and torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    return options.precision == "bf16" or by_itself


class PairLoss(torch.nn.Module):
    """The loss that a function makes of a cross-encoder's outputs (n x labels) and the labels, n or n x labels."""

    def __init__(self, model: Any, function: Callable[[Tensor, Tensor], Tensor]) -> None:
        super().__init__()
        self.model = model
        self.function = function

    def forward(
        self, columns: Sequence[Sequence[str]], labels: Any, prompt: str | None = None, task: str | None = None
    ) -> Tensor:
        """The loss of a batch, given as two columns of texts; labels of several numbers come as a list of tensors."""
        tokens, right = self.read(columns, labels, prompt, task)
        outputs = self.model(tokens)["scores"].float()
        return self.function(outputs, right.to(outputs.device))

    def read(
        self, columns: Sequence[Sequence[str]], labels: Any, prompt: str | None, task: str | None
    ) -> tuple[dict[str, Any], Tensor]:
        """The tokens of a batch, where the model is, and its labels as one tensor."""
        pairs = list(zip(*columns, strict=True))
        tokens = batch_to_device(self.model.preprocess(pairs, prompt=prompt, task=task), self.model.device)
        # several processes find the parameters that are used in plain dictionaries alone
        return dict(tokens), labels if isinstance(labels, Tensor) else torch.stack(labels)


def marginal_loss(logits: Tensor, right: Tensor) -> Tensor:
    """Mean negative log-probability that the label is one of the right ones.

    `logits` (n x 3) and `right` (n x 3, true where the label is right, at least one a row). With one right label a row
    it is cross-entropy; "not entailment" adds up the probabilities of neutral and contradiction, since the source
    does not tell them apart.
    """
    scores = torch.log_softmax(logits.float(), dim=-1)
    return -torch.logsumexp(scores.masked_fill(~right.bool(), float("-inf")), dim=-1).mean()


def listwise_loss(scores: Tensor, targets: Tensor, group: int) -> Tensor:
    """Mean cross-entropy of each list's softmax with its targets over their sum (ListNet's top-one loss, on gains).

    `scores` and `targets` (0 to 1) are n numbers, of which each `group` that stand together are a list. The library's
    own ListNet takes a softmax of the targets, under which an irrelevant text is hardly worse than a relevant one.
    """
    lists, gains = scores.view(-1, group), targets.view(-1, group)
    shares = gains / gains.sum(dim=1, keepdim=True).clamp_min(1e-9)
    return -(shares * functional.log_softmax(lists, dim=1)).sum(dim=1).mean()
