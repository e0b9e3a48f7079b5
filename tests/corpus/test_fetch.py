"""Fetching, from a server of the test's own on loopback that can break off, lie and change its files."""

from __future__ import annotations

import bz2
import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lawng.corpus.fetch import fetch_all
from lawng.errors import ConfigError, InputError


@dataclass
class Site:
    """What the server has, how it misbehaves, and what it was asked."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    etag: str = '"one"'
    breaks_after: list[int] = field(default_factory=list)
    """For the next answers in turn: how many bytes until the connection breaks."""
    ranges: list[str | None] = field(default_factory=list)
    no_ranges: bool = False


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        site, data = self.site, self.site.files.get(self.path)
        asked = self.headers.get("Range")
        site.ranges.append(asked)
        if data is None:
            self.send_error(404)
            return
        same = self.headers.get("If-Range") in (None, site.etag)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and same and not site.no_ranges else 0
        self.send_response(206 if start else 200)
        self.send_header("ETag", site.etag)
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        end = site.breaks_after.pop(0) if site.breaks_after else len(data)
        self.wfile.write(data[start : start + end])
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    found = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": found}))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    found.url = f"http://127.0.0.1:{server.server_port}"
    yield found
    server.shutdown()
    server.server_close()


def packed(text: str = "text" * 5000) -> bytes:
    """A volume's zip, stored so that its length is known."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(zipfile.ZipInfo("json/0001-01.json"), text)  # of no time: the same bytes whenever made
    return out.getvalue()


def broken_stream() -> bytes:
    """A zip whose packed text begins with a block of no kind."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.json", "text" * 5000)
    data = bytearray(out.getvalue())
    data[30 + len("a.json")] = 0xFF
    return bytes(data)


def get(site: Site, folder: Path, *names: str, of: str = "cap") -> list[str]:
    return [fetched.said for fetched in fetch_all(of, list(names), folder, site.url)]


def test_volumes_and_bulk_files(site: Site, tmp_path: Path) -> None:
    table = bz2.compress(b"id,name\n")
    site.files = {"/us/410.zip": packed(), "/citations-2024-12-31.csv.bz2": table}
    assert get(site, tmp_path, "us/410") == [f"{len(packed())} bytes"]
    assert (tmp_path / "us" / "410.zip").read_bytes() == packed()
    assert get(site, tmp_path, "us/410") == ["there already"]
    assert len(site.ranges) == 1
    get(site, tmp_path, "citations-2024-12-31.csv.bz2", of="courtlistener")
    assert (tmp_path / "citations-2024-12-31.csv.bz2").read_bytes() == table


def test_connection_that_breaks_is_taken_up_where_it_broke(site: Site, tmp_path: Path) -> None:
    site.files = {"/us/410.zip": packed()}
    site.breaks_after = [7000, 2000]
    assert get(site, tmp_path, "us/410") == [f"{len(packed())} bytes, 9000 of them from an earlier try"]
    assert site.ranges == [None, "bytes=7000-", "bytes=9000-"]
    assert (tmp_path / "us" / "410.zip").read_bytes() == packed()
    assert [path.name for path in (tmp_path / "us").iterdir()] == ["410.zip"]


def test_next_run_goes_on(site: Site, tmp_path: Path) -> None:
    site.files = {"/us/410.zip": packed()}
    site.breaks_after = [100, 100, 100]
    with pytest.raises(InputError, match="run the same command again"):
        get(site, tmp_path, "us/410")
    assert not (tmp_path / "us" / "410.zip").exists()
    assert get(site, tmp_path, "us/410") == [f"{len(packed())} bytes, 300 of them from an earlier try"]
    assert site.ranges[-1] == "bytes=300-"


def test_file_that_came_whole_and_was_not_tested_is_not_asked_for_again(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.files = {"/us/410.zip": packed()}

    def killed(part: Path, path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("lawng.corpus.fetch._test", killed)
        with pytest.raises(KeyboardInterrupt):
            get(site, tmp_path, "us/410")
    assert get(site, tmp_path, "us/410") == [f"{len(packed())} bytes, {len(packed())} of them from an earlier try"]
    assert (tmp_path / "us" / "410.zip").read_bytes() == packed()
    assert site.ranges == [None], "a server has nothing behind a file's end"


def test_file_that_changed_meanwhile_is_begun_again(site: Site, tmp_path: Path) -> None:
    site.files = {"/us/410.zip": packed()}
    site.breaks_after = [100, 100, 100]
    with pytest.raises(InputError):
        get(site, tmp_path, "us/410")
    site.files, site.etag = {"/us/410.zip": packed("other" * 900)}, '"two"'
    get(site, tmp_path, "us/410")
    assert (tmp_path / "us" / "410.zip").read_bytes() == packed("other" * 900)


def test_site_that_knows_no_ranges(site: Site, tmp_path: Path) -> None:
    site.files, site.no_ranges = {"/us/410.zip": packed()}, True
    site.breaks_after = [5000]
    assert get(site, tmp_path, "us/410") == [f"{len(packed())} bytes"]
    assert (tmp_path / "us" / "410.zip").read_bytes() == packed()


@pytest.mark.parametrize(
    ("name", "of", "damaged"),
    [
        ("us/410", "cap", packed()[:-30]),
        ("us/410", "cap", packed().replace(b"texttext", b"textTEXT", 1)),
        ("us/410", "cap", broken_stream()),
        ("citations-2024-12-31.csv.bz2", "courtlistener", bz2.compress(b"x" * 9999)[:-4]),
        ("citations-2024-12-31.csv.bz2", "courtlistener", b"<html>Down for maintenance</html>"),
    ],
)
def test_damaged_file_is_never_shown(site: Site, tmp_path: Path, name: str, of: str, damaged: bytes) -> None:
    site.files = {f"/{name}.zip" if of == "cap" else f"/{name}": damaged}
    with pytest.raises(InputError, match="came damaged"):
        get(site, tmp_path, name, of=of)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_is_not_there(site: Site, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answered 404"):
        get(site, tmp_path, "us/999")
    assert site.ranges == [None]


@pytest.mark.parametrize("name", ["../etc", "us", "us/1/2", "https://example.org/x.zip"])
def test_names_that_cannot_be(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="write it as us/410"):
        list(fetch_all("cap", [name], tmp_path))


def test_address_that_is_no_address(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="mend --base-url"):
        list(fetch_all("cap", ["us/1"], tmp_path, "file:///etc"))
