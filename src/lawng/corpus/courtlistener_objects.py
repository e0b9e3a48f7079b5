"""Objects of CourtListener's API, version 3 or 4: which of them is an opinion or a cluster, and what is read of it.

The versions link in different ways: an opinion's cluster is `cluster_id`, the address `cluster`, or stands in
`absolute_url` (`/opinion/CLUSTER/name/`), its own number is `id` or stands in `resource_uri`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lawng.bounded import read_id
from lawng.corpus.courtlistener import TEXT_FIELDS
from lawng.corpus.courtlistener_tables import opinion_row
from lawng.corpus.units import CASES, OPINIONS

_LAST_NUMBER = re.compile(r"(?:^|/)(\d+)/?$")
_PAGE = re.compile(r"/(?:opinion|clusters)/(\d+)/")
_OWN = re.compile(r"/opinions/(\d+)/?")
_CITES = re.compile(
    r"^(?:federal_cite_(?:one|two|three)|state_cite_\w+|scotus_early_cite|neutral_cite|specialty_cite_\w+)$"
)
_ABOUT = ("case_name", "case_name_short", "case_name_full", "date_filed", "docket_number")
OPINION_KEYS = frozenset((*TEXT_FIELDS, "opinions_cited", "author_str", "joined_by_str"))
CLUSTER_KEYS = frozenset(("case_name", "case_name_full", "sub_opinions", "date_filed", "scdb_id"))
_LINKS = ("cluster", "cluster_id", "absolute_url", "url", "resource_uri")


def kind_of(keys: Any) -> str | None:
    """What an object with these keys is: an opinion, a cluster (a case), or neither.

    >>> kind_of({"id", "url", "plain_text"}), kind_of({"id", "case_name", "date_filed"}), kind_of({"id", "casebody"})
    ('opinions', 'cases', None)
    """
    if "casebody" in keys:
        return None
    if not OPINION_KEYS.isdisjoint(keys) and any(link in keys for link in _LINKS):
        return OPINIONS
    if {"type", "sha1", "cluster"} <= set(keys):
        return OPINIONS
    return CASES if len(CLUSTER_KEYS.intersection(keys)) > 1 and ("id" in keys or "resource_uri" in keys) else None


def opinion_of(row: Mapping[str, Any], name: str) -> tuple[int, dict[str, Any]]:
    """The cluster of an opinion object, and what is read of it.

    Raises KeyError when it names no cluster, ValueError when its number is none.
    """
    cluster = _cluster_of(row)
    return cluster, {
        **opinion_row({**row, "id": _own_id(row), "author_str": _author(row)}, cluster),
        "place": name,
        "about": {
            **{key: row[key] for key in _ABOUT if row.get(key)},
            "citations": _citations(row),
            "slug": _slug(row),
        },
    }


def cluster_of(row: Mapping[str, Any], name: str) -> tuple[int, dict[str, Any]]:
    """The number of a cluster object, and what the join needs of it: its court may be the name of the tar it lay in.

    Raises KeyError or ValueError when it has no number.
    """
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


def opinions_in(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The opinions that stand as objects inside a cluster."""
    for opinion in row.get("sub_opinions") or []:
        if isinstance(opinion, dict):
            yield {"cluster_id": row.get("id"), **opinion}


def _cluster_of(row: Mapping[str, Any]) -> int:
    linked = row.get("cluster_id") or row.get("cluster")
    if isinstance(linked, dict):
        linked = linked.get("id") or linked.get("resource_uri")
    if linked:
        return read_id(_number_in(linked) if isinstance(linked, str) else linked)
    for key in ("absolute_url", "url"):
        if match := _PAGE.search(str(row.get(key) or "")):
            return read_id(match[1])
    raise KeyError("no cluster: none of cluster_id, cluster, absolute_url and url names one")


def _own_id(row: Mapping[str, Any]) -> int:
    """The opinion's number; 0 where it has none, which many dumps leave out."""
    address = _OWN.search(f"{row.get('resource_uri') or ''} {row.get('url') or ''}")
    raw = row.get("id") or (address[1] if address else 0)
    return read_id(raw)


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
    found = (re.match(r"(\d+) (.+) (\S+)$", raw) for raw in [*(c for c in listed if isinstance(c, str)), *raws])
    old = [{"volume": m[1], "reporter": m[2], "page": m[3], "type": 2} for m in found if m]
    return [*(cite for cite in listed if isinstance(cite, dict)), *old]


def _slug(row: Mapping[str, Any]) -> str:
    """The name in an address such as "/opinion/100000/roe-v-wade/"."""
    match = re.search(r"/opinion/\d+/([\w-]+)/?", str(row.get("absolute_url") or row.get("url") or ""))
    return match[1] if match else ""
