"""The three labels of natural language inference, in the one order that lawng uses."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from lawng.errors import LabelMapError


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
        return LABELS[2 - LABELS.index(self)]


LABELS: tuple[Label, ...] = tuple(Label)
"""All labels in column order: entailment, neutral, contradiction."""

NOT_ENTAILMENT = "not_entailment"
"""What two-label sets and models call the other two labels together (DocNLI)."""
TWO_LABELS = (str(Label.ENTAILMENT), NOT_ENTAILMENT)

_WORDS = {
    Label.ENTAILMENT: "e entail entails entailed entailment support supports",
    Label.NEUTRAL: "n neutral neither unknown not_enough_info nei",
    Label.CONTRADICTION: "c contradict contradicts contradicted contradiction contradictory refute refutes",
}
"""How data sets and models write the labels, in lower case, blanks and hyphens as underlines."""

_NOT_ENTAILED = {NOT_ENTAILMENT, "not_entailed", "non_entailment"}


def label_of(word: str) -> Label | None:
    """The label that a word stands for in data sets and models, in any case; None when it stands for none.

    >>> label_of("CONTRADICTION"), label_of("LABEL_0")
    (<Label.CONTRADICTION: 'contradiction'>, None)
    """
    plain = _plain(word)
    return next((label for label, words in _WORDS.items() if plain in words.split()), None)


def _plain(word: str) -> str:
    return "_".join(word.lower().replace("-", " ").replace("_", " ").split())


def _two_columns(columns: Mapping[str, int]) -> tuple[int, ...]:
    entailed = [column for word, column in columns.items() if label_of(word) is Label.ENTAILMENT]
    other = [column for word, column in columns.items() if _plain(word) in _NOT_ENTAILED]
    if len(entailed) != 1 or len(other) != 1:
        raise LabelMapError(f"2 labels: {', '.join(map(repr, columns))} are not entailment and {NOT_ENTAILMENT}")
    return entailed[0], other[0]


def label_columns(id2label: Mapping[int, str]) -> tuple[int, ...]:
    """Columns of a model's outputs in the order of `LABELS`, or of `TWO_LABELS`, by what the model itself calls them.

    Raises LabelMapError naming what is missing, doubled or not understood: the order is never guessed.

    >>> label_columns({0: "CONTRADICTION", 1: "neutral", 2: "Entailment"})
    (2, 1, 0)
    >>> label_columns({0: "not_entailment", 1: "entailment"})
    (1, 0)
    """
    if len(id2label) == 2:
        return _two_columns({str(word): int(column) for column, word in id2label.items()})
    columns: dict[Label, list[int]] = {label: [] for label in LABELS}
    strange = []
    for column, word in sorted((int(column), str(word)) for column, word in id2label.items()):
        label = label_of(word)
        if label is None:
            strange.append(f"{word!r} is no NLI label")
        else:
            columns[label].append(column)
    missing = [f"{label} is missing" for label in LABELS if not columns[label]]
    doubled = [f"{label} is there {len(found)} times" for label, found in columns.items() if len(found) > 1]
    if strange or missing or doubled:
        raise LabelMapError(f"{len(id2label)} labels: {'; '.join([*strange, *missing, *doubled])}")
    return tuple(columns[label][0] for label in LABELS)
