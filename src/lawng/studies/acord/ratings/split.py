"""Splits of queries at random, with every category in test (ACORD, section 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from lawng.errors import ConfigError
from lawng.studies.acord.data import SPLITS


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
