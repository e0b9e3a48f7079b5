"""How good the verifier of propositions is: by fold, and without each feature.

python benchmarks/verifier.py BUILD [--stance MODEL]

BUILD is one of `lawng build CORPUS --hypotheses propositions` over the corpora that were read. All numbers are held out
(five folds by cited case), of propositions that stand alone, weighted to what a lot would have drawn.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from lawng.lawngnli.entailing import FEATURES
from lawng.lawngnli.verifier import PRECISION, Reading, cross_validated, feature_rows, passing, read_readings

READINGS = Path(__file__).parent / "data" / "proposition-readings.jsonl"
_OVERLAP = FEATURES.index("pairs of words on the pages")


def line(name: str, rows: NDArray[np.float64], read: list[Reading]) -> NDArray[np.float64]:
    """Print what features give together; the held-out probabilities of entailment."""
    chances = cross_validated(rows, read)[:, 0]
    alone = np.array([one.alone for one in read])
    right = np.array([one.verdict == "entailed" for one in read])
    found = passing(chances, read, PRECISION)
    hard = alone & (feature_rows([one.asked for one in read], None)[:, _OVERLAP] < 0.5)
    areas = [roc_auc_score(right[of], chances[of]) for of in (alone, hard)]
    print(f"{name:40} AUC {areas[0]:.3f}, of hard ones {areas[1]:.3f}; recall {found['recall']:.3f}")
    return chances


def by_fold(chances: NDArray[np.float64], read: list[Reading]) -> None:
    """Print precision and recall of each fold at the one threshold."""
    threshold = passing(chances, read, PRECISION)["threshold"]
    cases = [one.asked.item.candidate.cited_case_id for one in read]
    for number, (_, of) in enumerate(GroupKFold(5).split(chances, groups=cases), 1):
        fold = [(read[i], chances[i] >= threshold) for i in of if read[i].alone]
        kept = sum(one.weight for one, passed in fold if passed)
        good = sum(one.weight for one, passed in fold if passed and one.verdict == "entailed")
        all_of_it = sum(one.weight for one, _ in fold if one.verdict == "entailed")
        n = sum(passed for _, passed in fold)
        print(f"fold {number}: precision {good / kept:.3f}, recall {good / all_of_it:.3f} ({n} of {len(fold)} pass)")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--stance")
    given = parser.parse_args()
    read = list(read_readings(given.build, READINGS))
    rows = feature_rows([one.asked for one in read], None)
    by_fold(line("all features", rows, read), read)
    for place, name in enumerate(FEATURES):
        line(f"without {name}", np.delete(rows, place, axis=1), read)
    if given.stance:
        rows = feature_rows([one.asked for one in read], given.stance)
        line("with the stance model", rows, read)
        line("the stance model alone", rows[:, -1:], read)


if __name__ == "__main__":
    main()
