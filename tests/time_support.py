"""How the time of a computation grows with its size, whatever the machine and whoever else computes on it."""

from __future__ import annotations

import time
from collections.abc import Callable

_SHORTEST = 5e-3
"""Seconds: less than this measures the clock and who else computes, and even its square would be harmless."""


def grows_at_most(factor: float, work: Callable[[int], object], small: int, large: int, tries: int = 6) -> bool:
    """Whether the large size takes at most so many times as long as the small one, in processor time of this process.

    The least of some tries of each counts, taken in turns: what disturbs a try only adds to it.
    """
    least = {small: float("inf"), large: float("inf")}
    for _ in range(tries):
        for size in (small, large):
            start = time.process_time()
            work(size)
            least[size] = min(least[size], time.process_time() - start)
        if least[large] <= factor * max(least[small], _SHORTEST):
            return True
    return False
