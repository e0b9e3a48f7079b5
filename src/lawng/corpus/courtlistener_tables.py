"""CourtListener's tables after they are dealt into shards: joined cluster by cluster."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawng.corpus.cap import NOT_A_CASE
from lawng.corpus.courtlistener import RawOpinion, choose_text, cluster_case, order_cites, read_cluster
from lawng.corpus.shards import pieces_of, read_shard
from lawng.corpus.units import CASES, OPINIONS, Item, Unit, reject
from lawng.engine import Seen
from lawng.limits import CASE_CHARACTERS, CASE_OPINIONS

OPINION_TABLE, CLUSTER_TABLE, CITATION_TABLE, REJECT_TABLE = "opinions", "clusters", "citations", "rejects"
OPINION_COLUMNS = ("id", "type", "author_str", "field", "markup", "cluster_id")

_TOO_LARGE = f"the case has more than {CASE_OPINIONS:,} opinions or {CASE_CHARACTERS:,} characters before this one"


def opinion_row(row: dict[str, Any], cluster_id: int) -> dict[str, Any]:
    """Of an opinion's row only what is read later: one text of up to eight."""
    field, markup = choose_text(row)
    return {
        "id": row["id"],
        "type": str(row.get("type") or ""),
        "author_str": str(row.get("author_str") or ""),
        "field": field,
        "markup": markup,
        "cluster_id": cluster_id,
    }


def read_tables(unit: Unit) -> Iterator[Item]:
    """The clusters of one shard in the order of their ids, with their opinions and citations."""
    whole, number = Path(unit.source), int(unit.members[0])
    for folder, shard in pieces_of(whole, (CLUSTER_TABLE, CITATION_TABLE, OPINION_TABLE), number):
        yield from _read_piece(folder, shard)
    for _, row in read_shard(whole, REJECT_TABLE, number):
        if "note" in row:
            yield Seen(1, row["note"])
        else:
            yield from reject(row["kind"], row["id"], row["reason"], row["detail"])


def _read_piece(folder: Path, shard: int) -> Iterator[Item]:
    clusters: dict[int, dict[str, Any]] = {}
    for key, row in read_shard(folder, CLUSTER_TABLE, shard):
        if key in clusters:
            yield from reject(CASES, f"cl:{key}", "duplicate-case", "the cluster came before", row["source_path"])
        clusters.setdefault(key, row)
    cites: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for key, row in read_shard(folder, CITATION_TABLE, shard):
        cites[key].append(row)
    opinions: dict[int, list[dict[str, Any]]] = defaultdict(list)
    sizes: Counter[int] = Counter()
    for key, row in read_shard(folder, OPINION_TABLE, shard):
        sizes[key] += len(row["markup"])
        if len(opinions[key]) < CASE_OPINIONS and sizes[key] <= CASE_CHARACTERS:
            opinions[key].append(row)
        else:
            yield from reject(OPINIONS, f"cl:{key}/{row['id']}", "case-too-large", _TOO_LARGE, row.get("place"))
    for key in sorted({*clusters, *opinions}):
        # a cluster's texts are let go as soon as it is read
        rows = opinions.pop(key, [])
        if cluster := clusters.get(key) or _said_by(rows):
            yield from _read_cluster(cluster, rows, cites.get(key, []))
        else:
            for row in rows:
                yield from reject(OPINIONS, f"cl:{key}/{row['id']}", "cluster-not-in-source", "", row.get("place"))


def _said_by(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A cluster as its opinions tell of it, where the source has opinions alone; None for a table's opinions."""
    told: list[dict[str, Any]] = [row["about"] for row in rows if "about" in row]
    if not told:
        return None
    known = {key: value for about in reversed(told) for key, value in about.items() if value}
    return {"id": rows[0]["cluster_id"], "source_path": rows[0]["place"], **known}


def _read_cluster(cluster: dict[str, Any], rows: list[dict[str, Any]], cites: list[dict[str, Any]]) -> Iterator[Item]:
    try:
        listed = order_cites([*(cluster.get("citations") or []), *cites])
        case = cluster_case(cluster, listed, cluster.get("court_id") or "", cluster["source_path"])
    except NOT_A_CASE as error:
        yield from reject(CASES, f"cl:{cluster.get('id')}", "not-a-case", repr(error), cluster.get("source_path"))
        for row in rows:
            yield from reject(
                OPINIONS, f"cl:{cluster.get('id')}/{row['id']}", "cluster-not-in-source", "", row.get("place")
            )
        return
    ordered = sorted(rows, key=lambda row: (str(row["type"]), int(row["id"])))
    known: set[int] = set()
    kept = []
    for row in ordered:
        if int(row["id"]) in known:
            yield from reject(OPINIONS, f"{case.case_id}/{row['id']}", "duplicate-opinion", "", row.get("place"))
        else:
            kept.append(_raw(case.case_id, row))
        known |= {int(row["id"])} - {0}
    yield from read_cluster(case, kept, cluster.get("slug") or "")


def _raw(case_id: str, row: dict[str, Any]) -> RawOpinion:
    return RawOpinion(f"{case_id}/{row['id']}", row["type"], row["author_str"], row["field"], row["markup"])
