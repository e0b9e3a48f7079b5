"""A smaller stance model learns from the trained one that it is cut out of: its answers, and what stands in its layers.

    TaughtLoss(model, marginal_loss, load_teacher(place, labels, options))

A layer that is kept stands for itself and those below it that are not, and learns to end where the last of these ends
(Sun et al. 2019, "Patient Knowledge Distillation"; Jiao et al. 2020, "TinyBERT"); the outputs learn the labels and, as
much, the teacher's probabilities (Hinton et al. 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from lawng.models.training.options import StanceOptions
from lawng.models.training.trainer import PairLoss, every_so_many, in_bf16, load_base

Teacher = Callable[[dict[str, Tensor]], tuple[Tensor, list[Tensor]]]
"""From a batch of tokens its outputs (n x labels), and where the layers that are kept end (n x tokens x width)."""
_READ = ("input_ids", "attention_mask", "token_type_ids")


def load_teacher(place: str, labels: Sequence[str], options: StanceOptions) -> Teacher:
    """The base as it is, as a function, so that its weights are none of the loss's."""
    whole = replace(options, keep_layers=0, freeze_layers=0, distil=False, checkpointing=False)
    model = load_base(place, labels, whole, options.seed, cut="only_first").inner.eval()
    if in_bf16(options):
        model = model.bfloat16()
    n = int(model.config.num_hidden_layers)

    def answer(tokens: dict[str, Tensor]) -> tuple[Tensor, list[Tensor]]:
        with torch.inference_mode():
            found = model.to(tokens["input_ids"].device)(**tokens, output_hidden_states=True)
        states = [found.hidden_states[at + 1] for at in every_so_many(n, options.keep_layers)]
        return found.logits.float().clone(), [state.float().clone() for state in states]

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
