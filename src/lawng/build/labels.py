"""Stage 50-labels: thirds of labels over the whole table, then the difficulty filters (LawngNLI, A.1.4, A.1.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from lawng.build.candidates import Passage, passage_key
from lawng.build.context import Context, Work, depends
from lawng.engine import Seen, Stage, StageResult, iter_parts, iter_records
from lawng.nli.difficulty import difficulty
from lawng.nli.labels import label_thirds
from lawng.nli.records import Labelled, Negatable, own_premise
from lawng.records import Reject

NAME = "50-labels"


@dataclass(frozen=True)
class WithPassages:
    """A unit: a part of a table, and the part of the passages that its candidates describe."""

    part: Path
    passages: Path

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.part.name

    def texts(self) -> dict[str, str]:
        """The passages' texts by key."""
        return {passage.key: passage.text for passage in iter_records(self.passages, Passage)}


@dataclass(frozen=True)
class Label:
    """The task: the label that was drawn for each hypothesis, and the difficulty filters."""

    labels: Mapping[str, str]
    min_words: int
    max_overlap: float

    def __call__(self, unit: WithPassages) -> Iterator[Labelled | Reject | Seen]:
        """Labelled hypotheses and rejects."""
        texts = unit.texts()
        for item in iter_records(unit.part, Negatable):
            yield Seen(1, "negatable")
            labelled = Labelled(
                item.candidate,
                item.hypothesis,
                item.flipped,
                item.pivotal_negation,
                item.change,
                item.steps,
                self.labels[item.candidate.candidate_id],
            )
            premise = texts[passage_key(own_premise(item.candidate))]
            yield difficulty(labelled, premise, min_words=self.min_words, max_overlap=self.max_overlap)


def label_hypotheses(context: Context, negatable: StageResult, candidates: StageResult) -> StageResult:
    """Run the stage; its parts are those of the negatable hypotheses."""
    options = asdict(context.config.difficulty)
    inputs = depends([(negatable, "negatable"), (candidates, "passages")], {**options, "seed": context.seed})

    def work() -> Work:
        everything = iter_records(negatable.table("negatable"), Negatable)
        labels = {item.candidate.candidate_id: item.label for item in label_thirds(everything, context.seed)}
        return with_passages(negatable.table("negatable"), candidates), Label(labels, **options)

    seconds = 0.001 * negatable.tally.out["negatable"]
    return context.run(Stage(NAME, {"labelled": Labelled}, inputs, ("negatable", "labelled")), work, seconds)


def with_passages(table: Path, candidates: StageResult) -> list[WithPassages]:
    """The parts of a table whose parts are those of the candidates, each with its passages."""
    pairs = zip(iter_parts(table), iter_parts(candidates.table("passages")), strict=True)
    return [WithPassages(*pair) for pair in pairs]
