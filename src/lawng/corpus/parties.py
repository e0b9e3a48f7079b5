"""The parties of a case, from its name."""

from __future__ import annotations

import re

_VERSUS = re.compile(r"\s+(?:v|vs|versus|against)\.?,?\s+", re.IGNORECASE)
_PRELUDE = re.compile(
    r"^(?:in the matters? of|in re|ex parte|ex rel\.?|matters? of|petition of|application of|in the interest of"
    r"|(?:in re )?the)\s*:?\s+",
    re.IGNORECASE,
)
_ROLES = "plaintiff|defendant|appellant|appellee|petitioner|respondent|debtor|claimant|intervenor|relator|complainant"
_TAIL = re.compile(
    r"[\s,]*(?:\bet al\b\.?|\betc\b\.|\bet ux\b\.?|\(\d{4}\)"
    rf"|,\s*(?:(?:cross|counter|third-party|{_ROLES})s?[-/ ]*)+(?:in error)?\.?)[\s,]*$",
    re.IGNORECASE,
)
_STOP = re.compile(r"(?<![A-Z.])(?<=\w{4})(?<!Corp)(?<!Bros)(?<!Assn)\.$|(?<=[A-Z]{4})\.$")


def parties_of(name: str) -> list[str]:
    """Party names in order, from a case name in its short form.

    >>> parties_of("Roe v. Wade"), parties_of("In re Gault"), parties_of("Ex parte Crow Dog")
    (['Roe', 'Wade'], ['Gault'], ['Crow Dog'])
    >>> parties_of("Texas v. White Et Al.")
    ['Texas', 'White']
    >>> parties_of("STATE of Connecticut v. Anthony DYOUS, Defendant-Appellant.")
    ['STATE of Connecticut', 'Anthony DYOUS']
    """
    sides = (_bare(side) for side in _VERSUS.split(" ".join(name.split())))
    return [side for side in sides if side]


def _bare(side: str) -> str:
    while (shorter := _TAIL.sub("", _PRELUDE.sub("", side))) != side:
        side = shorter
    return _STOP.sub("", side.strip(" ,;"))
