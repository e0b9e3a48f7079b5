"""What the tests of the corpus share: where real data lies, and what must hold of every record."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lawng.corpus.formats import read_unit, work_units
from lawng.corpus.records import CASES, OPINIONS, Item
from lawng.pipeline import Count
from lawng.schema import OPINION_TYPES, Case, Opinion, Reject

BODY = (
    '<casebody firstpage="{first}" lastpage="{last}"><opinion type="majority"><author>Smith, J.</author>'
    '<p>The rule <page-number citation-index="1" label="{mark}">*{mark}</page-number>is plain.</p></opinion></casebody>'
)
STAR = '<span class="star-pagination">*{}</span>'


def shared(*path: str) -> Path:
    """A file or folder of the real data; skips the test where that is absent."""
    beside = Path(__file__).resolve().parents[1].parent / "shared"
    found = Path(os.environ.get("LAWNG_SHARED") or beside).joinpath("data", *path)
    if not found.exists():
        pytest.skip(f"no real data here: {found} (set LAWNG_SHARED)")
    return found


def read(source: Path, format: str | None = None, scratch: Path | None = None) -> list[Item]:
    """All that a source yields, unit after unit."""
    units = work_units([source], format, scratch or source.with_name("scratch"))
    return [item for unit in units for item in read_unit(unit)]


def cases(items: Iterable[Item]) -> list[Case]:
    return [item for item in items if isinstance(item, Case)]


def opinions(items: Iterable[Item]) -> list[Opinion]:
    return [item for item in items if isinstance(item, Opinion)]


def reasons(items: Iterable[Item]) -> Counter[str]:
    return Counter(f"{item.stage}:{item.reason}" for item in items if isinstance(item, Reject))


def seen(items: Iterable[Item]) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in items:
        if isinstance(item, Count):
            found[item.what] += item.n
    return found


def check(items: list[Item]) -> None:
    """Everything that must hold of what a reader yields."""
    came, dropped = seen(items), reasons(items)
    for what, records in ((CASES, cases(items)), (OPINIONS, opinions(items))):
        assert came[what] == len(records) + sum(n for reason, n in dropped.items() if reason.startswith(what))
    for case, its in _grouped(items):
        assert [opinion.case_id for opinion in its] == [case.case_id] * case.n_opinions
        assert sum(opinion.type == "majority" for opinion in its) == case.n_majority
        assert [opinion.opinion_id for opinion in its] == [f"{case.case_id}/{n}" for n in range(len(its))]
        for opinion in its:
            check_opinion(opinion)


def check_opinion(opinion: Opinion) -> None:
    """Spans slice, paragraphs tile the text, marks stand in order, footnotes lie after the body."""
    assert opinion.type in OPINION_TYPES
    assert "\n\n".join(opinion.text[p.start : p.end] for p in opinion.paragraphs) == opinion.text
    for paragraph in opinion.paragraphs:
        words = opinion.text[paragraph.start : paragraph.end]
        assert words == " ".join(words.split())
        assert words
    starts = [mark.start for mark in opinion.pages]
    assert starts == sorted(starts)
    assert all(0 <= start < len(opinion.text) and not opinion.text[start].isspace() for start in starts)
    assert all(mark.number is None or str(mark.number) == mark.label.lstrip("0") for mark in opinion.pages)
    assert 0 < opinion.body_end <= len(opinion.text)
    _check_notes(opinion)


def _check_notes(opinion: Opinion) -> None:
    end = opinion.body_end
    for footnote in opinion.footnotes:
        assert end < footnote.start < footnote.end <= len(opinion.text)
        assert footnote.mark is None or 0 <= footnote.mark <= opinion.body_end
        end = footnote.end
    assert end == len(opinion.text)


def _grouped(items: list[Item]) -> Iterator[tuple[Case, list[Opinion]]]:
    """Each case with the opinions that follow it."""
    current: tuple[Case, list[Opinion]] | None = None
    for item in items:
        if isinstance(item, Case):
            if current:
                yield current
            current = (item, [])
        elif isinstance(item, Opinion):
            assert current is not None
            current[1].append(item)
    if current:
        yield current


def line(number: int, body: Any = None, status: str = "ok", **more: Any) -> dict[str, Any]:
    """A made-up case of the bulk export."""
    data = BODY.format(first=number, last=number + 9, mark=number + 1) if body is None else body
    return {
        "id": number,
        "name": f"Doe {number} v. Roe",
        "name_abbreviation": f"Doe {number} v. Roe",
        "decision_date": "1950-02-01",
        "docket_number": "",
        "citations": [{"cite": f"9 Alaska {number}", "type": "official"}],
        "court": {"name": "Alaska District Court"},
        "jurisdiction": {"name": "Alaska", "slug": "alaska"},
        "cites_to": [{"cite": "9 Alaska 1"}],
        "casebody": {"status": status, "data": data},
        **more,
    }


def bulk(folder: Path, *lines: dict[str, Any] | str) -> Path:
    """A JSON lines file of made-up cases."""
    path = folder / "data.jsonl"
    path.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines))
    return path


def volume(folder: Path) -> Path:
    """A made-up volume of static.case.law as a folder, with one case that has all and one without HTML."""
    for name in ("cases", "html"):
        (folder / "alaska" / "9" / name).mkdir(parents=True)
    for number in (1, 5):
        text = {"opinions": [{"text": "The rule is plain.", "type": "majority", "author": None}]}
        case = {**line(number), "casebody": text}
        (folder / "alaska" / "9" / "cases" / f"000{number}-01.json").write_text(json.dumps(case))
    html = '<section class="casebody"><article class="opinion" data-type="majority"><p>The rule <a class="page-label" data-label="2" data-citation-index="1">*2</a>is plain.</p></article></section>'
    (folder / "alaska" / "9" / "html" / "0001-01.html").write_text(html)
    return folder
