"""`lawng study`: the papers' experiments on one's own data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from lawng.cli.options import ACORD, BUILD, ENCODER, INDEX
from lawng.cli.options import SEED as CHOICES
from lawng.cli.study_acord import acord
from lawng.cli.study_generalization import generalization
from lawng.cli.talk import emit, say
from lawng.cli.treatment import study_treatment
from lawng.extras import LIBRARIES, need
from lawng.models.find import OFFLINE
from lawng.studies.retrieval.paper import ENCODERS, POOL, POOL_ENCODER

app = typer.Typer(
    help="Studies: generalisation to long premises, retrieval by implication, described-by search, what they train on, "
    "clause retrieval, directional inference."
)
CORPUS = Annotated[Path, Option(help="The corpus that the build was made from.")]
FOLDER = Annotated[Path, Option("-o", "--output", help="The study's folder; what it has computed is kept.")]
SEED = Annotated[int, Option(help="Of samples, negation and resampling.")]
POOL_MODEL = Annotated[str, Option("--pool-encoder", help="Bi-encoder that chooses the near pool.")]


@app.command()
def retrieval(  # noqa: PLR0913, PLR0917 (one parameter per option)
    build: BUILD,
    corpus: CORPUS,
    output: FOLDER,
    index: Annotated[str | None, Option(help="An index of the same corpus: adds our own systems.")] = None,
    encoder: Annotated[
        list[str] | None,
        Option(help="A bi-encoder of the panel, name or folder; again for each. Default: the paper's four."),
    ] = None,
    pool_encoder: POOL_MODEL = POOL_ENCODER,
    stance: Annotated[str | None, Option(help="An NLI cross-encoder that re-ranks.")] = None,
    relevance: Annotated[str | None, Option(help="A relevance cross-encoder that re-ranks.")] = None,
    rerank: Annotated[list[str] | None, Option(help="A ranking to re-rank, such as BM25-five; again for each.")] = None,
    queries: Annotated[str, Option(help="test, all, or candidates for a small data set.")] = "test",
    pool: Annotated[int, Option(min=2, help="Opinions of a pool, the cited one among them.")] = POOL,
    pools: Annotated[str, Option(help="near (the paper's), neutral, or both.")] = "both",
    citing: Annotated[
        str,
        Option(help="Whether the citing case, which has the query word for word, is in the pool: keep, drop, both."),
    ] = "both",
    view_queries: Annotated[
        int | None,
        Option(
            min=0,
            help="Ask the slow systems (bi-encoders on five paragraphs, cross-encoders) only the queries of so many "
            "candidates, drawn at random; 0 leaves them out. Default: all.",
        ),
    ] = None,
    seed: SEED = 7,
) -> None:
    """Case retrieval by implication, LawngNLI's tables 6 and 17: is a case found by what it entails or refutes?

    Writes TREC runs, qrels, a BEIR collection, tables in the paper's layout (text, LaTeX, CSV), differences with paired
    intervals, and plots of recall by k. A killed study goes on when it is run again.

    Example: lawng study retrieval build --corpus corpus -o study --index index --encoder all-MiniLM-L6-v2
    """
    need(*LIBRARIES["search"])  # before the hours that the study takes
    from lawng.index.reader import Index
    from lawng.studies.retrieval.prepare import RetrievalSettings
    from lawng.studies.retrieval.study import study_retrieval

    settings = RetrievalSettings(
        queries=queries,
        pools=pools,
        citing=citing,
        size=pool,
        encoders=tuple(encoder or ENCODERS),
        pool_encoder=pool_encoder,
        stance=stance,
        relevance=relevance,
        rerank=tuple(rerank or ()),
        sample=view_queries,
        seed=seed,
    )
    result = study_retrieval(build, corpus, output, settings, Index.open(index) if index is not None else None, say)
    tables = result.folder / "tables"
    emit((tables / "table-17.txt").read_text("utf-8"))
    for line in (*result.notes, *(f"not to be had: {why}" for why in result.missing)):
        say(line)
    say(f"Tables are in {tables}, plots in {result.folder / 'plots'}, runs in {result.folder / 'runs'}.")
    say(f"Next: look at {tables / 'table-6.txt'} and {tables / 'differences.csv'}.")


@app.command()
def described(
    index: INDEX,
    output: FOLDER,
    sample: Annotated[int | None, Option(min=1, help="Only so many descriptions, at random.")] = None,
    seed: SEED = 7,
) -> None:
    """Described-by search: does a parenthetical find the case that it describes, its own entry left out?

    Example: lawng study described index -o described
    """
    from lawng.index.reader import Index
    from lawng.studies.described import study_described

    result = study_described(Index.open(index), output, sample, seed)
    emit((output / "described.txt").read_text("utf-8"))
    say(f"The table is in {result.folder / 'described.csv'}, the runs in {result.folder / 'runs'}.")
    say(f'Next: lawng search {index} "an argument"')


@app.command()
def training_set(  # noqa: PLR0913, PLR0917 (one parameter per option)
    build: BUILD,
    corpus: CORPUS,
    output: Annotated[Path, Option("-o", "--output", help="Where the set goes.")],
    encoder: POOL_MODEL = POOL_ENCODER,
    source: Annotated[
        str, Option("--from", help="data (its train and validation splits), or candidates for a small data set.")
    ] = "data",
    whole: Annotated[bool, Option("--whole", help="Whole opinions as premises, not their five paragraphs.")] = False,
    seed: SEED = 7,
) -> None:
    """The training set for re-ranking (LawngNLI, footnote 11): neutral hypotheses meet a near but wrong opinion.

    Example: lawng study training-set build --corpus corpus -o retrieval-set --pool-encoder all-MiniLM-L6-v2
    """
    from lawng.studies.retrieval.prepare import negation
    from lawng.studies.retrieval.training import retrieval_training_set

    done = retrieval_training_set(
        build, corpus, output, encoder=encoder, source=source, whole=whole, negate=negation(seed), seed=seed
    )
    for split, labels in done.rows.items():
        say(f"{split}: " + ", ".join(f"{n:,} {label}" for label, n in labels.items()))
    if done.dropped:
        say(f"{done.dropped:,} neutral examples left out: no other opinion in their jurisdiction")
    say(f"Next: lawng train nli --data {output} -o model; lawng study retrieval {build} --stance model ...")


app.command()(acord)
app.command()(generalization)
app.command("treatment")(study_treatment)


@app.command()
def clauses(
    data: ACORD,
    output: Annotated[Path, Option("-o", "--output", help="Folder for tables and runs.")],
    encoder: ENCODER = OFFLINE,
    seed: CHOICES = 7,
) -> None:
    """Clause models by cross-validation: an ablation inside train and valid, and nested over all queries.

    Example: lawng study clauses --data ../shared/data/acord -o clauses-study
    """
    need(*LIBRARIES["search"])
    from lawng.clauses.ranking.rankers import cache_folder
    from lawng.models.encoder import embedder
    from lawng.studies.acord.clause_study import study_clause_models

    text = study_clause_models(data, output, embedder(encoder), cache_folder(), seed, say)
    emit(text)
    say(f"The tables are in {output / 'clauses.txt'} and clauses.csv, the run in {output / 'nested.run'}.")
    say(f"Next: lawng train clauses --data {data} -o clause-model")


BOOQA_PROMPTS = "discrete, symmetric, continuous or hypothesis-only; again for each. Default: discrete."
RATE = Annotated[tuple[float, float], Option(help="From where learning rates are drawn.")]
ACCUMULATION = Annotated[
    tuple[int, int],
    Option(help="From where steps of ten pairs are drawn that make an update; few where the pairs are few."),
]
EPOCHS = Annotated[int, Option(min=1, help="Of each training.")]
BF16 = Annotated[bool, Option("--bf16", help="Train in mixed precision; faster where the processor can.")]
DRAWS = Annotated[int, Option(min=1, help="Hyper-parameters to try, chosen on dev.")]
LEARNERS = Annotated[
    list[str] | None,
    Option("--encoder", help=f"A masked language model or sentence encoder; again for each. Default: {OFFLINE}."),
]


@app.command()
def levyholt(  # noqa: PLR0913, PLR0917 (one parameter per option)
    data: Annotated[Path, Option(help="LevyHolt: a folder with `orig`, or with train.txt, dev.txt and test.txt.")],
    output: FOLDER,
    encoder: LEARNERS = None,
    prompting: Annotated[
        list[str] | None,
        Option(
            help="discrete, symmetric, hypothesis-only, continuous, or none; again for each. Default: the first three."
        ),
    ] = None,
    subset: Annotated[list[str] | None, Option(help="What to train on; again for each. Default: all.")] = None,
    draws: DRAWS = 100,
    rate: RATE = (1e-8, 5e-2),
    accumulation: ACCUMULATION = (1, 17),
    epochs: EPOCHS = 3,
    bf16: BF16 = False,
    entailed: Annotated[
        Path | None, Option(help="SherLIiC: teaches the direction scorer, which no directional pair of LevyHolt does.")
    ] = None,
    seed: SEED = 7,
) -> None:
    """LevyHolt: do language models learn which of two predicates entails the other?

    Writes tables, precision-recall curves and predictions. A killed study goes on when it is run again.

    Example: lawng study levyholt --data ../shared/data/levyholt --entailed ../shared/data/sherliic -o study
    """
    need(*LIBRARIES["train"])
    from lawng.studies.levyholt.study import study_levyholt
    from lawng.studies.levyholt.systems import NAMES, LevyHoltSettings

    settings = LevyHoltSettings(
        encoders=tuple(encoder or [OFFLINE]),
        prompting=tuple(one for one in prompting or ["discrete", "symmetric", "hypothesis-only"] if one != "none"),
        subsets=tuple(subset or NAMES),
        draws=draws,
        rate=rate,
        accumulation=accumulation,
        epochs=epochs,
        bf16=bf16,
        entailed=entailed,
        seed=seed,
    )
    result = study_levyholt(data, output, settings, say)
    if result.rejects:
        say(f"{len(result.rejects):,} lines are in another form, the first: {result.rejects[0]}")
    emit((output / "tables" / "measures.txt").read_text("utf-8"))
    say(f"The tables are in {output / 'tables'}, the curves beside them, the scores in {output / 'predictions'}.")
    say(f"Next: look at {output / 'tables' / 'direction.txt'}.")


@app.command()
def booqa(  # noqa: PLR0913, PLR0917 (one parameter per option)
    data: Annotated[Path, Option(help="A build of BoOQA: a folder that `lawng build booqa` wrote.")],
    output: FOLDER,
    encoder: LEARNERS = None,
    graph: Annotated[list[Path] | None, Option(help="An entailment graph; again for each.")] = None,
    levyholt: Annotated[
        Path | None, Option(help="LevyHolt, on which prompts are trained; without it they are left out.")
    ] = None,
    prompting: Annotated[list[str] | None, Option(help=BOOQA_PROMPTS)] = None,
    subset: Annotated[list[str] | None, Option(help="Of LevyHolt, to train on; again for each. Default: full.")] = None,
    draws: DRAWS = 100,
    rate: RATE = (1e-8, 5e-2),
    accumulation: ACCUMULATION = (1, 17),
    epochs: EPOCHS = 3,
    bf16: BF16 = False,
    seed: SEED = 7,
) -> None:
    """BoOQA: which systems tell from the news of some days whether a proposition is true?

    Writes tables, precision-recall curves and predictions. A killed study goes on when it is run again.

    Example: lawng study booqa --data demo/booqa -o demo/booqa-study
    """
    need(*LIBRARIES["train"], *LIBRARIES["directional"])
    from lawng.studies.booqa.answering import BooqaSettings
    from lawng.studies.booqa.study import study_booqa
    from lawng.studies.levyholt.systems import LevyHoltSettings

    prompts = LevyHoltSettings(
        prompting=tuple(prompting or (["discrete"] if levyholt else [])),
        subsets=tuple(subset or ["full"]),
        draws=draws,
        rate=rate,
        accumulation=accumulation,
        epochs=epochs,
        bf16=bf16,
        seed=seed,
    )
    encoders = tuple(encoder or [OFFLINE])
    study_booqa(data, output, BooqaSettings(encoders, tuple(graph or ()), levyholt, prompts, seed), say)
    emit((output / "tables" / "measures.txt").read_text("utf-8"))
    say(f"The tables are in {output / 'tables'}, the curves beside them, the scores in {output / 'predictions'}.")
    say(f"Next: look at {output / 'tables' / 'combined.txt'}.")
