"""All mentions of each case that an opinion cites: by full cite, short form, id., supra, and by name alone.

cited_cases(case, opinions, citations) -> list[Cited]

A court that overrules a case calls it by its name more often than by its cite ("Adkins can no longer stand"), so names
count here, which they do not among citations. A name is one word of a party that no other word of the opinion is like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from lawng.citation.citing import merged
from lawng.corpus.courts import STATES
from lawng.corpus.names import parties_of
from lawng.schema import Case, Citation, Opinion, Span
from lawng.text.sentences import inside

_WORD = re.compile(r"\b[A-Z][\w’'&-]*[\w]")
_OWN = re.compile(r"[\w’'-]+")
_COMMON = re.compile(r"\b[a-z][\w’'&-]*\w")
_TITLE = re.compile(
    r"(?:Justices?|JUSTICES?|Judges?|Mr\.|Mrs\.|Ms\.|Dr\.|President|Senator|Governor|Attorney|General|Secretary"
    r"|Professor|J\.|C\. ?J\.)\s$"
)
_GENERIC = frozenset(
    str.split(
        "state states people commonwealth board city county court courts commissioner commission secretary act"
        " acts co inc corp company corporation railroad railway bank insurance national united american america"
        " federal union district new north south east west western eastern southern northern department education"
        " school trust lines line labor steel oil coal service services lumber society hospital university college"
        " park island first general internal revenue relations trade interstate commerce attorney warden director"
        " superintendent administrator in re ex parte estate matter the of and for justice chief judge congress"
        " constitution amendment clause term circuit section rule rules code title article bill rights english"
        " british indian indians chinese japanese republican democratic christian catholic jewish civil war world"
        " president senate house york jersey columbia mexico carolina dakota virginia hampshire islands id ibid"
        " supra see but cf also accord mr mrs ltd"
    )
) | {word.casefold() for state in STATES for word in state.split()}
"""Words of parties that name too many."""
_NEXT_WORD = re.compile(r"(?:['’]s)? ([A-Z][\w’'-]+)")
_CALLED = frozenset(("Court", "Case", "Cases", "Court’s", "Court's"))
"""What may follow the name of a case: "the Booth Court"."""
_LED = re.compile(
    r"^(?:Should|If|Whether|Were|Had|Does|Did|Is|Was|Must|May|Can|Could|Would|Unless|Until|upon"
    r"|According to [^,]*,|\(\d{4}\) (?:and|or|nor|&))\s"
)
"""Words of the sentence that were taken for the beginning of a name."""
_POSSESSIVE = re.compile(r"['’]s$")
_LETTERS = 3
"""Of a word that stands for a case, at least."""
_LONGEST_NAME = 180
"""Characters of a name that are looked at."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where an opinion speaks of a case."""

    opinion_id: str
    start: int
    end: int
    """Where the name begins and the cite ends, parentheticals not included."""
    form: str
    """`full`, `short`, `id`, `supra`, `reference`, or `name`; `own` for a name of a party of the citing case."""
    whole_end: int
    """Behind the last parenthetical."""
    kept: tuple[Span, ...] = ()
    """Its parentheticals."""


@dataclass(slots=True)
class Cited:
    """A case that another one cites, as far as the citing opinions tell."""

    cites: list[str]
    """Normalised, in the order in which they occur."""
    names: list[str] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    """In the order of the opinions, and in that of their texts."""
    case_ids: set[str] = field(default_factory=set)
    """Of the corpus, where the citations were resolved in one."""


def cited_cases(case: Case, opinions: Sequence[Opinion], citations: Sequence[Citation]) -> list[Cited]:
    """The cases that the opinions of a case cite, in the order in which they do, each with all its mentions.

    The case's own cites are left out: nobody treats himself. `citations` are those of `citations_of_case`.
    """
    found = _by_cite(case, citations)
    every = list({id(one): one for one in found.values()}.values())
    keys, own = _keys(every, opinions), _parties(case, opinions)
    for opinion in opinions:
        taken = merged(
            [Span(m.start, m.end) for one in every for m in one.mentions if m.opinion_id == opinion.opinion_id]
        )
        for word, one in _named(opinion, keys, taken):
            bare, end = _POSSESSIVE.sub("", word[0]), word.end()
            form = "own" if bare.casefold() in own else "name"
            if form == "name" or bare == word[0]:  # "We overrule Roe's objection", when Roe is a party
                one.mentions.append(Mention(opinion.opinion_id, word.start(), end, form, end))
    order = {opinion.opinion_id: at for at, opinion in enumerate(opinions)}
    for one in every:
        one.mentions.sort(key=lambda mention: (order.get(mention.opinion_id, 0), mention.start))
    return every


def _by_cite(case: Case, citations: Sequence[Citation]) -> dict[str, Cited]:
    """Every cite, and every id of a corpus, with its case; the cites of one parallel group are one case's."""
    own = {cite.cite for cite in case.citations}
    found: dict[str, Cited] = {}
    for _, members in groupby(citations, key=lambda citation: (citation.opinion_id, citation.group)):
        group = list(members)
        cites = list(dict.fromkeys(c for one in group for c in (one.resolved_cite, *one.parallel) if c))
        if not cites or own.intersection(cites):
            continue
        ids = {one.cited_case_id for one in group if one.cited_case_id}
        if case.case_id in ids:
            continue
        cited = next((found[key] for key in (*cites, *sorted(ids)) if key in found), None) or Cited([])
        cited.cites += [cite for cite in cites if cite not in cited.cites]
        found |= {key: cited for key in (*cites, *ids) if key not in found}
        cited.case_ids |= ids
        if group[0].name and group[0].form != "reference":
            cited.names.append(_LED.sub("", group[0].name))
        cited.mentions.append(_mention(group))
    return found


def _mention(group: Sequence[Citation]) -> Mention:
    first, last = group[0], group[-1]
    parentheticals = tuple(Span(p.start, p.end) for one in group for p in one.parentheticals)
    whole_end = max(last.full_end, last.end)
    core_end = min((p.start - 1 for p in parentheticals if p.start > last.end), default=whole_end)
    start = min(first.full_start, first.start) + (len(first.signal or "") if not first.signal_inherited else 0)
    if led := _LED.match(first.name):  # "Should Roe v. Doe be overruled?"
        start = min(start + led.end(), first.start)
    ends = (max(core_end, last.end), first.form, whole_end, parentheticals)
    return Mention(first.opinion_id, min(start, first.start), *ends)


def _parties(case: Case, opinions: Sequence[Opinion]) -> frozenset[str]:
    """The words of the names of a case's own parties and judges."""
    names = [*case.parties, *(opinion.author for opinion in opinions)]
    return frozenset(word.casefold() for name in names for word in _OWN.findall(name))


def _keys(every: Iterable[Cited], opinions: Sequence[Opinion]) -> dict[str, list[Cited]]:
    """The words that stand for a case by themselves, with the cases they may stand for."""
    common = frozenset(word for opinion in opinions for word in _COMMON.findall(opinion.text))
    keys: dict[str, list[Cited]] = {}
    for one in every:
        for word in dict.fromkeys(word for name in one.names for word in distinctive_words(name)):
            if word.casefold() not in common:
                keys.setdefault(word, []).append(one)
    return keys


def distinctive_words(name: str) -> Iterator[str]:
    """The first and the last word of each party of a case name, where they are no word of many names.

    >>> list(distinctive_words("Adkins v. Children's Hospital")), list(distinctive_words("United States v. Ross"))
    (['Adkins', "Children's"], ['Ross'])
    """
    for party in parties_of(name[:_LONGEST_NAME]):
        words = [word for word in _WORD.findall(party) if len(word) >= _LETTERS]
        for word in dict.fromkeys(words[:1] + words[-1:]):
            if word.casefold() not in _GENERIC:
                yield word


def _named(
    opinion: Opinion, keys: dict[str, list[Cited]], taken: Sequence[Span]
) -> Iterator[tuple[re.Match[str], Cited]]:
    """The words of an opinion that stand for a case, outside of its citations."""
    ends = [span.end for span in taken]
    last: dict[int, int] = {}
    known = {id(one): one for some in keys.values() for one in some}
    seen = sorted(
        (m.start, at) for at, one in known.items() for m in one.mentions if m.opinion_id == opinion.opinion_id
    )
    at = 0
    for word in _WORD.finditer(opinion.text):
        cases = keys.get(word[0]) or keys.get(_POSSESSIVE.sub("", word[0]))
        if not cases or inside(word.start() + 1, taken, ends):
            continue
        if _TITLE.search(opinion.text, max(0, word.start() - 12), word.start()):
            continue
        cases = [one for one in cases if not _is_part_of_name(opinion.text, word.end(), one)]
        if not cases:
            continue
        while at < len(seen) and seen[at][0] < word.start():
            last[seen[at][1]] = seen[at][0]
            at += 1
        yield word, max(cases, key=lambda one: last.get(id(one), -1))


def _is_part_of_name(text: str, end: int, cited: Cited) -> bool:
    """Whether a word goes on as a name that is not the case's: "the Williams Act" is not Lane v. Williams."""
    following = _NEXT_WORD.match(text, end)
    if following is None or following[1] in _CALLED:
        return False
    return not any(following[1] in name for name in cited.names)
