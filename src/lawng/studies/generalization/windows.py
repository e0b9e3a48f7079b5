"""A long premise judged window by window: each label has its most probable window (SeNtLI, SummaC, AlignScore).

Windowed(model).judge(premises, hypotheses)     pin_seen(example, premise, words_seen(...)) what was read of cited pages
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lawng.models.protocols import Judged, PairModel
from lawng.schema.views import SHORT
from lawng.studies.generalization.examples import Example
from lawng.text.paragraphs import BREAK
from lawng.text.windows import windows_of

Floats = NDArray[np.float64]
WORDS = 200
"""Of a window: some 280 tokens, so that a hypothesis fits beside it."""


class Windowed:
    """A judge of pairs that reads premises of any length.

    Entailment has the probability of the window that entails most, contradiction that of the one that contradicts most
    (Schuster et al. 2022; Laban et al. 2022; Zha et al. 2023), neutral what the larger of both leaves; then all are
    scaled to 1. So a label needs more than one half in some window.
    """

    def __init__(self, model: PairModel, words: int = WORDS) -> None:
        self.name, self.state = model.name, model.state
        self._model, self._words = model, words
        self.passages: list[str] = []
        """Of the premises judged last, the window that decided each."""
        self.seen: list[list[bool]] = []
        """And of each which of its words were read, see `words_seen`."""

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """One judgement per pair, in order; `read` is the share of the window that was read least."""
        cut = [windows_of(premise, self._words, apart=True) or [""] for premise in premises]
        owner = [at for at, windows in enumerate(cut) for _ in windows]
        judged = self._model.judge([text for windows in cut for text in windows], [hypotheses[at] for at in owner])
        probs, read = np.exp(judged.log_probs), np.asarray(judged.read)
        rows = [np.flatnonzero(np.asarray(owner) == at) for at in range(len(cut))]
        self.seen = [words_seen(windows, read[own]) for windows, own in zip(cut, rows, strict=True)]
        self.passages = [windows[_decided(probs[own])] for windows, own in zip(cut, rows, strict=True)]
        scores = np.array([_together(probs[own]) for own in rows]).reshape(-1, 3)
        return Judged(np.log(scores), [_least(read[own]) for own in rows])


def words_seen(texts: Sequence[str], read: Iterable[float]) -> list[bool]:
    """Which words of some texts, one after another, were read, where of each the beginning was, this share of it.

    >>> words_seen(["One sleeps.", "Two eat."], [1.0, 0.5])
    [True, True, True, False]
    """
    counts = [len(text.split()) for text in texts]
    return [at < round(share * n) for n, share in zip(counts, read, strict=True) for at in range(n)]


def pin_seen(example: Example, premise: str, seen: Sequence[bool]) -> float:
    """Share of the paragraphs of the short premise that stand in a premise and were read, whole.

    `seen` tells of each word of the premise whether it was. -1 without a short premise, or where nothing was read.

    >>> from lawng.schema.labels import Label
    >>> one = Example("", "", Label.NEUTRAL, {"short": "B."}, "", False, False, "")
    >>> pin_seen(one, "A.\\n\\nB.", [True, True]), pin_seen(one, "A.\\n\\nB.", [True, False])
    (1.0, 0.0)
    """
    cited = [text for text in example.premises.get(SHORT, "").split(BREAK) if text.strip()]
    if not cited or not any(seen):
        return -1.0
    read: set[str] = set()
    at = 0
    for text in premise.split(BREAK):
        end = at + len(text.split())
        read |= {text} if all(seen[at:end]) else set()
        at = end
    return sum(text in read for text in cited) / len(cited)


def _least(read: Floats) -> float:
    """The least share of a window that was read, of those that got an answer; 0.0 where none did."""
    return float(read[read > 0].min(initial=1.0)) if read.any() else 0.0


def _together(probs: Floats) -> Floats:
    """Probabilities of the three labels from those of the windows, n x 3.

    >>> _together(np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]])).round(3).tolist()
    [0.636, 0.273, 0.091]
    """
    entailed, contradicted = probs[:, 0].max(), probs[:, 2].max()
    found = np.maximum([entailed, 1 - max(entailed, contradicted), contradicted], 1e-12)
    return np.asarray(found / found.sum())


def _decided(probs: Floats) -> int:
    return int(probs[:, [0, 2]].max(axis=1).argmax())
