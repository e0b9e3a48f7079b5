"""The verbs of a parsed sentence: their words, subjects, objects and prepositions, also those that others lend them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawng.directional import relations_language as labels
from lawng.directional.relations_arguments import NOMINAL, lemma
from lawng.directional.relations_language import Language

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Words = tuple[str, ...]
Phrase = tuple[Words, "Token"]
_NO_CLAUSE = labels.AUXILIARY | labels.COPULA | {"amod", "compound", "prep", "case", "mark", "nummod"}
_PREPOSITIONS = frozenset({"ADP", "SCONJ", "ADV"})
CONJUNCT = frozenset({"conj"})
_RELATIVE_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})


def having(token: Token, wanted: frozenset[str]) -> list[Token]:
    """The dependents of a token with one of some labels, in the order of the text."""
    return [child for child in token.children if child.dep_ in wanted]


def has_to(verb: Token) -> bool:
    """Whether a verb is an infinitive with "to"."""
    return any(child.tag_ == "TO" for child in having(verb, labels.AUXILIARY))


def is_plain(token: Token) -> bool:
    """Whether a noun may be a part of a predicate: a common noun that names nothing."""
    return token.pos_ == "NOUN" and not token.ent_type_


def is_bare(noun: Token) -> bool:
    """Whether a common noun in the singular has nothing before it."""
    return is_plain(noun) and noun.tag_ == "NN" and noun.left_edge == noun


def is_stranded(prep: Token) -> bool:
    """Whether a preposition has lost its noun: "the firm that he works for"."""
    return prep.dep_ == "prep" and prep.tag_ == "IN" and not any(True for _ in prep.children)


class Verbs:
    """Who does what in one sentence, by its verbs and by nouns and adjectives that have a copula."""

    def __init__(self, sentence: Span, language: Language) -> None:
        self.language = language
        self._copular = {token.head.i for token in sentence if token.dep_ in labels.COPULA}
        self._subjects: dict[int, list[Token]] = {}

    def is_verb(self, token: Token) -> bool:
        """Whether a token heads a clause: a verb that is no auxiliary and modifies no noun, or what has a copula."""
        return (token.pos_ in {"VERB", "AUX"} and token.dep_ not in _NO_CLAUSE) or token.i in self._copular

    def words(self, verb: Token, *, passive: bool = False, gerund: bool = False) -> Words:
        """The words of a verb: "be" alone where it is a copula's noun, else the verb and its particles: "take over".

        The verb is its lemma, as a passive its participle after "be", as a gerund what is written.
        """
        if verb.i in self._copular:
            return (self.language.be,)
        form = (self.language.be, verb.lower_) if passive else (verb.lower_ if gerund else lemma(verb),)
        next_to = [one for one in verb.rights if one.dep_ == "advmod" and one.i == verb.i + 1]
        adverbs = [one for one in next_to if one.lower_ in labels.PARTICLES]
        return (*form, *(one.lower_ for one in verb.rights if one.dep_ in labels.PARTICLE or one in adverbs))

    def subjects(self, verb: Token) -> list[Token]:
        """Whom the verb is said of: its own subject, that of the verb it is joined to, the noun that it modifies."""
        if verb.i not in self._subjects:
            self._subjects[verb.i] = []  # a parse that goes in a circle ends here
            self._subjects[verb.i] = self._own_subjects(verb) or self._lent_subjects(verb)
        return self._subjects[verb.i]

    def _own_subjects(self, verb: Token) -> list[Token]:
        if having(verb, labels.EXPLETIVE):
            return having(verb, labels.COMPLEMENT)[:1]
        moved = self._before_verb(verb)
        own = having(verb, labels.PASSIVE_SUBJECT) or having(verb, labels.SUBJECT)
        return [token for token in own if token not in moved][:1]

    def _lent_subjects(self, verb: Token) -> list[Token]:
        head = verb.head
        if verb.dep_ in labels.RELATIVE | labels.MODIFYING_CLAUSE:
            return [head] if self._gap(verb) == "subject" else []
        if verb.dep_ in labels.OPEN_COMPLEMENT:
            return self._controllers(head)
        if verb.dep_ == "pcomp" and head.dep_ in labels.PREPOSITION:
            head = head.head
        elif verb.dep_ != "conj" and (verb.dep_ not in labels.ADVERBIAL or verb.tag_ in labels.FINITE):
            return []
        return self.subjects(head) if self.is_verb(head) else []

    def _controllers(self, governor: Token) -> list[Token]:
        """Whom an infinitive is said of: the object of its governor, else the subject ("be likely to" as well)."""
        if governor.dep_ in labels.COMPLEMENT and not self.is_verb(governor):
            governor = governor.head
        if not self.is_verb(governor):
            return []
        return having(governor, labels.OBJECT) or self.subjects(governor)

    def is_passive(self, verb: Token) -> bool:
        """Whether its subject is what it is done to."""
        if having(verb, labels.PASSIVE_SUBJECT | labels.PASSIVE_AUXILIARY):
            return True
        if verb.tag_ != labels.PAST_PARTICIPLE or having(verb, labels.AUXILIARY):
            return False
        alone = verb.dep_ in labels.MODIFYING_CLAUSE | labels.ADVERBIAL | labels.RELATIVE
        shared = verb.dep_ == "conj" and self.is_verb(verb.head) and self.is_passive(verb.head)
        return alone or shared or bool(having(verb, labels.AGENT))

    def agents(self, verb: Token) -> list[Token]:
        """Who does it, where it is passive: "by Acme"; a subject beside the passive's own."""
        nouns = [noun for prep in having(verb, labels.AGENT) for noun in having(prep, labels.PREPOSITION_OBJECT)]
        oblique = having(verb, labels.OBLIQUE)
        by = self.language.agents
        marked = [noun for noun in oblique if any(case.lower_ in by for case in having(noun, labels.CASE))]
        beside = having(verb, labels.SUBJECT) if having(verb, labels.PASSIVE_SUBJECT) else []
        return (nouns or marked or beside)[:1]

    def objects(self, verb: Token) -> list[Token]:
        """The tokens in the place of its object, the noun that its relative clause modifies among them."""
        own = list(dict.fromkeys([*having(verb, labels.OBJECT), *self._before_verb(verb)]))
        clause = self._outermost(verb)
        fills = not own and self._innermost(clause) == verb and self._gap(clause) == "object"
        return [clause.head] if fills else own or self._shared_objects(verb)

    def _shared_objects(self, verb: Token) -> list[Token]:
        """The objects of the verb that is joined to it directly: "bought or leased the building"."""
        following = next((one for one in having(verb, CONJUNCT) if one.i == verb.i + 2), None)
        taken = following is None or having(verb, labels.COMPLEMENT | labels.CLAUSE | labels.PREPOSITION)
        return [] if taken or following is None or self.is_passive(verb) else having(following, labels.OBJECT)

    def _outermost(self, verb: Token) -> Token:
        """The verb that governs a verb's infinitive, and so on up."""
        while verb.dep_ in labels.OPEN_COMPLEMENT and self.is_verb(verb.head):
            verb = verb.head
        return verb

    def _innermost(self, verb: Token) -> Token:
        """The verb of a verb's infinitive, and so on down: what a relative clause modifies is missing there."""
        while inner := next(filter(self.is_verb, having(verb, labels.OPEN_COMPLEMENT)), None):
            verb = inner
        return verb

    def _before_verb(self, verb: Token) -> list[Token]:
        """What a marker sets before its verb as an object: 把."""
        marker = next((t for t in verb.lefts if t.lower_ == self.language.object_marker), None)
        if marker is None:
            return []
        return [token for token in verb.lefts if token.i > marker.i and token.pos_ in NOMINAL][:1]

    def _gap(self, clause: Token) -> str:
        """Where the noun that a clause modifies is missing in it: "subject", "object", "preposition", "" nowhere."""
        if clause.dep_ not in labels.RELATIVE | labels.MODIFYING_CLAUSE:
            return ""
        if clause.dep_ in labels.MODIFYING_CLAUSE and not self._is_relative(clause):
            return "subject" if clause.tag_ in labels.PARTICIPLES else ""
        if any(word.tag_ in _RELATIVE_TAGS for child in clause.children for word in (child, *child.children)):
            return ""
        if not self._own_subjects(clause):
            return "subject"
        verb = self._innermost(clause)
        if any(is_stranded(child) for child in verb.rights):
            return "preposition"
        taken = self.is_passive(verb) or having(verb, labels.OBJECT | labels.COMPLEMENT | labels.CLAUSE)
        when = clause.head.ent_type_ in labels.TIMES or lemma(clause.head) in self.language.adverbial_nouns
        return "" if taken or when else "object"

    def _is_relative(self, clause: Token) -> bool:
        """Whether a clause that modifies a noun is marked as a relative one: 的."""
        return any(child.text in self.language.relative for child in clause.children)

    def complements(self, verb: Token) -> list[Token]:
        """What is said of its subject: "is head", "is responsible", "was named chairman"."""
        if verb.i in self._copular:
            return [verb]
        lost = having(verb, labels.EXPLETIVE) or (having(verb, labels.OBJECT) and not self.is_passive(verb))
        return [] if lost else having(verb, labels.COMPLEMENT)[:1]

    def prepositions(self, token: Token) -> list[Phrase]:
        """The prepositions of a verb, noun or adjective with their nouns; of those before it only with entities."""
        lending = having(token, labels.COMPLEMENT) if having(token, labels.EXPLETIVE) else self._names(token)
        found = [phrase for one in (token, *lending) for child in one.children for phrase in self._phrases(child, ())]
        found += [(words, one) for one in having(token, labels.OBLIQUE) if (words := self._case(one))]
        anywhere = self.language.prepositions_before
        return [(words, noun) for words, noun in found if noun.i > token.i or noun.ent_type_ or anywhere]

    def _names(self, verb: Token) -> list[Token]:
        """Its objects that are names: what a parser hangs on a name belongs to the verb, but for "of"."""
        objects = having(verb, labels.OBJECT) if self.is_verb(verb) else []
        following = (child.lower_ for one in objects for child in one.rights)
        return [] if self.language.of in following else [one for one in objects if one.pos_ == "PROPN"]

    def _phrases(self, prep: Token, before: Words) -> list[Phrase]:
        """The phrases of a preposition, of one in it ("out of") and of one joined to it; participles are adverbs."""
        joined = prep.dep_ == "conj" and prep.head.dep_ in labels.PREPOSITION
        if not joined and (prep.dep_ not in labels.PREPOSITION - labels.AGENT or prep.pos_ not in _PREPOSITIONS):
            return []
        words = (*before, prep.lower_)
        nouns = [(words, noun) for noun in having(prep, labels.PREPOSITION_OBJECT)]
        if nouns and is_bare(nouns[0][1]):
            nouns = self._complex(words, nouns[0][1])
        inner = [phrase for child in prep.rights if not nouns for phrase in self._phrases(child, words)]
        inner += [phrase for child in having(prep, CONJUNCT) for phrase in self._phrases(child, before)]
        clause = self._outermost(prep.head)
        if is_stranded(prep) and self._gap(clause) == "preposition":
            nouns.append((words, clause.head))
        return nouns + inner

    def _complex(self, words: Words, noun: Token) -> list[Phrase]:
        """A noun without any modifier makes a complex preposition with the next one (Quirk et al. 1985, 9.10).

        "In line with"; "in order to" is no phrase.
        """
        following = [phrase for child in noun.rights for phrase in self._phrases(child, (*words, noun.lower_))]
        return following or ([] if having(noun, labels.MODIFYING_CLAUSE) else [(words, noun)])

    def _case(self, noun: Token) -> Words:
        """The prepositions that a noun heads, but for an agent's and an attribute's."""
        words = tuple(case.lower_ for case in having(noun, labels.CASE))
        return () if {self.language.of, *self.language.agents} & set(words) else words

    def owners(self, noun: Token) -> list[Token]:
        """Whose a noun is said to be: "Acme's"."""
        return [one for one in noun.lefts if one.dep_ in labels.POSSESSOR and one.pos_ != "PRON"]
