"""Several files and folders of contracts as one library.

read_libraries(places) -> Library
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lawng.clauses.collection import Library, read_library
from lawng.clauses.facts import Facts
from lawng.io.progress import Progress, silent
from lawng.schema import Clause


def read_libraries(places: Sequence[str | Path], progress: Progress = silent, cache: Path | None = None) -> Library:
    """The clauses of all places, one read after the other, each place once; raises what `read_library` raises.

    A file that has the name of one of a place before it is named with its place, and so is a clause with such an id.
    """
    once: dict[Path, str | Path] = {}
    for place in places:
        once.setdefault(Path(place).resolve(), place)
    found = [(str(place), read_library(place, progress, cache)) for place in once.values()]
    return found[0][1] if len(found) == 1 else _joined(found)


def _joined(libraries: Sequence[tuple[str, Library]]) -> Library:
    clauses: list[Clause] = []
    facts, dropped = dict[str, Facts](), Counter[str]()
    sources, ids = set[str](), set[str]()
    for place, library in libraries:
        own = f"{place}/".removesuffix(f"{Path(place).name}/") if Path(place).is_file() else f"{place}/"
        new = {old: own + old if old in sources else old for old in {one.source for one in library.clauses}}
        told = dict(_renamed(library, new, ids, place))
        clauses += told.values()
        sources |= set(new.values())
        ids |= {clause.clause_id for clause in told.values()}
        named = new | {old: clause.clause_id for old, clause in told.items()}
        facts |= {named[key]: what for key, what in library.facts.items() if key in named}
        dropped.update(library.dropped)
    rejects = [reject for _, library in libraries for reject in library.rejects]
    notes = dict.fromkeys(note for _, library in libraries for note in library.notes)
    return Library(clauses, rejects, dict(dropped), tuple(notes), facts)


def _renamed(library: Library, sources: dict[str, str], taken: set[str], place: str) -> Iterator[tuple[str, Clause]]:
    """The clauses by their old ids, under names that are not taken."""
    for clause in library.clauses:
        source, old = sources[clause.source], clause.clause_id
        own = source + old.removeprefix(clause.source) if old.startswith(clause.source) else old
        yield old, replace(clause, source=source, clause_id=f"{place}/{own}" if own in taken else own)
