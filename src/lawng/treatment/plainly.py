"""What a court says in so many words: sentences that leave no doubt of a treatment.

said_plainly(masked) -> one of TREATMENTS, or ""

These go before the weights, which were taught by opinions that seldom are so plain. Each is tried on the rest of its
clause: what is denied, asked for, supposed, or done by another case is not said.
"""

from __future__ import annotations

import re

from lawng.treatment.statements import CASE, TARGET

_ADVERBS = (
    r"(?:(?:now|hereby|therefore|thus|expressly|accordingly|today|must|do|also|and|explicitly|again|so|here),? )*"
)
_IS = rf"(?:is|are|(?:must|should) {_ADVERBS}be)"
_VERBS = r"(?:overrul|disapprov|abrogat|overturn|repudiat|disavow)"
_IT = r"(?:it|them|(?:that|those|the) (?:\w+ )?(?:decision|case|holding|ruling|precedent|rule)s?)\b"
_EXTENT = r"\b(?:to the extent|in ?so ?far as|so far as|inasmuch as)\b"
_WORDS = r"(?:(?!that\b|who\b|which\b|when\b)[\w’'-]+,? )"
_FACTS = r"(?:(?:its|their|the|those) (?:\w+ )?(?:facts|circumstances|case)|cases? (?:in which|where|of)|\w+ cases)"
_SAYINGS = (
    (
        "overruled",
        rf"\b(?:we|(?<!district )(?<!this )court|I would) {_ADVERBS}(?:{_VERBS}e?s?|recedes? from)"
        rf" (?:that (?:portion|part) )?{_WORDS}{{0,10}}?{TARGET}"
        rf"|\b{TARGET}\b[^.;]{{0,120}}?\b{_IS},? {_ADVERBS}{_VERBS}ed\b"
        rf"|\b{TARGET}\b[^.;]*?\bwe {_ADVERBS}(?:{_VERBS}e?|recede from) {_IT}"
        rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?(?:\b{_IT}|,) {_IS} {_ADVERBS}{_VERBS}ed\b"
        rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?, we {_ADVERBS}(?:{_VERBS}e?|recede from)\b"
        rf"|\b{TARGET},? {_WORDS}{{0,4}}?(?:is|are) no longer (?:good law|the law)"
        rf"|\bwe {_ADVERBS}(?:reject|abandon|discard|depart from)"
        rf"(?: the (?:\w+ )?(?:holding|rule|doctrine)s? (?:of|in))? {TARGET}"
        rf"|{_EXTENT}[^;]*?\b{TARGET}\b[^;]*?\b(?:should|can|may|will) no longer be followed"
        rf"|\b{TARGET},? {_WORDS}{{0,4}}?can(?:not| not| no longer) (?:now |any longer |longer )?(?:stand|survive)\b",
    ),
    (
        "limited",
        rf"\b{TARGET},? {_WORDS}{{0,6}}?{_IS} {_ADVERBS}(?:limited|confined|restricted) to {_FACTS}"
        rf"|\bwe {_ADVERBS}(?:limit|confine|restrict) {_WORDS}{{0,5}}?{TARGET} to"
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
        rf"\b{TARGET},? {_WORDS}{{0,3}}?(?:is|are) {_ADVERBS}(?:\w+ly )?(?:distinguishable|inapposite|not in point)"
        rf"|\breliance (?:up)?on {_WORDS}{{0,4}}?{TARGET} is (?:\w+ )?misplaced|\bwe {_ADVERBS}distinguish {TARGET}",
    ),
)
_PLAIN = tuple((label, re.compile(words, re.IGNORECASE)) for label, words in _SAYINGS)
_UNSAID = re.compile(
    r"\b(?:not|nothing|never|neither|nor|ask\w*|urg\w*|argu\w*|whether|if|would|without|suggest\w*|conten\w+|could"
    r"|might|may|unless|rather|unwilling|plea\w*|request\w*|invit\w*|claim\w*|insist\w*|assert\w*|says|petitioners?"
    r"|respondents?|appell\w+|dissent\w*|majority|concurring|should we|he|she|objections?|motions?|nobody|no reason"
    r"|persuades?|demurrers?|exceptions?)\b",
    re.IGNORECASE,
)
_DENIALS = re.compile(
    rf"{_EXTENT}.*,|\bI would\b|not only|inconsistent"
    r"|not persuaded|cannot|can not|can no longer|not in point|(?:otherwise )?hold\w* otherwise",
    re.IGNORECASE,
)
"""Of the sayings themselves."""
PRECISION = {"overruled": 0.9, "distinguished": 0.85, "limited": 0.5, "criticized": 0.5, "questioned": 0.5}
"""How often it is so: 30 of 32 labelled pairs; 26 of 30 sentences that were read; the others are guesses."""
_OTHER = re.compile(rf" v\. |\b(?:holding|decision|rule|opinion|case)s? (?:of|in) (?!{TARGET})[A-Z]")
"""That a case is meant which is not known as one."""
BY_ANOTHER = re.compile(rf"[^.;]{{0,20}}?\b(?:by|in) {CASE}")
"""Behind what is done to a case: by which other one."""
_BEFORE = 50


def said_plainly(masked: str) -> str:
    """The treatment that a sentence, as `Sentence.masked` gives it, declares in so many words; "" for most.

    >>> said_plainly("We overrule TARGET."), said_plainly("TARGET is therefore limited to its facts.")
    ('overruled', 'limited')
    >>> said_plainly("Petitioner asks that we overrule TARGET."), said_plainly("CASE held that TARGET is overruled.")
    ('', '')
    """
    if masked.endswith("?"):
        return ""
    for label, words in _PLAIN:
        for found in words.finditer(masked):
            said = "" if label == "questioned" else _DENIALS.sub("", found[0])
            clause = masked[max(0, found.start() - _BEFORE) : found.start()] + said
            other = CASE in clause or _OTHER.search(found[0]) or BY_ANOTHER.match(masked, found.end())
            if not (_UNSAID.search(clause) or other):
                return label
    return ""
