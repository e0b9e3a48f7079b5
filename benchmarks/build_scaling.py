"""Import and build with one and with two workers, on a source and on several copies of it: seconds and peak memory.

    python benchmarks/build_scaling.py ../shared/data/courtlistener-scotus [--copies 4] [--keep FOLDER]

Copies have other cluster ids, so that no case is there twice. Each step runs as a command of its own. Starting a worker
costs some three seconds, which a small source cannot win back; the copies show what remains when there is more to do.
Memory is the largest resident set of any one process, workers included. What two cores of the machine give is measured
in the same run by two processes that only count words: no program can scale better than that.
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
    parser.add_argument("--copies", type=int, default=4, help="how often the source is there in the larger corpus")
    parser.add_argument("--keep", type=Path, help="work here and keep what is made")
    arguments = parser.parse_args()
    if arguments.keep:
        _measure(arguments.source, arguments.copies, arguments.keep)
    else:
        with tempfile.TemporaryDirectory() as folder:
            _measure(arguments.source, arguments.copies, Path(folder))


def _measure(source: Path, copies: int, work: Path) -> None:
    sources = [source, *(_copied(source, work / f"source-{n}", n) for n in range(1, copies))]
    for name, group in (("once", [source]), (f"{copies} times", sources)):
        print(f"two processes that share nothing: {_machine():.2f} times one", flush=True)
        _compare(name, group, work / name.replace(" ", "-"))
    print(f"two processes that share nothing: {_machine():.2f} times one")


def _compare(name: str, sources: list[Path], work: Path) -> None:
    seconds: dict[int, dict[str, float]] = {}
    for workers in (2, 1):
        corpus, build = work / f"corpus{workers}", work / f"build{workers}"
        imported = _timed(f"{name}: import, {workers} worker(s)", _import(sources, corpus, workers))
        built = _timed(f"{name}: build, {workers} worker(s)", _build(corpus, build, workers))
        seconds[workers] = {"import": imported, "build": built, **_stages(build)}
    for step, one in seconds[1].items():
        two = seconds[2][step]
        print(f"  {step:14} {one:7.1f} s with one, {two:7.1f} s with two workers, ratio {one / max(two, 0.01):.2f}")


def _machine() -> float:
    """How much more two processes of plain Python do than one, best of three."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(_count_words, [1, 1], chunksize=1)
        ones = min(pool.map(_count_words, [300])[0] for _ in range(3))
        twos = min(max(pool.map(_count_words, [300, 300], chunksize=1)) for _ in range(3))
    return 2 * ones / twos


def _count_words(rounds: int) -> float:
    start, text = time.perf_counter(), "the rule is plain " * 2000
    for _ in range(rounds):
        len(re.findall(r"[a-z]+", text))
    return time.perf_counter() - start


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


def _copied(source: Path, copy: Path, number: int) -> Path:
    """A copy of the source whose cluster ids are shifted, so that no case is there twice."""
    (copy / "raw_opinions").mkdir(parents=True, exist_ok=True)
    for path in sorted((source / "raw_opinions").glob("*.txt")):
        cluster, rest = path.name.split("_", 1)
        shutil.copyfile(path, copy / "raw_opinions" / f"{int(cluster) + number * SHIFT}_{rest}")
    for path in sorted(source.glob("*_metadata.json")):
        table = json.loads(path.read_text(encoding="utf-8"))
        (copy / path.name).write_text(
            json.dumps({name: _shifted(name, column, number * SHIFT) for name, column in table.items()})
        )
    return copy


def _shifted(name: str, column: dict[str, object], shift: int) -> dict[str, object]:
    if name.endswith("cluster_id"):
        return {row: int(str(value)) + shift for row, value in column.items()}
    if name.endswith("filenames") or name.endswith("opinions"):
        return {row: json.loads(_shift_names(json.dumps(value), shift)) for row, value in column.items()}
    return column


def _shift_names(text: str, shift: int) -> str:
    return re.sub(r'"(\d+)_(\d{3}\w+\.txt)"', lambda match: f'"{int(match[1]) + shift}_{match[2]}"', text)


if __name__ == "__main__":
    main()
