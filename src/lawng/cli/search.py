"""`lawng search`: an argument in, cases out; or a query in, clauses of contracts out."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from lawng.cli.clauses import holds_contracts, refuse, refuse_clause_model
from lawng.cli.contracts import find
from lawng.cli.talk import SafeConsole, emit_json, say, text_of
from lawng.errors import InputError
from lawng.schema import Filters

if TYPE_CHECKING:
    from lawng.search.answer import Answer


def search(  # noqa: PLR0913, PLR0917 (the options of a command)
    place: Annotated[
        str,
        Argument(
            help="An index made by `lawng index`; or a file or folder of contracts (text, DOCX, PDF) or clauses "
            "(JSONL)."
        ),
    ],
    argument: Annotated[
        str,
        Argument(
            help="A statement, a case name or a citation; for contracts what clause you look for. - reads standard "
            "input."
        ),
    ],
    k: Annotated[int, Option("-k", "--cases", min=1, max=1000, help="How many cases, or clauses.")] = 10,
    model: Annotated[
        str | None,
        Option(
            help="Stance model: a folder, a Hugging Face name, nli-deberta, openai:MODEL, or none "
            "(default: that of `lawng train nli`, else lawng-judge); "
            "for contracts the folder of a clause model (`lawng train clauses`)."
        ),
    ] = None,
    jurisdiction: Annotated[
        list[str] | None, Option(help="Only this jurisdiction (us, mass, ...); may be repeated.")
    ] = None,
    court: Annotated[
        list[str] | None, Option(help="Only courts of this name, or with these words in it; may be repeated.")
    ] = None,
    after: Annotated[str, Option(help="Only cases of this day (or year) or later.")] = "",
    before: Annotated[str, Option(help="Only cases of this day (or year) or earlier.")] = "",
    part: Annotated[
        list[str] | None, Option(help="Only opinions of this kind (majority, dissent, ...); may be repeated.")
    ] = None,
    case: Annotated[
        list[str] | None, Option(help="Only this case: what does it say? A citation, name or id; may be repeated.")
    ] = None,
    good_law: Annotated[
        bool,
        Option(
            "--good-law", help="Leave out cases that were overruled or reversed, wholly or in part, and count them."
        ),
    ] = False,
    side: Annotated[bool | None, Option("--supporting/--refuting", help="Show one of the two lists only.")] = None,
    source: Annotated[
        list[str] | None, Option(help="Only contracts with these words in their name; may be repeated.")
    ] = None,
    encoder: Annotated[
        str | None,
        Option(
            help="Encoder for contracts: a folder, a Hugging Face name, or none (words alone). "
            "Default: lawng-clause-finder."
        ),
    ] = None,
    rerank: Annotated[
        str | None,
        Option(
            help="Re-ranker: a folder, a cross-encoder of Hugging Face, openai:MODEL, or none. For sentences of "
            "opinions one of `lawng train reranker` (default: lawng-reranker), for clauses of contracts one of "
            "`lawng train relevance` (default: lawng-clause-reranker without --model)."
        ),
    ] = None,
    depth: Annotated[
        int | None,
        Option(
            min=1, max=1000, help="How many of the best clauses are re-ranked, those of equal words once. Default: 15."
        ),
    ] = None,
    weight: Annotated[
        float | None,
        Option(
            min=0.01,
            max=1.0,
            help="The re-ranker's share of the new order; 1 leaves the first order out. Default: 0.2 of "
            "lawng-clause-reranker, 0.4 of others.",
        ),
    ] = None,
    explain: Annotated[bool, Option("--explain", help="Show each score, and the time by step.")] = False,
    to: Annotated[Literal["table", "jsonl"], Option(help="Form of output.")] = "table",
) -> None:
    """Find cases for and against an argument, supporting, refuting and undecided ones; or clauses of contracts.

    Words between double quotation marks must occur. A citation or an exact case name finds that case first. A contract
    is cut into its sections and subsections, and each clause found comes with file, section number, headings and page.

    Example: lawng search index "A landlord may not evict a tenant in retaliation." --after 1990
    """
    of_cases = {
        "jurisdiction": jurisdiction,
        "court": court,
        "after": after,
        "before": before,
        "part": part,
        "case": case,
        "good-law": good_law or None,
    }
    of_contracts: dict[str, Any] = {"encoder": encoder, "depth": depth, "weight": weight}
    if holds_contracts(place):
        refuse({**of_cases, "supporting/--refuting": side}, "contracts")
        find(
            [place],
            argument,
            k,
            {"files": source},
            {"model": model, "rerank": rerank, **of_contracts},
            explain,
            to == "jsonl",
        )
        return
    refuse({"source": source, **of_contracts}, "an index")
    refuse_clause_model(model)
    given = text_of(sys.stdin.buffer.read(), "standard input") if argument == "-" else argument
    from lawng.search.answer import LISTS

    begun = time.perf_counter()
    answer = _answer(place, given, k, (model, rerank), side, of_cases)
    seconds = time.perf_counter() - begun
    lists = LISTS if side is None else ("supporting",) if side else ("refuting",)
    _write(answer, lists, explain, to == "jsonl")
    _talk(answer, lists, explain, place, seconds)


def _answer(  # noqa: PLR0913, PLR0917 (the options of a command)
    index: str, given: str, k: int, models: tuple[str | None, str | None], side: bool | None, filters: dict[str, Any]
) -> Answer:
    """The answer of an index; one side of it cannot be asked for without a stance model."""
    from lawng.api import CaseSearch
    from lawng.index.lance import lancedb
    from lawng.search.filters import check_filters
    from lawng.search.query import read_argument

    read_argument(given)  # what is wrong with it is said before anything is loaded
    check_filters(Filters(after=filters["after"], before=filters["before"], parts=tuple(filters["part"] or ())))
    lancedb(alone=True)
    with CaseSearch(index, *(name or "default" for name in models)) as cases:
        if cases.searcher.stance is None and side is not None:
            raise InputError(
                "--supporting and --refuting need a stance model: leave out --model none, or make one (lawng train nli)"
            )
        return cases.search(
            given,
            k,
            courts=filters["court"] or (),
            jurisdictions=filters["jurisdiction"] or (),
            after=filters["after"],
            before=filters["before"],
            parts=filters["part"] or (),
            cases=filters["case"] or (),
            good_law=bool(filters["good-law"]),
        )


def _write(answer: Answer, lists: Sequence[str], explain: bool, jsonl: bool) -> None:
    from lawng.cli.answer_view import show

    if not jsonl:
        show(answer, explain, lists, SafeConsole())
        return
    for row in answer.to_rows():
        if row["list"] in lists:
            emit_json(row)


def _talk(answer: Answer, lists: Sequence[str], explain: bool, index: str, seconds: float) -> None:
    from lawng.search.searcher import NO_STANCE

    for line in (*(f"Warning: {warning}" for warning in answer.warnings), *answer.notes):
        say(line)
    looked = f"{answer.n_passages:,} passages of {answer.n_cases:,} cases"
    judged = f"stance by {answer.stance_model}" if answer.stance_model else "stance not judged"
    judged = f"sentences by {answer.reranker}, {judged}" if answer.reranker else judged
    searching = answer.seconds["total"] - answer.seconds["load"]
    say(f"Looked at {looked} in {searching:.2f} s, after {seconds - searching:.1f} s of loading.")
    say(f"Encoder {answer.encoder}, {judged}.")
    if explain:
        say("Seconds: " + ", ".join(f"{step} {time:.3f}" for step, time in answer.seconds.items()))
    if NO_STANCE in answer.notes:  # else the note says why: a question has no side
        say("To have cases sorted into supporting and refuting, leave out --model none, or install lawng whole.")
    if any(getattr(answer, name) for name in lists):
        say(f"No legal advice: read the opinions. Next: lawng serve {index}")
