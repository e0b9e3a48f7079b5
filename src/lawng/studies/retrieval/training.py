"""The adjusted training set for retrieval (LawngNLI, footnote 11): to re-rank, a model must know near misses.

"Premises are without prepending and without citation spans removed", and neutral hypotheses meet "a random incorrect
all-mpnet-base-v2 top 100 candidate" instead of their own premise. Entail and contradict examples stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lawng.datasets.splits import part_of_case, side
from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.io import atomic_folder, check_place, write_json
from lawng.io.parquet import read_table
from lawng.io.progress import progress_bar
from lawng.models.encoder import embedder
from lawng.models.protocols import Embedder
from lawng.models.vector_cache import CachedEncoder
from lawng.reports.builds import Build, open_build
from lawng.schema.labels import Label
from lawng.studies.retrieval.collection import Documents, Negate, Query, read_documents, read_queries
from lawng.studies.retrieval.paper import POOL_ENCODER, RERANKED
from lawng.studies.retrieval.systems import ranked
from lawng.text.paragraphs import bm25_view

SPLITS = ("train", "validation")
"""The test split is what is retrieved from, and trains nothing."""
SOURCES = ("data", "candidates")
_COLUMNS = (
    *("id", "hypothesis", "label", "jurisdiction", "premise_opinion_id", "premise_case_id"),
    *("citing_case_id", "cited_case_id"),
)
_CASES = ["premise_case_id", "cited_case_id"]
_WRITTEN = ("id", "premise", "hypothesis", "label", "premise_opinion_id", "cited_case_id")
SCHEMA = pa.schema([pa.field(name, pa.large_string(), nullable=False) for name in _WRITTEN])


class TrainingSet(NamedTuple):
    """Where the set lies, and its rows by split and label."""

    folder: Path
    rows: dict[str, dict[str, int]]
    dropped: int
    """Neutral examples without a wrong candidate in their jurisdiction."""


@explained()
def retrieval_training_set(  # noqa: PLR0913 (its inputs)
    build: Path,
    corpus: Path,
    folder: Path,
    *,
    encoder: str | Embedder = POOL_ENCODER,
    source: str = "data",
    whole: bool = False,
    negate: Negate | None = None,
    seed: int = 7,
) -> TrainingSet:
    """Write `data/{train,validation}.parquet` with premise, hypothesis and label, for `lawng train nli --data`.

    A premise is the five BM25 paragraphs of the raw opinion, which is what re-rankers read in table 6; the whole raw
    opinion with `whole`. The wrong opinion of a neutral example is drawn, by seed and example, from the `RERANKED`
    nearest of its jurisdiction, its own case and the citing one excepted.

    With `source` "candidates", for small data sets, the explanatory candidates of cited cases on the training side
    (`lawng.datasets.splits.side`) take the place of the examples: each entails, its negation by `negate`
    contradicts, and it is paired with a wrong opinion as neutral.

    Raises MissingError when the encoder cannot be had, InputError when build and corpus do not fit, ConfigError for
    another source.
    """
    opened = open_build(build)
    check_place(folder, "data", "training set")
    if source not in SOURCES:
        raise ConfigError(f"--from {source}: not known; there are {', '.join(SOURCES)}")
    untrained = set[str]()
    if source == "candidates":
        splits = _of_candidates(opened, negate)
    else:
        files = {split: opened.folder / "data" / f"{split}.parquet" for split in SPLITS}
        of_files = {split: read_table(file, _COLUMNS).to_pylist() for split, file in files.items()}
        splits = {
            split: [row for row in some if side(row["cited_case_id"]) == "train"] for split, some in of_files.items()
        }
        tested = read_table(opened.folder / "data" / "test.parquet", _CASES).to_pylist()
        untrained = {row[name] for row in tested for name in _CASES}
    rows = [row for some in splits.values() for row in some]
    if not rows:
        raise InputError(f"{build}: no training examples; build from a larger corpus, or with --split paper")
    documents = read_documents(corpus, {row["jurisdiction"] for row in rows})
    with atomic_folder(folder) as partial:
        loaded = embedder(encoder) if isinstance(encoder, str) else encoder
        wrong = _wrong_ones(CachedEncoder(partial / "cache", loaded), documents, rows, seed, untrained)
        counts = {
            split: _write(partial / "data" / f"{split}.parquet", list(_paired(some, documents, wrong, whole)))
            for split, some in splits.items()
        }
        about = {"encoder": loaded.name, "state": loaded.state, "seed": seed, "whole": whole, "source": source}
        write_json(partial / "manifest.json", {**about, "rows": counts})
    return TrainingSet(folder, counts, len(rows) - sum(sum(labels.values()) for labels in counts.values()))


def _of_candidates(build: Build, negate: Negate | None) -> dict[str, list[dict[str, Any]]]:
    """Rows of the same form from candidates of the training side, parted by cited case."""
    found = read_queries(build, "candidates", negate).queries
    kept = [query for query in found if query.kind == "explanatory" and side(query.target_case) == "train"]
    splits: dict[str, list[dict[str, Any]]] = {split: [] for split in SPLITS}
    for query in kept:
        label = Label.ENTAILMENT if query.stance == "entail" else Label.CONTRADICTION
        rows = splits["train" if part_of_case(query.target_case) == "train" else "validation"]
        rows += [_row(query, query.query_id, label), _row(query, f"{query.query_id}:neutral", Label.NEUTRAL)]
    return splits


def _row(query: Query, name: str, label: Label) -> dict[str, Any]:
    return {
        "id": name,
        "hypothesis": query.text,
        "label": str(label),
        "jurisdiction": query.side,
        "premise_opinion_id": query.target,
        "premise_case_id": query.target_case,
        "citing_case_id": query.citing_case,
        "cited_case_id": query.target_case,
    }


def _wrong_ones(
    encoder: CachedEncoder, documents: Documents, rows: Sequence[dict[str, Any]], seed: int, untrained: Set[str]
) -> dict[str, int]:
    """A wrong document for each neutral example that has one, by the example's id; of no case in `untrained`."""
    neutral = [row for row in rows if row["label"] == Label.NEUTRAL]
    if not neutral:
        return {}
    with progress_bar(encoder.name) as progress:
        of_documents = encoder.encode(documents.texts, progress)
    of_queries = encoder.encode([row["hypothesis"] for row in neutral])
    wrong = {}
    for row, vector in zip(neutral, of_queries, strict=True):
        own = documents.of_side.get(row["jurisdiction"], np.zeros(0, dtype=np.int64))
        nearest = ranked(of_documents[own] @ vector, own)[:RERANKED].tolist()
        # a neutral example's premise is another's already: neither it nor what the hypothesis is about
        excepted = {row["premise_case_id"], row["citing_case_id"], row["cited_case_id"], *untrained}
        left = [
            number
            for number in nearest
            if documents.cases[number] not in excepted and side(documents.cases[number]) == "train"
        ]
        if left:
            digest = blake2b(f"{seed} {row['id']}".encode(), digest_size=8).digest()
            wrong[row["id"]] = Random(digest).choice(left)
    return wrong


def _paired(
    rows: Sequence[dict[str, Any]], documents: Documents, wrong: dict[str, int], whole: bool
) -> Iterator[dict[str, str]]:
    for row in rows:
        number = wrong.get(row["id"]) if row["label"] == Label.NEUTRAL else _own(row, documents)
        if number is not None:
            text = documents.texts[number]
            yield {
                "id": row["id"],
                "premise": text if whole else bm25_view(text, row["hypothesis"]),
                "hypothesis": row["hypothesis"],
                "label": row["label"],
                "premise_opinion_id": documents.ids[number],
                "cited_case_id": documents.cases[number],
            }


def _own(row: dict[str, Any], documents: Documents) -> int:
    number = documents.number.get(row["premise_opinion_id"])
    if number is None:
        raise InputError(f"{row['id']}: its opinion is not in the corpus; is it the build's corpus?")
    return number


def _write(path: Path, rows: list[dict[str, str]]) -> dict[str, int]:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path, compression="zstd")
    return {label: sum(1 for row in rows if row["label"] == label) for label in Label}
