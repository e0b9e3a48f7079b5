"""Arguments of relations: the noun phrase of a token as it is compared, its type, and who shares its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lawng.directional import relations_language as labels
from lawng.directional.relations_language import Language

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

THING = "THING"
_RELATIVE_TAGS = frozenset({"WDT", "WP"})
NOMINAL = frozenset({"NOUN", "PROPN", "NUM", "SYM"})
_EDGES = frozenset({"DET", "PUNCT", "PART", "SPACE", "PRON", "CCONJ", "ADP"})
"""Parts of speech that no argument begins or ends with."""
_SPECIFIC = labels.POSSESSOR | {"det"}
"""What makes "few" a number: "a few banks", "the few banks"."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A noun phrase from its first to before its last token, as it is compared, with its type."""

    start: int
    end: int
    text: str
    type: str
    negated: bool = False
    """ "No firm", "neither firm", "not Acme"."""
    modality: str = ""
    """ "Or": one of several."""

    def meets(self, other: Argument) -> bool:
        """Whether two arguments share a token, or are the same words."""
        return (self.start < other.end and other.start < self.end) or self.text == other.text


def lemma(token: Token) -> str:
    """The lemma in lower case: of English verbs and nouns lemminflect's, which is right oftener than spaCy's rules."""
    if token.lang_ == "en" and token.pos_ in {"VERB", "AUX", "NOUN"}:
        return _english_lemma(token.lower_, token.tag_, "NOUN" if token.pos_ == "NOUN" else "VERB")
    return (token.lemma_ or token.text).lower()


@lru_cache(maxsize=65536)
def _english_lemma(word: str, tag: str, part: str) -> str:
    from lemminflect import getInflection, getLemma

    found = getLemma(word, part)
    if not tag.startswith(("V", "N", "MD")):  # of other tags, as of foreign words, lemminflect complains
        return found[0] if found else word
    fitting = (one for one in found if one != word and word in getInflection(one, tag))
    return next(fitting, found[0] if found else word)


def coordinated(token: Token) -> Iterator[Token]:
    """A token and those that are joined to it by conjunctions: "Acme, Bravo and Cargo"."""
    yield token
    for child in token.rights:
        if child.dep_ == "conj" and child.pos_ in NOMINAL:
            yield from coordinated(child)


def arguments(token: Token, language: Language) -> list[Argument]:
    """The arguments at a token's place; none where a pronoun stands, save a relative one, which stands for its noun."""
    above = token.ancestors if token.tag_ in _RELATIVE_TAGS else ()
    antecedent = next((one.head for one in above if one.dep_ in labels.RELATIVE), None)
    if antecedent is not None:
        found = argument(antecedent, language)
        return [found] if found else []
    chain = list(coordinated(token))
    joints = {child.lower_ for one in chain for child in one.children if child.dep_ == "cc"}
    choice = next(iter(sorted(joints & language.disjunction - language.negators)), "")
    shared = denied(token, language) and not joints & language.adversative
    return [
        replace(one, negated=shared or one.negated, modality=choice)
        for head in chain
        if (one := argument(head, language)) is not None
    ]


def argument(token: Token, language: Language) -> Argument | None:
    """The noun phrase or entity that a token heads; None where it is a pronoun, no noun, or inside an entity."""
    if token.pos_ == "PRON" or not (token.pos_ in NOMINAL or token.ent_type_):
        return None
    start, end = _entity(token) if token.ent_type_ else _phrase(token)
    if start <= token.head.i < end and token.head != token:
        return None
    start, end = _trimmed(token.doc, start, end, language)
    text = " ".join(token.doc[start:end].text.lower().split())
    if not any(map(str.isalnum, text)):
        return None
    inner = None if token.ent_type_ else _of(token, language)
    if inner:
        text, end = language.joiner.join((text, language.of, inner.text)), inner.end
    return Argument(start, end, text, token.ent_type_ or THING, denied(token, language))


def _entity(token: Token) -> tuple[int, int]:
    doc, start, end = token.doc, token.i, token.i + 1
    while doc[start].ent_iob_ == "I":
        start -= 1
    while end < len(doc) and doc[end].ent_iob_ == "I":
        end += 1
    return start, end


def _phrase(token: Token) -> tuple[int, int]:
    """The token with the modifiers that stand directly before it."""
    start = token.i
    for child in reversed(list(token.lefts)):
        if child.dep_ not in labels.LEFT_MODIFIERS or child.right_edge.i + 1 != start:
            break
        start = child.left_edge.i
    return start, token.i + 1


def _trimmed(doc: Doc, start: int, end: int, language: Language) -> tuple[int, int]:
    while start < end and _droppable(doc[start], language):
        start += 1
    while start < end and _droppable(doc[end - 1], language):
        end -= 1
    return start, end


def _droppable(token: Token, language: Language) -> bool:
    return token.pos_ in _EDGES or token.lower_ in language.dropped or token.lower_ in language.negators


def _of(token: Token, language: Language) -> Argument | None:
    """The noun phrase after "of", which belongs to the argument: "price of oil"."""
    following = next(iter(token.rights), None)
    if following is None or following.dep_ not in labels.PREPOSITION or lemma(following) != language.of:
        return None
    inner = next((one for one in following.rights if one.dep_ in labels.PREPOSITION_OBJECT), None)
    return argument(inner, language) if inner is not None else None


def denied(token: Token, language: Language) -> bool:
    """Whether a noun has "no", "neither", "not" or "few" to itself; what stands after it denies an apposition."""
    own = [child for child in token.lefts if child.dep_ not in {"conj", "cc", "prep"}]
    if token.dep_ in labels.APPOSITION:
        own += [child for child in token.head.rights if child.i + 1 == token.left_edge.i]
    few = any(child.lower_ in language.scarce and not _is_some(child, own) for child in own)
    return few or any(denies(child, language) for child in own)


def _is_some(few: Token, beside: Sequence[Token]) -> bool:
    """Whether "few" has an article or the like, whatever the parse hangs it on: "quite a few", "the few"."""
    before = few.doc[max(0, few.i - 1) : few.i].text.lower()
    return before in {"a", "the", "these", "those"} or any(
        child.dep_ in _SPECIFIC for child in (*beside, *few.children)
    )


def denies(token: Token, language: Language) -> bool:
    """Whether a word is a negator that denies: "not", but not in "not only"."""
    following = token.doc[token.i + 1 : token.i + 2].text.lower()
    return token.lower_ in language.negators and following not in language.additives
