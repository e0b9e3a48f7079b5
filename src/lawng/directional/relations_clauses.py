"""The relations of a sentence: for each verb and each apposition the subjects, predicates and objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawng.directional import relations_language as labels
from lawng.directional.records import Relation
from lawng.directional.relations_arguments import NOMINAL, Argument, arguments, denied, lemma
from lawng.directional.relations_language import Language
from lawng.directional.relations_status import UNMARKED, Polarity, Status
from lawng.directional.relations_verbs import Verbs, Words, has_to, having, is_plain

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


@dataclass(frozen=True, slots=True)
class Slot:
    """The words of a predicate, the token that stands in its object's place, and what its noun makes of it."""

    words: Words
    token: Token
    status: Status = UNMARKED


def relations_of_sentence(sentence: Span, language: Language, document_id: str, start: int) -> Iterator[Relation]:
    """The relations of a parsed sentence, each once, in the order of its verbs; `start` is its text's in a document."""
    first, last = start + sentence.start_char, start + sentence.end_char
    found = _Sentence(sentence, language).fields()
    yield from dict.fromkeys(Relation(document_id, first, last, *fields) for fields in found)


TABLE = 6, 1 / 4
"""Numbers in a sentence, and their share of its words, from which it is rows of a table."""
NUMERIC = frozenset({"NUM", "SYM", "CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})
"""Parts of speech and types of numbers, which are in apposition as an age or an amount is."""
DETERMINER = frozenset({"det"})
Fields = tuple[str, str, str, str, str, bool, str]


class _Sentence:
    def __init__(self, sentence: Span, language: Language) -> None:
        self.sentence = sentence
        self.language = language
        self.verbs = Verbs(sentence, language)
        self.polarity = Polarity(sentence, self.verbs)

    def fields(self) -> Iterator[Fields]:
        for token in () if is_table(self.sentence) else self.sentence:
            if self.verbs.is_verb(token):
                yield from self._of_verb(token)
            elif token.dep_ in labels.APPOSITION:
                yield from self._of_apposition(token)

    def _of_verb(self, verb: Token) -> Iterator[Fields]:
        """What a verb says, and what it says as the complement of those that govern it: "agree to buy"."""
        passive = self.verbs.is_passive(verb)
        subjects, status = self.verbs.subjects(verb), self.polarity.of(verb)
        yield from self._joined(subjects, self._slots(verb, self.verbs.words(verb, passive=passive)), status)
        if passive and (agents := self.verbs.agents(verb)):
            words = self.verbs.words(verb)
            kept = [one for one in self.verbs.objects(verb) if is_plain(one)][:1]
            given = (*words, lemma(kept[0]), self.language.to) if kept else words  # "was awarded a prize by"
            active = [Slot(given, one) for one in subjects]
            yield from self._joined(agents, active + self._slots(verb, words), status)
        if governor := self._governor(verb):
            own, above = self.polarity.own(verb), self.polarity.of(self._outer(governor))
            chain = Status(own.negated or above.negated, above.modality or own.modality)
            yield from self._joined(subjects, self._slots(verb, self._chain(verb)), chain)

    def _governor(self, verb: Token) -> Token | None:
        """The verb whose infinitive or gerund a verb is, both of one subject; by way of an adjective: "likely to"."""
        if verb.dep_ not in labels.OPEN_COMPLEMENT or having(verb, labels.SUBJECT | labels.PASSIVE_SUBJECT):
            return None
        governor = verb.head if self.verbs.is_verb(verb.head) else verb.head.head
        subjects = self.verbs.is_verb(governor) and self.verbs.subjects(governor)
        return governor if subjects and subjects == self.verbs.subjects(verb) else None

    def _outer(self, verb: Token) -> Token:
        while governor := self._governor(verb):
            verb = governor
        return verb

    def _chain(self, verb: Token) -> Words:
        """The words of a verb after those of its governors: "agree to buy", "be likely to buy", "stop buying"."""
        governor = self._governor(verb)
        own = self.verbs.words(verb, passive=self.verbs.is_passive(verb), gerund=bool(governor) and not has_to(verb))
        if governor is None:
            return own
        adjective = () if governor == verb.head else (verb.head.lower_,)
        return (*self._chain(governor), *adjective, *(("to",) if has_to(verb) else ()), *own)

    def _slots(self, verb: Token, words: Words) -> list[Slot]:
        """The predicates of a verb, each with its object: alone, with a preposition, with a noun and a preposition."""
        nouns = self.verbs.objects(verb) or self.verbs.complements(verb)
        found = [Slot(words, one) for one in (*nouns, *self._extent(verb))]
        first = next(iter(nouns), None)
        fits = first is not None and (is_plain(first) or first.pos_ == "ADJ" or first.dep_ == "acomp")
        noun = first if fits else None
        stem, status = (*words, *self._noun_words(noun)) if noun is not None else words, self._of_noun(noun)
        if noun is not None and noun != verb:
            found += [Slot((*stem, *prep), one, status) for prep, one in self.verbs.prepositions(noun)]
        if noun is not None:
            found += [Slot(self._owned(words, noun), one, status) for one in self.verbs.owners(noun)]
        counted = noun is not None and bool(having(noun, frozenset({"nummod"})))
        stem = words if counted else stem
        indirect = [((self.language.to,), one) for one in having(verb, labels.INDIRECT) if one.pos_ in NOMINAL]
        for prep, one in (*indirect, *self.verbs.prepositions(verb)):
            before = one.i < verb.i and self.language.prepositions_before  # 在工作
            found.append(Slot((*prep, *stem) if before else (*stem, *prep), one, status))
        return found

    def _noun_words(self, noun: Token) -> Words:
        """The words of a noun in a predicate, with what it is compounded with, or of an adjective."""
        if not is_plain(noun):
            return (noun.lower_,)
        return (*(lemma(one) for one in noun.lefts if one.dep_ in labels.COMPOUND and is_plain(one)), lemma(noun))

    def _owned(self, words: Words, noun: Token) -> Words:
        """The predicate of the one that owns its noun: "be head of"."""
        of, own = (self.language.of,), self._noun_words(noun)
        return (*words, *of, *own) if self.language.owner_first else (*words, *own, *of)

    def _of_noun(self, noun: Token | None) -> Status:
        """What the noun of a predicate makes of it: "no part", "former head"."""
        if noun is None:
            return UNMARKED
        doubtful = (child.lower_ for child in noun.lefts if child.lower_ in self.language.nonsubsective)
        return Status(denied(noun, self.language), next(doubtful, ""))

    def _extent(self, verb: Token) -> list[Token]:
        """How much: "rose 5 percent"; a phrase of time is none."""
        found = (one for one in having(verb, labels.EXTENT) if one.ent_type_ not in labels.TIMES)
        return [one for one in found if one.i > verb.i and (one.ent_type_ or having(one, labels.NUMERAL))]

    def _joined(self, subjects: list[Token], slots: list[Slot], status: Status) -> Iterator[Fields]:
        left = [one for token in subjects for one in arguments(token, self.language)] if slots else []
        for slot in slots if left else ():
            for right in arguments(slot.token, self.language):
                predicate = self.language.joiner.join(slot.words)
                for subject in left:
                    if not subject.meets(right):
                        yield _fields(subject, predicate, right, (status, slot.status))

    def _of_apposition(self, token: Token) -> Iterator[Fields]:
        """ "Volcker, chairman of the Fed", in either order: the common noun says what the named one is."""
        noun, named = (token, token.head) if is_plain(token) else (token.head, token)
        if not is_plain(noun) or NUMERIC & {noun.pos_, named.pos_, named.ent_type_} or having(noun, labels.NUMERAL):
            return
        one_of_list = is_plain(named) and not having(noun, DETERMINER)
        if one_of_list or noun.tag_.endswith("S") != named.tag_.endswith("S"):
            return  # "prices, wages, rents", "three reasons: a lack of money"
        words = (self.language.be,)
        slots = [Slot((*words, *self._noun_words(noun), *prep), one) for prep, one in self.verbs.prepositions(noun)]
        slots += [Slot(self._owned(words, noun), one) for one in self.verbs.owners(noun)]
        yield from self._joined([named], [Slot(words, noun), *slots], self._of_noun(noun))


def is_table(sentence: Span) -> bool:
    """Whether so many of a sentence's words are numbers that it is rows of a table, which no parser reads."""
    words = [token for token in sentence if not token.is_punct and not token.is_space]
    return sum(token.like_num for token in words) >= max(TABLE[0], TABLE[1] * len(words))


def _fields(subject: Argument, predicate: str, right: Argument, said: tuple[Status, Status]) -> Fields:
    negated = subject.negated or right.negated or said[0].negated or said[1].negated
    modality = said[0].modality or said[1].modality or subject.modality or right.modality
    return subject.text, predicate, right.text, subject.type, right.type, negated, modality
