"""Citing cases with a later case of the same parties: they may have been overturned (A.1.2, first filter)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from lawng.records import Candidate, Case, Reject

# "et al.", "the", corporate suffixes: written in one report of a case and left out in the next.
_NOISE = re.compile(r"\b(?:et al|et ux|et vir|etc|the|inc|incorporated|co|corp|corporation|company|ltd|llc|llp)\b")
_NOT_WORD = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class PartyIndex:
    """Which citing cases have a later case of the same parties, and which one: case id to later case id."""

    later: dict[str, str]

    @classmethod
    def of(cls, cases: Iterable[Case]) -> PartyIndex:
        """The index of a corpus: of all cases with one pair of party names, every one but the latest has a later one.

        A case without party names is in nobody's way.
        """
        groups: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        for case in cases:
            if key := party_key(case.parties):
                groups[key].append((case.date, case.case_id))
        return cls({case_id: later for group in groups.values() for case_id, later in _overtaken(group)})


def party_key(parties: list[str]) -> tuple[str, ...]:
    """Party names without case, punctuation, articles and corporate suffixes, in alphabetical order.

    So "A v. B" and "B v. A" have one key. Names that are nothing but such words are kept as they are.

    >>> party_key(["The Acme Co.", "ROE, et al."]) == party_key(["Roe", "Acme Company"])
    True
    """
    return tuple(sorted(filter(None, (_party(name) for name in parties))))


def later_same_parties(candidate: Candidate, parties: PartyIndex) -> Reject | None:
    """A reject where a later case has the citing case's parties, in either order (LawngNLI, A.1.2).

    The paper's guard against hypotheses from a case later overturned, overbroad on purpose. Detail: the later case.
    """
    later = parties.later.get(candidate.citing_case_id)
    return Reject("accuracy", candidate.candidate_id, "later-same-parties", later) if later else None


def _party(name: str) -> str:
    words = _NOT_WORD.sub(" ", name.casefold()).strip()
    return " ".join(_NOISE.sub(" ", words).split()) or words


def _overtaken(group: list[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    latest_date, latest_id = max(group)
    for date, case_id in group:
        if case_id != latest_id and _is_before(date, latest_date):
            yield case_id, latest_id


def _is_before(date: str, other: str) -> bool:
    """Whether an ISO date is surely before another: compared at the precision that both have."""
    shared = min(len(date), len(other))
    return date[:shared] < other[:shared]
