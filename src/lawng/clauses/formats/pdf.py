"""PDF to text: lines by pdfplumber, put together to paragraphs; what repeats on every page is left out.

read_pdf(path) -> ContractText     joined(pages) -> ContractText
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from lawng.clauses.sections.lines import Line, is_heading, opens
from lawng.clauses.sections.numbers import marker_of
from lawng.errors import InputError
from lawng.schema import ContractText


def read_pdf(path: Path) -> ContractText:
    """The text of a PDF file with its pages; a word that was parted at a line's end is whole again.

    Raises InputError when it is no PDF, has a password, is damaged, or has no text (a scan), MissingError when
    pdfplumber is not installed.
    """
    import pdfplumber

    logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns about fonts, page by page
    pages: list[list[PrintedLine]] = []
    try:
        with pdfplumber.open(path) as pdf:
            for page in pdf.pages:
                found = page.extract_text_lines(return_chars=False)
                pages.append([_printed(line, float(page.height)) for line in found])
                page.close()
    except Exception as error:  # pdfminer raises kinds of its own, all meaning: not to be read
        kind = type(error).__name__
        why = f"not a PDF that can be read ({kind}); save or download it again"
        if re.search("Password|Encrypt", f"{kind} {error!r}"):
            why = "is protected by a password; save it without"
        raise InputError(f"{path}: {why}") from error
    if not any(pages):
        raise InputError(f"{path}: a PDF without text, such as a scan; have it read by OCR first, e.g. with ocrmypdf")
    return joined(pages)


def _printed(found: dict[str, Any], height: float) -> PrintedLine:
    return PrintedLine(found["text"], found["x0"], found["x1"], found["top"] / height, found["bottom"] / height)


RUNNING, PAGE_NUMBER = "running-header-or-footer", "page-number"
_MARGIN = 0.1
"""Share of a page's height at its top and bottom where headers and footers stand."""
_DEEP = 3
"""Lines of a header or footer at most."""
_WIDER = 1.3
"""A paragraph begins where the distance to the line before is so many times the usual one."""
_SHORT = 0.35
"""A line that leaves so much of the width free ends a paragraph, whatever it ends with."""
_PAGE = re.compile(r"(?:page|p\.?)?\W*(?:\d{1,4}|[ivxl]{1,6})\W*(?:(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE)
_STOPS = re.compile(r"[.:;!?][\"”’')\]]*$")
_HYPHEN = re.compile(r"(?P<left>[^\W\d_]+)[-\u00ad‐]$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PREFIXES = frozenset(["non", "self", "third", "co", "pre", "post", "sub", "cross", "well", "no", "multi", "anti"])


class PrintedLine(NamedTuple):
    """A line of a page: its text and its box, left and right in points, top and bottom as shares of the height."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float


class _Placed(NamedTuple):
    line: PrintedLine
    page: int
    begins: bool
    """Whether a paragraph begins with it."""


def joined(pages: Sequence[Sequence[PrintedLine]]) -> ContractText:
    """The text of some pages, paragraphs parted by blank lines, with the place where each page begins.

    >>> pages = [[PrintedLine("The parties shall not be lia-", 72, 540, 0.4, 0.41)],
    ...          [PrintedLine("ble for delay.", 72, 150, 0.1, 0.11)]]
    >>> joined(pages).text, joined(pages).page_starts
    ('The parties shall not be liable for delay.', (0, 28))
    """
    running = _running(pages)
    dropped: Counter[str] = Counter()
    kept = []
    for page in pages:
        kinds = [_kind(line, min(n, len(page) - 1 - n) < _DEEP, running) for n, line in enumerate(page)]
        dropped.update(filter(None, kinds))
        kept.append([line for line, kind in zip(page, kinds, strict=True) if not kind])
    empty = [n for n, page in enumerate(pages, 1) if not page]
    notes = (f"no text on page {', '.join(map(str, empty))} (a scan or a picture)",) if empty else ()
    text, starts = _text(_placed(kept), len(pages))
    return ContractText(text, starts, dropped=dict(dropped), notes=notes)


def _in_margin(line: PrintedLine) -> bool:
    return line.bottom < _MARGIN or line.top > 1 - _MARGIN


def _shape(line: PrintedLine) -> tuple[str, bool]:
    """What is the same on every page of a header: the text but its numbers, and whether it stands above."""
    return re.sub(r"\d+", "#", " ".join(line.text.split())), line.top < 0.5


def _running(pages: Sequence[Sequence[PrintedLine]]) -> set[tuple[str, bool]]:
    """What stands in the margin of most pages, or of every other one as in a book."""
    counts = Counter(
        shape
        for page in pages
        for shape in {_shape(line) for line in (*page[:_DEEP], *page[-_DEEP:]) if _in_margin(line)}
    )
    return {shape for shape, n in counts.items() if n >= max(2, 0.4 * len(pages))}


def _kind(line: PrintedLine, outer: bool, running: set[tuple[str, bool]]) -> str:
    """What a line is that is left out, "" for text."""
    if not outer or not _in_margin(line):
        return ""
    if _PAGE.fullmatch(line.text.strip()):
        return PAGE_NUMBER
    return RUNNING if _shape(line) in running else ""


def _placed(pages: Sequence[Sequence[PrintedLine]]) -> list[_Placed]:
    distances = [b.top - a.top for page in pages for a, b in pairwise(page) if 0 < b.top - a.top < 0.1]
    usual = min(median(distances), 0.06) if distances else 0.02
    right = max((line.x1 for page in pages for line in page), default=0.0)
    found: list[_Placed] = []
    for number, page in enumerate(pages, 1):
        for n, line in enumerate(page):
            before = found[-1].line if found else None
            begins = before is None or (
                _begins(before, line, usual, right) if n else _begins_on_new_page(before, line, right)
            )
            found.append(_Placed(line, number, begins))
    return found


def _begins(before: PrintedLine, line: PrintedLine, usual: float, right: float) -> bool:
    """Whether a paragraph begins: after a gap, with a number, or after a line that ends early with a full stop."""
    if line.top - before.top > _WIDER * usual or _is_numbered(before, line):
        return True
    if not _ends_early(before, line, right) or before.text.endswith("-"):
        return False
    said = _STOPS.search(before.text) or is_heading(before.text) or marker_of(_line(before.text))
    return bool(said) or before.x1 < right - _SHORT * (right - before.x0)


def _begins_on_new_page(before: PrintedLine, line: PrintedLine, right: float) -> bool:
    if _is_numbered(before, line):
        return True
    ended = _STOPS.search(before.text) is not None or _ends_early(before, line, right)
    return ended and not line.text[0].islower()


def _ends_early(before: PrintedLine, line: PrintedLine, right: float) -> bool:
    """Whether the first word of the next line would have found room."""
    letter = (before.x1 - before.x0) / max(1, len(before.text))
    return before.x1 + (len(line.text.split(maxsplit=1)[0]) + 2) * letter < right


def _is_numbered(before: PrintedLine, line: PrintedLine) -> bool:
    pair = [_line(before.text), _line(line.text)]
    return opens(pair, 1, wrapped=True) and marker_of(pair[1]) is not None


def _line(text: str) -> Line:
    return Line(0, len(text), text, False, False, 0)


def _text(lines: Sequence[_Placed], n_pages: int) -> tuple[str, tuple[int, ...]]:
    words = Counter(word.lower() for placed in lines for word in _WORD.findall(placed.line.text))
    pieces: list[str] = []
    length = 0
    starts = [0]
    for placed in lines:
        text = placed.line.text.strip()
        if pieces:
            cut, seam = (0, "\n\n") if placed.begins else _seam(pieces[-1], text, words)
            pieces[-1] = pieces[-1][: len(pieces[-1]) - cut] + seam
            length += len(seam) - cut
        starts += [length] * (placed.page - len(starts))
        pieces.append(text)
        length += len(text)
    return "".join(pieces), (*starts, *[length] * (n_pages - len(starts)))


def _seam(before: str, after: str, words: Counter[str]) -> tuple[int, str]:
    """How many characters of a line's end go, and what comes instead, where it goes on with the next line.

    A hyphen stays where the document writes the word with one elsewhere, or where words are joined by one as a rule.
    """
    left, right = _HYPHEN.search(before), _WORD.match(after)
    if not left or not right or not after[0].islower():
        return 0, "" if before.endswith(("-", "/")) and after[:1].islower() else " "
    if before.endswith("\u00ad"):
        return 1, ""
    first, second = left["left"].lower(), right.group().lower()
    whole, parted = words[first + second], words[f"{first}-{second}"]
    if parted > whole or (parted == whole and first in _PREFIXES):
        return 0, ""
    return 1, ""
