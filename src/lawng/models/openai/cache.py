"""Answers of language models on disk, so that a killed study goes on and nothing is paid for twice.

AnswerCache(folder)      cache.get(key) -> answer or None      cache.put(key, answer)
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from threading import Lock
from typing import Any

from lawng.errors import InputError

FILE = "answers.jsonl"


def key_of_request(request: dict[str, Any]) -> str:
    """Digest of a request: model, messages and parameters, whoever answers it.

    >>> key_of_request({"model": "a", "n": 1}) == key_of_request({"n": 1, "model": "a"})
    True
    """
    return hashlib.sha256(json.dumps(request, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


class AnswerCache:
    """A file of JSON lines, one answer each, that only grows; neither prompts, texts nor keys stand in it.

    A line that a kill left half-written is passed over (`n_damaged`), and its request is sent again. Raises InputError
    when the folder cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.n_damaged = 0
        self._lock = Lock()
        self._lines: dict[str, str] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab", buffering=0)
            self._load()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be used ({error.strerror}); name another folder") from error

    def __len__(self) -> int:
        return len(self._lines)

    def get(self, key: str) -> Any | None:
        """The answer that was kept under a key, None when there is none."""
        line = self._lines.get(key)
        return None if line is None else json.loads(line)["answer"]

    def put(self, key: str, answer: Any) -> None:
        """Keep an answer; it is on disk when this returns."""
        line = json.dumps({"key": key, "answer": answer}, ensure_ascii=True)
        with self._lock:
            self._lines[key] = line
            # one write of a whole line at the file's end: other threads and processes cannot come between
            self._file.write(line.encode() + b"\n")

    def _load(self) -> None:
        raw = self.path.read_bytes()
        if raw and not raw.endswith(b"\n"):
            os.write(self._file.fileno(), b"\n")
        for line in raw.splitlines():
            key = _key(line)
            if key is None:
                self.n_damaged += 1
            else:
                self._lines[key] = line.decode()


def _key(line: bytes) -> str | None:
    try:
        row = json.loads(line)
        return str(row["key"]) if "answer" in row else None
    except (ValueError, TypeError, KeyError):
        return None
