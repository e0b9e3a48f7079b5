"""Citations: speed of lawng against plain eyecite on the same opinions, and what each finds that the other does not.

    lawng corpus import ../shared/data/courtlistener-scotus -o scotus
    python benchmarks/citations.py scotus [--every 10] [--list]

Both run on one core in this process, in alternation, opinion by opinion; eyecite with its Hyperscan tokenizer.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyecite import get_citations
from eyecite.models import FullCaseCitation, IdCitation, ReferenceCitation, ShortCaseCitation, SupraCitation
from eyecite.tokenizers import HyperscanTokenizer

from lawng.citation.extract import citations_of_case
from lawng.corpus.reader import Corpus
from lawng.schema import Citation, Opinion

CASES = (FullCaseCitation, ShortCaseCitation, IdCitation, SupraCitation, ReferenceCitation)


@dataclass
class Tally:
    characters: int = 0
    seconds: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    lost: list[tuple[str, str]] = field(default_factory=list)
    won: Counter[str] = field(default_factory=Counter)


def main() -> None:
    arguments = _arguments()
    logging.disable(logging.CRITICAL)
    tokenizer = HyperscanTokenizer(cache_dir=str(Path(tempfile.gettempdir()) / "eyecite-hyperscan"))
    get_citations("warm up, 1 U.S. 1", tokenizer=tokenizer)
    citations_of_case([_opinion("warm up, 1 U.S. 1")])
    tally = Tally()
    for number, opinion in enumerate(_opinions(arguments.corpus, arguments.every)):
        _compare(tally, opinion, tokenizer, mine_first=bool(number % 2))
    _print(tally, arguments.list)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every N-th opinion")
    parser.add_argument("--list", action="store_true", help="list each lost citation with its surroundings")
    return parser.parse_args()


def _opinions(corpus: Path, every: int) -> Iterator[Opinion]:
    for number, opinion in enumerate(Corpus.open(corpus).opinions()):
        if number % every == 0 and opinion.text.strip():
            yield opinion


def _opinion(text: str) -> Opinion:
    return Opinion("x/0", "x", "majority", "", text, len(text), [], [], [], "")


def _compare(tally: Tally, opinion: Opinion, tokenizer: Any, *, mine_first: bool) -> None:
    def mine() -> list[Citation]:
        return citations_of_case([opinion])

    def theirs() -> list[Any]:
        return [c for c in get_citations(opinion.text, tokenizer=tokenizer) if isinstance(c, CASES)]

    results: dict[str, Any] = {}
    for name, run in [("lawng", mine), ("eyecite", theirs)][:: 1 if mine_first else -1]:
        start = time.process_time()
        results[name] = run()
        tally.seconds[name] += time.process_time() - start
    tally.characters += len(opinion.text)
    _won_and_lost(tally, opinion, results["lawng"], results["eyecite"])


def _won_and_lost(tally: Tally, opinion: Opinion, mine: list[Citation], theirs: list[Any]) -> None:
    my_starts = {c.start for c in mine}
    their_starts = {c.span()[0] for c in theirs}
    tally.found["citations lawng"] += len(mine)
    tally.found["citations eyecite"] += len(theirs)
    tally.won.update(c.form for c in mine if c.start not in their_starts)
    for citation in theirs:
        start, end = citation.span()
        if start not in my_starts:
            tally.lost.append((_why(citation), opinion.text[max(0, start - 60) : end + 40].replace("\n", " ")))
    tally.found["parentheticals lawng"] += sum(len(c.parentheticals) for c in mine)
    tally.found["parentheticals eyecite"] += sum(1 for c in theirs if c.metadata.parenthetical)


def _why(citation: Any) -> str:
    """The reason for a loss, as far as a rule can tell."""
    if isinstance(citation, ReferenceCitation):
        text = citation.matched_text()
        return "reference without 'at': a number after a name is rarely a pin" if " at " not in text else "reference"
    sources = {edition.reporter.source for edition in getattr(citation, "all_editions", ())}
    return "a journal or statute, not a case" if sources and "reporters" not in sources else type(citation).__name__


def _print(tally: Tally, listed: bool) -> None:
    megabytes = tally.characters / 1e6
    speeds = {name: megabytes / seconds for name, seconds in tally.seconds.items()}
    print(f"{megabytes:.1f} million characters")
    for name, speed in sorted(speeds.items()):
        print(f"  {name:8} {speed:6.2f} MB/s per core")
    print(f"  ratio    {speeds['lawng'] / speeds['eyecite']:6.1f}")
    for name, count in sorted(tally.found.items()):
        print(f"  {name:24} {count}")
    print("won, by form:", dict(tally.won) or "none")
    print("lost, by reason:", dict(Counter(why for why, _ in tally.lost)) or "none")
    for why, text in tally.lost if listed else []:
        print(f"  [{why}] {text}")


if __name__ == "__main__":
    main()
