"""A test collection in BEIR's layout, so that other tools can score on it.

write_beir(folder, documents, queries, qrels)     rows_by_id(text, place) -> rows of a corpus or of queries
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lawng.errors import InputError
from lawng.io import atomic_file
from lawng.schema import Judgement

_HEADER = ["query-id", "corpus-id", "score"]


class Document(NamedTuple):
    """A document of a collection."""

    doc_id: str
    title: str
    text: str


def write_beir(
    folder: Path, documents: Iterable[Document], queries: Mapping[str, str], qrels: Mapping[str, Iterable[Judgement]]
) -> None:
    """Write `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv`; each file appears whole, the qrels last.

    `qrels` are judgements by split, such as `{"test": [...]}`.
    """
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    with atomic_file(folder / "corpus.jsonl") as file:
        file.writelines(_line({"_id": doc.doc_id, "title": doc.title, "text": doc.text}) for doc in documents)
    with atomic_file(folder / "queries.jsonl") as file:
        file.writelines(_line({"_id": query, "text": text}) for query, text in queries.items())
    for split, judgements in qrels.items():
        with atomic_file(folder / "qrels" / f"{split}.tsv") as file:
            file.write("\t".join(_HEADER) + "\n")
            file.writelines(f"{row.query_id}\t{row.doc_id}\t{row.relevance}\n" for row in judgements)


def _line(row: dict[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def rows_by_id(text: str, place: str) -> dict[str, dict[str, Any]]:
    """The rows of a file's text by their id, in its order; `place` is what messages call the file.

    >>> rows_by_id('{"_id": "c1", "text": "Cap."}', "corpus.jsonl")
    {'c1': {'_id': 'c1', 'text': 'Cap.'}}

    Raises InputError naming the line that is no such row, or has an id for the second time.
    """
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("_id", "text")):
                raise InputError(f"{place}:{number}: no JSON object with the texts `_id` and `text`; mend the line")
            if row["_id"] in found:
                raise InputError(f"{place}:{number}: the id {row['_id']} stands twice; keep one")
            found[row["_id"]] = row
    return found
