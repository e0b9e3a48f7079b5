"""What the algorithm refuses: clauses that "not" does not turn into their opposite, or not for certain.

Each check is a function from a clause to a `Refusal` or None, named after its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lawng.nli.negation.clauses import Clause
from lawng.nli.negation.results import Refusal
from lawng.nli.negation.words import (
    FOCUS,
    LICENSERS,
    NEGATIVE_POLARITY,
    NEGATIVES,
    POSITIVE_POLARITY,
    QUANTIFIERS,
    WEAK_MODALS,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_FREE_CHOICE = frozenset({"may", "can"})
_CONDITIONAL = frozenset({"if", "unless", "because", "since", "when", "where", "before", "although", "though", "while"})
Check = Callable[[Clause], Refusal | None]


def refuse_clause(clause: Clause) -> Refusal | None:
    """Why nothing in this clause may be touched, whichever rule applies; None when it may."""
    return _first(clause, (_question, _contraction, _focus, _or_between_clauses, _weak_modal, _but_not))


def refuse_adding(clause: Clause) -> Refusal | None:
    """Why "not" may not be added to the verb phrase of this clause; None when it may."""
    return _first(clause, (_quantified_subject, _negative_words, _positive_polarity, _only_but))


def refuse_removing(clause: Clause, gone: tuple[Token, ...], after: int) -> Refusal | None:
    """Why the negation `gone`, which governs what follows the word number `after`, may not be taken away."""
    others = [t for t in clause.spine if t.lower_ in NEGATIVES and t not in gone]
    if others:
        return Refusal("several-negations", " ".join(t.text for t in others))
    bound = [t for t in clause.own if t.i > after and _is_bound(t, clause)]
    if bound:
        return Refusal("negative-polarity", bound[0].text)
    return _contrast(clause, after)


def _first(clause: Clause, checks: tuple[Check, ...]) -> Refusal | None:
    return next((refusal for check in checks if (refusal := check(clause))), None)


def _question(clause: Clause) -> Refusal | None:
    if clause.frame.text.rstrip("\"'”’)]").endswith("?"):
        return Refusal("question", "?")
    return None


def _contraction(clause: Clause) -> Refusal | None:
    words = [t.text for t in (clause.finite, *clause.finite.nbor(1).doc[clause.finite.i + 1 : clause.finite.i + 2])]
    short = [w for w in words if "'" in w or "’" in w]
    return Refusal("contraction", " ".join(words)) if short and short != ["'"] else None


def _focus(clause: Clause) -> Refusal | None:
    focus = next((t for t in clause.spine if t.lower_ in FOCUS), None)
    return Refusal("focus-word", focus.text) if focus else None


def _or_between_clauses(clause: Clause) -> Refusal | None:
    """A disjunction is not contradicted by contradicting one side of it."""
    joined = [clause.verb, *clause.verb.head.children]
    for word in joined:
        if word.dep_ == "cc" and word.lower_ in ("or", "nor") and _joins_clauses(word, clause):
            return Refusal("or-between-clauses", word.text)
    return None


def _joins_clauses(cc: Token, clause: Clause) -> bool:
    conjuncts = [c for c in cc.head.children if c.dep_ == "conj" and c.i > cc.i]
    return any(c not in clause.own or c == clause.verb for c in conjuncts if c.pos_ in ("VERB", "AUX"))


def _weak_modal(clause: Clause) -> Refusal | None:
    after = clause.finite.nbor(1) if clause.finite.i + 1 < len(clause.finite.doc) else clause.finite
    if clause.finite.lower_ in WEAK_MODALS or (clause.finite.lower_ == "may" and after.lower_ in ("have", "well")):
        return Refusal("weak-modal", f"{clause.finite.text} {after.text}")
    return None


def _but_not(clause: Clause) -> Refusal | None:
    """ "Nothing but", "cannot but", "all but": the exception turns the meaning."""
    but = next((t for t in clause.spine if t.lower_ == "but" and t.dep_ != "cc"), None)
    return Refusal("but-exception", but.text) if but else None


def _quantified_subject(clause: Clause) -> Refusal | None:
    heads = {clause.subject.i, *(c.i for c in clause.subject.lefts)}
    word = next((t for t in clause.subject_words if t.i in heads and t.lower_ in QUANTIFIERS), None)
    return Refusal("quantified-subject", word.text) if word else None


def _negative_words(clause: Clause) -> Refusal | None:
    word = next((t for t in clause.spine if t.lower_ in NEGATIVES and not _of_conjunct(t, clause)), None)
    return Refusal("several-negations", word.text) if word else None


def _of_conjunct(word: Token, clause: Clause) -> bool:
    return any(word in verb.children for verb in clause.coordinated)


def _positive_polarity(clause: Clause) -> Refusal | None:
    word = next((t for t in clause.spine if t.lower_ in POSITIVE_POLARITY and _freely(t)), None)
    return Refusal("positive-polarity", word.text) if word else None


def _freely(word: Token) -> bool:
    """Whether "too" and "well" are the final adverbs ("did so, too"), not degree ("too vague", "well founded")."""
    return word.lower_ not in ("too", "well") or word.head.pos_ in ("VERB", "AUX")


def _only_but(clause: Clause) -> Refusal | None:
    """ "Was invalid but severable": under "not" the rest would read as its correction."""
    word = next((t for t in clause.spine if t.lower_ == "but" and t.dep_ == "cc" and t.i > clause.finite.i), None)
    if word and not _next_is_finite(word):
        return Refusal("but-contrast", word.text)
    return None


def _contrast(clause: Clause, after: int) -> Refusal | None:
    """ "Not a tax but a fee": without "not" there is nothing to correct."""
    word = next((t for t in clause.spine if t.i > after and t.lower_ in ("but", "rather", "instead")), None)
    if word and not (word.lower_ == "but" and _next_is_finite(word)) and word.nbor(1).lower_ != "than":
        return Refusal("not-but", word.text)
    return None


def _next_is_finite(cc: Token) -> bool:
    verb = next((c for c in cc.head.children if c.dep_ == "conj" and c.i > cc.i), None)
    if verb is None or verb.pos_ not in ("VERB", "AUX"):
        return False
    return verb.tag_ in ("VBD", "VBZ", "VBP", "MD") or any(c.dep_ in ("aux", "auxpass") for c in verb.lefts)


def _is_bound(word: Token, clause: Clause) -> bool:
    """Whether the word needs the negation: not if something else licenses it or a modal gives it free choice."""
    if word.lower_ not in NEGATIVE_POLARITY:
        return False
    if word.lower_.startswith("any") and clause.finite.lower_ in _FREE_CHOICE:
        return False
    return not any(_licenses(a, word) for a in word.ancestors if a.i >= clause.verb.i)


def _licenses(ancestor: Token, word: Token) -> bool:
    words = {ancestor.lower_, *(c.lower_ for c in ancestor.children if c.i < word.i)}
    return bool(words & (LICENSERS | {"if", "unless"}))
