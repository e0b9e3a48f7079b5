"""What passes between the parts of directional inference: articles, relations, pairs of predicates.

Source of the terms: Li et al. 2022, "Language Models Are Poor Learners of Directional Inference", sections 2 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Article:
    """A dated news article; `language` is an ISO 639-1 code."""

    article_id: str
    date: date
    title: str
    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Relation:
    """A predicate between two arguments, as one sentence says it: an open triple.

    The predicate is in lemmas without what stands between its words ("play game with"), active where the text is
    passive with an agent ("was bought by" is "buy", its arguments exchanged), else with its participle ("be born in"),
    and without negation and modality, which stand apart. Arguments are lower-case noun phrases without determiners;
    their types are spaCy's labels of entities, or THING.
    """

    document_id: str
    sentence_start: int
    sentence_end: int
    """Characters of the sentence in the document's text."""
    subject: str
    predicate: str
    object: str
    subject_type: str
    object_type: str
    negated: bool = False
    """A negated mention is no evidence."""
    modality: str = ""
    """Why it is not said to be so: a modal verb, "if", "?", the verb that it is hoped or planned by; else empty."""

    @property
    def asserted(self) -> bool:
        """Whether the sentence says that it is so."""
        return not self.negated and not self.modality

    @property
    def arguments(self) -> tuple[str, str]:
        """The pair of arguments, in this order."""
        return self.subject, self.object


@dataclass(frozen=True, slots=True)
class Triple:
    """A proposition as a benchmark writes it: its words in order, not lemmas."""

    subject: str
    predicate: str
    object: str

    def __str__(self) -> str:
        return " ".join(filter(None, (self.subject, self.predicate, self.object)))


@dataclass(frozen=True, slots=True)
class PredicatePair:
    """Whether one proposition entails another, as annotated; `language` is an ISO 639-1 code."""

    pair_id: str
    premise: Triple
    hypothesis: Triple
    entailed: bool
    language: str = "en"
