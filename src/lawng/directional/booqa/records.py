"""The tables of a build of BoOQA, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

from lawng.directional.records import Article, Relation


def key(*parts: str) -> str:
    """An id that follows from what it names.

    >>> key("1987-02-26", "acme", "bravo") == key("1987-02-26", "acme", "bravo") != key("1987-02-26", "bravo", "acme")
    True
    """
    return blake2b("\x1f".join(parts).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Placed:
    """An article in its context window."""

    window: str
    """The window's first day."""
    article: Article
    repeats: list[str] = field(default_factory=list)
    """Texts of the dropped articles that repeat it: what they say is not absent from the window."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A relation that an article of a window says, with its sentence."""

    window: str
    relation: Relation
    sentence: str
    words: list[str]
    """Of each word of the predicate: how it is written in the sentence and its part of speech, "played/VERB"."""
    repeat: bool = False
    """Whether a dropped article says it, which counts for what is absent and for nothing else."""

    @property
    def asserted(self) -> bool:
        """Whether an article that counts says that it is so."""
        return self.relation.asserted and not self.repeat

    @property
    def sentence_id(self) -> str:
        """`DOCUMENT@START` of the sentence."""
        return f"{self.relation.document_id}@{self.relation.sentence_start}"


@dataclass(frozen=True, slots=True)
class Frequency:
    """In how much of the corpus a predicate is asserted."""

    predicate: str
    pairs: int
    """Distinct pairs of arguments."""
    mentions: int


@dataclass(frozen=True, slots=True)
class StarringPair:
    """A pair of arguments that a window has much about."""

    pair_id: str
    window: str
    subject: str
    object: str
    subject_type: str
    object_type: str
    articles: int
    """Articles of the window that assert something of it."""
    said: list[str]
    """Every predicate that the window has of it, also negated, as a possibility, in a dropped article, or by a longer
    or shorter name of an argument: none of them is safely false."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a window asserts of a starring pair, in one sentence."""

    pair_id: str
    window: str
    subject: str
    predicate: str
    object: str
    document_id: str
    sentence_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Positive:
    """A proposition that a window asserts, of a starring pair and a felicitous predicate."""

    question_id: str
    pair_id: str
    window: str
    predicate: str
    frequency: int
    sources: list[str]
    """Ids of the sentences that assert it."""
    sentence: str
    """The first of them."""
    words: list[str]


@dataclass(frozen=True, slots=True)
class Negative:
    """A proposition that a window does not have: a positive with a hyponym in the place of a span."""

    question_id: str
    positive_id: str
    window: str
    predicate: str
    frequency: int
    span: str
    replacement: str
    synset: str
    """The sense of the span, and the kind of it that the replacement is."""
    hyponym: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question of BoOQA: is the proposition true, given what its window says?"""

    question_id: str
    """Follows from window, arguments and predicate."""
    split: str
    """`dev` or `test`; their windows differ."""
    bundle: str
    """The id of its positive: one positive and its negatives, two at the most."""
    label: bool
    """Whether it is true."""
    window: str
    """The first day of its context window."""
    last_day: str
    """The last day of it."""
    pair_id: str
    """Its pair of arguments in its window, by which evidence is found."""
    subject: str
    """The first argument."""
    predicate: str
    """In lemmas, without what stands between its words; a participle after "be" and a gerund are as written."""
    object: str
    """The second argument."""
    subject_type: str
    """spaCy's label of entities that the first argument has most often in the window, or THING."""
    object_type: str
    """That of the second argument."""
    frequency: int
    """Argument pairs of the corpus that the predicate is asserted of."""
    exclude: list[str]
    """Ids of the sentences that the bundle's positive is from: no evidence for any question of the bundle."""
    span: str
    """Of a negative, the words of its positive that were replaced; as all that follows empty for a positive."""
    replacement: str
    """What they were replaced by."""
    synset: str
    """The sense of the span, as WordNet names it."""
    hyponym: str
    """The synset below it that the replacement is from."""
