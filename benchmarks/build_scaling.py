"""Import and build: seconds with one and two workers, peak memory of a process, and both when the corpus doubles.

    python benchmarks/build_scaling.py ../shared/data/courtlistener-scotus [--keep FOLDER]

Each step runs as a command of its own, after one small build that warms the file caches. Doubled means a copy of the
source with other cluster ids beside the source itself. Memory is the largest resident set of any one process.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LAWNG = [sys.executable, "-c", "from lawng.cli import main; main()"]
SHIFT = 100_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="a folder like data/courtlistener-scotus")
    parser.add_argument("--keep", type=Path, help="work here and keep what is made")
    arguments = parser.parse_args()
    if arguments.keep:
        _measure(arguments.source, arguments.keep)
    else:
        with tempfile.TemporaryDirectory() as folder:
            _measure(arguments.source, Path(folder))


def _measure(source: Path, work: Path) -> None:
    twice = _doubled(source, work / "source")
    times: dict[str, float] = {}
    for workers in (2, 1):
        times[f"import {workers}"] = _timed(
            f"import, {workers} worker(s)", _import([source], work / f"c{workers}", workers)
        )
        build = work / f"b{workers}"
        times[f"build {workers}"] = _timed(f"build, {workers} worker(s)", _build(work / f"c{workers}", build, workers))
        times |= {f"{stage} {workers}": seconds for stage, seconds in _stages(build).items()}
    _timed("import, doubled, 2 workers", _import([source, twice], work / "c-twice", 2))
    _timed("build, doubled, 2 workers", _build(work / "c-twice", work / "b-twice", 2))
    for name in sorted({key.rsplit(" ", 1)[0] for key in times}):
        one, two = times[f"{name} 1"], times[f"{name} 2"]
        print(f"{name:16} {one:7.1f} s with one, {two:7.1f} s with two workers, ratio {one / two:.2f}")
    print(f"import and build with two workers: {times['import 2'] + times['build 2']:.0f} s")


def _import(sources: list[Path], corpus: Path, workers: int) -> list[str]:
    return ["corpus", "import", *map(str, sources), "-o", str(corpus), "--workers", str(workers)]


def _build(corpus: Path, build: Path, workers: int) -> list[str]:
    return ["build", str(corpus), "-o", str(build), "--workers", str(workers)]


def _timed(what: str, command: list[str]) -> float:
    """Seconds of a command; in a process of its own, so that its peak memory is not an earlier command's."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        seconds, peak = pool.apply(_run, (command,))
    print(f"{what:28} {seconds:7.1f} s, largest process {peak / 1024:6.0f} MB", flush=True)
    return float(seconds)


def _run(command: list[str]) -> tuple[float, int]:
    start = time.perf_counter()
    subprocess.run([*LAWNG, *command], check=True, capture_output=True)
    return time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def _stages(build: Path) -> dict[str, float]:
    lines = (build / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return {str(row["stage"]): float(row["seconds"]) for row in map(json.loads, lines)}


def _doubled(source: Path, copy: Path) -> Path:
    """A copy of the source whose cluster ids are shifted, so that no case is there twice."""
    (copy / "raw_opinions").mkdir(parents=True, exist_ok=True)
    for path in sorted((source / "raw_opinions").glob("*.txt")):
        cluster, rest = path.name.split("_", 1)
        shutil.copyfile(path, copy / "raw_opinions" / f"{int(cluster) + SHIFT}_{rest}")
    for path in sorted(source.glob("*_metadata.json")):
        table = json.loads(path.read_text(encoding="utf-8"))
        (copy / path.name).write_text(json.dumps({name: _shifted(name, column) for name, column in table.items()}))
    return copy


def _shifted(name: str, column: dict[str, object]) -> dict[str, object]:
    if name.endswith("cluster_id"):
        return {row: int(str(value)) + SHIFT for row, value in column.items()}
    if name.endswith("filenames") or name.endswith("opinions"):
        return {row: json.loads(_shift_names(json.dumps(value))) for row, value in column.items()}
    return column


def _shift_names(text: str) -> str:
    return re.sub(r'"(\d+)_(\d{3}\w+\.txt)"', lambda match: f'"{int(match[1]) + SHIFT}_{match[2]}"', text)


if __name__ == "__main__":
    main()
