"""Make the fictional clause benchmark: hand-written clauses with the stars of three raters, into ACORD's layout.

    python sample/clauses/make_clauses.py [-o FOLDER]

Reads `source/*.toml` beside this file; writes into the same folder (or FOLDER). The same source gives the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import json
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
RATERS = ("Attorney Pell", "Attorney Quist", "Student Rowe")
SPLITS = ("train", "valid", "test")


class Query(NamedTuple):
    """A query of the source."""

    text: str
    category: str
    split: str
    medium: str
    long: str


class Pair(NamedTuple):
    """A rated pair: its final stars, and those given before the panel met ("" where it did not have to)."""

    query: Query
    clause_id: str
    stars: str
    before: str


def main(arguments: Sequence[str] | None = None) -> None:
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=HERE)
    write(parser.parse_args(arguments).output)


def write(folder: Path) -> None:
    """Write the collection, the ratings and the panel's answers into a folder."""
    sources = [tomllib.loads(path.read_text("utf-8")) for path in sorted(HERE.glob("source/*.toml"))]
    texts = {id_of(row): text_of(row) for source in sources for row in source["clauses"]}
    queries = [query for source in sources for query in queries_of(source).values()]
    pairs = [pair for source in sources for pair in pairs_of(source)]
    for name in ("qrels", "supplemental"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    write_lines(folder / "corpus.jsonl", ({"_id": key, "text": texts[key]} for key in sorted(texts)))
    write_lines(folder / "queries.jsonl", map(query_row, queries))
    for split in SPLITS:
        rows = [row for query in queries if query.split == split for row in judged(query, pairs)]
        write_table(folder / "qrels" / f"{split}.tsv", ["query-id", "corpus-id", "score"], rows)
    write_table(
        folder / "supplemental" / "query_variants.tsv",
        ["ACORD Query", "Medium Format", "Long Format"],
        ([query.text, query.medium, query.long] for query in queries),
    )
    rated = [row for query in queries for row in scores(query, pairs)]
    write_table(folder / "supplemental" / "scores.tsv", ["query-id", "corpus-id", "score"], rated)
    ratings = [row for pair in pairs for row in ratings_of(pair)]
    columns = ["query", "category", "clause_id", "rater", "stars", "medium", "long"]
    write_table(folder / "ratings.csv", columns, ratings, ",")
    write_table(folder / "reconciled.csv", panel_columns(), (panel_row(pair) for pair in pairs if pair.before), ",")


def queries_of(source: dict[str, Any]) -> dict[str, Query]:
    """The queries of a category by the key that its clauses use."""
    return {key: Query(category=source["category"], **row) for key, row in source["queries"].items()}


def pairs_of(source: dict[str, Any]) -> Iterator[Pair]:
    """The rated pairs of a category."""
    queries = queries_of(source)
    for row in source["clauses"]:
        for key, stars in row["stars"].items():
            yield Pair(queries[key], id_of(row), stars, row.get("before", {}).get(key, ""))


def text_of(row: dict[str, Any]) -> str:
    """The clause on one line."""
    return " ".join(row["text"].split())


def id_of(row: dict[str, Any]) -> str:
    """Ten hexadecimal digits, as ACORD's ids have."""
    return blake2b(text_of(row).encode(), digest_size=5).hexdigest()


def query_row(query: Query) -> dict[str, Any]:
    """A line of queries.jsonl."""
    metadata = {"category": query.category, "parent_query_id": "", "type": "fictional", "split": query.split}
    return {"_id": query.text, "text": query.text, "metadata": metadata}


def mean(stars: str) -> float:
    """The mean of the raters' stars."""
    return sum(map(int, stars)) / len(stars)


def judged(query: Query, pairs: Sequence[Pair]) -> list[list[str]]:
    """A query's qrels, best first: its rated clauses, then the clauses of other categories as explicit zeros."""
    own = [(round(mean(pair.stars)) - 1, pair.clause_id) for pair in pairs if pair.query == query]
    others = {pair.clause_id for pair in pairs if pair.query.category != query.category}
    rows = sorted(own, key=lambda row: (-row[0], row[1])) + [(0, key) for key in sorted(others)]
    return [[query.text, key, str(grade)] for grade, key in rows]


def scores(query: Query, pairs: Sequence[Pair]) -> list[list[str]]:
    """A query's finer scores, best first."""
    own = sorted((-mean(pair.stars), pair.clause_id) for pair in pairs if pair.query == query)
    return [[query.text, key, f"{-score:.4f}"] for score, key in own]


def ratings_of(pair: Pair) -> Iterator[list[str]]:
    """The rows of one pair in ratings.csv."""
    query = pair.query
    for rater, stars in zip(RATERS, pair.before or pair.stars, strict=True):
        yield [query.text, query.category, pair.clause_id, rater, stars, query.medium, query.long]


def panel_columns() -> list[str]:
    """The header of reconciled.csv."""
    slots = range(1, len(RATERS) + 1)
    return ["query", "clause_id", *(f"{name}_{n}" for n in slots for name in ("rater", "stars", "adjusted"))]


def panel_row(pair: Pair) -> list[str]:
    """What the panel made of a pair."""
    ratings = zip(RATERS, pair.before, pair.stars, strict=True)
    return [pair.query.text, pair.clause_id, *(cell for rating in ratings for cell in rating)]


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """JSON lines."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def write_table(path: Path, header: list[str], rows: Iterable[Sequence[str]], delimiter: str = "\t") -> None:
    """A table as ACORD's are: quotation marks doubled, lines ended as on Windows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([header, *rows])


if __name__ == "__main__":
    main()
