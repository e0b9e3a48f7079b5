"""Rows of numbers by key on disk: what a model said of a text is kept, so that nothing is computed twice.

Rows(folder, width)     rows.missing(keys)     rows.add(keys, values)     rows[keys] -> array
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError

_KEY_BYTES = 16


def key_of(*texts: str) -> bytes:
    """The key of one or several texts.

    >>> key_of("a", "bc") != key_of("ab", "c")
    True
    """
    digest = blake2b(digest_size=_KEY_BYTES)
    for text in texts:
        raw = text.encode()
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.digest()


class Rows:
    """A growing table of float32 rows; each addition is a file that appears whole: a kill loses the last one."""

    def __init__(self, folder: Path, width: int) -> None:
        self.folder = folder
        self.width = width
        folder.mkdir(parents=True, exist_ok=True)
        self._place: dict[bytes, int] = {}
        self._values = [np.zeros((0, width), dtype=np.float32)]
        self._n_parts = 0
        self._load()

    def __len__(self) -> int:
        return len(self._place)

    def __getitem__(self, keys: Sequence[bytes]) -> NDArray[np.float32]:
        """The rows of some keys, in their order. Raises KeyError when one is missing."""
        if len(self._values) > 1:
            self._values = [np.concatenate(self._values)]
        return self._values[0][[self._place[key] for key in keys]]

    def missing(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that have no row yet."""
        return {key for key in keys if key not in self._place}

    def add(self, keys: Sequence[bytes], values: NDArray[np.float32]) -> None:
        """Keep the rows of new keys."""
        final = self.folder / f"part-{self._n_parts:06}.npz"
        aside = final.with_suffix(f".{os.getpid()}.partial")  # a folder may have several users
        with aside.open("wb") as file:
            np.savez(file, keys=np.frombuffer(b"".join(keys), dtype=np.uint8), values=values)
        os.replace(aside, final)
        self._n_parts += 1
        self._take(keys, [values])

    def _load(self) -> None:
        keys: list[bytes] = []
        values = []
        for part in sorted(self.folder.glob("part-*.npz")):
            flat, rows = _read(part, self.width)
            keys += [flat[at : at + _KEY_BYTES] for at in range(0, len(flat), _KEY_BYTES)]
            values.append(rows)
            self._n_parts = int(part.stem.partition("-")[2]) + 1
        self._take(keys, values)

    def _take(self, keys: Sequence[bytes], values: Sequence[NDArray[np.float32]]) -> None:
        self._place.update(zip(keys, range(len(self._place), len(self._place) + len(keys)), strict=True))
        self._values += values


def _read(part: Path, width: int) -> tuple[bytes, NDArray[np.float32]]:
    try:
        with np.load(part) as stored:
            flat, rows = stored["keys"].tobytes(), stored["values"]
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise InputError(f"{part}: cannot be read ({error}); remove it, and its rows are computed again") from error
    if rows.shape != (len(flat) // _KEY_BYTES, width):
        raise InputError(
            f"{part}: rows of {rows.shape[1:]} numbers instead of {width}; remove the folder {part.parent}"
        )
    return flat, rows
