"""A benchmark from an expert's own ratings, and the fictional one of the sample: worked tables, nothing lost, nothing by order."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from lawng.errors import ConfigError, InputError, LawngError
from lawng.studies.acord import ratings_write
from lawng.studies.acord.data import read_acord
from lawng.studies.acord.ratings import SHARES, benchmark_from_ratings
from lawng.studies.acord.ratings_agreement import krippendorff_alpha, mean_difference
from lawng.studies.acord.ratings_result import RatingsResult
from lawng.studies.acord.ratings_split import split_queries

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample" / "clauses"
REAL = Path(os.environ.get("LAWNG_SHARED", ROOT.parent / "shared")) / "data" / "acord"

HEADER = ["query", "category", "clause_id", "text", "rater", "stars"]
CATEGORIES = {"cap": "Liability", "carve-out": "Liability", "law": "Governing Law"}
WORKED = {
    ("cap", "c1"): "455",  # 4.67: five stars, grade 4
    ("cap", "c2"): "445",  # 4.33: four stars, grade 3
    ("cap", "c3"): "122",  # 1.67: two stars, grade 1
    ("cap", "l1"): "112",  # 1.33: one star, an explicit zero that raters gave
    ("carve-out", "c3"): "333",
    ("carve-out", "c1"): "245",  # differ by three stars and disagree on relevance
    ("carve-out", "c4"): "223",  # disagree on relevance
    ("law", "l1"): "344",
    ("law", "l2"): "222",
}
"""Stars of the raters A, B and C."""
GRADES = {
    ("cap", "c1"): 4,
    ("cap", "c2"): 3,
    ("cap", "c3"): 1,
    ("cap", "l1"): 0,
    ("carve-out", "c3"): 2,
    ("law", "l1"): 3,
    ("law", "l2"): 1,
}
ZEROS = {("cap", "l2"), ("carve-out", "l1"), ("carve-out", "l2"), ("law", "c1"), ("law", "c2"), ("law", "c3")}
"""c4 is in no pair that counts, so nothing is known of it."""


def rows_of(table: dict[tuple[str, str], str], raters: str = "ABC") -> list[list[str]]:
    return [
        [query, CATEGORIES[query], clause, f"The text of {clause}.", rater, star]
        for (query, clause), stars in table.items()
        for rater, star in zip(raters, stars, strict=False)
    ]


def written(path: Path, rows: Sequence[Sequence[str]], delimiter: str = ",", encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def table_of(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline=""), delimiter=delimiter))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def grades_of(folder: Path) -> dict[tuple[str, str], int]:
    return {(row.query_id, row.doc_id): row.relevance for row in read_acord(folder).judgements}


def adds_up(result: RatingsResult) -> bool:
    return result.n_read == sum(result.ratings) + result.n_rejected


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    """The worked table in long form."""
    return written(tmp_path / "ratings.csv", [HEADER, *rows_of(WORKED)])


# the sample


def test_the_sample_is_what_its_source_makes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SAMPLE / "make_clauses.py"), "-o", str(tmp_path)], check=True)
    assert all((SAMPLE / name).read_bytes() == data for name, data in bytes_of(tmp_path).items())
    assert len(bytes_of(tmp_path)) == 9


def test_the_sample_has_what_tests_need() -> None:
    sample = read_acord(SAMPLE, fine=True)
    assert (len(sample.clauses), len(sample.queries)) == (91, 14)
    assert Counter(query.split for query in sample.queries.values()) == {"train": 6, "valid": 2, "test": 6}
    assert {query.category for query in sample.queries.values() if query.split == "test"} == set(sample.categories())
    assert all(query.medium and query.long for query in sample.queries.values())
    assert '"as-is" clause without exceptions' in sample.judged("test")
    for query, grades in sample.judged("train", "valid", "test").items():
        n = Counter(grades.values())
        assert n[2] + n[3] + n[4] == 5
        assert n[1] >= 7
        assert (n[4] == 0) == (sample.queries[query].category == "Term")
        assert n[0] > 70
    assert len(sample.judgements) < len(sample.clauses) * len(sample.queries)
    assert {round(stars * 3) for stars in sample.fine.values()} >= {6, 9, 10, 11, 12, 13, 14, 15}


@pytest.mark.skipif(not (REAL / "corpus.jsonl").is_file(), reason="the data of ACORD is not here (LAWNG_SHARED)")
def test_no_clause_of_the_sample_is_a_real_one() -> None:
    def runs(text: str, n: int = 20) -> set[str]:
        words = re.findall(r"\w+", text.lower())
        return {" ".join(words[at : at + n]) for at in range(len(words) - n + 1)}

    def texts(place: Path) -> list[str]:
        return [json.loads(line)["text"] for line in (place / "corpus.jsonl").read_text("utf-8").splitlines()]

    own = {run for text in texts(SAMPLE) for run in runs(text)}
    assert len(own) > 2000
    assert not any(own & runs(text) for text in texts(REAL))


def test_the_ratings_of_the_sample_give_its_grades_and_scores(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = benchmark_from_ratings(SAMPLE / "ratings.csv", SAMPLE, out, reconciled=[SAMPLE / "reconciled.csv"])
    assert grades_of(out) == grades_of(SAMPLE)
    assert read_acord(out, fine=True).fine == read_acord(SAMPLE, fine=True).fine
    assert (result.n_read, result.pairs.judged, result.n_expanded, result.agreement.n_disputed) == (600, 200, 1042, 6)
    assert adds_up(result)
    variants = {query.query_id: (query.medium, query.long) for query in read_acord(out).queries.values()}
    assert variants == {query.query_id: (query.medium, query.long) for query in read_acord(SAMPLE).queries.values()}


# the worked table


def test_grades_zeros_and_scores_are_those_worked_by_hand(ratings: Path, tmp_path: Path) -> None:
    result = benchmark_from_ratings(ratings, None, tmp_path / "out")
    assert grades_of(tmp_path / "out") == GRADES | dict.fromkeys(ZEROS, 0)
    scores = {(row["query-id"], row["corpus-id"]): row["score"] for row in _scores(tmp_path / "out")}
    assert scores[("cap", "c1")] == "4.6667"
    assert scores[("cap", "l1")] == "1.3333"
    assert scores.keys() == GRADES.keys()
    assert (result.n_read, result.ratings.judged, result.ratings.to_reconcile, result.n_rejected) == (27, 21, 6, 0)
    assert result.n_expanded == len(ZEROS)
    assert result.n_grades == {0: 1, 1: 2, 2: 1, 3: 2, 4: 1}
    assert result.agreement.n_disputed == 2
    assert result.agreement.disputed_share == pytest.approx(2 / 9)
    # within a pair: 2/3 for eight, as c1 of carve-out has (2 + 3 + 1) / 3 and three pairs have 0
    assert result.agreement.difference == pytest.approx((6 * 2 / 3 + 2 + 2 * 0) / 9)


def _scores(folder: Path) -> list[dict[str, str]]:
    return table_of(folder / "supplemental" / "scores.tsv", "\t")


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


# the panel


def filled(out: Path, path: Path, adjust: Callable[[dict[str, str]], dict[str, str]]) -> Path:
    """`to-reconcile.csv` of `out` as the panel gives it back."""
    rows = [{**row, **adjust(row)} for row in table_of(out / "to-reconcile.csv")]
    return written(path, [list(rows[0]), *(list(row.values()) for row in rows)])


def test_a_panel_settles_what_it_is_shown(ratings: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    benchmark_from_ratings(ratings, None, out)
    shown = {row["clause_id"]: row for row in table_of(out / "to-reconcile.csv")}
    assert shown["c1"]["reasons"] == "differ by 3 stars; disagree on relevance"
    assert shown["c4"]["reasons"] == "disagree on relevance"
    assert [shown["c1"][f"stars_{n}"] for n in (1, 2, 3)] == ["2", "4", "5"]
    back = filled(
        out, tmp_path / "back.csv", lambda row: {"adjusted_1": "4"} if row["clause_id"] == "c1" else {"adjusted_3": "2"}
    )
    result = benchmark_from_ratings(ratings, None, out, reconciled=[back])
    settled = GRADES | {("carve-out", "c1"): 3, ("carve-out", "c4"): 1}  # 4.33 and 2
    assert grades_of(out) == settled | dict.fromkeys(ZEROS | {("law", "c4")}, 0)
    assert table_of(out / "to-reconcile.csv") == []
    assert {row["clause_id"]: row["adjusted_1"] for row in table_of(out / "reconciled.csv")} == {"c1": "4", "c4": "2"}
    assert (result.pairs.to_reconcile, result.agreement.n_disputed, result.agreement.n_adjusted) == (0, 2, 2)
    assert adds_up(result)
    again = benchmark_from_ratings(ratings, None, tmp_path / "again", reconciled=[out / "reconciled.csv"])
    assert again.pairs == result.pairs
    assert grades_of(tmp_path / "again") == grades_of(out)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"adjusted_1": "1"}, "adjusted: still differ by 4 stars"),
        ({"adjusted_1": "2", "adjusted_2": "3", "adjusted_3": "4"}, "adjusted: still disagree on relevance"),
        ({"adjusted_1": "3,5"}, "adjusted: stars are whole numbers from 1 to 5"),
        ({"adjusted_1": "4", "stars_1": "1"}, "the ratings are not those that the panel saw"),
    ],
)
def test_what_a_panel_does_not_settle_is_listed_again(
    ratings: Path, tmp_path: Path, cells: dict[str, str], reason: str
) -> None:
    benchmark_from_ratings(ratings, None, tmp_path / "out")
    back = filled(tmp_path / "out", tmp_path / "back.csv", lambda row: cells if row["clause_id"] == "c1" else {})
    result = benchmark_from_ratings(ratings, None, tmp_path / "out", reconciled=[back])
    listed = {row["clause_id"]: row for row in table_of(tmp_path / "out" / "to-reconcile.csv")}
    assert reason in listed["c1"]["reasons"]
    assert listed["c1"]["adjusted_1"] == cells["adjusted_1"]
    assert listed["c4"]["reasons"] == "disagree on relevance"
    assert result.pairs.to_reconcile == 2
    assert ("carve-out", "c1") not in grades_of(tmp_path / "out")


def test_of_two_tables_of_the_panel_the_later_counts_and_strange_pairs_are_listed(
    ratings: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    benchmark_from_ratings(ratings, None, out)
    first = filled(out, tmp_path / "1.csv", lambda row: {"adjusted_1": "1"})
    second = filled(
        out, tmp_path / "2.csv", lambda row: {f"adjusted_{n}": "3" for n in (1, 2, 3)} | {"query": "carve-out"}
    )
    second.write_text(second.read_text().replace("c4", "c2"))
    result = benchmark_from_ratings(ratings, None, out, reconciled=[first, second])
    assert grades_of(out)[("carve-out", "c1")] == 2
    assert result.n_unused_panel_rows == 1
    [reject] = table_of(out / "rejects.csv")
    assert (reject["table"], reject["clause_id"]) == ("reconciled", "c2")


def test_the_panels_work_is_not_written_over(ratings: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    benchmark_from_ratings(ratings, None, out)
    benchmark_from_ratings(ratings, None, out)  # nothing was filled in
    filled(out, out / "to-reconcile.csv", lambda row: {"adjusted_1": "4"})
    with pytest.raises(InputError, match=r"to-reconcile\.csv: has the panel's stars"):
        benchmark_from_ratings(ratings, None, out)
    benchmark_from_ratings(ratings, None, out, reconciled=[out / "to-reconcile.csv"])
    with pytest.raises(InputError, match=r"reconciled\.csv: has the panel's stars"):
        benchmark_from_ratings(ratings, None, out, reconciled=[out / "to-reconcile.csv"])


# rows that cannot be used


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
        assert result.pairs.judged == len(_scores(out))
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
    assert "* carve-out" in (out / "README.md").read_text("utf-8")
    assert any("carve-out" in line for line in result.lines())


def test_all_in_dispute_still_gives_the_panel_its_table(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", [HEADER, *rows_of({("cap", "c1"): "155"})])
    result = benchmark_from_ratings(path, None, tmp_path / "out")
    assert len(table_of(tmp_path / "out" / "to-reconcile.csv")) == 1
    assert result.pairs.judged == 0


# splits and agreement


@pytest.mark.parametrize(("n_queries", "n_categories", "counts"), [(114, 9, (51, 6, 57)), (14, 6, (6, 1, 7)), (10, 8, (2, 0, 8)), (1, 1, (0, 0, 1)), (40, 1, (18, 2, 20))])  # fmt: skip
def test_splits_are_nearest_to_the_shares_with_every_category_in_test(
    n_queries: int, n_categories: int, counts: tuple[int, int, int]
) -> None:
    categories = {f"q{n}": f"category {n % n_categories}" for n in range(n_queries)}
    splits = split_queries(categories, 7, SHARES)
    assert tuple(Counter(splits.values())[name] for name in ("train", "valid", "test")) == counts
    assert {categories[query] for query, split in splits.items() if split == "test"} == set(categories.values())
    assert split_queries(dict(reversed(categories.items())), 7, SHARES) == splits
    if n_queries > 20:
        assert split_queries(categories, 8, SHARES) != splits


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.5, 0.5, 0.5), (1.5, -0.5, 0.0)])
def test_shares_that_are_none_are_refused(ratings: Path, tmp_path: Path, shares: tuple[float, ...]) -> None:
    with pytest.raises(ConfigError, match="are not three numbers that add up to 1"):
        benchmark_from_ratings(ratings, None, tmp_path / "out", shares=shares)


def test_alpha_is_that_of_the_published_example() -> None:
    # Krippendorff (2011), section E: four observers, twelve units, gaps; ordinal alpha 0.815
    observers = [
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    ]
    units = [[int(cell) for cell in unit if cell != "."] for unit in zip(*map(str.split, observers), strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.815, abs=0.0005)


def test_alpha_by_hand_and_where_it_is_not_defined() -> None:
    # values 1 once and 2 three times; their difference is (4 - 4 / 2)^2 = 4: 1 - 3 * (2 * 4) / (2 * 1 * 3 * 4) = 0
    assert krippendorff_alpha([(1, 2), (2, 2)]) == pytest.approx(0.0)
    assert krippendorff_alpha([(3, 3), (3, 3, 3)]) is None
    assert krippendorff_alpha([(1,), (5,)]) is None
    assert mean_difference([(1,)]) is None


# what is refused, in one line


def _cut(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


TEXT = [["cap", "Liability", "c1", "T.", "A", "4"]]
REFUSED: dict[str, tuple[Any, str]] = {
    "no-file": (None, r"none\.csv: cannot be read \(No such file"),
    "empty": (b"", r"no column query, category, clause_id \(found: none\)"),
    "column": ([["query", "clause_id", "rater", "stars"]], r"no column category \(found: query, clause_id, rater, stars\)"),
    "no-stars": ([[*HEADER[:5]], TEXT[0][:5]], r"no columns rater and stars, and none rater_1"),
    "both-forms": ([[*HEADER, "rater_1"], [*TEXT[0], "4"]], r"has both rater, stars and rater_1"),
    "twice": ([[*HEADER, "Stars"], [*TEXT[0], "4"]], r"the column stars is there twice"),
    "no-text": ([[c for c in HEADER if c != "text"]], r"no column text, and no corpus is given"),
    "no-rows": ([HEADER], r"has no ratings"),
    "latin-1": ("query,category\ncaf\xe9,x\n".encode("latin-1"), r"is not UTF-8 \(byte 18\)"),
    "utf-16": ("query,category,clause_id".encode("utf-16-be"), r"is no text|not UTF-8"),
    "ragged": ([HEADER, ["cap", "Liability"]], r"ratings\.csv:2: 2 cells where the first line has 6"),
    "open-quote": (b'query,category,clause_id,text,rater,stars\ncap,"x\n', r"is no CSV \(unexpected end of data\)"),
    "two-categories": ([HEADER, *TEXT, ["cap", "Law", *TEXT[0][2:]]], r'the query "cap" has two of category, "Law" and'),
    "no-category": ([HEADER, ["cap", "", *TEXT[0][2:]]], r'the query "cap" has no category'),
    "two-texts": ([HEADER, *TEXT, [*TEXT[0][:3], "U.", "B", "4"]], r"the clause c1 has two texts"),
    "small-category": ([HEADER, *rows_of(WORKED | {("law", "l1"): "222"})], r'the category "Governing Law" has no query'),
    "all-bad": ([HEADER, [*TEXT[0][:5], "9"]], r"1 ratings cannot be used, the first because: stars are whole numbers"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_one_clear_line_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    given, message = REFUSED[name]
    path = tmp_path / ("none.csv" if given is None else "ratings.csv")
    if given is not None:
        _cut(path, given) if isinstance(given, bytes) else written(path, given)
    with pytest.raises(LawngError, match=message) as raised:
        benchmark_from_ratings(path, None, tmp_path / "out")
    assert "\n" not in str(raised.value)
    assert sorted(tmp_path.iterdir()) == ([] if given is None else [path])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"_id": "c1"}\n', r"corpus\.jsonl:1: no JSON object"),
        ('{"_id": "c1", "text": "T."}\n' * 2, r"corpus\.jsonl:2: the id c1 stands twice"),
        (None, r"corpus\.jsonl: cannot be read"),
    ],
)
def test_a_bad_corpus_is_refused(ratings: Path, tmp_path: Path, content: str | None, message: str) -> None:
    if content:
        (tmp_path / "corpus.jsonl").write_text(content)
    with pytest.raises(InputError, match=message):
        benchmark_from_ratings(ratings, tmp_path, tmp_path / "out")


def test_a_bad_table_of_the_panel_is_refused(ratings: Path, tmp_path: Path) -> None:
    header = ["query", "clause_id", "rater_1", "stars_1", "adjusted_1"]
    twice = written(tmp_path / "twice.csv", [header, *[["cap", "c1", "A", "2", "3"]] * 2])
    with pytest.raises(InputError, match=r'the query "cap" has the clause c1 twice'):
        benchmark_from_ratings(ratings, None, tmp_path / "out", reconciled=[twice])
    lacks = written(tmp_path / "lacks.csv", [[*header, "rater_2", "stars_2"]])
    with pytest.raises(InputError, match=r"no column adjusted_2"):
        benchmark_from_ratings(ratings, None, tmp_path / "out", reconciled=[lacks])


def test_nothing_of_the_user_is_replaced(ratings: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="is no benchmark made from ratings"):
        benchmark_from_ratings(ratings, None, other)
    benchmark_from_ratings(ratings, None, tmp_path / "out")
    inside = tmp_path / "out" / "mine.csv"
    inside.write_bytes(ratings.read_bytes())
    with pytest.raises(InputError, match="lies in the folder that will be replaced"):
        benchmark_from_ratings(inside, None, tmp_path / "out")
    with pytest.raises(ConfigError, match="min-raters: 0"):
        benchmark_from_ratings(ratings, None, tmp_path / "new", min_raters=0)


def test_it_is_written_whole_or_not_at_all(ratings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    benchmark_from_ratings(ratings, None, out)
    before = bytes_of(out)

    def broken(*_: object) -> str:
        raise OSError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(ratings_write, "card", broken)
        with pytest.raises(OSError, match="no room"):
            benchmark_from_ratings(ratings, None, out, seed=8)
    assert bytes_of(out) == before
    (tmp_path / ".out.partial" / "left").write_text("by the run that broke")
    benchmark_from_ratings(ratings, None, out)
    assert bytes_of(out) == before


def test_the_card_says_what_a_reader_must_know(tmp_path: Path) -> None:
    benchmark_from_ratings(SAMPLE / "ratings.csv", SAMPLE / "corpus.jsonl", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert "14 queries over 91 clauses, 194 rated pairs" in card
    assert "| Attorney Pell | 200 |" in card
    assert "6 of the 200 pairs with enough raters (3.0%)" in card
    assert "To be filled in by the owner" in card
    assert "| left to the panel (`to-reconcile.csv`) | 18 | 6 |" in card
    book = json.loads((tmp_path / "out" / "from-ratings.json").read_text("utf-8"))
    assert (book["n_read"], book["pairs"]["to_reconcile"], book["settings"]["seed"]) == (600, 6, 7)
    assert read_acord(tmp_path / "out").licences == ()
