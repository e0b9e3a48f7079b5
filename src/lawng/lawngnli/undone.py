"""The cases that were overruled or reversed, as far as step 12-treatments tells: when, and by which case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lawng.corpus.dates import surely_before
from lawng.schema import Case, Treatment


@dataclass(frozen=True)
class Undone:
    """The cases of a corpus that were overruled or reversed, wholly or in part."""

    by_case: Mapping[str, list[tuple[str, str]]] = field(default_factory=dict)
    """When each was, and by which case, the earliest first."""
    dates: Mapping[str, str] = field(default_factory=dict)
    """Of all cases."""

    def before(self, cited: str, citing: str) -> str:
        """Which case undid the cited one before the citing one was decided, itself aside; "" where none surely did.

        >>> undone = Undone({"a": [("1990", "b")]}, {"b": "1990", "c": "1995"})
        >>> undone.before("a", "c"), undone.before("a", "b")
        ('b', '')
        """
        date = self.dates.get(citing, "")
        earlier = (
            by for when, by in self.by_case.get(cited, ()) if when and by != citing and surely_before(when, date)
        )
        return next(earlier, "")


def undone_cases(treatments: Iterable[Treatment], cases: Iterable[Case]) -> Undone:
    """The cases that treatments undo, with the dates of all cases of the corpus."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in treatments:
        found[one.case_id].append((one.citing_date, one.by or one.citing_case_id))
    return Undone({case_id: sorted(some) for case_id, some in found.items()}, {c.case_id: c.date for c in cases})
