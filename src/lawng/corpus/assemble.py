"""From what a reader found of one case to its records: the same for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lawng.corpus.authors import author_in, author_name
from lawng.corpus.pages import resolve_pages
from lawng.corpus.types import of_opening
from lawng.corpus.units import CASES, OPINIONS, Item, Part, Source, note, reject
from lawng.engine import Seen
from lawng.limits import NAME_CHARACTERS
from lawng.records import Case, Opinion, PageMark

_OPENING = 3
"""Paragraphs of an opinion among which a line may name its author."""


def build_case(case: Case, parts: Sequence[Part], source: Source) -> Iterator[Item]:
    """The case, its opinions in order, and a reject for each text that is empty or there twice.

    A case stays even when no opinion of it does: its name and citations still count.
    """
    at = case.source_path
    if long := next((value for value in _names(case) if len(value) > NAME_CHARACTERS), None):
        detail = f"a name of {len(long):,} characters; {NAME_CHARACTERS:,} are the limit"
        yield from reject(CASES, case.case_id, "field-too-long", detail, at)
        for part in parts:
            yield from reject(OPINIONS, part.id, "field-too-long", f"of the case: {detail}", at)
        return
    yield Seen(1, CASES)
    kept: list[Part] = []
    seen: set[tuple[str, str]] = set()
    for part in parts:
        key = (part.type, _squeezed(part.body.text) if len(parts) > 1 else "")
        if not part.body.text[: part.body.body_end].strip():
            yield from reject(OPINIONS, part.id, "opinion-without-text", part.field, at)
        elif key in seen:
            said = f"the same text as another {part.type} of the case"
            yield from reject(OPINIONS, part.id, "duplicate-text", said, at)
        else:
            seen.add(key)
            kept.append(part)
    yield from _records(case, [_by_opening(part) for part in kept], source)


def _names(case: Case) -> tuple[str, ...]:
    return case.name, case.name_full, case.court, case.jurisdiction, case.docket_number


def _by_opening(part: Part) -> Part:
    kind = of_opening(part.type, part.body.text)
    return part if kind == part.type else replace(part, type=kind)


def _squeezed(text: str) -> str:
    return "".join(text.split()).lower()


def _records(case: Case, parts: list[Part], source: Source) -> Iterator[Item]:
    majorities = sum(part.type == "majority" for part in parts)
    yield replace(case, n_opinions=len(parts), n_majority=majorities)
    yield from _case_notes(case, parts)
    pages = resolve_pages(parts, source, case.citations)
    for number, (part, marks) in enumerate(zip(parts, pages, strict=True)):
        yield Seen(1, OPINIONS)
        yield from _page_notes(marks)
        yield _opinion(f"{case.case_id}/{number}", case.case_id, part, marks)


def _author_by(part: Part) -> str:
    """The author whom one of the first lines names."""
    lines = (part.body.text[p.start : p.end] for p in part.body.paragraphs[:_OPENING])
    return next(filter(None, map(author_in, lines)), "")


def _opinion(ident: str, case_id: str, part: Part, pages: list[PageMark]) -> Opinion:
    return Opinion(
        opinion_id=ident,
        case_id=case_id,
        type=part.type,
        author=author_name(part.author) if part.author else _author_by(part),
        text=part.body.text,
        body_end=part.body.body_end,
        pages=pages,
        paragraphs=part.body.paragraphs,
        footnotes=part.body.footnotes,
        source_field=part.field,
    )


def _case_notes(case: Case, parts: list[Part]) -> Iterator[Item]:
    if not case.citations:
        yield note("case-without-citation")
    if len(case.date) == 4:
        yield note("date-is-only-a-year")
    if not case.date:
        yield note("date-unknown")
    if not case.jurisdiction:
        yield note("jurisdiction-unknown")
    if not parts:
        yield note("case-without-opinion")


def _page_notes(marks: list[PageMark]) -> Iterator[Item]:
    if not marks:
        yield note("opinion-without-page-marks")
    if odd := sum(mark.number is None for mark in marks):
        yield note("page-label-not-a-number", odd)
    if any(not mark.reporter for mark in marks):
        yield note("page-marks-without-reporter")
