"""Rows of files of NLI data, plain or gzipped: JSON lines or an array, agreements, CSV, tabs with and without a header.

Each reader gives the rows in order, each with its place for messages; a broken row is given as the error that it is.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.corpus.decoding import values_of

Row = Mapping[str, object]
Placed = tuple[str, Row | Exception]
"""A place ("line 3") and the row there, or why there is none."""
Read = Callable[[Path, Sequence[str]], Iterator[Placed]]
"""Reads the rows of a file; the columns are named where the file does not name them itself, or has many more."""
BROKEN = (ValueError, KeyError, csv.Error, EOFError, gzip.BadGzipFile, zlib.error, pa.ArrowException)
"""What reading a file raises that is damaged, or of another format."""


_AGREEMENTS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:documents|labels)"')


def plain_name(path: Path) -> str:
    """The path without the ending of gzip.

    >>> plain_name(Path("R1/train.jsonl.gz"))
    'R1/train.jsonl'
    """
    return path.as_posix().removesuffix(".gz")


def read_json(path: Path, _: Sequence[str] = ()) -> Iterator[Placed]:
    """Objects of JSON lines, or of one array, which is read object by object."""
    with _unpacked(path) as stream:
        for found in values_of(stream):
            row = found.value
            if found.notes:
                row = ValueError("not UTF-8")
            elif not isinstance(row, dict | Exception):
                row = ValueError("not a JSON object")
            yield f"line or row {found.place}", row


def read_agreements(path: Path, _: Sequence[str] = ()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows of ContractNLI's JSON: of each agreement and hypothesis the choice; `number` counts agreements from 0."""
    with _unpacked(path) as stream:
        if not _AGREEMENTS.match(stream.peek(100)):  # other sets' files of this name have gigabytes
            raise ValueError("no JSON object of documents and labels")
        try:
            found = json.load(stream)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
    try:
        for number, document in enumerate(found["documents"]):
            name, text = str(document["id"]), document["text"]
            for key, said in document["annotation_sets"][0]["annotations"].items():
                row = {"id": f"{name}:{key}", "document": name, "number": number, "text": text}
                asked = found["labels"][key]["hypothesis"]
                yield f"agreement {name}", row | {"hypothesis": asked, "choice": said["choice"]}
    except (TypeError, AttributeError, IndexError) as error:
        raise ValueError(str(error)) from error


def read_csv(path: Path, _: Sequence[str] = ()) -> Iterator[Placed]:
    """Rows of a CSV file with a header; a place is the line in which the row ends."""
    with _open(path, newline="") as lines:
        rows = csv.DictReader(lines, strict=True)
        for row in rows:
            uneven = None in row or None in row.values()
            yield f"line {rows.line_num}", ValueError("not as many fields as the header") if uneven else row


def read_tabs(path: Path, columns: Sequence[str] = ()) -> Iterator[Placed]:
    """Rows of a tab-separated file without quotes; its first line is the header where no columns are named."""
    # "\n" alone ends a line: the texts hold other separators that Unicode counts as line ends
    with _open(path, newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            fields = line.rstrip("\r\n").split("\t")
            if not columns:
                columns = fields
            elif len(fields) == len(columns):
                yield f"line {number}", dict(zip(columns, fields, strict=True))
            elif line.strip():
                yield f"line {number}", ValueError(f"{len(fields)} fields, not {len(columns)}")


def read_parquet(path: Path, columns: Sequence[str]) -> Iterator[Placed]:
    """Rows of a Parquet file, of some of its columns."""
    try:
        rows = pq.read_table(path, columns=list(columns)).to_pylist()
    except OSError as error:
        if error.errno is not None:
            raise
        raise ValueError(str(error).splitlines()[0]) from error  # Arrow's, of damaged pages
    for number, row in enumerate(rows, 1):
        yield f"row {number}", row


def _unpacked(path: Path) -> io.BufferedReader:
    if path.suffix != ".gz":
        return path.open("rb")
    return io.BufferedReader(cast(io.RawIOBase, gzip.open(path)))  # it has all that is asked of one


def _open(path: Path, newline: str) -> io.TextIOBase:
    encoding = "utf-8-sig"  # spreadsheets write a byte order mark
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding=encoding, newline=newline)
    return path.open(encoding=encoding, newline=newline)
