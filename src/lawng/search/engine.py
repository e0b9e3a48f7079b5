"""Search: an argument in, cases out.

Searcher(index, stance).search(argument, filters, k) -> Answer
search(place, argument, ...) -> Answer
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from lawng.errors import InputError
from lawng.extras import explained
from lawng.records import Filters, IndexedCase
from lawng.search.answer import Answer, Hit
from lawng.search.doubt import doubts, far
from lawng.search.evidence import Evidence, content
from lawng.search.filters import check_filters, not_there
from lawng.search.fusion import fuse
from lawng.search.hits import Fetched, Fetching, Maker, Wanted, with_evidence
from lawng.search.inside import Inside, Insides, passages_inside
from lawng.search.named import Named, allowed, named_in
from lawng.search.query import Query, read_argument
from lawng.search.ranking import Asked, Rankings, rankings_of
from lawng.search.settings import SearchSettings
from lawng.search.stance import judge, split
from lawng.search.words import evidence_stem

if TYPE_CHECKING:
    from lawng.models.pairs import PairModel
    from lawng.retrieval.reader import Index

MAX_CASES = 1000
_THREADS = max(2, os.cpu_count() or 1)
"""More of them wait for each other: Python runs one at a time between what the index and the encoder compute."""
NO_STANCE = "No model judged the stance: the cases are not sorted into supporting and refuting ones."


class _Found(NamedTuple):
    """Hits of one argument before their stance is judged."""

    named: list[Hit]
    others: list[Hit]
    rankings: Rankings | None
    seconds: dict[str, float]


class _Request(NamedTuple):
    """One search as asked, with what its argument cites and names."""

    query: Query
    named: Named
    named_cases: dict[str, IndexedCase]
    asked: Asked
    k: int

    @property
    def only_names(self) -> bool:
        """Whether the argument is nothing but citations and names that were found."""
        return not self.asked.text


class Searcher:
    """An index and, if there is one, a stance model; may be used by several threads at once.

    `index` and `stance` are what the answers name; a newer version of the index needs a new Searcher.
    """

    def __init__(self, index: Index, stance: PairModel | None = None, settings: SearchSettings | None = None) -> None:
        self.index = index
        self.stance = stance
        self.settings = settings or SearchSettings()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="search")
        self._encoder_lock, self._stance_lock = Lock(), Lock()

    @explained()
    def search(
        self,
        argument: str,
        filters: Filters | None = None,
        k: int = 10,
        leave_out: Iterable[str] = (),
        *,
        judged: bool = True,
    ) -> Answer:
        """The k cases that are nearest to an argument, and before them those that it cites or names.

        `leave_out` are ids of descriptions that are not looked at, for an evaluation that asks with one of them. With
        `judged` false the stance is left out, though there is a model.
        The same index, model and settings give the same answer; ties go by id.

        Raises InputError for an argument or filters that cannot be read, or a k outside 1 to 1000.
        """
        start = time.perf_counter()
        if not 1 <= k <= MAX_CASES:
            raise InputError(f"{k} cases asked for: give a number from 1 to {MAX_CASES}")
        request = self._request(argument, check_filters(filters or Filters()), k, tuple(leave_out))
        found = self._found(request)
        stance, begun = self.stance if judged else None, time.perf_counter()
        hits, refusal = self._judged(found, request.query, stance)
        seconds = found.seconds | ({"stance": time.perf_counter() - begun} if stance else {})
        answer = self._answer(request, found, hits, refusal)
        return replace(answer, seconds=seconds | {"total": time.perf_counter() - start})

    def close(self) -> None:
        """Let the threads go; the index stays open."""
        self._pool.shutdown(wait=False)

    def _request(self, argument: str, filters: Filters, k: int, leave_out: tuple[str, ...]) -> _Request:
        query = read_argument(argument)
        named = named_in(self.index, query)
        cases = allowed(self.index, named, filters)
        phrases = tuple(phrase for phrase in query.phrases if phrase not in named.phrases)
        # the numbers of a citation say nothing, the name of a case may; all is left where nothing else would be
        text = query.rest([(cite.start, cite.end) for cite in query.cites])
        names_only = query.rest([*named.spans, *((cite.start, cite.end) for cite in query.cites)])
        if cases and not content(names_only):
            text = ""
        elif not content(text):
            text = query.text
        depth = self.settings.depth_for(k + len(cases))
        return _Request(query, named, cases, Asked(text, phrases, filters, leave_out, depth), k)

    def _found(self, request: _Request) -> _Found:
        start = time.perf_counter()
        rankings = (
            None if request.only_names else rankings_of(self.index, request.asked, self._pool, self._encoder_lock)
        )
        ranked = time.perf_counter()
        fused = {case.case_id: case for case in fuse(rankings.found if rankings else {}, self.settings.fusion)}
        best = [case_id for case_id in fused if case_id not in request.named_cases][: request.k]
        cases = [*request.named_cases, *best]
        fetching = Fetching(self.index, cases, rankings.found if rankings else {}, self.settings, self._pool)
        inside = self._inside(request.asked, cases, rankings)
        shown = {case: items[: self.settings.n_passages] for case, items in inside.by_case.items()}
        wanted = [Wanted(case, fused.get(case), shown.get(case, []), fetching.described[case]) for case in cases]
        named, others = self._hits(request, wanted, fetching.done(inside.passages))
        load, encode = (rankings.load_seconds, rankings.encode_seconds) if rankings else (0.0, 0.0)
        fetch = time.perf_counter() - ranked
        seconds = {"load": load, "encode": encode, "rank": ranked - start - load - encode, "fetch": fetch}
        return _Found(named, others, rankings, seconds)

    def _inside(self, asked: Asked, cases: list[str], rankings: Rankings | None) -> Insides:
        """The best passages of cases, none where nothing but names was asked."""
        if rankings is None:
            return Insides({}, {})
        where = (tuple(cases), asked.filters, asked.phrases, frozenset(asked.leave_out))
        return passages_inside(
            self.index, Inside(asked.text, rankings.vector, *where), self._pool, self.settings.inside
        )

    def _hits(self, request: _Request, wanted: list[Wanted], fetched: Fetched) -> tuple[list[Hit], list[Hit]]:
        """The named hits and the others."""
        asked = request.asked
        maker = Maker(
            self.index,
            Evidence(request.query.text),
            fetched,
            self.settings,
            asked.filters,
            asked.phrases,
            frozenset(asked.leave_out),
        )
        hits = [maker.hit(one, request.named.found.get(one.case_id, ())) for one in wanted]
        n = len(request.named_cases)
        named = with_evidence(hits[:n], asked.phrases) if asked.phrases else hits[:n]
        return named, with_evidence(hits[n:], asked.phrases) if asked.phrases else hits[n:]

    def _judged(self, found: _Found, query: Query, stance: PairModel | None) -> tuple[list[Hit], str]:
        """All hits, judged where there is a model, and why it could not judge, "" when it did."""
        hits = [*found.named, *found.others]
        if stance is None:
            return hits, NO_STANCE
        try:
            with self._stance_lock:
                return judge(hits, query.text, stance, self.settings), ""
        except InputError as error:  # the argument fills the model's window
            return hits, f"The stance was not judged: {error}."

    def _answer(self, request: _Request, found: _Found, hits: list[Hit], refusal: str) -> Answer:
        counts = found.rankings.counts if found.rankings else self.index.count(request.asked.filters)
        named, others = hits[: len(found.named)], hits[len(found.named) :]
        supporting, refuting, undecided = ([], [], []) if refusal else split(others)
        return Answer(
            argument=request.query.argument,
            filters=request.asked.filters,
            named=named,
            supporting=supporting,
            refuting=refuting,
            undecided=undecided,
            unjudged=others if refusal else [],
            phrases=list(request.asked.phrases),
            encoder=self.index.info.encoder,
            stance_model=self.stance.name if self.stance and not refusal else None,
            notes=[*self._notes(request, found, counts.n_cases), *([refusal] if refusal else [])],
            warnings=self._warnings(request, found, hits),
            n_cases=counts.n_cases,
            n_passages=counts.n_passages,
            version=self.index.version,
        )

    def _notes(self, request: _Request, found: _Found, n_cases: int) -> list[str]:
        notes = [*request.query.notes, *request.named.notes]
        if request.only_names:
            notes.append("The argument only names cases; say what they are to support, to search by meaning.")
        elif not n_cases:
            notes += [_nothing(request), *not_there(self.index, request.asked.filters)]
        elif not found.others and not found.named:
            notes.append("Nothing in this index is near the argument.")
        lost = len(request.named_cases) - len(found.named)
        if lost:
            notes.append(f"{lost} case(s) that the argument names have no passage with every quoted phrase.")
        if not request.only_names and self._too_long(request.asked.text):
            notes.append(
                "The argument is longer than the encoder reads: by meaning only its beginning was compared, "
                "by words all of it."
            )
        return notes

    def _warnings(self, request: _Request, found: _Found, hits: list[Hit]) -> list[str]:
        """Why what was found by words and meaning may have nothing to do with the argument."""
        if not (found.rankings and hits):
            return []
        evidence = Evidence(request.asked.text)
        shared = [evidence.shared(one.passage.text) for hit in hits for one in hit.passages]
        seen: frozenset[str] = frozenset().union(*shared)
        warnings = doubts(
            request.asked.text,
            lambda word: evidence_stem(word) in seen or self.index.has_word(word),
            "argument",
            "this index",
        )
        nearest = next((one.score for one in found.rankings.found["dense"]), 0.0)
        coverage = max((evidence.coverage(one.passage.text) for hit in hits for one in hit.passages), default=0.0)
        return warnings or far(nearest, self.settings.near, coverage)

    def _too_long(self, text: str) -> bool:
        encoder = self.index.encoder
        limit = encoder.max_tokens
        return limit is not None and len(text) > limit - 2 and encoder.count_tokens(text) > limit


def _nothing(request: _Request) -> str:
    """Why no passage was looked at."""
    if request.asked.phrases:
        quoted = ", ".join(f"“{phrase}”" for phrase in request.asked.phrases)
        within = " that passes the filters" if request.asked.filters != Filters() else ""
        return f"No passage{within} has {quoted}."
    return "No case of this index passes the filters." if request.asked.filters != Filters() else "The index is empty."


@explained()
def search(
    place: str, argument: str, filters: Filters | None = None, k: int = 10, stance: PairModel | str | None = None
) -> Answer:
    """One search of an index, by its folder or address; for several keep a `Searcher`.

    `stance` is a model, or the name or folder of one; None leaves the stance unjudged.
    """
    from lawng.retrieval.reader import Index

    with closing(Index.open(place)) as index, closing(Searcher(index, _model(stance))) as searcher:
        return searcher.search(argument, filters, k)


def _model(stance: PairModel | str | None) -> PairModel | None:
    if not isinstance(stance, str):
        return stance
    from lawng.models.pairs import pair_model

    return pair_model(stance)
