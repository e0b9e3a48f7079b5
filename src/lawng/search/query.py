"""An argument as a person types it: its text, quoted phrases, and the cases that it cites or names.

read_argument(argument) -> Query      Query.rest(spans) -> what is left to be searched by meaning
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from lawng.errors import InputError
from lawng.text.highlight import has_content
from lawng.text.phrases import cleaned, quoted_phrases, single_spaced
from lawng.text.sentences import sentence_spans

MAX_CHARACTERS = 10_000
"""A longer argument is refused: it is a brief, not an argument."""
_MARKS = " .;,)]}"
"""What may stand behind a question mark; the full stop is of what introduced a citation."""
_VERB_FIRST = re.compile(
    r"(?:[Cc]an|[Cc]ould|[Dd]oes|[Dd]id) (?!(?:v\.|not|be|only|never|also)\W)[a-z]"
    r"|(?:[Mm]ay|[Mm]ust|[Ww]ill|[Ww]ould|[Dd]o) (?:an?|the|any|this|that|these|it|he|she|they|we|police|courts) "
)
"""A question without its mark; "Does v." is a party, "can be waived" and "may evict" are halves of statements."""
MAX_NAMES = 4
"""So many "X v. Y" are looked up at most."""
_MAYBE_CITE = re.compile(r"\d\s+[A-Z].{0,40}?\s\d")
"""Cheap sign of a citation: the tables of reporters are loaded only where it is seen."""
_VERSUS = re.compile(r"\s(?:v|vs|V)\.?\s")
_OF_ONE = re.compile(r"\b(?:In re|Ex parte|(?:In the )?Matter of|Estate of)\s")
_SMALL_WORDS = "of the and & for in re ex rel. parte de la le du del von van der et al. a on to by"
_SMALL = frozenset(_SMALL_WORDS.split())
_CLOSED = re.compile(r"[,;:?!)\]\"“”]$")
_ABBREVIATED = re.compile(r"^(?:\W*(?:[A-Za-z]\.)+|\W*[A-Z][\w’']{0,5}\.)$")
_COMPANY = re.compile(r"\s*(?:Inc|LLC|L\.L\.C|Ltd|Co|Corp|L\.?P|LLP|P\.?C|N\.A|S\.A|Jr|Sr)\b")
_SHORT, _LONGEST = 6, 40
"""Words: a shorter argument is looked up as a name whatever it looks like, a longer one never."""
_WORDS_BEFORE, _WORDS_AFTER = 7, 7


@dataclass(frozen=True, slots=True)
class ArgumentCite:
    """A reporter citation in an argument; the span is in `Query.text` and has the name before it, if any."""

    cites: tuple[str, ...]
    """Normalised, parallel ones after the first; empty when it names no case by itself ("410 U.S., at 120")."""
    written: str
    name: str
    start: int
    end: int


class PossibleName(NamedTuple):
    """What may be a case name in an argument; the span is in `Query.text`."""

    text: str
    start: int
    end: int


_SAYS = (
    r"(?:held|holds?|says?|said|rul(?:es|ed)|decid(?:es|ed)|establish(?:es|ed)|teach(?:es)?|taught|recogni[sz](?:es|ed)"
    r"|finds?|found|makes? (?:it )?clear|stands? for the (?:proposition|rule|principle))"
)
_CASE = r"\0(?:[\s,]*\0)*(?:\s*\(\d{4}\))?"
"""The cases that the argument cites or names, one after another."""
_BEFORE = re.compile(
    rf"^(?:(?:in|under|per|see|according to)\s+)?{_CASE}[\s,]*(?:(?:the|this|that|our) (?:\w+ )?court,?\s+)?"
    rf"(?:(?:has|have)\s+)?{_SAYS}\s+that\s+|^(?:in|under|per|according to)\s+{_CASE},\s+",
    re.IGNORECASE,
)
"""What leads from a case to what it holds."""
_SIGNAL = 20
"""Characters of "See, for example, "."""
_THAT = re.compile(r"(?:\w+ )?\w+ing that ")
_TOLD = re.compile(rf"^[^\0(]{{0,{_SIGNAL}}}\0[\s\0]*+\({_THAT.pattern}([^()]*(?:\([^()]*\)[^()]*)*?)\.?\)[\s.]*$")
"""What a parenthetical says of the case: "Roe v. Doe, 12 U.S. 3 (1999) (holding that a sale binds)"."""
_BEHIND = re.compile(
    rf"(?<=[.;])\s*(?:see\s+(?:also\s+)?)?{_CASE}[.]?$|\s*\((?:(?:see|per|under)\s+)?{_CASE}\)(?=[.!]?$)"
    rf"|,?\s+(?:as\s+(?:(?:was|is)\s+)?{_SAYS}\s+(?:in|by)|under|per|according to)\s+{_CASE}(?=[.!]?$)",
    re.IGNORECASE,
)
"""A case behind what it holds: as a citation, in brackets, "as held in"."""


@dataclass(frozen=True, slots=True)
class Query:
    """An argument as read."""

    argument: str
    """As given, without blanks around it."""
    text: str
    """White space and control characters are single blanks."""
    phrases: tuple[str, ...] = ()
    """Of two words or more between double quotation marks, in order, each once."""
    cites: tuple[ArgumentCite, ...] = ()
    names: tuple[tuple[PossibleName, ...], ...] = ()
    """For each place that looks like a case name, what the name may be, the longest first."""
    notes: tuple[str, ...] = field(default=())

    @property
    def asks(self) -> bool:
        """Whether it is a question, which has no side: by its question mark, or because its verb stands first.

        >>> [Query(said, said).asks for said in ("May a court (or jury) ask?)", "can landlords evict", "It may be.")]
        [True, True, False]
        """
        ends = self.rest((cite.start, cite.end) for cite in self.cites).rstrip(_MARKS)
        return ends.endswith("?") or (
            bool(_VERB_FIRST.match(self.text)) and len([*sentence_spans(self.text, 0, len(self.text))]) < 2
        )

    def rest(self, spans: Iterable[tuple[int, int]]) -> str:
        """The text without some spans: the argument without its citations, say.

        >>> Query("Is 410 U.S. 113 law?", "Is 410 U.S. 113 law?").rest([(3, 15)])
        'Is law?'
        """
        text = list(self.text)
        for start, end in spans:
            text[start:end] = " " * (end - start)
        return " ".join("".join(text).split())


def claim_of(query: Query, spans: Iterable[tuple[int, int]]) -> str:
    """What an argument says beside the cases that stand in some spans: "Roe v. Doe holds that ..." is about the rest.

    All of the argument where a case is a part of what it says, or nothing else is left.

    >>> said = ["Roe v. Doe holds that a sale binds.", "Roe v. Doe binds no stranger."]
    >>> [claim_of(Query(one, one), [(0, 10)]) for one in (*said, "Roe v. Doe (holding that a sale binds).")]
    ['A sale binds.', 'Roe v. Doe binds no stranger.', 'A sale binds.']
    """
    text = list(query.text)
    for start, end in spans:
        text[start:end] = "\0" * (end - start)
    if "\0" not in text:
        return query.text
    if told := _TOLD.match("".join(text)):
        return told[1][:1].upper() + told[1][1:] + "."
    claim = _BEHIND.sub("", _BEFORE.sub("", re.sub(r"\0+", "\0", "".join(text)))).strip(" ,;:")
    if "\0" in claim or not has_content(claim):  # the case is a part of what is said
        return query.text
    ends = "." * (query.text.endswith(".") and not claim.endswith((".", "!", "?")))  # the name may have taken it
    return claim[:1].upper() + claim[1:] + ends


def read_argument(argument: str) -> Query:
    """An argument read; other scripts and markup are plain text.

    >>> read_argument('A "chilling  effect" on speech').phrases
    ('chilling effect',)

    Raises InputError when it has no word, or more than 10,000 characters.
    """
    given = cleaned(argument)
    if len(given) > MAX_CHARACTERS:
        raise InputError(
            f"the argument has {len(given):,} characters, {MAX_CHARACTERS:,} are the limit; give one argument, "
            "several sentences at most"
        )
    text = single_spaced(given)
    if not any(character.isalnum() for character in text):
        what = "is empty" if not text else "has no word"
        raise InputError(f"the argument {what}; give a statement, a case name or a citation")
    phrases, notes = quoted_phrases(text)
    return Query(given, text, phrases, tuple(_cites(text)), tuple(_names(text)), tuple(notes))


def _cites(text: str) -> Iterator[ArgumentCite]:
    """Citations by volume, reporter and page, a parallel group once."""
    if not _MAYBE_CITE.search(text):
        return
    from lawng.citation.extract import citations_of

    groups: set[int] = set()
    for found in citations_of(text, "argument"):
        if found.form in ("full", "short") and found.group not in groups:
            groups.add(found.group)
            cites = tuple(filter(None, (found.resolved_cite, *found.parallel)))
            start, end = found.full_start, found.full_end
            if len(text[:start]) <= _SIGNAL and not has_content(text[end:]):  # what it tells is all that is said
                says = (one.start - 1 for one in found.parentheticals if _THAT.match(one.text))
                end = min(says, default=end)
            yield ArgumentCite(cites, found.cite, found.name, start, end)


def _names(text: str) -> Iterator[tuple[PossibleName, ...]]:
    if _may_be_name(text):
        yield (PossibleName(text.strip(' .,;?!"“”'), 0, len(text)),)
    places = sorted([*_VERSUS.finditer(text), *_OF_ONE.finditer(text)], key=lambda match: match.start())
    for match in places[:MAX_NAMES]:
        starts = _starts(text, match.start()) if match.group()[0].isspace() else [match.start()]
        ends = _ends(text, match.end())
        spans = sorted(product(starts, ends), key=lambda span: (span[0] - span[1], span))
        if spans:
            yield tuple(PossibleName(_bare(text[start:end]), start, end) for start, end in spans)


def _may_be_name(text: str) -> bool:
    """Whether a whole argument is worth a look-up: most statements are not, and each costs time.

    >>> [_may_be_name(text) for text in ("slaughter-house cases", "A tip alone is not enough to stop a car.")]
    [True, False]
    """
    words = text.split()
    if len(words) <= _SHORT:
        return True
    return len(words) <= _LONGEST and (_VERSUS.search(text) is not None or all(map(_fits, words)))


def _bare(name: str) -> str:
    return name.strip(' ,;:?!"“”()[]')


def _starts(text: str, end: int) -> list[int]:
    """Where a name that goes on at `end` may begin: before each word back to one that cannot be part of a name."""
    found: list[int] = []
    for match in reversed(list(re.finditer(r"\S+", text[:end]))[-_WORDS_BEFORE:]):
        word = match.group()
        if not _fits(word) or (found and _CLOSED.search(word) and not _goes_on(word, text[match.end() : end])):
            break
        if word.strip('“"([').lower() not in _SMALL:
            found.append(match.start())
        if word[0] in '“"([':
            break
    return found


def _ends(text: str, start: int) -> list[int]:
    """Where a name that was begun before `start` may end: after each word on to one that cannot be part of it."""
    found = []
    for match in list(re.finditer(r"\S+", text[start:]))[:_WORDS_AFTER]:
        word = match.group()
        if not _fits(word):
            break
        if word.lower() not in _SMALL:
            found.append(start + match.end())
        if _CLOSED.search(word) and not _goes_on(word, text[start + match.end() :]):
            break
        if word.endswith(".") and not _ABBREVIATED.match(word):
            break
    return found


def _goes_on(word: str, after: str) -> bool:
    """Whether a name goes on over a comma: "Acme Logistics, Inc."."""
    return word.endswith(",") and _COMPANY.match(after) is not None


def _fits(word: str) -> bool:
    bare = word.strip(",.;:?!()[]\"“”’'")
    return not bare or not bare[0].islower() or bare.lower() in _SMALL or word.lower() in _SMALL
