"""What a request asks for, read from its query string and checked, with what `/openapi.json` says about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Query, Request
from pydantic import WithJsonSchema

from lawng.errors import InputError
from lawng.schema import Filters, Span
from lawng.search.filters import check_filters
from lawng.text.phrases import cleaned
from lawng.web.http_errors import MOST_VALUES, BadRequestError
from lawng.web.index_service import service_of

DEFAULT_HITS = 10
_DASHED = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_OFF = ("", "0")
NO_ARGUMENT = "There is no argument: type a sentence that a court could agree or disagree with."


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search as asked for."""

    argument: str
    filters: Filters
    k: int = DEFAULT_HITS
    explain: bool = False
    """Whether to show each score; the search is the same."""
    good_law: bool = False
    """Whether cases that were overruled or reversed are left out."""

    def pairs(self) -> list[tuple[str, str]]:
        """The query string's pairs, in a fixed order; defaults are left out."""
        of = self.filters
        found = [("q", self.argument)]
        found += [("jurisdiction", value) for value in of.jurisdictions]
        found += [("court", value) for value in of.courts]
        found += [(name, value) for name, value in (("after", of.after), ("before", of.before)) if value]
        found += [("part", value) for value in of.parts]
        found += [("good_law", "1")] if self.good_law else []
        found += [("k", str(self.k))] if self.k != DEFAULT_HITS else []
        return found + ([("explain", "1")] if self.explain else [])

    def unfiltered(self) -> SearchRequest:
        """The same argument without filters."""
        return replace(self, filters=Filters())

    def explained(self, explain: bool) -> SearchRequest:
        """The same search with scores shown or not."""
        return replace(self, explain=explain)


def read_argument(text: str, longest: int) -> str:
    """The argument, ends of lines made alike and outer white space off.

    Raises BadRequestError when it has no letter or digit of any script (422), or more than `longest` characters (413).
    """
    argument = cleaned(text)
    if not any(character.isalnum() for character in argument):
        raise BadRequestError(NO_ARGUMENT)
    if len(argument) > longest:
        raise BadRequestError(
            f"The argument has {len(argument):,} characters, and {longest:,} is the limit: shorten it.", 413
        )
    return argument


def read_filters(
    jurisdictions: Iterable[str], courts: Iterable[str], after: str, before: str, parts: Iterable[str]
) -> Filters:
    """The filters, doubles and blanks left out.

    Raises BadRequestError when one of them can match nothing by its form, or when there are too many.
    """
    given = (jurisdictions, courts, parts)
    of_case, of_court, of_part = (tuple(dict.fromkeys(value for value in values if value)) for values in given)
    if len(of_case) + len(of_court) + len(of_part) > MOST_VALUES:
        raise BadRequestError(f"There are more than {MOST_VALUES} filters: choose fewer.")
    try:
        return check_filters(Filters(of_case, of_court, after.strip(), before.strip(), of_part))
    except InputError as error:
        raise BadRequestError(f"{str(error)[:300]}.") from None


def as_typed(request: Request, longest: int) -> SearchRequest:
    """What stood in the form of a request that was refused, to be mended."""
    given = request.query_params
    of_case, of_court, of_part = (
        tuple(dict.fromkeys(filter(None, given.getlist(name)[: MOST_VALUES // 3])))
        for name in ("jurisdiction", "court", "part")
    )
    filters = Filters(of_case, of_court, given.get("after", "")[:10], given.get("before", "")[:10], of_part)
    good_law = given.get("good_law", "") not in _OFF
    return SearchRequest(given.get("q", "")[:longest], filters, good_law=good_law)


def read_span(given: str) -> Span | None:
    """A span as `START-END`; anything else is none, since a shared address may have been cut.

    >>> read_span("20-90"), read_span("90-20"), read_span("x")
    (Span(start=20, end=90), None, None)
    """
    match = _DASHED.fullmatch(given)
    span = Span(int(match[1]), int(match[2])) if match else None
    return span if span and span.start < span.end else None


def only_known(request: Request) -> None:
    """Refuse a parameter that `/openapi.json` does not have: a misspelt one would filter nothing."""
    described = request.app.openapi()["paths"][request.scope["route"].path_format]["get"].get("parameters", ())
    known = [one["name"] for one in described if one["in"] == "query"]
    unknown = [name[:50] for name in request.query_params if name not in known]
    if unknown:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise BadRequestError(f"There is no parameter “{'”, “'.join(unknown)}” here: {has}.")


def search_request(  # noqa: PLR0913, PLR0917 (one parameter for each of the query string)
    request: Request,
    q: Annotated[
        str,
        Query(
            description="The argument: a sentence or several. A phrase in quotation marks must occur; a citation or a "
            "case name finds that case first.",
            examples=["A landlord may not keep a deposit without an itemised list of damage."],
        ),
    ],
    jurisdiction: Annotated[
        list[str] | None, Query(description="`us` for federal courts, or a state's slug; repeatable.")
    ] = None,
    court: Annotated[
        list[str] | None, Query(description="Names of courts as `/api/index` lists them; repeatable.")
    ] = None,
    after: Annotated[
        str, Query(description="Year, month or day: decided then or later.", examples=["1973-01-22"])
    ] = "",
    before: Annotated[str, Query(description="Year, month or day: decided then or earlier.", examples=["1999"])] = "",
    part: Annotated[
        list[str] | None, Query(description="Kinds of opinion, such as `majority` or `dissent`; repeatable.")
    ] = None,
    k: Annotated[
        str | int,
        # read as text, so that what is no number is refused in our words; to others it is one
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 50}),
        Query(
            description="Cases of all lists together, 1 to 50; those that the argument names come beside.",
            examples=[10],
        ),
    ] = DEFAULT_HITS,
    explain: Annotated[str, Query(description="`1` shows each score on the page; in JSON they are always there.")] = "",
    good_law: Annotated[
        str,
        Query(description="`1` leaves out cases that were overruled or reversed, wholly or in part, and counts them."),
    ] = "",
) -> SearchRequest:
    """What a query string asks for. Raises BadRequestError in one line for what cannot be asked."""
    settings = service_of(request).settings
    filters = read_filters(jurisdiction or (), court or (), after, before, part or ())
    argument = read_argument(q, settings.longest_argument)
    number = read_number(str(k), settings.most_hits)
    return SearchRequest(argument, filters, number, explain not in _OFF, good_law not in _OFF)


def read_number(given: str, most: int) -> int:
    """How many are asked for. Raises BadRequestError for what is no number from 1 to the most."""
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 5 else 0
    if not 1 <= number <= most:
        raise BadRequestError(f"k is “{given[:20]}”: write a number from 1 to {most}.")
    return number
