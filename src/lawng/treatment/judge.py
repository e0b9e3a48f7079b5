"""One label for each pair of citing and cited case, with the sentence that decides.

treatments_of(case, opinions, citations) -> list[Treatment]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lawng.corpus.pages import page_at
from lawng.schema import Case, Citation, Opinion, Treatment
from lawng.treatment.mentions import Cited, cited_cases
from lawng.treatment.statements import Statement, statements_of

SEPARATE = frozenset({"dissent", "concurrence", "concurrence-in-part"})
"""Opinions that are not the court's."""
_PLAIN = re.compile(r"(?:we|now|court) overrule TARGET|TARGET (?:is|are)(?: \w+)? overruled", re.IGNORECASE)


def treatments_of(case: Case, opinions: Sequence[Opinion], citations: Sequence[Citation]) -> list[Treatment]:
    """What a case does to each case that it cites, in the order in which it cites them; its own cites are left out.

    `citations` are those of `lawng.citation.extract.citations_of_case`. A case that only separate opinions speak of,
    or of which these say something that the court does not, gets a row that does not decide.
    """
    every = cited_cases(case, opinions, citations)
    said = statements_of(every, opinions)
    found: list[Treatment] = []
    for at, cited in enumerate(every):
        for separate in (False, True):
            own = [one for one in said[at] if (one.part in SEPARATE) is separate]
            if own:
                found += _treatment(case, {o.opinion_id: o for o in opinions}, cited, own, separate)
    return found


def _treatment(
    case: Case, opinions: dict[str, Opinion], cited: Cited, said: list[Statement], separate: bool
) -> Iterator[Treatment]:
    best = next((one for one in said if _PLAIN.search(one.masked)), None)
    one = best or said[0]
    opinion = opinions[one.opinion_id]
    cite = cited.cites[0]
    yield Treatment(
        treatment_id=f"{case.case_id}>{cite}" + ("/separate" if separate else ""),
        case_id="",
        cite=cite,
        parallel=cited.cites[1:],
        name=max(cited.names, key=len, default=""),
        label="overruled" if best else "mentioned",
        kind="",
        probability=0.9,
        decides=not separate,
        citing_case_id=case.case_id,
        citing_name=case.name,
        citing_cite=case.citations[0].cite if case.citations else "",
        citing_date=case.date,
        opinion_id=one.opinion_id,
        part=one.part,
        author=opinion.author,
        page=page_at(opinion, one.start, case.citations[0].reporter if case.citations else None),
        start=one.start,
        end=one.end,
        sentence=opinion.text[one.start : one.end],
        n_mentions=sum((m.opinion_id in {s.opinion_id for s in said}) for m in cited.mentions),
    )
