"""Reporter citations in one spelling, by the tables of reporters-db."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from lawng.schema import ReporterCite

_CITE = re.compile(r"^\s*(\d[\d-]*)\s+(\S.*?)\s+(\S+?)\s*$")
_RANKS = {"federal": 1, "state": 1, "scotus_early": 4, "state_regional": 2, "neutral": 3}
_PRIVATE = ("S. Ct.", "L. Ed.", "L. Ed. 2d")
"""Reporters of federal decisions that are nobody's official ones."""
_NOMINATIVE = re.compile(r"\s+\([^)]*\)")
_NEUTRAL = re.compile(r"^((?:19|20)\d\d)-([A-Za-z]+)-(\d+)$")


@lru_cache(maxsize=65536)
def read_cite(raw: str) -> ReporterCite | None:
    """A reporter citation normalised; None when it has not the form volume, reporter, page.

    >>> read_cite("74 U. S. 700").cite, read_cite("3 Ala.App. 114").cite, read_cite("5 U.S. (1 Cranch) 137").cite
    ('74 U.S. 700', '3 Ala. App. 114', '5 U.S. 137')
    >>> [read_cite(cite).cite for cite in ("2015 IL App (1st) 131503", "2009-NMSC-035", "3 Mart. (N.S.) 119")]
    ['2015 IL App (1st) 131503', '2009 NMSC 035', '3 Mart. (N.S.) 119']
    >>> read_cite("no cite") is None
    True
    """
    text = _NEUTRAL.sub(r"\1 \2 \3", " ".join(raw.split()))
    match = _CITE.match(text)
    if match is None or not is_reporter(standard_reporter(match[2])):  # "L.R.A. (N.S.)" has its bracket
        match = _CITE.match(_NOMINATIVE.sub("", text))
    if match is None:
        return None
    volume, reporter, page = match[1], standard_reporter(match[2]), match[3].rstrip(".,;")
    return ReporterCite(f"{volume} {reporter} {page}", volume, reporter, page)


def read_cites(raws: Iterable[str]) -> list[ReporterCite]:
    """Citations in order, each once; what has not the form of a citation is left out."""
    found = (read_cite(raw) for raw in raws if raw)
    return list(dict.fromkeys(cite for cite in found if cite is not None))


def is_reporter(name: str) -> bool:
    """Whether a standard abbreviation is that of a known reporter.

    >>> is_reporter("U.S."), is_reporter("Martian Rep.")
    (True, False)
    """
    from reporters_db import EDITIONS

    return name in EDITIONS


@lru_cache(maxsize=8192)
def standard_reporter(raw: str) -> str:
    """The standard abbreviation of a reporter; an unknown one stays as it is, blanks collapsed.

    >>> standard_reporter("U. S."), standard_reporter("A3d"), standard_reporter("Martian Rep.")
    ('U.S.', 'A.3d', 'Martian Rep.')
    """
    name = " ".join(raw.split())
    exact, loose = _spellings()
    return exact.get(name) or loose.get(_squeezed(name)) or name


@cache
def _spellings() -> tuple[dict[str, str], dict[str, str]]:
    from reporters_db import EDITIONS, VARIATIONS_ONLY

    exact = {spelling: standards[0] for spelling, standards in VARIATIONS_ONLY.items()}
    exact |= {edition: edition for edition in EDITIONS}
    # an edition's own name goes before other spellings that look alike, and its last one before the first
    loose = {_squeezed(edition): edition for edition in exact if edition in EDITIONS}
    for spelling, standard in exact.items():
        loose.setdefault(_squeezed(spelling), standard)
    return exact, loose


def _squeezed(name: str) -> str:
    return re.sub(r"[\s.]", "", name).lower()


def official_first(cites: Iterable[ReporterCite]) -> list[ReporterCite]:
    """Parallel citations in order of rank: the official reporter, the regional one, the rest, then databases.

    >>> [cite.reporter for cite in official_first(read_cites(["93 S. Ct. 705", "1973 U.S. LEXIS 159", "410 U.S. 113"]))]
    ['U.S.', 'S. Ct.', 'U.S. LEXIS']
    """
    return sorted(cites, key=lambda cite: _rank(cite.reporter))


@lru_cache(maxsize=8192)
def is_early_supreme(reporter: str) -> bool:
    """Whether a reporter is one of the early ones of the Supreme Court, named after who made it.

    >>> is_early_supreme("Wall."), is_early_supreme("U.S.")
    (True, False)
    """
    from reporters_db import EDITIONS, REPORTERS

    entries = REPORTERS.get(EDITIONS.get(reporter), [])
    return any(entry["cite_type"] == "scotus_early" for entry in entries if reporter in entry["editions"])


@lru_cache(maxsize=8192)
def _rank(reporter: str) -> int:
    from reporters_db import EDITIONS, REPORTERS

    if reporter == "U.S.":
        return 0
    if reporter.endswith(("LEXIS", "WL")):
        return 9
    kinds = [entry["cite_type"] for entry in REPORTERS.get(EDITIONS.get(reporter), []) if reporter in entry["editions"]]
    return min((_RANKS.get(kind, 6) for kind in kinds), default=7) + (2 if reporter in _PRIVATE else 0)
