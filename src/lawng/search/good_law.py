"""Cases that were overruled or reversed: left out where good law alone is asked for, else told of."""

from __future__ import annotations

from collections.abc import Sequence

from lawng.corpus.names import short_name
from lawng.index.treated import done_by
from lawng.schema import UNDONE, IndexedCase
from lawng.search.answer import Hit
from lawng.search.state import SearchState

_NAMED = 8
"""Cases that a note names of those left out."""


def without_undone(state: SearchState, case_ids: Sequence[str]) -> list[str]:
    """The first cases that were not overruled or reversed, as many as are fetched; `left_out` has those before them."""
    undone = state.index.treatments_of(case_ids, UNDONE)
    kept: list[str] = []
    state.left_out = []
    for case_id in case_ids:
        if len(kept) < state.n_cases:
            (state.left_out if undone[case_id] else kept).append(case_id)
    return kept


def too_few(state: SearchState) -> bool:
    """Whether so many cases were left out that there may be others further down."""
    n_left = len(state.case_ids) - len(state.named)
    more = any(len(found) >= state.depth for found in state.found.values())
    return bool(state.left_out) and n_left < state.n_cases and more


def notes_of_treatment(state: SearchState) -> list[str]:
    """Which cases were left out, and which were not though they were overruled or reversed."""
    notes = []
    if n := len(state.left_out):
        cases = state.index.cases(state.left_out[:_NAMED])
        names = "; ".join(map(_cited, cases.values())) + (f"; and {n - len(cases)} more" if n > len(cases) else "")
        notes.append(f"{n} case(s) left out that were overruled or reversed: {names}.")
    for hit in state.hits if state.good_law else ():
        if hit.treatment and hit.treatment.label in UNDONE:
            notes.append(f"{_cited(hit.case)}, was {hit.treatment.label} and is shown because it is asked for by name.")
    return notes


def note_on_first(hits: Sequence[Hit]) -> list[str]:
    """What was done to the case that a list begins with, where it is law no longer, wholly or in part."""
    flags = [flag for hit in hits[:1] if hit.treatment for flag in hit.treatment.flags[:1] if flag.done in UNDONE]
    return [f"The first supporting case, {_cited(hits[0].case)}, was {done_by(one)}." for one in flags]


def _cited(case: IndexedCase) -> str:
    return ", ".join((short_name(case.name), *case.citations[:1]))
