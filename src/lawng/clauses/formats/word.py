"""DOCX to text: paragraphs and tables in the order of the body, with Word's own numbers before them, and its pages.

read_docx(path) -> ContractText
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lawng.clauses.formats.word_markup import BREAK, RENDERED, accept_changes, even_out_pages, left_out
from lawng.clauses.formats.word_numbers import Numbering, W
from lawng.clauses.sections.regions import CONTENTS
from lawng.errors import InputError
from lawng.schema import ContractText

_SKIPPED = {f"{W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "sdtPr", "txbxContent")}
_SKIPPED.add("{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback")
_LAID_OUT, _BROKEN = "\f", "\v"
"""Where Word began a page, and where the author did: blanks that XML cannot have, until the pages are counted."""
_PAGES = re.compile(f"([{_LAID_OUT}{_BROKEN}])")
_OTHER_BLANKS = re.compile(r"[^\S\f\v]+")
_CHARACTERS = {f"{W}tab": "\t", BREAK: "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", RENDERED: _LAID_OUT}
_HEADING = re.compile(r"heading\s*[1-9]|title|subtitle", re.IGNORECASE)
_CONTENTS = re.compile(r"toc\s*(?:[1-9]|heading)", re.IGNORECASE)
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a file of Word before 2007 begins, and the shell around one that has a password (MS-CFB, MS-OFFCRYPTO)."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str
    """Without blanks at its ends, but with the marks of pages."""
    number: str
    style: str
    """The style's name as Word shows it."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it but a page that begins."""
        return not self.number and not self.text.strip()

    @property
    def line(self) -> str:
        """Its number and its text; a page that begins with the text begins with the number."""
        bare = self.text.lstrip()
        return self.text.removesuffix(bare) + " ".join(filter(None, (self.number, bare)))

    @property
    def is_contents(self) -> bool:
        """Whether it is a line of a table of contents."""
        return _CONTENTS.fullmatch(self.style) is not None


def read_docx(path: Path) -> ContractText:
    """The text of a DOCX file as it is when all tracked changes are accepted, with the pages that Word last made of it.

    Raises InputError when it is no DOCX, has a password or is damaged, MissingError when python-docx is not installed.
    """
    import docx

    _refuse_compound(path)
    try:
        part = docx.Document(str(path)).part
        body, names = part.element.body, {style.style_id: style.name or "" for style in part.styles}
    except Exception as error:  # zipfile, lxml and python-docx raise kinds of their own, all meaning: no DOCX
        said = " ".join(str(error).split())[:100] or type(error).__name__
        raise InputError(f"{path}: not a DOCX that can be read ({said}); save it again as DOCX or PDF") from error
    lists = next((rel.target_part for rel in part.rels.values() if rel.reltype.endswith("/numbering")), None)
    numbering = Numbering(None if lists is None else lists.element, part.styles.element)
    notes = left_out(body)
    accept_changes(body)
    even_out_pages(body)
    return _joined(list(_paragraphs(body, numbering, names)), notes)


def _refuse_compound(path: Path) -> None:
    raw = path.read_bytes()
    if raw.startswith(_COMPOUND):
        locked = "EncryptedPackage".encode("utf-16-le") in raw
        old = "is a file of Word before 2007; save it as DOCX or PDF"
        raise InputError(f"{path}: {'is protected by a password; save it without' if locked else old}")


def _paragraphs(parent: Any, numbering: Numbering, names: dict[str, str]) -> Iterator[_Paragraph]:
    """The paragraphs of a body, a cell or a content control, in order; a table's rows are paragraphs.

    One that is empty is among them where a page begins in it.
    """
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
    text = _stripped("".join(_pieces(element)).replace("\xad", ""))
    name = names.get("" if style is None else style.get(f"{W}val"), "")
    # Word shows a number for an empty paragraph where that has a run
    number = numbering.label(element) if text.strip() or element.find(f"{W}r") is not None else ""
    if number or text:
        yield _Paragraph(text, number, name)
    for box in element.iter(f"{W}txbxContent"):
        if not any(one.tag.endswith("}Fallback") for one in box.iterancestors()):
            yield from _paragraphs(box, numbering, names)


def _stripped(text: str) -> str:
    """A text without the blanks at its ends but the marks of pages."""
    bare = text.strip()
    before, _, after = text.partition(bare) if bare else (text, "", "")
    return _OTHER_BLANKS.sub("", before) + bare + _OTHER_BLANKS.sub("", after)


def _pieces(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _SKIPPED:
            continue
        if child.tag == f"{W}t":
            yield child.text or ""
        elif child.tag in _CHARACTERS:
            yield _BROKEN if child.get(f"{W}type") == "page" else ""
            yield _CHARACTERS[child.tag]
        else:
            yield from _pieces(child)


def _row(row: Any, numbering: Numbering, names: dict[str, str]) -> Iterator[_Paragraph]:
    """A row of a table: one line where its cells are, else the paragraphs of its cells (a contract set in a table)."""
    own = (cell for cell in row.iter(f"{W}tc") if next(cell.iterancestors(f"{W}tr")) is row)
    cells = [list(_paragraphs(cell, numbering, names)) for cell in own]
    if any(sum(not one.is_empty for one in cell) > 1 for cell in cells):
        for cell in cells:
            yield from cell
    elif any(cells):
        texts = ("".join(one.line for one in cell) for cell in cells)
        style = next((one.style for cell in cells for one in cell if not one.is_empty), "")
        yield _Paragraph(_stripped("\t".join(filter(None, texts)).replace("\n", " ")), "", style)


@dataclass(slots=True)
class _Text:
    """A text that grows paragraph by paragraph, with where its pages begin."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    pages: list[int] = field(default_factory=lambda: [0])
    marks: str = ""
    """Of pages, since the last word: a break that the author made is one that Word laid out as well."""
    starts: list[int] = field(default_factory=list)
    headings: set[int] = field(default_factory=set)
    numbered: set[int] = field(default_factory=set)

    def take(self, one: _Paragraph) -> None:
        if one.is_contents or one.is_empty:
            self.marks += "".join(_PAGES.findall(one.text))
        else:
            self._begin(one)
            self._add(one.line)

    def _begin(self, one: _Paragraph) -> None:
        self._add("\n\n" if self.starts else "")
        self.starts.append(self.length)
        if _HEADING.match(one.style):
            self.headings.add(self.length)
        if one.number:
            self.numbered.add(self.length)

    def _add(self, text: str) -> None:
        for piece in _PAGES.split(text):
            if _PAGES.fullmatch(piece):
                self.marks += piece
                continue
            if piece.strip():
                self.pages += [self.length] * max(map(self.marks.count, (_LAID_OUT, _BROKEN)))
                self.marks = ""
            self.pieces.append(piece)
            self.length += len(piece)


def _joined(paragraphs: list[_Paragraph], notes: tuple[str, ...]) -> ContractText:
    text = _Text()
    for one in paragraphs:
        text.take(one)
    seen = set(_PAGES.findall("".join(one.text for one in paragraphs)))
    if seen == {_BROKEN}:
        notes += ("pages are counted by its own breaks alone, for Word has not laid it out: they may be too low",)
    n_contents = sum(one.is_contents and not one.is_empty for one in paragraphs)
    return ContractText(
        "".join(text.pieces),
        page_starts=tuple(text.pages) if seen else (),
        headings=frozenset(text.headings),
        numbered=frozenset(text.numbered),
        dropped={CONTENTS: n_contents} if n_contents else {},
        notes=notes,
        paragraph_starts=tuple(text.starts),
    )
