"""What can be made again, kept by key in one SQLite file that several threads and processes may share.

A file that is damaged, or of another form, is set aside (`NAME.damaged`) and made anew; where nothing can be read or
written, nothing is kept. So a cache never stops the work that it spares.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from lawng.errors import InputError
from lawng.io.atomic_io import alone

_FORM = 1
"""Counts up when the table changes."""
_WAIT = 60.0
"""Seconds to wait for another process that writes."""
_AT_A_TIME = 500
"""Keys in one query; SQLite takes 32,766."""


def cache_root() -> Path:
    """$LAWNG_CACHE, else ~/.cache/lawng."""
    given = os.environ.get("LAWNG_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "lawng"


def private_folder(folder: Path) -> Path:
    """The folder, made for its owner alone (0700): clauses of contracts are confidential. Raises OSError."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def key_of(*texts: str) -> bytes:
    """The key of one or several texts.

    >>> key_of("a", "bc") != key_of("ab", "c")
    True
    """
    digest = blake2b(digest_size=16)
    for text in texts:
        raw = text.encode()
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.digest()


class KeyValueStore:
    """Bytes by key in a file for its owner alone (0600); what `put` wrote is there when it returns, or nothing of it.

    The file is opened for each call, so that nothing must be closed and forked processes share no handle.
    With `required` a place where nothing can be kept raises InputError at once, for what costs money.
    """

    def __init__(self, path: Path, required: bool = False) -> None:
        self.path = path
        self._required = required
        if required:
            with self._harmless(), self._opened():
                pass

    def __len__(self) -> int:
        with self._harmless(), self._opened() as store:
            return int(store.execute("SELECT count(*) FROM items").fetchone()[0])
        return 0

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those of the keys that are there."""
        wanted, found = list(dict.fromkeys(keys)), dict[bytes, bytes]()
        with self._harmless():
            if wanted and self.path.exists():
                with self._opened() as store:
                    for at in range(0, len(wanted), _AT_A_TIME):
                        some = wanted[at : at + _AT_A_TIME]
                        marks = ",".join("?" * len(some))
                        found.update(store.execute(f"SELECT key, value FROM items WHERE key IN ({marks})", some))
        return found

    def put(self, items: Mapping[bytes, bytes]) -> None:
        """Keep values, each in the place of the one that its key had."""
        with self._harmless(), self._opened() as store, store:
            store.executemany("INSERT OR REPLACE INTO items VALUES (?, ?)", items.items())

    @contextmanager
    def _harmless(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            if self._required:
                why = getattr(error, "strerror", None) or error
                raise InputError(f"{self.path}: cannot be used ({why}); name another folder") from error

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        file = self._begun()
        try:
            store = self._connected()
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self._set_aside(file)
            file = self._begun()
            store = self._connected()
        with closing(store):
            try:
                yield store
            except sqlite3.DatabaseError as error:
                if _is_damage(error):
                    self._set_aside(file)
                raise

    def _begun(self) -> int:
        """The file, made where it lacks: its number."""
        private_folder(self.path.parent)
        # one that is there is not opened here: as it is closed, SQLite's locks of this process on it would be gone
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))  # its journals get the same rights
        return self.path.stat().st_ino

    def _connected(self) -> sqlite3.Connection:
        store = sqlite3.connect(self.path, timeout=_WAIT)
        try:
            form = store.execute("PRAGMA user_version").fetchone()[0]
            if form not in {0, _FORM}:
                raise sqlite3.DatabaseError("of another form")
            if form == 0:
                with suppress(sqlite3.OperationalError):  # unlike the rest it does not wait for who begins the file too
                    store.execute("PRAGMA journal_mode=WAL")
                store.execute("CREATE TABLE IF NOT EXISTS items (key BLOB PRIMARY KEY, value BLOB)")
                store.execute(f"PRAGMA user_version={_FORM}")
            store.execute("PRAGMA synchronous=NORMAL")
        except BaseException:
            store.close()
            raise
        return store

    def _set_aside(self, file: int) -> None:
        """Move the file of this number away, where another process has not done it and begun a new one."""
        with suppress(OSError), alone(self.path.parent, self.path, wait=True):
            if self.path.stat().st_ino != file:
                return
            self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
            for ending in ("-wal", "-shm"):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether making the file anew would help: "file is not a database", "malformed"; not what is locked or read-only.

    SQLite's other complaints are of classes below this one.
    """
    return type(error) is sqlite3.DatabaseError
