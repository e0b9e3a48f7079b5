"""What strangers wrote made safe to show: a case name or a file name must not steer a terminal or turn a line round.

What a notebook shows is made here too: texts with marked spans and small tables, everything in them escaped.

Taken out are control characters (C0, C1), whole escape sequences of terminals, marks of writing direction (Unicode's
bidirectional formatting characters), byte order marks and other invisible format characters. The letters of scripts
that run from right to left stay: it is the overriding marks that turn *other* text round. So do the zero-width joiners
where they mean something, behind a letter that is joined (Persian, Hindi) or an emoji; behind a Latin letter or a digit
they only make two equal names differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

_ESCAPE = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)|[ -/]*[0-~])?"
"""ECMA-48: a control sequence with its parameters, a command string with its end, or a function of one letter."""
_DIRECTIONS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"
_UNSEEN = r"\ufeff\ufff9-\ufffb"
_LONE = r"\ud800-\udfff"
"""Halves of a surrogate pair: no character, and no encoding can write them."""
LINE_BREAK = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
"""What ends a line beside `\\n`."""
_OUT = re.compile(
    rf"{_ESCAPE}|[\x00-\x08\x0e-\x1f\x7f-\x9f{_DIRECTIONS}{_UNSEEN}]|(?<![\u0300-\U0010ffff])[\u200c\u200d]"
)
_SUSPECT = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200c\u200d\u2028\u2029{_DIRECTIONS}{_UNSEEN}{_LONE}]")
"""What any of it has: most texts have none, and one look is quicker than three."""
_NO_CHARACTER = re.compile(f"[{_LONE}]")
_ESCAPED = re.compile(rf"[\x7f-\x9f\u2028\u2029{_DIRECTIONS}{_UNSEEN}{_LONE}]")


def printable(text: str) -> str:
    r"""A text as it may be shown; ends of lines (all that Unicode knows) become "\\n", and tabs stay.

    >>> printable("Roe\x1b[31m v.\x00 Wade\u202e, 410 U.S. 113\r\n"), printable("כהן נ׳ לוי")
    ('Roe v. Wade, 410 U.S. 113\n', 'כהן נ׳ לוי')
    """
    if not _SUSPECT.search(text):
        return text
    return _NO_CHARACTER.sub("\ufffd", _OUT.sub("", LINE_BREAK.sub("\n", text)))


def one_line(text: str) -> str:
    r"""A text as it may be shown on one line: white space is single blanks.

    >>> one_line(" Roe\nv.\u2028Wade ")
    'Roe v. Wade'
    """
    return " ".join(printable(text).split())


def json_text(value: Any, indent: int | None = None) -> str:
    r"""A value as JSON: nothing of it is lost, and what `printable` takes out is written as an escape.

    >>> print(json_text({"name": "Roe\u202e\x1b é"}))
    {"name": "Roe\u202e\u001b é"}
    """
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, indent=indent, ensure_ascii=False))


def marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with `<mark>` around spans that ascend and do not overlap.

    >>> marked("a <b> c", [(2, 5)])
    'a <mark>&lt;b&gt;</mark> c'
    """
    parts, at = [], 0
    for start, end in spans:
        parts += [plain(text[at:start]), "<mark>", plain(text[start:end]), "</mark>"]
        at = end
    return "".join([*parts, plain(text[at:])])


def plain(value: object) -> str:
    r"""A value as text that no markup is in.

    >>> plain("Roe\x00 v. <Wade>")
    'Roe v. &lt;Wade&gt;'
    """
    return escape(printable(str(value)))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already, under columns that are not.

    >>> table(["n"], [["<b>1</b>"]])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td><b>1</b></td></tr></tbody></table>'
    """
    head = "".join(f"<th>{plain(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def count(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> count(1, "case"), count(1200, "case"), count(2, "court of appeals", "courts of appeals")
    ('1 case', '1,200 cases', '2 courts of appeals')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
