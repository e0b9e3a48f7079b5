"""Source marks to the HTML and the plain text of static.case.law, with the citation network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import md5, sha256
from html import escape
from typing import Any

from source_format import CITE, NOTE_MARK, PAGE, Part, Work

EMPHASIS = re.compile(r"(?<!\{)\*((?:[^*{}]|\{\*[\w:]+\})+)\*")
FULL_CITE = re.compile(r"\b\d+ (?:F\.3d|F\. Supp\. 3d|Mass\.|Ill\. 2d|N\.E\.3d) \d+\b")
PIN = re.compile(r", (\d+(?:-\d+)?)\b(?! (?:F\.|Mass\.|Ill\.|N\.E\.))")
CATEGORIES = {
    "F.3d": "federal",
    "F. Supp. 3d": "federal",
    "Mass.": "state",
    "Ill. 2d": "state",
    "N.E.3d": "state_regional",
}


def opinion_text(part: Part) -> str:
    """The text of an opinion as the JSON has it: author, paragraphs, footnotes, one a line, no marks."""
    return "\n".join([part.author, *map(plain, part.paragraphs), *(plain(note) for _, note in part.notes)])


def plain(source: str) -> str:
    """A paragraph without page marks, footnote marks and emphasis.

    >>> plain("See *Harlow*, {*113} 1801 F.3d at 118.[^1]")
    'See Harlow, 1801 F.3d at 118.'
    """
    return EMPHASIS.sub(r"\1", NOTE_MARK.sub("", PAGE.sub("", tight(source))))


def tight(source: str) -> str:
    """A paragraph with the blank after a page mark removed where there is one before it, as CAP prints marks."""
    return re.sub(r"(^|\s)((?:\{\*[\w:]+\}\s*)+)", lambda m: m[1] + re.sub(r"\s", "", m[2]), source)


def body_html(work: Work, index: dict[str, Work], notice: str) -> str:
    """The HTML file of a case: head matter and one article per opinion."""
    case = work.case
    counter = Counter()
    lines = [
        f'<section class="casebody" data-case-id="{case.id}" data-firstpage="{case.first_page}" '
        f'data-lastpage="{case.last_page}">',
        *head_html(work, notice, counter),
        *(line for n, part in enumerate(case.parts, 1) for line in part_html(part, n, work, index, counter)),
        "</section>",
    ]
    return "\n".join(lines) + "\n"


class Counter:
    """Hands out paragraph ids and citation numbers in the order of the page."""

    def __init__(self) -> None:
        self.paragraphs = 0
        self.citations = -1

    def paragraph(self) -> str:
        """The next paragraph id."""
        self.paragraphs += 1
        return f"b1-{self.paragraphs}"

    def citation(self) -> int:
        """The next citation number, from 0."""
        self.citations += 1
        return self.citations


def head_html(work: Work, notice: str, counter: Counter) -> list[str]:
    """The head matter: parties, docket, court, date, the notice that all is fictional, counsel, judges."""
    case = work.case
    rows = [("docketnumber", case.docket), ("court", case.court), ("decisiondate", case.date), ("summary", notice)]
    rows += [("attorneys", line) for line in case.attorneys] + [("judges", line) for line in case.judges]
    parties = f'    <h4 class="parties" id="{counter.paragraph()}">{escape(case.name_full, quote=False)}</h4>'
    paragraphs = [
        f'    <p class="{kind}" id="{counter.paragraph()}">{escape(text, quote=False)}</p>' for kind, text in rows
    ]
    return ['  <section class="head-matter">', parties, *paragraphs, "  </section>"]


def part_html(part: Part, number: int, work: Work, index: dict[str, Work], counter: Counter) -> list[str]:
    """One opinion: author, paragraphs, then its footnotes as asides."""
    author = f'    <p class="author" id="{counter.paragraph()}">{escape(part.author, quote=False)}</p>'
    lines = [f'  <article class="opinion" data-type="{part.type}">', author]
    for source in part.paragraphs:
        lines.append(f'    <p id="{counter.paragraph()}">{inline(source, number, work, index, counter)}</p>')
    for label, source in part.notes:
        lines += [
            f'    <aside data-label="{label}" class="footnote" id="footnote_{number}_{label}">',
            f'      <a href="#ref_footnote_{number}_{label}">{label}</a>',
            f'      <p id="{counter.paragraph()}">{inline(source, number, work, index, counter)}</p>',
            "    </aside>",
        ]
    return [*lines, "  </article>"]


def inline(source: str, number: int, work: Work, index: dict[str, Work], counter: Counter) -> str:
    """A paragraph's HTML: emphasis, then citation links, footnote marks and page labels."""
    html = EMPHASIS.sub(r"<em>\1</em>", escape(tight(source), quote=False))
    html = FULL_CITE.sub(lambda m: citation_html(m[0], work, index, counter), html)
    html = NOTE_MARK.sub(
        rf'<a class="footnotemark" href="#footnote_{number}_\1" id="ref_footnote_{number}_\1">\1</a>', html
    )
    return PAGE.sub(page_html, html)


def page_html(mark: re.Match[str]) -> str:
    """A page label as the site writes it; the second reporter's marks have citation index 2."""
    label, series = mark["label"], mark["series"] or "1"
    prefix = "p" if series == "1" else f"p{series}-"
    return (
        f'<a id="{prefix}{label}" href="#{prefix}{label}" data-label="{label}" '
        f'data-citation-index="{series}" class="page-label">*{label}</a>'
    )


def citation_html(cite: str, work: Work, index: dict[str, Work], counter: Counter) -> str:
    """A citation as a link, to the cited case where the sample has it."""
    target = index.get(cite)
    data = f'class="citation" data-index="{counter.citation()}" data-cite="{cite}"'
    if target is None or target is work:
        return f'<a href="/citations/?q={cite.replace(" ", "%20")}" {data}>{cite}</a>'
    ids = f'data-case-ids="{target.case.id}" data-case-paths="{target.case_path}"'
    return f'<a href="{target.case_path}" {data} {ids}>{cite}</a>'


def cites_to(work: Work, index: dict[str, Work]) -> list[dict[str, Any]]:
    """The citation network of a case: one entry per cited reporter citation and opinion, first mention first."""
    mentions: dict[tuple[str, int], list[re.Match[str] | None]] = {}
    for number, part in enumerate(work.case.parts):
        text = opinion_text(part)
        for match in FULL_CITE.finditer(text):
            if index.get(match[0]) is not work:
                mentions.setdefault((match[0], number), []).append(PIN.match(text, match.end()))
    return [network_entry(cite, number, pins, index) for (cite, number), pins in mentions.items()]


def network_entry(cite: str, number: int, pins: list[re.Match[str] | None], index: dict[str, Work]) -> dict[str, Any]:
    """One entry: `weight` stands only where there are several mentions, `pin_cites` only where there is a pin."""
    parsed = CITE.fullmatch(cite)
    reporter = parsed["reporter"] if parsed else ""
    entry: dict[str, Any] = {"cite": cite, "category": f"reporters:{CATEGORIES[reporter]}", "reporter": reporter}
    if target := index.get(cite):
        entry |= {"case_ids": [target.case.id], "case_paths": [target.case_path]}
    if len(pins) > 1:
        entry["weight"] = len(pins)
    if found := [{"page": pin[1]} for pin in pins if pin]:
        entry["pin_cites"] = found
    return entry | {"opinion_index": number}


def analysis(texts: Iterable[str]) -> dict[str, Any]:
    """The site's figures about a case's text."""
    text = "\n".join(texts)
    words = text.split()
    return {
        "cardinality": len(set(words)),
        "char_count": len(text),
        "ocr_confidence": 1.0,
        "sha256": sha256(text.encode()).hexdigest(),
        "simhash": f"1:{simhash(words):016x}",
        "word_count": len(words),
    }


def simhash(words: Iterable[str]) -> int:
    """Charikar's 64-bit fingerprint: each bit is the majority vote of the words' hashes."""
    votes = [0] * 64
    for word in words:
        value = int.from_bytes(md5(word.encode(), usedforsecurity=False).digest()[:8])
        for bit in range(64):
            votes[bit] += 1 if value >> bit & 1 else -1
    return sum(1 << bit for bit, vote in enumerate(votes) if vote > 0)
