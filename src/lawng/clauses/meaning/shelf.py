"""The anatomies of many clauses as arrays, so that one query is held against all of them at once.

Shelf(texts).fit(wanted) -> array, clauses x len(FIT)      Shelf(texts).manner -> array, clauses x len(MANNER)
"""

from __future__ import annotations

from collections.abc import Sequence

from lawng.clauses.meaning.anatomies import Anatomies
from lawng.clauses.meaning.anatomy import anatomy
from lawng.clauses.meaning.fit import fit
from lawng.clauses.meaning.manner import TO_YOU, manner
from lawng.clauses.meaning.taken import Matrix, Taken
from lawng.clauses.meaning.wanted import Wanted


class Shelf:
    """Clauses taken apart. What is known of a clause does not depend on the clauses beside it."""

    def __init__(self, texts: Sequence[str], anatomies: Anatomies | None = None) -> None:
        """`anatomies` are kept on disk, which spares a collection that was opened before most of the time."""
        self._taken = Taken(anatomies.of(texts) if anatomies else [anatomy(text) for text in texts])
        self.manner: Matrix = manner(texts, self._taken)

    def fit(self, asked: Wanted) -> Matrix:
        """How each clause answers what is asked, clauses x `FIT`; all NaN where the glossary knows no subject of it."""
        return fit(self._taken, asked, self.manner[:, TO_YOU])
