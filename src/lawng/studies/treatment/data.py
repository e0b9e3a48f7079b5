"""Labelled pairs of citing and cited case, with what corpora have of them.

read_pairs(file) -> list[Pair]      find_pairs(pairs, corpora) -> list[Found]      features_of(found) -> dict
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.citation.extract import citations_of_case
from lawng.corpus.cites import read_cites
from lawng.corpus.reader import Corpus
from lawng.errors import InputError, MissingError
from lawng.schema import TREATMENTS, Case
from lawng.treatment.features import Citing, acts_in, context_of
from lawng.treatment.judge import Hearsay, read_citing

_NEEDED = ("citing_cluster_id", "cited_cluster_id", "cited_citations", "label")
_KNOWN = frozenset((*_NEEDED, "citing", "cited"))


class Pair(NamedTuple):
    """A labelled pair of cases, by CourtListener's cluster ids."""

    citing: str
    cited: str
    names: tuple[str, str]
    cites: tuple[str, ...]
    """Normalised, of the cited case."""
    label: str
    answers: dict[str, str]
    """Of other systems, by the file's other columns; "" where they gave none."""


class Found(NamedTuple):
    """A pair with its citing case as it was read, and the cited case's number in it."""

    pair: Pair
    citing: Citing
    number: int | None
    """None where the citing case does not cite it, as far as its citations can be read."""
    told: tuple[int, int]
    """What other cases of the corpora tell (`Hearsay.about`)."""


def read_pairs(file: Path) -> list[Pair]:
    """The pairs of a CSV file with `citing_cluster_id`, `cited_cluster_id`, `cited_citations` and `label`.

    Columns beside these and the names `citing` and `cited` are answers of other systems.
    Raises MissingError when the file is not there, InputError when it is no such file, with the line.
    """
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, strict=True)
            lost = [name for name in _NEEDED if name not in (rows.fieldnames or ())]
            if lost:
                raise InputError(f"{file}: no column {', '.join(lost)}; it has {', '.join(rows.fieldnames or ())}")
            return [_pair(file, rows.line_num, row) for row in rows]
    except FileNotFoundError as error:
        raise MissingError(f"{file}: not there; name a file of labelled pairs with --data") from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{file}: cannot be read as CSV ({error})") from error


def _pair(file: Path, line: int, row: dict[str, str]) -> Pair:
    if None in row or None in row.values():
        raise InputError(f"{file}, line {line}: has not as many cells as the heading")
    if row["label"] not in TREATMENTS:
        raise InputError(f"{file}, line {line}: label {row['label']!r} is none of {', '.join(TREATMENTS)}")
    cites = tuple(cite.cite for cite in read_cites(row["cited_citations"].split(";")))
    answers = {name: said for name, said in row.items() if name not in _KNOWN}
    names = (row.get("citing", ""), row.get("cited", ""))
    return Pair(row["citing_cluster_id"], row["cited_cluster_id"], names, cites, row["label"], answers)


class _Cites(dict[str, str]):
    """Which case has a cite: of corpora and of the pairs."""

    def case_of(self, cite: str) -> str | None:
        """The case's id."""
        return self.get(cite) or None


def find_pairs(pairs: Sequence[Pair], corpora: Sequence[Path]) -> list[Found]:
    """The pairs whose citing case is in one of the corpora, in their order; all opinions are read for what they tell.

    Raises MissingError when a folder is no corpus, InputError when no citing case is there.
    """
    opened = [Corpus(folder) for folder in corpora]
    cites = _cites_of(pairs, opened)
    wanted = {f"cl:{pair.citing}" for pair in pairs}
    hearsay, read = Hearsay(), dict[str, Citing]()
    for corpus in opened:
        for case, opinions in corpus.cases_with_opinions():
            citing = read_citing(case, opinions, citations_of_case(opinions, cites))
            hearsay.hear(citing)
            if case.case_id in wanted:
                read.setdefault(case.case_id, citing)
    if not read:
        raise InputError("no citing case of the pairs is in the corpora; name the corpus that they were drawn from")
    return [_found(pair, read[key], hearsay) for pair in pairs if (key := f"cl:{pair.citing}") in read]


def _cites_of(pairs: Sequence[Pair], corpora: Sequence[Corpus]) -> _Cites:
    """Cites that name one case alone; what two cases have names neither."""
    owners: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        for cite in pair.cites:
            owners[cite].add(f"cl:{pair.cited}")
    cases: Iterator[Case] = (case for corpus in corpora for case in corpus.cases())
    for case in cases:
        for reporter_cite in case.citations:
            owners[reporter_cite.cite].add(case.case_id)
    return _Cites({cite: next(iter(ids)) for cite, ids in owners.items() if len(ids) == 1})


def _found(pair: Pair, citing: Citing, hearsay: Hearsay) -> Found:
    own = set(pair.cites)
    for number, cited in enumerate(citing.every):
        if f"cl:{pair.cited}" in cited.case_ids or own.intersection(cited.cites):
            return Found(pair, citing, number, hearsay.about(citing.case, cited))
    return Found(pair, citing, None, (0, 0))


def features_of(found: Found) -> dict[str, float]:
    """What a pair is judged by; of one that is not cited only that nothing is said of it."""
    if found.number is None:
        return {}
    said = found.citing.said.get(found.number, [])
    return acts_in(said, found.number) | context_of(found.citing, found.number, *found.told)
