"""`lawng study treatment`: each labelled pair judged by what ships, or with its citing case held out.

study_treatment(data, corpora, folder) -> TreatmentResult
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.errors import ConfigError
from lawng.extras import explained
from lawng.io import write_json, write_text
from lawng.reports.grid import Grid, to_csv
from lawng.studies.harness import Say, unsaid
from lawng.studies.tables import Draws, write_filled
from lawng.studies.treatment.data import Found, Material, Prediction, find_pairs, read_more, read_pairs
from lawng.studies.treatment.tables import tables_of
from lawng.studies.treatment.training import background_rows, fit
from lawng.treatment.judge import Hearsay, judged
from lawng.treatment.model import Weights, load_weights

FOLDS = 10
COLUMNS = ("citing_cluster_id", "cited_cluster_id", "label", "predicted", "probability", "sentence")


class TreatmentResult(NamedTuple):
    """Where the study lies, its tables, and how many pairs could not be asked."""

    folder: Path
    tables: dict[str, Grid]
    n_lost: int
    """Pairs whose citing case is in none of the corpora."""
    n_uncited: int
    """Pairs whose citing case does not cite the other, as far as can be read: they are taken for mentions."""


@explained()
def study_treatment(  # noqa: PLR0913 (what a study depends on)
    data: Path,
    corpora: Sequence[Path],
    folder: Path,
    *,
    cross_validate: bool = False,
    more: Sequence[Path] = (),
    seed: int = 7,
    say: Say = unsaid,
) -> TreatmentResult:
    """Judge each pair of a file, beside the answers of other systems that the file has, and write tables to a folder.

    With `cross_validate` the weights are fitted anew ten times, each time without a tenth of the citing cases, whose
    pairs they then judge; else those that lawng comes with judge all. `more` are files of further pairs, which are
    fitted to and not judged; those of a citing case that is held out are left out with it.
    Raises MissingError or InputError when the pairs or a corpus cannot be read, ConfigError for `more` where nothing is
    fitted.
    """
    if more and not cross_validate:
        raise ConfigError("--more is fitted to, and nothing is fitted without --cross-validate; give both, or neither")
    pairs = read_pairs(data)
    say(f"{len(pairs)} labelled pairs; reading the opinions of {', '.join(map(str, corpora))}")
    material = find_pairs(pairs, corpora, read_more(more), others=cross_validate)
    if cross_validate:
        background = background_rows(material.others, material.hearsay, seed)
        predicted = _held_out(material, background, seed, say)
    else:
        predicted = _predicted(material.found, load_weights(), material.hearsay)
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "predictions.csv", to_csv(list(COLUMNS), [_row(one) for one in predicted]))
    grids = tables_of(predicted, Draws(seed))
    tables = write_filled(folder / "tables", grids)
    uncited = sum(one.found.number is None for one in predicted)
    manifest = {
        "pairs": len(pairs),
        "more": len(material.more),
        "asked": len(predicted),
        "not cited": uncited,
        "seed": seed,
    }
    write_json(folder / "manifest.json", {**manifest, "cross-validated": cross_validate, "folds": FOLDS})
    return TreatmentResult(folder, tables, len(pairs) - len(predicted), uncited)


def _held_out(material: Material, background: Sequence[dict[str, float]], seed: int, say: Say) -> list[Prediction]:
    """Every pair judged by weights that no pair of its citing case was fitted to, in the order of the pairs."""
    found, hearsay = material.found, material.hearsay
    by_pair: dict[int, Prediction] = {}
    for fold, held in enumerate(folds([one.pair.citing for one in found], seed), 1):
        say(f"fold {fold} of {FOLDS}")
        places = sorted(held)
        out = {found[at].pair.citing for at in places}
        weights = fit([one for one in (*found, *material.more) if one.pair.citing not in out], background, hearsay)
        by_pair |= dict(zip(places, _predicted([found[at] for at in places], weights, hearsay), strict=True))
    return [by_pair[at] for at in range(len(found))]


def folds(groups: Sequence[str], seed: int, n: int = FOLDS) -> Iterator[set[int]]:
    """The places of rows in n parts, whole groups in one part each.

    >>> sorted(sorted(part) for part in folds(["a", "a", "b"], seed=1, n=2))
    [[0, 1], [2]]
    """
    names = sorted(set(groups))
    random.Random(seed).shuffle(names)
    for first in range(min(n, len(names))):
        part = set(names[first::n])
        yield {at for at, name in enumerate(groups) if name in part}


def _predicted(found: Sequence[Found], weights: Weights, hearsay: Hearsay) -> list[Prediction]:
    return [_judged(one, weights, hearsay) for one in found]


def _judged(one: Found, weights: Weights, hearsay: Hearsay) -> Prediction:
    row = judged(one.citing, one.number, hearsay, weights) if one.number is not None else None
    if row is None:
        return Prediction(one, "mentioned", weights.of({}).get("mentioned", 0.0), "")
    return Prediction(one, row.label, row.probability, row.sentence)


def _row(one: Prediction) -> list[str]:
    pair = one.found.pair
    return [
        pair.citing,
        pair.cited,
        pair.label,
        one.predicted,
        f"{one.probability:.4f}",
        " ".join(one.sentence.split()),
    ]
