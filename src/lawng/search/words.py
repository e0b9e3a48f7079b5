"""Words of English for showing evidence: which say nothing, and a light stem that joins the inflections of the rest.

The index has its own stemmer for ranking; this one decides what is highlighted and quoted, nothing else.
"""

from __future__ import annotations

from functools import lru_cache

from lawng.retrieval.stop_words import STOP_WORDS

_SKIPPED = """
about above after again against all also although am any because before being below between both can cannot could
did do does doing down during each either few further having here hers herself him himself how however i itself just
may me might more most must my myself neither nor now off once only other ought ours ourselves out over own same
shall should some themselves through too until up very why while whose within without would yet you your yours
yourself yourselves
"""
NO_EVIDENCE = STOP_WORDS | frozenset(_SKIPPED.split())
"""Words that are not worth a highlight: those that rank nothing, and more that a reader skips."""
_SUFFIXES = """
izations ization ational fulness ousness iveness ements ement ations ation atory ments ment ators ator ating ated ates
ities ity ances ance ences ence ables able ibly ible ably ively ives ive ions ion ings ing edly ed ers er ors
or ally als al ly es ate s e
"""
_ENDINGS = tuple(_SUFFIXES.split())
_SHORTEST = 3


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word (lower case) without its endings, so that its inflections come out alike; no linguist's stem.

    >>> [stem(word) for word in ("require", "requires", "requiring", "requirement")]
    ['requir', 'requir', 'requir', 'requir']
    >>> [stem(word) for word in ("stop", "stopped", "law", "laws", "is")]
    ['stop', 'stop', 'law', 'law', 'is']
    >>> [stem(word) for word in ("policy", "policies", "police")]
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


@lru_cache(maxsize=100_000)
def evidence_stem(word: str) -> str:
    """The stem of a word in any case, "" for one that is not worth a highlight.

    >>> evidence_stem("Requires"), evidence_stem("The"), evidence_stem("x")
    ('requir', '', '')
    """
    lower = word.lower()
    return stem(lower) if len(lower) > 1 and lower not in NO_EVIDENCE else ""
