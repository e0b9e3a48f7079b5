"""The bundled sample: made from its source, fictional and saying so, its pins on pages that the cited cases have."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lawng.schema.treatment import KINDS, TREATMENTS

SAMPLE = Path(__file__).parents[2] / "sample"
CASELAW = SAMPLE / "caselaw"
PINNED = re.compile(
    r"(?P<volume>\d+) (?P<reporter>F\.3d|F\. Supp\. 3d|Mass\.|Ill\. 2d|N\.E\.3d) "
    r"(?:(?P<page>\d+), |at )(?P<pin>\d+(?:-\d+)?)(?! (?:F\.|Mass\.|Ill\.|N\.E\.))\b"
)

DESCRIBING = re.compile(r"(?:at \d+(?:-\d+)?|\d{4}\)(?: \([^()]+\))*) \((?=[a-z])(?!quoting|citing|emphasis)")


def run_maker(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SAMPLE / "make_sample.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@cache
def cases() -> dict[Path, dict[str, Any]]:
    return {path: json.loads(path.read_text("utf-8")) for path in sorted(CASELAW.glob("*/*/cases/*.json"))}


def html_of(path: Path) -> str:
    return (path.parents[1] / "html" / f"{path.stem}.html").read_text("utf-8")


@cache
def pages() -> dict[str, set[int]]:
    """The pages that each citation's reporter marks in its case, its first page among them."""
    found = {}
    for path, case in cases().items():
        for index, citation in enumerate(case["citations"], 1):
            labels = re.findall(rf'data-label="(\d+)" data-citation-index="{index}"', html_of(path))
            found[citation["cite"]] = {int(citation["cite"].split()[-1]), *map(int, labels)}
    return found


def pin_range(pin: str) -> set[int]:
    """The pages of 482-83 (a shorter second number borrows its leading digits) or 99-100."""
    first, _, last = pin.partition("-")
    end = first[: max(len(first) - len(last), 0)] + last
    return set(range(int(first), int(end) + 1))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_layout_is_what_the_source_makes(tmp_path: Path) -> None:
    done = run_maker("-o", str(tmp_path / "made"))
    assert (done.returncode, done.stderr) == (0, "")
    made, kept = tree(tmp_path / "made"), tree(CASELAW)
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []


def test_it_is_large_enough_and_has_three_jurisdictions() -> None:
    opinions = [opinion for case in cases().values() for opinion in case["casebody"]["opinions"]]
    assert len(cases()) >= 42
    assert {"majority", "concurrence", "dissent"} <= {opinion["type"] for opinion in opinions}
    assert {case["jurisdiction"]["name"] for case in cases().values()} == {"U.S.", "Mass.", "Ill."}


def test_every_case_says_that_it_is_fictional() -> None:
    assert "fiction" in (SAMPLE / "README.md").read_text("utf-8").lower()
    for path, case in cases().items():
        assert "Fictional:" in case["casebody"]["head_matter"]
        assert "Fictional:" in html_of(path)
        assert "fictional" in case["provenance"]["source"]


def test_volumes_lie_beyond_the_real_ones() -> None:
    least = {"F.3d": 1801, "F. Supp. 3d": 2901, "Mass.": 901, "Ill. 2d": 801, "N.E.3d": 981}
    for citation in pages():
        volume, _, rest = citation.partition(" ")
        assert int(volume) >= least[rest.rpartition(" ")[0]]


def test_every_pin_lands_on_a_page_that_the_cited_case_has() -> None:
    pins, astray = 0, []
    for path, case in cases().items():
        for match in PINNED.finditer("\n".join(opinion["text"] for opinion in case["casebody"]["opinions"])):
            pins += 1
            if not any(pin_range(match["pin"]) <= marked for marked in cited_pages(match)):
                astray.append(f"{path.stem}: {match[0]}")
    assert astray == []
    assert pins >= 130


def cited_pages(match: re.Match[str]) -> list[set[int]]:
    """Pages of the cited case; for a short form, of every case of that volume."""
    start = f"{match['volume']} {match['reporter']} "
    if match["page"]:
        return [pages().get(start + match["page"], set())]
    return [marked for cite, marked in pages().items() if cite.startswith(start)]


def test_many_citations_describe_the_cited_case() -> None:
    texts = [opinion["text"] for case in cases().values() for opinion in case["casebody"]["opinions"]]
    assert sum(len(DESCRIBING.findall(text)) for text in texts) >= 90


def test_cited_cases_are_earlier() -> None:
    dates = {case["id"]: case["decision_date"] for case in cases().values()}
    for case in cases().values():
        later = [cite["cite"] for cite in case["cites_to"] if dates[cite["case_ids"][0]] >= case["decision_date"]]
        assert later == [], case["name_abbreviation"]


def test_gold_treatments_are_the_words_of_opinions_of_the_citing_case() -> None:
    with (SAMPLE / "treatments.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    known = {citation["cite"]: case for case in cases().values() for citation in case["citations"]}
    assert {row["label"] for row in rows} == set(TREATMENTS)
    for row in rows:
        citing, cited = known[row["citing"]], known[row["cited"]]
        assert cited["id"] in {one for cite in citing["cites_to"] for one in cite["case_ids"]}
        assert row["kind"] in ("", *KINDS)
        having = {one["type"] for one in citing["casebody"]["opinions"] if row["words"] in one["text"]}
        assert ("majority" in having) is (row["decides"] == "yes"), row
        assert having
        if row["label"] == "overruled":
            assert citing["court"] == cited["court"]
    assert len({(row["citing"], row["cited"], row["decides"]) for row in rows}) == len(rows)


def test_html_and_json_hold_the_same_words() -> None:
    for path, case in cases().items():
        html = re.sub(r'<a [^>]*class="(?:page-label|footnotemark)"[^>]*>[^<]*</a>', "", html_of(path))
        words = " ".join(re.sub(r"<[^>]+>", "", html).replace("&amp;", "&").split())
        for opinion in case["casebody"]["opinions"]:
            for line in opinion["text"].split("\n"):
                assert " ".join(line.split()) in words


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("== majority | A, J.\n\n{*13}One. {*15}Two.", "do not run on from 13"),
        ("== majority | A, J.\n\n{*13}One.[^1]", "footnote marks"),
        ("== verdict | A, J.\n\n{*13}One.", "unknown opinion type"),
        ("No heading.", "text before the first"),
    ],
)
def test_faults_of_the_source_are_named(tmp_path: Path, body: str, complaint: str) -> None:
    copy = tmp_path / "sample"
    (copy / "source" / "us").mkdir(parents=True)
    for script in SAMPLE.glob("*.py"):
        (copy / script.name).write_bytes(script.read_bytes())
    front = (SAMPLE / "source" / "us" / "02-harlow.txt").read_text("utf-8").split("+++")[1]
    front = front.replace("112", "12").replace("last_page = 125", "last_page = 13")
    (copy / "source" / "us" / "01.txt").write_text(f"+++{front}+++\n\n{body}\n", "utf-8")
    done = subprocess.run([sys.executable, str(copy / "make_sample.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert not (copy / "caselaw").exists()


def test_the_source_examples_hold() -> None:
    done = subprocess.run([sys.executable, "-m", "doctest", "render.py"], cwd=SAMPLE, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
