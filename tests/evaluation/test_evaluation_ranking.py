"""One order of a run: in memory, in the file, and by pytrec_eval; every measure after it is pytrec_eval's."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beir_support import read_beir
from floats_support import close_to
from lawng.errors import InputError
from lawng.evaluation.beir import Document, write_beir
from lawng.evaluation.measures import judged_run, mean, mean_of, measures_of, per_query, ranks, top_of
from lawng.evaluation.runs import DECIMALS, rankings, read_qrels, read_run, write_qrels, write_run
from lawng.schema import Judgement, ScoredDoc

IN_A_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
ANY = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=4)
NAMES = st.sampled_from("abcdefgh") | ANY  # few names, so that what is ranked is judged
SCORES = st.one_of(
    st.floats(-50, 50),
    st.integers(-3, 3).map(float),
    st.tuples(st.integers(-2, 2), st.integers(-9, 9)).map(lambda pair: pair[0] + pair[1] * 1e-7),  # beyond the sixth
)
RUNS = st.dictionaries(st.tuples(st.sampled_from("pqr"), NAMES), SCORES, max_size=25).map(
    lambda found: [ScoredDoc(query, doc, score) for (query, doc), score in found.items()]
)
GRADES = st.dictionaries(st.tuples(st.sampled_from("pqrs"), NAMES), st.integers(-1, 3), min_size=1, max_size=25)


@IN_A_FOLDER
@given(RUNS)
def test_a_file_is_ranked_by_the_scores_that_stand_in_it(tmp_path: Path, run: list[ScoredDoc]) -> None:
    assert write_run(tmp_path / "run", run, "t") == len(run)
    lines = [line.split(" ") for line in (tmp_path / "run").read_text("utf-8").splitlines()]
    assert all(len(line) == 6 and (line[1], line[5]) == ("Q0", "t") for line in lines)
    by_file: dict[str, list[str]] = {}
    for query, _, doc, rank, score, _ in lines:
        by_file.setdefault(query, []).append(doc)
        assert int(rank) == len(by_file[query]), "ranks count from 1"
        assert len(score.partition(".")[2]) == DECIMALS
        assert score.strip("-0.") or not score.startswith("-"), "no minus before 0"
    back = read_run(tmp_path / "run")
    assert rankings(back) == by_file, "what stands first is what is read as first"
    assert list(by_file) == list(dict.fromkeys(row.query_id for row in run)), "queries in the order in which they come"
    given_scores = {(row.query_id, row.doc_id): row.score for row in run}
    assert {(row.query_id, row.doc_id) for row in back} == given_scores.keys()
    assert all(abs(row.score - given_scores[row.query_id, row.doc_id]) <= 0.5001e-6 for row in back)
    write_run(tmp_path / "again", back, "t")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "run").read_bytes()


@given(RUNS)
def test_rankings_go_by_score_and_then_by_id(run: list[ScoredDoc]) -> None:
    found = rankings(run)
    scores = {(row.query_id, row.doc_id): row.score for row in run}
    assert sorted((query, doc) for query, docs in found.items() for doc in docs) == sorted(scores)
    for query, docs in found.items():
        for one, other in pairwise(docs):
            assert (-scores[query, one], one) < (-scores[query, other], other)
    assert top_of(run, 2) == {query: docs[:2] for query, docs in found.items()}


TREC = {
    "Recall@1": "recall_1",
    "Recall@5": "recall_5",
    "R(rel=2)@5": "recall_5",
    "P@5": "P_5",
    "P(rel=2)@5": "P_5",
    "RR": "recip_rank",
    "RR(rel=2)": "recip_rank",
    "AP": "map",
    "AP(rel=2)": "map",
    "nDCG": "ndcg",  # pytrec_eval itself never ends over grades below 0
    "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10",
}


TREC_NAMES = ("recall.1,5", "P.5", "recip_rank", "map", "ndcg", "ndcg_cut.5,10")


@pytest.mark.parametrize("name", TREC)
@settings(max_examples=40)
@given(RUNS, GRADES)
def test_every_measure_is_that_of_pytrec_eval(name: str, run: list[ScoredDoc], grades: dict[Any, int]) -> None:
    judgements = [Judgement(query, doc, grade) for (query, doc), grade in grades.items()]
    qrels: dict[str, dict[str, int]] = {}
    for (query, doc), grade in grades.items():
        qrels.setdefault(query, {})[doc] = max(grade, 0)  # below 0 is as irrelevant as 0
    # pytrec_eval is given the order alone: large whole numbers, none of them twice
    order = {
        query: {doc: float(1000 - at) for at, doc in enumerate(docs)}
        for query, docs in rankings(run).items()
        if query in qrels
    }
    level = 2 if "rel=2" in name else 1
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {*TREC_NAMES}, relevance_level=level)
    theirs = evaluator.evaluate(order) if order else {}
    [measure] = measures_of([name])
    found = per_query(run, judgements, measure)
    assert list(found) == list(qrels), "every judged query once, in the judgements' order"
    for query, value in found.items():
        assert value == close_to(theirs.get(query, {}).get(TREC[name], 0.0)), query
    assert mean(found) == close_to(sum(found.values()) / len(found))


@given(RUNS, GRADES)
def test_ranks_are_where_the_first_relevant_document_stands(run: list[ScoredDoc], grades: dict[Any, int]) -> None:
    judgements = [Judgement(query, doc, grade) for (query, doc), grade in grades.items()]
    [rr] = measures_of(["RR"])
    reciprocal = per_query(run, judgements, rr)
    found = ranks(run, judgements)
    assert found.keys() == reciprocal.keys()
    assert {query: 1 / rank if rank else 0.0 for query, rank in found.items()} == close_to(reciprocal)
    assert (found.get("p") is None) == (reciprocal.get("p", 0.0) == 0.0)
    kept = judged_run(run, judgements)
    assert kept == [row for row in run if (row.query_id, row.doc_id) in grades]


def test_means() -> None:
    assert mean({}) == 0.0
    values = {"a": 1.0, "b": math.nan, "c": 4.0}
    assert mean_of(values) == 2.5
    assert mean_of(values, ["a", "b", "z"]) == 1.0, "those asked for that there are"
    assert math.isnan(mean_of({}))


# --- files -----------------------------------------------------------------------------------------------------------


@IN_A_FOLDER
@given(GRADES)
def test_qrels_come_back_as_they_were(tmp_path: Path, grades: dict[Any, int]) -> None:
    rows = [Judgement(query, doc, grade) for (query, doc), grade in grades.items()]
    assert write_qrels(tmp_path / "qrels", rows) == len(rows)
    assert read_qrels(tmp_path / "qrels") == rows


@IN_A_FOLDER
@given(st.dictionaries(NAMES, st.tuples(st.text(max_size=9), st.text(max_size=9)), min_size=1), st.data())
def test_a_collection_comes_back_as_it_was(
    tmp_path: Path, texts: dict[str, tuple[str, str]], data: st.DataObject
) -> None:
    documents = [Document(name, *both) for name, both in texts.items()]
    queries = {f"q{name}": text for name, (text, _) in texts.items()}
    pairs = data.draw(st.lists(st.tuples(st.sampled_from([*queries]), st.sampled_from([*texts])), unique=True))
    judgements = [Judgement(query, doc, at - 1) for at, (query, doc) in enumerate(pairs)]
    write_beir(tmp_path, documents, queries, {"test": judgements})
    found = read_beir(tmp_path)
    assert (list(found.documents.values()), found.queries, found.judgements) == (documents, queries, judgements)
    assert list(found.documents) == [*texts]


NO_NUMBERS = ["x", "", "1.5", "--1", "-", "1-", "²", "9" * 5000, "٣x", "1e3"]


@pytest.mark.parametrize("number", NO_NUMBERS, ids=lambda text: text[:9])
def test_a_relevance_that_is_no_whole_number_is_one_line(tmp_path: Path, number: str) -> None:
    (tmp_path / "trec").write_text(f"q 0 d {number or '_'}\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_qrels(tmp_path / "trec")
    assert "trec:1: " in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(tmp_path))
