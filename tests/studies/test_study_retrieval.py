"""The whole study on a small corpus: what it writes, what it leaves out, and that a killed one goes on."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from beir_support import read_beir
from encoder_support import HashingEncoder
from lawng.errors import ConfigError, InputError, MissingError, StageError
from lawng.evaluation.measures import mean, measures_of, per_query
from lawng.evaluation.runs import rankings, read_qrels, read_run
from lawng.index.reader import Index
from lawng.models.protocols import Embedded
from lawng.studies.harness import study_folder
from lawng.studies.retrieval.prepare import RetrievalSettings
from lawng.studies.retrieval.study import StudyResult, study_retrieval
from study_support import ENCODER, N_CASES, Made, OverlapJudge, OverlapRelevance, queries_of, side_of


class Named(OverlapRelevance):
    """Called as the judge is."""

    name = "overlap"


def settings(**changes: object) -> RetrievalSettings:
    base = RetrievalSettings(
        queries="all",
        size=6,
        encoders=(ENCODER, HashingEncoder("hash-b")),
        pool_encoder=ENCODER,
        stance=OverlapJudge(),
        relevance=OverlapRelevance(),
        rerank=("BM25-five", "lawng-search-passages"),
        resamples=200,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


pytestmark = pytest.mark.slow("runs studies of the sample")


@pytest.fixture(scope="module")
def study(small: Made, small_index: Index, tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    return study_retrieval(
        small.build, small.corpus, tmp_path_factory.mktemp("study") / "study", settings(), small_index
    )


@pytest.fixture
def unplotted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pictures, which take longer than all the rest; the study of the module has them."""
    monkeypatch.setattr("lawng.studies.retrieval.study.write_plots", lambda *_: None)


def test_the_folder_has_everything(study: StudyResult) -> None:
    names = {path.relative_to(study.folder).as_posix() for path in study.folder.rglob("*") if path.is_file()}
    assert {"manifest.json", "qrels.trec", "notes.txt", "not-negated.tsv", "beir/corpus.jsonl"} <= names
    assert {f"tables/{name}" for name in ("table-17.txt", "table-17.tex", "table-6.csv", "differences.csv")} <= names
    assert {"plots/recall-near-keep-all-queries.svg", "plots/recall-neutral-drop-all-queries.png"} <= names
    assert {
        *("runs/near-keep/BM25-long.trec", "runs/near-drop/hash-b-five.trec"),
        *("runs/neutral-drop/lawng-search-passages.trec", "runs/near-keep/BM25-five--overlap-rerank-five.trec"),
        "runs/near-keep/lawng-search-passages--overlap-rerank-passages.trec",
    } <= names
    assert not [name for name in names if name.endswith(".partial")]


def test_runs_hold_only_their_pools_and_the_citing_case_goes_when_asked(study: StudyResult, small: Made) -> None:
    by_id = {query.query_id: query for query in queries_of(small)}
    citing_seen = 0
    for path in sorted((study.folder / "runs").rglob("*.trec")):
        for query_id, docs in rankings(read_run(path)).items():
            query = by_id[query_id]
            assert 0 < len(docs) <= 6
            assert {side_of(int(doc[4:-2])) for doc in docs} == {query.side}
            citing = f"{query.citing_case}/0" in docs
            citing_seen += citing
            assert not (citing and path.parent.name.endswith("drop"))
    assert citing_seen > 0


def test_every_first_ranking_of_a_pool_has_the_target_in_it(study: StudyResult, small: Made) -> None:
    judged = read_qrels(study.folder / "qrels.trec")
    assert len(judged) == len(queries_of(small))
    [recall] = measures_of(["Recall@10"])
    for name in ("BM25-long", "BM25-five", "hash-a-long", "hash-b-five"):  # they return the whole pool
        assert mean(per_query(read_run(study.folder / "runs" / "near-keep" / f"{name}.trec"), judged, recall)) == 1.0


def test_the_tables_say_what_the_runs_say(study: StudyResult, small: Made) -> None:
    judged = read_qrels(study.folder / "qrels.trec")
    stance = {query.query_id: query.stance for query in queries_of(small)}
    [recall] = measures_of(["Recall@1"])
    rows = list(csv.DictReader((study.folder / "tables" / "table-17.csv").open(encoding="utf-8")))
    wanted = [row for row in rows if row["subset"] == "all queries" and row["k"] == "1"]
    assert len(wanted) == 4 * 2 * (2 + 4 + 4)
    for row in wanted:
        tag = f"{row['system']}-{row['view']}".replace(" ", "-")
        values = per_query(read_run(study.folder / "runs" / row["setting"] / f"{tag}.trec"), judged, recall)
        own = {query: value for query, value in values.items() if stance[query] == row["stance"]}
        assert float(row["recall"]) == pytest.approx(mean(own), abs=1e-6), "six digits are written"
        assert int(row["n"]) == len(own)


def test_the_beir_folder_is_the_collection(study: StudyResult, small: Made) -> None:
    collection = read_beir(study.folder / "beir")
    assert len(collection.documents) == N_CASES
    assert collection.queries == {query.query_id: query.text for query in queries_of(small)}
    assert collection.judgements == read_qrels(study.folder / "qrels.trec")


def test_reranking_only_reorders(study: StudyResult) -> None:
    folder = study.folder / "runs" / "near-drop"
    first = rankings(read_run(folder / "lawng-search-passages.trec"))
    for path in folder.glob("lawng-search-passages--*.trec"):
        again = rankings(read_run(path))
        assert {query: set(docs) for query, docs in again.items()} == {
            query: set(docs) for query, docs in first.items()
        }
    assert len(list(folder.glob("lawng-search-passages--*.trec"))) == 6


def test_differences_are_of_our_search_against_each_other_first_ranking(study: StudyResult) -> None:
    rows = list(csv.DictReader((study.folder / "tables" / "differences.csv").open(encoding="utf-8")))
    both = [
        r for r in rows if (r["setting"], r["subset"], r["stance"], r["k"]) == ("near-drop", "all queries", "both", "1")
    ]
    assert {(row["against"], row["against_view"]) for row in both} == {
        *(
            ("BM25", "long"),
            ("BM25", "five"),
            ("hash-a", "long"),
            ("hash-a", "five"),
            ("hash-b", "long"),
            ("hash-b", "five"),
        ),
        *(("lawng passages BM25", "passages"), ("lawng passages dense", "passages")),
        ("lawng search undescribed", "passages"),
    }
    for row in both:
        assert float(row["low"]) <= float(row["difference"]) <= float(row["high"])
        gap = (int(row["only_system"]) - int(row["only_against"])) / int(row["n"])
        assert float(row["difference"]) == pytest.approx(gap, abs=1e-6)
        assert float(row["p_holm"]) >= float(row["p_mcnemar"])


def digests(folder: Path) -> dict[str, str]:
    """Of all that a study writes but its cache, whose parts depend on when it was killed."""
    files = [path for path in folder.rglob("*") if path.is_file() and "cache" not in path.relative_to(folder).parts]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


class KilledError(RuntimeError):
    """Stands for kill -9: nothing catches it."""


class Mortal(HashingEncoder):
    """An encoder that dies at its third call."""

    calls = 0

    def encode(self, texts: Sequence[str]) -> Embedded:
        Mortal.calls += 1
        if Mortal.calls == 3:
            raise KilledError
        return super().encode(texts)


@pytest.mark.usefixtures("unplotted")
def test_a_killed_study_goes_on_and_ends_with_the_same_bytes(
    small: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lawng.models.vector_cache.CHUNK", 20)
    quick = settings(
        stance=None, relevance=None, rerank=("BM25-five",), encoders=(HashingEncoder("hash-a"),), citing="keep"
    )
    study_retrieval(small.build, small.corpus, tmp_path / "whole", quick, None)
    with pytest.raises(KilledError):
        study_retrieval(
            small.build, small.corpus, tmp_path / "killed", replace(quick, encoders=(Mortal("hash-a"),)), None
        )
    assert not (tmp_path / "killed" / "manifest.json").exists()
    encoder = HashingEncoder("hash-a")
    study_retrieval(small.build, small.corpus, tmp_path / "killed", replace(quick, encoders=(encoder,)), None)
    assert digests(tmp_path / "whole") == digests(tmp_path / "killed")
    before = encoder.n_encoded
    study_retrieval(small.build, small.corpus, tmp_path / "killed", replace(quick, encoders=(encoder,)), None)
    assert encoder.n_encoded == before  # all is kept
    assert digests(tmp_path / "whole") == digests(tmp_path / "killed")


@pytest.mark.usefixtures("unplotted")
def test_pools_that_are_the_same_are_not_ranked_twice_and_sizes_are_stated(small: Made, tmp_path: Path) -> None:
    quick = settings(stance=None, relevance=None, rerank=("BM25-five",), size=1000, citing="keep", encoders=(ENCODER,))
    result = study_retrieval(small.build, small.corpus, tmp_path / "study", quick, None)
    assert sorted(path.name for path in (tmp_path / "study" / "runs").iterdir()) == ["near-keep"]
    text = " ".join(result.notes)
    assert "neutral-keep: left out" in text
    assert "pools of 8 to 16 opinions" in text
    assert "0 of" in text


@pytest.mark.usefixtures("unplotted")
def test_a_sample_is_asked_of_slow_systems_and_tables_do_not_mix(small: Made, tmp_path: Path) -> None:
    judge = OverlapJudge()
    quick = settings(stance=judge, relevance=None, rerank=("BM25-five",), sample=5, citing="keep", pools="near")
    result = study_retrieval(small.build, small.corpus, tmp_path / "study", quick, None)
    assert 0 < judge.n_judged <= 10 * 6
    sizes: dict[str, set[int]] = {}
    for row in result.recalls:
        sizes.setdefault(f"{row.subset} {row.stance} {row.base}", set()).add(row.n)
    assert all(len(each) == 1 for each in sizes.values())
    assert {row.view for row in result.recalls if row.subset == "all queries" and not row.base} == {"long", "five"}
    assert {row.system for row in result.recalls if row.subset == "all queries" and row.view == "five"} == {"BM25"}
    assert any(row.subset == "sample, all queries" and row.system == "hash-b" for row in result.recalls)


@pytest.mark.usefixtures("unplotted")
def test_slow_systems_are_left_out_where_they_are_asked_nothing(small: Made, tmp_path: Path) -> None:
    judge = OverlapJudge()
    quick = settings(stance=judge, relevance=None, rerank=("BM25-five",), sample=0, citing="keep", pools="near")
    result = study_retrieval(small.build, small.corpus, tmp_path / "study", quick, None)
    assert judge.n_judged == 0
    assert {row.subset.partition(",")[0] for row in result.recalls}.isdisjoint({"sample"})
    assert {row.system for row in result.recalls if row.view == "five"} == {"BM25"}
    assert {row.system for row in result.recalls if row.view == "long"} >= {"BM25", "hash-b"}


@pytest.mark.usefixtures("unplotted")
def test_models_that_cannot_be_had_are_listed(small: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    quick = settings(stance=None, relevance=None, rerank=("BM25-five",), encoders=(ENCODER, "none/such"), pools="near")
    result = study_retrieval(small.build, small.corpus, tmp_path / "study", quick, None)
    assert ["none/such" in line for line in result.missing] == [True]
    assert "none/such" in (tmp_path / "study" / "tables" / "table-17.txt").read_text("utf-8")
    assert "none/such" in json.loads((tmp_path / "study" / "manifest.json").read_text("utf-8"))["not_to_be_had"][0]
    with pytest.raises(MissingError, match="none/such"):
        study_retrieval(small.build, small.corpus, tmp_path / "other", replace(quick, pool_encoder="none/such"), None)


@pytest.mark.usefixtures("unplotted")
@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"queries": "every"}, "--queries every"),
        ({"pools": "far"}, "--pools far"),
        ({"citing": "maybe"}, "--citing maybe"),
        ({"size": 1}, "--pool"),
        ({"rerank": ("none-such",)}, "--rerank none-such"),
        (
            {"encoders": (ENCODER, HashingEncoder("h"), HashingEncoder("h", "2"))},
            "two encoders would be called h; rename",
        ),
        ({"relevance": Named()}, "two models would be called overlap; rename"),
    ],
)
def test_wrong_options_are_one_line(small: Made, tmp_path: Path, changes: dict[str, object], what: str) -> None:
    with pytest.raises(ConfigError, match=what) as caught:
        study_retrieval(small.build, small.corpus, tmp_path / "study", settings(**changes), None)
    assert "\n" not in str(caught.value)


def test_a_place_with_other_things_in_it_and_a_second_process_are_refused(small: Made, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="no study"):
        study_retrieval(small.build, small.corpus, tmp_path, settings(), None)
    assert (tmp_path / "thesis.tex").read_text("utf-8") == "mine"
    with study_folder(tmp_path / "study"), pytest.raises(StageError, match="another process"):
        study_retrieval(small.build, small.corpus, tmp_path / "study", settings(), None)
