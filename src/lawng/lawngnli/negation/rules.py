"""The rules of the contradiction algorithm (LawngNLI, A.1.5): indefinite pronouns, verb phrases, bare participles.

Step 1: "some" and "no" are exact contradictories, as are "either ... or" and "neither ... nor", "all" and "not all".
Steps 2 and 3, after Bilu et al. (2015), section 4.2, and its reverse: in the highest-level verb phrase "not" after an
auxiliary, do-support for other verbs, "cannot" for "can"; an existing "not", "never" or "no longer" is taken away and
agreement restored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawng.lawngnli.negation import lexicon
from lawng.lawngnli.negation.clauses import Clause, next_word, own_auxiliaries
from lawng.lawngnli.negation.refusals import refuse_adding, refuse_removing
from lawng.lawngnli.negation.results import Edit, Plan, like
from lawng.lawngnli.records import Refusal

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEGATIVE = frozenset({"no", "none", "no one", "nobody", "nothing", "neither"})
_OBJECTS = {"dobj", "attr", "pobj", "oprd"}


def subject_rule(clause: Clause) -> Plan | Refusal | None:
    """Swap the indefinite pronoun or determiner of the subject; None when it has none.

    "No funds reached the school" and "some funds reached the school" (A.1.5, step 1).
    """
    return _correlative(clause) or _universal(clause) or _swap(clause, _subject_pronoun(clause), "subject")


def object_rule(clause: Clause) -> Plan | Refusal | None:
    """Swap "no" and "some" in what the verb governs: "had no duty" and "had some duty"; None when there is none.

    With such an object a "not" in the verb phrase would make a double negative.
    """
    return _swap(clause, next((t for t in clause.spine if _is_object_pronoun(t, clause)), None), "object")


def _swap(clause: Clause, word: Token | None, place: str) -> Plan | Refusal | None:
    if word is None:
        return None
    old = _pronoun_at(word)
    end = clause.end(word.nbor(1) if old == "no one" else word)
    exception = next((t for t in clause.own if t.lower_ in ("unless", "except")), None)
    if exception is not None and place == "subject":
        return Refusal("exception", exception.text)
    if _agreement_breaks(clause, word):
        return Refusal("agreement", f"{word.text} ... {clause.finite.text}")
    new = "none" if old == "some" and word.dep_ not in ("det", "amod") else lexicon.SUBJECT_PAIRS[old]
    edit = Edit(clause.at(word), end, like(clause.text(word), new))
    return _checked(clause, Plan((edit,), old in _NEGATIVE, f"pronoun: {place} {old} to {new}"), (word,))


def _agreement_breaks(clause: Clause, word: Token) -> bool:
    """ "None of the statutes requires", but "some of the statutes require"."""
    singular = clause.finite.tag_ == "VBZ" or clause.finite.lower_ == "was"
    of_many = any(n.tag_ in ("NNS", "NNPS") for p in word.children if p.lower_ == "of" for n in p.children)
    return word == clause.subject and word.lower_ in ("none", "some") and singular and of_many


def _checked(clause: Clause, plan: Plan, gone: tuple[Token, ...]) -> Plan | Refusal:
    """The plan, unless a negation elsewhere makes it more than one change, or a word needs the one that goes."""
    if plan.removes:
        return refuse_removing(clause, gone, gone[-1].i) or plan
    others = [t for t in clause.spine if t.lower_ in lexicon.NEGATIVES and t not in gone]
    return Refusal("several-negations", " ".join(t.text for t in others)) if others else plan


def _subject_pronoun(clause: Clause) -> Token | None:
    """The indefinite word that quantifies the subject: itself, or its first determiner."""
    first = clause.subject_words[0]
    heads = (clause.subject, clause.subject.head if clause.subject.dep_ == "expl" else clause.subject)
    quantifies = first in heads or (first.head == clause.subject and first.dep_ in ("det", "preconj", "neg", "advmod"))
    return first if quantifies and _pronoun_at(first) in lexicon.SUBJECT_PAIRS else None


def _is_object_pronoun(word: Token, clause: Clause) -> bool:
    swapped = _pronoun_at(word) in lexicon.SUBJECT_PAIRS and word.lower_ not in ("either", "neither")
    if word.i <= clause.finite.i or not swapped:
        return False
    noun = word.head if word.dep_ in ("det", "neg") else word
    head = noun.head.head if noun.dep_ == "pobj" else noun.head  # the verb itself, or one preposition of it
    is_object = noun.dep_ in _OBJECTS and noun.i > clause.finite.i and head == clause.verb
    return is_object and noun.lower_ not in lexicon.IDIOMS


def _pronoun_at(word: Token) -> str:
    return "no one" if (word.lower_, next_word(word).lower_) == ("no", "one") else word.lower_


def _correlative(clause: Clause) -> Plan | Refusal | None:
    """ "Neither A nor B" and "either A or B", in the subject or after "be"."""
    pair = _pair(clause, "neither", "nor") or _pair(clause, "either", "or")
    if pair is None:
        return None
    first, second = pair
    new = ("either", "or") if first.lower_ == "neither" else ("neither", "nor")
    edits = [Edit(clause.at(t), clause.end(t), like(clause.text(t), word)) for t, word in zip(pair, new, strict=True)]
    rule = f"pronoun: {first.lower_} ... {second.lower_} to {' ... '.join(new)}"
    return _checked(clause, Plan(tuple(edits), first.lower_ == "neither", rule), pair)


def _pair(clause: Clause, first: str, second: str) -> tuple[Token, Token] | None:
    one = next((t for t in clause.spine if t.lower_ == first), None)
    two = next((t for t in clause.spine if one is not None and t.lower_ == second and t.i > one.i), None)
    if one is None or two is None or (two.head.pos_ in ("VERB", "AUX") and two.head != clause.verb):
        return None
    in_subject = one.i <= clause.subject.i < two.i < clause.finite.i and one == clause.own[0]
    after_be = clause.verb.pos_ == "AUX" and one.i > clause.finite.i and one.i - clause.verb.i == 1
    return (one, two) if in_subject or after_be else None


def _universal(clause: Clause) -> Plan | Refusal | None:
    """ "All X" and "not all X"; a "not" in the verb phrase as well makes it ambiguous."""
    words = clause.subject_words
    before = words[0].nbor(-1) if words[0].i else words[0]
    if before.lower_ == "not" and before != words[0] and before in clause.own:
        words = (before, *words)
    negated = words[0].lower_ == "not"
    first = words[1] if negated and len(words) > 1 else words[0]
    governor = words[0].nbor(-1) if words[0].i else words[0]
    after_preposition = governor.tag_ == "IN" and governor.lower_ != "that" and governor != words[0]
    if first.lower_ not in lexicon.UNIVERSALS or first.left_edge.i < words[0].i or after_preposition:
        return None
    if negated:
        edit = Edit(clause.at(words[0]), clause.end(first), like(clause.text(words[0]), first.lower_))
        return _checked(clause, Plan((edit,), True, f"pronoun: not {first.lower_} to {first.lower_}"), (words[0],))
    edit = Edit(clause.at(first), clause.end(first), like(clause.text(first), "not ") + first.lower_)
    return _checked(clause, Plan((edit,), False, f"pronoun: {first.lower_} to not {first.lower_}"), (first,))


def verb_rule(clause: Clause) -> Plan | Refusal | None:
    """Negate the verb phrase, or take its negation away; None when the verb is a bare participle (A.1.5, step 2)."""
    if clause.is_bare_participle:
        return None
    # the "not" of the verb phrase: after its finite word, and not past its main verb's first dependent
    heads = {clause.verb, clause.finite, *clause.verb.rights}
    group = range(clause.finite.i + 1, max(clause.verb.i, clause.finite.i + 3) + 1)
    negation = next((t for t in clause.spine if t.lower_ == "not" and t.i in group and t.head in heads), None)
    if negation is not None:
        return refuse_removing(clause, (negation,), negation.i) or _remove(clause, negation)
    return _time_adverb(clause) or object_rule(clause) or refuse_adding(clause) or _add(clause)


def _remove(clause: Clause, negation: Token) -> Plan | Refusal:
    finite, start = clause.finite, clause.at(negation)
    if finite.lower_ == "need" and finite != clause.verb:
        return _need_not(clause, negation)
    if finite.lower_ in lexicon.DO and finite != clause.verb:
        return _remove_do(clause, negation)
    if clause.frame.text[negation.idx - 1] == " ":  # the word goes with the blank before it
        start -= 1
    return Plan((Edit(start, clause.end(negation), ""),), True, "verb: remove not")


def _remove_do(clause: Clause, negation: Token) -> Plan | Refusal:
    """ "Did not hold or find" becomes "held or found"."""
    tag = lexicon.DO[clause.finite.lower_]
    edits = [Edit(clause.at(clause.finite), clause.end(negation) + 1, "")]
    sharing = [v for v in clause.coordinated if v.tag_ in ("VB", "VBP") and not own_auxiliaries(v)]
    for verb in (clause.verb, *sharing):
        form = lexicon.inflected(verb.lower_, tag)
        if form is None:
            return Refusal("no-form", verb.text)
        edits.append(Edit(clause.at(verb), clause.end(verb), form))
    if negation.i != clause.finite.i + 1:
        return Refusal("adverb-before-not", negation.nbor(-1).text)
    return Plan(tuple(edits), True, "verb: remove do-support")


def _need_not(clause: Clause, negation: Token) -> Plan:
    """ "Need not show" is contradicted by "needs to show"."""
    subject = clause.subject
    plural = subject.tag_ in ("NNS", "NNPS") or subject.lower_ in lexicon.PLURALS
    plural = plural or any(c.dep_ == "conj" for c in subject.children)
    edit = Edit(clause.at(clause.finite), clause.end(negation), "need to" if plural else "needs to")
    return Plan((edit,), True, "verb: need not to need to")


def _time_adverb(clause: Clause) -> Plan | Refusal | None:
    """ "Never" and "sometimes", "no longer" and "still": contradictories of their own."""
    swaps = {"never": "sometimes", "sometimes": "never", "still": "no longer"}
    for word in clause.spine:
        if word.head not in (clause.verb, clause.finite, *clause.verb.children) or not _in_verb_group(word, clause):
            continue
        if word.lower_ in swaps:
            return _swapped(clause, (word,), swaps[word.lower_])
        if word.lower_ == "longer" and word.nbor(-1).lower_ == "no":
            return _swapped(clause, (word.nbor(-1), word), "still")
    return None


def _in_verb_group(word: Token, clause: Clause) -> bool:
    start, end = clause.subject.i, max(clause.verb.i, clause.finite.i + 2)
    return start < word.i <= end and word not in clause.subject_words


def _swapped(clause: Clause, words: tuple[Token, ...], new: str) -> Plan | Refusal:
    removes = new in ("sometimes", "still")
    old = " ".join(w.lower_ for w in words)
    plan = Plan((Edit(clause.at(words[0]), clause.end(words[-1]), new),), removes, f"verb: {old} to {new}")
    if removes:
        return refuse_removing(clause, words, words[-1].i) or plan
    refusal = refuse_adding(clause)
    return refusal if refusal and refusal.detail not in {w.text for w in words} else plan


def _add(clause: Clause) -> Plan | Refusal:
    """ "Not" after the finite auxiliary and the sentence adverbs that follow it; "cannot" is one word."""
    finite = clause.finite
    place = clause.end(finite)
    needs = finite == clause.verb and finite.lower_ in ("need", "needs")
    if needs and finite.nbor(1).lower_ == "to" and finite.nbor(1).tag_ == "TO":
        edit = Edit(clause.at(finite), clause.end(finite.nbor(1)), "need not")
        return Plan((edit,), False, "verb: need to to need not")
    if finite == clause.verb and finite.lower_ not in lexicon.BE:
        return _add_do(clause)
    if finite.lower_ == "can":
        return Plan((Edit(place, place, "not"),), False, "verb: can to cannot")
    place = clause.end(_last_outside(finite))
    return Plan((Edit(place, place, " not"),), False, "verb: add not")


def _last_outside(finite: Token) -> Token:
    last = finite
    while last.i + 1 < len(last.doc) and (last.nbor(1).lower_ in lexicon.SENTENCE_ADVERBS or last.nbor(1).text == ","):
        last = last.nbor(1)
    return last if last.text != "," or last.nbor(-1).lower_ in lexicon.SENTENCE_ADVERBS else finite


def _add_do(clause: Clause) -> Plan | Refusal:
    """ "Held or found" becomes "did not hold or find"; adverbs of manner stay with the verb."""
    verb, tag = clause.verb, clause.verb.tag_
    if tag not in lexicon.DO_FOR or verb.lower_ in lexicon.MODALS:
        return Refusal("no-form", f"{verb.text} {tag}")
    place = clause.at(_first_of_group(clause))
    edits = [Edit(place, place, f"{lexicon.DO_FOR[tag]} not ")]
    for each in (verb, *_sharing(clause, tag)):
        base = lexicon.base_form(each.text, tag)
        if base is None:
            return Refusal("no-form", f"{each.text} {tag}")
        edits.append(Edit(clause.at(each), clause.end(each), base))
    insert, replaced, *rest = edits
    if insert.start == replaced.start:  # an insertion right before a replaced word becomes part of the replacement
        edits = [Edit(replaced.start, replaced.end, insert.new + replaced.new), *rest]
    return Plan(tuple(edits), False, "verb: add do-support")


def _sharing(clause: Clause, tag: str) -> list[Token]:
    """The coordinated verbs that stand under the same "did": same form, no auxiliary, joined by "and" or "or"."""
    tags = (tag, "VBN") if tag == "VBD" else (tag,)
    plain = [v for v in clause.coordinated if v.tag_ in tags and v.lower_ not in lexicon.BE | lexicon.HAVE.keys()]
    return [v for v in plain if _joined_plainly(v)]


def _joined_plainly(verb: Token) -> bool:
    joints = [c.lower_ for c in verb.head.children if c.dep_ == "cc" and c.i < verb.i]
    negated = any(c.dep_ == "neg" for c in verb.children)
    return "but" not in joints and not own_auxiliaries(verb) and not negated


def _first_of_group(clause: Clause) -> Token:
    first = clause.verb
    while first.i > 0 and first.nbor(-1).head == clause.verb and first.nbor(-1).pos_ == "ADV":
        if first.nbor(-1).lower_ in lexicon.SENTENCE_ADVERBS or first.nbor(-1).i <= clause.subject.i:
            break
        first = first.nbor(-1)
    return first


def participle_rule(clause: Clause) -> Plan | Refusal | None:
    """Put "not" before a bare participle or take it away: "search not held unreasonable"; None for other clauses."""
    if not clause.is_bare_participle:
        return None
    verb = clause.verb
    negation = verb.nbor(-1) if verb.i and verb.nbor(-1).lower_ == "not" else None
    if not _stands_for_passive(clause, negation or verb):
        return Refusal("maybe-participle", verb.text)
    other = next((t for t in clause.own if t.lower_ in lexicon.NEGATIVES and t != negation), None)
    if other is not None:
        return Refusal("several-negations", other.text)
    if negation is None:
        place = clause.at(verb)
        return refuse_adding(clause) or Plan((Edit(place, place, "not "),), False, "participle: add not")
    edit = Edit(clause.at(negation), clause.end(negation) + 1, "")
    plan = Plan((edit,), True, "participle: remove not")
    return refuse_removing(clause, (negation,), negation.i) or plan


def _stands_for_passive(clause: Clause, first: Token) -> bool:
    """Whether the participle, or the "not" before it, follows its subject at once, and the verb governs no noun."""
    before = first.nbor(-1)
    while before.pos_ == "ADV" and before.i > clause.subject.i:
        before = before.nbor(-1)
    governs = any(c.dep_ in ("dobj", "ccomp", "xcomp") for c in clause.verb.rights)
    intransitive = lexicon.base_form(clause.verb.text, "VBD") in lexicon.INTRANSITIVE
    return before.pos_ in ("NOUN", "PROPN") and before in clause.subject_words and not governs and not intransitive
