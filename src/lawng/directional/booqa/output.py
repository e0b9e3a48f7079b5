"""What a user takes from a build of BoOQA: questions, evidence, masked files, tasks for raters, and its description."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from inspect import getsource
from pathlib import Path
from textwrap import dedent
from typing import Any

from lawng.directional.booqa.records import Evidence, Question
from lawng.directional.booqa.sample import SPLITS
from lawng.io import TableWriter, iter_parts, iter_records, write_json, write_text
from lawng.lawngnli.order import rank, shuffled
from lawng.reports.builds import Build
from lawng.reports.funnel import funnel_grid, funnel_svg, read_funnel
from lawng.reports.grid import Grid, markdown, plain
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
FELICITY = 100
"""Positives, and negatives, that are to be read (appendix E.2)."""
PAPER = (
    "Tianyi Li, Mohammad Javad Hosseini, Sabine Weber and Mark Steedman. Language Models Are Poor Learners of "
    "Directional Inference. Findings of EMNLP 2022."
)
_ABOUT = """# BoOQA, built with lawng

Boolean open question answering over news: is a proposition true, given what the articles of its context window say? A
positive is said in the window. A negative is the same proposition with a span of its predicate replaced by one of the
span's hyponyms in WordNet 3.0: more specific, found often elsewhere, and said nowhere in the window of these arguments,
nor are its synonyms.

Evidence for a question are the rows of `evidence.parquet` with its `pair_id`, without those whose `sentence_id` is in
its `exclude`: the sentences that its positive is from.

```python
from datasets import load_dataset

questions = load_dataset("PATH/TO/THIS/FOLDER")
```"""
_LIMITS = f"""## Limits

* Labels are automatic. A negative may be true and not reported, under another word or with other arguments; a positive
  may be an error of the parser. `felicity/` has {{n}} propositions to be read, as tasks for Label Studio.
* `masked/` has the propositions with types in place of arguments, for the hypothesis-only test: how far one gets
  without evidence. No proposition is in two of its files.
* The texts are those of the news that were given, and their terms apply. WordNet 3.0 is Princeton University's, under
  its own licence.

## Source

{PAPER}"""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


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
    funnel = replace(funnel_grid(steps), title="The funnel", note="In = kept + dropped wherever a share is given.")
    write_text(folder / "funnel.txt", plain(funnel) + "\n")
    write_text(folder / "funnel.svg", funnel_svg(steps, "From articles to questions"))
    write_rejects(build)
    statistics = {split: _sizes([one for one in questions if one.split == split]) for split in SPLITS}
    write_json(folder / "statistics.json", statistics)
    write_text(folder / "README.md", card(statistics, funnel, build.manifest()))
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


def _sizes(questions: list[Question]) -> dict[str, int]:
    labels = Counter(one.label for one in questions)
    return {
        "questions": len(questions),
        "positives": labels[True],
        "negatives": labels[False],
        "windows": len({one.window for one in questions}),
        "argument_pairs": len({one.pair_id for one in questions}),
        "predicates": len({one.predicate for one in questions}),
    }


def card(statistics: dict[str, dict[str, int]], funnel: Grid, manifest: dict[str, Any]) -> str:
    """README.md of a build: header for the loader, what it is, how it was built, its columns and limits."""
    shown = {name: manifest[name] for name in ("lawng", "seed", "config", "models", "versions") if name in manifest}
    made = json.dumps(shown, indent=2, ensure_ascii=False, sort_keys=True)
    total = {name: sum(sizes[name] for sizes in statistics.values()) for name in statistics[SPLITS[0]]}
    shown_sizes = [[split, *(f"{n:,}" for n in sizes.values())] for split, sizes in statistics.items()]
    parts = [
        "\n".join(_header(statistics, total["questions"])),
        _ABOUT,
        markdown(Grid("Sizes", ["split", *(name.replace("_", " ") for name in total)], shown_sizes)),
        "## How it was built\n\n" + markdown(funnel),
        f"## Models, configuration and versions\n\nFrom `manifest.json`.\n\n```json\n{made}\n```",
        "## Columns\n\n" + markdown(_columns()),
        _LIMITS.format(n=sum(min(FELICITY, total[name]) for name in ("positives", "negatives"))),
    ]
    return "\n\n".join(parts) + "\n"


def _header(statistics: dict[str, dict[str, int]], total: int) -> Iterator[str]:
    yield from ("---", "pretty_name: BoOQA, built with lawng", "language: [en]", "license: other")
    yield from ("task_categories: [text-classification]", "tags: [entailment, predicates, news, boolean-questions]")
    yield f"size_categories: [{next((name for limit, name in _SIZES if total < limit), '1M<n<10M')}]"
    yield from ("configs:", "- config_name: default", "  data_files:")
    for split in [name for name, sizes in statistics.items() if sizes["questions"]] or list(statistics)[:1]:
        yield from (f"  - split: {split}", f"    path: data/{split}.parquet")
    yield "---"


def _columns() -> Grid:
    """What each column of the questions holds, as `Question` says it."""
    rows: list[list[str]] = []
    for node in ast.parse(dedent(getsource(Question))).body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign):
            rows.append([f"`{node.target.id}`", ""])  # type: ignore[union-attr]
        elif rows and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            rows[-1][1] = " ".join(str(node.value.value).split())
    return Grid("One row per question", ["column", "what it holds"], rows, frozenset({0, 1}))
