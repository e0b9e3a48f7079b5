"""Step 3 of the contradiction algorithm (LawngNLI, A.1.5): past participles that stand for a passive clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawng.nli.negation.clauses import Clause
from lawng.nli.negation.edits import Edit, Plan
from lawng.nli.negation.inflect import base_form
from lawng.nli.negation.polarity import refuse_adding, refuse_removing
from lawng.nli.negation.results import Refusal
from lawng.nli.negation.words import INTRANSITIVE, NEGATIVES

if TYPE_CHECKING:
    from spacy.tokens import Token


def participle_rule(clause: Clause) -> Plan | Refusal | None:
    """Put "not" before a bare participle or take it away: "search not held unreasonable"; None for other clauses."""
    if not clause.is_bare_participle:
        return None
    negation = _not_before(clause.verb)
    if not _stands_for_passive(clause):
        return Refusal("maybe-participle", clause.verb.text)
    other = next((t for t in clause.own if t.lower_ in NEGATIVES and t != negation), None)
    if other is not None:
        return Refusal("several-negations", other.text)
    if negation is None:
        place = clause.at(clause.verb)
        return refuse_adding(clause) or Plan((Edit(place, place, "not "),), False, "participle: add not")
    edit = Edit(clause.at(negation), clause.end(negation) + 1, "")
    plan = Plan((edit,), True, "participle: remove not")
    return refuse_removing(clause, (negation,), negation.i) or plan


def _stands_for_passive(clause: Clause) -> bool:
    """Whether the participle follows its subject at once and governs no noun."""
    negation = _not_before(clause.verb)
    before = (negation or clause.verb).nbor(-1)
    while before.pos_ == "ADV" and before.i > clause.subject.i:
        before = before.nbor(-1)
    governs = any(c.dep_ in ("dobj", "ccomp", "xcomp") for c in clause.verb.rights)
    intransitive = base_form(clause.verb.text, "VBD") in INTRANSITIVE
    return before.pos_ in ("NOUN", "PROPN") and before in clause.subject_words and not governs and not intransitive


def _not_before(verb: Token) -> Token | None:
    before = verb.nbor(-1) if verb.i else verb
    return before if before.lower_ == "not" else None
