"""What the contradiction algorithm answers, and the edits that it makes of.

Edits go by character offsets: all that is not named in an edit stays byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Negated:
    """A text whose truth value was flipped by exactly one pivotal negation (LawngNLI, A.1.5)."""

    text: str
    pivotal_negation: bool
    """Whether the INPUT contained pivotal negation, so that one was removed (A.1.3)."""
    change: str
    """For people: what was replaced by what, such as `held -> did not hold`."""
    rule: str
    """The rule that made it, such as `verb: add do-support`."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put `new` in the place of the characters ``[start, end)``."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The edits that flip one clause, and what they do."""

    edits: tuple[Edit, ...]
    removes: bool
    """True when the clause had pivotal negation, which the edits take away."""
    rule: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made.

    >>> apply_edits("it held so", [Edit(3, 7, "did not hold")])
    'it did not hold so'
    """
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def describe(text: str, edits: Iterable[Edit]) -> str:
    """What the edits do, in words: `held -> did not hold`; an insertion names the word before it.

    >>> describe("it was so", [Edit(6, 6, " not")])
    'was -> was not'
    """
    said = []
    for edit in sorted(edits):
        start = edit.start
        if start == edit.end or not edit.new:
            start = text.rfind(" ", 0, start) + 1
        old, new = text[start : edit.end], text[start : edit.start] + edit.new
        said.append(f"{old.strip() or '(nothing)'} -> {new.strip() or '(nothing)'}")
    return ", ".join(said)


def like(original: str, word: str) -> str:
    """The word with the initial case of the original.

    >>> like("No", "some"), like("no", "some")
    ('Some', 'some')
    """
    return word[:1].upper() + word[1:] if original[:1].isupper() else word[:1].lower() + word[1:]
