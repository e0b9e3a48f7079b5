"""Search: an argument in, cases out.

Searcher(index, stance).search(argument, filters, k) -> Answer

`Searcher.search` is the whole way of an argument, step by step; what the steps hand on is `SearchState`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from lawng.errors import InputError, MissingError
from lawng.extras import explained
from lawng.models.openai.embeddings import asks_endpoint
from lawng.schema import Filters
from lawng.search.answer import Answer
from lawng.search.deciding import decide
from lawng.search.filters import check_filters
from lawng.search.fusion import fuse
from lawng.search.good_law import note_on_first, too_few, without_undone
from lawng.search.hits import ONLY_NAMES, fetch, make_hits, notes_of, warnings_of
from lawng.search.known_items import KnownItems, allowed, known_items
from lawng.search.query import claim_of, read_argument
from lawng.search.ranking import rank
from lawng.search.stance import judge, split, without_dissents
from lawng.search.state import SearchSettings, SearchState
from lawng.text.highlight import has_content
from lawng.text.query_warnings import NONE_OCCURS

if TYPE_CHECKING:
    from lawng.index.reader import Index
    from lawng.models.protocols import PairModel, Reranker

MAX_CASES = 1000
_THREADS = max(2, os.cpu_count() or 1)
"""More of them wait for each other: Python runs one at a time between what the index and the encoder compute."""
UNREAD = "No model judged the stance: the argument has no word that this index knows, as one in another language."
QUESTION = "A question has no side: say what you want supported as a statement, to have the cases sorted."
NOT_JUDGED, NOT_DECIDED = "The stance was not judged", "The deciding sentences were not looked for"
NO_STANCE = "No model judged the stance: the cases are not sorted into supporting and refuting ones."


class Searcher:
    """An index and, if there is one, a stance model; may be used by several threads at once.

    `index` and `stance` are what the answers name; a newer version of the index needs a new Searcher.
    """

    def __init__(
        self,
        index: Index,
        stance: PairModel | None = None,
        settings: SearchSettings | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self.index = index
        self.stance = stance
        self.reranker = reranker
        self.settings = settings or SearchSettings()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="search")
        self._encoder_lock, self._stance_lock = Lock(), Lock()
        self._closed = False

    @explained()
    def search(  # noqa: PLR0913 (what is asked, and of what)
        self,
        argument: str,
        filters: Filters | None = None,
        k: int = 10,
        leave_out: Iterable[str] = (),
        *,
        cases: Sequence[str] = (),
        judged: bool = True,
        good_law: bool = False,
    ) -> Answer:
        """The k cases that are nearest to an argument, and before them those that it cites or names.

        With `cases`, ids, the answer is of these alone, whether they are near or not: what do they say of it?
        `leave_out` are ids of descriptions that are not looked at, for an evaluation that asks with one of them. With
        `judged` false the stance is left out, though there is a model. With `good_law` cases are left out that were
        overruled or reversed, wholly or in part, unless the argument or `cases` names them.
        The same index, model and settings give the same answer; ties go by id.

        Raises InputError for an argument or filters that cannot be read, or a k outside 1 to 1000.
        """
        start = time.perf_counter()
        if self._closed:
            raise InputError("the index is closed; open it again")
        if not 1 <= k <= MAX_CASES:
            raise InputError(f"{k} cases asked for: give a number from 1 to {MAX_CASES}")
        state = self._read(argument, check_filters(filters or Filters()), max(k, len(cases)), tuple(leave_out))
        state.good_law, state.asked = good_law, bool(cases)
        rank(state)
        self._fuse(state, cases)
        while too_few(state):
            state.deeper *= 4
            rank(state)
            self._fuse(state, cases)
        ranked = time.perf_counter()
        fetch(state)
        make_hits(state)
        state.seconds["fetch"] = time.perf_counter() - ranked
        # who wants no judgement, as of a server that is busy or is asked whether it lives, has no endpoint asked either
        self._decide(state, self.reranker if judged or not asks_endpoint(self.reranker) else None)
        self._judge(state, self.stance if judged else None)
        answer = self._answer(state)
        answer.seconds["total"] = time.perf_counter() - start
        return answer

    def close(self) -> None:
        """Let the threads go; the index stays open."""
        self._closed = True
        self._pool.shutdown(wait=False)

    def _read(self, argument: str, filters: Filters, k: int, leave_out: tuple[str, ...]) -> SearchState:
        """The argument read, and the cases that it cites or names looked up."""
        query = read_argument(argument)
        state = SearchState(
            self.index, self.settings, self._pool, self._encoder_lock, query, filters, k,
            self.reranker is not None, leave_out,
        )  # fmt: skip
        state.known = known_items(self.index, query)
        state.named = allowed(self.index, state.known, filters)
        state.phrases = tuple(phrase for phrase in query.phrases if phrase not in state.known.phrases)
        # the numbers of a citation say nothing, the name of a case may; without one all is left where nothing else is
        cites = [(cite.start, cite.end) for cite in query.cites]
        text = query.rest(cites)
        if not (state.named and not has_content(query.rest([*state.known.spans, *cites]))):
            state.text = text if has_content(text) else "" if query.cites else query.text
        state.claim = claim_of(query, [*state.known.spans, *cites])
        return state

    def _fuse(self, state: SearchState, cases: Sequence[str]) -> None:
        """One ranking of cases, and those of them that the answer has."""
        state.fused = {case.case_id: case for case in fuse(state.found, self.settings.fusion)}
        if cases:
            there = self.index.cases(list(cases))
            asked = KnownItems({case_id: [] for case_id in cases if case_id in there})
            state.named, state.case_ids = {}, list(allowed(self.index, asked, state.filters))
            state.known.notes += asked.notes
            return
        others = [case_id for case_id in state.fused if case_id not in state.named]
        state.case_ids = [*state.named, *(without_undone(state, others) if state.good_law else others[: state.n_cases])]

    def _decide(self, state: SearchState, reranker: Reranker | None) -> None:
        """The hits' deciding sentences where there is a re-ranker, and by them the k best; the named ones first."""
        if reranker and not state.only_names and state.hits:
            begun = time.perf_counter()
            try:
                with self._alone(reranker):
                    state.hits = decide(state.hits, state.claim, reranker, self.settings.deciding)
                state.reranker = reranker.name
            except (InputError, MissingError) as error:  # as of the stance below
                state.undecided = f"{NOT_DECIDED}: {error}."
            state.seconds["rerank"] = time.perf_counter() - begun
        named, others = state.hits[: state.n_named], state.hits[state.n_named :]
        best = sorted(others, key=lambda hit: (-hit.score, hit.case.case_id)) if state.reranker else others
        few = self.settings.n_passages
        state.hits = [replace(hit, passages=hit.passages[:few]) for hit in (*named, *best[: state.k])]

    def _judge(self, state: SearchState, stance: PairModel | None) -> None:
        """The hits judged where there is a model, else why not."""
        state.warnings = warnings_of(state)
        # a language model may read what the index does not
        unread = not asks_endpoint(stance) and any(w.startswith(NONE_OCCURS.format("argument")) for w in state.warnings)
        if stance is None or state.only_names or state.query.asks or unread:
            named = ONLY_NAMES if state.only_names else QUESTION if state.query.asks else UNREAD
            state.unjudged = NO_STANCE if stance is None else named
            return
        begun = time.perf_counter()
        try:
            with self._alone(stance):
                judged = judge(state.hits, state.claim, stance, self.settings)
            state.hits = judged if state.filters.parts else without_dissents(judged)
        except (InputError, MissingError) as error:  # the argument fills the model's window, an endpoint is not there
            state.unjudged = f"{NOT_JUDGED}: {error}."
        state.seconds["stance"] = time.perf_counter() - begun

    def _alone(self, model: object) -> AbstractContextManager[object]:
        """For a model here, which serves one search at a time; an endpoint takes many, and may hold nobody up."""
        return nullcontext() if asks_endpoint(model) else self._stance_lock

    def _answer(self, state: SearchState) -> Answer:
        assert state.counts
        named, others = state.hits[: state.n_named], state.hits[state.n_named :]
        supporting, refuting, undecided = ([], [], []) if state.unjudged else split(others)
        return Answer(
            argument=state.query.argument,
            filters=state.filters,
            named=named,
            supporting=supporting,
            refuting=refuting,
            undecided=undecided,
            unjudged=others if state.unjudged else [],
            phrases=list(state.phrases),
            encoder=self.index.info.encoder,
            reranker=state.reranker,
            stance_model=self.stance.name if self.stance and not state.unjudged else None,
            notes=[*notes_of(state), *note_on_first(supporting)],
            warnings=state.warnings,
            n_cases=state.counts.n_cases,
            n_passages=state.counts.n_passages,
            seconds=state.seconds,
            version=self.index.version,
            good_law=state.good_law,
        )
