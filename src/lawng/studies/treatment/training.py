"""The weights of treatments, fitted to labelled pairs and to cases that nobody has labelled.

train_treatment(data, corpora, file) -> what they were fitted to      fit(found, background, hearsay) -> Weights

The labelled pairs are of cases that overrule another, nearly all of them; few cases do. So pairs of the other cases
of the corpora are added, by chance, as mentions, but those that say plainly or are told to be more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lawng.extras import explained
from lawng.studies.treatment.data import Found, features_of, find_pairs, read_more, read_pairs
from lawng.treatment.features import SEPARATE, Citing
from lawng.treatment.judge import Hearsay
from lawng.treatment.model import FILE, Weights, fit_weights
from lawng.treatment.plainly import said_plainly

STRENGTH = 0.05
"""C of the regression; of 0.03, 0.05, 0.1 and 0.3 the one that whole citing cases held out liked best."""
BACKGROUND = 0.05
"""How much a pair that nobody labelled counts beside one that experts did."""
_MOST, _DRAWN = 2, 3
"""Of a case without labels: so many of those that it speaks of most, and so many others."""


@explained()
def train_treatment(
    data: Path, corpora: Sequence[Path], file: Path = FILE, seed: int = 7, more: Sequence[Path] = ()
) -> dict[str, Any]:
    """Fit the weights of treatments to files of labelled pairs whose citing cases are in corpora, and write them.

    Raises MissingError or InputError when the pairs or a corpus cannot be read.
    """
    material = find_pairs(read_pairs(data), corpora, read_more(more), others=True)
    background = background_rows(material.others, material.hearsay, seed)
    weights = fit([*material.found, *material.more], background, material.hearsay)
    weights.save(file)
    return weights.told


def fit(found: Sequence[Found], background: Sequence[Mapping[str, float]], hearsay: Hearsay) -> Weights:
    """Weights fitted to pairs that are found in their citing case, and to rows of mentions."""
    known = [(features_of(one.citing, one.number, hearsay), one.pair.label) for one in found if one.number is not None]
    rows = [*(row for row, _ in known), *background]
    labels = [*(label for _, label in known), *("mentioned" for _ in background)]
    importance = [1.0] * len(known) + [BACKGROUND] * len(background)
    weights = fit_weights(rows, labels, importance, STRENGTH)
    return weights._replace(told={"pairs": len(known), "background": len(background), "strength": STRENGTH})


def background_rows(others: Sequence[Citing], hearsay: Hearsay, seed: int = 7) -> list[dict[str, float]]:
    """Features of pairs of cases that nobody labelled, taken for mentions."""
    chance = random.Random(seed)
    return [
        features_of(citing, number, hearsay)
        for citing in others
        for number in _drawn(citing, chance)
        if _seems_mentioned(citing, number, hearsay)
    ]


def _drawn(citing: Citing, chance: random.Random) -> Iterator[int]:
    court, _ = citing.counts
    ranked = sorted((n for n in range(len(citing.every)) if court[n]), key=lambda n: -court[n])
    yield from ranked[:_MOST]
    yield from chance.sample(ranked[_MOST:], min(_DRAWN, len(ranked[_MOST:])))


def _seems_mentioned(citing: Citing, number: int, hearsay: Hearsay) -> bool:
    told, _ = hearsay.about(citing.case, citing.every[number])
    court = (one for one in citing.said[number] if one.part not in SEPARATE)
    return not (told or number in citing.under_review or any(said_plainly(one.masked(number)) for one in court))
