"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

ACORD = Annotated[Path, Option("--data", help="ACORD, or data in its layout: a folder or a ZIP file.")]
BUILD = Annotated[Path, Argument(help="A build made by `lawng build`.")]
CORPUS = Annotated[Path, Argument(help="A corpus made by `lawng corpus import`.")]
ENCODER = Annotated[str, Option(help="Bi-encoder, Hub name or folder.")]
INDEX = Annotated[str, Argument(help="An index made by `lawng index`.")]
OUTPUT = Annotated[Path | None, Option("-o", "--output", help="Write here instead of to standard output.")]
SEED = Annotated[int, Option(help="Seed of every random choice.")]
PATIENCE = Annotated[
    int | None,
    Option(min=0, help="End after so many epochs without a gain on dev pairs, keep the best; 0: never."),
]
MICRO = Annotated[int | None, Option(min=0, help="Pairs at a time; gradients of a batch add up. 0: all.")]
PROCESSES = Annotated[int | None, Option(min=1, help="That train together, a GPU each.")]
PRECISION = Annotated[str | None, Option(help="auto, fp32, fp16 or bf16.")]
CHECKPOINTING = Annotated[
    bool | None, Option("--checkpointing", help="Compute activations again to spare a GPU's memory.")
]
