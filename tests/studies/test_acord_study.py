"""The study of ACORD on the bundled fictional clauses: tables, runs, re-ranking, what a kill leaves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

import openai_support
from acord_support import ENCODER, OWN_TABLES, QUICK, TABLES, ByNumber, LengthRanker, Overlap, rows_of
from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.clauses.ranking.rerank import FocusedReranker, RerankedRanker, RerankerInput
from lawng.clauses.ranking.trained import Example, RankingOptions, fit_ranking
from lawng.errors import MissingError
from lawng.evaluation.measures import graded_measures, mean_of
from lawng.evaluation.runs import read_qrels, read_run
from lawng.models.protocols import Embedded
from lawng.models.rerank import CrossEncoderReranker
from lawng.models.vector_cache import CachedEncoder
from lawng.studies.acord import paper
from lawng.studies.acord.data import read_acord, task_of
from lawng.studies.acord.measured import MEASURES, leaked
from lawng.studies.acord.study import AcordResult, study_acord
from lawng.studies.acord.systems import CachedReranker, clauses_of, reranked
from openai_support import endpoint
from ratings_support import SAMPLE


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept without a folder is kept here."""
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "lawng-cache"))


N_SYSTEMS = 10


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, AcordResult]:
    """A whole study of the sample: all forms, a re-ranker, a ranker of our own."""
    folder = tmp_path_factory.mktemp("acord") / "study"
    settings = replace(
        QUICK,
        rerankers=(CrossEncoderReranker(Overlap()),),
        forms=("short", "medium", "long"),
        ours=lambda _clauses: LengthRanker(),
        depth=5,
    )
    return folder, study_acord(SAMPLE, folder, settings)


# --- the whole study


def test_a_study_writes_every_table_in_four_forms_and_says_what_it_is(done: tuple[Path, AcordResult]) -> None:
    folder, _ = done
    names = {f"{name}.{form}" for name in (*TABLES, *OWN_TABLES) for form in ("txt", "csv", "tex", "md")}
    assert {path.name for path in (folder / "tables").iterdir()} == names
    card = (folder / "README.md").read_text("utf-8")
    assert "LICENSE file of the published repository is **MIT**" in card
    assert "CC BY 4.0" in card
    assert "Seed 7" in card
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["encoders"] == ["hash-a"]
    assert manifest["versions"]["lawng"]


def test_quoted_and_measured_rows_are_marked_and_stand_together(done: tuple[Path, AcordResult]) -> None:
    folder, _ = done
    rows = rows_of(folder, "table-3")
    at = next(n for n, row in enumerate(rows) if row["Retriever"] == "BM25" and row["Reranker"] == "None")
    assert (rows[at]["Source"], rows[at]["NDCG@5"], rows[at]["NDCG@10"]) == ("quoted", "52.5", "54.0")
    assert (rows[at + 1]["Source"], rows[at + 1]["Retriever"]) == ("measured here", "BM25")
    assert 0 < float(rows[at + 1]["NDCG@10"]) <= 100
    low, high = map(float, rows[at + 1]["95 % of NDCG@10"].split("-"))
    assert low <= float(rows[at + 1]["NDCG@10"]) <= high
    [gpt] = [
        row for row in rows if row["Retriever"] == "BM25" and row["Reranker"] == "GPT4o" and row["Source"] != "quoted"
    ]
    assert {gpt[head] for head in ("NDCG@5", "NDCG@10", "95 % of NDCG@10")} == {"—"}
    own = [
        (row["Retriever"], row["Reranker"]) for row in rows if row["Source"] == "measured here" and row["NDCG@5"] != "—"
    ]
    assert own == [
        ("BM25", "None"),
        ("BM25, best", "None"),
        ("hash-a", "None"),
        ("BM25 and hash-a", "None"),
        ("BM25", "overlap"),
        ("hash-a", "overlap"),
        ("lawng search, untrained", "None"),
        ("lawng search, untrained", "overlap"),
        ("lawng search, clause model", "None"),
        ("lawng search, clause model", "overlap"),
    ]


def test_numbers_are_those_of_the_stored_runs(done: tuple[Path, AcordResult]) -> None:
    folder, result = done
    judgements = read_qrels(folder / "runs" / "qrels")
    assert any(row.relevance == 0 for row in judgements)
    assert len(list((folder / "runs").glob("*.run"))) == N_SYSTEMS * 3
    for row in result.found.measured:
        again = graded_measures(read_run(folder / "runs" / f"{row.label.name}.{row.form}.run"), judgements)
        for measure in MEASURES:
            assert row.mean(measure) == close_to(mean_of(again[measure]))
    queries = {unquote(row.query_id) for row in judgements}
    assert queries == set(read_acord(SAMPLE).judged("test"))
    stored = json.loads((folder / "results.json").read_text("utf-8"))
    first = next(one for one in stored["systems"] if (one["name"], one["form"]) == ("fusion", "long"))
    values = [value for value in first["by_query"]["nDCG@10"].values() if value is not None]
    assert first["means"]["nDCG@10"] == close_to(sum(values) / len(values))


def test_only_judged_clauses_are_ranked(done: tuple[Path, AcordResult]) -> None:
    folder, _ = done
    judged = {(row.query_id, row.doc_id) for row in read_qrels(folder / "runs" / "qrels")}
    assert {
        (row.query_id, row.doc_id) for row in read_run(folder / "runs" / "minilm.short.run".replace("minilm", "hash-a"))
    } == judged


def test_five_stars_are_not_a_number_where_a_category_has_none(done: tuple[Path, AcordResult]) -> None:
    folder, _ = done
    ours = [
        row for row in rows_of(folder, "table-d1") if row["Source"] == "measured here" and row["Retriever"] == "BM25"
    ]
    term = [row for row in ours if row["Category"] == "Term" and row["NDCG@5"] != "—"]
    assert term
    assert {row["5-star prec@5"] for row in term} == {"NaN"}
    others = [row["5-star prec@5"] for row in ours if row["Category"] not in ("Term",) and row["NDCG@5"] != "—"]
    assert "NaN" not in others


def test_each_form_of_the_queries_is_asked(done: tuple[Path, AcordResult]) -> None:
    folder, result = done
    rows = rows_of(folder, "variants")
    assert [row["Form"] for row in rows] == ["short"] * N_SYSTEMS + ["medium"] * N_SYSTEMS + ["long"] * N_SYSTEMS
    bm25 = {row.form: row.mean("nDCG@10") for row in result.found.measured if row.label.name == "bm25"}
    assert len(set(bm25.values())) == 3


def test_differences_are_paired_with_the_best_retriever_and_not_with_quoted_rows(
    done: tuple[Path, AcordResult],
) -> None:
    folder, result = done
    rows = rows_of(folder, "differences")
    paired = [row for row in rows if not row["Against"].startswith("quoted")]
    best = max(
        (row for row in result.found.of("short") if row.label.name in {"bm25", "bm25-best", "hash-a", "fusion"}),
        key=lambda row: row.mean("nDCG@10"),
    )
    assert {row["Against"] for row in paired} == {best.label.shown}
    assert all(0 < float(row["p"]) <= float(row["p, Holm"]) <= 1 for row in paired)
    quoted = [row for row in rows if row["Against"].startswith("quoted")]
    assert {row["p"] for row in quoted} == {"no pairs"}
    gap = next(row for row in quoted if row["System"] == "BM25" and row["Against"] == "quoted: BM25 + None")
    assert float(gap["Difference"]) == pytest.approx(100 * result.found.of("short")[0].mean("nDCG@5") - 52.5, abs=0.06)


def test_leakage_takes_out_what_training_queries_grade(done: tuple[Path, AcordResult]) -> None:
    folder, result = done
    acord = read_acord(SAMPLE)
    known = leaked(acord, "test")
    graded = {row.doc_id for row in acord.of("test") if row.relevance}
    assert known == {row.doc_id for row in acord.of("train", "valid") if row.relevance}
    twice = replace(acord, clauses={**acord.clauses, "copy": acord.clauses[min(known)].upper()})
    assert leaked(twice, "test") == known | {"copy"}, "one text under two ids"
    assert known & graded
    assert f"{len(known & graded)} of the {len(graded)}" in (folder / "tables" / "leakage.txt").read_text("utf-8")
    [bm25] = [row for row in result.found.of("short") if row.label.name == "bm25"]
    judgements = [row for row in acord.of("test") if row.doc_id not in known]
    run = [replace(row, query_id=unquote(row.query_id)) for row in read_run(folder / "runs" / "bm25.short.run")]
    expected = graded_measures(run, judgements)
    for query, value in bm25.unleaked["nDCG@10"].items():
        assert value == close_to(expected["nDCG@10"][query])


# --- re-ranking


def test_only_the_best_are_ranked_again_and_the_rest_stays(tmp_path: Path) -> None:
    task = task_of(read_acord(SAMPLE), "test")
    query = task.queries[0]
    pool = task.pools[query.query_id]
    again = CachedReranker(CrossEncoderReranker(Overlap()), tmp_path)
    system = reranked(task, ByNumber().scores, again, 10)
    order = pool[np.argsort(-system(query.text, pool), kind="stable")]
    assert order[10:].tolist() == sorted(pool.tolist())[10:]
    assert sorted(order[:10].tolist()) == sorted(pool.tolist())[:10]
    scores = again.rerank(query.text, [task.texts[number] for number in order[:10]])
    assert scores == sorted(scores, reverse=True)
    for one, other, low, high in zip(order[:9], order[1:10], scores, scores[1:], strict=False):
        assert low > high or one < other  # what ties keeps the retriever's order


def test_scores_that_the_glossary_made_are_not_kept_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, plain = FocusedReranker(Overlap(), RerankerInput(focus=20)), CrossEncoderReranker(Overlap())
    before = [CachedReranker(model, tmp_path).state for model in (shown, plain)]
    monkeypatch.setattr("lawng.studies.acord.systems.edition", lambda: "another glossary")
    after = [CachedReranker(model, tmp_path).state for model in (shown, plain)]
    assert before[0] != after[0], "what it is shown of a clause is another text"
    assert before[1] == after[1] == plain.state
    CachedReranker(shown, tmp_path).rerank("cap", ["Liability is capped."])
    assert len(list(tmp_path.iterdir())) == 1


def test_a_ranker_of_our_own_is_ranked_again_as_search_does_it(done: tuple[Path, AcordResult]) -> None:
    folder, _ = done
    task = task_of(read_acord(SAMPLE), "test")
    ranker, clauses = RerankedRanker(LengthRanker(), CrossEncoderReranker(Overlap())), clauses_of(task)
    run = read_run(folder / "runs" / "ours+overlap.short.run")
    for query in task.queries:
        scores = ranker.scores(query.text, clauses)["score"][task.pools[query.query_id]]
        stored = {row.doc_id: row.score for row in run if unquote(row.query_id) == query.query_id}
        assert stored == {row.doc_id: row.score for row in task.run(query, scores)}


def test_a_language_model_fills_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_support, "MODEL", "gpt-4o-mini")
    models = ("openai:gpt-4o-mini", "openai:gpt-4o-mini?pairwise=sliding-1", "openai:no-such")
    with endpoint(monkeypatch) as place:
        monkeypatch.setenv("OPENAI_BASE_URL", place.url)
        result = study_acord(SAMPLE, tmp_path / "study", replace(QUICK, rerankers=models, depth=4))
        n_asked = len(place.requests)
        study_acord(SAMPLE, tmp_path / "study", replace(QUICK, rerankers=models[:2], depth=4))
        assert len(place.requests) == n_asked  # every answer was kept
    assert n_asked > 6 * 4
    d5 = rows_of(tmp_path / "study", "table-d5")
    filled = [row for row in d5 if row["Source"] == "measured here" and row["NDCG@5"] != "—"]
    assert [row["Reranker"] for row in filled] == ["gpt-4o-mini, pointwise", "gpt-4o-mini, pairwise sliding-1"]
    missing = {label.name: why for label, why in result.found.missing}
    assert missing.keys() == {"bm25+no-such-pointwise", "hash-a+no-such-pointwise"}
    assert all("no-such" in why for why in missing.values())


def test_a_model_that_cannot_be_had_leaves_its_row_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    settings = replace(QUICK, encoders=(ENCODER, "none/encoder"), rerankers=("none/ms-marco-MiniLM-L-6-v2",))
    result = study_acord(SAMPLE, tmp_path / "study", settings)
    assert [label.name for label, _ in result.found.missing] == [
        "encoder",
        "bm25+ms-marco-MiniLM-L-6-v2",
        "hash-a+ms-marco-MiniLM-L-6-v2",
    ]
    text = (tmp_path / "study" / "tables" / "table-d4.txt").read_text("utf-8")
    assert "Not to be had: encoder; BM25 + ms-marco-MiniLM-L-6-v2; hash-a + " in " ".join(text.split())
    rows = rows_of(tmp_path / "study", "table-3")
    assert [row["NDCG@5"] for row in rows if row["Retriever"] == "encoder"] == ["—"]
    assert [row["NDCG@5"] for row in rows if row["Reranker"] == paper.CROSS] == ["59.3", "—"]
    with pytest.raises(MissingError, match="none/encoder"):
        study_acord(SAMPLE, None, replace(settings, only="encoder"))


def test_a_clause_model_and_the_untrained_ranking_stand_side_by_side(tmp_path: Path) -> None:
    acord = read_acord(SAMPLE)
    features = ClauseFeatures(list(acord.clauses.values()), CachedEncoder(tmp_path / "vectors", ENCODER))
    number = {clause: place for place, clause in enumerate(acord.clauses)}
    examples = []
    for query, judged in acord.judged("train").items():
        rows = [number[clause] for clause in judged]
        examples.append(Example(features.of(acord.queries[query].text)[rows], np.array(list(judged.values()))))
    model = tmp_path / "model"
    model.mkdir()
    fit_ranking(examples, RankingOptions(rounds=5, bags=1)).save(model, {})
    result = study_acord(SAMPLE, None, replace(QUICK, model=model))
    assert [row.label.name for row in result.found.of("short")][-2:] == ["reading", "ours"]
    [ours] = study_acord(SAMPLE, None, replace(QUICK, model=model, only="ours")).found.measured
    assert ours.values == result.found.measured[-1].values
    assert ours.values["nDCG@10"] != result.found.measured[-2].values["nDCG@10"]
    empty = study_acord(SAMPLE, None, replace(QUICK, model=tmp_path))
    assert [label.name for label, _ in empty.found.missing] == ["ours"]
    assert "reading" not in {row.label.name for row in study_acord(SAMPLE, None, QUICK).found.measured}


# --- a killed study


class Noting(HashingEncoder):
    """An encoder that notes what it reads, and may be killed."""

    def __init__(self, breaks_after: int = 10**6) -> None:
        super().__init__("hash-a")
        self.seen: list[str] = []
        self._left = breaks_after

    def encode(self, texts: Sequence[str]) -> Embedded:
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        self.seen += texts
        return super().encode(texts)


def test_a_killed_study_encodes_no_clause_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawng.models.vector_cache.CHUNK", 16)
    killed, after = Noting(breaks_after=2), Noting()
    with pytest.raises(KeyboardInterrupt):
        study_acord(SAMPLE, tmp_path / "study", replace(QUICK, encoders=(killed,)))
    assert not (tmp_path / "study" / "manifest.json").exists()
    study_acord(SAMPLE, tmp_path / "study", replace(QUICK, encoders=(after,)))
    clauses = set(read_acord(SAMPLE).clauses.values())
    read = [text for text in (*killed.seen, *after.seen) if text in clauses]
    assert len(killed.seen) == 32
    assert sorted(read) == sorted(clauses)
    assert (tmp_path / "study" / "manifest.json").is_file()


def test_a_killed_study_scores_nothing_twice_and_ends_as_one_that_was_not(tmp_path: Path) -> None:
    killed, after, whole = Overlap(breaks_after=4), Overlap(), Overlap()
    settings = [replace(QUICK, rerankers=(CrossEncoderReranker(model),), depth=5) for model in (killed, after, whole)]
    with pytest.raises(KeyboardInterrupt):
        study_acord(SAMPLE, tmp_path / "one", settings[0])
    study_acord(SAMPLE, tmp_path / "one", settings[1])
    study_acord(SAMPLE, tmp_path / "two", settings[2])
    assert killed.n_scored == 4 * 5
    assert killed.n_scored + after.n_scored == whole.n_scored
    for name in ("results.json", "tables/table-3.txt", "runs/bm25+overlap.short.run"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
