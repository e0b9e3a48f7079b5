"""What a request asks for, read from its query string and checked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lawng.errors import InputError
from lawng.records import Filters, Span
from lawng.search.filters import check_filters
from lawng.web.refusals import UnfitError

DEFAULT_HITS = 10
_DASHED = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_MOST_VALUES = 200
NO_ARGUMENT = "There is no argument: type a sentence that a court could agree or disagree with."


@dataclass(frozen=True, slots=True)
class Asked:
    """One search as asked for."""

    argument: str
    filters: Filters
    k: int = DEFAULT_HITS
    explain: bool = False
    """Whether to show each score; the search is the same."""

    def pairs(self) -> list[tuple[str, str]]:
        """The query string's pairs, in a fixed order; defaults are left out."""
        of = self.filters
        found = [("q", self.argument)]
        found += [("jurisdiction", value) for value in of.jurisdictions]
        found += [("court", value) for value in of.courts]
        found += [(name, value) for name, value in (("after", of.after), ("before", of.before)) if value]
        found += [("part", value) for value in of.parts]
        found += [("k", str(self.k))] if self.k != DEFAULT_HITS else []
        return found + ([("explain", "1")] if self.explain else [])

    def unfiltered(self) -> Asked:
        """The same argument without filters."""
        return replace(self, filters=Filters())

    def explained(self, explain: bool) -> Asked:
        """The same search with scores shown or not."""
        return replace(self, explain=explain)


def read_argument(text: str, longest: int) -> str:
    """The argument, ends of lines made alike and outer white space off.

    Raises UnfitError when it has no letter or digit of any script (422), or more than `longest` characters (413).
    """
    argument = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    if not any(character.isalnum() for character in argument):
        raise UnfitError(NO_ARGUMENT)
    if len(argument) > longest:
        raise UnfitError(
            f"The argument has {len(argument):,} characters, and {longest:,} is the limit: shorten it.", 413
        )
    return argument


def read_filters(
    jurisdictions: Iterable[str], courts: Iterable[str], after: str, before: str, parts: Iterable[str]
) -> Filters:
    """The filters, doubles and blanks left out.

    Raises UnfitError when one of them can match nothing by its form, or when there are too many.
    """
    given = (jurisdictions, courts, parts)
    of_case, of_court, of_part = (tuple(dict.fromkeys(value for value in values if value)) for values in given)
    if len(of_case) + len(of_court) + len(of_part) > _MOST_VALUES:
        raise UnfitError(f"There are more than {_MOST_VALUES} filters: choose fewer.")
    try:
        return check_filters(Filters(of_case, of_court, after.strip(), before.strip(), of_part))
    except InputError as error:
        raise UnfitError(f"{str(error)[:300]}.") from None


def read_span(given: str) -> Span | None:
    """A span as `START-END`; anything else is none, since a shared address may have been cut.

    >>> read_span("20-90"), read_span("90-20"), read_span("x")
    (Span(start=20, end=90), None, None)
    """
    match = _DASHED.fullmatch(given)
    span = Span(int(match[1]), int(match[2])) if match else None
    return span if span and span.start < span.end else None
