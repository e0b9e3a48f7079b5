"""The participles of a predicate and their lemmas: it says "be named chairman of", and a dictionary has "name".

readings(words) -> each span as a dictionary may have it       replaced(words, reading, "nominate") -> predicates
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

BE = "be"
PASSIVE, GERUND = "VBN", "VBG"
"""Tags."""


class Reading(NamedTuple):
    """A span of a predicate's words as a dictionary may have it."""

    start: int
    end: int
    text: str
    """Its words, the first as a lemma where it is read as a participle."""
    form: str = ""
    """The tag of the participle."""
    parts: str = "nv"
    """What it may be, as WordNet has parts of speech: a participle as it is written is a noun, if anything."""


def readings(words: Sequence[str]) -> list[Reading]:
    """Each span as it is written and, where it begins with a participle, by its lemma.

    >>> [one[2:] for one in readings(["be", "put"])]
    [('be', '', 'nv'), ('be put', '', 'nv'), ('put', '', 'n'), ('put', 'VBN', 'v')]
    """
    every = (
        reading(words, *span, verbal) for span in combinations(range(len(words) + 1), 2) for verbal in (False, True)
    )
    return list(dict.fromkeys(every))


def reading(words: Sequence[str], start: int, end: int, verbal: bool) -> Reading:
    """A span by the lemma of the participle that it begins with if it is `verbal`, else as it is written."""
    head, form = participle(words, start)
    if not verbal:
        return Reading(start, end, " ".join(words[start:end]), parts="n" if form else "nv")
    return Reading(start, end, " ".join((head, *words[start + 1 : end])), form, "v" if form else "nv")


def participle(words: Sequence[str], at: int) -> tuple[str, str]:
    """The lemma of a participle after "be" or of a gerund, and its tag; of any other word itself and "".

    >>> participle(["be", "born", "in"], 1), participle(["begin", "buying"], 1), participle(["be", "head", "of"], 1)
    (('bear', 'VBN'), ('buy', 'VBG'), ('head', ''))
    """
    word, before = words[at], words[at - 1] if at else ""
    form = PASSIVE if before == BE else GERUND if before and word.endswith("ing") else ""
    lemma = _lemma(word, form) if form else ""
    return (lemma, form) if lemma else (word, "")


@lru_cache(maxsize=65536)
def _lemma(word: str, form: str) -> str:
    """The verb of which a word is a form, "" where it is none of a known one: "found" is of find, not of found."""
    from lemminflect import getInflection, getLemma

    verbs = getLemma(word, "VERB", lemmatize_oov=False)
    return next((verb for verb in verbs if word in getInflection(verb, form)), "")


def replaced(words: Sequence[str], read: Reading, name: str) -> list[str]:
    """The predicate with another verb or noun in a span's place, in the form of what stood there, however it is spelt.

    >>> replaced(["be", "taken", "over", "by"], Reading(1, 3, "take over", "VBN"), "buy out")
    ['be bought out by']
    """
    head, *rest = name.split()
    return [" ".join((*words[: read.start], one, *rest, *words[read.end :])) for one in _inflected(head, read.form)]


@lru_cache(maxsize=65536)
def _inflected(verb: str, form: str) -> tuple[str, ...]:
    from lemminflect import getInflection

    return (getInflection(verb, form) or (verb,)) if form else (verb,)
