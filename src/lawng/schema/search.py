"""What an index holds and a search asks for, the lines of runs and judgements, and the clauses of contracts.

Spans are half-open character offsets ``[start, end)`` into ``Opinion.text``; those of a clause into its source's text.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


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
    """What a later opinion says of a case in a parenthetical, or cites it for: searched as words about that case."""

    description_id: str
    """`OPINION_ID@START` of the parenthetical, or of the citation, in the describing opinion."""
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
    """The parenthetical, or the citing sentence without its citations; white space collapsed."""
    kind: str
    """`explanatory` or `quotation`, or `citing` for a citing sentence."""
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
    """Page label of these words in the describing case, "" when not marked."""
    start: int
    end: int
    """Span of these words in the describing opinion's text; a citing sentence has its citations there."""


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


@dataclass(frozen=True, slots=True)
class ContractText:
    """A contract as every reader of a format gives it: its text, with what the format told beside the characters."""

    text: str
    page_starts: tuple[int, ...] = ()
    """Where each page begins, ascending, the first at 0; empty where the format has no pages."""
    headings: frozenset[int] = frozenset()
    """Where lines begin that the format marks as headings."""
    numbered: frozenset[int] = frozenset()
    """Where lines begin whose number the word processor counted: no doubt that they are sections."""
    dropped: dict[str, int] = field(default_factory=dict)
    """What the reader left out, by kind: running headers and footers, tables of contents."""
    notes: tuple[str, ...] = ()
    """What a person should know: pages without text."""
    paragraph_starts: tuple[int, ...] = ()
    """Where each paragraph that is not empty begins, ascending; empty where the format does not tell them apart."""

    def page(self, place: int) -> int:
        """The page of a character, from 1; 0 where there are no pages.

        >>> ContractText("one\\ftwo", (0, 4)).page(5)
        2
        """
        return bisect_right(self.page_starts, place)

    def paragraph(self, place: int) -> int:
        """The paragraph of a character, from 1; 0 where there are none.

        >>> ContractText("one\\n\\ntwo", paragraph_starts=(0, 5)).paragraph(6)
        2
        """
        return bisect_right(self.paragraph_starts, place)


@dataclass(frozen=True, slots=True)
class Clause:
    """A section or subsection of a contract, as ACORD's annotators take it (paper, C.4), or a clause that stands alone.

    The span is half-open and counts characters of the text that was read from the source.
    """

    clause_id: str
    """`SOURCE#START`, or the id that the source gives it."""
    source: str
    """The file, relative to the folder that was read, or what the source calls the contract."""
    section: str
    """Its number as the contract counts, all levels of it ("12.1(a)"); "" where it has none."""
    heading: str
    """Its own heading, "" where it has none."""
    headings: list[str]
    """Headings of the sections around it, outermost first, its own not among them."""
    page: int
    """Of its first character, from 1; 0 where the source has no pages."""
    start: int
    end: int
    text: str
    """Exactly the source's text between start and end: its number and heading stand in it as the contract has them."""
    paragraph: int = 0
    """Of its first character, from 1, those that are empty not counted; 0 where the source does not tell them apart."""

    @property
    def is_cut(self) -> bool:
        """Whether it was cut from a contract that was read: what else is of its source is of the same contract.

        >>> [Clause(key, "a.txt", "", "", [], 0, 7, 8, "x").is_cut for key in ("a.txt#7", "from-a-list")]
        [True, False]
        """
        return self.clause_id == f"{self.source}#{self.start}"

    @property
    def place(self) -> str:
        """Where it begins, as people are told: its page, else its paragraph, "" where neither is known.

        >>> [Clause("", "", "", "", [], page, 0, 1, "x", 41).place for page in (3, 0)]
        ['page 3', '¶ 41']
        """
        return f"page {self.page}" if self.page else f"¶ {self.paragraph}" if self.paragraph else ""
