"""Options that several commands share, each described once."""

from __future__ import annotations

from typing import Annotated

import typer

INDEX = Annotated[str, typer.Argument(help="An index made by `lawng index`.", show_default=False)]
MODEL = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Stance model: a folder, a Hugging Face name, or none. Default: the one that `lawng train nli` made.",
        show_default=False,
    ),
]
