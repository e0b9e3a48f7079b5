"""What the readers are handed and what they hand on: units of work, and parts of cases before they are opinions."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawng.corpus.body import Body, RawMark
from lawng.engine import Seen
from lawng.limits import OverLimitError
from lawng.records import Case, Opinion, Reject

Item = Case | Opinion | Reject | Seen
"""What reading a unit yields; a case comes directly before its opinions."""

CASES, OPINIONS, FILES = "cases", "opinions", "files"
"""What is counted: each of these that comes in goes out as a record or is rejected under this name."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of the sources that one worker reads: a file, or some of the files of a folder."""

    format: str
    source: str
    """The source as given, absolute."""
    members: tuple[str, ...] = ()
    """Paths below the source; () is all of it."""

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return f"{self.source}/{self.members[0]}" if self.members else self.source


@dataclass(slots=True)
class Part:
    """One opinion of a case as the source has it."""

    type: str
    """One of `lawng.records.OPINION_TYPES`."""
    author: str
    body: Body
    field: str
    id: str
    """The source's name for it, for rejects."""


@dataclass(slots=True)
class Source:
    """What a reader knows of a case's pages beside its opinions."""

    head_marks: list[RawMark] = field(default_factory=list)
    """Page marks before the first opinion."""
    continuous: bool = False
    """Whether head matter and opinions are all of the case in printed order, so that pages carry over."""
    first_page: int | None = None
    last_page: int | None = None


def note(what: str, n: int = 1) -> Seen:
    """A thing worth counting that drops nothing."""
    return Seen(n, f"note:{what}")


def broken_off(name: str, error: Exception, said: str = "") -> Reject:
    """A file of which no more can be read, because it is damaged or over a limit; it was counted when it was opened."""
    if isinstance(error, OverLimitError):
        return reject(FILES, name, error.reason, f"{said}{error}")[1]
    return reject(FILES, name, "file-breaks-off", f"{said}{error}; fetch the file again")[1]


def reject(kind: str, ident: str, reason: str, detail: str = "", place: str | None = None) -> tuple[Seen, Reject]:
    """One case, opinion or file that came in and went no further; its id is its place where no other is given."""
    said = " ".join(detail.split())[:300]
    return Seen(1, kind), Reject(kind, ident, reason, said, ident if place is None else place)
