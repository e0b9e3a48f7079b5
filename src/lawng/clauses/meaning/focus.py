"""The part of a clause that a query is about, for a model that reads little: whole sentences, in their order.

focus(query, text, words) -> str
"""

from __future__ import annotations

from lawng.clauses.meaning.anatomy import anatomy, parts_of
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept
from lawng.clauses.meaning.wanted import wanted
from lawng.retrieval.bm25 import content_stems


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
