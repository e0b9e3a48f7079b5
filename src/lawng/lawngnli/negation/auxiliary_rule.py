"""The "not" of a main clause that closed-class words show: where it goes or stands, and why it is left alone.

Since no parse is believed here, every word counts that might fall under the "not" or cannot do without it.
"""

from __future__ import annotations

from itertools import pairwise

from lawng.lawngnli.negation import lexicon
from lawng.lawngnli.negation.auxiliary import (
    MainClause,
    Word,
    Words,
    after_adverbs,
    is_adverb,
    is_finite,
    is_sure_verb,
    opens,
    sure_tag,
)
from lawng.lawngnli.negation.results import Edit, Plan

_NEVER_AFTER = frozenset({"but", "unless", "except", "only", "rather", "instead", "'s", "’s", "still", "alone", "nor"})
"""Contrasts and exceptions, anywhere after the verb: what they leave behind would not survive."""
_BEFORE_CONTRAST = frozenset({",", "and", "—", "–", "--", "-"})
_TIME = frozenset({"still", "always", "ever", "sometimes"})
_NOMINAL = frozenset({"JJ", "NN", "NNS", "NNP", "CD", "PRP$"})
_AND = frozenset({"and", "or", ","})


def auxiliary_rule(clause: MainClause, sentence: str) -> Plan | None:
    """Add or remove the "not" of the clause; None where its words leave a doubt."""
    if _is_quantified(clause.subject) or _is_inside_quotation(clause, sentence) or _is_guarded(clause):
        return None
    negation, near = _negation(clause), _own_words(clause.rest)
    if any(w.lower in lexicon.NEGATIVES and w != negation for w in near):
        return None
    if clause.finite.lower in lexicon.DO:
        return _removed_do(clause, negation)
    if _is_lexical(clause):
        return _added_do(clause, near)
    if not _is_sure_auxiliary(clause):
        return None
    return _removed(clause, negation, sentence) if negation else _added(clause, near)


def _is_quantified(subject: Words) -> bool:
    """A subject of which "not" would be said in two ways, or to which it would be no contradiction."""
    first = {w.lower for w in subject[:3]}
    definite = first & lexicon.DEFINITE
    shares = any(w.lower in lexicon.SHARES | {"%", "percent", "percentage"} for w in subject)
    numeral = next((i for i, w in enumerate(subject[:4]) if w.tagged({"CD"})), None)
    named = any(w.tagged({"NN", "NNS", "NNP", "NNPS"}) for w in subject[:numeral])  # "Chapter 2"
    number = numeral is not None and not definite and not named
    bad = any(w.lower in lexicon.NEGATIVES | lexicon.FOCUS | _TIME for w in subject)
    return bad or shares or number or bool(first & lexicon.QUANTIFIERS | first & {"more", "less", "enough"})


def _is_inside_quotation(clause: MainClause, sentence: str) -> bool:
    before = sentence[: clause.finite.start]
    open_mark = before.count('"') % 2 or before.count("“") > before.count("”")
    return bool(open_mark) or before.count("(") > before.count(")") or before.count("[") > before.count("]")


def _is_guarded(clause: MainClause) -> bool:
    """Contrasts, exceptions, conditions and questions, and an "or" between clauses."""
    rest = clause.rest
    lower = [w.lower for w in rest]
    contrast = any(a in _BEFORE_CONTRAST and b == "not" for a, b in pairwise(lower))
    focus = any(w.lower in lexicon.FOCUS for w in rest[:4])
    return bool(_NEVER_AFTER & set(lower)) or contrast or focus or lower[-1:] == ["?"] or _has_wide_or(rest)


def _has_wide_or(rest: Words) -> bool:
    """ "Is void, or the officer is liable": a disjunction is not contradicted by one side of it."""
    own = _own_words(rest)
    last = next((i for i, word in enumerate(own) if word.lower == "or"), len(own))
    return any(is_finite(own, i) for i in range(last + 1, len(own)))


def _own_words(rest: Words) -> Words:
    """The words up to the first that opens a clause."""
    opened = (i for i, w in enumerate(rest) if opens(rest, i) and w.lower not in lexicon.PREPOSITIONS)
    stops = (i for i, w in enumerate(rest) if w.lower in (";", ":"))
    return rest[: min(next(opened, len(rest)), next(stops, len(rest)))]


def _negation(clause: MainClause) -> Word | None:
    """The "not" after the finite word, adverbs between them skipped."""
    first = after_adverbs(clause.rest)
    return first if first and first.lower == "not" else None


def _is_sure_auxiliary(clause: MainClause) -> bool:
    """Whether what follows makes the finite word an auxiliary, or "be", and the clause no mere possibility."""
    finite = clause.finite.lower
    after = next((w for w in clause.rest if not is_adverb(w) and w.lower != "not"), None)
    if after is None or finite in lexicon.WEAK_MODALS:
        return False
    if finite in lexicon.HAVE:
        return after.lower == "been" or after.tagged({"VBN"})
    if finite in lexicon.BE:
        return True
    aside = after.lower in lexicon.PREPOSITIONS | {","}
    verb = after.lower in ("be", "have") or after.tagged({"VB"})
    if finite in ("may", "must") and after.lower == "have":
        return False
    return (verb or aside) and (finite != "may" or _is_permission(clause, after))


def _is_permission(clause: MainClause, after: Word) -> bool:
    """Whether "may" tells what someone is permitted to do, or "may not" what must not be done."""
    if after.lower == "be":
        place = clause.words.index(after)
        done = after_adverbs(clause.words[place + 1 :])
        return done is not None and done.tagged({"VBN"}) and _negation(clause) is not None
    noun = [w for w in clause.subject if not is_adverb(w)]
    ends = (i for i, w in enumerate(noun) if w.lower in lexicon.PREPOSITIONS | {",", "—", "–"} or w.tagged({"VBN"}))
    head = noun[next(ends, len(noun)) - 1]
    acts = head.lower in lexicon.INSTITUTIONS | lexicon.PERSONS or head.tagged({"NNP", "NNPS"})
    acts = acts or head.lower.removesuffix("s").endswith(lexicon.PERSONAL_SUFFIXES)
    return acts and not any(w.lower in lexicon.POSSIBLE for w in _own_words(clause.rest)[:12])


def _removed(clause: MainClause, negation: Word, sentence: str) -> Plan | None:
    chosen = clause.finite.lower in ("may", "can")  # "may charge any fee": free choice, but not in a clause below
    own = _own_words(clause.rest)
    bound = _has_bound(own, lexicon.STRICT_POLARITY) or _has_bound(clause.rest[len(own) :]) if chosen else False
    if bound or (not chosen and _has_bound(clause.rest)):
        return None
    start = negation.start - (sentence[negation.start - 1] == " ")
    return Plan((Edit(start, negation.end, ""),), True, "auxiliary: remove not")


def _has_bound(rest: Words, bound: frozenset[str] = lexicon.NEGATIVE_POLARITY) -> bool:
    """Whether a word needs the negation; "as much" does not."""
    return any(b.lower in bound and not (b.lower == "much" and a.lower in lexicon.DEGREES) for a, b in pairwise(rest))


def _added(clause: MainClause, near: Words) -> Plan | None:
    if _has_positive(near):
        return None
    if clause.finite.lower == "can":
        return Plan((Edit(clause.finite.end, clause.finite.end, "not"),), False, "auxiliary: can to cannot")
    place = _last_outside(clause).end
    return Plan((Edit(place, place, " not"),), False, "auxiliary: add not")


def _has_positive(near: Words) -> bool:
    """Whether a word does not fall under "not"; the "well" of "as well as" may."""
    pairs = pairwise([*(w.lower for w in near), ""])
    return any(a in lexicon.POSITIVE_POLARITY and (a, b) != ("well", "as") for a, b in pairs)


def _last_outside(clause: MainClause) -> Word:
    """The finite word, or the last sentence adverb after it: "was therefore not valid"."""
    last = clause.finite
    for word in clause.rest:
        if word.lower not in lexicon.SENTENCE_ADVERBS:
            break
        last = word
    return last


def _is_lexical(clause: MainClause) -> bool:
    """Whether the finite word is the main verb itself and takes do-support: not "be", a modal or "has been"."""
    finite, after = clause.finite.lower, after_adverbs(clause.rest)
    if finite in lexicon.HAVE and after is not None:
        return after.lower in lexicon.DETERMINERS | {"to"} or (
            after.tagged(_NOMINAL) and not after.lower.endswith("ed")
        )
    return is_sure_verb(clause.words, clause.at)


def _added_do(clause: MainClause, near: Words) -> Plan | None:
    """ "Clearly erred" becomes "did not clearly err"; None where another verb may stand under the same "did"."""
    finite = clause.finite
    tag = lexicon.HAVE.get(finite.lower) or sure_tag(finite)
    base = "have" if finite.lower in lexicon.HAVE else lexicon.base_form(finite.lower, tag)
    joined = any(a.lower in _AND and b.tagged({"VBN"}) for a, b in pairwise(near))
    shared = joined or any(is_finite(near, i) for i in range(1, len(near)))
    if base is None or shared or _has_positive(near):
        return None
    first = clause.at
    while first - 1 > clause.start and is_adverb(clause.words[first - 1]):
        if clause.words[first - 1].lower in lexicon.SENTENCE_ADVERBS:
            break
        first -= 1
    place = clause.words[first].start
    edits = [Edit(place, place, f"{lexicon.DO_FOR[tag]} not "), Edit(finite.start, finite.end, base)]
    if place == finite.start:
        edits = [Edit(place, finite.end, f"{lexicon.DO_FOR[tag]} not {base}")]
    return Plan(tuple(edits), False, "auxiliary: add do-support")


def _removed_do(clause: MainClause, negation: Word | None) -> Plan | None:
    """ "Did not clearly err" becomes "clearly erred"."""
    if negation is None or clause.rest[0] != negation or _has_bound(clause.rest):
        return None
    verb = after_adverbs(clause.rest[1:])
    form = lexicon.inflected(verb.lower, lexicon.DO[clause.finite.lower]) if verb and verb.tagged({"VB"}) else None
    own = _own_words(clause.rest)
    shared = any(a.lower in _AND and b.tagged({"VB", "VBP"}) for a, b in pairwise(own))
    if verb is None or form is None or shared:
        return None
    edits = (Edit(clause.finite.start, negation.end + 1, ""), Edit(verb.start, verb.end, form))
    return Plan(edits, True, "auxiliary: remove do-support")
