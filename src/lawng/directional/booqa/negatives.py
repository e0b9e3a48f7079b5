"""Step 60-negatives: hyponyms in the place of each span of a positive, felicitous and absent from its window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawng.directional.booqa.records import Negative, Positive, StarringPair, key
from lawng.directional.booqa.relations import VERBS, felicitous
from lawng.directional.verb_forms import Reading, reading, readings, replaced
from lawng.directional.wordnet import Chooser, WordNet, sense_chooser
from lawng.io import Lookup, write_lookup
from lawng.pipeline import Count, Inputs, Slice, Step, Work, slices_of
from lawng.schema import Reject

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

_NOUNS = {"NOUN", "PROPN"}


@dataclass(frozen=True)
class Replacing:
    """All that finds hyponyms for positives; picklable, it loads where it works."""

    wordnet: WordNet
    senses: str
    direct: bool
    frequencies: Path
    min_pairs: int

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.wordnet, self.senses, self.direct, self.frequencies, self.min_pairs)

    @cached_property
    def known(self) -> dict[str, int]:
        """The felicitous predicates."""
        return felicitous(self.frequencies, self.min_pairs)

    @cached_property
    def _choose(self) -> Chooser:
        return sense_chooser(self.senses)

    @cached_property
    def _synonyms(self) -> Callable[[str], set[str]]:
        return cache(self.wordnet.synonyms)

    def candidates(self, positive: Positive) -> Iterator[tuple[int, list[Negative]]]:
        """Of each span that WordNet has: how many hyponyms it has, and those that make a felicitous predicate."""
        words, written = positive.predicate.split(), positive.words
        for start, end in combinations(range(len(words) + 1), 2):
            form, _, tag = written[start].rpartition("/")
            read = reading(words, start, end, verbal=tag in VERBS)
            senses = self.wordnet.senses(read.text, _part_of_speech(written[start:end]))
            if senses:
                sense = self._choose(senses, positive.sentence, form)
                below = self.wordnet.hyponyms(sense, self.direct)
                yield len(below), list(self._known(positive, read, sense.name(), below))

    def _known(
        self, positive: Positive, read: Reading, synset: str, below: list[tuple[str, Synset]]
    ) -> Iterator[Negative]:
        words = positive.predicate.split()
        span, rest = " ".join(words[read.start : read.end]), len(words) - read.end
        for name, kind in below:
            for predicate in replaced(words, read, name):
                if predicate in self.known:
                    there = predicate.split()
                    name_there = " ".join(there[read.start : len(there) - rest])
                    yield self._negative(positive, (span, synset), predicate, name_there, kind)

    def _negative(
        self, positive: Positive, names: tuple[str, str], predicate: str, name: str, kind: Synset
    ) -> Negative:
        span, synset = names
        frequency = self.known[predicate]
        ids = key(positive.pair_id, predicate), positive.question_id, positive.window
        return Negative(*ids, predicate, frequency, span, name, synset, kind.name())

    def decided(self, negative: Negative, said: set[str]) -> Negative | Reject:
        """The negative, or a reject where its window says it, a synonym or a kind of it, so that it may be true."""
        if negative.predicate in said:
            return Reject("absence", negative.question_id, "said-in-window", negative.predicate, negative.window)
        if alike := self._synonyms(negative.predicate) & said:
            told = f"{negative.predicate}: {min(alike)}"
            return Reject("absence", negative.question_id, "synonym-in-window", told, negative.window)
        if below := self._kinds(negative) & said:
            told = f"{negative.predicate}: {min(below)}"
            return Reject("absence", negative.question_id, "hyponym-in-window", told, negative.window)
        return negative

    def _kinds(self, negative: Negative) -> set[str]:
        """What entails a negative by some sense of what was put in: who marches walks."""
        words, part = negative.predicate.split(), negative.hyponym.split(".")[-2]
        found = set[str]()
        for read in readings(words):
            if part in read.parts and " ".join(words[read.start : read.end]) == negative.replacement:
                below = [self.wordnet.hyponyms(sense) for sense in self.wordnet.senses(read.text, part)]
                found |= {text for some in below for name, _ in some for text in replaced(words, read, name)}
        return found


def _part_of_speech(written: list[str]) -> str:
    """WordNet's for a span: a verb where it has one, a noun where it ends in one, else none that has hyponyms."""
    tags = [word.rpartition("/")[2] for word in written]
    if VERBS & set(tags):
        return "v"
    return "n" if tags[-1] in _NOUNS else ""


def _prepare(inputs: Inputs) -> Work:
    replacing = Replacing(
        WordNet(inputs.model("wordnet").place),
        inputs.model("senses").place,
        inputs.option("questions.hyponyms") == "direct",
        inputs.table("frequencies"),
        inputs.option("questions.min_pairs"),
    )
    pairs = write_lookup(inputs.table("pairs"), StarringPair, "pair_id", inputs.scratch("pairs") / "pairs.arrow")
    return slices_of(inputs.table("positives")), partial(make_negatives, replacing=replacing, pairs=pairs)


def make_negatives(
    unit: Slice, replacing: Replacing, pairs: Lookup[StarringPair]
) -> Iterator[Negative | Reject | Count]:
    """The negatives of a slice's positives; each felicitous candidate goes out or is rejected as perhaps true."""
    for positive in unit.records(Positive):
        said = set(pairs[positive.pair_id].said)
        yield Count(1, "positives")
        for hyponyms, candidates in replacing.candidates(positive):
            yield Count(hyponyms, "hyponyms")
            yield Count(len(candidates), "felicitous_hyponyms")
            yield from (replacing.decided(negative, said) for negative in candidates)


NEGATIVES = Step(
    "60-negatives",
    {"negatives": Negative},
    _prepare,
    tables=("positives", "pairs", "frequencies"),
    options=("questions.hyponyms", "questions.min_pairs"),
    models=("wordnet", "senses"),
    libraries=("nltk", "lemminflect"),
    balance=("felicitous_hyponyms", "negatives"),
)
