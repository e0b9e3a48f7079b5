"""Croissant 1.0 metadata of a data set, so that catalogues and loaders can read it without our code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from lawng import __version__
from lawng.engine.writer import file_digest
from lawng.reports.rows import SPLITS, column_notes, row_schema

DESCRIPTION = (
    "Natural language inference with long premises, built from case law in the way of LawngNLI: hypotheses are what "
    "judges wrote in parentheses about the cited case, premises are the cited pages or the whole majority opinion."
)

PAPER = (
    "William Bruno and Dan Roth. LawngNLI: A Long-Premise Benchmark for In-Domain Generalization from Short to Long "
    "Contexts and for Implication-Based Retrieval. Findings of EMNLP 2022."
)

LICENCE_NOTE = (
    "The texts are those of the corpus. Opinions of United States courts carry no copyright, and the terms of the "
    "source that they came from apply beside; lawng's bundled sample is fictional and under the MIT licence. "
    "Labels, spans and changes were made by lawng (MIT)."
)

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(data: Path, name: str) -> dict[str, Any]:
    """Croissant 1.0 metadata of the data files in a folder `data`: one record set per split, with digests of the files.

    Raises OSError, if a data file is missing. Source: the Croissant format specification, version 1.0.
    """
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": DESCRIPTION,
        "citeAs": PAPER,
        "license": LICENCE_NOTE,
        "keywords": ["natural language inference", "legal", "long documents", "case law"],
        "inLanguage": "en",
        "version": __version__,
        "creator": {"@type": "sc:Organization", "name": "lawng"},
        "distribution": [_file(data, split, kind) for split in SPLITS for kind in _FORMATS],
        "recordSet": [_record_set(split) for split in SPLITS],
    }


_FORMATS = {"parquet": "application/x-parquet", "jsonl": "application/jsonlines"}


def _file(data: Path, split: str, kind: str) -> dict[str, Any]:
    path = data / f"{split}.{kind}"
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": f"data/{path.name}",
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": _FORMATS[kind],
        "sha256": file_digest(path),
    }


def _record_set(split: str) -> dict[str, Any]:
    notes = column_notes()
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"The examples of the split {split}.",
        "key": {"@id": f"{split}/id"},
        "field": [_field(split, column, notes[column.name]) for column in row_schema()],
    }


def _field(split: str, column: pa.Field, note: str) -> dict[str, Any]:
    many = pa.types.is_list(column.type)
    return {
        "@type": "cr:Field",
        "@id": f"{split}/{column.name}",
        "name": column.name,
        "description": note,
        "dataType": _data_type(column.type.value_type if many else column.type),
        **({"repeated": True} if many else {}),
        "source": {"fileObject": {"@id": f"{split}.parquet"}, "extract": {"column": column.name}},
    }


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    return "sc:Integer" if pa.types.is_integer(kind) else "sc:Text"
