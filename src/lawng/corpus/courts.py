"""Which court decided a case, and whose law it is.

A court is told by its printed name or by the reporter that prints the case; by nothing where that is ambiguous. The
courts are those of courts-db, the reporters those of reporters-db; "Mass. App. Ct." is both a reporter and how the
Massachusetts Appeals Court is cited, which is what joins them.

The law is a state's slug as the Caselaw Access Project writes it, or "us" for every federal court. LawngNLI (A.1.4,
A.1.7) deals with cases by "state or federal": this file is where that is decided.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from lawng.corpus.names import cased
from lawng.schema import Case, ReporterCite

FEDERAL = "us"
_STATES = (
    "ak alaska Alaska|al ala Alabama|ar ark Arkansas|as am-samoa American Samoa|az ariz Arizona|ca cal California"
    "|co colo Colorado|ct conn Connecticut|dc dc District of Columbia|de del Delaware|fl fla Florida|ga ga Georgia"
    "|gu guam Guam|hi haw Hawaii|ia iowa Iowa|id idaho Idaho|il ill Illinois|in ind Indiana|ks kan Kansas"
    "|ky ky Kentucky|la la Louisiana|ma mass Massachusetts|md md Maryland|me me Maine|mi mich Michigan"
    "|mn minn Minnesota|mo mo Missouri|mp n-mar-i Northern Mariana Islands|ms miss Mississippi|mt mont Montana"
    "|nc nc North Carolina|nd nd North Dakota|ne neb Nebraska|nh nh New Hampshire|nj nj New Jersey|nm nm New Mexico"
    "|nv nev Nevada|ny ny New York|oh ohio Ohio|ok okla Oklahoma|or or Oregon|pa pa Pennsylvania|pr pr Puerto Rico"
    "|ri ri Rhode Island|sc sc South Carolina|sd sd South Dakota|tn tenn Tennessee|tx tex Texas|ut utah Utah"
    "|va va Virginia|vi vi Virgin Islands|vt vt Vermont|wa wash Washington|wi wis Wisconsin|wv w-va West Virginia"
    "|wy wyo Wyoming"
)
_ROWS = [row.split(" ", 2) for row in _STATES.split("|")]
STATES = tuple(name for _, _, name in _ROWS)
"""Names of states and territories."""
_BY_POSTAL = {postal: slug for postal, slug, _ in _ROWS}
_BY_NAME = {name: slug for _, slug, name in _ROWS} | dict.fromkeys(("Washington D.C.", "Washignton D.C.", "D.C."), "dc")
_BY_NAME["Hawai'i"] = "haw"
_NAMES = {slug: name for _, slug, name in _ROWS} | {FEDERAL: "Federal courts"}
_FEDERAL_REPORTERS = ("B.R.", "U.S. App. D.C.", "App. D.C.", "F.R.D.", "Fed. Cl.", "T.C.")
"""Reporters of federal courts that reporters-db lists otherwise."""
_FEDERAL_COURT = re.compile(
    r"United States|\bU\. ?S\.|\bFederal (?:Circuit|Court)|Court of (?:Federal )?Claims|Tax Court", re.I
)
_SUPREME = frozenset(("U.S.", "S. Ct.", "L. Ed.", "L. Ed. 2d", "U.S. LEXIS"))
_OWN = {"U.S. App. D.C.": "cadc"}
_DALLAS = 4
"""The first volumes of the U.S. Reports (1 to 4 Dallas) print courts of Pennsylvania too."""
_TWO_COURTS = {"Ala.": 1969, "Haw.": 1980, "Idaho": 1982, "N.M.": 1966, "S.C.": 1983, "Wis. 2d": 1978}
"""Reporters of a highest court that, from a year on, print its intermediate court too."""
_SERIES = re.compile(r"\s*(?:[23]d|\dth|LEXIS)$")
_LESS = frozenset(str.split("of the for united states u s in and state at"))
_SITTING = re.compile(r",? (?:in bank|en banc|in banc|(?:department|division|term)\b.*|at law|in chambers)\.?$", re.I)
_CAPITAL = re.compile(r"\b(?:district of columbia|d\. ?c\.) circuit", re.I)


def jurisdiction_name(slug: str) -> str:
    """What people call the law of a slug; one that is not known is its own name.

    >>> jurisdiction_name("w-va"), jurisdiction_name("us"), jurisdiction_name("regional")
    ('West Virginia', 'Federal courts', 'regional')
    """
    return _NAMES.get(slug, slug)


def jurisdiction_of_cap(jurisdiction: dict[str, object] | None) -> str:
    """The slug of a Caselaw Access Project jurisdiction: as given, else from its short name.

    >>> [jurisdiction_of_cap(given) for given in ({"slug": "ill"}, {"name": "W. Va."}, {"name": "U.S."}, None)]
    ['ill', 'w-va', 'us', '']
    """
    known = jurisdiction or {}
    if slug := str(known.get("slug") or ""):
        return slug
    return re.sub(r"\s+", "-", str(known.get("name") or "").replace(".", "").strip().lower())


@lru_cache(maxsize=4096)
def jurisdiction_of_court(court_id: str) -> str:
    """The slug for a CourtListener court id; "" when the court is not known.

    >>> [jurisdiction_of_court(court) for court in ("scotus", "nysd", "nebctapp", "nowhere")]
    ['us', 'us', 'neb', '']
    """
    court = _courts().get(court_id, {})
    slugs = {"federal": FEDERAL, "tribal": "tribal"}
    return slugs.get(court.get("system") or "") or _BY_NAME.get(court.get("location") or "", "")


def jurisdiction_of_court_name(name: str) -> str:
    """The slug for a court's printed name: a federal court, or the state that it names; "" when it names none.

    >>> names = ("Appellate Court of Connecticut.", "Supreme Court of the United States", "Third District")
    >>> [jurisdiction_of_court_name(name) for name in (*names, "Supreme Court of Appeals of West Virginia.")]
    ['conn', 'us', '', 'w-va']
    >>> jurisdiction_of_court_name("Court of Appeals of Ohio, Washington County")
    'ohio'
    """
    if _FEDERAL_COURT.search(name):
        return FEDERAL
    named = [state for state in _BY_NAME if re.search(rf"\b{re.escape(state)}(?! (?:County|City)\b)", name, re.I)]
    return _BY_NAME[max(named, key=len)] if named else ""


def jurisdiction_of_cites(cites: Iterable[ReporterCite]) -> str:
    """The slug that a case's reporters tell: the first reporter that serves mostly one; "" if none does.

    >>> from lawng.corpus.cites import read_cites
    >>> [jurisdiction_of_cites(read_cites(cites)) for cites in (["937 N.W.2d 1", "304 Neb. 720"], ["74 U.S. 700"])]
    ['neb', 'us']
    """
    return next((slug for cite in cites if (slug := _jurisdiction_of_reporter(cite.reporter))), "")


@lru_cache(maxsize=4096)
def _jurisdiction_of_reporter(reporter: str) -> str:
    from reporters_db import EDITIONS, REPORTERS

    if reporter in _FEDERAL_REPORTERS:
        return FEDERAL
    entries = [entry for entry in REPORTERS.get(EDITIONS.get(reporter), []) if reporter in entry["editions"]]
    places = Counter(slug for entry in entries for slug in _jurisdictions_of_entry(entry))
    slug, times = places.most_common(1)[0] if places else ("", 0)
    return slug if 2 * times > places.total() else ""


def _jurisdictions_of_entry(entry: dict[str, object]) -> list[str]:
    """The places whose courts an entry of reporters-db names, as often as it names them."""
    if entry["cite_type"] in ("federal", "scotus_early"):
        return [FEDERAL]
    if entry["cite_type"] == "state_regional":  # N.E.2d has most courts in Ohio, and says nothing of its cases
        return []
    places = re.findall(r"'us:([a-z]{2})\b", str(entry.get("mlz_jurisdiction") or []))
    return [_BY_POSTAL[place] for place in places if place in _BY_POSTAL]


@cache
def _courts() -> dict[str, dict[str, Any]]:
    from courts_db import courts

    return {court["id"]: court for court in courts}


def court_name(court_id: str) -> str:
    """The printed name of a CourtListener court, else the id itself.

    >>> court_name("scotus")
    'Supreme Court of the United States'
    """
    return str(_courts().get(court_id, {"name": court_id})["name"])


def with_court(case: Case) -> Case:
    """A case with the court and jurisdiction that its printed court, else its citations, tell beyond doubt."""
    ident = court_named(case.court) or court_of(case.citations, case.date)
    court = court_name(ident) if ident else cased(case.court)
    place = (
        case.jurisdiction
        or jurisdiction_of_court(ident)
        or jurisdiction_of_court_name(court)
        or jurisdiction_of_cites(case.citations)
    )
    return replace(case, court=court, jurisdiction=place)


def court_of(cites: Iterable[ReporterCite], date: str) -> str:
    """The CourtListener id of the court whose own reporter prints a case, "" when none of the citations tells.

    >>> from lawng.corpus.cites import read_cites
    >>> [court_of(read_cites([cite]), "1974") for cite in ("410 U.S. 113", "5 Mass. App. Ct. 1", "9 Ga. 2", "8 F.2d 1")]
    ['scotus', 'massappct', 'ga', '']
    """
    return next((court for cite in cites if (court := _court_of_reporter(cite, date[:4]))), "")


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


def _court_of_reporter(cite: ReporterCite, year: str) -> str:
    if cite.reporter in _SUPREME:
        early = cite.reporter == "U.S." and cite.volume.isdigit() and int(cite.volume) <= _DALLAS
        return "" if early else "scotus"
    court = _OWN.get(cite.reporter) or _by_reporter().get(_squeezed_court(_SERIES.sub("", cite.reporter)), "")
    two = year >= str(_TWO_COURTS.get(cite.reporter, 9999))
    return court if court and not two and _sat(court, year) else ""


@cache
def _by_name() -> dict[frozenset[str], str]:
    return _unique((_words(court["name"]), ident) for ident, court in _courts().items())


@cache
def _by_reporter() -> dict[str, str]:
    """Appellate courts, and special ones, by how they are cited."""
    return _unique(
        (_squeezed_court(court.get("citation_string") or ""), ident)
        for ident, court in _courts().items()
        if court.get("type") in ("appellate", "special") and court.get("level") != "ljc" and ident != "usdistct"
    )


def _unique(named: Iterable[tuple[Any, str]]) -> dict[Any, str]:
    found: dict[Any, list[str]] = defaultdict(list)
    for name, ident in named:
        found[name].append(ident)
    return {name: ids[0] for name, ids in found.items() if name and len(ids) == 1}


def _sat(court: str, year: str) -> bool:
    """Whether a court existed in a year, as far as both are known."""
    terms = [(str(d.get("start") or "")[:4], str(d.get("end") or "9999")[:4]) for d in _courts()[court]["dates"]]
    return not year or not terms or any(start <= year <= end for start, end in terms)


def _words(name: str) -> frozenset[str]:
    plain = _CAPITAL.sub("d c circuit", name).lower().replace("'", "")
    return frozenset(re.findall(r"[a-z]+", plain)) - _LESS


def _squeezed_court(cited: str) -> str:
    return re.sub(r"[^a-z]", "", re.sub(r"\bct\b", "", cited.lower()))
