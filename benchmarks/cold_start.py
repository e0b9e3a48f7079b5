"""How long commands take in a new process, files in the page cache: p50 beside a peer that only encodes one text.

    python benchmarks/cold_start.py INDEX CONTRACTS [--model none] [--runs 7]

INDEX is of `lawng index`, CONTRACTS a folder or file of contracts, both searched once before they are measured, so that
the encoder's graph and what is made of the contracts are kept. The peers are the least that a search by meaning needs
with sentence-transformers, and with LanceDB: load all-MiniLM-L6-v2 and encode one text; open a table. Runs are
interleaved, so that a machine whose speed drifts treats all alike. Prints wall and processor seconds and peak memory.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

LAWNG = [sys.executable, "-c", "from lawng.cli import main; main()"]
ARGUMENT = "The police may not stop a person on an anonymous tip that only describes how he is dressed."
QUERY = "liability cap with a carve-out for gross negligence"
ENCODE = """
from sentence_transformers import SentenceTransformer
from lawng.models.find import offline_model
SentenceTransformer(str(offline_model()), device="cpu").encode(["one text"], show_progress_bar=False)
"""
OPEN = """
import sys, lancedb
print(lancedb.connect(sys.argv[1]).open_table("commits").count_rows())
"""


class Run(NamedTuple):
    """One process."""

    wall: float
    cpu: float
    megabytes: float


def run(command: list[str]) -> Run:
    """Run a command to its end. Raises SystemExit when it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    per_kilobyte = 1024 if sys.platform != "darwin" else 1
    return Run(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss * per_kilobyte / 1e6)


def measured(commands: dict[str, list[str]], runs: int) -> dict[str, list[Run]]:
    """Each command so many times in turn, after one time that is not counted."""
    for command in commands.values():
        run(command)
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(run(command))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("contracts", type=Path)
    parser.add_argument("--model", default="none", help="stance model; none by default")
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    commands = {
        "lawng --help": [*LAWNG, "--help"],
        "lawng search INDEX": [*LAWNG, "search", str(given.index), ARGUMENT, "--model", given.model],
        "lawng search CONTRACTS": [*LAWNG, "search", str(given.contracts), QUERY],
        "peer: sentence-transformers, one text": [sys.executable, "-c", ENCODE],
        "peer: lancedb, one table": [sys.executable, "-c", OPEN, str(given.index)],
    }
    print(f"{platform.machine()}, {os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}; {given.runs} runs each")
    print("| command | wall p50 s | wall max s | processor p50 s | memory MB |\n|---|---|---|---|---|")
    for name, found in measured(commands, given.runs).items():
        wall, cpu = [one.wall for one in found], [one.cpu for one in found]
        memory = max(one.megabytes for one in found)
        times = f"{statistics.median(wall):.2f} | {max(wall):.2f} | {statistics.median(cpu):.2f}"
        print(f"| {name} | {times} | {memory:.0f} |")


if __name__ == "__main__":
    main()
