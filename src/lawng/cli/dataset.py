"""Commands that look into a finished build, and those that carry it without its text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from lawng.cli.options import BUILD, OUTPUT
from lawng.cli.talk import SafeConsole, emit_json, say
from lawng.errors import ConfigError
from lawng.text.printable import json_text, printable

if TYPE_CHECKING:
    from lawng.reports.builds import Build
    from lawng.reports.grid import Grid
    from lawng.reports.trace import Way


def stats(
    build: BUILD,
    to: Annotated[str, typer.Option(help="table, text, json, markdown or latex.")] = "table",
    output: OUTPUT = None,
) -> None:
    """Statistics of a build beside the paper's Table 2, and baselines that do not read the premise.

    Example: lawng stats build --to latex -o table2.tex
    """
    from lawng.io import read_json
    from lawng.reports.card import baselines_grid
    from lawng.reports.statistics import from_json, sizes, sources, table_2

    _check(to, "table", "text", "json", "markdown", "latex")
    stored = read_json(_open(build).folder / "statistics.json")
    statistics = from_json(stored)
    grids = [sizes(statistics), *sources(statistics), table_2(statistics), baselines_grid(statistics)]
    _emit(_json(stored) if to == "json" else None, grids, to, output)


def funnel(
    build: BUILD,
    to: Annotated[str, typer.Option(help="table, text, json, markdown, latex or svg.")] = "table",
    output: OUTPUT = None,
) -> None:
    """What went into every stage, what came out, and why the rest was dropped; checked to add up.

    Example: lawng funnel build --to svg -o funnel.svg
    """
    from lawng.reports.funnel import funnel_grid, funnel_json, funnel_svg, read_funnel

    _check(to, "table", "text", "json", "markdown", "latex", "svg")
    steps = read_funnel(_open(build))
    made = {"json": lambda: _json(funnel_json(steps)), "svg": lambda: funnel_svg(steps)}
    _emit(made[to]() if to in made else None, [funnel_grid(steps)], to, output)


def show(  # noqa: PLR0913, PLR0917 (one parameter per option)
    build: BUILD,
    record: Annotated[str | None, typer.Argument(metavar="[ID]", help="Id of an example, candidate or reject.")] = None,
    corpus: Annotated[Path | None, typer.Option(help="Its corpus, to read the opinions.")] = None,
    random: Annotated[int | None, typer.Option(min=1, help="Instead of an id: so many examples.")] = None,
    label: Annotated[str | None, typer.Option(help="With --random: only of this label.")] = None,
    seed: Annotated[int, typer.Option(help="With --random: which ones.")] = 0,
    to: Annotated[str, typer.Option(help="panels, json or ids.")] = "panels",
    full: Annotated[bool, typer.Option("--full", help="Do not shorten texts.")] = False,
    output: OUTPUT = None,
) -> None:
    """A record's whole way: citing page, citation, cited pages, every filter and change, label, twin, split.

    Rejected ids work too: the stage that dropped it says why.

    Example: lawng show build --random 5 --label contradiction --seed 1 --corpus corpus
    """
    from lawng.reports.trace import sample_ids, trace

    _check(to, "panels", "json", "ids")
    source = _open(build)
    if (record is None) == (random is None):
        raise ConfigError("show: give either an id or --random N, not both and not neither")
    ids = [record] if record else sample_ids(source, random or 0, label, seed)
    ways = [] if to == "ids" else [trace(source, one, corpus) for one in ids]
    if to == "panels":
        _print_ways(ways, full, output)
    else:
        lines = ids if to == "ids" else [json_text(asdict(way)) for way in ways]
        _write("".join(f"{line}\n" for line in lines), output)


def rejects(  # noqa: PLR0913, PLR0917 (one parameter per option)
    source: Annotated[str, typer.Argument(help="A corpus, an index or a build.")],
    reason: Annotated[str | None, typer.Option(help="Only this reason.")] = None,
    stage: Annotated[str | None, typer.Option(help="Only this stage, or step of a stage.")] = None,
    file: Annotated[str | None, typer.Option(help="Only this file of a corpus's sources.")] = None,
    to: Annotated[str, typer.Option(help="jsonl, or table for the counts.")] = "jsonl",
    output: OUTPUT = None,
) -> None:
    """What was dropped and why, one JSON line each; or the counts by stage, step, file and reason, with examples.

    Of a corpus it is what its import dropped, with file and place; of an index, what was dropped of its corpora.

    Example: lawng rejects build --reason keyword | head
    """
    from lawng.reports.rejects import count_grid, iter_rejects, stages_of

    _check(to, "jsonl", "table")
    rows = iter_rejects(stages_of(source), reason, stage, file)
    if to == "table":
        _emit(None, [count_grid(rows)], to, output)
    else:
        with _target(output) as target:  # as they come: millions need no memory, and `head` may stop them
            target.writelines(f"{json_text(row)}\n" for row in rows)


def export(
    build: BUILD,
    output: Annotated[Path, typer.Option("-o", "--output", help="The release, JSON lines.")],
    ids: Annotated[bool, typer.Option("--ids", help="Ids and spans instead of texts.")] = False,
) -> None:
    """A release without text: ids, spans, labels, what was done to each text, and digests to check a rebuild.

    Example: lawng export build --ids -o lawngnli-ids.jsonl
    """
    from lawng.reports.release import export_ids

    if not ids:
        raise ConfigError("export: say --ids; the release with texts is the folder `data` of the build itself")
    done = export_ids(_open(build), output)
    share = done.written_out / max(1, done.characters)
    say(f"{done.n:,} examples in {output}; {share:.2%} of their characters are written out, the rest are spans")


def rebuild(
    ids: Annotated[Path, typer.Argument(help="A release made by `lawng export --ids`.")],
    corpus: Annotated[Path, typer.Argument(help="The corpus to take the texts from.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the data set.")],
) -> None:
    """The data set made again from a release of ids and a corpus, compared row by row with what was released.

    Rows that are the same go to data/; the others are listed in differences.jsonl. The counts go to standard output;
    the exit status is 1 when a row differs or is missing, as diff has it.

    Example: lawng rebuild lawngnli-ids.jsonl corpus -o rebuilt
    """
    from lawng.reports.release import STATUSES
    from lawng.reports.release import rebuild as rebuild_data

    done = rebuild_data(ids, corpus, output)
    emit_json({status: done.counts[status] for status in STATUSES})
    say(f"the rows that are the same are in {output / 'data'}; the others in {output / 'differences.jsonl'}")
    if any(done.counts[status] for status in STATUSES[1:]):
        raise typer.Exit(1)


def _open(build: Path) -> Build:
    from lawng.reports.builds import open_build

    return open_build(build)


def _check(to: str, *known: str) -> None:
    if to not in known:
        raise ConfigError(f"--to {to}: not a form that this command has; it has {', '.join(known)}")


def _json(value: Any) -> str:
    return json_text(value, indent=2) + "\n"


def _emit(made: str | None, grids: list[Grid], to: str, output: Path | None) -> None:
    """Write what is made already, or tables in the form asked for: Rich on a terminal, plain text elsewhere."""
    from lawng.reports.grid import RENDERERS, rich_table

    if made is None and to == "table" and output is None and SafeConsole().is_terminal:
        for grid in grids:
            SafeConsole().print(rich_table(grid))
        return
    render = RENDERERS.get(to, RENDERERS["text"])
    _write(made if made is not None else "\n\n".join(map(render, grids)) + "\n", output)


def _write(text: str, output: Path | None) -> None:
    with _target(output) as file:
        file.write(printable(text) if output is None else text)


def _print_ways(ways: list[Way], full: bool, output: Path | None) -> None:
    from lawng.reports.trace_view import way_panels

    with _target(output) as file:
        console = SafeConsole(file=file, width=output and 110)
        for way in ways:
            console.print(*way_panels(way, full), sep="\n")


@contextmanager
def _target(output: Path | None) -> Iterator[IO[str]]:
    """Standard output, or a file that is there once it is whole, which is then said."""
    from lawng.io import atomic_file

    if output is None:
        yield sys.stdout
        return
    with atomic_file(output) as file:
        yield file
    say(f"wrote {output}")
