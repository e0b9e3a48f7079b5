"""The query string of a search, with what `/openapi.json` says about it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from pydantic import WithJsonSchema

from lawng.web.asked import DEFAULT_HITS, Asked, read_argument, read_filters
from lawng.web.holdings import Library
from lawng.web.refusals import UnfitError

_EXAMPLE = "A landlord may not keep a deposit without an itemised list of damage."

Argument = Annotated[
    str,
    Query(
        description="The argument: a sentence or several. A phrase in quotation marks must occur; a citation or a case "
        "name finds that case first.",
        examples=[_EXAMPLE],
    ),
]
Jurisdictions = Annotated[
    list[str] | None, Query(description="`us` for federal courts, or a state's slug; repeatable.")
]
Courts = Annotated[list[str] | None, Query(description="Names of courts as `/api/index` lists them; repeatable.")]
After = Annotated[str, Query(description="Year, month or day: decided then or later.", examples=["1973-01-22"])]
Before = Annotated[str, Query(description="Year, month or day: decided then or earlier.", examples=["1999"])]
Parts = Annotated[list[str] | None, Query(description="Kinds of opinion, such as `majority` or `dissent`; repeatable.")]
Number = Annotated[
    str | int,
    # read as text, so that what is no number is refused in our words; to others it is one
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 50}),
    Query(alias="k", description="Cases in each list, 1 to 50.", examples=[10]),
]
Explain = Annotated[str, Query(description="`1` shows each score on the page; in JSON they are always there.")]


def library_of(request: Request) -> Library:
    """The library that the application was made with."""
    library: Library = request.app.state.holdings
    return library


def only_known(request: Request) -> None:
    """Refuse a parameter that `/openapi.json` does not have: a misspelt filter would filter nothing. UnfitError."""
    described = request.app.openapi()["paths"][request.scope["route"].path_format]["get"].get("parameters", ())
    known = [one["name"] for one in described if one["in"] == "query"]
    unknown = [name[:50] for name in request.query_params if name not in known]
    if unknown:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise UnfitError(f"There is no parameter “{'”, “'.join(unknown)}” here: {has}.")


def asked(  # noqa: PLR0913, PLR0917 (one parameter for each of the query string)
    request: Request,
    q: Argument,
    jurisdiction: Jurisdictions = None,
    court: Courts = None,
    after: After = "",
    before: Before = "",
    part: Parts = None,
    k: Number = DEFAULT_HITS,
    explain: Explain = "",
) -> Asked:
    """What a query string asks for. Raises UnfitError in one line for what cannot be asked."""
    settings = library_of(request).settings
    filters = read_filters(jurisdiction or (), court or (), after, before, part or ())
    argument = read_argument(q, settings.longest_argument)
    return Asked(argument, filters, _number(str(k), settings.most_hits), explain not in ("", "0"))


def _number(given: str, most: int) -> int:
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 5 else 0
    if not 1 <= number <= most:
        raise UnfitError(f"k is “{given[:20]}”: write a number from 1 to {most}.")
    return number
