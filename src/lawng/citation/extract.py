"""The citations of an opinion or of a plain text, with everything that hangs on them.

Citations break over lines and pages in plain text files, and eyecite loses what stands after the break. So a text is
read in a scanning copy (single blanks, no star-page marks, no footnote marks) with an offset map back to the text as
given: every span found in it is traced back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from lawng.citation.mentions import Group, Member, groups_of, reference_tokens
from lawng.citation.resolve import KnownCase, Memory, cite_for, resolve
from lawng.citation.tokens import CASE_FORMS, tokens_of
from lawng.schema import Citation, Opinion, Parenthetical
from lawng.text.words import NO_PIN

_NOISE = re.compile(
    rf"""
      [ \t\r]*\n[ \t\r]*\n\s*                     # blank line: a paragraph ends
    | \s*\[\*{{1,2}}\d{{1,5}}\]\s*                    # [*355]
    | (?:{NO_PIN}(?<=\s)|(?<=[a-z]))\*{{1,2}}\d{{1,5}}(?=\s)\s*   # *355: a star page, not a volume; "at *3" is a pin
    | \s*\[(?:fn|FN|n)?\.?\s?\d{{1,3}}\](?!\s*[(\[])    # [12]: a footnote mark
    | (?<=[a-z])-[ \t\r]*\n[ \t]*(?=[a-z])        # a word parted at a line's end
    | [^\S ]\s* | [ ]\s+                          # other white space that is not one blank
    """,
    re.VERBOSE,
)


CaseOf = Callable[[str], str | None]
"""Looks up cited cases in a corpus: the case that a normalised cite names, None when none or several."""


def citations_of(text: str, name: str = "text") -> list[Citation]:
    """All case citations of a plain text as given; offsets are into it, line breaks and star pages included.

    >>> [c] = citations_of("See Roe v. Wade, 410 U. S. 113,\\n120 (1973) (en banc) (holding x).")
    >>> c.signal, c.pin_pages, [p.text for p in c.parentheticals]
    ('see', [120], ['en banc', 'holding x'])
    """
    return _Scan(text, clean(text), name).run(Memory())


def citations_of_case(opinions: Iterable[Opinion], case_of: CaseOf = lambda _: None) -> list[Citation]:
    """All citations of the opinions of one case, in order: a dissent may cite in short what the court cited in full."""
    memory = Memory()
    # the text of an opinion is clean already
    scans = (_Scan(one.text, CleanText(one.text, [0], [0]), one.opinion_id, case_of) for one in opinions)
    return [citation for scan in scans for citation in scan.run(memory)]


@dataclass(frozen=True, slots=True)
class CleanText:
    """A scanning copy and, for each of its segments, where the segment begins in the copy and in the source."""

    text: str
    _clean_starts: list[int]
    _source_starts: list[int]

    def source(self, offset: int) -> int:
        """The source offset of a character of the scanning copy."""
        i = bisect_right(self._clean_starts, offset) - 1
        return self._source_starts[i] + offset - self._clean_starts[i]

    def source_end(self, end: int) -> int:
        """The source offset just after the last character before `end`."""
        return self.source(end - 1) + 1 if end else 0


def clean(source: str) -> CleanText:
    r"""The scanning copy of a plain text.

    >>> copy = clean("Roe v. Wade,\n410 U. S. *115 113")
    >>> copy.text
    'Roe v. Wade, 410 U. S. 113'
    >>> copy.source(23)
    28
    """
    pieces: list[str] = []
    clean_starts, source_starts = [0], [0]
    length = last = 0
    for match in _NOISE.finditer(source):
        filler = _filler(match.group(), source, match.start(), match.end())
        pieces += (source[last : match.start()], filler)
        kept = length + match.start() - last
        length = kept + len(filler)
        last = match.end()
        if filler:
            clean_starts.append(kept)
            source_starts.append(match.start())
        clean_starts.append(length)
        source_starts.append(last)
    pieces.append(source[last:])
    return CleanText("".join(pieces), clean_starts, source_starts)


def _filler(noise: str, source: str, start: int, end: int) -> str:
    if noise.lstrip().startswith("-"):
        return ""
    if noise.strip().startswith("["):
        parts_words = noise[:1].isspace() and source[end : end + 1].isalnum()
        return " " if end < len(source) and (noise[-1:].isspace() or parts_words) else ""
    if noise.count("\n") > 1 and not noise.strip():
        return "\n\n"
    if noise.startswith("*"):
        return "" if start and source[start - 1].isspace() else " "
    return " "


@dataclass(frozen=True, slots=True)
class _Scan:
    source: str
    copy: CleanText
    name: str
    case_of: CaseOf = lambda _: None

    def run(self, memory: Memory) -> list[Citation]:
        text = self.copy.text
        tokens = tokens_of(text)
        groups = groups_of(text, tokens)
        if references := reference_tokens(text, groups):
            tokens = sorted([*tokens, *references], key=lambda token: token.start)
            groups = groups_of(text, tokens)
        others = [token for token in tokens if token.form not in CASE_FORMS]
        cases = resolve(text, groups, others, memory)
        numbered = enumerate(zip(groups, cases, strict=True))
        return [found for number, (group, case) in numbered for found in self._of_group(number, group, case)]

    def _of_group(self, number: int, group: Group, case: KnownCase | None) -> list[Citation]:
        cites = [cite_for(case, member) if case else None for member in group.members]
        # An id. that points to a statute or the record describes no case.
        lost = group.elsewhere and all(member.token.form == "id" for member in group.members)
        spans = [(self.copy.source(p.start), self.copy.source_end(p.end), p.kind) for p in group.parentheticals]
        described = [Parenthetical(self.source[start:end], start, end, kind) for start, end, kind in spans]
        said = [[] if lost else described] + [[] for _ in group.members[1:]]
        return [
            self._citation(number, group, member, [own, *cites], attached)
            for member, own, attached in zip(group.members, cites, said, strict=True)
        ]

    def _citation(
        self, number: int, group: Group, member: Member, cites: list[str | None], attached: list[Parenthetical]
    ) -> Citation:
        token, pin, own = member.token, member.pin, cites[0]
        # the own cite may be missing in the corpus, and a parallel one be there
        found = (self.case_of(cite) for cite in cites if cite)
        case_id = next((case for case in found if case is not None), None)
        return Citation(
            opinion_id=self.name,
            start=self.copy.source(token.start),
            end=self.copy.source_end(token.end),
            cite=self.copy.text[token.start : token.end].strip(" ,"),
            form=token.form,
            resolved_cite=own,
            cited_case_id=case_id,
            name=group.name.text if group.name else "",
            pin_cite=pin.text if pin else None,
            pin_pages=pin.pages if pin else [],
            pin_notes=pin.notes if pin else [],
            signal=group.signal,
            parentheticals=attached,
            parallel=list(dict.fromkeys(cite for cite in cites if cite and cite != own)),
            history=group.history,
            group=number,
            full_start=self.copy.source(group.start),
            full_end=self.copy.source_end(group.end),
            signal_inherited=group.signal_inherited,
        )


_KEYS = str.split(
    "opinion start end cite form resolved_cite pin_cite pin_pages pin_notes signal signal_inherited parentheticals"
    " parallel name history group full_start full_end cited_case"
)


def row_of(citation: Citation) -> dict[str, Any]:
    """A citation as a JSON object; offsets are into the text that the citation was found in.

    `parentheticals` stand on the first member of a parallel group, `group` ties the members together, and a signal that
    governs a string citation is given to every member, `signal_inherited` telling which (Bluebook R. 1.4).
    """
    row = {**asdict(citation), "opinion": citation.opinion_id, "cited_case": citation.cited_case_id}
    return {key: row[key] for key in _KEYS}
