"""A check of a clause, and how several are asked in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from lawng.nli.negation.clauses import Clause
from lawng.nli.negation.results import Refusal

if TYPE_CHECKING:
    from spacy.tokens import Token

Check = Callable[[Clause], Refusal | None]
"""From a clause to the reason against a change, or None."""


def first_refusal(clause: Clause, checks: Iterable[Check]) -> Refusal | None:
    """The first reason that one of the checks gives; None when all pass."""
    return next((refusal for check in checks if (refusal := check(clause))), None)


def next_word(word: Token) -> Token:
    """The word after this one, or the word itself at the end."""
    return word.nbor(1) if word.i + 1 < len(word.doc) else word
