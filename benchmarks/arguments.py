"""Arguments against an index: where the case that decides each was found, on which side it was put, what was quoted.

    lawng corpus import ../shared/data/courtlistener-scotus -o scotus
    lawng index scotus -o index
    python benchmarks/arguments.py index -o arguments.md
    python benchmarks/arguments.py index --arguments benchmarks/data/fresh-arguments.jsonl
    python benchmarks/arguments.py index --arguments benchmarks/data/fresh-arguments.jsonl --paired
    python benchmarks/arguments.py index --excerpts benchmarks/data/excerpts-held-out.jsonl --corpus scotus --short

The arguments were written from the opinions alone, before any search was run and in words of their own; each names a
passage of a majority opinion that says so, or says the opposite. Twenty are in `data/arguments.jsonl`, forty in
`data/fresh-arguments.jsonl`, and those of held-out excerpts are many. With --model none no stance is judged, with
--rerank none no sentence is chosen. Markdown, with Clopper-Pearson 95 % intervals.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from lawng.errors import LawngError
from lawng.search.answer import Answer, Hit

DATA = Path(__file__).parent / "data" / "arguments.jsonl"
COLUMNS = ("supporting", "refuting", "undecided", "unjudged")
OTHER = {"supporting": "refuting", "refuting": "supporting"}
NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|nor|neither|without|cannot)\b|n't\b", re.IGNORECASE)
K = 10


@dataclass(frozen=True)
class Known:
    """An argument, and the passage that decides it."""

    id: str
    argument: str
    stance: str
    """`supporting` or `refuting`: what the passage does to the argument."""
    case_id: str
    case: str
    opinion_id: str
    start: int
    end: int
    """Span of the passage in the opinion's text."""
    first_words: str
    last_words: str
    page: str
    """Label of the official reporter's page on which the passage begins."""
    why: str
    also: tuple[tuple[int, int], ...] = ()
    """Other passages of the opinion that decide it as well."""

    @property
    def spans(self) -> list[tuple[int, int]]:
        """All that decide it."""
        return [(self.start, self.end), *((start, end) for start, end in self.also)]

    @property
    def negated(self) -> bool:
        """Whether the argument has a negation word."""
        return NEGATION.search(self.argument) is not None


@dataclass(frozen=True)
class Outcome:
    """What search did with one argument."""

    known: Known
    answer: Answer
    column: str
    """The list that the case is in, "not found" when in none."""
    rank: int
    """Place of the case among all hits by score, from 1; 0 when not found."""
    place: int
    """Place in its list, from 1; 0 when not found."""
    shown: str
    """What became of the passage: `decides`, `shown` or `not shown`."""
    quoted: bool
    """Whether the words quoted first are of a deciding passage."""
    first: bool
    """Whether the first passage of the case has a deciding one."""

    @property
    def stance(self) -> str:
        """The probabilities of the case's stance, "" when none was judged."""
        hit = next((hit for hit in self.answer.hits if hit.case.case_id == self.known.case_id), None)
        if hit is None or hit.stance is None:
            return ""
        return f"{hit.stance.entailment:.2f} / {hit.stance.neutral:.2f} / {hit.stance.contradiction:.2f}"


def read_arguments(path: Path = DATA) -> list[Known]:
    """The arguments with their passages."""
    return [Known(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def judge(known: Known, answer: Answer) -> Outcome:
    """Find the case, and the passage, in the answer to its argument."""
    merged = sorted(answer.hits, key=lambda hit: (-hit.score, hit.case.case_id))
    ranks = [place for place, hit in enumerate(merged, 1) if hit.case.case_id == known.case_id]
    for column in ("named", *COLUMNS):
        for place, hit in enumerate(getattr(answer, column), 1):
            if hit.case.case_id == known.case_id:
                return Outcome(known, answer, column, ranks[0], place, _shown(known, hit), *_first(known, hit))
    return Outcome(known, answer, "not found", 0, 0, "not shown", quoted=False, first=False)


def _first(known: Known, hit: Hit) -> tuple[bool, bool]:
    """Whether the words quoted of the first passage decide, and whether any of it does."""
    if not hit.passages or hit.passages[0].passage.opinion_id != known.opinion_id:
        return False, False
    one = hit.passages[0]
    start = one.passage.start
    return (
        _overlaps(known, start + one.quoted[0], start + one.quoted[1]),
        _overlaps(known, start, one.passage.end),
    )


def _overlaps(known: Known, start: int, end: int) -> bool:
    """Whether a span has half of a deciding passage, or is half of one."""
    return any(2 * (min(end, b) - max(start, a)) > min(b - a, end - start) for a, b in known.spans)


def _shown(known: Known, hit: Hit) -> str:
    """Whether a passage of the hit overlaps the known one, and whether it is the one that decided the stance."""
    same = [
        shown.passage.passage_id
        for shown in hit.passages
        if shown.passage.opinion_id == known.opinion_id and _overlaps(known, shown.passage.start, shown.passage.end)
    ]
    if hit.decided_by and hit.decided_by in same:
        return "decides"
    return "shown" if same else "not shown"


def differences(known: list[Known], opinion: Callable[[str], Any]) -> Iterator[str]:
    """A line for each passage that is not what it was in the corpus that the arguments were written from."""
    for row in known:
        try:
            text = opinion(row.opinion_id).text[row.start : row.end]
        except LawngError as error:
            yield f"{row.id}: {row.case} cannot be read: {error}"
            continue
        if not (text.startswith(row.first_words) and text.endswith(row.last_words)):
            yield f"{row.id}: the passage of {row.case} has other words here: {text[:60]!r}"


# ------------------------------------------------------------------ report

MEASURES: tuple[tuple[str, Callable[[Outcome], bool]], ...] = (
    ("case among the first ten", lambda o: 0 < o.rank <= K),
    ("case first", lambda o: o.rank == 1),
    ("sentence quoted decides", lambda o: o.quoted),
    ("first passage decides", lambda o: o.first),
    ("one of three passages does", lambda o: o.shown != "not shown"),
    ("case not found", lambda o: o.column == "not found"),
    ("on the right side", lambda o: o.column == o.known.stance),
    ("on the wrong side", lambda o: o.column == OTHER[o.known.stance]),
    ("undecided", lambda o: o.column == "undecided"),
)
N_RANKS = 6
"""The first so many measures need no stance model."""
GROUPS: tuple[tuple[str, Callable[[Known], bool]], ...] = (
    ("all", lambda _: True),
    ("supported", lambda known: known.stance == "supporting"),
    ("refuted", lambda known: known.stance == "refuting"),
    ("with a negation word", lambda known: known.negated),
    ("without", lambda known: not known.negated),
)


def share(right: int, total: int) -> str:
    """Counts, share and the 95 % Clopper-Pearson interval.

    >>> share(18, 20)
    '18 / 20, 90 % (68 - 99)'
    """
    interval = binomtest(right, total).proportion_ci(0.95, method="exact")
    return f"{right} / {total}, {100 * right / total:.0f} % ({100 * interval.low:.0f} - {100 * interval.high:.0f})"


def summary(outcomes: list[Outcome]) -> Iterator[str]:
    """One row for each measure, one column for each group of arguments."""
    groups = {name: [o for o in outcomes if belongs(o.known)] for name, belongs in GROUPS}
    yield f"| | {' | '.join(groups)} |"
    yield "| --- |" + " --- |" * len(groups)
    judged = outcomes[0].answer.stance_model is not None
    for measure, holds in MEASURES if judged else MEASURES[:N_RANKS]:
        cells = (share(sum(map(holds, group)), len(group)) if group else "-" for group in groups.values())
        yield f"| {measure} | {' | '.join(cells)} |"


def overview(outcomes: list[Outcome]) -> Iterator[str]:
    """One row for each argument."""
    yield "| | deciding case | it is | found as | place in list | place in all | known passage | e / n / c |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for o in outcomes:
        places = f"{o.place or '-'} | {o.rank or '-'}"
        yield f"| {o.known.id} | {o.known.case} | {o.known.stance} | {o.column} | {places} | {o.shown} | {o.stance} |"


def detail(outcome: Outcome) -> Iterator[str]:
    """An argument, why it is decided as it is, and the first three cases of each list."""
    known = outcome.known
    yield f"### {known.id}: {known.stance}, {known.case} at {known.page}\n"
    yield f"> {known.argument}\n"
    yield f"{known.why} Found: {outcome.column}{_at(outcome)}; known passage: {outcome.shown}.\n"
    for column in COLUMNS:
        if hits := getattr(outcome.answer, column):
            yield f"* {column}: " + "; ".join(_name(hit, known) for hit in hits[:3])
    for note in outcome.answer.notes:
        yield f"* note: {note}"
    yield ""


def _at(outcome: Outcome) -> str:
    if not outcome.rank:
        return ""
    return f", {outcome.place} of {len(getattr(outcome.answer, outcome.column))}, {outcome.rank} among all"


def _name(hit: Hit, known: Known) -> str:
    year = f" ({hit.case.date[:4]})" if hit.case.date else ""
    name = ", ".join((hit.case.name or hit.case.case_id, *hit.case.citations[:1])) + year
    return f"**{name}**" if hit.case.case_id == known.case_id else name


def report(outcomes: list[Outcome], wrong: list[str], short: bool) -> Iterator[str]:
    """The whole report in Markdown."""
    answer = outcomes[0].answer
    looked = f"{answer.n_cases:,} cases, {answer.n_passages:,} passages; encoder {answer.encoder}"
    models = f"sentences by {answer.reranker or 'words'}; stance {answer.stance_model or 'not judged'}"
    yield f"{len(outcomes)} arguments; {looked}; {models}; k = {K}.\n"
    if wrong:
        yield "**The corpus differs from the one that the arguments were written from:**\n"
        yield from (f"* {line}" for line in wrong)
        yield ""
    seconds = [outcome.answer.seconds for outcome in outcomes[1:]]  # the first one loads
    steps = {step: statistics.median(one.get(step, 0.0) for one in seconds) for step in ("total", "rerank", "stance")}
    yield "Median milliseconds of a search: " + ", ".join(f"{s} {1000 * t:.0f}" for s, t in steps.items()) + ".\n"
    yield from summary(outcomes)
    if short:
        return
    yield ""
    yield from overview(outcomes)
    yield "\ne / n / c: probabilities that the deciding premise entails, is neutral to, contradicts the argument.\n"
    for outcome in outcomes:
        yield from detail(outcome)


def main() -> None:
    """Read the options, search, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", metavar="INDEX", help="index of the Supreme Court corpus")
    parser.add_argument("--arguments", type=Path, default=DATA, metavar="FILE", help="rows of arguments")
    parser.add_argument("--excerpts", type=Path, metavar="FILE", help="excerpts whose arguments are asked instead")
    parser.add_argument("--corpus", type=Path, metavar="C", help="corpus that the excerpts are from")
    parser.add_argument("--part", default="test", help="of the excerpts: test, or dev to choose settings by")
    parser.add_argument("--model", default="default", metavar="M", help="stance model, a name or a folder, or none")
    parser.add_argument("--rerank", default="default", metavar="R", help="re-ranker, a name or a folder, or none")
    parser.add_argument("--paired", action="store_true", help="time each argument without models too, in turn; no more")
    parser.add_argument("--short", action="store_true", help="the table alone")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="write here, not to standard output")
    options = parser.parse_args()
    try:
        text = "\n".join(_search(options)) + "\n"
    except LawngError as error:
        raise SystemExit(f"arguments: {error}") from error
    if options.output is None:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, encoding="utf-8")


def _search(options: argparse.Namespace) -> Iterator[str]:
    from lawng.api import CaseSearch

    known = read_arguments(options.arguments)
    if options.excerpts:
        known = list(of_excerpts(options.excerpts, options.corpus, options.part))
    models = [name if name != "none" else None for name in (options.model, options.rerank)]
    if options.paired:
        return iter([_paired(options.index, models, [row.argument for row in known])])
    with CaseSearch(options.index, *models) as cases:
        wrong = list(differences(known, cases.index.opinion)) if not options.excerpts else []
        for line in wrong:
            print(f"the corpus differs: {line}", file=sys.stderr)
        outcomes = [judge(row, cases.search(row.argument, k=K)) for row in known]
    return report(outcomes, wrong, options.short)


def _paired(index: str, models: list[str | None], arguments: list[str]) -> str:
    """Times of a search without models and with them, of the same arguments, one after the other."""
    from lawng.api import CaseSearch

    times: dict[str, list[float]] = {"without models": [], "with them": [], "re-ranker": [], "judge": []}
    with CaseSearch(index, None, None) as bare, CaseSearch(index, *models) as whole:
        for number, argument in enumerate(arguments):
            one, other = (cases.search(argument, k=K).seconds for cases in (bare, whole))
            if number > 2:  # the first ones load
                found = (one["total"], other["total"], other.get("rerank", 0.0), other.get("stance", 0.0))
                for values, value in zip(times.values(), found, strict=True):
                    values.append(1000 * value)
    shown = {name: (statistics.median(some), statistics.quantiles(some, n=20)[-1]) for name, some in times.items()}
    rows = [f"| {name} | {median:.0f} | {late:.0f} |" for name, (median, late) in shown.items()]
    return "\n".join([f"| {len(arguments) - 3} searches, ms | median | p95 |", "|---|---|---|", *rows])


def of_excerpts(path: Path, corpus: Path, part: str) -> Iterator[Known]:
    """The arguments for and against excerpts of a part, with the sentences that decide them."""
    from lawng.datasets.excerpts import read_excerpts

    for excerpt in read_excerpts(path, [corpus]):
        for argued in excerpt.arguments if excerpt.part == part else ():
            if argued.decides:
                (start, end), *also = [excerpt.spans[at] for at in argued.decides]
                stance = "supporting" if argued.label == "entailment" else "refuting"
                place = excerpt.case_id, excerpt.case_id, excerpt.opinion_id, start, end
                yield Known(argued.key, argued.text, stance, *place, "", "", "", "", tuple(also))


if __name__ == "__main__":
    main()
