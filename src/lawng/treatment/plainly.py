"""What a court says in so many words: sentences that leave no doubt of a treatment.

said_plainly(masked) -> one of TREATMENTS, or ""      what is said in so many words
plain_sayings(masked) -> names                         looser sayings that a case is law no longer, as evidence

These go before the weights, which were taught by opinions that seldom are so plain. Each is tried on the rest of its
clause: what is denied, asked for, supposed, or done by another case is not said.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lawng.treatment.governed import CASE, TARGET, clause_before, governing, is_reported

_ADVERBS = (
    r"(?:(?:now|hereby|therefore|thus|expressly|accordingly|today|must|do|also|and|explicitly|again|so|here),? )*"
)
_IS = rf"(?:is|are|(?:must|should) {_ADVERBS}be)"
_VERBS = r"(?:overrul|disapprov|abrogat|overturn|repudiat|disavow)"
_IT = r"(?:it|they|them|both|(?:that|those|the) (?:\w+ )?(?:decision|case|holding|ruling|precedent|rule)s?)\b"
_HEADED = r"(?:(?:holding|rule|decision|doctrine|reasoning|rationale)s? (?:\w+ )?(?:of|in|from|by) |that |and |^|[,;] )"
"""What may stand before the name of a case that is the subject, and not the place, of what is said."""
_UNLIKE = r"(?:distinguish(?:able|ed)|inapposite|not in point)"
_EXTENT = r"\b(?:to the extent|in ?so ?far as|so far as|inasmuch as)\b"
_WORDS = r"(?:(?!that\b|who\b|which\b|when\b)[\w’'-]+,? )"
_FACTS = r"(?:(?:its|their|the|those) (?:\w+ )?(?:facts|circumstances|case)|cases? (?:in which|where|of)|\w+ cases)"
_BROUGHT = (
    r"(?:assignments?|issues?|points?|grounds?|contentions?|complaints?|challenges?|attacks?|protests?|pleas?"
    r"|exceptions?)"
)
_ON_APPEAL = (
    r"assign\w+ of errors?|enumerations? of error|(?:points?|grounds?|issues?) (?:of error|one|two|three|four|five|\d+)"
    r"|(?<!\bon )(?:first|second|third|fourth|fifth|sixth|sole|only|last|final|remaining|his|her|their|this|these|both"
    rf"|each|such(?: an?)?|\w+[’']s?) (?:\w+ )?{_BROUGHT}|overrul\w* (?:the|all|any) (?:\w+ )?{_BROUGHT}"
)
"""What courts of appeals overrule in nearly every opinion."""
_SAYINGS = (
    (
        "overruled",
        rf"\b(?:we|(?<!district )(?<!this )court|I would) {_ADVERBS}(?:{_VERBS}e?s?|recedes? from)"
        rf" (?:that (?:portion|part) )?{_WORDS}{{0,10}}?{TARGET}"
        rf"|\b{TARGET}\b[^.;]{{0,120}}?\b{_IS},? {_ADVERBS}{_VERBS}ed\b"
        rf"|\b{TARGET}\b[^.;]*?\bwe {_ADVERBS}(?:{_VERBS}e?|recede from) {_IT}"
        rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?(?:\b{_IT}|,) {_IS} {_ADVERBS}{_VERBS}ed\b"
        rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?, we {_ADVERBS}(?:{_VERBS}e?|recede from)\b"
        rf"|\b{TARGET},? {_WORDS}{{0,4}}?(?:(?:is|are) (?:no longer (?:good|the|our) law|not good law)"
        r"|no longer (?:state|reflect|represent)s? (?:the|our) law)"
        rf"|\bwe {_ADVERBS}(?:will |shall |can )?no longer (?:follow|adhere to|accept) {_WORDS}{{0,5}}?{TARGET}"
        rf"|\b(?:today[’']s|this|our) (?:decision|opinion|holding)(?: today)? {_ADVERBS}{_VERBS}e?s"
        rf" {_WORDS}{{0,5}}?{TARGET}"
        rf"|\b(?:rule|doctrine)s? (?:\w+ )?(?:of|in|by) {TARGET},? {_IS} {_ADVERBS}(?:abolish|abandon|discard)ed\b"
        rf"|{_HEADED}{TARGET},? (?:is|are) (?:\w+ly )?no longer (?:viable|valid|tenable|controlling|binding)\b"
        rf"|\bwe {_ADVERBS}{_VERBS}e? (?:of )?the following\b[^.;:]*: {TARGET}"
        rf"|\bthe following\b[^.;:]*? {_IS} {_ADVERBS}{_VERBS}ed\b[^.;:]*: {TARGET}"
        rf"|\bwe (?:can )?(?:see|find|have|know|perceive)\b[^.;]*? {TARGET},? and,? {_ADVERBS}{_VERBS}e? {_IT}"
        rf"|\bwe {_ADVERBS}(?:reject|abandon|discard|depart from)"
        rf"(?: the (?:\w+ )?(?:holding|rule|doctrine)s? (?:of|in))? {TARGET}"
        rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?\b(?:should|can|may|will) no longer be followed"
        rf"|\b{TARGET},? {_WORDS}{{0,4}}?can(?:not| not| no longer) (?:now |any longer |longer )?(?:stand|survive)\b",
    ),
    (
        "limited",
        rf"\b{TARGET},? {_WORDS}{{0,6}}?{_IS} {_ADVERBS}(?:limited|confined|restricted) to {_FACTS}"
        rf"|\bwe {_ADVERBS}(?:limit|confine|restrict) {_WORDS}{{0,5}}?{TARGET},? to"
        rf"|\bwe {_ADVERBS}(?:decline|refuse) to extend {_WORDS}{{0,6}}?{TARGET}",
    ),
    (
        "criticized",
        rf"\bwe (?:are|were) (?:not |un)persuaded by {_WORDS}{{0,4}}?{TARGET}"
        rf"|\bwe disagree with {_WORDS}{{0,5}}?{TARGET}"
        rf"|\b{TARGET},? {_WORDS}{{0,3}}?(?:is|are|was|were) (?:\w+ly )?"
        r"(?:unpersuasive|unsound|mistaken|wrong(?:ly decided)?)\b(?! to| in holding)",
    ),
    (
        "questioned",
        rf"\bwhether {TARGET},?\b[^.;]{{0,80}}\b(?:may be doubted|is (?:doubtful|open to (?:question|doubt)))"
        rf"|\bwe (?:\w+ )?(?:doubt|question) (?:whether|that|if) {TARGET},?"
        r" (?:remains|survives|is still|retains|would be decided)"
        rf"|\b(?:continuing|continued) (?:validity|vitality|force) of {TARGET},?"
        r" is (?:\w+ )?(?:doubtful|questionable|in doubt)",
    ),
    (
        "distinguished",
        rf"\b{TARGET},? {_WORDS}{{0,4}}?(?:is|are) {_ADVERBS}(?:\w+ly )?{_UNLIKE}"
        rf"|\bwe {_ADVERBS}(?:find|think|consider|deem|believe|hold) {TARGET},? (?:to be )?(?:\w+ly )?{_UNLIKE}"
        rf"|\breliance (?:(?:up)?on )?{_WORDS}{{0,4}}?{TARGET},? (?:is|was) (?:\w+ )?misplaced"
        rf"|\bwe {_ADVERBS}distinguish {TARGET}",
    ),
)
_OF_A_NAME = re.compile(
    rf"\bwe {_ADVERBS}overrule (?:(?:our|the) (?:\w+ )?(?:decision|holding|rule|ruling)s? (?:of|in) )?{TARGET}\b"
    rf"(?![’']| (?:as|on|to|about|when|because)\b)|^{TARGET} (?:is|must be|should be) {_ADVERBS}overruled\b"
    rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?(?:\b{_IT}|,) {_IS} {_ADVERBS}overruled\b"
    rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?, we {_ADVERBS}overrule {_IT}",
    re.IGNORECASE,
)
_PLAIN = tuple((label, re.compile(words, re.IGNORECASE)) for label, words in _SAYINGS)
_PARTY = r"(?<!\bby )(?<!\bby the )(?:petitioners?|respondents?|appell\w+)(?![’']s? reliance|\w)"
"""Who asks for what follows, but where the court speaks of the reliance of one, or of what is cited by one."""
_UNSAID = re.compile(
    r"\b(?:not|nothing|never|neither|nor|ask\w*|urg\w*|argu\w*|whether|if|would|without|suggest\w*|conten\w+|could"
    r"|might|may|unless|until(?! now\b| today\b)|rather|unwilling"
    r"|(?:am|are|is|were|was) (?:\w+ )?(?:unable|loath|reluctant)|hesitat\w*|plea\w*|request\w*"
    r"|invit\w*|claim\w*|insist\w*|assert\w*|dissent\w*"
    r"|says|tells|maintains?|(?<!court )(?<!panel )(?:believes|thinks)|submits"
    r"|according to|[’']s? (?:\w+ )?view|hardly|scarcely|barely|no way"
    r"|no (?:(?!longer\b)\w+ )?(?:courts?|judges?|cases?|one|authority)|majority|concurring|should we|he|she"
    r"|can ?not (?:now |yet |fairly |be )*(?:sa(?:y|id)|agree|h[eo]ld|conclu\w+|believ\w+|accept|find|found|think"
    r"|assum\w+)|objections?|motions?|nobody|no reason|persuades?|demurrers?|rehearings?|assignments?|exceptions?"
    rf"|{_PARTY}|{_ON_APPEAL})\b",
    re.IGNORECASE,
)
_DENIALS = re.compile(
    rf"{_EXTENT}.*[,:]|\bI would\b|not only|inconsistent|not persuaded|cannot|can not|can no longer|not in point"
    r"|(?:otherwise )?hold\w* otherwise|not good law"
    r"|no (?:\w+ )?reason (?:to|for) (?:retain|keep|adher|follow|preserv)\w*",
    re.IGNORECASE,
)
"""Of the sayings themselves."""
PRECISION = {"overruled": 0.9, "distinguished": 0.85, "limited": 0.5, "criticized": 0.5, "questioned": 0.5}
"""How often it is so: 30 of 32 labelled pairs; 26 of 30 sentences that were read; the others are guesses."""
_OTHER = re.compile(rf" v\. |\b(?:holding|decision|rule|opinion|case)s? (?:of|in) (?!{TARGET})[A-Z]")
"""That a case is meant which is not known as one."""
_LIKEWISE = re.compile(
    rf"{CASE}(?P<done>,? {_IS} {_ADVERBS}{_VERBS}ed),? (?:and so|as) (?:is|are) {TARGET}", re.IGNORECASE
)
"""What is done to a case as it is to others."""
_DOING_SO = re.compile(
    rf"^(?!if\b)[^.;]*?(?<!not )\boverrul\w+ {_WORDS}{{0,5}}?{TARGET}\b[^.;]{{0,60}}[.,;] (?:and |today |so )?we "
    rf"(?!must\b){_ADVERBS}do so"
    r"(?: now| today| here)?[.,;]",
    re.IGNORECASE,
)
"""What is asked for and done."""
_UNDERCUT = re.compile(
    r",? (?:only (?:by|when|after|where)|(?:only )?if(?! and\b| not\b)|unless|until|sa(?:ys?|id)|argue[sd]?"
    r"|contend(?:s|ed)?|maintain(?:s|ed)?|by (?:many|most|some|several|other|congress|the legislature"
    r"|(?:(?:an?|the|that) )?(?:statute|act|amendment|section)s?))\b",
    re.IGNORECASE,
)
"""Behind what is done to a case: on what condition, who says it, or that no court did it."""
_OWNED = re.compile(rf"(?:[’']s?)? (?:\w+ )?{_BROUGHT}\b(?! (?:for|to|of)\b)", re.IGNORECASE)
"""Behind a name: what its party brought."""
BY_ANOTHER = re.compile(rf"[^.;]{{0,20}}?\b(?:by|in) {CASE}")
"""Behind what is done to a case: by which other one."""
_BEFORE = 50

UNDOING = r"(?:overrul|overturn|abrogat|disapprov|repudiat|disavow)"
_NOT_DONE = re.compile(
    r"\b(?:not|never|neither|nor|declin\w*|refus\w*|ask\w*|urg\w*|argu\w*|whether|if|would|without|invit\w*|suggest\w*"
    r"|should we|contend\w*|call\w*|could|might|may|no|unless|rather than|unwilling|request\w*|reluctan\w*|hesitat\w*"
    r"|objections?|motions?|demurrers?|either|alternatives?|says?|said|government|" + _ON_APPEAL + r")\b",
    re.IGNORECASE,
)
_LOOSELY = {
    "does": rf"\b(?:we|court|today|decision|majority|hereby|now|to|and|must|opinion)\b[^.;]{{0,60}}?\b{UNDOING}\w*\b"
    rf"[^.;]{{0,70}}?\b{TARGET}",
    "is done": rf"\b{TARGET}\b[^.;]{{0,160}}?(?:\b(?:is|are|be|been|was|were|stands?|must|should|hereby|accordingly"
    rf"|therefore)\b|,)[^.;]{{0,40}}?\b{UNDOING}ed\b",
    "stands": rf"\b{TARGET}\b[^.;]{{0,60}}?\b(?:can ?not (?:now |longer )?(?:stand|survive|be (?:reconciled|sustained"
    r"|supported|followed|regarded))|(?:is|are) no longer (?:good law|law|valid|viable|control\w*|authority|a viable)"
    r"|no longer (?:good law|control\w*|viable|valid)|not survive|must fall|must yield|(?:was|were) wrong\w*"
    r"|(?:was|were) (?:erroneous\w*|incorrect\w*|mistaken\w*) decided|not be followed)",
    "leaves": r"\b(?:reject|abandon|discard|depart from|decline to follow|renounce|recede from|withdraw|repudiate"
    rf"|disapprove|refuse to follow)\w*\b[^.;]{{0,60}}?\b{TARGET}",
}
"""Plain sayings that a case is law no longer."""
_LOOSE = {name: re.compile(words, re.IGNORECASE) for name, words in _LOOSELY.items()}
_LEADING = re.compile(r"\bCASE\b[^.;]{0,30}$")
_ANOTHER = re.compile(rf"[^.;]{{0,25}}?\b{CASE}")
"""Behind "TARGET, overruled" or "TARGET, which overruled": the case that did it, or that it was done to."""
GROUNDS = ("does", "is done", "stands")
"""Plain sayings that an overruling can rest on, the plainest first."""


def said_plainly(masked: str) -> str:
    """The treatment that a sentence, as `Sentence.masked` gives it, declares in so many words; "" for most.

    >>> said_plainly("We overrule TARGET."), said_plainly("TARGET is therefore limited to its facts.")
    ('overruled', 'limited')
    >>> said_plainly("Petitioner asks that we overrule TARGET."), said_plainly("CASE held that TARGET is overruled.")
    ('', '')
    """
    masked = _LIKEWISE.sub(rf"{TARGET}\g<done>", masked)
    if masked.endswith("?"):
        return ""
    if (done := _DOING_SO.search(masked)) and not _is_quoted(masked, done.start()):
        return "overruled"
    for label, words in _PLAIN:
        if any(_is_said(masked, found, label) for found in words.finditer(masked)):
            return label
    return ""


def _is_said(masked: str, found: re.Match[str], label: str) -> bool:
    """Whether what is found is the court's own, of this case, and neither denied nor supposed."""
    before = clause_before(masked, found.start())
    said = "" if label == "questioned" else _DENIALS.sub("", found[0])
    if CASE in before[-_BEFORE:] + said or _OTHER.search(found[0]) or BY_ANOTHER.match(masked, found.end()):
        return False
    if found[0].endswith(TARGET) and _OWNED.match(masked, found.end()):
        return False
    if is_reported(before, found[0]) or _UNDERCUT.match(masked, found.end()) or _is_quoted(masked, found.start()):
        return False
    return not _UNSAID.search(governing(before, said))


def _is_quoted(masked: str, at: int) -> bool:
    """Whether a place stands inside quotation marks: what another wrote is not said by the court.

    >>> _is_quoted("It wrote: “We overrule TARGET.”", 11), _is_quoted('So "held" we overrule TARGET.', 10)
    (True, False)
    """
    before = masked[:at]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def overrules_a_name(masked: str) -> bool:
    """Whether what plainly overrules does so to the case whose name a party has too, and not to what the party says.

    >>> overrules_a_name("We overrule TARGET in that respect."), overrules_a_name("We overrule the protest of TARGET.")
    (True, False)
    """
    return _OF_A_NAME.search(masked) is not None


@lru_cache(maxsize=4096)
def plain_sayings(masked: str) -> tuple[str, ...]:
    """Which plain sayings that a case is law no longer a sentence has, `not ...` where it is not so or not said to be.

    >>> plain_sayings("We overrule TARGET."), plain_sayings("Petitioner asks us to overrule TARGET.")
    (('does',), ('not does',))
    >>> plain_sayings("CASE overruled TARGET."), plain_sayings("TARGET can no longer be followed; it is overruled.")
    ((), ())
    """
    found: list[str] = []
    for name, words in _LOOSE.items() if not masked.endswith("?") else ():
        for match in words.finditer(masked):
            before = masked[max(0, match.start() - 50) : match.start()]
            denied = _NOT_DONE.search(before + match[0])
            behind = name == "is done" and _ANOTHER.match(masked, match.end())
            other = CASE in match[0] or behind or _LEADING.search(masked[: match.start()])
            found.append(("not " if denied else "") + name + (" by another" if other else ""))
    return tuple(found)
