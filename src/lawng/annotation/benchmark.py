"""A benchmark in ACORD's layout from an expert's own ratings, by ACORD's labelling process (section 3, appendix A).

benchmark_from_ratings(ratings, corpus, output) -> RatingsResult
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from lawng.annotation.layout import MARK, RECONCILED, TO_RECONCILE, write_benchmark
from lawng.annotation.ratings import SPLITS, Key, Ratings, read_corpus, read_ratings
from lawng.annotation.reconciliation import RELEVANT, Judged, expanded, is_filled, judge, read_panel
from lawng.annotation.result import Benchmark, RatingsResult, Settings, result_of
from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.io import atomic_folder, check_place

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
    more becomes an explicit zero for the queries of categories in which it has not as many. A query without a clause of
    three stars is left out. The same ratings give the same bytes, whatever the order of their rows.

    Raises InputError when an input cannot be read, a category has no query left, or the folder holds something that
    would be lost; ConfigError when `shares` are not three numbers that add up to 1, or `min_raters` is below 1.
    """
    settings = Settings(seed, tuple(shares), min_raters, expand)
    check_shares(shares)
    if min_raters < 1:
        raise ConfigError(f"min-raters: {min_raters} is less than 1; three is what ACORD has")
    _check_output(output, ratings, corpus, reconciled)
    table = read_ratings(ratings, None if corpus is None else read_corpus(corpus))
    judged = judge(table.pairs, read_panel(reconciled), min_raters)
    relevant = {row.pair.key.query for row in judged.settled if row.grade >= RELEVANT - 1}
    kept = [query for query in table.queries if query in relevant]
    _check_categories(ratings, table, judged, kept, min_raters)
    zeros = expanded(_categories(table), kept, judged.settled, _unsettled(table, judged)) if expand else []
    splits = split_queries({query: table.queries[query].category for query in kept}, seed, shares)
    made = Benchmark(table, judged, splits, zeros, settings)
    with atomic_folder(output) as folder:
        _clear(folder)
        write_benchmark(made, folder)
    return result_of(made, output)


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


def split_queries(categories: Mapping[str, str], seed: int, shares: Sequence[float]) -> dict[str, str]:
    """The split of each query, given its category; `shares` are those of train, valid and test.

    Each query has its place in a random order that its text and the seed decide, so the order of the input does not
    matter. The first of each category goes to test, and so does a category's only query; the rest fills test, valid and
    train in this order up to the counts nearest to the shares. Where there are more categories than test places, test
    has one query of each and the others share what is left. Raises ConfigError when the shares are no three that add up
    to 1.

    >>> split_queries({"cap": "Liability", "carve-out": "Liability", "New York": "Law"}, 7, (0.45, 0.05, 0.5))
    {'New York': 'test', 'cap': 'train', 'carve-out': 'test'}
    """
    check_shares(shares)
    order = sorted(categories, key=lambda query: (_place(query, seed), query))
    firsts = {category: query for query in reversed(order) for category in [categories[query]]}
    n_train, n_valid, n_test = _counts(len(order), shares, len(firsts))
    rest = [query for query in order if query not in firsts.values()]
    names = ["test"] * (n_test - len(firsts)) + ["valid"] * n_valid + ["train"] * n_train
    return dict(sorted([*((query, "test") for query in firsts.values()), *zip(rest, names, strict=True)]))


def check_shares(shares: Sequence[float]) -> None:
    """Raise ConfigError when the shares are no three that add up to 1."""
    if len(shares) != len(SPLITS) or min(shares) < 0 or not math.isclose(sum(shares), 1):
        raise ConfigError(f"shares: {', '.join(map(str, shares))} are not three numbers that add up to 1")


def _place(query: str, seed: int) -> bytes:
    return blake2b(f"{seed}\n{query}".encode(), digest_size=16).digest()


def _counts(n: int, shares: Sequence[float], n_categories: int) -> tuple[int, int, int]:
    """Whole counts of train, valid and test, nearest to the shares with a test query for each category."""
    train, valid, test = _nearest(n, shares)
    if test >= n_categories:
        return train, valid, test
    train, valid = _nearest(n - n_categories, shares[:2])
    return train, valid, n_categories


def _nearest(n: int, shares: Sequence[float]) -> list[int]:
    """Whole numbers that add up to `n`: the largest remainders are rounded up (Hamilton's method)."""
    whole = sum(shares)
    exact = [n * share / whole if whole else n / len(shares) for share in shares]
    counts = [math.floor(value + 1e-9) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda at: counts[at] - exact[at])
    for at in by_remainder[: n - sum(counts)]:
        counts[at] += 1
    return counts
