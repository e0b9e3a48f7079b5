"""Steps 30-relations and 40-frequencies: what the articles say, and how many argument pairs each predicate has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pyarrow as pa
import pyarrow.compute as pc

from lawng.directional.booqa.records import Frequency, Mention, Placed
from lawng.directional.relations import extract, extractor_of
from lawng.directional.relations_arguments import lemma
from lawng.directional.verb_forms import PASSIVE, participle
from lawng.io import iter_parts, iter_records
from lawng.pipeline import Count, Inputs, Slice, Step, Work, regroup, slices_of
from lawng.pipeline.units import MAX_UNITS
from lawng.reports.builds import Table
from lawng.text.words import STOP_WORDS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

VERBS = frozenset({"VERB", "AUX"})
"""Parts of speech."""
_ROWS_PER_UNIT = 500_000


def read_relations(unit: Slice, model: str) -> Iterator[Mention | Count]:
    """The relations of a slice's articles and of their repeats, in order, each with its sentence."""
    read: list[tuple[str, str, bool]] = []

    def texts() -> Iterator[tuple[str, str]]:
        for row in unit.records(Placed):
            for at, text in enumerate((row.article.text, *row.repeats)):
                read.append((row.article.article_id, row.window, at > 0))
                yield str(len(read) - 1), text  # by number: ids may come twice

    for number, start, doc in extractor_of(model).parsed(texts()):
        yield Count(sum(1 for _ in doc.sents), "sentences")
        name, window, repeat = read[int(number)]
        yield from (replace(one, repeat=repeat) for one in _mentions(doc, name, start, window))
    yield Count(sum(not repeat for *_, repeat in read), "placed")


def _mentions(doc: Doc, name: str, start: int, window: str) -> Iterator[Mention]:
    for relation in extract(doc, name, start):
        place = (relation.sentence_start - start, relation.sentence_end - start)
        sentence = doc.char_span(*place, alignment_mode="expand")
        assert sentence is not None
        words = list(written(sentence, relation.predicate.split()))
        yield Mention(window, relation, " ".join(sentence.text.split()), words)


def written(sentence: Span, predicate: list[str]) -> Iterator[str]:
    """Each word of a predicate as its sentence has it; of the same lemma a verb at first and after "to", else none.

    A participle after "be" is a verb, and as the sentence has it.
    """
    tokens: dict[str, list[Token]] = defaultdict(list)
    for token in sentence:
        for form in {lemma(token), token.lower_}:
            tokens[form].append(token)
    for before, at in zip(("to", *predicate), range(len(predicate)), strict=False):
        word, passive = predicate[at], participle(predicate, at)[1] == PASSIVE
        fitting = sorted(tokens[word], key=partial(_unlike, word, before == "to" or passive, at > 0))
        yield f"{fitting[0].text}/{fitting[0].pos_}" if fitting else f"{word}/X"


def _unlike(word: str, verbal: bool, inflected: bool, token: Token) -> tuple[bool, bool]:
    """How little a token fits a word; only a predicate's first word is a lemma of which any form may stand there."""
    return (token.pos_ in VERBS) != verbal, inflected and token.lower_ != word


def names_something(argument: str) -> bool:
    """Whether an argument names somebody or something, and is not made of pronouns and the like alone.

    >>> names_something("the company"), names_something("it"), names_something("they all")
    (True, False, True)
    """
    return any(word not in STOP_WORDS for word in argument.split())


def _prepare_frequencies(inputs: Inputs) -> Work:
    rows = Table(inputs.table("mentions")).n_rows
    n = min(rows // _ROWS_PER_UNIT + 1, MAX_UNITS)

    def unit_of(mentions: pa.Table) -> pa.Array:
        predicates = pc.struct_field(mentions["relation"], "predicate").to_pylist()
        return pa.array([crc32(one.encode()) % n for one in predicates], pa.int64())

    return regroup(inputs.table("mentions"), unit_of, n, inputs.scratch("frequencies")), count_pairs


def count_pairs(unit: Path) -> Iterator[Frequency | Count]:
    """How many distinct pairs of arguments each predicate is asserted of, in all of the corpus."""
    pairs: dict[str, set[tuple[str, str]]] = defaultdict(set)
    mentions: dict[str, int] = defaultdict(int)
    for mention in iter_records(unit, Mention):
        relation = mention.relation
        if mention.asserted and relation.subject != relation.object:
            pairs[relation.predicate].add(relation.arguments)
            mentions[relation.predicate] += 1
    yield Count(len(pairs), "predicates")
    yield from (Frequency(one, len(pairs[one]), mentions[one]) for one in sorted(pairs))


def felicitous(table: Path, at_least: int) -> dict[str, int]:
    """The predicates that have so many argument pairs, and how many."""
    # another build in the same process may have put another table in this place
    return _felicitous(table, at_least, tuple(part.stat().st_mtime_ns for part in iter_parts(table)))


@lru_cache(maxsize=2)
def _felicitous(table: Path, at_least: int, _state: tuple[int, ...]) -> dict[str, int]:
    parts = iter_parts(table)
    rows = (row for part in parts for row in iter_records(part, Frequency))
    return {row.predicate: row.pairs for row in rows if row.pairs >= at_least}


RELATIONS = Step(
    "30-relations",
    {"mentions": Mention},
    lambda inputs: (slices_of(inputs.table("placed")), partial(read_relations, model=inputs.model("parser").place)),
    tables=("placed",),
    models=("parser",),
    libraries=("spacy", "lemminflect"),
)
FREQUENCIES = Step(
    "40-frequencies", {"frequencies": Frequency}, _prepare_frequencies, tables=("mentions",), seconds=0.00005
)
