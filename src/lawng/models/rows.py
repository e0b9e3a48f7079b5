"""Rows of numbers by key on disk: what a model said of a text is kept, so that nothing is computed twice.

Rows(folder, width)     rows.missing(keys)     rows.add(keys, values)     rows[keys] -> array
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from zipfile import BadZipFile

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
    """A growing table of float32 rows; each addition is a file that appears whole: a kill loses the last one.

    Where they are a mere convenience (`spare`), what cannot be read is computed again, and what cannot be written is
    not kept; else both raise InputError or OSError.
    """

    def __init__(self, folder: Path, width: int, spare: bool = False) -> None:
        self.folder = folder
        self.width = width
        self._spare = spare
        with suppress(*([OSError] if spare else [])):
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
        with suppress(*([OSError] if self._spare else [])):
            self._write(keys, values)
        self._take(keys, [values])

    def _write(self, keys: Sequence[bytes], values: NDArray[np.float32]) -> None:
        final = self.folder / f"part-{self._n_parts:06}.npz"
        aside = final.with_suffix(f".{os.getpid()}.partial")  # a folder may have several users
        try:
            with aside.open("wb") as file:
                np.savez(file, keys=np.frombuffer(b"".join(keys), dtype=np.uint8), values=values)
            os.replace(aside, final)
        except OSError:
            with suppress(OSError):
                aside.unlink()
            raise
        self._n_parts += 1

    def _load(self) -> None:
        keys: list[bytes] = []
        values = []
        for part in sorted(self.folder.glob("part-*.npz")):
            self._n_parts = int(part.stem.partition("-")[2]) + 1
            try:
                flat, rows = _read(part, self.width)
            except InputError:
                if not self._spare:
                    raise
                continue
            keys += [flat[at : at + _KEY_BYTES] for at in range(0, len(flat), _KEY_BYTES)]
            values.append(rows)
        self._take(keys, values)

    def _take(self, keys: Sequence[bytes], values: Sequence[NDArray[np.float32]]) -> None:
        # two processes may have kept the same keys: of these the last row counts, and the others keep their places
        first = sum(map(len, self._values))
        self._place.update(zip(keys, range(first, first + len(keys)), strict=True))
        self._values += values


def _read(part: Path, width: int) -> tuple[bytes, NDArray[np.float32]]:
    try:
        with np.load(part) as stored:
            flat, rows = stored["keys"].tobytes(), stored["values"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
        raise InputError(f"{part}: cannot be read ({error}); remove it, and its rows are computed again") from error
    if rows.shape != (len(flat) // _KEY_BYTES, width):
        raise InputError(
            f"{part}: rows of {rows.shape[1:]} numbers instead of {width}; remove the folder {part.parent}"
        )
    return flat, rows
