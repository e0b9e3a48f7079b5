"""A record's whole way through a build: from the citing page to the label, or to the stage that dropped it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lawng.errors import InputError
from lawng.reports.builds import Build, corpus_table, path_of
from lawng.schema.dataset import AGAIN, candidate_of
from lawng.schema.labels import LABELS

KINDS = ("original", "twin")


@dataclass(frozen=True, slots=True)
class Passed:
    """A stage that the record passed, and what it was when it came out."""

    stage: str
    table: str
    row: dict[str, Any]


@dataclass(slots=True)
class Way:
    """All that a build (and a corpus) knows of one record."""

    id: str
    citation: dict[str, Any] | None = None
    candidate: dict[str, Any] | None = None
    passed: list[Passed] = field(default_factory=list)
    rejects: list[dict[str, Any]] = field(default_factory=list)
    """`Reject`s with the folder name of their stage as `folder`."""
    examples: list[dict[str, Any]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    """Finished rows of the data set, the original before its twin; [] for what was rejected."""
    cited_text: str = ""
    """The short premise as in the cited opinion, where the build or the corpus has it."""
    citing_opinion: dict[str, Any] | None = None
    cases: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Cases by id, when a corpus was given."""


def trace(build: Build, record_id: str, corpus: Path | None = None) -> Way:
    """The way of an example, a candidate or a reject by its id.

    Raises InputError when no stage of the build knows the id.
    """
    kind = record_id.rpartition(":")[2]
    candidate_id = candidate_of(record_id) if kind in KINDS else record_id.removesuffix(f":{AGAIN}")
    way = Way(record_id)
    way.candidate = next(iter(build.table("candidates").find("candidate_id", [candidate_id])), None)
    way.passed = list(_passed(build, candidate_id))
    # a citation without a parenthetical has the same id as the proposition that stands to it
    other = "no-parenthetical" if way.candidate else None
    way.rejects = [r for r in _rejects(build, {candidate_id, record_id}) if r["reason"] != other]
    way.examples = build.table("examples").find("candidate_id", [candidate_id])
    way.examples.sort(key=lambda example: (f":{AGAIN}:" in example["example_id"], example["is_twin"]))
    for example in way.examples:
        way.rows += build.split(example["split"]).find("id", [example["example_id"]])
    if not (way.candidate or way.passed or way.rejects):
        raise InputError(f"no record {record_id} in {build.folder}; `lawng show {build.folder} --random 5` lists some")
    opinion_id, _, start = candidate_id.rpartition("@")
    way.citation = _citation(build, opinion_id, int(start)) if start.isdigit() else None
    _add_sources(way, build, corpus, opinion_id)
    return way


def _passed(build: Build, candidate_id: str) -> Iterator[Passed]:
    for stage in build.stages:
        for name in build.tables(stage):
            table = build.table(name)
            if name != "examples" and (path := path_of(table.schema, "candidate_id")):
                yield from (Passed(stage, name, row) for row in table.find(path, [candidate_id]))


def _rejects(build: Build, ids: set[str]) -> Iterator[dict[str, Any]]:
    wanted = ids | {f"{one}:{kind}" for one in ids for kind in (*KINDS, AGAIN)}
    for stage in build.stages:
        yield from ({"folder": stage, **row} for row in build.rejects(stage).find("id", wanted))


def _citation(build: Build, opinion_id: str, start: int) -> dict[str, Any] | None:
    """The citation whose parenthetical (or, for rejects without one, whose core) begins at `start`."""
    for citation in build.table("citations").find("opinion_id", [opinion_id]):
        if start in (citation["start"], citation["full_start"], *(p["start"] for p in citation["parentheticals"])):
            return citation
    return None


def _add_sources(way: Way, build: Build, corpus: Path | None, citing_id: str) -> None:
    if way.candidate:
        way.cited_text = _stored_premise(way.candidate, build)
    if corpus is None:
        return
    opinions = corpus_table(corpus, "opinions")
    way.citing_opinion = next(iter(opinions.find("opinion_id", [citing_id])), None)
    if way.candidate and not way.cited_text:
        for cited in opinions.find("opinion_id", [way.candidate["cited_opinion_id"]], ["text"]):
            way.cited_text = cited["text"][way.candidate["premise_start"] : way.candidate["premise_end"]]
    way.cases = {case["case_id"]: case for case in corpus_table(corpus, "cases").find("case_id", _case_ids(way))}


def _stored_premise(candidate: dict[str, Any], build: Build) -> str:
    """The cited pages as the opinion has them, where some example has them for its premise."""
    place = (candidate["premise_start"], candidate["premise_end"])
    stored = build.table("short_premises").find("opinion_id", [candidate["cited_opinion_id"]])
    return next((row["raw"] for row in stored if (row["start"], row["end"]) == place), "")


def _case_ids(way: Way) -> set[str]:
    ids = {row[key] for row in [*way.rows, way.candidate or {}] for key in row if key.endswith("_case_id")}
    ids |= {passed.row["alternative"]["case_id"] for passed in way.passed if "alternative" in passed.row}
    if way.citing_opinion:
        ids.add(way.citing_opinion["case_id"])
    if way.citation and way.citation["cited_case_id"]:
        ids.add(way.citation["cited_case_id"])
    return ids


def sample_ids(build: Build, n: int, label: str | None = None, seed: int = 0) -> list[str]:
    """Ids of `n` examples drawn by seed, of one label if given; the same whatever the order of the files.

    Raises InputError when the label is none of the three.
    """
    if label is not None and label not in set(LABELS):
        raise InputError(f"there is no label {label}; the labels are {', '.join(LABELS)}")
    ids = [
        example_id
        for batch in build.table("examples").batches(["example_id", "label"])
        for example_id, found in zip(batch["example_id"].to_pylist(), batch["label"].to_pylist(), strict=True)
        if label in (None, found)
    ]
    return sorted(ids, key=lambda one: hashlib.sha256(f"{seed}:{one}".encode()).digest())[:n]
