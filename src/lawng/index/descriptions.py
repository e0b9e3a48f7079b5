"""What an opinion says of other cases, as descriptions of those: its parentheticals, and its sentences that cite them.

descriptions_of_opinion(opinion, case, citations) -> list[Description]     each parenthetical that explains or quotes
citing_sentences(opinion, case, citations) -> list[Description]            the sentence that each citation stands to

A court seldom explains a citation in a parenthetical, but it always cites a case for something, and that something is
in the sentence before or around the citation (a "citance" in the literature on scientific citations). It is searched
beside the parentheticals, and told from them by its kind.

Which case of an index a description is about is not told here: see `lawng.index.links`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from lawng.citation.citing import CitingSentences, says_something
from lawng.citation.signals import UNDOING
from lawng.corpus.pages import page_at
from lawng.index.passages import DESCRIBING
from lawng.index.tables import shown_name
from lawng.schema import Case, Citation, Description, Opinion, Parenthetical, Span

CITING = "citing"
"""Kind of a description that is a citing sentence."""
DESCRIPTION_KINDS = (*DESCRIBING, CITING)
_CONTRARY = ("but", "contra", "compare", *UNDOING)
"""How signals begin that set a case against the sentence that it is cited to, or leave open how it stands to it; and
what the sentence does to it."""


def descriptions_of_opinion(opinion: Opinion, case: Case, citations: Sequence[Citation]) -> list[Description]:
    """The descriptions in an opinion, each once: a parallel group counts as one citation.

    `citations` are the opinion's, in text order. Those that stand for no reporter cite ("Id." after a statute) give
    none; `undescribed` counts them.
    """
    found: dict[int, Description] = {}
    for group, said in _described(citations):
        if cites_of_group(group):
            # two citations may share a parenthetical: the second one's description is known by its own place
            place = said.start if said.start not in found else group[0].end
            text, span = " ".join(said.text.split()), Span(said.start, said.end)
            found[place] = description_of(opinion, case, group, text, said.kind, span, place)
    return list(found.values())


def undescribed(citations: Sequence[Citation]) -> int:
    """How many explanatory parentheticals stand on a citation of which nobody can tell the case."""
    return sum(not cites_of_group(group) for group, _ in _described(citations))


def part_of(weights: Sequence[str]) -> str:
    """Which opinion of the cited case parentheticals of weight name, one of `OPINION_TYPES`.

    >>> part_of(["1989"]), part_of(["Brennan, J., dissenting"]), part_of(["concurring in part and dissenting in part"])
    ('majority', 'dissent', 'concurrence-in-part')
    """
    said = " ".join(weights).lower()
    if "concur" in said and "dissent" in said:
        return "concurrence-in-part"
    kinds = {"dissent": "dissent", "concur": "concurrence", "plurality": "plurality"}
    return next((kind for word, kind in kinds.items() if word in said), "majority")


def _described(citations: Sequence[Citation]) -> Iterator[tuple[list[Citation], Parenthetical]]:
    for _, members in groupby(citations, key=lambda citation: citation.group):
        group = list(members)
        units = {p.start: p for member in group for p in member.parentheticals if p.kind in DESCRIBING}
        for parenthetical in units.values():
            yield group, parenthetical


def cites_of_group(group: Sequence[Citation]) -> list[str]:
    """All normalised cites of the group: each member's own first, then what it stands parallel to."""
    own = [member.resolved_cite for member in group]
    return [cite for cite in dict.fromkeys([*own, *(p for member in group for p in member.parallel)]) if cite]


def description_of(  # noqa: PLR0913, PLR0917 (what a description is made of)
    opinion: Opinion, case: Case, group: Sequence[Citation], text: str, kind: str, span: Span, place: int
) -> Description:
    """A description that `opinion`, of `case`, gives of what a parallel group of its citations names.

    `span` is where its words stand in the opinion, `place` what its id is made of: no two of an opinion have the same.
    """
    cite, *parallel = cites_of_group(group)
    pinned = next((member for member in group if member.pin_cite), group[0])
    weights = [p.text for member in group for p in member.parentheticals if p.kind == "weight"]
    return Description(
        description_id=f"{opinion.opinion_id}@{place}",
        case_id="",
        cite=cite,
        parallel=parallel,
        court="",
        jurisdiction="",
        date="",
        part=part_of(weights),
        text=text,
        kind=kind,
        signal=next((member.signal for member in group if member.signal), ""),
        pin_cite=pinned.pin_cite or "",
        pin_pages=pinned.pin_pages,
        citing_case_id=case.case_id,
        citing_opinion_id=opinion.opinion_id,
        citing_name=shown_name(case),
        citing_cite=case.citations[0].cite if case.citations else "",
        citing_date=case.date,
        citing_part=opinion.type,
        citing_author=opinion.author,
        citing_page=page_at(opinion, span.start, case.citations[0].reporter if case.citations else None),
        start=span.start,
        end=span.end,
    )


def contrary(description: Description) -> bool:
    """Whether a citing sentence is not what the case stands for, by its signal: "but see", "contra", "overruling".

    Signals: Bluebook R. 1.2(b) and (c).
    """
    return description.kind == CITING and description.signal.startswith(_CONTRARY)


def citing_sentences(opinion: Opinion, case: Case, citations: Sequence[Citation]) -> list[Description]:
    """What an opinion cites each case for: a description per citation, a parallel group counting as one.

    `citations` are the opinion's, in text order. The text is the citation's sentence without the citations in it, a
    mark ("…") for those inside; where little is left, the sentences before it in the paragraph come too. A case that
    one sentence cites twice gets one description; a citation that stands for no reporter cite, or has no words about
    it, gets none.
    """
    sentences = CitingSentences(opinion, citations)
    found: dict[tuple[str, int], Description] = {}
    for _, members in groupby(citations, key=lambda citation: citation.group):
        group = list(members)
        cites = cites_of_group(group)
        span = sentences.around(group[0].start) if cites else None
        if span is None or (cites[0], span.start) in found:
            continue
        text = sentences.words_of(span)
        if says_something(text):
            said = description_of(opinion, case, group, text, CITING, span, group[0].start)
            found[cites[0], span.start] = replace(said, signal=sentences.undone(group[0].start) or said.signal)
    return list(found.values())
