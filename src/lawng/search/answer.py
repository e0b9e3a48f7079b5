"""What a search answers: cases in two lists, supporting and refuting, each with what its stance was computed from."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawng.labels import Label
from lawng.records import Description, Filters, IndexedCase, Passage


@dataclass(frozen=True, slots=True)
class Stance:
    """How a premise stands to the argument, by a model: calibrated probabilities that sum to 1."""

    entailment: float
    neutral: float
    contradiction: float
    read: float
    """Share of the premise's tokens that the model read, 1.0 unless it was truncated."""

    @property
    def label(self) -> Label:
        """The most probable label; of equals the first in the order of `LABELS`."""
        values = {
            Label.ENTAILMENT: self.entailment,
            Label.NEUTRAL: self.neutral,
            Label.CONTRADICTION: self.contradiction,
        }
        return max(values, key=lambda label: values[label])

    @property
    def decided(self) -> float:
        """The probability of the likelier side: the larger one of entailment and contradiction."""
        return max(self.entailment, self.contradiction)

    @property
    def side(self) -> Label:
        """The side that a case is put on: a side's probability must be above both others, else it is neutral.

        >>> Stance(0.4, 0.2, 0.4, read=1.0).side
        <Label.NEUTRAL: 'neutral'>
        """
        if self.decided <= self.neutral or self.entailment == self.contradiction:
            return Label.NEUTRAL
        return Label.ENTAILMENT if self.entailment > self.contradiction else Label.CONTRADICTION


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that matched, and the words in it worth a look."""

    passage: Passage
    score: float
    """How the passage compares with the others of its case, higher is better; 0.0 where nothing was asked but names."""
    scores: dict[str, float]
    """By sign: `bm25`, `dense`, `cited-pages` (the logarithm of how often its pages are cited, plus one); one that does
    not speak for the passage is absent."""
    highlights: list[tuple[int, int]]
    """Spans in the passage's text, ascending, not overlapping."""
    quoted: tuple[int, int]
    """Span in the passage's text of its sentence(s) nearest to the argument: the words to show first."""
    stance: Stance | None = None


@dataclass(frozen=True, slots=True)
class DescriptionHit:
    """How a later court describes the case."""

    description: Description
    score: float
    """0.0 when it is shown for the case and did not match itself."""
    scores: dict[str, float]
    """By ranker: `described-bm25`, `described-dense`."""
    stance: Stance | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A case found."""

    case: IndexedCase
    score: float
    """Relevance: the fused score, 0 to 1, the sum of `scores`; 0.0 for a case that is only named."""
    found_by: tuple[str, ...]
    """Of `citation`, `name`, `bm25`, `dense`, `opinion-bm25`, `described-bm25`, `described-dense`."""
    scores: dict[str, float]
    """What each ranker adds to `score`, weights applied."""
    passages: list[PassageHit]
    """Best first; after stance is known, the one that decided stands first."""
    descriptions: list[DescriptionHit]
    """Matching ones first, then others of the case."""
    stance: Stance | None = None
    """Of the deciding premise; None when no model judged."""
    decided_by: str = ""
    """Id of the passage or description whose stance this is, "" when none."""
    words_read: int = 0
    """Words of this case's opinions in the passages that the model read."""

    @property
    def side(self) -> Label:
        """Entailment for a supporting case, contradiction for a refuting one, neutral when undecided or not judged."""
        return self.stance.side if self.stance else Label.NEUTRAL

    @property
    def standing(self) -> float:
        """What a list is ordered by: relevance, in the two decided lists times the probability of the side."""
        if self.stance is None or self.side is Label.NEUTRAL:
            return self.score
        return self.score * self.stance.decided

    @property
    def share_read(self) -> float:
        """How much of the case's opinions the model read, 0 to 1."""
        return min(1.0, self.words_read / self.case.n_words) if self.case.n_words else 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one argument.

    Without a stance model every hit is in `unjudged` and the three lists are empty; with one, `unjudged` is empty.
    """

    argument: str
    filters: Filters
    named: list[Hit] = field(default_factory=list)
    """Cases that the argument cites or names exactly, in its order."""
    supporting: list[Hit] = field(default_factory=list)
    refuting: list[Hit] = field(default_factory=list)
    undecided: list[Hit] = field(default_factory=list)
    unjudged: list[Hit] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    """Quoted phrases of the argument; each hit has each of them."""
    encoder: str = ""
    stance_model: str | None = None
    """Name of the model that judged the stance, None when none did."""
    notes: list[str] = field(default_factory=list)
    """Plain sentences that a reader must know: no stance model, a citation not in the index, an argument cut."""
    warnings: list[str] = field(default_factory=list)
    """Why the hits may have nothing to do with the argument, in plain sentences; empty for most arguments."""
    n_cases: int = 0
    n_passages: int = 0
    """Cases and passages that passed the filters and were looked at: 0 tells "the filter matches nothing"."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Time by step: `load` (of the encoder, at the first search), `encode`, `rank`, `fetch`, `stance`, `total`."""
    version: int = 0
    """Version of the index that was read."""

    @property
    def hits(self) -> list[Hit]:
        """All hits: named, supporting, refuting, undecided, unjudged."""
        return [*self.named, *self.supporting, *self.refuting, *self.undecided, *self.unjudged]
