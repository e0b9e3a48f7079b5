"""Which case a mention stands for: full cites name it; short forms, id. and supra point back (Bluebook R. 4, 10.9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lawng.citation.mentions import Group, Member
from lawng.citation.tokens import Token
from lawng.io.limits import number_of

MAX_CASE_PAGES = 250
"""A pin further from the first page than this belongs to another source: few reported cases are longer."""

_REVERSALS = ("rev'", "revd", "revg", "revers")
_ELSEWHERE = re.compile(
    r"\b(?:[Aa]nte|[Pp]ost|App\.(?!\s?(?:Div|Ct|D\.))|Tr\.|Record|Brief|Compl(?:aint|\.)|Decl\.|Mot\.|ECF(?:\sNos?\.)?|Doc\.|Rules?\sof\sCourt|Code,|Pet\.|J\.\s?A\.|Dkt|Exh?\.|Dep\.|Aff\.|H\.\s?R\.|S\.\s?Rep"
    r"|Cong\.|Restatement|Treatise|Wigmore|Blackstone|Federalist)[^.;()]{0,60}\d"
)
_PART_OF_NO_CASE = re.compile(r"\s?,?\s?(?:at\s)?(?:subds?\.|subdivs?\.|rules?\s\d|arts?\.|pars?\.|Exh?\.|cls?\.)")
"""What an id. of a statute, a rule or the record names, and none of a case."""
_REACH = 6
"""How many mentions back an id. behind a quotation may point."""

_QUOTATION = 3000
_CURLY_CLOSED = re.compile(r"”\s*(?:\[?\d{0,3}\]?)\s*(?:[Ss]ee\s)?$")
_CLOSED_QUOTE = re.compile(r"[”\"]\s*(?:[Ss]ee\s)?$")
_PAGED_LAW = re.compile(r"Stat|Fed\.|Reg|Cong")


@dataclass(slots=True, eq=False)
class KnownCase:
    """A case that the opinion has cited in full: its parallel cites and the names it went by."""

    cites: dict[str, tuple[str, str, int | None]] = field(default_factory=dict)
    """Each cite with its volume, standard reporter and first page."""
    parties: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Memory:
    """What an opinion has cited so far; opinions of one case may share it, for a dissent cites as the court did."""

    known: list[KnownCase] = field(default_factory=list)
    by_cite: dict[str, KnownCase] = field(default_factory=dict)

    def full(self, group: Group, year: int | None) -> KnownCase:
        """The known case of a group with a full citation; parallel cites are joined to it."""
        cites = [(m.token, m.token.standard_cite(year)) for m in group.members if m.token.form == "full"]
        # of a slip opinion the page is a blank to be filled in, and so many have the same
        known = [cite for token, cite in cites if not _is_blank(token)]
        case = next((self.by_cite[cite] for cite in known if cite in self.by_cite), None)
        if case is None:
            case = KnownCase()
            self.known.append(case)
        for token, cite in cites:
            case.cites.setdefault(cite, (token.volume, token.standard_reporter(year), number_of(token.page)))
            self.by_cite.setdefault(cite, case)
        if group.name:
            case.parties.update(_key(party) for party in group.name.parties)
        return case

    def short(self, token: Token, names: Sequence[str]) -> KnownCase | None:
        """The known case of a short form: same volume and reporter, pin within its pages; then name, nearness."""
        page = number_of(token.page)
        reporter = token.standard_reporter()
        fits: list[tuple[bool, int, int, KnownCase]] = []
        for order, case in enumerate(self.known):
            for volume, known_reporter, first in case.cites.values():
                if volume == token.volume and known_reporter == reporter and _within(reporter, first, page):
                    fits.append((_named(case, names), first or 0, order, case))
        return max(fits, key=lambda fit: fit[:3])[3] if fits else None

    def named(self, names: Sequence[str]) -> KnownCase | None:
        """The case last introduced under these party names, for supra."""
        if not names:
            return None
        return next((case for case in reversed(self.known) if _named(case, names)), None)


def resolve(text: str, groups: list[Group], others: Iterable[Token], memory: Memory) -> list[KnownCase | None]:
    """The known case of each group in order, None where it cannot be told."""
    walk = _Walk(text, list(others), memory)
    return [walk.visit(group) for group in groups]


def _is_blank(token: Token) -> bool:
    return not any(map(str.isalnum, token.page or ""))


def cite_for(case: KnownCase, member: Member) -> str:
    """Which of a case's parallel cites a member stands for: its own reporter's, else the first that its pin fits."""
    token = member.token
    if token.form in ("full", "short"):
        reporter, page = token.standard_reporter(), number_of(token.page)
        for cite, (volume, known_reporter, first) in case.cites.items():
            same = volume == token.volume and known_reporter == reporter
            fits = _within(reporter, first, page) if token.form == "short" else token.page == str(first)
            if same and fits:
                return cite
    page = member.pin.pages[0] if member.pin and member.pin.pages else None
    fitting = (cite for cite, (_, reporter, first) in case.cites.items() if _within(reporter, first, page))
    return next(fitting, next(iter(case.cites)))


@dataclass(slots=True)
class _Walk:
    """One pass over the mentions of a text: id. points to the mention before it at the same depth of parentheticals."""

    text: str
    laws: list[Token]
    memory: Memory
    _cases: dict[int, KnownCase | None] = field(default_factory=dict)
    _earlier: dict[int | None, list[Group]] = field(default_factory=dict)

    def visit(self, group: Group) -> KnownCase | None:
        case = self._case(group, {member.token.form for member in group.members})
        self._cases[id(group)] = case
        # "cert. denied, 410 U.S. 1. Id. at 5" goes back to the case that was denied, not to the denial.
        if not (group.is_history and group.history and not group.history.startswith(_REVERSALS)):
            self._earlier[_depth(group)] = [*self._earlier.get(_depth(group), [])[-(_REACH - 1) :], group]
        return case

    def _case(self, group: Group, forms: set[str]) -> KnownCase | None:
        if "full" in forms:
            return self.memory.full(group, group.year)
        if "id" in forms and (case := self._id(group)):
            return case
        names = [_key(party) for party in group.name.parties] if group.name else []
        shorts = (self.memory.short(m.token, names) for m in group.members if m.token.form == "short")
        found = next((case for case in shorts if case is not None), None)
        return found or (self.memory.named(names) if forms & {"supra", "reference"} else None)

    def _id(self, group: Group) -> KnownCase | None:
        quoted_from = _quotation_start(self.text, group.core_start)
        earlier = self._earlier.get(_depth(group), [])
        for before in [*(one for one in reversed(earlier) if one.core_start < quoted_from), group.parent]:
            if before is None or not self._nothing_between(before, group):
                break
            case = self._cases.get(id(before))
            if case is None and not before.elsewhere:
                return None  # a case, but one that is not known
            pages = group.members[0].pin.pages if group.members[0].pin else []
            if case and (not pages or any(_within(name, first, pages[0]) for _, name, first in case.cites.values())):
                return case
            # A block quotation has no marks of its own: what it cites may stand between, and only pages can tell.
            near = max(0, group.core_start - 12)
            if quoted_from == group.core_start and not _CLOSED_QUOTE.search(self.text, near, group.core_start):
                break
        group.elsewhere = True
        return None

    def _nothing_between(self, before: Group, group: Group) -> bool:
        """Whether nothing but a case was cited between an id. and the mention before it."""
        start = before.end if before.end <= group.core_start else before.core_start
        end = group.members[0].token.end
        if _PART_OF_NO_CASE.match(self.text, end):
            return False
        mark = re.match(r"\s?,?\s?(?:at\s)?([§¶])", self.text[end : end + 8])
        # a paragraph of a case, where one was cited before: "2009-NMSC-035, ¶ 11. Id. ¶ 12"
        if mark and not (mark[1] == "¶" and "¶" in self.text[before.core_start : before.end]):
            return False
        pin = group.members[0].pin
        for law in self.laws:
            if start <= law.start < group.core_start and (law.form == "journal" or not (pin and pin.pages)):
                return law.form == "section"
            if start <= law.start < group.core_start and _PAGED_LAW.search(law.reporter):
                return False
        return not _ELSEWHERE.search(self.text, start, group.core_start)


def _quotation_start(text: str, end: int) -> int:
    """Where the quotation begins that closes right before `end`; `end` itself where none does.

    What a quotation cites is not what the citing judge cites: "Roe, 410 U.S. 113: “... 1 U.S. 1.” Id. at 120" is Roe.
    """
    closed = _CURLY_CLOSED.search(text, max(0, end - 8), end)
    opened = text.rfind("“", max(0, end - _QUOTATION), end) if closed else -1
    return opened if opened >= 0 else end


def _depth(group: Group) -> int | None:
    return id(group.parent) if group.parent else None


def _within(reporter: str, first: int | None, page: int | None) -> bool:
    """Whether a page can be one of a case; a database's number of a document is no page."""
    if first is None or page is None or reporter.endswith(("WL", "LEXIS")):
        return True
    return first <= page <= first + MAX_CASE_PAGES


def _named(case: KnownCase, names: Sequence[str]) -> bool:
    return bool(names) and all(
        any(name and (_within_name(name, party) or _within_name(party, name)) for party in case.parties if party)
        for name in names
    )


def _within_name(part: str, whole: str) -> bool:
    """Whether a name has another in it: as whole words, or where it is long, though a page mark be joined to it."""
    return f" {part} " in f" {whole} " or (len(part) > 4 and part in whole)


def _key(party: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", party.lower()).strip()
