"""Premises in all granularities: short and long, citations removed or not, prepended, filtered (LawngNLI, A.1.9, 4.1).

    long_premise(opinion, removed, count_tokens) -> LongPremise
    short_premise(opinion, span, removed, count_tokens) -> ShortPremise
    premise_view(example, short, long, count_tokens) -> PremiseView

`removed` are the opinion's `lawng.nli.citation_removal.cuts`, made once for all its premises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawng.nli.citation_removal import without
from lawng.nli.paragraphs import BEST, PREPENDED_TOKENS, bm25_view, prepended
from lawng.records import Example, LongPremise, Opinion, PremiseView, ShortPremise, Span

TokenCount = Callable[[str], int]


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
    )
