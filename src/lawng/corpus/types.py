"""Kinds of opinions: the sources' names for them, in the words of `OPINION_TYPES`."""

from __future__ import annotations

import re

_OPENING = 700
_ANNOUNCED = re.compile(
    r"announced the (?:Court['’]s judgment|judgment of the Court),? and (?:delivered )?an\s+opinion"
)
_OF_THE_COURT = re.compile(r"opinion (?:of|for) the Court|is for the Court")

_COURTLISTENER = {
    "010": "combined",
    "015": "majority",
    "020": "majority",
    "025": "plurality",
    "030": "concurrence",
    "035": "concurrence-in-part",
    "040": "dissent",
}
_CAP = {
    "majority": "majority",
    "lead": "majority",
    "unanimous": "majority",
    "per-curiam": "majority",
    "opinion": "majority",
    "plurality": "plurality",
    "concurrence": "concurrence",
    "concurring": "concurrence",
    "concurring-in-part-and-dissenting-in-part": "concurrence-in-part",
    "dissent": "dissent",
    "dissenting": "dissent",
    "combined": "combined",
}


def of_courtlistener(code: str) -> str:
    """The kind for a CourtListener type such as "020lead"; its number decides, for its words are misspelt.

    >>> of_courtlistener("015unamimous"), of_courtlistener("035concurrenceinpart"), of_courtlistener("070rehearing")
    ('majority', 'concurrence-in-part', 'other')
    """
    return _COURTLISTENER.get(code[:3], "other")


def of_cap(name: str | None) -> str:
    """The kind for the Caselaw Access Project's type; rehearing, remittitur and the like are "other".

    >>> of_cap("majority"), of_cap("on-the-merits"), of_cap(None)
    ('majority', 'other', 'other')
    """
    return _CAP.get((name or "").strip().lower(), "other")


def of_opening(kind: str, text: str) -> str:
    """The kind of an opinion that its source calls the court's, by its first words: a plurality says that it is one.

    "Announced the judgment of the Court and an opinion in which ... join" speaks for fewer than half of the court,
    unless it goes on "which is for the Court except ...". The sources call it the lead opinion or the majority.

    >>> of_opening("majority", "Stevens, J., announced the judgment of the Court and an opinion in which ... join.")
    'plurality'
    >>> of_opening("majority", "Stevens, J., announced the judgment of the Court and the opinion of the Court.")
    'majority'
    """
    opening = text[:_OPENING]
    announced = kind == "majority" and _ANNOUNCED.search(opening)
    return "plurality" if announced and not _OF_THE_COURT.search(opening) else kind
