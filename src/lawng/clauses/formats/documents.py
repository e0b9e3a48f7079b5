"""A file to the text of a contract: plain text, DOCX, PDF.

read_document(path) -> ContractText     SUFFIXES
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lawng.clauses.formats.language import other_language
from lawng.clauses.formats.pdf import read_pdf
from lawng.clauses.formats.plain import opened, read_plain
from lawng.clauses.formats.word import read_docx
from lawng.errors import InputError
from lawng.extras import explained
from lawng.schema import ContractText

MOST_BYTES = 50_000_000
"""A larger file is refused: it is no contract."""
_READERS: dict[str, Callable[[Path], ContractText]] = {
    ".txt": read_plain,
    ".text": read_plain,
    ".md": read_plain,
    ".docx": read_docx,
    ".pdf": read_pdf,
}
SUFFIXES = tuple(_READERS)
"""Of the files that are read as contracts."""


@explained()
def read_document(path: Path) -> ContractText:
    """The text of a contract, by its suffix, with a note where it is plainly not English.

    Raises InputError when the file cannot be read, is of another format, larger than 50 MB, or has no text.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path}: not one of {', '.join(SUFFIXES)}; save it as one of these")
    with opened(path):
        size = path.stat().st_size
        if not size:
            raise InputError(f"{path}: is an empty file; download or save it again")
        if size > MOST_BYTES:
            raise InputError(f"{path}: has {size / 1e6:.0f} MB, {MOST_BYTES / 1e6:.0f} MB are the limit; split it")
        contract = reader(path)
    if not any(c.isalnum() for c in contract.text):
        raise InputError(f"{path}: has no text; give the file that has the contract in it")
    other = other_language(contract.text)
    if other:
        said = f"seems to be in {other}; the glossary and the models read English"
        return replace(contract, notes=(*contract.notes, said))
    return contract
