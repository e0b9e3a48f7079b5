"""The columns of the study's tables: what is trained on, and what is read of a long premise."""

from __future__ import annotations

from typing import NamedTuple

from lawng.schema.views import FILTERED, HYPOTHESIS, LONG, ONLY, PREMISES, SHORT


class Column(NamedTuple):
    """A column of a table: what is trained on, and what is read."""

    key: str
    trained: str
    """The view of the training pairs, "" for none: the base as it is."""
    read: str
    window: int = 0
    """Tokens that the model may read, 0 for all that it can."""
    windows: bool = False
    """Whether the premise is judged window by window."""

    @property
    def asked(self) -> str:
        """What is read, as files have it.

        >>> Column("2", "short", "long", window=512).asked
        'long-512'
        """
        return self.read + (f"-{self.window}" if self.window else "") + ("-windows" if self.windows else "")


GRID = (
    Column("1", SHORT, LONG),
    Column("2", SHORT, LONG, window=512),
    Column("3", SHORT, f"{FILTERED}{LONG}"),
    Column("4", f"{FILTERED}{SHORT}", f"{FILTERED}{LONG}"),
    Column("5", LONG, LONG),
    Column("6", f"{FILTERED}{LONG}", f"{FILTERED}{LONG}"),
    Column("7", SHORT, LONG, windows=True),
    Column("8", f"{FILTERED}{SHORT}", LONG, windows=True),
    Column("9", LONG, LONG, windows=True),
    Column("10", f"{FILTERED}{LONG}", LONG, windows=True),
)
"""Table 13, and ours: the premise window by window."""
AS_IT_IS = (
    Column("long-as-it-is", "", LONG),
    Column("bm25-long-as-it-is", "", f"{FILTERED}{LONG}"),
    Column("windows-as-it-is", "", LONG, windows=True),
    Column("short-as-it-is", "", SHORT),
)
"""Models that are fine-tuned on none of it, language models among them."""
OTHERS = (*AS_IT_IS, Column("short", SHORT, SHORT))
"""What tables 14 and 15 have beside the grid, and a model as it is."""
ARTEFACTS = (
    Column("hypothesis", HYPOTHESIS, HYPOTHESIS),
    *(Column(f"{ONLY}{view}", f"{ONLY}{view}", f"{ONLY}{view}") for view in PREMISES),
)
"""Table 12: what the labels can be told by without the other text."""


def needs_long(column: Column) -> bool:
    """Whether a column's model has been fine-tuned on long premises.

    >>> [column.key for column in GRID if needs_long(column)]
    ['5', '6', '9', '10']
    """
    return column.trained.endswith(LONG)
