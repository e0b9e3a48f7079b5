"""Ratings that are refused: one clear line each, and nothing of the user's is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lawng.annotation import layout
from lawng.annotation.benchmark import benchmark_from_ratings
from lawng.errors import ConfigError, InputError, LawngError
from ratings_support import (
    HEADER,
    WORKED,
    bytes_of,
    rows_of,
    table_of,
    written,
)


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    """The worked table in long form."""
    return written(tmp_path / "ratings.csv", [HEADER, *rows_of(WORKED)])


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


def test_a_rating_without_a_clause_id_is_told(tmp_path: Path) -> None:
    rows = [HEADER, *rows_of(WORKED), *(["cap", "Liability", "", text, "A", "4"] for text in ("No id.", "Nor here."))]
    result = benchmark_from_ratings(written(tmp_path / "ratings.csv", rows), None, tmp_path / "out")
    assert result.n_rejected == 2
    assert {row["reason"] for row in table_of(tmp_path / "out" / "rejects.csv")} == {"no clause_id"}
    assert '"_id": ""' not in (tmp_path / "out" / "corpus.jsonl").read_text()


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
        patch.setattr(layout, "card", broken)
        with pytest.raises(OSError, match="no room"):
            benchmark_from_ratings(ratings, None, out, seed=8)
    assert bytes_of(out) == before
    assert not (tmp_path / ".out.partial").exists()
    (tmp_path / ".out.partial").mkdir()
    (tmp_path / ".out.partial" / "left").write_text("by the run that broke")
    benchmark_from_ratings(ratings, None, out)
    assert bytes_of(out) == before
