"""A benchmark made from ratings, as files: ACORD's layout (C.5), the panel's tables, what was rejected, and a card."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lawng import __version__
from lawng.studies.acord.data import SPLITS
from lawng.studies.acord.fine import TABLE
from lawng.studies.acord.ratings.card import card
from lawng.studies.acord.ratings.judge import final_score
from lawng.studies.acord.ratings.panel import Line, write_panel
from lawng.studies.acord.ratings.result import Benchmark, RatingsResult, result_of

MARK = "from-ratings.json"
TO_RECONCILE, RECONCILED, REJECTS = "to-reconcile.csv", "reconciled.csv", "rejects.csv"


def write_benchmark(made: Benchmark, folder: Path) -> None:
    """Write all files of a benchmark into an empty folder, `from-ratings.json` last."""
    for name in ("qrels", "supplemental"):
        (folder / name).mkdir()
    _write_lines(folder / "corpus.jsonl", ({"_id": key, "text": text} for key, text in made.table.texts.items()))
    _write_lines(folder / "queries.jsonl", (_query(made, query) for query in made.splits))
    rows = list(_judgements(made))
    for split in SPLITS:
        own = ([query, clause, str(grade)] for query, clause, grade in rows if made.splits[query] == split)
        _write_table(folder / "qrels" / f"{split}.tsv", ["query-id", "corpus-id", "score"], own)
    _write_table(folder / TABLE, ["query-id", "corpus-id", "score"], _scores(made))
    _write_variants(made, folder / "supplemental" / "query_variants.tsv")
    _write_panel_tables(made, folder)
    _write_rejects(made, folder / REJECTS)
    result = result_of(made, folder)
    (folder / "README.md").write_text(card(made, result), encoding="utf-8", newline="\n")
    book = json.dumps(_book(made, result), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    (folder / MARK).write_text(book, encoding="utf-8", newline="\n")


def _query(made: Benchmark, query: str) -> dict[str, Any]:
    category = made.table.queries[query].category
    metadata = {"category": category, "parent_query_id": "", "type": "rated", "split": made.splits[query]}
    return {"_id": query, "text": query, "metadata": metadata}


def _judgements(made: Benchmark) -> list[tuple[str, str, int]]:
    """Query, clause and grade, best first within a query."""
    rated = [(row.pair.key.query, -row.grade, row.pair.key.clause_id) for row in made.in_qrels()]
    zeros = [(key.query, 0, key.clause_id) for key in made.zeros]
    return [(query, clause, -grade) for query, grade, clause in sorted(rated + zeros)]


def _scores(made: Benchmark) -> list[list[str]]:
    rows = [(row.pair.key.query, -final_score(list(row.stars.values())), row.pair.key) for row in made.in_qrels()]
    return [[query, key.clause_id, f"{-float(score):.4f}"] for query, score, key in sorted(rows)]


def _write_variants(made: Benchmark, path: Path) -> None:
    """The longer forms of the queries, where the ratings have any."""
    queries = [made.table.queries[query] for query in made.splits]
    if any(query.medium or query.long for query in queries):
        rows = ([query.text, query.medium, query.long] for query in queries)
        _write_table(path, ["ACORD Query", "Medium Format", "Long Format"], rows)


def _write_panel_tables(made: Benchmark, folder: Path) -> None:
    """Pairs for the panel, always; and those that it has settled, as it settled them."""
    write_panel(folder / TO_RECONCILE, list(_open(made)), made.table.delimiter)
    settled = list(_settled(made))
    if settled:
        write_panel(folder / RECONCILED, settled, made.table.delimiter)


def _open(made: Benchmark) -> Iterator[Line]:
    for row in made.judged.open:
        query, text = made.table.queries[row.pair.key.query], made.table.texts[row.pair.key.clause_id]
        yield Line(row.pair.key, query.category, text, row.reasons, row.pair.stars, row.adjusted)


def _settled(made: Benchmark) -> Iterator[Line]:
    for row in made.judged.settled:
        if row.by_panel:
            query, text = made.table.queries[row.pair.key.query], made.table.texts[row.pair.key.clause_id]
            adjusted = {rater: str(stars) for rater, stars in row.stars.items()}
            yield Line(row.pair.key, query.category, text, ["reconciled"], row.pair.stars, adjusted)


def _write_rejects(made: Benchmark, path: Path) -> None:
    """Rows of the ratings and of the panel's tables that were not used, each with the reason."""
    rows = [["ratings", row.why, row.query, row.clause_id, row.rater, row.stars] for row in made.table.rejects]
    rows += [["reconciled", why, key.query, key.clause_id, "", ""] for key, why in made.judged.unused]
    header = ["table", "reason", "query", "clause_id", "rater", "stars"]
    _write_table(path, header, rows, made.table.delimiter, "utf-8-sig")


def _book(made: Benchmark, result: RatingsResult) -> dict[str, Any]:
    numbers = dataclasses.asdict(result)
    del numbers["folder"]
    named = {key: value._asdict() for key, value in numbers.items() if hasattr(value, "_asdict")}
    return {"lawng": __version__, "settings": made.settings._asdict(), **numbers, **named}


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def _write_table(
    path: Path, header: list[str], rows: Iterable[Sequence[str]], delimiter: str = "\t", encoding: str = "utf-8"
) -> None:
    """A table as ACORD's are: quotation marks doubled, lines ended as on Windows."""
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([header, *rows])
