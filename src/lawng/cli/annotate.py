"""`lawng annotate`: people read what the labels say (LawngNLI, A.3)."""

from __future__ import annotations

import signal
import socket
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from lawng.cli.options import BUILD
from lawng.cli.talk import emit, say
from lawng.errors import InputError

ITEMS = Annotated[int, Option(min=12, help="How many to draw; a multiple of 12. The paper's sets have 504.")]
DRAW = Annotated[int, Option(help="Of the draw.")]
PORT = 8022

app = typer.Typer(help="Human assessment of a data set's labels: draw what is read, read it, score what was said.")


@app.command()
def sample(
    build: BUILD,
    output: Annotated[Path, Option("-o", "--output", help="The assessment's folder.")],
    items: ITEMS = 504,
    seed: DRAW = 7,
    pre_screen: Annotated[
        bool, Option("--pre-screen", help="Draw six more items, by which people qualify before they begin.")
    ] = False,
) -> None:
    """Draw items of the test split, label by negation, half with short premises, as a Label Studio project.

    Example: lawng annotate sample build -o assessment
    """
    from lawng.studies.assessment.study import CONFIGURATION, PROJECT, SCREENING, draw_assessment

    tasks = draw_assessment(build, output, items, seed, pre_screen)
    known = sum(task.screening for task in tasks)
    say(f"{len(tasks):,} items in {tasks[-1].batch} batches are in {output / PROJECT}, {known} of them for screening.")
    say(f"Next: import them into a project with {output / CONFIGURATION}, and fill in {output / SCREENING}.")


@app.command()
def read(  # noqa: PLR0913, PLR0917 (one parameter per option)
    folder: Annotated[Path, Argument(help="A build, or an assessment that `lawng annotate sample` made.")],
    output: Annotated[
        Path | None,
        Option(
            "-o", "--output", help="The assessment's folder. Default: BUILD-assessment; what is there is gone on with."
        ),
    ] = None,
    items: ITEMS = 504,
    seed: DRAW = 7,
    name: Annotated[str | None, Option(help="Who reads; names the file of answers. Default: the login name.")] = None,
    port: Annotated[
        int | None, Option(min=0, max=65535, help=f"Port of 127.0.0.1. Default: {PORT}, or else one that is free.")
    ] = None,
    first: Annotated[
        Path | None, Option(help="A table of `lawng annotate audit`: what models believe least comes first.")
    ] = None,
    open_: Annotated[bool, Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Read the items alone, on a page of this computer with keys; each answer is saved at once.

    Keys: 1 to 6 answer, space goes to the cited pages, arrows go back and forth, ? shows them all.

    Example: lawng annotate read build --items 60
    """
    from lawng.studies.assessment.answer_file import AnswerFile
    from lawng.studies.assessment.study import assessment_at
    from lawng.web.assessment import make_assessment_app
    from lawng.web.server import server_of, url_of

    answers = AnswerFile(assessment_at(folder, output, items, seed), name, first)
    with _listen(port) as place:
        url = url_of(place)
        say(f"{len(answers.tasks):,} items of {answers.folder} are at {url} (Ctrl-C stops it).")
        say(f"Answers are in {answers.path}.")
        if open_:
            typer.launch(url)
        signal.signal(signal.SIGINT, lambda *_: None)  # the server has its own way to stop
        server_of(make_assessment_app(answers)).run(sockets=[place])
    done = len(answers.read())
    then = answers.scoring if done == len(answers.tasks) else "the same command goes on; for tables, " + answers.scoring
    say(f"{done:,} of {len(answers.tasks):,} answered. Next: {then}")


def _listen(port: int | None) -> socket.socket:
    from lawng.web.server import listen

    try:
        return listen("127.0.0.1", PORT if port is None else port)
    except InputError:
        if port is not None:
            raise
        return listen("127.0.0.1", 0)


@app.command()
def gold(  # noqa: PLR0913, PLR0917 (one parameter per option)
    folder: Annotated[Path, Argument(help="An assessment that `lawng annotate sample` made.")],
    export: Annotated[list[Path], Argument(help="Label Studio's JSON export; several are put together.")],
    screening: Annotated[
        Path | None, Option(help="The researcher's labels, task_id and label. Default: screening.csv in the folder.")
    ] = None,
    until: Annotated[int, Option(min=0, help="Stop at so many gold labels (300 in the paper); 0 takes all.")] = 0,
    seed: Annotated[int, Option(help="Of resampling.")] = 7,
    alone: Annotated[bool, Option("--alone", help="One person read: those labels are the gold ones.")] = False,
    pre_screen: Annotated[
        Path | None, Option(help="Export of the pre-screen: only people who were right on four of its six items count.")
    ] = None,
) -> None:
    """Gold labels of items on which two people agree, how often the automatic label is theirs, and who was guessing.

    Example: lawng annotate gold assessment export.json
    """
    from lawng.studies.assessment.study import score_assessment

    found, tables, left = score_assessment(folder, export, screening, until, seed, alone, pre_screen)
    for line in left:
        say(f"left out: {line}")
    for name in ("table-4", "workers"):
        if name in tables:
            emit((folder / "tables" / f"{name}.txt").read_text("utf-8"))
    agreed = sum(one.gold is not None for one in found.read)
    by = "one" if alone else "two"
    say(f"{len(found.read):,} items read by {by}, {agreed:,} gold labels; {found.waiting:,} items wait for an answer.")
    if agreed < until:
        say(f"{until:,} gold labels were wanted: have more items read, or draw more.")
    say(f"Gold labels are in {folder / 'gold.csv'}, tables in {folder / 'tables'}.")


@app.command()
def audit(
    build: BUILD,
    predictions: Annotated[list[Path], Argument(help="Predictions of `lawng study generalization`, files or folder.")],
    output: Annotated[Path, Option("-o", "--output", help="The table to write (CSV).")],
) -> None:
    """Rank test examples by how far models that were not trained on them believe the label: what to read first.

    Example: lawng annotate audit build generalization/predictions -o audit.csv
    """
    from lawng.studies.assessment.audit import audit as ranked

    rows = ranked(build, predictions, output)
    for row in rows[:5]:
        emit(f"{row.quality:.3f}  {row.label}, or {row.suggested}?  {row.hypothesis[:80]}\n")
    say(f"{len(rows):,} examples are in {output}, least believed first; {sum(row.issue for row in rows):,} look wrong.")
