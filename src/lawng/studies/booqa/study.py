"""`lawng study booqa`: systems on a build of BoOQA, stored, then measured (Li et al. 2022, section 4.3).

study_booqa(build, folder, settings) -> BooqaResult
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lawng.extras import explained
from lawng.io import write_json
from lawng.models.find import slug
from lawng.reports.grid import Grid
from lawng.studies.booqa.answering import BooqaSettings, QuestionScore, Scores
from lawng.studies.booqa.data import Booqa, Questions, read_booqa
from lawng.studies.booqa.hypothesis_only import MaskedData, hypothesis_only
from lawng.studies.booqa.systems import HYPERNYMY, systems
from lawng.studies.booqa.tables import COMBINED, TEST, WITHOUT, Hidden, Outcome, write_tables
from lawng.studies.harness import (
    CACHE,
    CELLS,
    MANIFEST,
    Answered,
    Harness,
    ParquetStore,
    Results,
    Say,
    publish,
    study_folder,
    unsaid,
)

FOLDS = 5
"""In which the combined scorer tells of dev itself."""


class BooqaResult(NamedTuple):
    """Where the study lies, and its tables."""

    folder: Path
    tables: dict[str, Grid]


@explained()
def study_booqa(
    build: str | Path, folder: str | Path, settings: BooqaSettings | None = None, say: Say = unsaid
) -> BooqaResult:
    """Score the questions of a build of BoOQA by every system, write predictions, tables and curves to a folder.

    Raises InputError where there is no such build or something else is in the folder, MissingError where an encoder or
    a graph is missing, ConfigError for an unknown name.
    """
    settings, folder = settings or BooqaSettings(), Path(folder)
    data = read_booqa(Path(build))
    asked = systems(settings, folder / CACHE / "vectors")
    with study_folder(folder):
        harness = Harness(folder / CACHE / CELLS, ParquetStore(QuestionScore), __name__, say)
        found = harness.run(asked, list(data.splits.values()), strict=True)
        masked = MaskedData("masked", data.masked, data.depends)
        hidden = [] if masked.lacking else hypothesis_only(settings)
        alone = harness.run(hidden, [masked], strict=True)
        publish([*(one.cell for one in found.answered), *(one.cell for one in alone.answered)], folder / "predictions")
        told = _told(found)
        members = _members(found)
        told[COMBINED] = combined([*data.splits.values()], told, members)
        told[WITHOUT] = combined([*data.splits.values()], told, [name for name in members if name != HYPERNYMY])
        for name in (COMBINED, WITHOUT):
            _store(folder / "predictions", name, data, told[name])
        left_out = [f"Hypothesis-only is left out: masked/{one} lacks a label." for one in masked.lacking]
        outcome = Outcome(data, told, _hidden(data, alone), [*found.notes, *alone.notes, *left_out])
        tables = write_tables(folder, outcome, settings)
        write_json(folder / MANIFEST, {"data": data.depends, "settings": settings.plain})
    return BooqaResult(folder, tables)


def _store(folder: Path, name: str, data: Booqa, told: Mapping[str, Scores]) -> None:
    store = ParquetStore(QuestionScore)
    for split in data.splits.values():
        rows = zip(split.questions, told[split.name], strict=True)
        path = folder / f"{slug(name)}.{split.name}{store.ending}"
        store.write(path, (QuestionScore(one.question_id, float(score), "") for one, score in rows), name)


def _told(found: Results[Questions, QuestionScore]) -> dict[str, dict[str, Scores]]:
    """Scores by system and split, in the order of the questions."""
    told: dict[str, dict[str, Scores]] = {}
    for one in found.answered:
        told.setdefault(one.label.shown, {})[one.data.name] = _scores(one)
    return told


def _scores(one: Answered[Any, QuestionScore]) -> Scores:
    return np.array([row.score for row in one.cell.rows()], np.float64)


def _members(found: Results[Questions, QuestionScore]) -> list[str]:
    """What is combined: the first encoder on predicates, hypernymy, and the graphs, fuzzy where they can be."""
    shown = {one.label.name: one.label.shown for one in found.answered}
    encoder = next(name for name in shown if name.startswith("predicate."))
    graphs = [name for name in shown if name.startswith("graph.") and f"{name}.fuzzy" not in shown]
    return [shown[name] for name in (encoder, HYPERNYMY, *graphs)]


def _hidden(data: Booqa, alone: Results[MaskedData, QuestionScore]) -> dict[str, Hidden]:
    window = {one.question_id: one.window for split in data.splits.values() for one in split.questions}
    windows = [window[one.id] for one in data.masked[TEST]]
    labels = [bool(one.label) for one in data.masked[TEST]]
    return {one.label.shown: Hidden(labels, _scores(one), windows) for one in alone.answered}


def combined(
    splits: Sequence[Questions], scores: Mapping[str, Mapping[str, Scores]], members: Sequence[str]
) -> dict[str, Scores]:
    """The combined scorer: the probability that a question is true, of both splits, by the members' scores there.

    Logistic regression, learnt on dev alone; `splits` are dev and test. Dev's own are those of models that
    were fitted on its other windows, in `FOLDS` parts.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression())
    dev, test = splits
    train, other = (np.column_stack([scores[name][split.name] for name in members]) for split in (dev, test))
    windows = [one.window for one in dev.questions]
    folds = min(FOLDS, len(set(windows)))
    held_out = np.full(len(windows), 0.5)
    if folds > 1:
        split = GroupKFold(folds)
        told = cross_val_predict(model, train, dev.labels, groups=windows, cv=split, method="predict_proba")
        held_out = told[:, 1]
    return {dev.name: held_out, test.name: model.fit(train, dev.labels).predict_proba(other)[:, 1]}
