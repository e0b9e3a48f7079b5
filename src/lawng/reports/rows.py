"""The columns of the data set: what a user gets, one row per example, every text beside its origin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, get_type_hints

import pyarrow as pa

from lawng.tables import schema_of

SPLITS = ("train", "validation", "test")
"""The splits in the order in which they are written and shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """One example of the data set with its premises in all granularities and its provenance."""

    id: Annotated[str, "Example id: citing opinion, start of the parenthetical, original or twin."]
    twin_id: Annotated[str, "The example with the same premise and the negated hypothesis."]
    hypothesis: Annotated[str, "What the citing judge says of the cited case, after normalisation (and negation)."]
    label: Annotated[str, "entailment, neutral or contradiction; stored by name."]
    premise_short: Annotated[str, "The cited pages, extended to whole paragraphs, citations removed."]
    premise_long: Annotated[str, "The whole majority opinion, citations removed."]
    premise_short_raw: Annotated[str, "The cited pages as in the opinion."]
    premise_long_raw: Annotated[str, "The majority opinion as in the source."]
    premise_long_prepended: Annotated[str, "premise_long with its last paragraphs copied to its beginning."]
    premise_bm25_short: Annotated[str, "The best paragraphs of the short premise by BM25, in document order."]
    premise_bm25_long: Annotated[str, "The best paragraphs of the long premise by BM25, in document order."]
    pivotal_negation: Annotated[bool, "Whether the hypothesis contains pivotal negation."]
    is_twin: Annotated[bool, "Whether this is the negated member of its pair."]
    analysis: Annotated[bool, "Whether the long premise is within the analysis subset's token limit."]
    split: Annotated[str, "train, validation or test."]
    original_label: Annotated[str, "Label of the original member of the pair."]
    jurisdiction: Annotated[str, "State of the cited case, or us for every federal court."]
    steps: Annotated[list[str], "What was done to the hypothesis, in order."]
    citing_case_id: Annotated[str, "Case whose judge wrote the parenthetical."]
    citing_case_name: Annotated[str, "Its name."]
    citing_opinion_id: Annotated[str, "Opinion that the parenthetical stands in."]
    citing_start: Annotated[int, "First character of the parenthetical in that opinion's text."]
    citing_end: Annotated[int, "End (exclusive) of the parenthetical in that opinion's text."]
    citing_page: Annotated[str, "Reporter page that the parenthetical stands on, empty where not marked."]
    cited_case_id: Annotated[str, "Case that the parenthetical describes."]
    cited_case_name: Annotated[str, "Its name."]
    cited_cite: Annotated[str, "Reporter citation that the pin belongs to."]
    cited_pages: Annotated[list[int], "Pages that the pin names."]
    pin_cite: Annotated[str, "Pin as written."]
    premise_case_id: Annotated[str, "Case of the premise; the cited case, except in neutral examples."]
    premise_case_name: Annotated[str, "Its name."]
    premise_opinion_id: Annotated[str, "Majority opinion that the premises come from."]
    premise_start: Annotated[int, "First character of the short premise in that opinion's text."]
    premise_end: Annotated[int, "End (exclusive) of the short premise in that opinion's text."]
    premise_pages: Annotated[list[int], "Reporter pages of the short premise."]
    tokens_hypothesis: Annotated[int, "Tokens of the hypothesis."]
    tokens_short: Annotated[int, "Tokens of premise_short."]
    tokens_long: Annotated[int, "Tokens of premise_long."]
    tokens_short_raw: Annotated[int, "Tokens of premise_short_raw."]
    tokens_long_raw: Annotated[int, "Tokens of premise_long_raw."]


TEXTS = (
    "hypothesis",
    "premise_short",
    "premise_long",
    "premise_short_raw",
    "premise_long_raw",
    "premise_long_prepended",
    "premise_bm25_short",
    "premise_bm25_long",
)
"""The columns that hold text of opinions or made from it; a release without text leaves them out."""


@cache
def row_schema() -> pa.Schema:
    """The Arrow schema of the data files.

    Plain strings instead of large ones: `datasets.ClassLabel` reads label names only from those.

    >>> row_schema().field("label").type
    DataType(string)
    """
    return pa.schema([column.with_type(_small(column.type)) for column in schema_of(Row)])


def column_notes() -> dict[str, str]:
    """What each column holds, by name, in column order."""
    return {name: hint.__metadata__[0] for name, hint in get_type_hints(Row, include_extras=True).items()}


def _small(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_large_list(kind):
        return pa.list_(_small(kind.value_type))
    return pa.string() if pa.types.is_large_string(kind) else kind
