"""What the pages read: the index and the search, off the event loop, with a queue, a time limit and a newer version."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, cast

from fastapi import Request

from lawng.errors import LawngError
from lawng.models.find import shown_name
from lawng.models.openai.embeddings import asked_elsewhere
from lawng.schema import Filters
from lawng.search.answer import Answer
from lawng.search.searcher import NOT_DECIDED, NOT_JUDGED
from lawng.web.http_errors import HttpError, UnavailableError
from lawng.web.work_queue import WorkQueue

if TYPE_CHECKING:
    from lawng.index.reader import Index
    from lawng.index.store import Commit

T = TypeVar("T")
_LOG = logging.getLogger("lawng.web")
_READERS = 2
_PROBE = "court?"  # a question, which no model judges: a check pays for no answer
"""What is searched for to see whether searches are answered."""
BUSY = "Many are searching at this moment, so that not every model was asked: ask again in a minute."


LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
"""Names by which a browser on this computer can ask for the server; any other is a rebound one."""


def _cores() -> int:
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What the server allows; times are in seconds."""

    hosts: frozenset[str] | None = LOOPBACK_NAMES
    """Host names that are answered, without ports; None answers to any (when not bound to loopback alone)."""
    longest_argument: int = 10_000
    """Characters; the search has the same limit."""
    longest_form: int = 0
    """Bytes of a form that is sent in (POST); 0 takes none."""
    most_hits: int = 50
    """Cases of all lists together that a request can ask for."""
    search_seconds: float = 60.0
    """For one search with its time in the queue; then the answer is 504."""
    read_seconds: float = 10.0
    """For reading an opinion, a case or the index."""
    workers: int = field(default_factory=_cores)
    """Searches at one time; the rest wait in order."""
    longest_queue: int = 100
    """Searches under way and waiting; one more is answered with 503 and Retry-After."""
    calm_queue: int = field(default_factory=lambda: 4 * _cores())
    """Searches under way and waiting, at most, for a stance to be judged: that takes several searches' time, and a list
    that is not sorted is better than none."""
    refresh_seconds: float = 5.0
    """How often, at most, to look for a newer version of the index."""
    kept_answers: int = 64
    """Answers kept in memory, so that going back and the JSON of a page do not search again."""
    log_arguments: bool = False
    """Whether the log names what was searched for: arguments can be confidential."""
    sent_to: tuple[str, ...] = ()
    """Language models that what is typed is sent to, beside those that judge the stance or encode the argument."""


class Searches(Protocol):
    """A search over one version of an index (`lawng.search.Searcher`)."""

    def search(
        self, argument: str, filters: Filters | None = ..., k: int = ..., *, judged: bool = ..., good_law: bool = ...
    ) -> Answer:
        """The answer to an argument; `judged` tells whether a model, where there is one, judges the stance."""

    def close(self) -> None:
        """Let its threads go."""


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    """An index at one version, and the search over it."""

    index: Index
    searcher: Searches


class _Search(NamedTuple):
    """What makes two searches equal."""

    edition: Commit
    argument: str
    filters: Filters
    k: int
    good_law: bool


class IndexService:
    """The index behind the pages, at its newest complete version.

    Searches run in as many threads as there are cores and wait in order of arrival; reading has threads of its own, so
    that a page of an opinion does not wait behind searches. `stance_model` is the name that readers see.
    """

    def __init__(
        self, index: Index, searcher_of: Callable[[Index], Searches], settings: WebSettings, stance_model: str | None
    ) -> None:
        self.settings = settings
        self.stance_model = stance_model
        self._searcher_of = searcher_of
        self._opened = OpenedIndex(index, searcher_of(index))
        self._looked = time.monotonic()
        self._looking = False
        self._searches: WorkQueue[Answer] = WorkQueue(settings.workers, settings.longest_queue, "search")
        self._reads: WorkQueue[object] = WorkQueue(_READERS, settings.longest_queue, "read")
        self._answers: OrderedDict[_Search, Answer] = OrderedDict()
        self._asks_endpoint = bool(settings.sent_to or asked_elsewhere(stance_model))
        self._checked = -math.inf
        """When a search for `check` was answered last."""
        self._facts: dict[tuple[Commit, Callable[[Index], object]], object] = {}

    @property
    def index(self) -> Index:
        """The index at the version in use."""
        return self._opened.index

    async def search(self, argument: str, filters: Filters, k: int, good_law: bool = False) -> Answer:
        """The answer to an argument; equal searches are made once.

        Raises BadRequestError, OverloadedError, TooSlowError or UnavailableError.
        """
        opened = await self._newest()
        key = _Search(opened.index.edition, argument, filters, k, good_law)
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        work = partial(_looked, lambda: self._searched(opened, key))
        found = await self._searches.run(key, work, self.settings.search_seconds)
        # names as readers see them: not where models lie on this computer
        ranker = shown_name(found.reranker) if found.reranker else None
        model = self.stance_model if found.stance_model else None
        answer = replace(found, encoder=shown_name(found.encoder), stance_model=model, reranker=ranker)
        # the next one who asks may have it judged; what a model here refuses it refuses always
        passing = (BUSY, NOT_JUDGED, NOT_DECIDED) if self._asks_endpoint else (BUSY,)
        if any(note.startswith(passing) for note in answer.notes):
            return answer
        self._answers[key] = answer
        while len(self._answers) > self.settings.kept_answers:
            self._answers.popitem(last=False)
        return answer

    def _searched(self, opened: OpenedIndex, key: _Search) -> Answer:
        """The answer, without stance, and without a language model, when too many others wait."""
        if not (self.stance_model or self.settings.sent_to) or len(self._searches) <= self.settings.calm_queue:
            return opened.searcher.search(key.argument, key.filters, key.k, good_law=key.good_law)
        found = opened.searcher.search(key.argument, key.filters, key.k, judged=False, good_law=key.good_law)
        return replace(found, notes=[*found.notes, BUSY])

    async def read(self, what: Callable[[Index], T]) -> T:
        """What a function reads from the index.

        Raises OverloadedError, TooSlowError, UnavailableError, or the refusal that the function raises.
        """
        opened = await self._newest()
        work = partial(_looked, lambda: what(opened.index))
        return cast(T, await self._reads.run(object(), work, self.settings.read_seconds))

    async def known(self, what: Callable[[Index], T]) -> T:
        """What a function reads from the index, kept for as long as the version is in use; raises as `read` does."""
        opened = await self._newest()
        key = (opened.index.edition, what)
        if key not in self._facts:
            found = await self._reads.run(
                object(), partial(_looked, lambda: what(opened.index)), self.settings.read_seconds
            )
            self._facts = {old: value for old, value in self._facts.items() if old[0] == key[0]} | {key: found}
        return cast(T, self._facts[key])

    async def check(self) -> int:
        """The version in use, when a search of it is answered: one is made, at most every `refresh_seconds`.

        Raises what `read` raises.
        """
        opened = await self._newest()
        now = time.monotonic()
        if now - self._checked >= self.settings.refresh_seconds:
            work = partial(_looked, partial(_probe, opened))
            await self._reads.run(_PROBE, work, self.settings.read_seconds)
            self._checked = now
        return opened.index.version

    def close(self) -> None:
        """End the threads; what runs is not waited for."""
        self._searches.close()
        self._reads.close()

    async def _newest(self) -> OpenedIndex:
        """The newest version; looked for now and then by one request, while the others go on with what is there."""
        now = time.monotonic()
        if not self._looking and now - self._looked >= self.settings.refresh_seconds:
            self._looking, self._looked = True, now
            try:
                self._opened = await asyncio.to_thread(self._refreshed, self._opened)
            except Exception as error:
                _LOG.warning("the newest version of the index could not be opened (%s)", place_of_error(error))
            finally:
                self._looking = False
        return self._opened

    def _refreshed(self, opened: OpenedIndex) -> OpenedIndex:
        index = opened.index.refreshed()
        return opened if index is opened.index else OpenedIndex(index, self._searcher_of(index))


def service_of(request: Request) -> IndexService:
    """What the application was made with."""
    service: IndexService = request.app.state.service
    return service


def _probe(opened: OpenedIndex) -> None:
    opened.index.count()
    opened.searcher.search(_PROBE, Filters(), 1, judged=False)


def _looked(what: Callable[[], T]) -> T:
    """What a function finds; what goes wrong says that the index could not be read: bad input was refused before."""
    try:
        return what()
    except HttpError:
        raise
    except LawngError as error:
        _LOG.warning("could not look: %s", error)
    except Exception as error:
        _LOG.error("could not look: %s", place_of_error(error))
    raise UnavailableError("The index could not be read, so it is not known whether it has an answer. Ask again later.")


def place_of_error(error: BaseException) -> str:
    """Kind and place of an error, without its message, which may quote a confidential argument."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"
