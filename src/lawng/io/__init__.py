"""Bytes on disk: atomic writes, Parquet tables, lookups by key, progress, and the bounds on what others wrote."""

from lawng.io.atomic_io import (
    atomic_file,
    atomic_folder,
    check_inputs,
    check_place,
    numbered_lines,
    read_json,
    write_json,
    write_text,
)
from lawng.io.lookup import Lookup, write_lookup
from lawng.io.parquet import TableWriter, file_digest, iter_parts, iter_records, read_table

__all__ = [
    "Lookup",
    "TableWriter",
    "atomic_file",
    "atomic_folder",
    "check_inputs",
    "check_place",
    "file_digest",
    "iter_parts",
    "iter_records",
    "numbered_lines",
    "read_json",
    "read_table",
    "write_json",
    "write_lookup",
    "write_text",
]
