"""Whose law it is: a state's slug as the Caselaw Access Project writes it, or "us" for every federal court.

LawngNLI (A.1.4, A.1.7) deals with cases by "state or federal": this file is where that is decided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

from lawng.records import ReporterCite

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
_BY_POSTAL = {postal: slug for postal, slug, _ in _ROWS}
_BY_NAME = {name: slug for _, slug, name in _ROWS} | dict.fromkeys(("Washington D.C.", "Washignton D.C.", "D.C."), "dc")
_BY_NAME["Hawai'i"] = "haw"
_NAMES = {slug: name for _, slug, name in _ROWS} | {FEDERAL: "Federal courts"}
_FEDERAL_REPORTERS = ("B.R.", "U.S. App. D.C.", "App. D.C.", "F.R.D.", "Fed. Cl.", "T.C.")
"""Reporters of federal courts that reporters-db lists otherwise."""
_FEDERAL_COURT = re.compile(
    r"United States|\bU\. ?S\.|\bFederal (?:Circuit|Court)|Court of (?:Federal )?Claims|Tax Court", re.I
)


def name_of(slug: str) -> str:
    """What people call the law of a slug; one that is not known is its own name.

    >>> name_of("w-va"), name_of("us"), name_of("regional")
    ('West Virginia', 'Federal courts', 'regional')
    """
    return _NAMES.get(slug, slug)


def of_cap(jurisdiction: dict[str, object] | None) -> str:
    """The slug of a Caselaw Access Project jurisdiction: as given, else from its short name.

    >>> of_cap({"slug": "ill"}), of_cap({"name": "W. Va."}), of_cap({"name": "U.S."}), of_cap(None)
    ('ill', 'w-va', 'us', '')
    """
    known = jurisdiction or {}
    if slug := str(known.get("slug") or ""):
        return slug
    return re.sub(r"\s+", "-", str(known.get("name") or "").replace(".", "").strip().lower())


@lru_cache(maxsize=4096)
def of_court_id(court_id: str) -> str:
    """The slug for a CourtListener court id; "" when the court is not known.

    >>> of_court_id("scotus"), of_court_id("nysd"), of_court_id("nebctapp"), of_court_id("nowhere")
    ('us', 'us', 'neb', '')
    """
    court = _courts().get(court_id)
    if court is None:
        return ""
    if court[0] == "federal":
        return FEDERAL
    return "tribal" if court[0] == "tribal" else _BY_NAME.get(court[1], "")


def of_court_name(name: str) -> str:
    """The slug for a court's printed name: a federal court, or the state that it names; "" when it names none.

    >>> of_court_name("Appellate Court of Connecticut."), of_court_name("Supreme Court of the United States")
    ('conn', 'us')
    >>> of_court_name("Supreme Court of Appeals of West Virginia."), of_court_name("Third District")
    ('w-va', '')
    """
    if _FEDERAL_COURT.search(name):
        return FEDERAL
    named = [state for state in _BY_NAME if re.search(rf"\b{re.escape(state)}", name, re.I)]
    return _BY_NAME[max(named, key=len)] if named else ""


def of_cites(cites: Iterable[ReporterCite]) -> str:
    """The slug that a case's reporters tell: the first reporter that serves mostly one; "" if none does.

    >>> from lawng.corpus.cites import read_cites
    >>> of_cites(read_cites(["937 N.W.2d 1", "304 Neb. 720"])), of_cites(read_cites(["74 U.S. 700"]))
    ('neb', 'us')
    """
    return next((slug for cite in cites if (slug := _of_reporter(cite.reporter))), "")


@lru_cache(maxsize=4096)
def _of_reporter(reporter: str) -> str:
    from reporters_db import EDITIONS, REPORTERS

    if reporter in _FEDERAL_REPORTERS:
        return FEDERAL
    entries = [entry for entry in REPORTERS.get(EDITIONS.get(reporter), []) if reporter in entry["editions"]]
    places = Counter(slug for entry in entries for slug in _of_entry(entry))
    slug, times = places.most_common(1)[0] if places else ("", 0)
    return slug if 2 * times > places.total() else ""


def _of_entry(entry: dict[str, object]) -> list[str]:
    """The places whose courts an entry of reporters-db names, as often as it names them."""
    if entry["cite_type"] in ("federal", "scotus_early"):
        return [FEDERAL]
    if entry["cite_type"] == "state_regional":  # N.E.2d has most courts in Ohio, and says nothing of its cases
        return []
    places = re.findall(r"'us:([a-z]{2})\b", str(entry.get("mlz_jurisdiction") or []))
    return [_BY_POSTAL[place] for place in places if place in _BY_POSTAL]


@cache
def _courts() -> dict[str, tuple[str, str]]:
    from courts_db import courts

    return {court["id"]: (court.get("system") or "", court.get("location") or "") for court in courts}


@lru_cache(maxsize=4096)
def court_name(court_id: str) -> str:
    """The printed name of a CourtListener court, else the id itself.

    >>> court_name("scotus")
    'Supreme Court of the United States'
    """
    from courts_db import courts

    return next((str(court["name"]) for court in courts if court["id"] == court_id), court_id)
