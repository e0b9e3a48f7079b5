"""Stage 40-negation: each hypothesis with its negation, or the reason why it has none (LawngNLI, A.1.3, A.1.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lawng.build.context import Context, Work, depends
from lawng.engine import Seen, Stage, StageResult, iter_parts, iter_records
from lawng.nli.negation import BeneparConstituents, Negated, Negator, Refusal
from lawng.nli.records import Negatable, Screened
from lawng.records import Reject

NAME = "40-negation"


@dataclass(frozen=True)
class Negate:
    """The task: a part of screened candidates, negated together."""

    model: str
    seed: int
    benepar: str | None = None

    def __call__(self, part: Path) -> Iterator[Negatable | Reject | Seen]:
        """Negatable hypotheses and refusals."""
        items = list(iter_records(part, Screened))
        yield Seen(len(items), "screened")
        answers = self._negator.negate_all([item.hypothesis for item in items], self.seed)
        for item, answer in zip(items, answers, strict=True):
            yield _negatable(item, answer)

    @cached_property
    def _negator(self) -> Negator:
        constituents = BeneparConstituents(self.benepar, self.model) if self.benepar else None
        return Negator(self.model, constituents=constituents)

    def __reduce__(self) -> tuple[type, tuple[str, int, str | None]]:
        return type(self), (self.model, self.seed, self.benepar)  # the loaded model stays in its process


def negate_hypotheses(context: Context, screened: StageResult) -> StageResult:
    """Run the stage; its parts are those of the screened candidates."""
    model, benepar = context.config.negation.model, context.config.negation.benepar
    options = {"model": context.models["negation"].identity, "benepar": benepar, "seed": context.seed}
    inputs = depends([(screened, "screened")], options, ["spacy", "lemminflect", "benepar"])

    def work() -> Work:
        return iter_parts(screened.table("screened")), Negate(model, context.seed, benepar)

    seconds = 0.02 * screened.tally.out["screened"]
    return context.run(Stage(NAME, {"negatable": Negatable}, inputs, ("screened", "negatable")), work, seconds)


def _negatable(item: Screened, answer: Negated | Refusal) -> Negatable | Reject:
    if isinstance(answer, Refusal):
        return Reject("negation", item.candidate.candidate_id, answer.reason, answer.detail)
    change = f"negation: {answer.change} ({answer.rule})"
    return Negatable(item.candidate, item.hypothesis, answer.text, answer.pivotal_negation, change, item.steps)
