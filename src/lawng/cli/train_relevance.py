"""lawng train relevance: a cross-encoder that ranks clauses again, from graded ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lawng.cli.talk import say
from lawng.models.find import OFFLINE

if TYPE_CHECKING:
    from lawng.studies.acord.fine_tune.choice import Tuned


EXPAND = Annotated[
    int, typer.Option("--expand", help="Add to a query so many words of what the glossary takes it to mean.")
]
TAGS = Annotated[
    bool, typer.Option("--tags/--no-tags", help="Put what the glossary finds in a clause before it, in words.")
]
HARD_ZEROS = Annotated[
    float, typer.Option("--hard-zeros", help="Share of the irrelevant clauses drawn among BM25's best.")
]
SILVER = Annotated[int, typer.Option("--silver", help="Learn also from so many queries made of the glossary.")]


def register(root: typer.Typer) -> None:
    """Add the command to its group."""
    from lawng.cli.train import trains

    trains.command("relevance")(train_relevance)


def train_relevance(  # noqa: PLR0913, PLR0917 (one parameter per option)
    data: Annotated[
        Path, typer.Option("--data", help="ACORD, or data in its layout: a folder or a ZIP file.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The model's folder.", show_default=False)],
    base: Annotated[str, typer.Option("--base", help="Encoder or cross-encoder to begin with.")] = OFFLINE,
    lr: Annotated[
        list[float] | None, typer.Option("--lr", help="Learning rate; again for each. Default: the paper's five.")
    ] = None,
    updates: Annotated[
        list[int] | None, typer.Option("--updates", help="Number of updates; again for each. Default: the paper's ten.")
    ] = None,
    runs: Annotated[int, typer.Option("--runs", help="Runs of each learning rate, with seeds of their own.")] = 3,
    form: Annotated[
        list[str] | None,
        typer.Option("--form", help="short, medium or long queries; again for each. Validation asks the first."),
    ] = None,
    loss: Annotated[str, typer.Option("--loss", help="soft (the paper's), listwise or margin.")] = "soft",
    targets: Annotated[str, typer.Option("--targets", help="grades (the paper's), or fine: mean stars.")] = "grades",
    batch: Annotated[int, typer.Option("--batch", help="Pairs per update.")] = 64,
    max_length: Annotated[int, typer.Option("--max-length", help="Tokens of query and clause together.")] = 256,
    focus: Annotated[
        int | None, typer.Option("--focus", help="Read so many words of a clause: those that answer the query best.")
    ] = None,
    expand: EXPAND = 0,
    tags: TAGS = False,
    silver: SILVER = 0,
    hard_zeros: HARD_ZEROS = 0.5,
    freeze_words: Annotated[
        bool, typer.Option("--freeze-words/--train-words", help="Leave the word embeddings as they are.")
    ] = False,
    freeze_layers: Annotated[int, typer.Option("--freeze-layers", help="Leave so many of the lowest layers.")] = 0,
    dropout: Annotated[
        float | None, typer.Option("--dropout", help="Default: the base's own. 0 takes a third less time on a CPU.")
    ] = None,
    depth: Annotated[int, typer.Option("--depth", help="BM25's best clauses that validation ranks again.")] = 100,
    int8: Annotated[bool, typer.Option("--int8/--no-int8", help="Write an int8 model for the CPU too.")] = True,
    seed: Annotated[int, typer.Option("--seed", help="Of the first run; the others have the next ones.")] = 0,
) -> None:
    """Train a re-ranker of clauses: a cross-encoder, chosen from a grid by NDCG@10 of the validation queries.

    The whole grid takes days on two cores; a smaller one is named by --lr, --updates and --runs. A killed run goes on
    when the same command is run again.

    Example: lawng train relevance --data ../shared/data/acord -o tuned --lr 1e-4 --updates 200 --updates 400 --runs 1
    """
    from lawng.models.train.relevance_options import RelevanceOptions
    from lawng.studies.acord.fine_tune.choice import fine_tune
    from lawng.studies.acord.fine_tune.grid import RATES, UPDATES, TuneSettings

    options = RelevanceOptions(
        base, loss, batch, micro=min(batch, 16), max_length=max_length, hard_zeros=hard_zeros,
        freeze_words=freeze_words, freeze_layers=freeze_layers, dropout=dropout,
    )  # fmt: skip
    grid = (tuple(lr or RATES), tuple(updates or UPDATES), runs)
    settings = TuneSettings(
        *grid, tuple(form or ("short",)), targets, focus, expand, tags, silver, depth, seed, int8, options
    )
    done = fine_tune(data, output, settings, say)
    _say_done(done, data)


def _say_done(done: Tuned, data: Path) -> None:
    choice = done.choice
    say(f"Chosen: learning rate {choice.lr:g}, {choice.updates:,} updates, validation NDCG@10 {choice.mean:.4f}.")
    say(f"The relevance model is in {done.folder}, the whole grid in {done.folder / 'grid.csv'}.")
    say(f"Next: lawng study acord --data {data} --rerank {done.folder}")
