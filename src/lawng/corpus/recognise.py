"""The format of one file by what stands in it, whatever it is called."""

from __future__ import annotations

import re
from pathlib import Path

from lawng.corpus import cap_bulk, cap_files, cap_static, courtlistener_api
from lawng.corpus.courtlistener_objects import kind_of
from lawng.corpus.encoding import decode
from lawng.corpus.packed import READING, Zip, open_packed
from lawng.limits import OverLimitError

FILES = {
    cap_bulk.FORMAT: "JSON lines of cases with `casebody`, plain or packed (.jsonl, .jsonl.xz), or a zip of them",
    cap_static.FORMAT: "volumes of static.case.law, as zips or folders with json/ or cases/ and html/",
    cap_files.HTML: "HTML files of one case each with `casebody`",
    cap_files.CASEMETS: "XML files of one case each (CASEMETS)",
    "courtlistener-csv": "a folder with opinions-*.csv.bz2 and opinion-clusters-*.csv.bz2",
    "courtlistener-folder": "a folder with raw_opinions/CLUSTER_TYPE.txt",
    courtlistener_api.FORMAT: "opinions of the API as JSON (objects, lines, arrays or pages; plain or packed), or tars",
}
"""Every format, and the files that it consists of."""
_CASE_BODY = re.compile(r"class=[\"'][^\"']*\bcasebody\b")
_MARKUP = (".html", ".htm", ".xml")
_JSON = re.compile(r"\.(?:json|jsonl|ndjson)(?:\.(?:gz|bz2|xz))?$")
_LOOK = 1 << 20
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)("(\s*:)?)?', re.S)
_CAP_KEYS = frozenset(("name_abbreviation", "decision_date", "frontend_url", "cites_to", "reporter"))


def format_of(path: Path) -> str | None:
    """The format of a file, None when it is in none that is known; one too damaged to tell goes by its ending."""
    name = path.name.lower()
    if name.endswith(".zip"):
        return _of_zip(path)
    try:
        with open_packed(path) as file:
            start = file.read(_LOOK)
    except (*READING, OverLimitError):
        return _by_ending(name)
    text = decode(start)[0].lstrip()
    if name.endswith(_MARKUP):
        return cap_files.CASEMETS if "<mets" in text else cap_files.HTML if _CASE_BODY.search(text) else None
    tar = start[257:262] == b"ustar" or name.endswith(".tar")
    if tar and name.startswith(("clusters", "opinions")):
        return courtlistener_api.FORMAT
    keys = keys_of(text) if tar or text[:1] in ("{", "[") else set()
    return _of_keys(keys) or (None if keys or tar else _by_ending(name))


def keys_of(text: str) -> set[str]:
    """The keys of the JSON objects at the start of a text, at any depth.

    >>> sorted(keys_of('[{"id": 1, "text": "he said: \\\\"no\\\\": so", "more": {"a": "unfinis'))
    ['a', 'id', 'more', 'text']
    """
    keys: set[str] = set()
    for match in _STRING.finditer(text):
        if not match[2]:  # the text ends inside this one
            break
        if match[3]:
            keys.add(match[1])
    return keys


def _of_keys(keys: set[str]) -> str | None:
    if "casebody" in keys or len(_CAP_KEYS & keys) > 2:
        return cap_bulk.FORMAT
    return courtlistener_api.FORMAT if kind_of(keys) else None


def _by_ending(name: str) -> str | None:
    if name.endswith((".jsonl", ".jsonl.xz")):
        return cap_bulk.FORMAT
    return courtlistener_api.FORMAT if _JSON.search(name) else None


def _of_zip(path: Path) -> str | None:
    """A bag with JSON lines, or a volume; one too damaged to tell is read as a volume and rejected there."""
    try:
        with Zip(path) as file:
            names = file.names
    except (*READING, OverLimitError):
        return cap_static.FORMAT
    if any(name.endswith((".jsonl", ".jsonl.xz")) for name in names):
        return cap_bulk.FORMAT
    return cap_static.FORMAT if any(Path(name).parent.name in cap_static.JSON_FOLDERS for name in names) else None
