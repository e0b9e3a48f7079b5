"""The records that every room speaks, from a case as imported to a finished example and a hit.

Spans are half-open character offsets ``[start, end)`` into ``Opinion.text`` unless a field says otherwise.
Each record is a frozen dataclass; `lawng.tables` derives its Arrow schema from the annotations.
Rooms import them from here, whichever file they stand in.
"""

from lawng.records.citations import PARENTHETICAL_KINDS, Citation, Parenthetical
from lawng.records.clauses import Clause
from lawng.records.corpus import OPINION_TYPES, Case, Footnote, Opinion, PageMark, ReporterCite, Span
from lawng.records.dataset import Candidate, Example, LongPremise, PremiseView, Reject, ShortPremise
from lawng.records.search import Description, Filters, IndexedCase, Judgement, Passage, ScoredDoc

__all__ = [
    "OPINION_TYPES",
    "PARENTHETICAL_KINDS",
    "Candidate",
    "Case",
    "Citation",
    "Clause",
    "Description",
    "Example",
    "Filters",
    "Footnote",
    "IndexedCase",
    "Judgement",
    "LongPremise",
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
]
