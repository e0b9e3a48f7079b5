"""A benchmark made from ratings, as files: ACORD's layout (C.5), the panel's tables, what was rejected, and a card."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lawng import __version__
from lawng.annotation.ratings import GRADES, SPLITS
from lawng.annotation.reconciliation import Open, final_score, write_panel
from lawng.annotation.result import Benchmark, RatingsResult, number, result_of
from lawng.io import write_json
from lawng.reports.grid import Grid, markdown

MARK = "from-ratings.json"
TABLE = "supplemental/scores.tsv"
"""Mean stars of the rated pairs, by ids."""
_SCORED = ["query-id", "corpus-id", "score"]
TO_RECONCILE, RECONCILED, REJECTS = "to-reconcile.csv", "reconciled.csv", "rejects.csv"
_ZEROS = """A clause of two stars or more became an explicit zero for the queries of those categories in which it
has not as many."""


def write_benchmark(made: Benchmark, folder: Path) -> None:
    """Write all files of a benchmark into an empty folder, `from-ratings.json` last."""
    for name in ("qrels", "supplemental"):
        (folder / name).mkdir()
    _write_lines(folder / "corpus.jsonl", ({"_id": key, "text": text} for key, text in made.table.texts.items()))
    _write_lines(folder / "queries.jsonl", (_query(made, query) for query in made.splits))
    rows = _judgements(made)
    for split in SPLITS:
        own = ([query, clause, str(grade)] for query, clause, grade in rows if made.splits[query] == split)
        _write_table(folder / "qrels" / f"{split}.tsv", _SCORED, own)
    _write_table(folder / TABLE, _SCORED, _scores(made))
    queries = [made.table.queries[query] for query in made.splits]
    if any(query.medium or query.long for query in queries):
        longer = ([query.text, query.medium, query.long] for query in queries)
        path = folder / "supplemental" / "query_variants.tsv"
        _write_table(path, ["ACORD Query", "Medium Format", "Long Format"], longer)
    _write_panel_tables(made, folder)
    result = result_of(made, folder)
    (folder / "README.md").write_text(card(made, result), encoding="utf-8", newline="\n")
    write_json(folder / MARK, _book(made, result))


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


def _write_panel_tables(made: Benchmark, folder: Path) -> None:
    """Pairs for the panel; those that it has settled, as it settled them; and what was not used, with the reason."""
    write_panel(folder / TO_RECONCILE, made.judged.open, made.table)
    settled = [
        Open(row.pair, ["reconciled"], {rater: str(stars) for rater, stars in row.stars.items()})
        for row in made.judged.settled
        if row.by_panel
    ]
    if settled:
        write_panel(folder / RECONCILED, settled, made.table)
    rows = [["ratings", row.why, row.query, row.clause_id, row.rater, row.stars] for row in made.table.rejects]
    for key, why, adjusted in made.judged.unused:  # a line for each of the panel's stars, which stand nowhere else
        written = [(rater, cell) for rater, cell in adjusted.items() if cell] or [("", "")]
        rows += [["reconciled", why, key.query, key.clause_id, *each] for each in written]
    header = ["table", "reason", "query", "clause_id", "rater", "stars"]
    _write_table(folder / REJECTS, header, rows, made.table.delimiter, "utf-8-sig")


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


def card(made: Benchmark, result: RatingsResult) -> str:
    """README.md of the benchmark."""
    given = Counter(rater for pair in made.table.pairs for rater in pair.stars)
    raters = Grid("Ratings by rater", ["Rater", "Ratings"], [[rater, str(n)] for rater, n in sorted(given.items())])
    left = f"left to the panel (`{TO_RECONCILE}`)"
    names = ("in the qrels", left, "too few raters", "query without a relevant clause")
    fates = [[name, str(n), str(m)] for name, n, m in zip(names, result.ratings, result.pairs, strict=True)]
    fates += [[f"not usable (`{REJECTS}`)", str(result.n_rejected), ""], ["all", str(result.n_read), ""]]
    queries = "".join(f"\n* {query}: {result.lack(query)}" for query in result.left_out)
    template = Path(__file__).with_name("card.md").read_text("utf-8")
    return template.format(
        n_queries=len(made.splits),
        n_clauses=len(made.table.texts),
        n_rated=len(made.in_qrels()),
        n_zeros=len(made.zeros),
        sizes=markdown(_sizes(made)),
        raters=markdown(raters),
        found=result.agreement,
        alpha=number(result.agreement.alpha),
        stars=number(result.agreement.difference),
        fates=markdown(Grid("What became of the ratings", ["", "Ratings", "Pairs"], fates)),
        left_out=f"\n\nQueries left out:\n{queries}" if queries else "",
        lawng=__version__,
        settings=made.settings,
        zeros=_ZEROS if made.settings.expand else "No zeros were added across categories.",
        shares=", ".join(map(str, made.settings.shares)),
    )


def _sizes(made: Benchmark) -> Grid:
    """Queries by split and rated pairs by stars for each category, as table C-3."""
    category_of = {query: row.category for query, row in made.table.queries.items()}
    splits = Counter((category_of[query], split) for query, split in made.splits.items())
    grades = Counter((category_of[row.pair.key.query], row.grade) for row in made.in_qrels())
    zeros = Counter(category_of[key.query] for key in made.zeros)
    stars = sorted(GRADES, reverse=True)
    columns = ["Category", *SPLITS, *(f"{grade + 1}-star" for grade in stars), "zeros across categories"]
    rows = []
    for name in sorted({category_of[query] for query in made.splits}):
        counts = [*(splits[name, split] for split in SPLITS), *(grades[name, grade] for grade in stars), zeros[name]]
        rows.append([name, *map(str, counts)])
    return Grid("Queries by split, rated pairs by stars", columns, rows)
