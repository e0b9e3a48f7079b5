"""`lawng citations`: what opinions cite, and what they say of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table

from lawng.cli.talk import SafeConsole, complain, emit_json, refuse_input, say, text_of
from lawng.errors import InputError, LawngError
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
    from lawng.citation.extract import row_of
    from lawng.io import atomic_file

    failures: list[str] = []
    refuse_input(sources, output)
    found = _found(sources, failures)
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


def _found(sources: Iterable[str], failures: list[str]) -> Iterator[Citation]:
    for source in sources:
        try:
            yield from _of_source(source)
        except (LawngError, OSError) as error:
            failures.append(str(error) if isinstance(error, LawngError) else f"{source}: {error.strerror}")


def _of_source(source: str) -> Iterable[Citation]:
    from lawng.citation.extract import citations_of

    if source == "-":
        return citations_of(text_of(sys.stdin.buffer.read(), "standard input"), "-")
    path = Path(source)
    if path.is_dir():
        from lawng.corpus.reader import Corpus
        from lawng.lawngnli.citations import citations_of_corpus

        if not Corpus.is_at(path):
            raise InputError(f"{path}: a folder that is no corpus; name its text files one by one ({path}/*.txt)")
        return citations_of_corpus(path)
    return citations_of(text_of(path.read_bytes(), source), path.stem)


def _table(found: Iterable[Citation]) -> Table:
    table = Table("opinion", "at", "signal", "citation", "stands for", "pin", "parentheticals", show_lines=False)
    for c in found:
        said = "\n".join(f"[{p.kind}] {' '.join(p.text.split())}" for p in c.parentheticals)
        pages = ", ".join(map(str, c.pin_pages)) or (c.pin_cite or "")
        table.add_row(c.opinion_id, str(c.start), c.signal or "", c.cite, c.resolved_cite or "?", pages, said)
    return table
