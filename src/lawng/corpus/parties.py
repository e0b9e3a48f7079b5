"""The parties of a case, from its name."""

from __future__ import annotations

import re

_VERSUS = re.compile(r"\s+(?:v|vs|versus|against)\.?,?\s+", re.IGNORECASE)
_PRELUDE = re.compile(
    r"^(?:in the matters? of|in re|ex parte|ex rel\.?|matters? of|petition of|application of|in the interest of"
    r"|(?:in re )?the)\s*:?\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[\s,]*(?:\bet al\b\.?|\betc\b\.|\bet ux\b\.?|\(\d{4}\))[\s,]*$", re.IGNORECASE)


def parties_of(name: str) -> list[str]:
    """Party names in order, from a case name in its short form.

    >>> parties_of("Roe v. Wade"), parties_of("In re Gault"), parties_of("Ex parte Crow Dog")
    (['Roe', 'Wade'], ['Gault'], ['Crow Dog'])
    >>> parties_of("Texas v. White Et Al.")
    ['Texas', 'White']
    """
    sides = (_bare(side) for side in _VERSUS.split(" ".join(name.split())))
    return [side for side in sides if side]


def _bare(side: str) -> str:
    while (shorter := _TAIL.sub("", _PRELUDE.sub("", side))) != side:
        side = shorter
    return side.strip(" ,;")
