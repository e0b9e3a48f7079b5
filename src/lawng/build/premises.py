"""Stage 80-premises: the texts of the premises, each once, and what BM25 keeps of them (LawngNLI, A.1.9)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from lawng.build.context import Context, Work, depends
from lawng.build.opinions import Source, sources, to_slices
from lawng.engine import Seen, Stage, StageResult, iter_records
from lawng.nli.citation_removal import cuts
from lawng.nli.premises import long_premise, premise_view, short_premise
from lawng.nli.tokens import token_counter
from lawng.records import Citation, Example, LongPremise, Opinion, PremiseView, ShortPremise, Span

NAME = "80-premises"

Row = LongPremise | ShortPremise | PremiseView | Seen


@dataclass(frozen=True)
class Premised:
    """A unit: opinions with their citations, and the examples that have them as premises."""

    source: Source
    examples: Path

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.source.name


@dataclass(frozen=True)
class WritePremises:
    """The task: the premises of the opinions of a slice."""

    tokenizer: str
    prepend_tokens: int
    bm25_paragraphs: int

    def __call__(self, unit: Premised) -> Iterator[Row]:
        """Long premises, short premises, and the views of the examples that have them."""
        by_opinion: dict[str, list[Example]] = defaultdict(list)
        for example in iter_records(unit.examples, Example):
            by_opinion[example.premise_opinion_id].append(example)
        yield Seen(sum(map(len, by_opinion.values())), "examples")
        for opinion, citations in unit.source.pairs(by_opinion):
            yield from self._of(opinion, citations, by_opinion[opinion.opinion_id])

    def _of(self, opinion: Opinion, citations: list[Citation], examples: list[Example]) -> Iterator[Row]:
        count = token_counter(self.tokenizer)
        removed = cuts(opinion.text, citations)
        long = long_premise(opinion, removed, count, prepend_tokens=self.prepend_tokens)
        yield long
        spans = sorted({(example.premise_start, example.premise_end) for example in examples})
        shorts = {span: short_premise(opinion, Span(*span), removed, count) for span in spans}
        yield from shorts.values()
        for example in examples:
            short = shorts[example.premise_start, example.premise_end]
            yield premise_view(example, short, long, count, n=self.bm25_paragraphs)


def write_premises(context: Context, examples: StageResult, citations: StageResult) -> StageResult:
    """Run the stage; its parts are those of the opinions."""
    model = context.models["tokenizer"]
    options = {name: value for name, value in asdict(context.config.premises).items() if name != "tokenizer"}
    tables = [(examples, "examples"), (citations, "citations")]
    depend = {**options, "tokenizer": model.identity, "corpus": context.corpus_digests}

    def work() -> Work:
        files = to_slices(
            context, examples.table("examples"), "premise_opinion_id", "opinion_id", context.scratch("examples")
        )
        units = [Premised(*pair) for pair in zip(sources(context, citations), files, strict=False)]
        return units, WritePremises(model.place, **options)

    out = {"long_premises": LongPremise, "short_premises": ShortPremise, "views": PremiseView}
    stage = Stage(NAME, out, depends(tables, depend, ["tokenizers"]), ("examples", "views"))
    return context.run(stage, work, 0.05 * examples.tally.out["examples"])
