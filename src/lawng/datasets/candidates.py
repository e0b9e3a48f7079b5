"""Twins from a build: the cited pages as premise, what a later judge wrote of them as hypothesis, and its negation.

What was written is a parenthetical that explains, or a proposition that a verifier has passed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.citation.parentheticals import NO_VERB, reported
from lawng.datasets.nli import Pair, Say
from lawng.datasets.splits import hash_of, part_of_case
from lawng.errors import InputError
from lawng.io import iter_records, read_table
from lawng.schema import Candidate
from lawng.schema.dataset import PROPOSITION, VERDICTS
from lawng.schema.labels import Label
from lawng.text.windows import best_window

SOURCE = "candidates"
TABLE = Path("stages") / "20-candidates"
_VERDICTS = Path("stages") / "30-accuracy" / "verdicts"
_FRAGMENT = re.compile(
    r"^(?:(?:\w+ly|not|without|in|by|while|after|also|further|again|thus|and),? )*(?P<ing>\w+ing)\b", re.IGNORECASE
)
"""How what is no sentence of its own begins: "rejecting the claim that", "expressly declining to say whether"."""
_FEWEST_WORDS = 4
ENTAILED = VERDICTS[0]


class Flip(NamedTuple):
    """A hypothesis with one pivotal negation added or removed."""

    text: str
    removes: bool


Negate = Callable[[Sequence[str]], list[Flip | None]]
"""The negation algorithm, None where it does not accept a text; given from outside, since its room lies above."""


def read_candidates(build: str | Path, negate: Negate, say: Say = lambda _: None) -> Iterator[Pair]:
    """The explanatory and the verified candidates of a build as pairs: entailed, its twin contradicted, a neutral one.

    Cases of the training side are parted by case 85 to 15 into train and dev; those held out are test. The neutral
    premise is that of another case of the same part, drawn by hash. A premise is cut to its best window, the same for
    a hypothesis and its twin. `say` is told how many candidates are left out, by reason: `not-explanatory`;
    `not-verified`, a proposition of which the cited pages may not say all; `unsupportive-verb` ("denying that p" is no
    reason to believe p); `fragment`, what cannot be made a sentence of its own ("rejecting the claim that p"); `short`,
    of under four words; `twice`. Raises InputError when the folder is no build.
    """
    kept, left_out = _readable(Path(build))
    reasons = ", ".join(f"{n:,} {reason}" for reason, n in sorted(left_out.items()))
    say(f"{build}: {len(kept):,} candidates; left out: {reasons or 'none'}")
    for part in ("train", "dev", "test"):
        yield from _pairs([item for item in kept if item.part == part], negate)


class _Item(NamedTuple):
    key: str
    case_id: str
    hypothesis: str
    premise: str
    part: str


def _readable(build: Path) -> tuple[list[_Item], Counter[str]]:
    """The candidates to train on, and how many are left out by reason."""
    if not (build / TABLE / "candidates").is_dir():
        raise InputError(f"{build}: no candidates of a build here ({TABLE}); name a folder that `lawng build` made")
    passages = read_table(build / TABLE / "passages", ["key", "text"]).to_pylist()
    texts = {row["key"]: row["text"] for row in passages}
    verified = _verified(build)
    found: dict[tuple[str, str], _Item] = {}
    left_out = Counter[str]()
    for row in iter_records(build / TABLE / "candidates", Candidate):
        premise = texts[f"{row.cited_opinion_id}[{row.premise_start}:{row.premise_end}]"]
        hypothesis, why = _said(row, verified)
        if not why and (premise, hypothesis) in found:
            why = "twice"
        if why:
            left_out[why] += 1
        else:
            part = part_of_case(row.cited_case_id)
            found[premise, hypothesis] = _Item(row.candidate_id, row.cited_case_id, hypothesis, premise, part)
    return list(found.values()), left_out


def _verified(build: Path) -> dict[str, str]:
    """What propositions say that the cited pages entail, by candidate; {} for a build without propositions."""
    if not (build / _VERDICTS).is_dir():
        return {}
    rows = read_table(build / _VERDICTS, ["candidate_id", "hypothesis", "label"]).to_pylist()
    return {row["candidate_id"]: row["hypothesis"] for row in rows if row["label"] == ENTAILED}


def _said(row: Candidate, verified: Mapping[str, str]) -> tuple[str, str]:
    """What a candidate says of its case as a sentence, and ""; or "" and why it is left out."""
    if row.hypothesis_source == PROPOSITION:
        said = verified.get(row.candidate_id, "")
        return said, "" if said else "not-verified"
    return proposition(row.hypothesis) if row.kind == "explanatory" else ("", "not-explanatory")


def proposition(parenthetical: str) -> tuple[str, str]:
    """What a parenthetical says of the case, as a sentence of its own, and ""; or "" and why it says none.

    >>> proposition("holding that the statute was void"), proposition("rejecting the claim that the statute was void")
    (('the statute was void', ''), ('', 'fragment'))
    """
    opened = reported(parenthetical)
    if opened and not opened.supported:
        return "", "unsupportive-verb"
    said = opened.clause if opened else parenthetical
    begins = None if opened else _FRAGMENT.match(said)
    if begins and begins["ing"].lower() not in NO_VERB:
        return "", "fragment"
    return (said, "") if len(said.split()) >= _FEWEST_WORDS else ("", "short")


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
    """The first item of another case from the place on that a hash of this one's key picks."""
    start = hash_of(items[place].key, 4) % len(items)
    around = (items[(start + step) % len(items)] for step in range(len(items)))
    return next((item for item in around if item.case_id != items[place].case_id), None)
