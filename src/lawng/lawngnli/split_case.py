"""The split by case: nothing that could give an answer away stands on two sides.

An example has *ties*: its citing case, its cited case, the case of its premise, the clusters of near-duplicates of its
hypothesis and of its twin's. Two examples with a tie in common may not be in two splits. The rule:

1. Examples linked by ties make components. Validation and test, in turn, get whole components, smallest first (random
   among equals), until each has its share of the examples, 5 % or what is asked for; no example is lost so far. The
   largest component always trains.
2. Case law hangs together, so what is left may be one giant component, and a split may still lack examples. Then it
   takes examples out of that component one by one, with all their ties; examples that share a tie with it, but not all
   their ties, are dropped (split-conflict). The next one taken has the label that the split has least of, and among
   these the unclaimed ties that the fewest others have: neutral examples are tied to one case more than the others.
3. That stops when the split has its share, or when a fifth of all examples might be dropped; the split is then smaller,
   which the statistics show.

All else trains.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from lawng.lawngnli.order import rank
from lawng.lawngnli.records import Paired
from lawng.text.similar import Similar

_DRAW = "split-case"
HELD_OUT = ("validation", "test")
HELD_OUT_SHARE = 0.05
MAX_DROPPED_SHARE = 0.2
SIMILAR = 0.8
# A hypothesis and its negation are near-duplicates: what negation adds or takes away does not count.
_NEGATION_WORDS = {"not", "no", "never", "cannot", "can", "do", "does", "did"}
_WORD = re.compile(r"\w+")


def split_case(items: Sequence[Paired], seed: int, share: float = HELD_OUT_SHARE) -> dict[str, str]:
    """Split by use id, by the rule above; dropped examples are not in it: a `split-conflict`."""
    if not items:
        return {}
    ordered = sorted(items, key=attrgetter("use_id"))
    ties = ties_of(ordered)
    ranks = [rank(seed, _DRAW, item.use_id) for item in ordered]
    labels = [item.item.label for item in ordered]
    board = _Board(ties, ranks, share)
    _whole_components(board, _components(ties))
    for side in HELD_OUT:
        _peel(board, labels, side)
    sides = (board.side_of(number) for number in range(len(ordered)))
    return {item.use_id: side for item, side in zip(ordered, sides, strict=True) if side}


def ties_of(items: Sequence[Paired]) -> list[frozenset[str]]:
    """What each example may share with no example of another split: cases, and near-duplicates of it or of its twin."""
    labelled = [item.item for item in items]
    clusters = near_duplicates([*(own.hypothesis for own in labelled), *(own.flipped for own in labelled)])
    cases = [(i.item.candidate.citing_case_id, i.item.candidate.cited_case_id, i.premise.case_id) for i in items]
    both = zip(clusters[: len(items)], clusters[len(items) :], strict=True)
    return [
        frozenset((*own, *(f"near-duplicate {cluster}" for cluster in pair)))
        for own, pair in zip(cases, both, strict=True)
    ]


class _Board:
    """Which side has claimed which tie, and what follows for the examples."""

    def __init__(self, ties: list[frozenset[str]], ranks: list[int], share: float) -> None:
        self.ties = ties
        self.ranks = ranks
        self.owner: dict[str, str] = {}
        self.holders: dict[str, list[int]] = defaultdict(list)
        for number, own in enumerate(ties):
            for tie in own:
                self.holders[tie].append(number)
        self.goal = max(1, round(len(ties) * share)) if len(ties) > len(HELD_OUT) else 0
        self.dropped: set[int] = set()
        self.inside: dict[str, set[int]] = {side: set() for side in HELD_OUT}

    def side_of(self, number: int) -> str | None:
        """The example's split; None when its ties are on two sides. Ties that nobody claimed train."""
        sides = {self.owner.get(tie, "train") for tie in self.ties[number]}
        return sides.pop() if len(sides) == 1 else None

    def unclaimed(self, number: int) -> list[str]:
        """Ties of the example that nobody has claimed."""
        return [tie for tie in sorted(self.ties[number]) if tie not in self.owner]

    def cost(self, number: int) -> int:
        """How many others hold the example's unclaimed ties: at least as many as it would drop."""
        return sum(len(self.holders[tie]) - 1 for tie in self.unclaimed(number))

    def is_open_to(self, number: int, side: str) -> bool:
        """Whether the side may still take the example: none of its ties is another's, and it is not inside yet."""
        owners = {self.owner.get(tie) for tie in self.ties[number]}
        return None in owners and owners <= {None, side}

    def claim(self, number: int, side: str) -> set[int]:
        """Give all ties of an example to a side; returns the examples that hold one of those that were free."""
        fresh = self.unclaimed(number)
        self.owner.update(dict.fromkeys(fresh, side))
        touched = {other for tie in fresh for other in self.holders[tie]}
        for other in touched:
            where = self.side_of(other)
            (self.dropped.add if where is None else self.dropped.discard)(other)
            if where == side:
                self.inside[side].add(other)
        return touched


def _components(ties: list[frozenset[str]]) -> list[list[int]]:
    """Examples linked by ties, component by component."""
    names = {tie: number for number, tie in enumerate(sorted(set().union(*ties)))}
    edges = [(row, len(ties) + names[tie]) for row, own in enumerate(ties) for tie in sorted(own)]
    found = components(edges, len(ties) + len(names))
    members: dict[int, list[int]] = defaultdict(list)
    for row in range(len(ties)):
        members[int(found[row])].append(row)
    return list(members.values())


def _whole_components(board: _Board, components: list[list[int]]) -> None:
    """Rule 1: whole components to the emptier side, smallest first, as long as they fit."""
    ordered = sorted(components, key=lambda members: (len(members), min(board.ranks[n] for n in members)))
    for members in ordered[:-1]:
        side = min(HELD_OUT, key=lambda name: len(board.inside[name]))
        if len(board.inside[side]) + len(members) > board.goal:
            return
        for number in members:
            board.claim(number, side)


def _peel(board: _Board, labels: Sequence[str], side: str) -> None:
    """Rules 2 and 3: single examples with all their ties, until the split is full or too much would be lost."""
    budget = MAX_DROPPED_SHARE * len(board.ties) / len(HELD_OUT) * (HELD_OUT.index(side) + 1)
    queues: dict[str, list[tuple[int, int, int]]] = {label: [] for label in sorted(set(labels))}
    for number, label in enumerate(labels):
        heapq.heappush(queues[label], (board.cost(number), board.ranks[number], number))
    while queues and len(board.inside[side]) < board.goal:
        held = Counter(labels[number] for number in board.inside[side])
        label = min(queues, key=lambda name: (held[name], name))
        cheapest = _cheapest(board, queues[label], side)
        if cheapest is None or len(board.dropped) + board.cost(cheapest) > budget:
            del queues[label]
            continue
        for other in board.claim(cheapest, side):
            if board.is_open_to(other, side) and labels[other] in queues:
                heapq.heappush(queues[labels[other]], (board.cost(other), board.ranks[other], other))


def _cheapest(board: _Board, queue: list[tuple[int, int, int]], side: str) -> int | None:
    """The next example that the side may take; those that cost less by now have been queued again."""
    while queue:
        cost, _, number = heapq.heappop(queue)
        if board.is_open_to(number, side) and cost == board.cost(number):
            return number
    return None


def near_duplicates(hypotheses: Sequence[str]) -> list[int]:
    """Cluster numbers: two hypotheses are linked when their word sets have a Jaccard index of at least 0.8.

    Clusters are closed under links. Case, punctuation and words of negation do not count.

    >>> near_duplicates(["the State may tax income", "The State may not tax income.", "a duty is owed"])
    [0, 0, 1]
    """
    every = [frozenset(_WORD.findall(text.lower())) for text in hypotheses]
    sets = [(words - _NEGATION_WORDS) or words for words in every]
    return [int(number) for number in components(list(_links(sets)), len(sets))]


def _links(sets: list[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs similar enough."""
    frequency = Counter(word for words in sets for word in words)
    known = Similar(SIMILAR, lambda word: (frequency[word], word))
    for number, words in enumerate(sets):
        yield from ((other, number) for other, _ in known.like(words))
        known.add(words)


def components(edges: Sequence[tuple[int, int]], size: int) -> NDArray[np.int32]:
    """The number of each node's component in an undirected graph of `size` nodes.

    >>> components([(0, 2)], 3).tolist()
    [0, 1, 0]
    """
    # a third of a second to import: worker processes that need none of it come through here
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    found: NDArray[np.int32] = connected_components(graph, directed=False)[1]
    return found
