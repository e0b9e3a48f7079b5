"""Training of tags: what each token of a text is, beside the vector of the whole text, by one and the same encoder.

with_tags(model, sets) -> the model with a layer that tells them     learn_tags(model, tagging, options, work, report)
coded(text, tokenizer, sets) -> numbers                               tag_loss(logits, codes, sets) -> loss

A token has one label of each set; the first label of the first set is that of tokens that are nothing, of which the
other sets say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense
from torch import Tensor
from torch.nn.functional import cross_entropy

from lawng.models.onnx.embedder import TAGS
from lawng.models.training.options import Report, RetrieverOptions
from lawng.models.training.retriever import train_on

TOKENS = 64
"""Of a text, from which tags are learned."""
_EPOCHS, _BATCH, _RATE = 4, 32, 2e-4
"""Of texts with tags alone, before anything else is learned."""
_OF_LAYER = {r"\b1\.linear\b": 1e-3}
"""Learning rate of the layer that `with_tags` puts behind the transformer: it begins with nothing."""
_SMOOTH = 0.1
"""Of the labels (Szegedy et al., 2016), for readers err."""
_NO_CODE = -100
"""What cross-entropies leave out."""

Sets = Sequence[Sequence[str]]


class TaggedText(NamedTuple):
    """A text, and stretches of it with a label of each set."""

    text: str
    stretches: tuple[tuple[int, int, tuple[str, ...]], ...]
    """Start, end, labels."""


class Tagging(NamedTuple):
    """What is to be learned of tokens."""

    sets: Sets
    """Of labels."""
    texts: Sequence[TaggedText]


def with_tags(model: SentenceTransformer, sets: Sets) -> SentenceTransformer:
    """The model with a layer behind its transformer that gives each token the logits of all labels, under `TAGS`."""
    transformer, *rest = list(model)
    width = int(model[0].get_embedding_dimension())  # type: ignore[operator]
    layer = Dense(
        width,
        sum(map(len, sets)),
        activation_function=torch.nn.Identity(),
        module_input_name="token_embeddings",
        module_output_name=TAGS,
    )
    return SentenceTransformer(modules=[transformer, layer, *rest], device=str(model.device))


def learn_tags(
    model: SentenceTransformer, tagging: Tagging, options: RetrieverOptions, work: Path, report: Report
) -> None:
    """Teach a model of `with_tags` what tokens are, and nothing else; goes on from the last checkpoint in `work`."""
    tokenizer = model.tokenizer
    order = planned_texts(len(tagging.texts), _EPOCHS * len(tagging.texts), options.seed)

    def read(rows: dict[str, list[int]]) -> dict[str, Any]:
        own = [tagging.texts[place] for place in rows["place"]]
        codes = [coded(one, tokenizer, tagging.sets) for one in own]
        return {"text": [one.text for one in own], "label": codes}

    report(f"{len(tagging.texts):,} texts with tags an epoch, {_EPOCHS} epochs")
    how = replace(options, batch=min(_BATCH, len(order)), lr=_RATE)
    train_on(model, order, read, TagLoss(model, tagging.sets), how, work, report, faster=_OF_LAYER)


class TagLoss(torch.nn.Module):
    """The loss of tags alone, in the form in which sentence-transformers' trainer calls it."""

    def __init__(self, model: Any, sets: Sets) -> None:
        super().__init__()
        self.model, self.sets = model, sets

    def forward(self, sentence_features: Sequence[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """The loss of a batch of texts, whose `coded` labels stand in `labels`, a row for each."""
        return tag_loss(self.model(dict(sentence_features[0]))[TAGS], labels, self.sets)


def planned_texts(n: int, wanted: int, seed: int) -> list[int]:
    """Places of so many texts: all of them in one order, then in another.

    >>> sorted(planned_texts(3, 6, 0))
    [0, 0, 1, 1, 2, 2]
    """
    rng = np.random.default_rng([seed, n])
    orders = [rng.permutation(n) for _ in range(-(-wanted // n))]
    found: list[int] = np.concatenate(orders)[:wanted].tolist()
    return found


def coded(tagged: TaggedText, tokenizer: Any, sets: Sets) -> list[float]:
    """The number of each token's label in each set, `TOKENS` for the first set, then as many for the next."""
    places = tokenizer(tagged.text, return_offsets_mapping=True, truncation=True, max_length=TOKENS)["offset_mapping"]
    codes = torch.full((len(sets), TOKENS), float(_NO_CODE))
    for at, (start, end) in enumerate(places):
        if start < end:
            own = next((labels for first, last, labels in tagged.stretches if start < last and first < end), None)
            codes[0, at] = 0.0
            for row, label in enumerate(own or ()):
                codes[row, at] = float(sets[row].index(label))
    return [float(code) for code in codes.flatten()]


def tag_loss(logits: Tensor, codes: Tensor, sets: Sets) -> Tensor:
    """Sum over the sets of the mean cross-entropy of the tokens that have a label; logits texts x tokens x labels."""
    n = min(logits.shape[1], TOKENS)
    rows = codes.reshape(len(codes), len(sets), TOKENS)[:, :, :n].long()
    total = logits.sum() * 0.0
    for place, part in enumerate(torch.split(logits[:, :n], [*map(len, sets)], dim=-1)):
        own = rows[:, place].flatten()
        losses = cross_entropy(part.flatten(0, 1), own, ignore_index=_NO_CODE, label_smoothing=_SMOOTH, reduction="sum")
        total = total + losses / (own != _NO_CODE).sum().clamp_min(1)
    return total
