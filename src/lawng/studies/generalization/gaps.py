"""Columns whose models were trained without long premises against the best that was, on the same examples.

gaps_of(answers, examples, draws) -> Gaps
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lawng.studies.generalization.columns import GRID, needs_long
from lawng.studies.generalization.examples import Example
from lawng.studies.generalization.scores import TWICE, Answer, examples_by_key, hits_of
from lawng.studies.tables import Comparison, Draws, compared


class Gap(NamedTuple):
    """A column whose model needs no long premises to train on, against the best one that does."""

    model: str
    column: str
    best: str
    cases: int
    """That are resampled."""
    comparison: Comparison
    other: str = ""
    """The model of `best`, "" for the same."""


_Cell = tuple[str, str]
"""A model and a column."""


@dataclass
class _Columns:
    """The columns of the grid that were answered, in its order, of several models."""

    hits: Mapping[_Cell, Mapping[int, Mapping[str, float]]]
    """By seed, then by example."""
    case: Mapping[str, str]
    draws: Draws

    def best(self, models: Collection[str], with_long: bool) -> _Cell | None:
        """The most accurate one over all seeds, of equals the first, as in the answer."""
        own = [cell for cell in self.hits if cell[0] in models and (cell[1] in _LONG) is with_long]
        mean = {cell: np.mean([np.mean([*seed.values()]) for seed in self.hits[cell].values()]) for cell in own}
        return max(own, key=lambda cell: round(float(mean[cell]), 9), default=None)

    def against(self, best: _Cell, short: Sequence[_Cell]) -> Iterator[Gap]:
        """Some columns against one, all tested together; a test counts an example once."""
        seeds = {cell: [seed for seed in self.hits[cell] if seed in self.hits[best]] for cell in short}
        seeds = {cell: both for cell, both in seeds.items() if both}  # a training of one can have failed
        keys = [*next(iter(self.hits[best].values()))]
        once = [key for key in keys if not key.endswith(TWICE)]
        tested = self._compared(best, {cell: both[:1] for cell, both in seeds.items()}, once, exact=True)
        n = len({self.case[key] for key in keys})
        for (model, column), test, gap in zip(seeds, tested, self._compared(best, seeds, keys), strict=True):
            exact = gap._replace(test=test.test, p_holm=test.p_holm)
            yield Gap(model, column, best[1], n, exact, best[0] if best[0] != model else "")

    def _compared(
        self, best: _Cell, seeds: Mapping[_Cell, Sequence[int]], keys: Sequence[str], exact: bool = False
    ) -> list[Comparison]:
        """By each example's share over some seeds."""

        def of(cell: _Cell, both: Sequence[int]) -> list[float]:
            return [float(np.mean([self.hits[cell][seed][key] for seed in both])) for key in keys]

        pairs = {cell[1]: (of(cell, both), of(best, both)) for cell, both in seeds.items()}
        clusters = {column: [self.case[key] for key in keys] for column in pairs}
        return compared(pairs, self.draws, exact=exact, clusters=clusters)


_LONG = frozenset(column.key for column in GRID if needs_long(column))


def gaps_of(answers: Sequence[Answer], examples: Sequence[Example], draws: Draws) -> Iterator[Gap]:
    """The paper's test: McNemar's exact test of the first seed of both, and a bootstrap over cases (table 13).

    Differences are of each example's share over the seeds that both have, and against the column with long premises
    that is best over all. Each model is set against its own, and the best of all without long premises against the best
    of all with them, where these are of two models that tell as many labels apart.
    """
    order = [column.key for column in GRID]
    asked = sorted((a for a in answers if a.column.key in order), key=lambda a: order.index(a.column.key))
    hits: dict[_Cell, dict[int, dict[str, float]]] = {}
    for one in asked:
        hits.setdefault((one.model, one.column.key), {})[one.seed] = hits_of(one)
    columns = _Columns(hits, {key: one.case_id for key, one in examples_by_key(examples).items()}, draws)
    for model in dict.fromkeys(answer.model for answer in answers):
        if best := columns.best([model], with_long=True):
            short = sorted(cell for cell in hits if cell[0] == model and cell[1] not in _LONG)
            yield from columns.against(best, short)
    able = {one.model for one in asked if one.labels == max(other.labels for other in asked)}
    first, best = columns.best(able, with_long=False), columns.best(able, with_long=True)
    if first and best and first[0] != best[0]:
        yield from columns.against(best, [first])
