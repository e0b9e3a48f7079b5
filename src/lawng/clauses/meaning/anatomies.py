"""Anatomies kept on disk: a collection that was opened before is not taken apart again.

Anatomies(folder).of(texts) -> list of anatomies, one a text
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO

from lawng.clauses.meaning.anatomy import Sentence, anatomy
from lawng.models.kept import CHUNK, Progress, silent
from lawng.models.rows import key_of

Anatomy = tuple[Sentence, ...]

_SOURCES = ("glossary.toml", "glossary.py", "anatomy.py")
"""What an anatomy depends on, but for the text."""
_KEY = slice(2, 34)
"""Where a line has the text's key, in hexadecimal digits: `["0123...", [[...], ...]]`."""


@cache
def edition() -> str:
    """A digest of the glossary and of the code that takes clauses apart: anatomies of two editions never mix."""
    sources = (files(__package__) / name for name in _SOURCES)
    return key_of(*(source.read_text("utf-8") for source in sources)).hex()[:16]


class Anatomies:
    """Anatomies by the digest of their text, in a file of JSON lines that only grows; the texts are not in it.

    A line that a kill has cut short is passed over, and what it had is computed again. Where nothing can be written,
    nothing is kept: a search does not fail for that.
    """

    def __init__(self, folder: Path, progress: Progress = silent) -> None:
        self.path = folder / f"anatomies-{edition()}.jsonl"
        self._progress = progress

    def of(self, texts: Sequence[str]) -> list[Anatomy]:
        """The anatomy of each text; those that are not kept yet are computed and kept."""
        keys = [key_of(text).hex() for text in texts]
        known = self._read(set(keys))
        missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in known}.items())
        for at in range(0, len(missing), CHUNK):
            found = {key: anatomy(text) for key, text in missing[at : at + CHUNK]}
            self._keep(found)
            known.update(found)
            self._progress(at + len(found), len(missing))
        return [known[key] for key in keys]

    def _read(self, wanted: set[str]) -> dict[str, Anatomy]:
        """Those of the wanted ones that are kept; the rest of the file is not parsed."""
        try:
            with self.path.open(encoding="utf-8", errors="replace") as lines:
                return dict(filter(None, (_parsed(line) for line in lines if line[_KEY] in wanted)))
        except OSError:
            return {}

    def _keep(self, found: dict[str, Anatomy]) -> None:
        text = "".join(json.dumps([key, sentences], separators=(",", ":")) + "\n" for key, sentences in found.items())
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                # one write, at the end: another process may be adding too; a half line is closed before the next
                file.write(b"\n" * _ends_amid_a_line(file) + text.encode())
        except OSError:
            return


def _ends_amid_a_line(file: BinaryIO) -> bool:
    if not file.seek(0, os.SEEK_END):
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"


def _parsed(line: str) -> tuple[str, Anatomy] | None:
    """A line's key and anatomy, None for one that is cut short or broken."""
    try:
        key, rows = json.loads(line)
        if not all(isinstance(value, int) for row in rows for value in row):
            return None
        return key, tuple(Sentence(*row) for row in rows)
    except (ValueError, TypeError):
        return None
