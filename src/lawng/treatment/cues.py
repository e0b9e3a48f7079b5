"""What is said to be done to a case: families of words, which case they are of, and whether it is done at all.

acts_of(masked) -> list[Act]      every such word of a sentence as `Sentence.masked` gives it

"We decline to overrule TARGET" and "TARGET, which overruled CASE" have the words of an overruling and are none: an act
is of a case (its object or its subject), and it is asserted, denied, asked for, or another case's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lawng.treatment.governed import CASE, TARGET

FAMILIES = {
    "overrule": r"overrul\w*|overturn\w*|abrogat\w*",
    "repudiate": r"repudiat\w*|discard\w*|abandon\w*|disavow\w*|disapprov\w*|renounc\w*|depart\w* from|reced\w* from"
    r"|jettison\w*|withdr[ae]w\w*",
    "reject": r"reject\w*",
    "no-longer": r"no longer|can(?:not| not) (?:\w+ )?(?:stand|survive|be (?:reconciled|sustained|supported|accepted"
    r"|regarded|followed|squared))|(?:not|n[’']t) (?:\w+ )?(?:survive|stand|good law)|must (?:fall|yield|give way)"
    r"|lost (?:\w+ )?(?:force|vitality)",
    "undermine": r"undermin\w*|erod\w*|eviscerat\w*|weaken\w*|shak(?:en|y)|vitiat\w*|supersed\w*|obsolete|outmoded"
    r"|discredit\w*|anomal\w*",
    "wrong": r"wrong\w*|erroneous\w*|error|mistak\w*|incorrect\w*|unsound|unworkable|misguided|flaw\w*|misread\w*"
    r"|misconce\w*|untenable|unpersuasive|unjust\w*|unsatisfactory",
    "criticize": r"critici\w*|question(?:ed|able)|doubt\w*|disagree\w*|troubl\w*|confus\w*|dubious|tension"
    r"|inconsisten\w*|conflict\w*|difficult\w*",
    "reconsider": r"reconsider\w*|re-?examin\w*|revisit\w*",
    "distinguish": r"distinguish\w*|distinction|inapposite|inapplicable|differ\w*|dissimilar|contrast|misplaced"
    r"|beside the point|another matter|footing|unlike",
    "not-control": r"(?:not|nor|never|n[’']t|neither)\b[^.;]{0,30}?\b(?:control\w*|govern\w*|dictate\w*|dispositive"
    r"|involve\w*|present\w*|address\w*|appl\w+|point|reach\w*|support\w*|help\w*|require\w*|compel\w*|decide\w*"
    r"|consider\w*|establish\w*|suggest\w*|concern\w*|mean\w*|hold|held|stand for)",
    "limit": r"limit\w*|confin\w*|narrow\w*|restrict\w*|qualif\w*|modif\w*|declin\w+ to extend|dictum|dicta",
    "extent": r"to the extent|insofar as|in so far as|so far as|inasmuch",
    "reverse": r"revers\w*|vacat\w*|set aside",
    "affirm": r"affirm\w*",
    "follow": r"follow\w*|adher\w*|reaffirm\w*|controlled by|consistent with|in accord\w*|rel(?:y|ied) (?:up)?on"
    r"|reliance on|support\w*|appl(?:y|ied)",
}
"""Verbs and nouns of treatment: the classes of citators, with what stands for them in opinions."""
_WORDS = {family: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for family, words in FAMILIES.items()}
_CASES = re.compile(rf"{TARGET}|{CASE}")
_DENIED = re.compile(
    r"\b(?:not|never|nor|neither|declin\w+|refus\w+|without|no occasion|unnecessary|rather than|instead of|hesita\w+"
    r"|reluctan\w+|unwilling)\b|n[’']t\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:ask\w*|urg\w+|petitioners?|respondents?|appell\w+|argu\w+|conten\w+|invit\w*|suggest\w*|whether|if|would"
    r"|should we|call\w* for|request\w*|could|amic\w+|claim\w*|insist\w*|propos\w*|plaintiffs?|defendants?|government"
    r"|solicitor|question)\b",
    re.IGNORECASE,
)
_COURT = re.compile(r"\b(?:we|our|us|court|today|majority|i|now|hereby|must be|is|are)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had been|has been|have been|has|had|have)\b", re.IGNORECASE)
_OBJECT, _SUBJECT, _OTHER = 90, 140, 60
"""Characters between the word and its object, its subject, and another case that is meant instead."""
_CLAUSE = 90


class Act(NamedTuple):
    """A word of treatment in a sentence."""

    family: str
    role: str
    """Of the case: `obj`, `subj`; `other` where another case is nearer; `far`."""
    mood: str
    """`we`, `plain`, `past`; `neg` where it is denied, `ask` where it is asked for, `third` where another case does."""


def acts_of(masked: str) -> list[Act]:
    """The acts of a sentence, in the order of the families.

    >>> [tuple(act) for act in acts_of("We now overrule TARGET.")]
    [('overrule', 'obj', 'we')]
    >>> [act.mood for act in acts_of("We decline to overrule TARGET.")]
    ['neg']
    """
    cases = [(found[0], found.start(), found.end()) for found in _CASES.finditer(masked)]
    return [
        _act(family, masked, found.start(), found.end(), cases)
        for family, words in _WORDS.items()
        for found in words.finditer(masked)
    ]


def _act(family: str, masked: str, start: int, end: int, cases: list[tuple[str, int, int]]) -> Act:
    before = next((case for case in reversed(cases) if case[2] <= start), None)
    behind = next((case for case in cases if case[1] >= end), None)
    role = _role(start, end, before, behind)
    clause = masked[max(before[2] if before else 0, start - _CLAUSE) : start]
    if _DENIED.search(clause[-60:]):
        mood = "neg"
    elif _ASKED.search(clause) or masked.endswith("?"):
        mood = "ask"
    elif role == "obj" and before and before[0] == CASE:
        mood = "third"
    else:
        mood = "past" if _PAST.search(clause[-30:]) else "we" if _COURT.search(clause) else "plain"
    return Act(family, role, mood)


def _role(start: int, end: int, before: tuple[str, int, int] | None, behind: tuple[str, int, int] | None) -> str:
    """What the case is to a word: the nearest case behind it is its object, else the nearest before it its subject."""
    if behind and behind[0] == TARGET and behind[1] - end < _OBJECT:
        return "obj"
    if before and before[0] == TARGET and start - before[2] < _SUBJECT:
        return "subj"
    near = (behind and behind[1] - end < _OTHER) or (before and start - before[2] < _OTHER)
    return "other" if near else "far"
