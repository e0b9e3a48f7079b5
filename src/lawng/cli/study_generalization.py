"""`lawng study generalization`: are long premises read well by models that never trained on any?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from lawng.cli.options import CHECKPOINTING, MICRO, PATIENCE, PRECISION, PROCESSES
from lawng.cli.talk import emit, say
from lawng.errors import InputError

if TYPE_CHECKING:
    from lawng.studies.generalization.study import GeneralizationResult

SAMPLE = Path("sample/caselaw")


def generalization(  # noqa: PLR0913, PLR0917 (one parameter per option)
    data: Annotated[
        Path | None,
        Argument(help="A build made by `lawng build`, or ContractNLI's files. With --preset tiny: the bundled sample."),
    ] = None,
    output: Annotated[Path, Option("-o", "--output", help="The study's folder; what it has computed is kept.")] = Path(
        "generalization"
    ),
    preset: Annotated[
        str, Option(help="small (a CPU), tiny (random weights, a minute), or paper (the panel of seven, A.2.1).")
    ] = "small",
    model: Annotated[
        list[str] | None,
        Option(help="A base, Hub name or folder, or openai:MODEL; again for each."),
    ] = None,
    intermediate: Annotated[
        list[str] | None,
        Option(help="NLI data to fine-tune each base on first, file or folder; none is no such data. Again for each."),
    ] = None,
    column: Annotated[
        list[str] | None, Option(help="A column: 1 to 10 of table 13, hypothesis, and so on; again for each.")
    ] = None,
    seed: Annotated[list[int] | None, Option(help="Of training; again for each. Default: 0.")] = None,
    epochs: Annotated[int | None, Option(min=1, help="Passes through the training pairs.")] = None,
    lr: Annotated[float | None, Option(help="Peak learning rate.")] = None,
    batch: Annotated[int | None, Option(min=1, help="Pairs in an update.")] = None,
    max_length: Annotated[int | None, Option(min=16, help="Tokens of a pair in training.")] = None,
    gold: Annotated[
        Path | None, Option(help="Gold labels, the gold.csv of `lawng annotate gold`: adds table 16.")
    ] = None,
    patience: PATIENCE = None,
    micro: MICRO = None,
    processes: PROCESSES = None,
    precision: PRECISION = None,
    checkpointing: CHECKPOINTING = None,
    whole: Annotated[bool, Option(help="Premises of more than 4,096 tokens, too.")] = False,
    plain: Annotated[
        bool,
        Option("--plain", help="Long premises of a build without the last paragraphs that are copied to their front."),
    ] = False,
    unseen: Annotated[
        bool, Option("--unseen", help="Ask one half of the hypotheses, train on the other half.")
    ] = False,
    plan: Annotated[bool, Option("--plan", help="Say what it will take, and stop.")] = False,
) -> None:
    """Can models read long premises without having been fine-tuned on any? LawngNLI's tables 12 to 16.

    Each model is trained on short premises, long ones and what BM25 finds in them, and asked long ones: whole, cut,
    filtered, window by window. Writes tables, paired differences, all scores, predictions, and the answer in a
    paragraph. A killed study goes on, in the middle of a training too.

    Example: lawng study generalization build -o generalization --column 1 --column 4 --column 6
    """
    from lawng.reports.grid import plain as as_text
    from lawng.studies.generalization import presets
    from lawng.studies.generalization.study import study_generalization, study_plan

    settings = presets.chosen(
        preset,
        {"epochs": epochs, "lr": lr, "batch": batch, "max_length": max_length},
        {"micro": micro, "processes": processes, "precision": precision, "checkpointing": checkpointing}
        | {"patience": patience},
        models=tuple(model or ()), intermediate=tuple(intermediate or ()), columns=tuple(column or ()),
        seeds=tuple(seed or ()), whole=whole, plain=plain, unseen=unseen, gold=str(gold or ""),
    )  # fmt: skip
    beside = output.resolve().parent
    if data is None:
        data = _sample(preset, beside / f"{output.resolve().name}-sample")
    settings = presets.with_tiny_base(settings, beside / f"{output.resolve().name}-tiny", data)
    if plan or preset == presets.PAPER:
        emit(as_text(study_plan(data, settings)) + "\n\n")
    if plan:
        return
    _tell(study_generalization(data, output, settings, say))


def _tell(result: GeneralizationResult) -> None:
    tables = result.folder / "tables"
    for name in ("table-13", "table-12", "as-it-is"):
        if name in result.tables:
            emit((tables / f"{name}.txt").read_text("utf-8"))
    emit((tables / "answer.txt").read_text("utf-8"))
    say(f"Tables are in {tables}, predictions in {result.folder / 'predictions'}.")
    say(f"Next: look at {tables / 'gaps.txt'} and {tables / 'scores.csv'}.")


def _sample(preset: str, place: Path) -> Path:
    """A build of the bundled sample, made where it is not there."""
    from lawng.studies.generalization.presets import TINY

    if preset != TINY or not SAMPLE.is_dir():
        raise InputError("no data: name a folder that `lawng build` made, or ContractNLI's files")
    if not (place / "build" / "data").is_dir():
        import lawng

        say(f"building the sample in {place}")
        lawng.build(lawng.read_corpus(SAMPLE, folder=place / "corpus"), place / "build")
    return place / "build"
