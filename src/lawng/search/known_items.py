"""Cases that an argument cites or names exactly: they are found first, by look-up and not by likeness."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lawng.errors import InputError
from lawng.schema import Filters, IndexedCase
from lawng.search.filters import passes
from lawng.search.query import ArgumentCite, PossibleName, Query, read_argument

if TYPE_CHECKING:
    from lawng.index.reader import Index

_NAME = re.compile(r"(?:in re|ex parte) |.* (?:v|vs)\.? ", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class KnownItems:
    """What an argument cites or names."""

    found: dict[str, list[str]] = field(default_factory=dict)
    """Case ids in the argument's order, each with how it was found: `citation`, `name`."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Where in the query's text citations and names stand that were found."""
    phrases: set[str] = field(default_factory=set)
    """Quoted phrases that are a case's name."""
    notes: list[str] = field(default_factory=list)

    def add(self, case_ids: Iterable[str], how: str) -> None:
        """Cases found at one place."""
        for case_id in case_ids:
            ways = self.found.setdefault(case_id, [])
            if how not in ways:
                ways.append(how)


def known_items(index: Index, query: Query) -> KnownItems:
    """The cases of the index that the query cites or names, citations first, and what was not found."""
    known = KnownItems()
    for cite in query.cites:
        _by_cite(index, cite, known)
    for candidates in query.names:
        if not any(start <= candidates[-1].start < end for start, end in known.spans):  # its citation was found
            _by_name(index, candidates, known)
    if not known.found and (name := _only_a_name(query)):
        known.notes.append(f"No case of this index is called exactly {name}.")
    for phrase in query.phrases:
        ids = index.cases_by_name(phrase)
        if ids:
            known.add(ids, "name")
            known.phrases.add(phrase)
    return known


def cases_meant(index: Index, given: str) -> list[str]:
    """Ids of the cases that a citation, an exact name or an id means. Raises InputError where there is none."""
    if index.cases([given]):
        return [given]
    found = list(known_items(index, read_argument(given)).found) or index.cases_by_name(given)
    if not found:
        raise InputError(f"case {given!r}: not in this index; give a citation, the exact name or the id of one that is")
    return list(found)


def allowed(index: Index, known: KnownItems, filters: Filters) -> dict[str, IndexedCase]:
    """The named cases that pass the filters, by id in order; the others are noted."""
    cases = index.cases(list(known.found))
    kept = {case_id: cases[case_id] for case_id in known.found if case_id in cases and passes(cases[case_id], filters)}
    for case_id in known.found:
        if case_id in cases and case_id not in kept:
            known.notes.append(f"{cases[case_id].name} is in the index, but does not pass the filters.")
    return kept


def _by_cite(index: Index, cite: ArgumentCite, known: KnownItems) -> None:
    if not cite.cites:
        known.notes.append(
            f"The citation {cite.written} names no case by itself: give volume, reporter and first page."
        )
        return
    ids = list(dict.fromkeys(case_id for one in cite.cites for case_id in index.cases_by_cite(one)))
    if not ids:
        known.notes.append(f"The citation {cite.cites[0]} is not in this index.")
        return
    if len(ids) > 1:
        known.notes.append(f"{len(ids)} cases of this index have the citation {', '.join(cite.cites)}.")
    known.add(ids, "citation")
    known.spans.append((cite.start, cite.end))
    _check_name(index, cite, ids, known)


def _check_name(index: Index, cite: ArgumentCite, ids: list[str], known: KnownItems) -> None:
    """A name that differs is stated as a fact: the citation may be to another slot than was meant."""
    cases = index.cases(ids)
    if cite.name and cases and not any(_alike(cite.name, case.name) for case in cases.values()):
        names = " or ".join(case.name for case in cases.values())
        known.notes.append(f"Name differs: {cite.cites[0]} is {names} in this index; the argument says {cite.name}.")


def _alike(written: str, name: str) -> bool:
    """Whether a name as written shares a word of each party with the case's name; it may have a word too many."""
    words = set(_WORD.findall(written.lower()))
    sides = [set(_WORD.findall(side)) for side in re.split(r"\bvs?\b\.?", name.lower())]
    if not re.search(r"\bv", written.lower()):
        return bool(words & set().union(*sides))
    return all(words & side for side in sides if side)


def _only_a_name(query: Query) -> str:
    """The name of a case that an argument is, and nothing beside it; "" where it is more than that."""
    if query.cites or len(query.names) < 2 or " V " in query.text:  # Title V is no party
        return ""
    whole, written = (candidates[0].text.rstrip(" .") for candidates in query.names[:2])
    return whole if whole == written and _NAME.match(whole) else ""


def _by_name(index: Index, candidates: Iterable[PossibleName], known: KnownItems) -> None:
    for candidate in candidates:
        text, start, end = candidate
        ids = index.cases_by_name(text)
        if ids:
            if len(ids) > 1:
                known.notes.append(f"{len(ids)} cases of this index have the name {text}.")
            known.add(ids, "name")
            known.spans.append((start, end))
            return
