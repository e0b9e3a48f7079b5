"""The tutorial types what it says it types, and shows what the commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
PIECE = re.compile(r"^```(?P<kind>\w+)\n(?P<code>.*?)^```$|(?P<shown>(?:^ {4}\S[^\n]*\n)+)", re.MULTILINE | re.DOTALL)
DRAWN = re.compile(r"[│╭╮╰╯─┌┐└┘├┤┬┴┼┃━┏┓┗┛┡┩╇╈]|-{3,}")


def typed() -> list[str]:
    """The command lines, in order."""
    return [line for found in PIECE.finditer(TUTORIAL) if found["kind"] == "sh" for line in found["code"].splitlines()]


def demo() -> list[str]:
    """The commands of `make demo`, as one would type them."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    values = dict(re.findall(r"^(\w+) \?= (.*)$", makefile, re.MULTILINE))
    lines = makefile.partition("\ndemo: install\n")[2].partition("\n\n")[0].splitlines()
    commands = [line.strip() for line in lines if not line.strip().startswith("@")]
    return [re.sub(r"\$\((\w+)\)", lambda v: values[v[1]], line.replace("$(BIN)/", "")) for line in commands]


def test_the_tutorial_types_each_command_of_the_demo_in_its_order() -> None:
    assert len(demo()) >= 8
    assert [line for line in typed() if line in demo()] == demo()


def plain(text: str) -> str:
    """Without what is drawn and where lines break."""
    return " ".join(DRAWN.sub(" ", text).split())


def run(kind: str, code: str, place: Path) -> str:
    """What a block prints, on both streams."""
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"PATH": paths, "HOME": str(place), "HF_HOME": str(place / "hf"), "HF_HUB_OFFLINE": "1", "COLUMNS": "160"}
    inherited = {name: value for name, value in os.environ.items() if name != "LAWNG_MODELS"}  # those that are shipped
    env = inherited | own | {"PYTHONPATH": str(ROOT / "src"), "LAWNG_STANCE_MODEL": str(place / "none")}
    command = ["sh", "-ec", code] if kind == "sh" else [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return plain(done.stdout) + " " + plain(done.stderr)


def blocks() -> Iterator[tuple[str, str, list[str]]]:
    """Each block of commands with the fragments of its output that the page shows."""
    pieces = [(found["kind"], found["code"], found["shown"]) for found in PIECE.finditer(TUTORIAL)]
    for number, (kind, code, _) in enumerate(pieces):
        if kind:
            shown = pieces[number + 1][2] if number + 1 < len(pieces) else None
            yield kind, code, [fragment for part in (shown or "").split("...") if (fragment := plain(part))]


@pytest.mark.slow(reason="makes the whole demo: a build, an index, two searches, with their models")
def test_the_tutorial_shows_what_is_printed(tmp_path: Path) -> None:
    (tmp_path / "sample").symlink_to(ROOT / "sample")
    n_compared = 0
    for kind, code, fragments in blocks():
        printed, at = run(kind, code, tmp_path), 0
        for fragment in fragments:
            at = printed.find(fragment, at)
            assert at >= 0, f"{code} does not print (here): {fragment}\n{printed}"
            n_compared += 1
    assert n_compared > 30
