"""Whole builds of the bundled sample: same bytes however they run, and whatever kills them on the way."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from beir_support import read_beir
from floats_support import close_to
from lawng.config import Config, load_config
from lawng.corpus.importer import import_corpus
from lawng.datasets.splits import side
from lawng.errors import InputError, MissingError
from lawng.io import iter_records, read_table
from lawng.lawngnli.build import BuildResult, build_dataset
from lawng.lawngnli.records import Paired, Verdict, own_premise, passage_key
from lawng.pipeline import Settings, read_stage
from lawng.reports.builds import Build
from lawng.reports.dataset import SPLITS
from lawng.reports.release import export_ids, rebuild
from lawng.reports.trace import trace
from lawng.reports.trace_view import way_panels
from lawng.schema import Candidate, Example, Reject

SAMPLE = Path(__file__).parents[2] / "sample" / "caselaw"
STAGES = ["10-citations", "40-negation", "55-vectors", "60-neutral", "80-premises"]
BUILD = [sys.executable, "-c", "from lawng.cli import main; main()", "build", "--hypotheses", "both"]


def config(**values: object) -> Config:
    return load_config(
        given={
            "engine.workers": 1,
            "hypotheses.source": "both",
            **{name.replace("__", "."): value for name, value in values.items()},
        }
    )


pytestmark = pytest.mark.slow("builds the sample with its models")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "corpus"
    import_corpus([SAMPLE / "ill-2d", SAMPLE / "mass"], folder, None, Settings(workers=1))
    return folder


@pytest.fixture(scope="module")
def built(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    return build_dataset(corpus, tmp_path_factory.mktemp("built") / "build", config())


def tree(folder: Path) -> dict[str, str]:
    """Digests of all files, the log of run times left out."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "log.jsonl")
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_build_has_all_its_parts(built: BuildResult) -> None:
    names = {path.name for path in built.folder.iterdir()}
    assert {"data", "stages", "manifest.json", "README.md", "funnel.txt", "rejects.parquet", "log.jsonl"} <= names
    assert "scratch" not in names
    assert [path.name for path in built.folder.parent.iterdir()] == ["build"]
    assert sum(built.rows.values()) > 20


def test_the_books_balance_from_stage_to_stage(built: BuildResult) -> None:
    tallies = {stage.name: stage.tally for stage in built.stages}
    chain = ["15-sought", "20-candidates", "30-accuracy", "40-negation", "50-labels", "60-neutral"]
    for name in chain:
        what, table = read_stage(built.folder / "stages" / name)["balance"]
        assert tallies[name].seen[what] == tallies[name].out[table] + tallies[name].n_rejects
    for before, after in pairwise(chain):
        assert sum(tallies[after].seen.values()) == next(iter(tallies[before].out.values()))
    last = tallies["70-balance"]
    paired = list(iter_records(built.folder / "stages/60-neutral/paired", Paired))
    assert last.seen["uses"] == len(paired) + sum(p.item.candidate.hypothesis_source == "proposition" for p in paired)
    assert last.seen["uses"] == last.out["examples"] / 2 + last.n_rejects
    assert sum(built.rows.values()) == last.out["examples"] == tallies["80-premises"].out["views"]


def test_propositions_are_told_from_parentheticals_from_step_to_step(built: BuildResult) -> None:
    stored = json.loads((built.folder / "statistics.json").read_text())
    sources, tallies = stored["sources"], {stage.name: stage.tally for stage in built.stages}
    assert set(sources) == {"parenthetical", "proposition"}
    for stage, table in (("15-sought", "sought"), ("20-candidates", "candidates"), ("30-accuracy", "screened")):
        assert sum(counts[table] for counts in sources.values()) == tallies[stage].out[table], table
    assert 0 < sources["proposition"]["screened"] < sources["proposition"]["candidates"] / 2
    verdicts = list(iter_records(built.folder / "stages/30-accuracy/verdicts", Verdict))
    rejects = Counter(one.stage for one in iter_records(built.folder / "stages/30-accuracy/rejects", Reject))
    assert len(verdicts) == sources["proposition"]["screened"] + rejects["verifier"]
    assert {one.label for one in verdicts} == {"entailed", "partly", "not"}
    judged = stored["verdicts"]["verifier"]
    assert judged == dict(Counter(one.label for one in verdicts)), "nobody has read the fictional ones"
    assert set(stored["verdicts"]) == {"verifier"}
    card = (built.folder / "README.md").read_text()
    assert "Hypotheses by source" in card
    assert f"| verifier | {judged['entailed']} | {judged['partly']} | {judged['not']} |" in card
    rows = [r for s in SPLITS for r in pq.read_table(built.folder / f"data/{s}.parquet").to_pylist()]
    neutral = [r["overlap"] for r in rows if r["label"] == "neutral" and r["hypothesis_source"] == "proposition"]
    assert stored["overlap"]["neutral"] == close_to(np.percentile(neutral, [0, 100 / 3, 200 / 3, 100]))
    assert "easy and hard thirds" in card


def test_each_proposition_is_a_pair_for_retrieval_on_the_side_of_its_case(built: BuildResult) -> None:
    train, test = (read_beir(built.folder / "retrieval", split) for split in ("train", "test"))
    candidates = list(iter_records(built.folder / "stages/20-candidates/candidates", Candidate))
    said = [one for one in candidates if one.hypothesis_source == "proposition"]
    assert set(train.queries.values()) == {one.sentence for one in said}
    assert len(train.documents) == len({passage_key(own_premise(one)) for one in said})
    case_of = {passage_key(own_premise(one)): one.cited_case_id for one in said}
    for split, expected in ((train, "train"), (test, "held-out")):
        assert {side(case_of[judged.doc_id]) for judged in split.judgements} == {expected}
    assert not {j.query_id for j in train.judgements} & {j.query_id for j in test.judgements}
    counted = json.loads((built.folder / "statistics.json").read_text())["retrieval"]
    assert counted["pairs"] == {"train": len(train.judgements), "test": len(test.judgements)}
    own = {(one.sentence, passage_key(own_premise(one))) for one in said}
    judged = {(train.queries[j.query_id], j.doc_id) for j in [*train.judgements, *test.judgements]}
    assert len(own - judged) == counted["left_out"]
    for sentence, doc in judged - own:  # a longer passage of the opinion, which holds the pages whole
        opinion, _, place = doc.rpartition("[")
        start, end = map(int, place.rstrip("]").split(":"))
        assert any(
            one.sentence == sentence
            and one.cited_opinion_id == opinion
            and (start <= one.premise_start and one.premise_end <= end)
            for one in said
        )


def test_the_way_of_a_proposition_does_not_call_it_a_citation_without_a_parenthetical(built: BuildResult) -> None:
    build = Build(built.folder)
    said = [one for one in iter_records(build.table("candidates").folder, Candidate) if one.kind == "sentence"]
    known = {row["id"] for row in build.rejects("15-sought").find("reason", ["no-parenthetical"])}
    bare = [one.candidate_id for one in said if one.candidate_id in known]
    assert bare, "some citation of a proposition has no parenthetical"
    assert all(r["reason"] != "no-parenthetical" for r in trace(build, bare[0]).rejects)


def test_datasets_loads_the_pairs_for_retrieval(built: BuildResult, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    folder = built.folder / "retrieval"
    for name, columns in (("corpus", ["_id", "title", "text"]), ("queries", ["_id", "text"])):
        loaded = datasets.load_dataset("json", data_files=str(folder / f"{name}.jsonl"), cache_dir=str(tmp_path))
        assert loaded["train"].column_names == columns
    qrels = {split: str(folder / "qrels" / f"{split}.tsv") for split in ("train", "test")}
    loaded = datasets.load_dataset("csv", data_files=qrels, delimiter="\t", cache_dir=str(tmp_path / "q"))
    assert loaded["test"].column_names == ["query-id", "corpus-id", "score"]


def test_the_way_of_a_proposition_shows_both_uses_whichever_is_asked_for(built: BuildResult) -> None:
    build = Build(built.folder)
    examples = list(iter_records(built.folder / "stages/70-balance/examples", Example))
    twice = Counter(e.candidate_id for e in examples)
    whole = next(one for one, n in sorted(twice.items()) if n == 4)
    names = ["original", "twin", "neutral:original", "neutral:twin"]
    for asked in ("", ":twin", ":neutral", ":neutral:twin"):
        way = trace(build, whole + asked)
        assert [e["example_id"] for e in way.examples] == [f"{whole}:{name}" for name in names]
        assert len(way.rows) == 4
    console = Console(record=True, width=300)
    console.print(*way_panels(trace(build, whole)))
    printed = " ".join(console.export_text().split())
    assert f"used yes: {whole}:neutral:original" in printed


def test_propositions_are_rebuilt_from_their_ids(built: BuildResult, corpus: Path, tmp_path: Path) -> None:
    exported = export_ids(Build(built.folder), tmp_path / "ids.jsonl")
    rebuilt = rebuild(tmp_path / "ids.jsonl", corpus, tmp_path / "again")
    assert exported.n == rebuilt.counts["same"] == sum(built.rows.values())
    assert any(':neutral:twin"' in line for line in (tmp_path / "ids.jsonl").read_text().splitlines())
    for split in SPLITS:
        name = f"data/{split}.parquet"
        assert pq.read_table(tmp_path / "again" / name).equals(pq.read_table(built.folder / name))


def test_the_papers_build_has_no_propositions(corpus: Path, tmp_path: Path) -> None:
    result = build_dataset(corpus, tmp_path / "build", load_config(given={"engine.workers": 1}))
    assert json.loads((result.folder / "statistics.json").read_text())["sources"] == {}
    assert not (result.folder / "retrieval").exists()
    found = {one.hypothesis_source for one in iter_records(result.folder / "stages/70-balance/examples", Example)}
    assert found == {"parenthetical"}


def test_rejects_have_reasons_and_are_all_kept(built: BuildResult) -> None:
    rejects = read_table(built.folder / "rejects.parquet")
    assert rejects.num_rows == sum(stage.tally.n_rejects for stage in built.stages)
    assert all(reason for reason in rejects["reason"].to_pylist())


def test_examples_come_in_balanced_twins(built: BuildResult) -> None:
    examples = list(iter_records(built.folder / "stages/70-balance/examples", Example))
    by_id = {example.example_id: example for example in examples}
    for example in examples:
        twin = by_id[example.twin_id]
        assert (twin.twin_id, twin.split, twin.premise_start) == (
            example.example_id,
            example.split,
            example.premise_start,
        )
        assert twin.hypothesis != example.hypothesis
    for analysis in (True, False):
        groups = Counter((e.label, e.pivotal_negation) for e in examples if e.analysis is analysis)
        assert len(set(groups.values())) <= 1
        assert len(groups) in (0, 6)


def test_the_manifest_says_what_it_was_made_with(built: BuildResult, corpus: Path) -> None:
    manifest = json.loads((built.folder / "manifest.json").read_text())
    assert manifest["inputs"]["opinions"] == read_stage(corpus)["tally"]["digests"]["opinions"]
    assert manifest["models"]["embedder"]["name"]
    assert manifest["versions"]["daft"]
    assert list(manifest["stages"]) == [stage.name for stage in built.stages]
    assert str(built.folder.parent) not in (built.folder / "manifest.json").read_text()
    assert "workers" not in manifest["config"]["engine"]


def test_an_unchanged_build_runs_no_stage_again(built: BuildResult, corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "build"
    shutil.copytree(built.folder, copy)
    again = build_dataset(corpus, copy, config())
    assert all(stage.reused for stage in again.stages)
    assert tree(copy) == tree(built.folder)


def test_only_stages_after_a_changed_option_run_again(built: BuildResult, corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "build"
    shutil.copytree(built.folder, copy)
    before = tree(built.folder)
    again = build_dataset(corpus, copy, config(split__method="paper", premises__bm25_paragraphs=2))
    assert [stage.name for stage in again.stages if not stage.reused] == ["70-balance", "80-premises"]
    assert tree(built.folder) == before


@pytest.mark.slow("builds again, in two processes")
def test_two_workers_give_the_same_bytes(built: BuildResult, corpus: Path, tmp_path: Path) -> None:
    build_dataset(corpus, tmp_path / "build", config(engine__workers=2))
    assert tree(tmp_path / "build") == tree(built.folder)


@pytest.mark.slow("starts Ray")
def test_ray_gives_the_same_bytes(built: BuildResult, corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (extra: ray)")
    command = [*BUILD, str(corpus), "-o", str(tmp_path / "build"), "--engine", "ray", "--workers", "2"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert tree(tmp_path / "build") == tree(built.folder)


@pytest.mark.slow("starts five builds to kill them")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_killed_again_and_again_gives_the_same_bytes(
    built: BuildResult, corpus: Path, tmp_path: Path, workers: int
) -> None:
    output = tmp_path / "build"
    for stage in STAGES[workers - 1 :: 2]:
        kill_in(stage, [*BUILD, str(corpus), "-o", str(output), "--workers", str(workers)], output)
        assert not output.exists()
    build_dataset(corpus, output, config(engine__workers=workers))
    assert tree(output) == tree(built.folder)


def kill_in(stage: str, command: list[str], output: Path) -> None:
    """Start a build and kill it (-9) as soon as a stage is under way."""
    running = output.with_name(f".{output.name}.partial") / "stages" / stage / "_running"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 300
    while not running.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    _, errors = process.communicate()
    assert process.returncode == -9, f"the build ended before stage {stage}: {errors}"


def test_a_folder_that_is_no_corpus_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a corpus"):
        build_dataset(tmp_path, tmp_path / "build", config())


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("negation__model", "spaCy pipeline '{}' is not installed"),
        ("neutral__embedder", "embedder: {} has no config.json"),
        ("premises__tokenizer", "tokenizer: {} has no tokenizer.json"),
    ],
)
def test_a_missing_model_is_one_clear_line_before_anything_runs(
    corpus: Path, tmp_path: Path, option: str, says: str
) -> None:
    (tmp_path / "empty").mkdir()
    named = "xx_no_such_pipeline" if option == "negation__model" else str(tmp_path / "empty")
    with pytest.raises(MissingError) as caught:
        build_dataset(corpus, tmp_path / "build", config(**{option: named}))
    assert says.format(named) in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_a_corpus_without_citations_gives_an_empty_data_set(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text(
        '{"id": 1, "name": "A v. B", "decision_date": "1990", "citations": [], "court": {"name": "c"}, '
        '"jurisdiction": {"slug": "ill"}, "casebody": {"status": "ok", "data": {"opinions": [{"type": "majority", "text": "It is so ordered."}]}}}\n'
    )
    import_corpus([nothing], tmp_path / "corpus", "cap-bulk", Settings(workers=1))
    result = build_dataset(tmp_path / "corpus", tmp_path / "build", config())
    assert sum(result.rows.values()) == 0
