"""Training of the models of a search, from files: `lawng.train_retriever` and `lawng.train_reranker`.

What is heavy is imported when a function is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lawng.datasets.ranking import read_queries
from lawng.extras import explained


@explained()
def train_retriever(  # noqa: PLR0913 (where it goes, and what it is trained on)
    output: str | Path,
    builds: Sequence[str | Path] = (),
    corpora: Sequence[str | Path] = (),
    excerpts: Sequence[str | Path] = (),
    training_sets: Sequence[str | Path] = (),
    *,
    report: Callable[[str], None] = lambda _: None,
    **options: Any,
) -> Path:
    """Train a bi-encoder for the passages of opinions; gives its folder, for `build_index`. A killed run goes on.

    It learns from what judges wrote of a case and the pages that they cite (builds, with their corpora), from arguments
    that readers wrote (excerpts, with their corpora), and from the paper's adjusted training set (footnote 11: folders
    of `retrieval_training_set`). `options` are fields of `RetrieverOptions`. Raises ConfigError for an option that
    cannot be, InputError when there is nothing to train on or something else stands at the place.
    """
    from lawng.models.training.options import RetrieverOptions
    from lawng.models.training.retriever import TRAINED_WORDS, fit_retriever

    queries = read_queries(builds, corpora, excerpts, training_sets, TRAINED_WORDS, report)
    return fit_retriever(Path(output), queries, RetrieverOptions(**options), report)


@explained()
def train_reranker(  # noqa: PLR0913 (where it goes, and what it is trained on)
    output: str | Path,
    builds: Sequence[str | Path] = (),
    corpora: Sequence[str | Path] = (),
    excerpts: Sequence[str | Path] = (),
    training_sets: Sequence[str | Path] = (),
    *,
    updates: int = 600,
    lr: float = 1e-4,
    seed: int = 0,
    report: Callable[[str], None] = lambda _: None,
    **options: Any,
) -> Path:
    """Train a re-ranker, which says of sentences whether they decide an argument; gives its folder, for `open_index`.

    A killed run goes on. It learns from what `train_retriever` does, a sentence at a time. `options` are fields of
    `RelevanceOptions`, whose loss is `listwise` here. Raises as `train_retriever` does.
    """
    from lawng.models.training.options import RelevanceOptions, Run
    from lawng.models.training.ranking import LIST_OPTIONS, fit_reranker

    queries = read_queries(builds, corpora, excerpts, training_sets, 0, report)
    return fit_reranker(
        Path(output), queries, RelevanceOptions(**LIST_OPTIONS | options), Run(lr, (updates,), seed), report
    )
