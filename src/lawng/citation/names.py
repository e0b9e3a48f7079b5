"""Case names before a citation: where the name begins, which tells where a citation begins and what supra means."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WINDOW = 320
_VERSUS = re.compile(r"\s(?:v|vs|V)\.?\s+")
_CONNECTORS = frozenset(
    str.split(
        "of the and & for in re ex rel. rel parte de la le du des del della von van der den et al. al a an on"
        " behalf to by el at as d/b/a dba upon or et. d. y und sub nom. nom with"
    )
)
_LEADERS = re.compile(
    r"^(?:(?:The\sCourt\sin|But(?=\sin\s)|(?:But\s|And\s)?[*_]{0,2}[Ss]ee(?:,?\s+also|,?\s+e\.?\s?g\.?,?|\s+generally)?[*_]{0,2}|Cf\.|But\s+cf\.|Contra(?:st)?|Accord|Compare|E\.\s?g\.,?"
    r"|In(?!\s+(?:re|the\s+Matter|Matter)\b)|Under|As\s+in|As|Since|Thus|Also|And|Both|Neither|Unlike|Like|Although|While|After|Before"
    r"|Citing|Quoting|Indeed|Likewise|Similarly|However|When|Because|Even|Nor|Yet|So|Moreover|Relying\son|Following|From|By|For|On"
    r"|Accordingly|Therefore|Hence|Consequently|Nevertheless|Nonetheless|Furthermore|Instead"
    r"|Reversing|Affirming|Distinguishing|Overruling|Compare|With|Where|Until|Applying|Here|Finally|Again|That|This|Our|We"
    r"|Petitioner|Respondents?|Appellants?|Despite|Notwithstanding|Notably|Specifically|Whether|Nothing\sin"
    r"|Prior\sto|Based\son|Consistent\swith|Pursuant\sto|Contrary\sto|According\sto(?:\s(?:the\s)?\w+(?=,))?|Unless"
    r"|Syl(?:labus|\.)\s(?:[Pp]oint|[Pp]t\.)\s\d+|(?:1[789]|20)\d\d(?=,\s(?!Inc|LLC|Ltd|Corp|L\.))"
    r"|of|the|and|a|an|for|by|to|in(?!\sre\b)|on|upon|with|as|at|or)(?:[,:]?\s+|$))+"
)
_PROCEDURAL = re.compile(r"\b(?:[Ii]n re|[Ee]x parte|(?:In the )?[Mm]atter of|Estate of|In Matter of)\s")
_YEAR_BEFORE = re.compile(r"\s*[(\[][^()\[\]]{0,40}?\b\d{4},?[)\]]\s*$")
_DOCKET = re.compile(
    r",\s(?:(?:Nos?\.|Docket|Civ\.|Case\sNo\.)\s?[\w.:–—/ -]{3,40}(?:\([A-Z]{2,5}\)\s?){0,2}"
    r"|\d{2,4}-(?:[A-Z]{1,3}-)?\d{2,5},?\s(?:pp?\.\s?[\d-]+\s)?\([^()]{4,40}\)|[-–—_]{1,4}\s?U\.\s?S\.\s?[-–—_]{1,4}),\s?$"
)
"""A docket number between name and cite, "Smith v. Jones, No. 99-1234, 2003 WL 1234567", in Louisiana with the date,
"96-0744 (La. 5/20/97), 694 So. 2d 203"; or a cite with blanks, "— U.S. —"."""
_COURT_BEHIND = re.compile(
    r",\s(?:D\.\s?C\.(?:\s?[A-Z]\w*\.){0,3}|\d\w*\s?Cir\.(?:,?\s\d{4})?|C\.\s?C\.\s?A\.(?:\s?\d\w*\.?)?"
    r"|\d\w*\sDist\.(?:\s[A-Z]\w*){0,2}(?:\sNos?\.\s[\w, -]{3,40})?),?\s?$"
)
"""The court between name and cite, as older opinions and Ohio's have it: "Smith v. Jones, D. C., 12 F. Supp. 3"."""
_TOLD_IN = re.compile(
    r".*\b(?:Courts?|Circuit|Justice|Judge|Chancellor|Appeals|[12]\d{3})\b.*?[\s,](?:in|on)"
    r"(?:\s+(?:the\s)?(?=[A-Z“])|\s*$)",
    re.S,
)
"""Who said it, or when, before the name: "the Supreme Court of Iowa in Roe v. Wade"."""
_COURT_ALONE = re.compile(
    r"^(?:The\s|This\s)?Courts?\b|\bCourts?\s(?:of|in|below)\b|\bCircuit(?:\.?$|\sJudge\b)|\bTax\sAppeals\b"
    r"|\b(?:Supreme|Judicial|Circuit|District|Appellate|Superior|Trial|State|Federal|Municipal|Probate|Tax)\sCourts?\b"
)
"""A court and no party; "Arden Court, supra" is one."""
_SENTENCE_END = re.compile(r"[;:!?”\"’)\]—][.,;]?$")
_ALSO_CALLED = re.compile(r"\s\((?:[Ii]n\sre|[Mm]atter\sof|[Ee]state\sof)\s[^()]{1,80}\),?\s?$")
"""Bankruptcy: "Roe v. Doe (In re Doe), 5 F.3d 10" (Bluebook R. 10.2.1)."""
_ASIDE = re.compile(r"\b(?:[Mm]atter of|[Ii]n re)\s[^()]{1,80}\([A-Z][^()]{0,60}\)$")
"""New York: "Matter of Doe (Roe), 5 AD3d 10"."""
_ABBREVIATION = re.compile(
    r"^(?:\W*(?:[A-Z]\.)+|\W*[A-Z][\w’']{0,4}\.|\W*(?:Assn|Assoc|Assurance|Auth|Cmty|Comm|Commrs?|Commn|Commw|Condit|Constr|Contr|Coop|Corp"
    r"|Dept|Develop|Distrib|Educ|Elec|Employ|Envtl|Equip|Exam|Exch|Fedn|Found|Govt|Guar|Hosp|Indem|Indus|Instit|Insur|Internatl|Invest"
    r"|Litig|Merch|Metro|Mortg|Natl|Organ|Pharm|Prods?|Prop|Prot|Publg?|Recr?|Rehab|Relig|Resour|Restor|Sanit|Savs?|Servs?|Socy|Subcomm"
    r"|Sur|Techs?|Telecomms?|Telegr?|Telephone|Transcon|Transp|Trustees|Unempl|Univ|Westn|Supervisors)\.)",
    re.VERBOSE,
)
_ENDS_SENTENCE = re.compile(r"[a-z’']{2,}\.$")
# As short as an abbreviation, but a word: a sentence ends here. "Cal. Code. See" is no name.
_WORD = re.compile(r"^(?:Act|Case|Code|Court|Part|Rule|State|Union)\.$")
_SIGNAL = re.compile(r"^\W*(?:See|Cf|Accord|Contra|Contrast|Compare)[.,:]?$")
_MARK = re.compile(r"^[^\w&]+$")


@dataclass(frozen=True, slots=True)
class Name:
    """A case name and where it begins; `parties` has one or two entries."""

    text: str
    start: int
    parties: tuple[str, ...]


def name_before(text: str, floor: int, end: int) -> Name | None:
    """The case name that ends at `end` (the blank or comma before a citation's core), not reaching back before `floor`.

    >>> name_before("The court relied on Roe v. Wade, 410 U.S. 113", 0, 33).text
    'Roe v. Wade'
    >>> name_before("See Adarand, 515 U.S., at 241", 0, 13).text
    'Adarand'
    """
    floor = max(floor, end - _WINDOW)
    window = text[floor:end]
    ended = window.rstrip().endswith(".")  # and no comma behind it
    if _VERSUS.search(window):
        window = _ALSO_CALLED.sub("", window)
    window = _COURT_BEHIND.sub("", _DOCKET.sub("", _YEAR_BEFORE.sub("", window))).rstrip(" ,\n([")
    paragraph = window.rfind("\n")
    offset = floor + paragraph + 1
    window = window[paragraph + 1 :]
    if not window or (_SENTENCE_END.search(window) and not _ASIDE.search(window)):
        return None
    found = _versus(window, offset) or _procedural(window, offset)
    if found or (ended and _breaks_after(window.split()[-1])):  # "of the Fourteenth Amendment. 410 U.S., at 153"
        return found
    return _single(window, offset)


def _versus(window: str, offset: int) -> Name | None:
    found = list(_VERSUS.finditer(window))
    if not found:
        return None
    versus = found[-1]
    defendant = window[versus.end() :]
    if not _is_name(defendant):
        return None
    begin = _name_start(window[: versus.start()])
    if begin and _VERSUS.search(window[max(0, begin - 5) : begin]):
        # the name was found to run into another: "Brown v. Houston and Fairbank v. Roe"
        joint = re.search(r"\band\s+", window[begin : versus.start()])
        begin += joint.end() if joint else 0
    if begin >= versus.start():
        return None
    plaintiff = window[begin : versus.start()]
    return Name(window[begin:], offset + begin, (_party(plaintiff), _party(defendant)))


def _procedural(window: str, offset: int) -> Name | None:
    found = list(_PROCEDURAL.finditer(window))
    if not found or not _is_name(window[found[-1].end() :]):
        return None
    return Name(window[found[-1].start() :], offset + found[-1].start(), (_party(window[found[-1].end() :]),))


def _single(window: str, offset: int) -> Name | None:
    begin = _name_start(window)
    name = window[begin:]
    # "Act 194. See 358 F. Supp., at 39" names no case.
    if (
        not name
        or _SIGNAL.match(name.split()[-1])
        or not name[0].isupper()
        or len(name) > 120
        or _COURT_ALONE.search(name)
    ):
        return None
    return Name(name, offset + begin, (_party(name),))


def _is_name(words: str) -> bool:
    """Whether all words could belong to a party's name, so that the name stands next to the citation."""
    return bool(words) and len(words) < 160 and all(_fits(word) for word in words.split())


def _fits(word: str) -> bool:
    bare = word.strip("(),’'“\"‘[]")
    return not bare or bare[0].isupper() or bare[0].isdigit() or not bare[0].isalpha() or bare.lower() in _CONNECTORS


def _name_start(words: str) -> int:
    """Where the name that ends these words begins: back over capitalised words and small connecting ones."""
    begin = len(words)
    for match in reversed(list(re.finditer(r"\S+", words))):
        word = match.group()
        if begin < len(words) and _breaks_after(word):
            break
        if not _fits(word) or _MARK.match(word):
            break
        begin = match.start()
        if word[0] in '(“"[‘' and not word.endswith(")"):
            begin += 1
            break
    told = _TOLD_IN.match(words, begin)
    begin = told.end() if told else begin
    leader = _LEADERS.match(words[begin:])
    return begin + leader.end() if leader else begin


def _breaks_after(word: str) -> bool:
    """Whether a sentence or clause ends after this word, so that a name cannot reach back over it."""
    if word.endswith(("s’", "s'")) and word[:1].isupper():  # Fashion Originators’ Guild
        return False
    if _SENTENCE_END.search(word) and not (word.startswith("(") and word.endswith(")")):
        return True
    if word.endswith((".”", ".’")) or _SIGNAL.match(word) or _WORD.match(word):
        return True
    # "Louisiana ex rel. Francis v. Resweber" is one name.
    return bool(_ENDS_SENTENCE.search(word)) and not _ABBREVIATION.match(word) and word != "rel."


def _party(name: str) -> str:
    name = re.sub(r",?\s+(?:et\s+al\.?|supra|infra)\s*,?$", "", name.strip(" ,()“”\"’‘'"))
    return re.sub(r"^(?:the|of|and|The)\s+", "", name)
