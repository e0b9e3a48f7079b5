"""The generalisation study as a whole: cells, tables, a curve (LawngNLI, 4.1).

study_generalization(data, folder, settings) -> GeneralizationResult
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from lawng.errors import MissingError
from lawng.extras import explained
from lawng.io import write_json
from lawng.models.find import find_model
from lawng.models.openai.embeddings import PREFIX
from lawng.models.training.plan import digest_of
from lawng.reports.grid import Grid
from lawng.studies.generalization.examples import Benchmark, gold_labels, read_benchmark, unseen
from lawng.studies.generalization.gaps import gaps_of
from lawng.studies.generalization.plan import measured_speed, plan_of
from lawng.studies.generalization.scores import Answer, Score, answer_of, biases_of, scores_of
from lawng.studies.generalization.systems import (
    GeneralizationSettings,
    StudyPrediction,
    systems_of,
)
from lawng.studies.generalization.tables import told_holes, write_tables
from lawng.studies.harness import (
    CACHE,
    CELLS,
    MANIFEST,
    Harness,
    ParquetStore,
    Say,
    plain_settings,
    publish,
    study_folder,
    unsaid,
    versions,
)
from lawng.studies.tables import Draws

SEED = 7


class GeneralizationResult(NamedTuple):
    """Where the study lies, its tables and scores, and which cells are holes."""

    folder: Path
    tables: dict[str, Grid]
    scores: Sequence[Score]
    missing: Sequence[str]


@explained()
def study_generalization(
    data: Path, folder: Path, settings: GeneralizationSettings | None = None, say: Say = unsaid
) -> GeneralizationResult:
    """Train and ask all systems, write predictions, tables 12 to 16, gaps and the answer to a folder.

    `data` is a build's folder or ContractNLI's. Weights and predictions are kept in `cache/`: a killed study goes on, a
    killed training from its last checkpoint. Systems whose model cannot be had are holes. Raises InputError where the
    data cannot be read or leave nothing to ask, MissingError where no model can be had.
    """
    settings = settings or GeneralizationSettings()
    benchmark = asked_benchmark(data, settings.whole, settings.plain, settings.unseen)
    test = benchmark.splits["test"]
    gold = gold_labels(settings.gold, test, say) if settings.gold else {}
    with study_folder(folder):
        harness = Harness(folder / CACHE / CELLS, ParquetStore(StudyPrediction), __name__, say)
        answers: list[Answer] = []
        holes: dict[str, list[tuple[str, str, int]]] = {}
        for system, asked in systems_of(settings, benchmark, folder / CACHE / "models", say):
            found = harness.run([system], asked, apart=True)
            publish((one.cell for one in found.answered), folder / "predictions")
            for one in found.answered:
                answers.append(answer_of(one.label.system, one.data.column, int(one.label.other), one.cell.rows()))
            for line in found.notes:
                say(f"{', '.join(one.column.key for one in asked)}: {line}")
            for label, why, data_of in found.missing:
                holes.setdefault(why, []).extend((label.system, one.column.key, int(label.other)) for one in data_of)
        missing = told_holes(holes)
        if not answers:
            raise MissingError("; ".join(missing))
        draws = Draws(SEED, settings.resamples)
        scores, gaps = scores_of(answers, test, draws), list(gaps_of(answers, test, draws))
        biases = biases_of(answers, gold, test, draws)
        if settings.gold and not biases:
            say(f"no table 16: columns 4 and 6 have no example of the {len(gold):,} gold labels")
        tables = write_tables(folder / "tables", scores, gaps, biases, holes)
        sizes = {split: len(rows) for split, rows in benchmark.splits.items()}
        plain = plain_settings(settings) | {"training": asdict(settings.training), "before": asdict(settings.before)}
        write_json(
            folder / MANIFEST,
            {"data": benchmark.name, "digest": digest_of_examples(benchmark), "examples": sizes, "settings": plain}
            | {"missing": missing, "models": {name: _state(name) for name in settings.models}}
            | {"versions": versions(("torch", "transformers", "sentence-transformers", "numpy", "scipy"))},
        )
    return GeneralizationResult(folder, tables, scores, missing)


def asked_benchmark(data: Path, whole: bool, plain: bool, other: bool) -> Benchmark:
    """What a study with these settings asks; `other` is whether its test has other hypotheses than its training."""
    found = read_benchmark(data, whole, not plain)
    return unseen(found) if other else found


def digest_of_examples(benchmark: Benchmark) -> str:
    """What tells the data from those of another build of the same size."""
    return digest_of((split, one) for split, rows in benchmark.splits.items() for one in rows)


def _state(name: str) -> str | None:
    """Which version of a base was taken, None where it could not be had."""
    try:
        return None if name.startswith(PREFIX) else find_model("base model", name).state
    except MissingError:
        return None


@explained()
def study_plan(data: Path, settings: GeneralizationSettings) -> Grid:
    """What the study will take on this machine, by a measurement of some seconds; nothing is trained or written.

    Raises InputError where the data cannot be read.
    """
    benchmark = asked_benchmark(data, settings.whole, settings.plain, settings.unseen)
    return plan_of(settings, benchmark, measured_speed())
