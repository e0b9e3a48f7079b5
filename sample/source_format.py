"""The hand-written source of the sample: TOML front matter, then opinions with page and footnote marks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawng.errors import InputError

TYPES = ("majority", "concurrence", "dissent", "concurring-in-part-and-dissenting-in-part")
PAGE = re.compile(r"\{\*(?:(?P<series>\d):)?(?P<label>\w+)\}")
"""A page mark: {*113} of the official reporter, {*2:15} of the second citation's."""
NOTE_MARK = re.compile(r"\[\^(\w+)\]")
NOTE = re.compile(r"\[\^(\w+)\]:\s*(.*)", re.DOTALL)
CITE = re.compile(r"(?P<volume>\d+) (?P<reporter>.+) (?P<page>\d+)")
HEADING = re.compile(r"^== *(?P<type>[\w-]+) *\| *(?P<author>.+?) *$", re.MULTILINE)


class SourceError(InputError):
    """A source file of the sample does not follow its format."""


@dataclass(frozen=True, slots=True)
class Part:
    """One opinion: its paragraphs and footnotes, with marks still in them."""

    type: str
    author: str
    paragraphs: list[str]
    notes: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SampleCase:
    """A source file, read."""

    path: Path
    id: int
    name: str
    name_full: str
    date: str
    docket: str
    court: str
    court_abbr: str
    jurisdiction: str
    reporter: str
    volume: str
    first_page: str
    last_page: str
    citations: list[str]
    judges: list[str]
    attorneys: list[str]
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class Work:
    """A case with its place in the layout."""

    case: SampleCase
    slug: str
    file_name: str

    @property
    def case_path(self) -> str:
        """Its address on the site, such as /f3d/1801/0112-01."""
        return f"/{self.slug}/{self.case.volume}/{self.file_name}"


def read_case(path: Path, jurisdictions: Container[str]) -> SampleCase:
    """A source file as a case; `SourceError` names the file and what is wrong."""
    _, front, body = [*path.read_text(encoding="utf-8").split("+++", 2), "", ""][:3]
    try:
        fields = tomllib.loads(front)
        case = SampleCase(path=path, parts=read_parts(body, path), **normal_fields(fields))
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise SourceError(f"{path}: front matter: {error}; see sample/README.md") from None
    slugs = {"U.S.": "us", "Mass.": "mass", "Ill.": "ill"}
    if slugs.get(case.jurisdiction, case.jurisdiction) not in jurisdictions:
        raise SourceError(f"{path}: unknown jurisdiction {case.jurisdiction!r}; use us, mass or ill")
    return case


def normal_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Front matter with pages and volume as text, and judges and attorneys as lists, however they were written."""
    for key in ("volume", "first_page", "last_page", "date"):
        fields[key] = str(fields.get(key, ""))
    for key in ("judges", "attorneys"):
        value = fields.get(key, [])
        fields[key] = [value] if isinstance(value, str) else value
    return fields


def read_parts(body: str, path: Path) -> list[Part]:
    """The opinions of a case in order."""
    pieces = HEADING.split(body)
    if len(pieces) == 1 or pieces[0].strip():
        raise SourceError(f"{path}: text before the first '== type | author' line; begin the body with one")
    parts = [read_part(*pieces[i : i + 3]) for i in range(1, len(pieces), 3)]
    for part in parts:
        if part.type not in TYPES:
            raise SourceError(f"{path}: unknown opinion type {part.type!r}; use one of {', '.join(TYPES)}")
    return parts


def read_part(kind: str, author: str, text: str) -> Part:
    """One opinion: blank lines part its paragraphs, `[^1]: ...` paragraphs are footnotes."""
    blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]
    notes = [match.groups() for block in blocks if (match := NOTE.fullmatch(block))]
    paragraphs = [block for block in blocks if not NOTE.fullmatch(block)]
    return Part(kind, author, paragraphs, [(label, note) for label, note in notes])


def page_problems(case: SampleCase) -> list[str]:
    """One line for each page mark out of order, missing or beyond the case, and each footnote without its mark."""
    marks: dict[int, list[int]] = {}
    for part in case.parts:
        for match in PAGE.finditer("\n".join(part.paragraphs)):
            marks.setdefault(int(match["series"] or 1), []).append(int(match["label"]))
    problems = [problem for part in case.parts for problem in note_problems(part)]
    for series, labels in sorted(marks.items()):
        problems += series_problems(case, series, labels)
    missing = [f"no page marks of {cite}" for series, cite in enumerate(case.citations, 1) if series not in marks]
    return [f"{case.path}: {problem}" for problem in (*problems, *missing)]


def series_problems(case: SampleCase, series: int, labels: list[int]) -> list[str]:
    """Faults in the marks of one reporter: they must run on from the first page without a gap."""
    if series > len(case.citations) or not (cite := CITE.fullmatch(case.citations[series - 1])):
        return [f"marks of series {series}, which has no citation"]
    first = int(cite["page"])
    problems = []
    if labels != list(range(first + 1, first + 1 + len(labels))):
        problems.append(f"marks of {cite[0]} do not run on from {first + 1}: {labels}")
    if series == 1 and labels[-1] != int(case.last_page):
        problems.append(f"last mark {labels[-1]} is not the last page {case.last_page}")
    return problems


def note_problems(part: Part) -> list[str]:
    """Footnotes and their marks must answer each other, in order."""
    marks = NOTE_MARK.findall("\n".join(part.paragraphs))
    labels = [label for label, _ in part.notes]
    return [] if marks == labels else [f"footnote marks {marks} but footnotes {labels} in {part.type}"]
