"""A glossary of contract drafting: what a lawyer's short query means, and the words by which clauses say it.

SUBJECTS, MATTERS: tuples of Concept, from `glossary.toml` beside this file     cues(table): patterns of `cues.toml`
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any, NamedTuple

from lawng.errors import ConfigError

_LONG_WORD = re.compile(r"(\w{100})\w+")
"""What no word is that people write, but a blank to be filled in or the remains of a picture."""


class Concept(NamedTuple):
    """A notion of contract drafting; its patterns are for texts as `lowered` gives them."""

    name: str
    asked: re.Pattern[str]
    """In a query in lower case."""
    said: re.Pattern[str]
    """In a clause in lower case."""
    unless: re.Pattern[str] | None
    """A sentence that has this does not say it: an indemnity "against third party claims" covers no others."""
    meaning: str
    """A sentence in the words that such clauses use: a query is expanded by it."""
    of: str | None = None
    """Of a matter: the subject that is meant where a query names none."""

    def is_said(self, text: str) -> bool:
        """Whether a sentence in lower case says it."""
        return bool(self.said.search(text)) and not (self.unless and self.unless.search(text))


def lowered(text: str) -> str:
    """In lower case, and without the rest of words so long that patterns would take minutes over them.

    >>> lowered("A WORD")
    'a word'
    """
    return _LONG_WORD.sub(r"\1", text.lower())


def read_glossary(text: str) -> dict[str, tuple[Concept, ...]]:
    """The concepts of a TOML text by kind (`subject`, `matter`), in its order.

    >>> read = read_glossary('[[subject]]\\nname = "cap"\\nasked = ["caps?"]\\nsaid = ["exceed"]\\nmeaning = "A cap."')
    >>> bool(read["subject"][0].asked.search("liability cap"))
    True

    Raises ConfigError when it is no TOML, or names the concept that lacks something or has a pattern that is none.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"glossary: {error}; mend the TOML") from error
    found = {kind: tuple(_concept(row) for row in tables.get(kind, ())) for kind in ("subject", "matter")}
    subjects = {None, *(one.name for one in found["subject"])}
    for one in found["matter"]:
        if one.of not in subjects:
            raise ConfigError(f"glossary: {one.name}: of {one.of!r} is no subject of it; mend the name")
    return found


def _concept(row: dict[str, Any]) -> Concept:
    try:
        asked, said = (_pattern(row[key]) for key in ("asked", "said"))
        unless = _pattern(row["unless"]) if "unless" in row else None
        return Concept(row["name"], asked, said, unless, row["meaning"], row.get("of"))
    except (KeyError, TypeError, re.error) as error:
        raise ConfigError(f"glossary: {row.get('name', 'a concept without a name')}: {error}") from error


def _pattern(alternatives: list[str]) -> re.Pattern[str]:
    # texts are made lower case instead: ignoring case keeps Python's engine from looking for a pattern's first letters
    return re.compile("|".join(alternatives), re.DOTALL)


def cues(table: str) -> dict[str, str]:
    """The patterns of a table of `cues.toml` by name, in its order; `query` has negations, `clause` exceptions.

    >>> cues("query")["that"]
    '\\\\bthat\\\\b'
    """
    read = tomllib.loads((files(__package__) / "cues.toml").read_text("utf-8"))[table]

    def whole(pattern: str) -> str:
        return re.sub(r"<([a-z-]+)>", lambda part: whole(read["parts"][part[1]]), pattern)

    return {name: whole("|".join(alternatives)) for name, alternatives in read["cues"].items()}


_READ = read_glossary((files(__package__) / "glossary.toml").read_text("utf-8"))
SUBJECTS = _READ["subject"]
"""What a clause is about as a whole."""
MATTERS = _READ["matter"]
"""What a clause says of its subject, or takes out of it."""
