"""What the tests of the corpus share: where real data lies, and what must hold of every record."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from lawng.corpus import read_unit, work_units
from lawng.corpus.units import CASES, OPINIONS, Item
from lawng.engine import Seen
from lawng.records import OPINION_TYPES, Case, Opinion, Reject

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
    return [item for unit in work_units([source], format, scratch) for item in read_unit(unit)]


def cases(items: Iterable[Item]) -> list[Case]:
    return [item for item in items if isinstance(item, Case)]


def opinions(items: Iterable[Item]) -> list[Opinion]:
    return [item for item in items if isinstance(item, Opinion)]


def reasons(items: Iterable[Item]) -> Counter[str]:
    return Counter(f"{item.stage}:{item.reason}" for item in items if isinstance(item, Reject))


def seen(items: Iterable[Item]) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in items:
        if isinstance(item, Seen):
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
