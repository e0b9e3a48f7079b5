"""What is asked of a folder of contracts, read from a query string and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query, Request
from pydantic import WithJsonSchema

from lawng.clauses.filters import EVERY, ClauseFilters, check_dates
from lawng.clauses.search import MAX_CHARACTERS, read_query
from lawng.errors import InputError
from lawng.text.phrases import cleaned
from lawng.web.http_errors import MOST_VALUES, BadRequestError
from lawng.web.search_request import read_number

DEFAULT_CLAUSES, MOST_CLAUSES = 10, 50
_LONGEST_FILTER = 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class ClauseRequest:
    """One search for clauses as asked for."""

    query: str
    filters: ClauseFilters = EVERY
    k: int = DEFAULT_CLAUSES

    def pairs(self) -> list[tuple[str, str]]:
        """The query string's pairs, in a fixed order; defaults are left out."""
        of = self.filters
        named = (("file", of.files), ("heading", of.headings), ("party", of.parties))
        found = [("q", self.query), *((name, value) for name, values in named for value in values)]
        found += [(name, value) for name, value in (("after", of.after), ("before", of.before)) if value]
        return found + ([("k", str(self.k))] if self.k != DEFAULT_CLAUSES else [])


def clause_request(  # noqa: PLR0913, PLR0917 (one parameter for each of the query string)
    q: Annotated[
        str,
        Query(
            description="What clause is looked for: some words or a description. Quoted phrases must occur.",
            examples=["cap on liability with a carve-out for fraud"],
        ),
    ] = "",
    file: Annotated[list[str] | None, Query(description="Words in the file's name; one of several is enough.")] = None,
    heading: Annotated[list[str] | None, Query(description="Words in the headings.")] = None,
    party: Annotated[list[str] | None, Query(description="Words in a party's name.")] = None,
    after: Annotated[str, Query(description="Year, month or day: contracts of then or later.")] = "",
    before: Annotated[str, Query(description="Year, month or day: contracts of then or earlier.")] = "",
    k: Annotated[
        str,
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_CLAUSES}),
        Query(description=f"How many clauses, 1 to {MOST_CLAUSES}.", examples=[DEFAULT_CLAUSES]),
    ] = str(DEFAULT_CLAUSES),
) -> ClauseRequest:
    """What a query string asks for. Raises BadRequestError in one line for what cannot be asked."""
    query = checked_query(q)
    if sum(len(values or ()) for values in (file, heading, party)) > MOST_VALUES:
        raise BadRequestError(f"There are more than {MOST_VALUES} filters: choose fewer.")
    filters = ClauseFilters(_values(file), _values(heading), _values(party), after.strip(), before.strip())
    try:
        check_dates(filters)
    except InputError as error:
        raise BadRequestError(sentence(error)) from None
    return ClauseRequest(query, filters, read_number(k, MOST_CLAUSES))


def checked_query(q: str) -> str:
    """A query on one line. Raises BadRequestError when it has no word (422), or more than 20,000 characters (413)."""
    try:
        return read_query(q)
    except InputError as error:
        raise BadRequestError(sentence(error), 413 if len(cleaned(q)) > MAX_CHARACTERS else 422) from None


def as_typed(request: Request) -> ClauseRequest:
    """What stood in the form of a request that was refused, to be mended."""
    given = request.query_params
    files, headings, parties = (
        _values(given.getlist(name)[: MOST_VALUES // 3]) for name in ("file", "heading", "party")
    )
    filters = ClauseFilters(files, headings, parties, given.get("after", "")[:10], given.get("before", "")[:10])
    return ClauseRequest(given.get("q", "")[:MAX_CHARACTERS], filters)


def sentence(error: Exception) -> str:
    """What is wrong, as a sentence.

    >>> sentence(InputError("the query is empty; say what clause you look for"))
    'The query is empty; say what clause you look for.'
    """
    said = str(error)[:500]
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."


def _values(given: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value.strip()[:_LONGEST_FILTER] for value in given or () if value.strip()))
