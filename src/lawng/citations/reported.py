"""What a parenthetical reports: "holding that p" says p, "rejecting that p" does not.

reported(text) -> Reported, or None where it does not begin so
"""

from __future__ import annotations

import re
from typing import NamedTuple

# "holding that", "holding, inter alia, that", "holding further that", "holding in part that"
_OPENING = re.compile(
    r"^(?P<verb>[A-Za-z-]+ing)"
    r"(?P<aside>,[^,]{1,40},|(?:\s+(?:\w+ly|again|also|further|instead|in\s+(?:relevant\s+)?part|in\s+dict(?:um|a)|inter\s+alia))+,?)?"
    r"\s+that(?:,(?=\s))?\s+(?P<rest>\S)",
    re.IGNORECASE | re.DOTALL,
)
NO_VERB = {
    *("anything", "during", "everything", "evening", "king", "morning", "nothing", "something", "string", "thing"),
    *("being", "building", "proceeding", "providing"),
}
"""Words in -ing that open no report."""
# The writer of these does not stand behind the clause: "denying that p" is no reason to believe p.
UNSUPPORTIVE = {
    *("alleging", "arguing", "assuming", "challenging", "claiming", "contending", "contesting", "denying"),
    *("disagreeing", "disbelieving", "disputing", "doubting", "questioning", "rejecting", "supposing", "urging"),
}


class Reported(NamedTuple):
    """A parenthetical that opens with a verb in -ing and "that"."""

    opening: str
    """All that stands before the clause."""
    verb: str
    """In lower case, with what stands between it and "that"."""
    clause: str
    """What is reported, as a sentence of its own."""
    supported: bool
    """Whether the writer stands behind it."""


def reported(text: str) -> Reported | None:
    """The opening verb of a parenthetical and the clause that it reports (LawngNLI, A.1.2, fourth filter).

    >>> reported("holding, inter alia, that the tax is void")
    Reported(opening='holding, inter alia, that ', verb='holding, inter alia', clause='the tax is void', supported=True)
    >>> reported("nothing that the State did was void"), reported("rejecting the claim that the tax is void")
    (None, None)
    """
    found = _OPENING.match(text)
    if not found or (verb := found["verb"].lower()) in NO_VERB:
        return None
    said = " ".join(f"{verb}{found['aside'] or ''}".split()).rstrip(",")
    return Reported(found[0][: found.start("rest")], said, text[found.start("rest") :], verb not in UNSUPPORTIVE)
