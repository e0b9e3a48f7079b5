"""The Caselaw Access Project's bulk export of 2021, which LawngNLI used (A.1.1): JSON lines with casebody XML."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from lawng.corpus.assemble import build_case
from lawng.corpus.cap import NOT_A_CASE, read_case, read_plain_opinions
from lawng.corpus.casebody import read_casebody
from lawng.corpus.markup import parse
from lawng.corpus.packed import READING, Zip, open_packed
from lawng.corpus.units import CASES, FILES, OPINIONS, Item, Part, Source, Unit, broken_off, note, reject
from lawng.corpus.values import values_of
from lawng.engine import Seen
from lawng.limits import OverLimitError
from lawng.records import Case

FORMAT = "cap-bulk"
_ENDINGS = (".jsonl", ".jsonl.xz")


def units_of(source: Path) -> list[Unit]:
    """One unit per file: a file is streamed, however large it is."""
    if source.is_file():
        return [Unit(FORMAT, str(source))]
    files = (path for path in sorted(source.rglob("*")) if path.name.endswith((*_ENDINGS, ".zip")))
    return [Unit(FORMAT, str(source), (path.relative_to(source).as_posix(),)) for path in files]


def read_unit(unit: Unit) -> Iterator[Item]:
    """The cases of a file; one that breaks off, or a member of it, gives all before the break and one reject."""
    path = Path(unit.source, *unit.members)
    yield Seen(1, FILES)
    if not path.name.endswith(".zip"):
        yield from _read_lines(open_packed(path), path.name)
        return
    try:
        with Zip(path) as bag:
            for member in bag.names:
                if member.endswith(_ENDINGS):
                    yield from _read_lines(bag.open_unpacked(member), f"{path.name}/{member}")
    except (*READING, OverLimitError) as error:
        yield broken_off(path.name, error)


def _read_lines(opened: AbstractContextManager[io.BufferedReader], name: str) -> Iterator[Item]:
    place = "0"
    try:
        with opened as file:
            for found in values_of(file):
                place = found.place
                yield from found.notes
                yield from _read_value(found.value, f"{name}:{place}")
    except (*READING, OverLimitError) as error:
        yield broken_off(name, error, f"after {place} lines: ")


def _read_value(meta: Any, where: str) -> Iterator[Item]:
    if isinstance(meta, OverLimitError):
        yield from reject(CASES, where, meta.reason, str(meta))
    elif isinstance(meta, Exception):
        yield from reject(CASES, where, "line-not-json", str(meta))
    else:
        yield from _read_case(meta, where)


def _read_case(meta: Any, where: str) -> Iterator[Item]:
    try:
        case = read_case(meta, FORMAT, where)
        parts, source, notes = _read_body(meta.get("casebody") or {}, case)
    except OverLimitError as error:
        yield from reject(CASES, where, error.reason, str(error))
    except NOT_A_CASE as error:
        yield from reject(CASES, where, "not-a-case", repr(error))
    else:
        yield from build_case(case, parts, source)
        yield from notes


def _read_body(casebody: dict[str, Any], case: Case) -> tuple[list[Part], Source, list[Item]]:
    """Opinions of either body format; what cannot be read is rejected in the third."""
    status, data = casebody.get("status", "ok"), casebody.get("data")
    if status != "ok" or not data:
        detail = f"casebody status {status!r}"
        return [], Source(), list(reject(OPINIONS, case.case_id, "case-without-body", detail, case.source_path))
    if not isinstance(data, str):
        parts = read_plain_opinions(data, case.case_id, "casebody.text")
        return parts, Source(), [note("body-format-text-has-no-page-marks")]
    tree, mended = parse(data)
    if tree is None:
        return [], Source(), list(reject(OPINIONS, case.case_id, "markup-unreadable", data[:200], case.source_path))
    parts, source = read_casebody(tree, case.case_id, "casebody.xml")
    extra: list[Item] = [note("markup-mended")] if mended else []
    if not parts:
        extra += reject(OPINIONS, case.case_id, "case-without-opinion-element", "", case.source_path)
    return parts, source, extra
