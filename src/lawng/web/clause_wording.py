"""Clauses in the words of the pages: addresses, places, and their text with what of it answers the query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, urlencode

from markupsafe import Markup

from lawng.clauses.answer import ClauseHit
from lawng.clauses.facts import Facts
from lawng.clauses.meaning.clause_sentences import flowing
from lawng.clauses.meaning.explained import Part, label
from lawng.schema import Clause, Span
from lawng.text.printable import count
from lawng.text.sentences import trimmed
from lawng.web.clause_request import ClauseRequest
from lawng.web.marks import Inline, rendered

_SHOWN, _BEFORE = 110, 30
"""Words of a clause that are shown of a hit, and of them those before what answers the query."""


def clause_url(clause_id: str, query: str = "") -> str:
    """The page of a clause, with the way back to a search.

    >>> clause_url("a b.txt#20", "x")
    '/clause/a%20b.txt%2320?q=x'
    """
    return f"/clause/{quote(clause_id)}" + (f"?{urlencode({'q': query})}" if query else "")


def contract_url(source: str) -> str:
    """The page of all clauses of a contract."""
    return f"/contract/{quote(source)}"


def clauses_url(request: ClauseRequest, path: str = "/search") -> str:
    """The page of a search, or its JSON."""
    return f"{path}?{urlencode(request.pairs())}"


def query_url(query: str) -> str:
    """The page of a search without filters."""
    return clauses_url(ClauseRequest(query))


def title_of(clause: Clause) -> str:
    """What a clause is called: its number and heading, else how it begins.

    >>> cap, bare = (Clause("", "a", *named, [], 0, 0, 1, "At most $5.") for named in (("8.2", "Cap"), ("", "")))
    >>> title_of(cap), title_of(bare)
    ('8.2 Cap', '“At most $5.”')
    """
    named = f"{clause.section} {clause.heading}".strip()
    words = clause.text.split()
    return named or f"“{' '.join(words[:8])}{' …' if len(words) > 8 else ''}”"


def place_in(clause: Clause) -> str:
    """Where it stands in its contract: the headings around it, and its page or paragraph."""
    return " · ".join(filter(None, [" › ".join(clause.headings), clause.place]))


def between(facts: Facts) -> str:
    """The parties of a contract, "" where none could be read.

    >>> from lawng.clauses.facts import Party
    >>> between(Facts((Party("Acme"), Party("Roe"), Party("Doe"))))
    'Acme, Roe and Doe'
    """
    *most, last = [party.name for party in facts.parties] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def summary_of(n_hits: int, n_clauses: int, n_documents: int) -> str:
    """What was found, in a line that a screen reader says.

    >>> summary_of(1, 33, 1), summary_of(0, 1200, 40)
    ('1 clause, from 33 clauses of 1 contract.', 'Nothing found among 1,200 clauses of 40 contracts.')
    """
    among = f"{count(n_clauses, 'clause')} of {count(n_documents, 'contract')}"
    return f"{count(n_hits, 'clause')}, from {among}." if n_hits else f"Nothing found among {among}."


def clause_html(clause: Clause, highlights: Sequence[Span] = (), parts: Sequence[Part] = ()) -> Markup:
    """A whole clause in paragraphs: the query's words marked, and what decides each of its parts."""
    layers = _layers(highlights, parts)
    found = (rendered(clause.text, span, layers) for span in _paragraphs(clause.text))
    return Markup("").join(Markup("<p>{}</p>").format(paragraph) for paragraph in found)


def excerpt_html(hit: ClauseHit) -> Markup:
    """What of a clause stands around what answers the query; an ellipsis tells that the clause goes on."""
    text, span = hit.clause.text, excerpt_of(hit)
    shown = rendered(text, span, _layers(hit.highlights, hit.parts))
    before, after = "… " if span.start else "", " …" if span.end < len(text.rstrip()) else ""
    return Markup("{}{}{}").format(before, shown, after)


def excerpt_of(hit: ClauseHit) -> Span:
    """The stretch of a clause that is shown of a hit."""
    words = [Span(*found.span()) for found in re.finditer(r"\S+", hit.clause.text)]
    if len(words) <= _SHOWN:
        return Span(words[0].start, words[-1].end)
    decides = [span.start for part in hit.parts for span in part.spans] or [span.start for span in hit.highlights]
    at = next((n for n, word in enumerate(words) if word.end > min(decides, default=0)), 0)
    first = max(0, min(at - _BEFORE, len(words) - _SHOWN)) if at > _SHOWN // 2 else 0
    return Span(words[first].start, words[first + _SHOWN - 1].end)


def _layers(highlights: Sequence[Span], parts: Sequence[Part]) -> list[list[Inline]]:
    """A layer for each part, for they may overlap, and one for the query's words."""
    said = [
        (("class", "decides" if part.found else "decides not"), ("title", f"{label(part)}: {part.answer}"))
        for part in parts
    ]
    decided = [
        [Inline(*_place(span), "span", why) for span in part.spans] for part, why in zip(parts, said, strict=True)
    ]
    return [*decided, [Inline(*_place(span), "mark") for span in highlights]]


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _paragraphs(text: str) -> list[Span]:
    """The paragraphs of a clause; lines that were broken at a fixed width are one."""
    spans, at = [], 0
    for line in flowing(text).split("\n"):
        if span := trimmed(text, at, at + len(line)):
            spans.append(span)
        at += len(line) + 1
    return spans
