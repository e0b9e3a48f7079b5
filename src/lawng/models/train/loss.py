"""The loss over pairs of which a set of labels is right.

marginal_loss(logits, right) -> mean of -log sum of the probabilities of the right labels
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def marginal_loss(logits: Tensor, right: Tensor) -> Tensor:
    """Mean negative log-probability that the label is one of the right ones.

    `logits` (n x 3) and `right` (n x 3, true where the label is right, at least one a row). With one right label a row
    it is cross-entropy; "not entailment" adds up the probabilities of neutral and contradiction, since the source
    does not tell them apart.
    """
    import torch

    scores = torch.log_softmax(logits.float(), dim=-1)
    return -torch.logsumexp(scores.masked_fill(~right.bool(), float("-inf")), dim=-1).mean()
