"""What a model that reads little is given of a query and a clause: the query in more words, the clause in fewer.

focus(query, text, words) -> str     expanded(query, words) -> str     Shown(focus, expand)(query, text) -> both
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lawng.clauses.meaning.anatomy import anatomy, parts_of
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept
from lawng.clauses.meaning.tags import tags
from lawng.clauses.meaning.wanted import wanted
from lawng.retrieval.bm25 import content_stems


@dataclass(frozen=True, slots=True)
class Shown:
    """How a query and a clause are shown to a model.

    >>> Shown(6, 4)("fraud", "Notices. Send them by mail. Nothing here limits liability for fraud.")
    ('fraud: fraud or fraudulent misrepresentation', 'Nothing here limits liability for fraud.')
    """

    focus: int | None = None
    """Words of the clause that are shown, the best by `focus`; None is its beginning, as far as the model reads."""
    expand: int = 0
    """Words of the glossary that are added to the query."""
    tags: bool = False
    """Whether a clause begins with what the glossary finds in it of what is asked, in words (`tags`)."""

    def __call__(self, query: str, text: str) -> tuple[str, str]:
        """The query and the clause as the model reads them."""
        return self.query(query), self.texts(query, [text])[0]

    def query(self, query: str) -> str:
        """The query as the model reads it."""
        return expanded(query, self.expand)

    def texts(self, query: str, texts: Sequence[str]) -> list[str]:
        """Clauses as the model reads them."""
        found = list(texts) if self.focus is None else [_focus(query, text, self.focus) for text in texts]
        if not self.tags:
            return found
        return [f"{tag}. {text}" if tag else text for tag, text in zip(tags(query, texts), found, strict=True)]


def expanded(query: str, words: int) -> str:
    """A query, and after a colon at most so many words of what the glossary takes it to mean.

    >>> expanded("fraud", 3), expanded("fraud", 0), expanded("gibberish", 3)
    ('fraud: fraud or fraudulent', 'fraud', 'gibberish')
    """
    meaning = wanted(query).meaning.split()[:words]
    return f"{query}: {' '.join(meaning)}" if meaning else query


def focus(query: str, text: str, words: int) -> str:
    """At most about so many words of a clause: the sentences that answer the query best, as they stand in the text.

    A sentence counts for the subjects and matters of the glossary that the query asks for, and for the query's own
    words; the first sentence, which has the heading, counts a little. A sentence too long for the room is cut.

    >>> focus("fraud", "Notices. Send them by mail. Nothing here limits liability for fraud.", 6)
    'Nothing here limits liability for fraud.'
    """
    parts = parts_of(text)
    if len(text.split()) <= words or len(parts) < 2:
        return " ".join(text.split()[:words]) if len(parts) < 2 else text
    worth = _worth(query, text, parts)
    chosen, left = set[int](), words
    for at in sorted(range(len(parts)), key=lambda at: (-worth[at], at)):
        length = len(parts[at].split())
        if chosen and length > left:
            continue
        chosen.add(at)
        left -= length
        if left <= 0:
            break
    return " ".join(" ".join(parts[at].split()[:words]) for at in sorted(chosen))


def _worth(query: str, text: str, parts: list[str]) -> list[float]:
    asked, stems = wanted(query), set(content_stems(query))
    subjects, matters = _bits(SUBJECTS, asked.subjects), _bits(MATTERS, (*asked.said, *asked.excepted, *asked.absent))
    found = []
    for at, (part, sentence) in enumerate(zip(parts, anatomy(text), strict=True)):
        hits = (sentence.about & subjects).bit_count() + (sentence.lifts and asked.carve_outs != 0)
        hits += ((sentence.said | sentence.excepted) & matters).bit_count()
        own = len(stems.intersection(content_stems(part))) / max(1, len(stems))
        found.append(hits + own + (0.5 if at == 0 else 0.0))
    return found


def _bits(kind: tuple[Concept, ...], concepts: tuple[Concept, ...]) -> int:
    names = {concept.name for concept in concepts}
    return sum(1 << place for place, concept in enumerate(kind) if concept.name in names)


@lru_cache(maxsize=200_000)
def _focus(query: str, text: str, words: int) -> str:
    """Kept, for whoever trains shows a pair many times."""
    return focus(query, text, words)
