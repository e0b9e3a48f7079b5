"""`lawng citations`: what opinions cite, and what they say of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table

from lawng.cli.talk import SafeConsole, complain, emit_json, read_sources, refuse_input, say
from lawng.schema import Citation


def citations(
    sources: Annotated[list[str], typer.Argument(help="Plain text files (- for standard input), or a corpus folder.")],
    to: Annotated[Literal["jsonl", "table"], typer.Option(help="Form of output.")] = "jsonl",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
) -> None:
    """Find case citations with pins, signals and all their parentheticals.

    Offsets are into each file's text as given. A file that cannot be read is named on standard error; the rest goes on.

    Example: lawng citations opinion1.txt opinion2.txt --to table
    """
    from lawng.citation.extract import citations_of, row_of
    from lawng.io import atomic_file

    failures: list[str] = []
    refuse_input(sources, output)
    found = read_sources(sources, citations_of, _of_corpus, failures)
    with atomic_file(output) if output else nullcontext(sys.stdout) as target:
        if to == "table":
            SafeConsole(file=target).print(_table(found))
        else:
            for citation in found:
                emit_json(row_of(citation), target)
        for failure in failures:
            complain(failure)
        if len(failures) == len(sources):
            raise typer.Exit(2)  # within: a file of nothing is not written
    if output:
        say(f"lawng: wrote {output}")
    if failures:
        raise typer.Exit(2)


def _of_corpus(folder: Path) -> Iterator[Citation]:
    from lawng.lawngnli.citations import citations_of_corpus

    return citations_of_corpus(folder)


def _table(found: Iterable[Citation]) -> Table:
    table = Table("opinion", "at", "signal", "citation", "stands for", "pin", "parentheticals", show_lines=False)
    for c in found:
        said = "\n".join(f"[{p.kind}] {' '.join(p.text.split())}" for p in c.parentheticals)
        pages = ", ".join(map(str, c.pin_pages)) or (c.pin_cite or "")
        table.add_row(c.opinion_id, str(c.start), c.signal or "", c.cite, c.resolved_cite or "?", pages, said)
    return table
