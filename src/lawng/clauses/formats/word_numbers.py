"""Word's automatic numbers, counted as Word counts them (ECMA-376, 17.9).

Numbering(numbering_xml, styles_xml).label(paragraph) -> str     value_of(element, name) -> str | None
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from lawng.clauses.sections.numerals import to_letters, to_roman, to_word
from lawng.io.limits import number_of

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The namespace of what Word writes."""
_LEVEL = re.compile(r"%([1-9])")
_DEEPEST = 9
_LAST = 32_767
"""Word counts no further; ten million as roman numerals would be ten thousand characters."""


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list counts and is written."""

    start: int
    form: str
    text: str
    """"%1.%2": the numbers of the levels in it."""
    restarts_after: int | None
    """Any level up to this one (from 0) starts it anew; None: every level above, -1: never."""
    legal: bool
    """All its numbers are decimal, whatever their levels say."""
    style: str
    """The paragraph style that has this level."""


def written(number: int, form: str) -> str:
    """A number in one of Word's forms; what is neither letters, numerals nor words is decimal.

    >>> [written(4, form) for form in ("lowerLetter", "upperRoman", "ordinal", "cardinalText", "decimalZero")]
    ['d', 'IV', '4th', 'Four', '04']
    """
    if number > 0 and form in ("lowerLetter", "upperLetter"):
        letters = to_letters(number)
        return letters if form == "lowerLetter" else letters.upper()
    if number > 0 and form in ("lowerRoman", "upperRoman"):
        return to_roman(number) if form == "lowerRoman" else to_roman(number).upper()
    if form == "ordinal":
        ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    if form in ("cardinalText", "ordinalText"):
        return to_word(number, ordinal=form == "ordinalText")
    return f"{number:02}" if form == "decimalZero" else str(number)


class Numbering:
    """The lists of a document and how far each has counted; ask for every paragraph once, in order."""

    def __init__(self, numbering: Any, styles: Any) -> None:
        self._styles = {_attribute(style, "styleId"): style for style in _all(styles, "style")}
        self._abstract = {_attribute(one, "abstractNumId"): one for one in _all(numbering, "abstractNum")}
        self._nums = {_attribute(one, "numId"): one for one in _all(numbering, "num")}
        self._levels: dict[str, list[Level]] = {}
        self._counts: dict[str, list[int | None]] = {}
        """Of each abstract list: lists that share it count on together."""
        self._seen: set[tuple[str, int]] = set()

    def label(self, paragraph: Any) -> str:
        """The number before a paragraph as Word shows it, "" for none or a bullet; counts it."""
        found = self._place(paragraph)
        if found is None or found[1] >= _DEEPEST:
            return ""
        levels = self._levels_of(found[0])
        counts = self._counted(*found, levels)
        level = levels[found[1]]
        if level.form in ("bullet", "none"):
            return ""
        return _LEVEL.sub(lambda match: self._one(int(match[1]) - 1, counts, levels, level.legal), level.text).strip()

    def _one(self, depth: int, counts: list[int | None], levels: list[Level], legal: bool) -> str:
        number = counts[depth]
        form = levels[depth].form
        plain = "decimal" if legal and form != "decimalZero" else form
        return "" if plain == "none" else written(levels[depth].start if number is None else number, plain)

    def _counted(self, num: str, depth: int, levels: list[Level]) -> list[int | None]:
        """The counts of a list after one more paragraph of a level."""
        counts = self._counts.setdefault(self._abstract_id(num), [None] * _DEEPEST)
        overrides = (one for one in _all(self._nums[num], "lvlOverride") if _attribute(one, "ilvl") == str(depth))
        override = _whole(value_of(next(overrides, None), "startOverride"))
        if (num, depth) not in self._seen and override is not None:
            counts[depth] = override - 1
        self._seen.add((num, depth))
        before = counts[depth]
        counts[depth] = levels[depth].start if before is None else before + 1
        for deeper in range(depth + 1, len(levels)):
            after = levels[deeper].restarts_after
            if after is None or depth <= after:
                counts[deeper] = None
        return counts

    def _place(self, paragraph: Any) -> tuple[str, int] | None:
        """The list of a paragraph and its level: its own, else that of its style or of one that this is based on."""
        num, depth = (value_of(paragraph, f"pPr/{W}numPr/{W}{name}") for name in ("numId", "ilvl"))
        if num is None:
            num, depth = self._of_style(value_of(paragraph, f"pPr/{W}pStyle") or self._default(), depth)
        if num is None or num not in self._nums:
            return None
        return num, _whole(depth) or 0

    def _default(self) -> str:
        kinds = [(key, style) for key, style in self._styles.items() if _attribute(style, "type") == "paragraph"]
        return next((key for key, style in kinds if _attribute(style, "default") in ("1", "true")), "")

    def _of_style(self, style: str, depth: str | None) -> tuple[str | None, str | None]:
        for name in self._based(style):
            num, own = (value_of(self._styles[name], f"pPr/{W}numPr/{W}{key}") for key in ("numId", "ilvl"))
            if num is not None:
                return num, depth or self._level_of_style(num, style, name) or own
        return None, None

    def _level_of_style(self, num: str, *styles: str) -> str | None:
        """The level that names a style as its own, which counts more than what the style says."""
        if num not in self._nums:
            return None
        levels = self._levels_of(num)
        return next((str(at) for style in styles for at, level in enumerate(levels) if level.style == style), None)

    def _based(self, style: str) -> list[str]:
        chain: list[str] = []
        while style in self._styles and style not in chain:
            chain.append(style)
            style = value_of(self._styles[style], "basedOn") or ""
        return chain

    def _abstract_id(self, num: str) -> str:
        """The definition of a list, which may be that of a list style."""
        found = value_of(self._nums[num], "abstractNumId") or ""
        link = value_of(self._abstract.get(found), "numStyleLink")
        if link:
            for key, one in self._abstract.items():
                if value_of(one, "styleLink") == link:
                    return key
        return found

    def _levels_of(self, num: str) -> list[Level]:
        if num not in self._levels:
            own = {_attribute(one, "ilvl"): one for one in _all(self._abstract.get(self._abstract_id(num)), "lvl")}
            for override in _all(self._nums[num], "lvlOverride"):
                for level in _all(override, "lvl"):
                    own[_attribute(override, "ilvl")] = level
            self._levels[num] = [_level(own.get(str(depth))) for depth in range(_DEEPEST)]
        return self._levels[num]


def _level(found: Any) -> Level:
    restart = _whole(value_of(found, "lvlRestart"))
    legal = None if found is None else found.find(f"{W}isLgl")
    return Level(
        start=_whole(value_of(found, "start")) or 0,
        form=value_of(found, "numFmt") or "decimal",
        text=value_of(found, "lvlText") or "",
        restarts_after=None if restart is None else restart - 1,
        legal=legal is not None and _attribute(legal, "val") not in ("0", "false"),
        style=value_of(found, "pStyle") or "",
    )


def _whole(value: str | None) -> int | None:
    """A number of a list or a level; None where there is none that Word would count to."""
    number = number_of(value)
    return number if number is not None and number <= _LAST else None


def _all(element: Any, name: str) -> list[Any]:
    return [] if element is None else list(element.findall(f"{W}{name}"))


def _attribute(element: Any, name: str) -> str:
    return str(element.get(f"{W}{name}") or "")


def value_of(element: Any, name: str) -> str | None:
    """The value of a child, or of one further down (`pPr/{W}pStyle`); None where it is not there."""
    found = None if element is None else element.find(f"{W}{name}")
    return None if found is None else found.get(f"{W}val")
