"""The Caselaw Access Project's bulk export of 2021, which LawngNLI used (A.1.1): JSON lines with casebody XML."""

from __future__ import annotations

import io
import json
import lzma
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from lawng.corpus.assemble import build_case
from lawng.corpus.cap import read_case, read_plain_opinions
from lawng.corpus.casebody import read_casebody
from lawng.corpus.markup import parse
from lawng.corpus.units import CASES, FILES, OPINIONS, Item, Part, Source, Unit, note, reject
from lawng.engine import Seen
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
    """The cases of a file; a file that breaks off gives all before the break and one reject."""
    path = Path(unit.source, *unit.members)
    yield Seen(1, FILES)
    lines = 0
    try:
        with ExitStack() as stack:
            for number, line in enumerate(_lines(path, stack), start=1):
                lines = number
                if line.strip():
                    yield from _read_line(line, f"{path.name}:{number}")
    except (OSError, EOFError, lzma.LZMAError, zipfile.BadZipFile) as error:
        yield reject(FILES, path.name, "file-breaks-off", f"after {lines} lines: {error}; fetch the file again")[1]


def _lines(path: Path, stack: ExitStack) -> Iterator[bytes]:
    file: IO[bytes] = stack.enter_context(path.open("rb"))
    name = path.name
    if name.endswith(".zip"):
        bag = stack.enter_context(zipfile.ZipFile(file))
        for member in sorted(m for m in bag.namelist() if m.endswith(_ENDINGS)):
            with bag.open(member) as inside:
                yield from _unpacked(inside, member)
    else:
        yield from _unpacked(file, name)


def _unpacked(file: IO[bytes], name: str) -> Iterator[bytes]:
    if name.endswith(".xz"):
        with lzma.open(file) as plain:
            yield from plain
    else:
        yield from io.BufferedReader(file) if isinstance(file, io.RawIOBase) else file


def _read_line(line: bytes, where: str) -> Iterator[Item]:
    try:
        meta = json.loads(line)
    except ValueError as error:
        yield from reject(CASES, where, "line-not-json", str(error))
        return
    try:
        case = read_case(meta, FORMAT, where)
        parts, source, notes = _read_body(meta.get("casebody") or {}, case)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        yield from reject(CASES, where, "not-a-case", repr(error))
        return
    yield from build_case(case, parts, source)
    yield from notes


def _read_body(casebody: dict[str, Any], case: Case) -> tuple[list[Part], Source, list[Item]]:
    """Opinions of either body format; what cannot be read is rejected in the third."""
    status, data = casebody.get("status", "ok"), casebody.get("data")
    if status != "ok" or not data:
        detail = f"casebody status {status!r}"
        return [], Source(), list(reject(OPINIONS, case.case_id, "case-without-body", detail))
    if not isinstance(data, str):
        parts = read_plain_opinions(data, case.case_id, "casebody.text")
        return parts, Source(), [note("body-format-text-has-no-page-marks")]
    tree, mended = parse(data)
    if tree is None:
        return [], Source(), list(reject(OPINIONS, case.case_id, "markup-unreadable", data[:200]))
    parts, source = read_casebody(tree, case.case_id, "casebody.xml")
    extra: list[Item] = [note("markup-mended")] if mended else []
    if not parts:
        extra += reject(OPINIONS, case.case_id, "case-without-opinion-element")
    return parts, source, extra
