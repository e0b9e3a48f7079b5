"""What the bulk export and static.case.law have in common: the metadata of a case as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawng.bounded import read_id
from lawng.corpus.body import Body
from lawng.corpus.cites import read_cites
from lawng.corpus.courts import located
from lawng.corpus.dates import iso_date
from lawng.corpus.jurisdiction import of_cap
from lawng.corpus.markup import read_plain
from lawng.corpus.names import name_of
from lawng.corpus.parties import parties_of
from lawng.corpus.types import of_cap as kind_of
from lawng.corpus.units import Part
from lawng.records import Case

NOT_A_CASE = (KeyError, TypeError, AttributeError, ValueError, OverflowError)
"""What reading a case raises when its JSON has not the form of one."""
_SAYS = {"name", "name_abbreviation", "casebody"}
_OFFICIAL_FIRST = {"official": 0, "nominative": 2, "vendor": 3}


def read_case(meta: Mapping[str, Any], source: str, path: str) -> Case:
    """The record of a case from its metadata; its opinions are counted later.

    Raises what is in `NOT_A_CASE` when the metadata has not the form of a case.
    """
    ident = read_id(meta["id"])
    if not (_SAYS & meta.keys()):
        raise KeyError(f"no case of the Caselaw Access Project: none of {', '.join(sorted(_SAYS))}")
    name = name_of(str(meta.get("name_abbreviation") or meta.get("name") or ""))
    case = Case(
        case_id=f"cap:{ident}",
        name=name,
        name_full=str(meta.get("name") or ""),
        parties=parties_of(name),
        citations=read_cites(_cites(meta.get("citations") or [])),
        court=str((meta.get("court") or {}).get("name") or ""),
        jurisdiction=of_cap(meta.get("jurisdiction")),
        date=iso_date(meta.get("decision_date")),
        docket_number=str(meta.get("docket_number") or ""),
        cites_to=[
            cite.cite for cite in read_cites(str(cited.get("cite") or "") for cited in meta.get("cites_to") or [])
        ],
        source=source,
        source_path=path,
        n_opinions=0,
        n_majority=0,
    )
    return case if case.court and case.jurisdiction else located(case)


def read_plain_opinions(casebody: Mapping[str, Any], ident: str, field: str) -> list[Part]:
    """The opinions of a case body in text form, which has no page marks."""
    opinions = casebody.get("opinions") or []
    return [
        Part(
            kind_of(opinion.get("type")),
            (opinion.get("author") or "").rstrip(" ,:"),
            _lines(opinion.get("text") or ""),
            field,
            f"{ident}/{number}",
        )
        for number, opinion in enumerate(opinions)
    ]


def _lines(text: str) -> Body:
    # in this form a line is a paragraph
    return read_plain(text.replace("\n", "\n\n"))


def _cites(citations: list[Mapping[str, Any]]) -> list[str]:
    ordered = sorted(citations, key=lambda cite: _OFFICIAL_FIRST.get(str(cite.get("type")), 1))
    return [str(cite.get("cite") or "") for cite in ordered]
