"""Ratings of query-clause pairs by several people, from a table in long or wide form.

read_ratings(path, texts) -> Ratings     read_table(path, required) -> Table, as spreadsheets save it

Long: a row per rating, with the columns `rater` and `stars`. Wide: a row per pair, with `rater_1`, `rater_2`, ... Both
have `query`, `category` and `clause_id`, and `text` where no corpus is given; `medium` and `long` may be there.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lawng.errors import InputError
from lawng.evaluation.beir import rows_by_id

_STARS = re.compile(r"([1-5])(?:\.0+)?")
_WIDE = re.compile(r"rater_\d+")
SPLITS = ("train", "valid", "test")
GRADES = range(5)
"""Relevance in a benchmark: stars less one."""
_DELIMITERS = ",;\t"
_OTHER_NAMES = {"clause_text": "text", "corpus_id": "clause_id"}
_LONGEST_CELL = 10_000_000
_KNOWN = {"query", "category", "clause_id", "text", "rater", "stars", "medium", "long"}


class Key(NamedTuple):
    """A query-clause pair."""

    query: str
    clause_id: str


class Pair(NamedTuple):
    """A pair and what each rater gave it, 1-5 stars, by rater in alphabetical order."""

    key: Key
    stars: dict[str, int]


class Reject(NamedTuple):
    """A row that could not be used, as it was, and why."""

    why: str
    query: str
    clause_id: str
    rater: str
    stars: str


class RatedQuery(NamedTuple):
    """A query with its category, and its longer forms where the table has them."""

    text: str
    category: str
    medium: str
    long: str


@dataclass(frozen=True, slots=True)
class Ratings:
    """What a table of ratings says; nothing in it depends on the order of its rows."""

    queries: dict[str, RatedQuery]
    """By text, in alphabetical order."""
    texts: dict[str, str]
    """Of the clauses by id: of the corpus where one was given, else of the table."""
    pairs: list[Pair]
    """In order of query and clause; each rating in one of them."""
    rejects: list[Reject]
    n_read: int
    """Ratings in the table: as many as those in `pairs` and the rejects together."""
    ignored: list[str]
    """Columns that mean nothing to lawng."""
    delimiter: str


class _Raw(NamedTuple):
    key: Key
    rater: str
    stars: str
    text: str = ""

    def reject(self, why: str) -> Reject:
        return Reject(why, *self.key, self.rater, self.stars)


def read_ratings(path: Path, corpus: Mapping[str, str] | None) -> Ratings:
    """Read a table of ratings; `corpus` has the texts of the clauses by id where the table itself lacks them.

    Raises InputError when the table cannot be read, or says two things of one query or of one clause.
    """
    table = read_table(path, ["query", "category", "clause_id"])
    raters = _rater_columns(path, table)
    if corpus is None and "text" not in table.columns:
        raise InputError(f"{path}: no column text, and no corpus is given; add the clauses' texts, or name a corpus")
    raw = [row for cells in table.rows for row in _raw(cells, raters)]
    queries = _queries(path, table)
    texts = dict(corpus) if corpus is not None else _texts(path, raw)
    pairs, rejects = _pairs(raw, queries, texts)
    ignored = sorted(set(filter(None, table.columns)) - _KNOWN - set(raters))
    return Ratings(queries, texts, pairs, rejects, len(raw), ignored, table.delimiter)


def one_line(text: str) -> str:
    """The text with single blanks and no line ends, as an id of a query must be.

    >>> one_line(" cap on\\n liability ")
    'cap on liability'
    """
    return " ".join(text.split())


def stars_of(cell: str) -> int | None:
    """The stars that a cell has, None when they are no whole number from 1 to 5.

    >>> stars_of("4"), stars_of("4.0"), stars_of("4,33"), stars_of("6")
    (4, 4, None, None)
    """
    match = _STARS.fullmatch(cell)
    return int(match[1]) if match else None


def _rater_columns(path: Path, table: Table) -> list[str]:
    """Columns of a wide table, none of a long one."""
    wide = [name for name in table.columns if _WIDE.fullmatch(name)]
    long = {"rater", "stars"} & set(table.columns)
    if wide and long:
        raise InputError(f"{path}: has both {', '.join(sorted(long))} and {', '.join(wide)}; keep one form")
    if not wide and len(long) < 2:
        raise InputError(f"{path}: no columns rater and stars, and none rater_1, rater_2, ...; add the ratings")
    return wide


def _raw(cells: Mapping[str, str], raters: list[str]) -> Iterator[_Raw]:
    key, text = Key(one_line(cells["query"]), cells["clause_id"]), cells.get("text", "")
    if not raters:
        yield _Raw(key, one_line(cells["rater"]), cells["stars"], text)
        return
    given = [(name, cells[name]) for name in raters if cells[name]] or [("", "")]
    yield from (_Raw(key, name, stars, text) for name, stars in given)


def _queries(path: Path, table: Table) -> dict[str, RatedQuery]:
    found: dict[str, RatedQuery] = {}
    rows = [{name: one_line(cell) for name, cell in cells.items()} for cells in table.rows]
    rows.sort(key=lambda row: (row["query"], row["category"]))
    for row in rows:
        if row["query"]:
            old = found.get(row["query"], RatedQuery(row["query"], "", "", ""))
            found[old.text] = RatedQuery(old.text, *(_one(path, old, row, name) for name in RatedQuery._fields[1:]))
    without = [query.text for query in found.values() if not query.category]
    if without:
        raise InputError(f'{path}: the query "{without[0]}" has no category; give it one ({len(without)} such)')
    return found


def _one(path: Path, query: RatedQuery, row: Mapping[str, str], name: str) -> str:
    old: str = getattr(query, name)
    new = row.get(name, "")
    if old and new and old != new:
        raise InputError(f'{path}: the query "{query.text}" has two of {name}, "{old}" and "{new}"; keep one')
    return old or new


def _texts(path: Path, raw: Iterable[_Raw]) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in sorted(raw, key=lambda row: (row.key.clause_id, row.text)):
        if not (row.text and row.key.clause_id):
            continue
        old = found.setdefault(row.key.clause_id, row.text)
        if one_line(old) != one_line(row.text):
            raise InputError(f"{path}: the clause {row.key.clause_id} has two texts; give each text its own id")
    return found


def _pairs(
    raw: Iterable[_Raw], queries: Mapping[str, RatedQuery], texts: Mapping[str, str]
) -> tuple[list[Pair], list[Reject]]:
    """The pairs with the ratings that can be used, and the other ratings."""
    given: defaultdict[Key, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    rejects = []
    for row in raw:
        fault = _fault(row, queries, texts)
        if fault:
            rejects.append(row.reject(fault))
        else:
            given[row.key][row.rater].append(row.stars)
    pairs = [Pair(key, dict(_agreed(key, given[key], rejects))) for key in sorted(given)]
    return [pair for pair in pairs if pair.stars], sorted(rejects)


def _fault(row: _Raw, queries: Mapping[str, RatedQuery], texts: Mapping[str, str]) -> str:
    if row.key.query not in queries:
        return "no query"
    if not row.key.clause_id:
        return "no clause_id"
    if row.key.clause_id not in texts:
        return "no clause of this id is in the corpus, or it has no text"
    if row.text and one_line(row.text) != one_line(texts[row.key.clause_id]):
        return "the text is not the corpus's of this id"
    if not row.rater:
        return "no rater, or no rating"
    return "" if stars_of(row.stars) else "stars are whole numbers from 1 to 5"


def _agreed(key: Key, by_rater: Mapping[str, list[str]], rejects: list[Reject]) -> Iterator[tuple[str, int]]:
    """The one rating of each rater; who gave two that differ gave none."""
    for rater, cells in sorted(by_rater.items()):
        if len({cell[0] for cell in cells}) == 1:
            yield rater, int(cells[0][0])
            again = "rated twice, the same: counted once"
            rejects += [_Raw(key, rater, cell[0]).reject(again) for cell in cells[1:]]
        else:
            rejects += [_Raw(key, rater, cell).reject("rated twice, not the same") for cell in cells]


def read_corpus(path: Path) -> dict[str, str]:
    """Texts by id, in the file's order; a folder is taken for the one that holds `corpus.jsonl`.

    Raises InputError naming the file and the line when it cannot be read, or an id stands twice.
    """
    path = path / "corpus.jsonl" if path.is_dir() else path
    text = _utf8(path, "a corpus.jsonl", "convert it")
    return {key: row["text"] for key, row in rows_by_id(text, str(path)).items()}


class Table(NamedTuple):
    """A table by column names, each cell without blanks around it."""

    columns: list[str]
    rows: list[dict[str, str]]
    """Rows that are empty throughout are not among them."""
    delimiter: str


def read_table(path: Path, required: Sequence[str]) -> Table:
    """Read a CSV file; column names lose their case, and blanks and hyphens in them become underscores.

    Raises InputError when the file cannot be read, is not UTF-8, lacks a column, has one twice, or has a row of
    another length than its header.
    """
    text = _utf8(path, "a CSV file", "save it as CSV UTF-8")
    if "\0" in text:
        raise InputError(f"{path}: is no text; save the table as CSV UTF-8")
    header = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=header.count)
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        lines = [(reader.line_num, row) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: is no CSV ({error}); save the table as CSV in UTF-8") from error
    columns = [column_name(cell) for cell in lines[0][1]] if lines else []
    _check_columns(path, columns, required)
    return Table(columns, [_row(path, columns, number, cells) for number, cells in lines[1:]], delimiter)


def column_name(cell: str) -> str:
    """The name of a column as lawng knows it.

    >>> column_name(" Clause Text "), column_name("Rater-1")
    ('text', 'rater_1')
    """
    name = "_".join(cell.replace("-", " ").casefold().split())
    return _OTHER_NAMES.get(name, name)


def _utf8(path: Path, what: str, mend: str) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name {what}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 (byte {error.start}); {mend}") from error


def _check_columns(path: Path, columns: Sequence[str], required: Sequence[str]) -> None:
    missing = [name for name in required if name not in columns]
    if missing:
        found = ", ".join(filter(None, columns)) or "none"
        raise InputError(f"{path}: no column {', '.join(missing)} (found: {found}); add it to the first line")
    doubled = [name for name, n in Counter(filter(None, columns)).items() if n > 1]
    if doubled:
        raise InputError(f"{path}: the column {', '.join(doubled)} is there twice; remove one")


def _row(path: Path, columns: Sequence[str], number: int, cells: Sequence[str]) -> dict[str, str]:
    if len(cells) != len(columns):
        need = f"{len(cells)} cells where the first line has {len(columns)}"
        raise InputError(f"{path}:{number}: {need}; put a cell that has a separator in it between quotation marks")
    return {name: cell.strip() for name, cell in zip(columns, cells, strict=True) if name}
