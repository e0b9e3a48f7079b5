"""The corpus: source files of case law to `Case` and `Opinion` records; it alone knows formats and markup."""

from lawng.corpus.detect import FORMATS, detect, read_unit, work_units
from lawng.corpus.load import CorpusReader
from lawng.corpus.pages import page_at, page_span
from lawng.corpus.units import Unit

__all__ = ["FORMATS", "CorpusReader", "Unit", "detect", "page_at", "page_span", "read_unit", "work_units"]
