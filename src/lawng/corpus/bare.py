"""Page marks that are plain text: "*123" in the middle of running words."""

from __future__ import annotations

import re

BARE = re.compile(r"(?<![*\d])\*(?:Page )?(\d{1,5})(?!\d)")
"""What may be such a mark; it may as well be the page of an old citation, "3 Cranch *137"."""


def bare_labels(text: str) -> set[str]:
    """The labels of bare marks: the longest run of them that counts up by one, if it has two or more.

    >>> sorted(bare_labels("The rule *12 of 5 Cranch *137 is *13 plain"))
    ['12', '13']
    """
    lengths: dict[int, int] = {}
    for match in BARE.finditer(text):
        number = int(match[1])
        lengths[number] = max(lengths.get(number, 0), lengths.get(number - 1, 0) + 1)
    last = max(lengths, key=lambda number: lengths[number], default=0)
    run = range(last - lengths.get(last, 0) + 1, last + 1)
    return set(map(str, run)) if len(run) > 1 else set()
