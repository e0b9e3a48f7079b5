"""One label for each pair of citing and cited case, with the sentence that decides.

treatments_of(case, opinions, citations) -> list[Treatment]
Hearsay: which case overruled which, as other cases tell
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lawng.corpus.pages import page_at
from lawng.schema import NEGATIVE, TREATMENTS, Case, Citation, Opinion, Treatment
from lawng.text.sentences import sentence_spans
from lawng.treatment.features import SEPARATE, UNDONE, Citing, acts_in, context_of, may_undo
from lawng.treatment.mentions import Cited, Mention, cited_cases
from lawng.treatment.model import Weights, load_weights
from lawng.treatment.plainly import GROUNDS, PRECISION, UNDOING, overrules_a_name, plain_sayings, said_plainly
from lawng.treatment.statements import Sentence, sentences_of, told_in

_PARTLY = re.compile(
    r"to the extent|insofar|in so far|so far as|in part\b|in (?:the|this|that) respect|portion|inconsisten\w+ with"
    r"|part of",
    re.IGNORECASE,
)
_FOLLOWED = re.compile(
    r"\b(?:we|and|now|court) (?:\w+ )?(?:follow|adhere to|reaffirm|apply)\b[^.;]{0,40}\bTARGET"
    r"|\bTARGET\b,? (?:\w+ )?(?:controls|governs|is controlling|is dispositive)|(?:controlled|governed) by TARGET",
    re.IGNORECASE,
)
_UNSAID = re.compile(
    r"\b(?:not|n[’']t|never|if|whether|declin\w+|would|argu\w+|petitioners?|respondents?)\b", re.IGNORECASE
)
_UNDO = r"(?:revers|vacat|affirm)"
_DISPOSES = re.compile(
    rf"\b(?:judgments?|decisions?|orders?|convictions?|decrees?)\b[^.;]*\b{_UNDO}|^\W*{_UNDO}|\bwe (?:\w+ )?{_UNDO}",
    re.IGNORECASE,
)
_TAIL = 1500
"""Last characters of an opinion's body, where it disposes of the judgment below."""
_WISHED = re.compile(rf"\bI would\b[^.;]{{0,40}}?\b{UNDOING}")
_GRAVE = 0.3
"""An overruling that is not said plainly is one where it is likelier than this."""
_SURE = 0.5
"""A separate opinion's treatment is told where it is likelier than not."""


@dataclass
class Hearsay:
    """Which case overruled which, as third cases tell: evidence beside what the overruling case says itself."""

    tellers: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    """By the cites of the overruling and the overruled case: the cases that tell it."""
    of: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By the cite of an overruled case: the cites of those that overruled it."""

    def hear(self, citing: Citing) -> None:
        """Take down what a case tells of others."""
        for sentence in citing.sentences:
            for told in told_in(sentence):
                if told.what == "overruled":
                    self._take(citing.case.case_id, citing.every[told.by].cites, citing.every[told.case].cites)

    def _take(self, teller: str, by: Collection[str], case: Collection[str]) -> None:
        for cite in case:
            self.of[cite].update(by)
            for one in by:
                self.tellers[one, cite].add(teller)

    def about(self, case: Case, cited: Cited) -> tuple[int, int]:
        """How many other cases tell that a case overruled one that it cites, and how many cites of others are told."""
        own = {cite.cite for cite in case.citations}
        told = {one for cite in cited.cites for by in own for one in self.tellers.get((by, cite), ())} - {case.case_id}
        others = {by for cite in cited.cites for by in self.of.get(cite, ())} - own
        return len(told), len(others)


def read_citing(case: Case, opinions: Sequence[Opinion], citations: Sequence[Citation]) -> Citing:
    """A citing case with all mentions of the cases that it cites; `citations` are those of `citations_of_case`.

    A name that a party of the case itself has is a mention only where the sentence plainly overrules what it names, and
    no sentence with the cite does: "We overrule Rourke", said when Rourke is before the court again.
    """
    every = cited_cases(case, opinions, citations)
    sentences = sentences_of(every, opinions)
    if any(mention.form == "own" for one in every for mention in one.mentions):
        for number, one in enumerate(every):
            plain = [s for s in sentences if number in s.cases and said_plainly(s.masked(number)) == "overruled"]
            cited = any(s.how == "cited" for s in plain)
            named = [] if cited else [s for s in plain if overrules_a_name(s.masked(number))]
            one.mentions = [m for m in one.mentions if m.form != "own" or _within(m, named)]
        sentences = sentences_of(every, opinions)
    return Citing(case, opinions, every, sentences)


def _within(mention: Mention, sentences: Sequence[Sentence]) -> bool:
    return any(s.opinion_id == mention.opinion_id and s.start <= mention.start < s.end for s in sentences)


def treatments_of(case: Case, opinions: Sequence[Opinion], citations: Sequence[Citation]) -> list[Treatment]:
    """What a case does to each case that it cites, in the order in which it cites them; its own cites are left out.

    `citations` are those of `lawng.citation.extract.citations_of_case`. A case of which separate opinions alone speak,
    or of which they say what the court does not, gets a row that does not decide.
    """
    return treatments_in(read_citing(case, opinions, citations))


def judged(
    citing: Citing, number: int, hearsay: Hearsay | None = None, weights: Weights | None = None
) -> Treatment | None:
    """What the court does to one of the cases that it cites, by number; None where separate opinions alone cite it."""
    judge = _Judge(citing, hearsay or Hearsay(), weights or load_weights())
    return next((row for row in judge.rows(number) if row.decides), None)


def treatments_in(citing: Citing, hearsay: Hearsay | None = None, weights: Weights | None = None) -> list[Treatment]:
    """What a case that is read does to each case that it cites."""
    judge = _Judge(citing, hearsay or Hearsay(), weights or load_weights())
    return [row for number in range(len(citing.every)) for row in judge.rows(number)]


@dataclass
class _Judge:
    """One citing case under judgement."""

    citing: Citing
    hearsay: Hearsay
    weights: Weights

    def rows(self, number: int) -> Iterator[Treatment]:
        said = self.citing.said.get(number, [])
        court = [one for one in said if one.part not in SEPARATE]
        separate = [one for one in said if one.part in SEPARATE]
        if court:
            yield self._of_court(number, said, court)
        if separate:
            row = self._of_separate(number, separate)
            if not court or row.label in NEGATIVE:
                yield row

    def _of_court(self, number: int, said: list[Sentence], court: list[Sentence]) -> Treatment:
        told, others = self.hearsay.about(self.citing.case, self.citing.every[number])
        features = acts_in(said, number) | context_of(self.citing, number, told, others)
        label, probability, one = self._decided(number, court, self.weights.of(features))
        found = self._row(number, one, label, probability, separate=False)
        if label == "mentioned":
            return self._mentioned(found, number, court)
        if label == "overruled" and _PARTLY.search(found.sentence):
            return replace(found, kind="in-part")
        return found

    def _of_separate(self, number: int, said: list[Sentence]) -> Treatment:
        """What a dissent or a concurrence says, read as if it were the court."""
        probabilities = self.weights.of(_as_court(acts_in(said, number)))
        label, probability, one = self._decided(number, said, probabilities)
        if probability < _SURE:
            label, probability = "mentioned", probabilities.get("mentioned", 0.0)
        return self._row(number, one, label, probability, separate=True)

    def _decided(
        self, number: int, said: list[Sentence], probabilities: dict[str, float]
    ) -> tuple[str, float, Sentence]:
        """The label and its sentence: what is said plainly, unless something graver is likelier; else the likeliest."""
        possible = {one: p for one, p in probabilities.items() if self._has_ground(number, said, one, p)}
        label = max(possible, key=possible.__getitem__, default="mentioned")
        plain = [(self._plainly(number, one), one) for one in said]
        for gravest in TREATMENTS[: TREATMENTS.index(label)]:
            sentence = next((one for what, one in plain if what == gravest), None)
            if sentence:
                return gravest, max(PRECISION[gravest], probabilities.get(gravest, 0.0)), sentence
        sentence = next((one for what, one in plain if what == label), None) or self._deciding(number, said, label)
        return label, probabilities.get(label, 0.0), sentence

    def _plainly(self, number: int, one: Sentence) -> str:
        """What a sentence says plainly, but what no court says of itself ("I would overrule"), or none can do."""
        said = said_plainly(one.masked(number))
        if said == "overruled" and one.part not in SEPARATE and _WISHED.search(one.masked(number)):
            return ""
        return "" if said == "overruled" and not may_undo(self.citing, number) else said

    def _has_ground(self, number: int, said: list[Sentence], label: str, probability: float) -> bool:
        """Whether a label rests on words that a reader finds; lesser ones than overruled and reversed must be plain."""
        if label == "reversed":
            return number in self.citing.under_review and bool(self.citing.disposition & UNDONE)
        if label != "overruled":
            return label == "mentioned"
        told, _ = self.hearsay.about(self.citing.case, self.citing.every[number])
        if probability < _GRAVE or not may_undo(self.citing, number):
            return False
        return bool(told) or any(_ground(one, number) for one in said)

    def _deciding(self, number: int, said: list[Sentence], label: str) -> Sentence:
        """The sentence whose acts speak most for the label; the first of equals, those in the body before notes."""
        if label == "reversed" and (disposition := self._disposition(number)):
            return disposition
        if label == "overruled":
            best = max(_ground(one, number) for one in said)
            said = [one for one in said if _ground(one, number) == best]
        scores = [self.weights.speaks_for(label, _as_court(acts_in([one], number))) for one in said]
        return min(zip(scores, said, strict=True), key=lambda pair: (-round(pair[0], 6), pair[1].in_note))[1]

    def _disposition(self, number: int) -> Sentence | None:
        """Where the court says what becomes of the judgment that it reviews."""
        if number not in self.citing.under_review:
            return None
        for opinion in self.citing.opinions:
            if opinion.type not in SEPARATE and (found := disposing(opinion)):
                return found
        return None

    def _mentioned(self, row: Treatment, number: int, court: list[Sentence]) -> Treatment:
        """A finer kind where the text says it plainly: told of another case, affirmed, followed."""
        for one in court:
            for told in told_in(one):
                if told.case == number:
                    by = self.citing.every[told.by].cites[0]
                    kind = "told-in-part" if told.in_part else "told"
                    return replace(self._at(row, one), kind=kind, told=told.what, by=by)
        if number in self.citing.under_review and self.citing.disposition == {"affirm"}:
            disposition = self._disposition(number)
            return replace(self._at(row, disposition), kind="affirmed") if disposition else row
        plain = next((one for one in court if _follows(one.masked(number))), None)
        return replace(self._at(row, plain), kind="followed") if plain else row

    def _row(self, number: int, one: Sentence, label: str, probability: float, *, separate: bool) -> Treatment:
        case, cited = self.citing.case, self.citing.every[number]
        opinions = {o.opinion_id for o in self.citing.opinions if (o.type in SEPARATE) is separate}
        row = Treatment(
            treatment_id=f"{case.case_id}>{cited.cites[0]}" + ("/separate" if separate else ""),
            case_id=next(iter(cited.case_ids)) if len(cited.case_ids) == 1 else "",
            cite=cited.cites[0],
            parallel=cited.cites[1:],
            name=max(cited.names, key=len, default=""),
            label=label,
            kind="",
            told="",
            by="",
            probability=round(probability, 4),
            decides=not separate,
            citing_case_id=case.case_id,
            citing_name=case.name or next((cite.cite for cite in case.citations), case.case_id),
            citing_cite=case.citations[0].cite if case.citations else "",
            citing_date=case.date,
            opinion_id="",
            part="",
            author="",
            page="",
            start=0,
            end=0,
            sentence="",
            n_mentions=sum(mention.opinion_id in opinions for mention in cited.mentions),
        )
        return self._at(row, one)

    def _at(self, row: Treatment, one: Sentence) -> Treatment:
        """The row with another deciding sentence."""
        opinion = next(opinion for opinion in self.citing.opinions if opinion.opinion_id == one.opinion_id)
        citations = self.citing.case.citations
        return replace(
            row,
            opinion_id=one.opinion_id,
            part=one.part,
            author=opinion.author,
            page=page_at(opinion, one.start, citations[0].reporter if citations else None),
            start=one.start,
            end=one.end,
            sentence=opinion.text[one.start : one.end],
        )


def disposing(opinion: Opinion) -> Sentence | None:
    """The last sentence of an opinion's body that says what becomes of the judgment below; None where none does."""
    start = max(0, opinion.body_end - _TAIL)
    paragraphs = [p for p in opinion.paragraphs if start < p.end <= opinion.body_end]
    spans = [span for p in paragraphs for span in sentence_spans(opinion.text, max(start, p.start), p.end)]
    for span in reversed(spans):
        if _DISPOSES.search(opinion.text[span.start : span.end]):
            return Sentence(opinion.opinion_id, opinion.type, span.start, span.end, "", (), "pointed", 1.0, False)
    return None


def _follows(masked: str) -> bool:
    found = _FOLLOWED.search(masked)
    return found is not None and not _UNSAID.search(masked[max(0, found.start() - 60) : found.end()])


def _ground(one: Sentence, number: int) -> int:
    """How plainly a sentence says that a case is law no longer, 0 where it does not."""
    found = plain_sayings(one.masked(number))
    return max((len(GROUNDS) - at for at, name in enumerate(GROUNDS) if name in found), default=0)


def _as_court(acts: dict[str, float]) -> dict[str, float]:
    return {f"C{name[1:]}": value for name, value in acts.items()}
