"""Bad input: each kind gets its counted reason, and all the rest is read."""

from __future__ import annotations

import json
import lzma
import zipfile
from pathlib import Path
from typing import Any

import pytest

from corpus_support import BODY, bulk, cases, check, line, opinions, read, reasons, seen, volume
from lawng.corpus.formats import detect, work_units
from lawng.errors import ConfigError, InputError


@pytest.mark.parametrize(
    ("bad", "reason", "kept"),
    [
        ("not json {", "cases:line-not-json", False),
        ('["a list"]', "cases:not-a-case", False),
        ('{"no": "id"}', "cases:not-a-case", False),
        (line(5, status="error_auth_required"), "opinions:case-without-body", True),
        (line(5, body="<<<>>>"), "opinions:markup-unreadable", True),
        (line(5, body="<casebody/>"), "opinions:case-without-opinion-element", True),
        (
            line(5, body='<casebody><opinion type="majority"> </opinion></casebody>'),
            "opinions:opinion-without-text",
            True,
        ),
    ],
)
def test_bad_case_is_counted_and_the_rest_is_read(
    bad: dict[str, Any] | str, reason: str, kept: bool, tmp_path: Path
) -> None:
    items = read(bulk(tmp_path, line(1), bad, line(20)))
    check(items)
    assert reasons(items) == {reason: 1}
    assert len(cases(items)) == 2 + kept
    assert [opinion.case_id for opinion in opinions(items)] == ["cap:1", "cap:20"]


def test_xml_that_does_not_close_is_mended_and_counted(tmp_path: Path) -> None:
    items = read(bulk(tmp_path, line(1, body='<casebody><opinion type="majority"><p>It is <em>so</p><p>ordered')))
    check(items)
    assert [opinion.text for opinion in opinions(items)] == ["It is so\n\nordered"]
    assert seen(items)["note:markup-mended"] == 1


def test_body_in_text_form_has_no_pages_and_is_counted(tmp_path: Path) -> None:
    body = {
        "head_matter": "x",
        "opinions": [{"text": "Smith, J.\nThe rule is plain.", "type": "majority", "author": "Smith, J."}],
    }
    items = read(bulk(tmp_path, line(1, body=body)))
    check(items)
    assert opinions(items)[0].text == "Smith, J.\n\nThe rule is plain."
    assert opinions(items)[0].pages == []
    assert seen(items)["note:body-format-text-has-no-page-marks"] == 1


def test_roman_page_labels_have_no_number(tmp_path: Path) -> None:
    body = BODY.format(first=1, last=9, mark="xii")
    items = read(bulk(tmp_path, line(1, body=body)))
    check(items)
    assert [(mark.label, mark.number) for mark in opinions(items)[0].pages if mark.start] == [("xii", None)]
    assert seen(items)["note:page-label-not-a-number"] == 1


@pytest.mark.parametrize(
    ("raw", "date", "noted"),
    [("1950", "1950", "note:date-is-only-a-year"), ("1950-02", "1950-02", ""), ("soon", "", "note:date-unknown")],
)
def test_dates_as_precise_as_they_are(raw: str, date: str, noted: str, tmp_path: Path) -> None:
    items = read(bulk(tmp_path, line(1, decision_date=raw)))
    assert cases(items)[0].date == date
    assert not noted or seen(items)[noted] == 1


def test_control_characters_do_not_stop_the_reader(tmp_path: Path) -> None:
    body = BODY.format(first=1, last=9, mark=2).replace("plain", "pl\x00ai\x0bn\x1f")
    items = read(bulk(tmp_path, line(1, body=body)))
    check(items)
    assert opinions(items)[0].text.endswith("The rule is plain.")


def test_five_megabyte_opinion_in_one_paragraph(tmp_path: Path) -> None:
    body = '<casebody><opinion type="majority"><p>' + "the rule is plain " * 280_000 + "</p></opinion></casebody>"
    (opinion,) = opinions(read(bulk(tmp_path, line(1, body=body))))
    assert len(opinion.text) > 5_000_000
    assert len(opinion.paragraphs) == 1


def test_xz_that_breaks_off_gives_what_stands_before(tmp_path: Path) -> None:
    # random ids keep the stream from packing into one block that is lost whole
    packed = lzma.compress("".join(f"{json.dumps(line(n))}\n" for n in range(1, 4000)).encode())
    path = tmp_path / "data.jsonl.xz"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    items = read(path)
    assert 100 < len(cases(items)) < 3999
    assert reasons(items) == {"files:file-breaks-off": 1}
    assert cases(items)[0].case_id == "cap:1"


def test_bag_with_packed_lines(tmp_path: Path) -> None:
    path = tmp_path / "Alaska.zip"
    with zipfile.ZipFile(path, "w") as bag:
        bag.writestr("Alaska/data/data.jsonl.xz", lzma.compress(json.dumps(line(1)).encode()))
        bag.writestr("Alaska/bagit.txt", "BagIt-Version: 0.97")
    assert detect(path) == "cap-bulk"
    assert [case.name for case in cases(read(path))] == ["Doe 1 v. Roe"]
    path.write_bytes(path.read_bytes()[:-40])
    assert reasons(read(path, "cap-bulk")) == {"files:file-breaks-off": 1}


def test_volume_with_a_case_without_html_and_html_without_a_case(tmp_path: Path) -> None:
    source = volume(tmp_path)
    (source / "alaska" / "9" / "html" / "0007-01.html").write_text("<section></section>")
    (source / "alaska" / "9" / "cases" / "0009-01.json").write_text('{"id": 9, "name"')
    assert detect(source) == "cap-static"
    items = read(source)
    check(items)
    assert [len(opinion.pages) for opinion in opinions(items)] == [2, 0]
    assert seen(items)["note:no-html-so-no-page-marks"] == 1
    assert reasons(items) == {"cases:html-without-metadata": 1, "cases:file-not-json": 1}


def test_volume_zip_that_is_truncated(tmp_path: Path) -> None:
    source = volume(tmp_path / "tree")
    path = tmp_path / "9.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for file in sorted(source.rglob("*.*")):
            packed.write(file, file.relative_to(source / "alaska" / "9"))
    assert len(cases(read(path))) == 2
    path.write_bytes(path.read_bytes()[:-100])
    assert reasons(read(path)) == {"files:file-breaks-off": 1}


def test_two_reporters_of_one_case_are_both_marked(tmp_path: Path) -> None:
    marks = '<p>a <page-number citation-index="{}" label="{}">*</page-number>b</p>'
    body = (
        "<casebody><opinion type='majority'>"
        + "".join(marks.format(index, label) for index, label in ((1, 11), (2, 501), (1, 12), (2, 502)))
        + "</opinion></casebody>"
    )
    cites = [{"cite": "9 Alaska 10", "type": "official"}, {"cite": "3 P.2d 500", "type": "parallel"}]
    (opinion,) = opinions(read(bulk(tmp_path, line(1, body=body, citations=cites))))
    found = {(mark.reporter, mark.label) for mark in opinion.pages}
    assert found == {("Alaska", "10"), ("Alaska", "11"), ("Alaska", "12")} | {
        ("P.2d", n) for n in ("500", "501", "502")
    }


def test_sources_that_cannot_be_used(tmp_path: Path) -> None:
    scratch = tmp_path.with_name("scratch")
    with pytest.raises(InputError, match="no such file"):
        work_units([tmp_path / "missing"], None, scratch)
    with pytest.raises(InputError, match="the folder is empty"):
        work_units([tmp_path], None, scratch)
    (tmp_path / "notes.txt").write_text("no case")
    with pytest.raises(InputError, match="no format that is known"):
        work_units([tmp_path], None, scratch)
    with pytest.raises(ConfigError, match="not one of cap-bulk"):
        work_units([tmp_path], "pdf", scratch)


def test_a_source_given_twice_is_read_once(tmp_path: Path) -> None:
    path = bulk(tmp_path, line(1))
    assert len(work_units([path, tmp_path / "." / path.name], None, tmp_path / "scratch")) == 1
