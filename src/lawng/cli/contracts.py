"""`lawng clauses`: a query in, clauses of contracts out."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from lawng.cli.clauses import is_own, print_clauses
from lawng.cli.talk import text_of
from lawng.errors import InputError


def clauses(  # noqa: PLR0913, PLR0917 (the options of a command)
    place: Annotated[
        str, Argument(metavar="FOLDER|FILE", help="Contracts (text, DOCX, PDF) or lists of clauses (JSONL).")
    ],
    query: Annotated[
        str,
        Argument(help="What clause you look for, and what it must say, take out or not have. - reads standard input."),
    ],
    k: Annotated[int, Option("-k", "--clauses", min=1, max=1000, help="How many clauses.")] = 10,
    file: Annotated[
        list[str] | None, Option(help="Only contracts with these words in the file's name; may be repeated.")
    ] = None,
    heading: Annotated[
        list[str] | None, Option(help="Only clauses with these words in their headings; may be repeated.")
    ] = None,
    party: Annotated[
        list[str] | None, Option(help="Only contracts with these words in a party's name; may be repeated.")
    ] = None,
    after: Annotated[str, Option(help="Only contracts of this day (or year) or later.")] = "",
    before: Annotated[str, Option(help="Only contracts of this day (or year) or earlier.")] = "",
    add: Annotated[
        list[str] | None, Option(metavar="PLACE", help="Another file or folder, searched beside it; may be repeated.")
    ] = None,
    encoder: Annotated[
        str | None,
        Option(help="Encoder: a folder, a Hugging Face name, or none (words alone). Default: lawng-clause-finder."),
    ] = None,
    model: Annotated[
        str | None, Option(help="Folder of a clause model (`lawng train clauses`). Default: none.")
    ] = None,
    rerank: Annotated[
        str | None,
        Option(
            help="Re-ranker: a folder of `lawng train relevance`, a cross-encoder of Hugging Face, openai:MODEL, or "
            "none. Default: lawng-clause-reranker without --model."
        ),
    ] = None,
    depth: Annotated[
        int | None, Option(min=1, max=1000, help="How many of the best clauses are re-ranked. Default: 15.")
    ] = None,
    weight: Annotated[
        float | None,
        Option(
            min=0.01,
            max=1.0,
            help="The re-ranker's share of the new order. Default: 0.2 of lawng-clause-reranker, 0.4 of others.",
        ),
    ] = None,
    explain: Annotated[bool, Option("--explain", help="Show each score, and the time by step.")] = False,
    to: Annotated[Literal["table", "jsonl"], Option(help="Form of output.")] = "table",
) -> None:
    """Find clauses of contracts by a query, and show which of its parts each clause satisfies, and by which words.

    A contract is cut into its sections and subsections; each clause found comes with file, section number, headings and
    place. Words between double quotation marks must occur. Of a filter that is repeated one value is enough. What is
    prepared the first time is kept (~/.cache/lawng/clauses).

    Example: lawng clauses sample/contracts/files "liability cap with a carve-out for fraud" --after 2023
    """
    filters = {"files": file, "headings": heading, "parties": party, "after": after, "before": before}
    how = {"encoder": encoder, "model": model, "rerank": rerank, "depth": depth, "weight": weight}
    find([place, *(add or ())], query, k, filters, how, explain, to == "jsonl")


def find(  # noqa: PLR0913, PLR0917 (the options of a command)
    places: Sequence[str],
    query: str,
    k: int,
    filters: Mapping[str, Any],
    how: Mapping[str, Any],
    explain: bool,
    jsonl: bool,
) -> None:
    """Search contracts and print what is found; what is wrong with the query is said before anything is loaded."""
    from lawng.clauses.filters import ClauseFilters, check_dates
    from lawng.clauses.search import ClauseSearcher, read_query

    given = text_of(sys.stdin.buffer.read(), "standard input") if query == "-" else query
    read_query(given)
    files, headings, parties = (tuple(filters.get(name) or ()) for name in ("files", "headings", "parties"))
    asked = ClauseFilters(files, headings, parties, filters.get("after", ""), filters.get("before", ""))
    check_dates(asked)
    for place in places:
        if "://" in place or is_own(Path(place)):
            raise InputError(f"{place}: has no contracts but an index, a corpus or a build; lawng search asks an index")
    ready = ClauseSearcher.open(places[0], add=places[1:], **how)
    print_clauses(ready.search(given, k, asked), explain, jsonl)
