"""Words left out of a query's bag of words: they are in the index, for phrases, but rank nothing and cost time."""

from __future__ import annotations

import re

_LIST = """
    a an and are as at be been but by for from had has have he her his if in into is it its no nor not of on or our s
    she so such t than that the their them then there these they this those to under upon was we were what when where
    which who whom will with would
"""
STOP_WORDS = frozenset(_LIST.split())
_WORD = re.compile(r"\w+")


def content_words(text: str) -> str:
    """The query without stop words, all of it where it has nothing else, "" where it has no word.

    >>> content_words("Whether the State may tax it"), content_words("to be or not to be"), content_words("?!")
    ('Whether State may tax', 'to be or not to be', '')
    """
    words: list[str] = _WORD.findall(text)
    return " ".join([word for word in words if word.lower() not in STOP_WORDS] or words)
