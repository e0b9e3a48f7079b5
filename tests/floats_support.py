"""How near two numbers must be that two processors, or two orders of additions, gave for the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RELATIVE = 1e-4
"""What 32-bit arithmetic of any processor keeps, and any two batches."""


def close_to(expected: Any) -> Any:
    """Equal to 1e-4 of each number."""
    return pytest.approx(expected, rel=RELATIVE)


def close_as_a_whole(expected: Any) -> Any:
    """Equal to 1e-4 of the largest number: a logit, a gradient or a cosine near 0 is what is left of larger ones."""
    return pytest.approx(expected, rel=RELATIVE, abs=RELATIVE * float(np.abs(np.asarray(expected)).max(initial=0.0)))
