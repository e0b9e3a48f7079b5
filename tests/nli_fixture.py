"""Records for the tests of the construction, made up; each builder takes what the test is about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import records_support
from lawng.lawngnli.records import Labelled, Negatable, Paired, Screened, own_premise
from lawng.schema import Candidate, Citation, Opinion, PageMark, Parenthetical
from lawng.schema.labels import Label


def opinion(case_id: str, paragraphs: list[str], **changes: Any) -> Opinion:
    """An opinion with a page mark at each paragraph: pages 10, 11, ... of Mass."""
    pages = [
        PageMark("Mass.", str(10 + n), 10 + n, span.start)
        for n, span in enumerate(records_support.spans_of(paragraphs))
    ]
    return replace(records_support.opinion(case_id, paragraphs, pages=pages), **changes)


def citation(start: int, parentheticals: list[str] | None = None, **changes: Any) -> Citation:
    """A citation to case 2 at page 11, its parentheticals one after the other from 20 characters on."""
    place, found = start + 20, []
    for text in parentheticals or []:
        found.append(Parenthetical(text, place, place + len(text), "explanatory"))
        place += len(text) + 3
    made = records_support.citation(
        "cap:1/0",
        start,
        "2 Mass. 10",
        cited_case_id="cap:2",
        pin_cite="11",
        pin_pages=[11],
        parentheticals=found,
        group=start,
        full_end=place,
    )
    return replace(made, **changes)


def candidate(candidate_id: str = "cap:1/0@30", **changes: Any) -> Candidate:
    made = Candidate(
        candidate_id=candidate_id,
        hypothesis_source="parenthetical",
        hypothesis="holding that the State may tax income",
        kind="explanatory",
        citing_case_id="cap:1",
        citing_opinion_id="cap:1/0",
        citing_opinion_type="majority",
        citing_page="12",
        start=30,
        end=67,
        citation_start=0,
        citation_end=68,
        sentence="",
        before="",
        n_cited=1,
        signal=None,
        history=None,
        context="",
        cited_case_id="cap:2",
        cited_opinion_id="cap:2/0",
        cited_cite="2 Mass. 10",
        pin_cite="11",
        pin_pages=[11],
        premise_start=0,
        premise_end=50,
        jurisdiction="mass",
    )
    return replace(made, **changes)


def screened(hypothesis: str) -> Screened:
    return Screened(candidate(hypothesis=hypothesis), hypothesis, [])


def negatable(candidate_id: str, *, negation: bool = False, jurisdiction: str = "mass") -> Negatable:
    said, denied = "the State may tax income", "the State may not tax income"
    return Negatable(
        candidate=candidate(candidate_id, jurisdiction=jurisdiction),
        hypothesis=denied if negation else said,
        flipped=said if negation else denied,
        pivotal_negation=negation,
        change="negation: modal",
        steps=["ing-that: holding"],
    )


def labelled(
    candidate_id: str,
    label: Label = Label.ENTAILMENT,
    *,
    hypothesis: str = "the State may tax income",
    flipped: str = "the State may not tax income",
    negation: bool = False,
    citing: str = "cap:1",
    cited: str = "cap:2",
    jurisdiction: str = "mass",
) -> Labelled:
    return Labelled(
        candidate=candidate(
            candidate_id,
            citing_case_id=citing,
            cited_case_id=cited,
            cited_opinion_id=f"{cited}/0",
            jurisdiction=jurisdiction,
        ),
        hypothesis=hypothesis,
        flipped=flipped,
        pivotal_negation=negation,
        change="negation: modal",
        steps=[],
        label=str(label),
    )


def paired(item: Labelled, premise_case: str | None = None) -> Paired:
    own = own_premise(item.candidate)
    premise = replace(own, case_id=premise_case, opinion_id=f"{premise_case}/0") if premise_case else own
    return Paired(item, premise, premise, truncated=False)
