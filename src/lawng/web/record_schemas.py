"""The records of an index as the JSON twins show them, each with the address of its page."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, computed_field

from lawng import schema
from lawng.web.links import case_url, opinion_url


class Schema(BaseModel):
    """What is read off a record."""

    model_config = ConfigDict(from_attributes=True)


class Case(Schema):
    """A case of the index."""

    case_id: str
    name: str
    citations: list[str] = Field(description="Reporter citations, normalised, the official one first.")
    court: str
    jurisdiction: str = Field(description="`us` for every federal court, else the state's slug.")
    date: str = Field(description="ISO, as precise as the source: a year, a month or a day; empty when not known.")
    cited_by: int = Field(description="Other cases of this index that cite it.")
    opinions: list[str]
    parts: list[str] = Field(description="Kind of each opinion.")
    n_words: int

    @computed_field  # type: ignore[prop-decorator]
    @property
    def page(self) -> str:
        """Its page on this server."""
        return case_url(self.case_id)


class Description(Schema):
    """What a later opinion says of a case in a parenthetical, or the sentence that it cites it for."""

    description_id: str
    case_id: str = Field(description="The described case.")
    cite: str = Field(description="The normalised cite that it hangs on.")
    parallel: list[str]
    court: str = Field(description="Of the described case, as are jurisdiction and date.")
    jurisdiction: str
    date: str
    part: str = Field(description="Which opinion of the described case is meant.")
    text: str
    kind: str
    signal: str = Field(description="Introductory signal, such as `see`; empty when none.")
    pin_cite: str
    pin_pages: list[int]
    citing_case_id: str
    citing_opinion_id: str
    citing_name: str
    citing_cite: str
    citing_date: str
    citing_part: str
    citing_author: str
    citing_page: str
    start: int = Field(description="Span of these words in the describing opinion's text.")
    end: int

    @computed_field  # type: ignore[prop-decorator]
    @property
    def page(self) -> str:
        """The describing opinion's page on this server, at these words."""
        return opinion_url(self.citing_opinion_id, schema.Span(self.start, self.end))


class Treatment(Schema):
    """What one later case says of a case, all its mentions together: a label, and the sentence that says so."""

    treatment_id: str
    case_id: str = Field(description="The treated case.")
    cite: str = Field(description="A normalised cite by which the citing case names it.")
    parallel: list[str]
    name: str = Field(description="Its name as the citing case has it; empty where it gives none.")
    label: str = Field(description=f"One of {', '.join(schema.TREATMENTS)}: the gravest first.")
    kind: str = Field(description=f"One of {', '.join(schema.KINDS)}, or empty.")
    told: str = Field(description="Of kind `told`: what another case did to it, overruled or reversed; else empty.")
    by: str = Field(description="Of kind `told`: a normalised cite of the case that did it; else empty.")
    probability: float = Field(description="Of the label.")
    decides: bool = Field(description="Whether the court speaks; what a dissent or a concurrence says does not decide.")
    citing_case_id: str
    citing_name: str
    citing_cite: str
    citing_date: str
    opinion_id: str = Field(description="The citing opinion that has the sentence.")
    part: str = Field(description="Kind of that opinion.")
    author: str
    page: str = Field(description="Label of the sentence's page in the citing case; empty when not marked.")
    start: int = Field(description="Span of the sentence in that opinion's text.")
    end: int
    sentence: str
    n_mentions: int = Field(description="Mentions of the case in the opinions that this is of.")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def link(self) -> str:
        """The citing opinion's page on this server, at the sentence."""
        return opinion_url(self.opinion_id, schema.Span(self.start, self.end))


class CaseTreatment(Schema):
    """What the later cases of this index make of a case."""

    label: str = Field(description="The gravest of the flags; empty where there is none.")
    words: str = Field(description="The first flag in words; else among how many cases none was found.")
    flags: list[Treatment] = Field(
        description=f"Those that decide and are {', '.join(schema.NEGATIVE)}: the gravest first, then the newest."
    )
    n_citing: int = Field(description="Later cases of this index that cite it.")
    n_mentions: int = Field(description="Their mentions of it that were read.")
