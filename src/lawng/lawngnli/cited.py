"""What a citation points to: the one case of a corpus that a parallel group names, and the pages that it pins."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

from lawng.corpus.pages import page_at
from lawng.lawngnli.records import Pin, Refusal
from lawng.schema import Case, Citation, Opinion

CONTEXT_CHARS = 200


class Known(NamedTuple):
    """A corpus as citations see it."""

    cases: Mapping[str, Case]
    ambiguous: Container[str] = frozenset()
    """Cites that name several cases."""


def resolved(group: Sequence[Citation]) -> str | None:
    """The case that a group stands for, else its cite, None when neither is known."""
    return next((c.cited_case_id or c.resolved_cite for c in group if c.cited_case_id or c.resolved_cite), None)


def mention_fields(opinion: Opinion, group: Sequence[Citation], start: int, known: Known) -> dict[str, Any] | Refusal:
    """What every source of hypotheses writes of a mention: the one case that its parallel group cites and the pins, in
    their order, and where it stands, with the words around (LawngNLI, A.1.1); `start` names it.
    """
    cited = _cited_case(opinion.case_id, group, known)
    if isinstance(cited, str):
        return Refusal(cited, resolved(group) or group[0].cite)
    pins = [_pin(member, cited) for member in group if member.pin_pages]
    if not pins:
        written = "; ".join(c.pin_cite for c in group if c.pin_cite)
        return Refusal("pin-not-numeric" if written else "no-pin", written or group[0].cite)
    # what stands before the first core and after the last parenthetical, the citation between as an ellipsis
    first, last = group[0].start, max(c.full_end for c in group)
    before, after = opinion.text[max(0, first - CONTEXT_CHARS) : first], opinion.text[last : last + CONTEXT_CHARS]
    return {
        "candidate_id": f"{opinion.opinion_id}@{start}",
        "citing_case_id": opinion.case_id,
        "citing_opinion_id": opinion.opinion_id,
        "citing_opinion_type": opinion.type,
        "citing_page": page_at(opinion, start),
        "citation_start": min(c.full_start for c in group),
        "citation_end": last,
        "signal": next((c.signal for c in group if c.signal), None),
        "history": next((c.history for c in group if c.history), None),
        "context": f"{before}…{after}",
        "cited_case_id": cited.case_id,
        "pins": pins,
        "jurisdiction": cited.jurisdiction,
    }


def _cited_case(citing: str, group: Sequence[Citation], known: Known) -> Case | str:
    """The one case that a group cites, if it can make a premise; else the reason why not."""
    ids = {c.cited_case_id for c in group if c.cited_case_id in known.cases}
    if not ids:
        named_twice = any(c.resolved_cite is not None and c.resolved_cite in known.ambiguous for c in group)
        return "cited-case-ambiguous" if named_twice else "cited-case-unknown"
    if len(ids) > 1:
        return "cited-case-ambiguous"
    cited = known.cases[str(ids.pop())]
    if cited.case_id == citing:
        return "self-citation"
    if cited.n_majority != 1:
        return "several-majorities" if cited.n_majority else "no-majority"
    return cited


def _pin(citation: Citation, cited: Case) -> Pin:
    """The pinned pages, with the full cite and its reporter whose pages they are.

    "93 S. Ct., at 710" counts pages of S. Ct. even where the mention resolves to a U.S. cite; "Id." those of the
    cite that it stands for.
    """
    written, resolved = _squashed(citation.cite), citation.resolved_cite or ""
    named = [k for k in cited.citations if written.startswith(_squashed(f"{k.volume} {k.reporter}"))]
    known = next(iter([*named, *(k for k in cited.citations if k.cite == resolved)]), None)
    cite = known.cite if known else resolved
    reporter = known.reporter if known else resolved.partition(" ")[2].rpartition(" ")[0]
    return Pin(cite, reporter, citation.pin_cite or "", citation.pin_pages, citation.pin_notes)


def _squashed(cite: str) -> str:
    """A cite without blanks, commas and dots, for comparing "93 S.Ct." with "93 S. Ct."."""
    return re.sub(r"[\s.,]+", "", cite).lower()
