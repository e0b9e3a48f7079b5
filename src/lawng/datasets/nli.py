"""NLI data sets as pairs; what may be trained on is decided here once for all.

find_sources(paths) -> the files of known data sets      read_source(source, say) -> its pairs

`lawng.datasets.nli_tables` has the sets, `lawng.datasets.nli_files` the formats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lawng.datasets.nli_files import BROKEN, Row
from lawng.datasets.nli_tables import TABLES, Made, Part, Table, is_common, stem_of
from lawng.errors import InputError
from lawng.schema.views import SHORT

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise and a hypothesis with the labels that are right."""

    pair_id: str
    premise: str
    hypothesis: str
    gold: list[str]
    """One label; or two, where the source does not tell which of them it is."""
    source: str
    part: str
    """`train`, `dev` or `test`."""
    twin_id: str = ""
    """Of the pair with the same premise and the negated hypothesis, "" when there is none."""
    negated: bool = False
    """Whether the hypothesis is one that the negation algorithm made."""


class Source(NamedTuple):
    """A file of NLI data."""

    name: str
    path: Path


def find_sources(paths: Iterable[str | Path]) -> list[Source]:
    """The files of known data sets at or under the paths, by name and, where many sets have the name, by columns.

    Other files in a folder are passed over. Raises InputError when a path is not there, or holds none.
    """
    found: list[Source] = []
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(f"{path}: is not there; name a file or folder of NLI data")
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        known = [Source(name, file) for file in files for name in [_name(file)] if name]
        if not known:
            raise InputError(_unknown(path))
        found += known
    return sorted(set(found))


def read_source(source: Source, say: Say = lambda _: None, whole: bool = False, premise: str = SHORT) -> Iterator[Pair]:
    """The pairs of a file, in its order; rows without a gold label are left out, and `say` is told how many.

    So are rows of a build on cases of the half that its part is not of (`lawng.datasets.splits`).

    Long premises are cut to the window that is nearest to the hypothesis, unless `whole`. Of a build `premise` says
    which (`lawng.schema.views.PREMISES`), and all but the short one are whole. Raises InputError naming file and line
    where a row is not of the data set.
    """
    name, left, other = source.name.partition("/")[0], 0, 0
    for number, made in enumerate(_rows(source, whole, premise), 1):
        left += not made.gold
        other += bool(made.gold) and not made.part
        if made.gold and made.part:
            key = f"{source.name}:{made.key or number}"
            yield Pair(key, made.premise, made.hypothesis, [*made.gold], name, made.part)
    if other:
        say(f"{source.path.name}: {other:,} rows on cases of the other half left out: none is trained on and tested")
    if left:
        say(
            f"{source.name.rpartition('/')[2]}: {left:,} {'row' if left == 1 else 'rows'} without a gold label left out"
        )


def _rows(source: Source, whole: bool, premise: str) -> Iterator[Made]:
    table, part = _table(source)
    table = table.seen(premise)
    at = "at its beginning"
    try:
        for place, row in table.read(source.path, table.columns):
            at = place
            yield table.made(_whole(row), part, whole)
            at = f"after {place}"
    except BROKEN as error:
        said = (str(error).splitlines() or [type(error).__name__])[0][:100]
        raise InputError(f"{source.path}, {at}: not a file of {source.name} ({said}); give it as published") from error


def _whole(row: Row | Exception) -> Row:
    if isinstance(row, Exception):
        raise ValueError(str(row)) from row  # an OverLimitError too: it does not name the file
    return row


def _table(source: Source) -> tuple[Table, Part]:
    name = source.name.partition("/")[0]
    for table in TABLES:
        if table.name == name and (file := table.file_of(source.path)):
            return table, table.files[file]
    raise InputError(f"{source.path}: is not named like a file of {name}; {_known()}")


def _name(path: Path) -> str:
    # a name that no other set has is enough: a damaged file is then told of when it is read, not passed over
    for table, file in _like(path):
        if path.is_file() and (not is_common(file) or _first_fits(table, path)):
            return f"{table.name}/{stem_of(file)}"
    return ""


def _like(path: Path) -> list[tuple[Table, str]]:
    """The data sets that have a file of this name."""
    return [(table, file) for table in TABLES if (file := table.file_of(path))]


def _first_fits(table: Table, path: Path) -> bool:
    try:
        row = next((row for _, row in table.read(path, table.columns)), None)
    except BROKEN:
        return False
    return isinstance(row, Mapping) and table.fits(row)


def _unknown(path: Path) -> str:
    sets = ", ".join(sorted({table.name for table, _ in _like(path)}))
    if path.is_file() and sets:
        return f"{path}: its first row is not one of {sets}, whose files have this name; give it as published"
    return f"{path}: no NLI data known here; {_known()}"


def _known() -> str:
    sets = ", ".join(sorted({table.name for table in TABLES}))
    return f"known are {sets}, with the file names in docs/how-to/train-a-stance-model.md"
