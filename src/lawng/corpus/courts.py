"""Which court decided a case, by its printed name or by the reporter that prints it; nothing where that is ambiguous.

The courts are those of courts-db, the reporters those of reporters-db; "Mass. App. Ct." is both a reporter and how the
Massachusetts Appeals Court is cited, which is what joins them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from lawng.corpus.jurisdiction import court_name, of_cites, of_court_id, of_court_name
from lawng.corpus.names import written
from lawng.records import Case, ReporterCite

_SUPREME = frozenset(("U.S.", "S. Ct.", "L. Ed.", "L. Ed. 2d", "U.S. LEXIS"))
_OWN = {"U.S. App. D.C.": "cadc"}
_ANY = "usdistct"
"""Some federal district court: not one court."""
_REPORTED = ("appellate", "special")
_DALLAS = 4
"""The first volumes of the U.S. Reports (1 to 4 Dallas) print courts of Pennsylvania too."""
_TWO_COURTS = {"Ala.": 1969, "Haw.": 1980, "Idaho": 1982, "N.M.": 1966, "S.C.": 1983, "Wis. 2d": 1978}
"""Reporters of a highest court that, from a year on, print its intermediate court too."""
_SERIES = re.compile(r"\s*(?:[23]d|\dth|LEXIS)$")
_LESS = frozenset(str.split("of the for united states u s in and state at"))
_SITTING = re.compile(r",? (?:in bank|en banc|in banc|(?:department|division|term)\b.*|at law|in chambers)\.?$", re.I)
_CAPITAL = re.compile(r"\b(?:district of columbia|d\. ?c\.) circuit", re.I)


def located(case: Case) -> Case:
    """A case with the court and jurisdiction that its printed court, else its citations, tell beyond doubt."""
    ident = court_named(case.court) or court_of(case.citations, case.date)
    court = court_name(ident) if ident else written(case.court)
    place = case.jurisdiction or of_court_id(ident) or of_court_name(court) or of_cites(case.citations)
    return replace(case, court=court, jurisdiction=place)


def court_of(cites: Iterable[ReporterCite], date: str) -> str:
    """The CourtListener id of the court whose own reporter prints a case, "" when none of the citations tells.

    >>> from lawng.corpus.cites import read_cites
    >>> [court_of(read_cites([cite]), "1974") for cite in ("410 U.S. 113", "5 Mass. App. Ct. 1", "9 Ga. 2", "8 F.2d 1")]
    ['scotus', 'massappct', 'ga', '']
    """
    return next((court for cite in cites if (court := _of_reporter(cite, date[:4]))), "")


@lru_cache(maxsize=4096)
def court_named(printed: str) -> str:
    """The CourtListener id of a court by its printed name, whatever the order of its words; "" when not known.

    >>> court_named("Supreme Court of United States"), court_named("United States Court of Appeals, Ninth Circuit.")
    ('scotus', 'ca9')
    >>> court_named("Supreme Judicial Court of Massachusetts"), court_named("Supreme Court")
    ('mass', '')
    """
    words = _words(_SITTING.sub("", printed.strip(" .")))
    plain = printed.lower().replace(".", "").replace(" ", "")
    if words == {"supreme", "court"} and "unitedstates" not in plain and "us" not in plain:
        return ""
    return _by_name().get(words, "")


def _of_reporter(cite: ReporterCite, year: str) -> str:
    if cite.reporter in _SUPREME:
        early = cite.reporter == "U.S." and cite.volume.isdigit() and int(cite.volume) <= _DALLAS
        return "" if early else "scotus"
    court = _OWN.get(cite.reporter) or _by_reporter().get(_squeezed(_SERIES.sub("", cite.reporter)), "")
    two = year >= str(_TWO_COURTS.get(cite.reporter, 9999))
    return court if court and not two and _sat(court, year) else ""


@cache
def _by_name() -> dict[frozenset[str], str]:
    return _unique(lambda court: _words(court["name"]), lambda court: True)


@cache
def _by_reporter() -> dict[str, str]:
    """Appellate courts, and special ones, by how they are cited."""
    return _unique(
        lambda court: _squeezed(court.get("citation_string") or ""),
        lambda court: (
            court.get("type") in ("appellate", "special") and court.get("level") != "ljc" and court["id"] != _ANY
        ),
    )


def _unique(key: Callable[[Any], Any], wanted: Callable[[Any], bool]) -> dict[Any, str]:
    from courts_db import courts

    found: dict[Any, set[str]] = defaultdict(set)
    for court in filter(wanted, courts):
        found[key(court)].add(court["id"])
    return {name: ids.pop() for name, ids in found.items() if name and len(ids) == 1}


@cache
def _terms() -> dict[str, list[tuple[str, str]]]:
    from courts_db import courts

    return {
        c["id"]: [(str(d.get("start") or "")[:4], str(d.get("end") or "9999")[:4]) for d in c["dates"]] for c in courts
    }


def _sat(court: str, year: str) -> bool:
    """Whether a court existed in a year, as far as both are known."""
    return not year or any(start <= year <= end for start, end in _terms().get(court, [])) or not _terms().get(court)


def _words(name: str) -> frozenset[str]:
    plain = _CAPITAL.sub("d c circuit", name).lower().replace("'", "")
    return frozenset(re.findall(r"[a-z]+", plain)) - _LESS


def _squeezed(cited: str) -> str:
    return re.sub(r"[^a-z]", "", re.sub(r"\bct\b", "", cited.lower()))
