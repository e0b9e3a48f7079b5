"""The runs of the study: every system asked every query in every form, stored, then measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from lawng.errors import MissingError
from lawng.evaluation.runs import write_qrels, write_run
from lawng.models.openai.failures import RefusedError
from lawng.records import Judgement, ScoredDoc
from lawng.studies.acord.data import FORMS, AcordQuery
from lawng.studies.acord.measured import Measured, leaked, measure
from lawng.studies.acord.names import Label
from lawng.studies.acord.panel import Panel, examples_of
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.systems import Retriever
from lawng.studies.acord.task import Task
from lawng.studies.bars import bar

Say = Callable[[str], None]


@dataclass
class Found:
    """What the systems of a study reached."""

    measured: list[Measured] = field(default_factory=list)
    """Every system with every form that was asked for."""
    examples: list[Measured] = field(default_factory=list)
    """The same, and beside it the queries of table E-2 in the other forms."""
    missing: list[tuple[Label, str]] = field(default_factory=list)
    """Systems whose model could not be had, and why."""
    notes: list[str] = field(default_factory=list)

    def of(self, form: str) -> list[Measured]:
        """The systems with one form of the queries."""
        return [row for row in self.measured if row.form == form]


def run_panel(panel: Panel, settings: AcordSettings, runs: Path | None, say: Say) -> Found:
    """Run and measure every system of a panel; where `runs` is a folder, TREC files are written there.

    A system whose model cannot be had is left open. With `settings.only` there is but one, and MissingError is raised.
    """
    task, found = panel.task, Found()
    known = leaked(task.acord, task.split)
    for spec in panel:
        say(spec.label.shown)
        try:
            made = _runs_of(spec.label, spec.make(), task, settings)
        except (MissingError, RefusedError) as error:
            if settings.only:
                raise
            found.missing.append((spec.label, str(error)))
            continue
        for form, run in made.items():
            row = measure(task, spec.label, form, run, known)
            found.examples.append(row)
            if form in settings.forms:
                found.measured.append(row)
                _store(runs, spec.label, form, run)
    found.notes += panel.notes()
    return found


def _runs_of(label: Label, system: Retriever, task: Task, settings: AcordSettings) -> dict[str, list[ScoredDoc]]:
    """A run for each form; where a form was not asked for, one of the queries of table E-2."""
    queries = dict.fromkeys(settings.forms, task.queries)
    examples = [] if settings.only else list(examples_of(task).values())
    queries |= {form: examples for form in FORMS if form not in queries and examples}
    return {form: _run(f"{label.name}, {form}", system, task, some, form) for form, some in queries.items()}


def _run(name: str, system: Retriever, task: Task, queries: Sequence[AcordQuery], form: str) -> list[ScoredDoc]:
    rows: list[ScoredDoc] = []
    with bar(name) as progress:
        for n_done, query in enumerate(queries, 1):
            rows += task.run(query, system.scores(query.form(form), task.pools[query.query_id]))
            progress(n_done, len(queries))
    return rows


def _store(runs: Path | None, label: Label, form: str, run: Iterable[ScoredDoc]) -> None:
    if runs is not None:
        runs.mkdir(parents=True, exist_ok=True)
        rows = (ScoredDoc(quoted(row.query_id), quoted(row.doc_id), row.score) for row in run)
        write_run(runs / f"{label.name}.{form}.run", rows, label.name)


def write_judgements(path: Path, task: Task) -> None:
    """The judgements of the split as TREC qrels, explicit zeros included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = (Judgement(quoted(row.query_id), quoted(row.doc_id), row.relevance) for row in task.judgements)
    write_qrels(path, rows)


def quoted(name: str) -> str:
    """An id as TREC files have it: percent-encoded, for ACORD's query ids have blanks and quotation marks.

    >>> quoted('"as-is" clause')
    '%22as-is%22%20clause'
    """
    return quote(name, safe="")
