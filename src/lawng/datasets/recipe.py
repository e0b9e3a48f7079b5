"""What a stance model is trained on: which pairs of which sources, how many, and the twins made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lawng.datasets.candidates import Flip, Negate, read_candidates
from lawng.datasets.excerpts import excerpt_pairs, read_excerpts
from lawng.datasets.nli import Pair, Say, Source, find_sources, read_source
from lawng.datasets.nli_tables import TEST_FILES
from lawng.datasets.splits import hash_of
from lawng.datasets.statements import read_statements
from lawng.errors import ConfigError
from lawng.io import iter_records
from lawng.schema import Opinion
from lawng.schema.labels import Label
from lawng.schema.views import SHORT, VIEWS, premise_of, shown

TEST_ONLY = TEST_FILES
"""Files that training never reads, but for a first row to tell the set by."""
LIMITS: Mapping[str, int] = {"fever": 4000, "breaking": 2000}
"""At most so many training pairs of a source: FEVER's are long, Breaking NLI's much alike."""
TWINS: Mapping[str, int] = {"mnli": 2400, "fever": 600}
"""At most so many entailed hypotheses of a source are negated."""
REPEATS: Mapping[str, int] = {"candidates": 1, "statements": 1, "excerpts": 1}
"""Pairs in the language of courts are seen so many times in an epoch, however small a share of the others is."""
_DEV = 700
"""Dev pairs of a source, at most: they are scored again and again."""


@dataclass(frozen=True)
class Inputs:
    """Files or folders of NLI data, build folders, corpora, files of excerpts of these corpora."""

    data: tuple[Path, ...] = ()
    builds: tuple[Path, ...] = ()
    corpora: tuple[Path, ...] = ()
    excerpts: tuple[Path, ...] = ()
    statements: int = 1200
    """Sentences of each corpus, at most."""
    negator: str = ""
    """What makes the twins, and its version: other twins are other data."""
    view: str = SHORT
    """What a model is shown of each pair (`lawng.schema.views`)."""

    def __post_init__(self) -> None:
        if self.view not in VIEWS:
            raise ConfigError(f"view {self.view!r} is not one of {', '.join(VIEWS)}")

    def sources(self) -> list[Source]:
        """The known files of NLI data. Raises ConfigError for a premise that none of them has."""
        found = find_sources(self.data)
        premise = premise_of(self.view)
        if premise != SHORT and not any(source.name.startswith("lawngnli/") for source in found):
            raise ConfigError(f"view {self.view}: no data given has {premise} premises; name a build's (BUILD/data)")
        return found

    def opinions(self) -> Iterator[str]:
        """The texts of the corpora's opinions."""
        for corpus in self.corpora:
            yield from (opinion.text for opinion in iter_records(corpus / "opinions", Opinion))

    def made(self, negate: Negate, side: str = "train", say: Say = lambda _: None) -> Iterator[Pair]:
        """Pairs that are made: candidates of the builds, statements of the corpora from cases of one side, excerpts.

        `say` is told how many candidates are left out, and why.
        """
        for build in self.builds:
            yield from read_candidates(build, negate, say)
        for corpus in self.corpora:
            yield from read_statements(corpus, negate, self.statements, side)
        for file in self.excerpts:
            yield from excerpt_pairs(read_excerpts(file, self.corpora, say))


def gather(  # noqa: PLR0913, PLR0917 (what is read, and how)
    sources: Sequence[Source],
    extra: Iterable[Pair],
    negate: Negate,
    seed: int,
    say: Say = lambda _: None,
    view: str = SHORT,
) -> list[Pair]:
    """The pairs of parts `train` and `dev` from all sources, in a fixed order; test files are not read.

    `extra` are pairs that are ready as they are (candidates, statements, built data sets); their test pairs are left
    out. Which pairs of a source with a limit are kept, and which are negated, depends on the seed and their ids.
    `say` is told what is left out. Of `view` a build's data have the premise, and all pairs what it shows.
    """
    read = [source for source in sources if source.name not in TEST_ONLY]
    every = [pair for source in read for pair in read_source(source, say, premise=premise_of(view))]
    every += extra
    known = _apart(every, _by_id([pair for pair in every if pair.part != "test"], say), say)
    drawn = sorted(known, key=lambda pair: _draw(seed, pair))
    dev = dict.fromkeys((pair.source for pair in drawn), _DEV)
    kept = [*_limited(drawn, "train", LIMITS), *_limited(drawn, "dev", dev)]
    return [_as_shown(pair, view) for pair in (*kept, *twins(kept, negate, seed))]


def _as_shown(pair: Pair, view: str) -> Pair:
    premise, hypothesis = shown(view, pair.premise, pair.hypothesis)
    return replace(pair, premise=premise, hypothesis=hypothesis)


def twins(pairs: Sequence[Pair], negate: Negate, seed: int) -> Iterator[Pair]:
    """For entailed hypotheses of MNLI and FEVER, their negation over the same premise as a contradiction (A.1.5).

    A negation is removed in at least a third of those kept, where the source has so many. For every second one a
    neutral pair with another premise has the negated hypothesis too, so that negation words alone tell less.
    """
    for name, most in TWINS.items():
        entailed = [pair for pair in pairs if pair.source == name and pair.gold == [Label.ENTAILMENT]]
        flips = negate([pair.hypothesis for pair in entailed])
        made = [(pair, flip) for pair, flip in zip(entailed, flips, strict=True) if flip]
        for place, (pair, flip) in enumerate(_thirds(made, most)):
            yield _twin(pair, flip)
            other = entailed[(_draw(seed, pair) + place) % len(entailed)]
            if place % 2 and other.premise != pair.premise and other.part == pair.part:
                key, neutral = f"{pair.pair_id}:elsewhere", [str(Label.NEUTRAL)]
                yield replace(_twin(pair, flip), pair_id=key, premise=other.premise, twin_id="", gold=neutral)


def held_out_pairs(sources: Iterable[Source], extra: Iterable[Pair], say: Say = lambda _: None) -> list[Pair]:
    """The pairs of part `test`: files for testing alone, and the slices of others that are not trained on.

    `say` is told what is left out.
    """
    every = [pair for source in sources for pair in read_source(source)]
    return _by_id([pair for pair in [*every, *extra] if pair.part == "test"], say)


def _apart(every: Sequence[Pair], wanted: Sequence[Pair], say: Say) -> list[Pair]:
    """The pairs to train and to choose by, without texts that another set has for a later part: sets overlap.

    DocNLI's MNLI, say, is MultiNLI's dev sets. Of files for testing alone, which are not opened, nothing is known here.
    """
    of: dict[str, dict[tuple[str, str], set[str]]] = {"dev": {}, "test": {}}
    for pair in every:
        if pair.part in of:
            of[pair.part].setdefault((pair.premise, pair.hypothesis), set()).add(pair.source)
    later = {"train": ("dev", "test"), "dev": ("test",)}
    kept = [
        pair
        for pair in wanted
        if not any(of[part].get((pair.premise, pair.hypothesis), set()) - {pair.source} for part in later[pair.part])
    ]
    if lost := len(wanted) - len(kept):
        say(f"{lost:,} pairs left out whose texts another set has in its dev or test part")
    return kept


def _by_id(pairs: Sequence[Pair], say: Say) -> list[Pair]:
    """The pairs, one of each id."""
    known = {pair.pair_id: pair for pair in pairs}
    if lost := len(pairs) - len(known):
        say(f"{lost:,} pairs left out whose id another has: of files of one name only one can be given at a time")
    return list(known.values())


def counts(pairs: Iterable[Pair]) -> dict[str, dict[str, dict[str, int]]]:
    """Pairs by part, source and label ("neutral or contradiction" where that is all that is known)."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for (part, source, gold), n in sorted(Counter((p.part, p.source, " or ".join(p.gold)) for p in pairs).items()):
        found.setdefault(part, {}).setdefault(source, {})[gold] = n
    return found


def epoch(pairs: Iterable[Pair], sample: float, seed: int) -> list[Pair]:
    """The training pairs of an epoch: a share by hash, twins and mirrors together; those of `REPEATS` all."""
    wanted = [pair for pair in pairs if pair.part == "train"]
    return [pair for pair in wanted for _ in range(REPEATS.get(pair.source, _drawn(pair, sample, seed)))]


def _drawn(pair: Pair, sample: float, seed: int) -> int:
    family = pair.pair_id
    for ending in (":twin", ":neutral", ":elsewhere", ":mirror"):
        family = family.removesuffix(ending)
    return int(hash_of(f"sample:{seed}:{family}") < sample * 2.0**64)


def _twin(pair: Pair, flip: Flip) -> Pair:
    return replace(
        pair,
        pair_id=f"{pair.pair_id}:twin",
        hypothesis=flip.text,
        gold=[str(Label.CONTRADICTION)],
        source=f"{pair.source}-negated",
        twin_id=pair.pair_id,
        negated=True,
    )


def _thirds(made: list[tuple[Pair, Flip]], most: int) -> list[tuple[Pair, Flip]]:
    removing = [item for item in made if item[1].removes][: most // 2]
    adding = [item for item in made if not item[1].removes]
    return [*removing, *adding[: min(most - len(removing), max(2 * len(removing), most // 2))]]


def _limited(pairs: Iterable[Pair], part: str, limits: Mapping[str, int]) -> Iterator[Pair]:
    seen: Counter[str] = Counter()
    for pair in pairs:
        seen[pair.source] += pair.part == part
        if pair.part == part and seen[pair.source] <= limits.get(pair.source, seen[pair.source]):
            yield pair


def _draw(seed: int, pair: Pair) -> int:
    return hash_of(f"{seed}:{pair.pair_id}")
