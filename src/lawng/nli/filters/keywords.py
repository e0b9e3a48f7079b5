"""Keywords of parentheticals that describe the citation, not the case (A.1.2, third filter)."""

from __future__ import annotations

import re

from lawng.records import Candidate, Reject

# The paper's pattern as printed, blanks, capitals and unescaped dots included ("mphasis" is "Emphasis" too).
PATTERN = re.compile(
    "quoting|en banc|omitted|mphasis|applying|citing |concur|dissent|majority|, in chambers|per curiam|Lexis|opinion"
    "| v. |§|¶|[0-9]"
)


def keywords(candidate: Candidate) -> Reject | None:
    """A reject with the matched words where the parenthetical has a keyword of the paper's (LawngNLI, A.1.2).

    Case-sensitive, and matched against the parenthetical before anything is stripped.
    """
    found = sorted(set(PATTERN.findall(candidate.hypothesis)))
    if not found:
        return None
    return Reject("accuracy", candidate.candidate_id, "keyword", ", ".join(word.strip() for word in found))
