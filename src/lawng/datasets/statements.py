"""Sentences of opinions and their negations over the passage they stand in: negation in the language of courts.

A sentence is entailed by the passage that holds it and its negation contradicted by it (LawngNLI, A.1.3, applied to
the opinions themselves); a passage some pages on is neutral to both. Each pair of twins has a mirror: the same passage
with the negation in the sentence's place, which entails the negation and contradicts the sentence. So the hypothesis
alone says nothing of the label, whatever its words are; only the comparison does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.datasets.candidates import Flip, Negate
from lawng.datasets.nli import Pair
from lawng.datasets.splits import hash_of, part_of_case, side
from lawng.io import iter_records
from lawng.schema import Opinion
from lawng.schema.labels import Label

SOURCE = "statements"
_PLAIN = re.compile(r"(?<=[a-z][.!?] )[A-Z][a-z]*(?: [a-z,;’'-]+){6,40}\.(?= [A-Z]|$)")
"""A sentence of words alone: no digits, quotations, names or citations, which the negation algorithm refuses anyhow."""
_LENGTHS = (30, 70, 110)
"""Words of the passage around a sentence: one of these, drawn by hash."""
PER_OPINION = 12


class _Sentence(NamedTuple):
    key: str
    case_id: str
    text: str
    before: str
    after: str
    elsewhere: str

    def premise(self, sentence: str) -> str:
        """The passage with a sentence in this one's place."""
        return " ".join(part for part in (self.before, sentence, self.after) if part)


def read_statements(corpus: str | Path, negate: Negate, limit: int = 2400, of: str = "train") -> Iterator[Pair]:
    """Pairs from at most `limit` sentences of the majority opinions of a corpus, cases of one side only.

    Five times as many sentences are tried, drawn by hash, at most `PER_OPINION` of an opinion. Cases of the training
    side are parted 90 to 10 into train and dev; pairs of the side that is held out are test.
    """
    tried = sorted(_sentences(Path(corpus), of), key=lambda item: hash_of(item.key))[: 5 * limit]
    flips = negate([item.text for item in tried])
    for item, flip in balanced([(i, f) for i, f in zip(tried, flips, strict=True) if f], limit):
        yield from _pairs(item, flip)


def balanced(items: Sequence[tuple[_Sentence, Flip]], limit: int) -> list[tuple[_Sentence, Flip]]:
    """At most `limit` items, half of them with a negation to remove; fewer where there are too few of either."""
    removing = [item for item in items if item[1].removes]
    adding = [item for item in items if not item[1].removes]
    each = min(len(removing), len(adding), limit // 2)
    return [*removing[:each], *adding[:each]]


def _sentences(corpus: Path, of: str) -> Iterator[_Sentence]:
    for opinion in iter_records(corpus / "opinions", Opinion, where=("type", ["majority"])):
        if side(opinion.case_id) == of:
            body = opinion.text[: opinion.body_end]
            spans = [match.span() for match in _PLAIN.finditer(body)]
            drawn = sorted(spans, key=lambda span: hash_of(f"{opinion.opinion_id}@{span[0]}"))[:PER_OPINION]
            yield from (_sentence(opinion, body, start, end) for start, end in drawn)


def _sentence(opinion: Opinion, body: str, start: int, end: int) -> _Sentence:
    """The sentence with the passage around it, at a place in the passage that a hash picks."""
    key = f"{opinion.opinion_id}@{start}"
    length = _LENGTHS[hash_of(f"length:{key}") % len(_LENGTHS)]
    n_before = hash_of(key) % length
    before = " ".join(body[:start].split()[-n_before:]) if n_before else ""
    after = " ".join(body[end:].split()[: length - n_before])
    words = body.split()
    far = (len(body[:start].split()) + len(words) // 2) % max(1, len(words) - length)
    elsewhere = " ".join(words[far : far + length])
    return _Sentence(key, opinion.case_id, body[start:end], before, after, elsewhere)


def _pairs(item: _Sentence, flip: Flip) -> Iterator[Pair]:
    part = part_of_case(item.case_id)
    key = f"{SOURCE}:{item.key}"
    for name, true, false in ((key, item.text, flip.text), (f"{key}:mirror", flip.text, item.text)):
        premise, twin = item.premise(true), f"{name}:twin"
        yield Pair(name, premise, true, [Label.ENTAILMENT], SOURCE, part, twin, true == flip.text)
        yield Pair(twin, premise, false, [Label.CONTRADICTION], SOURCE, part, name, false == flip.text)
    if item.text not in item.elsewhere:
        negated = hash_of(key) % 2 == 0
        shown = flip.text if negated else item.text
        yield Pair(f"{key}:neutral", item.elsewhere, shown, [Label.NEUTRAL], SOURCE, part, "", negated)
