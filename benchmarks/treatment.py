"""Time of a judgement per pair of citing and cited case, beside that of finding the citations it is made from.

    python benchmarks/treatment.py CORPUS [-n CASES]

Prints milliseconds per pair on one core: reading mentions and sentences, judging, both; and how often the time of
`citations_of_case` on the same opinions that is.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from pathlib import Path

from lawng.citation.extract import citations_of_case
from lawng.corpus.reader import Corpus
from lawng.treatment.judge import read_citing, treatments_in
from lawng.treatment.model import load_weights


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time of a treatment per pair of cases.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-n", type=int, default=200, help="cases that are read")
    options = parser.parse_args()
    weights, spent, pairs = load_weights(), dict.fromkeys(("citations", "read", "judge"), 0.0), 0
    for case, opinions in islice(Corpus(options.corpus).cases_with_opinions(), options.n):
        at = [time.perf_counter()]
        citations = citations_of_case(opinions)
        at.append(time.perf_counter())
        citing = read_citing(case, opinions, citations)
        at.append(time.perf_counter())
        pairs += len(treatments_in(citing, weights=weights))
        at.append(time.perf_counter())
        for name, begin, end in zip(spent, at, at[1:], strict=False):
            spent[name] += end - begin
    for name in ("read", "judge"):
        print(f"{name}: {1000 * spent[name] / pairs:.2f} ms per pair")
    both = spent["read"] + spent["judge"]
    print(f"both: {1000 * both / pairs:.2f} ms per pair of {pairs:,} ({both / spent['citations']:.2f} times citations)")


if __name__ == "__main__":
    main()
