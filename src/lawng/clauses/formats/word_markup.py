"""What stands around the words of a DOCX: tracked changes, comments, notes, page breaks (ECMA-376, 17.13, 17.3.3).

left_out(body) -> notes     accept_changes(body)     even_out_pages(body)
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from lawng.clauses.formats.word_numbers import W, value_of
from lawng.text.printable import count

BREAK, RENDERED = f"{W}br", f"{W}lastRenderedPageBreak"
_COUNTED = {"comment": "commentReference", "footnote": "footnoteReference", "endnote": "endnoteReference"}
_SAME_PAGE = ("continuous", "nextColumn")


def left_out(body: Any) -> tuple[str, ...]:
    """A note on the tracked changes of a body, and on its comments and notes, whose text stands elsewhere."""
    changes = [one for name in ("ins", "del", "moveTo") for one in body.iter(f"{W}{name}")]
    # the end of a paragraph that came or went with words counts with them
    of_words = [one for one in changes if one.getparent().tag not in (f"{W}rPr", f"{W}trPr")] or changes
    said = [f"{count(len(of_words), 'tracked change')} read as accepted"] if of_words else []
    for what, name in _COUNTED.items():
        if n := sum(1 for _ in body.iter(f"{W}{name}")):
            said.append(f"{count(n, what)} left out")
    return ("; ".join(said),) if said else ()


def accept_changes(body: Any) -> None:
    """Take from a body the rows that were deleted, and the ends of paragraphs: these go on in the paragraph after them.

    Words that were deleted stay: whoever reads the text leaves them out.
    """
    for mark in list(body.iterfind(f".//{W}trPr/{W}del")):
        row = mark.getparent().getparent()
        row.getparent().remove(row)
    for name in ("del", "moveFrom"):
        for mark in list(body.iterfind(f".//{W}p/{W}pPr/{W}rPr/{W}{name}")):
            _join_to_next(mark.getparent().getparent().getparent())


def _join_to_next(paragraph: Any) -> None:
    following = paragraph.getnext()
    if following is not None and following.tag == paragraph.tag:
        following[0:0] = [child for child in paragraph if child.tag != f"{W}pPr"]
        paragraph.getparent().remove(paragraph)


def even_out_pages(body: Any) -> None:
    """Have every page that an author began begin with a break, and each page that Word laid out marked once.

    Word marks a page in each cell of a row that goes over to it, and inside words that were deleted.
    """
    sections = [*body.iterfind(f".//{W}pPr/{W}sectPr"), *body.iterfind(f"{W}sectPr")]
    for ended, begun in pairwise(sections):
        if value_of(begun, "type") not in _SAME_PAGE:
            ended.getparent().getparent().append(_page_break(body))
    for mark in body.iterfind(f".//{W}p/{W}pPr/{W}pageBreakBefore"):
        if mark.get(f"{W}val") not in ("0", "false", "off"):
            mark.getparent().getparent().insert(0, _page_break(body))
    for row in body.iter(f"{W}tr"):
        cells = sorted((list(cell.iter(RENDERED)) for cell in row.iterfind(f"{W}tc")), key=len, reverse=True)
        for mark in (mark for cell in cells[1:] for mark in cell):
            mark.getparent().remove(mark)
    for deleted in body.iter(f"{W}del"):
        for mark in list(deleted.iter(RENDERED)):
            deleted.addprevious(mark)


def _page_break(body: Any) -> Any:
    return body.makeelement(BREAK, {f"{W}type": "page"})
