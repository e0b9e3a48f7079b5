"""The three labels of natural language inference, in the one order that lawng uses."""

from __future__ import annotations

from enum import StrEnum


class Label(StrEnum):
    """An NLI label; never travels as a bare integer, since models disagree on the order."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"

    @property
    def flipped(self) -> Label:
        """The label once the hypothesis is negated: neutral stays neutral (LawngNLI, A.1.8).

        >>> Label.ENTAILMENT.flipped
        <Label.CONTRADICTION: 'contradiction'>
        """
        return _FLIPPED[self]


_FLIPPED = {
    Label.ENTAILMENT: Label.CONTRADICTION,
    Label.NEUTRAL: Label.NEUTRAL,
    Label.CONTRADICTION: Label.ENTAILMENT,
}

LABELS: tuple[Label, ...] = tuple(Label)
"""All labels in column order: entailment, neutral, contradiction."""
