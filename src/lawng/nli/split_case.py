"""The split by case: nothing that could give an answer away stands on two sides.

    split_case(items, seed) -> dict[candidate_id, split]     an id that is missing is a split-conflict

An example has *ties*: its citing case, its cited case, the case of its premise, its cluster of near-duplicate
hypotheses. Two examples with a tie in common may not be in two splits. The rule:

1. Examples linked by ties make components. Validation and test, in turn, get whole components, smallest first (random
   among equals), until each has 5 % of the examples; no example is lost so far. The largest component always trains.
2. Case law hangs together, so what is left may be one giant component, and a split may still lack examples. Then it
   takes examples out of that component one by one, with all their ties; examples that share a tie with it, but not all
   their ties, are dropped (split-conflict). The next one taken is always one that drops the fewest others.
3. That stops when the split has its 5 %, or when more than a fifth of all examples would be dropped; the split is then
   smaller than 5 %, which the statistics show.

All else trains.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from lawng.nli.duplicates import near_duplicates
from lawng.nli.order import rank
from lawng.nli.records import Paired

STEP = "split-case"
HELD_OUT = ("validation", "test")
HELD_OUT_SHARE = 0.05
MAX_DROPPED_SHARE = 0.2


def split_case(items: Sequence[Paired], seed: int) -> dict[str, str]:
    """Split by candidate id, by the rule above; dropped examples are not in it."""
    if not items:
        return {}
    ordered = sorted(items, key=attrgetter("candidate_id"))
    ties = ties_of(ordered)
    ranks = [rank(seed, STEP, item.candidate_id) for item in ordered]
    board = _Board(ties, ranks)
    _whole_components(board, _components(ties))
    for side in HELD_OUT:
        _peel(board, side)
    sides = (board.side_of(number) for number in range(len(ordered)))
    return {item.candidate_id: side for item, side in zip(ordered, sides, strict=True) if side}


def ties_of(items: Sequence[Paired]) -> list[frozenset[str]]:
    """What each example may share with no example of another split: cases, and near-duplicate hypotheses."""
    clusters = near_duplicates([item.item.hypothesis for item in items])
    return [
        frozenset(
            {
                item.item.candidate.citing_case_id,
                item.item.candidate.cited_case_id,
                item.premise.case_id,
                f"near-duplicate {cluster}",
            }
        )
        for item, cluster in zip(items, clusters, strict=True)
    ]


class _Board:
    """Which side has claimed which tie, and what follows for the examples."""

    def __init__(self, ties: list[frozenset[str]], ranks: list[int]) -> None:
        self.ties = ties
        self.ranks = ranks
        self.owner: dict[str, str] = {}
        self.holders: dict[str, list[int]] = defaultdict(list)
        for number, own in enumerate(ties):
            for tie in own:
                self.holders[tie].append(number)
        self.goal = max(1, round(len(ties) * HELD_OUT_SHARE)) if len(ties) > len(HELD_OUT) else 0
        self.dropped: set[int] = set()
        self.inside: dict[str, set[int]] = {side: set() for side in HELD_OUT}

    def side_of(self, number: int) -> str | None:
        """The example's split; None when its ties are on two sides. Ties that nobody claimed train."""
        sides = {self.owner.get(tie, "train") for tie in self.ties[number]}
        return sides.pop() if len(sides) == 1 else None

    def neighbours(self, number: int) -> set[int]:
        """Examples that share a tie with this one, itself included."""
        return {other for tie in self.ties[number] for other in self.holders[tie]}

    def loss(self, number: int, side: str) -> int | None:
        """How many more examples are dropped when the side claims this one's ties; None when another side has one."""
        if any(self.owner.get(tie, side) != side for tie in self.ties[number]):
            return None
        theirs = self.ties[number]
        lost = {n for n in self.neighbours(number) if not self._within(n, theirs, side)}
        rescued = {n for n in self.neighbours(number) & self.dropped if self._within(n, theirs, side)}
        return len(lost - self.dropped) - len(rescued)

    def claim(self, number: int, side: str) -> None:
        """Give all ties of an example to a side."""
        self.owner.update(dict.fromkeys(self.ties[number], side))
        for other in self.neighbours(number):
            self.dropped.discard(other)
            where = self.side_of(other)
            if where is None:
                self.dropped.add(other)
            elif where == side:
                self.inside[side].add(other)

    def _within(self, number: int, claimed: frozenset[str], side: str) -> bool:
        return all(tie in claimed or self.owner.get(tie) == side for tie in self.ties[number])


def _components(ties: list[frozenset[str]]) -> list[list[int]]:
    """Examples linked by ties, component by component."""
    names = {tie: number for number, tie in enumerate(sorted(set().union(*ties)))}
    rows = np.array([row for row, own in enumerate(ties) for _ in own], dtype=np.int64)
    columns = np.array([len(ties) + names[tie] for own in ties for tie in sorted(own)], dtype=np.int64)
    size = len(ties) + len(names)
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    _, found = connected_components(graph, directed=False)
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


def _peel(board: _Board, side: str) -> None:
    """Rules 2 and 3: single examples with all their ties, cheapest first, until it is full or too much is lost."""
    budget = MAX_DROPPED_SHARE * len(board.ties) / len(HELD_OUT) * (HELD_OUT.index(side) + 1)
    queue = [(_cost(board, number, side), board.ranks[number], number) for number in range(len(board.ties))]
    heapq.heapify(queue)
    while queue and len(board.inside[side]) < board.goal:
        cost, place, number = heapq.heappop(queue)
        now = _cost(board, number, side)
        if now == _TAKEN or board.side_of(number) == side:
            continue
        if now > cost:  # it has become dearer since it was queued
            heapq.heappush(queue, (now, place, number))
        elif len(board.dropped) + now <= budget:
            board.claim(number, side)
            for other in board.neighbours(number) - board.inside[side]:
                heapq.heappush(queue, (_cost(board, other, side), board.ranks[other], other))


_TAKEN = 1 << 60


def _cost(board: _Board, number: int, side: str) -> int:
    loss = board.loss(number, side)
    return _TAKEN if loss is None else loss
