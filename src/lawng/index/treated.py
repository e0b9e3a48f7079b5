"""What later cases of an index did to its cases, of the rows that late linking gave a case.

    treatments_of(tables, case_ids), case_treatments(tables, case_ids)      each by case

A row counts unless the citing case is surely the earlier one: two cases may cite each other, and dates may be unknown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lawng.corpus.dates import surely_before
from lawng.corpus.names import short_name
from lawng.index.links import rows
from lawng.index.store import Tables
from lawng.index.where import both, chunks, is_in
from lawng.schema import NEGATIVE, TREATMENTS, Treatment
from lawng.schema.arrow import from_rows, schema_of

_LONGEST = 300


@dataclass(frozen=True, slots=True)
class CaseTreatment:
    """What the later cases of an index make of a case."""

    flags: tuple[Treatment, ...] = ()
    """The negative ones that decide, and what is told of others: the gravest first, then the newest."""
    n_citing: int = 0
    """Later cases of the index that cite it."""
    n_mentions: int = 0
    """Their mentions of it that were read."""

    @property
    def label(self) -> str:
        """What the gravest of the flags says was done, "" where there is none."""
        return self.flags[0].done if self.flags else ""

    @property
    def words(self) -> str:
        """The first flag with who says so and the sentence, else among how many cases none was found.

        >>> CaseTreatment(n_citing=3, n_mentions=7).words
        'no negative treatment found among the 3 later cases in this index that cite it (7 mentions read)'
        """
        if self.flags:
            first = self.flags[0]
            return f"{done_by(first)}: “{shortened(first.sentence)}”"
        return (
            f"no negative treatment found among the {self.n_citing:,} later cases in this index that cite it "
            f"({self.n_mentions:,} mentions read)"
        )

    def to_row(self) -> dict[str, Any]:
        """The treatment as a JSON object."""
        return {"label": self.label, "words": self.words, **asdict(self), "flags": [asdict(one) for one in self.flags]}


def done_by(treatment: Treatment) -> str:
    """What was done to the case and by whom: "overruled in part by", or what a third case tells."""
    if treatment.told:
        return f"{treatment.deed} by {treatment.by}, as told in {said_by(treatment)}"
    return f"{treatment.deed} by {said_by(treatment)}"


def said_by(treatment: Treatment) -> str:
    """The citing case as it is cited: name, cite and year, as far as they are known."""
    name = ", ".join(filter(None, (short_name(treatment.citing_name), treatment.citing_cite)))
    return f"{name} ({treatment.citing_date[:4] or 'n.d.'})"


def treatments_of(
    tables: Tables, case_ids: Iterable[str], labels: Sequence[str] = TREATMENTS, *, separate: bool = False
) -> dict[str, list[Treatment]]:
    """By case the treatments that do one of the labels, or tell of it, the newest first, ties by id.

    Those that decide alone; with `separate` those too that dissents and concurrences have. Every case asked for has a
    list.
    """
    found: dict[str, list[Treatment]] = {case_id: [] for case_id in case_ids}
    condition = both(f"{is_in('label', labels)} OR {is_in('told', labels)}", "" if separate else "`decides`")
    for one in from_rows(_later(tables, found, condition, schema_of(Treatment).names), Treatment):
        found[one.case_id].append(one)
    for some in found.values():
        some.sort(key=lambda one: one.treatment_id)
        some.sort(key=lambda one: one.citing_date, reverse=True)
    return found


def case_treatments(tables: Tables, case_ids: Iterable[str]) -> dict[str, CaseTreatment]:
    """By case what is flagged, and how much was read for it; every case asked for has one."""
    flags = treatments_of(tables, case_ids, NEGATIVE)
    citing: dict[str, set[str]] = defaultdict(set)
    mentions: Counter[str] = Counter()
    for row in _later(tables, flags, "", ["case_id", "citing_case_id", "citing_date", "n_mentions"]):
        citing[row["case_id"]].add(row["citing_case_id"])
        mentions[row["case_id"]] += row["n_mentions"]
    return {
        case_id: CaseTreatment(
            tuple(sorted(_at_first_hand(some), key=_gravity)), len(citing[case_id]), mentions[case_id]
        )
        for case_id, some in flags.items()
    }


def _later(tables: Tables, case_ids: Iterable[str], condition: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Rows about cases, without those of citing cases that are surely earlier."""
    for some in chunks(case_ids):
        dates = {
            row["case_id"]: row["date"] for row in rows(tables["cases"], is_in("case_id", some), ["case_id", "date"])
        }
        for row in rows(tables["treatments"], both(is_in("case_id", some), condition), columns):
            if not surely_before(row["citing_date"], dates[row["case_id"]]):
                yield row


def _at_first_hand(flags: Sequence[Treatment]) -> list[Treatment]:
    """The flags without those that tell what another one says itself, or what a newer one tells already."""
    known = {(one.citing_cite, one.done) for one in flags if not one.told}
    kept: list[Treatment] = []
    for one in flags:
        if not one.told or (one.by, one.done) not in known:
            kept.append(one)
            known |= {(one.by, one.done)} if one.told else set()
    return kept


def _gravity(treatment: Treatment) -> tuple[int, bool, bool]:
    return TREATMENTS.index(treatment.done), bool(treatment.told), treatment.in_part


def shortened(sentence: str) -> str:
    """A sentence on one line, cut between words where it is long."""
    said = " ".join(sentence.split())
    return said if len(said) <= _LONGEST else said[:_LONGEST].rpartition(" ")[0] + " …"
