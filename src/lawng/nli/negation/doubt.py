"""Signs that the parse is wrong: headlines without "was", words that no part of the clause accounts for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawng.nli.negation.checks import first_refusal
from lawng.nli.negation.clauses import Clause, own_auxiliaries
from lawng.nli.negation.inflect import base_form, forms
from lawng.nli.negation.results import Refusal
from lawng.nli.negation.words import DO, GIVING, INSTITUTIONS, INTRANSITIVE, NAMING, RESTRAINING

if TYPE_CHECKING:
    from spacy.tokens import Token

_PERFECT = frozenset({"have", "has", "had"})
_OBJECTS = frozenset({"dobj", "ccomp", "xcomp", "dative", "prt", "attr", "acomp", "oprd", "advcl"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_EXPLAINED = frozenset({"advcl", "relcl", "acl", "pcomp", "csubj", "parataxis", "mark"})
_ADVERBIAL = frozenset({"advmod", "advcl", "prep", "cc", "mark", "npadvmod", "intj", "preconj", "aux", "neg", "meta"})


def refuse_parse(clause: Clause) -> Refusal | None:
    """Why the parse of this clause is not believed; None when it is."""
    return first_refusal(
        clause, (_maybe_participle, _wrong_form, _unexplained_opening, _unexplained_verb, _elliptical_do)
    )


def _maybe_participle(clause: Clause) -> Refusal | None:
    """ "Conviction reversed", "petitioner denied relief": past tense by its tag, passive by its sense."""
    verb = clause.verb
    if (
        clause.finite != verb
        or verb.tag_ != "VBD"
        or (clause.subject.lower_ in INSTITUTIONS and not _held_adjective(verb))
    ):
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


def _wrong_form(clause: Clause) -> Refusal | None:
    """An auxiliary and a verb form that do not go together: "has cause" read as a verb."""
    wanted = "VBN" if clause.finite.lower_ in _PERFECT else "VB" if clause.finite.lower_ in DO else None
    last = own_auxiliaries(clause.verb)[-1:] == [clause.finite]
    if clause.finite != clause.verb and last and wanted and clause.verb.tag_ not in (wanted, "VBD", "VBP"):
        return Refusal("parse-unsure", f"{clause.finite.text} {clause.verb.text}")
    return None


def _unexplained_opening(clause: Clause) -> Refusal | None:
    """Words before the subject that are no adverbial: the parse took the wrong subject or verb."""
    before = (c for c in clause.verb.lefts if c.i < clause.subject.left_edge.i and c in clause.own)
    found = next((c for c in before if c.dep_ not in _ADVERBIAL and not c.is_punct), None)
    return Refusal("parse-unsure", found.text) if found else None


def _unexplained_verb(clause: Clause) -> Refusal | None:
    """A finite verb before the subject that no subordinate clause accounts for: the parse took the wrong clause."""
    before = (t for t in clause.own if t.i < clause.subject.left_edge.i and t.tag_ in _FINITE)
    found = next(
        (t for t in before if not any(w.dep_ in _EXPLAINED for w in (t, *t.ancestors) if w.i < clause.verb.i)), None
    )
    return Refusal("parse-unsure", found.text) if found else None


def _elliptical_do(clause: Clause) -> Refusal | None:
    """ "Did so infringe": emphasis that the parser takes for a main verb."""
    rest = clause.verb.doc[clause.verb.i + 1 : clause.verb.i + 3]
    elliptical = (
        clause.verb.lower_ in DO and clause.finite == clause.verb and any(t.tag_ in ("VB", "VBP") for t in rest)
    )
    return Refusal("parse-unsure", f"{clause.verb.text} {rest.text}") if elliptical else None
