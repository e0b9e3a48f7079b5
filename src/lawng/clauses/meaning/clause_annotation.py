"""What stands where in a clause: its sentences, what each is about and says, and what it takes out of its rule.

annotate(text) -> tuple of Sentence     AnnotationCache(folder).of(texts) -> the same of many, kept on disk
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept, cues, lowered
from lawng.clauses.sections.references import OPENS, TITLE
from lawng.io.kv_store import KeyValueStore, key_of
from lawng.io.progress import Progress, silent
from lawng.models.vector_cache import CHUNK

# possessive and bounded, so that long runs of dots or blanks are not gone over again and again
_END = re.compile(r"(?<=[.;!?])[\"”’')\]]*+\s++(?=[\"“(\[]?(?:[A-Z0-9(]|\W{0,200}+[ivx]+\)))|\n+|<omitted>")
"""Where a sentence, or an item of a list, ends; ACORD marks what its annotators left out by <omitted>."""


ITEM = re.compile(r"(?:\(?(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})[.)]|[-–—•*·])\s", re.IGNORECASE)
"""How an item of a list begins."""
_CUES = {name: re.compile(pattern) for name, pattern in cues("clause").items()}
GUARDS = ("seller", "buyer", "both")
"""Whom a sentence frees of liability, and, in the next three bits, whom it makes indemnify."""
_GUARDS = tuple(_CUES[f"{does}-{who}"] for does in ("frees", "burdens") for who in GUARDS)


class Sentence(NamedTuple):
    """A sentence of a clause. Sets of concepts are bits, in the glossary's order."""

    about: int
    """Subjects that it says."""
    said: int
    """Matters in its rule."""
    excepted: int
    """Matters in what it takes out: after "except for", or all of them where it lifts what other sentences say."""
    n_words: int
    n_excepted: int
    """Words of what it takes out."""
    mutual: bool
    """Whether it speaks of either, neither or each party."""
    guards: int
    """Bits in the order of `GUARDS`, whom it frees; then whom it burdens with an indemnity."""
    lifts: bool
    """Whether it takes something out of what other sentences say."""


@lru_cache(maxsize=50_000)
def annotate(text: str) -> tuple[Sentence, ...]:
    """The sentences of a clause's text, in which titles of sections may stand as `titled` puts them there.

    What a rule takes out, and an item of a list, is often a section's number: "breach of Section 5". Matters of its
    title count there and nowhere else.

    >>> [found] = annotate("Except for fraud, in no event shall a party's total liability exceed the fees paid.")
    >>> names(SUBJECTS, found.about), names(MATTERS, found.excepted)
    (['cap'], ['fraud'])
    """
    # what the whole clause does not say no sentence of it says, and most concepts are not said
    whole = lowered(text)
    subjects, matters = _said_in(_untitled(whole), SUBJECTS), _said_in(whole, MATTERS)
    return tuple(_sentence(lowered(part), subjects, matters) for part in parts_of(text))


def parts_of(text: str) -> list[str]:
    """The sentences and items of lists of a clause, as they stand; `annotate` has one sentence for each.

    >>> parts_of("No liability. (a) Fraud; (b) death.")
    ['No liability.', '(a) Fraud;', '(b) death.']
    """
    return [part.strip() for part in _END.split(text) if part and part.strip()]


def names(concepts: tuple[Concept, ...], bits: int) -> list[str]:
    """The names of a set of concepts."""
    return [concept.name for place, concept in enumerate(concepts) if bits >> place & 1]


def _said_in(text: str, concepts: tuple[Concept, ...]) -> list[tuple[int, Concept]]:
    """The concepts that a text says, each with its bit."""
    return [(1 << place, concept) for place, concept in enumerate(concepts) if concept.said.search(text)]


def _untitled(text: str) -> str:
    return TITLE.sub("", text) if OPENS in text else text


def _sentence(titled: str, subjects: list[tuple[int, Concept]], matters: list[tuple[int, Concept]]) -> Sentence:
    text = _untitled(titled)
    lifts = bool(_CUES["lifts"].search(text))
    excepted = text if lifts else excepted_of(text)
    rule = text if lifts or not excepted else text.replace(excepted, " ")
    return Sentence(
        _bits(subjects, text),
        _bits(matters, titled if not excepted and ITEM.match(text) else rule),
        _bits(matters, titled if lifts else excepted_of(titled)) if excepted else 0,
        len(text.split()),
        len(excepted.split()),
        bool(_CUES["mutual"].search(text)),
        sum(1 << place for place, who in enumerate(_GUARDS) if who.search(text)),
        lifts,
    )


def _bits(concepts: list[tuple[int, Concept]], text: str) -> int:
    return sum(bit for bit, concept in concepts if concept.is_said(text))


def excepted_of(text: str) -> str:
    """The longest stretch from an opening word to where the rule goes on, or to the sentence's end."""
    longest, end = "", -1
    for opens in _CUES["opens"].finditer(text):
        if opens.end() <= end:
            continue  # it ends where the one before it ends, and is shorter
        resumes = _CUES["resumes"].search(text, opens.end())
        end = resumes.start() if resumes else len(text)
        longest = max(longest, text[opens.start() : end].strip(), key=len)
    return longest


Annotation = tuple[Sentence, ...]

_SOURCES = ("glossary.toml", "cues.toml", "glossary.py", "clause_annotation.py")
"""What an annotation depends on, but for the text."""


@cache
def edition() -> str:
    """A digest of the glossary and of the code that annotates clauses: annotations of two editions never mix."""
    sources = (files(__package__) / name for name in _SOURCES)
    return key_of(*(source.read_text("utf-8") for source in sources)).hex()[:16]


class AnnotationCache:
    """Annotations by the digest of their text, in a file; the texts are not in it."""

    def __init__(self, folder: Path, progress: Progress = silent) -> None:
        self._store = KeyValueStore(folder / f"annotations-{edition()}.sqlite")
        self._progress = progress

    def of(self, texts: Sequence[str]) -> list[Annotation]:
        """The annotation of each text; those that are not kept yet are computed and kept."""
        keys = [key_of(text) for text in texts]
        read = {key: _read(raw) for key, raw in self._store.get(keys).items()}
        known = {key: found for key, found in read.items() if found is not None}
        missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in known}.items())
        for at in range(0, len(missing), CHUNK):
            found = {key: annotate(text) for key, text in missing[at : at + CHUNK]}
            self._store.put({key: json.dumps(rows, separators=(",", ":")).encode() for key, rows in found.items()})
            known.update(found)
            self._progress(at + len(found), len(missing))
        return [known[key] for key in keys]


def _read(raw: bytes) -> Annotation | None:
    """An annotation as kept, None for one that is damaged."""
    try:
        rows = json.loads(raw)
        if not all(isinstance(value, int) for row in rows for value in row):
            return None
        return tuple(Sentence(*row) for row in rows)
    except (ValueError, TypeError):
        return None
