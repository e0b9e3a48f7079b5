"""The sentences of a clause as a person reads them.

Items of lists are read with the words that lead into them, all sentences under the headings around the clause, and
lines that were broken at a fixed width as one.

read_sentences(text, headings) -> Iterator[ReadSentence]     flowing(text) -> str
A ranker that has annotated the flowing text keeps what it found, and need not do it again: `annotated`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import add
from typing import NamedTuple

from lawng.clauses.meaning.clause_annotation import ITEM, Sentence, annotate, excepted_of, parts_of
from lawng.clauses.meaning.glossary import lowered

Place = tuple[int, int]
_WIDTH = 40
"""Characters of a line that may have been broken at a fixed width."""
# a number in brackets is no item: "twelve (12) months"
_STARTS = re.compile(rf"[ \t]*(?!\(\d){ITEM.pattern}", re.IGNORECASE)
_LEADS = re.compile(r"[:;,—–-]\W*(?:(?:and|or|and/or)\W*)?\Z", re.IGNORECASE)
"""How words end that lead into a list."""


class ReadSentence(NamedTuple):
    """A sentence of a clause, as it is read with what leads into it."""

    start: int
    """In the clause's text."""
    text: str
    low: str
    """The same in lower case, as patterns read it."""
    own: Sentence
    """What is known of it alone."""
    about: int
    """Subjects that it is about, also by the headings and by what leads into it."""
    said: int
    """Matters in its rule."""
    excepted: int
    """Matters in what it takes out."""
    stretch: Place | None
    """What of it is taken out of a rule."""
    lifts: bool
    """Whether it takes something out of what other sentences say."""


def flowing(text: str) -> str:
    r"""A text with lines that were broken at a fixed width joined; it is as long as before, so that places stay.

    >>> flowing("The liability of the Supplier shall not exceed\nthe fees paid.\nNo other is.")
    'The liability of the Supplier shall not exceed the fees paid.\nNo other is.'
    """
    lines = text.split("\n")
    ends = [" " if _goes_on(line, after) else "\n" for line, after in pairwise(lines)]
    return "".join(map(add, lines, [*ends, ""]))


def _goes_on(line: str, after: str) -> bool:
    """Whether a long line that ends no sentence goes on in the next one, which is neither empty nor an item."""
    end = line.rstrip(" \t")
    return len(end) >= _WIDTH and end[-1] not in ".;:!?" and bool(after.strip()) and not _STARTS.match(f"{after}\n")


def read_sentences(
    text: str, headings: Sequence[str], annotated: Sequence[Sentence] | None = None
) -> Iterator[ReadSentence]:
    """The sentences of a clause that stands under such headings, in order.

    `annotated` is what a ranker keeps of the flowing text, after what it may keep of the headings before it; None has
    it annotated here, which takes some milliseconds.
    """
    read = flowing(text)
    parts = parts_of(read)
    before = 0 if annotated is None else len(annotated) - len(parts)
    known = annotate(read) if annotated is None else annotated[before:]
    around = joined(one.about for one in (*annotate("\n".join(headings)), *(annotated or ())[:before]))
    at, lead, in_list = 0, None, False
    for part, sentence in zip(parts, known, strict=True):
        at = read.index(part, at)
        if not (lead and ITEM.match(part) and (in_list or _LEADS.search(lead.text))):
            lead = None
        in_list = lead is not None
        found = _read(at, part, sentence, around, lead)
        lead = lead or found
        yield found
        at += len(part)


def _read(start: int, part: str, own: Sentence, around: int, lead: ReadSentence | None) -> ReadSentence:
    low = lowered(part)
    stretch = (0, len(low)) if own.lifts else _stretch(low)
    about, said, excepted = own.about | around, own.said, own.excepted
    if lead is not None:
        about |= lead.about
        if lead.stretch and lead.stretch[1] >= len(lead.low.rstrip()):  # "except for: (a) ...; (b) ..."
            said, excepted, stretch = 0, said | excepted, (0, len(low))
    return ReadSentence(start, part, low, own, about, said, excepted, stretch, own.lifts or bool(lead and lead.lifts))


def _stretch(low: str) -> Place | None:
    excepted = excepted_of(low)
    start = low.find(excepted)
    return (start, start + len(excepted)) if excepted else None


def joined(bits: Iterable[int]) -> int:
    """All bits of some sets.

    >>> joined([1, 4, 5])
    5
    """
    found = 0
    for some in bits:
        found |= some
    return found
