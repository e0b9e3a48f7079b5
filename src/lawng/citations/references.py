"""Mentions by a party's name and a page alone: "Nobelman at 332" (eyecite's reference citations).

eyecite compiles a pattern per case name and runs it over the rest of the opinion, which is half of its time. Here one
pass finds every "NAME at PAGE", and the word before "at" is looked up among the names cited so far.
"""

from __future__ import annotations

import re

from lawng.citations.mentions import Group
from lawng.citations.tokens import Token

_NAME_AT = re.compile(r"\b([A-Z][\w’'&.-]*[\w.])(?=,?\sat\s(?:pp?\.\s?)?\d{1,4}(?:[-–]\d+)?(?:[,.;:)]|\s[(\[]))")
_GENERIC = frozenset(
    [
        "state",
        "states",
        "people",
        "commonwealth",
        "board",
        "city",
        "county",
        "court",
        "commissioner",
        "secretary",
        "act",
        "co",
        "inc",
        "corp",
        "ct",
        "app",
        "id",
        "ibid",
        "supra",
        "ante",
        "post",
        "trial",
        "record",
        "brief",
        "exhibit",
        "app",
        "tr",
    ]
)


def reference_tokens(text: str, groups: list[Group]) -> list[Token]:
    """The reference citations of a text, given its other mentions; [] in most opinions."""
    parties = _parties(groups)
    if not parties:
        return []
    tokens = []
    for match in _NAME_AT.finditer(text):
        party = parties.get(match.group(1).rstrip("."))
        if party and party[0] < match.start() and text.endswith(party[1], 0, match.end(1)):
            start = match.end(1) - len(party[1])
            tokens.append(Token(start, match.end(1), "reference"))
    return [token for token in tokens if not _taken(groups, token)]


def _parties(groups: list[Group]) -> dict[str, tuple[int, str]]:
    """Last word of each party of a full citation: where it was cited first, and the party's name."""
    parties: dict[str, tuple[int, str]] = {}
    for group in groups:
        if group.name and any(member.token.form == "full" for member in group.members):
            for party in group.name.parties:
                word = party.split()[-1].rstrip(".,") if party else ""
                if len(word) > 2 and word.lower() not in _GENERIC:
                    parties.setdefault(word, (group.core_start, party))
    return parties


def _taken(groups: list[Group], token: Token) -> bool:
    """Whether the name belongs to a mention already: "Roe at 120, 410 U.S."."""
    return any(group.start <= token.start < group.core_start for group in groups)
