"""What is cited in an opinion, and the parentheticals that say what for.

Spans are half-open character offsets ``[start, end)`` into the citing ``Opinion.text``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parenthetical:
    """One parenthetical after a citation: whole, balanced, without its outer brackets."""

    text: str
    """Exactly the text between start and end."""
    start: int
    end: int
    kind: str
    """One of `PARENTHETICAL_KINDS`."""


PARENTHETICAL_KINDS = (
    "explanatory",  # says what the cited case held, found, did or said, in the citing judge's words
    "quotation",  # is (nearly) nothing but words quoted from the cited case
    "weight",  # (en banc), (per curiam), (plurality opinion), (Brennan, J., dissenting)
    "source",  # (quoting X), (citing Y), (quoted in Z)
    "alteration",  # (emphasis added), (citations omitted), (footnote omitted), (cleaned up)
    "history",  # (overruled by ...), (cert. denied), (superseded by statute)
    "other",
)
"""What a parenthetical does (Bluebook R. 1.5, 5.2, 10.6)."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A mention of a case in an opinion, with everything that hangs on it."""

    opinion_id: str
    """The citing opinion; for plain text files the file's stem."""
    start: int
    end: int
    """Span of the citation's core: "410 U.S. 113", "410 U.S., at 120", "Id.", "supra"."""
    cite: str
    """The core as written, white space collapsed."""
    form: str
    """`full`, `short`, `id`, `supra` or `reference`."""
    resolved_cite: str | None
    """The normalised full cite that this mention stands for; None when it cannot be told."""
    cited_case_id: str | None
    """The case in the corpus, if it is there and the cite names only one."""
    name: str
    """Case name as written before the cite, "" when none."""
    pin_cite: str | None
    """As written: "482-83", "120 & n.5"."""
    pin_pages: list[int]
    """All pages that the pin names, as numbers, ascending; [] when there is none or none is numeric."""
    pin_notes: list[str]
    """Note labels of the pin: "120 & n.5" gives ["5"]."""
    signal: str | None
    """Introductory signal in lower case: "see", "but see", "cf.", "contra", "accord", "see, e.g.," is "see, e.g."."""
    parentheticals: list[Parenthetical]
    parallel: list[str]
    """Normalised cites of the same case in the same breath, without this one."""
    history: str | None
    """Case-history flag right before or after the citation ("aff'd", "cert. denied"), else None."""
    group: int
    """Number of the parallel group in the opinion: mentions that name one case at one place share it."""
    full_start: int
    full_end: int
    """Span of the whole citation as a reader sees it: signal and party names to the last parenthetical."""
    signal_inherited: bool = False
    """Whether the signal stands before an earlier member of the same string citation (Bluebook R. 1.4)."""
