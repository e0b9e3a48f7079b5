"""The opening "holding that" is taken off, so that what is left reads as a sentence (A.1.2, fourth filter)."""

from __future__ import annotations

import re
from dataclasses import replace

from lawng.nli.records import Screened
from lawng.records import Reject

# "holding that", "holding, inter alia, that", "holding further that", "holding in part that"
_OPENING = re.compile(
    r"^(?P<verb>[A-Za-z-]+ing)"
    r"(?P<aside>,[^,]{1,40},|(?:\s+(?:\w+ly|again|also|further|instead|in\s+(?:relevant\s+)?part|inter\s+alia))+,?)?"
    r"\s+that(?:,(?=\s))?\s+(?P<rest>\S)",
    re.IGNORECASE | re.DOTALL,
)
_NO_VERB = {
    *("anything", "during", "everything", "evening", "king", "morning", "nothing", "something", "string", "thing"),
    *("being", "building", "proceeding", "providing"),
}
# The writer of these does not stand behind the clause: "denying that p" is no reason to believe p.
UNSUPPORTIVE = {
    *("alleging", "arguing", "assuming", "challenging", "claiming", "contending", "contesting", "denying"),
    *("disagreeing", "disbelieving", "disputing", "doubting", "questioning", "rejecting", "supposing", "urging"),
}


def strip_ing_that(screened: Screened, *, strict: bool = True) -> Screened | Reject:
    """The hypothesis without its opening verb in -ing and "that" (LawngNLI, A.1.2), recorded in `steps`.

    The paper strips because such verbs "many times take a supporting stance"; those that do not ("denying that")
    are rejected as `unsupportive-verb`. `strict=False` strips them too, as the paper did.
    """
    found = _OPENING.match(screened.hypothesis)
    if not found or (verb := found["verb"].lower()) in _NO_VERB:
        return screened
    if strict and verb in UNSUPPORTIVE:
        return Reject("accuracy", screened.candidate.candidate_id, "unsupportive-verb", found[0][: found.start("rest")])
    taken = " ".join(f"{verb}{found['aside'] or ''}".split()).rstrip(",")
    rest = screened.hypothesis[found.start("rest") :]
    return replace(screened, hypothesis=rest, steps=[*screened.steps, f"ing-that: {taken}"])
