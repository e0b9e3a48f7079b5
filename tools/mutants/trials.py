"""Running tests on a mutant: in a copy of the tree, in a forked child, the tests that run its line first."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sites import Mutant

_MEMORY = 8 << 30  # bytes: a loop without an end must not take the machine's


@dataclass
class Chart:
    """What the tests of a room run: seconds by test, and tests by file and line."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)

    def order(self, file: str, line: int) -> tuple[list[str], list[str]]:
        """The tests that run a line, and the others of the room: by file, quickest first."""
        seen = set(self.lines.get(file, {}).get(str(line), ()))
        sound = [test for test in self.seconds if test not in self.failing]
        return self._quickest([t for t in sound if t in seen]), self._quickest([t for t in sound if t not in seen])

    def _quickest(self, tests: list[str]) -> list[str]:
        by_file: dict[str, float] = {}
        for test in tests:
            by_file[_file(test)] = by_file.get(_file(test), 0.0) + self.seconds[test]
        return sorted(tests, key=lambda test: (by_file[_file(test)], _file(test), self.seconds[test]))


@dataclass(eq=False)
class _Watch:
    """What one run of pytest did: outcome and seconds by test, and under coverage who runs which line."""

    wanted: Sequence[str] | None = None
    coverage: Any = None
    seconds: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.wanted is not None:
            rank = {test: at for at, test in enumerate(self.wanted)}
            items[:] = sorted((i for i in items if i.nodeid in rank), key=lambda item: rank[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        if self.coverage:
            self.coverage.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            if self.coverage:
                self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def copy_tree(root: Path, copy: Path) -> None:
    """The files of a checkout as they are now, also those not yet under version control, without what git ignores."""
    names = subprocess.check_output(["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, text=True).split("\0")
    for name in filter(None, names):
        if (root / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)


def prepare(root: Path, tree: Path, preload: Sequence[str]) -> None:
    """Make this process ready: its own copy of the tree to stand in, and the heavy libraries loaded, lawng not."""
    copy = Path(tempfile.mkdtemp(dir=tree.parent))
    shutil.copytree(tree, copy, dirs_exist_ok=True)
    os.environ.setdefault("LAWNG_SHARED", str(root.parent / "shared"))
    os.environ.update(OMP_NUM_THREADS="1", PYTHONPATH=str(copy / "src"))
    sys.path[:] = [str(copy / "src"), *(p for p in sys.path if Path(p) not in {root, root / "src", tree / "src"})]
    os.chdir(copy)
    for name in preload:
        importlib.import_module(name)
    from hypothesis import settings

    settings.register_profile("mutants", database=None, derandomize=True, deadline=None)


def chart(sources: Sequence[str], tests: Sequence[str]) -> Chart:
    """Run tests once, unmutated: how long each takes and, where there are sources, who runs which line of them."""
    return Chart(**_forked(partial(_charted, sources, tests), 1800.0) or {})


def try_out(mutant: Mutant, tests: tuple[list[str], list[str]], seconds: float) -> tuple[str, str]:
    """("killed", the test), ("timeout", ""), or ("survived", how many tests looked)."""
    path = Path(mutant.file)
    source, before = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(mutant.code, encoding="utf-8")
    # no two states of a file may share a time: compiled modules are known by it
    os.utime(path, (time.time(), 1_000_000_000 + time.monotonic_ns() % 1_000_000_000))
    try:
        for wanted in filter(None, tests):
            outcome = _forked(partial(_run, _Watch(wanted)), seconds)
            if outcome is None:
                return "timeout", ""
            if outcome["failed"] or outcome["code"]:
                return "killed", (outcome["failed"] or [f"pytest ends with {outcome['code']}"])[0]
    finally:
        path.write_text(source, encoding="utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return "survived", str(sum(map(len, tests)))


def _run(watch: _Watch, *more: str) -> dict[str, Any]:
    files = list(dict.fromkeys(_file(test) for test in watch.wanted or ()))
    options = [
        "-q",
        "-m",
        "not slow or slow(mutants=True)",
        "-p",
        "no:cacheprovider",
        "--hypothesis-profile=mutants",
        "--tb=line",
    ]
    code = pytest.main([*options, *more, *(files and ["-x", *files])], plugins=[watch])
    return {"code": int(code), "failed": watch.failed}


def _charted(sources: Sequence[str], tests: Sequence[str]) -> dict[str, Any]:
    import coverage

    if not sources:
        _run(watch := _Watch(), *tests)
        return {"seconds": watch.seconds, "failing": sorted(set(watch.failed))}
    include = [str(Path(name).resolve()) for name in sources]
    cover = coverage.Coverage(data_file=None, include=include, config_file=False)
    with cover.collect():
        _run(watch := _Watch(coverage=cover), *tests)
    data, lines = cover.get_data(), {}
    for name, path in zip(sources, include, strict=True):
        found = data.contexts_by_lineno(path)
        lines[name] = {str(n): [test for test in who if test] for n, who in found.items()}
    return {"seconds": watch.seconds, "lines": lines, "failing": sorted(set(watch.failed))}


def _forked(work: Callable[[], dict[str, Any]], seconds: float) -> dict[str, Any] | None:
    """What a forked child makes of the work, None where it takes longer; all that it started ends with it."""
    with tempfile.NamedTemporaryFile("r") as answer, Path("talk.txt").open("w") as talk:
        if not (child := os.fork()):
            _child(work, answer.name, talk.fileno())
        end = time.monotonic() + seconds
        while not (ended := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < end:
            time.sleep(0.01)
        _end(child)
        if not ended[0]:
            os.waitpid(child, 0)
            return None
        text = answer.read()
        return json.loads(text) if text else {"code": ended[1], "failed": []}


def _child(work: Callable[[], dict[str, Any]], answer: str, talk: int) -> None:
    os.setsid()
    os.dup2(talk, 1)
    os.dup2(talk, 2)
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    try:
        Path(answer).write_text(json.dumps(work()))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(70)


def _end(child: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def _file(test: str) -> str:
    return test.partition("::")[0]
