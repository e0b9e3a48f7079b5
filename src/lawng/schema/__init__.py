"""The records that every room speaks, from a case as imported to a finished example and a hit.

Spans are half-open character offsets ``[start, end)`` into ``Opinion.text`` unless a field says otherwise.
Each record is a frozen dataclass; `lawng.schema.arrow` derives its Arrow schema from the annotations.
Rooms import them from here, whichever file they stand in.
"""

from lawng.schema.corpus import (
    OPINION_TYPES,
    PARENTHETICAL_KINDS,
    Case,
    Citation,
    Footnote,
    Opinion,
    PageMark,
    Parenthetical,
    ReporterCite,
    Span,
)
from lawng.schema.dataset import Candidate, Example, LongPremise, Mention, PremiseView, Reject, ShortPremise
from lawng.schema.search import Clause, ContractText, Description, Filters, IndexedCase, Judgement, Passage, ScoredDoc
from lawng.schema.treatment import KINDS, NEGATIVE, TREATMENTS, UNDONE, Treatment

__all__ = [
    "KINDS",
    "NEGATIVE",
    "OPINION_TYPES",
    "PARENTHETICAL_KINDS",
    "TREATMENTS",
    "UNDONE",
    "Candidate",
    "Case",
    "Citation",
    "Clause",
    "ContractText",
    "Description",
    "Example",
    "Filters",
    "Footnote",
    "IndexedCase",
    "Judgement",
    "LongPremise",
    "Mention",
    "Opinion",
    "PageMark",
    "Parenthetical",
    "Passage",
    "PremiseView",
    "Reject",
    "ReporterCite",
    "ScoredDoc",
    "ShortPremise",
    "Span",
    "Treatment",
]
