"""What a search answers: cases in two lists, supporting and refuting, each with what its stance was computed from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lawng.index.treated import CaseTreatment
from lawng.schema import Description, Filters, IndexedCase, Passage
from lawng.schema.labels import LABELS, Label
from lawng.text.printable import marked, plain, table

if TYPE_CHECKING:
    import pandas as pd

_PIECE = re.compile(r"\w+|[^\w\s]")
LISTS = ("named", "supporting", "refuting", "undecided", "unjudged")
"""The lists of an answer, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Stance:
    """How a premise stands to the argument, by a model: calibrated probabilities that sum to 1."""

    entailment: float
    neutral: float
    contradiction: float
    read: float
    """Share of the premise's tokens that the model read, 1.0 unless it was truncated."""
    least: float = 0.0
    """A side of a smaller probability is none: the model's own, chosen where it was trained."""

    def of(self, label: Label) -> float:
        """The probability of a label."""
        return float(getattr(self, label.value))

    @property
    def label(self) -> Label:
        """The most probable label; of equals the first in the order of `LABELS`."""
        return max(LABELS, key=self.of)

    @property
    def decided(self) -> float:
        """The probability of the likelier side: the larger one of entailment and contradiction."""
        return max(self.entailment, self.contradiction)

    @property
    def side(self) -> Label:
        """The side that a case is put on: a side's probability must be above both others, else it is neutral.

        >>> Stance(0.4, 0.2, 0.4, read=1.0).side, Stance(0.6, 0.2, 0.2, read=1.0, least=0.7).side
        (<Label.NEUTRAL: 'neutral'>, <Label.NEUTRAL: 'neutral'>)
        """
        if self.decided <= max(self.neutral, self.least) or self.entailment == self.contradiction:
            return Label.NEUTRAL
        return Label.ENTAILMENT if self.entailment > self.contradiction else Label.CONTRADICTION

    def to_row(self) -> dict[str, Any]:
        """The stance as a JSON object."""
        return {"label": str(self.label), "side": str(self.side), **asdict(self)}


@lru_cache(maxsize=4096)
def _read(text: str, searched: str) -> str:
    """A text of the same length, blank where what is searched of it lacks words.

    >>> _read("So Roe (holding that no fee is due). Paid.", "So Roe. Paid.").split()
    ['So', 'Roe', '.', 'Paid.']
    """
    if text.strip() == searched.strip():
        return text
    words, left = [*_PIECE.finditer(text)], _PIECE.findall(searched)
    gone = [
        word.span() for word, stays in zip(words, _staying([word[0] for word in words], left), strict=True) if not stays
    ]
    read = list(text)
    for start, end in gone:
        read[start:end] = " " * (end - start)
    return "".join(read)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two lists begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _staying(words: Sequence[str], left: Sequence[str]) -> list[bool]:
    """Which words are left, where stretches of them were taken out."""
    begins = _alike(words, left)
    ends = _alike(words[::-1], left[: begins - 1 if begins else None : -1])
    middle = words[begins : len(words) - ends]
    same = SequenceMatcher(None, middle, left[begins : len(left) - ends], autojunk=False).get_matching_blocks()
    kept = {at for block in same for at in range(block.a, block.a + block.size)}
    return [True] * begins + [at in kept for at in range(len(middle))] + [True] * ends


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
    likely: tuple[tuple[int, int, float], ...] = ()
    """Its sentences as spans in its text, that which decides most probably first, and how they compare with the case's
    best one, 0 to 1; empty where no re-ranker looked."""

    @property
    def read(self) -> str:
        """The passage's text as models read it: blank where a parenthetical describes another case."""
        return _read(self.passage.text, self.passage.searched)

    @property
    def quoted_text(self) -> str:
        """The words to show first."""
        return self.passage.text[slice(*self.quoted)]

    @property
    def quoted_highlights(self) -> list[tuple[int, int]]:
        """The highlights in `quoted_text`, as spans of it."""
        start, end = self.quoted
        return [(max(a, start) - start, min(b, end) - start) for a, b in self.highlights if a < end and b > start]

    @property
    def pages(self) -> str:
        """Page labels of its beginning and its end, "" where not marked."""
        labels = (self.passage.first_page, self.passage.last_page)
        return "-".join(dict.fromkeys(label for label in labels if label))

    def to_row(self) -> dict[str, Any]:
        """The passage as a JSON object, the quotation as text beside its span."""
        return {
            "passage": asdict(self.passage),
            "score": self.score,
            "scores": self.scores,
            "highlights": [list(span) for span in self.highlights],
            "quoted": list(self.quoted),
            "quoted_text": self.quoted_text,
            "stance": self.stance and self.stance.to_row(),
        }


@dataclass(frozen=True, slots=True)
class DescriptionHit:
    """How a later court describes the case."""

    description: Description
    score: float
    """0.0 when it is shown for the case and did not match itself."""
    scores: dict[str, float]
    """By ranker: `described-bm25`, `described-dense`."""
    stance: Stance | None = None

    def to_row(self) -> dict[str, Any]:
        """The description as a JSON object."""
        return asdict(self) | {"stance": self.stance and self.stance.to_row()}


@dataclass(frozen=True, slots=True)
class Hit:
    """A case found."""

    case: IndexedCase
    score: float
    """Relevance: the fused score, 0 to 1, the sum of `scores`; 0.0 for a case that is only named."""
    found_by: tuple[str, ...]
    """Of `citation`, `name`, `bm25`, `dense`, `opinion-bm25`, `described-bm25`, `described-dense`."""
    scores: dict[str, float]
    """What each ranker adds to `score`, weights applied; `decides` is what the best sentence adds."""
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
    reason: str = ""
    """Why it is on no side though its stance has one, "" when that is not so."""
    treatment: CaseTreatment | None = None
    """What later cases of the index did to it; None when nobody looked."""

    @property
    def flag(self) -> str:
        """What a reader must know of a case that later ones did something to, in words; "" where nothing is known."""
        return self.treatment.words if self.treatment and self.treatment.flags else ""

    @property
    def side(self) -> Label:
        """Entailment for a supporting case, contradiction for a refuting one, neutral when undecided or not judged."""
        return self.stance.side if self.stance and not self.reason else Label.NEUTRAL

    @property
    def why_undecided(self) -> str:
        """Why the case is on no side, in words; "" where it is on one or was not judged."""
        if self.stance is None or self.side is not Label.NEUTRAL:
            return ""
        if self.reason:
            return self.reason
        if not self.stance.read:
            return "the model gave no answer that could be read"
        return "no side is likely enough" if self.stance.decided > self.stance.neutral else "most likely neither"

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

    def to_row(self) -> dict[str, Any]:
        """The hit as a JSON object: all its fields, with those of its passages and descriptions."""
        return {
            "case": asdict(self.case),
            "score": self.score,
            "standing": self.standing,
            "found_by": list(self.found_by),
            "scores": self.scores,
            "stance": self.stance and self.stance.to_row(),
            "decided_by": self.decided_by,
            "words_read": self.words_read,
            "why_undecided": self.why_undecided,
            "share_read": self.share_read,
            "treatment": self.treatment and self.treatment.to_row(),
            "passages": [one.to_row() for one in self.passages],
            "descriptions": [one.to_row() for one in self.descriptions],
        }


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
    reranker: str | None = None
    """Name of the model that chose the sentences quoted, None when none did."""
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
    """Time by step: `load` (of the encoder, at the first search), `encode`, `rank`, `fetch`, `rerank`,
    `stance`, `total`."""
    version: int = 0
    """Version of the index that was read."""
    good_law: bool = False
    """Whether cases that were overruled or reversed were left out; those that the argument names stay."""

    @property
    def hits(self) -> list[Hit]:
        """All hits: named, supporting, refuting, undecided, unjudged."""
        return [hit for _, hits in self.lists() for hit in hits]

    def lists(self) -> Iterator[tuple[str, list[Hit]]]:
        """The lists of hits with their names, in the order of `LISTS`."""
        yield from ((name, getattr(self, name)) for name in LISTS)

    def to_rows(self) -> list[dict[str, Any]]:
        """A JSON object for each hit, with the list that it is in and its rank there, from 1.

        These are the lines of `lawng search --to jsonl`; the hits of `/api/search` have the same fields.
        """
        return [
            {"list": name, "rank": rank, **hit.to_row()}
            for name, hits in self.lists()
            for rank, hit in enumerate(hits, 1)
        ]

    def to_pandas(self) -> pd.DataFrame:
        """A row for each hit, with what names the case, its side and how probable that is, and the words that tell it.

        `passage` is of the opinion and pages given, of a later court's where its description told; `to_rows` has all.

        Raises MissingError without pandas.
        """
        import pandas as pd

        return pd.DataFrame([_flat(name, rank, hit) for name, hits in self.lists() for rank, hit in enumerate(hits, 1)])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{plain(line)}</p>" for line in [*self.warnings, *self.notes])
        rows = [(plain(name), *_cells(hit)) for name, hits in self.lists() for hit in hits]
        return table(("list", "case", "passage"), rows) + said


def _flat(name: str, rank: int, hit: Hit) -> dict[str, Any]:
    opinion_id, pages, said = _to_read(hit)
    return {
        "list": name,
        "rank": rank,
        "case_id": hit.case.case_id,
        "name": hit.case.name,
        "cite": next(iter(hit.case.citations), ""),
        "court": hit.case.court,
        "date": hit.case.date,
        "score": hit.score,
        "side": str(hit.side),
        "probability": hit.stance.of(hit.side) if hit.stance else None,
        "treatment": hit.treatment.label if hit.treatment else "",
        "opinion_id": opinion_id,
        "pages": pages,
        "passage": said,
    }


def _to_read(hit: Hit) -> tuple[str, str, str]:
    """Opinion, pages and words by which a hit was sorted: those of a later court where its description was."""
    for one in hit.descriptions:
        if one.description.description_id == hit.decided_by:
            return one.description.citing_opinion_id, "", one.description.text
    best = hit.passages[0] if hit.passages else None
    return (best.passage.opinion_id, best.pages, best.quoted_text) if best else ("", "", "")


def _cells(hit: Hit) -> tuple[str, str]:
    """The case, and the words of its best passage with those of the argument marked."""
    cite = ", ".join(filter(None, (next(iter(hit.case.citations), ""), hit.case.court, hit.case.date[:4])))
    case = f"<b>{plain(hit.case.name)}</b><br>{plain(cite)}" + (f"<br><b>{plain(hit.flag)}</b>" if hit.flag else "")
    if not hit.passages:
        return case, ""
    best = hit.passages[0]
    return case, marked(best.quoted_text, best.quoted_highlights) + (f" (at {plain(best.pages)})" if best.pages else "")
