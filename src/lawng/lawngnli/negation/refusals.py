"""Why a clause is left alone: what a change would do to its meaning, a parse that is not believed, words under "not".

Some words do not fall under "not" ("some", "also"), others cannot do without it ("any", "until").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lawng.lawngnli.negation import lexicon
from lawng.lawngnli.negation.clauses import Clause, next_word, own_auxiliaries
from lawng.lawngnli.records import Refusal

if TYPE_CHECKING:
    from spacy.tokens import Token

_SHORT_FORMS = frozenset({"n't", "'s", "'re", "'ve", "'ll", "'d", "n’t", "’s", "’re", "’ve", "’ll", "’d"})
_JOINTS = frozenset({",", "and", "but", ";", "-", "--", "—"})
_FREE_CHOICE = frozenset({"may", "can"})
_OBJECTS = frozenset({"dobj", "ccomp", "xcomp", "dative", "prt", "attr", "acomp", "oprd", "advcl"})
_EXPLAINED = frozenset({"advcl", "relcl", "acl", "pcomp", "csubj", "parataxis", "mark"})
_ADVERBIAL = frozenset({"advmod", "advcl", "prep", "cc", "mark", "npadvmod", "intj", "preconj", "aux", "neg", "meta"})


def refuse_change(clause: Clause) -> Refusal | None:
    """Why any change of this clause is refused, by its meaning or its parse; None when none is."""
    return _refuse_meaning(clause) or _refuse_parse(clause)


def refuse_adding(clause: Clause) -> Refusal | None:
    """Why "not" may not be added to the verb phrase of this clause; None when it may."""
    negative = (t for t in clause.spine if t.lower_ in lexicon.NEGATIVES and not _of_conjunct(t, clause))
    positive = (t for t in clause.spine if t.lower_ in lexicon.POSITIVE_POLARITY and _freely(t))
    # "was invalid but severable", "may do this but may not do that": turned, the first half contrasts no more
    buts = (t for t in clause.spine if t.lower_ == "but" and t.dep_ == "cc" and t.i > clause.finite.i)
    return (
        _quantified_subject(clause)
        or _agreement(clause)
        or _at("several-negations", negative)
        or _at("positive-polarity", positive)
        or _at("but-contrast", buts)
    )


def refuse_removing(clause: Clause, gone: tuple[Token, ...], after: int) -> Refusal | None:
    """Why the negation `gone`, which governs what follows the word number `after`, may not be taken away."""
    negative = [t for t in clause.spine if t.lower_ in lexicon.NEGATIVES and t not in gone]
    if others := [t.text for t in negative if not _of_conjunct(t, clause)]:
        return Refusal("several-negations", " ".join(others))
    bound = (t for t in clause.own if t.i > after and _is_bound(t, clause))
    return _at("negative-polarity", bound) or _contrast(clause, after)


def _at(reason: str, words: Iterable[Token]) -> Refusal | None:
    """A refusal at the first of the words, None where there is none."""
    return next((Refusal(reason, word.text) for word in words), None)


def _refuse_meaning(clause: Clause) -> Refusal | None:
    finite, spine = clause.finite, clause.spine
    question = clause.frame.text.rstrip("\"'”’)]").endswith("?")
    # normalisation (A.1.2) writes these out; what is left may stand for two words
    short = (t for t in (finite, next_word(finite)) if t.lower_ in _SHORT_FORMS)
    words = {t.i: t for t in (*spine, *(t for t in clause.own if t.lower_ == "only"))}
    focus = (t for t in words.values() if t.lower_ in lexicon.FOCUS and _focuses(t, clause))
    # "nothing but", "cannot but", "all but": the exception turns the meaning
    buts = (t for t in spine if t.lower_ == "but" and t.dep_ != "cc")
    return (
        (Refusal("question", "?") if question else None)
        or _at("contraction", short)
        or _at("focus-word", focus)
        or _contrastive_not(clause)
        or _or_between_clauses(clause)
        or _weak_modal(clause)
        or _indefinite_subject(clause)
        or _at("but-exception", buts)
        or _inside_quotation(clause)
    )


def _focuses(word: Token, clause: Clause) -> bool:
    """Whether a "not" would fall on the word: it stands by the verb, or "only" makes a condition after it."""
    only = word.lower_ == "only"
    condition = only and (next_word(word).lower_ in lexicon.CONDITIONS or clause.finite.tag_ == "MD")
    before_object = only and word.i == clause.verb.i + 1 and clause.verb.lower_ not in lexicon.BE
    near = word.i <= max(clause.verb.i, clause.finite.i) + 1
    return condition or (near and not before_object)


def _contrastive_not(clause: Clause) -> Refusal | None:
    """ "Benefit children, not schools": the contrast would not survive."""
    inner = (word for word in clause.own if word.dep_ in ("ccomp", "relcl") and word != clause.verb)
    hidden = {t.i for word in inner for t in word.subtree}
    after = [t for t in clause.own if t.i > clause.verb.i and t.i not in hidden]
    found = next((t for t in after if t.lower_ == "not" and t.nbor(-1).text in _JOINTS), None)
    found = found or next((t for t in after if t.lower_ == "rather" and next_word(t).lower_ == "than"), None)
    return Refusal("contrast", f"{found.text} {next_word(found).text}") if found else None


def _or_between_clauses(clause: Clause) -> Refusal | None:
    """A disjunction is not contradicted by contradicting one side of it."""
    for word in (clause.verb, *clause.verb.head.children):
        if word.dep_ == "cc" and word.lower_ in ("or", "nor"):
            conjuncts = [c for c in word.head.children if c.dep_ == "conj" and c.i > word.i]
            if any(c not in clause.own or c == clause.verb for c in conjuncts if c.pos_ in ("VERB", "AUX")):
                return Refusal("or-between-clauses", word.text)
    return None


def _weak_modal(clause: Clause) -> Refusal | None:
    """ "Might", "may have", "must have": what is possible or likely is compatible with its negation."""
    word, after = clause.finite, next_word(clause.finite)
    perfect = word.lower_ in ("may", "must") and any(a.lower_ == "have" for a in own_auxiliaries(clause.verb))
    possible = word.lower_ == "may" and (after.lower_ == "well" or not _may_be_permitted(clause))
    weak = word.lower_ in lexicon.WEAK_MODALS or perfect or possible
    return Refusal("weak-modal", f"{word.text} {clause.verb.text}") if weak else None


def _may_be_permitted(clause: Clause) -> bool:
    """Whether "may" can tell a permission: people and institutions are permitted to act, and acts to be done."""
    acts = clause.subject.lower_ in lexicon.INSTITUTIONS or clause.subject.tag_ in ("NNP", "NNPS")
    return clause.verb.lower_ not in lexicon.POSSIBLE and (_is_passive(clause) or acts or _is_person(clause.subject))


def _is_passive(clause: Clause) -> bool:
    return any(c.dep_ == "auxpass" for c in clause.verb.lefts)


def _is_person(word: Token) -> bool:
    return word.lower_ in lexicon.PERSONS or word.lower_.removesuffix("s").endswith(lexicon.PERSONAL_SUFFIXES)


def _indefinite_subject(clause: Clause) -> Refusal | None:
    """What two jurors or an officer did, two others or another may not have done: both can be true."""
    subject, words = clause.subject, {t.lower_ for t in clause.subject.lefts}
    if words & lexicon.DEFINITE or any(t.dep_ == "poss" for t in subject.lefts):
        return None
    plural = subject.tag_ in ("NNS", "NNPS")
    number = plural and any(t.tag_ == "CD" for t in subject.lefts)
    share = subject.lower_ in lexicon.SHARES and next_word(subject).lower_ == "of"
    told = clause.finite.tag_ == "VBD" and clause.verb.lower_ not in lexicon.BE and not _is_passive(clause)
    one = told and not plural and bool(words & {"a", "an", "one"}) and _is_person(subject)
    return Refusal("quantified-subject", subject.text) if number or share or one else None


def _inside_quotation(clause: Clause) -> Refusal | None:
    """A quotation that begins before the subject, but not with the sentence, hides the words that govern it."""
    before = clause.frame.sentence[: max(clause.at(clause.subject.left_edge), 0)]
    marks = sum(before.count(mark) for mark in '"“”')
    return Refusal("inside-quotation", clause.subject.text) if marks % 2 and before[0] not in '"“' else None


def _refuse_parse(clause: Clause) -> Refusal | None:
    verb, edge = clause.verb, clause.subject.left_edge.i
    # words before the subject that are no adverbial: the parse took the wrong subject or verb
    opening = (c for c in verb.lefts if c.i < edge and c in clause.own and c.dep_ not in _ADVERBIAL and not c.is_punct)
    # a finite verb before the subject that no subordinate clause accounts for: the parse took the wrong clause
    finite = (t for t in clause.own if t.i < edge and t.tag_ in lexicon.FINITE_TAGS)
    verbs = (t for t in finite if not any(w.dep_ in _EXPLAINED for w in (t, *t.ancestors) if w.i < verb.i))
    # "did so infringe": emphasis that the parser takes for a main verb
    rest = verb.doc[verb.i + 1 : verb.i + 3]
    elliptical = verb.lower_ in lexicon.DO and clause.finite == verb and any(t.tag_ in ("VB", "VBP") for t in rest)
    return (
        _maybe_participle(clause)
        or _wrong_form(clause)
        or _at("parse-unsure", opening)
        or _at("parse-unsure", verbs)
        or (Refusal("parse-unsure", f"{verb.text} {rest.text}") if elliptical else None)
    )


def _maybe_participle(clause: Clause) -> Refusal | None:
    """ "Conviction reversed", "petitioner denied relief": past tense by its tag, passive by its sense."""
    verb = clause.verb
    adjective = _held_adjective(verb)
    if next_word(verb).tag_ == "PRP":  # "the panel found it needless": an object, so no passive
        return None
    acts = clause.subject.lower_ in lexicon.INSTITUTIONS and not adjective
    base = lexicon.base_form(verb.text, "VBD") if clause.finite == verb and verb.tag_ == "VBD" and not acts else None
    if base is None or base in lexicon.INTRANSITIVE or verb.lower_ not in lexicon.forms(base, "VBN"):
        return None
    objects = {"dobj", "ccomp"} if base in lexicon.RESTRAINING else _OBJECTS
    if any(c.dep_ in objects for c in verb.rights) and not adjective and base not in lexicon.GIVING:
        return None
    return Refusal("maybe-participle", f"{clause.subject.text} {verb.text}")


def _held_adjective(verb: Token) -> bool:
    """ "Search held unreasonable", "murder held service connected"."""
    clausal = any(c.dep_ in ("ccomp", "xcomp") and c.pos_ in ("VERB", "AUX") for c in verb.rights)
    noun = any(c.dep_ == "dobj" and any(d.dep_ in ("det", "poss") for d in c.lefts) for c in verb.rights)
    return verb.lower_ in lexicon.NAMING and not clausal and not noun


def _wrong_form(clause: Clause) -> Refusal | None:
    """An auxiliary and a verb form that do not go together: "has cause" read as a verb."""
    wanted = "VBN" if clause.finite.lower_ in lexicon.HAVE else "VB" if clause.finite.lower_ in lexicon.DO else None
    last = own_auxiliaries(clause.verb)[-1:] == [clause.finite]
    if clause.finite != clause.verb and last and wanted and clause.verb.tag_ not in (wanted, "VBD", "VBP"):
        return Refusal("parse-unsure", f"{clause.finite.text} {clause.verb.text}")
    return None


def _quantified_subject(clause: Clause) -> Refusal | None:
    heads = {clause.subject.i, *(c.i for c in clause.subject.lefts)}
    words = [t for t in clause.subject_words if t.i in heads and t.lower_ in lexicon.QUANTIFIERS]
    return _at("quantified-subject", words or filter(_is_share, clause.subject_words))


def _is_share(word: Token) -> bool:
    """ "65% of the voters", "13 out of 61": that some did not is no contradiction."""
    named = word.i > 0 and (word.nbor(-1).pos_ in ("NOUN", "PROPN") or word.nbor(-1).text == "§")  # "Rule 12 of"
    part = word.tag_ == "CD" and next_word(word).lower_ in ("of", "out") and not named
    return part or word.lower_ in ("%", "percent", "percentage")


def _agreement(clause: Clause) -> Refusal | None:
    """ "The State use" (after a lost "requiring that"): a subjunctive takes no do-support."""
    subject = clause.subject
    plural = any(c.dep_ in ("conj", "appos") for c in subject.children) or subject.lower_ in lexicon.PLURALS
    clash = clause.finite == clause.verb and clause.verb.tag_ == "VBP" and clause.subject.tag_ in ("NN", "NNP")
    return Refusal("agreement", f"{subject.text} {clause.verb.text}") if clash and not plural else None


def _of_conjunct(word: Token, clause: Clause) -> bool:
    """Whether the word negates a coordinated verb with an auxiliary of its own: "and could not be sued"."""
    return any(word in verb.children and own_auxiliaries(verb) for verb in clause.coordinated)


def _freely(word: Token) -> bool:
    """Whether "too" and "well" are final ("did so too", "as well"), not degree ("too vague", "well settled")."""
    if word.lower_ == "well":
        return word.i > 0 and word.nbor(-1).lower_ == "as" and next_word(word).lower_ != "as"
    return word.lower_ != "too" or word.head.pos_ in ("VERB", "AUX")


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
    return verb.tag_ in lexicon.FINITE_TAGS or any(c.dep_ in ("aux", "auxpass") for c in verb.lefts)


def _is_bound(word: Token, clause: Clause) -> bool:
    """Whether the word needs the negation: not if something else licenses it or a modal gives it free choice."""
    either_or = word.lower_ == "either" and any(t.lower_ == "or" and t.i > word.i for t in clause.own)
    chosen = word.lower_.startswith("any") and clause.finite.lower_ in _FREE_CHOICE
    degree = word.lower_ == "much" and word.i > 0 and word.nbor(-1).lower_ in lexicon.DEGREES
    if word.lower_ not in lexicon.NEGATIVE_POLARITY or either_or or chosen or degree:
        return False
    above = [a for a in word.ancestors if a.i >= clause.verb.i]
    near = {t.lower_ for a in above for t in (a, *(c for c in a.children if c.i < word.i))}
    return not near & lexicon.LICENSERS
