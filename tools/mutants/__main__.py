"""`make mutants`: plant faults in copies of the tree, see which tests notice, and print a table by room.

    python tools/mutants [ROOM ... | planted] [--sample N] [--seed N] [--workers N]

Outcomes are kept in `.mutants/` as they come: a run that was stopped goes on, and only what changed is tried again.
See docs/how-to/test-the-tests.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sites import Mutant, digest, planted, sample
from trials import Chart, chart, copy_tree, prepare, try_out

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEPT = ROOT / ".mutants"
AGAINST = ("killed", "timeout")
"""Outcomes that count as seen: what never ends is noticed by whoever runs the tests."""


@dataclass(frozen=True)
class Room:
    """Files to mutate, and the files of tests that may see it, the doctests of the room among them."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    silent: str = "(?!)"

    @property
    def state(self) -> str:
        """Digest of all that an outcome of this room can depend on, the mutated file apart."""
        support = _expand(["tests/conftest.py", "tests/*_support.py", "tests/*_fixture.py"])
        return digest(*(f"{name}\n{_text(name)}" for name in (*self.tests, *support)))


def main() -> None:
    """Run what is asked for and print the table."""
    parser = argparse.ArgumentParser(prog="mutants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rooms", nargs="*", help="rooms of rooms.toml, or planted; all without any")
    parser.add_argument("--sample", type=int, default=25, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="mutants tried at once, each by its own process")
    asked = parser.parse_args()
    book = _toml("rooms.toml")
    if unknown := set(asked.rooms) - {*book["room"], "planted"}:
        parser.error(f"no room {', '.join(sorted(unknown))}; there are {', '.join(book['room'])} and planted")
    KEPT.mkdir(exist_ok=True)
    names = [name for name in book["room"] if name in (asked.rooms or book["room"])]
    more = (library for name in names for library in book["room"][name].get("preload", []))
    with _workers(asked.workers, list(dict.fromkeys([*book["preload"], *more]))) as pool:
        seen = [_run(pool, _room(name, book), asked) for name in names]
        if not asked.rooms or "planted" in asked.rooms:
            seen.append(_run_planted(pool))
    _print(seen, asked)
    sys.exit(1 if any(name == "planted" and counts["sampled"] > counts["killed"] for name, counts, _ in seen) else 0)


@contextlib.contextmanager
def _workers(n: int, preload: list[str]) -> Iterator[ProcessPoolExecutor]:
    """Processes to try mutants in; this one stands in a copy of the tree meanwhile, so that all speak of one state."""
    start = multiprocessing.get_context("spawn")  # forked workers would have the threads and locks of this process
    with tempfile.TemporaryDirectory(prefix="mutants-") as place, contextlib.chdir(place):
        tree = Path(place, "tree")
        copy_tree(ROOT, tree)
        os.chdir(tree)
        sys.path[0] = str(HERE)  # as an absolute path: the workers stand elsewhere
        with ProcessPoolExecutor(n, start, initializer=prepare, initargs=(ROOT, tree, preload)) as pool:
            yield pool


Seen = tuple[str, Counter[str], list[str]]


def _run(pool: ProcessPoolExecutor, room: Room, asked: argparse.Namespace) -> Seen:
    mutants = sample(room.name, map(Path, room.files), asked.sample, asked.seed, room.silent)
    equal = {(e["file"], e["was"], e["now"]): e["why"] for e in _toml("equivalent.toml")["equivalent"]}
    trials = [mutant for mutant in mutants if (mutant.file, mutant.was, mutant.now) not in equal]
    done = _outcomes(pool, trials, room)
    counts = Counter(outcome for outcome, _ in done.values())
    counts.update(sampled=len(mutants), equivalent=len(mutants) - len(trials))
    lived = [f"{m.diff}\n    {m.operator}; {by} tests looked" for m, (how, by) in done.items() if how == "survived"]
    return room.name, counts, lived


def _run_planted(pool: ProcessPoolExecutor) -> Seen:
    entries = _toml("planted.toml")["fault"]
    found = [(entry, planted(entry, Path(), at)) for at, entry in enumerate(entries)]
    stale = [f"{entry['file']}: stale, this is not there once:\n{entry['original']}" for entry, m in found if not m]
    done: dict[Mutant, tuple[str, str]] = {}
    for mutant in (m for _, m in found if m):
        done |= _outcomes(pool, [mutant], Room("planted", (), _expand(mutant.tests)))
    counts = Counter(outcome for outcome, _ in done.values()) + Counter(sampled=len(entries), stale=len(stale))
    lived = [
        f"{m.diff}\n    promise: {entries[m.occurrence]['promise']}"
        for m, (how, _) in done.items()
        if how not in AGAINST
    ]
    return "planted", counts, stale + lived


def _outcomes(pool: ProcessPoolExecutor, mutants: Sequence[Mutant], room: Room) -> dict[Mutant, tuple[str, str]]:
    """The outcome of each mutant: the kept one where it still holds, else by running tests."""
    kept, state = _kept(), room.state
    done = {mutant: kept[key] for mutant in mutants if (key := _key(mutant, state, kept)) in kept}
    left = [mutant for mutant in mutants if mutant not in done]
    if not left:
        return done
    known = _chart(pool, room, state)
    waiting: dict[Future[tuple[str, str]], Mutant] = {}
    for mutant in left:
        tests = known.order(mutant.file, mutant.line)
        waiting[pool.submit(try_out, mutant, tests, 20 + min(160, 3 * sum(known.seconds.values())))] = mutant
    for number, future in enumerate(as_completed(waiting), 1):
        mutant, outcome = waiting[future], future.result()
        _keep(mutant, outcome, state)
        done[mutant] = outcome
        print(f"{room.name} {number}/{len(left)} {outcome[0]:8} {mutant.file}:{mutant.line} {outcome[1]}", flush=True)
    return {mutant: done[mutant] for mutant in mutants}


def _identity(mutant: Mutant) -> str:
    return digest(mutant.file, _text(mutant.file), mutant.operator, str(mutant.occurrence), mutant.now)


def _key(mutant: Mutant, state: str, kept: dict[tuple[str, str], tuple[str, str]]) -> tuple[str, str]:
    """A killed mutant stays so while the test that killed it is the same; any other while all the tests are."""
    who = _identity(mutant)
    killer = kept.get((who, "killer"), ("", ""))[1]
    alike = (who, digest(killer, _text(killer.partition("::")[0])))
    return alike if killer and alike in kept else (who, state)


def _kept() -> dict[tuple[str, str], tuple[str, str]]:
    path = KEPT / "outcomes.jsonl"
    kept: dict[tuple[str, str], tuple[str, str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        row = json.loads(line)
        kept[row["who"], row["tests"]] = row["outcome"], row["by"]
        if row["outcome"] == "killed":
            kept[row["who"], "killer"] = "", row["by"]
    return kept


def _keep(mutant: Mutant, outcome: tuple[str, str], state: str) -> None:
    killer = outcome[1] if outcome[0] == "killed" else ""
    tests = digest(killer, _text(killer.partition("::")[0])) if killer else state
    row = {"who": _identity(mutant), "tests": tests, "outcome": outcome[0], "by": outcome[1], "diff": mutant.diff}
    with (KEPT / "outcomes.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _chart(pool: ProcessPoolExecutor, room: Room, state: str) -> Chart:
    path = KEPT / f"chart-{digest(state, *(_text(name) for name in room.files))[:16]}.json"
    if path.is_file():
        return Chart(**json.loads(path.read_text(encoding="utf-8")))
    print(f"{room.name}: running its tests once, to see what they run", flush=True)
    known = pool.submit(chart, room.files, room.tests).result()
    for test in known.failing:
        print(f"{room.name}: {test} fails as it is, and is left out", flush=True)
    path.write_text(json.dumps(asdict(known)), encoding="utf-8")
    return known


def _print(seen: Sequence[Seen], asked: argparse.Namespace) -> None:
    for name, _, lived in seen:
        for one in lived:
            print(f"\n[{name}] {one}")
    print(f"\nseed {asked.seed}, at most {asked.sample} mutants a room")
    print("score: killed and timeouts among those that are not equivalent\n")
    columns = ("sampled", "killed", "survived", "timeout", "equivalent", "stale")
    print(f"| room | {' | '.join(columns)} | score |\n|---|{'---:|' * (len(columns) + 1)}")
    for name, counts, _ in seen:
        real = counts["sampled"] - counts["equivalent"]
        score = f"{sum(counts[how] for how in AGAINST) / real:.0%}" if real else "-"
        print(f"| {name} | {' | '.join(str(counts[column]) for column in columns)} | {score} |")


def _room(name: str, book: dict[str, Any]) -> Room:
    entry = book["room"][name]
    files = _expand(entry["files"])
    tests = (*_expand(entry["tests"]), *(file for file in files if ">>>" in _text(file)))
    return Room(name, files, tests, "|".join(book["silent"]))


def _expand(patterns: Sequence[str]) -> tuple[str, ...]:
    """Files of the tree by patterns; a single test keeps its name."""
    return tuple(name for pattern in patterns for name in _matching(pattern))


def _matching(pattern: str) -> Iterator[str]:
    if "::" in pattern:
        yield pattern
    yield from (str(path) for path in sorted(Path().glob(pattern)) if "::" not in pattern)


def _text(name: str) -> str:
    path = Path(name.partition("::")[0])
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
