"""What a user takes from a build of BoOQA: questions, evidence, masked files, tasks for raters, and its description."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lawng.directional.booqa.card import FELICITY, card, funnel_of
from lawng.directional.booqa.records import Evidence, Question
from lawng.directional.booqa.sample import SPLITS
from lawng.io import TableWriter, iter_parts, iter_records, write_json, write_text
from lawng.lawngnli.order import rank, shuffled
from lawng.reports.builds import Build
from lawng.reports.funnel import funnel_svg, read_funnel
from lawng.reports.grid import plain
from lawng.reports.output import write_rejects

MASKED = ("train", "dev2", "test")
MASKED_SIZES = {"train": 4388, "dev2": 1098}
"""Those of LevyHolt, so that a hypothesis-only model learns from as much (appendix E.1)."""
_DEV2_SHARE = 5
"""One of so many propositions of dev is in dev2."""
_TASK = """<View>
  <Header value="Could somebody say this of some $subject_type and some $object_type?"/>
  <Text name="text" value="$text"/>
  <Choices name="felicity" toName="text" choice="single" required="true">
    <Choice value="felicitous"/><Choice value="infelicitous"/>
  </Choices>
</View>
"""


def write_output(folder: Path, seed: int) -> dict[str, int]:
    """Write what stands beside the stages of a finished build; how many questions each split has.

    Raises StageError when the funnel does not add up.
    """
    build = Build(folder)
    questions = [one for part in iter_parts(build.table("questions").folder) for one in iter_records(part, Question)]
    rows = {split: _write(folder / "data" / f"{split}.parquet", Question, questions, split) for split in SPLITS}
    _write_evidence(build, {one.pair_id for one in questions})
    write_masked(folder / "masked", questions, seed)
    _write_felicity(folder / "felicity", questions, seed)
    steps = read_funnel(build)
    write_text(folder / "funnel.txt", plain(funnel_of(steps)) + "\n")
    write_text(folder / "funnel.svg", funnel_svg(steps, "From articles to questions"))
    write_rejects(build)
    statistics = statistics_of(questions)
    write_json(folder / "statistics.json", statistics)
    write_text(folder / "README.md", card(statistics, steps, build.manifest()))
    return rows


def _write(path: Path, record: type, rows: Iterable[Any], split: str | None = None) -> int:
    with TableWriter(path, record) as table:
        for row in rows:
            if split is None or row.split == split:
                table.write(row)
    return table.rows


def _write_evidence(build: Build, pairs: set[str]) -> None:
    every = (one for part in iter_parts(build.table("evidence").folder) for one in iter_records(part, Evidence))
    _write(build.folder / "evidence.parquet", Evidence, (one for one in every if one.pair_id in pairs))


def masked(question: Question) -> str:
    """The proposition with its arguments' types in their place."""
    return f"{question.subject_type} {question.predicate} {question.object_type}"


def write_masked(folder: Path, questions: list[Question], seed: int) -> None:
    """Files for the hypothesis-only test: no proposition is in two of them, whatever its labels (appendix E.1)."""
    homes: dict[str, set[str]] = {}
    for one in questions:
        homes.setdefault(_proposition(one), set()).add(one.split)
    rows: dict[str, list[str]] = {name: [] for name in MASKED}
    for one in shuffled(questions, seed, "masked", lambda one: one.question_id):
        home = _home(_proposition(one), sorted(homes[_proposition(one)]), seed)
        if (home == "test") == (one.split == "test") and len(rows[home]) < MASKED_SIZES.get(home, len(questions)):
            row = {"id": one.question_id, "text": masked(one), "label": int(one.label)}
            parts = {"subject_type": one.subject_type, "predicate": one.predicate, "object_type": one.object_type}
            rows[home].append(json.dumps({**row, **parts}, ensure_ascii=False) + "\n")
    folder.mkdir(exist_ok=True)
    for name, lines in rows.items():
        write_text(folder / f"{name}.jsonl", "".join(lines))


def _proposition(one: Question) -> str:
    return f"{one.subject}\x1f{one.predicate}\x1f{one.object}"


def _home(proposition: str, splits: list[str], seed: int) -> str:
    """The one file that a proposition is in: of the splits that have it, one at random."""
    split = splits[rank(seed, "home", proposition) % len(splits)]
    if split == "test":
        return split
    return "train" if rank(seed, "dev2", proposition) % _DEV2_SHARE else "dev2"


def _write_felicity(folder: Path, questions: list[Question], seed: int) -> None:
    """Tasks for Label Studio: is a masked proposition something that one could say? The label is not shown."""
    mixed = shuffled(questions, seed, "felicity", lambda one: one.question_id)
    chosen = [one for label in (True, False) for one in [q for q in mixed if q.label is label][:FELICITY]]
    tasks = [_task(one) for one in shuffled(chosen, seed, "tasks", lambda one: one.question_id)]
    folder.mkdir(exist_ok=True)
    write_text(folder / "tasks.json", json.dumps(tasks, indent=1, ensure_ascii=False) + "\n")
    write_text(folder / "labeling.xml", _TASK)


def _task(one: Question) -> dict[str, Any]:
    shown = {"text": masked(one), "subject_type": one.subject_type, "object_type": one.object_type}
    return {"data": shown, "meta": {"question_id": one.question_id, "label": int(one.label)}}


def statistics_of(questions: list[Question]) -> dict[str, Any]:
    """Sizes of a build's splits."""
    return {split: _sizes([one for one in questions if one.split == split]) for split in SPLITS}


def _sizes(questions: list[Question]) -> dict[str, Any]:
    labels = Counter(one.label for one in questions)
    return {
        "questions": len(questions),
        "positives": labels[True],
        "negatives": labels[False],
        "windows": len({one.window for one in questions}),
        "argument_pairs": len({one.pair_id for one in questions}),
        "predicates": len({one.predicate for one in questions}),
    }
