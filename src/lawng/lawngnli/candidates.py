"""Step 20-candidates: the pages of the majority opinion that a parenthetical describes (LawngNLI, A.1.1).

The parentheticals are handed to the units where the cited opinions lie, so that an opinion is read once however often
it is cited.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from lawng.citation.pins import pin_pages
from lawng.corpus.pages import page_span
from lawng.io import iter_records
from lawng.lawngnli.citation_removal import cuts, without
from lawng.lawngnli.records import Passage, Pin, Sought, own_premise, passage_key
from lawng.lawngnli.sources import Source, sources, to_slices
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Candidate, Mention, Opinion, Reject, Span
from lawng.schema.dataset import PARENTHETICAL, PROPOSITION

STAGE = {PARENTHETICAL: "candidates", PROPOSITION: "propositions"}
"""What rejects are named by, by the source of the hypothesis."""
# One page or range, then notes without "&" or "and" before them: the notes on that page.
_NOTES_ALONE = re.compile(r"^(\D*\d+(?:\s?[-–—]\s?\d+)?),?\s?(?:nn?|notes?|fns?|ftn)\b")


def located(seek: Sought, opinion: Opinion | None) -> Candidate | Reject:
    """The candidate with its short premise in the cited case's one majority opinion (LawngNLI, A.1.1).

    Pages are looked up reporter by reporter in the order of the pins. The span is extended outwards to whole
    paragraphs, and to the pinned footnote where it touches the page; a pin of notes alone ("120 n.5", not "120 & n.5")
    has the notes for its premise (Bluebook R. 3.2(b)), which stand elsewhere.
    """
    drop_as = partial(Reject, STAGE[seek.hypothesis_source], seek.candidate_id)
    if opinion is None:
        return drop_as("no-majority", seek.cited_case_id)
    for pin in seek.pins:
        if found := page_span(opinion, pin.reporter, pin.pages):
            premise = _noted(opinion, found, pin) or _whole(opinion, found, pin.notes)
            return _candidate(seek, opinion, pin, premise)
    return drop_as("pin-not-marked", _not_marked(seek, opinion))


def whole_paragraphs(opinion: Opinion, span: Span) -> Span:
    """The span extended outwards to whole paragraphs of the opinion (LawngNLI, A.1.1; units: characters)."""
    touched = [p for p in opinion.paragraphs if p.start < span.end and span.start < p.end]
    return Span(touched[0].start, touched[-1].end) if touched else span


def _with_words(found: Candidate | Reject, opinion: Opinion, removed: Sequence[Span]) -> Candidate | Reject:
    """The candidate, unless its pages or notes are nothing but citations, which a premise is without (A.1.9)."""
    if isinstance(found, Reject):
        return found
    span = Span(found.premise_start, found.premise_end)
    if without(opinion.text, removed, span):
        return found
    words = opinion.text[span.start : span.end][:200]
    return Reject(STAGE[found.hypothesis_source], found.candidate_id, "premise-only-citations", words)


def _candidate(seek: Sought, opinion: Opinion, pin: Pin, premise: Span) -> Candidate:
    shared: dict[str, Any] = {field.name: getattr(seek, field.name) for field in fields(Mention)}
    return Candidate(
        **shared,
        cited_opinion_id=opinion.opinion_id,
        cited_cite=pin.cite,
        pin_cite=pin.text,
        pin_pages=pin.pages,
        premise_start=premise.start,
        premise_end=premise.end,
        jurisdiction=seek.jurisdiction,
    )


def _not_marked(seek: Sought, opinion: Opinion) -> str:
    """What was looked for and what is there: a page behind the majority's is mostly a dissent's."""
    tried = "; ".join(f"{pin.reporter} {pin.text}" for pin in seek.pins)
    marks = [mark for mark in opinion.pages if mark.reporter == seek.pins[0].reporter]
    there = f"the majority has {marks[0].label}-{marks[-1].label}" if marks else "no pages of that reporter are marked"
    return f"{seek.cited_case_id}: {tried}; {there}"


def _noted(opinion: Opinion, pages: Span, pin: Pin) -> Span | None:
    """The pinned notes, where the pin names no text beside them and all of their marks stand on its pages."""
    alone = _NOTES_ALONE.match(pin.text)
    if not alone or pin_pages(alone[1]) != pin.pages:
        return None
    page = whole_paragraphs(opinion, pages)
    on_page = [note for note in opinion.footnotes if note.mark is not None and page.start <= note.mark <= page.end]
    found = [note for note in on_page if note.label in pin.notes]
    if {note.label for note in found} != set(pin.notes):
        return None
    return Span(min(note.start for note in found), max(note.end for note in found))


def _whole(opinion: Opinion, pages: Span, notes: list[str]) -> Span:
    span = whole_paragraphs(opinion, pages)
    for note in opinion.footnotes:
        # Footnotes stand after the body: only one that begins where the page's text ends keeps the premise one span.
        joins = note.start <= span.end + 2 and span.start <= note.end
        if note.label in notes and joins:
            span = Span(min(span.start, note.start), max(span.end, note.end))
    return span


def locate(unit: tuple[Source, Path]) -> Iterator[Candidate | Passage | Reject | Count]:
    """The short premises of the parentheticals that cite the cases of some opinions, and each premise's text once."""
    source, sought = unit
    by_case: dict[str, list[Sought]] = defaultdict(list)
    for seek in iter_records(sought, Sought):
        by_case[seek.cited_case_id].append(seek)
    for opinion, citations in source.pairs():
        if opinion.type == "majority" and opinion.case_id in by_case:
            yield from _located(by_case.pop(opinion.case_id), opinion, cuts(opinion.text, citations))
    for left in by_case.values():
        yield Count(len(left), "sought")
        yield from (located(seek, None) for seek in left)


def _located(
    wanted: list[Sought], opinion: Opinion, removed: Sequence[Span]
) -> Iterator[Candidate | Passage | Reject | Count]:
    yield Count(len(wanted), "sought")
    kept: set[str] = set()
    for seek in wanted:
        found = _with_words(located(seek, opinion), opinion, removed)
        yield found
        if isinstance(found, Candidate) and (key := passage_key(own_premise(found))) not in kept:
            kept.add(key)
            yield Passage(key, opinion.text[found.premise_start : found.premise_end])


def _prepare(inputs: Inputs) -> Work:
    files = to_slices(inputs, "sought", "cited_case_id", "case_id")
    units = sources(inputs)
    return list(zip(units, files, strict=bool(units))), locate


STEP = Step(
    "20-candidates",
    {"candidates": Candidate, "passages": Passage},
    _prepare,
    tables=("sought", "citations"),
    corpus=True,
    balance=("sought", "candidates"),
    seconds=0.001,
)
