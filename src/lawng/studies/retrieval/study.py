"""The case retrieval study as a whole: systems, runs, re-rankings, tables and plots in one folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lawng import __version__
from lawng.datasets.splits import side
from lawng.errors import ConfigError
from lawng.evaluation.beir import Document, write_beir
from lawng.evaluation.runs import rankings, write_qrels
from lawng.extras import explained, library_version
from lawng.index.reader import Index
from lawng.io import read_json, write_json, write_text
from lawng.io.progress import progress_bar
from lawng.models.find import shown_name
from lawng.reports.builds import open_build
from lawng.schema import ScoredDoc
from lawng.studies.harness import (
    CACHE,
    CELLS,
    MANIFEST,
    Harness,
    Say,
    SystemLabel,
    TrecStore,
    plain_settings,
    publish,
    study_folder,
    unsaid,
)
from lawng.studies.retrieval.collection import Numbers, judgements, sample
from lawng.studies.retrieval.indexed import IndexAnswers, index_depends
from lawng.studies.retrieval.prepare import Prepared, RetrievalSettings, Setting, prepare
from lawng.studies.retrieval.score import Run, outcomes_of, recalls, subsets_of, write_differences, write_plots
from lawng.studies.retrieval.systems import (
    Ranker,
    Relevance,
    by_relevance,
    by_stance,
    full,
    view_bm25,
    view_encoder,
    whole_bm25,
    whole_encoder,
)
from lawng.studies.retrieval.tables import Recall, write_tables
from lawng.studies.retrieval.views import best_passages, five_paragraphs
from lawng.studies.tables import Draws

if TYPE_CHECKING:
    from lawng.models.protocols import PairModel

LIBRARIES = ("numpy", "scipy", "ir-measures", "torch", "transformers", "sentence-transformers", "lancedb", "spacy")
BASES = ("all-distilroberta-v1-five", "lawng-search-passages", "BM25-five")
"""What is re-ranked unless told otherwise, where it is there: the paper's ranking, ours, and BM25's."""

Asked = Sequence[tuple[Ranker, Sequence[int]]]
"""Systems, each with the numbers of the queries that it is asked."""


class StudyResult(NamedTuple):
    """What a study found, and where it lies."""

    folder: Path
    recalls: list[Recall]
    differences: list[list[str]]
    missing: list[str]
    notes: list[str]


@explained()
def study_retrieval(  # noqa: PLR0913, PLR0917 (its inputs, and who is told)
    build: Path,
    corpus: Path,
    folder: Path,
    settings: RetrievalSettings | None = None,
    index: Index | None = None,
    say: Say = unsaid,
) -> StudyResult:
    """Run the study and write its folder (LawngNLI, 4.2.1, tables 6 and 17).

    Runs are stored before they are scored; vectors and judgements are kept in `cache/`, so that a killed study goes on
    and a second one with another option computes only what is new. `index` adds our own systems; it must be an index
    of the same corpus. `manifest.json` is written last.

    Raises MissingError, InputError, ConfigError or StageError, one line each.
    """
    settings = settings or RetrievalSettings()
    source = open_build(build)
    with study_folder(folder):
        prepared = prepare(source, corpus, folder, settings, say)
        _write_collection(folder, prepared)
        runs = list(Runs(folder / CACHE, prepared, settings, index, say))
        publish((run.cell for run in runs), folder / "runs")
        result = _score(folder, prepared, runs, settings, say)
        inputs = _inputs(source.manifest(), corpus, index)
        write_json(folder / MANIFEST, _manifest(settings, inputs, prepared, runs))
    return result


@dataclass
class Runs:
    """Makes the runs, setting by setting: every system on the setting's pools, then re-rankings of some of them."""

    cache: Path
    prepared: Prepared
    settings: RetrievalSettings
    index: Index | None
    say: Say

    def __post_init__(self) -> None:
        self._harness = Harness(self.cache / CELLS, TrecStore(".trec"), __name__)
        self._queries = self.prepared.task.queries
        self._sampled = sample(self._queries, self.settings.sample, self.settings.seed)

    def __iter__(self) -> Iterator[Run]:
        """First rankings, then re-rankings of them. Raises ConfigError for an unknown ranking to re-rank."""
        systems = list(self._systems())
        rerankers = list(self._rerankers(systems))
        tags = {system.label.name for system, _ in systems}
        if unknown := set(self.settings.rerank) - tags:
            known = ", ".join(sorted(tags))
            raise ConfigError(f"--rerank {', '.join(sorted(unknown))}: no such ranking; there are {known}")
        bases = set(self.settings.rerank) or (set(BASES) & tags)
        for setting, pools in self.prepared.pools.items():
            firsts = [self._run(setting, system, "", asked, dict(enumerate(pools))) for system, asked in systems]
            yield from firsts
            for first in firsts:
                if first.label.name in bases:
                    yield from self._again(setting, first, rerankers)

    def _systems(self) -> Iterator[tuple[Ranker, Sequence[int]]]:
        """The panel and ours, each with the queries that it is asked."""
        prepared, everyone = self.prepared, range(len(self._queries))
        yield whole_bm25(self._queries, prepared.bm25), everyone
        yield view_bm25(self._queries, prepared.views), everyone
        yield from ((whole_encoder(encoded), everyone) for encoded in prepared.panel)
        asked = {query: prepared.views.reach[query] for query in self._sampled}
        for encoded in prepared.panel if asked else ():
            yield view_encoder(encoded, prepared.views, asked, self.say), self._sampled
        if self.index is not None:
            ours = IndexAnswers(self.index, self._queries, prepared.task.documents)
            yield from ((ranker, everyone) for ranker in ours.rankers())

    def _rerankers(self, systems: Asked) -> Iterator[tuple[Ranker, Sequence[int]]]:
        """Whatever scores pairs: the panel's systems on five paragraphs, and cross-encoders."""
        from lawng.models.pairs import pair_model, relevance_model

        yield from ((system, asked) for system, asked in systems if system.label.other == "five")
        five, cache, settings = five_paragraphs(self.prepared.views), self.cache / "judged", self.settings
        if not self._sampled:
            return
        judge = pair_model(settings.stance) if isinstance(settings.stance, str) else settings.stance
        again = relevance_model(settings.relevance) if isinstance(settings.relevance, str) else settings.relevance
        if judge and again and shown_name(judge.name) == shown_name(again.name):
            raise ConfigError(f"two models would be called {shown_name(judge.name)}; rename the folder of one")
        if judge is not None:
            self._tell(judge)
            yield by_stance(judge, cache, self._queries, five), self._sampled
            if self.index is not None:
                ways = best_passages(self.index, self.prepared.task.documents, self._queries)
                of = index_depends(self.index)
                yield by_stance(judge, cache, self._queries, ways, "passages", index=of), self._sampled
        if again is not None:
            self._tell(again)
            yield by_relevance(again, cache, self._queries, five), self._sampled

    def _tell(self, model: PairModel | Relevance) -> None:
        if lost := len(full(model, self._queries) & {*self._sampled}):
            self.say(
                f"{lost:,} of {len(self._sampled):,} queries fill what {model.name} reads: it returns nothing there"
            )

    def _run(
        self, setting: Setting, system: Ranker, base: str, asked: Sequence[int], pools: Mapping[int, Numbers]
    ) -> Run:
        """One run: the pools of the queries that the system is asked."""
        tag = system.label.name
        name = f"{base}--{tag}" if base else tag
        self.say(f"{setting.name}: {f'{base}, re-ranked by ' if base else ''}{tag}")
        own = {query: pools[query] for query in asked if query in pools}
        task = self.prepared.task

        def answer() -> Iterator[ScoredDoc]:
            with progress_bar(name) as progress:
                yield from task.run(system, own, progress)

        cell = self._harness.cell(f"{setting.name}/{name}", {**task.depends(own), "system": system[:2]}, answer)
        return Run(cell, setting.name, system.label, base, frozenset(self._queries[query].query_id for query in own))

    def _again(self, setting: Setting, first: Run, rerankers: Asked) -> Iterator[Run]:
        """Re-rank the lists of a first ranking, read back from its file; the list as it is comes first."""
        number = self.prepared.task.documents.number
        of_query = rankings(first.cell.rows())
        lists = {
            at: np.array(sorted(number[doc] for doc in of_query.get(query.query_id, ())), dtype=np.int64)
            for at, query in enumerate(self._queries)
            if query.query_id in first.asked
        }
        yield first._replace(base=first.label.name, label=SystemLabel("", "", "as it is"))
        for system, asked in rerankers:
            if system.label.name != first.label.name:
                yield self._run(setting, system, first.label.name, asked, lists)


def _write_collection(folder: Path, prepared: Prepared) -> None:
    """Qrels for TREC tools, the collection for BEIR's, and what became no query."""
    queries, found = prepared.task.queries, prepared.task.documents
    judged = judgements(queries)
    write_qrels(folder / "qrels.trec", judged)
    documents = (Document(*row) for row in zip(found.ids, found.names, found.texts, strict=True))
    write_beir(folder / "beir", documents, {query.query_id: query.text for query in queries}, {"test": judged})
    write_text(folder / "not-negated.tsv", "".join("\t".join(row) + "\n" for row in prepared.refused))


def _score(folder: Path, prepared: Prepared, runs: list[Run], settings: RetrievalSettings, say: Say) -> StudyResult:
    queries = prepared.task.queries
    drawn = {queries[at].candidate_id for at in sample(queries, settings.sample, settings.seed)}
    subsets = subsets_of(lambda case: side(case) == "held-out", drawn if settings.sample else None)
    say("scoring the runs")
    outcomes = outcomes_of(runs, queries)
    rows = recalls(outcomes, queries, subsets)
    write_tables(folder / "tables", rows, prepared.missing)
    draws = Draws(settings.seed, settings.resamples)
    gaps = write_differences(folder / "tables" / "differences.csv", outcomes, queries, subsets, draws)
    write_plots(folder / "plots", outcomes, queries, subsets)
    write_text(folder / "notes.txt", "".join(f"{note}\n" for note in prepared.notes))
    return StudyResult(folder, rows, gaps, prepared.missing, prepared.notes)


def _inputs(build: dict[str, Any], corpus: Path, index: Index | None) -> dict[str, Any]:
    stage = corpus / "_stage.json"
    about: dict[str, Any] | None = None
    if index is not None:
        info = index.info
        about = {"version": index.version, "encoder": info.encoder, "cases": info.n_cases, "passages": info.n_passages}
    return {
        "corpus": read_json(stage)["tally"]["digests"] if stage.is_file() else {},
        "build": {name: stage["fingerprint"] for name, stage in build.get("stages", {}).items()},
        "index": about,
    }


def _manifest(
    settings: RetrievalSettings, inputs: dict[str, Any], prepared: Prepared, runs: list[Run]
) -> dict[str, Any]:
    return {
        "lawng": __version__,
        "versions": {name: library_version(name) for name in LIBRARIES},
        "settings": plain_settings(settings),
        "inputs": inputs,
        "encoders": {encoded.encoder.name: encoded.encoder.embedder.state for encoded in prepared.panel},
        "not_to_be_had": prepared.missing,
        "notes": prepared.notes,
        "queries": len(prepared.task.queries),
        "not_negated": len(prepared.refused),
        "documents": len(prepared.task.documents),
        "runs": [run.cell.path.name for run in runs],
    }
