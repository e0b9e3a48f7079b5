"""Candidates: a parenthetical, and the pages of the majority opinion that it describes (LawngNLI, A.1.1).

In two halves, since the cited text lies elsewhere than the citing one:

    sought(opinion, citing, citations, cases, ambiguous) -> Iterator[Sought | Reject]
    located(sought, opinions) -> Candidate | Reject

Every parenthetical and every citation without one is one unit: `n_units` counts them, and each comes out once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from lawng.citations.pins import pin_pages
from lawng.corpus.pages import page_at, page_span
from lawng.nli.records import Pin, Sought
from lawng.records import Candidate, Case, Citation, Opinion, Parenthetical, Reject, Span

STAGE = "candidates"
CONTEXT_CHARS = 200
# One page or range, then notes without "&" or "and" before them: the notes on that page.
_NOTES_ALONE = re.compile(r"^(\D*\d+(?:\s?[-–—]\s?\d+)?),?\s?(?:nn?|notes?|fns?|ftn)\b")

PageSpan = Callable[[Opinion, str, Sequence[int]], Span | None]
"""Opinion, reporter, pages -> their span in the opinion's text; None when a page is not marked."""


class _Corpus(NamedTuple):
    cases: Mapping[str, Case]
    ambiguous: Container[str]


class _Described(NamedTuple):
    """The case that a citation stands for, and what its parentheticals say."""

    case: str | None
    texts: set[str]


def n_units(citations: Iterable[Citation]) -> int:
    """How many units `sought` must account for: parentheticals, and citations without one."""
    return sum(max(1, len(citation.parentheticals)) for citation in citations)


def sought(
    opinion: Opinion,
    citing: Case,
    citations: Sequence[Citation],
    cases: Mapping[str, Case],
    ambiguous: Container[str] = frozenset(),
) -> Iterator[Sought | Reject]:
    """The parentheticals of one opinion whose cited case and pin are known; all else as rejects (LawngNLI, A.1.1).

    `citations` are the opinion's, in text order; `cases` the corpus by case id; `ambiguous` the cites that name two.
    A parallel group counts once. Of consecutive citations to one case with one parenthetical only the first is taken,
    with its pin "if any", as in the paper: a pin on the second does not help.
    """
    corpus, last = _Corpus(cases, ambiguous), _Described(None, set())
    for group in _groups(citations):
        units, doubles = _units(opinion, group)
        yield from doubles
        described = _Described(_resolved(group), set())
        known = last.texts if described.case and described.case == last.case else set()
        for start, parenthetical in units:
            text = _collapsed(parenthetical.text) if parenthetical else ""
            if parenthetical and text in known | described.texts:
                yield _reject(opinion, start, "repeated-citation", _collapsed(group[0].cite))
            else:
                yield _seek(opinion, citing, group, parenthetical, corpus)
            described.texts.add(text)
        last = described


def located(seek: Sought, opinions: Sequence[Opinion], find_pages: PageSpan = page_span) -> Candidate | Reject:
    """The candidate with its short premise in the cited case's one majority opinion (LawngNLI, A.1.1).

    `opinions` are those of the cited case. Pages are looked up reporter by reporter in the order of the pins.
    The span is extended outwards to whole paragraphs, and to the pinned footnote where it touches the page; a pin of
    notes alone ("120 n.5", not "120 & n.5") has the notes for its premise (Bluebook R. 3.2(b)), which stand elsewhere.
    """
    majority = [opinion for opinion in opinions if opinion.type == "majority"]
    if len(majority) != 1:
        reason = "several-majorities" if majority else "no-majority"
        return Reject(STAGE, seek.candidate_id, reason, seek.cited_case_id)
    for pin in seek.pins:
        if found := find_pages(majority[0], pin.reporter, pin.pages):
            premise = _noted(majority[0], found, pin) or _whole(majority[0], found, pin.notes)
            return _candidate(seek, majority[0], pin, premise)
    return Reject(STAGE, seek.candidate_id, "pin-not-marked", _not_marked(seek, majority[0]))


def whole_paragraphs(opinion: Opinion, span: Span) -> Span:
    """The span extended outwards to whole paragraphs of the opinion (LawngNLI, A.1.1; units: characters)."""
    touched = [p for p in opinion.paragraphs if p.start < span.end and span.start < p.end]
    if not touched:
        return span
    return Span(touched[0].start, touched[-1].end)


def _groups(citations: Sequence[Citation]) -> Iterator[list[Citation]]:
    for _, members in groupby(citations, key=lambda citation: citation.group):
        yield list(members)


def _units(opinion: Opinion, group: list[Citation]) -> tuple[list[tuple[int, Parenthetical | None]], list[Reject]]:
    """The parentheticals of a parallel group, each once, and rejects for what it says twice."""
    units: dict[int, Parenthetical] = {}
    doubles: list[Reject] = []
    for member in group:
        for parenthetical in member.parentheticals:
            if parenthetical.start in units:
                doubles.append(_reject(opinion, parenthetical.start, "parallel-citation", member.cite))
            units.setdefault(parenthetical.start, parenthetical)
    bare = [member for member in group if not member.parentheticals]
    if not units:
        doubles += [_reject(opinion, member.start, "parallel-citation", member.cite) for member in bare[1:]]
        return [(bare[0].start, None)], doubles
    doubles += [_reject(opinion, member.start, "parallel-citation", member.cite) for member in bare]
    return list(units.items()), doubles


def _seek(
    opinion: Opinion, citing: Case, group: list[Citation], parenthetical: Parenthetical | None, corpus: _Corpus
) -> Sought | Reject:
    if parenthetical is None:
        return _reject(opinion, group[0].start, "no-parenthetical", group[0].cite)
    cited = _cited_case(citing, group, corpus)
    if isinstance(cited, str):
        return _reject(opinion, parenthetical.start, cited, _resolved(group) or group[0].cite)
    pins = [pin for member in group if (pin := _pin(member, cited))]
    if not pins:
        written = "; ".join(c.pin_cite for c in group if c.pin_cite)
        reason = "pin-not-numeric" if written else "no-pin"
        return _reject(opinion, parenthetical.start, reason, written or group[0].cite)
    return _sought(opinion, group, parenthetical, cited, pins)


def _cited_case(citing: Case, group: list[Citation], corpus: _Corpus) -> Case | str:
    """The one case that a group cites, if it can make a premise; else the reason why not."""
    ids = [c.cited_case_id for c in group if c.cited_case_id in corpus.cases]
    if not ids:
        named_twice = any(c.resolved_cite is not None and c.resolved_cite in corpus.ambiguous for c in group)
        return "cited-case-ambiguous" if named_twice else "cited-case-unknown"
    if len(set(ids)) > 1:
        return "cited-case-ambiguous"
    cited = corpus.cases[str(ids[0])]
    if cited.case_id == citing.case_id:
        return "self-citation"
    if cited.n_majority != 1:
        return "several-majorities" if cited.n_majority else "no-majority"
    return cited


def _pin(citation: Citation, cited: Case) -> Pin | None:
    if not citation.pin_pages:
        return None
    cite, reporter = _reporter_of(citation, cited)
    return Pin(cite, reporter, citation.pin_cite or "", citation.pin_pages, citation.pin_notes)


def _reporter_of(citation: Citation, cited: Case) -> tuple[str, str]:
    """The full cite, and its reporter, whose pages the mention's pin counts.

    "93 S. Ct., at 710" counts pages of S. Ct. even where the mention resolves to a U.S. cite; "Id." those of the
    cite that it stands for.
    """
    written = _squashed(citation.cite)
    for known in cited.citations:
        if written.startswith(_squashed(f"{known.volume} {known.reporter}")):
            return known.cite, known.reporter
    resolved = citation.resolved_cite or ""
    for known in cited.citations:
        if known.cite == resolved:
            return known.cite, known.reporter
    return resolved, resolved.partition(" ")[2].rpartition(" ")[0]


def _sought(
    opinion: Opinion, group: list[Citation], parenthetical: Parenthetical, cited: Case, pins: list[Pin]
) -> Sought:
    return Sought(
        candidate_id=f"{opinion.opinion_id}@{parenthetical.start}",
        hypothesis=_collapsed(parenthetical.text),
        kind=parenthetical.kind,
        citing_case_id=opinion.case_id,
        citing_opinion_id=opinion.opinion_id,
        citing_opinion_type=opinion.type,
        citing_page=page_at(opinion, parenthetical.start),
        start=parenthetical.start,
        end=parenthetical.end,
        citation_start=min(c.full_start for c in group),
        citation_end=max(c.full_end for c in group),
        signal=next((c.signal for c in group if c.signal), None),
        history=next((c.history for c in group if c.history), None),
        context=_context(opinion.text, group),
        cited_case_id=cited.case_id,
        pins=pins,
        jurisdiction=cited.jurisdiction,
    )


def _context(text: str, group: list[Citation]) -> str:
    """What stands before the first core and after the last parenthetical, the citation between as an ellipsis."""
    first, last = group[0].start, max(c.full_end for c in group)
    return f"{text[max(0, first - CONTEXT_CHARS) : first]}…{text[last : last + CONTEXT_CHARS]}"


def _candidate(seek: Sought, opinion: Opinion, pin: Pin, premise: Span) -> Candidate:
    return Candidate(
        candidate_id=seek.candidate_id,
        hypothesis=seek.hypothesis,
        kind=seek.kind,
        citing_case_id=seek.citing_case_id,
        citing_opinion_id=seek.citing_opinion_id,
        citing_opinion_type=seek.citing_opinion_type,
        citing_page=seek.citing_page,
        start=seek.start,
        end=seek.end,
        citation_start=seek.citation_start,
        citation_end=seek.citation_end,
        signal=seek.signal,
        history=seek.history,
        context=seek.context,
        cited_case_id=seek.cited_case_id,
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


def _resolved(group: list[Citation]) -> str | None:
    return next((c.cited_case_id or c.resolved_cite for c in group if c.cited_case_id or c.resolved_cite), None)


def _reject(opinion: Opinion, start: int, reason: str, detail: str) -> Reject:
    return Reject(STAGE, f"{opinion.opinion_id}@{start}", reason, detail)


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _squashed(cite: str) -> str:
    """A cite without blanks, commas and dots, for comparing "93 S.Ct." with "93 S. Ct."."""
    return re.sub(r"[\s.,]+", "", cite).lower()
