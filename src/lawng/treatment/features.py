"""What a pair of cases is judged by: what is said to be done, how often, where, and what the whole case is like.

acts_in(sentences, number) -> dict       what they say is done to a case
context_of(citing, number) -> dict       what a pair is like beside the words

Counts are given as logarithms: the second "overruled" says less than the first.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lawng.corpus.cites import is_early_supreme, read_cites
from lawng.corpus.courts import FEDERAL, jurisdiction_of_cites
from lawng.schema import Case, Opinion
from lawng.treatment.cues import acts_of
from lawng.treatment.mentions import Cited, distinctive_words
from lawng.treatment.model import CONTEXT
from lawng.treatment.plainly import GROUNDS, plain_sayings
from lawng.treatment.statements import Sentence

SEPARATE = frozenset({"dissent", "concurrence", "concurrence-in-part"})
"""Opinions that are not the court's."""
UNDONE = frozenset({"revers", "vacat"})
"""What may become of a judgment below that does not stand."""
ASSERTED = ("we", "plain", "past")
_DISPOSED = re.compile(r"\b(revers|affirm|vacat|remand)(?:ed|e|es|ing)\b", re.IGNORECASE)
_TAIL = 500
"""Last characters of an opinion, where it says what becomes of the judgment below."""
_NEGATIVE = frozenset(("overrule", "repudiate", "no-longer", "undermine", "wrong", "reconsider", "criticize"))
_REVIEWED = re.compile(
    r"\b(?:courts? of (?:civil |criminal )?appeals?|court below|circuit"
    r"|(?:district|circuit|appellate|supreme|trial|superior) court"
    r"|affirmed|reversed|certiorari|below|this case|petitioner|respondent|appell\w+)\b",
    re.IGNORECASE,
)
_EARLY = 0.4
"""How a case came to the court is told in this part of an opinion."""
_DENIAL = re.compile(r"\bcert(?:iorari)?\.? (?:was )?denied|denied (?:a )?(?:writ of )?certiorari", re.IGNORECASE)
_SUPREME = frozenset(("U.S.", "S. Ct.", "L. Ed.", "L. Ed. 2d"))
_OF_SEVERAL = frozenset(("Ct. Cl.", "Dakota", "How.", "Dall.", "Cranch", "Black"))
"""Reporters of several places that reporters-db gives to one: Ct. Cl. is West Virginia's too, How. Mississippi's."""
_FEW = 3
_OVERRULING = re.compile("overrul", re.IGNORECASE)


@dataclass
class Citing:
    """A citing case as a whole: what its pairs share."""

    case: Case
    opinions: Sequence[Opinion]
    every: Sequence[Cited]
    sentences: Sequence[Sentence]

    @cached_property
    def said(self) -> dict[int, list[Sentence]]:
        """The sentences by the case that they speak of."""
        found: dict[int, list[Sentence]] = defaultdict(list)
        for one in self.sentences:
            for number in one.cases:
                found[number].append(one)
        return found

    @cached_property
    def counts(self) -> tuple[Counter[int], Counter[int]]:
        """How many sentences of the court, and of separate opinions, speak of each case."""
        court, separate = Counter[int](), Counter[int]()
        for one in self.sentences:
            (separate if one.part in SEPARATE else court).update(one.cases)
        return court, separate

    @cached_property
    def ranked(self) -> tuple[list[int], list[int]]:
        """These numbers, ascending."""
        return sorted(self.counts[0].values()), sorted(self.counts[1].values())

    @cached_property
    def plainest(self) -> list[list[tuple[int, int]]]:
        """The two cases of which the court, and separate opinions, say most often that they are law no longer."""
        return [
            sorted(((case, plain[side]) for case, plain in self.plain.items()), key=lambda one: -one[1])[:2]
            for side in (0, 1)
        ]

    @cached_property
    def disposition(self) -> frozenset[str]:
        """What becomes of the judgment below: `revers`, `affirm`, `vacat`, `remand`."""
        court = [one for one in self.opinions if one.type not in SEPARATE]
        ends = (one.text[max(0, one.body_end - _TAIL) : one.body_end] for one in court)
        return frozenset(found.lower() for end in ends for found in _DISPOSED.findall(end))

    @cached_property
    def overruling(self) -> tuple[int, int]:
        """How often the court, and separate opinions, speak of overruling at all."""
        court = sum(len(_OVERRULING.findall(one.text)) for one in self.opinions if one.type not in SEPARATE)
        every = sum(len(_OVERRULING.findall(one.text)) for one in self.opinions)
        return court, every - court

    @cached_property
    def plain(self) -> dict[int, tuple[int, int]]:
        """How many sentences of the court, and of others, say plainly of each case that it is law no longer."""
        found: dict[int, tuple[int, int]] = {}
        for number, said in self.said.items():
            plain = [one.part for one in said if set(GROUNDS) & set(plain_sayings(one.masked(number)))]
            separate = sum(part in SEPARATE for part in plain)
            found[number] = (len(plain) - separate, separate)
        return found

    @cached_property
    def under_review(self) -> frozenset[int]:
        """The cited cases that look like the decision under review, by number (Bluebook R. 10.2, 10.7).

        Such a one is of a court that may be below, and of the same parties, or the last of those that are cited without
        a name, as courts cite what is before them, where the opinion tells how the case came there; where that one
        affirmed, what it affirmed falls with it.
        """
        return _under_review(self)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words of its parties that are no word of many names."""
        return frozenset(word.casefold() for word in distinctive_words(self.case.name))


def acts_in(sentences: Sequence[Sentence], number: int) -> dict[str, float]:
    """What sentences say is done to a case, by family, by the court (C) or others (S); and the plain sayings."""
    counts: Counter[str] = Counter()
    for one in sentences:
        side = "S" if one.part in SEPARATE else "C"
        counts.update(f"{side} {name}" for name in _named(one.masked(number)))
    return {name: math.log1p(n) for name, n in counts.items()}


@lru_cache(maxsize=4096)
def _named(masked: str) -> tuple[str, ...]:
    found = []
    for act in acts_of(masked):
        if act.role in ("obj", "subj"):
            found.append(act.family)
            found += [f"{act.family} asserted"] if act.mood in ASSERTED else []
            found += ["negative"] if act.family in _NEGATIVE else []
    return (*found, *plain_sayings(masked))


def context_of(citing: Citing, number: int, told: int = 0, told_of_others: int = 0) -> dict[str, float]:
    """What a pair is like beside the words: how much is said of the case, where, and whether it is the case below.

    `told` other cases say that this one overruled it, `told_of_others` that another one did.
    """
    court, separate = citing.counts
    said = citing.said.get(number, [])
    own = [one for one in said if one.part not in SEPARATE]
    body = [one for one in own if not one.in_note]
    ranked_court, ranked_separate = citing.ranked
    rank = len(ranked_court) - bisect_right(ranked_court, court[number])
    found = {
        "court": math.log1p(court[number]),
        "separate": math.log1p(separate[number]),
        "rank": math.log1p(rank),
        "first": float(rank == 0),
        "among three": float(rank < _FEW),
        "share": court[number] / max(ranked_court[-1:], default=1),
        "separate rank": math.log1p(len(ranked_separate) - bisect_right(ranked_separate, separate[number])),
        "separate share": separate[number] / max(ranked_separate[-1:], default=1),
        "overruling": math.log1p(citing.overruling[0]),
        "separate overruling": math.log1p(citing.overruling[1]),
        "in notes alone": float(bool(own) and not body),
        "in body": math.log1p(len(body)),
        "named": math.log1p(sum(one.how == "named" for one in said)),
        "begins": min((one.at for one in own), default=1.0),
        "ends": max((one.at for one in body), default=0.0),
        "told": math.log1p(told),
        "is told": float(told > 0),
        "told of others": math.log1p(told_of_others),
    }
    found |= _review(citing, number)
    found |= _among_others(citing, number, found)
    return {f"{CONTEXT} {name}": value for name, value in found.items()}


def _among_others(citing: Citing, number: int, found: dict[str, float]) -> dict[str, float]:
    """Where a case stands among those cited when the opinion speaks of overruling: which of them is meant."""
    court, separate = citing.plain.get(number, (0, 0))
    others = [next((n for case, n in top if case != number), 0) for top in citing.plainest]
    alone = not others[0]
    return {
        "first, overruling": found["first"] * found["overruling"],
        "share, overruling": found["share"] * found["overruling"],
        "share, separate overruling": found["share"] * found["separate overruling"],
        "first, none plainly": found["first"] * alone,
        "first, none plainly, overruling": found["first"] * alone * (found["overruling"] > 0),
        "others plainly": math.log1p(others[0]),
        "others plainly, separate": math.log1p(others[1]),
        "plainly": float(court > 0),
        "plainly, separate": float(separate > 0),
        "plainly or told": float(court + separate + found["told"] > 0),
    }


def _review(citing: Citing, number: int) -> dict[str, float]:
    """Signs that the citing court reviews the cited case."""
    cited = citing.every[number]
    below = number in citing.under_review
    found = {"same parties": float(bool(_words_of(cited) & citing.own_words)), "no name": float(not cited.names)}
    found["below"] = float(below)
    found["below, affirm"] = float(below and "affirm" in citing.disposition)
    found["below, undone"] = float(below and bool(UNDONE & citing.disposition))
    return found


def _under_review(citing: Citing) -> frozenset[int]:
    same: set[int] = set()
    nameless: list[tuple[bool, int, int, bool]] = []
    for number, cited in enumerate(citing.every):
        words = _words_of(cited)
        if not _may_be_below(citing, cited) or (cited.names and not words & citing.own_words):
            continue
        told = [one for one in citing.said.get(number, []) if one.part not in SEPARATE and _tells_history(one)]
        if cited.names and words <= citing.own_words:
            same.add(number)
        elif told:
            nameless.append((not told[0].in_note, told[0].start, number, "affirm" in told[0].text.casefold()))
    found = sorted(one for one in nameless if one[0] == max(nameless)[0])
    last = {number for _, _, number, _ in found[-1:]}
    if found and found[-1][3]:
        last |= {number for _, _, number, _ in found[-2:]}
    return frozenset(same | last)


def _tells_history(one: Sentence) -> bool:
    return (one.at < _EARLY or one.in_note) and bool(_REVIEWED.search(one.text)) and not _DENIAL.search(one.text)


def _may_be_below(citing: Citing, cited: Cited) -> bool:
    """Whether the citing court may review a cited case's court, as far as their reporters tell."""
    own = {cite.reporter for cite in citing.case.citations}
    reporters = {cite.split(" ", 1)[1].rsplit(" ", 1)[0] for cite in cited.cites}
    if own & reporters or reporters & _SUPREME or any(is_early_supreme(one) for one in reporters):
        return False
    if own & _SUPREME:
        return True
    places = {jurisdiction_of_cites(cites) for cites in (read_cites(cited.cites), citing.case.citations)}
    return len(places - {""}) <= 1


def may_undo(citing: Citing, number: int) -> bool:
    """Whether the citing court may overrule a cited case, as far as their reporters tell: none of another jurisdiction.

    The Supreme Court may overrule what any court has held. Where a reporter is that of several places, as the early
    "How." and "Dakota" or "Ct. Cl.", one in common is enough.
    """
    if {cite.reporter for cite in citing.case.citations} & _SUPREME:
        return True
    own = _places_of([cite.cite for cite in citing.case.citations])
    theirs = _places_of(citing.every[number].cites)
    return not own or not theirs or bool(own & theirs)


def _places_of(cites: Iterable[str]) -> set[str]:
    """The jurisdictions that the reporters of a case tell, those of several places left out."""
    found = [cite for cite in read_cites(cites) if cite.reporter not in _OF_SEVERAL]
    places = {jurisdiction_of_cites([cite]) for cite in found} - {""}
    return places | {FEDERAL} if "dc" in places else places  # the District's courts were federal ones


def _words_of(cited: Cited) -> set[str]:
    return {word.casefold() for name in cited.names for word in distinctive_words(name)}
