"""What to read first: examples whose label the models of a study, never trained on them, find least likely.

audit(build, predictions, output) -> Audited rows, least likely first (confident learning, Northcutt et al. 2021)
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import read_json, write_text
from lawng.reports.grid import to_csv
from lawng.schema.labels import LABELS, NOT_ENTAILMENT
from lawng.studies.generalization.columns import ARTEFACTS
from lawng.studies.generalization.examples import Example, read_benchmark
from lawng.studies.generalization.study import asked_benchmark, digest_of_examples
from lawng.studies.generalization.systems import StudyPrediction
from lawng.studies.harness import MANIFEST, ParquetStore

FEWEST = 10
"""Examples of each label with which thresholds of the labels say something."""


class Audited(NamedTuple):
    """An example, and how far the models believe its label."""

    key: str
    label: str
    """The automatic one."""
    suggested: str
    """What the models find most probable, in the mean."""
    quality: float
    """How much likelier the label is than the likeliest other one, scaled to 0 to 1 (cleanlab: normalized margin)."""
    issue: bool
    """Whether confident learning counts the label among the wrong ones."""
    hypothesis: str


@explained()
def audit(build: Path, predictions: Sequence[Path], output: Path) -> list[Audited]:
    """Rank a build's test examples by label quality, least likely first, and write them as CSV.

    `predictions` are Parquet files of `lawng study generalization` on this build, or a folder of them, of which those
    of models that lacked a text are left out; so are models of two labels. Probabilities are averaged. Raises
    InputError where none is left, one is of another build (by its examples, and by the study's manifest where that is
    there), or a label has too few examples.
    """
    test = read_benchmark(build, whole=True).splits["test"]
    for study in {(path if path.is_dir() else path.parent).absolute().parent for path in predictions}:
        _check_build(build, study / MANIFEST)
    found = [(file, _read(file)) for path in predictions for file in _files(path)]
    read = [(file, rows) for file, rows in found if _is_of_three(rows)]
    if not read:
        raise InputError("no predictions of three labels: name the files in `predictions` of a study, or that folder")
    examples, probabilities = _together(test, read)
    rows = _ranked(examples, probabilities)
    columns = [
        [row.key, row.label, row.suggested, f"{row.quality:.4f}", str(row.issue), row.hypothesis] for row in rows
    ]
    write_text(output, to_csv(list(Audited._fields), columns))
    return rows


def _files(path: Path) -> list[Path]:
    """A file, or those of a folder by models that saw premise and hypothesis."""
    blind = tuple(f".{column.trained}." for column in ARTEFACTS)
    return (
        [path]
        if not path.is_dir()
        else [file for file in sorted(path.glob("*.parquet")) if not any(name in file.name for name in blind)]
    )


def _check_build(build: Path, manifest: Path) -> None:
    """Raises InputError where a study's manifest is of other examples than those of a build."""
    told = read_json(manifest) if manifest.is_file() else {}
    if "digest" not in told:
        return
    how = dict(told.get("settings", {}))
    asked = asked_benchmark(build, *(bool(how.get(name)) for name in ("whole", "plain", "unseen")))
    if digest_of_examples(asked) != told["digest"]:
        raise InputError(f"{manifest}: its study was of other examples than {build} has; name its own predictions")


def _is_of_three(rows: Mapping[str, StudyPrediction]) -> bool:
    return all(row.label != NOT_ENTAILMENT for row in rows.values())


def audited(path: Path) -> list[str]:
    """The examples of an audit's table, in its order. Raises InputError where it is none."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [row["key"] for row in csv.DictReader(file)]
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise InputError(f"{path}: no table of `lawng annotate audit` ({str(error)[:80]})") from error


def _read(file: Path) -> dict[str, StudyPrediction]:
    try:
        return {row.key: row for row in ParquetStore(StudyPrediction).read(file)}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file}: no predictions of `lawng study generalization` ({str(error)[:80]})") from error


def _together(
    test: Sequence[Example], read: Sequence[tuple[Path, dict[str, StudyPrediction]]]
) -> tuple[list[Example], NDArray[np.float64]]:
    """The examples that all files have, and their mean probabilities, n x 3."""
    known = {one.key: one for one in test}
    for file, rows in read:
        if strange := next((key for key, row in rows.items() if key not in known or row.label != known[key].label), ""):
            raise InputError(f"{file}: {strange} is no example of this build with that label; name its own predictions")
    examples = [one for one in test if all(one.key in rows for _, rows in read)]
    logs = [
        [[row.entailment, row.neutral, row.contradiction] for one in examples for row in [rows[one.key]]]
        for _, rows in read
    ]
    return examples, np.exp(np.array(logs).reshape(len(read), -1, len(LABELS))).mean(axis=0)


def _ranked(examples: Sequence[Example], probabilities: NDArray[np.float64]) -> list[Audited]:
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    labels = np.array([LABELS.index(one.label) for one in examples], dtype=int)
    few = [str(label) for at, label in enumerate(LABELS) if (labels == at).sum() < FEWEST]
    if few:
        raise InputError(
            f"{', '.join(few)}: fewer than {FEWEST} examples with predictions; give those of more examples"
        )
    quality = get_label_quality_scores(labels, probabilities, method="normalized_margin")
    issues = find_label_issues(labels, probabilities, n_jobs=1)
    suggested = [str(LABELS[at]) for at in probabilities.argmax(axis=1)]
    rows = zip(examples, suggested, quality.tolist(), issues.tolist(), strict=True)
    found = [Audited(one.key, str(one.label), other, good, bad, one.hypothesis) for one, other, good, bad in rows]
    return sorted(found, key=lambda row: (row.quality, row.key))
