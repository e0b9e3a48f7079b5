"""A benchmark from an expert's own ratings: worked tables, nothing lost, nothing by order."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from floats_support import close_to
from lawng.annotation.benchmark import benchmark_from_ratings
from lawng.errors import InputError
from lawng.studies.acord.data import read_acord
from ratings_support import (
    CATEGORIES,
    GRADES,
    HEADER,
    WORKED,
    ZEROS,
    adds_up,
    bytes_of,
    grades_of,
    rows_of,
    scores_of,
    table_of,
    written,
)


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    """The worked table in long form."""
    return written(tmp_path / "ratings.csv", [HEADER, *rows_of(WORKED)])


def test_grades_zeros_and_scores_are_those_worked_by_hand(ratings: Path, tmp_path: Path) -> None:
    result = benchmark_from_ratings(ratings, None, tmp_path / "out")
    assert grades_of(tmp_path / "out") == GRADES | dict.fromkeys(ZEROS, 0)
    scores = {(row["query-id"], row["corpus-id"]): row["score"] for row in scores_of(tmp_path / "out")}
    assert scores[("cap", "c1")] == "4.6667"
    assert scores[("cap", "l1")] == "1.3333"
    assert scores.keys() == GRADES.keys()
    assert (result.n_read, result.ratings.judged, result.ratings.to_reconcile, result.n_rejected) == (27, 21, 6, 0)
    assert result.n_expanded == len(ZEROS)
    assert result.n_grades == {0: 1, 1: 2, 2: 1, 3: 2, 4: 1}
    assert result.agreement.n_disputed == 2
    assert result.agreement.disputed_share == close_to(2 / 9)
    # within a pair: 2/3 for eight, as c1 of carve-out has (2 + 3 + 1) / 3 and three pairs have 0
    assert result.agreement.difference == close_to((6 * 2 / 3 + 2 + 2 * 0) / 9)


def test_without_expansion_only_raters_give_zeros(ratings: Path, tmp_path: Path) -> None:
    result = benchmark_from_ratings(ratings, None, tmp_path / "out", expand=False)
    assert grades_of(tmp_path / "out") == GRADES
    assert result.n_expanded == 0


def test_an_unsettled_pair_keeps_its_clause_from_being_a_zero_in_that_category(tmp_path: Path) -> None:
    table = WORKED | {("law", "c1"): "133"}
    benchmark_from_ratings(written(tmp_path / "r.csv", [HEADER, *rows_of(table)]), None, tmp_path / "out")
    assert ("law", "c1") not in grades_of(tmp_path / "out")
    assert ("law", "c2") in grades_of(tmp_path / "out")


def test_the_order_of_the_rows_does_not_matter(tmp_path: Path) -> None:
    bad = [["cap", "Liability", "c9", "", "A", "4"], ["law", "Governing Law", "l2", "", "A", "1"]]
    rows = [*rows_of(WORKED), *bad]
    results = []
    for seed in range(4):
        random.Random(seed).shuffle(rows)
        out = tmp_path / str(seed)
        benchmark_from_ratings(written(tmp_path / f"{seed}.csv", [HEADER, *rows]), None, out)
        results.append(bytes_of(out))
    assert results[0] == results[1] == results[2] == results[3]
    assert results[0]["rejects.csv"].count(b"\r\n") == 4


def test_wide_and_long_form_say_the_same(ratings: Path, tmp_path: Path) -> None:
    wide = [[*HEADER[:4], "rater_1", "rater_2", "rater_3"]]
    wide += [
        [query, CATEGORIES[query], clause, f"The text of {clause}.", *stars]
        for (query, clause), stars in WORKED.items()
    ]
    result = benchmark_from_ratings(written(tmp_path / "wide.csv", wide), None, tmp_path / "wide")
    long = benchmark_from_ratings(ratings, None, tmp_path / "long")
    assert (result.n_read, result.ratings, result.agreement) == (long.n_read, long.ratings, long.agreement)
    names = ("corpus.jsonl", "queries.jsonl", "qrels/train.tsv", "qrels/test.tsv", "supplemental/scores.tsv")
    assert all(bytes_of(tmp_path / "wide")[name] == bytes_of(tmp_path / "long")[name] for name in names)


@pytest.mark.parametrize(("delimiter", "encoding"), [(";", "utf-8-sig"), ("\t", "utf-8"), (",", "utf-8-sig")])
def test_tables_of_spreadsheets_are_read(ratings: Path, tmp_path: Path, delimiter: str, encoding: str) -> None:
    header = ["Query", " Category", "Clause ID", "Clause text", "Rater", "STARS"]
    rows = [header, *rows_of(WORKED), [""] * 6]
    result = benchmark_from_ratings(written(tmp_path / "r.csv", rows, delimiter, encoding), None, tmp_path / "out")
    benchmark_from_ratings(ratings, None, tmp_path / "plain")
    assert grades_of(tmp_path / "out") == grades_of(tmp_path / "plain")
    assert result.n_read == 27
    assert len(table_of(tmp_path / "out" / "to-reconcile.csv", delimiter)) == 2


def test_a_query_with_quotation_marks_and_a_clause_with_line_ends_come_back(tmp_path: Path) -> None:
    text = 'AS IS,\nWITH "ALL FAULTS"; \t no warranty.'
    rows = [['"as-is" clause', "Liability", "c1", text, rater, "4"] for rater in "ABC"]
    benchmark_from_ratings(written(tmp_path / "r.csv", [HEADER, *rows]), None, tmp_path / "out")
    assert grades_of(tmp_path / "out") == {('"as-is" clause', "c1"): 3}
    assert read_acord(tmp_path / "out").clauses == {"c1": text}


def test_each_row_that_is_lost_is_counted_and_listed(tmp_path: Path) -> None:
    good = rows_of(WORKED)
    bad = {
        "stars are whole numbers from 1 to 5": [
            ["cap", "c1", "D", "4,33"],
            ["cap", "c1", "E", "6"],
            ["cap", "c1", "F", ""],
        ],
        "no clause of this id is in the corpus, or it has no text": [["cap", "c9", "A", "4"]],
        "no rater, or no rating": [["cap", "c1", "", "4"]],
        "no query": [["", "c1", "A", "4"]],
        "rated twice, the same: counted once": [["cap", "c2", "A", "4"]],
        "rated twice, not the same": [["law", "l2", "A", "1"]],
    }
    rows = [
        [q, CATEGORIES.get(q, "x"), clause, "", rater, stars]
        for rows in bad.values()
        for q, clause, rater, stars in rows
    ]
    result = benchmark_from_ratings(written(tmp_path / "r.csv", [HEADER, *good, *rows]), None, tmp_path / "out")
    listed = Counter(row["reason"] for row in table_of(tmp_path / "out" / "rejects.csv"))
    assert listed == {why: len(rows) for why, rows in bad.items()} | {"rated twice, not the same": 2}
    assert (result.n_read, result.n_rejected, result.ratings.too_few_raters) == (27 + 8, 9, 2)
    assert adds_up(result)
    assert grades_of(tmp_path / "out")[("cap", "c1")] == 4
    assert ("law", "l2") not in grades_of(tmp_path / "out")
    assert ("cap", "l2") not in grades_of(tmp_path / "out")


def test_a_text_that_is_not_the_corpuss_is_no_rating_of_it(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    clauses = [f"c{n}" for n in range(1, 5)] + ["l1", "l2", "unrated"]
    corpus.write_text("".join(json.dumps({"_id": c, "text": f"The  text of\n{c}."}) + "\n" for c in clauses))
    rows = [HEADER, *rows_of(WORKED), ["cap", "Liability", "c1", "Another text.", "D", "1"]]
    result = benchmark_from_ratings(written(tmp_path / "r.csv", rows), corpus, tmp_path / "out")
    assert result.n_rejected == 1
    assert list(read_acord(tmp_path / "out").clauses) == clauses
    assert grades_of(tmp_path / "out") == GRADES | dict.fromkeys(ZEROS, 0)


def test_whatever_the_rows_none_is_lost_without_a_count(tmp_path: Path) -> None:
    chance = random.Random(5)

    def row() -> list[str]:
        query = chance.choice([*CATEGORIES, ""])
        clause, rater, stars = f"c{chance.randrange(9)}", chance.choice("ABC "), chance.choice("1234556")
        return [query, CATEGORIES.get(query, "x"), clause, f"The text of {clause}.", rater, stars]

    fixed = rows_of({("cap", "k1"): "333", ("law", "k2"): "333"})  # no category is too small
    for turn in range(20):
        rows = [HEADER, *fixed, *(row() for _ in range(120))]
        out = tmp_path / str(turn)
        result = benchmark_from_ratings(written(tmp_path / f"{turn}.csv", rows), None, out)
        assert adds_up(result)
        assert result.n_read == len(rows) - 1
        assert result.n_rejected == len(table_of(out / "rejects.csv")) > 20
        assert result.pairs.judged == len(scores_of(out))
        assert result.pairs.to_reconcile == len(table_of(out / "to-reconcile.csv"))


def test_fewer_raters_can_be_allowed_and_halves_go_up(tmp_path: Path) -> None:
    table = {("cap", "c1"): "45", ("cap", "c2"): "34", ("cap", "c3"): "12", ("law", "l1"): "4", ("law", "l2"): "23"}
    path = written(tmp_path / "r.csv", [HEADER, *rows_of(table)])
    result = benchmark_from_ratings(path, None, tmp_path / "out", min_raters=1, expand=False)
    grades = {("cap", "c1"): 4, ("cap", "c2"): 3, ("cap", "c3"): 1, ("law", "l1"): 3}
    assert grades_of(tmp_path / "out") == grades
    assert result.pairs.to_reconcile == 1
    with pytest.raises(InputError, match=r'"Governing Law" has no query .*2 pairs have fewer than 3 raters'):
        benchmark_from_ratings(path, None, tmp_path / "three")
    two = benchmark_from_ratings(
        written(tmp_path / "r2.csv", [HEADER, *rows_of(table | {("law", "l1"): "44"}), *rows_of({("cap", "c4"): "5"})]),
        None,
        tmp_path / "two",
        min_raters=2,
    )
    assert two.pairs.too_few_raters == 1
    assert adds_up(two)


def test_a_query_without_a_relevant_clause_is_left_out_and_said(tmp_path: Path) -> None:
    table = {key: stars for key, stars in WORKED.items() if key[0] != "carve-out"} | {("carve-out", "c4"): "222"}
    out = tmp_path / "out"
    result = benchmark_from_ratings(written(tmp_path / "r.csv", [HEADER, *rows_of(table)]), None, out)
    assert result.left_out == ["carve-out"]
    assert (result.ratings.query_left_out, result.pairs.query_left_out) == (3, 1)
    assert adds_up(result)
    assert "carve-out" not in read_acord(out).queries
    assert grades_of(out)[("law", "c4")] == 0  # that it is of the other category is known
    assert "* carve-out: no clause of three stars or more\n" in (out / "README.md").read_text("utf-8")
    assert any('"carve-out" has no clause of three stars or more.' in line for line in result.lines())


@pytest.mark.parametrize(("stars", "why"), [("551", "the panel has still to settle it"), ("55", "it lacks a rater")])
def test_a_query_whose_pairs_are_not_settled_is_not_said_to_have_nothing(tmp_path: Path, stars: str, why: str) -> None:
    table = {key: given for key, given in WORKED.items() if key[0] != "carve-out"} | {("carve-out", "c4"): stars}
    out = tmp_path / "out"
    result = benchmark_from_ratings(written(tmp_path / "r.csv", [HEADER, *rows_of(table)]), None, out)
    assert (result.left_out, result.unsettled) == (["carve-out"], {"carve-out": 1}), why
    assert any("three stars or more yet: 1 of its pairs are not settled." in line for line in result.lines())
    assert "yet: 1 of its pairs" in (out / "README.md").read_text("utf-8")


def test_all_in_dispute_still_gives_the_panel_its_table(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", [HEADER, *rows_of({("cap", "c1"): "155"})])
    result = benchmark_from_ratings(path, None, tmp_path / "out")
    assert len(table_of(tmp_path / "out" / "to-reconcile.csv")) == 1
    assert result.pairs.judged == 0
