"""`lawng train` and `lawng evaluate`: models of stance and of clauses, and how good they are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from lawng.api import PARSER, evaluate_stance, train_stance
from lawng.cli.options import ACORD, CHECKPOINTING, ENCODER, MICRO, PATIENCE, PRECISION, PROCESSES, SEED
from lawng.cli.talk import emit, say
from lawng.cli.treatment import train_treatment
from lawng.extras import LIBRARIES, need
from lawng.models.find import CLAUSE_FINDER, OFFLINE
from lawng.models.training.search import train_reranker, train_retriever
from lawng.schema.views import PREMISES, SHORT, premise_of

DATA = Annotated[
    list[Path] | None,
    Option(
        help="File or folder of ANLI, Breaking NLI, ConTRoL, ContractNLI, DocNLI (its MNLI and FEVER too), FEVER-NLI, "
        "HealthVer, LingNLI, MNLI, nli4wills, SciTail, SICK, SNLI, VitaminC, or a build. Repeatable."
    ),
]
BUILDS = Annotated[list[Path] | None, Option("--build", help="Build folder: its candidates. Repeatable.")]
CORPORA = Annotated[list[Path] | None, Option("--corpus", help="Corpus: sentences of its opinions. Repeatable.")]
OPINIONS = Annotated[list[Path] | None, Option("--corpus", help="Corpus with the opinions. Repeatable.")]
EXCERPTS = Annotated[list[Path] | None, Option(help="Arguments on excerpts of opinions: JSON lines. Repeatable.")]
SETS = Annotated[list[Path] | None, Option("--training-set", help="Folder of `lawng study training-set`. Repeatable.")]
GROUPS = Annotated[list[Path] | None, Option(help="Graded queries over groups of clauses: JSON lines. Repeatable.")]
SPACY = Annotated[str, Option("--spacy-model", help="Parser for the negations.")]
VIEW = "What is shown: short, long, bm25-short or bm25-long premises (of a build's data), hypothesis, or only-PREMISE."
FOLDER = "$LAWNG_STANCE_MODEL, else ~/.cache/lawng/stance"

trains = typer.Typer(help="Train models.", no_args_is_help=True)
evaluates = typer.Typer(help="Measure how good models are.", no_args_is_help=True, callback=lambda: None)


@trains.command("nli")
def train_nli(  # noqa: PLR0913, PLR0917 (one parameter per option)
    output: Annotated[Path | None, Option("-o", "--output", help=f"Folder to write. Default: {FOLDER}.")] = None,
    data: DATA = None,
    build: BUILDS = None,
    corpus: CORPORA = None,
    excerpts: EXCERPTS = None,
    base: Annotated[str, Option(help="Encoder to begin with, Hub name or folder, or lawng-judge.")] = OFFLINE,
    epochs: Annotated[int, Option(help="Times that each pair is seen.")] = 2,
    sample: Annotated[float, Option(help="Share of the training pairs, above 0 to 1.")] = 1.0,
    batch: Annotated[int, Option(help="Pairs per step.")] = 16,
    lr: Annotated[float, Option(help="Peak learning rate.")] = 1e-4,
    seed: SEED = 0,
    max_length: Annotated[int, Option(help="Tokens of a pair; the premise is cut to fit.")] = 256,
    warmup: Annotated[
        int, Option(help="Updates until the peak learning rate, at most half of all; 0: a sixteenth.")
    ] = 0,
    freeze_words: Annotated[
        bool, Option("--freeze-words/--train-words", help="Leave the word embeddings as they are.")
    ] = True,
    freeze_layers: Annotated[int, Option(help="Leave so many of the lowest layers, and with them all embeddings.")] = 0,
    keep_layers: Annotated[int, Option(help="Take only so many of the base's layers, the lowest. 0 is all.")] = 0,
    distil: Annotated[
        float, Option(help="The base, a trained stance model, teaches this share of its layers' weights. 0 is all.")
    ] = 0.0,
    dropout: Annotated[
        float | None, Option(help="Default: the base's own. 0 takes a third less time on a CPU.")
    ] = None,
    patience: PATIENCE = None,
    micro: MICRO = None,
    processes: PROCESSES = None,
    precision: PRECISION = None,
    checkpointing: CHECKPOINTING = None,
    statements: Annotated[int, Option(help="Sentences of each corpus, at most.")] = 1200,
    view: Annotated[str, Option(help=VIEW)] = "short",
    small: Annotated[
        bool, Option("--small", help="Write OUTPUT/onnx too: the model in less than half of its bytes, to ship.")
    ] = False,
    spacy_model: SPACY = PARSER,
) -> None:
    """Train a stance model: does a passage entail an argument, contradict it, or neither?

    Writes a Hugging Face folder that `lawng search` uses. A killed run goes on when the same command is run again.

    Example: lawng train nli -o stance --data ../shared/data/nli --data ../shared/data/control --build build
    """
    how = {"patience": patience, "micro": micro, "processes": processes, "precision": precision}
    how["checkpointing"] = checkpointing
    folder = train_stance(
        output, data or (), build or (), corpus or (), excerpts or (), parser=spacy_model, report=say,
        base=base, batch=batch, max_length=max_length, epochs=epochs, sample=sample, lr=lr, seed=seed, warmup=warmup,
        freeze_words=freeze_words, freeze_layers=freeze_layers, keep_layers=keep_layers, distil=distil,
        statements=statements, dropout=dropout,
        view=view, small=small,
        **{name: value for name, value in how.items() if value is not None},
    )  # fmt: skip
    say(f"The stance model is in {folder}; what it was trained on, in {folder / 'README.md'}.")
    search = f'; lawng search INDEX "..." --model {folder}' if view in PREMISES else ""
    asked = "" if premise_of(view) == SHORT else " --data BUILD/data"
    say(f"Next: lawng evaluate nli {folder}{asked}{search}")


@trains.command("retriever")
def retriever(  # noqa: PLR0913, PLR0917 (one parameter per option)
    output: Annotated[Path, Option("-o", "--output", help="The model's folder.")],
    build: BUILDS = None,
    corpus: OPINIONS = None,
    excerpts: EXCERPTS = None,
    training_set: SETS = None,
    base: Annotated[str, Option(help="Bi-encoder to begin with, Hub name or folder.")] = OFFLINE,
    epochs: Annotated[int, Option(help="Times that each query is seen.")] = 1,
    batch: Annotated[int, Option(help="Queries per step.")] = 32,
    lr: Annotated[float, Option(help="Peak learning rate.")] = 5e-5,
    max_length: Annotated[int, Option(help="Tokens of a text while it is trained.")] = 160,
    freeze_layers: Annotated[int, Option(help="Leave so many of the lowest layers.")] = 0,
    seed: SEED = 0,
) -> None:
    """Train a bi-encoder for search: what is said of a case is near the passage that says so.

    A killed run goes on when the same command is run again.

    Example: lawng train retriever -o finder --build build --corpus corpus --excerpts excerpts.jsonl
    """
    folder = train_retriever(
        output, build or (), corpus or (), excerpts or (), training_set or (), report=say,
        base=base, epochs=epochs, batch=batch, lr=lr, max_length=max_length, freeze_layers=freeze_layers, seed=seed,
    )  # fmt: skip
    say(f"The finder is in {folder}, in int8 for the CPU in {folder / 'onnx'}; README.md says what it was trained on.")
    say(f"Next: lawng index CORPUS -o INDEX --encoder {folder / 'onnx'}")


@trains.command("reranker")
def reranker(  # noqa: PLR0913, PLR0917 (one parameter per option)
    output: Annotated[Path, Option("-o", "--output", help="The model's folder.")],
    build: BUILDS = None,
    corpus: OPINIONS = None,
    excerpts: EXCERPTS = None,
    training_set: SETS = None,
    base: Annotated[str, Option(help="Encoder or cross-encoder to begin with, or lawng-reranker.")] = OFFLINE,
    updates: Annotated[int, Option(help="Number of updates, of eight lists each.")] = 600,
    lr: Annotated[float, Option(help="Learning rate.")] = 1e-4,
    max_length: Annotated[int, Option(help="Tokens of argument and sentence together.")] = 160,
    freeze_layers: Annotated[int, Option(help="Leave so many of the lowest layers.")] = 0,
    seed: SEED = 0,
) -> None:
    """Train a re-ranker of passages: which sentence of an opinion decides an argument?

    A killed run goes on when the same command is run again.

    Example: lawng train reranker -o reranker --corpus corpus --excerpts excerpts.jsonl
    """
    folder = train_reranker(
        output, build or (), corpus or (), excerpts or (), training_set or (), report=say,
        base=base, updates=updates, lr=lr, max_length=max_length, freeze_layers=freeze_layers, seed=seed,
    )  # fmt: skip
    say(f"The re-ranker is in {folder}; README.md says what it was trained on.")
    say(f'Next: lawng search INDEX "..." --rerank {folder}')


trains.command("treatment")(train_treatment)


@trains.command("roles")
def train_roles(
    output: Annotated[Path, Option("-o", "--output", help="The file of weights.")],
    corpus: OPINIONS = None,
    excerpts: EXCERPTS = None,
) -> None:
    """Train the classifier of what a sentence does in an opinion: it answers, states a rule, tells facts, asks.

    Example: lawng train roles -o roles.json --corpus corpus --excerpts excerpts.jsonl
    """
    need(*LIBRARIES["build"])
    from lawng.datasets.excerpts import read_excerpts
    from lawng.search import roles

    told = roles.train_roles([one for file in excerpts or () for one in read_excerpts(file, corpus or (), say)], output)
    say(f"Taught by {told['sentences']:,} sentences; right for {told['right']:.1%} of {told['held_out']:,} held out.")


@trains.command("relevance")
def train_relevance(  # noqa: PLR0913, PLR0917 (one parameter per option)
    data: ACORD,
    output: Annotated[Path, Option("-o", "--output", help="The model's folder.")],
    base: Annotated[str, Option(help="Encoder or cross-encoder to begin with, or lawng-clause-reranker.")] = OFFLINE,
    lr: Annotated[list[float] | None, Option(help="Learning rate; again for each. Default: the paper's five.")] = None,
    updates: Annotated[
        list[int] | None, Option(help="Number of updates; again for each. Default: the paper's ten.")
    ] = None,
    runs: Annotated[int, Option(help="Runs of each learning rate, with seeds of their own.")] = 3,
    form: Annotated[
        list[str] | None,
        Option(help="short, medium or long queries; again for each. Validation asks the first."),
    ] = None,
    groups: GROUPS = None,
    only_groups: Annotated[
        bool, Option("--only-groups", help="Learn from the groups alone, from none of ACORD's training queries.")
    ] = False,
    loss: Annotated[str, Option(help="soft (the paper's) or listwise.")] = "soft",
    targets: Annotated[str, Option(help="grades (the paper's), or fine: mean stars.")] = "grades",
    batch: Annotated[int, Option(help="Pairs per update.")] = 64,
    max_length: Annotated[int, Option(help="Tokens of query and clause together.")] = 256,
    focus: Annotated[
        int | None, Option(help="Read so many words of a clause: those that answer the query best.")
    ] = None,
    tags: Annotated[bool, Option(help="Put what the glossary finds in a clause before it, in words.")] = False,
    hard_zeros: Annotated[float, Option(help="Share of the irrelevant clauses drawn among BM25's best.")] = 0.5,
    freeze_words: Annotated[
        bool, Option("--freeze-words/--train-words", help="Leave the word embeddings as they are.")
    ] = False,
    freeze_layers: Annotated[int, Option(help="Leave so many of the lowest layers.")] = 0,
    dropout: Annotated[
        float | None, Option(help="Default: the base's own. 0 takes a third less time on a CPU.")
    ] = None,
    depth: Annotated[int, Option(help="BM25's best clauses that validation ranks again.")] = 100,
    precision: PRECISION = None,
    int8: Annotated[bool, Option(help="Write an int8 model for the CPU too.")] = True,
    seed: Annotated[int, Option(help="Of the first run; the others have the next ones.")] = 0,
) -> None:
    """Train a re-ranker of clauses: a cross-encoder, chosen from a grid by NDCG@10 of the validation queries.

    The whole grid takes days on two cores; a smaller one is named by --lr, --updates and --runs. A killed run goes on
    when the same command is run again.

    Example: lawng train relevance --data ../shared/data/acord -o tuned --lr 1e-4 --updates 200 --updates 400 --runs 1
    """
    from lawng.models.training.options import RelevanceOptions
    from lawng.models.training.relevance import RATES, UPDATES
    from lawng.studies.acord.fine_tune import TuneSettings, fine_tune

    options = RelevanceOptions(
        base, batch, max_length, freeze_words, freeze_layers, dropout=dropout,
        loss=loss, micro=min(batch, 16), hard_zeros=hard_zeros, precision=precision or "auto",
    )  # fmt: skip
    settings = TuneSettings(
        tuple(lr or RATES), tuple(updates or UPDATES), runs, seed, options,
        forms=tuple(form or ("short",)), targets=targets, focus=focus, tags=tags, depth=depth, int8=int8,
        groups=tuple(map(str, groups or ())), judgements=not only_groups,
    )  # fmt: skip
    done = fine_tune(data, output, settings, say)
    choice = done.choice
    say(f"Chosen: learning rate {choice.lr:g}, {choice.updates:,} updates, validation NDCG@10 {choice.mean:.4f}.")
    say(f"The relevance model is in {done.folder}, the whole grid in {done.folder / 'grid.csv'}.")
    say(f"Next: lawng study acord --data {data} --rerank {done.folder}")


@trains.command("verifier")
def train_verifier(
    build: Annotated[Path, typer.Argument(help="A build of propositions, which has the candidates that were read.")],
    readings: Annotated[Path, Option(help="What was read: JSON lines with `id` and `verdict`.")],
    output: Annotated[Path, Option("-o", "--output", help="The verifier's folder.")],
    stance: Annotated[str | None, Option(help="A stance model to ask too: folder of `lawng train nli`.")] = None,
    precision: Annotated[float, Option(help="Share of what passes that is to be entailed.")] = 0.93,
) -> None:
    """Train a verifier: which propositions do the pages that they are cited to entail?

    Example: lawng train verifier build --readings readings.jsonl -o verifier
    """
    need(*LIBRARIES["build"])
    from lawng.lawngnli import verifier

    told = verifier.train_verifier(build, readings, output, stance, precision).told
    say(
        f"Taught by {told['readings']:,} readings; {told['precision_held_out']:.2f} of what passes is entailed and "
        f"{told['recall']:.2f} of what is entailed passes (held out; propositions that stand alone)."
    )
    say(f"Next: lawng build CORPUS -o BUILD --hypotheses both --verifier {output}")


@trains.command("clauses")
def train_clauses(
    data: ACORD,
    output: Annotated[Path, Option("-o", "--output", help="The model's folder.")],
    split: Annotated[list[str] | None, Option(help="Train on it; again for each. Default: train, valid.")] = None,
    encoder: ENCODER = OFFLINE,
    seed: SEED = 7,
) -> None:
    """Train a clause model: boosted trees that rank clauses by what attorneys' stars went by.

    Example: lawng train clauses --data ../shared/data/acord -o clause-model
    """
    need(*LIBRARIES["search"])
    from lawng.clauses.ranking.rankers import cache_folder
    from lawng.clauses.ranking.trained import RankingOptions
    from lawng.io.progress import progress_bar
    from lawng.models.encoder import embedder
    from lawng.studies.acord.clause_model import train_clause_model

    with progress_bar("clauses encoded") as progress:
        options, splits = RankingOptions(seed=seed), split or ["train", "valid"]
        done = train_clause_model(data, output, splits, options, embedder(encoder), cache_folder(), progress)
    say(f"Trained on {done.n_queries:,} queries with {done.n_graded:,} clauses of two stars or more.")
    say(f"The clause model is in {done.folder}.")
    say(f'Next: lawng study acord --data {data} --model {output}; lawng search CONTRACTS "..." --model {output}')


@trains.command("clause-encoder")
def train_clause_encoder(  # noqa: PLR0913, PLR0917 (one parameter per option)
    data: ACORD,
    output: Annotated[Path, Option("-o", "--output", help="The model's folder.")],
    groups: GROUPS = None,
    marked: Annotated[
        list[Path] | None,
        Option(help="Queries in which it is marked what their words name: JSON lines. Repeatable."),
    ] = None,
    base: Annotated[str, Option(help="Bi-encoder to begin with, Hub name or folder.")] = OFFLINE,
    draws: Annotated[
        int, Option(min=0, help="Groups drawn of each of ACORD's training queries; 0 leaves them to the clause model.")
    ] = 0,
    epochs: Annotated[int, Option(help="Times that each group is seen.")] = 3,
    batch: Annotated[int, Option(help="Clauses, and queries, per step: a multiple of eight.")] = 64,
    lr: Annotated[float, Option(help="Peak learning rate.")] = 1e-4,
    max_length: Annotated[int, Option(help="Tokens of a clause while it is trained.")] = 176,
    freeze_layers: Annotated[int, Option(help="Leave so many of the lowest layers.")] = 0,
    precision: PRECISION = None,
    seed: SEED = 0,
) -> None:
    """Train a bi-encoder for clauses: a query is near the clauses that have what it asks, and lack what it forbids.

    With marked queries it also learns to read: which words of a query name which notion of the glossary. A killed run
    goes on when the same command is run again.

    Example: lawng train clause-encoder --data ../shared/data/acord --groups groups.jsonl -o clause-encoder
    """
    from lawng.models.training.options import RetrieverOptions
    from lawng.studies.acord.clause_encoder import train_clause_encoder as train

    options = RetrieverOptions(
        base=base,
        epochs=epochs,
        batch=batch,
        lr=lr,
        max_length=max_length,
        freeze_layers=freeze_layers,
        precision=precision or "auto",
        seed=seed,
    )
    folder = train(data, groups or (), output, options, say, marked=marked or (), draws=draws)
    say(f"The encoder is in {folder}, in int8 for the CPU in {folder / 'onnx'}; README.md says what it was trained on.")
    say(f"Next: lawng train clauses --data {data} --encoder {folder / 'onnx'} -o clause-model")


@trains.command("subjects")
def train_subjects(
    data: ACORD,
    groups: GROUPS = None,
    encoder: Annotated[str, Option(help="Whose vectors of clauses are read: a name or folder.")] = CLAUSE_FINDER,
    output: Annotated[
        Path | None,
        Option("-o", "--output", help="The file of weights. Default: subjects.json beside the encoder."),
    ] = None,
) -> None:
    """Teach what a clause is about by its vector, beside the glossary's patterns: by these, and by graded queries.

    Searches with the encoder use the weights that stand in its folder.

    Example: lawng train subjects --data ../shared/data/acord --groups groups.jsonl --encoder clause-encoder/onnx
    """
    from lawng.clauses.ranking.clause_subjects import FILE
    from lawng.models.find import find_model
    from lawng.studies.acord.clause_subjects import train_clause_subjects

    file = output or Path(find_model("encoder", encoder).place) / FILE
    told = train_clause_subjects(data, groups or (), encoder, file)
    patterns, taught = told["ndcg"]["patterns"], told["ndcg"]["taught"]
    say(f"Taught by {told['clauses']:,} clauses and {told['groups']:,} graded groups of them; weights: {file}.")
    say(f"NDCG of queries of held-out groups by how a clause fits: {taught:.4f}, by patterns alone {patterns:.4f}.")
    say(f'Next: lawng clauses CONTRACTS "..." --encoder {encoder}')


@evaluates.command("nli")
def evaluate_nli(  # noqa: PLR0913, PLR0917 (one parameter per option)
    model: Annotated[
        str | None, typer.Argument(help=f"Model folder, Hub name or openai:MODEL. Default: {FOLDER}, else lawng-judge.")
    ] = None,
    output: Annotated[Path, Option("-o", "--output", help="Folder for predictions and scores.")] = Path("nli"),
    data: DATA = None,
    build: BUILDS = None,
    corpus: CORPORA = None,
    excerpts: EXCERPTS = None,
    backend: Annotated[str, Option(help="auto, torch, bf16, int8 or onnx.")] = "auto",
    seed: SEED = 0,
    view: Annotated[str | None, Option(help=f"{VIEW} Default: as trained.")] = None,
    spacy_model: SPACY = PARSER,
) -> None:
    """Score a stance model on what it was not trained on, beside chance, majority and hypothesis-only baselines.

    Predictions are stored before they are scored, so that scoring again costs nothing.

    Example: lawng evaluate nli stance --data ../shared/data/nli --data ../shared/data/control --build build -o nli
    """
    text = evaluate_stance(
        model,
        output,
        data or (),
        build or (),
        corpus or (),
        excerpts or (),
        parser=spacy_model,
        report=say,
        backend=backend,
        seed=seed,
        view=view,
    )
    emit(text)
    say(f"Predictions are in {output / 'predictions.parquet'}, scores in {output / 'scores.json'} and scores.md.")
