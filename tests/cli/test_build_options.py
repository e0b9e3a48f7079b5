"""The command line of builds: every option is there, mistakes are one line and exit status 2."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawng.cli import app
from lawng.config import Option, load_config, options
from lawng.errors import ConfigError

RUNNER = CliRunner()
GIVEN = {str: "text", int: "7", float: "0.25", bool: None}


@pytest.mark.parametrize("option", list(options()), ids=lambda option: option.path)
def test_every_option_is_on_the_command_line(option: Option, tmp_path: Path) -> None:
    flags = option.limits["flag"].split("/")  # of a choice: the one that is, and the one that is not
    flag = flags[0] if option.default is False else flags[-1]
    value = option.limits["among"][-1] if "among" in option.limits else GIVEN[option.kind]
    run = RUNNER.invoke(app, ["config", flag, *([value] if value else [])])
    assert run.exit_code == 0, run.output
    (tmp_path / "c.toml").write_text(run.stdout)
    found = getattr(getattr(load_config(tmp_path / "c.toml"), option.section), option.name)
    assert found == (option.kind(value) if value else not option.default)


def test_the_file_is_read_and_options_win(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("[neutral]\ntop_k = 7\n[engine]\nseed = 5\n")
    run = RUNNER.invoke(app, ["config", "--config", str(tmp_path / "c.toml"), "--seed", "6"])
    printed = tomllib.loads(run.stdout)
    assert (printed["neutral"]["top_k"], printed["engine"]["seed"]) == (7, 6)


def test_mistakes_are_named_before_anything_runs(tmp_path: Path) -> None:
    run = RUNNER.invoke(app, ["build", str(tmp_path), "-o", str(tmp_path / "b"), "--split", "none", "--top-k", "0"])
    assert isinstance(run.exception, ConfigError)
    assert "split.method" in str(run.exception)
    assert "neutral.top_k" in str(run.exception)
    assert list(tmp_path.iterdir()) == []


def test_known_errors_are_one_line_on_standard_error_and_status_2(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from lawng.cli import main; main()", "build", str(tmp_path), "-o", "b"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.splitlines() == [
        f"lawng: {tmp_path}: not a corpus (no _stage.json); make one with `lawng corpus import`"
    ]
