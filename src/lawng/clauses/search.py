"""Clauses for a query, of a folder of contracts.

ClauseSearcher.open("contracts").search("cap on liability with carve-outs", k=5) -> ClauseAnswer
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.answer import ClauseAnswer, ClauseHit
from lawng.clauses.collection import Library
from lawng.clauses.filters import EVERY, ClauseFilters, chosen
from lawng.clauses.libraries import read_libraries
from lawng.clauses.meaning.cross_references import ALL, LIFTS_ALL, followed
from lawng.clauses.meaning.explained import Part, explain
from lawng.clauses.meaning.query_intent import QueryIntent
from lawng.clauses.ranking.rankers import (
    ClauseRanker,
    FeatureRanker,
    ScoreColumns,
    annotation_of,
    cache_folder,
    check_columns,
    found_by,
    reading_of,
    says_something,
    searched,
    wording,
)
from lawng.clauses.ranking.trained import Ranking, load_ranking
from lawng.clauses.sections.references import sections_of
from lawng.errors import ConfigError, InputError, MissingError
from lawng.extras import explained
from lawng.io.progress import Progress, progress_bar, silent
from lawng.models.find import CLAUSE_FINDER, CLAUSE_RERANKER, OFFLINE, shipped_model, shown_name
from lawng.models.openai.embeddings import asked_elsewhere
from lawng.models.protocols import Embedder
from lawng.schema import Clause, Span
from lawng.text.highlight import Highlighter
from lawng.text.phrases import cleaned, occurs, quoted_phrases, single_spaced
from lawng.text.query_warnings import query_warnings
from lawng.text.words import light_stem

if TYPE_CHECKING:
    from lawng.clauses.ranking.rerank import RerankedRanker

MAX_CHARACTERS = 20_000
"""A longer query is refused; ACORD's longest clause has about 12,000 characters, and a clause may be the query."""

NOT_AGAIN = "The best clauses were not ranked again"

LONG = 60
"""Words; in a longer query quotation marks ask for nothing."""

_PLAIN = re.compile(r"[a-z0-9]+")


class ClauseSearcher:
    """The clauses of some contracts, ready to be searched.

    Without a ranker they are ranked by BM25, by what the glossary makes of a query and, where there is an encoder, by
    its cosine; what was made of a clause is kept on disk.
    """

    def __init__(
        self,
        library: Library,
        encoder: Embedder | None = None,
        ranker: ClauseRanker | None = None,
        cache: Path | None = None,
        progress: Progress = silent,
    ) -> None:
        self.collection = library
        self.ranker = ranker or FeatureRanker(library.clauses, encoder, cache or cache_folder(), None, progress)
        self.sent_to = asked_elsewhere(encoder.name if encoder else None)
        """Language models behind an endpoint that get the queries."""
        self._lower = [searched(clause).casefold() for clause in library.clauses]
        groups: dict[str, int] = {}
        self._group = np.array([groups.setdefault(wording(clause), len(groups)) for clause in library.clauses], np.intp)

    @classmethod
    @explained()
    def open(  # noqa: PLR0913 (the options of a search)
        cls,
        place: str | Path,
        *,
        add: Sequence[str | Path] = (),
        encoder: str | None = None,
        model: str | Path | None = None,
        rerank: str | None = None,
        depth: int | None = None,
        weight: float | None = None,
        cache: Path | None = None,
    ) -> ClauseSearcher:
        """Read a file or folder of contracts or clauses, and what ranks them.

        `add` are other files and folders, searched beside it. `encoder` is a name or folder: None is the clause model's
        or lawng-clause-finder, "none" is words alone. `model` is the folder of a clause model, `rerank` a name or
        folder of what ranks the best `depth` again, with a share of `weight` in the new order: None is
        lawng-clause-reranker, but with a clause model and where words alone are asked for, and "none" is none.
        `cache` is $LAWNG_CACHE/clauses unless it is given.

        Raises InputError when nothing there can be read, MissingError when a model or a library for it is not there,
        ConfigError when the options do not go together.
        """
        from lawng.models.onnx.encoder import search_embedder

        cache = cache or cache_folder()
        ranking, trained_with = _clause_model(model, encoder)
        reranked = _reranking(rerank or _default_reranker(encoder, ranking), depth, weight)
        with progress_bar("Files read") as files:
            library = read_libraries([place, *add], files, cache)
        with progress_bar("Clauses prepared") as prepared:
            vectors = None if encoder == "none" else search_embedder(encoder or trained_with or _default())
            ranker = FeatureRanker(library.clauses, vectors, cache, ranking, prepared)
            ranker.notes += _other_encoder(vectors, trained_with)
        searcher = cls(library, ranker=reranked(ranker))
        searcher.sent_to = asked_elsewhere(vectors.name if vectors else None, rerank)
        return searcher

    @explained()
    def search(self, query: str, k: int = 10, filters: ClauseFilters = EVERY) -> ClauseAnswer:
        """The best `k` clauses that pass the filters; quoted phrases must occur in a clause or the headings around it.

        Clauses of equal words are one hit. Where a re-ranker cannot read the query, or its endpoint is away, the first
        ranking stands and a note says so. Raises InputError when the query is empty or too long, or no clause passes.
        """
        start = time.perf_counter()
        text = read_query(query)
        phrases, notes = _phrases(text)
        passed, left_out = chosen(self.collection, filters)
        # before they are ranked, so that nothing is ranked again that is not shown
        rows = [row for row in passed if all(self._has(row, phrase) for phrase in phrases)] if phrases else passed
        ranker, columns, not_again = self._ranked(text.replace('"', " "), rows)
        ranked = time.perf_counter()
        # of equal scores the first in the library is first
        order = np.argsort(-columns["score"], kind="stable") if says_something(columns) else np.zeros(0, np.intp)
        hits = self._hits(text, self._once(rows, order, k), columns)
        end = time.perf_counter()
        return ClauseAnswer(
            query=text,
            hits=hits,
            notes=(
                *notes,
                *left_out,
                *self._warnings(text, phrases, rows, columns),
                *ranker.notes,
                *not_again,
                *self.collection.notes,
            ),
            seconds={"rank": ranked - start, "show": end - ranked, "total": end - start},
            n_clauses=len(passed),
            n_documents=len({self.collection.clauses[row].source for row in passed}),
            ranker=ranker.name,
            rejects=self.collection.rejects,
            dropped=self.collection.dropped,
        )

    def _ranked(self, query: str, rows: Sequence[int]) -> tuple[ClauseRanker, ScoreColumns, list[str]]:
        """What ranked some clauses, the scores, and a note where a re-ranker could not."""
        ranker, notes = self.ranker, list[str]()
        if not rows:
            return ranker, {"score": np.zeros(0)}, notes
        clauses = [self.collection.clauses[row] for row in rows]
        if not hasattr(ranker, "again"):
            columns = ranker.scores(query, clauses)
        else:
            again = cast("RerankedRanker", ranker)
            columns = again.first.scores(query, clauses)
            try:
                columns = again.again(query, clauses, columns)
            except (InputError, MissingError) as error:  # the query fills the model's window, an endpoint is away
                ranker, notes = again.first, [f"{NOT_AGAIN}: {error}."]
        check_columns(columns, len(rows))
        return ranker, columns, notes

    def intent(self, query: str) -> QueryIntent:
        """What a query is taken to ask: what `parts` holds a clause against."""
        return reading_of(self.ranker, query.replace('"', " "))

    def _has(self, row: int, phrase: str) -> bool:
        """Whether a phrase occurs in a clause; a glance at its plain words spares most clauses the search for it."""
        glance = all(word in self._lower[row] for word in _PLAIN.findall(phrase.casefold()))
        return glance and occurs(phrase, searched(self.collection.clauses[row]))

    def _warnings(self, text: str, phrases: Sequence[str], rows: Sequence[int], columns: ScoreColumns) -> list[str]:
        if not rows:
            return [f"No clause has the words {' and '.join(f'“{phrase}”' for phrase in phrases)}."]
        return query_warnings(text, lambda word: self._occurs(word, rows), "query", "the clauses", found_by(columns))

    def _occurs(self, word: str, rows: Sequence[int]) -> bool:
        """Whether a word may occur in a clause in some inflection, by what all its inflections begin with."""
        begins = light_stem(word).rstrip("y")
        return any(begins in self._lower[row] for row in rows)

    def _once(self, rows: Sequence[int], ranked: NDArray[np.intp], k: int) -> list[list[tuple[int, Clause]]]:
        """The best `k` of the ranked clauses with their places, each with those of equal words, the best first."""
        of_each = self._group[np.asarray(rows, dtype=np.intp)[ranked]]
        kinds, first = np.unique(of_each, return_index=True)
        best = kinds[np.argsort(first, kind="stable")][:k].tolist()
        groups: dict[int, list[tuple[int, Clause]]] = {group: [] for group in best}
        for at in np.flatnonzero(np.isin(of_each, best)).tolist():
            groups[int(of_each[at])].append((int(ranked[at]), self.collection.clauses[rows[ranked[at]]]))
        return list(groups.values())

    def _hits(
        self, query: str, groups: Sequence[Sequence[tuple[int, Clause]]], columns: ScoreColumns
    ) -> list[ClauseHit]:
        evidence, intent = Highlighter(query), self.intent(query)
        found = []
        for (n, clause), *others in groups:
            spans = [Span(*span) for span in evidence.look(clause.text).highlights]
            scores = {name: float(column[n]) for name, column in columns.items() if not np.isnan(column[n])}
            parts, same = self.parts(intent, clause), tuple(one for _, one in others)
            found.append(ClauseHit(clause, scores["score"], spans, scores, same, parts))
        return found

    def parts(self, intent: QueryIntent, clause: Clause) -> tuple[Part, ...]:
        """What a clause answers to a query, where it leaves that to other sections of its contract by these."""
        return followed(self._parts(intent, clause), partial(self._sections, intent, clause.source))

    def _parts(self, intent: QueryIntent, clause: Clause) -> list[Part]:
        return explain(intent, clause.text, clause.headings, annotation_of(self.ranker, clause))

    def _sections(self, intent: QueryIntent, source: str, number: str) -> Iterator[tuple[str, list[Part]]]:
        """The clauses of a section of a contract, with what they answer to a query."""
        for row in self._numbered.get((source, number), ()):
            clause = self.collection.clauses[row]
            yield clause.section, self._parts(intent, clause)

    @cached_property
    def _numbered(self) -> dict[tuple[str, str], list[int]]:
        """The rows of the clauses of each section of each contract, and of those that lift all its limits."""
        found = sections_of(self.collection.clauses)
        for row, clause in enumerate(self.collection.clauses):
            if clause.is_cut and LIFTS_ALL.search(clause.text):
                found.setdefault((clause.source, ALL), []).append(row)
        return found


def read_query(query: str) -> str:
    """A query on one line. Raises InputError when it has no word, or more than 20,000 characters."""
    given = cleaned(query)
    if len(given) > MAX_CHARACTERS:
        raise InputError(
            f"the query has {len(given):,} characters, {MAX_CHARACTERS:,} are the limit; give one clause at most"
        )
    text = single_spaced(given)
    if not any(character.isalnum() for character in text):
        raise InputError(f"the query {'has no word' if text else 'is empty'}; say what clause you look for")
    return text


def _default() -> str:
    return CLAUSE_FINDER if shipped_model(CLAUSE_FINDER) else OFFLINE


def _clause_model(model: str | Path | None, encoder: str | None) -> tuple[Ranking | None, str | None]:
    """A clause model, and the name of the encoder that it was trained with."""
    if model in {None, "none"}:
        return None, None
    ranking, note = load_ranking(Path(str(model)))
    if encoder == "none":
        raise ConfigError("--model: a clause model needs an encoder; leave out --encoder none")
    trained_with = note.get("encoder")
    return ranking, trained_with.get("name") if isinstance(trained_with, dict) else None


def _default_reranker(encoder: str | None, ranking: Ranking | None) -> str:
    """It adds to the untrained ranking, and nothing that is sure to a clause model's (docs/results.md)."""
    wanted = ranking is None and encoder != "none"
    return CLAUSE_RERANKER if wanted and shipped_model(CLAUSE_RERANKER) else "none"


def _reranking(rerank: str, depth: int | None, weight: float | None) -> Callable[[ClauseRanker], ClauseRanker]:
    """What makes a ranker rank its best again, as asked."""
    if rerank == "none":
        for option, given in (("--depth", depth), ("--weight", weight)):
            if given is not None:
                raise ConfigError(f"{option}: says how --rerank ranks; give both, or leave it out")
        return lambda first: first
    from lawng.clauses.ranking.rerank import RerankedRanker, clause_reranker
    from lawng.models.openai.client import for_a_search

    again = clause_reranker(rerank, limits=for_a_search())
    return lambda first: RerankedRanker(first, again, depth, weight)


def _other_encoder(encoder: Embedder | None, trained_with: str | None) -> tuple[str, ...]:
    """A note where a clause model is given other vectors than it was trained with."""
    if encoder is None or trained_with is None or shown_name(encoder.name) == shown_name(trained_with):
        return ()
    ours, theirs = shown_name(encoder.name), shown_name(trained_with)
    return (f"The clause model was trained with vectors of {theirs}, not {ours}.",)


def _phrases(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The phrases that must occur, and notes. A long query is a clause, and what it quotes are its defined terms."""
    phrases, notes = quoted_phrases(text)
    if not phrases or len(text.split()) <= LONG:
        return phrases, tuple(notes)
    return (), (f"The query has more than {LONG} words: what it quotes need not occur.",)
