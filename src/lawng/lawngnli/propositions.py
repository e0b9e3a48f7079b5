"""What a pinned citation stands to: the sentence, or the part of one, that a court cites a page for.

A court seldom explains a citation in a parenthetical, but it always cites a page for something. Such a sentence is
about the page nearly always, and entailed by it seldom: it is a sure pair for retrieval and a mere candidate for
entailment, which `lawng.lawngnli.standing` and a verifier must pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from lawng.citation.citing import CitingSentences, says_something
from lawng.lawngnli.cited import Known, mention_fields
from lawng.lawngnli.records import Refusal, Sought
from lawng.schema import Citation, Footnote, Opinion, Reject, Span
from lawng.schema.dataset import PROPOSITION

STAGE = "propositions"
_POSITIVE = ("see", "accord", "e.g", "and see")
"""How signals begin that cite a page in support (Bluebook R. 1.2(a)); "cf." supports something else."""
_LONGEST = 3_000
"""Characters of the longest sentence: what is longer is a list, a table or a fault of the source."""
_JOINT = re.compile(r"^(?:(?:and|or|but|nor|yet|while|whereas)\b[\s,]*)+", re.IGNORECASE)


class Stood(NamedTuple):
    """What a citation stands to."""

    kind: str
    """One of `PROPOSITION_KINDS`."""
    part: Span
    sentence: Span


def propositions(opinion: Opinion, citations: Sequence[Citation], known: Known) -> Iterator[Sought | Reject]:
    """The propositions of an opinion, one for each parallel group of citations, or why there is none.

    `citations` are the opinion's, in text order. A page that one sentence cites twice for the same words counts once.
    """
    written = Written(opinion, citations)
    seen: set[tuple[int, int, str, str]] = set()
    for _, members in groupby(citations, key=lambda citation: citation.group):
        group = list(members)
        made = _proposition(opinion, group, known, written)
        if isinstance(made, Sought):
            key = (made.start, made.end, made.cited_case_id, made.pins[0].text)
            made = Refusal("repeated-citation", group[0].cite) if key in seen else made
            seen.add(key)
        if isinstance(made, Refusal):
            yield Reject(STAGE, f"{opinion.opinion_id}@{group[0].start}", made.reason, made.detail)
        else:
            yield made


def _proposition(opinion: Opinion, group: list[Citation], known: Known, written: Written) -> Sought | Refusal:
    shared = mention_fields(opinion, group, group[0].start, known)
    if isinstance(shared, Refusal):
        return shared
    found = written.stood_to(group)
    if isinstance(found, Refusal):
        return found
    return Sought(
        **shared,
        hypothesis_source=PROPOSITION,
        hypothesis=" ".join(opinion.text[found.part.start : found.part.end].split()),
        kind=found.kind,
        start=found.part.start,
        end=found.part.end,
        sentence=written.sentences.words_of(found.sentence),
        before=written.sentences.before(found.part.start),
        n_cited=written.n_cited(found.sentence),
    )


class Written:
    """An opinion's sentences and notes, as a citation finds the words that it stands to."""

    def __init__(self, opinion: Opinion, citations: Sequence[Citation]) -> None:
        self.sentences = CitingSentences(opinion, citations)
        self._text = opinion.text
        self._notes = sorted(opinion.footnotes, key=lambda note: note.start)
        self._firsts = [next(members).start for _, members in groupby(citations, key=lambda c: c.group)]

    def stood_to(self, group: Sequence[Citation]) -> Stood | Refusal:
        """The words that a parallel group of citations stands to, or why there are none."""
        signal = next((c.signal for c in group if c.signal), None)
        if signal and not signal.startswith(_POSITIVE):
            return Refusal("contrary-signal", signal)
        if undoes := self.sentences.undone(group[0].start):
            return Refusal("contrary-signal", undoes)
        note = self._bare_note(group[0].start)
        if note is not None and note.mark is None:
            return Refusal("note-without-mark", group[0].cite)
        # a mark stands behind the full stop of its sentence
        place = group[0].start if note is None or note.mark is None else max(0, note.mark - 1)
        sentence = self.sentences.around(place)
        if sentence is None:
            return Refusal("no-sentence", group[0].cite)
        if sentence.end - sentence.start > _LONGEST:
            return Refusal("over-3000-characters", self._text[sentence.start : sentence.start + 80])
        found = self._part(sentence, place, "note" if note else None)
        return found or Refusal("no-words", " ".join(self._text[sentence.start : sentence.end].split())[:200])

    def n_cited(self, sentence: Span) -> int:
        """How many parallel groups a sentence cites; 1 where its citation stands in a note."""
        return max(1, sum(sentence.start <= first < sentence.end for first in self._firsts))

    def _bare_note(self, place: int) -> Footnote | None:
        """The note that a place is in, if it has no words of its own: its citations belong to its mark."""
        note = next((note for note in self._notes if note.start <= place < note.end), None)
        if note is None or says_something(self.sentences.words_of(Span(note.start, note.end))):
            return None
        return note

    def _part(self, sentence: Span, place: int, kind: str | None) -> Stood | None:
        """The part of a sentence before a place, back to the citation before it; else the part behind it."""
        gaps = self.sentences.between(sentence)
        before = [gap for gap in gaps if gap.start <= place]
        after = [gap for gap in gaps if gap.start > place]
        if kind and before:  # a note's mark: the words up to it, which may go on behind it
            before[-1] = Span(before[-1].start, min(before[-1].end, place + 1))
        for gap in reversed(before):
            part = self._trimmed(gap, opens=gap.start == sentence.start)
            if part and says_something(self._text[part.start : part.end]):
                more = any(says_something(self._text[g.start : g.end]) for g in after)
                whole = gap.start == sentence.start and not more
                return Stood(kind or ("sentence" if whole else "clause"), part, sentence)
            if part and part.end - part.start > 3:  # "In Roe v. Wade, 410 U.S. at 120, we held that ..."
                break
        opening = not before or before[-1].start == sentence.start
        behind = self._trimmed(after[0], opens=False) if opening and after else None
        if behind and says_something(self._text[behind.start : behind.end]):
            return Stood(kind or "following", behind, sentence)
        return None

    def _trimmed(self, gap: Span, opens: bool) -> Span | None:
        """The gap without stops, blanks and (inside a sentence) a joint at its ends; None where nothing is left."""
        text = self._text[gap.start : gap.end]
        end = gap.start + len(text.rstrip(" \t\n,;:—–-(["))
        start = gap.end - len(text.lstrip(" \t\n,;:.—–-)]"))
        if not opens and (joint := _JOINT.match(self._text[start:end])):
            start += joint.end()
        return Span(start, end) if start < end else None
