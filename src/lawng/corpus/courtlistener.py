"""What every form of CourtListener's data has in common: clusters, their opinions, and which text to read.

One text of all parts (`010combined`) is taken apart at the lines that name a part's author. A text that visibly holds a
concurrence or dissent, but cannot be cut, stays whole and is of the kind "combined"; a text with no such sign is the
opinion of the court.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from lawng.corpus.body import Body, Part, RawMark, Source
from lawng.corpus.cap import author_of, cap_opinion_type, outermost
from lawng.corpus.captions import LINES, is_caption, with_caption
from lawng.corpus.cites import official_first, read_cites
from lawng.corpus.courts import court_name, jurisdiction_of_court, with_court
from lawng.corpus.dates import iso_date
from lawng.corpus.markup import PAGE_MARKUP, local_name, parse, read_text, read_tree
from lawng.corpus.names import case_name, parties_of, short_name
from lawng.corpus.records import OPINIONS, Item, build_case, note, reject
from lawng.io.limits import OverLimitError
from lawng.schema import Case, Footnote, Span

FORMAT = "courtlistener"
TEXT_FIELDS = (
    "html_with_citations",
    "xml_harvard",
    "html_lawbox",
    "html_columbia",
    "html_anon_2020",
    "html",
    "plain_text",
)
"""Fields with an opinion's text, the best first; one with page marks goes before one without."""
_CITE_ORDER = {1: 0, 5: 1, 2: 2, 3: 3, 8: 4, 4: 5}
"""CourtListener's citation types, the official first: federal, early U.S., state, regional, neutral, specialty."""
_TYPES = {
    "010": "combined",
    "015": "majority",
    "020": "majority",
    "025": "plurality",
    "030": "concurrence",
    "035": "concurrence-in-part",
    "040": "dissent",
}
_LEADS = ("majority", "plurality")
_JUDGE = r"(?:JUSTICES?|Justices?|JUDGES?|Judges?|J\.|JJ\.|C\. ?J\.|P\. ?J\.|CHIEF JUSTICE|Chief Justice)"
_KIND = r"(?:concurr(?:ing|ed|s|ence)|dissent(?:ing|ed|s)?)"
_AUTHOR_LINE = re.compile(
    rf"^(?:Separate opinion of |Opinion of )?(?P<author>(?=[A-Z])[^:;]{{0,120}}?{_JUDGE}[^:;]{{0,220}}?)[, (—-]+"
    rf"(?:specially )?(?P<kind>(?:concurring|dissenting)\b[^:;]{{0,160}}?)[.:)—\s]*$"
)
_OPENING = re.compile(
    r"(?:delivered|announced) the (?:following )?(?:opinion|judgment|unanimous opinion)|^(?:opinion )?per curiam\b"
    r"|^OPINION(?: OF THE COURT)?\.?$",
    re.I,
)
_SIGNED = re.compile(rf"^(?!Before\b|Present\b)(?:BY THE COURT\b.*|[A-Z][^:;]{{0,60}}?, {_JUDGE}[.:,]*)$")
_HELD_WITHIN = re.compile(
    rf"^(?:(?i:\W*(?:dissent|concurrence|(?:dissenting|concurring) opinion)\W*)$|[^.]{{0,80}}{_JUDGE},? {_KIND}\b)"
)
_LONGEST_LINE = 400
_MOST_HEAD = 0.6
"""No more than this share of a text is caption, statement of the case and argument of counsel."""
_STATEMENT = re.compile(r"\b(?:dissents?|concurs?|dissented|concurred|joins?)\b(?!ing)")


@dataclass(frozen=True, slots=True)
class RawOpinion:
    """One opinion as stored: its type code and the text field that was chosen."""

    id: str
    code: str
    author: str
    field: str
    markup: str


def choose_text(row: Mapping[str, Any]) -> tuple[str, str]:
    """The text field to read and its markup: the first with page marks, else the first with text, else ("", "").

    >>> choose_text({"plain_text": "a", "html_lawbox": '<p><span class="star-pagination">*2</span> a</p>'})[0]
    'html_lawbox'
    """
    filled = [(name, text) for name in TEXT_FIELDS if (text := row.get(name) or "").strip()]
    marked = (pair for pair in filled if PAGE_MARKUP.search(pair[1]))
    return next(marked, filled[0] if filled else ("", ""))


def read_cluster(case: Case, opinions: Sequence[RawOpinion], slug: str = "") -> Iterator[Item]:
    """A case and its opinions, where a text of all parts beside the parts themselves counts once.

    What the source does not say of the case is taken from the caption of its texts, its name at last from its address.
    """
    parts: list[Part] = []
    for opinion in opinions:
        try:
            found, notes = _parts_of(opinion)
        except OverLimitError as error:
            yield from reject(OPINIONS, opinion.id, error.reason, str(error), case.source_path)
            continue
        parts += found
        yield from notes
    kept, dropped = _without_doubles(parts)
    apart = [_split_combined(part) if part.type == "combined" else [part] for part in kept]
    if cut := sum(_lost_its_head(part, pieces) for part, pieces in zip(kept, apart, strict=True)):
        yield note("caption-and-counsel-left-off", cut)
    case = _known_by_texts(case, parts, slug)
    yield from build_case(case, [piece for pieces in apart for piece in pieces], Source())
    for part, why in dropped:
        yield from reject(OPINIONS, part.id, "duplicate-text", why, case.source_path)


def cluster_case(row: Mapping[str, Any], cites: Iterable[str], court_id: str, path: str) -> Case:
    """The record of a case from a cluster's row or JSON; raises KeyError when it has no id."""
    given = str(row.get("case_name") or row.get("case_name_full") or row.get("case_name_short") or "")
    name = case_name(given)
    citations = official_first(read_cites(cites))
    return Case(
        case_id=f"cl:{row['id']}",
        name=name,
        name_full=str(row.get("case_name_full") or given),
        parties=parties_of(name),
        citations=citations,
        court=court_name(court_id) if court_id else "",
        jurisdiction=jurisdiction_of_court(court_id),
        date=iso_date(row.get("date_filed")),
        docket_number=str(row.get("docket_number") or ""),
        cites_to=[],
        source=FORMAT,
        source_path=path,
    )


def _known_by_texts(case: Case, parts: Sequence[Part], slug: str) -> Case:
    for part in parts:
        case = with_caption(case, list(islice(part.body.lines(), LINES)))
    if not case.name and slug:
        words = re.sub(r"-v-", " v. ", slug).replace("-", " ")
        case = replace(case, name=short_name(words.upper()), parties=parties_of(short_name(words.upper())))
    return with_court(case)


def opinion_type(code: str) -> str:
    """The kind for a CourtListener type such as "020lead"; its number decides, for its words are misspelt.

    >>> opinion_type("015unamimous"), opinion_type("035concurrenceinpart"), opinion_type("070rehearing")
    ('majority', 'concurrence-in-part', 'other')
    """
    return _TYPES.get(code[:3], "other")


def order_cites(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Citations of a cluster, the official one first.

    >>> order_cites([{"volume": 254, "reporter": "P.3d", "page": "649", "type": 3},
    ...              {"volume": 150, "reporter": "N.M.", "page": "1", "type": 2}])
    ['150 N.M. 1', '254 P.3d 649']
    """
    ordered = sorted(rows, key=lambda row: _CITE_ORDER.get(int(row.get("type") or 9), 9))
    return [f"{row.get('volume')} {row.get('reporter')} {row.get('page')}" for row in ordered]


def _parts_of(opinion: RawOpinion) -> tuple[list[Part], list[Item]]:
    """The parts in one stored text: its `<opinion>` elements where it has several, else the whole."""
    kind = opinion_type(opinion.code)
    tree, mended = parse(opinion.markup)
    notes: list[Item] = [note("markup-mended")] if mended else []
    if tree is None:
        return [_part(opinion, kind, read_text(opinion.markup), opinion.author)], notes
    elements = [*outermost(tree, lambda e: local_name(e) == "opinion" and bool(e.get("type")))]
    if len(elements) < 2:
        root = elements[0] if elements else tree
        return [_part(opinion, kind, read_tree(root), opinion.author or author_of(root))], notes
    several = [
        _part(opinion, cap_opinion_type(e.get("type")), read_tree(e), author_of(e), n) for n, e in enumerate(elements)
    ]
    return several, [*notes, note("combined-text-taken-apart")]


def _part(opinion: RawOpinion, kind: str, body: Body, author: str, number: int = 0) -> Part:
    return Part(kind, author, body, opinion.field, f"{opinion.id}#{number}" if number else opinion.id)


def _lost_its_head(part: Part, pieces: list[Part]) -> bool:
    first = pieces[0].body
    return first.paragraphs[:1] != part.body.paragraphs[:1] or not part.body.text.startswith(
        first.text[: first.body_end]
    )


def _without_doubles(parts: list[Part]) -> tuple[list[Part], list[tuple[Part, str]]]:
    """Keep either the combined text or the parts of it, by which of them has the opinion of the court with pages."""
    combined = [part for part in parts if part.type == "combined"]
    single = [part for part in parts if part.type != "combined"]
    if not combined or not single:
        return parts, []
    has_lead = any(part.type in _LEADS and part.body.text.strip() for part in single)
    if has_lead and not _better(combined, single):
        return single, [(part, "combined text of opinions that are there one by one") for part in combined]
    if not has_lead and all(len(_split_combined(part)) == 1 for part in combined):
        return parts, []  # nothing in the text is an opinion that is also there by itself
    others = [part for part in single if part.type == "other"]
    dropped = [part for part in single if part.type != "other"]
    return combined + others, [(part, "is in the combined text, which is read instead") for part in dropped]


def _better(combined: list[Part], single: list[Part]) -> bool:
    """Whether only the combined text marks the pages of the court's opinion, and can be cut so that it stands alone."""
    leads = [part for part in single if part.type in _LEADS and part.body.text.strip()]
    if any(part.body.marks for part in leads) or not all(part.body.marks for part in combined):
        return False
    pieces = [piece for part in combined for piece in _split_combined(part)]
    return len(pieces) >= len(single) and "combined" not in {piece.type for piece in pieces}


def _split_combined(part: Part) -> list[Part]:
    """The opinions in a combined text, the court's first; or the whole text with the kind that it must have.

    What stands before the court's opinion (caption, counsel) is left off when the line that opens it is found.
    """
    lines = list(part.body.lines())
    named = [(n, found) for n, line in enumerate(lines) if n and (found := _found(_AUTHOR_LINE, line))]
    ends = [*(n for n, _ in named[1:]), len(lines)]
    # a line that nothing follows only tells a vote
    cuts = [(n, found) for (n, found), end in zip(named, ends, strict=False) if end - n > 1]
    first = _first(lines[: cuts[0][0] if cuts else None])
    if not cuts:
        others = (line for line in lines[first + 1 :] if _found(_HELD_WITHIN, line) and not _STATEMENT.search(line))
        kind = "majority" if next(others, None) is None else "combined"
        return [_piece(part, kind, part.author, (first, len(lines)), 0)]
    bounds = [first, *(n for n, _ in cuts), len(lines)]
    said = [("majority", part.author), *(_kind_and_author(found) for _, found in cuts)]
    return [
        _piece(part, kind, author, (start, end), n)
        for n, ((kind, author), start, end) in enumerate(zip(said, bounds, bounds[1:], strict=False))
    ]


def _first(lines: Sequence[str]) -> int:
    """The paragraph that opens the court's opinion: its opening line, else a judge's name, else what is no caption.

    A line so late that most of the text would be left off opens nothing.
    """
    sizes = [len(line) for line in lines]
    for opens in (_OPENING, _SIGNED):
        found = next((n for n, line in enumerate(lines) if _found(opens, line)), None)
        if found is not None and sum(sizes[:found]) < _MOST_HEAD * sum(sizes):
            return found
    return next((n for n, line in enumerate(lines) if not is_caption(line)), 0)  # all of it is the court's order


def _found(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    return pattern.search(line) if len(line) < _LONGEST_LINE else None


def _kind_and_author(match: re.Match[str]) -> tuple[str, str]:
    kind = match["kind"].lower()
    if "concurr" in kind and "dissent" in kind:
        kind = "concurrence-in-part"
    else:
        kind = "dissent" if "dissent" in kind else "concurrence"
    return kind, re.split(r",? (?:with whom|joined by|whom|and with)\b", match["author"])[0].strip(" ,")


def _piece(part: Part, kind: str, author: str, bounds: tuple[int, int], number: int) -> Part:
    paragraphs = part.body.paragraphs[bounds[0] : bounds[1]]
    if not paragraphs:
        return replace(part, type=kind, body=Body())
    span = Span(paragraphs[0].start, paragraphs[-1].end)
    ident = f"{part.id}#{number}" if number else part.id
    return Part(kind, author, _cut(part.body, span, paragraphs, first=not number), part.field, ident)


def _cut(body: Body, span: Span, paragraphs: Sequence[Span], first: bool) -> Body:
    text = body.text[span.start : span.end]
    cut = Body(text, len(text), _marks_in(body, span, -span.start), _moved(paragraphs, -span.start), [])
    for footnote in _notes_of(body, span, first):
        at = len(cut.text) + 2
        shift = at - footnote.start
        cut.text += "\n\n" + body.text[footnote.start : footnote.end]
        inside = [p for p in body.paragraphs if footnote.start <= p.start and p.end <= footnote.end]
        cut.paragraphs += _moved(inside, shift)
        cut.marks += _marks_in(body, Span(footnote.start, footnote.end), shift)
        mark = None if footnote.mark is None else footnote.mark - span.start
        cut.footnotes.append(Footnote(footnote.label, mark, at, footnote.end + shift))
    return cut


def _notes_of(body: Body, span: Span, first: bool) -> list[Footnote]:
    """The footnotes whose marks stand in a span; one without a mark belongs with the one before it, or to the first."""
    found, within = [], first
    for footnote in body.footnotes:
        if footnote.mark is not None:
            within = span.start <= footnote.mark <= span.end
        if within:
            found.append(footnote)
    return found


def _marks_in(body: Body, span: Span, shift: int) -> list[RawMark]:
    return [RawMark(m.label, m.series, m.start + shift) for m in body.marks if span.start <= m.start < span.end]


def _moved(spans: Sequence[Span], shift: int) -> list[Span]:
    return [Span(span.start + shift, span.end + shift) for span in spans]
