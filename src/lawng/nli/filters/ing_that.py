"""The opening "holding that" is taken off, so that what is left reads as a sentence (A.1.2, fourth filter)."""

from __future__ import annotations

from dataclasses import replace

from lawng.citations.reported import reported
from lawng.nli.records import Screened
from lawng.records import Reject


def strip_ing_that(screened: Screened, *, strict: bool = True) -> Screened | Reject:
    """The hypothesis without its opening verb in -ing and "that" (LawngNLI, A.1.2), recorded in `steps`.

    The paper strips because such verbs "many times take a supporting stance"; those that do not ("denying that")
    are rejected as `unsupportive-verb`. `strict=False` strips them too, as the paper did.
    """
    found = reported(screened.hypothesis)
    if found is None:
        return screened
    if strict and not found.supported:
        return Reject("accuracy", screened.candidate.candidate_id, "unsupportive-verb", found.opening)
    return replace(screened, hypothesis=found.clause, steps=[*screened.steps, f"ing-that: {found.verb}"])
