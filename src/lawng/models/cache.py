"""Where lawng keeps what it can make again, and how: for its owner alone, and whole or not at all.

cache_root() -> Path     private(folder) -> Path
"""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """$LAWNG_CACHE, else ~/.cache/lawng."""
    given = os.environ.get("LAWNG_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "lawng"


def private(folder: Path) -> Path:
    """The folder, made for its owner alone (0700): clauses of contracts are confidential. Raises OSError."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder
