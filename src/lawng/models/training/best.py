"""Early stopping: the weights of the epoch with the smallest loss on dev pairs, across kills.

Best(base, pairs, every, patience, work) is a callback of the trainer; restore(base, work) takes the best weights back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import torch
from sentence_transformers.util import batch_to_device
from transformers import TrainerCallback

from lawng.errors import StageError
from lawng.io import write_json
from lawng.models.training.options import Report
from lawng.models.training.trainer import Base, Pair, marginal_loss

WEIGHTS = "best.pt"


class Best(TrainerCallback):
    """After each epoch the loss on dev pairs; the best weights stay in `work`, and worse epochs end the training.

    A run that goes on from a checkpoint judges again what came after it, and gets the same losses.
    """

    def __init__(  # noqa: PLR0913, PLR0917 (what it judges, when)
        self, base: Base, pairs: Sequence[Pair], ends: frozenset[int], patience: int, work: Path, say: Report
    ) -> None:
        """`ends` are the numbers of updates after which an epoch has ended."""
        self._base, self._pairs, self._ends, self._patience = base, pairs, ends, patience
        self._work, self._say = work, say

    @property
    def ended(self) -> bool:
        """Whether worse epochs have ended the training before: a killed run does not go on from there."""
        losses = list(_losses(self._work / "epochs.json").values())
        return bool(losses) and stops(losses, self._patience)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """At the end of an epoch."""
        if state.global_step not in self._ends:
            return
        scores = self._work / "epochs.json"  # of earlier epochs the first process has written by now: all decide alike
        known = {step: loss for step, loss in _losses(scores).items() if step < state.global_step}
        loss = dev_loss(self._base, self._pairs, args.per_device_train_batch_size)
        if not isfinite(loss):
            raise StageError(f"after {state.global_step:,} updates the loss is {loss}: it diverged; take a smaller lr")
        best, known[state.global_step] = min(known.values(), default=float("inf")), loss
        if state.is_world_process_zero:
            if loss < best:
                _save(self._base, self._work / WEIGHTS)
            write_json(scores, known)
        self._say(f"after {state.global_step:,} updates: loss {loss:.4f} on {len(self._pairs):,} dev pairs")
        control.should_training_stop |= stops(list(known.values()), self._patience)


def stops(losses: Sequence[float], patience: int) -> bool:
    """Whether so many of the last losses are none smaller than the best before them.

    >>> stops([3, 2, 2.5], 1), stops([3, 2, 2.5], 2), stops([3, 2, 2.5, 2], 2)
    (True, False, True)
    """
    best = losses.index(min(losses))
    return len(losses) - 1 - best >= patience


def dev_loss(base: Base, pairs: Sequence[Pair], batch: int) -> float:
    """Mean loss of a model on pairs, nothing dropped out."""
    training, total = base.model.training, 0.0
    base.model.eval()
    with torch.inference_mode():
        for start in range(0, len(pairs), batch):
            some = pairs[start : start + batch]
            tokens = batch_to_device(base.model.preprocess([pair[:2] for pair in some]), base.model.device)
            right = torch.tensor([label for *_, label in some], device=base.model.device)
            total += float(marginal_loss(base.model(tokens)["scores"], right)) * len(some)
    base.model.train(training)
    return total / len(pairs)


def restore(base: Base, work: Path) -> None:
    """Take the best epoch's weights."""
    base.inner.load_state_dict(torch.load(work / WEIGHTS, map_location=base.model.device, weights_only=True))


def _losses(path: Path) -> dict[int, float]:
    if not path.is_file():
        return {}
    return dict(sorted((int(step), loss) for step, loss in json.loads(path.read_text(encoding="utf-8")).items()))


def _save(base: Base, path: Path) -> None:
    partial = path.with_suffix(".partial")
    torch.save(base.inner.state_dict(), partial)
    partial.replace(path)
