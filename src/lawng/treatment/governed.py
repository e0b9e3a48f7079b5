"""By what a saying is governed: whether the court says it, or reports, asks, supposes or denies it.

is_reported(before) -> bool              another one says what follows ("the Government maintains that ...")
is_framed(before) -> bool                what follows is argued, asked or denied ("no court has held that ...")
clause_before(text, at) -> str           the words before a saying, to the beginning of its clause
governing(before, saying) -> str         the words that govern, without what a case held and what stands aside

Only words before a saying in its clause govern it; what a case held is the object of the saying, however it denies.
"""

from __future__ import annotations

import re

CASE, TARGET = "CASE", "TARGET"
_BARE = r"sa(?:y|ys|id)|tells?|told|maintain\w*|believe[sd]?|think|thinks|thought|submit\w*|feels?|felt|assum\w+"
"""Who reports by one of these needs no "that"; "the rule of" and "the hearing held" are no report without one."""
_WITH_THAT = (
    r"h[eo]ld|holds|holding|conclu\w+|rul(?:ed|es|ing)|decid\w+|decision|found|finds?|finding|stat(?:ed|ing)"
    r"|not(?:e[sd]?|ing)|reason\w*|observ\w+|opin\w+|wr[io]t\w+|declar\w+|announc\w+|recogni\w+|view|position|theory|belief|determin\w+"
    r"|notion|idea|conced\w+|admit\w*|acknowledg\w+|proposition|suggestion|contention|argument"
)
_PRESENT = (
    r"holds|concludes|finds|believes|thinks|notes|observes|determines|recogni[sz]es|rules"
    r"|is of (?:the )?(?:opinion|view)|has (?:\w+ )?(?:determined|concluded)"
)
"""How a court speaks of itself; what "the court concluded" was another one's."""
_SUBORDINATE = re.compile(
    r"^\W*(?:because|since|as|although|though|even if|while|having|after|concluding|noting|finding|recogni[sz]ing"
    r"|persuaded|in (?:the )?(?:light|view) of|given|from what)\b.*, (?=$|(?:\w+ )?(?:we|I|this court)\b)"
    r"|^\W*from what has been said\b",
    re.IGNORECASE | re.DOTALL,
)
"""A ground before the saying: who found or held what is said in it governs that alone."""
_CLAUSE_GOES_ON = r"(?:(?!, (?:and|but|so|yet)\b)[^.;])"
_REPORT = rf"(?:{_BARE}|{_WITH_THAT})\b"
_BESIDE = r"(?:(?!\b(?:and|but|so|yet|that)\b)[^.;,])"
_REPORTED = re.compile(
    rf"(?<!\bto )\b(?:(?:{_BARE}) (?!(?:in|by|of|about|at|on|to|for|as)\b){_BESIDE}{{0,40}}$"
    rf"|{_REPORT}(?: (?!that\b)\w+){{0,3}} that\b{_CLAUSE_GOES_ON}{{0,60}}$)",
    re.IGNORECASE,
)
_OURS = re.compile(
    rf"^\W*held\b|\bour (?:\w+ )?(?:{_REPORT})"
    r"|\b(?:we|I|(?:of )?this court|(?:the )?court (?:today|now)|today[’']s \w+"
    rf"|the (?:court|panel|undersigned)(?= (?:\w+ly |also |thus |therefore |hereby |now )?(?:{_PRESENT})\b))"
    rf"\b[^.;]{{0,25}}?\b{_REPORT}|\b(?:agree\w*|correct\w*|right\w*|properly)[^.;]{{0,60}}?\b{_REPORT}"
    r"|\b(?:opinion|holding|view|conclusion|judgment) of this court\b"
    r"|\b(?:this decision(?= means)|the decision that we \w+)",
    re.IGNORECASE,
)
"""What the court says itself, and what it agrees with."""
_ARGUE = (
    r"(?:argu\w*|conten[dt]\w*|assert\w*|alleg\w*|claim\w*|insist\w*|urg\w*|suggest\w*|maintain\w*|submit\w*|believ\w+"
    r"|thinks?|tells?|told|says?|assum\w+|suppos\w*)"
)
_FRAME = (
    rf"(?:{_ARGUE}|not|n[’']t|cannot|never|no|nor|neither|without|question\w*|ask\w*|doubt\w*|declin\w*|refus\w*"
    r"|reject\w*|den(?:y|ies|ied|ying|ial)|view|position|theory|premise|unclear|uncertain|unable|loath|hesitat\w*"
    r"|reluctan\w*|untrue|false|wrong|error|hardly)"
)
"""What makes an argument, a question or a denial of the clause behind its "that"."""
_FRAMED = re.compile(
    rf"\b{_FRAME}\b{_CLAUSE_GOES_ON}{{0,80}}?\bthat (?:(?:the|our|its|this|both|either|in|by) [^.;,]{{0,60}})?$"
    rf"|\b(?:whether|if|unless|until)\b[^.;,]{{0,60}}$|\b{_ARGUE} (?:the (?:\w+ )?(?:rule|holding)s? (?:of|in) )?$"
    r"|\b(?:according to|in the (?:view|opinion) of)\b[^.;]{0,60}, $|[’']s? (?:view|opinion), $",
    re.IGNORECASE,
)
_GRANTED = re.compile(
    r"\b(?:no|not|never|nor|n[’']t|cannot) (?:\w+ )?(?:doubt|question|den(?:y|ied)|disput|contest|matter|difference"
    r"|moment|know|aware|mention|notice)\w*",
    re.IGNORECASE,
)
"""Denials that leave what follows standing: "petitioner does not deny that"."""
_CLAUSE = 150
"""Characters of a clause that are looked at before a saying."""
_NEAR = 50
"""Of these the last ones, in which a negation or a party governs the saying."""
_HELD = (
    r"(?:h[eo]ld|said|say|stat|announc|rul|allow|permit|forb|prohibit|declar|requir|decid|recogni|appl|determin|adopt"
    r"|conclud)\w*"
)
_DOOM = r"(?:is|are|must|should)\b"
_CONTENT = (
    re.compile(
        rf"(?<={TARGET}),? (?:which|wherein|where|in which|holding|as)\b(?:(?<=holding)|[^.;]{{0,20}}?\b{_HELD})\b"
        rf"[^.;]*,(?= {_DOOM})",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:(?:holding|rul(?:e|ing)|doctrine|statement|proposition|dictum)s? (?:\w+ )?(?:of|in|from|by)|so much of"
        rf"|(?:part|portion)s? of) {TARGET},? (?:that|which|as)\b[^.;]*(?<! it)(?<! they)(?<! this)(?<! that)"
        rf"(?= {_DOOM})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<={TARGET}),? (?:is|was|does|did|has|can)\b(?! not (?:hold|say|stand))[^.;]*? and(?= {_DOOM})",
        re.IGNORECASE,
    ),
)
"""What a case held or was, between its name and the verb that undoes it."""
_SUPPOSED = (
    r"(?:(?!\b(?:if|whether|unless|until|would|should|were|argu\w*|conten[dt]\w*|claim\w*|urg\w*|insist\w*|submit\w*|says?"
    r"|maintain\w*|assert\w*)\b).)"
)
_ASIDE = re.compile(
    rf"^\W*(?:because|since|as|although|though|while|whatever|whether or not)\b(?![^.;,]* would have it)[^.;,]*, "
    rf"(?={TARGET}|(?:\w+ )?we\b|it is|that case)"
    rf"|^{_SUPPOSED}*, (?:but|yet|so) (?={TARGET})"
    rf"|^{_SUPPOSED}*{TARGET}{_SUPPOSED}*,? (?:and|but|so) "
    r"(?=(?:\w+,? )?we (?!must )(?:\w+,? )*\w+ (?:it|them|that|those)\b|(?:it|that case) is\b)",
    re.IGNORECASE,
)
"""A clause beside the saying: the ground it rests on, or what is said first."""


def is_reported(before: str, saying: str = "") -> bool:
    """Whether the words before a saying, to the beginning of its clause, make it another's than the court's.

    A saying may begin in a clause before the court's own words: "although the State says that TARGET rules, we ...".

    >>> is_reported("The Ninth Circuit has held that "), is_reported("Defendant tells us that ")
    (True, True)
    >>> is_reported("We hold that "), is_reported("We agree with the district court, which held that ")
    (False, False)
    >>> is_reported("Because the jury found that notice was given, ")
    False
    """
    if len(_SUBORDINATE.sub("", before + saying)) <= len(saying):
        return False
    return _REPORTED.search(_OURS.sub("", _SUBORDINATE.sub("", before))) is not None


def is_framed(before: str) -> bool:
    """Whether what follows is not told as a fact, by the words before it.

    >>> is_framed("Petitioner argues that "), is_framed("No court has held that "), is_framed("We ask whether ")
    (True, True, True)
    >>> is_framed("We have held that "), is_framed("Nobody can deny, and petitioner does not deny, that ")
    (False, False)
    """
    return _FRAMED.search(_GRANTED.sub("", before)) is not None


def clause_before(text: str, at: int) -> str:
    """The words of a clause before a place in it.

    >>> clause_before("So held; we think that TARGET is wrong.", 23)
    ' we think that '
    """
    return re.split(r"[.;](?=\s)", text[max(0, at - _CLAUSE) : at])[-1]


def governing(before: str, saying: str) -> str:
    """A saying with the words before it, without those of what a case held, and of what stands aside.

    >>> governing("The holding in ", "TARGET, that a wife may not sue is overruled")
    'The TARGET is overruled'
    >>> governing("Stare decisis does not save ", "TARGET, and we overrule it")
    'we overrule it'
    """
    clause = before + saying
    for content in _CONTENT:
        clause = content.sub(lambda found: TARGET if TARGET in found[0] else "", clause)
    return _ASIDE.sub("", clause)[-len(saying) - _NEAR :]
