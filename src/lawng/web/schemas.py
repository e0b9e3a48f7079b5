"""The one shape of the JSON twins: what each field is stands in its description, and so in `/openapi.json`.

A hit of `/api/search` has every field of a line of `lawng search --to jsonl` (`Hit.to_row`), and addresses of pages.
"""

from __future__ import annotations

from pydantic import BaseModel, Field, computed_field

from lawng import schema
from lawng.web.links import opinion_url
from lawng.web.record_schemas import Case, CaseTreatment, Description, Schema, Treatment


class Stance(Schema):
    """How a premise stands to the argument; the probabilities are calibrated and sum to 1."""

    label: str = Field(description="The most probable of entailment, neutral and contradiction.")
    side: str = Field(
        description="Where a case is put by it: a side likelier than both others, and likely enough, else neutral."
    )
    entailment: float = Field(description="Probability that the premise supports the argument.")
    neutral: float = Field(description="Probability that it does neither.")
    contradiction: float = Field(description="Probability that it refutes the argument.")
    read: float = Field(description="Share of the premise's tokens that the model read; 1 unless it was truncated.")
    least: float = Field(description="A side of a smaller probability is none; chosen where the model was trained.")


class Passage(Schema):
    """A stretch of one opinion."""

    passage_id: str
    opinion_id: str
    case_id: str
    court: str
    jurisdiction: str
    date: str
    part: str = Field(description="Kind of the opinion.")
    author: str
    start: int = Field(description="First character in the opinion's text.")
    end: int = Field(description="One after its last character.")
    first_page: str = Field(description="Label of the page that it begins on; empty when pages are not marked.")
    last_page: str
    text: str = Field(description="Exactly the opinion's text from start to end.")
    searched: str = Field(description="What is matched: the text without what it says of other cases.")
    n_words: int
    cut: bool = Field(description="Whether it begins or ends inside a paragraph.")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def page(self) -> str:
        """The opinion's page on this server, at the passage."""
        return opinion_url(self.opinion_id, schema.Span(self.start, self.end))


class PassageHit(Schema):
    """A passage that matched."""

    passage: Passage
    score: float = Field(description="Compares the passages of one case; higher is better.")
    scores: dict[str, float] = Field(
        description="By sign: bm25, dense, cited-pages; one that does not speak for it is absent."
    )
    highlights: list[tuple[int, int]] = Field(description="Spans of matching words in the passage's text.")
    quoted: tuple[int, int] = Field(description="Span in the passage's text of what is nearest to the argument.")
    quoted_text: str = Field(description="The words of that span.")
    stance: Stance | None


class DescriptionHit(Schema):
    """How a later court describes the case."""

    description: Description
    score: float = Field(description="0 when it is shown for the case and did not match itself.")
    scores: dict[str, float]
    stance: Stance | None


class Hit(Schema):
    """A case found."""

    case: Case
    score: float
    standing: float = Field(description="What its list is ordered by: score times probability.")
    found_by: list[str] = Field(
        description="Of citation, name, bm25, dense, opinion-bm25, described-bm25, described-dense."
    )
    scores: dict[str, float] = Field(description="The case's score by ranker, as fused.")
    passages: list[PassageHit] = Field(description="The one that decided the stance first, then the best.")
    descriptions: list[DescriptionHit]
    stance: Stance | None = Field(description="Of the deciding premise; null when no model judged.")
    decided_by: str = Field(description="Id of the passage or description whose stance this is.")
    words_read: int
    why_undecided: str = Field(description="Why the case is on no side; empty where it is on one or was not judged.")
    share_read: float = Field(description="How much of the case's opinions the model read, 0 to 1.")
    treatment: CaseTreatment | None = Field(description="What later cases of this index did to it; null if not looked.")


class Filters(Schema):
    """What every hit satisfies."""

    jurisdictions: list[str]
    courts: list[str]
    after: str
    before: str
    parts: list[str]


class Answer(Schema):
    """The answer to one argument. Without a stance model every hit is in `unjudged`, and the stance is null."""

    argument: str
    filters: Filters
    named: list[Hit] = Field(description="Cases that the argument cites or names.")
    supporting: list[Hit]
    refuting: list[Hit]
    undecided: list[Hit]
    unjudged: list[Hit]
    phrases: list[str] = Field(description="Quoted phrases of the argument; each hit has each of them.")
    encoder: str
    reranker: str | None = Field(description="Name of the model that chose the sentences quoted; null when none did.")
    stance_model: str | None = Field(description="Name of the model that judged the stance; null when none did.")
    notes: list[str] = Field(description="What a reader must know, in plain sentences.")
    warnings: list[str] = Field(
        description="Why the cases may have nothing to do with the argument: none of its words is in the index, say."
    )
    n_cases: int = Field(description="Cases that passed the filters; 0 tells that the filters match nothing.")
    n_passages: int
    seconds: dict[str, float]
    version: int = Field(description="Version of the index that was read.")
    good_law: bool = Field(description="Whether cases that were overruled or reversed were left out.")


class OpinionText(Schema):
    """One opinion: its text, and marks over it as character offsets."""

    opinion_id: str
    case_id: str
    type: str
    author: str
    text: str = Field(description="Paragraphs joined by a blank line; footnotes after `body_end`.")
    body_end: int
    pages: list[schema.PageMark]
    paragraphs: list[schema.Span]
    footnotes: list[schema.Footnote]


class Part(Schema):
    """One opinion of a case."""

    opinion_id: str
    type: str
    author: str


class Citation(Schema):
    """A mention of a case in the opinion."""

    start: int
    end: int
    cite: str = Field(description="As written.")
    form: str = Field(description="full, short, id, supra or reference.")
    resolved_cite: str | None
    cited_case_id: str | None = Field(description="The case in this index; null when it is not there, or ambiguous.")
    pin_cite: str | None
    signal: str | None


class CitedBy(Schema):
    """A case that cites another."""

    case: Case
    n_mentions: int
    opinion_id: str = Field(description="Where it does so first.")
    start: int = Field(description="Offset of that mention in the opinion's text.")


class OpinionPage(Schema):
    """An opinion with its case, its citations and what later courts say of the case."""

    opinion: OpinionText
    case: Case
    parts: list[Part]
    citations: list[Citation]
    descriptions: list[Description]
    citing: list[CitedBy]
    treatment: CaseTreatment
    history: list[Treatment] = Field(description="What later cases did to it beside mentioning it, the newest first.")


class CasePage(Schema):
    """A case with its opinions."""

    case: Case
    parts: list[Part]
    treatment: CaseTreatment


class Facet(BaseModel):
    """A value that can be filtered by, and how many cases have it."""

    value: str
    n_cases: int


class IndexFacts(BaseModel):
    """What is indexed, and by what it is searched."""

    version: int
    encoder: str
    stance_model: str | None = Field(description="Name of the model that judges the stance; null when none does.")
    n_cases: int
    n_opinions: int
    n_passages: int
    n_descriptions: int
    created: str
    changed: str
    jurisdictions: list[Facet]
    courts: list[Facet]
    parts: list[Facet]
    first_date: str
    last_date: str


class Health(BaseModel):
    """Whether a search can be answered."""

    status: str = Field(description="`ok`; where no search can be answered this is an error with status 503 and why.")
    version: int


class Problem(BaseModel):
    """Why there is no answer."""

    title: str
    detail: str = Field(description="One line: what is wrong and what to do.")
    status: int
