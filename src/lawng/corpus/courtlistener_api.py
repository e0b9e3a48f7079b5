"""CourtListener's API as files: tars of JSON, one opinion or cluster each (v3 or v4), or tars of such tars by court."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawng.bounded import load_json, read_id
from lawng.corpus.courtlistener_tables import CLUSTER_TABLE, OPINION_TABLE, REJECT_TABLE, opinion_row, read_tables
from lawng.corpus.packed import READING, tar_documents
from lawng.corpus.shards import ShardWriter, shards_for
from lawng.corpus.units import CASES, FILES, OPINIONS, Item, Unit, broken_off
from lawng.errors import InputError
from lawng.limits import OverLimitError

FORMAT = "courtlistener-api"
_CLUSTERS, _OPINIONS = "clusters.tar", "opinions.tar"
_LAST_NUMBER = re.compile(r"(\d+)/?$")
_CITES = re.compile(
    r"^(?:federal_cite_(?:one|two|three)|state_cite_\w+|scotus_early_cite|neutral_cite|specialty_cite_\w+)$"
)


def is_source(source: Path) -> bool:
    """Whether a folder holds the two tars."""
    return (source / _CLUSTERS).is_file() and (source / _OPINIONS).is_file()


def units_of(source: Path, scratch: Path) -> list[Unit]:
    """Deal the tars into shards below the scratch folder and give one unit per shard.

    Raises InputError when one of the two tars is not there.
    """
    if not is_source(source):
        raise InputError(f"{source}: needs both {_CLUSTERS} and {_OPINIONS}; fetch the one that is missing")
    shards = shards_for((source / _CLUSTERS, source / _OPINIONS))
    with ShardWriter(scratch, REJECT_TABLE, shards) as rejects:
        _deal(source / _CLUSTERS, CLUSTER_TABLE, scratch, shards, rejects)
        _deal(source / _OPINIONS, OPINION_TABLE, scratch, shards, rejects)
    return [Unit(FORMAT, str(scratch), (str(shard),)) for shard in range(shards)]


def read_unit(unit: Unit) -> Iterator[Item]:
    """The cases of one shard."""
    yield from read_tables(unit)


def _deal(path: Path, table: str, scratch: Path, shards: int, rejects: ShardWriter) -> None:
    kind = CASES if table == CLUSTER_TABLE else OPINIONS
    with ShardWriter(scratch, table, shards) as out:
        try:
            for name, data in tar_documents(path, lambda name: name.endswith(".json")):
                _deal_one(name, data, kind, out, rejects)
        except (*READING, OverLimitError) as error:
            reject = broken_off(path.name, error)
            _drop(rejects, FILES, reject.id, reject.reason, reject.detail)


def _deal_one(name: str, data: bytes | Exception, kind: str, out: ShardWriter, rejects: ShardWriter) -> None:
    try:
        if isinstance(data, Exception):
            raise data
        row = load_json(data)
        if kind == CASES:
            out.write(read_id(row["id"]), _cluster_row(row, name))
        else:
            cluster = _linked(row["cluster"])
            out.write(cluster, opinion_row(row, cluster) | {"place": name})
    except OverLimitError as error:
        _drop(rejects, kind, name, error.reason, str(error))
    except ValueError as error:
        _drop(rejects, kind, name, "file-not-json", str(error))
    except READING as error:
        _drop(rejects, kind, name, "file-unreadable", str(error))
    except (KeyError, TypeError, AttributeError) as error:
        _drop(rejects, kind, name, "not-a-case", repr(error))


def _cluster_row(row: dict[str, Any], name: str) -> dict[str, Any]:
    """A cluster with what the join needs: its court is the name of the tar that it lay in."""
    listed = row.get("citations") or _old_cites(row)
    court = name.split(".tar", 1)[0].removeprefix("./") if ".tar" in name else ""
    return {
        "id": row["id"],
        "case_name": row.get("case_name"),
        "case_name_short": row.get("case_name_short"),
        "case_name_full": row.get("case_name_full"),
        "date_filed": row.get("date_filed"),
        "citations": listed,
        "court_id": row.get("court_id") or court,
        "source_path": name,
    }


def _old_cites(row: dict[str, Any]) -> list[dict[str, Any]]:
    raws = (str(value) for name, value in row.items() if _CITES.match(name) and value)
    found = (re.match(r"(\d+) (.+) (\S+)$", raw) for raw in raws)
    return [{"volume": m[1], "reporter": m[2], "page": m[3], "type": 2} for m in found if m]


def _linked(value: Any) -> int:
    """The id at the end of a link such as ".../clusters/891689/", or the number itself."""
    match = _LAST_NUMBER.search(str(value))
    if match is None:
        raise KeyError(f"cluster {value!r}")
    return read_id(match[1])


def _drop(rejects: ShardWriter, kind: str, name: str, reason: str, detail: str) -> None:
    rejects.write(0, {"kind": kind, "id": name, "reason": reason, "detail": detail})
