"""Fine-tuning of cross-encoders on ACORD: a grid of learning rates and updates, chosen on validation (ACORD, F.2).

fine_tune(data, folder, settings, say) -> Tuned      texts_of(acord, settings) -> graded texts
Validation(acord, settings)(folder) -> NDCG@10
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from lawng.annotation.ratings import GRADES
from lawng.clauses.ranking.rerank import FocusedReranker, RerankerInput
from lawng.datasets.clause_groups import read_groups
from lawng.errors import ConfigError, InputError
from lawng.evaluation.measures import NDCG, graded_measures, mean_of
from lawng.extras import explained
from lawng.io import atomic_folder, check_place
from lawng.models.find import find_model
from lawng.models.folder import NOTE
from lawng.models.pairs import relevance_model
from lawng.models.protocols import Reranker
from lawng.models.training.finish import finish_relevance
from lawng.models.training.graded import GAINS
from lawng.models.training.options import Report
from lawng.models.training.plan import GradedText, begin, without_contrast
from lawng.models.training.relevance import Cell, Grid, GridSettings, check_each_once, chosen, write_grid
from lawng.studies.acord.data import FORMS, Acord, read_acord, task_of
from lawng.studies.acord.settings import DEPTH
from lawng.studies.acord.systems import PoolBm25, reranked

GRID = "grid.csv"
TARGETS = ("grades", "fine")
"""What a text's target is made of: its whole stars, or the mean stars of the supplement, where it has them."""


@dataclass(frozen=True)
class TuneSettings(GridSettings):
    """What `lawng train relevance` tries; by default the paper's grid.

    Raises ConfigError when the grid is empty, or a form, the targets or the focus are none.
    """

    forms: tuple[str, ...] = FORMS[:1]
    """Of the training queries; the first is what the validation queries are asked in."""
    targets: str = TARGETS[0]
    focus: int | None = None
    """Words of a clause that the model reads, chosen by the query; None is its beginning."""
    tags: bool = False
    """Whether a clause begins with what the glossary finds in it of what is asked."""
    depth: int = DEPTH
    """Clauses of a validation query, BM25's best, that are ranked again."""
    int8: bool = True
    groups: tuple[str, ...] = ()
    """Files of graded queries over groups of clauses (`lawng.datasets.clause_groups`), learned beside ACORD's."""
    judgements: bool = True
    """Whether ACORD's training queries are learned too; without them a clause model can learn how far to trust it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.judgements or self.groups):
            raise ConfigError("--only-groups: no groups are given; name their file by --groups, or leave it out")
        check_each_once("--form", self.forms)
        if wrong := [form for form in self.forms if form not in FORMS]:
            raise ConfigError(f"--form {', '.join(wrong)}: not known; there are {', '.join(FORMS)}")
        if self.targets not in TARGETS:
            raise ConfigError(f"--targets {self.targets}: not known; there are {', '.join(TARGETS)}")
        if self.focus is not None and self.focus < 1:
            raise ConfigError(f"--focus {self.focus}: less than one word")
        if self.depth < 1:
            raise ConfigError(f"--depth {self.depth}: must be 1 or more")

    @property
    def shown(self) -> RerankerInput:
        """How queries and clauses are shown to the model."""
        return RerankerInput(self.focus, self.tags)


class Tuned(NamedTuple):
    """A relevance model, and how it was chosen."""

    folder: Path
    cells: list[Cell]
    choice: Cell


@explained()
def fine_tune(data: Path, folder: Path, settings: TuneSettings, say: Report) -> Tuned:
    """Train every run of the grid on the training queries and write the chosen model's folder, whole or not at all.

    A killed grid leaves `.NAME.partial` beside it, from which the same command goes on; other data or settings begin
    anew. The test queries are not looked at. Raises InputError when there is nothing to train on or to choose by, or
    something else stands at the place, MissingError when the base cannot be had.
    """
    check_place(folder, NOTE, "relevance model")
    base = find_model("base model", settings.options.base)
    acord = read_acord(data, fine=settings.targets == "fine")
    texts, judge = texts_of(acord, settings), Validation(acord, settings)
    _say_data(texts, settings, say)
    with atomic_folder(folder) as partial:
        work = partial / "work"
        state = {"settings": asdict(settings), "base": [base.name, base.state], "data": digest_of(texts, acord)}
        begin(work, state)
        grid = Grid(settings, base.place, texts, judge, settings.shown, work, say)
        cells = grid.train()
        choice = chosen(cells)
        told = _told(acord, texts, state, cells, choice)
        finish_relevance(partial, grid.kept(choice), told, judge if settings.int8 else None, say)
        write_grid(partial / GRID, cells, choice)
        shutil.rmtree(work)
    return Tuned(folder, cells, choice)


def _say_data(texts: Sequence[GradedText], settings: TuneSettings, say: Report) -> None:
    graded = sum(row.grade > 0 for row in texts)
    n_queries = len({row.query for row in texts})
    say(f"{n_queries:,} training queries, {graded:,} clauses of two stars or more, {len(texts) - graded:,} of one")
    single = without_contrast(texts) if settings.options.group > 1 else []
    if single:
        say(f"{len(single):,} training queries have clauses of one grade alone, and are left out: {single[0]!r}...")
    if len(single) == n_queries:
        raise InputError("nothing to train on: no query has clauses of two grades; take --loss soft")


def _told(
    acord: Acord, texts: Sequence[GradedText], state: dict[str, Any], cells: Sequence[Cell], choice: Cell
) -> dict[str, Any]:
    """What lawng.json says of the run."""
    settings = state["settings"]
    return {
        "options": settings["options"],
        **{key: settings[key] for key in ("focus", "tags", "targets", "runs", "depth", "judgements")},
        "groups": [Path(file).name for file in settings["groups"]],
        "base": state["base"],
        "data": {
            "name": Path(acord.name).name,
            "forms": list(settings["forms"]),
            "n_texts": len(texts),
            "n_queries": len({row.query for row in texts}),
            "digest": state["data"],
        },
        "licences": list(acord.licences),
        "grid": [{"lr": cell.lr, "updates": cell.updates, "scores": list(cell.scores)} for cell in cells],
        "chosen": {
            "lr": choice.lr,
            "updates": choice.updates,
            "mean": choice.mean,
            "run": choice.best_run + 1,
            "seed": settings["seed"] + choice.best_run,
        },
    }


def texts_of(acord: Acord, settings: TuneSettings) -> list[GradedText]:
    """The judged clauses of the training queries, in every form that the settings name, and those of the groups.

    Targets are the grade over 4, with `fine` the mean stars less one over 4 where the supplement has them (ACORD, F.2).
    Irrelevant clauses among the query's best by BM25 are marked as hard. Raises InputError where there is no training
    query, or no finer score.
    """
    if not settings.judgements:
        return list(_of_groups(acord, settings))
    task = task_of(acord, "train")
    if settings.targets == "fine" and not any(query.query_id == key[0] for query in task.queries for key in acord.fine):
        raise InputError(f"{acord.name}: has no finer scores of training queries; take --targets grades")
    judged, first = acord.judged("train"), PoolBm25(task)
    found = []
    for query in task.queries:
        grades = judged[query.query_id]
        pool = task.pools[query.query_id]
        fine = {clause: acord.fine.get((query.query_id, clause)) for clause in grades if settings.targets == "fine"}
        for wording in dict.fromkeys(query.form(form) for form in settings.forms):
            best = pool[task.order(pool, first.scores(wording, pool))[: settings.depth]]
            hard = {task.ids[number] for number in best}
            for clause, grade in grades.items():
                stars = fine.get(clause) if grade else None
                target = (grade if stars is None else stars - 1) / max(GRADES)
                text = acord.clauses[clause]
                found.append(GradedText(wording, text, grade, target, grade == 0 and clause in hard))
    return found + list(_of_groups(acord, settings))


_OTHERS = 4
"""Clauses of other groups that are shown as irrelevant beside a query's own: those of one group are all alike."""


def _of_groups(acord: Acord, settings: TuneSettings) -> Iterator[GradedText]:
    groups = read_groups(map(Path, settings.groups), acord.clauses)
    known = sorted({clause for group in groups for clause in group.clauses})
    for number, group in enumerate(groups):
        random, others = Random(f"{settings.seed} {number}"), [one for one in known if one not in group.clauses]
        for query in group.queries:
            for clause, grade in zip(group.clauses, query.grades, strict=True):
                yield GradedText(query.text, acord.clauses[clause], grade, GAINS[grade], grade == 0)
            for clause in random.sample(others, min(_OTHERS, len(others))):
                yield GradedText(query.text, acord.clauses[clause], 0, 0.0)


class Validation:
    """Judges models by NDCG@10 of the validation queries, BM25's best judged clauses ranked again (ACORD, F.2)."""

    def __init__(self, acord: Acord, settings: TuneSettings) -> None:
        """Raises InputError when no validation query is judged."""
        self._task = task_of(acord, "valid")
        self._settings = settings
        self._first = PoolBm25(self._task)

    def __call__(self, folder: Path, backend: str = "torch") -> float:
        """NDCG@10 of the model in a folder, 0 to 1; 0 for one whose weights are no longer numbers."""
        model = relevance_model(str(folder), backend)
        again = _Checked(FocusedReranker(model, self._settings.shown))
        task, form = self._task, self._settings.forms[0]
        scorer = reranked(task, self._first.scores, again, self._settings.depth)
        scores = ((query, scorer(query.form(form), task.pools[query.query_id])) for query in task.queries)
        run = [row for query, values in scores for row in task.run(query, values)]
        ndcg = mean_of(graded_measures(run, task.judgements)[NDCG[1]])
        return 0.0 if again.broken or math.isnan(ndcg) else ndcg


class _Checked:
    """A re-ranker that says whether a score was no number: such scores would leave BM25's order, and look good."""

    def __init__(self, model: Reranker) -> None:
        self._model = model
        self.broken = False

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """The re-ranker's scores."""
        scores = self._model.rerank(query, texts)
        self.broken = self.broken or not bool(np.isfinite(scores).all())
        return scores


def digest_of(texts: Sequence[GradedText], acord: Acord) -> str:
    """Digest of what is trained and chosen on: graded texts, and the validation queries' judgements."""
    valid = ((row, acord.queries[row.query_id], acord.clauses[row.doc_id]) for row in acord.of("valid"))
    return sha256("".join(map(repr, [*texts, *valid])).encode()).hexdigest()
