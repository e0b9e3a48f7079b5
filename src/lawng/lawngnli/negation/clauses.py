"""The independent, non-compound clauses of a parsed sentence (LawngNLI, A.1.5), from dependencies, and their checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lawng.lawngnli.negation.lexicon import AUXILIARIES, CLAIMS, FINITE_TAGS, MODALS
from lawng.lawngnli.negation.sentences import Frame
from lawng.lawngnli.records import Refusal

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SUBJECTS = {"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"}
_AUXILIARIES = {"aux", "auxpass"}
_SUBORDINATE = {"advcl", "ccomp", "relcl", "acl", "csubj", "csubjpass", "parataxis"}
_AND_VERB, _AND_BE = [("cc", "CCONJ"), ("conj", "VERB")], [("cc", "CCONJ"), ("conj", "AUX")]
_SUBORDINATORS = {"whether", "if", "because", "although", "unless", "while", "since", "until", "though", "than"}
_WH_TAGS = {"WDT", "WP", "WP$", "WRB"}


@dataclass(frozen=True)
class Clause:
    """One independent clause: its verb, the finite word of that verb, its subject and its other words."""

    frame: Frame
    verb: Token
    """The main verb, or the form of "be" before an adjective or noun."""
    finite: Token
    """The first auxiliary where there is one, else the verb; a bare participle is its own."""
    subject: Token
    own: tuple[Token, ...]
    """All words of the clause without those of other independent clauses."""

    def at(self, token: Token) -> int:
        """Offset of a word in the sentence."""
        return token.idx - self.frame.offset

    def end(self, token: Token) -> int:
        """Offset of a word's end in the sentence."""
        return self.at(token) + len(token)

    def text(self, token: Token) -> str:
        """A word as the hypothesis has it: the frame may have changed the first letter."""
        return self.frame.sentence[self.at(token) : self.end(token)]

    @cached_property
    def subject_words(self) -> tuple[Token, ...]:
        """The subject with all that hangs on it, cut at the verb."""
        return tuple(t for t in self.subject.subtree if t.i < self.finite.i)

    @cached_property
    def spine(self) -> tuple[Token, ...]:
        """The clause's words outside its subordinate clauses."""
        hidden = {t.i for word in self.own if word.dep_ in _SUBORDINATE and word != self.verb for t in word.subtree}
        return tuple(t for t in self.own if t.i not in hidden)

    @cached_property
    def coordinated(self) -> tuple[Token, ...]:
        """Verbs coordinated with this one under the same subject, in order, with "and", "or" or "but"."""
        chain = [self.verb]
        for verb in chain:
            chain.extend(c for c in verb.children if c.dep_ == "conj" and c.pos_ in ("VERB", "AUX") and c in self.own)
        return tuple(chain[1:])

    @property
    def is_bare_participle(self) -> bool:
        """A participle that stands for a passive, as headlines have it: "search held unreasonable"."""
        return self.finite.tag_ == "VBN"


def own_auxiliaries(verb: Token) -> list[Token]:
    """The auxiliaries of a verb that stand before it."""
    return [c for c in verb.lefts if c.dep_ in _AUXILIARIES and c.tag_ != "TO"]


def independent_clauses(doc: Doc, frame: Frame) -> list[Clause] | Refusal:
    """The independent clauses of the framed sentence in text order, or why there are none."""
    inside = [t for t in doc if frame.offset <= t.idx < frame.end]
    members = {t.i for t in inside}
    tops = [t for t in inside if (t.head == t or t.head.i not in members) and not t.is_punct and t.dep_ != "mark"]
    if len(tops) != 1 and not _are_joined(tops):
        return Refusal("parse-unsure", " / ".join(t.text for t in tops))
    verbs = tops[::2]
    for verb in verbs:
        verbs.extend(child for child in verb.children if _is_joined(child))
    hidden = {
        verb.i: {t.i for other in verbs if other != verb and other in verb.subtree for t in other.subtree}
        for verb in verbs
    }
    clauses = [_clause(frame, v, [t for t in v.subtree if t.i in members - hidden[v.i]]) for v in verbs]
    found = [c for c in clauses if isinstance(c, Clause)]
    return sorted(found, key=lambda c: c.verb.i) if found else next(c for c in clauses if isinstance(c, Refusal))


def _are_joined(tops: list[Token]) -> bool:
    """Whether the tops are two whole statements with an "and", which the parser hangs on the frame's own verb."""
    found = [(t.dep_, t.pos_) for t in tops[1:]] in (_AND_VERB, _AND_BE) and tops[1].lower_ == "and"
    return found and len({t.head for t in tops}) == 1 and None not in (_subject_of(tops[0]), _subject_of(tops[2]))


def _is_joined(child: Token) -> bool:
    """Whether a verb with its own subject is joined to the one that it hangs on."""
    # the parser calls a clause `ccomp` that a semicolon sets off from its head
    last = child.right_edge
    parted = child.dep_ == "ccomp" and last.i < child.head.i and next_word(last).text == ";"
    return (child.dep_ == "conj" or parted) and _subject_of(child) is not None


def _subject_of(verb: Token) -> Token | None:
    return next((c for c in verb.lefts if c.dep_ in _SUBJECTS), None)


def _clause(frame: Frame, verb: Token, own: list[Token]) -> Clause | Refusal:
    subject, auxiliaries = _subject_of(verb), own_auxiliaries(verb)
    if subject is not None and subject.idx < frame.offset:
        subject = None
    if verb.pos_ not in ("VERB", "AUX"):
        return Refusal("no-clause", verb.text)
    if subject is None:
        return Refusal("no-subject", verb.text)
    finite = auxiliaries[0] if auxiliaries else verb
    if auxiliaries and finite.lower_ not in AUXILIARIES:
        return Refusal("parse-unsure", finite.text)
    if finite.tag_ not in FINITE_TAGS and finite.lower_ not in MODALS and not (finite == verb and verb.tag_ == "VBN"):
        return Refusal("no-finite-verb", finite.text)
    if finite.i < subject.i and subject.dep_ != "expl":
        return Refusal("inverted", f"{finite.text} ... {subject.text}")
    return _fragment(frame, verb, subject) or Clause(frame, verb, finite, subject, tuple(own))


def _fragment(frame: Frame, verb: Token, subject: Token) -> Refusal | None:
    """Relative and subordinate clauses, and gerunds that the parser takes for subjects."""
    if any(t.tag_ in _WH_TAGS and _is_relative(t, subject) for t in subject.subtree):
        return Refusal("relative-clause", subject.text)
    opener = next((c for c in verb.lefts if frame.offset <= c.idx < subject.idx and _is_opener(c, frame)), None)
    before = subject.left_edge.nbor(-1) if subject.left_edge.i else subject
    if opener is None and before.lower_ in ("that", "whether") and before.idx > frame.offset:
        opener = before
    if opener is not None:
        return Refusal("subordinate-clause", opener.text)
    # "Claim that X did Y [held nonjusticiable]": the parser may take the claim's own clause for the main one
    if any(t.lower_ in CLAIMS and t.nbor(1).lower_ == "that" for t in subject.doc[: subject.i]):
        return Refusal("noun-clause", subject.text)
    # "illustrating the harm the rules do not work": the gerund governs what the parser takes for the clause
    if loose := _loose_gerund(verb, subject):
        return Refusal("verb-phrase", loose.text)
    gerund = subject.tag_ == "VBG" and not any(t.dep_ in ("mark", "ccomp") for t in subject.subtree)
    gerund = gerund or subject.left_edge.lower_ == "whether"
    if (subject.dep_ in ("csubj", "csubjpass") and not gerund) or subject.lower_ == "i":
        return Refusal("clausal-subject", subject.text)
    return None


def _is_opener(word: Token, frame: Frame) -> bool:
    """Whether a word before the subject makes the clause depend; "since 1960" and a leading "for" do not."""
    joins = word.lower_ == "however" or (word.lower_ == "for" and word.idx == frame.offset)
    relative = word.dep_ == "prep" and any(c.lower_ in ("which", "whom") for c in word.rights)
    depends = word.tag_ == "WRB" or word.dep_ == "mark" or (word.lower_ in _SUBORDINATORS and word.dep_ != "prep")
    return relative or (depends and not joins)


def _loose_gerund(verb: Token, subject: Token) -> Token | None:
    """A gerund before the subject that no comma sets off, or that stands beside another subject."""
    rivals = any(c.dep_ in _SUBJECTS and c.i > subject.i for c in verb.lefts)
    loose = subject.left_edge.i > 0 and not subject.left_edge.nbor(-1).is_punct
    before = (c for c in verb.lefts if c.tag_ == "VBG" and c.dep_ in ("advcl", "csubj") and c.i < subject.left_edge.i)
    return subject if rivals and subject.tag_ == "VBG" else next((c for c in before if loose), None)


def _is_relative(word: Token, subject: Token) -> bool:
    """Whether a wh-word belongs to the subject itself ("which", "whose rule", "the text of which")."""
    between = [word, *(a for a in word.ancestors if a in subject.subtree and a != subject)]
    return word.i <= subject.i or all(t.dep_ in ("prep", "pobj", "poss", "det") for t in between)


def next_word(word: Token) -> Token:
    """The word after this one, or the word itself at the end."""
    return word.nbor(1) if word.i + 1 < len(word.doc) else word
