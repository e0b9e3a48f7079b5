"""Bringing sources from static.case.law or CourtListener's bulk data: resumable, checked, shown only when whole.

A file is written aside as `NAME.part`. An interrupted fetch goes on where it stopped (HTTP Range), if the file at the
other end is still the same (ETag or date, and length); a finished one is tested and renamed.
"""

from __future__ import annotations

import bz2
import json
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from lawng import __version__
from lawng.corpus.archives import READING
from lawng.errors import ConfigError, InputError

_SITES = {
    "cap": "https://static.case.law",
    "courtlistener": "https://storage.courtlistener.com/bulk-data",
}
_VOLUME = re.compile(r"^[a-z0-9][a-z0-9-]*/[a-zA-Z0-9-]+$")
_BULK = re.compile(r"^[a-z-]+-\d{4}-\d{2}-\d{2}\.csv\.bz2$")
_BLOCK = 1 << 20
_TIMEOUT = 60.0
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is there now, and what was done for it."""

    path: Path
    said: str


def fetch_all(site: str, names: Sequence[str], folder: Path, base_url: str | None = None) -> Iterator[Fetched]:
    """Fetch each named file in turn: volumes as "us/410" (cap), or bulk files such as "citations-2024-12-31.csv.bz2".

    Raises ConfigError for a name or site that cannot be, InputError when a file cannot be had or comes damaged.
    """
    if site not in _SITES:
        raise ConfigError(f"--from {site}: not one of {', '.join(_SITES)}")
    base = (base_url or _SITES[site]).rstrip("/")
    for file in [_file(site, name) for name in names]:
        yield fetch(f"{base}/{quote(file)}", folder / file)


def _file(site: str, name: str) -> str:
    if site == "cap" and _VOLUME.match(volume := name.strip("/")):
        return f"{volume}.zip"
    if site == "courtlistener" and _BULK.match(name):
        return name
    example = "us/410" if site == "cap" else "citations-2024-12-31.csv.bz2"
    raise ConfigError(f"{name}: not the name of a file of {site}; write it as {example}")


def fetch(url: str, path: Path) -> Fetched:
    """One file from an address to a path, going on with what an earlier try left.

    Raises InputError when it cannot be had, or is not whole after it came.
    """
    if path.is_file():
        return Fetched(path, "there already")
    if urlsplit(url).scheme not in ("http", "https"):
        raise ConfigError(f"{url}: not an http or https address; mend --base-url")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    for left in reversed(range(_TRIES)):
        try:
            had = _receive(url, part)
            break
        except (URLError, HTTPException, OSError) as error:
            _give_up(url, error, left)
    _test(part, path)
    os.replace(part, path)
    _stamp_path(part).unlink(missing_ok=True)
    size = path.stat().st_size
    return Fetched(path, f"{size} bytes" + (f", {had} of them from an earlier try" if had else ""))


def _give_up(url: str, error: Exception, tries_left: int) -> None:
    """Raise when trying again is no use: nothing is there, or the tries are used up."""
    if isinstance(error, HTTPError) and error.code < 500:
        raise InputError(f"{url}: the site answered {error.code} {error.reason}; check the name") from error
    if not tries_left:
        raise InputError(f"{url}: broke off ({error}); run the same command again to go on") from error


def _receive(url: str, part: Path) -> int:
    """Bring the rest of a file; the number of bytes that were there already.

    Raises OSError when the connection ends before the file does.
    """
    had = part.stat().st_size if part.is_file() and _stamp_path(part).is_file() else 0
    stamp = json.loads(_stamp_path(part).read_text()) if had else {}
    if had and had == stamp.get("total"):
        return had  # all of it came, and was not tested yet
    with _ask(url, had, stamp.get("validator", "")) as answer:
        length = re.search(r"/(\d+)$", answer.headers.get("Content-Range") or "")
        size_said = length[1] if length else answer.headers.get("Content-Length") or ""
        total = int(size_said) if size_said.isdigit() else None
        found = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
        if had and (answer.status != 206 or found != stamp.get("validator")):
            had = 0  # another file is there now, or the site sends it whole: begin again
            if answer.status == 206:
                part.unlink()
                return _receive(url, part)
        _stamp_path(part).write_text(json.dumps({"validator": found, "total": total}))
        with part.open("ab" if had else "wb") as file:
            while block := answer.read(_BLOCK):
                file.write(block)
    size = part.stat().st_size
    if total is not None and size != total:
        raise OSError(f"{size} of {total} bytes came")
    return had


def _ask(url: str, start: int, validator: str) -> HTTPResponse:
    headers = {"User-Agent": f"lawng/{__version__}", "Accept-Encoding": "identity"}
    if start:
        headers |= {"Range": f"bytes={start}-"} | ({"If-Range": validator} if validator else {})
    answer: HTTPResponse = urlopen(Request(url, headers=headers), timeout=_TIMEOUT)
    return answer


def _stamp_path(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _test(part: Path, path: Path) -> None:
    """Read the packed file through, by its own checksums; what fails is thrown away."""
    wrong: object = None
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(part) as file:
                wrong = (bad := file.testzip()) and f"bad checksum of {bad}"
        elif path.suffix == ".bz2":
            with bz2.open(part) as packed:
                while packed.read(_BLOCK):
                    pass
    except READING as error:
        wrong = error
    if wrong:
        part.unlink()
        _stamp_path(part).unlink(missing_ok=True)
        raise InputError(f"{path.name}: came damaged ({wrong}) and was thrown away; fetch it again")
