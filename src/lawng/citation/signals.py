"""What stands between citations: signals (Bluebook R. 1.2) and case history (R. 10.7, table T8; LawngNLI, A.1.2).

A signal tells what a citation does for the sentence ("but see"), a history flag what became of the case ("aff'd").
"""

from __future__ import annotations

import re

_EG = r"(?:,?\s?e\.?\s?g\.?)"
_SIGNAL = re.compile(
    rf"""(?:^|(?<=[\s(\[“"'—;.,*_–-]))
    (?P<signal>
        (?:but\s+|and\s+)?see,?\s+(?:also|too|generally|especially|particularly|in\s+addition|inter\s+alia){_EG}?
      | (?-i:See)(?:,\s+however(?=,)|\s+however(?=,))
      | (?:but\s+|and\s+)?see,?\s+for\s+(?:example|instance)
      | (?:but\s+|and\s+)?see{_EG}?
      | but\s+(?:cf|compare)\.?{_EG}?
      | cf\.{_EG}?
      | compare{_EG}?
      | contra(?:st)?{_EG}?
      | accord{_EG}?
      | e\.\s?g\.
      | with
    )
    [,:*_]*\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_SAME = {"see too": "see also", "see in addition": "see also", "see inter alia": "see, e.g.", "see however": "but see"}
_SPACES = re.compile(r"\s+")
_APOSTROPHE = r"[’'`]"
_FLAG = rf"""
    (?:
        aff{_APOSTROPHE}?[dg]\b | affirm(?:ed|ing|ance)\b
      | rev{_APOSTROPHE}?[dg]\b | revers(?:ed|ing)\b
      | vacat(?:ed|ing)\b | modif(?:ied|ying)\b | remand(?:ed|ing)\b
      | (?:petition\s+for\s+)?cert(?:\.|iorari)\s+(?:denied|granted|dismissed|filed)
      | (?:petition\s+for\s+)?(?:reh{_APOSTROPHE}?g|reh\.|rehearing|review|leave\s+to\s+appeal|appeal|writ)\s+
            (?:en\s+banc\s+)?(?:denied|granted|dismissed|refused|docketed|filed)
      | app(?:eal|\.)\s+(?:dism{_APOSTROPHE}d|dismissed|denied)
      | (?:lv\.?|rev\.|trans\.|pet\.)\s+(?:to\s+appeal\s+)?(?:denied|granted|dismissed|ref{_APOSTROPHE}d)
      | overrul(?:ed|ing)\b | disapprov(?:ed|ing)(?:\s+of)?\b | abrogat(?:ed|ing)\b | supersed(?:ed|ing)\b
      | (?:non)?acq\. | prob(?:able|\.)\s+juris(?:diction|\.)\s+noted | juris(?:diction|\.)\s+(?:noted|postponed)
      | (?:aff{_APOSTROPHE}d|rev{_APOSTROPHE}d)\s+mem\. | mem\.
      | on\s+(?:remand|rehearing|reh{_APOSTROPHE}?g)
    )"""
_REST = r"(?:(?![;()\[\]])(?:[a-z,&.’'` ]|\bJune|\b(?:1[789]|20)\d\d(?=,)|sub nom\.)){0,60}"
_BETWEEN = re.compile(
    rf"^\s?[,;]?\s?(?:and\s)?(?P<flag>{_FLAG}){_REST}(?:sub\snom\.?,?\s[^;()]{{3,120}})?[,\s]*$", re.VERBOSE
)
_AFTER = re.compile(rf"^\s?,\s?(?:and\s)?(?P<flag>{_FLAG})(?=[\s,.;)]|$)", re.VERBOSE)
_IN_PART = re.compile(
    rf"\s+in\s+part(?:\s+and|,)\s+(?:and\s+)?(?P<flag>rev{_APOSTROPHE}?[dg]|reversed|vacated)\s+in\s+part"
)
_LAST = re.compile(
    rf"^\s?,\s?{_FLAG}(?:\s+in\s+part|\s+mem\.|\s+and\s+remanded)?(?:,?\s+No\.\s[\w–-]+)?(?:\s\([^()]{{0,40}}\))?(?=\s*(?:[.;)]|$))",
    re.VERBOSE,
)
UNDOING = (
    *("overrul", "revers", "rev'", "vacat", "abrogat", "disapprov", "supersed", "disavow", "repudiat", "reject"),
    "distinguish",
)
"""How what `undoing_before` tells begins."""
_VERBS = "|".join(stem for stem in UNDOING if stem != "rev'")
_IN_PART_ONLY = r"(?:,?\s+in\s+part,?)?"
_UNDOING = re.compile(
    rf"\b(?P<flag>(?:{_VERBS})(?:ed|ing|es|e|s)?|rev{_APOSTROPHE}g){_IN_PART_ONLY}"
    r"(?:\s+(?:our|its|the)\s+(?:decision|holding)\s+in)?\s*$",
    re.IGNORECASE,
)
_NOT_UNDOING = re.compile(
    r"\b(?:not|never|no|nor|neither|without|declin\w*|refus\w*|err\w*|whether|if|unwilling)\b[^.,;]*$", re.IGNORECASE
)
_PARTICIPLE = re.compile(
    rf"[,;.]\s+(?P<flag>(?:(?:{_VERBS}|affirm|modify)ing|(?:rev|aff){_APOSTROPHE}g|citing|quoting){_IN_PART_ONLY}\s*)$",
    re.IGNORECASE,
)
_PRIMARY = re.compile(r"aff|cert|reh|rev\.|review|lv|trans|pet\.|leave|appeal|app\.|writ|acq|prob|juris|mem|petition")


def signal_before(text: str, end: int) -> tuple[str, int] | None:
    """The signal that ends at `end`, in standard form, and where it begins; None when there is none.

    "with" counts only after a comma or bracket, as the second half of "compare ..., with ..." does.

    >>> signal_before("Affirmed. See, e. g., ", 22)
    ('see, e.g.', 10)
    >>> signal_before("we agree with ", 14) is None
    True
    """
    match = _SIGNAL.search(text, max(0, end - 40), end)
    if match is None:
        return None
    signal = standard_signal(match.group("signal"))
    start = match.start("signal")
    if signal == "with" and not text[max(0, start - 2) : start].rstrip().endswith((",", ")", ";")):
        return None
    return signal, start


def undoing_before(text: str, end: int) -> str | None:
    """What a sentence does to a case whose citation begins at `end`, by the words right before it; None if nothing.

    Such a case does not stand for the sentence: "a landlord must repair the roof, overruling Adler v. Quince".

    >>> undoing_before("He must repair the roof, overruling in part ", 44)
    'overruling'
    >>> undoing_before("He must repair the roof. ", 25) or undoing_before("We have never overruled ", 24) is None
    True
    """
    match = _UNDOING.search(text, max(0, end - 60), end)
    if match is None or _NOT_UNDOING.search(text[max(0, match.start() - 40) : match.start()]):
        return None
    return _SPACES.sub(" ", match["flag"].lower().replace("’", "'").replace("`", "'"))


def history_start(text: str, end: int) -> int:
    """Where the history begins that ends at `end`, before a citation and behind a comma; `end` where there is none.

    >>> text = "He must repair the roof, overruling "
    >>> text[history_start(text, len(text)) :]
    'overruling '
    """
    match = _PARTICIPLE.search(text, max(0, end - 40), end)
    return match.start("flag") if match else end


def standard_signal(signal: str) -> str:
    """A signal in lower case with standard blanks and commas.

    >>> standard_signal("See,  e. g.,"), standard_signal("But  cf.")
    ('see, e.g.', 'but cf.')
    """
    signal = _SPACES.sub(" ", signal.lower()).strip(" ,:").removeprefix("and ")
    signal = re.sub(r",? ?\be\.? ?g\b\.?", ", e.g.", signal).lstrip(", ")
    signal = signal.replace("see, ", "see ").replace("see e.g.", "see, e.g.").replace("but compare", "but cf.")
    signal = _SAME.get(signal, signal)
    return signal + "." if signal in ("cf", "but cf") else signal


def history_between(text: str, start: int, end: int) -> str | None:
    """The history flag that fills the gap between two citations, or None.

    >>> history_between("(2d Cir. 1990), aff'd, 500 U.S. 1", 14, 23)
    "aff'd"
    """
    if end - start > 200:
        return None
    return _flag_of(_BETWEEN.match(text[start:end]), text[start:end])


def history_after(text: str, start: int) -> str | None:
    """The history flag that follows a citation behind a comma, or None."""
    return _flag_of(_AFTER.match(text[start : start + 60]), text[start : start + 60])


def history_end(text: str, start: int) -> int:
    """Where the history ends that a sentence or a string has behind its last cite; `start` where it has none.

    >>> [history_end(text, 9) for text in ("10 U.S. 5, cert. denied, No. 3-1.", "10 U.S. 5, affirmed the order.")]
    [32, 9]
    """
    match = _LAST.match(text[start : start + 100])
    return start + match.end() if match else start


def describes_first(flag: str) -> bool:
    """Whether a parenthetical behind the later citation still describes the earlier case.

    A denial holds nothing, and an affirmance adopts what the cited case held: in "A, aff'd, B (holding x)" the case
    that the sentence cites is A. After a reversal or an overruling the words describe the later case.
    """
    return bool(_PRIMARY.match(flag))


def _flag_of(match: re.Match[str] | None, gap: str) -> str | None:
    """The flag in standard form: of a case affirmed in part and reversed in part the reversal."""
    if match is None:
        return None
    undone = _IN_PART.match(gap, match.end("flag"))
    flag = undone["flag"] if undone else match["flag"]
    return re.sub(r"\s+", " ", flag.lower().replace("’", "'").replace("`", "'"))
