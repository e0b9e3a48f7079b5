"""The command line: thin files, one per group of commands; all work is in the library."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from lawng import __version__
from lawng.cli import (
    annotate,
    build,
    citations,
    contracts,
    corpus,
    dataset,
    graph,
    index,
    relations,
    search,
    serve,
    study,
    train,
    treatment,
)
from lawng.cli.talk import complain, of_system
from lawng.errors import LawngError
from lawng.extras import explained


class _Commands(TyperGroup):
    """The commands, of which one may have a name of two words: `lawng build booqa` beside `lawng build CORPUS`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name = " ".join(args[:2])
        if name in self.commands:
            return name, self.commands[name], args[2:]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    name="lawng",
    help="Case law into inference: corpora, citations and LawngNLI data sets.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
for command in (
    *(citations.citations, treatment.treatment, relations.relations, build.build, build.config),
    *(dataset.stats, dataset.funnel, dataset.show, dataset.rejects, dataset.export, dataset.rebuild),
    *(index.index, search.search, contracts.clauses, serve.serve),
):
    app.command()(command)
app.command("build booqa")(build.booqa)
app.add_typer(annotate.app, name="annotate")
app.add_typer(corpus.app, name="corpus")
app.add_typer(graph.app, name="graph")
app.add_typer(study.app, name="study")
app.add_typer(train.trains, name="train")
app.add_typer(train.evaluates, name="evaluate")


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    if version:
        typer.echo(f"lawng {__version__}")
        raise typer.Exit


_USAGE: Any = typer.BadParameter.__bases__[0]
"""What Typer raises for wrong usage; it brings the parser that it has this from along with it."""


def main() -> None:
    """Run the command line; wrong usage and known errors become one line on standard error and exit status 2.

    Ctrl-C ends it with exit status 130, a request to end (SIGTERM) with 143; work that is done is gone on with when the
    command is run again.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    try:
        with explained():
            sys.exit(app(prog_name="lawng", standalone_mode=False))
    except _USAGE as error:
        if error.format_message():  # without any argument the help is shown, and nothing is said
            complain(_usage(error))
        sys.exit(2)
    except LawngError as error:
        _end(str(error), error)
    except OSError as error:
        _end(of_system(error), error)


def _usage(error: Any) -> str:
    """For which command its line is wrong, what is wrong, and where its options are told."""
    command = error.ctx.command_path if error.ctx else "lawng"
    where = command.partition(" ")[2]
    said = error.format_message().replace("Value error, ", "").rstrip(".")
    return f"{where}{': ' if where else ''}{said}; see {command} --help"


def _end(line: str, error: Exception) -> NoReturn:
    complain("; ".join((line, *getattr(error, "__notes__", ()))))
    sys.exit(2)


def _stop(number: int, _: object) -> None:
    # at once: Daft can swallow the interrupt or abort on it
    if made := sys.modules.get("lawng.io.atomic_io"):
        made.clear_all_away()
    os.write(2, b"lawng: stopped; run the same command again to go on\n")
    os._exit(128 + number)
