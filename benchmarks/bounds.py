"""Imports files that were made to hurt, and prints the memory of each import: of all its processes, and of the largest.

python benchmarks/bounds.py [FOLDER] [--only NAME ...]

The files are made in FOLDER (some 2 GB of disk) and stay there. Every import must keep all its processes under 500 MB
together and read what is good in the file.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import lzma
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

BODY = '<casebody firstpage="1"><opinion type="majority"><p>The rule is plain. {}</p></opinion></casebody>'
BLOCK, BLOCKS = bytes(1 << 20), 2048
WORDS = "the rule of the court was held to be plain "
CLUSTERS = b'"id","case_name"\n"1","Doe v. Roe"\n'
OPINIONS = b'"id","type","plain_text","cluster_id"\n"1","020lead","one","1"\n'


def line(number: int, text: str = "") -> bytes:
    """A case of the bulk export."""
    body = {"status": "ok", "data": BODY.format(text)}
    return (
        json.dumps({"id": number, "name": f"Doe {number} v. Roe", "citations": [], "casebody": body}).encode() + b"\n"
    )


def lines(*texts: str) -> Callable[[Path], None]:
    """A file of cases with these texts."""
    return lambda folder: write(folder / "data.jsonl", (line(n, text) for n, text in enumerate(texts, start=1)))


def write(path: Path, pieces: Any, open_as: Callable[..., IO[bytes]] = open) -> None:
    """Write a file piece by piece."""
    with open_as(path, "wb") as file:
        for piece in pieces:
            file.write(piece)


def bomb(open_as: Callable[..., Any]) -> Callable[[Path], None]:
    """A good case, then 2 GB of zeros, packed."""
    return lambda folder: write(folder / "data.jsonl.xz", (line(1), *[BLOCK] * BLOCKS), open_as)


def zip_bomb(good: str, bad: str) -> Callable[[Path], None]:
    """A zip with a good case and a member of 2 GB of zeros."""

    def make(folder: Path) -> None:
        with zipfile.ZipFile(folder / "v.zip", "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr(good, line(1, "x").replace(b'"status": "ok", "data":', b'"opinions": [{"text": "x"}], "x":'))
            member = zipfile.ZipInfo(bad)
            member.compress_type = zipfile.ZIP_DEFLATED
            with made.open(member, "w", force_zip64=True) as file:
                for _ in range(BLOCKS):
                    file.write(BLOCK)

    return make


def long_line(folder: Path) -> None:
    """A line of 1 GB between two good ones."""
    write(folder / "data.jsonl", (line(1), *[b"x" * len(BLOCK)] * 1024, b"\n", line(2)))


def long_field(folder: Path) -> None:
    """A row of 500 MB in many lines between two good ones."""
    (folder / "opinion-clusters-2024.csv").write_bytes(CLUSTERS)
    middle = [b"it says that\n" * 100_000] * 385
    write(
        folder / "opinions-2024.csv",
        (OPINIONS, b'"2","020lead","', *middle, b'","1"\n', b'"3","020lead","three","1"\n'),
    )


def many(folder: Path) -> None:
    """A hundred thousand good rows in 300 MB."""
    write(folder / "data.jsonl", (line(n, f"{n} {WORDS * 68}") for n in range(1, 100_001)))


def two_workers(folder: Path) -> None:
    """Two files with the longest opinions that are read, for two workers at once."""
    for number in range(2):
        text = WORDS * (7_900_000 // len(WORDS))
        write(folder / f"{number}.jsonl", (line(10 * number + n, text) for n in range(1, 4)))


KINDS: dict[str, Callable[[Path], None]] = {
    "brackets": lambda folder: write(folder / "data.jsonl", (b"[" * 200_000 + b"\n", line(1))),
    "zip-volume": zip_bomb("json/0001-01.json", "json/0002-01.json"),
    "zip-bag": zip_bomb("data/a.jsonl", "data/b.jsonl"),
    "gz": bomb(gzip.open),
    "bz2": bomb(bz2.open),
    "xz": bomb(lzma.open),
    "line-of-1-GB": long_line,
    "field-of-500-MB": long_field,
    "opinion-of-50-MB": lines(WORDS * (50_000_000 // len(WORDS)), "x"),
    "longest-opinions": lines(*[WORDS * (7_900_000 // len(WORDS))] * 3),
    "longest-opinions-wide": lines(*["\U0001f600" + WORDS * (7_900_000 // len(WORDS))] * 3),
    "most-elements": lines(*['<i a="b">x</i>' * 240_000] * 3),
    "longest-opinions-twice": two_workers,
    "100000-rows": many,
}


def measure(source: Path, corpus: Path) -> tuple[str, int, int, float]:
    """What an import said first, its peaks of memory (of all processes and of the largest) in MB, and its seconds."""
    shutil.rmtree(corpus, ignore_errors=True)
    start, most, largest = time.perf_counter(), 0, 0
    command = [sys.executable, "-c", "from lawng.cli import main; main()", "corpus", "import", source, "-o", corpus]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while process.poll() is None:
            sizes = list(proportional(process.pid))
            most, largest = max(most, sum(sizes)), max(largest, *sizes, 0)
            time.sleep(0.02)
        said = process.stderr.read().splitlines() if process.stderr else [""]
    return "; ".join(part.strip() for part in said[:3]), most // 1000, largest // 1000, time.perf_counter() - start


def proportional(session: int) -> Iterator[int]:
    """Proportional set sizes in kB of the processes of a session: pages that are shared are shared out."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[3]) == session:
                rows = folder.joinpath("smaps_rollup").read_text().splitlines()
                yield next(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
        except (OSError, StopIteration):  # it has ended
            continue


def main() -> None:
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("folder", nargs="?", type=Path, default=Path("bench/bounds"))
    say.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS), metavar="NAME")
    asked = say.parse_args()
    for name in asked.only:
        source = asked.folder / name
        if not source.is_dir():
            source.mkdir(parents=True)
            KINDS[name](source)
        said, most, largest, seconds = measure(source, asked.folder / "corpus")
        print(f"{name:24} {most:5} MB in all {largest:5} MB the largest {seconds:6.1f} s  {said}", flush=True)


if __name__ == "__main__":
    main()
