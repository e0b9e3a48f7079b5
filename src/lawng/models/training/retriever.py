"""Training of a bi-encoder for search: an argument, or what a judge says of a case, and the passage that it is about.

fit_retriever(folder, queries, options, report) -> the model's folder

By sentence-transformers' trainer, with the texts of the batch and a hard one for each query as wrong ones: now of other
pages of the same case, now BM25's best of another case.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from logging import getLogger
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import torch
from datasets import Dataset
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from transformers.utils import logging

from lawng.datasets.ranking import RankedQuery, with_neighbours
from lawng.datasets.splits import hash_of
from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.io import atomic_folder, check_place
from lawng.models.encoder import SentenceEmbedder
from lawng.models.find import OFFLINE, FoundModel, find_model
from lawng.models.folder import NOTE, device
from lawng.models.onnx.embedder import GRAPH, OnnxEmbedder
from lawng.models.onnx.encoder import export_encoder
from lawng.models.onnx.runtime import installed
from lawng.models.protocols import Embedder
from lawng.models.training.finish import retriever_card, write_note
from lawng.models.training.options import Report, RetrieverOptions
from lawng.models.training.plan import begin, digest_of
from lawng.models.training.trainer import Talk, arguments, on_one_gpu, run, settle

INT8 = "onnx"
"""The folder's own folder with the int8 graph, which `lawng index --encoder` takes too."""
TRAINED_WORDS = 100
"""Words of a passage while it is trained: half of what an index has, at a third of the time."""
_MOST_JUDGED = 1000


class Triplet(NamedTuple):
    """A query, a text that is right for it, and one that only looks so."""

    query: str
    right: str
    wrong: str
    case_id: str


@explained()
def fit_retriever(folder: Path, queries: Sequence[RankedQuery], options: RetrieverOptions, report: Report) -> Path:
    """Train a bi-encoder and write its folder, whole or not at all: the model, an int8 graph of it, a note, a card.

    A killed run leaves `.NAME.partial` beside it, from which the same command goes on. Queries of cases that are held
    out are not looked at. Raises InputError when there is nothing to train on, or something else stands at the place.
    """
    check_place(folder, NOTE, "retriever")
    of_part = {part: [query for query in queries if query.part == part] for part in ("train", "dev")}
    some = triplets(of_part["train"])
    if not some:
        raise InputError("nothing to train on: no query of a training case")
    if not planned_batches([one.case_id for one in some], options):
        raise InputError(
            f"nothing to train on: the queries are of fewer than {options.batch} cases; take a smaller batch"
        )
    base = base_of(options)
    told = {
        "base": [base.name, base.state],
        "options": asdict(options),
        "queries": {part: dict(sorted(Counter(q.source for q in own).items())) for part, own in of_part.items()},
    }
    asked = sorted(of_part["dev"], key=lambda query: hash_of(query.query_id))[:_MOST_JUDGED]
    with atomic_folder(folder) as partial:
        work = partial / "work"
        begin(work, told | {"data": digest_of(some)})
        model = load(base.place, options)
        before = first_rank(SentenceEmbedder("base", model), asked)
        _train(model, some, options, work, report)
        found = {"base": before, **saved(partial, model, lambda one: first_rank(one, asked))}
        report(", ".join(f"{name}: R@1 {value:.4f}" for name, value in found.items()))
        note = told | {"dev": {name: round(value, 4) for name, value in found.items()}, "n_dev": len(asked)}
        write_notes(partial, note, retriever_card(note))
        shutil.rmtree(work, ignore_errors=True)
    return folder


def saved(folder: Path, model: SentenceTransformer, judge: Callable[[Embedder], float]) -> dict[str, float]:
    """Save a trained bi-encoder, and its graph with eight bits where one can be made; how good both are, by name."""
    found = {"trained": judge(SentenceEmbedder("trained", model))}
    model.save_pretrained(str(folder), create_model_card=False)
    if installed("onnx", "onnxruntime"):
        (folder / INT8).mkdir(exist_ok=True)
        export_encoder(str(folder), folder / INT8, int8=True)
        found["int8"] = judge(OnnxEmbedder(folder / INT8, "int8", ""))
    return found


def write_notes(folder: Path, note: dict[str, Any], card: str) -> None:
    """What a bi-encoder's folder says of itself; its graph says it too, for whoever has that alone."""
    write_note(folder, note, card)
    if (graph := folder / INT8 / NOTE).is_file():
        graph.write_text(json.dumps(note | json.loads(graph.read_text("utf-8"))), encoding="utf-8")


def triplets(queries: Sequence[RankedQuery]) -> list[Triplet]:
    """A triplet of each query; by its hash the wrong text is of the same case, or BM25's best of another one."""
    found = []
    for query in with_neighbours(queries):
        drawn = hash_of(query.query_id)
        right = query.right[drawn % len(query.right)]
        if query.wrong:
            wrong = query.wrong[min(drawn // 64 % 2, len(query.wrong) - 1)]
            found.append(Triplet(query.text, right, wrong, query.case_id))
    return found


def base_of(options: RetrieverOptions) -> FoundModel:
    """The base that the options name; raises MissingError where it is not there, ConfigError without weights."""
    found = find_model("base model", options.base)
    if (Path(found.place) / GRAPH).is_file():
        advice = f"take a folder of sentence-transformers, or {OFFLINE}"
        raise ConfigError(f"base: {options.base} is a graph alone; {advice}")
    return found


def load(place: str, options: RetrieverOptions) -> SentenceTransformer:
    """The base model on its device, frozen as the options say. Raises ConfigError for more layers than it has."""
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    getLogger("sentence_transformers").setLevel("ERROR")
    torch.manual_seed(options.seed)
    model = SentenceTransformer(place, device=device())
    if model.max_seq_length and options.max_length > model.max_seq_length:
        raise ConfigError(f"max_length: {options.max_length} is more than {options.base} reads: {model.max_seq_length}")
    settle(model[0].model, options)
    return model


def _train(
    model: SentenceTransformer, some: Sequence[Triplet], options: RetrieverOptions, work: Path, report: Report
) -> None:
    def read(rows: dict[str, list[int]]) -> dict[str, Any]:
        own = [some[at] for at in rows["place"]]
        columns = [one.query for one in own], [one.right for one in own], [one.wrong for one in own]
        return dict(zip(("anchor", "positive", "negative"), columns, strict=True))

    order = planned_batches([one.case_id for one in some], options)
    report(f"{len(some):,} triplets an epoch, {options.epochs} epochs")
    train_on(model, order, read, MultipleNegativesRankingLoss(model), options, work, report)


def train_on(  # noqa: PLR0913, PLR0917 (what a run is made of)
    model: SentenceTransformer,
    order: Sequence[int],
    read: Callable[[dict[str, list[int]]], dict[str, Any]],
    loss: torch.nn.Module,
    options: RetrieverOptions,
    work: Path,
    report: Report,
    *,
    faster: Mapping[str, float] = MappingProxyType({}),
) -> None:
    """Train a bi-encoder; goes on from the last checkpoint in `work`.

    `order` has the places of rows, all updates one after another; `read` makes the columns of some when they are read.
    `faster` are learning rates of parameters of their own, by a pattern of their names.
    """
    limit, model.max_seq_length = model.max_seq_length, options.max_length
    steps = len(order) // options.batch
    trainer = Trainer(
        model=model,
        args=on_one_gpu(SentenceTransformerTrainingArguments(
            **arguments(options, work, options.batch), learning_rate=options.lr, seed=options.seed,
            learning_rate_mapping={**faster},
            lr_scheduler_type="linear", warmup_steps=max(1, steps // 10), dataloader_drop_last=True,
        )),
        train_dataset=Dataset.from_dict({"place": [*order]}).with_transform(read),
        loss=loss,
        callbacks=[Talk(report)],
    )  # fmt: skip
    run(trainer, work, report)
    model.max_seq_length = limit
    model.eval()


class Trainer(SentenceTransformerTrainer):
    """sentence-transformers' trainer without its model card, for which lawng writes its own."""

    def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
        """None."""


def planned_batches(cases: Sequence[str], options: RetrieverOptions) -> list[int]:
    """Places in the order in which they are read: each once an epoch, and in no batch two of one case.

    In a batch the texts of the others are wrong ones. What is left over at an epoch's end is not read.

    >>> sorted(planned_batches(["a", "b", "c", "d"], RetrieverOptions(batch=2, epochs=1)))
    [0, 1, 2, 3]
    >>> len(planned_batches(["a", "a", "a"], RetrieverOptions(batch=2, epochs=1)))
    0
    """
    rng = np.random.default_rng(options.seed)
    plan: list[int] = []
    for _ in range(options.epochs):
        left = rng.permutation(len(cases)).tolist()
        while len(batch := _distinct(left, cases, options.batch)) == options.batch:
            plan += batch
            taken = set(batch)
            left = [at for at in left if at not in taken]
    return plan


def _distinct(places: Sequence[int], cases: Sequence[str], most: int) -> list[int]:
    """The first of each case, at most so many."""
    found: dict[str, int] = {}
    for at in places:
        if len(found) == most:
            break
        found.setdefault(cases[at], at)
    return list(found.values())


def first_rank(embedder: Embedder, queries: Sequence[RankedQuery]) -> float:
    """The share of queries whose nearest text, of all the texts of all of them, is a right one (R@1)."""
    if not queries:
        return 0.0
    texts = sorted({text for query in queries for text in (*query.right, *query.wrong)})
    place = {text: at for at, text in enumerate(texts)}
    asked, there = (embedder.encode(some).vectors for some in ([query.text for query in queries], texts))
    nearest: NDArray[np.int64] = (asked @ there.T).argmax(axis=1)
    right = [{place[text] for text in query.right} for query in queries]
    return float(np.mean([at in own for at, own in zip(nearest.tolist(), right, strict=True)]))
