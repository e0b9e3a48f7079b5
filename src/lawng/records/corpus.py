"""Cases and their opinions, as imported.

Spans are half-open character offsets ``[start, end)`` into ``Opinion.text``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReporterCite:
    """One reporter citation of a case, such as 410 U.S. 113."""

    cite: str
    """Normalised: volume, standard reporter abbreviation, page, one blank between."""
    volume: str
    reporter: str
    page: str


@dataclass(frozen=True, slots=True)
class Case:
    """A decided case: what is known of it beside its opinions."""

    case_id: str
    """`cap:ID` or `cl:CLUSTER`: unique in a corpus."""
    name: str
    """Short name, "Roe v. Wade", without capitals and roles (`lawng.corpus.names`)."""
    name_full: str
    """The name as the source has it."""
    parties: list[str]
    """Party names in order, [] where the name has none ("In re Gault" gives ["Gault"])."""
    citations: list[ReporterCite]
    """All parallel reporter citations, the official one first."""
    court: str
    jurisdiction: str
    """Slug of the state ("mass", "ill", "dc") or "us" for every federal court: the paper's "state or federal"."""
    date: str
    """ISO, as precise as the source: "1973", "1973-01" or "1973-01-22"; "" when unknown."""
    docket_number: str
    cites_to: list[str]
    """Reporter cites of cited cases where the source gives the network, else []."""
    source: str
    """Format it came from: `cap-bulk`, `cap-static`, `courtlistener`."""
    source_path: str
    """File (and member or line) that it came from, relative to the source as given."""
    n_opinions: int
    n_majority: int


@dataclass(frozen=True, slots=True)
class PageMark:
    """The place where a page of a reporter begins; the page lasts to the next mark of the same reporter."""

    reporter: str
    """Reporter abbreviation as in `ReporterCite.reporter`; "" when the source does not tell."""
    label: str
    """As printed: "113", "xii", "12a"."""
    number: int | None
    """The label as a number where it is one; roman numerals and "12a" give None."""
    start: int


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its label, where its mark stands in the body, and its text at the opinion's end."""

    label: str
    mark: int | None
    """Offset in the body where the (removed) footnote mark stood; None when no mark was found."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Opinion:
    """One opinion of a case: the text that a person reads, and standoff marks over it.

    `text` is paragraphs joined by a blank line ("\\n\\n"); inside a paragraph white space is single blanks.
    Page marks and footnote marks are not in the text: they are `pages` and `Footnote.mark`.
    Footnote texts stand after the body, each its own paragraph(s), `body_end` is where the body stops.
    """

    opinion_id: str
    """`CASE_ID/N`, N counting the opinions of a case from 0."""
    case_id: str
    type: str
    """One of `OPINION_TYPES`."""
    author: str
    """Surname, as CourtListener's `author_str` has it: "Vinson", "Stone and Cardozo", "Per Curiam"; "" when unknown."""
    text: str
    body_end: int
    pages: list[PageMark]
    """In text order; the page on which the opinion begins has a mark at 0 where it can be inferred."""
    paragraphs: list[Span]
    footnotes: list[Footnote]
    source_field: str
    """The source's field or tag that the text came from, e.g. `xml_harvard`."""


OPINION_TYPES = (
    "majority",  # also lead, unanimous, per curiam: the opinion of the court
    "plurality",
    "concurrence",
    "concurrence-in-part",  # concurring in part and dissenting in part
    "dissent",
    "combined",  # one text of all parts that could not be taken apart
    "other",  # addendum, remittitur, rehearing, on motion to strike, trial court, unknown
)
"""What kind of opinion a text is; only `majority` makes premises (LawngNLI, A.1.1)."""
