"""Propositions as pairs for retrieval: what a court says when it cites a page, and the page, in BEIR's layout.

A sentence is a query, its citations removed; the cited pages are what is relevant to it. No reading is needed for that:
a court cites a page for what it is about, whether or not the page entails all of it (`lawng.lawngnli.propositions`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawng.datasets.splits import side
from lawng.evaluation.beir import Document, write_beir
from lawng.reports.builds import Build, case_names
from lawng.schema import Judgement
from lawng.schema.dataset import PROPOSITION

_SPLIT_OF = {"train": "train", "held-out": "test"}
_COLUMNS = [
    *("hypothesis_source", "candidate_id", "citing_opinion_id", "sentence"),
    *("cited_case_id", "cited_opinion_id", "premise_start", "premise_end"),
]


def write_pairs(build: Build, corpus: Path, folder: Path) -> dict[str, Any]:
    """Write `corpus.jsonl`, `queries.jsonl`, `qrels/train.tsv` and `qrels/test.tsv` of a build's propositions.

    Parted by cited case (`lawng.datasets.splits`): no case is both trained on and measured, and a sentence that cites
    cases of both sides is a test query for those that are held out and nothing else. Passages of one opinion that hold
    the cited pages whole are relevant, too.

    Told is how many `queries`, `documents`, `pairs` by split, and pairs of the training side `left_out` since their
    sentence cites a case that is held out, too.
    """
    queries: dict[tuple[str, str], str] = {}  # their ids by opinion and sentence
    cited: dict[str, set[tuple[str, str]]] = defaultdict(set)  # split and passage by query
    cases: dict[str, str] = {}  # cited case by passage
    spans: dict[str, set[tuple[int, int]]] = defaultdict(set)  # of the passages of an opinion
    for row in _propositions(build):
        query = queries.setdefault((row["citing_opinion_id"], row["sentence"]), row["candidate_id"])
        passage = f"{row['cited_opinion_id']}[{row['premise_start']}:{row['premise_end']}]"
        cited[query].add((_SPLIT_OF[side(row["cited_case_id"])], passage))
        cases[passage] = row["cited_case_id"]
        spans[row["cited_opinion_id"]].add((row["premise_start"], row["premise_end"]))
    qrels: dict[str, list[Judgement]] = {"train": [], "test": []}
    left_out = 0
    for query, found in cited.items():
        split = "test" if any(side_of == "test" for side_of, _ in found) else "train"
        left_out += sum(side_of != split for side_of, _ in found)
        relevant = {doc for side_of, passage in found if side_of == split for doc in _holding(passage, spans)}
        qrels[split] += [Judgement(query, doc, 1) for doc in sorted(relevant)]
    sentences = {query: sentence for (_, sentence), query in queries.items()}
    write_beir(folder, _documents(build, corpus, cases), sentences, qrels)
    pairs = {split: len(judged) for split, judged in qrels.items()}
    return {"queries": len(queries), "documents": len(cases), "pairs": pairs, "left_out": left_out}


def _propositions(build: Build) -> Iterator[dict[str, Any]]:
    for batch in build.table("candidates").batches(_COLUMNS):
        yield from (row for row in batch.to_pylist() if row["hypothesis_source"] == PROPOSITION)


def _holding(passage: str, spans: dict[str, set[tuple[int, int]]]) -> Iterator[str]:
    """The passages of the same opinion that hold this one whole, itself among them."""
    opinion, _, place = passage.rpartition("[")
    start, end = map(int, place.rstrip("]").split(":"))
    return (f"{opinion}[{a}:{b}]" for a, b in spans[opinion] if a <= start and end <= b)


def _documents(build: Build, corpus: Path, cases: dict[str, str]) -> Iterator[Document]:
    names = case_names(corpus, set(cases.values()))
    for batch in build.table("passages").batches(["key", "text"]):
        for key, text in zip(batch["key"].to_pylist(), batch["text"].to_pylist(), strict=True):
            if key in cases:
                yield Document(key, names.get(cases[key], ""), text)
