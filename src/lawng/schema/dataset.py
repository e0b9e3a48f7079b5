"""The way of what a judge wrote of a cited case to an example and its premises, and what is dropped on the way.

Spans are half-open character offsets ``[start, end)`` into ``Opinion.text``.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reject:
    """Something dropped, and why: nothing leaves the stream without one."""

    stage: str
    id: str
    reason: str
    """A word or two in kebab-case that is also the counter: "pin-not-marked"."""
    detail: str
    """What a person needs to check the decision, e.g. the matched words."""
    place: str = ""
    """Where it stands in the sources of a corpus: file, then member, line or row; "" where the id says all."""


PARENTHETICAL, PROPOSITION = HYPOTHESIS_SOURCES = ("parenthetical", "proposition")
"""Where a hypothesis comes from: a judge's parenthetical (the paper), or what the citation stands to."""

PROPOSITION_KINDS = ("sentence", "clause", "following", "note")
"""What a proposition's citation stands to: a whole sentence, a part before it or behind it, a note's mark."""

AGAIN = "neutral"
"""Stands in the ids of a proposition's second use, behind the candidate's."""


def candidate_of(example_id: str) -> str:
    """The candidate's id in the id of an example.

    >>> candidate_of("cl:1/0@5:twin"), candidate_of("cl:1/0@5:neutral:twin")
    ('cl:1/0@5', 'cl:1/0@5')
    """
    return example_id.rpartition(":")[0].removesuffix(f":{AGAIN}")


VERDICTS = ("entailed", "partly", "not")
"""How much of a proposition the cited pages say: all, a part, nothing of it."""


@dataclass(frozen=True, slots=True)
class Mention:
    """What an opinion says of a cited case, as it stands there, and which case that is (LawngNLI, A.1.1).

    That is a parenthetical, as in the paper, or a proposition: what the case is cited for, in the sentence or the part
    of one that its citation stands to.
    """

    candidate_id: str
    """`OPINION_ID@START`, START the first character, in the citing opinion's text, of the parenthetical or of
    the core of a proposition's citation."""
    hypothesis_source: str
    """`parenthetical` or `proposition`, one of `HYPOTHESIS_SOURCES`."""
    hypothesis: str
    """The text between `start` and `end`, white space collapsed, before any filter or normalisation."""
    kind: str
    """One of `PARENTHETICAL_KINDS`; of a proposition one of `PROPOSITION_KINDS`."""
    citing_case_id: str
    citing_opinion_id: str
    citing_opinion_type: str
    citing_page: str
    """Label of the citing page (first reporter marked), "" when not marked."""
    start: int
    end: int
    """Span of the hypothesis in the citing opinion's text."""
    sentence: str
    """The sentence of a proposition with a mark ("…") for citations inside it; "" of a parenthetical."""
    before: str
    """Up to 700 characters of its paragraph before a proposition, white space collapsed; "" of a parenthetical."""
    n_cited: int
    """Parallel groups of citations in the sentence of a proposition; 1 of a parenthetical."""
    citation_start: int
    citation_end: int
    """Full span of its citation in the citing opinion's text."""
    signal: str | None
    history: str | None
    context: str
    """Up to 200 characters before the citation's core and after its last parenthetical, for filters and for people."""
    cited_case_id: str


@dataclass(frozen=True, slots=True)
class Candidate(Mention):
    """A parenthetical or proposition with a resolvable pin into the one majority opinion of a case (LawngNLI, A.1.1).

    The table of all candidates is the paper's unfiltered set.
    """

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
    """`CANDIDATE_ID:original` or `CANDIDATE_ID:twin`; of a proposition's second use `CANDIDATE_ID:neutral:original`."""
    twin_id: str
    candidate_id: str
    hypothesis_source: str
    """That of its candidate, one of `HYPOTHESIS_SOURCES`."""
    hypothesis: str
    label: str
    """One of `lawng.schema.labels.Label`."""
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
    overlap: float
    """Share of the hypothesis's word pairs that the short premise has."""
