"""A cache in a file: shared, never in the way, its owner's alone."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lawng.errors import InputError
from lawng.io.kv_store import KeyValueStore, key_of

ITEMS = {key_of("a"): b"one", key_of("b"): b""}


def test_what_is_put_is_there_in_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "store.sqlite"
    assert KeyValueStore(path).get([key_of("a")]) == {}
    KeyValueStore(path).put(ITEMS)
    KeyValueStore(path).put({key_of("b"): b"two"})
    store = KeyValueStore(path)
    assert store.get([key_of("c"), key_of("b"), key_of("a"), key_of("a")]) == {key_of("a"): b"one", key_of("b"): b"two"}
    assert len(store) == 2
    many = {key_of(str(n)): str(n).encode() for n in range(2_000)}
    store.put(many)
    assert store.get(many) == many


def test_it_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "store.sqlite"
    KeyValueStore(path).put(ITEMS)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize("damage", ["text", "short", "cut", "zeros", "form"])
def test_a_damaged_file_is_set_aside_and_made_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "store.sqlite"
    KeyValueStore(path).put({key_of(str(n)): bytes(2_000) for n in range(50)})
    raw = path.read_bytes()
    if damage == "form":
        with sqlite3.connect(path) as store:
            store.execute("PRAGMA user_version=99")
        store.close()
    else:
        bad = {"text": b"no database\n" * 500, "short": b"half", "cut": raw[: len(raw) // 2]}
        path.write_bytes(bad.get(damage, raw[:4096] + bytes(len(raw) - 4096)))
    store_ = KeyValueStore(path)
    assert store_.get([key_of("1")]) == {}
    store_.put(ITEMS)
    assert KeyValueStore(path).get(ITEMS) == ITEMS
    assert (tmp_path / "store.sqlite.damaged").exists()


def test_who_meets_the_damage_last_leaves_what_another_has_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"no database\n" * 500)
    damaged = path.stat().st_ino
    KeyValueStore(path).put(ITEMS)
    KeyValueStore(path)._set_aside(damaged)
    assert KeyValueStore(path).get(ITEMS) == ITEMS


def test_a_value_that_is_none_costs_no_other(tmp_path: Path) -> None:
    store = KeyValueStore(tmp_path / "store.sqlite")
    store.put(ITEMS)
    wrong: Any = {b"key": object()}
    store.put(wrong)
    assert store.get(ITEMS) == ITEMS
    assert [path.name for path in tmp_path.glob("*.damaged")] == []


def test_where_nothing_can_be_kept_nothing_is_and_what_costs_money_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "store.sqlite", tmp_path):
        store = KeyValueStore(path)
        store.put(ITEMS)
        assert (store.get(ITEMS), len(store)) == ({}, 0)
        with pytest.raises(InputError, match="cannot be used"):
            KeyValueStore(path, required=True)


def test_threads_and_processes_write_beside_each_other(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    code = "import sys; from pathlib import Path; from lawng.io.kv_store import *; store = KeyValueStore(Path(sys.argv[1]))\n"
    code += "for n in range(50): store.put({key_of(sys.argv[2], str(n)): b'x'})"
    KeyValueStore(path, required=True)
    runs = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: KeyValueStore(path).put({key_of("c", str(n)): b"x"}), range(50)))
    assert [run.wait() for run in runs] == [0, 0]
    assert len(KeyValueStore(path)) == 150


def test_who_begins_a_file_that_another_begins_waits_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    other = sqlite3.connect(path, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor() as pool:
        put = pool.submit(KeyValueStore(path).put, ITEMS)
        assert wait([put], 0.3).not_done, "the file is the other's"
        other.rollback()
        put.result()
    other.close()
    assert KeyValueStore(path).get(ITEMS) == ITEMS


def test_a_get_leaves_the_locks_of_this_process_on_the_file(tmp_path: Path) -> None:
    """Closing any handle of a file drops all of a process's locks on it (POSIX), SQLite's too."""
    path = tmp_path / "store.sqlite"
    KeyValueStore(path).put(ITEMS)
    with closing(sqlite3.connect(path)) as open_:
        open_.execute("PRAGMA locking_mode=EXCLUSIVE")
        open_.execute("BEGIN EXCLUSIVE")
        KeyValueStore(tmp_path / "other.sqlite").get(ITEMS)
        assert KeyValueStore(path)._begun() == path.stat().st_ino
        code = f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('SELECT count(*) FROM items')"
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "locked" in other.stderr
