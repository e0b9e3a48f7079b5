"""Twins from a build: the cited pages as premise, what a later judge wrote they hold as hypothesis, and its negation.

read_candidates(build, negate, seed) -> pairs      side(case_id) -> `train` or `held-out`
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.engine import iter_records, read_table
from lawng.errors import InputError
from lawng.labels import Label
from lawng.models.train.data import Pair, part_of
from lawng.models.windows import best_window
from lawng.records import Candidate

SOURCE = "candidates"
_TABLE = Path("stages") / "20-candidates"
_REPORTING = re.compile(r"^(?:\w+ ){0,2}\w+ing (?:\w+ ){0,3}?that (?=\S)")
""" "holding that", "noting in dictum that": what is left says it itself, as A.1.2 has it."""


class Flip(NamedTuple):
    """A hypothesis with one pivotal negation added or removed."""

    text: str
    removes: bool


Negate = Callable[[Sequence[str]], list[Flip | None]]
"""The negation algorithm, None where it does not accept a text; given from outside, since its room lies above."""


def side(case_id: str) -> str:
    """The side that a cited case is on, by a fixed hash, half and half: only `train` may be trained on.

    >>> [side(f"cl:{number}") for number in (1, 2, 3, 4)]
    ['train', 'held-out', 'held-out', 'train']
    """
    odd = hashlib.blake2b(b"side:" + case_id.encode(), digest_size=4).digest()[0] % 2
    return "train" if odd else "held-out"


def read_candidates(build: str | Path, negate: Negate) -> Iterator[Pair]:
    """The explanatory candidates of a build as pairs: entailed, its twin contradicted, and a neutral one.

    Cases of the training side are parted by case 85 to 15 into train and dev; those held out are test. The neutral
    premise is that of another case of the same part, drawn by hash. A premise is cut to its best window, the same for
    a hypothesis and its twin. Raises InputError when the folder is no build.
    """
    kept = _readable(Path(build))
    for part in ("train", "dev", "test"):
        yield from _pairs([item for item in kept if item.part == part], negate)


class _Item(NamedTuple):
    key: str
    case_id: str
    hypothesis: str
    premise: str
    part: str


def _readable(build: Path) -> list[_Item]:
    if not (build / _TABLE / "candidates").is_dir():
        raise InputError(f"{build}: no candidates of a build here ({_TABLE}); name a folder that `lawng build` made")
    passages = read_table(build / _TABLE / "passages", ["key", "text"]).to_pylist()
    texts = {row["key"]: row["text"] for row in passages}
    found: dict[tuple[str, str], _Item] = {}
    for row in iter_records(build / _TABLE / "candidates", Candidate):
        premise = texts[f"{row.cited_opinion_id}[{row.premise_start}:{row.premise_end}]"]
        hypothesis = proposition(row.hypothesis)
        if row.kind == "explanatory" and hypothesis:
            found.setdefault((premise, hypothesis), _item(row, hypothesis, premise))
    return list(found.values())


def _item(row: Candidate, hypothesis: str, premise: str) -> _Item:
    held = side(row.cited_case_id) == "held-out"
    part = "test" if held else part_of(row.cited_case_id, train=85, dev=15)
    return _Item(row.candidate_id, row.cited_case_id, hypothesis, premise, part)


def proposition(parenthetical: str) -> str:
    """What a parenthetical says of the case, as a sentence of its own; "" when it is none or under four words.

    >>> proposition("holding that the statute was void"), proposition("discussing the translator")
    ('the statute was void', '')
    """
    said = _REPORTING.sub("", parenthetical, count=1)
    first = said.split(maxsplit=1)[0].lower() if said.split() else ""
    return "" if len(said.split()) < 4 or (said == parenthetical and first.endswith("ing")) else said


def _pairs(items: list[_Item], negate: Negate) -> Iterator[Pair]:
    flips = negate([item.hypothesis for item in items])
    for place, (item, flip) in enumerate(zip(items, flips, strict=True)):
        own = best_window(item.premise, item.hypothesis)
        key, twin = f"{SOURCE}:{item.key}", f"{SOURCE}:{item.key}:twin"
        yield Pair(key, own, item.hypothesis, [Label.ENTAILMENT], SOURCE, item.part, twin if flip else "")
        if flip:
            yield Pair(twin, own, flip.text, [Label.CONTRADICTION], SOURCE, item.part, key, True)
        other = _other(items, place)
        if other:
            shown = flip.text if flip and place % 2 else item.hypothesis  # negation must not tell neutral ones either
            far = best_window(other.premise, shown)
            yield Pair(f"{key}:neutral", far, shown, [Label.NEUTRAL], SOURCE, item.part, "", shown != item.hypothesis)


def _other(items: list[_Item], place: int) -> _Item | None:
    """The item of another case that a hash of this one's key picks."""
    others = [item for item in items if item.case_id != items[place].case_id]
    digest = hashlib.blake2b(items[place].key.encode(), digest_size=4).digest()
    return others[int.from_bytes(digest, "big") % len(others)] if others else None
