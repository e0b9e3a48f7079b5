"""Who wrote an opinion: surnames, as CourtListener's `author_str` has them, "Vinson" for "Mr. Chief Justice Vinson"."""

from __future__ import annotations

import re

from lawng.corpus.names import surname

PER_CURIAM = "Per Curiam"
_PER_CURIAM = re.compile(r"^\W*(?:opinion\W+)?(?:p\w{1,2} c[uo]riam\b|by the court\W*$)", re.I)
_JUDGE = r"(?:j\W?u\W?s\W?t\W?i\W?ces?|judges?|chancellor|commissioner|surrogate|referee|magistrate)"
_RANK = r"(?:chief|presiding|associate|senior|acting|vice|circuit|district|administrative|administrative law|special)"
_TITLE = re.compile(rf"\b(?:{_RANK}[\s-]+)*{_JUDGE}\b\W*", re.I)
_LETTERS = re.compile(r",?\s+(?:[ACDPSV]\.?\s?){0,2}JJ?\.(?:\s?A\.?\s?D\.|\s?P\.?\s?T\.)?(?=\W|$)|,?\s+JJ?$|,\s*[CP]J$")
_MISTER = re.compile(
    rf"(?:\bM[\w«]{{0,3}}['.,!\s-]+|\b[A-Z][\w'-]{{0,3}}\.\W*|\bHon\w*\W+|\bThe\s+){{1,4}}(?=(?:{_RANK}\s+)*{_JUDGE}\b)",
    re.I,
)
_SAID = re.compile(
    r"[,\s([—-]*\b(?:is of|acquiesce|deliver|announc|dissent|concur|join|with (?:whom|him|her)|whom"
    r"|for the (?:court|majority)|writing|filed|took no part|authored|wrote|after stating|having|in which|specially"
    r"|appendix).*$",
    re.I | re.S,
)
_OF = re.compile(
    r"^[^\w¶]*(?:¶\s*\d+\W*)?(?:(?:the )?(?:separate )?opinion )?(?:(?:of|by) the court\W+)?(?:by|of)?:?\s+", re.I
)
_JUNIOR = re.compile(r",? (?:[JS]r\.?|I{2,3}|IV)$", re.I)
_NAMES = r"[A-Z][\w'’`-]*\.?(?:,? (?:[A-Z][\w'’`-]*\.?|and|de|von|van)){0,6}?"
_OPENS = re.compile(
    rf"^\W*(?P<name>(?:(?:M[\w«]{{1,3}}['.]*|The) )?(?i:(?:{_RANK} )*{_JUDGE})(?: {_NAMES})?"
    rf"|{_NAMES},? (?:(?i:(?:{_RANK} )*{_JUDGE})|C\.? ?J\.|J\.|P\.? ?J\.),?)"
    rf"(?=[,:]?(?: (?:now|after|having|stated)\b[^.;]{{0,120}}?| (?:also|then|also then))?,?"
    rf" (?:(?:delivered|announced)\b|for the Court\b)"
    rf"|,? \(?(?:with wh\w+ [^.;]{{2,160}}, )?(?:specially )?(?:concurring|dissenting)\b|[.:]?$)"
)
_NO_AUTHOR = re.compile(r"(?:ex parte|in re|before|present|in the matter)\b", re.I)
_NO_NAME = re.compile(r"\b(?:the|in|for|is|i|a|of|have|with|court|that)\b", re.I)
_NAMED = re.compile(rf"(?i:\b{_JUDGE})\W+([A-Z][\w'’]+)")
_PREFIXED = re.compile("[A-Z][a-z]{1,2}[A-Z]{2}")
_MISREAD = re.compile("[A-Z][a-z]+[A-Z]")  # the last of small capitals
_LONGEST = 60
_LONGEST_LINE = 300


def author_name(raw: str) -> str:
    """An author's line as a surname; several are parted by commas and "and"; what is no such line stays.

    >>> author_name("(mr. chief justice vinson)"), author_name("me. justice stevens"), author_name("O’CONNOR, J.")
    ('Vinson', 'Stevens', 'O’Connor')
    >>> author_name("Mr. Justice White and Mr. Justice McKenna"), author_name("PATIENCE DRAKE ROGGENSACK, C.J.")
    ('White and McKenna', 'Patience Drake Roggensack')
    >>> author_name("PER CURIAM:"), author_name("The CHIEF JUSTICE"), author_name("Ruth Bader Ginsburg")
    ('Per Curiam', 'Chief Justice', 'Ruth Bader Ginsburg')
    """
    line = " ".join(raw.split())
    if _PER_CURIAM.match(line):
        return PER_CURIAM
    # who writes it is said first; a whole opinion in the author's field would take minutes
    opening = line[:_LONGEST_LINE]
    names = _SAID.sub("", _OF.sub("", f" {opening}"))
    titled = _TITLE.search(names) or _LETTERS.search(names)
    names = _LETTERS.sub("", _TITLE.sub("", _MISTER.sub("", names))).strip(" .,:;'’‘\"•■*()[]-—").removeprefix("and ")
    if not names:
        return "Chief Justice" if titled and "chief" in opening.lower() else line
    if len(names) > _LONGEST or any(map(str.isdigit, names)) or _NO_NAME.search(names):
        found = _NAMED.search(opening)
        return surname(found[1].upper()) if found else line
    return (
        re.sub(r"[^\W\d_]+(?:['’][^\W\d_]+)*", _cased, _JUNIOR.sub("", names)) if titled or not _mixed(names) else names
    )


def author_in(opening: str) -> str:
    """The author whom an opinion's first line names, "" when it names none.

    >>> author_in("MR. JUSTICE HOLMES delivered the opinion of the Court."), author_in("LUMBARD, Chief Judge.")
    ('Holmes', 'Lumbard')
    >>> author_in("PER CURIAM."), author_in("The judge charged the jury that he was guilty.")
    ('Per Curiam', '')
    """
    line = " ".join(opening[:_LONGEST_LINE].split())
    if _NO_AUTHOR.match(line):
        return ""
    if _PER_CURIAM.match(line):
        return PER_CURIAM
    match = _OPENS.match(line)
    name = author_name(match["name"]) if match else ""
    return "" if _NO_NAME.search(name) else name


def _mixed(names: str) -> bool:
    return names != names.upper() and names != names.lower()


def _cased(word: re.Match[str]) -> str:
    raw, capitals = word[0], word[0].isupper()
    if raw.lower() == "and" or (raw in ("de", "von", "van")):
        return raw.lower()
    if len(raw) == 1 or not (capitals or raw.islower() or _PREFIXED.match(raw) or _MISREAD.fullmatch(raw)):
        return raw
    return surname(raw if capitals or _PREFIXED.match(raw) else raw.upper())
