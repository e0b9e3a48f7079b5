"""Names of cases as they are cited: first parties only, capitals only where they belong (Bluebook, rule 10.2); parties.

Sources print names in capitals, with every party, its roles and its office. `Case.name_full` keeps what the source has.
Who wrote an opinion is a surname, as CourtListener's `author_str` has it: "Vinson" for "Mr. Chief Justice Vinson".
"""

from __future__ import annotations

import re

from lawng.io.limits import NAME_CHARACTERS

LONGEST = 120
"""No short name is longer, in characters: the rest is cut off at a word, with "…"."""
_LONG = 80
_READ = 4000
"""Characters of a name that its short form is made of."""
_SMALL = frozenset(str.split("a al an and as at by et ex for from in of on or re rel the to upon ux v vir vs"))
_ACRONYMS = frozenset(
    str.split(
        "AAA ABA ABC ACLU AFL AMTRAK ASARCO CAB CIA CIO CNA DEA EEOC EPA FAA FBI FCC FDA FDIC FERC FHA GEICO GMAC GTE"
        " HUD IBEW IBM ICC ILGWU INS IRS ITT MCI NA NAACP NASA NASD NCAA NYSE OSHA PGA RCA REA SA SEC SSA TVA UAW UMW"
        " UPS US USA USAA USDA USX VA YMCA YWCA II III IV VI VII VIII IX XI XII XIII XIV XV"
    )
)
_CLIPPED = frozenset(str.split("JR SR DR MR MRS MS ST LTD MFG DEPT BD RY RD CTR HWY BLVD"))
_LATIN = re.compile(r"\b(?:Ex Rel|In Re|Ex Parte|Et Al|Et Ux)\b", re.I)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PREFIXED = re.compile(r"([A-Z][a-z]{1,2}|M[Cc]|[A-Z]['’])(?=[A-Z]{2})")
_FIRST = re.compile(r"(?:^|\bvs?\.\s|;\s)\W*$", re.I)
_ROLE = (
    r"(?:(?:cross|counter|third[- ]party)[- ]?)?(?:plaintiff|defendant|appellant|appellee|petitioner|respondent"
    r"|complainant|claimant|intervenor|relator|libell?ant|libell?ee|debtor|movant)s?"
)
_ROLES = re.compile(rf"(?:,\s*|\s+(?={_ROLE}\W*$)){_ROLE}(?:[-/, ]+(?:and )?{_ROLE})*(?: in error)?(?![\w'’-])", re.I)
_OTHERS = re.compile(r",?\s*\b(?:et\.?\s*(?:al|ux|vir)|etc)\b\.?", re.I)
_SHOUTED = re.compile(r"\b(?:PEOPLE|STATES?|COMMONWEALTH|CITY|COUNTY|[OD]['’][A-Z]{2,})\b")
_FIRM = re.compile(
    r"(?:inc|incorporated|ltd|limited|l\.? ?l\.? ?[cp]|l\.? ?p|co|corp|[js]r|ii+|iv|n\. ?a|s\. ?a|p\. ?[ac])\b(?! \w)",
    re.I,
)
_PARTNERS = re.compile(r"^(?!and\b).*(?:&| and .*(?:Company|Corporation|Co\.|Railroad|Railway|Ry\.|R\.)$)")
_OFFICE = re.compile(r"\b(?:of|for|under|as|by)\b")
_RELATION = re.compile(r",?\s*\b(?:ex\.? ?rel\b\.?|on (?:the )?relation of)\s+", re.I)
_IN_RE = re.compile(r"(?:in (?:the )?matter of|matter of|in re)\b:?\s*(?:the )?(?:petitions? of (?:the )?)?", re.I)
_EX_PARTE = re.compile(r"ex parte\b:?\s*", re.I)
_VERSUS = re.compile(r"\s+(?:v|vs|versus)\.?,?\s+", re.I)
_NEXT_CASE = re.compile(
    r";|(?<=\w{4})\.\s+(?=[A-Z]\w)|(?<=et al\.)\s+(?=[A-Z]\w)|\s*\b(?:and|together) with (?:case|[Nn]o)"
)
_ASIDE = re.compile(r"\s*(?:\([^)]*\)|\[[^\]]*\])")
_COMMA = re.compile(r",(?!\d{3}\b)")  # "$124,700" is one party
_GIVEN = re.compile(r"(?:[A-Z][a-z]+ |[A-Z]\. ?)*[A-Z]\. ?((?:(?:De|Van|Von|La|Le) )?[A-Z]['’\w-]+)")
_STOP = re.compile(
    r"(?<![.\s]\w)(?<!\b(?:Co|Ry|Jr|Sr|St|No))(?<!\b(?:Inc|Ltd|Mfg|Ins|Div))(?<!\b(?:Corp|Bros|Assn|Dept|Dist))(?<!['’]n)\.+$"
)
_SIDES = re.compile(r"\s+(?:v|vs|versus|against)\.?,?\s+", re.IGNORECASE)
_PRELUDE = re.compile(
    r"^(?:in the matters? of|in re|ex parte|ex rel\.?|matters? of|petition of|application of|in the interest of"
    r"|(?:in re )?the)\s*:?\s+",
    re.IGNORECASE,
)
_ROLE_WORDS = (
    "plaintiff|defendant|appellant|appellee|petitioner|respondent|debtor|claimant|intervenor|relator|complainant"
)
_TAIL = re.compile(
    r"[\s,]*(?:\bet al\b\.?|\betc\b\.|\bet ux\b\.?|\(\d{4}\)"
    rf"|,\s*(?:(?:cross|counter|third-party|{_ROLE_WORDS})s?[-/ ]*)+(?:in error)?\.?)[\s,]*$",
    re.IGNORECASE,
)
_LAST_STOP = re.compile(r"(?<![A-Z.])(?<=\w{4})(?<!Corp)(?<!Bros)(?<!Assn)\.$|(?<=[A-Z]{4})\.$")
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
_INNER_CAPITAL = re.compile("[A-Z][a-z]{1,2}[A-Z]{2}")
_MISREAD = re.compile("[A-Z][a-z]+[A-Z]")  # the last of small capitals
_LONGEST_AUTHOR = 60
_LONGEST_LINE = 300


def cased(name: str) -> str:
    """A name as it is written where it stands in capitals, or its surnames do; one that is mixed already stays.

    >>> cased("MAPP v. OHIO"), cased("UNITED STATES EX REL. McCARL v. O'BRIEN CO., INC.")
    ('Mapp v. Ohio', "United States ex rel. McCarl v. O'Brien Co., Inc.")
    >>> cased("IN RE N.L.R.B."), cased("NAACP v. Button"), cased("Guy T. HELVERING, petitioner, v. Edson WOOD")
    ('In re N.L.R.B.', 'NAACP v. Button', 'Guy T. Helvering, petitioner, v. Edson Wood')
    """
    name = " ".join(name.split())
    words = _WORD.findall(name)
    shouted = [word for word in words if len(word) > 1 and _PREFIXED.sub("", word).isupper()]
    loud = bool(shouted) and all(word in shouted or len(word) < 2 or word.lower() in _SMALL for word in words)
    names = [word for word in shouted if len(word) > 3 and word not in _ACRONYMS]
    if loud or len(names) > 1 or (names and any(form.search(name) for form in (_ROLES, _OTHERS, _SHOUTED))):
        name = _WORD.sub(lambda word: _cased(word, loud), name)
    return _LATIN.sub(lambda words: words[0].capitalize() if _is_first(words) else words[0].lower(), name)


def short_name(name: str) -> str:
    """The name by which a case is cited: first parties without roles, offices, and given names that have an initial.

    At most `LONGEST` characters.

    >>> short_name("Guy T. HELVERING, Commissioner of Internal Revenue, petitioner, v. Edson T. WOOD, Jr., and others")
    'Helvering v. Wood'
    >>> short_name("STATE of Connecticut v. Anthony DYOUS, Defendant-Appellant.")
    'State of Connecticut v. Anthony Dyous'
    >>> short_name("SEARS, ROEBUCK & CO. v. DOE, TRUSTEE"), short_name("IN THE MATTER OF EAST CO., INC., FOR RELIEF")
    ('Sears, Roebuck & Co. v. Doe', 'In re East Co., Inc.')
    """
    whole = cased(name[:_READ])
    sides = _VERSUS.split(whole)
    short = " v. ".join(side for side in (_side(side, len(sides)) for side in sides[:2]) if side) or whole
    if len(short) <= LONGEST:
        return short
    return short[:LONGEST].rsplit(" ", 1)[0].rstrip(" ,") + "…"


def case_name(name: str) -> str:
    """The name that a source gives as it is written; its short form where it is long or lists roles.

    >>> case_name("Commonwealth of Puerto Rico v. Terry E. Branstad"), case_name("JONES, Appellant, v. ROE")
    ('Commonwealth of Puerto Rico v. Terry E. Branstad', 'Jones v. Roe')
    """
    if len(name) > _READ:
        return name if len(name) > NAME_CHARACTERS else short_name(name)
    whole = cased(name)
    if len(whole) > _LONG or _ROLES.search(whole):
        return short_name(whole)
    return whole if whole in name else _STOP.sub("", whole)


def surname(word: str) -> str:
    """A word in capitals with one capital, and those inside a name.

    >>> surname("McCARL"), surname("O'BRIEN"), surname("MCKENNA"), surname("WOMEN'S")
    ('McCarl', "O'Brien", 'McKenna', "Women's")
    """
    head = _PREFIXED.match(word)
    start = head[1].capitalize() if head else ""
    return start + word[len(start) :].capitalize()


def _is_first(match: re.Match[str]) -> bool:
    return _FIRST.search(match.string[max(0, match.start() - 8) : match.start()]) is not None


def _cased(match: re.Match[str], loud: bool) -> str:
    word, rest = match[0], match.string[match.end() :]
    low = word.lower()
    initial = len(word) == 1 and low != "v" and rest[:1] == "."
    if low in _SMALL and not initial and (word.isupper() or loud):
        return word.capitalize() if _is_first(match) else low
    if len(word) == 1 or not _PREFIXED.sub("", word).isupper():
        return word
    clipped = word in _CLIPPED or re.match(r"\.,? *\w", rest) or (word not in _ACRONYMS and re.search("[AEIOUY]", word))
    return surname(word) if clipped else word


def _side(side: str, sides: int) -> str:
    """One side of a case, or all of a case without sides, in its short form."""
    first = _ASIDE.sub("", _NEXT_CASE.split(side)[0] if sides > 2 else side.split(";", maxsplit=1)[0]).strip()
    for prelude, short in ((_IN_RE, "In re "), (_EX_PARTE, "Ex parte ")):
        if (match := prelude.match(first)) and match.end() < len(first):
            return short + _party(first[match.end() :])
    first = re.sub("^[Tt]he ", "", first) if sides > 1 else first  # a ship keeps it
    return " ex rel. ".join(party for party in map(_party, _RELATION.split(first)) if party)


def _party(text: str) -> str:
    """A party without what it is called beside its name; of a firm of several names all."""
    names = [part.strip() for part in _COMMA.split(_OTHERS.sub("", _ROLES.sub("", text)).strip(" ,"))]
    partners = next((n for n, part in enumerate(names) if _PARTNERS.search(part)), 0)
    last = 0 if any(map(_OFFICE.search, names[1 : partners + 1])) else partners
    while last + 1 < len(names) and _FIRM.match(names[last + 1]):
        last += 1
    name = ", ".join(names[: last + 1]).replace("United States of America", "United States")
    name = _STOP.sub("", name) + ('"' if name.count('"') % 2 else "")  # what stood in the quotes was cut at a comma
    given = _GIVEN.fullmatch(re.sub(r",? (?:[JS]r\.?|I{2,3}|IV)$", "", name))
    return given[1] if given else name


def parties_of(name: str) -> list[str]:
    """Party names in order, from a case name in its short form.

    >>> parties_of("Roe v. Wade"), parties_of("In re Gault"), parties_of("Ex parte Crow Dog")
    (['Roe', 'Wade'], ['Gault'], ['Crow Dog'])
    >>> parties_of("Texas v. White Et Al.")
    ['Texas', 'White']
    >>> parties_of("STATE of Connecticut v. Anthony DYOUS, Defendant-Appellant.")
    ['STATE of Connecticut', 'Anthony DYOUS']
    """
    sides = (_bare(side) for side in _SIDES.split(" ".join(name.split())))
    return [side for side in sides if side]


def _bare(side: str) -> str:
    while (shorter := _TAIL.sub("", _PRELUDE.sub("", side))) != side:
        side = shorter
    return _LAST_STOP.sub("", side.strip(" ,;"))


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
    if len(names) > _LONGEST_AUTHOR or any(map(str.isdigit, names)) or _NO_NAME.search(names):
        found = _NAMED.search(opening)
        return surname(found[1].upper()) if found else line
    if not titled and names not in (names.upper(), names.lower()):
        return names
    return re.sub(r"[^\W\d_]+(?:['’][^\W\d_]+)*", _author_cased, _JUNIOR.sub("", names))


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


def _author_cased(word: re.Match[str]) -> str:
    raw, capitals = word[0], word[0].isupper()
    if raw.lower() == "and" or (raw in ("de", "von", "van")):
        return raw.lower()
    if len(raw) == 1 or not (capitals or raw.islower() or _INNER_CAPITAL.match(raw) or _MISREAD.fullmatch(raw)):
        return raw
    return surname(raw if capitals or _INNER_CAPITAL.match(raw) else raw.upper())
