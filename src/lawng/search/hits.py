"""Cases found made into hits: their best passages and descriptions fetched, highlighted and quoted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lawng.records import Description, Filters, IndexedCase, Passage
from lawng.search.answer import DescriptionHit, Hit, PassageHit
from lawng.search.evidence import Evidence
from lawng.search.fusion import DESCRIPTION_RANKERS, Fused, item_scores
from lawng.search.inside import Item
from lawng.search.ranking import has_phrases
from lawng.search.settings import SearchSettings

if TYPE_CHECKING:
    from lawng.retrieval.rank import Found
    from lawng.retrieval.reader import Index


class Wanted(NamedTuple):
    """What of a hit must be fetched."""

    case_id: str
    fused: Fused | None
    passages: list[Item]
    descriptions: list[Item]


class Fetched(NamedTuple):
    """Rows of the index by id."""

    cases: Mapping[str, IndexedCase]
    passages: Mapping[str, Passage]
    descriptions: Mapping[str, Description]
    others: Mapping[str, Sequence[Description]]
    """By case, descriptions that need not match."""


class Fetching:
    """The rows of the cases found on their way from the index, a query per table, while their passages are chosen."""

    def __init__(
        self,
        index: Index,
        cases: Sequence[str],
        found: Mapping[str, Sequence[Found]],
        settings: SearchSettings,
        pool: Executor,
    ) -> None:
        n = settings.n_descriptions
        by_case = _by_case(found, DESCRIPTION_RANKERS, settings)
        self.described = {case: by_case.get(case, [])[:n] for case in cases}
        """By case, the descriptions that speak to the argument, best first."""
        few = [case for case in cases if len(self.described[case]) < n]
        self._others = pool.submit(index.descriptions_of, few, n * 3)
        ids = [item.id for items in self.described.values() for item in items]
        self._descriptions = pool.submit(index.descriptions, ids)
        self._cases = pool.submit(index.cases, cases)

    def done(self, passages: Mapping[str, Passage]) -> Fetched:
        """All rows; `passages` are those that were chosen meanwhile."""
        return Fetched(self._cases.result(), passages, self._descriptions.result(), self._others.result())


@dataclass(frozen=True, slots=True)
class Maker:
    """What turns a case into a hit, the same for all hits of an answer."""

    index: Index
    evidence: Evidence
    fetched: Fetched
    settings: SearchSettings
    filters: Filters
    phrases: tuple[str, ...]
    leave_out: frozenset[str]

    def hit(self, wanted: Wanted, found_by: Sequence[str]) -> Hit:
        """A case as found."""
        fused = wanted.fused
        scores = fused.scores if fused else {}
        passages = [self._passage(item) for item in wanted.passages if item.id in self.fetched.passages]
        return Hit(
            case=self.fetched.cases[wanted.case_id],
            score=fused.score if fused else 0.0,
            found_by=(*found_by, *scores),
            scores=dict(scores),
            passages=passages or self._own_passages(wanted.case_id),
            descriptions=self._descriptions(wanted),
        )

    def _passage(self, item: Item) -> PassageHit:
        return self._shown(self.fetched.passages[item.id], item.score, item.scores)

    def _shown(self, passage: Passage, score: float, scores: dict[str, float]) -> PassageHit:
        seen = self.evidence.look(passage.text)
        return PassageHit(passage, score, scores, seen.highlights, seen.quoted)

    def _own_passages(self, case_id: str) -> list[PassageHit]:
        """For a case that no passage of was found: those of its own that have most of the argument's words."""
        case = self.fetched.cases[case_id]
        asked = [
            opinion_id
            for opinion_id, part in zip(case.opinions, case.parts, strict=True)
            if not self.filters.parts or part in self.filters.parts
        ]
        own = [passage for opinion_id in asked for passage in self.index.passages_of(opinion_id)]
        fitting = [passage for passage in own if has_phrases(passage.text, self.phrases)]
        best = sorted(fitting, key=lambda passage: -self.evidence.coverage(passage.text))  # stable: else in text order
        return [self._shown(passage, 0.0, {}) for passage in best[: self.settings.n_passages]]

    def _descriptions(self, wanted: Wanted) -> list[DescriptionHit]:
        rows = self.fetched.descriptions
        matched = [DescriptionHit(rows[i.id], i.score, i.scores) for i in wanted.descriptions if i.id in rows]
        seen = {hit.description.description_id for hit in matched} | self.leave_out
        others = [one for one in self.fetched.others.get(wanted.case_id, ()) if one.description_id not in seen]
        every = matched + [DescriptionHit(one, 0.0, {}) for one in others]
        return every[: self.settings.n_descriptions]


def _by_case(
    found: Mapping[str, Sequence[Found]], rankers: Sequence[str], settings: SearchSettings
) -> dict[str, list[Item]]:
    """What was found by case, best first, ties by id."""
    total = item_scores(found, rankers, settings.fusion)
    raw: dict[str, dict[str, float]] = defaultdict(dict)
    case_of: dict[str, str] = {}
    for ranker in rankers:
        for one in found.get(ranker, ()):
            raw[one.id][ranker] = one.score
            case_of[one.id] = one.case_id
    by_case: dict[str, list[Item]] = defaultdict(list)
    for item_id in sorted(total, key=lambda item_id: (-total[item_id], item_id)):
        by_case[case_of[item_id]].append(Item(item_id, total[item_id], raw[item_id]))
    return dict(by_case)


def with_evidence(hits: Iterable[Hit], phrases: Sequence[str]) -> list[Hit]:
    """The hits that have every phrase in one of their passages or descriptions."""
    return [
        hit
        for hit in hits
        if any(has_phrases(one.passage.text, phrases) for one in hit.passages)
        or any(has_phrases(one.description.text, phrases) for one in hit.descriptions)
    ]
