"""An index grows: five additions equal one rebuild, a killed run loses nothing committed, readers see whole versions."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import records_support
from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.errors import InputError, LawngError, MissingError, StageError
from lawng.index import store
from lawng.index.descriptions import DESCRIPTION_KINDS
from lawng.index.rank import Found
from lawng.index.reader import Index
from lawng.index.store import Store
from lawng.index.writer import index_corpus
from lawng.io.atomic_io import alone
from lawng.schema import Case, Filters, Opinion
from retrieval_support import parts, sample_cases, sample_corpus, write_corpus

N_QUERIES = 50
CASE_IDS = [case.case_id for case, _ in sample_cases()]


@cache
def queries() -> list[str]:
    """Sentences of opinions and words of parentheticals, from all over the sample."""
    opinions = [opinion for _, opinions in sample_cases() for opinion in opinions]
    return [
        " ".join(opinions[n % len(opinions)].text.split()[40 + n : 60 + n]) or "the rule of law"
        for n in range(N_QUERIES)
    ]


def answers(index: Index, n_queries: int = 5) -> dict[str, Any]:
    """All that two equal indices must agree on, but the order that rows came in."""
    found: dict[str, Any] = {"facets": index.facets(), "sizes": index.info[1:5]}
    for query in queries()[:n_queries]:
        vector = index.encode(query)
        found[query] = (
            index.match_passages(query, 20),
            index.match_descriptions(query, 20),
            nearly(index.near_passages(vector, 20)),
            nearly(index.near_descriptions(vector, 20)),
            index.match_opinions(query, 20),
            index.match_passages(query, 20, Filters(jurisdictions=("us",), parts=("majority",))),
        )
    found["cases"] = index.cases(CASE_IDS)
    found["descriptions"] = index.descriptions_of(CASE_IDS, 1000, DESCRIPTION_KINDS)
    found["citing"] = {case_id: index.citing(case_id, 1000) for case_id in CASE_IDS}
    found["treatments"] = index.treatments_of(CASE_IDS, separate=True), index.case_treatments(CASE_IDS)
    found["links"] = [index.citations(o) for case in found["cases"].values() for o in case.opinions]
    return found


def nearly(found: list[Found]) -> list[tuple[str, str, Any]]:
    """The same results in the same order; sums of products differ in the last digit by the order of additions."""
    return [(f.id, f.case_id, close_to(f.score)) for f in found]


def indexed(place: Path, *corpora: Path, batch: int = 60) -> Index:
    for number, corpus in enumerate(corpora):
        index_corpus(corpus, place, HashingEncoder(), add=number > 0, batch=batch)
    return Index.open(place, HashingEncoder())


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return indexed(tmp_path_factory.mktemp("rebuilt") / "index", sample_corpus(), batch=10_000)


@pytest.fixture(scope="module")
def expected(rebuilt: Index) -> dict[str, Any]:
    return answers(rebuilt, N_QUERIES)


def test_the_sample_has_what_growth_can_break(expected: dict[str, Any]) -> None:
    assert all(len(found) == 20 for query in queries() for found in expected[query][2:4])
    assert sum(len(found) for query in queries() for found in expected[query][:2]) > 1500
    assert sum(case.cited_by for case in expected["cases"].values()) > 100
    assert sum(map(len, expected["treatments"][0].values())) > 100


@pytest.mark.slow("makes six indexes")
@pytest.mark.parametrize("with_partitions", [False, True], ids=["few vectors", "partitioned vectors"])
def test_five_additions_equal_one_rebuild(
    tmp_path: Path, expected: dict[str, Any], with_partitions: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if with_partitions:
        monkeypatch.setattr(store, "_IVF_FROM", 100)
        monkeypatch.setattr(store, "_FEWEST_PARTITIONS", 4)
    corpora = [write_corpus(tmp_path / f"corpus{n}", cases) for n, cases in enumerate(parts(5))]
    grown = indexed(tmp_path / "index", *corpora)
    assert grown.version > 10
    found = answers(grown, N_QUERIES)
    for what, value in expected.items():
        assert found[what] == value, what
    if with_partitions:
        kinds = {i.index_type for i in grown._tables["passages"].list_indices()}
        assert "IvfFlat" in kinds


def test_a_case_that_is_there_already_is_skipped_and_counted(tmp_path: Path) -> None:
    first = write_corpus(tmp_path / "first", sample_cases()[:6])
    both = write_corpus(tmp_path / "both", sample_cases()[:9])
    index_corpus(first, tmp_path / "index", HashingEncoder())
    encoder = HashingEncoder()
    result = index_corpus(both, tmp_path / "index", encoder, add=True)
    assert (result.n_added, result.n_skipped, result.commit.n_cases) == (3, 6, 9)
    again = index_corpus(first, tmp_path / "index", encoder, add=True)
    assert (again.n_added, again.n_skipped, again.n_texts) == (0, 6, 0)
    assert again.commit == result.commit


def test_the_same_corpus_again_changes_nothing(rebuilt: Index) -> None:
    result = index_corpus(sample_corpus(), rebuilt.place, HashingEncoder())
    assert (result.n_added, result.n_texts, result.commit.number) == (0, 0, rebuilt.version)


def cited_pair() -> tuple[tuple[Case, list[Opinion]], tuple[Case, list[Opinion]]]:
    """A case that is described, and one that describes it."""
    cases = {case.case_id: (case, opinions) for case, opinions in sample_cases()}
    return cases["cap:9200002"], cases["cap:9300012"]


def test_a_case_that_comes_late_links_what_waited_for_it(tmp_path: Path) -> None:
    cited, citing = cited_pair()
    later, earlier = write_corpus(tmp_path / "cited", [cited]), write_corpus(tmp_path / "citing", [citing])
    alone_ = indexed(tmp_path / "index", earlier)
    assert alone_.info.n_descriptions == 0
    assert all(c.cited_case_id != cited[0].case_id for c in alone_.citations(citing[1][0].opinion_id))
    index_corpus(later, tmp_path / "index", HashingEncoder(), add=True)
    both = alone_.refreshed()
    assert both.version > alone_.version
    assert both.cases([cited[0].case_id])[cited[0].case_id].cited_by == 1
    described = both.descriptions_of([cited[0].case_id], 100)[cited[0].case_id]
    assert described
    assert both.match_descriptions(described[0].text, 1)[0].case_id == cited[0].case_id
    assert any(c.cited_case_id == cited[0].case_id for c in both.citations(citing[1][0].opinion_id))
    assert alone_.info.n_descriptions == len(alone_.match_descriptions(described[0].text, 9)) == 0, "stays as it was"


def test_a_cite_that_becomes_ambiguous_unlinks(tmp_path: Path) -> None:
    cited, citing = cited_pair()
    double: tuple[Case, list[Opinion]] = (
        replace(cited[0], case_id="cap:2", name="Double v. Trouble", name_full="Double v. Trouble"),
        [records_support.opinion("cap:2", ["Affirmed."])],
    )
    before = write_corpus(tmp_path / "before", [cited, citing])
    corpora = [before, write_corpus(tmp_path / "double", [double])]
    linked = indexed(tmp_path / "index", before)
    described = linked.descriptions_of([cited[0].case_id], 100)[cited[0].case_id]
    assert described
    grown = indexed(tmp_path / "grown", *corpora)
    once = indexed(tmp_path / "once", write_corpus(tmp_path / "all", [cited, citing, double]))
    cite = cited[0].citations[0].cite
    for index in (grown, once):
        assert index.cases_by_cite(cite) == sorted(["cap:2", cited[0].case_id])
        assert index.info.n_descriptions == 0
        assert index.cases([cited[0].case_id])[cited[0].case_id].cited_by == 0
        assert index.match_descriptions(described[0].text, 5) == []
        assert index.citing(cited[0].case_id, 5) == []


@pytest.mark.slow("makes an index four times")
def test_scores_of_descriptions_forget_what_was_unlinked(tmp_path: Path) -> None:
    cases = [pair for pair in sample_cases() if not pair[0].case_id.startswith("cap:91")]
    cited = next(case for case, _ in cases if case.case_id == "cap:9200002")
    double: tuple[Case, list[Opinion]] = (
        replace(cited, case_id="cap:2"),
        [records_support.opinion("cap:2", ["Affirmed."])],
    )
    grown = indexed(tmp_path / "grown", write_corpus(tmp_path / "a", cases), write_corpus(tmp_path / "b", [double]))
    once = indexed(tmp_path / "once", write_corpus(tmp_path / "c", [*cases, double]))
    assert grown.info.n_descriptions == once.info.n_descriptions
    for query in queries()[:20]:
        assert grown.match_descriptions(query, 20) == once.match_descriptions(query, 20)


KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from lawng.index import writer
from encoder_support import HashingEncoder

commit, n = writer._Run.commit, 0
def counted(run, complete):
    global n
    if {before} == n:
        os.kill(os.getpid(), signal.SIGKILL)
    commit(run, complete)
    n += 1
writer._Run.commit = counted
writer.index_corpus(Path({corpus!r}), {place!r}, HashingEncoder(), add={add}, batch=60)
"""


def killed(corpus: Path, place: Path, before: int, add: bool = False) -> None:
    """Index in a process that is killed when it is about to make a commit: rows are written, the commit is not."""
    names = {"tests": str(Path(__file__).parents[1]), "corpus": str(corpus), "place": str(place)}
    code = KILLED.format(**names, before=before, add=add)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr[-2000:]


@pytest.mark.slow("makes an index in many small commits")
@pytest.mark.parametrize("before", [0, 3, 10], ids=["first batch", "a later batch", "indices made"])
def test_a_killed_run_goes_on_and_equals_an_unkilled_one(tmp_path: Path, expected: dict[str, Any], before: int) -> None:
    place = tmp_path / "index"
    killed(sample_corpus(), place, before)
    with pytest.raises(StageError, match="not finished yet"):
        Index.open(place)
    committed = Store(place).commits()
    assert len(committed) == before
    encoder = HashingEncoder()
    result = index_corpus(sample_corpus(), place, encoder, batch=60)
    kept = committed[-1].n_cases if committed else 0
    assert (result.n_skipped, result.n_added) == (kept, len(CASE_IDS) - kept), "what was committed is not read again"
    found = answers(Index.open(place, HashingEncoder()))
    assert found == {what: expected[what] for what in found}


@pytest.mark.slow("makes an index in many small commits")
def test_a_killed_addition_leaves_the_last_good_version(tmp_path: Path) -> None:
    first = write_corpus(tmp_path / "first", sample_cases()[:25])
    rest = write_corpus(tmp_path / "rest", sample_cases()[25:])
    place = tmp_path / "index"
    before = indexed(place, first)
    good = answers(before)
    killed(rest, place, 2, add=True)
    assert answers(before) == good, "who had it open"
    assert answers(Index.open(place, HashingEncoder())) == good, "who opens it"
    assert before.refreshed() is before
    with pytest.raises(StageError, match="was interrupted"):
        index_corpus(first, place, HashingEncoder(), add=True)
    index_corpus(rest, place, HashingEncoder(), add=True)
    assert answers(before) == good, "who had it open, though it grew"
    assert before.refreshed().info.n_cases == 50


def test_an_index_that_is_made_anew_is_another_one_whatever_its_number(tmp_path: Path) -> None:
    corpora = [write_corpus(tmp_path / f"corpus{n}", sample_cases()[:n]) for n in (3, 4)]
    place = tmp_path / "index"
    before = indexed(place, corpora[0])
    assert before.refreshed() is before
    shutil.rmtree(place)
    again = indexed(place, corpora[1])
    assert again.version == before.version
    after = before.refreshed()
    assert (after.info.n_cases, after.encoder is before.encoder) == (4, True), "the same encoder, already loaded"
    shutil.rmtree(place)
    index_corpus(corpora[1], place, HashingEncoder("another"))
    with pytest.raises(MissingError, match="another"):
        _ = after.refreshed().encoder  # its own is looked for; it is in no vectors of the old one's


@pytest.mark.slow("waits until versions are old")
def test_old_versions_go_and_those_of_readers_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MARGIN", timedelta(seconds=3))
    corpora = [write_corpus(tmp_path / f"corpus{n}", cases) for n, cases in enumerate(parts(16)[:4])]
    place = tmp_path / "index"
    indexed(place, corpora[0])
    oldest = Store(place).complete().version_of
    second = indexed(place, corpora[0], corpora[1])
    time.sleep(3.5)
    for corpus in corpora[2:]:
        index_corpus(corpus, place, HashingEncoder(), add=True)
    versions = [v["version"] for v in Store(place).connection.open_table("passages").list_versions()]
    assert oldest["passages"] not in versions
    last_two = [c.version_of["passages"] for c in Store(place).commits() if c.complete][-2:]
    assert set(last_two) <= set(versions)
    assert second.refreshed().info.n_cases == sum(len(cases) for cases in parts(16)[:4])


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", sample_cases()[:2])
    place = tmp_path / "index"
    place.mkdir()
    with alone(place, place), pytest.raises(StageError, match="another process"):
        index_corpus(corpus, place, HashingEncoder())


def test_a_writer_that_another_one_overtook_commits_nothing(tmp_path: Path) -> None:
    place = tmp_path / "index"
    indexed(place, write_corpus(tmp_path / "corpus", sample_cases()[:2]))
    there = Store(place)
    last = there.commits()[-1]
    there.append(replace(last, number=last.number + 1))
    with pytest.raises(StageError, match="another process is writing"):
        there.append(replace(last, number=last.number + 1))


def no_index(place: Path) -> None:
    """Nothing."""


def empty_folder(place: Path) -> None:
    place.mkdir()


def foreign_folder(place: Path) -> None:
    place.mkdir()
    (place / "precious.txt").write_text("mine")


def a_file(place: Path) -> None:
    place.write_text("mine")


def broken_commits(place: Path) -> None:
    indexed(place, write_corpus(place.with_name("two"), sample_cases()[:2]))
    for path in (place / "commits.lance").rglob("*.lance"):
        path.write_bytes(b"broken")


def broken_version(place: Path) -> None:
    indexed(place, write_corpus(place.with_name("two"), sample_cases()[:2]))
    shutil.rmtree(place / "passages.lance" / "_versions")


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        pytest.param(no_index, MissingError, "no index here", id="nothing there"),
        pytest.param(empty_folder, InputError, "not an index", id="empty folder"),
        pytest.param(foreign_folder, InputError, "not an index", id="foreign folder"),
        pytest.param(a_file, MissingError, "no index here", id="file"),
        pytest.param(broken_commits, InputError, "cannot be read", id="broken commits"),
        pytest.param(broken_version, InputError, "cannot be read", id="broken version"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(tmp_path: Path, make: Any, error: type, said: str) -> None:
    make(tmp_path / "index")
    with pytest.raises(error, match=said) as caught:
        Index.open(tmp_path / "index")
    assert "\n" not in str(caught.value)
    assert str(tmp_path / "index") in str(caught.value)


@pytest.mark.parametrize("make", [foreign_folder, a_file])
def test_what_is_no_index_is_not_written_over(tmp_path: Path, make: Any) -> None:
    place = tmp_path / "index"
    make(place)
    before = sorted(p.name for p in tmp_path.rglob("*"))
    with pytest.raises(InputError, match=r"name another place|name a folder"):
        index_corpus(sample_corpus(), place, HashingEncoder())
    assert sorted(p.name for p in tmp_path.rglob("*")) == before


def test_runs_that_make_no_sense_are_refused(tmp_path: Path, rebuilt: Index) -> None:
    other = write_corpus(tmp_path / "other", sample_cases()[:2])
    empty = write_corpus(tmp_path / "empty", [])
    tries: list[tuple[type[LawngError], str, Any]] = [
        (MissingError, "no index to add to", lambda: index_corpus(other, tmp_path / "index", add=True)),
        (MissingError, "not a corpus", lambda: index_corpus(tmp_path, tmp_path / "index", HashingEncoder())),
        (InputError, "--add adds to it", lambda: index_corpus(other, rebuilt.place, HashingEncoder())),
        (InputError, "has no opinion to index", lambda: index_corpus(empty, tmp_path / "index2", HashingEncoder())),
    ]
    for error, said, run in tries:
        with pytest.raises(error, match=said) as caught:
            run()
        assert "\n" not in str(caught.value)
