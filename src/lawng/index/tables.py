"""The tables of an index: their columns follow from the records, their indices stand here.

| table | rows | found by |
|---|---|---|
| `passages` | Passage, its vector | words of `searched`, vector, filters, ids |
| `descriptions` | Description that is linked to a case, its vector | words of `text`, vector, filters, ids, cites |
| `waiting` | Description whose case is not in the index, or named by a cite of several cases | cites |
| `cases` | IndexedCase, keys of its names | ids, names |
| `opinions` | Opinion, what filters ask for | words of `searched`, filters, ids |
| `citations` | Citation, its case and cites | opinion, cites |
| `cites` | which case has which cite | cites, case |
| `treatments` | Treatment, its cites; its case where one of the index is meant | ids, case, cites |
| `commits` | Commit | |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawng.schema import Case, Citation, Description, IndexedCase, Opinion, Passage, Treatment
from lawng.schema.arrow import schema_of

VECTOR = "vector"
_APOSTROPHE = re.compile(r"['’‘`]")
_WORD = re.compile(r"\w+")
_LIST = pa.list_(pa.field("item", pa.string(), nullable=False))


@dataclass(frozen=True, slots=True)
class CaseCite:
    """That a case has a cite."""

    cite: str
    case_id: str


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table: its record, columns beside it, and its indices by kind."""

    name: str
    record: type
    key: str
    more: tuple[tuple[str, pa.DataType], ...] = ()
    words: str = ""
    """The column of full text, "" when none."""
    phrases: bool = False
    """Whether the places of words are kept, for phrases."""
    vectors: bool = False
    btree: tuple[str, ...] = ()
    bitmap: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """Columns of lists that are looked into."""

    def schema(self, width: int) -> pa.Schema:
        """The Arrow schema, for vectors of a width."""
        columns = [pa.field(f.name, _small(f.type), f.nullable) for f in schema_of(self.record)]
        columns += [pa.field(name, kind) for name, kind in self.more]
        if self.vectors:
            columns.append(pa.field(VECTOR, pa.list_(pa.float32(), width)))
        return pa.schema(columns)

    def rows(
        self,
        records: Sequence[Any],
        width: int = 0,
        vectors: NDArray[np.float32] | None = None,
        more: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    ) -> pa.Table:
        """Records as rows, with their vectors, and with the values of the columns beside them by name."""
        schema = self.schema(width)
        names = [f.name for f in fields(self.record)]
        plain = pa.Table.from_pylist([asdict(r) for r in records], schema=pa.schema([schema.field(n) for n in names]))
        for name, _ in self.more:
            plain = plain.append_column(schema.field(name), pa.array(more[name], schema.field(name).type))
        if self.vectors:
            flat = np.zeros((len(records), width), np.float32) if vectors is None else vectors
            column = pa.FixedSizeListArray.from_arrays(pa.array(flat.reshape(-1), pa.float32()), width)
            plain = plain.append_column(schema.field(VECTOR), column)
        return plain


COMMIT = ("commit", pa.int64())
"""Number of the commit that brought a row: what came since the last complete one is still to be linked."""
CITES = ("cites", _LIST)
"""The own cite of a mention and the parallel ones: the first that names one case tells whom it is about."""
_PLACES = ("court", "jurisdiction", "part")

PASSAGES = TableSpec(
    "passages",
    Passage,
    "passage_id",
    words="searched",
    phrases=True,
    vectors=True,
    btree=("passage_id", "case_id", "opinion_id", "date"),
    bitmap=_PLACES,
)
DESCRIPTIONS = TableSpec(
    "descriptions",
    Description,
    "description_id",
    (CITES, COMMIT),
    words="text",
    vectors=True,
    btree=("description_id", "case_id", "date"),
    bitmap=(*_PLACES, "kind"),
    labels=("cites",),
)
WAITING = TableSpec(
    "waiting", Description, "description_id", (CITES, COMMIT), btree=("description_id", "commit"), labels=("cites",)
)
CASES = TableSpec(
    "cases",
    IndexedCase,
    "case_id",
    (("name_key", pa.string()), ("full_name_key", pa.string())),
    btree=("case_id", "name_key", "full_name_key", "date"),
    bitmap=_PLACES[:2],
    labels=("parts",),
)
OPINIONS = TableSpec(
    "opinions",
    Opinion,
    "opinion_id",
    tuple((name, pa.string()) for name in (*_PLACES, "date", "searched")),
    words="searched",
    btree=("opinion_id", "date"),
    bitmap=_PLACES,
)
CITATIONS = TableSpec(
    "citations",
    Citation,
    "opinion_id",
    (("citing_case_id", pa.string()), CITES, COMMIT),
    btree=("opinion_id", "commit"),
    labels=("cites",),
)
CASE_CITES = TableSpec("cites", CaseCite, "cite", (COMMIT,), btree=("cite", "case_id", "commit"))
TREATMENTS = TableSpec(
    "treatments",
    Treatment,
    "treatment_id",
    (CITES, COMMIT),
    btree=("treatment_id", "case_id", "commit"),
    labels=("cites",),
)
TABLES = (PASSAGES, DESCRIPTIONS, WAITING, CASES, OPINIONS, CITATIONS, CASE_CITES, TREATMENTS)


def _small(kind: pa.DataType) -> pa.DataType:
    """Lance indexes strings and lists with 32-bit offsets only; a table's pages are far smaller than those reach."""
    if pa.types.is_large_string(kind):
        return pa.string()
    if pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(_small_field(kind.value_field))
    if pa.types.is_struct(kind):
        return pa.struct([_small_field(kind.field(number)) for number in range(kind.num_fields)])
    return kind


def _small_field(field: pa.Field) -> pa.Field:
    return pa.field(field.name, _small(field.type), field.nullable)


def cites_of(own: str | None, parallel: Iterable[str]) -> list[str]:
    """A mention's cites, its own first, each once."""
    return list(dict.fromkeys(cite for cite in (own, *parallel) if cite))


def name_key(name: str) -> str:
    """The key of a case name: case, punctuation, and "vs." for "v." do not count; "" when there is no word.

    >>> name_key("O’Brien vs. STATE, Inc."), name_key("Obrien v. State Inc")
    ('obrien v state inc', 'obrien v state inc')
    """
    words = _WORD.findall(_APOSTROPHE.sub("", name.casefold()))
    return " ".join("v" if word in ("vs", "versus") else word for word in words)


def shown_name(case: Case) -> str:
    """What a case is called where it is shown: its name, else its first cite, else its id (some sources lack both)."""
    return case.name or next((cite.cite for cite in case.citations), f"Case {case.case_id}")
