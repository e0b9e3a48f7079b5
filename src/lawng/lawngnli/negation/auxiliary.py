"""The main clause as its closed-class words show it: evidence beside the parses, for when these find no clause.

Nouns taken for verbs and verbs taken for nouns spoil a parse, but a form of "be", an auxiliary "have" and a modal
cannot be mistaken. Where the first of them outside fronted phrases and clauses follows what can only be its subject,
it bears the "not" of the main clause, whatever the other words are. Who is in doubt here abstains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lawng.lawngnli.negation import lexicon
from lawng.lawngnli.negation.sentences import Frame

if TYPE_CHECKING:
    from spacy.tokens import Doc

_FINITE_TAGS = lexicon.FINITE_TAGS - {"MD"}
_JOINTS = frozenset({",", "—", "–", "--"})
_STOPS = frozenset({":", ";", "?", "(", ")", "[", "]", "...", "…", "*"})
_FREE_RELATIVES = frozenset({"whatever", "whichever", "whoever"})
_GOVERNED = lexicon.WH_WORDS | {"that", "to", "whether", "it", "him", "them", "us"}
_LEADING = frozenset({"and", "but", "yet", "so", "...", "…"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_SUBJECT_TAGS = _NOUNS | {"PRP", "DT", "EX", "VBG"}
_AND = frozenset({"and", "or", "but"})
MAX_ASIDE = 30
"""Words of an aside between the subject and its verb; in a longer one lies another clause."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the sentence with the tags that its parses give it."""

    lower: str
    start: int
    end: int
    tags: tuple[str, ...]

    def tagged(self, tags: Iterable[str]) -> bool:
        """Whether most parses agree on one of the tags."""
        return 2 * sum(tag in tags for tag in self.tags) > len(self.tags)


Words = Sequence[Word]


@dataclass(frozen=True, slots=True)
class MainClause:
    """The words of a sentence, where the subject of its main clause begins, and the finite word after it."""

    words: Words
    start: int
    at: int

    @property
    def finite(self) -> Word:
        """The auxiliary or form of "be" that bears the negation."""
        return self.words[self.at]

    @property
    def subject(self) -> Words:
        """The words from the beginning of the subject up to the finite word, asides and adverbs included."""
        return self.words[self.start : self.at]

    @property
    def rest(self) -> Words:
        """The words after the finite word."""
        return self.words[self.at + 1 :]


def words_of(frames: Sequence[Frame], docs: Sequence[Doc]) -> list[Word]:
    """The words of a sentence that was parsed in several frames, as the first of them cuts it."""
    tags = [{t.idx - f.offset: t for t in doc} for f, doc in zip(frames, docs, strict=True)]
    first = frames[0]
    words = []
    for token in (t for t in docs[0] if first.offset <= t.idx < first.end):
        start = token.idx - first.offset
        end = start + len(token)
        seen = tuple(at[start].tag_ for at in tags if start in at)
        words.append(Word(first.sentence[start:end].lower(), start, end, seen))
    return words


def main_clause(words: Words) -> MainClause | None:
    """The main clause, if its finite word is of a closed class and nothing else can be; None where in doubt."""
    first = _after_opening(words)
    starts = [first, *(i for i in range(first + 1, len(words)) if _may_begin_subject(words, first, i))]
    for start in starts:
        at = _finite_after_subject(words, start)
        if at is not None and _is_fronted(words[first:start]):
            found = MainClause(words, start, at)
            return found if _clauses_are_joined(found) else None
    return None


def _may_begin_subject(words: Words, first: int, i: int) -> bool:
    """After a comma, or where a noun phrase follows a fronted preposition's noun: "in this case the court"."""
    before, phrase = words[i - 1], words[first].lower in lexicon.PREPOSITIONS - lexicon.SUBORDINATORS
    begins = words[i].lower in lexicon.DETERMINERS | lexicon.SUBJECT_PRONOUNS and before.tagged(_NOUNS)
    plain = not any(is_finite(words, k) for k in range(first, i))
    return before.lower == "," or (phrase and begins and plain)


def _after_opening(words: Words) -> int:
    """Past a leading "and", "but" and adverbs, which may stand before any clause, and the "even" of "even if"."""
    first = 0
    while first < len(words) and (words[first].lower in _LEADING or is_adverb(words[first])):
        first += 1
    conditional = [w.lower for w in words[first : first + 2]]
    if conditional[:1] == ["even"] and conditional[1:] in (["if"], ["though"], ["when"], ["where"]):
        return first + 1
    return first + (0 < first < len(words) and words[first].lower == ",")


def is_adverb(word: Word) -> bool:
    """Whether a word is an adverb that may stand anywhere around the auxiliary."""
    return word.lower in lexicon.SENTENCE_ADVERBS | lexicon.LIGHT_ADVERBS or (
        word.lower.endswith("ly") and word.tagged({"RB"})
    )


def after_adverbs(words: Words) -> Word | None:
    """The first word that is no adverb."""
    return next((word for word in words if not is_adverb(word)), None)


def _is_fronted(prefix: Words) -> bool:
    """Whether the words before a comma are a phrase or a whole subordinate clause, so that the main one is to come."""
    if prefix and prefix[-1].lower == ",":
        prefix = prefix[:-1]
    if not prefix:
        return True
    first, clause = prefix[0], any(is_finite(prefix, i) for i in range(len(prefix)))
    if first.lower == "whether" and [w.lower for w in prefix[1:3]] != ["or", "not"]:
        return False
    if first.lower in lexicon.SUBORDINATORS | _FREE_RELATIVES:
        second = [w.lower for w in prefix[1:3] if w.lower != ","][:1]
        nested = any(word in lexicon.SUBORDINATORS - lexicon.PREPOSITIONS for word in second)  # "while, if ..., it"
        return not nested and (clause or any(w.tagged({"VBN", "VBG"}) for w in prefix[1:2]))
    absolute = prefix[-1].lower == "aside" or any(w.lower in ("being", "having") for w in prefix)
    phrase = absolute or first.lower in lexicon.PREPOSITIONS | {"to"} or first.tagged({"VBN", "VBG"})
    if first.lower == "to" and clause:  # "to admit it would destroy the effect": a subject, not a phrase before one
        return False
    opened = any(opens(prefix, i) or prefix[i].lower in lexicon.SUBJECT_PRONOUNS for i in range(1, len(prefix)))
    return phrase and (not clause or opened)


def _finite_after_subject(words: Words, start: int) -> int | None:
    """The finite word that follows a noun phrase at `start`; a relative clause or an aside in it is skipped."""
    owed = 0
    for i in range(start, len(words)):
        if words[i].lower in _STOPS or (owed and words[i].lower in _JOINTS):
            return None
        if words[i].lower in _JOINTS:
            return _after_aside(words, i) if _can_be_subject(words[start:i]) else None
        relative = i > start and words[i].lower in lexicon.RELATIVES
        if owed and (_is_auxiliary(words, i) or (is_finite(words, i) and lexicon.is_verb(words[i].lower))):
            owed -= _is_auxiliary(words, i) or not _may_be_participle(words[i])
        elif _bears_negation(words, i):
            before = after_adverbs(words[i - 1 :: -1] if i else ())
            joined = before is not None and before.lower in _AND | lexicon.WH_WORDS | lexicon.SUBORDINATORS
            return i if not joined and _can_be_subject(words[start:i]) else None
        owed += relative
    return None


def _after_aside(words: Words, opening: int) -> int | None:
    """The finite word after an aside; one that follows a comma at once is taken too: "the tax so laid, is void"."""
    comma = words[opening].lower == ","
    if comma and _is_auxiliary(words, opening + 1):
        return opening + 1
    for i in range(opening + 1, min(len(words) - 1, opening + MAX_ASIDE)):
        if words[i].lower in _STOPS or (comma and words[i].lower in _JOINTS - {","}):
            return None
        after = next((k for k in range(i + 1, len(words)) if not is_adverb(words[k])), len(words) - 1)
        if words[i].lower in _JOINTS and (not comma or _bears_negation(words, after)):
            found = _bears_negation(words, after) and words[opening + 1].lower not in _AND
            return after if found else None
    return None


def _bears_negation(words: Words, i: int) -> bool:
    return _is_auxiliary(words, i) or is_sure_verb(words, i)


def is_sure_verb(words: Words, i: int) -> bool:
    """Whether a word can be nothing but a finite verb: for all parses, or for the dictionary ("deprives")."""
    if i < 1 or i >= len(words) or words[i].lower in lexicon.FINITE_AUXILIARIES:
        return False
    word, before = words[i], words[i - 1]
    tag, after = sure_tag(word), words[i + 1].lower if i + 1 < len(words) else ""
    if not lexicon.is_only_verb(word.lower) and after not in lexicon.DETERMINERS | lexicon.PREPOSITIONS | _GOVERNED:
        return False
    if tag not in _FINITE_TAGS or before.lower in lexicon.DETERMINERS | lexicon.PREPOSITIONS | _AND | {"to"}:
        return False
    return lexicon.base_form(word.lower, tag) is not None and not _may_be_participle(word)


def sure_tag(word: Word) -> str:
    """The tag of a word on which all parses agree, or which its form does not leave open; else an empty string."""
    if lexicon.is_only_verb(word.lower) and lexicon.base_form(word.lower, "VBZ") not in (None, word.lower):
        return "VBZ"
    return word.tags[0] if len(set(word.tags)) == 1 else ""


def _may_be_participle(word: Word) -> bool:
    """Whether what a parse takes for a past tense may be a participle by its form."""
    base = lexicon.base_form(word.lower, "VBD") if word.tagged({"VBD"}) else None
    return base is not None and base not in lexicon.INTRANSITIVE and word.lower in lexicon.forms(base, "VBN")


def _is_auxiliary(words: Words, i: int) -> bool:
    """Whether a word is a finite form of "be", "have", "do" or a modal: not "to have", "would have", "the will"."""
    word, before = words[i].lower if i < len(words) else "", words[i - 1].lower if i else ""
    if word in ("have", "do"):
        near = {w.lower for w in words[max(i - 4, 0) : i]}
        return before != "to" and not near & (lexicon.MODALS | lexicon.DO.keys())
    after = after_adverbs(words[i + 1 :])
    verb = after is not None and (after.lower in ("be", "not", "have") or after.tagged({"VB"}))
    noun = not verb and (
        before in lexicon.DETERMINERS | lexicon.PREPOSITIONS or (i > 0 and words[i - 1].tagged({"JJ"}))
    )
    return word in lexicon.FINITE_AUXILIARIES and not (noun and word in lexicon.MODALS)


def is_finite(words: Words, i: int) -> bool:
    """Whether a word is a finite verb by its class or for most parses."""
    return _is_auxiliary(words, i) or words[i].tagged(_FINITE_TAGS)


def opens(words: Words, i: int) -> bool:
    """Whether a word opens a clause; "as" and "before" do so or not, and so count for both."""
    return words[i].lower in lexicon.SUBORDINATORS | lexicon.WH_WORDS | {"that", "than"}


def _can_be_subject(phrase: Words) -> bool:
    """Whether the words are a noun phrase with no clause in it but relative ones, as far as their kinds can tell."""
    relative = next((i for i, w in enumerate(phrase) if i and w.lower in lexicon.RELATIVES), len(phrase))
    adverbial = lexicon.SUBORDINATORS - lexicon.RELATIVES - lexicon.PREPOSITIONS
    return _is_noun_phrase(phrase[:relative]) and not any(w.lower in adverbial for w in phrase[relative:])


def _is_noun_phrase(phrase: Words) -> bool:
    content = [w for w in phrase if not is_adverb(w) and not w.tagged({"RB"})]
    if not any(w.tagged(_SUBJECT_TAGS) or w.lower == "that" for w in content):
        return False
    # "Extended to the States, ...": what is left of a longer sentence
    governs = any(w.lower in lexicon.PREPOSITIONS | {"to"} for w in content[1:2])
    if governs and content[0].tagged({"VBN", "VBD"}):
        return False
    if content[0].lower in lexicon.PREPOSITIONS | lexicon.SUBORDINATORS | _AND | {"to"}:
        return False
    opened = any(opens(phrase, i) and phrase[i].lower not in lexicon.PREPOSITIONS for i in range(1, len(phrase)))
    opened = opened or content[0].lower in lexicon.WH_WORDS or phrase[-1].lower == "the"
    verbs = (i for i, word in enumerate(phrase) if word.tagged(_FINITE_TAGS))
    return not opened and all(_is_participle(phrase, i) for i in verbs) and not _has_reduced_relative(phrase)


def _is_participle(phrase: Words, i: int) -> bool:
    """Whether what most parses take for a past tense can be a participle after its noun: "the tax held to be"."""
    if not _may_be_participle(phrase[i]):
        return False
    after = phrase[i + 1] if i + 1 < len(phrase) else None
    return i > 0 and (after is None or after.lower in lexicon.PREPOSITIONS | {"to"} or is_adverb(after))


def _has_reduced_relative(phrase: Words) -> bool:
    """ "The relief the State sought": a new noun phrase that neither preposition, "and" nor gerund introduces."""
    joined = lexicon.PREPOSITIONS | lexicon.DETERMINERS | _AND | {"to"}
    for before, word in pairwise(phrase):
        if word.lower in lexicon.SUBJECT_PRONOUNS and not (word.lower in ("it", "you") and before.lower in joined):
            return True
        free = before.lower not in joined and not before.lower.endswith("ing") and not is_adverb(before)
        if word.lower in lexicon.DETERMINERS and free and before.lower not in "\"“'‘":
            return True
    return False


def _clauses_are_joined(clause: MainClause) -> bool:
    """Whether every later finite verb has a word that opens or joins its clause.

    One that has none is the main verb, and what was taken for it stood in a clause of the subject.
    """
    words, joined = clause.words, False
    for i in range(clause.at + 1, len(words)):
        joined = joined or opens(words, i) or words[i].lower in _AND | {"nor", ":", ";"}
        if is_finite(words, i):
            if not joined:
                return False
            joined = False
    return True
