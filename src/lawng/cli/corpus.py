"""Commands of the corpus group."""

from __future__ import annotations

import typer

app = typer.Typer(help="Import, fetch and inspect corpora of opinions.", no_args_is_help=True)


@app.callback()
def _corpus() -> None:
    pass
