"""The data card of a build of BoOQA: README.md with the YAML header that `datasets.load_dataset` reads."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from inspect import getsource
from textwrap import dedent
from typing import Any

from lawng.directional.booqa.records import Question
from lawng.reports.funnel import FunnelStep, funnel_grid
from lawng.reports.grid import Grid, markdown

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


def card(statistics: dict[str, Any], funnel: list[FunnelStep], manifest: dict[str, Any]) -> str:
    """README.md of a build: header for the loader, what it is, how it was built, its columns and limits."""
    shown = {name: manifest[name] for name in ("lawng", "seed", "config", "models", "versions") if name in manifest}
    made = json.dumps(shown, indent=2, ensure_ascii=False, sort_keys=True)
    total = sum(sizes["questions"] for sizes in statistics.values())
    parts = [
        "\n".join(_header(statistics, total)),
        _ABOUT,
        markdown(sizes_grid(statistics)),
        "## How it was built\n\n" + markdown(funnel_of(funnel)),
        f"## Models, configuration and versions\n\nFrom `manifest.json`.\n\n```json\n{made}\n```",
        "## Columns\n\n" + markdown(_columns()),
        _LIMITS.format(n=_tasks(statistics)),
    ]
    return "\n\n".join(parts) + "\n"


def _tasks(statistics: dict[str, Any]) -> int:
    """How many propositions are given to be read."""
    return sum(min(FELICITY, sum(sizes[name] for sizes in statistics.values())) for name in ("positives", "negatives"))


def _header(statistics: dict[str, Any], total: int) -> Iterator[str]:
    yield from ("---", "pretty_name: BoOQA, built with lawng", "language: [en]", "license: other")
    yield from ("task_categories: [text-classification]", "tags: [entailment, predicates, news, boolean-questions]")
    yield f"size_categories: [{next((name for limit, name in _SIZES if total < limit), '1M<n<10M')}]"
    yield from ("configs:", "- config_name: default", "  data_files:")
    for split in [name for name, sizes in statistics.items() if sizes["questions"]] or list(statistics)[:1]:
        yield from (f"  - split: {split}", f"    path: data/{split}.parquet")
    yield "---"


def sizes_grid(statistics: dict[str, Any]) -> Grid:
    """What each split has."""
    names = list(next(iter(statistics.values())))
    rows = [[split, *(f"{sizes[name]:,}" for name in names)] for split, sizes in statistics.items()]
    return Grid("Sizes", ["split", *(name.replace("_", " ") for name in names)], rows)


def funnel_of(steps: list[FunnelStep]) -> Grid:
    """The funnel of a build as a table."""
    return replace(funnel_grid(steps), title="The funnel", note="In = kept + dropped wherever a share is given.")


def _columns() -> Grid:
    rows = [[f"`{name}`", about] for name, about in column_notes().items()]
    return Grid("One row per question", ["column", "what it holds"], rows, frozenset({0, 1}))


@cache
def column_notes() -> dict[str, str]:
    """What each column of the questions holds, as `Question` says it."""
    body = ast.parse(dedent(getsource(Question))).body[0].body  # type: ignore[attr-defined]
    notes: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.AnnAssign):
            notes[node.target.id] = ""  # type: ignore[union-attr]
        elif notes and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            notes[list(notes)[-1]] = " ".join(str(node.value.value).split())
    return notes
