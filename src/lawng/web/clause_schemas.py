"""The one shape of the JSON twins of the pages of contracts; a hit has every field of a line of `lawng clauses`."""

from __future__ import annotations

from pydantic import BaseModel, Field, computed_field

from lawng.web.clause_wording import clause_url


class Clause(BaseModel):
    """A section or subsection of a contract."""

    clause_id: str
    source: str = Field(description="The file, relative to its folder, or the contract's name in a list.")
    section: str = Field(description="Its number, all levels of it; empty where it has none.")
    heading: str
    headings: list[str] = Field(description="Headings of the sections around it, outermost first.")
    page: int = Field(description="From 1; 0 where the source has no pages.")
    paragraph: int = Field(description="From 1; 0 where the source does not tell them apart.")
    start: int = Field(description="Span of the clause in the text that was read from the source.")
    end: int
    text: str

    @computed_field  # type: ignore[prop-decorator]
    @property
    def link(self) -> str:
        """Its page on this server."""
        return clause_url(self.clause_id)


class Part(BaseModel):
    """One thing that the query asks, and whether the clause is so."""

    asked: str = Field(description="The notion, as the glossary names it.")
    wanted: str = Field(description="about, says, carve-out, without, carve-outs, mutual or favours.")
    found: bool = Field(description="Whether the clause is as asked.")
    words: str = Field(description="The words that decide it, or what they come to; empty where there are none.")
    spans: list[tuple[int, int]] = Field(description="Where whole words of the clause's text decide it.")


class Elsewhere(BaseModel):
    """A clause of the same words."""

    clause_id: str
    source: str
    section: str
    page: int
    paragraph: int


class Hit(Clause):
    """A clause found."""

    rank: int
    score: float
    scores: dict[str, float]
    highlights: list[tuple[int, int]] = Field(description="Spans of the query's words in the text.")
    parts: list[Part]
    also: list[Elsewhere] = Field(description="The other places of the same words.")


class Answer(BaseModel):
    """The clauses found for a query, the best first."""

    query: str
    hits: list[Hit]
    notes: list[str] = Field(description="What a reader must know: contracts left out, words that do not occur.")
    n_clauses: int = Field(description="Clauses that passed the filters.")
    n_documents: int
    ranker: str
    seconds: dict[str, float]


class Party(BaseModel):
    """A party of a contract."""

    name: str
    called: list[str] = Field(description="What the contract calls it for short.")


class ClausePage(BaseModel):
    """A clause among its neighbours."""

    clause: Clause
    before: list[Clause] = Field(description="The two before it in the contract's order.")
    after: list[Clause] = Field(description="The two behind it.")
    parties: list[Party]
    date: str = Field(description="Of the contract: a year, a month or a day; empty where none could be read.")
    parts: list[Part] = Field(description="Of the query, where one is given.")
