"""The data card: README.md with the YAML header that `datasets.load_dataset` reads; and Croissant 1.0 metadata."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

import pyarrow as pa

from lawng import __version__
from lawng.io import file_digest, read_json
from lawng.io.parquet import group_sizes
from lawng.reports.dataset import SPLITS, column_notes, row_schema
from lawng.reports.funnel import FunnelStep, funnel_grid
from lawng.reports.grid import Grid, markdown
from lawng.reports.statistics import Statistics, sizes, sources, table_2
from lawng.schema.labels import LABELS

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

_HERE = Path(__file__).parent


def croissant(data: Path, name: str) -> dict[str, Any]:
    """Croissant 1.0 metadata of the data files in a folder `data`: one record set per split, with digests of the files.

    Raises OSError, if a data file is missing. Source: the Croissant format specification, version 1.0.
    """
    return {
        **read_json(_HERE / "croissant.json"),
        "name": name,
        "description": DESCRIPTION,
        "citeAs": PAPER,
        "license": LICENCE_NOTE,
        "version": __version__,
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
    if pa.types.is_floating(kind):
        return "sc:Float"
    return "sc:Integer" if pa.types.is_integer(kind) else "sc:Text"


_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(data: Path, statistics: Statistics, funnel: list[FunnelStep], manifest: dict[str, Any]) -> str:
    """README.md of a build, by the template `card.md`: header for the loader, how it was built, numbers and limits.

    `data` is the folder with the data files, whose sizes go into the header.
    """
    n = sum(statistics.examples.values())
    files = {split: data / f"{split}.parquet" for split in SPLITS}
    bytes_of = {split: sum(group_sizes(path)) for split, path in files.items()}
    # `datasets` cannot load a split without a row, as small corpora give
    filled = [split for split in SPLITS if statistics.examples[split]] or list(SPLITS[:1])
    tables = (sizes(statistics), *sources(statistics), table_2(statistics), baselines_grid(statistics))
    shown = {key: manifest[key] for key in ("lawng", "models", "seed", "config", "versions") if key in manifest}
    notes = [[f"`{name}`", note] for name, note in column_notes().items()]
    return Template((_HERE / "card.md").read_text("utf-8")).substitute(
        size=next((name for limit, name in _SIZES if n < limit), "1M<n<10M"),
        files="\n".join(f"  - split: {split}\n    path: data/{split}.parquet" for split in filled),
        features="\n".join(line for column in row_schema() for line in _feature(column)),
        splits="\n".join(
            f"  - name: {split}\n    num_bytes: {bytes_of[split]}\n    num_examples: {statistics.examples[split]}"
            for split in filled
        ),
        download_size=sum(path.stat().st_size for path in files.values()),
        dataset_size=sum(bytes_of.values()),
        description=DESCRIPTION,
        n=f"{n:,}",
        twins=f"{statistics.twins:,}",
        labels=json.dumps([str(label) for label in LABELS]),
        statistics="\n\n".join(map(markdown, tables)),
        propositions=_PROPOSITIONS if statistics.sources else "",
        funnel=markdown(funnel_grid(funnel)),
        manifest=json.dumps(shown, indent=2, ensure_ascii=False, sort_keys=True),
        columns=markdown(Grid("One row per example", ["column", "what it holds"], notes, frozenset({0, 1}))),
        licence=LICENCE_NOTE,
        paper=PAPER,
    )


def _feature(column: pa.Field) -> Iterator[str]:
    yield f"  - name: {column.name}"
    if column.name in ("label", "original_label"):
        yield from ("    dtype:", "      class_label:", "        names:")
        yield from (f"          '{i}': {label}" for i, label in enumerate(LABELS))
    elif pa.types.is_list(column.type):
        yield f"    list: {column.type.value_type}"
    else:
        yield f"    dtype: {column.type}"


def baselines_grid(statistics: Statistics) -> Grid:
    """How far one gets without reading the premise: what a model must beat."""
    rows = [[b["name"], _rate(b), str(b["n_train"]), str(b["n_test"]), b["note"]] for b in statistics.baselines]
    columns = ["Baseline", "Accuracy (95 % interval)", "Train", "Held out", "Note"]
    return Grid("Baselines that do not read the premise", columns, rows, frozenset({0, 4}))


def _rate(baseline: dict[str, Any]) -> str:
    if baseline["accuracy"] is None:
        return "not computed"
    low, high = baseline["interval"]
    return f"{baseline['accuracy']:.3f} ({low:.3f} to {high:.3f})"


_PROPOSITIONS = """

Beyond the paper, this build has propositions, `hypothesis_source` tells them: the sentence, or the part of one, that a
pinned citation stands to. A court cites a page for what it is about; whether the page entails all of it is judged by
readers where they read it (those of the bundled verifier are language models, no lawyers), else by a verifier, and what
does not pass is no example. Each is used twice: entailed or contradicted, and as neutral with another premise, so that
none of its words gives a neutral one away. Many are close to the words of their pages and a neutral premise is not:
report results by thirds of `overlap`. Where each source has all kinds of examples, labels are balanced
within each, so that over all splits together the source tells none; else over both, and then it may.

`retrieval/` pairs all such sentences with the cited pages, passed or not. It is parted by cited case and not as `data/`
is: what was trained on one of the two has seen cases that the other holds out."""
