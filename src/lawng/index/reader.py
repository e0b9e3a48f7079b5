"""An index to read: what matches a query, and what is known of passages, descriptions, cases and opinions.

    index = Index.open("index")
    index.match_passages("prior restraint of the press", k=10) -> [Found(id, case_id, score), ...]

An index stays at the version that it was opened at, however it grows meanwhile; `refreshed()` gives the newest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lawng.corpus.cites import read_cite
from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.index.encode import check_encoder
from lawng.index.links import Owners, mentions, rows
from lawng.index.passages import DESCRIBING
from lawng.index.rank import NO_FILTERS, Rankers
from lawng.index.store import Commit, Store, reading
from lawng.index.tables import cites_of, name_key
from lawng.index.treated import CaseTreatment, case_treatments, treatments_of
from lawng.index.where import both, chunks, is_in, quoted, where
from lawng.models.onnx.encoder import search_embedder
from lawng.models.protocols import Embedder, unit
from lawng.schema import TREATMENTS, Citation, Description, Filters, IndexedCase, Opinion, Passage, Treatment
from lawng.schema.arrow import from_rows, schema_of

T = TypeVar("T")


class Counts(NamedTuple):
    """How much of an index passes filters."""

    n_cases: int
    n_passages: int


class Citing(NamedTuple):
    """A case that cites another."""

    case_id: str
    n_mentions: int
    opinion_id: str
    """Where it does so first."""
    start: int
    """Offset of that mention in the opinion's text."""


class Pin(NamedTuple):
    """The pages of a case that a later opinion cites."""

    description_id: str
    """What it says there of the case."""
    case_id: str
    pages: list[int]


class Facets(NamedTuple):
    """What can be filtered by: values with their numbers of cases, the most frequent first."""

    courts: list[tuple[str, int]]
    jurisdictions: list[tuple[str, int]]
    parts: list[tuple[str, int]]
    first_date: str
    last_date: str


class IndexInfo(NamedTuple):
    """What an index is."""

    encoder: str
    n_cases: int
    n_opinions: int
    n_passages: int
    n_descriptions: int
    created: str
    """ISO, UTC."""
    changed: str
    lawng: str
    n_shortened: int
    """Passages and descriptions of which the encoder read only the beginning."""


def _fits(encoder: Embedder, commit: Commit) -> bool:
    """Whether an encoder in use is that of another version, too: an index made anew may have another."""
    try:
        check_encoder(encoder, commit, "")
    except ConfigError:
        return False
    return True


class Index(Rankers):
    """An index at one version; safe to use from several threads."""

    def __init__(self, store: Store, commit: Commit, encoder: Embedder | None) -> None:
        super().__init__(store.place, store.at(commit.version_of))
        self.version = commit.number
        self._store = store
        self._commit = commit
        self._given = encoder
        self._lock = Lock()
        self._warm = False

    @classmethod
    @explained()
    def open(cls, place: str | Path, encoder: str | Embedder | None = None) -> Index:
        """Open an index at its last complete version, with the encoder that it was made with unless told.

        Raises MissingError when there is none, InputError when it is damaged, StageError when it is not finished yet,
        ConfigError when the encoder told is another than the index's.
        """
        store = Store.existing(place)
        commit = store.complete()
        model = search_embedder(encoder) if isinstance(encoder, str) else encoder
        if model:
            check_encoder(model, commit, store.place)
        with reading(store.place):
            return cls(store, commit, model)

    @property
    def info(self) -> IndexInfo:
        """What the index is."""
        c = self._commit
        sizes = (c.n_cases, c.n_opinions, c.n_passages, c.n_descriptions)
        return IndexInfo(c.encoder, *sizes, c.created, c.time, c.lawng, c.n_shortened)

    @cached_property
    def encoder(self) -> Embedder:
        """The encoder, loaded when first asked for.

        Raises MissingError when it cannot be had, ConfigError when it is no longer the one of the index.
        """
        with self._lock:
            if self._given is None:
                found = search_embedder(self._commit.encoder_source)
                check_encoder(found, self._commit, self.place)
                self._given = found
            return self._given

    def warm(self) -> Index:
        """This index with its encoder loaded, and its vectors in memory where they fit: for who asks often.

        Raises what `encoder` raises.
        """
        self._load_vectors(self.encoder.width)
        self._warm = True
        return self

    def refreshed(self) -> Index:
        """This index when nothing newer is complete, else the newer version, warm when this one is."""
        newest = self._store.complete()
        if newest == self.edition:
            return self
        with reading(self.place):
            index = Index(self._store, newest, self._given if self._given and _fits(self._given, newest) else None)
        return index.warm() if self._warm else index

    @property
    def edition(self) -> Commit:
        """What tells it from every other version at its place: an index that was made anew counts from 1 again."""
        return self._commit

    def close(self) -> None:
        """Let go of what is kept in memory."""
        self._let_go()

    def encode(self, text: str) -> NDArray[np.float32]:
        """The text as a unit vector; only what the encoder's window holds of it."""
        vectors = unit(self.encoder.encode([text]).vectors)
        return vectors.reshape(-1)

    def count(self, filters: Filters = NO_FILTERS, phrases: Sequence[str] = ()) -> Counts:
        """How many cases and passages pass the filters and have each phrase in a passage."""
        with reading(self.place):
            if phrases:
                found = self._with_phrases(filters, phrases)
                return Counts(len({case_id for _, case_id in found}), len(found))
            if filters == NO_FILTERS:
                return Counts(self._commit.n_cases, self._commit.n_passages)
            n_cases = self._tables["cases"].count_rows(where(filters, "parts"))
            return Counts(n_cases, self._tables["passages"].count_rows(where(filters)))

    def passages(self, ids: Iterable[str]) -> dict[str, Passage]:
        """Passages by id, in the order asked for; an id that is not there is left out."""
        return self._by_id("passages", Passage, "passage_id", ids)

    def descriptions(self, ids: Iterable[str]) -> dict[str, Description]:
        """Descriptions by id, in the order asked for; an id that is not there is left out."""
        return self._by_id("descriptions", Description, "description_id", ids)

    def cases(self, ids: Iterable[str]) -> dict[str, IndexedCase]:
        """Cases by id, in the order asked for; an id that is not there is left out."""
        return self._by_id("cases", IndexedCase, "case_id", ids)

    def passages_of(self, opinion_id: str) -> list[Passage]:
        """The passages of an opinion in text order."""
        found = self._records("passages", Passage, is_in("opinion_id", [opinion_id]))
        return sorted(found, key=lambda passage: passage.start)

    def descriptions_of(
        self, case_ids: Iterable[str], limit: int, kinds: Sequence[str] = DESCRIBING
    ) -> dict[str, list[Description]]:
        """How later opinions describe cases: the newest descriptions of each, at most `limit`; a case without: [].

        `kinds` are those of descriptions; unless told, citing sentences are left out.
        """
        found: dict[str, list[Description]] = {case_id: [] for case_id in case_ids}
        for some in chunks(found):
            condition = both(is_in("case_id", some), is_in("kind", kinds))
            for description in self._records("descriptions", Description, condition):
                found[description.case_id].append(description)
        for case_id, described in found.items():
            described.sort(key=lambda d: d.description_id)
            described.sort(key=lambda d: d.citing_date, reverse=True)
            found[case_id] = described[:limit]
        return found

    def treatments_of(
        self, case_ids: Iterable[str], labels: Sequence[str] = TREATMENTS, *, separate: bool = False
    ) -> dict[str, list[Treatment]]:
        """What later cases did to cases, the newest first; `lawng.index.treated` says what counts."""
        with reading(self.place):
            return treatments_of(self._tables, case_ids, labels, separate=separate)

    def case_treatments(self, case_ids: Iterable[str]) -> dict[str, CaseTreatment]:
        """By case what a reader must know of what later cases did to it, and how many were read."""
        with reading(self.place):
            return case_treatments(self._tables, case_ids)

    def pins(self, case_ids: Iterable[str]) -> list[Pin]:
        """Which pages of cases later opinions cite, and in what descriptions; by description."""
        found = []
        columns = ["description_id", "case_id", "pin_pages"]
        with reading(self.place):
            for some in chunks(case_ids):
                condition = both(is_in("case_id", some), "array_length(`pin_pages`) > 0")
                found += [
                    Pin(*(row[name] for name in columns))
                    for row in rows(self._tables["descriptions"], condition, columns)
                ]
        return sorted(found)

    def opinion(self, opinion_id: str) -> Opinion:
        """An opinion by its id.

        Raises InputError when it is not in the index.
        """
        found = self._records("opinions", Opinion, is_in("opinion_id", [opinion_id]))
        if not found:
            raise InputError(f"{self.place}: no opinion {opinion_id!r} in this index")
        return found[0]

    def citations(self, opinion_id: str) -> list[Citation]:
        """The citations in an opinion, in text order, linked to the cases of this index."""
        found = self._records("citations", Citation, is_in("opinion_id", [opinion_id]))
        owners = Owners(self._tables["cites"])
        cites = [cites_of(citation.resolved_cite, citation.parallel) for citation in found]
        with reading(self.place):
            owners.ask(chain(*cites))
        linked = [replace(c, cited_case_id=owners.link(some)) for c, some in zip(found, cites, strict=True)]
        return sorted(linked, key=lambda c: (c.start, c.end))

    def citing(self, case_id: str, limit: int) -> list[Citing]:
        """The other cases that cite a case, those with most mentions first, then by id; at most `limit`."""
        found: dict[str, list[tuple[str, int]]] = defaultdict(list)
        with reading(self.place):
            for _, row in mentions(self._tables, {case_id}, ["opinion_id", "start"]):
                found[row["citing_case_id"]].append((row["opinion_id"], row["start"]))
        ranked = sorted(found, key=lambda citing: (-len(found[citing]), citing))
        return [Citing(citing, len(found[citing]), *min(found[citing])) for citing in ranked[:limit]]

    def case_ids(self) -> list[str]:
        """The ids of all cases, ascending."""
        with reading(self.place):
            return sorted(row["case_id"] for row in rows(self._tables["cases"], "", ["case_id"]))

    def cases_by_cite(self, cite: str) -> list[str]:
        """The cases that have a reporter cite, in any spelling: [] when none, several when it is ambiguous."""
        read = read_cite(cite)
        with reading(self.place):
            return Owners(self._tables["cites"]).of(read.cite) if read else []

    def cases_by_name(self, name: str) -> list[str]:
        """The cases of exactly this name, short or full; case, punctuation and "v." or "vs." do not count."""
        key = name_key(name)
        if not key:
            return []
        condition = f"`name_key` = {quoted(key)} OR `full_name_key` = {quoted(key)}"
        with reading(self.place):
            return sorted(row["case_id"] for row in rows(self._tables["cases"], condition, ["case_id"]))

    def facets(self) -> Facets:
        """What can be filtered by."""
        return self._facets

    @cached_property
    def _facets(self) -> Facets:
        counts: dict[str, Counter[str]] = {name: Counter() for name in ("court", "jurisdiction", "parts")}
        dates = set()
        with reading(self.place):
            for row in rows(self._tables["cases"], "", [*counts, "date"]):
                counts["court"][row["court"]] += 1
                counts["jurisdiction"][row["jurisdiction"]] += 1
                counts["parts"].update(set(row["parts"]))
                dates.add(row["date"])
        courts, places, parts = (sorted(c.items(), key=lambda item: (-item[1], item[0])) for c in counts.values())
        known = sorted(dates - {""}) or [""]
        return Facets(courts, places, parts, known[0], known[-1])

    def _by_id(self, table: str, record: type[T], key: str, ids: Iterable[str]) -> dict[str, T]:
        ordered = list(dict.fromkeys(ids))
        found = {getattr(r, key): r for some in chunks(ordered) for r in self._records(table, record, is_in(key, some))}
        return {i: found[i] for i in ordered if i in found}

    def _records(self, table: str, record: type[T], condition: str) -> list[T]:
        kind: type = record
        with reading(self.place):
            query = self._tables[table].search().where(condition).select(schema_of(kind).names).limit(None)
            return list(from_rows(query.to_arrow().to_pylist(), record))
