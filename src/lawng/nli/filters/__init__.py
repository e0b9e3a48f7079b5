"""The accuracy filters of A.1.2, one file each, and their order in `screen`.

later_same_parties -> case_history -> keywords -> kind -> ing_that -> normalise
"""

from __future__ import annotations

from lawng.nli.filters.case_history import case_history
from lawng.nli.filters.ing_that import strip_ing_that
from lawng.nli.filters.keywords import keywords
from lawng.nli.filters.kind import explanatory_only
from lawng.nli.filters.later_same_parties import PartyIndex, later_same_parties
from lawng.nli.filters.normalise import normalise
from lawng.nli.records import Screened
from lawng.records import Candidate, Reject

__all__ = ["STAGE", "PartyIndex", "screen"]

STAGE = "accuracy"


def screen(candidate: Candidate, parties: PartyIndex, *, only_explanatory: bool = True) -> Screened | Reject:
    """A candidate through all accuracy filters, or the first one's reject (LawngNLI, A.1.2).

    `only_explanatory=False` reproduces the paper, which had no kinds of parentheticals.
    """
    reject = (
        later_same_parties(candidate, parties)
        or case_history(candidate)
        or keywords(candidate)
        or (explanatory_only(candidate) if only_explanatory else None)
    )
    if reject:
        return reject
    stripped = strip_ing_that(Screened(candidate, candidate.hypothesis, []))
    return stripped if isinstance(stripped, Reject) else normalise(stripped)
