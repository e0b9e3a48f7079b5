"""Whether a text is plainly not English, by the words that every sentence has.

other_language(text) -> "Spanish"
"""

from __future__ import annotations

import re
from collections import Counter

_FEWEST = 100
"""Words; fewer say too little."""
_LEAST = 0.12
"""Share of the words of a language that its function words are at least; a contract in English has 0.25 and more."""
_MANY_TIMES = 3
"""So many times the English ones they are: a text in two languages is read for its English half."""
_FUNCTION_WORDS = {
    "English": "the of and to in or any by for shall be this with as is that not on such will",
    "Spanish": "de la el que en los del las por con para una se al lo su es y",
    "French": "de la le les des et du en une par pour dans est sur qui que aux au ou ne",
    "German": "der die und den von zu das mit ist des im für dem nicht oder ein eine auf wird sich",
    "Italian": "di che il la del per della le in con sono dei alla non al da una nel è gli",
    "Portuguese": "de da do que em os para uma com não por dos das ao na no se pela as ou",
    "Dutch": "de van het een en in te dat op voor met zijn is aan door niet of bij deze worden",
}
_FOREIGN = 0.02
"""Share of English function words below which a text is in no language that is named here."""
_OF = {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")


def other_language(text: str) -> str:
    """The language of a text of at least 100 words that is plainly not English, "" for any other text.

    >>> other_language("El presente contrato se rige por las leyes de la República. " * 10)
    'Spanish'
    >>> other_language("This contract is governed by the laws of the Republic. " * 11)
    ''
    """
    found = _WORD.findall(text)
    if len(found) < _FEWEST:
        return ""
    words = Counter(map(str.lower, found))
    counts = {name: sum(words[word] for word in own) for name, own in _OF.items()}
    name, n = max(counts.items(), key=lambda one: one[1])
    if n >= _LEAST * len(found) and n > _MANY_TIMES * counts["English"]:
        return name
    n_names = sum(word[0].isupper() for word in found)  # a list of names has no function words either
    is_foreign = counts["English"] < _FOREIGN * len(found) and n_names < len(found) / 2
    return "another language" if is_foreign else ""
