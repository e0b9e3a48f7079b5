"""The plain words of overruling on sentences that nobody told which case they are about.

    python benchmarks/overruling_sentences.py sentences.tsv

Of LegalBench's *overruling* (`label`, `text`; printed without capitals) those sentences are asked that name one case
with "v.", which is masked, roughly. Prints how many that overrule, and how many that do not, are said to.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from pathlib import Path

from lawng.treatment.plainly import said_plainly
from lawng.treatment.statements import TARGET

_CASE = re.compile(
    r"[\w.'&-]+ v\. [\w.'&-]+"
    r"(?:(?: [\w.'&-]+){0,4},? \d+ [a-z0-9.' ]+? \d+(?:, [\d -]+)*(?: \([^)]*\))?)?(?:, supra)?"
)


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description="Plain words of overruling, on LegalBench's sentences.")
    parser.add_argument("sentences", type=Path)
    counts: Counter[tuple[str, bool]] = Counter()
    with parser.parse_args().sentences.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            found = list(_CASE.finditer(row["text"]))
            if len(found) == 1:
                masked = row["text"][: found[0].start()] + TARGET + row["text"][found[0].end() :]
                counts[row["label"], said_plainly(masked) == "overruled"] += 1
    for label in ("Yes", "No"):
        said, unsaid = counts[label, True], counts[label, False]
        print(f"{label}: {said} of {said + unsaid} are said to overrule")


if __name__ == "__main__":
    main()
