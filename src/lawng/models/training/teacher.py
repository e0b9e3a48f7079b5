"""A smaller stance model learns from the trained one that it is made of: its answers, and what stands in its layers.

    lessen(base, texts, share)
    TaughtLoss(model, marginal_loss, load_teacher(place, labels, options))

Each linear layer of the encoder becomes two of low rank (`lawng.models.low_rank`). Each layer of the smaller model
learns to end where the teacher's ends (Sun et al. 2019, "Patient Knowledge Distillation"; Jiao et al. 2020,
"TinyBERT"); the outputs learn the labels and, as much, the teacher's probabilities (Hinton et al. 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from transformers import AutoConfig

from lawng.errors import ConfigError, LabelMapError
from lawng.models.low_rank import factor
from lawng.models.training.options import StanceOptions
from lawng.models.training.trainer import Base, PairLoss, in_bf16, layers_of, load_base
from lawng.schema.labels import label_columns

Teacher = Callable[[dict[str, Tensor]], tuple[Tensor, list[Tensor]]]
"""From a batch of tokens its outputs (n x labels), and where its layers end (n x tokens x width)."""
_READ = ("input_ids", "attention_mask", "token_type_ids")
_ASKED = 640
"""Pairs by which the directions are found that the smaller model has."""


def check_teacher(base: str) -> None:
    """Raise ConfigError where a base, a folder or Hub name, is no stance model: it has nothing to teach."""
    try:
        label_columns(AutoConfig.from_pretrained(base).id2label)
    except LabelMapError as error:
        raise ConfigError(f"distil: {base} is no trained stance model, which could teach; train it first") from error


def lessen(base: Base, pairs: Sequence[tuple[str, str]], share: float, batch: int) -> None:
    """Leave this share of the weights of a base's layers, by what they make of the first of these pairs.

    Raises ConfigError where its layers cannot be told.
    """
    layers, asked = layers_of(base.inner), pairs[:_ASKED]
    if not layers:
        raise ConfigError("distil: the base has no layers of its own; take one of BERT's kind")
    coded = (base.model.preprocess(asked[at : at + batch]) for at in range(0, len(asked), batch))
    read = ({name: one[name].to(base.model.device) for name in _READ if name in one} for one in coded)
    base.inner.eval()
    factor(base.inner, layers, read, share)


def load_teacher(place: str, labels: Sequence[str], options: StanceOptions) -> Teacher:
    """The base as it is, as a function, so that its weights are none of the loss's."""
    whole = replace(options, freeze_layers=0, distil=0.0, checkpointing=False)
    model = load_base(place, labels, whole, options.seed, cut="only_first").inner.eval()
    if in_bf16(options):
        model = model.bfloat16()

    def answer(tokens: dict[str, Tensor]) -> tuple[Tensor, list[Tensor]]:
        with torch.inference_mode():
            found = model.to(tokens["input_ids"].device)(**tokens, output_hidden_states=True)
        return found.logits.float().clone(), [state.float().clone() for state in found.hidden_states[1:]]

    return answer


class TaughtLoss(PairLoss):
    """The loss by labels, and with it the distances from the teacher: of probabilities, and of what layers end in."""

    def __init__(
        self, model: Any, function: Callable[[Tensor, Tensor], Tensor], teacher: Teacher, bf16: bool = False
    ) -> None:
        super().__init__(model, function)
        self._teacher, self._bf16 = teacher, bf16

    def forward(
        self, columns: Sequence[Sequence[str]], labels: Any, prompt: str | None = None, task: str | None = None
    ) -> Tensor:
        """The loss of a batch, given as `PairLoss` has it."""
        coded, right = self.read(columns, labels, prompt, task)
        tokens = {name: coded[name] for name in _READ if name in coded}
        outputs, ends = self._teacher(tokens)
        # past the trainer's own wrapping of the model, which would set the precision
        with torch.autocast(self.model.device.type, torch.bfloat16, enabled=self._bf16):
            own = self.model.transformers_model(**tokens, output_hidden_states=True)
        logits, mask = own.logits.float(), tokens["attention_mask"].bool()
        said, taught = (functional.log_softmax(scores, dim=-1) for scores in (logits, outputs))
        answers = functional.kl_div(said, taught, log_target=True, reduction="batchmean")
        apart = [_apart(one[mask].float(), end[mask]) for one, end in zip(own.hidden_states[1:], ends, strict=True)]
        return self.function(logits, right.to(logits.device)) + answers + torch.stack(apart).mean()


def _apart(own: Tensor, end: Tensor) -> Tensor:
    """Squared distance of vectors (n x width) as a share of how far the teacher's stand from their mean."""
    return (own - end).square().mean() / (end - end.mean(dim=0)).square().mean().clamp_min(1e-6)
