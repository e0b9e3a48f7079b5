"""The records that every room speaks, from a case as imported to a finished example.

Spans are half-open character offsets ``[start, end)`` into ``Opinion.text`` unless a field says otherwise.
Each record is a frozen dataclass; `lawng.tables` derives its Arrow schema from the annotations.
"""

from __future__ import annotations

from dataclasses import dataclass, field


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
    """Short name, "Roe v. Wade"."""
    name_full: str
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


@dataclass(frozen=True, slots=True)
class Parenthetical:
    """One parenthetical after a citation: whole, balanced, without its outer brackets."""

    text: str
    """Exactly the text between start and end."""
    start: int
    end: int
    kind: str
    """One of `PARENTHETICAL_KINDS`."""


PARENTHETICAL_KINDS = (
    "explanatory",  # says what the cited case held, found, did or said, in the citing judge's words
    "quotation",  # is (nearly) nothing but words quoted from the cited case
    "weight",  # (en banc), (per curiam), (plurality opinion), (Brennan, J., dissenting)
    "source",  # (quoting X), (citing Y), (quoted in Z)
    "alteration",  # (emphasis added), (citations omitted), (footnote omitted), (cleaned up)
    "history",  # (overruled by ...), (cert. denied), (superseded by statute)
    "other",
)
"""What a parenthetical does (Bluebook R. 1.5, 5.2, 10.6)."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A mention of a case in an opinion, with everything that hangs on it."""

    opinion_id: str
    """The citing opinion; for plain text files the file's stem."""
    start: int
    end: int
    """Span of the citation's core: "410 U.S. 113", "410 U.S., at 120", "Id.", "supra"."""
    cite: str
    """The core as written, white space collapsed."""
    form: str
    """`full`, `short`, `id`, `supra` or `reference`."""
    resolved_cite: str | None
    """The normalised full cite that this mention stands for; None when it cannot be told."""
    cited_case_id: str | None
    """The case in the corpus, if it is there and the cite names only one."""
    name: str
    """Case name as written before the cite, "" when none."""
    pin_cite: str | None
    """As written: "482-83", "120 & n.5"."""
    pin_pages: list[int]
    """All pages that the pin names, as numbers, ascending; [] when there is none or none is numeric."""
    pin_notes: list[str]
    """Note labels of the pin: "120 & n.5" gives ["5"]."""
    signal: str | None
    """Introductory signal in lower case: "see", "but see", "cf.", "contra", "accord", "see, e.g.," is "see, e.g."."""
    parentheticals: list[Parenthetical]
    parallel: list[str]
    """Normalised cites of the same case in the same breath, without this one."""
    history: str | None
    """Case-history flag right before or after the citation ("aff'd", "cert. denied"), else None."""
    group: int
    """Number of the parallel group in the opinion: mentions that name one case at one place share it."""
    full_start: int
    full_end: int
    """Span of the whole citation as a reader sees it: signal and party names to the last parenthetical."""
    signal_inherited: bool = False
    """Whether the signal stands before an earlier member of the same string citation (Bluebook R. 1.4)."""


@dataclass(frozen=True, slots=True)
class Reject:
    """Something dropped, and why: nothing leaves the stream without one."""

    stage: str
    id: str
    reason: str
    """A word or two in kebab-case that is also the counter: "pin-not-marked"."""
    detail: str
    """What a person needs to check the decision, e.g. the matched words."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A parenthetical with a resolvable pin into the one majority opinion of a case (LawngNLI, A.1.1).

    The table of all candidates is the paper's unfiltered set.
    """

    candidate_id: str
    """`OPINION_ID@START` of the parenthetical, START its first character in the citing opinion's text."""
    hypothesis: str
    """The parenthetical's text, white space collapsed, before any filter or normalisation."""
    kind: str
    citing_case_id: str
    citing_opinion_id: str
    citing_opinion_type: str
    citing_page: str
    """Label of the citing page (first reporter marked), "" when not marked."""
    start: int
    end: int
    """Span of the parenthetical in the citing opinion's text."""
    citation_start: int
    citation_end: int
    """Full span of its citation in the citing opinion's text."""
    signal: str | None
    history: str | None
    context: str
    """Up to 200 characters before the citation's core and after its last parenthetical, for filters and for people."""
    cited_case_id: str
    cited_opinion_id: str
    cited_cite: str
    """The resolved cite that the pin pages belong to."""
    pin_cite: str
    pin_pages: list[int]
    premise_start: int
    premise_end: int
    """The short premise in the cited opinion's text: the cited pages extended to whole paragraphs."""
    jurisdiction: str
    """Of the cited case: the stratum and the index of the neutralisation."""


@dataclass(frozen=True, slots=True)
class Example:
    """A finished example before its texts are joined: hypothesis, label, and where the premises are."""

    example_id: str
    """`CANDIDATE_ID:original` or `CANDIDATE_ID:twin`."""
    twin_id: str
    candidate_id: str
    hypothesis: str
    label: str
    """One of `lawng.labels.Label`."""
    original_label: str
    """The label of the original member of the pair (A.1.4)."""
    pivotal_negation: bool
    """Whether this hypothesis contains pivotal negation (A.1.3)."""
    is_twin: bool
    analysis: bool
    """Whether the long premise has at most 4096 tokens (A.1.8)."""
    split: str
    """`train`, `validation` or `test`."""
    premise_case_id: str
    premise_opinion_id: str
    premise_start: int
    premise_end: int
    """Short premise in the text of `premise_opinion_id`; for neutral examples the re-paired one."""
    premise_candidate_id: str
    """The candidate whose premise this is: itself, except in neutral examples."""
    premise_pin_pages: list[int]
    jurisdiction: str
    citing_case_id: str
    citing_opinion_id: str
    citing_page: str
    start: int
    end: int
    cited_case_id: str
    pin_cite: str
    steps: list[str] = field(default_factory=list)
    """What was done to the hypothesis, in order: "ing-that: holding", "negation: add do-support", ..."""


@dataclass(frozen=True, slots=True)
class LongPremise:
    """A whole majority opinion as a premise, stored once however many examples have it (A.1.9).

    Table `long_premises` of the stage 80-premises.
    """

    opinion_id: str
    case_id: str
    text: str
    """Citations removed."""
    raw: str
    """As in the opinion."""
    prepended: str
    """`text` with its last paragraphs (at least 512 tokens) copied to its beginning."""
    tokens: int
    """Of `text`, by the build's tokenizer."""
    tokens_raw: int


@dataclass(frozen=True, slots=True)
class ShortPremise:
    """The cited pages of an opinion as a premise, stored once per span.

    Table `short_premises` of the stage 80-premises, in the part of its opinion's `LongPremise`.
    """

    opinion_id: str
    start: int
    end: int
    text: str
    """Citations removed."""
    raw: str
    tokens: int
    tokens_raw: int


@dataclass(frozen=True, slots=True)
class PremiseView:
    """What of its premises one example keeps under BM25: five paragraphs each, in document order.

    Table `views` of the stage 80-premises, in the part of its premises.
    """

    example_id: str
    bm25_short: str
    bm25_long: str
    hypothesis_tokens: int
    """Of the hypothesis, by the build's tokenizer."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one opinion that is searched as a whole: paragraphs joined, or one cut, to fit the encoder.

    Court, jurisdiction, date and part stand here as well as in the case, so that filters work before ranking.
    """

    passage_id: str
    """`OPINION_ID#N`, N counting the opinion's passages from 0."""
    opinion_id: str
    case_id: str
    court: str
    jurisdiction: str
    date: str
    """Of the case, as precise as the source."""
    part: str
    """The opinion's type, one of `OPINION_TYPES`."""
    author: str
    start: int
    end: int
    """Span in the opinion's text."""
    first_page: str
    last_page: str
    """Page labels of the first and the last character in the case's official reporter, "" where not marked."""
    text: str
    """Exactly the opinion's text between start and end."""
    searched: str
    """What is matched: the text without the explanatory parentheticals in it, which describe other cases."""
    n_words: int
    """Of the text, by white space."""
    cut: bool
    """Whether it begins or ends inside a paragraph."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a later opinion says of a case in a parenthetical, searched as words about the described case."""

    description_id: str
    """`OPINION_ID@START` of the parenthetical in the describing opinion."""
    case_id: str
    """The described case; "" while no case of the index, or more than one, has the cite."""
    cite: str
    """The normalised cite that the description hangs on."""
    parallel: list[str]
    court: str
    jurisdiction: str
    date: str
    """Of the described case, for filters; "" while it is not in the index."""
    part: str
    """Which opinion of the described case is meant: `majority` unless the citation says "(X, J., dissenting)"."""
    text: str
    """The parenthetical, white space collapsed."""
    kind: str
    """`explanatory` or `quotation`."""
    signal: str
    """Introductory signal, "" when none."""
    pin_cite: str
    """As written, "" when none."""
    pin_pages: list[int]
    citing_case_id: str
    citing_opinion_id: str
    citing_name: str
    citing_cite: str
    citing_date: str
    citing_part: str
    citing_author: str
    citing_page: str
    """Page label of the parenthetical in the describing case, "" when not marked."""
    start: int
    end: int
    """Span of the parenthetical in the describing opinion's text."""


@dataclass(frozen=True, slots=True)
class IndexedCase:
    """A case as a search shows it."""

    case_id: str
    name: str
    citations: list[str]
    """Normalised, the official one first."""
    court: str
    jurisdiction: str
    date: str
    cited_by: int
    """Other cases of the index that cite it."""
    opinions: list[str]
    """Ids, in the source's order."""
    parts: list[str]
    """Their types."""
    n_words: int
    """Of all its opinions."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How relevant a document is for a query (a line of qrels)."""

    query_id: str
    doc_id: str
    relevance: int


@dataclass(frozen=True, slots=True)
class ScoredDoc:
    """A document's score for a query (a line of a run); rank follows from scores, ties go by `doc_id` ascending."""

    query_id: str
    doc_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy, applied before ranking; an empty field asks for nothing."""

    jurisdictions: tuple[str, ...] = ()
    courts: tuple[str, ...] = ()
    after: str = ""
    """ISO date or year; the case is of this day or later."""
    before: str = ""
    """ISO date or year; the case is of this day (or within this year) or earlier."""
    parts: tuple[str, ...] = ()
    """Types of opinion, of `OPINION_TYPES`."""
