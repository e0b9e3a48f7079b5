"""CourtListener's API objects: however they are written, what is read of them, and one set of opinions for a case."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpus_support import cases, check, opinions, read, reasons, seen, shared
from lawng.corpus.formats import detect
from lawng.corpus.importer import import_corpus
from lawng.corpus.reader import Corpus
from lawng.errors import InputError
from lawng.pipeline import Settings
from lawng.schema import Case

ONE = Settings(workers=1)
HEAD = (
    "<center><b>259 U.S. 188 (1922)</b></center><center><h1>MORRISDALE COAL COMPANY<br>v.<br>UNITED STATES.</h1></center>"
    "<center>No. 65.</center><center><p>Supreme Court of United States.</p></center>"
    "<center>Argued January 6, 9, 1922.</center><center>Decided May 29, 1922.</center>"
)
TEXT = (
    '<p>MR. JUSTICE HOLMES delivered the opinion.</p><p>We <span class="star-pagination">*189</span> see no ground.</p>'
)
DISSENT = "<p>MR. JUSTICE ROE, dissenting.</p><p>I see one.</p>"


def opinion(number: int = 7, /, **keys: Any) -> dict[str, Any]:
    """An opinion object as version 4 gives it, or with other keys."""
    base = {
        "id": 1000 + number,
        "cluster": f"https://example.org/api/rest/v4/clusters/{number}/",
        "cluster_id": number,
        "absolute_url": f"/opinion/{number}/morrisdale-coal-co-v-united-states/",
        "type": "010combined",
        "author": "https://example.org/api/rest/v4/people/1501/",
        "author_str": "",
        "per_curiam": False,
        "plain_text": "",
        "html_with_citations": f"<div>{HEAD}{TEXT}</div>",
    }
    return {key: value for key, value in {**base, **keys}.items() if value != "LEFT OUT"}


def lines(*rows: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def one(path: Path, scratch: Path) -> Case:
    items = read(path, scratch=scratch)
    check(items)
    [case] = cases(items)
    return case


def in_tar(rows: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for n, row in enumerate(rows):
            data = json.dumps(row).encode()
            info = tarfile.TarInfo(f"scotus/{n}.json")
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    return out.getvalue()


WRITTEN: dict[str, Callable[[list[dict[str, Any]]], bytes]] = {
    "opinions.jsonl": lambda rows: lines(*rows),
    "no-ending": lambda rows: lines(*rows),
    "opinions.jsonl.gz": lambda rows: gzip.compress(lines(*rows)),
    "opinions.json.bz2": lambda rows: bz2.compress(json.dumps(rows).encode()),
    "opinions.xz": lambda rows: lzma.compress(lines(*rows)),
    "array.json": lambda rows: json.dumps(rows).encode(),
    "pretty.json": lambda rows: json.dumps(rows, indent=2, sort_keys=True).encode(),
    "one-after-the-other.json": lambda rows: "\n".join(json.dumps(row, indent=1) for row in rows).encode(),
    "page.json": lambda rows: json.dumps({"count": 2, "next": None, "previous": None, "results": rows}).encode(),
    "pages.jsonl": lambda rows: lines({"count": 1, "results": rows[:1]}, {"count": 1, "results": rows[1:]}),
    "utf-16.jsonl": lambda rows: lines(*rows).decode().encode("utf-16"),
    "opinions.tar": in_tar,
    "mark.jsonl": lambda rows: b"\xef\xbb\xbf" + lines(*rows),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_objects_are_read_however_they_are_written(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / name
    path.write_bytes(WRITTEN[name]([opinion(7), opinion(8)]))
    for source in (path, path.parent):
        assert detect(source) == "courtlistener-api"
        items = read(source, scratch=tmp_path / f"scratch-{source.name}")
        check(items)
        assert sorted(case.case_id for case in cases(items)) == ["cl:7", "cl:8"]
        assert [opinion.type for opinion in opinions(items)] == ["majority", "majority"]
        assert not reasons(items)


def test_one_object_in_each_file(tmp_path: Path) -> None:
    for number in (7, 8, 9):
        (tmp_path / f"{number}.json").write_text(json.dumps(opinion(number), indent=2))
    (tmp_path / "LICENSE").write_text("Public domain.")
    items = read(tmp_path, scratch=tmp_path.parent / "scratch")
    assert sorted(case.source_path for case in cases(items)) == ["7.json", "8.json", "9.json"]
    assert reasons(items) == {"files:format-not-known": 1}  # nothing is passed over without a word


def test_the_caption_says_what_no_key_does(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(lines(opinion()))
    case = one(path, tmp_path / "s")
    assert (case.name, case.name_full) == (
        "Morrisdale Coal Company v. United States",
        "MORRISDALE COAL COMPANY v. UNITED STATES.",
    )
    assert ([cite.cite for cite in case.citations], case.date, case.docket_number) == (
        ["259 U.S. 188"],
        "1922-05-29",
        "65",
    )
    assert (case.court, case.jurisdiction) == ("Supreme Court of the United States", "us")
    [found] = opinions(read(path, scratch=tmp_path / "t"))
    assert (found.author, [mark.label for mark in found.pages]) == ("Holmes", ["188", "189"])


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"cluster_id": "LEFT OUT"}, "the address of the cluster"),
        ({"cluster": "LEFT OUT"}, "its number alone"),
        ({"cluster": 7, "cluster_id": None}, "a number for an address"),
        ({"cluster": {"id": 7}, "cluster_id": "LEFT OUT"}, "the cluster as an object"),
        ({"cluster": "LEFT OUT", "cluster_id": "LEFT OUT"}, "the page's address"),
        ({"cluster": None, "cluster_id": None, "absolute_url": None, "url": "/opinion/7/a-v-b/"}, "the older key"),
        ({"id": "LEFT OUT", "resource_uri": "https://example.org/api/rest/v3/opinions/1007/"}, "version 3: no id"),
        ({"id": "LEFT OUT"}, "no id at all"),
        ({"id": "1007", "cluster_id": "7"}, "numbers as texts"),
        ({"html_with_citations": None, "html_lawbox": f"<div>{HEAD}{TEXT}</div>"}, "html_lawbox alone"),
        ({"html_with_citations": "", "html_columbia": f"<div>{HEAD}{TEXT}</div>"}, "html_columbia alone"),
        ({"html_with_citations": "LEFT OUT", "plain_text": "259 U.S. 188 (1922)\n\nA v. B\n\nNo. 65."}, "plain_text alone"),
        ({"html_with_citations": f"<p>So</p>{TEXT}", "xml_harvard": "<opinion><p>No pages.</p></opinion>"}, "pages first"),
        ({"extra": [1, {"a": None}], "sha1": None, "author_str": None, "opinions_cited": []}, "keys and nulls of no matter"),
    ],
)  # fmt: skip
def test_versions_and_dumps(keys: dict[str, Any], why: str, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps(opinion(**keys)))
    case = one(path, tmp_path / "s")
    assert (case.case_id, case.n_opinions) == ("cl:7", 1), why


def test_keys_go_before_the_caption(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    known = {"case_name": "Coal Co. v. United States", "date_filed": "1922-05-30", "citations": ["66 L. Ed. 892"]}
    path.write_text(json.dumps(opinion(**known, author_str="Doe")))
    case = one(path, tmp_path / "s")
    assert (case.name, case.date, [cite.cite for cite in case.citations]) == (
        "Coal Co. v. United States", "1922-05-30", ["66 L. Ed. 892"],
    )  # fmt: skip
    assert opinions(read(path, scratch=tmp_path / "t"))[0].author == "Doe"


@pytest.mark.parametrize(
    ("keys", "cites"),
    [
        ({"citations": ["2005-Ohio-4787", "66 L. Ed. 892"]}, ["2005 Ohio 4787", "66 L. Ed. 892"]),
        ({"neutral_cite": "2009-NMSC-035", "state_cite_one": "3 Ala.App. 114"}, ["3 Ala. App. 114", "2009 NMSC 035"]),
        ({"citation": "259 U. S. 188"}, ["259 U.S. 188"]),
    ],
    ids=str,
)
def test_citations_as_texts(keys: dict[str, Any], cites: list[str], tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps(opinion(case_name="Doe v. Roe", html_with_citations=f"<p>So.</p>{TEXT}", **keys)))
    assert [cite.cite for cite in one(path, tmp_path / "s").citations] == cites


def test_clusters_beside_opinions_and_within(tmp_path: Path) -> None:
    cluster = {"id": 7, "case_name": "Doe v. Roe", "date_filed": "1950-02-01", "sub_opinions": []}
    inner = {
        **cluster,
        "id": 8,
        "sub_opinions": [opinion(8, cluster="LEFT OUT", cluster_id="LEFT OUT", absolute_url="/x/")],
    }
    (tmp_path / "all.jsonl").write_bytes(lines(opinion(7), cluster, cluster, inner))
    items = read(tmp_path / "all.jsonl", scratch=tmp_path / "s")
    check(items)
    assert [(case.case_id, case.name, case.n_opinions) for case in cases(items)] == [
        ("cl:7", "Doe v. Roe", 1), ("cl:8", "Doe v. Roe", 1),
    ] or sorted(case.case_id for case in cases(items)) == ["cl:7", "cl:8"]  # fmt: skip
    assert reasons(items) == {"cases:duplicate-case": 1}


def test_the_combined_text_beside_its_parts_counts_once(tmp_path: Path) -> None:
    rows = [
        opinion(id=1, html_with_citations=f"<div>{HEAD}{TEXT}{DISSENT}</div>"),
        opinion(id=2, type="020lead", html_with_citations=TEXT),
        opinion(id=3, type="040dissent", html_with_citations=DISSENT),
        opinion(id=3, type="040dissent", html_with_citations=DISSENT),
    ]
    (tmp_path / "in.jsonl").write_bytes(lines(*rows))
    items = read(tmp_path / "in.jsonl", scratch=tmp_path / "s")
    check(items)
    assert [(one.type, one.author) for one in opinions(items)] == [("majority", "Holmes"), ("dissent", "Roe")]
    assert reasons(items) == {"opinions:duplicate-text": 1, "opinions:duplicate-opinion": 1}
    assert cases(items)[0].date == "1922-05-29"  # the caption of the text that is not kept counts


def test_what_is_not_read_has_a_reason(tmp_path: Path) -> None:
    rows = lines(opinion(7), {"id": 3, "court_id": "scotus", "docket_number": "65"})
    broken = b'{"id": 4, "cluster_id": 9, "plain_text": "cut of\n'
    lost = lines(
        opinion(cluster="LEFT OUT", cluster_id="LEFT OUT", absolute_url="LEFT OUT", url="/somewhere/"), opinion(8)
    )
    (tmp_path / "in.jsonl").write_bytes(rows + broken + lost)
    items = read(tmp_path / "in.jsonl", scratch=tmp_path / "s")
    check(items)
    assert sorted(case.case_id for case in cases(items)) == ["cl:7", "cl:8"]
    assert reasons(items) == {
        "objects:neither-opinion-nor-cluster": 1,
        "opinions:file-not-json": 1,
        "opinions:not-an-opinion": 1,
    }


def test_numbers_that_a_table_made_fractions_of_are_whole(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(
        lines(opinion(7, id=7.0, cluster_id=7.0), opinion(8, id=8.5, cluster_id="8.0"), opinion(9, id=9.5))
    )
    items = read(tmp_path / "in.jsonl", scratch=tmp_path / "s")
    assert [case.case_id for case in cases(items)] == ["cl:7"]
    assert reasons(items) == {"opinions:not-an-opinion": 2}


def test_an_array_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(json.dumps([opinion(7), opinion(8)])[:-40])
    items = read(tmp_path / "in.json", scratch=tmp_path / "s")
    assert [case.case_id for case in cases(items)] == ["cl:7"]
    assert reasons(items) == {"opinions:file-not-json": 1}


@pytest.mark.parametrize("content", ['{"question": "why", "answer": "so"}\n', '[{"a": 1}]', "a,b\n1,2\n", ""])
def test_what_is_no_format_is_told_which_there_are(content: str, tmp_path: Path) -> None:
    (tmp_path / "in").write_text(content)
    with pytest.raises(InputError, match=r"no format that is known.*casebody.*opinion-clusters.*API as JSON") as error:
        detect(tmp_path / "in")
    assert "\n" not in str(error.value)


def test_cap_cases_are_not_taken_for_the_api_nor_the_other_way(tmp_path: Path) -> None:
    cap = {"id": 1, "name": "A v. B", "decision_date": "1950", "casebody": {"data": {"opinions": []}}, "citations": []}
    (tmp_path / "cap").write_bytes(lines(cap))
    (tmp_path / "cl").write_bytes(lines(opinion()))
    assert (detect(tmp_path / "cap"), detect(tmp_path / "cl")) == ("cap-bulk", "courtlistener-api")
    items = read(tmp_path / "cl", "cap-bulk")  # told to, it makes no empty cases of opinions
    assert (cases(items), reasons(items)) == ([], {"cases:not-a-case": 1})


def test_two_sources_of_a_case_by_the_written_rule(tmp_path: Path) -> None:
    bare = opinion(
        7, html_with_citations="<p>We see no ground.</p>", citations=["42 S. Ct. 481"], case_name="Coal Co. v. U.S."
    )
    marked = opinion(7, html_with_citations=f"<div>{HEAD}{TEXT}{DISSENT}</div>")
    for name, row in (("a.json", bare), ("b.json", marked)):
        (tmp_path / name).write_text(json.dumps(row))
    for order in (("a.json", "b.json"), ("b.json", "a.json")):
        corpus = tmp_path / "-".join(order)
        result = import_corpus([tmp_path / name for name in order], corpus, settings=ONE)
        reader = Corpus(corpus)
        [case], found = list(reader.cases()), list(reader.opinions())
        assert [one.type for one in found] == ["majority", "dissent"], "the opinions of the record that marks pages"
        assert ([cite.cite for cite in case.citations], case.date) == (["259 U.S. 188", "42 S. Ct. 481"], "1922-05-29")
        assert (case.n_opinions, case.source_path) == (2, "b.json")
        assert result.tally.rejects == {"cases": {"duplicate-case": 1}, "opinions": {"duplicate-case": 1}}


def test_real_objects(tmp_path: Path) -> None:
    packed = gzip.decompress(shared("courtlistener-api-scotus", "opinions.jsonl.gz").read_bytes()).splitlines()[::97]
    (tmp_path / "opinions.jsonl").write_bytes(b"\n".join(packed))
    items = read(tmp_path / "opinions.jsonl", scratch=tmp_path / "s")
    check(items)
    found = cases(items)
    assert len(found) == len(packed) == 40
    assert all(case.name and case.citations and len(case.date) == 10 and case.jurisdiction == "us" for case in found)
    assert {case.court for case in found} == {"Supreme Court of the United States"}
    assert sum(not one.author for one in opinions(items)) <= 4
    assert seen(items)["note:opinion-without-page-marks"] <= 6
