"""Records made up by hand: each builder takes what a test is about, the rest is the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lawng.schema import Case, Citation, Description, IndexedCase, Opinion, Passage, ReporterCite, Span, Treatment


def reporter_cite(cite: str) -> ReporterCite:
    volume, _, rest = cite.partition(" ")
    reporter, _, page = rest.rpartition(" ")
    return ReporterCite(cite, volume, reporter, page)


def case(case_id: str = "cl:1", **changes: Any) -> Case:
    """A case of Massachusetts, in the volume of its number."""
    number = "".join(letter for letter in case_id if letter.isdigit()) or "1"
    made = Case(
        case_id=case_id,
        name="Alder v. Birch",
        name_full="",
        parties=["Alder", "Birch"],
        citations=[reporter_cite(f"{number} Mass. 10")],
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
    return replace(made, **changes)


def spans_of(paragraphs: Sequence[str]) -> list[Span]:
    """Where paragraphs stand once they are joined by blank lines."""
    spans, start = [], 0
    for paragraph in paragraphs:
        spans.append(Span(start, start + len(paragraph)))
        start += len(paragraph) + 2
    return spans


def opinion(case_id: str, body: Sequence[str], notes: Sequence[str] = (), **changes: Any) -> Opinion:
    """The majority opinion of a case from its paragraphs, those of footnotes last; without page marks."""
    made = Opinion(
        opinion_id=f"{case_id}/0",
        case_id=case_id,
        type="majority",
        author="HALE, J.",
        text="\n\n".join([*body, *notes]),
        body_end=len("\n\n".join(body)),
        pages=[],
        paragraphs=spans_of([*body, *notes]),
        footnotes=[],
        source_field="text",
    )
    return replace(made, **changes)


def citation(opinion_id: str, start: int, cite: str, **changes: Any) -> Citation:
    """A full citation with nothing that hangs on it."""
    end = start + len(cite)
    made = Citation(
        opinion_id=opinion_id,
        start=start,
        end=end,
        cite=cite,
        form="full",
        resolved_cite=cite,
        cited_case_id=None,
        name="",
        pin_cite=None,
        pin_pages=[],
        pin_notes=[],
        signal=None,
        parentheticals=[],
        parallel=[],
        history=None,
        group=0,
        full_start=start,
        full_end=end,
    )
    return replace(made, **changes)


def indexed_case(case_id: str = "cl:1", **changes: Any) -> IndexedCase:
    made = IndexedCase(
        case_id=case_id,
        name="One v. Two",
        citations=["1 U.S. 7"],
        court="Supreme Court",
        jurisdiction="us",
        date="1990",
        cited_by=1,
        opinions=[f"{case_id}/0"],
        parts=["majority"],
        n_words=100,
    )
    return replace(made, **changes)


def passage(number: int, text: str, case_id: str = "cl:1", **changes: Any) -> Passage:
    """A passage of the first opinion of a case."""
    made = Passage(
        passage_id=f"{case_id}/0#{number}",
        opinion_id=f"{case_id}/0",
        case_id=case_id,
        court="Supreme Court",
        jurisdiction="us",
        date="1990",
        part="majority",
        author="DOE, J.",
        start=0,
        end=len(text),
        first_page="7",
        last_page="8",
        text=text,
        searched=text,
        n_words=len(text.split()),
        cut=False,
    )
    return replace(made, **changes)


def description(number: int, text: str, case_id: str = "cl:1", citing: str = "cl:9", **changes: Any) -> Description:
    """What a dissent says of a case."""
    made = Description(
        description_id=f"{citing}/0@{number}",
        case_id=case_id,
        cite="1 U.S. 7",
        parallel=[],
        court="Supreme Court",
        jurisdiction="us",
        date="1990",
        part="majority",
        text=text,
        kind="explanatory",
        signal="see",
        pin_cite="8",
        pin_pages=[8],
        citing_case_id=citing,
        citing_opinion_id=f"{citing}/0",
        citing_name="Doe v. Poe",
        citing_cite="1 U.S. 7",
        citing_date="1999-01-01",
        citing_part="dissent",
        citing_author="ROE, J.",
        citing_page="8",
        start=number,
        end=number + len(text),
    )
    return replace(made, **changes)


def treatment(case_id: str = "cl:1", label: str = "overruled", citing: str = "cl:9", **changes: Any) -> Treatment:
    """What the court of a later case says of a case."""
    sentence = "We overrule it."
    made = Treatment(
        treatment_id=f"{citing}>1 U.S. 7",
        case_id=case_id,
        cite="1 U.S. 7",
        parallel=[],
        name="Doe v. Poe",
        label=label,
        kind="",
        told="",
        by="",
        probability=0.9,
        decides=True,
        citing_case_id=citing,
        citing_name="Roe v. Doe",
        citing_cite="12 U.S. 3",
        citing_date="1999-01-01",
        opinion_id=f"{citing}/0",
        part="majority",
        author="ROE, J.",
        page="4",
        start=0,
        end=len(sentence),
        sentence=sentence,
        n_mentions=2,
    )
    return replace(made, **changes)
