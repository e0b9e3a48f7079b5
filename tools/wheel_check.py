"""The wheel in empty environments: with the core alone and with each extra alone.

    python tools/wheel_check.py [core] [EXTRA ...]

For each it makes an environment, installs the wheel with that extra in the lock's versions, and sees that the extra's
libraries import, and every module of lawng but those that begin with a library of another extra; and that the command
line starts and finds citations.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TORCH = next(line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if line.startswith("torch=="))

LOOK = """
import importlib, json, pkgutil, sys
import lawng
from lawng.extras import LIBRARIES, modules_of
own = modules_of(sys.argv[1]) if sys.argv[1] in LIBRARIES else set()
for name in sorted(own):
    importlib.import_module(name)
seen, wrong = 0, []
for found in pkgutil.walk_packages(lawng.__path__, "lawng.", onerror=lambda name: None):
    try:
        importlib.import_module(found.name)
        seen += 1
    except ModuleNotFoundError as error:
        library = error.name.partition(".")[0]
        if library in own or not any(library in modules for modules in LIBRARIES.values()):
            wrong.append(f"{found.name}: {error}")
print(json.dumps([seen, wrong]))
"""


def main(wanted: list[str]) -> int:
    """Check each environment, one after another; 0 when all are well."""
    extras = [name for name in PROJECT["optional-dependencies"] if name not in {"dev", "docs"}]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
        wheel = next(folder.glob("*.whl"))
        failures = [failure for name in wanted or ["core", *extras] for failure in _check(name, wheel, folder)]
    print("\n".join(failures) or "wheel-check: all is well")
    return 1 if failures else 0


def _check(extra: str, wheel: Path, folder: Path) -> list[str]:
    environment = folder / extra
    python = str(environment / "bin" / "python")
    _run(sys.executable, "-m", "venv", str(environment))
    if extra not in {"core", "llm", "ray"}:  # in the lock's version, of which a build for the CPU may lie at hand
        _run(python, "-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt"), TORCH)
    what = str(wheel) if extra == "core" else f"{wheel}[{extra}]"
    _run(python, "-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt"), what)
    seen, wrong = json.loads(_run(python, "-c", LOOK, extra).splitlines()[-1])
    wrong += _commands(environment / "bin" / "lawng")
    print(f"{extra}: {seen} modules import, {len(wrong)} wrong", flush=True)
    subprocess.run(["rm", "-rf", str(environment)], check=True)
    return [f"{extra}: {line}" for line in wrong]


def _commands(lawng: Path) -> list[str]:
    """What works with any extra: help, and citations of a text."""
    helped = subprocess.run([lawng, "--help"], capture_output=True, text=True, check=False)
    text = "See Mapp v. Ohio, 367 U.S. 643, 655 (1961) (holding that such evidence is inadmissible)."
    found = subprocess.run([lawng, "citations", "-"], input=text, capture_output=True, text=True, check=False)
    wrong = [] if helped.returncode == 0 else [f"lawng --help: {helped.stderr}"]
    return wrong if '"367 U.S. 643"' in found.stdout else [*wrong, f"lawng citations -: {found.stderr}"]


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
