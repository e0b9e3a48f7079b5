"""One thread where several do harm: they wait for each other in a busy loop, or sums depend on their number."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TOKENIZERS_PARALLELISM")
"""What libraries read, as they are loaded, about how many threads to begin."""


@contextmanager
def one_torch_thread() -> Iterator[None]:
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


def one_blas_thread() -> AbstractContextManager[Any]:
    """Let numpy's products use one thread in the block: beside an encoder's, a search takes five times as long."""
    limiter: AbstractContextManager[Any] = _pools().limit(limits=1, user_api="blas")
    return limiter


@cache
def _pools() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()  # looks through all loaded libraries, which takes a while


@contextmanager
def one_thread_per_worker() -> Iterator[None]:
    """One thread for each worker process that begins in the block, and for what torch computes in it.

    The workers are the parallelism, and sums of floats must not depend on their number.
    """
    before, loaded = {name: os.environ.get(name) for name in THREADS}, "torch" in sys.modules
    os.environ.update({name: "false" if name.startswith("TOKENIZERS") else "1" for name in THREADS})
    try:
        with one_torch_thread():
            yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        if not loaded and (torch := sys.modules.get("torch")):  # it has read, as it was loaded, that it has one thread
            asked = (before["OMP_NUM_THREADS"] or "").partition(",")[0]  # "4,2" is of nested loops
            torch.set_num_threads(int(asked) if asked.isdecimal() and int(asked) else len(os.sched_getaffinity(0)))
