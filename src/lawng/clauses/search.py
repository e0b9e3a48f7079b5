"""Clauses for a query, of the contracts of a library.

searcher = ClauseSearcher(read_library("contracts"), embedder("all-MiniLM-L6-v2"))
searcher.search("cap on liability with carve-outs", k=5) -> ClauseAnswer
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lawng.clauses.answer import ClauseAnswer, ClauseHit, ClauseRanker
from lawng.clauses.collection import Library
from lawng.clauses.ranking.columns import Columns, check_columns, found_by, says_something
from lawng.clauses.ranking.rankers import ReadingRanker, cache_folder, searched, wording
from lawng.errors import InputError
from lawng.extras import explained
from lawng.models.encoder import Embedder
from lawng.models.kept import Progress, silent
from lawng.records import Clause, Span
from lawng.retrieval.phrases import occurs
from lawng.search.doubt import doubts
from lawng.search.evidence import Evidence
from lawng.search.query import cleaned, one_line, quoted_phrases
from lawng.search.words import evidence_stem

MAX_CHARACTERS = 20_000
"""A longer query is refused; ACORD's longest clause has about 12,000 characters, and a clause may be the query."""

LONG = 60
"""Words; in a longer query quotation marks ask for nothing."""

_PLAIN = re.compile(r"[a-z0-9]+")


class ClauseSearcher:
    """The clauses of a library, ready to be searched.

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
        self.held = library
        self.ranker = ranker or ReadingRanker(library.clauses, encoder, cache or cache_folder(), progress)
        self._lower = [searched(clause).casefold() for clause in library.clauses]
        groups: dict[str, int] = {}
        self._group = [groups.setdefault(wording(clause), len(groups)) for clause in library.clauses]

    @explained()
    def search(self, query: str, k: int = 10, sources: Sequence[str] = ()) -> ClauseAnswer:
        """The best `k` clauses; quoted phrases must occur in a clause or the headings around it.

        `sources` are words in the names of the contracts to look in, any of them. Clauses of equal words are one hit.
        Raises InputError when the query is empty or too long, or no contract has such a name.
        """
        start = time.perf_counter()
        text = read_query(query)
        phrases, notes = _phrases(text)
        chosen = self._chosen(sources)
        # before they are ranked, so that nothing is ranked again that is not shown
        rows = [row for row in chosen if all(self._has(row, phrase) for phrase in phrases)]
        columns = self._columns(text, rows)
        ranked = time.perf_counter()
        # of equal scores the first in the library is first
        order = np.argsort(-columns["score"], kind="stable").tolist() if says_something(columns) else []
        hits = self._hits(text, self._once(rows, order, k), columns)
        end = time.perf_counter()
        seconds = {"rank": ranked - start, "show": end - ranked, "total": end - start}
        notes = (*notes, *self._said(text, phrases, rows, columns), *self.ranker.notes)
        n_documents = len({self.held.clauses[row].source for row in chosen})
        return ClauseAnswer(text, hits, notes, seconds, len(chosen), n_documents, self.ranker.name)

    def _columns(self, text: str, rows: Sequence[int]) -> Columns:
        """The scores of some clauses; where none is left the ranker is not asked."""
        if not rows:
            return {"score": np.zeros(0)}
        columns = self.ranker.scores(text.replace('"', " "), [self.held.clauses[row] for row in rows])
        check_columns(columns, len(rows))
        return columns

    def _has(self, row: int, phrase: str) -> bool:
        """Whether a phrase occurs in a clause; a glance at its plain words spares most clauses the search for it."""
        glance = all(word in self._lower[row] for word in _PLAIN.findall(phrase.casefold()))
        return glance and occurs(phrase, searched(self.held.clauses[row]))

    def _said(self, text: str, phrases: Sequence[str], rows: Sequence[int], columns: Columns) -> list[str]:
        if not rows:
            return [f"No clause has the words {' and '.join(f'“{phrase}”' for phrase in phrases)}."]
        return doubts(text, lambda word: self._occurs(word, rows), "query", "the clauses", found_by(columns))

    def _occurs(self, word: str, rows: Sequence[int]) -> bool:
        """Whether a word may occur in a clause in some inflection, by what all its inflections begin with."""
        begins = evidence_stem(word).rstrip("y")
        return any(begins in self._lower[row] for row in rows)

    def _chosen(self, sources: Sequence[str]) -> list[int]:
        wanted = [source.casefold() for source in sources]
        found = [
            row
            for row, clause in enumerate(self.held.clauses)
            if not wanted or any(name in clause.source.casefold() for name in wanted)
        ]
        if not found:
            raise InputError(f"no contract has {' or '.join(map(repr, sources))} in its name; look at the file names")
        return found

    def _once(self, rows: Sequence[int], ranked: Sequence[int], k: int) -> list[list[tuple[int, Clause]]]:
        """The best `k` of the ranked clauses with their places, each with those of equal words, the best first."""
        groups: dict[int, list[tuple[int, Clause]]] = {}
        for n in ranked:
            group = self._group[rows[n]]
            if group in groups or len(groups) < k:
                groups.setdefault(group, []).append((n, self.held.clauses[rows[n]]))
        return list(groups.values())

    def _hits(self, query: str, groups: Sequence[Sequence[tuple[int, Clause]]], columns: Columns) -> list[ClauseHit]:
        evidence = Evidence(query)
        found = []
        for (n, clause), *others in groups:
            spans = [Span(*span) for span in evidence.look(clause.text).highlights]
            scores = {name: float(column[n]) for name, column in columns.items() if not np.isnan(column[n])}
            found.append(ClauseHit(clause, scores["score"], spans, scores, tuple(one for _, one in others)))
        return found


def read_query(query: str) -> str:
    """A query on one line. Raises InputError when it has no word, or more than 20,000 characters."""
    given = cleaned(query)
    if len(given) > MAX_CHARACTERS:
        raise InputError(
            f"the query has {len(given):,} characters, {MAX_CHARACTERS:,} are the limit; give one clause at most"
        )
    text = one_line(given)
    if not any(character.isalnum() for character in text):
        raise InputError(f"the query {'has no word' if text else 'is empty'}; say what clause you look for")
    return text


def _phrases(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The phrases that must occur, and notes. A long query is a clause, and what it quotes are its defined terms."""
    phrases, notes = quoted_phrases(text)
    if not phrases or len(text.split()) <= LONG:
        return phrases, tuple(notes)
    return (), (f"The query has more than {LONG} words: what it quotes need not occur.",)
