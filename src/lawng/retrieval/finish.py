"""The last steps of a commit that readers may see: links, counts, indices; and old versions go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lawng.records import Description, IndexedCase
from lawng.retrieval.encode import Encoding
from lawng.retrieval.links import Tables, changed_cites, cited_by, relinked, rows, touched
from lawng.retrieval.schema import CASES, DESCRIPTIONS, TABLES, VECTOR, WAITING, TableSpec, cites_of
from lawng.retrieval.store import compact
from lawng.retrieval.where import chunks, is_in
from lawng.tables import schema_of

_LINKED_FIRST = ("cites", "citations", "waiting")
"""Tables that links are found by: they are indexed before the others."""
_IVF_FROM = 10_000
"""Vectors from which an index of them pays; fewer are compared one by one."""
_PER_PARTITION, _FEWEST_PARTITIONS, _MOST_PARTITIONS = 2048, 16, 256
_MOST_ADDITIONS = 8
"""Additions after which the index of vectors is made anew."""


def link(tables: Tables, since: int, encoding: Encoding) -> None:
    """Bring descriptions and counts up to what the cases since a commit change."""
    for spec in TABLES:
        if spec.name in _LINKED_FIRST:
            refresh(tables[spec.name], spec)
    changed = changed_cites(tables, since)
    _move(tables, relinked(tables, changed, since), encoding)
    _count(tables, touched(tables, changed, since))


def refresh_all(tables: Tables) -> None:
    """Make or update the indices of all tables; their versions are then those to commit."""
    for spec in TABLES:
        refresh(tables[spec.name], spec)


def clean_up(tables: Tables, keep: Mapping[str, int]) -> None:
    """Drop the versions before those to keep."""
    for spec in TABLES:
        compact(tables[spec.name], keep[spec.name])


def refresh(table: Any, spec: TableSpec) -> None:
    """Make the indices that are missing, and bring the others up to date."""
    n_rows = table.count_rows()
    if not n_rows:
        return
    there = {column for index in table.list_indices() for column in index.columns}
    for column, config in _indices(spec, n_rows):
        if column not in there or (column == VECTOR and _scattered(table)):
            table.create_index(column, config=config, replace=True)
    compact(table, None)


def _indices(spec: TableSpec, n_rows: int) -> Iterable[tuple[str, Any]]:
    from lancedb.index import Bitmap, BTree, IvfFlat, LabelList

    yield from ((column, BTree()) for column in spec.btree)
    yield from ((column, Bitmap()) for column in spec.bitmap)
    yield from ((column, LabelList()) for column in spec.labels)
    if spec.words:
        yield spec.words, _full_text(spec)
    if spec.vectors and n_rows >= _IVF_FROM:
        # exact: all partitions are read in a search, they only part the work
        n_partitions = min(_MOST_PARTITIONS, max(_FEWEST_PARTITIONS, n_rows // _PER_PARTITION))
        yield VECTOR, IvfFlat(distance_type="dot", num_partitions=n_partitions)


def _scattered(table: Any) -> bool:
    """Whether the index of vectors has grown by so many additions that a new one pays."""
    stats = table.index_stats(f"{VECTOR}_idx")
    return stats is not None and (stats.num_indices or 0) > _MOST_ADDITIONS


def _full_text(spec: TableSpec) -> Any:
    from lancedb.index import FTS

    return FTS(with_position=spec.phrases, stem=True, remove_stop_words=False)


def _move(tables: Tables, links: Mapping[str, str | None], encoding: Encoding) -> None:
    """Put each description where its link says: among the searched, or among those that wait for their case."""
    if not links:
        return
    encoding.watch.begin("descriptions", sum(case is not None for case in links.values()))
    parted = False
    for ids in chunks(links, 2048):
        found, searched = _taken(tables, ids)
        parted |= searched
        cases = _cases(tables, {case for i in ids if (case := links[i])})
        _add(tables, [(_about(d, links[d.description_id], cases), commit) for d, commit in found], encoding)
    if parted:
        # words of rows that went still count in the scores until the index is made anew
        tables["descriptions"].create_index(DESCRIPTIONS.words, config=_full_text(DESCRIPTIONS), replace=True)


def _taken(tables: Tables, ids: list[str]) -> tuple[list[tuple[Description, int]], bool]:
    """Descriptions taken out of the tables, each with the number of its commit; and whether any was searched."""
    condition = is_in("description_id", ids)
    taken: list[tuple[Description, int]] = []
    for name in ("waiting", "descriptions"):
        found = list(rows(tables[name], condition, [*schema_of(Description).names, "commit"]))
        if found:
            tables[name].delete(condition)
        taken += [(Description(**row), commit) for row in found if (commit := row.pop("commit"))]
    return taken, bool(found)


def _about(description: Description, case_id: str | None, cases: Mapping[str, IndexedCase]) -> Description:
    if case_id is None:
        return replace(description, case_id="", court="", jurisdiction="", date="")
    case = cases[case_id]
    return replace(description, case_id=case_id, court=case.court, jurisdiction=case.jurisdiction, date=case.date)


def _cases(tables: Tables, ids: Iterable[str]) -> dict[str, IndexedCase]:
    names = schema_of(IndexedCase).names
    found = (row for some in chunks(ids) for row in rows(tables["cases"], is_in("case_id", some), names))
    return {row["case_id"]: IndexedCase(**row) for row in found}


def _add(tables: Tables, descriptions: list[tuple[Description, int]], encoding: Encoding) -> None:
    for spec, there in ((DESCRIPTIONS, True), (WAITING, False)):
        some = [(d, commit) for d, commit in descriptions if bool(d.case_id) is there]
        if some:
            records = [d for d, _ in some]
            vectors = encoding.vectors([d.text for d in records]) if spec.vectors else None
            cites = [cites_of(d.cite, d.parallel) for d in records]
            more: dict[str, list[Any]] = {"cites": cites, "commit": [commit for _, commit in some]}
            tables[spec.name].add(spec.rows(records, encoding.embedder.width, vectors, more))


def _count(tables: Tables, cases: set[str]) -> None:
    """Write how many cases cite each of the cases, where that changed."""
    counts = cited_by(tables, cases)
    for some in chunks(counts):
        found = tables["cases"].search().where(is_in("case_id", some)).limit(None).to_arrow().to_pylist()
        changed = [row | {"cited_by": n} for row in found if row["cited_by"] != (n := counts[row["case_id"]])]
        if changed:
            import pyarrow as pa

            new = pa.Table.from_pylist(changed, schema=CASES.schema(0))
            tables["cases"].merge_insert("case_id").when_matched_update_all().execute(new)
