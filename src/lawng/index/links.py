"""Which case of the index a cite names, when cases come and go: descriptions, treatments and counts follow it.

A mention is about the first of its cites (its own, then the parallel ones) that exactly one case of the index has.
A case that comes can therefore link what waited for it, or make a cite ambiguous and unlink it. Only mentions of cites
that changed are looked at, so that five additions cost what they bring and equal one rebuild.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from lawng.index.encode import Encoding
from lawng.index.store import Tables, full_text, refresh
from lawng.index.tables import CASES, DESCRIPTIONS, TABLES, TREATMENTS, WAITING, TableSpec, cites_of
from lawng.index.where import chunks, has_any, is_in
from lawng.schema import Description, IndexedCase
from lawng.schema.arrow import schema_of

_LINKED_FIRST = ("cites", "citations", "waiting", "treatments")
"""Tables that links are found by: they are indexed before the others."""


class Owners:
    """Which cases have which cite; asked for in bulk, remembered."""

    def __init__(self, table: Any, since: int | None = None) -> None:
        """Of the whole index, or with `since` of what it was at that commit."""
        self._table = table
        self._since = since
        self._known: dict[str, list[str]] = {}

    def ask(self, cites: Iterable[str]) -> None:
        """Look up cites that `link` will be asked for."""
        for some in chunks(set(cites) - self._known.keys()):
            self._known |= {cite: [] for cite in some}
            for row in rows(self._table, is_in("cite", some), ["cite", "case_id", "commit"]):
                if self._since is None or row["commit"] <= self._since:
                    self._known[row["cite"]].append(row["case_id"])

    def of(self, cite: str) -> list[str]:
        """The cases that have a cite, ascending."""
        self.ask([cite])
        return sorted(set(self._known[cite]))

    def link(self, cites: Sequence[str]) -> str | None:
        """The case that a mention with these cites is about, None when none or several."""
        found = (self.of(cite) for cite in cites)
        return next((cases[0] for cases in found if len(cases) == 1), None)


def rows(table: Any, condition: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows that satisfy a condition ("": all), streaming."""
    for batch in _batches(table, condition, columns):
        yield from batch.to_pylist()


def _batches(table: Any, condition: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    query = table.search().select(list(columns)).limit(None)
    if condition:
        query = query.where(condition)
    yield from query.to_batches(4096)


def changed_cites(tables: Tables, since: int) -> set[str]:
    """The cites of the cases that came after a commit: what they name may have changed."""
    return {row["cite"] for row in rows(tables["cites"], f"`commit` > {since}", ["cite"])}


def touched(tables: Tables, changed: set[str], since: int) -> set[str]:
    """The cases whose citing cases may have changed since a commit: newly or no longer cited, and the new ones."""
    now, before = Owners(tables["cites"]), Owners(tables["cites"], since)
    found = {row["case_id"] for row in rows(tables["cites"], f"`commit` > {since}", ["case_id"])}
    for condition in _mentions(changed, since):
        for batch in _batches(tables["citations"], condition, ["cites"]):
            some = {tuple(cites) for cites in batch.column("cites").to_pylist()}
            for owners in (now, before):
                owners.ask(cite for cites in some for cite in cites)
                found |= {case for cites in some if (case := owners.link(cites))}
    return found


def mentions(tables: Tables, cases: Collection[str], columns: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Mentions of the cases in other cases, with these columns and `citing_case_id`, each behind the case it is about.

    Of many cases a mention may come several times, for each of its parallel cites.
    """
    owners = Owners(tables["cites"])
    cites = {row["cite"] for some in chunks(cases) for row in rows(tables["cites"], is_in("case_id", some), ["cite"])}
    for some in chunks(cites):
        for row in _batch_asked(owners, tables["citations"], has_any("cites", some), ["citing_case_id", *columns]):
            case = owners.link(row["cites"])
            if case and case in cases and case != row["citing_case_id"]:
                yield case, row


def cited_by(tables: Tables, cases: set[str]) -> dict[str, int]:
    """How many other cases cite each of the cases."""
    citing: dict[str, set[str]] = defaultdict(set)
    for case, row in mentions(tables, cases, []):
        citing[case].add(row["citing_case_id"])
    return {case: len(citing[case]) for case in cases}


def relinked(
    tables: Tables, changed: set[str], since: int, specs: Sequence[TableSpec] = (WAITING, DESCRIPTIONS)
) -> dict[str, str | None]:
    """What of some tables, by id, is about another case than they say: the case now, None for none.

    What a case says of itself is not a later court's word: a description waits, a treatment is of no case.
    """
    owners = Owners(tables["cites"])
    found: dict[str, str | None] = {}
    for spec in specs:
        for condition in _mentions(changed, since):
            for row in _batch_asked(owners, tables[spec.name], condition, [spec.key, "case_id", "citing_case_id"]):
                case = owners.link(row["cites"])
                case = None if case == row["citing_case_id"] else case
                if (case or "") != row["case_id"]:
                    found[row[spec.key]] = case
    return found


def _mentions(changed: set[str], since: int) -> Iterator[str]:
    """Conditions that find the mentions to be linked anew."""
    yield f"`commit` > {since}"
    if since:  # else all are new
        yield from (has_any("cites", some) for some in chunks(changed))


def _batch_asked(owners: Owners, table: Any, condition: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a condition, with their cites, which are looked up in bulk."""
    for batch in _batches(table, condition, [*columns, "cites"]):
        found = batch.to_pylist()
        owners.ask(cite for row in found for cite in row["cites"])
        yield from found


def link(tables: Tables, since: int, encoding: Encoding) -> None:
    """Bring descriptions, treatments and counts up to what the cases since a commit change."""
    for spec in TABLES:
        if spec.name in _LINKED_FIRST:
            refresh(tables[spec.name], spec)
    changed = changed_cites(tables, since)
    _move(tables, relinked(tables, changed, since), encoding)
    treated = relinked(tables, changed, since, [TREATMENTS])
    _update(tables, TREATMENTS, "case_id", {one: case or "" for one, case in treated.items()})
    _update(tables, CASES, "cited_by", cited_by(tables, touched(tables, changed, since)))


def _move(tables: Tables, links: Mapping[str, str | None], encoding: Encoding) -> None:
    """Put each description where its link says: among the searched, or among those that wait for their case."""
    if not links:
        return
    parted = False
    with encoding.step("descriptions", sum(case is not None for case in links.values())):
        for ids in chunks(links, 2048):
            found, searched = _taken(tables, ids)
            parted |= searched
            cases = _cases(tables, {case for i in ids if (case := links[i])})
            _add(tables, [(_about(d, links[d.description_id], cases), commit) for d, commit in found], encoding)
    if parted:
        # words of rows that went still count in the scores until the index is made anew
        tables["descriptions"].create_index(DESCRIPTIONS.words, config=full_text(DESCRIPTIONS), replace=True)


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


def _update(tables: Tables, spec: TableSpec, column: str, values: Mapping[str, Any]) -> None:
    """Write a column's values, by key, where they are others than before."""
    for some in chunks(values, 2048):
        found = tables[spec.name].search().where(is_in(spec.key, some)).limit(None).to_arrow().to_pylist()
        changed = [row | {column: new} for row in found if row[column] != (new := values[row[spec.key]])]
        if changed:
            new_rows = pa.Table.from_pylist(changed, schema=spec.schema(0))
            tables[spec.name].merge_insert(spec.key).when_matched_update_all().execute(new_rows)
