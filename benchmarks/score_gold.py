"""Score citations against the hand-checked tables in tests/data (tests/data/GOLD.md says how they were made).

    python benchmarks/score_gold.py [--errors] [--only lawng|eyecite] [--files 111305 112]

`gold_extractors.py` beside this file says which text the extractors read and how.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from gold_extractors import ROOT, Mention, by_eyecite, by_lawng, cite_key, core_of, letters, shared_folder, text_of
from gold_extractors import upto as annotated

TABLES = ROOT / "tests" / "data"
NEAR = 12
"""So many letters before a citation must agree for it to be the same one."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """A parenthetical as an extractor gives it; `kind` is "" where it does not say."""

    core: str
    text: str
    kind: str
    order: int


@dataclass
class Score:
    """Right out of how many, with what went wrong."""

    right: int = 0
    total: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, good: bool, note: str) -> None:
        """Count one."""
        self.right += good
        self.total += 1
        if not good:
            self.wrong.append(note)

    def line(self) -> str:
        """Share, counts and the 95 % Clopper-Pearson interval."""
        if not self.total:
            return "    -"
        from scipy.stats import binomtest

        interval = binomtest(self.right, self.total).proportion_ci(0.95, method="exact")
        low, share, high = (100 * x for x in (interval.low, self.right / self.total, interval.high))
        return f"{share:5.1f} %  {self.right:4d} / {self.total:<4d} ({low:.1f} - {high:.1f})"


# ------------------------------------------------------------------ scoring


def score_parentheticals(rows: list[Row], mentions: list[Mention], scores: dict[str, Score]) -> None:
    """Recall, precision and kinds of the complete parentheticals of one opinion."""
    claims = [Claim(m.core, text, kind, order) for order, m in enumerate(mentions) for text, kind in m.parentheticals]
    free = list(claims)
    for row in rows:
        _find(row, free, scores)
    for claim in free:
        same = next((r for r in rows if r["text_key"] == claim.text and claim.core in r["cores"]), None)
        if same is None:  # a copy on a parallel cite, or one that the table leaves open, is not false
            _count_false(claim, rows, scores)


def _find(row: Row, free: list[Claim], scores: dict[str, Score]) -> None:
    hit = next((c for c in free if c.text == row["text_key"] and c.core in row["cores"]), None)
    if hit:
        free.remove(hit)
    if row["loose"]:
        return
    note = f"{row['file']} {row['cite']} ({row['text'][:90]}"
    for suffix in ("", " explanatory") if row["kind"] == "explanatory" else ("",):
        scores["recall" + suffix].add(hit is not None, note)
        if hit:
            scores["precision" + suffix].add(True, note)
    if hit and hit.kind:
        scores["kind"].add(hit.kind == row["kind"], f"{note}: {row['kind']}, not {hit.kind}")
        scores["kind, doubtful ones open"].add(hit.kind in (row["kind"], *row["kind_also"]), note)


def _count_false(claim: Claim, rows: list[Row], scores: dict[str, Score]) -> None:
    """A false one is explanatory when the parenthetical that it is a wrong cut or place of is, or it says so itself."""
    keys = ((row, row["text_key"]) for row in rows)
    whole = next((row for row, key in keys if key.startswith(claim.text) or claim.text.startswith(key)), None)
    kind = whole["kind"] if whole else claim.kind or "explanatory"
    note = f"{rows[0]['file'] if rows else ''} {claim.core} ({claim.text[:90]} [{claim.kind}]"
    scores["precision"].add(False, note)
    if kind == "explanatory":
        scores["precision explanatory"].add(False, note)


def score_citations(rows: list[Row], mentions: list[Mention], scores: dict[str, Score], whole: bool) -> None:
    """Pins, signals and resolution of the citations of one opinion; with `whole`, also which were found at all.

    Then an `Id.` that stands for a statute or the record but is resolved to a case counts as a wrong citation.
    """
    free = list(mentions)
    for row in rows:
        pair = _pair(row, free)
        note = f"{row['file']} …{row['members'][0]['before']} {row['cite']}"
        if whole:
            scores["citations found"].add(pair is not None, note)
        if pair is not None:
            _fields(row, *pair, note, scores)
        if pair is not None and whole:
            scores["citations right"].add(True, note)
    cores = {core for row in rows for core in row["cores"]} - {"id", "supra"}
    for mention in free if whole else ():
        if mention.before and mention.resolved and mention.core not in cores:
            wrong = f"{rows[0]['file']} …{mention.before} {mention.core}: {mention.resolved}"
            scores["citations right"].add(False, wrong)


def _pair(row: Row, free: list[Mention]) -> tuple[Row, Mention] | None:
    """The member of the row's parallel group and the mention that stand at one place; the mention is used up."""
    for member in row["members"]:
        same = [mention for mention in free if mention.core == core_of(member["cite"])]
        best = max(same, key=lambda mention: _agree(mention, member), default=None)
        if best is not None and _agree(best, member) >= min(NEAR, len(member["before"])):
            free.remove(best)
            return member, best
    return None


def _agree(mention: Mention, member: Row) -> int:
    """How many letters before the two citations are the same, from the citation backwards."""
    pairs = zip(reversed(mention.before), reversed(member["before"]), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _fields(row: Row, member: Row, mention: Mention, note: str, scores: dict[str, Score]) -> None:
    pages = member["pin_pages"]
    scores["pins"].add(mention.pin_pages == pages, f"{note}: {pages}, not {mention.pin_pages}")
    signal, opened = letters(row["signal"] or ""), letters(row["string_signal"] or "")
    wrong = f"{note}: {row['signal']} (string: {row['string_signal']}), not {mention.signal}"
    scores["signals"].add(mention.signal == signal, wrong)
    scores["signals, string's counts too"].add(mention.signal in {signal, signal or opened}, wrong)
    if row["cited"]:
        good = mention.resolved in {cite_key(cite) for cite in row["cited_any"]}
        scores["resolution"].add(good, f"{note}: {row['cited']}, not {mention.resolved}")
        if row["form"] != "full":
            scores["resolution of short forms"].add(good, note)


# ------------------------------------------------------------------ tables and report


def table(name: str) -> dict[str, list[Row]]:
    """Rows of a gold table by file, with the keys that matching needs."""
    rows: dict[str, list[Row]] = {}
    for line in (TABLES / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["cores"] = {core_of(m["cite"]) for m in row["members"]}
        row["text_key"] = letters(row.get("text", ""))
        rows.setdefault(row["file"], []).append(row)
    return rows


def citations_to_score(said: list[Row], listed: list[Row]) -> list[Row]:
    """All citations of an opinion that was listed whole, else those that carry parentheticals, once each."""
    return listed or [row for row in said if row["nth"] == 0 and not row["loose"]]


def score(extract: Callable[[str, str], list[Mention]], wanted: tuple[str, ...]) -> dict[str, Score]:
    """All scores of one extractor over all opinions whose file name begins with one of `wanted`."""
    folder, scores = shared_folder(), {name: Score() for name in NAMES}
    said, listed = table("gold_parentheticals.jsonl"), table("gold_citations.jsonl")
    for name in sorted({*said, *listed}):
        if not name.startswith(wanted):
            continue
        rows, whole = said.get(name, []), listed.get(name, [])
        text = text_of((folder / name).read_text(encoding="utf-8", errors="replace"))
        mentions = extract(annotated(text, rows[0]["until"] if rows else None), name)
        score_parentheticals(rows, mentions, scores)
        score_citations(citations_to_score(rows, whole), mentions, scores, bool(whole))
    return scores


NAMES = (
    "recall",
    "precision",
    "recall explanatory",
    "precision explanatory",
    "kind",
    "kind, doubtful ones open",
    "citations found",
    "citations right",
    "pins",
    "signals",
    "signals, string's counts too",
    "resolution",
    "resolution of short forms",
)


def report(title: str, scores: dict[str, Score], errors: bool) -> Iterator[str]:
    """The lines to print for one extractor."""
    yield f"\n{title}"
    for name in NAMES:
        yield f"  {name:30s} {scores[name].line()}"
    for name in NAMES if errors else ():
        yield f"\n-- {title}: {name}, {len(scores[name].wrong)} wrong"
        yield from (f"   {note}" for note in scores[name].wrong)


def counts(rows: Iterable[Row]) -> str:
    """How many parentheticals of each kind the table holds."""
    kinds = Counter(row["kind"] for row in rows if not row["loose"])
    return f"{sum(kinds.values())} parentheticals: " + ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())


def main() -> None:
    """Read the options, score, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true", help="list each miss and each false one")
    parser.add_argument("--only", choices=("lawng", "eyecite"), help="score one extractor only")
    parser.add_argument("--files", nargs="+", default=[""], metavar="PREFIX", help="only files whose name begins so")
    options = parser.parse_args()
    print(counts(row for rows in table("gold_parentheticals.jsonl").values() for row in rows))
    for title, extract in (("lawng", by_lawng), ("eyecite", by_eyecite)):
        if options.only in (None, title):
            print("\n".join(report(title, score(extract, tuple(options.files)), options.errors)))


if __name__ == "__main__":
    main()
