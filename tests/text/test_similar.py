"""Sets with a share in common: those of comparing all, whatever the share and the order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floats_support import close_to
from lawng.text.similar import Similar


@given(
    st.lists(st.frozensets(st.integers(0, 9), min_size=1), max_size=12),
    st.integers(1, 20),
    st.sampled_from([None, lambda word: -word, lambda word: (word % 3, word)]),
)
def test_what_is_similar_is_that_of_comparing_all(
    sets: list[frozenset[int]], twentieths: int, order: Callable[[int], int] | None
) -> None:
    known = Similar(twentieths / 20, order)
    for at, words in enumerate(sets):
        # in whole numbers: common / union >= twentieths / 20
        expected = [n for n, one in enumerate(sets[:at]) if 20 * len(words & one) >= twentieths * len(words | one)]
        found = list(known.like(words))
        assert [number for number, _ in found] == expected
        assert [share for _, share in found] == close_to(
            [len(words & sets[n]) / len(words | sets[n]) for n in expected]
        )
        known.add(words)


@pytest.mark.parametrize("share", [0.07, 0.14, 0.28, 0.29, 0.55, 0.56, 0.57, 0.58])
def test_a_share_that_floats_make_larger_misses_nothing(share: float) -> None:
    """100 words and the highest of them, exactly the share: 0.55 * 100 is 55.00000000000001."""
    known = Similar(share)
    known.add(frozenset(range(100)))
    kept = round(100 * share)
    assert list(known.like(frozenset(range(100 - kept, 100)))) == [(0, close_to(share))]
    assert not list(known.like(frozenset(range(101 - kept, 100))))
