"""Steps 10-articles and 20-windows: dated articles of all files; each in its window, near-duplicates counted once."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from hashlib import blake2b
from itertools import chain, compress, count, groupby
from operator import not_
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lawng.directional.booqa.records import Placed
from lawng.directional.news import ENTRIES, news_files, read_news
from lawng.directional.records import Article
from lawng.directional.relations import language_read
from lawng.io import iter_parts, iter_records, read_table
from lawng.pipeline import Count, Inputs, Step, Work, regroup
from lawng.pipeline.units import MAX_UNITS
from lawng.schema import Reject
from lawng.text.similar import Similar

_SHINGLE = 5
"""Words of a shingle."""
_STAGE = "windows"


def _prepare_windows(inputs: Inputs) -> Work:
    first, last = _span(inputs.table("articles"))
    days: int = inputs.option("questions.window_days")
    n_windows = ((last - first).days // days) + 1 if first <= last else 1
    n = min(n_windows, MAX_UNITS)

    def unit_of(rows: pa.Table) -> pa.Array:
        windows = pc.divide(pc.subtract(rows["date"].cast(pa.int32()), (first - date(1970, 1, 1)).days), days)
        return pc.divide(pc.multiply(windows.cast(pa.int64()), n), n_windows)

    units = regroup(inputs.table("articles"), unit_of, n, inputs.scratch(_STAGE))
    language, share = language_read(inputs.model("parser").place), inputs.option("questions.duplicate_share")
    return units, partial(place, first=first, days=days, share=share, language=language)


def _span(table: Path) -> tuple[date, date]:
    """The first and the last day of the articles; without articles the first is later."""
    first, last = date.max, date.min
    for part in iter_parts(table):
        ends = pc.min_max(read_table(part, ["date"])["date"])
        if ends["min"].is_valid:
            first, last = min(first, ends["min"].as_py()), max(last, ends["max"].as_py())
    return first, last


def place(unit: Path, first: date, days: int, share: float, language: str = "en") -> Iterator[Placed | Reject | Count]:
    """The articles of some windows in order, without those of another language or that repeat one of their window."""

    def window_of(article: Article) -> str:
        return (first + timedelta((article.date - first).days // days * days)).isoformat()

    articles = sorted(iter_records(unit, Article), key=lambda one: (one.date, one.article_id, one.text))
    yield Count(len(articles), "articles")
    for window, group in groupby(articles, key=window_of):
        read, other = _by_language(list(group), language)
        yield from (Reject(_STAGE, one.article_id, "language-not-read", one.language, window) for one in other)
        yield from _without_repeats(window, read, share)


def _by_language(articles: list[Article], language: str) -> tuple[list[Article], list[Article]]:
    """Articles in a language, by its ISO 639-1 code ("en-GB" and "eng" are English), and the others."""
    is_read = [article.language.lower().startswith(language) for article in articles]
    return list(compress(articles, is_read)), list(compress(articles, map(not_, is_read)))


def _without_repeats(window: str, articles: list[Article], share: float) -> Iterator[Placed | Reject]:
    """The articles, each that repeats one before it, by their shingles of words, rejected."""
    known, placed, names = Similar(share), dict[str, Placed](), list[str]()
    for article in articles:
        shingles = _hashes(article.text)
        if found := next(known.like(shingles), None):
            first = names[found[0]]
            placed[first].repeats.append(article.text)
            yield Reject(_STAGE, article.article_id, "near-duplicate", f"of {first}, {found[1]:.2f}", window)
        else:
            own = replace(article, article_id=_free(article.article_id, placed))
            known.add(shingles)
            names.append(own.article_id)
            placed[own.article_id] = Placed(window, own)
    yield from placed.values()


def _free(name: str, taken: Container[str]) -> str:
    """An id that no article of the window has yet: `a`, then `a#2`; sentences are found again by it."""
    return next(one for one in chain((name,), (f"{name}#{n}" for n in count(2))) if one not in taken)


def _hashes(text: str) -> frozenset[int]:
    words = text.lower().split()
    shingles = (" ".join(words[at : at + _SHINGLE]) for at in range(max(1, len(words) - _SHINGLE + 1)))
    return frozenset(int.from_bytes(blake2b(one.encode(), digest_size=8).digest(), "big") for one in shingles)


ARTICLES = Step(
    "10-articles",
    {"articles": Article},
    lambda inputs: (news_files(inputs.corpus), read_news),
    corpus=True,
    balance=(ENTRIES, "articles"),
)
WINDOWS = Step(
    "20-windows",
    {"placed": Placed},
    _prepare_windows,
    tables=("articles",),
    options=("questions.window_days", "questions.duplicate_share"),
    models=("parser",),
    balance=("articles", "placed"),
    seconds=0.0005,
)
