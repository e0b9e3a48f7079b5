"""Whether a clause is said to be so, said not to be so, or neither: negation, modality, and what governs it.

A verb's own words come first ("did not", "may"), then those that it shares with the verb before it ("did not buy or
sell"), then what governs it. Reported speech ("said that") counts as said. After Karttunen 1971 and Nairn et al. 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawng.directional import relations_language as labels
from lawng.directional.relations_arguments import denies, lemma
from lawng.directional.relations_verbs import Verbs, has_to, having

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


@dataclass(frozen=True, slots=True)
class Status:
    """Whether a clause is said not to be so, and the word that keeps it from being said to be so, else ""."""

    negated: bool = False
    modality: str = ""


UNMARKED = Status()


class Polarity:
    """The status of the verbs of one sentence."""

    def __init__(self, sentence: Span, verbs: Verbs) -> None:
        self._verbs = verbs
        self._language = verbs.language
        last = [token.text for token in sentence if not token.is_quote and not token.is_space][-1:]
        self._asked = "?" if last in (["?"], ["？"]) else ""
        self._found: dict[int, Status] = {}

    def of(self, verb: Token) -> Status:
        """What the sentence makes of a verb's clause."""
        if verb.i not in self._found:
            self._found[verb.i] = UNMARKED  # a parse that goes in a circle ends here
            own, context = self.own(verb), self._context(verb)
            modality = own.modality or context.modality or self._asked
            self._found[verb.i] = Status(own.negated != context.negated, modality)
        return self._found[verb.i]

    def own(self, verb: Token) -> Status:
        """What a verb's own words and those that it shares make of it."""
        shared = self.own(verb.head) if self._shares(verb) else UNMARKED
        joints = (child.lower_ for child in verb.head.children if child.dep_ == "cc")
        adverse = shared.negated and not self._language.adversative.isdisjoint(joints)
        negated = self._is_denied(verb) or (shared.negated and not adverse)
        return Status(negated, self._modal(verb) or shared.modality or ("" if negated else self._choice(verb)))

    def _is_denied(self, verb: Token) -> bool:
        nearly = (child for child in having(verb, labels.ADVERB) if child.lower_ in self._language.approximators)
        adverbs = (child for child in verb.lefts if child.dep_ in {"advmod", "det", "preconj", "cc"})
        negators = (*having(verb, labels.NEGATION), *adverbs)
        return any(nearly) or any(denies(child, self._language) for child in negators)

    def _modal(self, verb: Token) -> str:
        modal = (
            lemma(t) for t in having(verb, labels.AUXILIARY) if t.tag_ == "MD" or t.lower_ in self._language.modals
        )
        hedges = (child.lower_ for child in having(verb, labels.ADVERB) if child.lower_ in self._language.hedges)
        if found := next(modal, "") or next(hedges, ""):
            return found
        clauses = having(verb, labels.ADVERBIAL)
        return next((word for one in clauses if (word := self._condition(one)) in self._language.hypotheses), "")

    def _condition(self, verb: Token) -> str:
        """The word that makes a clause a condition: "if", or an auxiliary before its subject."""
        marks = (child.lower_ for child in having(verb, labels.MARK))
        if found := next((word for word in marks if word in self._language.conditions), ""):
            return found
        subject = next(iter(having(verb, labels.SUBJECT | labels.PASSIVE_SUBJECT)), verb)
        first = next((one for one in verb.lefts if one.dep_ not in labels.CLAUSE and not one.is_punct), verb)
        inverted = first.dep_ in labels.AUXILIARY and first.i < subject.i != verb.i
        return first.lower_ if inverted and first.lower_ in self._language.inverted else ""

    def _choice(self, verb: Token) -> str:
        """ "Or", where a verb is one of several."""
        first = verb.head if verb.dep_ == "conj" else verb
        if verb.dep_ != "conj" and not any(self._verbs.is_verb(one) for one in having(verb, frozenset({"conj"}))):
            return ""
        joints = [child.lower_ for child in first.children if child.dep_ == "cc"]
        return next((word for word in joints if word in self._language.disjunction), "")

    def _shares(self, verb: Token) -> bool:
        """Whether a verb stands under the auxiliaries of the one that it is joined to: of one form, none of its own."""
        if verb.dep_ != "conj" or not self._verbs.is_verb(verb.head):
            return False
        own = having(verb, labels.AUXILIARY | labels.SUBJECT | labels.PASSIVE_SUBJECT)
        return not own and verb.tag_ == verb.head.tag_ and verb.tag_ not in labels.FINITE

    def _context(self, verb: Token) -> Status:
        """What governs a verb makes of it."""
        head = verb.head
        if verb.dep_ == "conj" and self._verbs.is_verb(head):
            return self._context(head)
        if condition := self._condition(verb):
            return Status(modality=condition)
        if verb.dep_ in labels.CLAUSE or self._follows_particle(verb):
            return self._governed(verb, head)
        if verb.dep_ in labels.ADVERBIAL and self._verbs.is_verb(head):
            return Status(modality="to" if has_to(verb) else self.of(head).modality * (verb.tag_ in labels.PARTICIPLES))
        if verb.dep_ == "pcomp":
            return self._after_preposition(head)
        named = verb.dep_ in labels.MODIFYING_CLAUSE | labels.RELATIVE and having(verb, frozenset({"mark"}))
        return Status(modality=lemma(head) if named and not self._language.relative else "")

    def _follows_particle(self, verb: Token) -> bool:
        """Whether a gerund is the object of the particle's verb before it, whatever the parse calls it: "put off"."""
        before = (child for child in having(verb.head, labels.PARTICLE) if child.i + 1 == verb.left_edge.i)
        return verb.dep_ in labels.ADVERBIAL and verb.tag_ == "VBG" and any(before)

    def _after_preposition(self, prep: Token) -> Status:
        if prep.lower_ in self._language.privatives:
            return Status(negated=True)
        unreal = prep.lower_ if prep.lower_ in self._language.unrealised else ""
        return Status(modality=unreal or (self.of(prep.head).modality if self._verbs.is_verb(prep.head) else ""))

    def _governed(self, verb: Token, governor: Token) -> Status:
        """What a verb makes of its complement, by its class (Nairn et al. 2006)."""
        word, language = lemma(governor), self._language
        words = {word, *(f"{word}_{one.lower_}" for one in having(governor, labels.PARTICLE))}
        clause = governor if self._verbs.is_verb(governor) else governor.head
        above = self.of(clause) if self._verbs.is_verb(clause) else UNMARKED
        infinitive = has_to(verb) or not having(verb, labels.SUBJECT | labels.PASSIVE_SUBJECT | labels.MARK)
        if above.negated and words & language.one_way and infinitive:
            return Status(modality=word)
        avoided = language.counterfactive if has_to(verb) else language.counterfactive | language.eschewing
        if words & avoided and infinitive:
            return Status(not above.negated, above.modality)
        if words & language.implicative and infinitive:
            return above
        if words & language.attitudes or has_to(verb):
            return Status(modality=word)
        return Status(modality=above.modality or (word if above.negated else ""))
