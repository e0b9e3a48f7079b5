"""Step 15-sought: what is said of a case that is known, with a pin; the cited text is not read (A.1.1).

Of parentheticals, every one and every citation without one is a unit: `n_units` counts them, and each comes out once.
Of propositions every parallel group of citations is one (`lawng.lawngnli.propositions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from lawng.io import write_lookup
from lawng.lawngnli.cited import Known, mention_fields, resolved
from lawng.lawngnli.propositions import propositions
from lawng.lawngnli.records import Refusal, Sought
from lawng.lawngnli.sources import Source, cite_index, sources
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Case, Citation, Opinion, Parenthetical, Reject
from lawng.schema.dataset import PARENTHETICAL


def n_units(citations: Iterable[Citation]) -> int:
    """How many units `sought` must account for: parentheticals, and citations without one."""
    return sum(max(1, len(citation.parentheticals)) for citation in citations)


def sought(opinion: Opinion, citations: Sequence[Citation], known: Known) -> Iterator[Sought | Reject]:
    """The parentheticals of one opinion whose cited case and pin are known; all else as rejects (LawngNLI, A.1.1).

    `citations` are the opinion's, in text order. A parallel group counts once. Of consecutive citations to one case
    with one parenthetical only the first is taken, with its pin "if any", as in the paper: a pin on the second does
    not help.
    """
    last: str | None = None
    said: set[str] = set()
    for _, members in groupby(citations, key=lambda citation: citation.group):
        group = list(members)
        units, doubles = _units(opinion, group)
        yield from doubles
        case = resolved(group)
        before = said if case and case == last else set()
        said = set()
        for start, parenthetical in units:
            text = _collapsed(parenthetical.text) if parenthetical else ""
            if parenthetical and text in before | said:
                yield _reject(opinion, start, "repeated-citation", _collapsed(group[0].cite))
            else:
                yield _seek(opinion, group, parenthetical, known)
            said.add(text)
        last = case


def _units(opinion: Opinion, group: list[Citation]) -> tuple[list[tuple[int, Parenthetical | None]], list[Reject]]:
    """The parentheticals of a parallel group, each once, and rejects for what it says twice."""
    units: dict[int, Parenthetical | None] = {}
    doubles: list[tuple[int, str]] = []
    for member in group:
        for parenthetical in member.parentheticals:
            if parenthetical.start in units:
                doubles.append((parenthetical.start, member.cite))
            units.setdefault(parenthetical.start, parenthetical)
    bare = [(member.start, member.cite) for member in group if not member.parentheticals]
    if not units:
        units = {bare.pop(0)[0]: None}
    rejects = [_reject(opinion, start, "parallel-citation", cite) for start, cite in doubles + bare]
    return list(units.items()), rejects


def _seek(
    opinion: Opinion, group: list[Citation], parenthetical: Parenthetical | None, known: Known
) -> Sought | Reject:
    if parenthetical is None:
        return _reject(opinion, group[0].start, "no-parenthetical", group[0].cite)
    shared = mention_fields(opinion, group, parenthetical.start, known)
    if isinstance(shared, Refusal):
        return _reject(opinion, parenthetical.start, shared.reason, shared.detail)
    return Sought(
        **shared,
        hypothesis_source=PARENTHETICAL,
        hypothesis=_collapsed(parenthetical.text),
        kind=parenthetical.kind,
        start=parenthetical.start,
        end=parenthetical.end,
        sentence="",
        before="",
        n_cited=1,
    )


def _reject(opinion: Opinion, start: int, reason: str, detail: str) -> Reject:
    return Reject("candidates", f"{opinion.opinion_id}@{start}", reason, detail)


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def seek(unit: Source, known: Known, hypotheses: str) -> Iterator[Sought | Reject | Count]:
    """The sought mentions of the opinions of a slice, of the sources that are asked for."""
    for opinion, citations in unit.pairs():
        if hypotheses != "propositions":
            yield Count(n_units(citations), "mentions")
            yield from sought(opinion, citations, known)
        if hypotheses != "parentheticals":
            yield Count(len({citation.group for citation in citations}), "mentions")
            yield from propositions(opinion, citations, known)


def _prepare(inputs: Inputs) -> Work:
    cases = write_lookup(inputs.corpus / "cases", Case, "case_id", inputs.scratch("cases.arrow"))
    known, how = Known(cases, cite_index(inputs)), inputs.option("hypotheses.source")
    return sources(inputs), partial(seek, known=known, hypotheses=how)


STEP = Step(
    "15-sought",
    {"sought": Sought},
    _prepare,
    tables=("citations",),
    corpus=True,
    options=("hypotheses.source",),
    balance=("mentions", "sought"),
    seconds=0.0001,
)
