"""A text cut into sentences, and each sentence in the frames in which a parser reads it best.

Parentheticals begin in lower case, drop the final period and often stand under a lost "holding that".
Each sentence is therefore parsed in three frames, and only what two parses agree on and none denies is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lawng.lawngnli.negation.lexicon import EDITORIAL, FINITE_TAGS, JUDICIAL_GERUNDS, OPENERS
from lawng.lawngnli.records import Refusal

if TYPE_CHECKING:
    from spacy.tokens import Doc

MAX_CHARACTERS = 5_000
"""A longer text is no parenthetical."""
MAX_TOKENS = 70
"""In a longer sentence the parse is too often wrong."""
_SENTENCE_END = re.compile(r"(?<![.\s])[.!?][\"'”’)\]]*\s+$")
_SEMICOLON = re.compile(r";\s+")
_ALTERED_NEGATION = re.compile(r"\[[nN]\](?:o|one|either|ever|othing|or|ot)\b")
"""A negation whose first letter was altered, "[n]o", which the parser does not know for one."""
_LEADING = re.compile(r"\s*(?:(?:and|but)\s+)?(?:that\s+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, without the blanks around it and a leading "and that"."""

    start: int
    text: str
    refusal: Refusal | None = None


def refuse_text(text: str) -> Refusal | None:
    """Why a text is not looked into: empty, too long, not in Latin script; None when it is.

    >>> refuse_text(" ").reason
    'empty'
    """
    letters = sum(c.isalpha() for c in text)
    if not letters:
        return Refusal("empty", text[:40])
    if len(text) > MAX_CHARACTERS:
        return Refusal("too-long", f"{len(text)} characters")
    if sum(c.isascii() and c.isalpha() for c in text) < 0.9 * letters:
        return Refusal("not-english", text[:40])
    return None


def sentences_of(text: str, doc: Doc) -> list[Sentence]:
    """The sentences of a parsed text; a boundary counts only after a final mark or a semicolon."""
    semicolons = (m.end() for m in _SEMICOLON.finditer(text) if not _open_before(text[: m.start()]))
    starts = sorted({0, *(s.start_char for s in doc.sents if _ends_before(text, s.start_char)), *semicolons})
    ends = [*starts[1:], len(text)]
    cut = _refuse_gapped([_sentence(text, a, b, doc) for a, b in zip(starts, ends, strict=True)], doc)
    return [sentence for sentence in cut if any(c.isalpha() for c in sentence.text)]


def _refuse_gapped(cut: list[Sentence], doc: Doc) -> list[Sentence]:
    """No change of a statement whose verb is left out after the next semicolon: "A was barred; B, waived"."""
    gaps = [doc.text.startswith(";", a.start + len(a.text)) and _is_gapped(b, doc) for a, b in pairwise(cut)]
    refusal = Refusal("parse-unsure", "a verb is left out after the semicolon")
    return [replace(one, refusal=refusal) if gap else one for one, gap in zip(cut, [*gaps, False], strict=False)]


def _is_gapped(sentence: Sentence, doc: Doc) -> bool:
    words = [t for t in doc if sentence.start <= t.idx < sentence.start + len(sentence.text)]
    finite = [t for t in words if t.tag_ in FINITE_TAGS]
    participle = len(finite) == 1 and finite[0].i > words[0].i and finite[0].nbor(-1).text == ","
    return bool(words) and (not finite or participle)


def _open_before(before: str) -> bool:
    """Whether a bracket or a quotation is open: a semicolon in it begins no statement."""
    return any(before.count(a) > before.count(b) for a, b in ("()", "[]", "“”")) or before.count('"') % 2 == 1


def _ends_before(text: str, start: int) -> bool:
    """Whether a sentence ends there: not at an ellipsis, nor before a small letter."""
    return bool(_SENTENCE_END.search(text[:start])) and not text[start : start + 1].islower()


def _sentence(text: str, start: int, end: int, doc: Doc) -> Sentence:
    match = _LEADING.match(text, start, end)
    first = match.end() if match else start
    body = text[first:end].rstrip().removesuffix(";")
    tokens = sum(first <= t.idx < end for t in doc)
    refusal = Refusal("too-long", f"{tokens} words") if tokens > MAX_TOKENS else _refuse_opening(body)
    return Sentence(first, body, refusal)


def _refuse_opening(body: str) -> Refusal | None:
    """Why the first words show that there is no clause: a judge's gerund, or an editor's note."""
    if altered := _ALTERED_NEGATION.search(body):
        return Refusal("several-negations", altered.group())
    first = next((w for w in body.lower().split() if not w.endswith("ly") and w != "also"), "")
    if first in JUDICIAL_GERUNDS:
        return Refusal("verb-phrase", first)
    return Refusal("no-clause", first) if first in EDITORIAL else None


_SECTION = re.compile(r"\b([Ss])ec\.(?= ?\d)")
_STANDING = re.compile(r"\b((?:ha[sd]|have|lack(?:s|ed)?|no|confers?|of) )standing\b")


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence inside the string that is parsed."""

    text: str
    sentence: str
    """As it stands in the hypothesis."""
    offset: int
    """Where the sentence begins in `text`."""

    @property
    def end(self) -> int:
        """Where the sentence ends in `text`."""
        return self.offset + len(self.sentence)


def alone(sentence: str) -> Frame:
    """The sentence by itself, with a capital and a final period.

    >>> alone("pretrial publicity was not prejudicial").text
    'Pretrial publicity was not prejudicial.'
    """
    return _framed("", sentence, lambda text: text[0].upper() + text[1:] if text[:1].isascii() else text)


def reported(sentence: str) -> Frame:
    """The sentence as what a court held.

    >>> reported("No duty exists").text
    'The court held that no duty exists.'
    """
    return _framed("The court held that ", sentence)


def clear(sentence: str) -> Frame:
    """The sentence as what is clear, with the article that parentheticals drop.

    >>> clear("city's regulation bore no relationship to speech").text
    "It is clear that the city's regulation bore no relationship to speech."
    """
    prefix = "It is clear that "
    first = sentence.split(" ", 1)[0]
    if first[:1].isalpha() and first.islower() and first not in OPENERS and not first.endswith("ly"):
        prefix += "the "
    return _framed(prefix, sentence)


FRAMES = (alone, reported, clear)


def _lower(sentence: str) -> str:
    first = sentence.split(" ", 1)[0].lower()
    return sentence[0].lower() + sentence[1:] if first in OPENERS else sentence


def _framed(prefix: str, sentence: str, cased: Callable[[str], str] = _lower) -> Frame:
    """The sentence with a final period; "standing", which parsers take for a verb, and "Sec.", in which they see
    an end, as nouns of the same length."""
    period = "" if sentence.rstrip("\"'”’)]").endswith((".", "?", "!")) else "."
    plain = _STANDING.sub(r"\1capacity", _SECTION.sub(lambda m: "Rule" if m[1] == "S" else "rule", sentence))
    return Frame(prefix + cased(plain) + period, sentence, len(prefix))
