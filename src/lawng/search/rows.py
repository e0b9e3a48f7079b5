"""Hits as rows for programs: JSON objects, one per hit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from lawng.search.answer import Answer, Hit, Stance

LISTS = ("named", "supporting", "refuting", "undecided", "unjudged")
"""The lists of an answer, in the order in which they are shown."""


def rows_of(answer: Answer) -> Iterator[dict[str, Any]]:
    """Every hit with the list it is in and its rank there, from 1."""
    for name in LISTS:
        for rank, hit in enumerate(getattr(answer, name), 1):
            yield {"list": name, "rank": rank, **row_of(hit)}


def row_of(hit: Hit) -> dict[str, Any]:
    """A hit as a JSON object: all its fields, its stance with the label, and each quotation as text beside its span."""
    return {
        "case": asdict(hit.case),
        "score": hit.score,
        "standing": hit.standing,
        "found_by": list(hit.found_by),
        "scores": hit.scores,
        "stance": _stance(hit.stance),
        "decided_by": hit.decided_by,
        "words_read": hit.words_read,
        "share_read": hit.share_read,
        "passages": [
            {
                "passage": asdict(one.passage),
                "score": one.score,
                "scores": one.scores,
                "highlights": [list(span) for span in one.highlights],
                "quoted": list(one.quoted),
                "quoted_text": one.passage.text[slice(*one.quoted)],
                "stance": _stance(one.stance),
            }
            for one in hit.passages
        ],
        "descriptions": [
            {
                "description": asdict(one.description),
                "score": one.score,
                "scores": one.scores,
                "stance": _stance(one.stance),
            }
            for one in hit.descriptions
        ],
    }


def _stance(stance: Stance | None) -> dict[str, Any] | None:
    return None if stance is None else {"label": str(stance.label), "side": str(stance.side), **asdict(stance)}
