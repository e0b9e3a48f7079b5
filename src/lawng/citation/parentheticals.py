"""What a parenthetical does (explains, quotes, weighs, names a source or a history: Bluebook R. 1.5, 10.6) and reports.

"holding that p" says p, "rejecting that p" does not.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_ALTERATION = re.compile(
    r"""^(?:(?:some|all|most|first|second|third|fourth|last|original|internal|further|additional|other|certain|and),?\s+)*
    (?:(?:internal|nested|certain|some)\s+)?
    (?:(?:quotations?|quotes?|citations?|cites?|footnotes?|fn\.?|notes?|emphas[ei]s|italics|alterations?|brackets?
        |bracketing|ellips[ei]s|punctuation|paragraphs?(?:\s+breaks?|\s+structure)?|capitali[sz]ation|headings?|references?|modifications?
        |parentheticals?|authorities|and|or|,|;|marks?|internal|in)\s*)+
    \s*(?:(?:is|are|was|were|both|all)\s+)?
    (?:omitted|added|supplied|deleted|removed|altered|mine|ours|in\s+(?:the\s+)?original|original|changed|modified|adjusted|in\s+text
        |not\s+in\s+original|standardi[sz]ed|(?:adopted|accepted)(?=[;,)]|$))\b""",
    re.VERBOSE | re.IGNORECASE,
)
_ALTERATION_ALONE = re.compile(
    r"^(?:cleaned up(?:[,;].{0,40})?|sic|alteration(?:s)? (?:in|by) .{1,40}|second alteration.*|first alteration.*)$",
    re.I,
)
_JUDGE = (
    r"(?:[A-Z][\w’'.]+(?:\s(?:and\s)?[A-Z][\w’'.]+){0,4},?\s(?:C\.\s?)?"
    r"(?:J|JJ|A\.\s?C\.\s?J|P\.\s?J|V\.\s?C\.\s?J|Cir\.\s?J|D\.\s?J)\b\.?)"
)
_WEIGHT = re.compile(
    rf"""^(?:
        (?:en|in)\s+banc\b | per\s+curiam\b | (?:summary\s+|unpublished\s+)?order$ | orig\.\s+proceeding
      | (?:specially\s+)?(?:plurality|lead|separate|principal|majority|dissenting|concurring|unpublished|memorandum
            |joint|slip|advisory|table|equally\sdivided)(?:\s+(?:and\s\w+\s)?(?:op(?:inion)?\.?|decision|court|order|disposition))?\b
      | mem\.|table\b|unpub(?:lished\b|\.)|(?:non-?|not\s+)precedential\b|not\s+for\s+(?:official\s+)?publication
      | (?:physical|persuasive)\s+precedent\s+only | dict(?:um|a)\b|by\s+implication|alternat(?:ive|e)\s+holding
      | (?:opinions?|op\.|statement|plurality|judgment|concurrence|dissent|separate|views?)\s+(?:\w+\s)?
            (?:of|by|for|announcing|in|concurring|dissenting|respecting)\b
      | {_JUDGE} | (?:Mr\.\s|Chief\s|Associate\s)?Justice\s[A-Z]
      | (?:concurring|dissenting)\b | (?:concurrence|dissent)s?\b | in\s+chambers | \d(?:-|\sto\s)\d(?:\sdecision)?
      | equally\s+divided | same\s+(?:judge|panel) | three-judge\s+(?:district\s+)?(?:court|panel)$ | divided\s+court
      | (?:panel|original)\s+opinion | op(?:inion|\.)\s+on\s+(?:reh|(?:motion|remand|reconsideration)\b) | full\s+court
      | rehearing | on\s+rehearing | with(?:out)?\s+opinion
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_WEIGHT_MAX = 220
_LABEL_MAX = 200
"""Characters in which a label is looked for: what is longer is none."""
_SOURCE = re.compile(
    r"^(?:internally\s+|partially\s+|in\s+turn\s+|also\s+|itself\s+)?(?:quoting|quoted|citing|cited|citations?\s+to|cites?|quotes?|citing,\s|relying\s+on)\b",
    re.IGNORECASE,
)
_SOURCE_AND_MORE = re.compile(
    r"\b(?:and|but)\s+(?:then\s+|also\s+)?(?:holding|noting|finding|stating|explaining|concluding|rejecting|observing|reasoning"
    r"|emphasi[sz]ing|discussing|describing|applying|declining|upholding|striking|invalidating|distinguishing)\b"
    r"|^citing[^,.;]*\bfor\s+(?:the\s+)?(?:proposition|principle|rule)\b"
)
_HISTORY = re.compile(
    r"^(?:overruled|disapproved\s+(?:of\s+)?(?:on\s+(?:an)?other\s|(?:by|in)\s(?-i:[A-Z“]))|holding\s+(?:modified|limited)\s+by\s(?-i:[A-Z“])|aff(?:['’]d|['’]g|irmed)|rev(?:['’]d|['’]g|ersed)|vacated|cert(?:\.|iorari)\s|superseded|abrogat(?:ed|ing)\s+(?:by|[A-Z])"
    r"|reh(?:['’]g|earing)\s|modified|withdrawn|appeal\s+(?:docketed|dismissed|pending|denied)|depublished|prob(?:\.|able)\s+juris|on\s+remand)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"^(?:idem|(?-i:(?!Title|Article|Art\.|Chapter|Class|Schedule|Phase|World|Count|Rule|Type|Factory|Malcolm)[A-Z][\w’'.&-]*(?:\s[A-Z][\w’'.&-]*){0,2}\sI{0,3}V?I{0,3})$|(?:together|collectively),?\s+(?:the\s+)?(?-i:[“\"‘]?[A-Z][\w’'.-]*(?:\s[A-Z][\w’'.-]*)*)[”\"’]?$|hereinafter|hereafter|see\b|compare\b|but\s+see|cf\.|accord|Nos?\.|Docket|slip\s+op"
    r"|emphasis|supra|infra|id\.|parts?\s[IVX\d]+\b)|^[\divxlcIVXLC.\-–— ]+$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?:[“\"]|‘‘)(?:[^“”\"]|‘[^’]*’)*[”\"]|[“\"][^”\"]*$")
_QUOTED_SHARE = 0.8
# "holding that", "holding, inter alia, that", "holding further that", "holding in part that"
_OPENING = re.compile(
    r"^(?P<verb>[A-Za-z-]+ing)"
    r"(?P<aside>,[^,]{1,40},|(?:\s+(?:\w+ly|again|also|further|instead|in\s+(?:relevant\s+)?part|in\s+dict(?:um|a)|inter\s+alia))+,?)?"
    r"\s+that(?:,(?=\s))?\s+(?P<rest>\S)",
    re.IGNORECASE | re.DOTALL,
)
NO_VERB = {
    *("anything", "during", "everything", "evening", "king", "morning", "nothing", "something", "string", "thing"),
    *("being", "building", "proceeding", "providing"),
}
"""Words in -ing that open no report."""
# The writer of these does not stand behind the clause: "denying that p" is no reason to believe p.
UNSUPPORTIVE = {
    *("alleging", "arguing", "assuming", "challenging", "claiming", "contending", "contesting", "denying"),
    *("disagreeing", "disbelieving", "disputing", "doubting", "questioning", "rejecting", "supposing", "urging"),
}


def kind_of(text: str) -> str:
    """The kind of a parenthetical, one of `lawng.schema.PARENTHETICAL_KINDS`.

    >>> [kind_of(t) for t in ("holding that x is y", "en banc", "quoting Roe", "emphasis added", "“so be it”")]
    ['explanatory', 'weight', 'source', 'alteration', 'quotation']
    """
    text = text.strip()
    if _ALTERATION.match(text[:_LABEL_MAX]) or _ALTERATION_ALONE.match(text):
        return "alteration"
    if _SOURCE.match(text):
        return "explanatory" if _SOURCE_AND_MORE.search(text) else "source"
    if len(text) <= _WEIGHT_MAX and _WEIGHT.match(text):
        return "weight"
    if _HISTORY.match(text):
        return "history"
    if _OTHER.match(text):
        return "other"
    return "quotation" if _is_quotation(text) else "explanatory" if re.search(r"[a-z]{3,}", text) else "other"


def _is_quotation(text: str) -> bool:
    if text[:1] not in "“\"‘'":
        return False
    quoted = sum(len(match.group()) for match in _QUOTED.finditer(text))
    return quoted >= _QUOTED_SHARE * len(text)


class Reported(NamedTuple):
    """A parenthetical that opens with a verb in -ing and "that"."""

    opening: str
    """All that stands before the clause."""
    verb: str
    """In lower case, with what stands between it and "that"."""
    clause: str
    """What is reported, as a sentence of its own."""
    supported: bool
    """Whether the writer stands behind it."""


def reported(text: str) -> Reported | None:
    """The opening verb of a parenthetical and the clause that it reports (LawngNLI, A.1.2, fourth filter).

    >>> reported("holding, inter alia, that the tax is void")
    Reported(opening='holding, inter alia, that ', verb='holding, inter alia', clause='the tax is void', supported=True)
    >>> reported("nothing that the State did was void"), reported("rejecting the claim that the tax is void")
    (None, None)
    """
    found = _OPENING.match(text)
    if not found or (verb := found["verb"].lower()) in NO_VERB:
        return None
    said = " ".join(f"{verb}{found['aside'] or ''}".split()).rstrip(",")
    return Reported(found[0][: found.start("rest")], said, text[found.start("rest") :], verb not in UNSUPPORTIVE)
