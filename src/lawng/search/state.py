"""How a search is done, and one search while it is made: what was asked, and what each step found.

    read -> rank -> fuse -> choose passages, fetch -> hits -> judge -> answer        (`lawng.search.searcher`)

Each step reads what stands here and fills in its own part; nothing else is handed from step to step.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lawng.index.treated import CaseTreatment
from lawng.schema import Description, Filters, IndexedCase, Passage
from lawng.search.answer import Hit
from lawng.search.fusion import Fused, FusionSettings, Item
from lawng.search.known_items import KnownItems
from lawng.search.query import Query

if TYPE_CHECKING:
    from lawng.index.rank import Found
    from lawng.index.reader import Counts, Index


DECIDES = "decides"
"""The sign of a passage, and of a case, that tells of its deciding sentence."""


@dataclass(frozen=True, slots=True)
class PassageSettings:
    """What each sign counts by which passages of a case are chosen.

    Chosen by `benchmarks/pinned_pages.py` on the tuning half of its queries. Without the cosine it was as good there
    (0.789, 0.788); arguments share fewer words with a case than such queries.
    """

    bm25: float = 0.64
    dense: float = 0.16
    cited: float = 0.2
    """How often later courts cite the passage's pages."""


@dataclass(frozen=True, slots=True)
class DecidingSettings:
    """What each sign counts by which a sentence is taken for the one that decides (`lawng.search.deciding`)."""

    n_cases: int = 10
    """Cases whose sentences are weighed, at least; as many as are asked for where that is more."""
    n_offered: int = 5
    """Passages of a case whose sentences are weighed."""
    n_read: int = 6
    """Sentences that the re-ranker reads, of the best cases: of each the likeliest, before one of the next is read."""
    n_of_case: int = 2
    """Of one case, at most, unless fewer cases leave room."""
    words: float = 3.7
    """BM25 of the sentence, as a share of the best one's in the case."""
    lead: float = 2.1
    """The same of the sentence with what leads to it."""
    around: float = 1.9
    """The same of it and its neighbours, three on each side."""
    roles: tuple[float, ...] = (0.24, 0.0, -0.12, -0.34, -0.2, -0.09, -0.13, 0.0)
    """By log-probability of each of `lawng.datasets.excerpts.ROLES`."""
    reranker: float = 1.0
    """The re-ranker's logit; the others are logits, too."""
    case: float = 0.2
    """How far a case can move: its best sentence's share of the way from the worst to the best, beside its score."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Numbers of a search; the defaults are those that `docs/how-to/search.md` describes."""

    depth: int = 100
    """Each ranker's passages or descriptions, at least; four times as many as cases are asked for if that is more."""
    n_passages: int = 3
    """Passages of a hit, at most."""
    n_descriptions: int = 3
    """Descriptions of a hit, at most."""
    n_judged: int = 20
    """Premises whose stance is judged, all hits together; more where more cases are shown."""
    n_judged_descriptions: int = 6
    """How many of these may be descriptions, where a hit's own passages can be judged instead."""
    near: float = 0.33
    """Cosine below which the nearest passage is no answer. With all-MiniLM-L6-v2 noise and other languages reach
    0.28 over a thousand passages, most SQL 0.31, statements of law 0.32 to 0.58; other encoders give more to both."""
    fusion: FusionSettings = field(default_factory=FusionSettings)
    passages: PassageSettings = field(default_factory=PassageSettings)
    deciding: DecidingSettings = field(default_factory=DecidingSettings)

    def depth_for(self, k: int) -> int:
        """How deep each ranker looks when k cases are asked for."""
        return max(self.depth, 4 * k)


@dataclass(slots=True)
class SearchState:
    """The state of one search; what a step has not filled in yet is empty."""

    # where
    index: Index
    settings: SearchSettings
    pool: Executor
    """Threads for what the index looks up; it releases Python's lock meanwhile."""
    encoder_lock: Lock
    """Held while the encoder runs, whose tokenizer serves one thread at a time."""

    # what is asked
    query: Query
    filters: Filters = field(default_factory=Filters)
    k: int = 10
    reranked: bool = False
    """Whether a re-ranker will choose among more cases and passages than are shown."""
    leave_out: tuple[str, ...] = ()
    """Ids of descriptions that are not looked at."""
    good_law: bool = False
    """Whether cases that were overruled or reversed are left out."""

    asked: bool = False
    """Whether the answer is of given cases alone."""

    # read
    known: KnownItems = field(default_factory=KnownItems)
    """What the argument cites and names."""
    named: dict[str, IndexedCase] = field(default_factory=dict)
    """Of it the cases that pass the filters, by id in the argument's order."""
    text: str = ""
    """What is searched by words and by meaning; "" where the argument is nothing but citations and names."""
    claim: str = ""
    """What is to be supported or refuted: the argument without the cases that it cites and names."""
    phrases: tuple[str, ...] = ()
    """Quoted ones that must occur."""

    # rank
    found: dict[str, list[Found]] = field(default_factory=dict)
    """By ranker, best first; {} where no ranker was asked."""
    counts: Counts | None = None
    """How much passed filters and phrases."""
    vector: NDArray[np.float32] | None = None
    """Of the text."""

    # fuse
    fused: dict[str, Fused] = field(default_factory=dict)
    """All cases found, by id, best first."""
    case_ids: list[str] = field(default_factory=list)
    """The cases of the answer: the named ones, then the k best others."""
    left_out: list[str] = field(default_factory=list)
    """Cases that would be among them, had they not been overruled or reversed."""
    deeper: int = 1
    """So many times as deep as usual each ranker looks: more where too few cases are left."""

    # choose and fetch, by case id
    passages: dict[str, list[Item]] = field(default_factory=dict)
    """Best first, those of dissents last; a case is absent where none passes filters and phrases."""
    descriptions: dict[str, list[Item]] = field(default_factory=dict)
    """Those that speak to the argument, best first."""
    case_rows: dict[str, IndexedCase] = field(default_factory=dict)
    passage_rows: dict[str, Passage] = field(default_factory=dict)
    description_rows: dict[str, Description] = field(default_factory=dict)
    other_descriptions: dict[str, list[Description]] = field(default_factory=dict)
    """Of cases of which too few spoke to the argument."""
    treatments: dict[str, CaseTreatment] = field(default_factory=dict)

    # hits, and what the model made of them
    hits: list[Hit] = field(default_factory=list)
    """The named ones first."""
    lost: int = 0
    """Cases that the argument names, or that were asked for, without a passage that has every quoted phrase."""
    n_named: int = 0
    """So many of the hits are of named cases."""
    unjudged: str = ""
    """Why the stance was not judged, "" where it was."""
    warnings: list[str] = field(default_factory=list)
    """Why what was found may have nothing to do with the argument."""
    undecided: str = ""
    """Why the deciding sentences were not looked for, "" where they were or there is no re-ranker."""
    reranker: str | None = None
    """Name of the re-ranker that has chosen the sentences, None where none has."""

    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("load", "encode", "rank", "fetch"), 0.0))

    @property
    def only_names(self) -> bool:
        """Whether the argument is nothing but citations and names that were found."""
        return not self.text

    @property
    def n_cases(self) -> int:
        """Cases that are fetched, beside those that are named."""
        return max(self.k, self.settings.deciding.n_cases) if self.reranked else self.k

    @property
    def n_offered(self) -> int:
        """Passages of a case that are fetched."""
        return self.settings.deciding.n_offered if self.reranked else self.settings.n_passages

    @property
    def depth(self) -> int:
        """How deep each ranker looks."""
        return self.settings.depth_for(self.k + len(self.named)) * self.deeper
