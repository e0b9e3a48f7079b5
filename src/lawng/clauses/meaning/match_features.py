"""How clauses answer what a query asks, by the glossary, and how they are written, whatever is asked.

ClauseMatcher(texts).match(intent) -> array, clauses x len(MATCH_FEATURES)     .style -> clauses x len(STYLE_FEATURES)
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.clause_annotation import Annotation, AnnotationCache, Sentence, annotate
from lawng.clauses.meaning.clause_sentences import joined
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept
from lawng.clauses.meaning.query_intent import QueryIntent

Matrix = NDArray[np.float32]
Matrix64 = NDArray[np.float64]
Flags = NDArray[np.bool_]
Column = NDArray[np.floating]

_PLACE = {concept.name: place for kind in (SUBJECTS, MATTERS) for place, concept in enumerate(kind)}
_COLUMN = {concept.name: place for place, concept in enumerate((*MATTERS, *SUBJECTS))}
HARDLY, LIKELY = 0.1, 0.5
"""Up to this probability of a subject a pattern is mistaken; from that on a clause is about it: in its first sentence,
and in each where a pattern finds it in none. On ACORD's train and valid queries, these reworded, NDCG@10 rises from
69.0 to 73.7."""
_EARLY = 2
"""The sentences that a clause begins with: its heading, and what it is about."""
_MATCH_NAMES = """
subject, subject share, subject early, said, said all, said anywhere, excepted, excepted all, excepted anywhere,
has exceptions, exception words, exceptions as asked, unwanted, mutual as asked, mutual, fit,
asks subjects, asks said, asks excepted, favours, favours x mutual, favours x exceptions, favours x exception words,
favours x terms of service, favours x guards, guards seller, guards buyer, guards both, excepted though asked
"""
MATCH_FEATURES = tuple(re.split(r",\s", _MATCH_NAMES.strip()))
"""What is known of a clause and a query; NaN where the query does not ask for it or the glossary does not know it."""
_STYLE_NAMES = """
words, sentences, omissions, redactions, capitals, numbered, word length, terms of service,
subjects, matters, excepted matters
"""
STYLE_FEATURES = tuple(re.split(r",\s", _STYLE_NAMES.strip()))
"""What is known of a clause alone, and attorneys' stars also go by; words as the logarithm of one more, word length in
characters a word."""

# possessive: a text may begin with pages of blanks
_NUMBERED = re.compile(r"\W*+(?:(?:section|article|clause)\s*+)?[\dIVX(a-z]{1,6}[.)]", re.IGNORECASE)
# spelled out, for ignoring case keeps Python's engine from looking for first letters
_YOU = re.compile(r"\b(?:[Yy][Oo][Uu][Rr]?|[Ww][Ee])\b")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_CAPITALS, _LETTERS = string.ascii_uppercase.encode(), string.ascii_letters.encode()


class ClauseMatcher:
    """Annotated clauses, against all of which one query is held in some milliseconds.

    What is known of a clause does not depend on the clauses beside it.
    """

    def __init__(
        self,
        texts: Sequence[str],
        annotations: AnnotationCache | None = None,
        about: Matrix64 | None = None,
        titled: Sequence[str] | None = None,
    ) -> None:
        """`annotations` are kept on disk, which spares a collection that was opened before most of the time; `about` is
        the probability that a clause is about each subject, clauses x `SUBJECTS`, where something else tells it;
        `titled` are the texts with the titles of the sections that they refer to, where these are known."""
        read = titled or texts
        self.annotations = annotations.of(read) if annotations else [annotate(text) for text in read]
        """What stands where in each text, by the glossary's patterns."""
        self._likely = about
        found = SentenceArrays(self.annotations, about)
        rows = [_style(text, n) for text, n in zip(texts, found.n_sentences.tolist(), strict=True)]
        plain = np.array(rows, np.float32).reshape(len(texts), len(STYLE_FEATURES) - 3)
        self.style = np.hstack([plain, found.n_concepts()]).astype(np.float32)
        self._sentences = found

    def annotation(self, row: int) -> Annotation:
        """What stands where in a text, as it is ranked by: patterns, mended by how likely it is about each subject."""
        plain = self.annotations[row]
        return plain if self._likely is None else mended(plain, self._likely[row])

    def leading(self, subjects: Sequence[Concept]) -> Matrix:
        """Which of some subjects the first two sentences of each clause are about, clauses x subjects, 1 or 0."""
        found, columns = self._sentences, [_PLACE[subject.name] for subject in subjects]
        return found.any((found.about[:, columns] & found.early[:, None]).T).T

    def match(self, intent: QueryIntent) -> Matrix:
        """How each clause answers a query, clauses x `MATCH_FEATURES`; all NaN where the glossary knows no subject."""
        if not intent.subjects:
            return np.full((self._sentences.n, len(MATCH_FEATURES)), np.nan, dtype=np.float32)
        to_you = self.style[:, STYLE_FEATURES.index("terms of service")]
        columns = _QueryMatch(self._sentences, intent).columns(to_you)
        return np.stack([columns[name] for name in MATCH_FEATURES], axis=1).astype(np.float32)


def _style(text: str, n_sentences: int) -> list[float]:
    """The style of a clause, without how many concepts it mentions."""
    n_words = len(text.split())
    return [
        np.log1p(n_words),
        n_sentences,
        "<omitted>" in text,
        "[*" in text or "**" in text,
        _share_of_capitals(text),
        bool(_NUMBERED.match(text)),
        len(text) / max(1, n_words),
        bool(_YOU.search(text)),
    ]


def _share_of_capitals(text: str) -> float:
    # ASCII is counted apart, at once: this is most of what opening a known collection takes
    plain, rest = text.encode("ascii", "ignore"), _NOT_ASCII.findall(text)
    upper = len(plain) - len(plain.translate(None, _CAPITALS)) + sum(map(str.isupper, rest))
    letters = len(plain) - len(plain.translate(None, _LETTERS)) + sum(map(str.isalpha, rest))
    return upper / max(1, letters)


class SentenceArrays:
    """The sentences of n clauses; what patterns say them to be about is mended by how likely a clause is about it."""

    def __init__(self, annotations: Sequence[Sequence[Sentence]], about: Matrix64 | None = None) -> None:
        rows = [sentence for sentences in annotations for sentence in sentences]
        self.n = len(annotations)
        self._clause = np.repeat(np.arange(self.n), [len(sentences) for sentences in annotations])
        self.n_sentences = np.bincount(self._clause, minlength=self.n)
        self.about, self.said, self.excepted = (
            _flags([row[part] for row in rows], len(kind)) for part, kind in enumerate((SUBJECTS, MATTERS, MATTERS))
        )
        if about is not None:
            likely = about[self._clause]  # comparisons with NaN are false: of what is not known patterns tell
            self.about &= ~(likely <= HARDLY)
            told_by_words = self.any(self.about.T).T[self._clause] > 0
            first = np.arange(len(rows)) == np.searchsorted(self._clause, self._clause)
            self.about |= (first[:, None] | ~told_by_words) & (likely > LIKELY)
        numbers = [(row.n_words, row.n_excepted, row.mutual) for row in rows]
        self.words, self.words_excepted, self.mutual = np.array(numbers, dtype=np.float32).reshape(-1, 3).T
        self.guards = _flags([row.guards for row in rows], 6)
        self.lifts = np.array([row.lifts for row in rows], dtype=np.bool_)
        self.early = np.arange(len(rows)) - np.searchsorted(self._clause, self._clause) < _EARLY
        self.n_words = np.maximum(self.sum(self.words), 1.0)
        self._anywhere = self.any(np.hstack([self.said | self.excepted, self.about]).T).T

    def sum(self, values: NDArray[Any]) -> Matrix:
        """Sum over the sentences of each clause."""
        return np.bincount(self._clause, weights=values, minlength=self.n).astype(np.float32)

    def any(self, flags: Flags) -> Matrix:
        """1.0 where some sentence of a clause has the flag; the sentences are the last axis."""
        if flags.ndim == 1:
            return (self.sum(flags) > 0).astype(np.float32)
        return np.stack([self.any(row) for row in flags])

    def anywhere(self, concepts: Sequence[Concept]) -> list[Matrix]:
        """For each matter or subject, whether a clause mentions it in any sentence."""
        return [self._anywhere[:, _COLUMN[concept.name]] for concept in concepts]

    def with_each(self, matters: Sequence[Concept], found: Flags, about: Sequence[Flags]) -> list[Matrix]:
        """For each matter, whether a clause has it, as `found` says, in a sentence about one of the subjects."""
        columns = [found[:, _PLACE[matter.name]] for matter in matters]
        return [np.max([self.any(column & rows) for rows in about], axis=0) for column in columns]

    def n_concepts(self) -> Matrix:
        """How many subjects, matters and excepted matters a clause mentions, n x 3."""
        kinds = (self.about, self.said, self.excepted)
        return np.stack([self.any(kind.T).sum(axis=0) for kind in kinds], axis=1)


def mended(annotation: Annotation, likely: Sequence[float] | NDArray[np.float64]) -> Annotation:
    """What patterns say, mended as in `SentenceArrays`; `likely` has a probability of each subject."""
    mistaken, told = (
        joined(1 << place for place, found in enumerate(flags) if found)
        for flags in (np.asarray(likely) <= HARDLY, np.asarray(likely) > LIKELY)
    )
    by_words = [one.about & ~mistaken for one in annotation]
    everywhere = told & ~joined(by_words)
    return tuple(
        one._replace(about=about | (everywhere if at else told))
        for at, (one, about) in enumerate(zip(annotation, by_words, strict=True))
    )


def _flags(bits: Sequence[int], width: int) -> Flags:
    values = np.array(bits, dtype=np.uint64)
    found: Flags = (values[:, None] >> np.arange(width, dtype=np.uint64)) & np.uint64(1) > 0
    return found


class _QueryMatch:
    """A query held against clauses; each part is a column, one number a clause."""

    def __init__(self, sentences: SentenceArrays, intent: QueryIntent) -> None:
        self._sentences = sentences
        self._intent = intent
        self._about = about = [sentences.about[:, _PLACE[subject.name]] for subject in intent.subjects]
        # sentences about a subject, and those that lift what such sentences say
        or_lifts = [rows | sentences.lifts for rows in about]
        self._has = np.asarray(np.mean([sentences.any(rows) for rows in about], axis=0))
        self._said = sentences.with_each(intent.said, sentences.said, about)
        self._excepted = sentences.with_each(intent.excepted, sentences.excepted, or_lifts)
        self._unwanted = self._mean(sentences.anywhere(intent.absent), 0.0)
        # what must be said, and is taken out instead
        self._contrary = self._mean(sentences.with_each(intent.said, sentences.excepted, or_lifts), 0.0)
        excepted = [sentences.sum(sentences.words_excepted * rows) for rows in or_lifts]
        self._words_excepted = np.max(excepted, axis=0) * (self._has > 0)
        self._carved = (self._words_excepted > 0).astype(np.float32)
        self._as_asked = self._answered(intent.carve_outs, self._carved, 1 - self._carved)
        # of the sentences about the subject those that speak of either, neither or each party, by their words: a
        # heading counts little
        words = [sentences.words * rows for rows in about]
        shares = [sentences.sum(sentences.mutual * own) / np.maximum(sentences.sum(own), 1) for own in words]
        self._mutual = np.asarray(np.mean(shares, axis=0))
        self._freed = self._whom()
        # a clause that frees both parties is mutual in half
        alike = np.asarray((self._mutual + self._freed[2]) / 2)
        self._mutual_as_asked = self._answered(intent.mutual, alike, self._has - alike)

    def columns(self, to_you: Column) -> dict[str, Column]:
        """By the names of `MATCH_FEATURES`; `to_you` is 1.0 for a clause that speaks to its reader."""
        sentences, asked, about = self._sentences, self._intent, self._about
        share = [sentences.sum(sentences.words * rows) / sentences.n_words for rows in about]
        kinds = {"subjects": asked.subjects, "said": asked.said, "excepted": asked.excepted}
        return {
            "subject": self._has,
            "subject share": np.mean(share, axis=0),
            "subject early": np.mean([sentences.any(rows & sentences.early) for rows in about], axis=0),
            **self._matters("said", asked.said, self._said),
            **self._matters("excepted", asked.excepted, self._excepted),
            "unwanted": self._unwanted,
            "excepted though asked": self._contrary,
            "has exceptions": self._carved,
            "exception words": np.log1p(self._words_excepted),
            "exceptions as asked": self._as_asked,
            "mutual": self._mutual,
            "mutual as asked": self._mutual_as_asked,
            "fit": self._fit(),
            **{f"asks {kind}": np.full(sentences.n, float(len(concepts))) for kind, concepts in kinds.items()},
            **self._parties(to_you),
        }

    def _matters(self, name: str, matters: Sequence[Concept], columns: Sequence[Matrix]) -> dict[str, Column]:
        return {
            name: self._mean(columns, np.nan),
            f"{name} all": np.min(columns, axis=0) if columns else self._full(np.nan),
            f"{name} anywhere": self._mean(self._sentences.anywhere(matters), np.nan),
        }

    def _parties(self, to_you: Column) -> dict[str, Column]:
        """Whom a clause frees, and what favours whom the query would have favoured."""
        favours, (seller, buyer, both) = np.full(self._sentences.n, float(self._intent.favours)), self._freed
        return {
            "favours": favours,
            "favours x mutual": favours * self._mutual,
            "favours x exceptions": favours * self._carved,
            "favours x exception words": favours * np.log1p(self._words_excepted),
            "favours x terms of service": favours * to_you,
            "favours x guards": favours * (seller - buyer),
            "guards seller": seller,
            "guards buyer": buyer,
            "guards both": both,
        }

    def _fit(self) -> Column:
        """An untrained guess of how well a clause fits, from 0 to 1; each factor forgives a little."""
        return np.asarray(
            self._has
            * (0.25 + 0.75 * self._mean(self._said, 1.0))
            * (0.15 + 0.85 * self._mean(self._excepted, 1.0))
            * (0.2 + 0.8 * self._as_asked)
            * (1 - 0.8 * self._unwanted)
            * (0.3 + 0.7 * self._mutual_as_asked)
            * (1 - 0.6 * self._contrary)
            * _favours(self._intent.favours, self._freed, self._carved)
        )

    def _whom(self) -> list[Matrix]:
        """Whether what a clause says of the subject frees the seller, the buyer, both: who indemnifies is not freed."""
        indemnity = any(subject.name == "indemnity" for subject in self._intent.subjects)
        guards = self._sentences.guards.T[3:] if indemnity else self._sentences.guards.T[:3]
        seller, buyer, both = (
            np.max([self._sentences.any(who & rows) for rows in self._about], axis=0) for who in guards
        )
        return [buyer, seller, both] if indemnity else [seller, buyer, both]

    def _answered(self, asked: int, found: Column, lacking: Column) -> Column:
        """How far a clause has what is asked for (1), or lacks what may not be there (-1); 1 where nothing is asked."""
        return found if asked > 0 else lacking if asked < 0 else np.ones(self._sentences.n)

    def _mean(self, columns: Sequence[Matrix], otherwise: float) -> Column:
        return np.mean(columns, axis=0) if columns else self._full(otherwise)

    def _full(self, value: float) -> Matrix:
        return np.full(self._sentences.n, value, dtype=np.float32)


def _favours(favours: int, freed: Sequence[Matrix], carved: Matrix) -> Matrix:
    """How much a clause favours whom it should: a seller by freeing it alone and wholly, a buyer by exceptions."""
    seller, buyer, both = freed
    if favours > 0:
        found = (0.3 + 0.7 * np.clip(1 - both - 0.5 * buyer + 0.3 * seller, 0, 1)) * (1 - 0.3 * carved)
    elif favours < 0:
        found = (0.3 + 0.7 * np.clip(0.6 * both + 0.6 * buyer - 0.3 * seller + 0.3, 0, 1)) * (0.6 + 0.4 * carved)
    else:
        found = np.ones_like(carved)
    return np.asarray(found, dtype=np.float32)
