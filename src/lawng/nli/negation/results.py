"""What the contradiction algorithm answers: a changed text, or the reason why there is none."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a text was not changed."""

    reason: str
    """A word or two in kebab-case that is also the counter: `no-clause`."""
    detail: str
    """The words that decided it, for a person who checks."""
