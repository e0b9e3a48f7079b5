"""DOCX to text: paragraphs and tables in the order of the body, with Word's own numbers before them (ECMA-376, 17.9).

read_docx(path) -> ContractText     Numbering(numbering_xml, styles_xml).label(paragraph) -> str
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawng.clauses.sections.numbers import to_letters, to_roman, to_word
from lawng.clauses.sections.regions import CONTENTS
from lawng.errors import InputError
from lawng.io.limits import number_of
from lawng.schema import ContractText

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEVEL = re.compile(r"%([1-9])")
_DEEPEST = 9
_LAST = 32_767
"""Word counts no further; ten million as roman numerals would be ten thousand characters."""

_SKIPPED = {f"{W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "sdtPr", "txbxContent")}
_SKIPPED.add("{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback")
_CHARACTERS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_HEADING = re.compile(r"heading\s*[1-9]|title|subtitle", re.IGNORECASE)
_CONTENTS = re.compile(r"toc\s*(?:[1-9]|heading)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str
    number: str
    style: str
    """The style's name as Word shows it."""


def read_docx(path: Path) -> ContractText:
    """The text of a DOCX file; deleted text of tracked changes is left out, inserted text is in.

    Raises InputError when it is no DOCX or damaged, MissingError when python-docx is not installed.
    """
    import docx

    try:
        part = docx.Document(str(path)).part
        body, names = part.element.body, {style.style_id: style.name or "" for style in part.styles}
    except Exception as error:  # zipfile, lxml and python-docx raise kinds of their own, all meaning: no DOCX
        said = " ".join(str(error).split())[:100] or type(error).__name__
        raise InputError(f"{path}: not a DOCX that can be read ({said}); save it again as DOCX or PDF") from error
    lists = next((rel.target_part for rel in part.rels.values() if rel.reltype.endswith("/numbering")), None)
    numbering = Numbering(None if lists is None else lists.element, part.styles.element)
    found = list(_paragraphs(body, numbering, names))
    lines = [one for one in found if not _CONTENTS.fullmatch(one.style)]
    return _joined(lines, {CONTENTS: len(found) - len(lines)} if len(found) > len(lines) else {})


def _paragraphs(parent: Any, numbering: Numbering, names: dict[str, str]) -> Iterator[_Paragraph]:
    """The paragraphs of a body, a cell or a content control, in order; a table's rows are paragraphs."""
    for child in parent:
        if child.tag == f"{W}p":
            yield from _of_paragraph(child, numbering, names)
        elif child.tag == f"{W}tbl":
            for row in child.iter(f"{W}tr"):
                if next(row.iterancestors(f"{W}tbl")) is child:
                    yield from _row(row, numbering, names)
        elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml"):
            yield from _paragraphs(child, numbering, names)


def _of_paragraph(element: Any, numbering: Numbering, names: dict[str, str]) -> Iterator[_Paragraph]:
    style = element.find(f"{W}pPr/{W}pStyle")
    text = "".join(_pieces(element)).replace("\xad", "")
    name = names.get("" if style is None else style.get(f"{W}val"), "")
    # Word shows a number for an empty paragraph where that has a run
    number = numbering.label(element) if text.strip() or element.find(f"{W}r") is not None else ""
    if number or text.strip():
        yield _Paragraph(text.strip(), number, name)
    for box in element.iter(f"{W}txbxContent"):
        if not any(one.tag.endswith("}Fallback") for one in box.iterancestors()):
            yield from _paragraphs(box, numbering, names)


def _pieces(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _SKIPPED:
            continue
        if child.tag == f"{W}t":
            yield child.text or ""
        elif child.tag in _CHARACTERS:
            yield _CHARACTERS[child.tag]
        else:
            yield from _pieces(child)


def _row(row: Any, numbering: Numbering, names: dict[str, str]) -> Iterator[_Paragraph]:
    """A row of a table: one line where its cells are, else the paragraphs of its cells (a contract set in a table)."""
    own = (cell for cell in row.iter(f"{W}tc") if next(cell.iterancestors(f"{W}tr")) is row)
    cells = [list(_paragraphs(cell, numbering, names)) for cell in own]
    if all(len(cell) <= 1 for cell in cells):
        found = [cell[0] for cell in cells if cell]
        if found:
            texts = [" ".join(filter(None, (one.number, one.text))) for one in found]
            yield _Paragraph("\t".join(text.replace("\n", " ") for text in texts), "", found[0].style)
        return
    for cell in cells:
        yield from cell


def _joined(paragraphs: list[_Paragraph], dropped: dict[str, int]) -> ContractText:
    headings, numbered = set(), set()
    pieces: list[str] = []
    at = 0
    for paragraph in paragraphs:
        if _HEADING.match(paragraph.style):
            headings.add(at)
        if paragraph.number:
            numbered.add(at)
        pieces.append(" ".join(filter(None, (paragraph.number, paragraph.text))))
        at += len(pieces[-1]) + 2
    return ContractText("\n\n".join(pieces), (), frozenset(headings), frozenset(numbered), dropped)


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
        override = _whole(_value(next(overrides, None), "startOverride"))
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
        num, depth = (_value(paragraph, f"pPr/{W}numPr/{W}{name}") for name in ("numId", "ilvl"))
        if num is None:
            num, depth = self._of_style(_value(paragraph, f"pPr/{W}pStyle") or self._default(), depth)
        if num is None or num not in self._nums:
            return None
        return num, _whole(depth) or 0

    def _default(self) -> str:
        kinds = [(key, style) for key, style in self._styles.items() if _attribute(style, "type") == "paragraph"]
        return next((key for key, style in kinds if _attribute(style, "default") in ("1", "true")), "")

    def _of_style(self, style: str, depth: str | None) -> tuple[str | None, str | None]:
        for name in self._based(style):
            num, own = (_value(self._styles[name], f"pPr/{W}numPr/{W}{key}") for key in ("numId", "ilvl"))
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
            style = _value(self._styles[style], "basedOn") or ""
        return chain

    def _abstract_id(self, num: str) -> str:
        """The definition of a list, which may be that of a list style."""
        found = _value(self._nums[num], "abstractNumId") or ""
        link = _value(self._abstract.get(found), "numStyleLink")
        if link:
            for key, one in self._abstract.items():
                if _value(one, "styleLink") == link:
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
    restart = _whole(_value(found, "lvlRestart"))
    legal = None if found is None else found.find(f"{W}isLgl")
    return Level(
        start=_whole(_value(found, "start")) or 0,
        form=_value(found, "numFmt") or "decimal",
        text=_value(found, "lvlText") or "",
        restarts_after=None if restart is None else restart - 1,
        legal=legal is not None and _attribute(legal, "val") not in ("0", "false"),
        style=_value(found, "pStyle") or "",
    )


def _whole(value: str | None) -> int | None:
    """A number of a list or a level; None where there is none that Word would count to."""
    number = number_of(value)
    return number if number is not None and number <= _LAST else None


def _all(element: Any, name: str) -> list[Any]:
    return [] if element is None else list(element.findall(f"{W}{name}"))


def _attribute(element: Any, name: str) -> str:
    return str(element.get(f"{W}{name}") or "")


def _value(element: Any, name: str) -> str | None:
    """The value of a child, or of one further down (`pPr/{W}pStyle`); None where it is not there."""
    found = None if element is None else element.find(f"{W}{name}")
    return None if found is None else found.get(f"{W}val")
