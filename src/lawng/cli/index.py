"""`lawng index`: a corpus into an index, or one more corpus into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lawng.cli.options import CORPUS
from lawng.cli.talk import say
from lawng.io.progress import progress_bar

if TYPE_CHECKING:
    from lawng.index.writer import IndexResult


def index(
    corpus: CORPUS,
    output: Annotated[str, typer.Option("-o", "--output", help="The index: a folder, or s3://, gs:// or az://.")],
    add: Annotated[bool, typer.Option("--add", help="Add the corpus to an index that is there.")] = False,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="A sentence-transformers model: Hub name or folder. Default: the index's own; lawng-finder for a new."
        ),
    ] = None,
) -> None:
    """Index a corpus for search: passages with their vectors and words, cases, and what later courts say of them.

    A run that was killed goes on where it was when the same command is run again. Cases that are in the index already
    are skipped. Whoever searches meanwhile sees the last complete version.

    Example: lawng index corpus -o index
    """
    from lawng.index.writer import index_corpus
    from lawng.models.onnx.encoder import search_embedder

    result = index_corpus(corpus, output, encoder, add=add, watch=progress_bar)
    search_embedder(result.commit.encoder_source)  # what the first search would have to make
    report(result)


def report(result: IndexResult) -> None:
    """Say what a run did, and what to run next."""
    now = result.commit
    done = f"added {result.n_added:,} cases" if result.n_added else "no case was new"
    say(
        f"{result.place}: {done}; it has {now.n_cases:,} cases, {now.n_opinions:,} opinions, "
        f"{now.n_passages:,} passages, {now.n_descriptions:,} descriptions and citing sentences by later courts"
    )
    if result.n_skipped:
        say(f"  {result.n_skipped:,} cases were there already")
    if now.n_shortened:
        say(f"  {now.n_shortened:,} texts are longer than the encoder reads: their vectors are of the beginning")
    if now.n_undescribed:
        say(f"  {now.n_undescribed:,} explanatory parentheticals stand on a citation that names no known reporter page")
    if result.n_texts:
        seconds, encode = result.seconds["total"], result.seconds["encode"]
        say(f"  {result.n_texts:,} texts in {seconds:,.0f} s, {encode / seconds:.0%} of the time in {now.encoder}")
    say(f'Next: lawng search {result.place} "an argument"; lawng serve {result.place}')
