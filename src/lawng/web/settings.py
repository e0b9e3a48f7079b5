"""Limits of the server, in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

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
    most_hits: int = 50
    """Cases in one list that a request can ask for."""
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
