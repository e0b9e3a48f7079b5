"""`lawng annotate`: people read what the labels say (LawngNLI, A.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from lawng.cli.options import BUILD
from lawng.cli.talk import emit, say

app = typer.Typer(help="Human assessment of a data set's labels: draw what is read, and score what was said.")


@app.command()
def sample(
    build: BUILD,
    output: Annotated[Path, Option("-o", "--output", help="The assessment's folder.")],
    items: Annotated[int, Option(min=12, help="How many; a multiple of 12. The paper's sets have 504.")] = 504,
    seed: Annotated[int, Option(help="Of the draw.")] = 7,
) -> None:
    """Draw items of the test split, label by negation, half with short premises, as a Label Studio project.

    Example: lawng annotate sample build -o assessment
    """
    from lawng.studies.assessment.study import CONFIGURATION, PROJECT, SCREENING, draw_assessment

    tasks = draw_assessment(build, output, items, seed)
    known = sum(task.screening for task in tasks)
    say(f"{len(tasks):,} items in {tasks[-1].batch} batches are in {output / PROJECT}, {known} of them for screening.")
    say(f"Next: import them into a project with {output / CONFIGURATION}, and fill in {output / SCREENING}.")


@app.command()
def gold(
    folder: Annotated[Path, Argument(help="An assessment that `lawng annotate sample` made.")],
    export: Annotated[list[Path], Argument(help="Label Studio's JSON export; several are put together.")],
    screening: Annotated[
        Path | None, Option(help="The researcher's labels, task_id and label. Default: screening.csv in the folder.")
    ] = None,
    until: Annotated[int, Option(min=0, help="Stop at so many gold labels (300 in the paper); 0 takes all.")] = 0,
    seed: Annotated[int, Option(help="Of resampling.")] = 7,
) -> None:
    """Gold labels of items on which two people agree, how often the automatic label is theirs, and who was guessing.

    Example: lawng annotate gold assessment export.json
    """
    from lawng.studies.assessment.study import score_assessment

    found, tables, left = score_assessment(folder, export, screening, until, seed)
    for line in left:
        say(f"left out: {line}")
    for name in ("table-4", "workers"):
        if name in tables:
            emit((folder / "tables" / f"{name}.txt").read_text("utf-8"))
    agreed = sum(one.gold is not None for one in found.read)
    say(f"{len(found.read):,} items read by two, {agreed:,} gold labels; {found.waiting:,} items wait for an answer.")
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
