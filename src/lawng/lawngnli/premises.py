"""Step 80-premises: premises in all granularities, each once, and what BM25 keeps of them (LawngNLI, A.1.9, 4.1).

`removed` are the opinion's `lawng.lawngnli.citation_removal.cuts`, made once for all its premises.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from lawng.io import iter_records
from lawng.lawngnli.citation_removal import cuts, without
from lawng.lawngnli.difficulty import bigram_overlap
from lawng.lawngnli.sources import Source, sources, to_slices
from lawng.lawngnli.tokens import TokenCount, token_counter
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Example, LongPremise, Opinion, PremiseView, ShortPremise, Span
from lawng.text.paragraphs import BEST, PREPENDED_TOKENS, bm25_view, prepended

_Row = LongPremise | ShortPremise | PremiseView | Count


def long_premise(
    opinion: Opinion, removed: Sequence[Span], count_tokens: TokenCount, *, prepend_tokens: int = PREPENDED_TOKENS
) -> LongPremise:
    """The whole opinion as a premise (LawngNLI, A.1.1, A.1.9); its footnotes stand at the end."""
    text = without(opinion.text, removed)
    return LongPremise(
        opinion_id=opinion.opinion_id,
        case_id=opinion.case_id,
        text=text,
        raw=opinion.text,
        prepended=prepended(text, count_tokens, prepend_tokens),
        tokens=count_tokens(text),
        tokens_raw=count_tokens(opinion.text),
    )


def short_premise(opinion: Opinion, span: Span, removed: Sequence[Span], count_tokens: TokenCount) -> ShortPremise:
    """The cited pages as a premise (LawngNLI, A.1.1, A.1.9); `span` is that of the candidate."""
    text, raw = without(opinion.text, removed, span), opinion.text[span.start : span.end]
    return ShortPremise(
        opinion_id=opinion.opinion_id,
        start=span.start,
        end=span.end,
        text=text,
        raw=raw,
        tokens=count_tokens(text),
        tokens_raw=count_tokens(raw),
    )


def premise_view(
    example: Example, short: ShortPremise, long: LongPremise, count_tokens: TokenCount, *, n: int = BEST
) -> PremiseView:
    """What BM25 keeps of an example's premises: the n best paragraphs for its hypothesis (LawngNLI, 4.1)."""
    return PremiseView(
        example_id=example.example_id,
        bm25_short=bm25_view(short.text, example.hypothesis, n),
        bm25_long=bm25_view(long.text, example.hypothesis, n),
        hypothesis_tokens=count_tokens(example.hypothesis),
        overlap=bigram_overlap(example.hypothesis, short.text),
    )


def write_premises(
    unit: tuple[Source, Path], tokenizer: str, prepend_tokens: int, bm25_paragraphs: int
) -> Iterator[_Row]:
    """Long premises, short premises, and the views of the examples that have them as premises."""
    source, examples_of_it = unit
    by_opinion: dict[str, list[Example]] = defaultdict(list)
    for example in iter_records(examples_of_it, Example):
        by_opinion[example.premise_opinion_id].append(example)
    yield Count(sum(map(len, by_opinion.values())), "examples")
    for opinion, citations in source.pairs(by_opinion):
        count, removed = token_counter(tokenizer), cuts(opinion.text, citations)
        long = long_premise(opinion, removed, count, prepend_tokens=prepend_tokens)
        yield long
        examples = by_opinion[opinion.opinion_id]
        spans = sorted({(example.premise_start, example.premise_end) for example in examples})
        shorts = {span: short_premise(opinion, Span(*span), removed, count) for span in spans}
        yield from shorts.values()
        for example in examples:
            short = shorts[example.premise_start, example.premise_end]
            yield premise_view(example, short, long, count, n=bm25_paragraphs)


def _prepare(inputs: Inputs) -> Work:
    files = to_slices(inputs, "examples", "premise_opinion_id", "opinion_id")
    task = partial(
        write_premises,
        tokenizer=inputs.model("tokenizer").place,
        prepend_tokens=inputs.option("premises.prepend_tokens"),
        bm25_paragraphs=inputs.option("premises.bm25_paragraphs"),
    )
    return list(zip(sources(inputs), files, strict=False)), task


STEP = Step(
    "80-premises",
    {"long_premises": LongPremise, "short_premises": ShortPremise, "views": PremiseView},
    _prepare,
    tables=("examples", "citations"),
    corpus=True,
    options=("premises.prepend_tokens", "premises.bm25_paragraphs"),
    models=("tokenizer",),
    libraries=("tokenizers",),
    balance=("examples", "views"),
    seconds=0.05,
)
