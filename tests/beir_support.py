"""A collection in BEIR's layout, read as other tools do."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lawng.evaluation.beir import Document, rows_by_id
from lawng.schema import Judgement


class Collection(NamedTuple):
    documents: dict[str, Document]
    queries: dict[str, str]
    judgements: list[Judgement]


def read_beir(folder: Path, split: str = "test") -> Collection:
    """Documents and queries by id, and what is relevant for which in a split."""
    corpus, queries = (
        rows_by_id((folder / name).read_text("utf-8"), name) for name in ("corpus.jsonl", "queries.jsonl")
    )
    lines = (folder / "qrels" / f"{split}.tsv").read_text("utf-8").split("\n")[1:-1]
    judged = [Judgement(query, doc, int(grade)) for query, doc, grade in (line.split("\t") for line in lines)]
    documents = {key: Document(key, row["title"], row["text"]) for key, row in corpus.items()}
    return Collection(documents, {key: row["text"] for key, row in queries.items()}, judged)
