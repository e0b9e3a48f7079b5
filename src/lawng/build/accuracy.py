"""Stage 30-accuracy: the accuracy filters, one after another (LawngNLI, A.1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from lawng.build.context import Context, Work, depends
from lawng.engine import Seen, Stage, StageResult, iter_parts, iter_records
from lawng.nli.filters import PartyIndex, screen
from lawng.nli.records import Screened
from lawng.records import Candidate, Case, Reject

NAME = "30-accuracy"


@dataclass(frozen=True)
class Screen:
    """The task: a part of candidates through all filters."""

    parties: PartyIndex
    only_explanatory: bool

    def __call__(self, part: Path) -> Iterator[Screened | Reject | Seen]:
        """Screened candidates and rejects."""
        for candidate in iter_records(part, Candidate):
            yield Seen(1, "candidates")
            yield screen(candidate, self.parties, only_explanatory=self.only_explanatory)


def screen_candidates(context: Context, candidates: StageResult) -> StageResult:
    """Run the stage; its parts are those of the candidates."""
    options = asdict(context.config.filters)
    inputs = depends([(candidates, "candidates")], {**options, "corpus": context.corpus_digests})

    def work() -> Work:
        parties = PartyIndex.of(iter_records(context.corpus / "cases", Case))
        return iter_parts(candidates.table("candidates")), Screen(parties, **options)

    seconds = 0.0005 * candidates.tally.out["candidates"]
    return context.run(Stage(NAME, {"screened": Screened}, inputs, ("candidates", "screened")), work, seconds)
