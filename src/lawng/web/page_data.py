"""What a page of an opinion or a case shows, read from the index in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lawng.index.treated import CaseTreatment
from lawng.schema import TREATMENTS, Citation, Description, IndexedCase, Opinion, Treatment
from lawng.web.http_errors import NotFoundError

if TYPE_CHECKING:
    from lawng.index.reader import Index

MOST_DESCRIPTIONS = 200
MOST_CITING = 200
MOST_TREATMENTS = 200
_LONGEST_ID = 300


class CitedBy(NamedTuple):
    """A case that cites another."""

    case: IndexedCase
    n_mentions: int
    opinion_id: str
    """Where it does so first."""
    start: int
    """Offset of that mention in the opinion's text."""


class OpinionPage(NamedTuple):
    """An opinion with its case and what the index knows around it."""

    opinion: Opinion
    case: IndexedCase
    parts: list[Opinion]
    """All opinions of the case, this one too, in the source's order."""
    citations: list[Citation]
    cited: dict[str, IndexedCase]
    """The cases of the index that it cites."""
    descriptions: list[Description]
    """What later courts say of the case, at most `MOST_DESCRIPTIONS`."""
    citing: list[CitedBy]
    """Cases that cite it, at most `MOST_CITING`, most mentions first; `case.cited_by` is their full number."""
    treatment: CaseTreatment
    history: list[Treatment]
    """What later cases did to it beside mentioning it, the newest first, at most `MOST_TREATMENTS`."""


class CasePage(NamedTuple):
    """A case with its opinions."""

    case: IndexedCase
    parts: list[Opinion]
    treatment: CaseTreatment


def opinion_page(index: Index, opinion_id: str) -> OpinionPage:
    """The opinion of an id.

    Raises NotFoundError when the index has none of this id.
    """
    case = _case(index, opinion_id.rpartition("/")[0])
    if opinion_id not in case.opinions:
        raise NotFoundError(
            "This index has no opinion of that name; it may have been left out, or the address was cut."
        )
    citations = index.citations(opinion_id)
    cited = index.cases(sorted({c.cited_case_id for c in citations if c.cited_case_id} - {case.case_id}))
    described = index.descriptions_of([case.case_id], MOST_DESCRIPTIONS)[case.case_id]
    parts = [index.opinion(one) for one in case.opinions]
    opinion = parts[case.opinions.index(opinion_id)]
    treatment = index.case_treatments([case.case_id])[case.case_id]
    citing, history = _cited_by(index, case.case_id), _history(index, case.case_id)
    return OpinionPage(opinion, case, parts, citations, cited, described, citing, treatment, history)


def case_page(index: Index, case_id: str) -> CasePage:
    """The case of an id.

    Raises NotFoundError when the index has none of this id.
    """
    case = _case(index, case_id)
    treatment = index.case_treatments([case_id])[case_id]
    return CasePage(case, [index.opinion(opinion_id) for opinion_id in case.opinions], treatment)


def opinion_with_page(index: Index, case_id: str, page: int | None) -> tuple[str, str]:
    """The opinion of a case to open, and the label of the page in it, "" when no opinion has the page marked.

    Without a page it is the opinion of the court, else the first. Raises NotFoundError.
    """
    case = _case(index, case_id)
    if not case.opinions:
        raise NotFoundError(f"The case “{case.name}” has no opinion in this index.")
    for opinion_id in case.opinions if page is not None else ():
        opinion = index.opinion(opinion_id)
        if any(mark.number == page for mark in opinion.pages if mark.reporter == opinion.pages[0].reporter):
            return opinion_id, str(page)
    order = {part: place for place, part in enumerate(("majority", "plurality"))}
    lead = min(zip(case.opinions, case.parts, strict=True), key=lambda pair: order.get(pair[1], len(order)))
    return lead[0], ""


def _case(index: Index, case_id: str) -> IndexedCase:
    found = index.cases([case_id]).get(case_id) if len(case_id) <= _LONGEST_ID else None
    if found is None:
        raise NotFoundError("This index has no case of that name; it may have been left out, or the address was cut.")
    return found


def _history(index: Index, case_id: str) -> list[Treatment]:
    found = index.treatments_of([case_id], separate=True)[case_id]
    return [one for one in found if one.kind or one.label != TREATMENTS[-1]][:MOST_TREATMENTS]


def _cited_by(index: Index, case_id: str) -> list[CitedBy]:
    found = index.citing(case_id, MOST_CITING)
    cases = index.cases(one.case_id for one in found)
    known = (one for one in found if one.case_id in cases)
    return [CitedBy(cases[one.case_id], one.n_mentions, one.opinion_id, one.start) for one in known]
