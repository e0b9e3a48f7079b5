"""How large a model is: its parameters, counted in its files and not loaded.

n_parameters(name or folder) -> int, or None where it has no safetensors files
"""

from __future__ import annotations

import math
from pathlib import Path

from lawng.errors import MissingError
from lawng.models.find import find_model


def n_parameters(name: str) -> int | None:
    """Parameters of a model by folder or name; None when its weights are not on this machine as safetensors."""
    try:
        place = Path(find_model("model", name).place)
    except MissingError:
        return None
    counts = [_in_file(path) for path in sorted(place.rglob("*.safetensors"))]
    return sum(counts) if counts else None


def shown_size(n: int | None) -> str:
    """A number of parameters as ACORD's table D-3 has it.

    >>> shown_size(22_713_216), shown_size(1_230_000_000), shown_size(0), shown_size(None)
    ('23M', '1.23B', '0M', 'N/A')
    """
    if n is None:
        return "N/A"
    return f"{n / 1e9:.2f}B" if n >= 1e9 else f"{n / 1e6:.0f}M"


def _in_file(path: Path) -> int:
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as tensors:
        return sum(math.prod(tensors.get_slice(name).get_shape()) for name in tensors.keys())  # noqa: SIM118
