"""Balanced brackets: how far a parenthetical reaches, however long and however nested."""

from __future__ import annotations

import re

MAX_LENGTH = 6000
"""Longest parenthetical in characters; a bracket that stays open longer is taken for a misprint."""

_BRACKET = {"(": re.compile(r"[()]"), "[": re.compile(r"[\[\]]")}
_CLOSED_BY_SENTENCE = {"(": re.compile(r"\)(?=[.;,]|\s*$|\s[A-Z(])"), "[": re.compile(r"\](?=[.;,]|\s*$|\s[A-Z(])")}
_MISPRINT_LENGTH = 800
_LIST_LABEL = re.compile(r"(?:^|[\s(,;])(?:\d|[a-h]|i{1,3}|iv|v)$")


def closing(text: str, opening: int) -> tuple[int, bool] | None:
    """Offset of the bracket that closes the one at `opening` and whether they are balanced; None where none does.

    A list label such as "a)" closes nothing as long as a later bracket does. If a bracket never closes (a misprint
    or an OCR error), the first closing bracket that ends a citation sentence is taken, within 800 characters.

    >>> closing("x (a (b) c) d", 2)
    (10, True)
    >>> closing("(because a) the fee and b) the fine)", 0)
    (35, True)
    >>> closing("(because (a) the fee. Next", 0)
    """
    end = _balanced(text, opening, labels=True)
    if end is None:
        end = _balanced(text, opening, labels=False)
    if end is not None:
        return end, True
    misprint = _misprint(text, opening)
    return None if misprint is None else (misprint, False)


def _balanced(text: str, opening: int, *, labels: bool) -> int | None:
    depth = 0
    kind = text[opening]
    for match in _BRACKET[kind].finditer(text, opening, min(len(text), opening + MAX_LENGTH)):
        if match.group() == kind:
            depth += 1
        elif not (labels and depth == 1 and _LIST_LABEL.search(text, max(opening, match.start() - 4), match.start())):
            depth -= 1
        if depth == 0:
            return match.start()
    return None


def _misprint(text: str, opening: int) -> int | None:
    end = min(len(text), opening + _MISPRINT_LENGTH)
    match = _CLOSED_BY_SENTENCE[text[opening]].search(text, opening + 1, end)
    return match.start() if match else None
