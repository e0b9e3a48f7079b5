"""A benchmark in ACORD's layout from an expert's own ratings, by ACORD's labelling process (section 3, appendix A).

benchmark_from_ratings(ratings, corpus, output) -> RatingsResult
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from lawng.engine.aside import aside, check_place
from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.studies.acord.ratings.corpus import read_corpus
from lawng.studies.acord.ratings.judge import RELEVANT, Judged, expanded, judge
from lawng.studies.acord.ratings.panel import is_filled, read_panel
from lawng.studies.acord.ratings.read import Key, Ratings, read_ratings
from lawng.studies.acord.ratings.result import Benchmark, RatingsResult, Settings, result_of
from lawng.studies.acord.ratings.split import check_shares, split_queries
from lawng.studies.acord.ratings.write import MARK, RECONCILED, TO_RECONCILE, write_benchmark

SHARES = (0.45, 0.05, 0.50)
"""Of the queries in train, valid and test (ACORD, section 3)."""


@explained()
def benchmark_from_ratings(  # noqa: PLR0913 (its inputs, and the choices that the result depends on)
    ratings: Path,
    corpus: Path | None,
    output: Path,
    seed: int = 7,
    shares: Sequence[float] = SHARES,
    *,
    reconciled: Sequence[Path] = (),
    min_raters: int = 3,
    expand: bool = True,
) -> RatingsResult:
    """Make a benchmark of the ratings (1-5 stars) of query-clause pairs; `output` appears whole or not at all.

    A pair whose raters differ by more than two stars or disagree on relevance (3-5 against 1-2 stars) is written to
    `to-reconcile.csv` and stays out until the panel's `reconciled` tables bring its ratings together. The score of a
    pair is the mean of its ratings, its grade the mean as whole stars less one. With `expand`, a clause of two stars or
    more becomes an explicit zero for the queries of categories in which it was not rated. A query without a clause of
    three stars is left out. The same ratings give the same bytes, whatever the order of their rows.

    Raises InputError when an input cannot be read, a category has no query left, or the folder holds something that
    would be lost; ConfigError when `shares` are not three numbers that add up to 1, or `min_raters` is below 1.
    """
    settings = Settings(seed, tuple(shares), min_raters, expand)
    _check_settings(settings)
    _check_output(output, ratings, corpus, reconciled)
    table = read_ratings(ratings, None if corpus is None else read_corpus(corpus))
    judged = judge(table.pairs, read_panel(reconciled), min_raters)
    kept = _queries_with_relevant(table, judged)
    _check_categories(ratings, table, judged, kept, min_raters)
    zeros = expanded(_categories(table), kept, judged.settled, _unsettled(table, judged)) if expand else []
    splits = split_queries({query: table.queries[query].category for query in kept}, seed, shares)
    made = Benchmark(table, judged, splits, zeros, settings)
    with aside(output) as folder:
        _clear(folder)
        write_benchmark(made, folder)
    return result_of(made, output)


def _check_settings(settings: Settings) -> None:
    check_shares(settings.shares)
    if settings.min_raters < 1:
        raise ConfigError(f"min-raters: {settings.min_raters} is less than 1; three is what ACORD has")


def _check_output(output: Path, ratings: Path, corpus: Path | None, reconciled: Sequence[Path]) -> None:
    """See to it that nothing is replaced that cannot be made again."""
    check_place(output, MARK, "benchmark made from ratings")
    for path in filter(None, (ratings, corpus)):
        if output.resolve() in (path.resolve(), *path.resolve().parents):
            raise InputError(f"{path}: lies in the folder that will be replaced; name another folder with -o")
    given = {path.resolve() for path in reconciled}
    for name in (TO_RECONCILE, RECONCILED):
        path = output / name
        if path.is_file() and path.resolve() not in given and is_filled(path):
            raise InputError(f"{path}: has the panel's stars and would be lost; give it with --reconciled, or move it")


def _categories(table: Ratings) -> dict[str, str]:
    return {query: row.category for query, row in table.queries.items()}


def _queries_with_relevant(table: Ratings, judged: Judged) -> list[str]:
    relevant = {row.pair.key.query for row in judged.settled if row.grade >= RELEVANT - 1}
    return [query for query in table.queries if query in relevant]


def _unsettled(table: Ratings, judged: Judged) -> set[Key]:
    """Pairs of which something was said, but nothing that counts."""
    said = {row.pair.key for row in judged.open} | {pair.key for pair in judged.few}
    said |= {Key(row.query, row.clause_id) for row in table.rejects}
    return said - {row.pair.key for row in judged.settled}


def _check_categories(ratings: Path, table: Ratings, judged: Judged, kept: Sequence[str], min_raters: int) -> None:
    """Raise InputError for a category without a query that has a relevant clause, or that a panel could give one."""
    if not table.n_read:
        raise InputError(f"{ratings}: has no ratings; add a row for each")
    category_of = _categories(table)
    alive = {category_of[query] for query in (*kept, *(row.pair.key.query for row in judged.open))}
    for category in sorted(set(category_of.values()) - alive):
        raise InputError(
            f'{ratings}: the category "{category}" has no query with a clause of three stars or more'
            f"{_because(category, category_of, table, judged, min_raters)}; rate more clauses, or leave it out"
        )


def _because(category: str, category_of: Mapping[str, str], table: Ratings, judged: Judged, min_raters: int) -> str:
    few = sum(category_of[pair.key.query] == category for pair in judged.few)
    rejects = [row.why for row in table.rejects if category_of.get(row.query) == category]
    reasons = [f"{few} pairs have fewer than {min_raters} raters (see --min-raters)"] * bool(few)
    reasons += [f"{len(rejects)} ratings cannot be used, the first because: {rejects[0]}"] if rejects else []
    return f" ({'; '.join(reasons)})" if reasons else ""


def _clear(folder: Path) -> None:
    """Remove what a killed run left."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
