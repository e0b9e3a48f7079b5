"""Make the bundled sample: hand-written, fictional opinions into the layout of static.case.law.

    python sample/make_sample.py [-o FOLDER] [--check]

Reads `source/*/*.txt` beside this file and writes `caselaw/` (or FOLDER). The same source gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from render import analysis, body_html, cites_to, opinion_text
from source_format import SampleCase, SourceError, Work, page_problems, read_case

HERE = Path(__file__).parent
NOTICE = "Fictional: written for the lawng sample. No such case, court decision or person exists."
STAMP = "2024-01-01T00:00:00+00:00"
REPORTERS: dict[str, tuple[int, str, str]] = {
    "F.3d": (983, "f3d", "Federal Reporter, Third Series"),
    "F. Supp. 3d": (999, "f-supp-3d", "Federal Supplement, Third Series"),
    "Mass.": (477, "mass", "Massachusetts Reports"),
    "Ill. 2d": (525, "ill-2d", "Illinois Reports, Second Series"),
}
"""Official reporters of the sample: id, folder and full name, as static.case.law has them (ids are ours)."""
JURISDICTIONS: dict[str, tuple[int, str, str]] = {
    "us": (39, "U.S.", "United States"),
    "mass": (4, "Mass.", "Massachusetts"),
    "ill": (29, "Ill.", "Illinois"),
}
"""Jurisdictions by slug: id, short and long name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the sample; 0 when it is written, 1 when the source has faults (each printed on a line)."""
    parser = argparse.ArgumentParser(description="Make the fictional sample corpus from its source.")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "caselaw", help="folder to write anew")
    parser.add_argument("--check", action="store_true", help="only look for faults in the source")
    options = parser.parse_args(arguments)
    try:
        cases = [read_case(path, JURISDICTIONS) for path in sorted((HERE / "source").glob("*/*.txt"))]
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    problems = [*duplicates(cases), *(problem for case in cases for problem in page_problems(case))]
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems and not options.check:
        write_sample(cases, options.output)
    return int(bool(problems))


def duplicates(cases: Iterable[SampleCase]) -> list[str]:
    """One line for each id or citation that two source files claim."""
    first: dict[str, SampleCase] = {}
    problems = []
    for case in cases:
        for key in (f"id {case.id}", *(f"citation {cite}" for cite in case.citations)):
            other = first.setdefault(key, case)
            if other is not case:
                problems.append(f"{case.path}: {key} is also in {other.path.name}; give one of them another")
    return problems


def write_sample(cases: list[SampleCase], target: Path) -> None:
    """All folders and metadata files of the sample below `target`, which is made anew."""
    if target.exists():
        shutil.rmtree(target)
    works = sorted(number_in_volume(cases), key=lambda work: (work.slug, int(work.case.volume), work.file_name))
    index = {cite: work for work in works for cite in work.case.citations}
    volumes = []
    for (slug, volume), group in groupby(works, key=lambda work: (work.slug, work.case.volume)):
        members = list(group)
        volumes.append(volume_metadata(slug, volume, members))
        write_volume(target / slug / volume, members, volumes[-1], index)
    write_tops(target, works, volumes)


def number_in_volume(cases: list[SampleCase]) -> list[Work]:
    """Each case with its file name: first page and, for cases that begin on one page, a running number."""
    seen: dict[tuple[str, str, str], int] = {}
    works = []
    for case in sorted(cases, key=lambda case: case.id):
        key = (case.reporter, case.volume, case.first_page)
        seen[key] = seen.get(key, 0) + 1
        works.append(Work(case, REPORTERS[case.reporter][1], f"{int(case.first_page):04d}-{seen[key]:02d}"))
    return works


def write_volume(folder: Path, works: list[Work], volume: dict[str, Any], index: dict[str, Work]) -> None:
    """One volume: a JSON and an HTML file per case, and the volume's two metadata files."""
    metadata = []
    for work in works:
        record = case_metadata(work, index)
        metadata.append(record)
        write_json(folder / "cases" / f"{work.file_name}.json", {**record, "casebody": casebody(work.case)})
        write_text(folder / "html" / f"{work.file_name}.html", body_html(work, index, NOTICE))
    write_json(folder / "CasesMetadata.json", metadata)
    own = {key: value for key, value in volume.items() if key not in ("volume_folder", "reporter_slug")}
    write_json(folder / "VolumeMetadata.json", own)


def case_metadata(work: Work, index: dict[str, Work]) -> dict[str, Any]:
    """What CasesMetadata.json and the case's own file say of a case."""
    case = work.case
    kinds = ["official", *["parallel"] * (len(case.citations) - 1)]
    court = {"name_abbreviation": case.court_abbr, "id": court_id(case.court), "name": case.court}
    return {
        "id": case.id,
        "name": case.name_full,
        "name_abbreviation": case.name,
        "decision_date": case.date,
        "docket_number": case.docket,
        "first_page": case.first_page,
        "last_page": case.last_page,
        "citations": [{"type": kind, "cite": cite} for kind, cite in zip(kinds, case.citations, strict=True)],
        "court": court,
        "jurisdiction": jurisdiction(case.jurisdiction),
        "cites_to": cites_to(work, index),
        "analysis": analysis(opinion_text(part) for part in case.parts),
        "last_updated": STAMP,
        "provenance": {"date_added": STAMP[:10], "source": "lawng sample (fictional)", "batch": "fictional"},
        "file_name": work.file_name,
        "first_page_order": int(case.first_page),
        "last_page_order": int(case.last_page),
    }


def casebody(case: SampleCase) -> dict[str, Any]:
    """The body of a case as text: no page marks, footnotes at the end of each opinion."""
    opinions = [{"text": opinion_text(part), "type": part.type, "author": part.author} for part in case.parts]
    head = [case.name_full, case.docket, case.court, case.date, NOTICE, *case.attorneys, *case.judges]
    return {
        "judges": case.judges,
        "parties": [case.name_full],
        "opinions": opinions,
        "attorneys": case.attorneys,
        "corrections": "",
        "head_matter": "\n".join(head),
    }


def court_id(name: str) -> int:
    """A number of our own for a court: the sample invents decisions, and must not borrow real ids."""
    return 90000 + sum(ord(letter) * place for place, letter in enumerate(name, 1)) % 10000


def jurisdiction(slug: str) -> dict[str, Any]:
    """A jurisdiction as every metadata file of the layout writes it."""
    number, short, long = JURISDICTIONS[slug]
    return {"id": number, "name_long": long, "name": short}


def volume_metadata(slug: str, volume: str, works: list[Work]) -> dict[str, Any]:
    """One volume's entry; its title says that the volume is fictional."""
    years = sorted(int(work.case.date[:4]) for work in works)
    return {
        "volume_number": volume,
        "title": "Fictional volume of the lawng sample",
        "publisher": None,
        "publication_year": years[-1],
        "start_year": years[0],
        "end_year": years[-1],
        "series_volume_number": volume,
        "jurisdictions": [jurisdiction(j) for j in sorted({work.case.jurisdiction for work in works})],
        "id": f"fictional-{slug}-{volume}",
        "harvard_hollis_id": None,
        "spine_start_year": None,
        "spine_end_year": None,
        "publication_city": None,
        "second_part_of_id": None,
        "redacted": False,
        "nominative_reporter": None,
        "volume_folder": volume,
        "reporter_slug": slug,
    }


def write_tops(target: Path, works: list[Work], volumes: list[dict[str, Any]]) -> None:
    """The metadata files above the volumes: reporters, all volumes, jurisdictions."""
    reporters = []
    for short, group in groupby(works, key=lambda work: work.case.reporter):
        reporters.append(reporter_metadata(short, list(group)))
        slug = reporters[-1]["slug"]
        write_json(target / slug / "ReporterMetadata.json", reporters[-1])
        write_json(target / slug / "VolumesMetadata.json", [v for v in volumes if v["reporter_slug"] == slug])
    write_json(target / "ReportersMetadata.json", reporters)
    write_json(target / "VolumesMetadata.json", volumes)
    present = sorted({work.case.jurisdiction for work in works})
    slugs = [{**jurisdiction(j), "slug": j, "reporters": [r for r in reporters if has(r, j)]} for j in present]
    write_json(target / "JurisdictionsMetadata.json", slugs)


def has(reporter: dict[str, Any], slug: str) -> bool:
    """Whether a reporter prints cases of a jurisdiction."""
    return jurisdiction(slug) in reporter["jurisdictions"]


def reporter_metadata(short: str, works: list[Work]) -> dict[str, Any]:
    """One reporter's entry, its years those of the sample's cases."""
    number, slug, full = REPORTERS[short]
    years = sorted(int(work.case.date[:4]) for work in works)
    return {
        "id": number,
        "full_name": full,
        "short_name": short,
        "start_year": years[0],
        "end_year": years[-1],
        "jurisdictions": [jurisdiction(j) for j in sorted({work.case.jurisdiction for work in works})],
        "harvard_hollis_id": [],
        "slug": slug,
    }


def write_json(path: Path, value: object) -> None:
    """Indented JSON, as the site serves it."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """A UTF-8 file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
