"""Which premise of a case should tell its stance: rules beside each other, on parentheticals and their negations.

    python benchmarks/stance_rule.py INDEX MODEL [--side train|held-out] [--sample 100] [-o FILE]

Queries are explanatory descriptions in INDEX, of cases on one side of the fixed split that MODEL was trained by, and
their negations by the negation algorithm: the described case supports the one and refutes the other. Own descriptions,
equal ones, and the sentences of their own citations are left out. Where the described case is among the ten found, each
rule puts it on a side. Choose on the training side, report the other. A bracket is the 95 % Clopper-Pearson interval of
"on the right side".
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.datasets.splits import side
from lawng.evaluation.statistics import clopper_pearson
from lawng.index.reader import Index
from lawng.lawngnli.negation import Negated, Negator
from lawng.models.pairs import pair_model
from lawng.schema import Description
from lawng.schema.labels import Label
from lawng.search import Hit, Searcher, Stance
from lawng.search.stance import stances_of
from lawng.studies.retrieval.indexed import Descriptions, all_descriptions


class Judged(NamedTuple):
    """A judged premise: relevance, stance, and what it is."""

    relevance: float
    stance: Stance
    kind: str
    """`passage`, `quoted` (only its nearest sentences) or `description`."""


Rule = Callable[[Sequence[Judged]], Stance | None]


def surest(premises: Sequence[Judged]) -> Stance | None:
    return max(premises, key=lambda one: one.stance.decided).stance if premises else None


def weighed(premises: Sequence[Judged]) -> Stance | None:
    return max(premises, key=lambda one: one.stance.decided * one.relevance).stance if premises else None


def nearest(premises: Sequence[Judged]) -> Stance | None:
    return max(premises, key=lambda one: one.relevance).stance if premises else None


def only(rule: Rule, *kinds: str) -> Rule:
    return lambda premises: rule([one for one in premises if one.kind in kinds])


RULES: dict[str, Rule] = {
    f"{name}, {what}": only(rule, *kinds)
    for what, kinds in {
        "passages": ("passage",),
        "passages and descriptions": ("passage", "description"),
        "quoted sentences": ("quoted",),
        "quoted sentences and descriptions": ("quoted", "description"),
    }.items()
    for name, rule in {"surest": surest, "weighed": weighed, "nearest": nearest}.items()
}

LEAST = (0.0, 0.5, 0.6)
"""A side is taken only where its probability is above; 0.0: wherever it is the most probable label."""


def premises_of(hit: Hit, argument: str, searcher: Searcher) -> list[Judged]:
    passages = [one for one in hit.passages if one.stance]
    found = [Judged(one.score, one.stance, "passage") for one in passages if one.stance]
    found += [Judged(one.score, one.stance, "description") for one in hit.descriptions if one.stance]
    quoted = [one.passage.text[slice(*one.quoted)] for one in passages]
    if quoted and searcher.stance:
        stances = stances_of(quoted, [argument] * len(quoted), searcher.stance)
        found += [Judged(one.score, stance, "quoted") for one, stance in zip(passages, stances, strict=True)]
    return found


def queries_of(index: Index, which: str, n: int) -> list[tuple[Description, str]]:
    """Descriptions with their negations."""
    described = index.descriptions_of(index.case_ids(), 1_000_000)
    every = [one for some in described.values() for one in some if one.kind == "explanatory"]
    known = sorted((one for one in every if side(one.case_id) == which), key=lambda one: one.description_id)
    drawn = random.Random(7).sample(known, min(4 * n, len(known)))
    negated = Negator().negate_all([one.text for one in drawn], seed=7)
    pairs = [(one, it.text) for one, it in zip(drawn, negated, strict=True) if isinstance(it, Negated)]
    return pairs[:n]


def asked(searcher: Searcher, one: Description, argument: str, left: Sequence[str]) -> list[Judged] | None:
    """The judged premises of the described case, None where it was not found."""
    answer = searcher.search(argument.replace('"', " ").replace("“", " ").replace("”", " "), leave_out=left)
    hit = next((hit for hit in answer.hits if hit.case.case_id == one.case_id), None)
    return None if hit is None else premises_of(hit, argument, searcher)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("model")
    parser.add_argument("--side", choices=("train", "held-out"), default="train")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    index = Index.open(given.index)
    searcher = Searcher(index, pair_model(given.model))
    known = Descriptions(all_descriptions(index))
    counts: dict[str, Counter[str]] = {f"{name}, above {least}": Counter() for name in RULES for least in LEAST}
    n_asked = n_found = 0
    for one, negation in queries_of(index, given.side, given.sample):
        left = sorted(known.equal([one.text]) | known.of_citation(one))
        for argument, right in ((one.text, Label.ENTAILMENT), (negation, Label.CONTRADICTION)):
            n_asked += 1
            premises = asked(searcher, one, argument, left)
            n_found += premises is not None
            for name, rule in RULES.items() if premises is not None else ():
                stance = rule(premises or [])
                for least in LEAST:
                    put = stance.side if stance and stance.decided > least else Label.NEUTRAL
                    what = "right" if put is right else "undecided" if put is Label.NEUTRAL else "wrong"
                    counts[f"{name}, above {least}"][f"{right}:{what}"] += 1
    lines = [f"{given.side}: {n_asked} arguments, the described case among the ten found for {n_found}", ""]
    lines += ["| rule | right | wrong | undecided | right of the decided |", "|---|---|---|---|---|"]
    lines += [_row(name, found, n_found) for name, found in counts.items()]
    print("\n".join(lines))
    if given.output:
        given.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _row(name: str, found: Counter[str], n: int) -> str:
    right, wrong, undecided = (
        sum(count for key, count in found.items() if key.endswith(what)) for what in (":right", ":wrong", ":undecided")
    )
    interval = clopper_pearson(right, n)
    both = f"{right / n:.3f} ({interval.low:.3f}-{interval.high:.3f})"
    decided = right / (right + wrong) if right + wrong else 0.0
    return f"| {name} | {both} | {wrong / n:.3f} | {undecided / n:.3f} | {decided:.3f} |"


if __name__ == "__main__":
    main()
