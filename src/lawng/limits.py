"""The bounds on what comes in from files that others made, all in `lawng/limits.py`.

A breach is one counted reject that names the file, the place in it and the limit; the rest of the file and of the
import goes on. The limits lie well above the largest real case. They keep an import's memory under 500 MB, whatever the
file: `benchmarks/bounds.py` makes hostile files and measures it.
"""

from __future__ import annotations

from lawng.errors import InputError

LINE_BYTES = 32_000_000
"""Bytes of a line of JSON lines, or of a row of a table (`line-too-long`)."""
DOCUMENT_BYTES = 32_000_000
"""Bytes of a file, or of an archive's member, that is one document: JSON, HTML, XML or text (`document-too-large`)."""
TEXT_CHARACTERS = 8_000_000
"""Characters of an opinion, or of a case body, with its markup (`text-too-long`)."""
ELEMENTS = 250_000
"""Elements of markup in an opinion or case body (`markup-too-large`)."""
NAME_CHARACTERS = 100_000
"""Characters of a name, court or docket number of a case (`field-too-long`)."""
JSON_DEPTH = 100
"""Arrays and objects of JSON inside each other (`json-too-deep`)."""
JSON_VALUES = 1_000_000
"""Commas and brackets of a JSON value, which bound its memory (`json-too-large`)."""
JSON_DIGITS = 100
"""Digits of a number in JSON (`number-too-long`)."""
NUMBER_DIGITS = 18
"""Digits of a number that is an id, a volume or a page: more do not fit 64 bits, and such a text is no number."""
CASE_OPINIONS = 1_000
"""Opinions of one case in tables; those after them are rejected (`case-too-large`)."""
CASE_CHARACTERS = 32_000_000
"""Characters of all opinions of one case in tables; those after them are rejected (`case-too-large`)."""
ARCHIVE_DEPTH = 4
"""Archives inside each other (`archive-too-deep`)."""
ARCHIVE_LIST_BYTES = 8_000_000
"""Bytes of the list of members that a zip has at its end, some 100,000 members (`archive-too-large`)."""
MEMBER_HEADER_BYTES = 64_000
"""Bytes of the header of a tar's member with its long name and notes (`archive-too-large`)."""
UNPACKED_BYTES = 2_000_000_000_000
"""Bytes that a packed file or archive may unpack to, all its members together (`archive-too-large`)."""
UNPACKED_RATIO = 250
"""How many times its packed bytes a file, a member or a whole archive may unpack to (`packed-too-tightly`)."""
RATIO_FROM_BYTES = 100_000_000
"""The ratio counts from so many unpacked bytes on: a short file of few words packs tightly, and harms nobody."""
UNPACKER_BYTES = 70_000_000
"""Bytes of memory that unpacking an xz file may take; its strongest preset takes 68 MB (`file-breaks-off`)."""


class OverLimitError(InputError):
    """Something that comes in is over one of the limits; `reason` is what it is counted under."""

    def __init__(self, reason: str, says: str) -> None:
        super().__init__(says)
        self.reason = reason

    def __reduce__(self) -> tuple[type[OverLimitError], tuple[str, str]]:
        return type(self), (self.reason, str(self))
