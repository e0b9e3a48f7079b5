"""Meanings that "not" does not turn into their opposite, whatever the rule; each check is named after its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawng.nli.negation.checks import Check, first_refusal, next_word
from lawng.nli.negation.clauses import Clause, own_auxiliaries
from lawng.nli.negation.results import Refusal
from lawng.nli.negation.words import BE, CONDITIONS, FOCUS, POSSIBLE, WEAK_MODALS

if TYPE_CHECKING:
    from spacy.tokens import Token

_SHORT_FORMS = frozenset({"n't", "'s", "'re", "'ve", "'ll", "'d", "n’t", "’s", "’re", "’ve", "’ll", "’d"})
_JOINTS = frozenset({",", "and", "but", ";", "-", "--", "—"})


def refuse_meaning(clause: Clause) -> Refusal | None:
    """Why the meaning of this clause forbids any change; None when it does not."""
    return first_refusal(clause, _MEANINGS)


def _question(clause: Clause) -> Refusal | None:
    if clause.frame.text.rstrip("\"'”’)]").endswith("?"):
        return Refusal("question", "?")
    return None


def _contraction(clause: Clause) -> Refusal | None:
    """Normalisation (A.1.2) writes these out; what is left may stand for two words."""
    short = next((t for t in (clause.finite, next_word(clause.finite)) if t.lower_ in _SHORT_FORMS), None)
    return Refusal("contraction", short.text) if short else None


def _focus(clause: Clause) -> Refusal | None:
    words = {t.i: t for t in (*clause.spine, *(t for t in clause.own if t.lower_ == "only"))}
    focus = next((t for t in words.values() if t.lower_ in FOCUS and _focuses(t, clause)), None)
    return Refusal("focus-word", focus.text) if focus else None


def _focuses(word: Token, clause: Clause) -> bool:
    """Whether a "not" would fall on the word: it stands by the verb, or "only" makes a condition after it."""
    condition = word.lower_ == "only" and (next_word(word).lower_ in CONDITIONS or clause.finite.tag_ == "MD")
    before_object = word.lower_ == "only" and word.i == clause.verb.i + 1 and clause.verb.lower_ not in BE
    near = word.i <= max(clause.verb.i, clause.finite.i) + 1
    return condition or (near and not before_object)


def _contrastive_not(clause: Clause) -> Refusal | None:
    """ "Benefit children, not schools": the contrast would not survive."""
    hidden = {
        t.i for word in clause.own if word.dep_ in ("ccomp", "relcl") and word != clause.verb for t in word.subtree
    }
    after = [t for t in clause.own if t.i > clause.verb.i and t.i not in hidden]
    found = next((t for t in after if t.lower_ == "not" and t.nbor(-1).text in _JOINTS), None)
    found = found or next((t for t in after if t.lower_ == "rather" and next_word(t).lower_ == "than"), None)
    return Refusal("contrast", f"{found.text} {next_word(found).text}") if found else None


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
    """ "Might", "may have", "must have": what is possible or likely is compatible with its negation."""
    word, after = clause.finite, next_word(clause.finite)
    perfect = word.lower_ in ("may", "must") and any(a.lower_ == "have" for a in own_auxiliaries(clause.verb))
    possible = word.lower_ == "may" and (clause.verb.lower_ in POSSIBLE or after.lower_ == "well")
    if word.lower_ in WEAK_MODALS or perfect or possible:
        return Refusal("weak-modal", f"{word.text} {clause.verb.text}")
    return None


def _but_not(clause: Clause) -> Refusal | None:
    """ "Nothing but", "cannot but", "all but": the exception turns the meaning."""
    but = next((t for t in clause.spine if t.lower_ == "but" and t.dep_ != "cc"), None)
    return Refusal("but-exception", but.text) if but else None


def _inside_quotation(clause: Clause) -> Refusal | None:
    """A quotation that begins before the subject, but not with the sentence, hides the words that govern it."""
    before = clause.frame.sentence[: max(clause.at(clause.subject.left_edge), 0)]
    marks = sum(before.count(mark) for mark in '"“”')
    return Refusal("inside-quotation", clause.subject.text) if marks % 2 and before[0] not in '"“' else None


_MEANINGS: tuple[Check, ...] = (
    _question,
    _contraction,
    _focus,
    _contrastive_not,
    _or_between_clauses,
    _weak_modal,
    _but_not,
    _inside_quotation,
)
