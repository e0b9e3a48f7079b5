"""torch on one thread while it encodes one short text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch, where it is loaded, use one thread in the block.

    A query of twenty tokens gains nothing from a second one, and torch's threads wait for each other in a busy loop: on
    two cores, with the rankers at work beside, that was measured to take seven times as long.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
