"""PDF to text: lines by pdfplumber, put together to paragraphs; what repeats on every page is left out.

read_pdf(path) -> ContractText
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawng.clauses.contract import ContractText
from lawng.clauses.formats.printed import PrintedLine, joined
from lawng.errors import InputError


def read_pdf(path: Path) -> ContractText:
    """The text of a PDF file with its pages; a word that was parted at a line's end is whole again.

    Raises InputError when it is no PDF, encrypted, damaged, or has no text (a scan), MissingError when pdfplumber is
    not installed.
    """
    pages = list(_pages(path))
    if not any(pages):
        raise InputError(f"{path}: a PDF without text, such as a scan; have it read by OCR first, e.g. with ocrmypdf")
    return joined(pages)


def _pages(path: Path) -> Iterator[list[PrintedLine]]:
    import pdfplumber

    logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns about fonts, page by page
    try:
        with pdfplumber.open(path) as pdf:
            for page in pdf.pages:
                yield [_line(line, float(page.height)) for line in page.extract_text_lines(return_chars=False)]
                page.close()
    except Exception as error:  # pdfminer raises kinds of its own, all meaning: not to be read
        raise InputError(f"{path}: {_why(error)}") from error


def _line(found: dict[str, Any], height: float) -> PrintedLine:
    return PrintedLine(found["text"], found["x0"], found["x1"], found["top"] / height, found["bottom"] / height)


def _why(error: Exception) -> str:
    said = f"{type(error).__name__} {error!r}"
    if "Password" in said or "Encrypt" in said:
        return "an encrypted PDF; save it without a password"
    return f"not a PDF that can be read ({type(error).__name__}); save or download it again"
