"""The records that pass between the steps of the construction, in the order in which they arise.

Sought     a parenthetical with its pins, cited case known, cited text not yet seen  (A.1.1, first half)
Candidate  its short premise found; in `lawng.schema`, the "unfiltered" set          (A.1.1, second half)
Screened   past the accuracy filters, hypothesis stripped and normalised              (A.1.2)
Verdict    on a proposition: whether the cited pages entail it
Negatable  with its negation                                                          (A.1.3, A.1.5)
Labelled   with its label, past the difficulty filters                                (A.1.4, A.1.6)
Paired     with the premise that it will have                                         (A.1.7)
Example    balanced, split, with twin; in `lawng.schema`                             (A.1.8)
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from lawng.schema import Candidate, Mention
from lawng.schema.dataset import AGAIN, PROPOSITION
from lawng.schema.labels import Label


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not done: a citation not looked up, a proposition not taken, a text not negated."""

    reason: str
    """A word or two in kebab-case that is also the counter: `no-clause`."""
    detail: str
    """The words that decided it, for a person who checks."""


@dataclass(frozen=True, slots=True)
class Pin:
    """Pages of one reporter that a citation pins; a parallel group may have one per reporter."""

    cite: str
    """The resolved cite that the pages belong to."""
    reporter: str
    text: str
    """As written: "482-83"."""
    pages: list[int]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Sought(Mention):
    """A parenthetical whose cited case is known and whose pages are still to be found (A.1.1)."""

    pins: list[Pin]
    """In the order in which they stand; the first whose pages are marked makes the premise."""
    jurisdiction: str


@dataclass(frozen=True, slots=True)
class Screened:
    """A candidate past the accuracy filters, its hypothesis stripped and normalised (A.1.2)."""

    candidate: Candidate
    hypothesis: str
    steps: list[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier says of a proposition that stands alone: how much of it the cited pages say."""

    candidate_id: str
    hypothesis: str
    label: str
    """`entailed`, which alone passes, `partly` (a hard case, no neutral one) or `not`."""
    entailed: float
    """Probability of the first, by the verifier's model."""
    was_read: bool
    """Whether the label is that of a reader whom the verifier knows, not its guess."""


@dataclass(frozen=True, slots=True)
class Negatable:
    """A screened candidate that the contradiction algorithm can negate (A.1.3, A.1.5)."""

    candidate: Candidate
    hypothesis: str
    flipped: str
    """The hypothesis with one pivotal negation added or removed."""
    pivotal_negation: bool
    """Whether `hypothesis` (not `flipped`) contains pivotal negation."""
    change: str
    """What was done to get `flipped`, as recorded in the steps of an example: "negation: add do-support"."""
    steps: list[str]


@dataclass(frozen=True, slots=True)
class Labelled(Negatable):
    """A negatable candidate with the label of its original example (A.1.4)."""

    label: str
    """Of the original example: a contradiction will use `flipped` as its hypothesis."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A short premise by its place, and the candidate that it was made for."""

    candidate_id: str
    case_id: str
    opinion_id: str
    start: int
    end: int
    pin_pages: list[int]


@dataclass(frozen=True, slots=True)
class Paired:
    """A labelled candidate with its premise: its own, or the re-paired one of a neutral example (A.1.7)."""

    item: Labelled
    premise: Premise
    alternative: Premise
    """The premise that neutralisation found, whatever the label; equal to `premise` in neutral examples."""
    truncated: bool
    """Whether the embedding model read only the beginning of the hypothesis or of `alternative`."""

    @property
    def candidate_id(self) -> str:
        """The candidate's id, which a proposition's two uses share."""
        return self.item.candidate.candidate_id

    @property
    def use_id(self) -> str:
        """The id that random draws and splits go by, and that those of the examples begin with."""
        again = self.item.candidate.hypothesis_source == PROPOSITION and self.item.label == Label.NEUTRAL
        return f"{self.candidate_id}:{AGAIN}" if again else self.candidate_id


def own_premise(candidate: Candidate) -> Premise:
    """The short premise that a candidate came with."""
    return Premise(
        candidate_id=candidate.candidate_id,
        case_id=candidate.cited_case_id,
        opinion_id=candidate.cited_opinion_id,
        start=candidate.premise_start,
        end=candidate.premise_end,
        pin_pages=candidate.pin_pages,
    )


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of a short premise, once for the steps that compare hypotheses with it."""

    key: str
    """`passage_key` of its premise."""
    text: str


def passage_key(premise: Premise) -> str:
    """What a short premise's text is found by: opinion and span."""
    return f"{premise.opinion_id}[{premise.start}:{premise.end}]"


@dataclass(frozen=True, slots=True)
class Vector:
    """The embedding of a text."""

    key: str
    """`text_key` of the text."""
    values: str
    """Little-endian 32-bit floats in base64: a third of the room that a list of numbers takes."""
    truncated: bool
    """Whether the model read only the text's beginning."""


def text_key(text: str) -> str:
    """The key of a text's vector: its digest."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Length:
    """How long a long premise is, its citations removed."""

    opinion_id: str
    tokens: int
