"""What is inside a corpus: counts by kind, place and year, the share with page marks, and what was rejected."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.corpus.doubles import shared_citations
from lawng.corpus.load import CorpusReader
from lawng.corpus.units import CASES, OPINIONS
from lawng.engine.store import reading


def describe(corpus: CorpusReader) -> dict[str, Any]:
    """Counts of a corpus as plain values; one part is in memory at a time.

    Raises MissingError or InputError when its tables cannot be read.
    """
    manifest = corpus.manifest
    tally = manifest["tally"]
    return {
        **_cases(corpus),
        **_opinions(corpus),
        "citations_of_more_than_one_case": shared_citations(corpus.folder),
        "sources": [
            f"{source['name']} ({source['format']}, {source['files']} files)" for source in manifest["sources"]
        ],
        "notes": {
            what.removeprefix("note:"): n for what, n in sorted(tally["seen"].items()) if what.startswith("note:")
        },
        "rejects": {
            f"{kind}: {reason}": n
            for kind, reasons in sorted(tally["rejects"].items())
            for reason, n in sorted(reasons.items())
        },
    }


def _cases(corpus: CorpusReader) -> dict[str, Any]:
    places: Counter[str] = Counter()
    formats: Counter[str] = Counter()
    dates: list[str] = []
    one_majority = 0
    for part in corpus.parts(CASES):
        with reading(part):
            table = pq.read_table(part, columns=["jurisdiction", "source", "date", "n_majority"])
        places.update(table["jurisdiction"].to_pylist())
        formats.update(table["source"].to_pylist())
        one_majority += pc.sum(pc.equal(table["n_majority"], 1)).as_py() or 0
        dates += [date for date in _ends(table.filter(pc.not_equal(table["date"], ""))["date"]) if date]
    return {
        "cases": places.total(),
        "cases_with_one_majority": one_majority,
        "cases_by_jurisdiction": _ranked(places),
        "cases_by_format": _ranked(formats),
        "first_date": min(dates, default=""),
        "last_date": max(dates, default=""),
    }


def _opinions(corpus: CorpusReader) -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    for part in corpus.parts(OPINIONS):
        with reading(part), pq.ParquetFile(part) as file:
            for batch in file.iter_batches(2048, columns=["type", "pages"]):
                has_pages = pc.greater(pc.list_value_length(batch["pages"]), 0)
                kinds.update(batch["type"].to_pylist())
                marked.update(batch["type"].filter(has_pages).to_pylist())
    return {
        "opinions": kinds.total(),
        "opinions_by_type": _ranked(kinds),
        "share_with_page_marks": {kind: round(marked[kind] / n, 4) for kind, n in _ranked(kinds).items()},
    }


def _ends(dates: Any) -> tuple[str, str]:
    ends = pc.min_max(dates)
    return ends["min"].as_py(), ends["max"].as_py()


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return {key or "unknown": n for key, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))}
