"""Clause models by cross-validation: no query is ranked by what has seen it, and what a kept run hangs on."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.clauses.ranking.trained import Example, RankingOptions
from lawng.evaluation.measures import NDCG, graded_measures, judged_run, mean_of
from lawng.evaluation.runs import read_run
from lawng.schema import ScoredDoc
from lawng.studies.acord import clause_study
from lawng.studies.acord.clause_model import Graded, queries_of
from lawng.studies.acord.clause_study import cross_validated, folds_of, nested, study_clause_models
from lawng.studies.acord.data import read_acord
from lawng.studies.harness import unsaid
from ratings_support import SAMPLE

N_QUERIES = 23
NAMES = [f"q{number:02}" for number in range(N_QUERIES)]


class Seen:
    """Stands for a model: knows the queries that it was trained on, and its options."""

    fitted: list[Seen] = []  # noqa: RUF012 (emptied by the fixture)

    def __init__(self, examples: Sequence[Example], options: RankingOptions) -> None:
        self.trained = {int(example.features[0, 0]) for example in examples}
        self.options = options
        Seen.fitted.append(self)


class Numbered(Graded):
    """Queries whose only feature is their number; a run of one says which model ranked it."""

    def run(self, query: str, ranking: Any) -> list[ScoredDoc]:
        number = int(self.examples[query].features[0, 0])
        assert number not in ranking.trained, "ranked by a model that was trained on it"
        return [ScoredDoc(query, doc, ranking.options.reading + at) for at, doc in enumerate(self.ids[query])]


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Numbered:
    Seen.fitted = []
    monkeypatch.setattr(clause_study, "fit_ranking", Seen)
    examples = {name: Example(np.full((2, 1), float(at)), np.array([0, 4])) for at, name in enumerate(NAMES)}
    return Numbered({name: ["a", "b"] for name in NAMES}, examples)


@pytest.mark.parametrize("n", [2, 5, 10, 40])
def test_folds_are_parts_of_nearly_equal_size(n: int) -> None:
    parts = folds_of(NAMES, n, 7)
    assert sorted(query for part in parts for query in part) == NAMES
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert len(parts) == min(n, N_QUERIES)
    assert parts == folds_of(NAMES, n, 7) != folds_of(NAMES, n, 8)


def test_each_query_is_ranked_once_by_a_model_of_all_the_others_folds(known: Numbered) -> None:
    run = cross_validated(known, RankingOptions(), folds=5)
    assert sorted(row.query_id for row in run) == sorted([*NAMES, *NAMES])
    assert len(Seen.fitted) == 5
    assert {len(model.trained) for model in Seen.fitted} == {N_QUERIES - 5, N_QUERIES - 4}
    Seen.fitted = []
    some = cross_validated(known, RankingOptions(), folds=2, queries=NAMES[:6])
    assert {row.query_id for row in some} == set(NAMES[:6])
    assert set().union(*(model.trained for model in Seen.fitted)) == set(range(6))


def test_options_are_chosen_without_the_fold_that_is_ranked(known: Numbered, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, frozenset[str]]] = []

    def inner(_: Graded, __: object, options: RankingOptions, queries: Sequence[str], seed: int) -> float:
        asked.append((options.reading, frozenset(queries)))
        return options.reading

    monkeypatch.setattr(clause_study, "_inner", inner)
    grid = [RankingOptions(reading=reading, bags=1) for reading in (0.1, 0.5, 0.2)]
    run = nested(known, [], grid, bags=3)
    assert sorted({row.query_id for row in run}) == NAMES
    assert {model.options.reading for model in Seen.fitted} == {0.5}
    assert {model.options.bags for model in Seen.fitted} == {3}
    rests = [rest for reading, rest in asked if reading == 0.5]
    assert len(rests) == clause_study.FOLDS
    for model, rest in zip(Seen.fitted, rests, strict=True):
        assert {NAMES.index(query) for query in rest} == model.trained


SMALL = [RankingOptions(rounds=rounds, leaves=4, bags=1) for rounds in (5, 10)]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FOLDS": 2, "INNER": 2, "ABLATIONS": {"all": ()}}.items():
        monkeypatch.setattr(clause_study, name, value)
    monkeypatch.setattr(nested, "__defaults__", (SMALL, 1, 7, *nested.__defaults__[3:]))  # type: ignore[index]
    monkeypatch.setattr(cross_validated, "__defaults__", (2, 7, None))


def _table(folder: Path) -> list[dict[str, str]]:
    with (folder / "clauses.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow("five small studies, of two folds each")
@pytest.mark.usefixtures("small")
def test_the_table_is_of_the_run_and_a_kept_run_of_what_it_hangs_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = clause_study.cross_validated

    def counted(*args: Any, **options: Any) -> list[ScoredDoc]:
        made.append("run")
        return real(*args, **options)

    def study(encoder: HashingEncoder) -> int:
        made.clear()
        study_clause_models(SAMPLE, tmp_path / "study", encoder, tmp_path / "cache", 7, unsaid)
        return len(made)

    monkeypatch.setattr(clause_study, "cross_validated", counted)
    first = study(HashingEncoder())
    assert first > 0
    rows = _table(tmp_path / "study")
    assert [row["system"] for row in rows if row["protocol"] == "nested, all queries"] == [
        "nested",
        "untrained reading",
    ]
    run = [replace(row, query_id=unquote(row.query_id)) for row in read_run(tmp_path / "study" / "nested.run")]
    judgements = read_acord(SAMPLE).of("train", "valid", "test")
    of_run = mean_of(graded_measures(judged_run(run, judgements), judgements)[NDCG[1]])
    shown = next(float(row[NDCG[1]]) for row in rows if row["system"] == "nested")
    assert shown == close_to(round(100 * of_run, 1))

    assert study(HashingEncoder()) == 0  # all is kept
    assert _table(tmp_path / "study") == rows
    assert study(HashingEncoder(state="2")) == first
    monkeypatch.setattr(clause_study, "reader_state", lambda: "another reader of queries")
    assert study(HashingEncoder(state="2")) == first
    monkeypatch.setattr(clause_study, "edition", lambda: "another glossary")
    assert study(HashingEncoder(state="2")) == first

    monkeypatch.setattr(clause_study, "queries_of", lambda data, *splits: queries_of(data, *splits)[1:])
    assert study(HashingEncoder(state="2")) == first  # other splits of the same judgements
