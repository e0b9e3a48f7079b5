"""Step 12-treatments: which cases undo which, and when; nothing unless the filter asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from lawng.io import Lookup, write_lookup
from lawng.lawngnli.sources import Source, sources
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import UNDONE, Case, Citation, Opinion, Treatment
from lawng.treatment.judge import treatments_of


def find_treatments(unit: Source, cases: Lookup[Case] | None) -> Iterator[Treatment | Count]:
    """What the cases of a slice undo, or tell that another case undid, of those of the corpus; with None nothing."""
    if cases is None:
        return
    for case_id, group in groupby(unit.pairs(), key=lambda pair: pair[0].case_id):
        pairs: list[tuple[Opinion, list[Citation]]] = list(group)
        yield Count(len(pairs), "opinions")
        citations = [citation for _, found in pairs for citation in found]
        case = cases.get(case_id)
        rows = treatments_of(case, [opinion for opinion, _ in pairs], citations) if case else ()
        yield from (row for row in rows if row.decides and row.case_id and row.done in UNDONE)


def _prepare(inputs: Inputs) -> Work:
    asked = inputs.option("filters.treatment")
    cases = write_lookup(inputs.corpus / "cases", Case, "case_id", inputs.scratch("cases.arrow")) if asked else None
    return sources(inputs), partial(find_treatments, cases=cases)


STEP = Step(
    "12-treatments",
    {"treatments": Treatment},
    _prepare,
    tables=("citations",),
    corpus=True,
    options=("filters.treatment",),
)
