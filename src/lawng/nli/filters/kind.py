"""Kinds of parentheticals: only explanatory ones describe the case (our addition to A.1.2)."""

from __future__ import annotations

from lawng.records import Candidate, Reject


def explanatory_only(candidate: Candidate) -> Reject | None:
    """A reject where the parenthetical is not explanatory (Bluebook R. 1.5(a)).

    The paper had no kinds; its keyword pattern does part of this.
    """
    if candidate.kind == "explanatory":
        return None
    return Reject("accuracy", candidate.candidate_id, "not-explanatory", candidate.kind)
