"""Linear layers as factors of low rank: which directions stay, what they compute, and that they are found again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA
from torch import Tensor, nn

from floats_support import close_as_a_whole
from lawng.models.low_rank import Factors, factor, multiply, rank_of, split

SHAPES = [(12, 20, True), (20, 12, True), (16, 16, False)]


class Toy(nn.Module):
    """Words to vectors, and one linear layer in a list of layers."""

    def __init__(self, inputs: int, outputs: int, bias: bool) -> None:
        super().__init__()
        torch.manual_seed(inputs)
        self.words = nn.Embedding(50, inputs)
        self.layers = nn.ModuleList([nn.Linear(inputs, outputs, bias=bias)])

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        return torch.as_tensor(self.layers[0](self.words(input_ids)))


def batches() -> list[Mapping[str, Tensor]]:
    """Two of other lengths, the second with padding (token 0)."""
    torch.manual_seed(1)
    whole, padded = torch.randint(1, 50, (6, 9)), torch.randint(1, 50, (6, 5))
    padded[2:, 3:] = 0
    return [{"input_ids": one, "attention_mask": (one > 0).long()} for one in (whole, padded)]


def made(model: Toy) -> np.ndarray:
    """What the model makes of the real tokens of all batches."""
    with torch.no_grad():
        return np.concatenate([model(**one)[one["attention_mask"].bool()].numpy() for one in batches()])


@pytest.mark.parametrize(("inputs", "outputs", "bias"), SHAPES)
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_the_directions_that_stay_are_the_principal_components_of_the_outputs(
    inputs: int, outputs: int, bias: bool, share: float
) -> None:
    model = Toy(inputs, outputs, bias)
    before, layer = made(model), model.layers[0]
    assert isinstance(layer, nn.Linear)
    rank = rank_of(layer, share)
    factor(model, model.layers, batches(), share)
    pca = PCA(rank, svd_solver="full").fit(before)
    assert made(model) == close_as_a_whole(pca.inverse_transform(pca.transform(before)))
    factors = model.layers[0]
    assert isinstance(factors, Factors)
    assert (
        sum(part.weight.numel() for part in factors.modules() if isinstance(part, nn.Linear))
        <= share * inputs * outputs
    )


@pytest.mark.parametrize(("inputs", "outputs", "bias"), SHAPES)
def test_a_product_computes_as_its_factors_do_and_they_are_found_again(inputs: int, outputs: int, bias: bool) -> None:
    model = Toy(inputs, outputs, bias)
    factor(model, model.layers, batches(), 0.5)
    wanted = made(model)
    multiply(model)
    assert isinstance(model.layers[0], nn.Linear)
    assert model.layers[0].weight.shape == (outputs, inputs)
    assert made(model) == close_as_a_whole(wanted)
    split(model)
    found = model.layers[0]
    assert isinstance(found, Factors)
    assert found.down.weight.shape == (rank_of(nn.Linear(inputs, outputs), 0.5), inputs)
    assert made(model) == close_as_a_whole(wanted)


@pytest.mark.parametrize("trained", [True, False])
def test_factors_of_a_frozen_layer_are_frozen(trained: bool) -> None:
    model = Toy(12, 20, True)
    factor(model, model.layers, batches(), 0.5)
    multiply(model)
    model.layers.requires_grad_(trained)
    split(model)
    assert isinstance(model.layers[0], Factors)
    assert [part.requires_grad for part in model.layers.parameters()] == [trained] * 3


def test_a_layer_of_full_rank_stays_one() -> None:
    model = Toy(12, 20, True)
    wanted = made(model)
    split(model)
    assert isinstance(model.layers[0], nn.Linear)
    assert made(model) == close_as_a_whole(wanted)


def test_layers_outside_the_part_given_stay() -> None:
    toy = Toy(12, 20, True)
    toy.head = nn.Linear(20, 3)
    factor(toy, toy.layers, batches(), 0.5)
    assert isinstance(toy.head, nn.Linear)
    assert [name for name, part in toy.named_modules() if isinstance(part, Factors)] == ["layers.0"]


@pytest.mark.parametrize("shape", [(40, 24), (24, 40)])
def test_directions_of_which_a_layer_has_little_are_kept_too(shape: tuple[int, int]) -> None:
    torch.manual_seed(3)
    left, right = (torch.linalg.qr(torch.randn(n, 6))[0] for n in shape)
    values = torch.logspace(0, -3, 6)  # the squares go down to a millionth
    layer = nn.Linear(shape[1], shape[0])
    with torch.no_grad():
        layer.weight.copy_(left @ torch.diag(values) @ right.T)
    before, model = layer.weight.detach().clone(), nn.Sequential(layer)
    split(model)
    assert isinstance(model[0], Factors)
    assert model[0].down.weight.shape == (6, shape[1])
    assert (model[0].product().weight - before).abs().max() < 1e-5


@pytest.mark.parametrize("shape", [(96, 64), (64, 96)])
def test_numbers_between_two_factors_are_about_as_large(shape: tuple[int, int]) -> None:
    torch.manual_seed(4)
    left, right = (torch.linalg.qr(torch.randn(n, 24))[0] for n in shape)
    layer = nn.Linear(shape[1], shape[0])
    with torch.no_grad():
        layer.weight.copy_(left @ torch.diag(torch.logspace(0, -3, 24)) @ right.T)
    model = nn.Sequential(layer)
    split(model)
    assert isinstance(model[0], Factors)
    sizes = torch.cat([model[0].down.weight.norm(dim=1), model[0].up.weight.norm(dim=0)])
    for some in (sizes[:24], sizes[24:]):
        assert some.max() / some.min() < 20, "along the directions themselves it would be a thousand"
