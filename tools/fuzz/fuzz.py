"""Fuzzes readers and parsers: mutates real samples and looks for a traceback, a broken promise or a hang.

python tools/fuzz/fuzz.py --minutes 10                          all targets, an equal share of the processor time each
python tools/fuzz/fuzz.py --minutes 1 --only cap-html zip       some of them
python tools/fuzz/fuzz.py --only zip --replay found/zip-1a2b    one input once more, with its traceback

A target is a name, samples and a function that takes bytes; an error of `LawngError` is what it should raise for bad
input, any other is a fault. Hypothesis makes what it finds small; it lies in `--found`, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import hypothesis
import parsers
import readers
from hypothesis import HealthCheck, Phase, given, settings
from mutate import mutated

from lawng.errors import LawngError

TARGETS = {**readers.TARGETS, **parsers.TARGETS}
"""Every target by its name."""
HANG = 30
"""Seconds of processor time after which an input hangs: the samples take some hundredths."""
_BATCH = 100


class Found(NamedTuple):
    """An input that broke a target, and how."""

    data: bytes
    how: str


def attempt(run: Callable[[bytes], object], data: bytes) -> None:
    """Run a target on an input; a process that hangs in it, or waits for what never comes, dies with a traceback."""
    faulthandler.register(signal.SIGPROF, file=2, chain=True)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    faulthandler.dump_traceback_later(20 * HANG, exit=True, file=2)
    try:
        run(data)
    except LawngError:
        pass  # what bad input should come to
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()


def fuzz(name: str, seed: int, seconds: float, folder: Path) -> None:
    """Try mutations of a target's samples until one breaks it or its time is over; the last input is kept meanwhile."""
    samples, run = TARGETS[name]
    current = folder / f"{name}-last"
    tried = 0

    def one(data: bytes) -> None:
        nonlocal tried
        tried += 1
        current.write_bytes(data)
        attempt(run, data)

    for sample in samples():  # what it loads once is no part of an input's time
        run(sample)
    makes, end = mutated(samples()), time.process_time() + seconds
    while time.process_time() < end:
        trial = given(makes)(one)
        trial = settings(
            max_examples=_BATCH,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(trial)
        seed += 1
        try:
            hypothesis.seed(seed)(trial)()
        except Exception as error:  # whatever it is, it is what was looked for
            keep(name, Found(current.read_bytes(), f"{type(error).__name__}: {error}"), folder)
            break
    current.unlink(missing_ok=True)
    print(f"{name}: {tried:,} inputs", flush=True)


def keep(name: str, found: Found, folder: Path) -> None:
    """Keep an input that broke a target, and say how to run it again."""
    path = folder / f"{name}-{sha256(found.data).hexdigest()[:8]}"
    path.write_bytes(found.data)
    how = " ".join(found.how.split())[:200]
    print(f"{name}: {how}\n  python tools/fuzz/fuzz.py --only {name} --replay {path}", file=sys.stderr, flush=True)


def in_process(name: str, seed: int, seconds: float, folder: Path) -> None:
    """Fuzz one target in a process of its own, which may hang or die."""
    process = multiprocessing.Process(target=fuzz, args=(name, seed, seconds, folder))
    process.start()
    process.join()
    last = folder / f"{name}-last"
    if last.exists():  # it did not come to its end
        keep(name, Found(last.read_bytes(), f"the process ended with status {process.exitcode}"), folder)
        last.unlink()


def main() -> int:
    """Fuzz the targets asked for; 1 when something was found."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--minutes", type=float, default=10, help="of processor time, for all targets together")
    say.add_argument("--only", nargs="+", choices=sorted(TARGETS), default=sorted(TARGETS), metavar="TARGET")
    say.add_argument("--seed", type=int, default=0)
    say.add_argument("--found", type=Path, default=Path("fuzz-found"), help="folder for inputs that broke a target")
    say.add_argument("--replay", type=Path, help="run one input once more")
    asked = say.parse_args()
    if asked.replay:
        attempt(TARGETS[asked.only[0]].run, asked.replay.read_bytes())
        return 0
    asked.found.mkdir(parents=True, exist_ok=True)
    before = set(asked.found.iterdir())
    for name in asked.only:
        in_process(name, asked.seed, 60 * asked.minutes / len(asked.only), asked.found)
    return int(bool(set(asked.found.iterdir()) - before))


if __name__ == "__main__":
    sys.exit(main())
