"""Whether a proposition stands alone: read without its opinion, does it say something of the law, and of no case?

Its rules are those that a stranger could apply: what points outside of it (a pronoun, "such a rule", "this statute"),
who is nobody outside of its case (a party, a witness, the court below), and what is no statement of the court
(a contention, a question, a heading). Whether the cited page says so is for the verifier.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import NamedTuple

from lawng.citation.parentheticals import UNSUPPORTIVE
from lawng.lawngnli.records import Refusal
from lawng.lawngnli.resolving import resolved
from lawng.text.words import STOP_WORDS, stems

FEWEST, MOST = 6, 70
"""Words of a proposition; a longer one has no negation of its own (`lawng.lawngnli.negation`)."""
_WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")
_SPLIT_WORD = re.compile(r"\b([A-Za-z]{2,})-([a-z]{2,})\b")
_LINK = (
    "moreover|furthermore|however|thus|therefore|hence|indeed|nevertheless|nonetheless|still|further|finally|first"
    "|second|third|also|again|rather|instead|besides|yet|accordingly|consequently|conversely|similarly|likewise"
    "|for example|for instance|of course|in addition|to be sure|in fact|in particular|in other words"
    "|on the other hand|as a result|after all|at the same time|in any event|by contrast|in contrast"
    "|in short|in sum|and|but|so|or|for"
)
_SAID_BEFORE = (
    r"as (?:we|this court|the court|it) (?:ha(?:ve|s|d) )?(?:\w+ ){0,3}?"
    r"(?:said|held|noted|stated|recognized|explained|observed)"
)
_OPENING = re.compile(rf"^(?:(?:{_LINK}|[a-z]+ly|{_SAID_BEFORE}),\s+|(?:and|but|yet|so)\s+)+", re.IGNORECASE)
_FRAME = re.compile(
    r"^(?:(?P<lead>[^,;]{0,80}),\s+)?"
    r"(?P<who>we|this court|the (?:supreme )?court|it|there|the (?:\w+ )?(?:rule|principle|doctrine|law))\s+"
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
_DOUBTED = re.compile(
    r"\b(?:doubt\w*|(?:un)?likely|(?:im)?possible|(?:in)?conceivable|untrue|false|incorrect|wrong|said|suggested|claimed"
    r"|alleged)\b",
    re.IGNORECASE,
)
"""Of what "it is ... that" tells nobody stands behind it."""


_OF_COURT = re.compile(
    r"\b(?P<we>we)(?P<between>(?: (?:\w+ly|also|never|often|long|thus|so|ourselves))*) (?P<verb>\w+)\b", re.IGNORECASE
)
_OF_ONE = {"have": "has", "are": "is", "were": "was", "do": "does"}
_MODALS = frozenset(
    {"may", "might", "must", "can", "cannot", "could", "will", "would", "shall", "should", "did", "had"}
)
_FINITE = (
    r"(?:is|are|was|were|has|have|had|does|do|did|may|might|must|can|cannot|could|will|would|shall|should|though|if"
    r"|when|which|who)\b"
)


class _Rule(NamedTuple):
    reason: str
    found: re.Pattern[str]
    named: bool = False
    """Whether what it finds ends in a noun that points back, and may point to a place in the sentence itself."""


def _rule(reason: str, *patterns: str, named: bool = False) -> _Rule:
    return _Rule(reason, re.compile("|".join(patterns), re.IGNORECASE), named)


_RULES = (
    _rule("asks", r"\?\W*$"),
    _rule(
        "noise",
        r"[\[\]<>{}|\\~^]",
        r"(?<![’'\w.])[b-hj-z](?![\w.’'])",
        r"\(\W*\)",
        r"\s-\w",
        r"\b(?:ante|post|supra|infra)\b",
    ),
    _rule(
        "citation-words",
        r"\bv\. |[§¶]|\b(?:quoting|citing|en banc|per curiam|emphasis|omitted)\b",
        r"\b(?:dissent|concur|plurality)\w*",
        r"\b(?:the|that|his|separate|majority) opinions?\b",
    ),
    _rule(
        "fragment",
        r"^(?:that|which|who|whom|whose|than|to)\b",
        r"\b(?:in|by|of|to|that|from|with|and|or|as|for|on|under|upon|the|an?|which|who|is|are|was|were)\W*$",
    ),
    _rule(
        "statute",
        r"\b(?:the|this|that) (?:acts?(?! of \w+ing\b)|statutes?|code|section|rule|clause|provision)\b",
        named=True,
    ),
    _rule(
        "party",
        r"\b(?:petitioners?|respondents?|appell(?:ant|ee)s?|plaintiffs? in error|relators?|libell?ants?)\b",
        r"\b(?:the plaintiffs?|the complainants?)\b",
    ),
    _rule(
        "lower-court",
        r"\bcourts? below\b|\bthe court of (?:appeals?|claims)\b",
        r"\b(?:the|that) (?:lower|trial|district|circuit|appellate|state|supreme) (?:court|judge)\b",
    ),
    _rule(
        "record",
        r"\btestif(?:y|ied|ies)\b|\btestimony of\b|\bthe record\b|\bthe jury (?:found|was|returned)\b",
        r"\bthe evidence (?:show|establish|disclos|indicat)",
    ),
    _rule(
        "contention",
        r"\b(?:contend|argu|urg|insist|submit|assert|alleg|maintain|complain|protest|object)(?:s|es|e|ed|ted|ing)?\b"
        r"[^.;]{0,30}\bthat\b",
        r"\b(?:is|was) (?:said|urged|argued|claimed|contended)\b",
    ),
    _rule(
        "plural-cases",
        r"\b(?:the|these|those|our|its|such|other|both|two|three|four|several|many|numerous|various|similar|related|cited"
        r"|decided|following|prior|previous|earlier|later|subsequent|recent|of|on|to) cases\b",
        r"^cases\b|\bcases (?:above|cited|decided|hold|holding)\b",
        r"\b(?:\w+) (?:decisions|precedents)\b",
    ),
    _rule("present-case", r"\b(?:here|today|at bar|before us|instant case|in question|at issue|concededly)\b"),
    _rule(
        "present-case",
        r"\b(?:this|present|instant|that|the) (?:case|suit|action|proceeding|appeal|controversy|writ|judgment|decree"
        r"|indictment|petition)s?\b",
        named=True,
    ),
    _rule(
        "reference",
        r"\b(?:above|aforesaid|foregoing|aforementioned|the same|the latter|the former)\b",
        r"\bthose\b(?! (?:who|whom|which|that|whose|in|of|to|for|with|upon|on|by|against|under|from|not)\b)",
    ),
    _rule(
        "reference",
        r"\bsuch (?:an? )?(?!(?:as|an?)\b)\w+",
        r"\bth(?:is|ese)(?! (?:court|country|nation))\b(?: \w+)?",
        named=True,
    ),
    _rule(
        "pronoun",
        r"^(?!it (?:is|was|has been|(?:may|must|can|cannot|will|would|should) be) (?!to\b)(?:\w+ ){1,5}?"
        r"(?:that|to|whether)\b)"
        r"(?:they|it|he|she|this(?! (?:court|country|nation)\b)|that|"
        r"these|those|such|its|their|his|her|both|neither|either|some|one|others?|another)\b",
    ),
    _rule("definite", rf"^the (?-i:[a-z]+ )?(?-i:[a-z]+),? {_FINITE}"),
    _rule("first-person", r"\b(?:we|ours?|me|my|ourselves|myself)\b|(?-i:\b(?:us|I)\b)"),
)
"""In order: the first that finds something is the reason."""


class Alone(NamedTuple):
    """A proposition as a sentence of its own, and what was done for it."""

    text: str
    steps: list[str]


def standing(text: str, before: str = "") -> Alone | Refusal:
    """A proposition without its frame ("In Roe we held that"), or why it does not stand alone.

    `before` are the words before it, which may say the name of a law that it points to.

    >>> standing("In that case, this Court held that a State may not tax land of the United States.").text
    'a State may not tax land of the United States'
    >>> standing("Such a tax is void for want of power in the State to levy it.").reason
    'reference'
    """
    words = _WORD.findall(text) or [""]
    if text.isupper() or sum(word[0].isupper() for word in words) > len(words) / 2 > 2:
        return Refusal("heading", text[:80])
    if sum(word.lower() in STOP_WORDS for word in words) < len(words) / 8:
        return Refusal("other-language", text[:80])
    steps: list[str] = []
    for name, change in (
        ("hyphens joined", _joined),
        ("brackets off", _unbracketed),
        ("opening off", _opened),
        ("law named", partial(resolved, before=before)),
    ):
        changed = change(text)
        steps += [name] if changed != text else []
        text = changed
    framed = _unframed(text)
    if isinstance(framed, Refusal):
        return framed
    if framed:
        text, steps = framed, [*steps, "frame off"]
    elif _opens_with_verb(words[0]):
        return Refusal("fragment", text[:80])
    if (impersonal := _OF_COURT.sub(_as_court, text)) != text:
        text, steps = impersonal, [*steps, "we is this Court"]
    return _pointing(text) or Alone(text.rstrip(" .;,:"), steps)


def _pointing(text: str) -> Refusal | None:
    n_words = len(_WORD.findall(text))
    if not FEWEST <= n_words <= MOST:
        return Refusal("under-six-words" if n_words < FEWEST else "over-seventy-words", f"{n_words} words")
    found = ((rule.reason, match[0]) for rule in _RULES if (match := _points(rule, text)))
    return next((Refusal(reason, words) for reason, words in found), None)


def _points(rule: _Rule, text: str) -> re.Match[str] | None:
    """What a rule finds, but for a noun that stands in the sentence before: "a suit ... the suit"."""
    matches = rule.found.finditer(text)
    return next((m for m in matches if not (rule.named and stems(m[0])[-1] in stems(text[: m.start()]))), None)


def _unframed(text: str) -> str | Refusal | None:
    """What is reported by "we held that", None where nothing is; a reason where the court does not stand behind it."""
    found = _FRAME.match(text)
    if not found or any(_SUBORDINATE.search(found[name] or "") for name in ("lead", "said")):
        return None
    said, who = found["said"].split(), found["who"].lower()
    denied = _DENIED.search(found["said"])
    verbs = [verb for word in said if (verb := _verb(word.strip(",").lower()))]
    nobodys = who in ("it", "there") and (denied or _DOUBTED.search(found["said"]))
    if nobodys or not (denied or verbs):
        return None
    if denied:
        return Refusal("unsupportive-frame", denied[0])
    if any(verb.ing in UNSUPPORTIVE for verb in verbs):
        return Refusal("unsupportive-frame", found["said"].strip())
    if who in ("we", "this court") and not any(verb.past for verb in verbs):
        return Refusal("present-case", f"{found['who']} {found['said'].strip()}")
    return found["rest"]


def _as_court(found: re.Match[str]) -> str:
    """ "we have held" as "this Court has held", where its verb is sure to be right; else as it stands."""
    verb = found["verb"].lower()
    if verb not in _MODALS and verb not in _OF_ONE and not ((known := _verb(verb)) and known.past):
        return found[0]
    court = "This Court" if found["we"][0] == "W" else "this Court"
    return f"{court}{found['between']} {_OF_ONE.get(verb, verb)}"


class _Verb(NamedTuple):
    ing: str
    past: bool


@lru_cache(maxsize=10_000)
def _verb(word: str) -> _Verb | None:
    """The word as a verb: its form in -ing, and whether it is one of the past; None where it is no verb."""
    import lemminflect

    lemmas = lemminflect.getAllLemmas(word)
    found = lemmas.get("VERB") or lemmas.get("AUX")
    if not found:
        return None
    forms = lemminflect.getAllInflections(found[0], upos="VERB")
    past = word in (*forms.get("VBD", ()), *forms.get("VBN", ())) and word not in forms.get("VB", ())
    return _Verb(next(iter(forms.get("VBG", ("",)))), past or word in ("has", "had", "was", "were"))


@lru_cache(maxsize=10_000)
def _opens_with_verb(word: str) -> bool:
    """Whether a part of a sentence begins with a verb, whose subject is not in it: "relied upon the rule"."""
    import lemminflect

    return word.islower() and set(lemminflect.getAllLemmas(word)) in ({"VERB"}, {"AUX"}, {"VERB", "AUX"})


def _joined(text: str) -> str:
    """The text with words whole that the print of the source had parted: "impermis-sibly"."""
    return _SPLIT_WORD.sub(lambda found: _whole(found[1], found[2]) or found[0], text)


@lru_cache(maxsize=10_000)
def _whole(first: str, second: str) -> str | None:
    import lemminflect

    whole = (first + second).lower()
    known = [bool(lemminflect.getAllLemmas(word)) for word in (whole, first.lower(), second)]
    return first + second if not known[2] and (known[0] or not known[1]) else None


def _unbracketed(text: str) -> str:
    """The text without a quotation's marks and brackets: "“[t]he State [of Ohio]”" is "the State of Ohio"."""
    text = re.sub(r"(?<!\w)[‘']([^‘’']*)[’'](?!\w)", r"\1", text)
    return " ".join(re.sub(r"[“”„\"`]|''|‘|(?<!\w)’|(?<=[.,;])’|\[([\w ,’'-]*)\]", r"\1", text).split())


def _opened(text: str) -> str:
    """The text without a word that joins it to the sentence before: "Moreover, "."""
    rest = _OPENING.sub("", text)
    return rest[:1].upper() + rest[1:] if rest != text and text[:1].isupper() else rest
