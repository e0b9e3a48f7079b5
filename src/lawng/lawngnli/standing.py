"""Whether a proposition stands alone: read without its opinion, does it say something of the law, and of no case?

Its rules are those that a stranger could apply: what points outside of the sentence (a pronoun, "such a rule", "this
statute"), who is nobody outside of its case (a party, a witness, the court below), and what is no statement of the court
(a contention, a question, a heading). Whether the cited page says so is for the verifier.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lawng.citation.parentheticals import UNSUPPORTIVE

FEWEST, MOST = 6, 60
"""Words of a proposition."""
_WORD = re.compile(r"[A-Za-z]+(?:[’'-][A-Za-z]+)*")
_SPLIT_WORD = re.compile(r"\b([A-Za-z]{2,})-([a-z]{2,})\b")
_LINK = (
    "moreover|furthermore|however|thus|therefore|hence|indeed|nevertheless|nonetheless|still|further|finally|first|second"
    "|third|also|again|rather|instead|besides|yet|accordingly|consequently|conversely|similarly|likewise|in short|in sum"
    "|for example|for instance|of course|in addition|to be sure|in fact|in particular|in other words|on the other hand"
    "|as a result|after all|at the same time|in any event|by contrast|in contrast|and|but|so|or|for"
)
_OPENING = re.compile(rf"^(?:(?:{_LINK}|[a-z]+ly),\s+|(?:and|but|yet|so)\s+)+", re.IGNORECASE)
_FRAME = re.compile(
    r"^(?:(?P<lead>[^,;]{0,80}),\s+)?"
    r"(?P<who>we|this court|the (?:supreme )?court|it|there)\s+"
    r"(?P<said>(?:[^\s,;]+\s+|,[^,;]{1,40},\s+){1,7}?)that,?\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SUBORDINATE = re.compile(
    r"\b(?:if|when|where|while|because|since|although|though|unless|until|after|before|once|whether)\b", re.IGNORECASE
)
_DENIED = re.compile(
    r"\b(?:not|never|nor|no|hardly|scarcely|would|could|may|might|should|must|can|cannot|will|shall|if)\b|n[’']t\b",
    re.I,
)
_OURS = re.compile(r"\b(?:[Ww]e|[Oo]urs?|us|I|[Mm]y|me|ourselves|myself)\b")
_EXPLETIVE = re.compile(r"^it\b.{1,60}?\b(?:that|to|whether|for|when|where)\b", re.IGNORECASE | re.DOTALL)


class _Rule(NamedTuple):
    reason: str
    found: re.Pattern[str]


def _rule(reason: str, pattern: str, flags: int = re.IGNORECASE) -> _Rule:
    return _Rule(reason, re.compile(pattern, flags))


_RULES = (
    _rule("question", r"\?\W*$"),
    _rule("statute", r"§|¶|\b(?:sub)?(?:section|paragraph|clause|rule|title|article)s? [\d(]|\b(?:the|this|that) (?:act|statute|code)\b"),
    _rule("party", r"\b(?:petitioners?|respondents?|appell(?:ant|ee)s?|plaintiffs? in error|the plaintiffs?|the complainants?)\b"),
    _rule("lower-court", r"\bcourts? below\b|\b(?:the|that) (?:lower|trial|district|circuit|appellate|state|supreme) (?:court|judge)\b|\bthe court of (?:appeals?|claims)\b"),
    _rule("record", r"\btestif(?:y|ied|ies)\b|\btestimony of\b|\bthe record\b|\bthe evidence (?:show|establish|disclos|indicat)|\bthe jury (?:found|was|returned)\b"),
    _rule("contention", r"\b(?:contend|argu|urg|insist|submit|assert|alleg|maintain|complain|protest|object)(?:s|es|e|ed|ted|ing)?\b[^.;]{0,30}\bthat\b|\b(?:is|was) (?:said|urged|argued|claimed|contended)\b"),
    _rule("plural-cases", r"\b(?:these|those|such|other|prior|previous|earlier|several|many|recent|numerous|the|all|in) (?:cases|decisions|precedents|opinions)\b|\bcases\b"),
    _rule("present-case", r"\b(?:this|the present|the instant|that|the) (?:case|suit|action|proceeding|appeal|controversy|record|writ|judgment|decree|indictment|petition)\b|\b(?:here|today|at bar|before us|instant case|in question|at issue|concededly)\b|\bthe (?:government|united states) (?:\w+s|has|had|did)\b"),
    _rule("reference", r"\bsuch (?:an?\b|(?!as\b)\w+)|\bth(?:ese|is)\b(?! (?:court|country|nation|union))|\bthose\b(?! (?:who|whom|which|that|whose|in|of|to|for|with|upon|on|by|against|under|from|not)\b)|\b(?:above|aforesaid|foregoing|aforementioned|the same|the latter|the former|said (?=[a-z]+ ))"),
    _rule("pronoun", r"^(?:they|it|he|she|this|that|these|those|such|its|their|his|her|both|neither|either|some|one|others?|another)\b"),
)  # fmt: skip
"""In order: the first that finds something is the reason."""


class Alone(NamedTuple):
    """A proposition as a sentence of its own, and what was done for it."""

    text: str
    steps: list[str]


class Points(NamedTuple):
    """Why a proposition does not stand alone, and the words that show it."""

    reason: str
    detail: str


def standing(text: str) -> Alone | Points:
    """A proposition without its frame ("In Roe we held that"), or why it does not stand alone.

    >>> standing("In that case, this Court held that a State may not tax land of the United States.").text
    'a State may not tax land of the United States'
    >>> standing("Such a tax is void for want of power in the State to levy it.").reason
    'reference'
    """
    words = _WORD.findall(text)
    if text.isupper() or sum(word[0].isupper() for word in words) > len(words) / 2 > 2:
        return Points("heading", text[:80])
    if not _is_english(words):
        return Points("not-english", text[:80])
    steps: list[str] = []
    for name, change in (("hyphens joined", _joined), ("brackets off", _unbracketed), ("opening off", _opened)):
        changed = change(text)
        steps += [name] if changed != text else []
        text = changed
    framed = _unframed(text)
    if isinstance(framed, Points):
        return framed
    if framed:
        text, steps = framed, [*steps, "frame off"]
    return _pointing(text) or Alone(text.rstrip(" .;,:"), steps)


def _pointing(text: str) -> Points | None:
    n_words = len(_WORD.findall(text))
    if not FEWEST <= n_words <= MOST:
        return Points("under-six-words" if n_words < FEWEST else "over-sixty-words", f"{n_words} words")
    for rule in _RULES:
        found = rule.found.search(text)
        if found and not (rule.reason == "pronoun" and _EXPLETIVE.match(text)):
            return Points(rule.reason, found[0])
    ours = _OURS.search(text)
    return Points("first-person", ours[0]) if ours else None


def _unframed(text: str) -> str | Points | None:
    """What is reported by "we held that", None where nothing is; a reason where the court does not stand behind it."""
    found = _FRAME.match(text)
    if not found or _SUBORDINATE.search(found["lead"] or "") or _SUBORDINATE.search(found["said"]):
        return None
    said, who = found["said"].split(), found["who"].lower()
    if denied := _DENIED.search(found["said"]):
        return Points("unsupportive-frame", denied[0])
    verbs = [verb for word in said if (verb := _verb(word.strip(",").lower()))]
    if not verbs:
        return None
    if any(verb.ing in UNSUPPORTIVE for verb in verbs):
        return Points("unsupportive-frame", found["said"].strip())
    if who in ("we", "this court") and not any(verb.past for verb in verbs):
        return Points("present-case", f"{found['who']} {found['said'].strip()}")
    return found["rest"]


class _Verb(NamedTuple):
    ing: str
    past: bool


@lru_cache(maxsize=10_000)
def _verb(word: str) -> _Verb | None:
    """The word as a verb: its form in -ing, and whether it is one of the past; None where it is no verb."""
    import lemminflect

    lemmas = lemminflect.getAllLemmas(word, upos="VERB").get("VERB") or lemminflect.getAllLemmas(word, upos="AUX").get(
        "AUX"
    )
    if not lemmas:
        return None
    forms = lemminflect.getAllInflections(lemmas[0], upos="VERB")
    past = word in (*forms.get("VBD", ()), *forms.get("VBN", ())) and word not in forms.get("VB", ())
    return _Verb(next(iter(forms.get("VBG", ("",)))), past or word in ("has", "had", "was", "were"))


def _joined(text: str) -> str:
    """The text with words whole that the print of the source had parted: "impermis-sibly"."""
    return _SPLIT_WORD.sub(lambda found: _whole(found[1], found[2]) or found[0], text)


@lru_cache(maxsize=10_000)
def _whole(first: str, second: str) -> str | None:
    import lemminflect

    whole = (first + second).lower()
    known = [bool(lemminflect.getAllLemmas(word)) for word in (whole, first.lower(), second)]
    return first + second if known[0] and not all(known[1:]) else None


def _unbracketed(text: str) -> str:
    """The text without a quotation's marks and brackets: "“[t]he State”" is "the State"."""
    return " ".join(re.sub(r"[“”\"]|(?<!\w)‘|(?<=[.,;])’|\[(\w*)\]", r"\1", text).replace("....", "").split())


def _opened(text: str) -> str:
    """The text without a word that joins it to the sentence before: "Moreover, "."""
    rest = _OPENING.sub("", text)
    return rest[:1].upper() + rest[1:] if rest != text and text[:1].isupper() else rest


def _is_english(words: list[str]) -> bool:
    from lawng.text.words import STOP_WORDS

    return sum(word.lower() in STOP_WORDS for word in words) >= len(words) / 8
