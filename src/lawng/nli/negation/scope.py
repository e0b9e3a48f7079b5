"""What the algorithm refuses: clauses that "not" does not turn into their opposite, or not for certain.

Each check is a function from a clause to a `Refusal` or None, named after its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lawng.nli.negation.clauses import Clause, own_auxiliaries
from lawng.nli.negation.inflect import base_form, forms
from lawng.nli.negation.results import Refusal
from lawng.nli.negation.words import (
    CONDITIONS,
    DO,
    FOCUS,
    GIVING,
    INSTITUTIONS,
    INTRANSITIVE,
    LICENSERS,
    NAMING,
    NEGATIVE_POLARITY,
    NEGATIVES,
    PLURALS,
    POSSIBLE,
    POSITIVE_POLARITY,
    QUANTIFIERS,
    RESTRAINING,
    WEAK_MODALS,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_PERFECT = frozenset({"have", "has", "had"})
_FREE_CHOICE = frozenset({"may", "can"})
_SHORT_FORMS = frozenset({"n't", "'s", "'re", "'ve", "'ll", "'d", "n’t", "’s", "’re", "’ve", "’ll", "’d"})
_OBJECTS = frozenset({"dobj", "ccomp", "xcomp", "dative", "prt", "attr", "acomp", "oprd", "advcl"})
_JOINTS = frozenset({",", "and", "but", ";", "-", "--", "—"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_EXPLAINED = frozenset({"advcl", "relcl", "acl", "pcomp", "csubj", "parataxis", "mark"})
Check = Callable[[Clause], Refusal | None]


def refuse_clause(clause: Clause) -> Refusal | None:
    """Why nothing in this clause may be touched, whichever rule applies; None when it may."""
    return _first(clause, _ALWAYS)


def refuse_adding(clause: Clause) -> Refusal | None:
    """Why "not" may not be added to the verb phrase of this clause; None when it may."""
    return _first(clause, (_quantified_subject, _agreement, _negative_words, _positive_polarity, _only_but))


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
    """Normalisation (A.1.2) writes these out; what is left may stand for two words."""
    short = next((t for t in (clause.finite, _next(clause.finite)) if t.lower_ in _SHORT_FORMS), None)
    return Refusal("contraction", short.text) if short else None


def _next(word: Token) -> Token:
    return word.nbor(1) if word.i + 1 < len(word.doc) else word


def _focus(clause: Clause) -> Refusal | None:
    words = {t.i: t for t in (*clause.spine, *(t for t in clause.own if t.lower_ == "only"))}
    focus = next((t for t in words.values() if t.lower_ in FOCUS and _focuses(t, clause)), None)
    return Refusal("focus-word", focus.text) if focus else None


def _focuses(word: Token, clause: Clause) -> bool:
    """Whether a "not" would fall on the word: it stands by the verb, or "only" makes a condition after it."""
    near = word.i <= max(clause.verb.i, clause.finite.i) + 1
    condition = _next(word).lower_ in CONDITIONS or clause.finite.tag_ == "MD"
    return near or (word.lower_ == "only" and condition)


def _contrastive_not(clause: Clause) -> Refusal | None:
    """ "Benefit children, not schools": the contrast would not survive."""
    after = [t for t in clause.own if t.i > clause.verb.i + 1]
    found = next((t for t in after if t.lower_ == "not" and t.nbor(-1).text in _JOINTS), None)
    found = found or next((t for t in after if t.lower_ == "rather" and _next(t).lower_ == "than"), None)
    return Refusal("contrast", f"{found.text} {_next(found).text}") if found else None


def _maybe_participle(clause: Clause) -> Refusal | None:
    """ "Conviction reversed", "petitioner denied relief": past tense by its tag, passive by its sense."""
    verb = clause.verb
    if clause.finite != verb or verb.tag_ != "VBD" or (clause.subject.lower_ in INSTITUTIONS and not _held_adjective(verb)):
        return None
    base = base_form(verb.text, "VBD")
    if base is None or verb.lower_ not in forms(base, "VBN"):
        return None
    objects = {"dobj", "ccomp"} if base in RESTRAINING else _OBJECTS
    has_object = any(c.dep_ in objects for c in verb.rights) and not _held_adjective(verb)
    if (has_object and base not in GIVING) or (base in INTRANSITIVE):
        return None
    return Refusal("maybe-participle", f"{clause.subject.text} {verb.text}")


def _held_adjective(verb: Token) -> bool:
    """ "Search held unreasonable", "murder held service connected"."""
    clausal = any(c.dep_ in ("ccomp", "xcomp") and c.pos_ in ("VERB", "AUX") for c in verb.rights)
    noun = any(c.dep_ == "dobj" and any(d.dep_ in ("det", "poss") for d in c.lefts) for c in verb.rights)
    return verb.lower_ in NAMING and not clausal and not noun


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
    word, after = clause.finite, _next(clause.finite)
    perfect = word.lower_ in ("may", "must") and any(a.lower_ == "have" for a in own_auxiliaries(clause.verb))
    possible = word.lower_ == "may" and (clause.verb.lower_ in POSSIBLE or after.lower_ == "well")
    if word.lower_ in WEAK_MODALS or perfect or possible:
        return Refusal("weak-modal", f"{word.text} {clause.verb.text}")
    return None


def _wrong_form(clause: Clause) -> Refusal | None:
    """An auxiliary and a verb form that do not go together: "has cause" read as a verb."""
    wanted = "VBN" if clause.finite.lower_ in _PERFECT else "VB" if clause.finite.lower_ in DO else None
    last = own_auxiliaries(clause.verb)[-1:] == [clause.finite]
    if clause.finite != clause.verb and last and wanted and clause.verb.tag_ not in (wanted, "VBD", "VBP"):
        return Refusal("parse-unsure", f"{clause.finite.text} {clause.verb.text}")
    return None


def _but_not(clause: Clause) -> Refusal | None:
    """ "Nothing but", "cannot but", "all but": the exception turns the meaning."""
    but = next((t for t in clause.spine if t.lower_ == "but" and t.dep_ != "cc"), None)
    return Refusal("but-exception", but.text) if but else None


def _inside_quotation(clause: Clause) -> Refusal | None:
    """A quotation that begins before the subject, but not with the sentence, hides the words that govern it."""
    before = clause.frame.sentence[: max(clause.at(clause.subject.left_edge), 0)]
    marks = sum(before.count(mark) for mark in "\"“”")
    return Refusal("inside-quotation", clause.subject.text) if marks % 2 and before[0] not in "\"“" else None


def _unexplained_verb(clause: Clause) -> Refusal | None:
    """A finite verb before the subject that no subordinate clause accounts for: the parse took the wrong clause."""
    before = (t for t in clause.own if t.i < clause.subject.left_edge.i and t.tag_ in _FINITE)
    found = next((t for t in before if not any(w.dep_ in _EXPLAINED for w in (t, *t.ancestors) if w.i < clause.verb.i)), None)
    return Refusal("parse-unsure", found.text) if found else None


def _elliptical_do(clause: Clause) -> Refusal | None:
    """ "Did so infringe": emphasis that the parser takes for a main verb."""
    rest = clause.verb.doc[clause.verb.i + 1 : clause.verb.i + 3]
    elliptical = clause.verb.lower_ in DO and clause.finite == clause.verb and any(t.tag_ in ("VB", "VBP") for t in rest)
    return Refusal("parse-unsure", f"{clause.verb.text} {rest.text}") if elliptical else None


_ALWAYS: tuple[Check, ...] = (
    _question,
    _contraction,
    _focus,
    _contrastive_not,
    _maybe_participle,
    _or_between_clauses,
    _weak_modal,
    _wrong_form,
    _but_not,
    _inside_quotation,
    _unexplained_verb,
    _elliptical_do,
)


def _quantified_subject(clause: Clause) -> Refusal | None:
    heads = {clause.subject.i, *(c.i for c in clause.subject.lefts)}
    words = [t for t in clause.subject_words if t.i in heads and t.lower_ in QUANTIFIERS]
    word = next(iter(words or (t for t in clause.subject_words if _is_share(t))), None)
    return Refusal("quantified-subject", word.text) if word else None


def _is_share(word: Token) -> bool:
    """ "65% of the voters", "13 out of 61": that some did not is no contradiction."""
    return word.lower_ in ("%", "percent", "percentage") or (word.tag_ == "CD" and _next(word).lower_ in ("of", "out"))


def _agreement(clause: Clause) -> Refusal | None:
    """ "The State use" (after a lost "requiring that"): a subjunctive takes no do-support."""
    plural = any(c.dep_ in ("conj", "appos") for c in clause.subject.children) or clause.subject.lower_ in PLURALS
    clash = clause.finite == clause.verb and clause.verb.tag_ == "VBP" and clause.subject.tag_ in ("NN", "NNP")
    return Refusal("agreement", f"{clause.subject.text} {clause.verb.text}") if clash and not plural else None


def _negative_words(clause: Clause) -> Refusal | None:
    word = next((t for t in clause.spine if t.lower_ in NEGATIVES and not _of_conjunct(t, clause)), None)
    return Refusal("several-negations", word.text) if word else None


def _of_conjunct(word: Token, clause: Clause) -> bool:
    return any(word in verb.children for verb in clause.coordinated)


def _positive_polarity(clause: Clause) -> Refusal | None:
    word = next((t for t in clause.spine if t.lower_ in POSITIVE_POLARITY and _freely(t)), None)
    return Refusal("positive-polarity", word.text) if word else None


def _freely(word: Token) -> bool:
    """Whether "too" and "well" are final adverbs ("did so too", "as well"), not degree ("too vague", "well settled")."""
    if word.lower_ == "well":
        return word.i > 0 and word.nbor(-1).lower_ == "as" and _next(word).lower_ != "as"
    return word.lower_ != "too" or word.head.pos_ in ("VERB", "AUX")


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
    if word.lower_ == "either" and any(t.lower_ == "or" and t.i > word.i for t in clause.own):
        return False
    if word.lower_.startswith("any") and clause.finite.lower_ in _FREE_CHOICE:
        return False
    return not any(_licenses(a, word) for a in word.ancestors if a.i >= clause.verb.i)


def _licenses(ancestor: Token, word: Token) -> bool:
    words = {ancestor.lower_, *(c.lower_ for c in ancestor.children if c.i < word.i)}
    return bool(words & (LICENSERS | {"if", "unless"}))
