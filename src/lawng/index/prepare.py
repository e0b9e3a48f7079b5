"""A corpus in batches ready to be encoded and written: cases, opinions, citations, passages, what is said of others.

Batches are made ahead of their use, in a thread: what reads and cuts waits for memory, not for the encoder.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar, cast

from lawng.corpus.reader import Corpus
from lawng.index.descriptions import citing_sentences, descriptions_of_opinion, undescribed
from lawng.index.passages import Measure, passages_of
from lawng.index.tables import shown_name
from lawng.schema import Case, Citation, Description, IndexedCase, Opinion, Passage, Treatment

T = TypeVar("T")


@dataclass
class Batch:
    """Some whole cases and all that is indexed of them."""

    cases: list[Case] = field(default_factory=list)
    indexed: list[IndexedCase] = field(default_factory=list)
    opinions: list[Opinion] = field(default_factory=list)
    citations: list[tuple[str, Citation]] = field(default_factory=list)
    """Each with the citing case's id."""
    passages: list[Passage] = field(default_factory=list)
    descriptions: list[Description] = field(default_factory=list)
    treatments: list[Treatment] = field(default_factory=list)
    n_skipped: int = 0
    """Cases left out because the index has them already."""
    n_undescribed: int = 0


def batches(corpus: Corpus, known: Container[str], measure: Measure, size: int) -> Iterator[Batch]:
    """The cases of a corpus that are not known yet, in batches of at least `size` passages but the last."""
    batch = Batch()
    for case, opinions in corpus.cases_with_opinions():
        if case.case_id in known:
            batch.n_skipped += 1
            continue
        _take(batch, case, opinions, measure)
        if len(batch.passages) >= size:
            yield batch
            batch = Batch()
    yield batch


def _take(batch: Batch, case: Case, opinions: list[Opinion], measure: Measure) -> None:
    from lawng.citation.extract import citations_of_case
    from lawng.treatment.judge import treatments_of

    citations = citations_of_case(opinions)
    for opinion in opinions:
        own = [citation for citation in citations if citation.opinion_id == opinion.opinion_id]
        batch.passages += passages_of(opinion, case, own, measure)
        batch.descriptions += descriptions_of_opinion(opinion, case, own)
        batch.descriptions += citing_sentences(opinion, case, own)
        batch.n_undescribed += undescribed(own)
    batch.treatments += treatments_of(case, opinions, citations)
    batch.cases.append(case)
    batch.indexed.append(_indexed(case, opinions))
    batch.opinions += opinions
    batch.citations += [(case.case_id, citation) for citation in citations]


def _indexed(case: Case, opinions: list[Opinion]) -> IndexedCase:
    return IndexedCase(
        case_id=case.case_id,
        name=shown_name(case),
        citations=[cite.cite for cite in case.citations],
        court=case.court,
        jurisdiction=case.jurisdiction,
        date=case.date,
        cited_by=0,
        opinions=[opinion.opinion_id for opinion in opinions],
        parts=[opinion.type for opinion in opinions],
        n_words=sum(len(opinion.text.split()) for opinion in opinions),
    )


def ahead(items: Iterable[T], n: int = 2) -> Iterator[T]:
    """The items, of which the next ones are made in a thread while the last one is used.

    >>> list(ahead("abc"))
    ['a', 'b', 'c']
    """
    left, end = iter(items), object()
    pool = ThreadPoolExecutor(1, "ahead")
    try:
        made: deque[Future[T | object]] = deque(pool.submit(next, left, end) for _ in range(n))
        while (item := made.popleft().result()) is not end:
            made.append(pool.submit(next, left, end))
            yield cast(T, item)
    finally:
        pool.shutdown(cancel_futures=True)
