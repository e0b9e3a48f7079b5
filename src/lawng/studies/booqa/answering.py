"""How a system of the study of BoOQA answers: each piece of evidence is scored, and the best one counts.

Source: Li et al. 2022, section 4.3 and appendix G.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.directional.booqa.records import Evidence, Question
from lawng.directional.prompts import Prompting
from lawng.errors import ConfigError
from lawng.io.progress import Progress
from lawng.models.find import shown_name, slug
from lawng.studies.booqa.data import Questions
from lawng.studies.harness import Depends, Notes
from lawng.studies.levyholt.systems import LevyHoltSettings, check_names

_AT_ONCE = 20_000
"""Pieces of evidence that are scored together, which bounds the memory."""
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class BooqaSettings:
    """Options of the study."""

    encoders: tuple[str, ...] = ("all-MiniLM-L6-v2",)
    graphs: tuple[Path, ...] = ()
    levyholt: Path | None = None
    """What prompts are trained on; without it they are left out."""
    prompts: LevyHoltSettings = field(default_factory=lambda: LevyHoltSettings(prompting=(), subsets=("full",)))
    """How; `hypothesis-only` is trained on the masked propositions too."""
    seed: int = 7
    resamples: int = 1000

    def __post_init__(self) -> None:
        check_names(self.prompts)
        if self.levyholt is None and set(self.prompts.prompting) - {Prompting.HYPOTHESIS_ONLY}:
            raise ConfigError(f"{self.prompts.prompting[0]} prompts are trained on LevyHolt; name it with --levyholt")
        for what, names in (
            ("graphs", [slug(graph.absolute().name) for graph in self.graphs]),
            ("encoders", [shown_name(encoder) for encoder in self.encoders]),
        ):
            if twice := sorted({name for name in names if names.count(name) > 1}):
                raise ConfigError(f"two {what} are called {twice[0]}: systems are named after them; rename one")

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON has it, folders by name."""
        own = {"graphs": [graph.name for graph in self.graphs], "levyholt": self.levyholt and self.levyholt.name}
        prompts = {name: value for name, value in asdict(self.prompts).items() if name not in {"entailed", "encoders"}}
        own["encoders"] = [shown_name(encoder) for encoder in self.encoders]
        return asdict(self) | own | {"prompts": prompts}


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """What a system says of a question: higher is surer that it is true; 0 where there is no evidence."""

    question_id: str
    score: float
    evidence: str
    """The piece that speaks for it most: DOCUMENT@START of its sentence."""


Piece = tuple[Evidence, Question]


def relations(data: Questions, question: Question) -> Sequence[Evidence]:
    """Each relation of a question's evidence once."""
    return distinct(data.pieces(question), lambda piece: piece.predicate)


@dataclass
class Answering:
    """The best piece of evidence decides. What differs is which pieces there are, and how they are scored."""

    depends: Depends | None
    scores: Callable[[Questions, Sequence[Piece], Progress], Scores]
    """How far each piece speaks for its question."""
    pieces: Callable[[Questions, Question], Sequence[Evidence]] = relations
    notes: Callable[[], Notes] = dict

    def answer(self, data: Questions, progress: Progress) -> Iterator[QuestionScore]:
        """Every question of a split."""
        done = 0
        for batch in self._batches(data):
            values = self.scores(data, [(piece, one) for one, pieces in batch for piece in pieces], progress)
            at = 0
            for question, pieces in batch:
                own, at = values[at : at + len(pieces)], at + len(pieces)
                best = int(own.argmax()) if len(pieces) else -1
                where = (float(own[best]), pieces[best].sentence_id) if len(pieces) else (0.0, "")
                yield QuestionScore(question.question_id, *where)
            done += len(batch)
            progress(done, len(data.questions))

    def _batches(self, data: Questions) -> Iterator[list[tuple[Question, Sequence[Evidence]]]]:
        batch, size = list[tuple[Question, Sequence[Evidence]]](), 0
        for question in data.questions:
            batch.append((question, self.pieces(data, question)))
            size += len(batch[-1][1])
            if size >= _AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch


def distinct(pieces: Iterable[Evidence], text: Callable[[Evidence], str]) -> list[Evidence]:
    """The first piece of each text."""
    found: dict[str, Evidence] = {}
    for piece in pieces:
        found.setdefault(text(piece), piece)
    return [*found.values()]
