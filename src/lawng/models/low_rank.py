"""Linear layers of low rank: one as two smaller ones that pass few numbers between them, and as one again.

    factor(model, batches, share)     multiply(model)     split(model)

What a layer of a trained encoder makes of texts varies in few directions, though its weights do not (Yu & Wu 2023,
"Compressing Transformers: Features Are Low-Rank, but Weights Are Not!"): the directions are found by asking it texts.
A model of such layers is saved with their products, which every library can load; where it is made small to be shipped
the two are found again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

Batch = Mapping[str, Tensor]
_NOUGHT = 1e-8
"""The square of a singular value of a product, as a share of its largest, that rounding left there."""
_SPARE = 32
"""Directions that are looked for beside those wanted, so that these are found well."""


class Factors(nn.Module):
    """A linear layer as two: weights (rank x inputs), then weights (outputs x rank) and a bias."""

    def __init__(self, down: Tensor, up: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.down, self.up = _linear(down, None), _linear(up, bias)

    def forward(self, inputs: Tensor) -> Tensor:
        """What the layer makes of its inputs."""
        outputs: Tensor = self.up(self.down(inputs))
        return outputs

    def product(self) -> nn.Linear:
        """The one layer that computes the same."""
        return _linear(self.up.weight.detach() @ self.down.weight.detach(), self.up.bias)


class _Seen:
    """Sum and second moment of what a layer made of real tokens."""

    def __init__(self, layer: nn.Linear) -> None:
        width, place = layer.out_features, layer.weight.device
        self.n, self.sum, self.moment = 0, torch.zeros(width, device=place), torch.zeros(width, width, device=place)

    def add(self, outputs: Tensor) -> None:
        self.n += len(outputs)
        self.sum += outputs.sum(dim=0)
        self.moment += outputs.T @ outputs

    def directions(self, rank: int) -> tuple[Tensor, Tensor]:
        """The mean, and the directions (outputs x rank) of the largest variance, orthonormal."""
        mean = self.sum / self.n
        variance = self.moment / self.n - torch.outer(mean, mean)
        # all 3,072 directions of a wide layer would take ten seconds
        found, _, _ = torch.svd_lowrank(variance, q=min(len(mean), rank + _SPARE), niter=4)
        return mean, found[:, :rank]


def rank_of(layer: nn.Linear, share: float) -> int:
    """The rank at which two factors have this share of a layer's weights, at least 1.

    >>> rank_of(nn.Linear(768, 3072), 0.4), rank_of(nn.Linear(2, 2), 0.1)
    (245, 1)
    """
    n, m = layer.in_features, layer.out_features
    return max(1, int(share * n * m / (n + m)))


def factor(model: Any, layers: nn.Module, batches: Iterable[Batch], share: float) -> None:
    """Replace the linear layers in a part of a model by factors with this share of their weights.

    Of a layer's outputs on the batches (tokens and their mask, as the model takes them) the directions stay in which
    they vary most; what they have in all others is their mean, which goes into the bias.
    """
    linears = dict(_linears(layers))
    seen = _watched(model, linears, batches)
    for name, layer in linears.items():
        with torch.no_grad():
            mean, up = seen[name].directions(rank_of(layer, share))
            given = torch.zeros_like(mean) if layer.bias is None else layer.bias
            layers.set_submodule(name, Factors(up.T @ layer.weight, up, mean + up @ (up.T @ (given - mean))))


def _watched(model: Any, linears: Mapping[str, nn.Linear], batches: Iterable[Batch]) -> dict[str, _Seen]:
    seen = {name: _Seen(layer) for name, layer in linears.items()}
    real = torch.ones(0)

    def look(one: _Seen, _layer: nn.Module, _given: Any, outputs: Tensor) -> None:
        one.add(outputs[real].float())

    hooks = [layer.register_forward_hook(partial(look, seen[name])) for name, layer in linears.items()]
    try:
        with torch.inference_mode():
            for batch in batches:
                real = batch["attention_mask"].bool()
                model(**batch)
    finally:
        for hook in hooks:
            hook.remove()
    return seen


def multiply(model: nn.Module) -> None:
    """Put the one layer in the place of each pair of factors."""
    for name, part in [*model.named_modules()]:
        if isinstance(part, Factors):
            model.set_submodule(name, part.product())


def split(model: nn.Module) -> None:
    """Put factors in the place of each linear layer that is a product of two with fewer weights."""
    for name, layer in [*_linears(model)]:
        weight = layer.weight.detach().double()
        wide = layer.out_features > layer.in_features
        values, vectors = torch.linalg.eigh(weight.T @ weight if wide else weight @ weight.T)
        kept = vectors[:, values > _NOUGHT * values[-1]]
        if kept.shape[1] * (layer.in_features + layer.out_features) < weight.numel():
            turn = _turn(kept.shape[1])
            down, up = (kept.T, weight @ kept) if wide else (kept.T @ weight, kept)
            found = Factors((turn.T @ down).float(), (up @ turn).float(), layer.bias)
            model.set_submodule(name, found.requires_grad_(layer.weight.requires_grad))


def _turn(n: int) -> Tensor:
    """A rotation drawn at random, after which all numbers between two factors are about as large.

    Along the directions themselves the first is a hundred times the last, which eight bits with one scale for all lose.
    """
    drawn = torch.randn(n, n, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    found: Tensor = torch.linalg.qr(drawn).Q
    return found


def _linears(part: nn.Module) -> Iterator[tuple[str, nn.Linear]]:
    return ((name, one) for name, one in part.named_modules() if isinstance(one, nn.Linear))


def _linear(weight: Tensor, bias: Tensor | None) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, device=weight.device)
    state = {"weight": weight} if bias is None else {"weight": weight, "bias": bias}
    made.load_state_dict(state)
    return made
