"""What raters dispute goes to a panel, and comes back settled or is listed again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lawng.annotation.benchmark import benchmark_from_ratings
from lawng.errors import InputError
from ratings_support import (
    GRADES,
    HEADER,
    WORKED,
    ZEROS,
    adds_up,
    grades_of,
    rows_of,
    table_of,
    written,
)


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    """The worked table in long form."""
    return written(tmp_path / "ratings.csv", [HEADER, *rows_of(WORKED)])


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
    rejects = table_of(out / "rejects.csv")
    assert {(reject["table"], reject["clause_id"]) for reject in rejects} == {("reconciled", "c2")}
    assert [(reject["rater"], reject["stars"]) for reject in rejects] == [("A", "3"), ("B", "3"), ("C", "3")]


def test_what_the_panel_wrote_for_a_rater_of_another_name_is_kept(ratings: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    benchmark_from_ratings(ratings, None, out)
    panel = filled(out, out / "to-reconcile.csv", lambda row: {"adjusted_1": "4"})
    ratings.write_text(ratings.read_text("utf-8-sig").replace(",A,", ",Ada,"))
    benchmark_from_ratings(ratings, None, out, reconciled=[panel])
    kept = [row for row in table_of(out / "rejects.csv") if row["rater"] == "A"]
    assert {(row["reason"], row["stars"]) for row in kept} == {("the ratings have no such rater", "4")}


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
