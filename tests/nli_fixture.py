"""Records for the tests of the construction, made up; each builder takes what the test is about."""

from __future__ import annotations

from dataclasses import replace

from lawng.labels import Label
from lawng.nli.records import Labelled, Negatable, Paired, Screened, own_premise
from lawng.records import (
    Candidate,
    Case,
    Citation,
    Footnote,
    Opinion,
    PageMark,
    Parenthetical,
    ReporterCite,
    Span,
)


def case(case_id: str, **changes: object) -> Case:
    number = "".join(letter for letter in case_id if letter.isdigit()) or "1"
    made = Case(
        case_id=case_id,
        name="Alder v. Birch",
        name_full="Alder v. Birch",
        parties=["Alder", "Birch"],
        citations=[ReporterCite(f"{number} Mass. 10", number, "Mass.", "10")],
        court="Supreme Judicial Court",
        jurisdiction="mass",
        date="1950",
        docket_number="",
        cites_to=[],
        source="cap-static",
        source_path="",
        n_opinions=1,
        n_majority=1,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def opinion(case_id: str, paragraphs: list[str], **changes: object) -> Opinion:
    """An opinion with a page mark at each paragraph: pages 10, 11, ... of Mass."""
    text = "\n\n".join(paragraphs)
    spans, place = [], 0
    for paragraph in paragraphs:
        spans.append(Span(place, place + len(paragraph)))
        place += len(paragraph) + 2
    made = Opinion(
        opinion_id=f"{case_id}/0",
        case_id=case_id,
        type="majority",
        author="",
        text=text,
        body_end=len(text),
        pages=[PageMark("Mass.", str(10 + n), 10 + n, span.start) for n, span in enumerate(spans)],
        paragraphs=spans,
        footnotes=list[Footnote](),
        source_field="",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def citation(start: int, parentheticals: list[str] | None = None, **changes: object) -> Citation:
    """A citation to case 2 at page 11, its parentheticals one after the other from 20 characters on."""
    place, found = start + 20, []
    for text in parentheticals or []:
        found.append(Parenthetical(text, place, place + len(text), "explanatory"))
        place += len(text) + 3
    made = Citation(
        opinion_id="cap:1/0",
        start=start,
        end=start + 10,
        cite="2 Mass. 10",
        form="full",
        resolved_cite="2 Mass. 10",
        cited_case_id="cap:2",
        name="",
        pin_cite="11",
        pin_pages=[11],
        pin_notes=[],
        signal=None,
        parentheticals=found,
        parallel=[],
        history=None,
        group=start,
        full_start=start,
        full_end=place,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def candidate(candidate_id: str = "cap:1/0@30", **changes: object) -> Candidate:
    made = Candidate(
        candidate_id=candidate_id,
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
    return replace(made, **changes)  # type: ignore[arg-type]


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
