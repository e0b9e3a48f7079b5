"""Labelled pairs of citing and cited case, with what corpora have of them.

read_pairs(file) -> list[Pair]      find_pairs(pairs, corpora) -> Material      features_of(citing, number, hearsay)
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from lawng.corpus.cites import read_cites
from lawng.corpus.reader import Corpus
from lawng.errors import InputError, MissingError
from lawng.schema import TREATMENTS
from lawng.treatment.features import Citing, acts_in, context_of
from lawng.treatment.judge import Hearsay
from lawng.treatment.whole import read_corpus, unique_cites

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


class Prediction(NamedTuple):
    """What is said of a labelled pair."""

    found: Found
    predicted: str
    probability: float
    sentence: str
    """The deciding one, "" where the citing case does not cite the other."""


def read_pairs(file: Path) -> list[Pair]:
    """The pairs of a CSV file with `citing_cluster_id`, `cited_cluster_id` (or ""), `cited_citations` and `label`.

    Columns beside these and the names `citing` and `cited` are answers of other systems.
    Raises MissingError when the file is not there, InputError when it is no such file, with the line.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines, strict=True)
            lost = [name for name in _NEEDED if name not in (rows.fieldnames or ())]
            if lost:
                raise InputError(f"{file}: no column {', '.join(lost)}; it has {', '.join(rows.fieldnames or ())}")
            return [_pair(file, rows.line_num, row) for row in rows]
    except FileNotFoundError as error:
        raise MissingError(f"{file}: not there; name a file of labelled pairs with --data") from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{file}: cannot be read as CSV ({error})") from error


def read_more(files: Sequence[Path]) -> list[Pair]:
    """The pairs of several files that are trained on and not asked, in their order. Raises as `read_pairs` does."""
    return [pair for file in files for pair in read_pairs(file)]


def _pair(file: Path, line: int, row: dict[str, str]) -> Pair:
    if None in row or None in row.values():
        raise InputError(f"{file}, line {line}: has not as many cells as the heading")
    if row["label"] not in TREATMENTS:
        raise InputError(f"{file}, line {line}: label {row['label']!r} is none of {', '.join(TREATMENTS)}")
    cites = tuple(cite.cite for cite in read_cites(row["cited_citations"].split(";")))
    answers = {name: said for name, said in row.items() if name not in _KNOWN}
    names = (row.get("citing", ""), row.get("cited", ""))
    return Pair(row["citing_cluster_id"], row["cited_cluster_id"], names, cites, row["label"], answers)


@dataclass
class Material:
    """What a study of treatments reads."""

    found: list[Found]
    """The pairs whose citing case is in the corpora, in their order."""
    more: list[Found]
    """The same of further pairs, which are trained on and not asked."""
    others: list[Citing]
    """The cases of the corpora that no pair is of; [] unless they are asked for."""
    hearsay: Hearsay


def find_pairs(
    pairs: Sequence[Pair], corpora: Sequence[Path], more: Sequence[Pair] = (), *, others: bool = False
) -> Material:
    """The pairs in corpora, all of whose opinions are read for what they tell of others; with `others` they are kept.

    `more` are further pairs, which are found likewise.
    Raises MissingError when a folder is no corpus, InputError when no citing case is there.
    """
    opened = [Corpus(folder) for folder in corpora]
    of_pairs = ((f"cl:{pair.cited}", pair.cites) for pair in pairs if pair.cited)
    of_cases = ((case.case_id, [c.cite for c in case.citations]) for corpus in opened for case in corpus.cases())
    cites = unique_cites(chain(of_pairs, of_cases))
    wanted = {f"cl:{pair.citing}" for pair in chain(pairs, more)}
    material, read = Material([], [], [], Hearsay()), dict[str, Citing]()
    for citing in chain.from_iterable(read_corpus(corpus, cites) for corpus in opened):
        material.hearsay.hear(citing)
        if citing.case.case_id in wanted:
            read.setdefault(citing.case.case_id, citing)
        elif others:
            material.others.append(citing)
    material.found, material.more = (
        [_found(pair, read[key]) for pair in some if (key := f"cl:{pair.citing}") in read] for some in (pairs, more)
    )
    if not material.found:
        raise InputError("no citing case of the pairs is in the corpora; name the corpus that they were drawn from")
    return material


def _found(pair: Pair, citing: Citing) -> Found:
    own = set(pair.cites)
    for number, cited in enumerate(citing.every):
        if f"cl:{pair.cited}" in cited.case_ids or own.intersection(cited.cites):
            return Found(pair, citing, number)
    return Found(pair, citing, None)


def features_of(citing: Citing, number: int, hearsay: Hearsay) -> dict[str, float]:
    """What a pair is judged by."""
    told = hearsay.about(citing.case, citing.every[number])
    return acts_in(citing.said.get(number, []), number) | context_of(citing, number, *told)
