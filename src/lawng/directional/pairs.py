"""LevyHolt and SherLIiC: annotated pairs of predicates, their subgroups, and subsets of two subgroups.

    read_splits(folder) -> Splits          train, dev and test, with what could not be read
    subgroups(pairs) -> {pair_id: Subgroup}  DirTrue, DirFalse, Paraphrases, Unrelated
    subset(pairs, groups, SUBSETS[name])   two subgroups with the labels that separate them

Source: Li et al. 2022, section 2 (subgroups, splits) and section 3 (subsets and their labels).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from lawng.directional.records import PredicatePair, Triple
from lawng.errors import InputError

SPLITS = ("train", "dev", "test")
_LABELS = {"True": True, "False": False}
_FIELDS = ("hypothesis", "premise", "label", "language")


class Subgroup(StrEnum):
    """How a pair and its converse are labelled (section 2)."""

    DIR_TRUE = "DirTrue"
    """Entailed, and the converse is not."""
    DIR_FALSE = "DirFalse"
    """Not entailed, and the converse is."""
    PARAPHRASES = "Paraphrases"
    """Entailed both ways."""
    UNRELATED = "Unrelated"
    """Not entailed, nor is the converse."""


class Subset(NamedTuple):
    """Pairs of two subgroups, told apart: those of `positive` are labelled 1."""

    positive: Subgroup
    negative: Subgroup


SUBSETS = {
    "directional": Subset(Subgroup.DIR_TRUE, Subgroup.DIR_FALSE),
    "symmetric": Subset(Subgroup.PARAPHRASES, Subgroup.UNRELATED),
    "paraphrases-dirtrue": Subset(Subgroup.PARAPHRASES, Subgroup.DIR_TRUE),
    "paraphrases-dirfalse": Subset(Subgroup.PARAPHRASES, Subgroup.DIR_FALSE),
    "dirtrue-unrelated": Subset(Subgroup.DIR_TRUE, Subgroup.UNRELATED),
    "dirfalse-unrelated": Subset(Subgroup.DIR_FALSE, Subgroup.UNRELATED),
}
"""All pairs of subgroups; of two with the same label the more paraphrastic is positive (section 3)."""


@dataclass(frozen=True)
class Splits:
    """A benchmark as its files divide it."""

    name: str
    pairs: Mapping[str, Sequence[PredicatePair]]
    """By split; none is empty."""
    rejects: Sequence[str] = field(default=())
    """A line each: file, line number, what is wrong."""

    def all(self) -> list[PredicatePair]:
        """The pairs of all splits."""
        return [pair for split in SPLITS for pair in self.pairs[split]]


def read_splits(folder: Path) -> Splits:
    """The three files of a benchmark in the format of LevyHolt: `hypothesis TAB premise TAB True|False TAB EN`.

    The hypothesis comes first. A proposition is `subject,predicate,object`; SherLIiC's are sentences followed by two
    commas. A line of another form is a reject. Raises InputError where a file is missing or has no pair.
    """
    pairs: dict[str, list[PredicatePair]] = {}
    rejects: list[str] = []
    for split in SPLITS:
        path = folder / f"{split}.txt"
        if not path.is_file():
            raise InputError(f"{folder}: no {path.name}; the files of LevyHolt are {', '.join(SPLITS)} (.txt)")
        pairs[split] = list(_read(path, split, rejects))
        if not pairs[split]:
            raise InputError(f"{path}: no pair of predicates ({len(rejects)} lines are in another form)")
    return Splits(folder.name, pairs, rejects)


def subgroups(pairs: Iterable[PredicatePair]) -> dict[str, Subgroup]:
    """The subgroup of each pair, by its own label and its converse's, in whatever split that is.

    The few pairs that come twice with both labels count as not entailed for their converse, as in the published
    subsets. A pair without a converse is a paraphrase where it is entailed, and unrelated where not: LevyHolt leaves
    out the second of two equal rows.
    """
    pairs = list(pairs)
    labels: dict[tuple[Triple, Triple], set[bool]] = defaultdict(set)
    for pair in pairs:
        labels[pair.premise, pair.hypothesis].add(pair.entailed)
    converse = {pair.pair_id: labels.get((pair.hypothesis, pair.premise), set()) for pair in pairs}
    return {pair.pair_id: _subgroup(pair.entailed, converse[pair.pair_id]) for pair in pairs}


def subset(
    pairs: Iterable[PredicatePair], groups: Mapping[str, Subgroup], of: Subset | None
) -> tuple[list[PredicatePair], list[bool]]:
    """The pairs of a subset, in order, and their labels; with None all pairs with their own labels."""
    if of is None:
        chosen = list(pairs)
        return chosen, [pair.entailed for pair in chosen]
    chosen = [pair for pair in pairs if groups[pair.pair_id] in of]
    return chosen, [groups[pair.pair_id] is of.positive for pair in chosen]


def together(splits: Splits, groups: Mapping[str, Subgroup], published: Path | None = None, seed: int = 0) -> Splits:
    """The splits with every entry and its converse in one of them: those torn apart go whole to one side (footnote 3).

    `published` is the authors' subset DirTrue-DirFalse, a folder of three files: their own draw of the directional
    entries is read off it, so that the sizes are theirs. What it does not tell is drawn by `seed`, every other one to
    the same side, so that sizes stay as they are: the authors left their paraphrases torn.
    """
    home = {pair.pair_id: split for split in SPLITS for pair in splits.pairs[split]}
    drawn_by_them = read_splits(published).pairs if published else {}
    theirs = {_names(pair): split for split, pairs in drawn_by_them.items() for pair in pairs}
    torn: dict[bool, list[list[PredicatePair]]] = defaultdict(list)
    for (directional, _), mates in sorted(_mates(splits, groups).items()):
        if len({home[one.pair_id] for one in mates}) > 1:
            torn[directional].append(mates)
    for entries in torn.values():
        random.Random(seed).shuffle(entries)
        drawn = 0
        for mates in entries:
            side = theirs.get(_names(mates[0]))
            if side is None:
                side = sorted({home[one.pair_id] for one in mates})[drawn % 2]
                drawn += 1
            home |= {one.pair_id: side for one in mates}
    moved = {split: [pair for pair in splits.all() if home[pair.pair_id] == split] for split in SPLITS}
    return Splits(splits.name, moved, splits.rejects)


def counts(splits: Splits, groups: Mapping[str, Subgroup]) -> dict[Subgroup, tuple[int, ...]]:
    """How many pairs of each subgroup are in train, dev and test."""
    found = {split: Counter(groups[pair.pair_id] for pair in splits.pairs[split]) for split in SPLITS}
    return {group: tuple(found[split][group] for split in SPLITS) for group in Subgroup}


def _read(path: Path, split: str, rejects: list[str]) -> Iterable[PredicatePair]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield _pair(f"{split}-{number}", line)
        except ValueError as wrong:
            rejects.append(f"{path.name}:{number}: {wrong}")


def _pair(pair_id: str, line: str) -> PredicatePair:
    fields = line.split("\t")
    if len(fields) != len(_FIELDS):
        raise ValueError(f"{len(fields)} fields instead of {len(_FIELDS)} ({', '.join(_FIELDS)})")
    if fields[2] not in _LABELS:
        raise ValueError(f"the label is {fields[2]!r}, neither True nor False")
    hypothesis, premise = (_triple(one) for one in fields[:2])
    return PredicatePair(pair_id, premise, hypothesis, _LABELS[fields[2]], fields[3].strip().lower())


def _triple(text: str) -> Triple:
    """SherLIiC's sentences may have commas of their own: "a town in Portland, Oregon,,"."""
    parts = [text.removesuffix(",,"), "", ""] if text.endswith(",,") else [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ValueError(f"{text!r} has {len(parts)} parts instead of subject,predicate,object")
    if not parts[0].strip() or bool(parts[1]) != bool(parts[2]):
        raise ValueError(f"{text!r} has an empty part")
    return Triple(*parts)


def _subgroup(entailed: bool, converse: set[bool]) -> Subgroup:
    if entailed:
        return Subgroup.DIR_TRUE if False in converse else Subgroup.PARAPHRASES
    return Subgroup.DIR_FALSE if True in converse else Subgroup.UNRELATED


def _mates(splits: Splits, groups: Mapping[str, Subgroup]) -> dict[tuple[bool, tuple[str, ...]], list[PredicatePair]]:
    """Entries with their converses, the directional apart from the others: a few entries come with both labels."""
    mates: dict[tuple[bool, tuple[str, ...]], list[PredicatePair]] = defaultdict(list)
    for pair in splits.all():
        mates[groups[pair.pair_id] in SUBSETS["directional"], _names(pair)].append(pair)
    return mates


def _names(pair: PredicatePair) -> tuple[str, ...]:
    """The same for an entry and its converse."""
    return tuple(sorted((str(pair.premise), str(pair.hypothesis))))
