"""The models that come with lawng: whole, small, of texts that may be used, and of some use."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawng
from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.clauses.meaning.glossary import SUBJECTS, lowered
from lawng.clauses.meaning.match_features import LIKELY
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.meaning.query_reader import query_reader
from lawng.clauses.ranking.clause_subjects import clause_subjects
from lawng.clauses.ranking.features import FEATURES
from lawng.clauses.ranking.rerank import clause_reranker
from lawng.clauses.ranking.trained import Example, RankingOptions, fit_ranking
from lawng.clauses.search import ClauseSearcher
from lawng.errors import InputError, MissingError
from lawng.io import file_digest
from lawng.models.encoder import embedder
from lawng.models.find import (
    CLAUSE_FINDER,
    CLAUSE_RERANKER,
    FINDER,
    JUDGE,
    RERANKER,
    SHIPPED,
    find_model,
    shipped_model,
)
from lawng.models.folder import NOTE, OnnxBackend
from lawng.models.onnx.encoder import search_embedder
from lawng.models.pairs import pair_model, relevance_model, stance_model
from lawng.models.protocols import unit
from lawng.models.rerank import reranker, search_reranker
from lawng.models.training.calibration import Risk, least_probability
from lawng.schema.labels import LABELS
from models_support import tiny_model

SAMPLE_CONTRACTS = Path(__file__).parents[2] / "sample" / "contracts" / "files"
FOLDER = Path(lawng.__file__).parent / "models" / "shipped"
KEPT_ASIDE = Path(__file__).parents[2] / "benchmarks" / "data" / "clauses"
MOST_BYTES = 25_000_000


@pytest.fixture(autouse=True)
def _shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LAWNG_MODELS", raising=False)
    monkeypatch.setenv("LAWNG_STANCE_MODEL", str(tmp_path / "none"))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_model_is_whole_small_and_says_what_it_is(name: str) -> None:
    folder = shipped_model(name)
    assert folder == FOLDER / SHIPPED[name]
    assert sum(path.stat().st_size for path in folder.iterdir()) <= MOST_BYTES
    note = json.loads((folder / NOTE).read_text("utf-8"))
    assert note["sha256"]
    assert note["sha256"] == {file: file_digest(folder / file) for file in note["sha256"]}
    card = (folder / "README.md").read_text("utf-8")
    assert "lawng train" in card
    assert "Licences of the data" in card
    assert find_model("model", name).place == str(folder)


def test_the_finder_of_clauses_knows_what_clauses_are_about() -> None:
    known = clause_subjects(CLAUSE_FINDER, 384)
    assert known is not None
    assert {*known.weights} == {subject.name for subject in SUBJECTS}
    laws, other = "The laws of Ohio, and no others, apply to what the parties have agreed.", "Goods ship at noon."
    told = known.of(unit(search_embedder(CLAUSE_FINDER).encode([laws, other]).vectors))
    assert (told > LIKELY).sum(axis=1).tolist() == [1, 0]
    assert SUBJECTS[told[0].argmax()].name == "governing law"


def test_the_finder_of_clauses_reads_queries_that_were_kept_aside() -> None:
    """Written by a reader who saw the notions' names and sentences alone; by patterns alone 15 % are found."""
    read = query_reader(search_embedder(CLAUSE_FINDER))

    def rows(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (KEPT_ASIDE / f"{name}.jsonl").read_text("utf-8").splitlines()]

    right = given = wanted = meant = matters = 0
    for row in rows("asked-2"):
        found = query_intent(row["query"], read(row["query"]))
        parts = {"about": found.said, "excepted": found.excepted, "absent": found.absent}
        own = {part: set(row[part]) for part in parts}
        there = {part: {one.name for one in concepts} for part, concepts in parts.items()}
        named = set().union(*there.values()) | {one.name for one in found.subjects}
        asked = set().union(*own.values()) | ({row["subject"]} - {None})
        right, given, wanted = right + len(asked & named), given + len(named), wanted + len(asked)
        matters += sum(len(some & named) for some in own.values())
        meant += sum(len(own[part] & there[part]) for part in own)
    assert right / given >= 0.9, f"precision: {right} of {given}"
    assert right / wanted >= 0.82, f"recall: {right} of {wanted}"
    assert meant / matters >= 0.9, f"senses: {meant} of {matters}"
    told = [row["notion"] in {one.concept for one in read(row["query"])} for row in rows("phrasings")]
    assert sum(told) / len(told) >= 0.85, f"phrasings: {sum(told)} of {len(told)}"
    wrong = [bool(read(row["query"])) for row in rows("unknown")]
    assert sum(wrong) / len(wrong) <= 0.15, f"notions that the glossary lacks: {sum(wrong)} of {len(wrong)}"


def test_the_finder_of_clauses_reads_for_other_encoders_too() -> None:
    assert [one.concept for one in query_reader(HashingEncoder())("most we can be sued for")] == ["cap"]


def test_what_is_read_stands_in_the_query_whatever_it_is() -> None:
    read = query_reader(search_embedder(CLAUSE_FINDER))
    for query in ("cap " * 12_500, "上限 cap ﬁne print İ", "\0 cap", "é" * 300, "CAP\n\tON   LIABILITY", "🙂"):
        text = lowered(query)
        for one in read(query):
            assert 0 <= one.start < one.end <= len(text)
            assert text[one.start : one.end] == text[one.start : one.end].strip()


def test_batches_side_by_side_are_read_as_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    model = relevance_model(str(shipped_model(CLAUSE_RERANKER)))
    backend = model._pairs._logits
    assert isinstance(backend, OnnxBackend)
    texts = [f"{'The supplier pays the fee. ' * n}Day {n}." for n in range(11)]  # of three batches, the longest first
    found = []
    for at_once in (1, 3):
        monkeypatch.setattr(backend, "at_once", at_once)
        found.append(model.score("who pays the fee", texts))
    assert found[0] == close_to(found[1])
    assert len({round(score, 6) for score in found[0]}) == len(texts)


def test_they_were_taught_by_opinions_and_by_arguments_written_for_lawng() -> None:
    note = json.loads((FOLDER / "reranker" / NOTE).read_text("utf-8"))
    assert set(note["queries"]["train"]) == {"excerpts"}
    card = (FOLDER / "finder" / "README.md").read_text("utf-8")
    assert set(re.findall(r"^\| train \| (\w+) \|", card, re.MULTILINE)) <= {"excerpts", "parenthetical", "proposition"}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_graph_with_another_hash_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER / SHIPPED[name], tmp_path / SHIPPED[name])
    monkeypatch.setenv("LAWNG_MODELS", str(tmp_path))
    graph = next((tmp_path / SHIPPED[name]).glob("*.onnx*"))
    graph.write_bytes(graph.read_bytes()[:-1] + b"!")
    load: Any = {FINDER: embedder.__wrapped__, CLAUSE_FINDER: embedder.__wrapped__, JUDGE: pair_model}.get(
        name, reranker
    )
    with pytest.raises(InputError, match=r"is not the file that lawng\.json tells of; install or train"):
        load(name)


@pytest.mark.parametrize("file", ["tokenizer.json", "config.json"])
def test_labels_in_another_order_and_another_tokenizer_are_refused(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(FOLDER / SHIPPED[JUDGE], tmp_path / SHIPPED[JUDGE])
    monkeypatch.setenv("LAWNG_MODELS", str(tmp_path))
    place = tmp_path / SHIPPED[JUDGE] / file
    place.write_text(place.read_text("utf-8").replace("entailment", "neutral") + " ", "utf-8")
    with pytest.raises(InputError, match=rf"{file}: is not the file that lawng\.json tells of"):
        pair_model(JUDGE)


def test_without_the_folder_or_onnx_runtime_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert search_reranker("none") is None
    with monkeypatch.context() as patch:
        patch.setenv("LAWNG_MODELS", str(tmp_path))
        assert [shipped_model(name) for name in SHIPPED] == [None] * len(SHIPPED)
        assert search_reranker(None) is None
        patch.setattr("lawng.models.find.cached_model", lambda *_: None)
        patch.setattr("lawng.models.find.state_on_hub", _no_hub)
        with pytest.raises(MissingError, match="lawng-finder"):
            find_model("model", FINDER)
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda one: None if one == "onnxruntime" else found(one))
    assert shipped_model(FINDER) is None


def test_what_was_loaded_is_not_taken_for_what_another_folder_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pair_model(JUDGE) is pair_model(JUDGE)
    monkeypatch.setenv("LAWNG_MODELS", str(tmp_path))
    monkeypatch.setattr("lawng.models.find.cached_model", lambda *_: None)
    with pytest.raises(MissingError, match=JUDGE):
        pair_model(JUDGE)


def test_of_a_training_what_is_shipped_of_it_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "finder" / "onnx").mkdir(parents=True)
    monkeypatch.setenv("LAWNG_MODELS", str(tmp_path))
    assert shipped_model(FINDER) == tmp_path / "finder" / "onnx"


def _no_hub(role: str, name: str, advice: str) -> str:
    raise MissingError(f"{role} {name}: {advice}")


def test_a_search_takes_the_reranker_by_itself() -> None:
    ranker = search_reranker(None)
    assert ranker
    assert ranker.name == RERANKER


def test_a_search_takes_the_judge_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = stance_model(None)
    assert judge
    assert judge.name == JUDGE
    assert stance_model("none") is None
    trained = tiny_model(tmp_path / "trained", [str(label) for label in LABELS])
    monkeypatch.setenv("LAWNG_STANCE_MODEL", str(trained))
    other = stance_model(None)
    assert other
    assert other.name == str(trained), "the one that was trained here comes first"


def test_the_judge_was_taught_by_opinions_and_sets_that_may_be_used() -> None:
    note = json.loads((FOLDER / SHIPPED[JUDGE] / NOTE).read_text("utf-8"))
    taught = {*note["pairs"]["train"], *note["before"]}
    assert taught <= {"excerpts", "mnli", "mnli-negated"}
    assert note["least"] == least_probability([Risk(**row) for row in note["risks"]]), "by the rule, not by hand"
    assert 0.5 < note["least"] < 1, "it can leave a case undecided"


def test_the_reranker_takes_the_answer_before_facts_and_contentions() -> None:
    argument = "A buyer may give back a house whose seller hid a leak."
    texts = [
        "The seller bought the house in 1908 and there was a leak in the roof when the buyer came to see it.",
        "The seller contends that a buyer who has looked at the house may never give it back.",
        "We think that one who conceals such a defect must take back what he sold, and so we hold.",
    ]
    scores = reranker(RERANKER).rerank(argument, texts)
    assert int(np.argmax(scores)) == 2


def test_the_finder_brings_an_argument_near_its_passage() -> None:
    encoder = search_embedder(FINDER)
    asked = encoder.encode(["Police need a warrant before they look through somebody's home."]).vectors
    there = encoder.encode(
        [
            "A search of a dwelling by officers who had not gone to a magistrate first is unreasonable.",
            "The shipper must give notice of a lost cargo within thirty days of its arrival.",
        ]
    ).vectors
    assert there.shape == (2, encoder.width)
    assert (asked @ there.T).argmax() == 0


def test_the_finder_of_clauses_was_taught_by_queries_of_readers_alone() -> None:
    folder = FOLDER / SHIPPED[CLAUSE_FINDER]
    note = json.loads((folder / NOTE).read_text("utf-8"))
    assert note["groups"] == {"drawn": 0, "written": 463}, "none of ACORD's queries"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 25_000_000


def test_the_finder_of_clauses_tells_what_is_excepted_from_what_is_not() -> None:
    encoder = search_embedder(CLAUSE_FINDER)
    asked = encoder.encode(["liability ceiling that leaves fraud open", "choice of law", "who may look into our books"])
    there = encoder.encode(
        [
            "Except in cases of fraud, a party's total liability shall not exceed the fees paid.",
            "This Agreement is construed under the laws of the State of Delaware.",
            "Licensor may inspect Licensee's accounts once a year by an independent accountant.",
            "A party's total liability shall not exceed the fees paid, without any exception.",
        ]
    )
    assert (asked.vectors @ there.vectors.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_the_reranker_of_clauses_was_taught_by_queries_of_readers_alone() -> None:
    note = json.loads((FOLDER / SHIPPED[CLAUSE_RERANKER] / NOTE).read_text("utf-8"))
    assert not note["judgements"], "none of ACORD's queries"
    assert note["groups"] == ["groups-1.jsonl", "groups-2.jsonl", "groups-3.jsonl"]


def test_the_reranker_of_clauses_tells_a_clause_that_has_what_is_asked() -> None:
    texts = [
        "Except in cases of fraud, a party's total liability shall not exceed the fees paid.",
        "A party's total liability shall not exceed the fees paid.",
        "This Agreement is construed under the laws of the State of Delaware.",
        "Licensor may inspect Licensee's accounts once a year by an independent accountant.",
    ]
    read = clause_reranker(CLAUSE_RERANKER)
    for query, best in (
        ("ceiling on damages that leaves deceit open", 0),
        ("choice of law", 2),
        ("who sees our books", 3),
    ):
        assert int(np.argmax(read.rerank(query, texts))) == best, query


@pytest.mark.parametrize(
    ("how", "again", "why"),
    [
        ({}, True, "the default"),
        ({"rerank": "none"}, False, "none is asked for"),
        ({"encoder": "none"}, False, "words alone are asked for"),
        ({"encoder": "none", "rerank": CLAUSE_RERANKER}, True, "it is asked for"),
    ],
)
def test_clauses_are_ranked_again_by_it_unless_told_otherwise(how: dict[str, str], again: bool, why: str) -> None:
    found = ClauseSearcher.open(SAMPLE_CONTRACTS, **how)  # type: ignore[arg-type]
    assert found.ranker.name.endswith(f"again by {CLAUSE_RERANKER}") == again, why
    assert ("rerank" in found.search("cap on liability", k=1).hits[0].scores) == again, why


def test_with_a_clause_model_nothing_is_ranked_again_unless_told(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    grades = np.arange(60, dtype=np.int64) % 5
    examples = [Example(chance.normal(size=(60, len(FEATURES))).astype(np.float32), grades) for _ in range(4)]
    fit_ranking(examples, RankingOptions(rounds=2, bags=1)).save(tmp_path, {"encoder": {"name": CLAUSE_FINDER}})
    plain = ClauseSearcher.open(SAMPLE_CONTRACTS, model=tmp_path)
    told = ClauseSearcher.open(SAMPLE_CONTRACTS, model=tmp_path, rerank=CLAUSE_RERANKER)
    assert plain.ranker.name.startswith("a clause model over ")
    assert [CLAUSE_RERANKER in one.ranker.name for one in (plain, told)] == [False, True]


def test_the_sample_is_found_by_them_at_once(tmp_path: Path) -> None:
    from retrieval_support import sample_corpus

    lawng.build_index(sample_corpus(), tmp_path / "index").close()
    with lawng.open_index(tmp_path / "index") as cases:
        assert cases.index.info.encoder == FINDER
        answer = cases.search("A tenant who never asked for a witness has given up any complaint.", k=5)
    assert answer.reranker == RERANKER
    assert answer.stance_model == JUDGE
    best = max(answer.hits, key=lambda hit: hit.score)
    assert best.case.case_id == "cap:9100011", "the sample has a case that says so"
    assert "decides" in best.passages[0].scores
