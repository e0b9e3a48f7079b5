"""A corpus into an index: in batches, each committed, so that a killed run goes on where it was.

index_corpus(corpus, place, encoder) -> IndexResult
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lawng import __version__
from lawng.corpus.reader import MANIFEST, Corpus
from lawng.errors import InputError, MissingError, StageError
from lawng.extras import explained
from lawng.index.encode import Encoding, Watch, check_encoder
from lawng.index.links import link, rows
from lawng.index.passages import TARGET, Measure
from lawng.index.prepare import Batch, ahead, batches
from lawng.index.store import FORM, Commit, Store, Tables, compact, refresh, writing
from lawng.index.tables import (
    CASE_CITES,
    CASES,
    CITATIONS,
    OPINIONS,
    PASSAGES,
    TABLES,
    TREATMENTS,
    WAITING,
    CaseCite,
    cites_of,
    name_key,
)
from lawng.io import read_table
from lawng.io.parquet import reading
from lawng.models.encoder import embedder
from lawng.models.find import FINDER, OFFLINE, shipped_model
from lawng.models.protocols import Embedder
from lawng.schema import Description, Treatment

BATCH = 2048
"""Passages between two commits at least: what a killed run loses at most."""


@dataclass
class IndexResult:
    """What an indexing run did."""

    place: str
    commit: Commit
    """The last one: a complete one."""
    n_added: int = 0
    """Cases that came in this run."""
    n_skipped: int = 0
    """Cases that were in the index already."""
    n_texts: int = 0
    """Passages and descriptions that were encoded."""
    seconds: dict[str, float] = field(default_factory=dict)
    """`total`, and of it `encode` in the encoder."""


@dataclass
class _Run:
    """An indexing run under way."""

    store: Store
    tables: Tables
    encoding: Encoding
    last: Commit
    """The last commit, which the next one goes on from."""
    n_added: int = 0
    n_skipped: int = 0

    def commit(self, complete: bool) -> None:
        """Make what is in the tables a state to go back to, and with `complete` one that readers see."""
        tables = self.tables
        made = replace(
            self.last,
            number=self.last.number + 1,
            complete=complete,
            time=_now(),
            versions=json.dumps({name: table.version for name, table in tables.items()}, sort_keys=True),
            **{f"n_{name}": tables[name].count_rows() for name in ("cases", "opinions", "passages", "descriptions")},
            n_shortened=self.last.n_shortened + self.encoding.n_shortened,
        )
        self.store.append(made)
        self.encoding.n_shortened = 0
        self.last = made


@explained()
def index_corpus(  # noqa: PLR0913 (what a run depends on)
    corpus: Path,
    place: str | Path,
    encoder: str | Embedder | None = None,
    *,
    add: bool = False,
    watch: Watch | None = None,
    batch: int = BATCH,
) -> IndexResult:
    """Index a corpus, or with `add` bring it to what is indexed; a run that was killed goes on where it was.

    `encoder` is a sentence-transformers model by Hub name or folder, or one at hand; None is the one that the index
    was made with, `lawng-finder` for a new one. Cases that are there already are skipped and counted.

    Raises MissingError when the corpus, the model, or the index to add to is not there, InputError when something
    else is at the place, ConfigError when the index has another encoder, StageError when another run is unfinished.
    """
    start = datetime.now(UTC)
    reader = Corpus(corpus)
    if not any(_n_rows(part) for part in reader.parts()):
        raise InputError(f"{corpus}: the corpus has no opinion to index; lawng rejects {corpus} says what was dropped")
    with writing(str(place)), _writing(place, reader, encoder, add) as run:
        done = run.last.complete
        if not done or run.last.corpus != _fingerprint(reader):
            run.encoding.watch = watch or run.encoding.watch
            _read(run, reader, batch)
        total = (datetime.now(UTC) - start).total_seconds()
        seconds = {"total": total, "encode": run.encoding.seconds}
        return IndexResult(str(place), run.last, run.n_added, run.n_skipped, run.encoding.n_texts, seconds)


def _n_rows(part: Path) -> int:
    with reading(part):
        return int(pq.read_metadata(part).num_rows)


@contextmanager
def _writing(place: str | Path, corpus: Corpus, encoder: str | Embedder | None, add: bool) -> Iterator[_Run]:
    """A run on the index at a place, which nobody else writes meanwhile."""
    there = _is_there(place)
    if add and not there:
        raise MissingError(f"{place}: no index to add to; leave out --add to make one")
    if not there and encoder:
        _encoder(encoder)  # what is no model leaves no folder
    if not there and "://" not in str(place):
        Path(place).mkdir(parents=True, exist_ok=True)
    store = Store.existing(place) if there else Store(place)
    with store.alone():
        found = store.commits() if store.has("commits") else []  # another may have made it since
        if found:
            _check_turn(found[-1], corpus, add)
            yield _going_on(store, found[-1], encoder)
        else:
            yield _beginning(store, corpus, encoder)


def _is_there(place: str | Path) -> bool:
    """Whether an index is there; InputError when something else is."""
    if "://" in str(place):
        return Store(place).has("commits")
    path = Path(place)
    if path.exists() and not path.is_dir():
        raise InputError(f"{place}: is a file; name a folder with -o")
    empty = not path.exists() or next(path.iterdir(), None) is None
    if not empty and not Store(place).has("commits"):
        raise InputError(f"{place}: is there and is no index; name another place with -o")
    return not empty


def _check_turn(last: Commit, corpus: Corpus, add: bool) -> None:
    """Whether this corpus is the one to go on with, or may be added."""
    if last.corpus == _fingerprint(corpus):
        return
    if not last.complete:
        raise StageError(
            f"indexing {last.corpus_name} was interrupted; run lawng index {last.corpus_name} with the same -o first"
        )
    if not add:
        raise InputError("an index is there already; --add adds to it, or name another place with -o")


def _beginning(store: Store, corpus: Corpus, encoder: str | Embedder | None) -> _Run:
    model = _encoder(encoder or (FINDER if shipped_model(FINDER) else OFFLINE))
    store.create(model.width)
    source = encoder if isinstance(encoder, str) else model.name
    first = Commit(
        number=0,
        complete=False,
        time=_now(),
        versions="{}",
        corpus=_fingerprint(corpus),
        corpus_name=str(corpus.folder),
        encoder=model.name,
        encoder_source=str(Path(source).absolute()) if Path(source).is_dir() else source,
        encoder_state=model.state,
        width=model.width,
        target=TARGET,
        form=FORM,
        lawng=__version__,
        created=_now(),
    )
    tables = store.back_to({spec.name: 1 for spec in TABLES})
    return _Run(store, tables, Encoding(model), first)


def _going_on(store: Store, last: Commit, encoder: str | Embedder | None) -> _Run:
    model = _encoder(encoder or last.encoder_source)
    check_encoder(model, last, store.place)
    return _Run(store, store.back_to(last.version_of), Encoding(model), last)


def _encoder(given: str | Embedder) -> Embedder:
    return embedder(given) if isinstance(given, str) else given


def _read(run: _Run, corpus: Corpus, size: int) -> None:
    complete = [commit for commit in run.store.commits() if commit.complete]
    since = complete[-1].number if complete else 0
    before = run.last
    run.last = replace(run.last, corpus=_fingerprint(corpus), corpus_name=str(corpus.folder))
    known = {row["case_id"] for row in rows(run.tables["cases"], "", ["case_id"])}
    model = run.encoding.embedder
    measure = Measure(model.count_tokens, model.max_tokens, run.last.target)
    with run.encoding.step("passages", _characters(corpus, known)):
        for batch in ahead(batches(corpus, known, measure, size)):
            run.n_skipped += batch.n_skipped
            if batch.cases:
                _write(run, batch)
    if not run.n_added + run.n_skipped:
        raise InputError(f"{corpus.folder}: the corpus has no case; nothing was indexed")
    if before.complete and not run.n_added:
        run.last = before
        return
    _finish(run, since, complete[-1].version_of if complete else None)


def _finish(run: _Run, since: int, keep: dict[str, int] | None) -> None:
    link(run.tables, since, run.encoding)
    run.commit(complete=False)
    for spec in TABLES:
        refresh(run.tables[spec.name], spec)
    run.commit(complete=True)
    for name, version in (keep or run.last.version_of).items():
        compact(run.tables[name], version)


def _write(run: _Run, batch: Batch) -> None:
    """One batch into the tables, and a commit."""
    width, number = run.encoding.embedder.width, run.last.number + 1
    vectors = run.encoding.vectors([p.searched for p in batch.passages], [p.end - p.start for p in batch.passages])
    new = {"passages": PASSAGES.rows(batch.passages, width, vectors), "opinions": _opinions(batch)}
    for name, table in (new | _linkable(batch, number)).items():
        if table.num_rows:
            run.tables[name].add(table)
    run.n_added += len(batch.cases)
    run.last = replace(run.last, n_undescribed=run.last.n_undescribed + batch.n_undescribed)
    run.commit(complete=False)


def _opinions(batch: Batch) -> pa.Table:
    """The opinions of a batch, with what is matched of them and what filters ask for."""
    cases = {case.case_id: case for case in batch.cases}
    own = [cases[opinion.case_id] for opinion in batch.opinions]
    searched: dict[str, list[str]] = {opinion.opinion_id: [] for opinion in batch.opinions}
    for passage in batch.passages:
        searched[passage.opinion_id].append(passage.searched)
    more = {name: [getattr(case, name) for case in own] for name in ("court", "jurisdiction", "date")} | {
        "part": [opinion.type for opinion in batch.opinions],
        "searched": ["\n".join(searched[opinion.opinion_id]) for opinion in batch.opinions],
    }
    return OPINIONS.rows(batch.opinions, more=more)


def _linkable(batch: Batch, number: int) -> dict[str, pa.Table]:
    """The rows of a batch that links are made by, with the number of their commit."""
    citations = [citation for _, citation in batch.citations]
    cites = [CaseCite(cite, case.case_id) for case in batch.indexed for cite in dict.fromkeys(case.citations)]
    mentions: dict[str, list[Any]] = {
        "cites": [cites_of(c.resolved_cite, c.parallel) for c in citations],
        "citing_case_id": [case_id for case_id, _ in batch.citations],
    }
    keys = {
        "name_key": [name_key(case.name) for case in batch.cases],
        "full_name_key": [name_key(case.name_full) for case in batch.cases],
    }
    return {
        "cases": CASES.rows(batch.indexed, more=keys),
        "cites": CASE_CITES.rows(cites, more={"commit": [number] * len(cites)}),
        "waiting": WAITING.rows(batch.descriptions, more=_named(batch.descriptions, number)),
        "treatments": TREATMENTS.rows(batch.treatments, more=_named(batch.treatments, number)),
        "citations": CITATIONS.rows(citations, more=mentions | {"commit": [number] * len(citations)}),
    }


def _named(said: Sequence[Description | Treatment], number: int) -> dict[str, list[Any]]:
    """The columns that late linking finds by what is said of other cases."""
    return {"cites": [cites_of(one.cite, one.parallel) for one in said], "commit": [number] * len(said)}


def _characters(corpus: Corpus, known: set[str]) -> int:
    """Characters that are to be indexed, for the time left."""
    lengths = read_table(corpus.folder / "opinions", ["case_id", "body_end"])
    pairs = zip(lengths["case_id"].to_pylist(), lengths["body_end"].to_pylist(), strict=True)
    return sum(length for case_id, length in pairs if case_id not in known)


def _fingerprint(corpus: Corpus) -> str:
    found = corpus.manifest.get("fingerprint")
    if not isinstance(found, str):
        raise InputError(f"{corpus.folder / MANIFEST}: has no fingerprint; import the corpus again")
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
