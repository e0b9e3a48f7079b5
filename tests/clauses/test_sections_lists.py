"""Lists of clauses, line by line: what is a clause, what is rejected and why, and that nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lawng.clauses.collection import clauses_of_lines
from lawng.schema import Clause, Reject


def read(tmp_path: Path, *lines: str | dict[str, object], known: set[str] | None = None) -> list[Clause | Reject | str]:
    path = tmp_path / "list.jsonl"
    said = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(said) + "\n", encoding="utf-8")
    return list(clauses_of_lines(path, "list.jsonl", known if known is not None else set()))


def test_every_field_of_a_clause_of_a_list(tmp_path: Path) -> None:
    text = "12.1 Cap. At most $5."
    [found] = read(tmp_path, {"_id": 7, "text": text, "title": "Supply Agreement"})
    assert found == Clause("7", "Supply Agreement", "12.1", "Cap", [], 0, 0, len(text), text)
    for title in ("", "  ", None, 5):
        [found] = read(tmp_path, {"_id": "a", "text": "It is so.", "title": title})
        assert found == Clause("a", "list.jsonl", "", "", [], 0, 0, 9, "It is so."), title


@pytest.mark.parametrize(
    ("line", "reason", "detail"),
    [
        ("no json " * 20, "line-not-json", ("no json " * 20)[:80]),
        ("[1]", "line-without-clause", "no object with `_id` and `text`"),
        ({"text": "It is so."}, "line-without-clause", "no object with `_id` and `text`"),
        ({"_id": "a"}, "line-without-clause", "no object with `_id` and `text`"),
        ({"_id": "a", "text": 5}, "line-without-clause", "no object with `_id` and `text`"),
        ({"_id": "a", "text": " .—… "}, "clause-without-text", "a"),
        ({"_id": "known", "text": "It is so."}, "duplicate-clause", "known"),
    ],
)
def test_a_line_that_is_no_clause_is_rejected_with_its_place_and_the_rest_goes_on(
    tmp_path: Path, line: str | dict[str, object], reason: str, detail: str
) -> None:
    known = {"known"}
    first, second, third = read(
        tmp_path, {"_id": "1", "text": "One."}, "", line, {"_id": "2", "text": "Two."}, known=known
    )
    assert isinstance(first, Clause)
    assert isinstance(third, Clause)
    assert second == Reject("clauses", "list.jsonl:3", reason, detail)
    assert known == {"known", "1", "2"}


def test_a_mark_before_the_first_line_is_none_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"_id": "a", "text": "It is so."}')
    assert [one.text for one in clauses_of_lines(path, "a", set()) if isinstance(one, Clause)] == ["It is so."]


def test_half_a_character_is_shown_as_a_question_mark(tmp_path: Path) -> None:
    [found] = read(tmp_path, r'{"_id": "a", "text": "It is \ud800 so."}')
    assert isinstance(found, Clause)
    assert found.text == "It is ? so."
