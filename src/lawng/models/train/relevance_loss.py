"""Losses of relevance models: against soft targets, of lists against their gains, of pairs with a margin."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

STARS = 4.0
"""The margin between the best and the worst text: one for each step of the five stars."""


def relevance_loss(name: str, scores: Tensor, targets: Tensor, group: int) -> Tensor:
    """The mean loss of scores (logits, n) against targets (0 to 1, n), in groups of `group` that stand together.

    `soft`: cross-entropy of each with its target as probability (ACORD, F.2). `listwise`: cross-entropy of a list's
    softmax with its targets, divided by their sum (ListNet's top-one loss on gains). `margin`: how much the first of
    two falls short of the second by less than a margin of one for each star between them.

    >>> import torch
    >>> round(float(relevance_loss("margin", torch.tensor([2.0, 1.5]), torch.tensor([1.0, 0.75]), 2)), 2)
    0.5
    """
    if name == "soft":
        return functional.binary_cross_entropy_with_logits(scores, targets)
    lists, gains = scores.view(-1, group), targets.view(-1, group)
    if name == "listwise":
        wanted = gains / gains.sum(dim=1, keepdim=True).clamp_min(1e-9)
        return -(wanted * functional.log_softmax(lists, dim=1)).sum(dim=1).mean()
    margins = STARS * (gains[:, 0] - gains[:, 1])
    return functional.relu(margins - (lists[:, 0] - lists[:, 1])).mean()
