"""Fine-tuning of cross-encoders on ACORD: a grid of learning rates and updates, chosen on validation (ACORD, F.2).

fine_tune(data, folder, settings, say) -> Tuned
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from lawng.engine import aside, check_place
from lawng.errors import InputError
from lawng.extras import explained
from lawng.models.find import find_model
from lawng.models.folder import NOTE
from lawng.models.train.relevance_data import GradedText, without_contrast
from lawng.models.train.relevance_options import Report, Run
from lawng.studies.acord.data import Acord, read_acord
from lawng.studies.acord.fine_tune.data import Validation, digest_of, texts_of
from lawng.studies.acord.fine_tune.grid import Cell, TuneSettings, cells_of, chosen, write_grid

GRID = "grid.csv"


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
    texts, judge = [*texts_of(acord, settings), *_silver(acord, settings, say)], Validation(acord, settings)
    _say_data(texts, settings, say)
    with aside(folder) as partial:
        work = partial / "work"
        state = {"settings": asdict(settings), "base": [base.name, base.state], "data": digest_of(texts, acord)}
        _begin(work, state)
        grid = Grid(settings, base.place, texts, judge, work, say)
        cells = grid.train()
        choice = chosen(cells)
        _finish(partial, grid, choice, _told(acord, texts, state, cells, choice))
        write_grid(partial / GRID, cells, choice)
        shutil.rmtree(work)
    return Tuned(folder, cells, choice)


def _silver(acord: Acord, settings: TuneSettings, say: Report) -> list[GradedText]:
    if not settings.silver:
        return []
    from lawng.clauses.meaning.anatomies import Anatomies
    from lawng.clauses.ranking.features import ClauseFeatures
    from lawng.clauses.ranking.rankers import cache_folder
    from lawng.models.encoder import embedder
    from lawng.models.find import OFFLINE
    from lawng.models.kept import KeptEncoder
    from lawng.studies.acord.fine_tune.silver import silver_texts

    cache, texts = cache_folder(), list(acord.clauses.values())
    anatomies = Anatomies(cache)
    features = ClauseFeatures(texts, KeptEncoder(cache, embedder(OFFLINE)), anatomies=anatomies)
    found = silver_texts(acord, settings.silver, settings.seed, features, anatomies.of(texts))
    say(f"{len({row.query for row in found}):,} queries made of the glossary, {len(found):,} clauses graded untrained")
    return found


class Grid:
    """The runs of a grid in a folder of work; weights are kept of what may still be chosen, scores of all."""

    def __init__(  # noqa: PLR0913, PLR0917 (what its runs are made of)
        self,
        settings: TuneSettings,
        base: str,
        texts: Sequence[GradedText],
        judge: Validation,
        work: Path,
        say: Report,
    ) -> None:
        self.settings = settings
        self._base = base
        self._texts = texts
        self.judge = judge
        self._work = work
        self.say = say
        self._told = False

    def train(self) -> list[Cell]:
        """Train what is not trained yet; the cells of all."""
        from lawng.models.train.relevance import scores_of

        found: dict[float, list[dict[int, float]]] = {}
        for rate in self.settings.rates:
            for run in self._of(rate):
                self._train(run)
            found[rate] = [scores_of(self._place(run), run) for run in self._of(rate)]
            self._prune(cells_of(found))
        return cells_of(found)

    def kept(self, cell: Cell) -> Path:
        """Where the weights of a cell's best run are."""
        from lawng.models.train.relevance import kept_at

        return kept_at(self._place(self.settings.run(cell.lr, cell.best_run)), cell.updates)

    def _place(self, run: Run) -> Path:
        return self._work / f"lr-{run.lr:g}-seed-{run.seed}"

    def _train(self, run: Run) -> None:
        from lawng.models.train.relevance import Hooks, scores_of, train_relevance

        place = self._place(run)
        if len(scores_of(place, run)) == len(run.updates):
            return
        place.mkdir(exist_ok=True)
        self.say(f"learning rate {run.lr:g}, seed {run.seed}, {run.updates[-1]:,} updates")
        hooks = Hooks(self.judge, self.say, self._pace, self.settings.shown)
        train_relevance(self._base, self._texts, self.settings.options, run, place, hooks)

    def _pace(self, seconds: float) -> None:
        """Say once how long the grid will take."""
        if self._told:
            return
        self._told = True
        n_runs = sum(not (self._place(run) / f"at-{run.updates[-1]}").is_dir() for run in self._runs())
        total = seconds * n_runs * max(self.settings.updates)
        self.say(
            f"{seconds:.2f} s an update: {n_runs:,} runs of {max(self.settings.updates):,} updates take about "
            f"{duration(total)}, and the validation beside. Fewer --lr, --updates and --runs take less."
        )

    def _runs(self) -> list[Run]:
        return [run for rate in self.settings.rates for run in self._of(rate)]

    def _of(self, rate: float) -> list[Run]:
        return [self.settings.run(rate, number) for number in range(self.settings.runs)]

    def _prune(self, cells: Sequence[Cell]) -> None:
        """Remove the weights of finished learning rates that are not the best so far: each has 90 MB or more."""
        best = self.kept(chosen(cells))
        done = {cell.lr for cell in cells}
        for run in self._runs():
            for place in self._place(run).glob("at-*") if run.lr in done else ():
                for file in place.iterdir() if place != best else ():
                    if file.name != "score.json":
                        file.unlink()


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> [duration(seconds) for seconds in (40, 2000, 30_000, 260_000)]
    ['1 minute', '33 minutes', '8.3 hours', '3.0 days']
    """
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return f"{minutes} minute{'s' if minutes > 1 else ''}"
    return f"{seconds / 3600:.1f} hours" if seconds < 129_600 else f"{seconds / 86_400:.1f} days"


def _begin(work: Path, state: dict[str, Any]) -> None:
    """Clear what a grid with other settings left."""
    mark = work / "state.json"
    wanted = json.dumps(state, sort_keys=True)
    if not mark.is_file() or mark.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        mark.write_text(wanted, encoding="utf-8")


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
        **{key: settings[key] for key in ("focus", "expand", "tags", "silver", "targets", "runs", "depth")},
        "base": state["base"],
        "data": {
            "name": acord.name,
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


def _finish(partial: Path, grid: Grid, choice: Cell, told: dict[str, Any]) -> None:
    from lawng.models.train.relevance_finish import finish_relevance

    int8 = grid.judge if grid.settings.int8 else None
    finish_relevance(partial, grid.kept(choice), told, int8, grid.say)
