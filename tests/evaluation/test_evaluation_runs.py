"""Runs and judgements go to files and back, bad lines are named, and equal scores have one order."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from beir_support import read_beir
from lawng.errors import InputError
from lawng.evaluation.beir import Document, rows_by_id, write_beir
from lawng.evaluation.runs import rankings, read_qrels, read_run, write_qrels, write_run
from lawng.schema import Judgement, ScoredDoc

RUN = [ScoredDoc("q2", "b", 0.25), ScoredDoc("q1", "x", -1.5), ScoredDoc("q2", "a", 0.25), ScoredDoc("q2", "c", 3.0)]


def test_a_run_is_written_best_first_and_read_back(tmp_path: Path) -> None:
    assert write_run(tmp_path / "a.trec", RUN, "mine") == 4
    assert (tmp_path / "a.trec").read_text("utf-8").splitlines() == [
        "q2 Q0 c 1 3.000000 mine",
        "q2 Q0 a 2 0.250000 mine",
        "q2 Q0 b 3 0.250000 mine",
        "q1 Q0 x 1 -1.500000 mine",
    ]
    back = read_run(tmp_path / "a.trec")
    assert set(back) == set(RUN)
    assert rankings(back) == rankings(RUN) == {"q2": ["c", "a", "b"], "q1": ["x"]}


def test_noise_beyond_the_sixth_digit_orders_nothing(tmp_path: Path) -> None:
    write_run(tmp_path / "a.trec", [ScoredDoc("q", "b", 0.50000004), ScoredDoc("q", "a", 0.5)], "t")
    assert rankings(read_run(tmp_path / "a.trec")) == {"q": ["a", "b"]}


def test_qrels_are_read_back(tmp_path: Path) -> None:
    rows = [Judgement("q1", "cl:1/0", 1), Judgement("q1", "cl:2/0", 0), Judgement("q2", "cl:1/0", -1)]
    assert write_qrels(tmp_path / "qrels", rows) == 3
    assert read_qrels(tmp_path / "qrels") == rows


@pytest.mark.parametrize(
    ("read", "text", "where", "what"),
    [
        (read_run, "q Q0 d 1 0.5 t\nq Q0 e 2 t\n", ":2:", "5 fields instead of 6"),
        (read_run, "q Q0 d 1 high t\n", ":1:", "no finite number"),
        (read_run, "q Q0 d 1 nan t\n", ":1:", "no finite number"),
        (read_run, "q Q0 d 1 0.5 t\n\nq Q0 d 2 0.4 t\n", ":3:", "twice"),
        (read_qrels, "q 0 d\n", ":1:", "3 fields instead of 4"),
        (read_qrels, "q 0 d yes\n", ":1:", "no whole number"),
        (read_qrels, "q 0 d 1\nq 0 d 1\n", ":2:", "judged twice"),
    ],
)
def test_a_bad_line_is_named(
    tmp_path: Path, read: Callable[[Path], list[object]], text: str, where: str, what: str
) -> None:
    (tmp_path / "file").write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read(tmp_path / "file")
    assert where in str(caught.value)
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path, read: Callable[[Path], list[object]]) -> None:
    (tmp_path / "latin").write_bytes(b"q\xff")
    for name in ("absent", "latin"):
        with pytest.raises(InputError, match=name):
            read(tmp_path / name)


@pytest.mark.parametrize("wrong", ["", " ", "my query", "a\tb", "a\u00a0b"])
def test_names_with_blanks_are_refused_and_leave_no_file(tmp_path: Path, wrong: str) -> None:
    for query, doc, tag in ((wrong, "d", "t"), ("q", wrong, "t"), ("q", "d", wrong)):
        with pytest.raises(InputError, match="is empty or has a blank"):
            write_run(tmp_path / "run", [ScoredDoc(query, doc, 1.0)], tag)
    for query, doc in ((wrong, "d"), ("q", wrong)):
        with pytest.raises(InputError, match="is empty or has a blank"):
            write_qrels(tmp_path / "qrels", [Judgement(query, doc, 1)])
    assert list(tmp_path.iterdir()) == []


def test_a_collection_goes_to_beir_files_and_back(tmp_path: Path) -> None:
    documents = [Document("d1", "Roe v. Wade", "It is “so” ordered.\n\nAffirmed.\u2028"), Document("d2", "", "x")]
    judgements = [Judgement("q1", "d2", 1)]
    write_beir(tmp_path, documents, {"q1": "a duty", "q2": "none"}, {"test": judgements})
    write_beir(tmp_path / "in" / "folders", documents, {"q1": "a duty", "q2": "none"}, {"test": judgements})
    assert read_beir(tmp_path / "in" / "folders") == read_beir(tmp_path)
    shutil.rmtree(tmp_path / "in")
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.*")) == [
        "corpus.jsonl",
        "qrels/test.tsv",
        "queries.jsonl",
    ]
    assert (tmp_path / "qrels" / "test.tsv").read_text("utf-8") == "query-id\tcorpus-id\tscore\nq1\td2\t1\n"
    back = read_beir(tmp_path)
    assert list(back.documents.values()) == documents
    assert back.queries == {"q1": "a duty", "q2": "none"}
    assert back.judgements == judgements


@pytest.mark.parametrize(
    "text", ['{"_id": "d1"}', "nonsense", '["_id", "text"]', '{"_id": 1, "text": "x"}', "[" * 99999]
)
def test_a_bad_row_is_named(text: str) -> None:
    with pytest.raises(InputError, match=r"corpus\.jsonl:2: no JSON object"):
        rows_by_id(f'{{"_id": "d0", "text": "x"}}\n{text}\n', "corpus.jsonl")
    with pytest.raises(InputError, match=r"corpus\.jsonl:3: the id d0 stands twice"):
        rows_by_id('{"_id": "d0", "text": "x"}\n\n{"_id": "d0", "text": "x"}\n', "corpus.jsonl")
