"""The whole way on real opinions: import, build, and what must hold of the result."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from lawng.config import load_config
from lawng.corpus.importer import import_corpus
from lawng.io import iter_records
from lawng.lawngnli.build import BuildResult, build_dataset
from lawng.pipeline import Settings
from lawng.reports.builds import Build
from lawng.reports.funnel import read_funnel
from lawng.schema import Candidate, Citation, Example, Opinion

SHARED = Path(os.environ.get("LAWNG_SHARED", Path(__file__).parents[3] / "shared"))
SOURCE = SHARED / "data" / "courtlistener-scotus"
EYECITE_ON_PAGE = 228
"""Distinct parentheticals with an on-page pin that plain eyecite finds in this corpus."""

pytestmark = [
    pytest.mark.skipif(not SOURCE.is_dir(), reason="the shared Supreme Court corpus is not here"),
    pytest.mark.slow("imports and builds a corpus of the Supreme Court"),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("real") / "corpus"
    import_corpus([SOURCE], folder, None, Settings(workers=2))
    return folder


@pytest.fixture(scope="module")
def built(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    return build_dataset(corpus, tmp_path_factory.mktemp("built") / "build", load_config(given={"engine.workers": 2}))


@pytest.fixture(scope="module")
def examples(built: BuildResult) -> list[Example]:
    return list(iter_records(built.folder / "stages" / "70-balance" / "examples", Example))


def test_in_is_out_plus_rejects_at_every_stage(built: BuildResult) -> None:
    steps = read_funnel(Build(built.folder))  # raises where the tallies, the stored rows or two stages disagree
    assert len(steps) >= 8
    screened = next(step for step in steps if "Accuracy" in step.title)
    assert screened.n_dropped > 0


def test_every_reject_has_a_reason(built: BuildResult) -> None:
    rejects = pq.read_table(built.folder / "rejects.parquet").to_pylist()
    assert len(rejects) == sum(stage.tally.n_rejects for stage in built.stages) > 0
    assert all(row["id"] and re.fullmatch(r"[a-z]+(-[a-z]+)*", row["reason"]) for row in rejects)


def test_more_than_twice_eyecites_on_page_parentheticals(built: BuildResult, corpus: Path) -> None:
    marked: dict[str, set[int | None]] = {}
    for opinion in iter_records(corpus / "opinions", Opinion):
        marked.setdefault(opinion.case_id, set()).update(mark.number for mark in opinion.pages)
    found = iter_records(built.folder / "stages" / "10-citations" / "citations", Citation)
    distinct = {
        (citation.opinion_id.partition("/")[0], citation.cited_case_id, " ".join(paren.text.split()))
        for citation in found
        if citation.pin_pages and set(citation.pin_pages) <= marked.get(citation.cited_case_id or "", set())
        for paren in citation.parentheticals
    }
    assert len(distinct) > 2 * EYECITE_ON_PAGE
    candidates = list(iter_records(built.folder / "stages" / "20-candidates" / "candidates", Candidate))
    assert len(candidates) > 1.8 * EYECITE_ON_PAGE  # with the page in the one majority opinion


def test_candidates_slice_their_opinions(built: BuildResult, corpus: Path) -> None:
    opinions = {opinion.opinion_id: opinion for opinion in iter_records(corpus / "opinions", Opinion)}
    for c in iter_records(built.folder / "stages" / "20-candidates" / "candidates", Candidate):
        said = opinions[c.citing_opinion_id].text[c.start : c.end]
        assert " ".join(said.split()) == c.hypothesis
        cited = opinions[c.cited_opinion_id]
        assert cited.type == "majority"
        starts, ends = {span.start for span in cited.paragraphs}, {span.end for span in cited.paragraphs}
        assert c.premise_start in starts
        assert c.premise_end in ends


def test_the_data_set_is_balanced_exactly(examples: list[Example]) -> None:
    assert examples
    for analysis in (True, False):
        cells = Counter((e.label, e.pivotal_negation) for e in examples if e.analysis is analysis)
        # entail+negation with contradict+none, its mirror image, and neutral are equally many, and twins mirror each (A.1.8)
        assert len(set(cells.values())) <= 1
        assert len(cells) in (0, 6)


def test_every_example_has_its_twin(examples: list[Example]) -> None:
    by_id = {e.example_id: e for e in examples}
    for e in examples:
        twin = by_id[e.twin_id]
        assert twin.twin_id == e.example_id
        assert twin.pivotal_negation is not e.pivotal_negation
        assert twin.hypothesis != e.hypothesis
        assert (twin.premise_opinion_id, twin.premise_start, twin.split) == (
            e.premise_opinion_id,
            e.premise_start,
            e.split,
        )
        flipped = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "neutral"}
        assert twin.label == flipped[e.label]


def test_no_case_is_cited_or_cites_on_two_sides(examples: list[Example]) -> None:
    sides: dict[str, set[str]] = {}
    for e in examples:
        for case in (e.cited_case_id, e.citing_case_id, e.premise_case_id):
            sides.setdefault(case, set()).add(e.split)
    assert all(len(splits) == 1 for splits in sides.values())


def test_datasets_loads_it(built: BuildResult, tmp_path: Path) -> None:
    from datasets import load_dataset

    loaded = load_dataset(str(built.folder), cache_dir=str(tmp_path))
    assert sum(split.num_rows for split in loaded.values()) == sum(built.rows.values())
