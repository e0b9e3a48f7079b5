"""CourtListener's API as files: opinions and clusters of version 3 or 4, as JSON however it is written, or tars of it.

The objects of all files are dealt into shards by cluster and joined there. A cluster that has no object of its own is
made of what its opinions say: their keys, and the caption above their text.

The versions link in different ways: an opinion's cluster is `cluster_id`, the address `cluster`, or stands in
`absolute_url` (`/opinion/CLUSTER/name/`), its own number is `id` or stands in `resource_uri`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lawng.corpus.archives import READING, files_in, open_packed, tar_documents
from lawng.corpus.cites import read_cites
from lawng.corpus.courtlistener import TEXT_FIELDS
from lawng.corpus.courtlistener_join import (
    CLUSTER_TABLE,
    OPINION_TABLE,
    Dealt,
    deal,
    opinion_row,
    shards_for,
)
from lawng.corpus.decoding import Found, values_of
from lawng.corpus.records import CASES, FILES, OPINIONS, Item, Unit, broken_off, reject, reject_error
from lawng.io.limits import OverLimitError, read_id
from lawng.pipeline import Count

FORMAT = "courtlistener-api"
_ENDINGS = (".json", ".jsonl", ".ndjson")
_OBJECTS = "objects"
_LAST_NUMBER = re.compile(r"(?:^|/)(\d+)/?$")
_PAGE = re.compile(r"/(?:opinion|clusters)/(\d+)/")
_OWN = re.compile(r"/opinions/(\d+)/?")
_CITES = re.compile(
    r"^(?:federal_cite_(?:one|two|three)|state_cite_\w+|scotus_early_cite|neutral_cite|specialty_cite_\w+)$"
)
_ABOUT = ("case_name", "case_name_short", "case_name_full", "date_filed", "docket_number")
_OPINION_KEYS = frozenset((*TEXT_FIELDS, "opinions_cited", "author_str", "joined_by_str"))
_CLUSTER_KEYS = frozenset(("case_name", "case_name_full", "sub_opinions", "date_filed", "scdb_id"))
_LINKS = ("cluster", "cluster_id", "absolute_url", "url", "resource_uri")


def tars_of(source: Path) -> list[Path]:
    """The tars of clusters and opinions in a folder, which were the bulk data of the API's first years."""
    return [source / name for name in ("clusters.tar", "opinions.tar") if (source / name).is_file()]


def units_of(source: Path, scratch: Path, files: Sequence[Path] = ()) -> list[Unit]:
    """Deal the objects of some or all files into shards below the scratch folder and give one unit per shard."""
    files = files or tars_of(source) or ([source] if source.is_file() else files_in(source))
    shards = shards_for(files)
    deal((one for path in files for one in _file(path, source)), scratch, shards)
    return [Unit(FORMAT, str(scratch), (str(shard),)) for shard in range(shards)]


def _is_tar(path: Path) -> bool:
    try:
        with open_packed(path) as file:
            return file.read(265)[257:262] == b"ustar"
    except (*READING, OverLimitError):
        return False


def _file(path: Path, source: Path) -> Iterator[Dealt | Item]:
    """All objects of a file; one that breaks off gives those before the break and a reject."""
    name = path.relative_to(source).as_posix() if source.is_dir() else path.name
    try:
        if _is_tar(path):
            yield from _tar(path)
        else:
            with open_packed(path) as file:
                yield from _values(values_of(file), name, None)
    except (*READING, OverLimitError) as error:
        yield Count(1, FILES)
        yield broken_off(name, error)


def _tar(path: Path) -> Iterator[Dealt | Item]:
    kind = CASES if path.name.startswith("cluster") else OPINIONS
    for name, data in tar_documents(path, lambda name: name.endswith(_ENDINGS)):
        if isinstance(data, Exception):
            yield from _unread(kind, name, data)
        else:
            yield from _values(values_of(io.BufferedReader(io.BytesIO(data))), name, kind)


def _values(values: Iterator[Found], name: str, kind: str | None) -> Iterator[Dealt | Item]:
    """The values of a file; a tar's name says what its members are, where they do not say so themselves."""
    for n, found in enumerate(values):
        where = name if n == 0 and found.place == "1" else f"{name}:{found.place}"
        yield from found.notes
        if isinstance(found.value, Exception):
            yield from _unread(kind or OPINIONS, where, found.value)
        else:
            yield from _object(found.value, where, kind)


def _object(row: Any, where: str, kind: str | None) -> Iterator[Dealt | Item]:
    kind = kind_of(row) or kind if isinstance(row, dict) else None
    try:
        if kind == OPINIONS:
            yield OPINION_TABLE, *_opinion_of(row, where)
        elif kind == CASES:
            yield CLUSTER_TABLE, *_cluster_of(row, where)
            for opinion in row.get("sub_opinions") or []:
                if isinstance(opinion, dict):
                    yield from _object({"cluster_id": row.get("id"), **opinion}, where, OPINIONS)
        else:
            keys = ", ".join(map(str, row)) if isinstance(row, dict) else type(row).__name__
            yield from reject(_OBJECTS, where, "neither-opinion-nor-cluster", f"its keys: {keys}")
    except OverLimitError as error:
        yield from _unread(kind or _OBJECTS, where, error)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = "not-a-case" if kind == CASES else "not-an-opinion"
        yield from reject(kind or _OBJECTS, where, reason, str(error.args[0] if error.args else error))


def _unread(kind: str, where: str, error: Exception) -> Iterator[Item]:
    yield from reject_error(kind, where, error, "file-unreadable" if isinstance(error, READING) else "file-not-json")


def kind_of(keys: Any) -> str | None:
    """What an object with these keys is: an opinion, a cluster (a case), or neither.

    >>> kind_of({"id", "url", "plain_text"}), kind_of({"id", "case_name", "date_filed"}), kind_of({"id", "casebody"})
    ('opinions', 'cases', None)
    """
    if "casebody" in keys:
        return None
    if not _OPINION_KEYS.isdisjoint(keys) and any(link in keys for link in _LINKS):
        return OPINIONS
    if {"type", "sha1", "cluster"} <= set(keys):
        return OPINIONS
    return CASES if len(_CLUSTER_KEYS.intersection(keys)) > 1 and ("id" in keys or "resource_uri" in keys) else None


def _opinion_of(row: Mapping[str, Any], name: str) -> tuple[int, dict[str, Any]]:
    """The cluster of an opinion object, and what is read of it. Raises KeyError or ValueError when it names none."""
    cluster = _cluster_named_in(row)
    # many dumps leave out the opinion's own number
    address = _OWN.search(f"{row.get('resource_uri') or ''} {row.get('url') or ''}")
    own = read_id(row.get("id") or (address[1] if address else 0))
    about = {key: row[key] for key in _ABOUT if row.get(key)}
    return cluster, {
        **opinion_row({**row, "id": own, "author_str": _author(row)}, cluster),
        "place": name,
        "about": {**about, "citations": _citations(row), "slug": _slug(row)},
    }


def _cluster_of(row: Mapping[str, Any], name: str) -> tuple[int, dict[str, Any]]:
    """The number of a cluster object, and what the join needs of it: its court may be the name of the tar it lay in."""
    number = read_id(row.get("id") or _number_in(row["resource_uri"]))
    docket = row["docket"] if isinstance(row.get("docket"), dict) else {}
    court = name.split(".tar", 1)[0].removeprefix("./").rpartition("/")[2] if ".tar" in name else ""
    return number, {
        **{key: row.get(key) or docket.get(key) for key in _ABOUT},
        "id": number,
        "citations": _citations(row),
        "court_id": str(row.get("court_id") or docket.get("court_id") or court),
        "source_path": name,
        "slug": _slug(row),
    }


def _cluster_named_in(row: Mapping[str, Any]) -> int:
    linked = row.get("cluster_id") or row.get("cluster")
    if isinstance(linked, dict):
        linked = linked.get("id") or linked.get("resource_uri")
    if linked:
        return read_id(_number_in(linked) if isinstance(linked, str) else linked)
    for key in ("absolute_url", "url"):
        if match := _PAGE.search(str(row.get(key) or "")):
            return read_id(match[1])
    raise KeyError("no cluster: none of cluster_id, cluster, absolute_url and url names one")


def _number_in(value: Any) -> str:
    """The number at the end of a link such as ".../clusters/891689/", or the number itself."""
    match = _LAST_NUMBER.search(str(value))
    if match is None:
        raise KeyError(f"no number in {str(value)[:80]!r}")
    return match[1]


def _author(row: Mapping[str, Any]) -> str:
    """The author as far as the object names them: `author` is an address, in some dumps a name or a person."""
    author = row.get("author")
    if isinstance(author, dict):
        author = author.get("name_last") or author.get("name_full")
    named = author if isinstance(author, str) and not re.search(r"/|^\d+$", author) else ""
    return str(row.get("author_str") or named or ("Per Curiam" if row.get("per_curiam") is True else ""))


def _citations(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Citations as objects, as texts, or in the fields that version 3 had for each kind."""
    listed = row.get("citations") or row.get("citation") or []
    listed = listed if isinstance(listed, list) else [listed]
    raws = [str(value) for name, value in row.items() if _CITES.match(name) and value]
    found = read_cites([*(cite for cite in listed if isinstance(cite, str)), *raws])
    old = [{"volume": cite.volume, "reporter": cite.reporter, "page": cite.page, "type": 2} for cite in found]
    return [*(cite for cite in listed if isinstance(cite, dict)), *old]


def _slug(row: Mapping[str, Any]) -> str:
    """The name in an address such as "/opinion/100000/roe-v-wade/"."""
    match = re.search(r"/opinion/\d+/([\w-]+)/?", str(row.get("absolute_url") or row.get("url") or ""))
    return match[1] if match else ""
