"""What the tests of the web page share: an index made by hand, answers made by hand, and a server to ask."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import httpx
from fastapi import FastAPI

import records_support
from lawng.errors import InputError
from lawng.index.reader import Citing, Counts, Facets, Index, IndexInfo
from lawng.index.treated import CaseTreatment
from lawng.schema import NEGATIVE, Citation, Description, Filters, Footnote, IndexedCase, Opinion, PageMark, Treatment
from lawng.search.answer import Answer, DescriptionHit, Hit, PassageHit, Stance
from lawng.web.app import make_app
from lawng.web.index_service import IndexService, Searches, WebSettings
from lawng.web.server import listen, server_of, url_of

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
BODY = (
    "DOE, J.\n\n"
    "I.\n\n"
    f"The tenant paid. See Roe v. Wade, 410 U.S. 113, 120 (1973) (holding that {HOSTILE} is free speech). "
    "A landlord may not keep a deposit without a list of damage.\n\n"
    "We said so in 5 U.S. 7, and mean it. It is so ordered."
)
NOTE = "A note on 410 U.S. 113."


def opinion(opinion_id: str = "cl:1/0", body: str = BODY, type: str = "majority", author: str = "DOE, J.") -> Opinion:
    paragraphs = body.split("\n\n")
    note, half = records_support.spans_of([*paragraphs, NOTE])[-1], body.index(" ", len(body) // 2)
    return records_support.opinion(
        opinion_id.rpartition("/")[0],
        paragraphs,
        [NOTE],
        opinion_id=opinion_id,
        type=type,
        author=author,
        pages=[PageMark("U.S.", "7", 7, 0), PageMark("U.S.", "8", 8, half), PageMark("S. Ct.", "70", 70, half + 5)],
        footnotes=[Footnote("1", len(body) - 5, note.start, note.end)],
    )


def case(case_id: str, name: str, parts: Sequence[str] = ("majority",), **changes: Any) -> IndexedCase:
    made = records_support.indexed_case(
        case_id,
        name=name,
        citations=[f"{case_id.rpartition(':')[2]} U.S. 7"],
        date="1973-01-22",
        opinions=[f"{case_id}/{n}" for n in range(len(parts))],
        parts=list(parts),
    )
    return replace(made, **changes)


def description(number: int, case_id: str, text: str) -> Description:
    """What the first opinion of `cl:1` says of a case."""
    start = BODY.index("holding that")
    end = start + len("holding that")
    return records_support.description(
        number, text, case_id, "cl:1", cite="410 U.S. 113", citing_date="1980-02-01", start=start, end=end
    )


def treatments() -> list[Treatment]:
    """What the court and a dissent of `cl:1` do to `cl:2`, the newest first; that it is mentioned, too."""
    start = BODY.index("We said so")
    sentence = BODY[start : BODY.index(" It is so ordered")]
    place = {"citing_name": "Doe v. Poe", "citing_cite": "1 U.S. 7", "start": start, "end": start + len(sentence)}
    court = records_support.treatment("cl:2", "reversed", "cl:1", sentence=sentence, kind="in-part", **place)
    dissent = replace(court, treatment_id="cl:1>/separate", label="questioned", kind="", decides=False, part="dissent")
    hostile = replace(dissent, sentence=HOSTILE, label="mentioned", kind="followed", decides=True)
    mentioned = replace(court, label="mentioned", kind="", sentence="Only mentioned.")
    told = replace(mentioned, kind="told", told="overruled", by="9 U.S. 9", sentence="He told it.")
    return [court, dissent, hostile, mentioned, told]


@dataclass
class HandIndex:
    """An index in memory with the reader's methods that the pages use."""

    opinions: dict[str, Opinion]
    known: dict[str, IndexedCase]
    said: list[Description]
    cites: list[Citation]
    version: int = 1
    place: str = "by hand"
    newer: HandIndex | None = None
    broken: Exception | None = None
    unfinished: bool = False
    treated: list[Treatment] = field(default_factory=list)
    info: IndexInfo = field(default_factory=lambda: IndexInfo("hand", 2, 3, 4, 5, "2026-01-01", "2026-01-02", "0", 0))

    def _checked(self) -> None:
        if self.broken:
            raise self.broken

    @property
    def edition(self) -> int:
        return self.version

    def refreshed(self) -> HandIndex:
        if self.unfinished:
            raise InputError("a version that is half written")
        return self.newer or self

    def cases(self, ids: Iterable[str]) -> dict[str, IndexedCase]:
        self._checked()
        return {one: self.known[one] for one in ids if one in self.known}

    def opinion(self, opinion_id: str) -> Opinion:
        return self.opinions[opinion_id]

    def citations(self, opinion_id: str) -> list[Citation]:
        return [one for one in self.cites if one.opinion_id == opinion_id]

    def descriptions_of(self, case_ids: Iterable[str], limit: int) -> dict[str, list[Description]]:
        return {one: [d for d in self.said if d.case_id == one][:limit] for one in case_ids}

    def citing(self, case_id: str, limit: int) -> list[Citing]:
        found = [c for c in self.cites if c.cited_case_id == case_id]
        return [Citing(c.opinion_id.rpartition("/")[0], 1, c.opinion_id, c.start) for c in found[:limit]]

    def treatments_of(self, case_ids: Iterable[str], *, separate: bool) -> dict[str, list[Treatment]]:
        return {one: [t for t in self.treated if t.case_id == one] for one in case_ids}

    def case_treatments(self, case_ids: Iterable[str]) -> dict[str, CaseTreatment]:
        flags = tuple(t for t in self.treated if t.decides and t.label in NEGATIVE)
        return {one: CaseTreatment(tuple(t for t in flags if t.case_id == one), 3, 7) for one in case_ids}

    def count(self, filters: Filters | None = None) -> Counts:
        self._checked()
        return Counts(len(self.known), 4)

    def facets(self) -> Facets:
        self._checked()
        return Facets([("Supreme Court", 2), ("", 1)], [("us", 3)], [("majority", 3), ("dissent", 1)], "1970", "1990")


def hand_index(**changes: Any) -> HandIndex:
    dissent = opinion("cl:1/1", "POE, J.\n\nI dissent from all of it.", "dissent", "POE, J.")
    opinions = [opinion(), dissent, opinion("cl:2/0", "By the Court.\n\nThis is page eight and more of it.")]
    return HandIndex(
        opinions={one.opinion_id: one for one in opinions},
        known={"cl:1": case("cl:1", "Doe v. Poe <b>", ("majority", "dissent")), "cl:2": case("cl:2", "Roe v. Wade")},
        said=[description(100, "cl:2", f"holding that {HOSTILE} is free"), description(200, "cl:1", "so it was")],
        cites=[
            records_support.citation(
                "cl:1/0", opinion().text.index("410 U.S. 113"), "410 U.S. 113", cited_case_id="cl:2", pin_pages=[8]
            )
        ],
        treated=treatments(),
        **changes,
    )


def passage_hit(words: str, number: int = 0, stance: Stance | None = None, part: str = "majority") -> PassageHit:
    """A passage of the first opinion of `cl:1` from some words to its end, the words quoted."""
    start = BODY.index(words)
    text = BODY[start:]
    found = records_support.passage(number, text, date="1973-01-22", part=part, start=start, end=start + len(text))
    return PassageHit(found, 0.5, {"bm25": 1.5, "dense": 0.25}, [(0, 3)], (0, len(words)), stance)


SUPPORTS, REFUTES = Stance(0.9, 0.06, 0.04, 1.0), Stance(0.1, 0.2, 0.7, 0.5)


def hit(stance: Stance | None = None, found: IndexedCase | None = None) -> Hit:
    passages = [passage_hit("The tenant paid.", 0, stance), passage_hit("A landlord may not", 1, None, "dissent")]
    return Hit(
        case=found or case("cl:1", "Doe v. Poe <b>", ("majority", "dissent")),
        score=0.75,
        found_by=("bm25", "dense"),
        scores={"bm25": 0.5, "dense": 0.25},
        passages=passages,
        descriptions=[DescriptionHit(description(100, "cl:1", f"holding that {HOSTILE}"), 0.0, {}, stance)],
        stance=stance,
        decided_by="cl:1/0#0" if stance else "",
        words_read=25 if stance else 0,
        treatment=CaseTreatment((records_support.treatment(sentence=f"We overrule {HOSTILE}."),), 3, 7),
    )


def answer(argument: str, filters: Filters, judged: bool = True) -> Answer:
    """One hit in each list, or one that nobody judged."""
    made = Answer(argument, filters, encoder="hand", n_cases=2, n_passages=4, seconds={"total": 0.01}, version=1)
    if not judged:
        return replace(made, unjudged=[hit()], notes=["No model judged the stance."])
    neither = Stance(0.1, 0.8, 0.1, 1.0)
    return replace(
        made,
        stance_model="rule",
        named=[replace(hit(SUPPORTS, case("cl:2", "Roe v. Wade")), treatment=CaseTreatment((), 1200, 7))],
        supporting=[hit(SUPPORTS)],
        refuting=[hit(REFUTES)],
        undecided=[hit(neither)],
        phrases=["a deposit"],
        notes=[f"A note with {HOSTILE}."],
    )


@dataclass
class HandSearcher:
    """Answers made by hand, and a memory of what was asked."""

    make: Callable[[str, Filters], Answer] = answer
    seconds: float = 0.0
    hold: threading.Event | None = None
    """What every answer waits for."""
    asked: list[tuple[str, Filters, int]] = field(default_factory=list)
    good_law: list[bool] = field(default_factory=list)
    judged: list[bool] = field(default_factory=list)
    most_at_once: int = 0
    now: int = 0

    def search(
        self, argument: str, filters: Filters | None = None, k: int = 10, *, judged: bool = True, good_law: bool = False
    ) -> Answer:
        self.good_law.append(good_law)
        self.judged.append(judged)
        self.asked.append((argument, filters or Filters(), k))
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        time.sleep(self.seconds)
        if self.hold:
            assert self.hold.wait(120)
        self.now -= 1
        made = self.make(argument, filters or Filters())
        return made if judged else answer(argument, Filters(), judged=False)

    def close(self) -> None:
        pass


def library(
    index: HandIndex | None = None, searcher: Searches | None = None, model: str | None = "rule", **settings: Any
) -> IndexService:
    searches = searcher or HandSearcher()
    return IndexService(cast(Index, index or hand_index()), lambda _: searches, WebSettings(**settings), model)


def ask(
    lib: IndexService | FastAPI,
    *urls: str,
    method: str = "GET",
    release: tuple[int | Callable[[], bool], threading.Event] | None = None,
    **given: Any,
) -> list[httpx.Response]:
    """What the application, or the one over a library, answers, all asked at one time, without a server.

    `release`: set an event after so many answers, or once something holds.
    """

    async def everything() -> list[httpx.Response]:
        app = make_app(lib) if isinstance(lib, IndexService) else lib
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            tasks = [asyncio.create_task(client.request(method, url, **given)) for url in urls]
            if release:
                until, event = release
                while not (until() if callable(until) else sum(task.done() for task in tasks) >= until):
                    await asyncio.sleep(0.01)
                event.set()
            return await asyncio.gather(*tasks)

    return asyncio.run(everything())


def get(url: str, lib: IndexService | None = None, **given: Any) -> httpx.Response:
    return ask(lib or library(), url, **given)[0]


@contextmanager
def serving(lib: IndexService | FastAPI) -> Iterator[str]:
    """A server on a free port of loopback, as `lawng serve` makes it; gives its address without the last slash."""
    with listen("127.0.0.1", 0) as place:
        server = server_of(make_app(lib) if isinstance(lib, IndexService) else lib)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield url_of(place).rstrip("/")
        finally:
            server.should_exit = True
            thread.join(10)
            if isinstance(lib, IndexService):
                lib.close()
