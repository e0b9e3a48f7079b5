"""Case names: as keys, so that what a reader would call the same name gives the same key, and as they are shown."""

from __future__ import annotations

import re

from lawng.records import Case

_APOSTROPHE = re.compile(r"['’‘`]")
_WORD = re.compile(r"\w+")


def name_key(name: str) -> str:
    """The key of a case name: case, punctuation, and "vs." for "v." do not count; "" when there is no word.

    >>> name_key("O’Brien vs. STATE, Inc."), name_key("Obrien v. State Inc")
    ('obrien v state inc', 'obrien v state inc')
    """
    words = _WORD.findall(_APOSTROPHE.sub("", name.casefold()))
    return " ".join("v" if word in ("vs", "versus") else word for word in words)


def shown_name(case: Case) -> str:
    """What a case is called where it is shown: its name, else its first cite, else its id (some sources lack both)."""
    return case.name or next((cite.cite for cite in case.citations), f"Case {case.case_id}")
