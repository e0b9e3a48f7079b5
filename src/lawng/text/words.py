"""Words of English: which say nothing, and two stemmers.

content_words(text) -> text     words that a ranking looks for
stems(text) -> list             Snowball's, for ranking texts in memory; `content_stems` leaves the stop words out
light_stem(word) -> stem        what joins the inflections of a word that is highlighted; "" for one that says nothing

An index stems for itself; the light stem decides what is highlighted and quoted, nothing else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_LIST = """
    a an and are as at be been but by for from had has have he her his if in into is it its no nor not of on or our s
    she so such t than that the their them then there these they this those to under upon was we were what when where
    which who whom will with would
"""
STOP_WORDS = frozenset(_LIST.split())
"""Left out of a query's bag of words: they are in an index, for phrases, but rank nothing and cost time."""
_SKIPPED = """
about above after again against all also although am any because before being below between both can cannot could
did do does doing down during each either few further having here hers herself him himself how however i itself just
may me might more most must my myself neither nor now off once only other ought ours ourselves out over own same
shall should some themselves through too until up very why while whose within without would yet you your yours
yourself yourselves
"""
FUNCTION_WORDS = STOP_WORDS | frozenset(_SKIPPED.split())
"""Words that are not worth a highlight: those that rank nothing, and more that a reader skips."""
_SUFFIXES = """
izations ization ational fulness ousness iveness ements ement ations ation atory ments ment ators ator ating ated ates
ities ity ances ance ences ence ables able ibly ible ably ively ives ive ions ion ings ing edly ed ers er ors
or ally als al ly es ate s e
"""
_ENDINGS = tuple(_SUFFIXES.split())
_SHORTEST = 3
_WORD = re.compile(r"\w+")
NO_PIN = r"(?<!\bat\s)" + "".join(
    rf"(?<!\*\d{{{n}}}{joint})" for n in (1, 2, 3) for joint in (r",\s", r"\s&\s", r"\sand\s", "[-–]")
)
"""Before a star page that is a mark: the page of a decision in a database, "at *3, *5", is a pin."""


def content_words(text: str) -> str:
    """The text without stop words, all of it where it has nothing else, "" where it has no word.

    >>> content_words("Whether the State may tax it"), content_words("to be or not to be"), content_words("?!")
    ('Whether State may tax', 'to be or not to be', '')
    """
    words: list[str] = _WORD.findall(text)
    return " ".join([word for word in words if word.lower() not in STOP_WORDS] or words)


@lru_cache(maxsize=1)
def _snowball() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


def stems(text: str) -> list[str]:
    """Words in lower case, stemmed by Snowball's English stemmer; no stop word is left out.

    >>> stems("Third-party claims")
    ['third', 'parti', 'claim']
    """
    found: list[str] = _snowball().stemWords(_WORD.findall(text.lower()))
    return found


def content_stems(text: str) -> list[str]:
    """Stems without the stop words.

    >>> content_stems("the cap on liability")
    ['cap', 'liabil']
    """
    found: list[str] = _snowball().stemWords([w for w in _WORD.findall(text.lower()) if w not in STOP_WORDS])
    return found


@lru_cache(maxsize=100_000)
def light_stem(word: str) -> str:
    """The stem of a word in any case, "" for one that is not worth a highlight.

    >>> light_stem("Requires"), light_stem("The"), light_stem("x")
    ('requir', '', '')
    """
    lower = word.lower()
    return _without_endings(lower) if len(lower) > 1 and lower not in FUNCTION_WORDS else ""


@lru_cache(maxsize=50_000)
def _without_endings(word: str) -> str:
    """A word (lower case) without its endings, so that its inflections come out alike; no linguist's stem.

    >>> [_without_endings(word) for word in ("require", "requires", "requiring", "requirement")]
    ['requir', 'requir', 'requir', 'requir']
    >>> [_without_endings(word) for word in ("stop", "stopped", "law", "laws", "is")]
    ['stop', 'stop', 'law', 'law', 'is']
    >>> [_without_endings(word) for word in ("policy", "policies", "police")]
    ['policy', 'policy', 'polic']
    """
    word = word.replace("’", "'").removesuffix("'s").removesuffix("'")
    if word.endswith(("ies", "ied")) and len(word) > _SHORTEST + 2:
        word = word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")):
            rest = word[: -len(ending)]
            if len(rest) >= _SHORTEST and any(letter in "aeiouy" for letter in rest):
                return _undoubled(rest)
    return word


def _undoubled(rest: str) -> str:
    """The rest of a word without the consonant that was doubled before the ending: "stopp" gives "stop"."""
    return rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
