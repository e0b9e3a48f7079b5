"""What a later case did to an earlier one.

Spans are half-open character offsets ``[start, end)`` into ``Opinion.text`` of the citing opinion.
"""

from __future__ import annotations

from dataclasses import dataclass

TREATMENTS = (
    "overruled",  # the court that made it, or one above that court, says that it is law no longer, wholly or in part
    "reversed",  # on direct review: vacated too
    "limited",  # confined to its facts, cut back, not extended
    "criticized",  # its reasoning faulted, though it stays
    "questioned",  # its continuing validity doubted
    "distinguished",  # it does not govern here
    "mentioned",  # all else: cited, described, followed
)
"""Labels of a pair of citing and cited case, the gravest first (the Free Law Project's citator)."""
NEGATIVE = ("overruled", "reversed", "limited", "criticized", "questioned")
"""Treatments that a reader of the cited case must know of."""
UNDONE = ("overruled", "reversed")
"""Treatments of what is law no longer, wholly or in part."""
KINDS = ("in-part", "followed", "affirmed", "told", "told-in-part")
"""Finer kinds: of *overruled* `in-part`; of *mentioned* `followed`, `affirmed`, and `told` or `told-in-part` where the
citing case does nothing itself and tells that another one did ("Jones, overruled in part by Smith")."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """What one case says of another, all its mentions together: a label, and the sentence that says so."""

    treatment_id: str
    """`CITING_CASE_ID>CITE`, and `...>CITE/separate` for what opinions beside the court's say of it."""
    case_id: str
    """The treated case; "" while no case of the index, or more than one, has the cite."""
    cite: str
    """A normalised cite by which the citing case names it."""
    parallel: list[str]
    name: str
    """As the citing case has it, "" where it gives none."""
    label: str
    """One of `TREATMENTS`."""
    kind: str
    """One of `KINDS`, or ""."""
    told: str
    """Of kind `told` and `told-in-part`: what the other case did, `overruled` or `reversed`; else ""."""
    by: str
    """Of the same kinds: a normalised cite of the case that did it; else ""."""
    probability: float
    """Of the label, calibrated."""
    decides: bool
    """Whether the court speaks; what a dissent or a concurrence says is kept and does not decide."""
    citing_case_id: str
    citing_name: str
    citing_cite: str
    citing_date: str
    opinion_id: str
    """The citing opinion that has the deciding sentence."""
    part: str
    """Its type, one of `OPINION_TYPES`."""
    author: str
    page: str
    """Page label of the sentence in the citing case's official reporter, "" where not marked."""
    start: int
    end: int
    """Span of the deciding sentence."""
    sentence: str
    """Exactly the opinion's text between start and end."""
    n_mentions: int
    """Mentions of the case in the opinions that this row is of."""

    @property
    def done(self) -> str:
        """What was done to the case: the label, or what the citing case tells that another one did."""
        return self.told or self.label

    @property
    def in_part(self) -> bool:
        """Whether it was done to a part of the case alone."""
        return self.kind.endswith("in-part")

    @property
    def deed(self) -> str:
        """What was done, in words that "by" follows: "overruled in part"."""
        return f"{self.done} in part" if self.in_part else self.done
