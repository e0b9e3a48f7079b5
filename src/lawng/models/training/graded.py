"""Training of a bi-encoder on graded texts: queries beside texts that are alike, and how far each answers each query.

fit_graded(folder, groups, judge, options, told, report) -> the model's folder

A batch is some groups whole: a query is held against the texts of its group by their grades, and against those of the
other groups as wrong ones. So each text is read once for all queries of its group. Before and beside it the
encoder can learn what the tokens of other texts are (`Tagging`).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor
from torch.nn.functional import normalize

from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.io import atomic_folder, check_place
from lawng.models.folder import NOTE
from lawng.models.onnx.embedder import TAGS
from lawng.models.protocols import Embedder
from lawng.models.training.finish import Card
from lawng.models.training.options import Report, RetrieverOptions
from lawng.models.training.plan import begin, digest_of
from lawng.models.training.retriever import base_of, load, saved, train_on, write_notes
from lawng.models.training.tagged import Sets, Tagging, coded, learn_tags, planned_texts, tag_loss, with_tags

GROUP = 8
"""Texts of a group, and its most queries."""
SCALE = 20.0
"""Of cosines before the softmax, as in sentence-transformers' losses."""
GAINS = (0.0, 0.1, 0.4, 0.8, 1.0)
"""By grade: what answers a part of the query is nearer to nothing than to the whole."""
_LEAST = 0.4
"""Gain from which a text counts as right beside those of other groups."""


class Group(NamedTuple):
    """Texts that are alike, `GROUP` of them, and queries with a grade (0 to 4) of each."""

    texts: tuple[str, ...]
    queries: tuple[str, ...]
    grades: tuple[tuple[int, ...], ...]
    """A row for each query, a column for each text."""


@explained()
def fit_graded(  # noqa: PLR0913, PLR0917 (what a run is made of)
    folder: Path,
    groups: Sequence[Group],
    judge: Callable[[Embedder], float],
    options: RetrieverOptions,
    told: Mapping[str, Any],
    card: Card,
    report: Report,
    tagging: Tagging | None = None,
) -> Path:
    """Train a bi-encoder and write its folder, whole or not at all: the model, an int8 graph of it, a note, a card.

    `judge` says how good an encoder is, on what it was not trained on; `told` is what the note says of the data. A
    killed run leaves `.NAME.partial` beside it, from which the same command goes on. Raises InputError when there are
    fewer groups than a batch has, or something else stands at the place.
    """
    check_place(folder, NOTE, "bi-encoder")
    if options.batch % GROUP:
        raise ConfigError(f"batch: {options.batch} cuts a group in two; take a multiple of {GROUP}")
    if len(groups) * GROUP < options.batch:
        raise InputError(f"nothing to train on: {len(groups)} groups are fewer than a batch has; give more, or --batch")
    base = base_of(options)
    about = {**told, "base": [base.name, base.state], "options": asdict(options)}
    about |= {"tags": tagging.sets} if tagging else {}
    with atomic_folder(folder) as partial:
        work = partial / "work"
        begin(work, about | {"data": digest_of([*groups, *(tagging.texts if tagging else ())])})
        model = load(base.place, options)
        model = with_tags(model, tagging.sets) if tagging else model
        _train(model, groups, tagging, options, work, report)
        found = saved(partial, model, judge)
        report(", ".join(f"{name}: {value:.4f}" for name, value in found.items()))
        note = about | {"dev": {name: round(value, 4) for name, value in found.items()}}
        write_notes(partial, note, card(note))
        shutil.rmtree(work, ignore_errors=True)
    return folder


def _train(  # noqa: PLR0913, PLR0917 (what a run is made of)
    model: SentenceTransformer,
    groups: Sequence[Group],
    tagging: Tagging | None,
    options: RetrieverOptions,
    work: Path,
    report: Report,
) -> None:
    plan = planned_groups(len(groups), options)
    (sets, texts), tokenizer = tagging or Tagging((), ()), model.tokenizer
    if tagging:
        learn_tags(model, tagging, options, work / "tags", report)
    # beside each query a text with tags, lest they be forgotten
    beside = planned_texts(len(texts), len(plan), options.seed) if texts else []

    def read(rows: dict[str, list[int]]) -> dict[str, Any]:
        queries, answers, grades = map(list, zip(*(_row(groups, plan[row]) for row in rows["place"]), strict=True))
        if not beside:
            return {"query": queries, "text": answers, "label": grades}
        tagged = [texts[beside[row]] for row in rows["place"]]
        labels = [own + coded(one, tokenizer, sets) for own, one in zip(grades, tagged, strict=True)]
        return {"query": queries, "text": answers, "tagged": [one.text for one in tagged], "label": labels}

    report(f"{len(groups):,} groups an epoch, {options.epochs} epochs")
    loss = GradedLoss(model, sets)
    train_on(model, range(len(plan)), read, loss, options, work, report)


def _row(groups: Sequence[Group], place: int) -> tuple[str, str, list[float]]:
    group, at = groups[place // GROUP], place % GROUP
    asked = at < len(group.queries)
    grades = [*map(float, group.grades[at])] if asked else [0.0] * GROUP
    return group.queries[at] if asked else "", group.texts[at], grades


def planned_groups(n: int, options: RetrieverOptions) -> list[int]:
    """Places of rows in the order in which they are read, `GROUP` for each group: each group once an epoch.

    >>> planned_groups(1, RetrieverOptions(batch=8, epochs=1))
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    rng = np.random.default_rng(options.seed)
    at_once = options.batch // GROUP
    plan: list[int] = []
    for _ in range(options.epochs):
        whole = rng.permutation(n)[: n // at_once * at_once].tolist()
        plan += [group * GROUP + row for group in whole for row in range(GROUP)]
    return plan


class GradedLoss(torch.nn.Module):
    """The loss of a bi-encoder on groups, in the form in which sentence-transformers' trainer calls it."""

    def __init__(self, model: Any, sets: Sets = ()) -> None:
        super().__init__()
        self.model, self.sets = model, sets

    def forward(self, sentence_features: Sequence[dict[str, Tensor]], labels: Any) -> Tensor:
        """The loss of a batch: queries and texts, row by row, then texts with tags.

        `labels` are each query's grades of the texts of its group, and behind them the codes of the texts with tags.
        """
        first, second, *tagged = (self.model(dict(one)) for one in sentence_features)
        queries, texts = (normalize(one["sentence_embedding"], dim=1) for one in (first, second))
        rows = labels if isinstance(labels, Tensor) else torch.stack(list(labels), dim=-1)
        grades, codes = rows.to(queries.device).tensor_split([GROUP], dim=1)
        loss = graded_loss(queries @ texts.T, grades.long())
        return loss + tag_loss(tagged[0][TAGS], codes, self.sets) if tagged else loss


def graded_loss(cosines: Tensor, grades: Tensor) -> Tensor:
    """Cross-entropies of each query's softmaxes, over all texts and over those of its group, with its grades' gains.

    `cosines` are n x n, a row for each query; `grades` n x `GROUP`, of the texts of the query's own group. Queries
    without a text of at least three parts in four do not count.
    """
    gains = torch.tensor(GAINS, dtype=cosines.dtype, device=cosines.device)[grades]
    at = torch.arange(len(gains), device=cosines.device) // GROUP
    inside = at[:, None] == at[None, :]
    own = torch.zeros_like(cosines).masked_scatter(inside, gains)
    scores, counts = SCALE * cosines, gains.max(dim=1).values >= GAINS[3]
    whole = _cross_entropy(scores, torch.where(own >= _LEAST, own**2, 0.0))
    among = _cross_entropy(scores.masked_fill(~inside, -1e4), own)
    return (whole + among)[counts].mean() if counts.any() else cosines.sum() * 0.0


def _cross_entropy(scores: Tensor, gains: Tensor) -> Tensor:
    shares = gains / gains.sum(dim=1, keepdim=True).clamp_min(1e-6)
    return -(shares * torch.log_softmax(scores, dim=1)).sum(dim=1)
