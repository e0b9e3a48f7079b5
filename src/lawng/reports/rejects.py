"""Rejects of a build's stages or of an import: as they are stored, chosen by stage, reason or file, and counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lawng.errors import InputError, MissingError
from lawng.pipeline.run import STAGE, read_stage
from lawng.reports.builds import Table, open_build
from lawng.reports.grid import Grid

Stages = Mapping[str, Path]
"""Folders of stages with a table of rejects, by name, in order."""
_FILE = re.compile(r"^.+?\.(?:zip|tar)(?=/)|^.+(?=:\d+$)")
_EXAMPLE = 80


def stages_of(place: str) -> Stages:
    """The stages of a build, the import of a corpus, or the imports of the corpora that an index was made from.

    Raises InputError when there is none of these, MissingError when a corpus of an index is no longer there.
    """
    folder = Path(place)
    if (folder / "stages").is_dir():
        return {name: folder / "stages" / name for name in open_build(folder).stages}
    if (folder / STAGE).is_file():
        return {"import": folder}
    from lawng.index.store import Store, reading

    try:
        store = Store.existing(place)
    except (InputError, MissingError):
        raise InputError(f"{place}: neither a corpus, a build nor an index; name one of these") from None
    with reading(place):
        corpora = {commit.corpus_name: Path(commit.corpus_name) for commit in store.commits()}
    for name, corpus in corpora.items():
        if not (corpus / STAGE).is_file():
            raise MissingError(
                f"{place}: the corpus {name}, which it was made from, is not there; its rejects are in it"
            )
    return {f"import of {name}": corpus for name, corpus in corpora.items()}


def iter_rejects(
    stages: Stages, reason: str | None = None, stage: str | None = None, file: str | None = None
) -> Iterator[dict[str, Any]]:
    """The rejects in the order of the stages, streaming; `step` is the step inside the stage, `place` is of an import.

    `stage` is a stage's name, with or without its number, or a step's; `file` is a file of the sources, or a part of
    its name. Raises InputError, naming what there is, when there is no such stage or step, no reject for that reason
    or none of that file.
    """
    seen = [
        (name, step, reason)
        for name, folder in stages.items()
        for step, reasons in read_stage(folder)["tally"]["rejects"].items()
        for reason in reasons
    ]
    where = ", ".join(map(str, stages.values())) if len(stages) == 1 else "these stages"
    if stage is not None and not any(_is(stage, folder, step) for folder, step, _ in seen):
        raise InputError(f"no rejects of stage {stage} in {where}; there are: {_listed(s for _, s, _ in seen)}")
    if reason is not None and not any(reason == found for *_, found in seen):
        raise InputError(f"no rejects for {reason} in {where}; reasons are: {_listed(r for *_, r in seen)}")
    return _chosen(stages, reason, stage, file)


def count_grid(rows: Iterable[dict[str, Any]]) -> Grid:
    """How many rejects there are by stage, step, file and reason, with an example of each."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    examples: dict[tuple[str, str, str, str], str] = {}
    for row in rows:
        key = (row["stage"], row["step"], file_of(row.get("place", "")), row["reason"])
        counts[key] += 1
        examples.setdefault(key, _example(row))
    cells = [["stage", "step", "file", "reason", "n", "an example"]]
    for key, n in sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0])):
        cells.append([*key, f"{n:,}", examples[key]])
    if not any(file for _, _, file, _ in counts):
        cells = [row[:2] + row[3:] for row in cells]
    names = cells.pop(0)
    return Grid("Rejects", names, cells, frozenset(range(len(names))) - {names.index("n")})


def file_of(place: str) -> str:
    """The file that a place is in: without the line, or the member of an archive.

    >>> file_of("us.jsonl:12"), file_of("9.zip/json/0001-01.json"), file_of("raw_opinions/1_020lead.txt"), file_of("")
    ('us.jsonl', '9.zip', 'raw_opinions/1_020lead.txt', '')
    """
    match = _FILE.match(place)
    return match[0] if match else place


def _example(row: dict[str, Any]) -> str:
    at = row.get("place") or row["id"]
    said = " ".join(f"{at}: {row['detail']}".split()) if row["detail"] else at
    return said if len(said) <= _EXAMPLE else f"{said[:_EXAMPLE]}…"


def _chosen(stages: Stages, reason: str | None, stage: str | None, file: str | None) -> Iterator[dict[str, Any]]:
    for name, folder in stages.items():
        for batch in Table(folder / "rejects").batches():
            for row in batch.to_pylist():
                asked = reason in (None, row["reason"]) and (stage is None or _is(stage, name, row["stage"]))
                place = row.get("place") or ""
                if asked and (file is None or file in file_of(place)):
                    shown = {"stage": name, "step": row["stage"], **{k: row[k] for k in ("id", "reason", "detail")}}
                    yield {**shown, "place": place} if name.startswith("import") else shown


def _is(stage: str, folder: str, step: str) -> bool:
    return stage in (folder, folder.partition("-")[2], step)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(set(words))) or "none"
