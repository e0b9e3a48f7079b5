"""Case history: a citation that was affirmed, reversed, denied certiorari ... (A.1.2, second filter)."""

from __future__ import annotations

from lawng.records import Candidate, Reject


def case_history(candidate: Candidate) -> Reject | None:
    """A reject where a case-history flag stands right before or after the citation (LawngNLI, A.1.2; Bluebook R. 10.7).

    The description may then be of a decision that no longer stands.
    """
    if not candidate.history:
        return None
    return Reject("accuracy", candidate.candidate_id, "case-history", candidate.history)
