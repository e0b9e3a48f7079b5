"""What the glossary finds in clauses of what a query asks, in a few words that a model can read before a clause.

tags(query, texts) -> list of str
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from lawng.clauses.meaning.fit import FIT
from lawng.clauses.meaning.shelf import Shelf
from lawng.clauses.meaning.wanted import Wanted, wanted

_LEVELS = ("none", "little", "half", "most", "all")


def tags(query: str, texts: Sequence[str]) -> list[str]:
    """How far each clause has what is asked, in words of a small vocabulary, the same for every concept.

    A model learns from few queries what "said none" is worth, and need not know the words by which a clause says it.
    "" where the glossary knows no subject of the query.

    >>> tags("fraud exception to cap on liability", ["Except for fraud, a party's total liability is one dollar."])
    ['subject all early all share all; excepted all; exceptions few as asked; mutual']
    >>> tags("gibberish", ["Except for fraud."])
    ['']
    """
    asked = wanted(query)
    if not asked.subjects or not texts:
        return [""] * len(texts)
    rows = Shelf(texts).fit(asked).tolist()
    return ["; ".join(_said(dict(zip(FIT, row, strict=True)), asked)) for row in rows]


def _said(found: Mapping[str, float], asked: Wanted) -> Iterator[str]:
    yield " ".join(
        f"{word} {level(found[name])}"
        for word, name in (("subject", "subject"), ("early", "subject early"), ("share", "subject share"))
    )
    yield from (f"{name} {level(found[name])}" for name in ("said", "excepted") if not math.isnan(found[name]))
    if asked.absent:
        yield f"unwanted {level(found['unwanted'])}"
    if found["excepted though asked"]:
        yield "excepted though asked"
    yield from _exceptions(found, asked)
    yield from _parties(found, asked)


def _exceptions(found: Mapping[str, float], asked: Wanted) -> Iterator[str]:
    words = math.expm1(found["exception words"])
    how_many = "no exceptions" if not words else "exceptions few" if words < 25 else "exceptions many"
    as_asked = "" if not asked.carve_outs else " as asked" if found["exceptions as asked"] else " not as asked"
    yield how_many + as_asked


def _parties(found: Mapping[str, float], asked: Wanted) -> Iterator[str]:
    if asked.mutual:
        yield f"mutual as asked {level(found['mutual as asked'])}"
    elif found["mutual"] >= 0.5:
        yield "mutual"
    if asked.favours:
        frees = found["favours x guards"]
        yield f"frees {'whom' if frees > 0 else 'both or nobody' if not frees else 'not whom'} asked"


def level(share: float) -> str:
    """A share from 0 to 1 in a word.

    >>> [level(share) for share in (0, 0.2, 0.5, 0.7, 1)]
    ['none', 'little', 'half', 'most', 'all']
    """
    return _LEVELS[0 if share <= 0 else min(4, 1 + int(3 * share))]
