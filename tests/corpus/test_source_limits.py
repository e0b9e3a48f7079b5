"""What is over a limit, or made to break a reader, is one counted reject in its place; all around it is read."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lxml.html
import pytest

from corpus_support import BODY, bulk, cases, check, line, opinions, read, reasons, volume
from lawng.corpus import archives, courtlistener_join
from lawng.corpus.cap import head_text, read_casebody
from lawng.corpus.markup import check_size, read_text
from lawng.corpus.records import Item
from lawng.io.limits import ELEMENTS, LINE_BYTES, NAME_CHARACTERS, TEXT_CHARACTERS, OverLimitError
from lawng.schema import Reject


def rejected(items: list[Item]) -> list[tuple[str, str]]:
    """Place and reason of each reject."""
    return [(item.id, item.reason) for item in items if isinstance(item, Reject)]


LONG = '<casebody><opinion type="majority"><p>{}</p></opinion></casebody>'


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("[" * 200_000, "json-too-deep"),
        ('{"id": 5, "name": ' + "[" * 150 + "]" * 150 + "}", "json-too-deep"),
        ('{"id": ' + "7" * 5_000 + "}", "number-too-long"),
        ('{"id": "' + "7" * 5_000 + '"}', "number-too-long"),
        (line(10**19), "number-too-long"),
        ('{"id": 1e999}', "not-a-case"),
        ('{"id": NaN}', "not-a-case"),
        ('{"id": 5, "name": "' + "x" * LINE_BYTES + '"}', "line-too-long"),
        (line(5, body=LONG.format("word " * (TEXT_CHARACTERS // 5))), "text-too-long"),
        (line(5, body=LONG.format("<i/>" * (ELEMENTS + 1))), "markup-too-large"),
        (line(5, body={"opinions": [{"text": "word " * (TEXT_CHARACTERS // 5 + 1)}]}), "text-too-long"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_line_over_a_limit_is_one_reject_in_its_place(bad: Any, reason: str, tmp_path: Path) -> None:
    items = read(bulk(tmp_path, line(1), bad, line(20)))
    check(items)
    assert rejected(items) == [("data.jsonl:2", reason)]
    assert [case.case_id for case in cases(items)] == ["cap:1", "cap:20"]


@pytest.mark.parametrize(
    "bad", ["[" * 200_000, "not json {", '["a list"]', '{"id": 1, "na', "\0", "7"], ids=lambda bad: bad[:9]
)
def test_a_bad_first_line_does_not_hide_the_others(bad: str, tmp_path: Path) -> None:
    items = read(bulk(tmp_path, bad, line(1), line(20)), "cap-bulk")
    check(items)
    assert all(place.partition(".jsonl:")[2][:2] in ("1", "1.") for place, _ in rejected(items))
    assert rejected(items)
    assert [case.case_id for case in cases(items)] == ["cap:1", "cap:20"]


@pytest.mark.parametrize("field", ["name", "docket_number"])
def test_a_name_over_the_limit_takes_its_opinions_along(field: str, tmp_path: Path) -> None:
    items = read(bulk(tmp_path, line(1), line(5, **{field: "x" * (NAME_CHARACTERS + 1)})))
    check(items)
    assert reasons(items) == {"cases:field-too-long": 1, "opinions:field-too-long": 1}
    assert len(read(bulk(tmp_path, line(5, **{field: "x" * NAME_CHARACTERS})))) > 2


def test_half_a_surrogate_pair_anywhere_can_be_written(tmp_path: Path) -> None:
    body = {"opinions": [{"text": "The \ud800 rule.", "author": "\udfff"}]}
    items = read(bulk(tmp_path, line(5, body=body, name="Doe \ud800 v. Roe")))
    check(items)
    assert opinions(items)[0].text == "The ? rule."
    assert cases(items)[0].name_full.encode() == b"Doe ? v. Roe"


def test_page_numbers_of_a_case_body_may_be_anything(tmp_path: Path) -> None:
    bodies = [BODY.format(first=first, last=first, mark=first) for first in ("²", "٣", "9" * 5_000, "xii")]
    items = read(bulk(tmp_path, *(line(n, body=body) for n, body in enumerate(bodies, start=1))))
    check(items)
    assert len(opinions(items)) == len(bodies)


@pytest.mark.parametrize("size", [TEXT_CHARACTERS + 1, 3 * TEXT_CHARACTERS])
def test_only_what_is_over_the_size_is_refused(size: int) -> None:
    check_size("x" * TEXT_CHARACTERS)
    check_size("<i>x</i>" * ELEMENTS)
    with pytest.raises(OverLimitError, match=f"{size:,} characters"):
        read_text("x" * size)


@pytest.mark.parametrize(
    "text",
    ["<a" * 200_000, "\n" + " " * 200_000 + "x", "\n7" + " " * 200_000 + "x", "<" * 200_000, "&" * 200_000],
    ids=["open tags", "blanks", "a folio and blanks", "brackets", "entities"],
)
def test_time_does_not_grow_with_the_square_of_a_text(text: str) -> None:
    read_text(text)  # took minutes where it does


def test_what_is_never_closed_is_read_once_and_not_at_every_level() -> None:
    author = '<section class="author">Shaw'
    root = lxml.html.fromstring(f'<section class="casebody">{author * 100}</section>')
    assert head_text(root, "author").count("Shaw") == 100
    opinion = '<article class="opinion" data-type="majority"><p>It is so ordered.'
    parts, _ = read_casebody(lxml.html.fromstring(f'<section class="casebody">{opinion * 100}</section>'), "x", "html")
    assert [part.body.text.count("ordered") for part in parts] == [100]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gz", "bz2", "xz"])
def test_a_bomb_is_one_reject_after_what_stands_before_it(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "RATIO_FROM_BYTES", 5_000_000)
    (tmp_path / "data.jsonl.xz").write_bytes(pack(json.dumps(line(1)).encode() + b"\n" + bytes(40_000_000)))
    items = read(tmp_path / "data.jsonl.xz")
    check(items)
    assert rejected(items) == [("data.jsonl.xz", "packed-too-tightly")]
    assert [case.case_id for case in cases(items)] == ["cap:1"]


def test_a_bomb_in_a_bag_does_not_hide_the_next_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "RATIO_FROM_BYTES", 5_000_000)
    with zipfile.ZipFile(tmp_path / "bag.zip", "w", zipfile.ZIP_DEFLATED) as bag:
        bag.writestr("bag/a.jsonl", bytes(9_000_000))
        bag.writestr("bag/b.jsonl", json.dumps(line(1)))
        bag.writestr("bag/c.jsonl", lzma.compress(json.dumps(line(20)).encode()), zipfile.ZIP_BZIP2)
        bag.writestr("bag/noise", bytes(range(256)) * 1_000, zipfile.ZIP_STORED)
    items = read(tmp_path / "bag.zip")
    assert rejected(items) == [
        ("bag.zip/bag/a.jsonl", "packed-too-tightly"),
        ("bag.zip/bag/c.jsonl", "packed-unusually"),
    ]
    assert [case.source_path for case in cases(items)] == ["bag.zip/bag/b.jsonl:1"]


def test_a_volume_with_a_bomb_and_a_deep_case_gives_its_other_cases(tmp_path: Path) -> None:
    source = volume(tmp_path / "tree")
    with zipfile.ZipFile(tmp_path / "9.zip", "w", zipfile.ZIP_DEFLATED) as made:
        for file in sorted(source.rglob("*.*")):
            made.write(file, file.relative_to(source / "alaska" / "9"))
        made.writestr("cases/0002-01.json", b" " * (LINE_BYTES + 1))
        made.writestr("cases/0003-01.json", b"[" * 200_000)
        made.writestr("cases/0004-01.json", b"\xff")
    items = read(tmp_path / "9.zip")
    check(items)
    assert rejected(items) == [
        ("9.zip/cases/0002-01.json", "document-too-large"),
        ("9.zip/cases/0003-01.json", "json-too-deep"),
        ("9.zip/cases/0004-01.json", "file-not-json"),
    ]
    assert len(cases(items)) == 2


@pytest.mark.parametrize("name", ["a.html", "a.xml"])
def test_a_loose_file_over_the_limit(name: str, tmp_path: Path) -> None:
    start = '<section class="casebody">' if name == "a.html" else "<mets>"
    (tmp_path / name).write_text(start + " " * LINE_BYTES)
    assert rejected(read(tmp_path)) == [(name, "document-too-large")]


def tables(folder: Path, opinions: str) -> Path:
    """CourtListener's tables with one cluster and some rows of opinions."""
    folder.mkdir()
    head = '"id","type","plain_text","cluster_id"\n'
    (folder / "opinions-2024.csv").write_text(head + opinions)
    (folder / "opinion-clusters-2024.csv").write_text('"id","case_name"\n"1","Doe v. Roe"\n')
    return folder


def row(number: int, text: str) -> str:
    return f'"{number}","020lead","{text}","1"\n'


@pytest.mark.parametrize(
    ("bad", "place", "reason"),
    [
        (row(2, "x" * LINE_BYTES), "opinions-2024.csv:2", "line-too-long"),
        (row(2, ("it says" * 100_000 + "\n") * (LINE_BYTES // 600_000)), "opinions-2024.csv:2", "line-too-long"),
        (row(2, "x" * (TEXT_CHARACTERS + 1)), "opinions-2024.csv:2", "text-too-long"),
        (row(int("7" * 30), "x"), "opinions-2024.csv:2", "row-without-id"),
        ('"2\n', "opinions-2024.csv:2", "row-without-id"),
    ],
    ids=["a line", "lines", "a text", "an id", "a quote"],
)
def test_a_row_over_a_limit_is_one_reject_in_its_place(bad: str, place: str, reason: str, tmp_path: Path) -> None:
    items = read(
        tables(tmp_path / "in", row(1, "one") + bad + row(3, "three") + row(4, "four")), scratch=tmp_path / "s"
    )
    check(items)
    assert (place, reason) in rejected(items)
    assert [opinion.text for opinion in opinions(items)][-1] == "four"


def test_a_shard_larger_than_memory_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(scratch: str) -> set[str]:
        folder = tmp_path / "in"
        items = read(folder, scratch=tmp_path / scratch)
        check(items)
        return {opinion.text for opinion in opinions(items)}

    tables(tmp_path / "in", "".join(f'"{n}","020lead","text {n}","{n}"\n' for n in range(1, 60)))
    clusters = "".join(f'"{n}","Doe {n} v. Roe"\n' for n in range(1, 60))
    (tmp_path / "in" / "opinion-clusters-2024.csv").write_text('"id","case_name"\n' + clusters)
    whole = found("whole")
    monkeypatch.setattr(courtlistener_join, "_PIECE", 500)
    assert found("pieces") == whole == {f"text {n}" for n in range(1, 60)}
    assert not list(tmp_path.rglob("apart-*"))


def test_a_case_of_more_opinions_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawng.corpus.courtlistener_join.CASE_OPINIONS", 3)
    items = read(tables(tmp_path / "in", "".join(row(n, f"text {n}") for n in range(1, 6))), scratch=tmp_path / "s")
    check(items)
    assert rejected(items) == [("cl:1/4", "case-too-large"), ("cl:1/5", "case-too-large")]


def test_what_is_over_a_limit_in_the_tars_of_the_api(tmp_path: Path) -> None:
    members = {
        "clusters.tar": {"1.json": b'{"id": 1, "case_name": "Doe v. Roe"}', "2.json": b"[" * 200_000},
        "opinions.tar": {
            "1.json": b'{"id": 1, "cluster": ".../clusters/1/", "type": "020lead", "plain_text": "one"}',
            "2.json": b'{"id": 2, "cluster": "' + b"7" * 5_000 + b'"}',
            "3.json": b'{"id": ' + b"7" * 5_000 + b"}",
        },
    }
    for name, files in members.items():
        with tarfile.open(tmp_path / name, "w") as made:
            for member, data in files.items():
                (tmp_path / "member").write_bytes(data)
                made.add(tmp_path / "member", member)
    items = read(tmp_path, scratch=tmp_path / "s")
    check(items)
    assert sorted(rejected(items)) == [
        ("2.json", "json-too-deep"),
        ("2.json", "number-too-long"),
        ("3.json", "number-too-long"),
    ]
    assert [opinion.text for opinion in opinions(items)] == ["one"]


@pytest.mark.parametrize(
    "bad",
    [
        {"citing_opinions": {"0": "x"}},
        {"citing_opinions": {"0": [{"opinion_id": 1}]}},
        {"citing_citations": {"0": 7}},
        {"citing_citations": {"0": [7, None]}},
    ],
    ids=str,
)
def test_a_cluster_of_which_the_columns_are_not_in_order_is_one_reject(bad: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "raw_opinions").mkdir()
    for cluster in (1, 2):
        (tmp_path / "raw_opinions" / f"{cluster}_020lead.txt").write_text("The rule.")
    columns = {"citing_cluster_id": {"0": 1}, "citing_name": {"0": "A v. B"}, **bad}
    (tmp_path / "citing_opinions_metadata.json").write_text(json.dumps(columns))
    items = read(tmp_path)
    check(items)
    assert rejected(items) == [("cl:1", "not-a-case")]
    assert [case.case_id for case in cases(items)] == ["cl:2"]


def test_texts_of_a_cluster_are_read_whether_listed_or_not_and_no_other_file_is(tmp_path: Path) -> None:
    (tmp_path / "raw_opinions").mkdir()
    for name in ("1_020lead", "1_040dissent", "2_020lead"):
        (tmp_path / "raw_opinions" / f"{name}.txt").write_text(f"The rule of {name}.")
    (tmp_path / "secret.txt").write_text("Not an opinion.")
    listed = [
        {"opinion_id": n, "opinion_type": "020lead", "opinion_source": "", "opinion_filename": name}
        for n, name in enumerate(["1_020lead.txt", "../secret.txt", "2_020lead.txt"], 71)
    ]
    columns = {"citing_cluster_id": {"0": 1}, "citing_name": {"0": "A v. B"}, "citing_opinions": {"0": listed}}
    (tmp_path / "citing_opinions_metadata.json").write_text(json.dumps(columns))
    items = read(tmp_path)
    check(items)
    assert [opinion.text for opinion in opinions(items)] == [
        "The rule of 1_020lead.",
        "The rule of 1_040dissent.",
        "The rule of 2_020lead.",
    ]
    assert rejected(items) == [("cl:1/72", "text-not-in-source"), ("cl:1/73", "text-not-in-source")]


@pytest.mark.parametrize("value", [7, ["x"], {"a": 1}, True, 1e999, -5], ids=str)
@pytest.mark.parametrize("field", ["citations", "date_filed", "court_id", "case_name", "type", "html", "author_str"])
def test_a_field_of_the_api_of_another_kind_stops_nothing(field: str, value: Any, tmp_path: Path) -> None:
    both = {
        "id": 1,
        "case_name": "A v. B",
        "cluster": "x/clusters/1/",
        "type": "020lead",
        "plain_text": "one",
        field: value,
    }
    for name in ("clusters.tar", "opinions.tar"):
        with tarfile.open(tmp_path / name, "w") as made:
            (tmp_path / "member").write_text(json.dumps(both))
            made.add(tmp_path / "member", "1.json")
    (tmp_path / "member").unlink()
    check(read(tmp_path, scratch=tmp_path / "s"))
