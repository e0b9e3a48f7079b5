"""`lawng serve` as a person starts and stops it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from lawng.cli import app
from lawng.errors import InputError, MissingError
from lawng.web.server import listen

STARTED = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); import lawng.cli.serve as command; from web_support import library;"
    "command._service = lambda index, model, name, log: library(hosts=None if name is None else frozenset({name}));"
    "from lawng.cli import main; main()"
)
"""The command over an index made by hand: everything but the opening of a real one."""


@contextmanager
def started(*options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", STARTED, str(Path(__file__).parents[1]), "serve", "index", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def address(process: subprocess.Popen[str]) -> str:
    assert process.stderr
    found = re.search(r"Serving index at (http://\S+)", process.stderr.readline())
    assert found
    return found[1]


def rest(process: subprocess.Popen[str]) -> str:
    """What else it says on standard error until it ends."""
    assert process.stderr
    return process.stderr.read()


def test_it_says_its_address_serves_and_stops_on_ctrl_c() -> None:
    with started() as process:
        url = address(process)
        assert url.startswith("http://127.0.0.1:")
        response = httpx.get(url + "search", params={"q": "a confidential landlord"}, timeout=60)
        assert response.status_code == 200
        process.send_signal(signal.SIGINT)
        talk = rest(process)
        assert (process.wait(60), process.stdout.read() if process.stdout else None) == (0, "")
        assert "leaves out what is searched for" in talk
        assert re.search(r"GET /search 200 \d+ ms", talk)
        assert "confidential" not in talk
        assert "other computers" not in talk
        assert talk.rstrip().endswith("Stopped.")


def test_it_warns_when_others_are_let_in() -> None:
    with started("--host", "0.0.0.0") as process:
        url = address(process)
        assert httpx.get(url.replace("0.0.0.0", "127.0.0.1") + "about", timeout=60).status_code == 200
        process.send_signal(signal.SIGINT)
        assert "Warning: other computers can reach it." in rest(process)


def test_a_taken_port_and_a_missing_index_are_one_line(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as place:
        taken = CliRunner().invoke(app, ["serve", str(tmp_path), "--port", str(place.getsockname()[1])])
    assert isinstance(taken.exception, InputError)
    assert "cannot listen there" in str(taken.exception)
    missing = CliRunner().invoke(app, ["serve", str(tmp_path / "nothing"), "--port", "0"])
    assert isinstance(missing.exception, MissingError)
    assert "\n" not in str(missing.exception)


def test_a_model_that_is_not_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lawng.models.pairs import stance_model

    monkeypatch.setenv("LAWNG_STANCE_MODEL", str(tmp_path / "none"))
    assert stance_model(None) is None
    assert stance_model("none") is None
    with pytest.raises(MissingError):
        stance_model(str(tmp_path / "nothing"))
