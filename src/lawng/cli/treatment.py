"""`lawng treatment`: what cases do to the cases that they cite; its study and its training."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table
from typer import Option

from lawng.cli.options import OUTPUT, SEED
from lawng.cli.talk import SafeConsole, complain, emit, emit_json, read_sources, refuse_input, say
from lawng.schema import Treatment

PAIRS = Annotated[
    Path, Option("--data", help="Labelled pairs as CSV: citing_cluster_id, cited_cluster_id, cited_citations, label.")
]
MORE = Annotated[
    list[Path] | None, Option("--more", help="Further labelled pairs to fit to, of other citing cases. Repeatable.")
]
CORPORA = Annotated[list[Path], typer.Argument(help="The corpora that have the citing cases.")]


def treatment(
    sources: Annotated[list[str], typer.Argument(help="Corpus folders, or plain text files (- for standard input).")],
    to: Annotated[Literal["jsonl", "table"], Option(help="Form of output.")] = "jsonl",
    output: OUTPUT = None,
    every: Annotated[bool, Option("--all", help="In the table too: cases that are only mentioned.")] = False,
) -> None:
    """Tell what each case does to each case that it cites: overruled, reversed, limited, distinguished, mentioned.

    A row for each pair of citing and cited case, with the sentence that decides; JSON lines have all of them. What a
    dissent or a concurrence says has a row of its own, which does not decide. A source that cannot be read is named on
    standard error; the rest goes on.

    Example: lawng treatment corpus --to table
    """
    from lawng.io import atomic_file
    from lawng.treatment.whole import treatments_of_corpus, treatments_of_text

    failures: list[str] = []
    refuse_input(sources, output)
    counts: Counter[str] = Counter()
    found = _counted(read_sources(sources, treatments_of_text, treatments_of_corpus, failures), counts)
    with atomic_file(output) if output else nullcontext(sys.stdout) as target:
        if to == "table":
            SafeConsole(file=target).print(_table(one for one in found if every or one.done != "mentioned"))
        else:
            for one in found:
                emit_json(asdict(one), target)
        for failure in failures:
            complain(failure)
        if failures and not counts:
            raise typer.Exit(2)  # within: a file of nothing is not written
    said = ", ".join(f"{n:,} {label}" for label, n in counts.most_common())
    say(f"lawng: {counts.total():,} pairs of citing and cited case: {said or 'none'}")
    if output:
        say(f"lawng: wrote {output}")
    if failures:
        raise typer.Exit(2)


def _counted(found: Iterable[Treatment], counts: Counter[str]) -> Iterator[Treatment]:
    for one in found:
        if one.decides:
            counts[one.label] += 1
        yield one


def _table(found: Iterable[Treatment]) -> Table:
    table = Table("citing", "cited", "treatment", "by", "sentence", show_lines=False)
    for one in found:
        citing = ", ".join(filter(None, (one.citing_name, one.citing_cite, one.citing_date[:4])))
        what = " ".join(filter(None, (one.label, one.kind, one.told and f"{one.told} by {one.by}")))
        sure = f"{what} ({one.probability:.2f})"
        by = "the court" if one.decides else f"{one.part}, does not decide"
        table.add_row(citing, one.name or one.cite, sure, by, " ".join(one.sentence.split()))
    return table


def study_treatment(  # noqa: PLR0913, PLR0917 (one for each option)
    corpora: CORPORA,
    data: PAIRS,
    output: Annotated[Path, Option("-o", "--output", help="The study's folder.")],
    cross_validate: Annotated[
        bool, Option("--cross-validate", help="Fit the weights anew, each time without a tenth of the citing cases.")
    ] = False,
    more: MORE = None,
    seed: SEED = 7,
) -> None:
    """Treatments: is what a case does to another told as legal experts tell it?

    Columns of the file beside those needed are answers of other systems, and stand beside lawng's in the tables. The
    weights that lawng comes with were fitted to the 724 pairs of the Free Law Project: of these only --cross-validate
    tells anything.

    Example: lawng study treatment corpus --data pairs.csv -o treatment --cross-validate
    """
    from lawng.studies.treatment.study import study_treatment as study

    result = study(data, corpora, output, cross_validate=cross_validate, more=more or (), seed=seed, say=say)
    emit((output / "tables" / "systems.txt").read_text("utf-8"))
    if result.n_lost:
        say(f"{result.n_lost} pairs left out: their citing case is in none of the corpora.")
    if result.n_uncited:
        say(f"{result.n_uncited} pairs taken for mentions: no citation of the one case was found in the other.")
    say(f"Predictions are in {output / 'predictions.csv'}, tables in {output / 'tables'}.")
    if "errors" in result.tables:
        say(f"Next: read {output / 'tables' / 'errors.csv'}.")


def train_treatment(
    corpora: CORPORA,
    data: PAIRS,
    output: Annotated[Path, Option("-o", "--output", help="The file of weights.")],
    more: MORE = None,
    seed: SEED = 7,
) -> None:
    """Fit the weights of treatments to labelled pairs, and to pairs of cases that nobody labelled as mentions.

    Example: lawng train treatment corpus --data pairs.csv -o weights.json
    """
    from lawng.studies.treatment.training import train_treatment as train

    told = train(data, corpora, output, seed, more or ())
    say(f"Fitted to {told['pairs']:,} labelled pairs and {told['background']:,} others; wrote {output}.")
    say("Next: put it in the place of lawng/treatment/weights.json, and index again.")
