"""From citation strings to mentions: parallel groups with names, pins, signals, parentheticals and history.

Mentions by a party's name and a page alone, "Nobelman at 332", are found here too (eyecite's reference citations).
eyecite compiles a pattern per case name and runs it over the rest of the opinion, which is half of its time. Here one
pass finds every "NAME at PAGE", and the word before "at" is looked up among the names cited so far.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lawng.citation.names import Name, name_before
from lawng.citation.pins import PinCite, pin_after
from lawng.citation.signals import describes_first, history_after, history_between, signal_before
from lawng.citation.tails import tail_after
from lawng.citation.tokens import CASE_FORMS, Token
from lawng.schema import Parenthetical

_PARALLEL_GAP = re.compile(
    r"^\s?,\s?$|^\s?\[\s?$|^\s?[,;]\s?(?:S\.\s?C\.|s\.\s?c\.)\s?,?\s?$|^\s?(?:\((?:\d{0,2}[a-z]?|[IVX]{1,4}|[A-Z])\)\s?){0,3}\(\s?$"
)
"""In Georgia behind the divisions that are cited: "280 Ga. 340 (1) (a) (627 SE2d 1)"."""
_CLOSES = re.compile(r"(?:,\s?\d{1,4}\s[A-Z][\w.’' ]{0,14}\s\d{1,5}){0,2}[\])]")
"""The end of a bracket of parallel cites; the last ones may be of reporters in no table."""
_MICHIGAN = ("Mich.", "Mich. App.")
"""Michigan's own style parts parallel cites by a semicolon: "100 Mich App 5, 10; 297 NW2d 1 (1980)"."""
_STRING_GAP = re.compile(r"^[\s.]?\s*;\s*(?:and\s)?$")
_COMPARED_GAP = re.compile(r"^[\s.]?\s*[;,]\s*(?:and\s)?$")
_MOVED_KINDS = frozenset({"explanatory", "quotation", "source"})
_NAME_AT = re.compile(
    r"\b([A-Z][\w’'&.-]{0,60}[\w.])(?=,?\sat\s(?:(?:pp?\.|pages?|¶{1,2})\s?)?\d{1,4}(?:[-–]\d+)?(?:[,.;:)]|\s[(\[]))"
)
_GENERIC = frozenset(
    str.split(
        "state states people commonwealth board city county court commissioner secretary act co inc corp ct"
        " app id ibid supra ante post trial record brief exhibit tr"
    )
)


@dataclass(slots=True)
class Member:
    """One citation string of a group, with its own pin."""

    token: Token
    pin: PinCite | None


@dataclass(slots=True)
class Group:
    """Mentions that name one case in one breath: "410 U.S. 113, 120, 93 S. Ct. 705 (1973) (holding x)"."""

    members: list[Member]
    year: int | None
    name: Name | None
    start: int
    end: int
    signal: str | None = None
    signal_inherited: bool = False
    parentheticals: list[Parenthetical] = field(default_factory=list)
    """In the scanning copy."""
    history: str | None = None
    is_history: bool = False
    parent: Group | None = None
    elsewhere: bool = False
    """An id. that points to a statute, the record or nothing: what is said there is said of no case."""

    @property
    def core_start(self) -> int:
        """Where the first core begins."""
        return self.members[0].token.start


def groups_of(text: str, tokens: list[Token]) -> list[Group]:
    """The mention groups of a text in order; `tokens` are all its citation strings, statutes included."""
    groups: list[Group] = []
    enclosing: list[tuple[int, Group]] = []
    position = floor = 0
    while position < len(tokens):
        if tokens[position].form not in CASE_FORMS:
            floor = tokens[position].end
            position += 1
            continue
        group, position = _group(text, tokens, position, floor)
        floor = group.members[-1].pin.end if group.members[-1].pin else group.members[-1].token.end
        while enclosing and enclosing[-1][0] <= group.core_start:
            enclosing.pop()
        group.parent = enclosing[-1][1] if enclosing else None
        enclosing += [(paren.end, group) for paren in reversed(group.parentheticals)]
        same_depth = (other for other in reversed(groups[-12:]) if other.parent is group.parent)
        _link(text, group, next(same_depth, None))
        groups.append(group)
    return groups


def _group(text: str, tokens: list[Token], first: int, floor: int) -> tuple[Group, int]:
    members, end, after = _members(text, tokens, first)
    tail = tail_after(text, end)
    name = _name(text, floor, tokens[first])
    start = name.start if name else tokens[first].start
    signal = signal_before(text, start)
    said, begin = signal or (None, start)
    return Group(members, tail.year, name, begin, tail.end, said, parentheticals=tail.parentheticals), after


def _name(text: str, floor: int, token: Token) -> Name | None:
    if token.form == "reference":
        party = text[token.start : token.end]
        return Name(party, token.start, (party,))
    return None if token.form == "id" else name_before(text, floor, token.start)


def _members(text: str, tokens: list[Token], first: int) -> tuple[list[Member], int, int]:
    """The parallel members from token `first` on, where they end, and the number of the next token."""
    members: list[Member] = []
    position, end, open_bracket = first, 0, False
    while position < len(tokens):
        token = tokens[position]
        if members and not _is_parallel(text[end : token.start], members, token):
            break
        stop = tokens[position + 1].start if position + 1 < len(tokens) else len(text)
        # short forms carry their first pin page inside the core: "410 U.S., at 120"
        pin_start = token.end - len(token.page) if token.form == "short" else token.end
        pin = pin_after(text, token.form, pin_start, max(stop, token.end))
        bracketed = bool(members) and text[end : token.start].rstrip()[-1:] in ("[", "(")
        members.append(Member(token, pin))
        end = max(token.end, pin.end if pin else 0)
        open_bracket |= bracketed
        if open_bracket and (closed := _CLOSES.match(text, end, stop)):
            end, open_bracket = closed.end(), False
        position += 1
    return members, end, position


def _is_parallel(gap: str, members: list[Member], token: Token) -> bool:
    """Whether a citation string that follows after `gap` names the same case as the members before it."""
    last = members[-1].token
    # eyecite's "supra," and "Id.," carry their comma.
    joined = last.form in ("supra", "id") and gap == " "
    if gap.strip() == ";" and last.standard_reporter() in _MICHIGAN:
        joined = token.standard_reporter() in ("N.W.", "N.W.2d")
    if len(gap) > 24 or not (joined or _PARALLEL_GAP.match(gap)):
        return False
    if token.form not in ("full", "short") or (last.form == "full" and token.form == "short"):
        return False
    return all(member.token.reporter != token.reporter for member in members)


def _link(text: str, group: Group, before: Group | None) -> None:
    """What a group takes from its neighbours: the string's signal, and case history."""
    group.history = history_after(text, group.end)
    if group.signal == "with":  # the other half of "compare ..., with ...", or no signal at all
        compared = before is not None and _compares(before)
        group.signal, group.signal_inherited = (before.signal, True) if before and compared else (None, False)
    if before is None or before.end > group.core_start:
        return
    flag = history_between(text, before.end, group.core_start)
    if flag is not None:
        _join_history(before, group, flag)
    elif group.signal is None and before.signal and _gap_of(before).match(text[before.end : group.start]):
        group.signal, group.signal_inherited = before.signal, True


def _compares(before: Group) -> bool:
    return (before.signal or "").startswith("compare")


def _gap_of(before: Group) -> re.Pattern[str]:
    """What parts two cites of one signal: "compare A, and B, with C" has commas."""
    return _COMPARED_GAP if _compares(before) else _STRING_GAP


def _join_history(before: Group, group: Group, flag: str) -> None:
    before.history, group.history, group.is_history = flag, flag, True
    group.name, group.start = None, group.core_start
    if describes_first(flag) and not any(paren.kind in _MOVED_KINDS for paren in before.parentheticals):
        moved = [paren for paren in group.parentheticals if paren.kind in _MOVED_KINDS]
        before.parentheticals += moved
        group.parentheticals = [paren for paren in group.parentheticals if paren not in moved]


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
    # a name may belong to a mention already: "Roe at 120, 410 U.S."
    return [t for t in tokens if not any(group.start <= t.start < group.core_start for group in groups)]


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
