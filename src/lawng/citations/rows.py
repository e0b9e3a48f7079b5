"""Citations as rows for programs (JSON lines) and for people (a table)."""

from __future__ import annotations

from typing import Any

from lawng.records import Citation


def row_of(citation: Citation) -> dict[str, Any]:
    """A citation as a JSON object; offsets are into the text that the citation was found in.

    `parentheticals` stand on the first member of a parallel group, `group` ties the members together, and a signal that
    governs a string citation is given to every member, `signal_inherited` telling which (Bluebook R. 1.4).
    """
    return {
        "opinion": citation.opinion_id,
        "start": citation.start,
        "end": citation.end,
        "cite": citation.cite,
        "form": citation.form,
        "resolved_cite": citation.resolved_cite,
        "pin_cite": citation.pin_cite,
        "pin_pages": citation.pin_pages,
        "pin_notes": citation.pin_notes,
        "signal": citation.signal,
        "signal_inherited": citation.signal_inherited,
        "parentheticals": [
            {"text": p.text, "start": p.start, "end": p.end, "kind": p.kind} for p in citation.parentheticals
        ],
        "parallel": citation.parallel,
        "name": citation.name,
        "history": citation.history,
        "group": citation.group,
        "full_start": citation.full_start,
        "full_end": citation.full_end,
        "cited_case": citation.cited_case_id,
    }
