"""The card of a study of ACORD: data, licences, what was run, versions, seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawng import __version__
from lawng.models.versions import library_version
from lawng.reports.grid import Grid, markdown
from lawng.studies.acord.data import SPLITS
from lawng.studies.acord.runs import Found
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.systems import BEST_BM25, CORPUS_BM25
from lawng.studies.acord.task import Task

LIBRARIES = (
    *("numpy", "bm25s", "PyStemmer", "ir-measures", "pytrec-eval-terrier"),
    *("torch", "transformers", "sentence-transformers", "openai"),
)

PUBLISHED = """ACORD is published under two licences that contradict each other: its README and the paper (C.1) say
**CC BY 4.0**, the LICENSE file of the published repository is **MIT**. lawng cannot settle that; ask the authors, or
keep to what both demand: name the source and its licence, say what you changed, pass both notices on."""


def card(task: Task, settings: AcordSettings, found: Found, main: Grid, tables: Sequence[str]) -> str:
    """README.md of a study's folder."""
    parts = [_what(task, settings), markdown(main), _how(settings, found), _licences(task), _files(tables)]
    return "\n\n".join(parts) + "\n"


def versions() -> dict[str, str]:
    """lawng's own version and that of each library that the numbers hang on."""
    return {"lawng": __version__} | {name: found for name in LIBRARIES if (found := library_version(name))}


def plain_settings(settings: AcordSettings) -> dict[str, Any]:
    """The options as JSON has them; models by name."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(one) for one in value]
        return value if isinstance(value, str | int | type(None)) else getattr(value, "name", type(value).__name__)

    return {name: plain(getattr(settings, name)) for name in AcordSettings.__dataclass_fields__}


def _what(task: Task, settings: AcordSettings) -> str:
    acord = task.acord
    queries = {name: sum(query.split == name for query in acord.queries.values()) for name in SPLITS}
    splits = ", ".join(f"{n} {name}" for name, n in queries.items())
    return f"""# Clause retrieval: a study on {acord.name}

{len(acord.clauses):,} clauses, {len(acord.queries)} queries ({splits}),
{len(acord.judgements):,} judgements. Asked were the {len(task.queries)} queries of **{task.split}**, form
{", ".join(settings.forms)}. Only the clauses that were judged for a query are ranked for it: zeros are explicit, and a
pair without a judgement is unknown (ACORD, arXiv:2501.06582, C.5.2). Equal scores are ranked by clause id."""


def _how(settings: AcordSettings, found: Found) -> str:
    best, corpus = (f"{bm25.method}, k1 {bm25.k1:g}, b {bm25.b:g}" for bm25 in (BEST_BM25, CORPUS_BM25))
    lines = [
        "* BM25: the query's judged clauses are the collection whose words are counted, as the paper's row has it.",
        f"* BM25, best: the same collection, no stop words, {best}. In the fusion: the whole corpus, {corpus}. Both "
        "were chosen on the train and valid queries of ACORD.",
        f"* Re-rankers are given the first {settings.depth} of a retriever; below, its order stays.",
        f"* Seed {settings.seed}, {settings.resamples:,} resamples of the queries; models are not trained here.",
        "* " + ", ".join(f"{name} {version}" for name, version in versions().items()),
    ]
    lines += [f"* {note}" for note in found.notes]
    lines += [f"* Not to be had: {label.shown}: {why}" for label, why in found.missing]
    return "## How\n\n" + "\n".join(lines)


def _licences(task: Task) -> str:
    stated = "\n".join(f"* {line}" for line in task.acord.licences) or "* none is stated"
    return f"## Licences, as stated\n\nIn the files at hand:\n\n{stated}\n\n{PUBLISHED}"


def _files(tables: Sequence[str]) -> str:
    return f"""## Files

| | |
|:--|:--|
| `tables/` | {", ".join(tables)}, each as text, CSV, LaTeX and Markdown |
| `runs/*.run`, `runs/qrels` | TREC files; ids are percent-encoded, for query ids have blanks |
| `results.json` | every number here and the values by query |
| `cache/` | vectors, re-ranking scores and answers: a study that was killed goes on |"""
