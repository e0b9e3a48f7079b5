"""The citations of an opinion or of a plain text, with everything that hangs on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from lawng.citations.clean import CleanText, clean, identity
from lawng.citations.mentions import Group, Member, groups_of
from lawng.citations.references import reference_tokens
from lawng.citations.resolve import KnownCase, Memory, cite_for, resolve
from lawng.citations.tokens import CASE_FORMS, tokens_of
from lawng.records import Citation, Opinion, Parenthetical


class Resolver(Protocol):
    """Looks up cited cases in a corpus."""

    def case_of(self, cite: str) -> str | None:
        """The case that a normalised cite names, None when none or several."""


class NoResolver:
    """The resolver where there is no corpus: nothing is found."""

    def case_of(self, cite: str) -> str | None:
        """Nothing."""
        return None


def citations_of_text(text: str, name: str) -> list[Citation]:
    """All case citations of a plain text as given; offsets are into it, line breaks and star pages included.

    >>> [c] = citations_of_text("See Roe v. Wade, 410 U. S. 113,\\n120 (1973) (en banc) (holding x).", "a")
    >>> c.signal, c.pin_pages, [p.text for p in c.parentheticals]
    ('see', [120], ['en banc', 'holding x'])
    """
    return _citations(text, clean(text), name, NoResolver(), Memory())


def citations_of(opinion: Opinion, resolver: Resolver, memory: Memory | None = None) -> list[Citation]:
    """All case citations of an opinion, linked to the corpus; with a shared memory, short forms find the lead opinion's cites."""
    return _citations(opinion.text, identity(opinion.text), opinion.opinion_id, resolver, memory or Memory())


def citations_of_case(opinions: Iterable[Opinion], resolver: Resolver) -> list[Citation]:
    """All citations of the opinions of one case, in order: a dissent may cite in short what the court cited in full."""
    memory = Memory()
    return [citation for opinion in opinions for citation in citations_of(opinion, resolver, memory)]


def _citations(source: str, copy: CleanText, name: str, resolver: Resolver, memory: Memory) -> list[Citation]:
    tokens = tokens_of(copy.text)
    groups = groups_of(copy.text, tokens)
    references = reference_tokens(copy.text, groups)
    if references:
        groups = groups_of(copy.text, sorted([*tokens, *references], key=lambda token: token.start))
    others = [token for token in tokens if token.form not in CASE_FORMS]
    cases = resolve(copy.text, groups, others, memory)
    found: list[Citation] = []
    for number, (group, case) in enumerate(zip(groups, cases, strict=True)):
        found += _of_group(source, copy, name, number, group, case, resolver)
    return found


def _of_group(
    source: str, copy: CleanText, name: str, number: int, group: Group, case: KnownCase | None, resolver: Resolver
) -> list[Citation]:
    cites = [cite_for(case, member) if case else None for member in group.members]
    # An id. that points to a statute or the record describes no case.
    attached = [] if case is None and group.members[0].token.form == "id" else _parentheticals(source, copy, group)
    return [
        _citation(copy, name, number, group, member, cites, attached if member is group.members[0] else [], resolver)
        for member in group.members
    ]


def _parentheticals(source: str, copy: CleanText, group: Group) -> list[Parenthetical]:
    spans = [(copy.source(p.start), copy.source_end(p.end), p.kind) for p in group.parentheticals]
    return [Parenthetical(source[start:end], start, end, kind) for start, end, kind in spans]


def _citation(
    copy: CleanText,
    name: str,
    number: int,
    group: Group,
    member: Member,
    cites: list[str | None],
    attached: list[Parenthetical],
    resolver: Resolver,
) -> Citation:
    token, pin = member.token, member.pin
    own = cites[group.members.index(member)]
    return Citation(
        opinion_id=name,
        start=copy.source(token.start),
        end=copy.source_end(token.end),
        cite=copy.text[token.start : token.end].strip(" ,"),
        form=token.form,
        resolved_cite=own,
        cited_case_id=_case_id(own, cites, resolver),
        name=group.name.text if group.name else "",
        pin_cite=pin.text if pin else None,
        pin_pages=pin.pages if pin else [],
        pin_notes=pin.notes if pin else [],
        signal=group.signal,
        parentheticals=attached,
        parallel=list(dict.fromkeys(cite for cite in cites if cite and cite != own)),
        history=group.history,
        group=number,
        full_start=copy.source(group.start),
        full_end=copy.source_end(group.end),
        signal_inherited=group.signal_inherited,
    )


def _case_id(own: str | None, cites: list[str | None], resolver: Resolver) -> str | None:
    """The case of the own cite, else of a parallel one: one of them may be missing in the corpus."""
    for cite in (own, *cites):
        case_id = resolver.case_of(cite) if cite else None
        if case_id is not None:
            return case_id
    return None
