"""Who the parties of a contract are and of what day it is, as its opening says.

facts_of(text) -> Facts(parties, date)

Plain rules over the first characters. Where they find nothing there are no parties, or no date: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from lawng.clauses.contract_dates import contract_date, first_date

_HEAD = 3_000
"""Characters that are read, without the lines of a table of contents: a contract says first what it is."""
_CONTENTS = re.compile(r"^[^\n]{0,200}?(?:\.[ \t]?){4,200}+[^\n]{0,20}\n", re.MULTILINE)
# a line of fifty characters goes on in the next, unless that is an item of a list
_WRAPPED = re.compile(r"(?<=[^\n]{50})[ \t]*\n(?![ \t]*(?:\n|[(\[]?\w{1,3}[.)][ \t]|(?:and|AND)\b))[ \t]*")
_RECITALS = re.compile(
    r"\bwhereas\b|\bnow,? therefore\b|\bwitnesseth\b|\bit is (?:hereby |mutually )*agreed\b"
    r"|^[ \t]*(?:recitals?|background|preamble|preliminary statements?|agreed terms|introduction)[ \t:.]*$"
    r"|^[ \t]*(?:(?:article|section)[ \t]+[1I]\b|[1A][.)][ \t]|1[ \t]+(?-i:[A-Z]))",
    re.IGNORECASE | re.MULTILINE,
)
"""What comes behind the opening."""
_SPEAKS = re.compile(
    r"\bthis\b[^.;]{0,150}\b(?:agreement|contract|lease|deed|amendment)\b[^.;]{0,150}\Z", re.IGNORECASE
)
"""What opens a contract behind a heading or a number: "1. PARTIES. This Lease is made between"."""

_MOST, _LONGEST = 12, 2_000
"""Parties of a contract, and characters of their list."""
_OPENS = re.compile(
    r"\b(?:between|among(?:st)?)\b(?:[ \t]+and[ \t]+among\b)?|^[ \t]*(?:the[ \t]+)?parties\b"
    r"|\b(?:made|entered[ \t]+into|executed|given|signed)\b(?:(?!between|among)(?:[^.;:\n]|\.(?=\d))){0,60}?"
    r"\b(?:by|with)\b(?!\s+and\s)",
    re.IGNORECASE | re.MULTILINE,
)
_FORM = (
    r"(?:[Ii]nc|INC|Incorporated|INCORPORATED|Corp(?:oration)?|CORP(?:ORATION)?|Co(?:mpany)?|CO(?:MPANY)?|L\.?L\.?[CP]"
    r"|L\.?P|L[Tt][Dd]|Limited|LIMITED|P\.?L\.?C|plc|G[Mm][Bb]H|A\.?[GS]|S\.?[ALE]\.?S?|S\.?p\.?A|S\.?[àa]\.? ?r\.?l"
    r"|[BN]\.?V|N\.?A|AB|A/S|ApS|Oyj?|KG|K\.?K|S\.?r\.?l|Pty|PTY|Pte|PTE|e\.?V)\b\.?"
)
"""Of a company: Inc., LLC, GmbH."""
_WORD = r"[A-Z0-9À-ÖØ-Þ][\w&.'’/+!-]*+"
_SMALL = r"(?:of(?:[ \t]+the)?|for|de|del|della|di|da|dos|van|von|der|den|la|le|&)"
_TITLE = r"(?:Jr|Sr|I{2,3}|IV|M\.?D|Ph\.?D|Esq)\b\.?"
_NAME = re.compile(
    rf"{_WORD}(?:(?:[ \t]*,[ \t]*|[ \t]+){_FORM}|[ \t]*,[ \t]*{_TITLE}|[ \t]+(?:{_SMALL}[ \t]+(?=[A-ZÀ-Þ]))?{_WORD}"
    rf"|[ \t]+\([A-Z][\w. ]{{0,20}}\)(?=[ \t]+[A-Z])){{0,14}}"
)
_COMPANY = re.compile(rf"(?:.*[\s,)])?{_FORM}(?!\w)")
"""Up to the last form in a name: what stands behind it is an address."""
_JOINED = re.compile(
    r"[ \t]+[Aa](?:nd|ND)[ \t]+(?:[Tt]he[ \t]+)?(?=[A-ZÀ-Þ])"
    rf"|,[ \t]+(?=(?:{_WORD}[ \t]+(?:{_SMALL}[ \t]+)?){{1,6}}(?:,[ \t]*)?{_FORM})"
)
_ITEM = r"[(\[]?(?:\d{1,2}|[a-h]|[ivx]{1,4})[.)\]]\s"
_LEAD = re.compile(
    rf"(?:[\s:,;–—-]|{_ITEM}|(?:and|the|following|parties|on (?:the )?one (?:hand|part)|on the other (?:hand|part))\b"
    r"|(?-i:[A-Z][\w ]{1,25}):[ \t])*+",
    re.IGNORECASE,
)
"""What stands before the name of a party."""
_NEXT = re.compile(
    r"(?:(?<=[;,)\"”’.\n])|\bhand|\bpart)[\s–—-]*[Aa](?:nd|ND)\b[\s:–—-]+(?:the\s+)?(?=[A-ZÀ-Þ“\"(\[\d_<])"
    rf"|[;\n]\s*(?={_ITEM})|,\s*(?=\([1-9a-hivx]{{1,4}}\)\s)|(?<=[\"”“’]\)),\s*(?=[A-ZÀ-Þ])|\b\d{{4,6}}\s+and\s+(?=[A-Z])"
    rf"|\b[a-z]+\s+and\s+(?:the\s+)?(?=(?:{_WORD}[ \t,]+){{1,6}}{_FORM})"
)
"""What stands between what is told of one party and the next."""
_ENDS = re.compile(
    r"(?:(?<=[)\"”’\d])|(?<=[a-z]{3})(?<!Ave)(?<!lvd)(?<!orp)(?<!Inc)(?<!Ltd))\.\s+(?=[A-Z][a-z]+\b)"
    r"|(?<=[)\"”])\s*\n(?!\s*(?:[–—-]*\s*and\b|[(\[]?\w{1,3}[.)\]]))"
    r"|\b(?:each|individually|collectively|jointly|together)\b,? ?(?:\w+ ){0,6}?[\"“”‘']?(?:the )?[Pp]art(?:y|ies)\b"
    r"|\bagree(?:s|d)? (?:as|to|that)\b"
)
"""Where the list of the parties ends."""
_QUOTED = "[\"“”„]([^\"“”„()]{1,60})[\"“”]|[‘'’]{1,2}([^‘'’()]{1,60})[‘'’]{1,2}"
_DEFINED = re.compile(
    rf"\((?:[^()\"“”„‘'’]|(?<=\w)['’](?=\w)){{0,120}}(?:{_QUOTED})(?:[^()\"“”„‘'’]{{0,20}}(?:{_QUOTED}))?"
    rf"|\bhereinafter\b[^.;()\"“”„‘]{{0,60}}(?:{_QUOTED})"
    r"|\((?:hereinafter |called |referred to as |the )*([A-Z][\w&-]*(?: [A-Z][\w&-]*){0,2})\)"
)
_NAMES_OF_ROLES = """
a an and any both each full hereto i it of or other such the this undersigned us we you your between day month year
january february march april may june july august september october november december
borrower business buyer candidate client company consultant contractor customer discloser disclosing employee employer
individual insert landlord lender lessee lessor licensee licensor name owner participant parties partner party provider
purchaser receiver receiving recipient seller stockholder supplier tenant vendor
"""
_ROLES = frozenset(_NAMES_OF_ROLES.split())
"""Words of which alone no party's name is made, though one may be called so."""
_NAMES_OF_THINGS = """
affiliates agreement amendment article contract date exhibit hereinafter information lease parties plan purpose
representatives schedule section transaction whereas
"""
_THINGS = frozenset(_NAMES_OF_THINGS.split())
"""What is defined in an opening, and is no party."""


class Party(NamedTuple):
    """A party of a contract."""

    name: str
    called: tuple[str, ...] = ()
    """What the contract calls it for short: "Supplier"."""


class Facts(NamedTuple):
    """What the opening of a contract tells."""

    parties: tuple[Party, ...] = ()
    date: str = ""
    """ISO, as precise as it is told: a year, a month or a day; "" where none could be read."""


def facts_of(text: str) -> Facts:
    """The parties and the date of a contract.

    >>> found = facts_of('This Lease is made on 4 March 2024 between Acme, Inc. ("Lessor") and Roe Ltd (the "Lessee").')
    >>> [party.name for party in found.parties], found.parties[1].called, found.date
    (['Acme, Inc.', 'Roe Ltd'], ('Lessee',), '2024-03-04')
    """
    head = _WRAPPED.sub(" ", _CONTENTS.sub("", text[: 3 * _HEAD])[:_HEAD])
    lists = [(at, tuple(islice(_listed(head, at), _MOST)), speaks) for at, speaks in _opens(head)]
    likely = [one for one in lists if any(map(_is_sure, one[1])) or (one[2] and len(one[1]) > 1)]
    best = [one for one in likely if len(one[1]) > 1 and any(map(_is_sure, one[1]))]
    at, parties, _ = next(iter((*best, *likely)), (0, (), False))
    return Facts(parties, contract_date(head, _behind(head, at)))


def facts_of_row(row: Mapping[str, Any]) -> Facts:
    """What a row of a list of clauses tells: `party` is a name or a list of names, `date` is written in any way.

    >>> facts_of_row({"party": ["Acme"], "date": "March 4, 2024"})
    Facts(parties=(Party(name='Acme', called=()),), date='2024-03-04')
    """
    given, date = row.get("party"), str(row.get("date") or "")
    names = given if isinstance(given, list) else [given]
    return Facts(tuple(Party(name) for name in names if isinstance(name, str) and name.strip()), first_date(date))


def _behind(head: str, at: int = 0) -> int:
    """Where the opening ends that goes on from a place; a heading on the first line does not end it."""
    return next((found.start() for found in _RECITALS.finditer(head, at) if found.start()), len(head))


def _opens(head: str) -> Iterator[tuple[int, bool]]:
    """Where the list of the parties may begin, but for what recitals say of another contract; and whether two names
    are enough for it, though nothing tells that they are parties."""
    first = _behind(head)
    for found in _OPENS.finditer(head):
        speaks = _SPEAKS.search(head, max(0, found.start() - 400), found.start()) is not None
        if found.start() < first or speaks:
            yield found.end(), found.start() < first and (speaks or head[: found.start()].endswith("\n"))


def _is_sure(party: Party) -> bool:
    return bool(party.called or _COMPANY.match(party.name))


def _listed(head: str, at: int) -> Iterator[Party]:
    """The parties that are named from a place on; behind one that cannot be read only those that are sure."""
    begin = _after(_LEAD, head, at)
    ends = (found.start() for pattern in (_RECITALS, _ENDS) if (found := pattern.search(head, begin)))
    unread = False
    for told in _NEXT.split(head[begin : min([*ends, begin + _LONGEST])]):
        named = list(_named(told))
        yield from (party for party in named if not unread or _is_sure(party))
        unread = unread or not named


def _named(told: str) -> Iterator[Party]:
    """The parties that begin a stretch: one with what is told of it, or some that are joined by "and"."""
    at = _after(_LEAD, told, 0)
    while name := _NAME.match(told, at):
        end = _name_end(name)
        follows = _JOINED.match(told, end)
        if follows and not _COMPANY.match(told[at:end]) and (second := _NAME.match(told, follows.end())):
            # "Smith and Sons Ltd and ...", 'Johnson and Johnson ("J&J")'
            last = _name_end(second)
            if _JOINED.match(told, last) or _DEFINED.match(told, _after(_BLANKS, told, last)):
                end, follows = last, _JOINED.match(told, last)
        shown = _STOP.sub(r"\1", " ".join(told[at:end].split()).rstrip(" ,"))
        if all(word in _ROLES | _THINGS or word.isdigit() for word in _words(shown)):
            return
        yield Party(shown, () if follows else tuple(_called(told[end:])))
        if not follows:
            return
        at = follows.end()


_STOP = re.compile(r"\b(LLC|LLP|PLC|plc|GmbH|Limited|Company|Corporation|Incorporated)\.\Z")
"""A full stop that ends the sentence and abbreviates nothing."""
_BLANKS = re.compile(r"[\s,]*")


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W\d_]+|\d+(?=\b|st|nd|rd|th)", name.lower())


def _name_end(name: re.Match[str]) -> int:
    company = _COMPANY.match(name[0])
    return name.start() + company.end() if company else name.end()


def _called(told: str) -> Iterator[str]:
    """The short names that what is told of a party defines first."""
    found = _DEFINED.search(told)
    for name in found.groups() if found else ():
        short = " ".join((name or "").split()).strip(" ,.;").removeprefix("the ")
        words = _words(short)
        if words and words != ["party"] and not {words[0], words[-1]} & _THINGS:
            yield short
