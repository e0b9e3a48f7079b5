"""The one adapter to eyecite: which strings of a text are citations, and to what.

Everything else (names, pins, parentheticals, signals, resolution) is lawng's own, because eyecite keeps only the first
parenthetical, looks 300 characters ahead, drops note pins and knows no signals.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from eyecite.models import CitationToken, Edition, IdToken, SectionToken, SupraToken
from eyecite.tokenizers import EXTRACTORS, HyperscanTokenizer

_IBID = re.compile(
    r"\b[Ii]bid\b\.?|(?:(?<=[(\[“‘\"'—])|(?<=[\s(][*_]))[Ii]d\.[*_]?,?(?![\w@”\"’]|\s(?:Code|Const|R\.))"
    r"|\b[Ii]d\.(?=[;)\]])"
)
CASE_FORMS = frozenset({"full", "short", "id", "supra", "reference"})


@dataclass(frozen=True, slots=True)
class Token:
    """A citation string as eyecite's tables recognise it."""

    start: int
    end: int
    form: str
    """`full`, `short`, `id`, `supra`, or `law`, `journal`, `section` for what is no case."""
    volume: str = ""
    reporter: str = ""
    """As written."""
    page: str = ""
    editions: tuple[Edition, ...] = ()

    def standard_reporter(self, year: int | None = None) -> str:
        """The standard abbreviation of the reporter; the year decides between editions of one abbreviation."""
        editions: tuple[Edition, ...] | list[Edition] = self.editions
        if len(editions) > 1 and year:
            editions = [edition for edition in editions if edition.includes_year(year)]
        return str(editions[0].short_name) if len(editions) == 1 else re.sub(r"\s+", " ", self.reporter)

    def standard_cite(self, year: int | None = None) -> str:
        """Volume, standard reporter, page: "410 U.S. 113"."""
        return " ".join(part for part in (self.volume, self.standard_reporter(year), self.page) if part)


def tokens_of(text: str) -> list[Token]:
    """All citation strings of a text in order, without overlaps.

    >>> [(t.form, t.standard_cite()) for t in tokens_of("Roe v. Wade, 410 U. S. 113 (1973). Id., at 120.")]
    [('full', '410 U.S. 113'), ('id', '')]
    """
    if not text.strip():
        return []
    found = [_token(token) for _, token in _tokenizer().tokenize(text)[1]]
    starts = {token.start for token in found}
    # eyecite passes over "ibid." before a comma, a bracket or the end of a line, and "id." behind a bracket or quote
    missed = [Token(m.start(), m.end(), "id") for m in _IBID.finditer(text) if m.start() not in starts]
    return sorted([*found, *missed], key=lambda token: token.start) if missed else found


class _CitationTokenizer(HyperscanTokenizer):
    @staticmethod
    def append_text(tokens: list[Any], text: str) -> None:
        """Leave out the words between citations: they are a large share of eyecite's time."""


@cache
def _tokenizer() -> HyperscanTokenizer:
    kinds = ("CitationToken", "IdToken", "SupraToken", "SectionToken")
    wanted = [e for e in EXTRACTORS if e.constructor.__self__.__name__ in kinds]
    tokenizer = _CitationTokenizer(extractors=wanted)
    tokenizer._db = _database(tokenizer)
    return tokenizer


def _database(tokenizer: HyperscanTokenizer) -> Any:
    """The compiled patterns: from the user's cache, or compiled (some ten seconds) and put there whole."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lawng" / "hyperscan"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return tokenizer.hyperscan_db
    tokenizer.cache_dir = str(folder)
    if any(folder.glob("[0-9a-f]" * 32)):
        return tokenizer.hyperscan_db
    # eyecite writes its cache in place; workers that start together would read half a file: write aside and rename.
    with tempfile.TemporaryDirectory(dir=folder) as aside:
        tokenizer.cache_dir = aside
        database = tokenizer.hyperscan_db
        for file in Path(aside).iterdir():
            file.replace(folder / file.name)
    return database


def _token(found: Any) -> Token:
    if not isinstance(found, CitationToken):
        form = {IdToken: "id", SupraToken: "supra", SectionToken: "section"}[type(found)]
        return Token(found.start, found.end, form)
    editions = tuple(found.exact_editions or found.variation_editions)
    sources = {edition.reporter.source for edition in editions}
    case = "short" if found.short else "full"
    form = case if "reporters" in sources else "law" if "laws" in sources else "journal"
    volume, reporter, page = (found.groups.get(name) or "" for name in ("volume", "reporter", "page"))
    return Token(found.start, found.end, form, volume, reporter, page, editions)
