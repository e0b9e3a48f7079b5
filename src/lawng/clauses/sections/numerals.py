"""Numbers as contracts write them: in roman numerals, as letters, in words, in Spanish too ("DÉCIMA SEGUNDA").

to_roman, from_roman     to_letters, from_letters     to_word, from_word     ORDINAL, a pattern     unaccented(word)
"""

from __future__ import annotations

import re
from unicodedata import combining, normalize

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x")),
    *((9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_CARDINAL_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_WORDS = _CARDINAL_WORDS.split()
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINALS = _ORDINAL_WORDS.split()


def to_roman(number: int) -> str:
    """A number from 1 in small roman numerals.

    >>> to_roman(14), to_roman(49)
    ('xiv', 'xlix')
    """
    out = ""
    for value, sign in _ROMAN:
        out += sign * (number // value)
        number %= value
    return out


_FROM_ROMAN = {to_roman(number): number for number in range(1, 400)}


def from_roman(written: str) -> int | None:
    """The number that small roman numerals stand for, below 400; None when it is none.

    >>> from_roman("xiv"), from_roman("iiii"), from_roman("")
    (14, None, None)
    """
    return _FROM_ROMAN.get(written)


def to_letters(number: int) -> str:
    """A number from 1 as a small letter; past 26 the letter is repeated, as Word and drafters do.

    >>> to_letters(3), to_letters(28)
    ('c', 'bb')
    """
    times, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (times + 1)


def from_letters(written: str) -> int | None:
    """The number of a small letter, or of one repeated; None for other words.

    >>> from_letters("c"), from_letters("bb"), from_letters("ab")
    (3, 28, None)
    """
    if not written or set(written) != {written[0]} or not "a" <= written[0] <= "z":
        return None
    return ord(written[0]) - ord("a") + 1 + 26 * (len(written) - 1)


_ONES = ("primer", "segund", "tercer", "cuart", "quint", "sext", "septim", "octav", "noven")
_TENS = ("decim", "vigesim", "trigesim")
_SPANISH = {
    **{stem: number for number, stem in enumerate(_ONES, 1)},
    **{stem: 10 * number for number, stem in enumerate(_TENS, 1)},
    **{"undecim": 11, "duodecim": 12, "unic": 1},
}
ORDINAL = (
    r"(?i:(?:(?:d[ée]cim|vig[ée]sim|trig[ée]sim)[oa]?[ \t]*)?"
    r"(?:primer|segund|tercer|cuart|quint|sext|s[ée]ptim|octav|noven)[oa]?"
    r"|(?:d[ée]cim|vig[ée]sim|trig[ée]sim|und[ée]cim|duod[ée]cim|[úu]nic)[oa])"
)
"""A Spanish ordinal in words, of one word or two, in any case, with or without its accents."""
_STEM = re.compile("|".join(sorted(_SPANISH, key=len, reverse=True)))


def unaccented(word: str) -> str:
    """A word in small letters without accents.

    >>> unaccented("CLÁUSULA")
    'clausula'
    """
    return "".join(character for character in normalize("NFD", word.lower()) if not combining(character))


def from_word(written: str) -> int | None:
    """The number of an English word to twenty, cardinal or (to twelfth) ordinal, or of a Spanish ordinal, in any case.

    >>> from_word("TWELVE"), from_word("Third"), from_word("Term")
    (12, 3, None)
    >>> from_word("PRIMERA"), from_word("Décima Segunda"), from_word("decimotercera")
    (1, 12, 13)
    """
    word = written.lower()
    for words in (_WORDS, _ORDINALS):
        if word in words:
            return words.index(word) + 1
    if not re.fullmatch(ORDINAL, written):
        return None
    return sum(_SPANISH[stem] for stem in _STEM.findall(unaccented(written)))


def to_word(number: int, ordinal: bool = False) -> str:
    """A number as an English word where there is one here, else in digits.

    >>> to_word(12), to_word(2, ordinal=True), to_word(31)
    ('Twelve', 'Second', '31')
    """
    words = _ORDINALS if ordinal else _WORDS
    return words[number - 1].capitalize() if 1 <= number <= len(words) else str(number)
