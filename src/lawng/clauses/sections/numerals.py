"""Numbers as contracts write them: 12, xii, l, aa, Twelve; to and from integers."""

from __future__ import annotations

import re

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_ROMAN_ALL = (*_ROMAN, (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_IS_ROMAN = re.compile(r"(?=.)(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
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
    for value, sign in _ROMAN_ALL:
        out += sign * (number // value)
        number %= value
    return out


def from_roman(written: str) -> int | None:
    """The number that small roman numerals stand for, below 400; None when it is none.

    >>> from_roman("xiv"), from_roman("iiii"), from_roman("")
    (14, None, None)
    """
    if not _IS_ROMAN.fullmatch(written):
        return None
    values = {sign: value for value, sign in _ROMAN_ALL}
    total, at = 0, 0
    while at < len(written):
        sign = written[at : at + 2] if written[at : at + 2] in values else written[at]
        total += values[sign]
        at += len(sign)
    return total


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


def from_word(written: str) -> int | None:
    """The number of an English word to twenty, cardinal or (to twelfth) ordinal, in any case.

    >>> from_word("TWELVE"), from_word("Third"), from_word("Term")
    (12, 3, None)
    """
    word = written.lower()
    for words in (_WORDS, _ORDINALS):
        if word in words:
            return words.index(word) + 1
    return None


def to_word(number: int, ordinal: bool = False) -> str:
    """A number as an English word where there is one here, else in digits.

    >>> to_word(12), to_word(2, ordinal=True), to_word(31)
    ('Twelve', 'Second', '31')
    """
    words = _ORDINALS if ordinal else _WORDS
    return words[number - 1].capitalize() if 1 <= number <= len(words) else str(number)
