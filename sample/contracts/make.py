"""Makes the sample contracts from their sources: plain text, DOCX with Word's own numbers, PDF with a running header.

python sample/contracts/make.py [FOLDER]      writes the three contracts into FOLDER, by default into files/ here
"""

from __future__ import annotations

import datetime
import re
import sys
import textwrap
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
WIDTH = 78
_LONG = re.compile(
    r"\b(inde|termi|intel|docu|main|agree|obli|reason|licen|soft|modifi|instal|releas|expens|prop)"
    r"(mnify|nate|lectual|mentation|tenance|ment|gations?|able|see|sor|ware|cations?|lations?|es|erty)\b",
    re.IGNORECASE,
)
_NUMERALS = "- I II III IV V VI VII VIII IX X XI XII XIII XIV XV"
_ROMAN = _NUMERALS.split()
_DAY = datetime.datetime(2024, 1, 1)
_BLOCK = re.compile(r"(?P<mark>%|#{1,2}|@{1,2}|-|!\w+)?\s*(?P<rest>.*)", re.DOTALL)
_KINDS = {"%": "title", "#": "section", "##": "sub", "@": "schedule", "@@": "article", "-": "item", None: "text"}
_WITNESS = "IN WITNESS WHEREOF, the parties have signed this Agreement on the date first written above."


class Block(NamedTuple):
    """A paragraph of a contract: what it is, its heading, its text."""

    kind: str
    heading: str
    text: str


def blocks_of(source: str) -> list[Block]:
    """The paragraphs of a source; blank lines part them, and so does a line that begins with -."""
    found = []
    for piece in re.split(r"\n\s*\n|\n(?=- )", source.strip()):
        match = _BLOCK.match(piece.strip())
        assert match is not None
        mark, rest = match["mark"], match["rest"].strip()
        kind = _KINDS.get(mark, (mark or "")[1:])
        heading, bar, text = rest.partition(" | ")
        if kind in ("item", "text") or kind in ("signatures", "table", "contents"):
            found.append(Block(kind, "", rest))
        else:
            found.append(Block(kind, heading, text if bar else ""))
    return found


def numbered(blocks: Iterable[Block]) -> Iterator[tuple[str, Block]]:
    """The paragraphs with their numbers as typed; a schedule counts anew."""
    section = sub = item = 0
    for block in blocks:
        number = ""
        if block.kind in ("section", "article", "schedule"):
            section, sub = (0, 0) if block.kind == "schedule" else (section + 1, 0)
            number = {"section": f"{section}.", "article": f"ARTICLE {_ROMAN[section]}", "schedule": ""}[block.kind]
        elif block.kind == "sub":
            sub, item = sub + 1, 0
            number = f"{section}.{sub}"
        elif block.kind == "item":
            item += 1
            number = f"({chr(96 + item)})"
        yield number, block


def _parties(block: Block) -> list[str]:
    return [party.strip() for party in block.text.split("|")]


def plain(blocks: list[Block]) -> str:
    """A contract as plain text in lines of a fixed width."""
    out: list[str] = []
    for number, block in numbered(blocks):
        if block.kind == "title":
            out.append(block.heading.center(WIDTH).rstrip())
        elif block.kind == "contents":
            out += ["TABLE OF CONTENTS".center(WIDTH).rstrip(), _contents(blocks)]
        elif block.kind == "schedule":
            out.append(f"{block.heading}\n{block.text}")
        elif block.kind == "signatures":
            out.append(textwrap.fill(_WITNESS, WIDTH))
            out += [f"{party}\n\nBy: ______________________\nName:\nTitle:" for party in _parties(block)]
        else:
            head = f"{block.heading}. " if block.heading and block.text else block.heading
            indent = "    " if block.kind == "item" else ""
            words = " ".join(filter(None, (number, head + block.text)))
            out.append(textwrap.fill(words, WIDTH, initial_indent=indent, subsequent_indent=indent))
    return "\n\n".join(out) + "\n"


def _contents(blocks: list[Block]) -> str:
    """The table of contents, with pages that nobody needs."""
    heads = [f"{n:4}{one.heading} " for n, one in numbered(blocks) if one.kind == "section" and one.heading.isupper()]
    return "\n".join(head.ljust(WIDTH - 3, ".") + f" {n // 4 + 1}" for n, head in enumerate(heads))


def word(blocks: list[Block], path: Path) -> None:
    """A contract as DOCX; its sections are numbered by Word."""
    import docx

    document = docx.Document()
    num = _add_list(document)
    for block in blocks:
        if block.kind == "title":
            document.add_heading(block.heading, 0)
        elif block.kind in ("section", "sub", "item"):
            _numbered_paragraph(document, block, num, ("section", "sub", "item").index(block.kind))
        elif block.kind == "schedule":
            document.add_heading(f"{block.heading} – {block.text}", 1)
        elif block.kind == "table":
            _table(document, block.text)
        elif block.kind == "signatures":
            document.add_paragraph(_WITNESS)
            for party in _parties(block):
                for line in (party, "By: ______________________", "Name:", "Title:"):
                    document.add_paragraph(line)
        else:
            document.add_paragraph(block.text)
    core = document.core_properties
    core.author, core.created, core.modified, core.title = "lawng sample (fictional)", _DAY, _DAY, blocks[0].heading
    document.save(str(path))
    _without_times(path)


def _add_list(document: Any) -> str:
    """A list of three levels, 1., 1.1 and (a); returns its number."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    forms = (("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"))
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>'
        f'<w:pPr><w:ind w:left="{360 * (n + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
        for n, (form, text) in enumerate(forms)
    )
    numbering = document.part.numbering_part.element
    abstract = parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>')
    numbering.insert(0, abstract)
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    return "90"


def _numbered_paragraph(document: Any, block: Block, num: str, level: int) -> None:
    paragraph = document.add_paragraph()
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    properties.get_or_add_ilvl().val = level
    properties.get_or_add_numId().val = int(num)
    if block.heading:
        paragraph.add_run(block.heading + ("." if block.text else "")).bold = True
    if block.text:
        paragraph.add_run(f" {block.text}" if block.heading else block.text)


def _table(document: Any, text: str) -> None:
    rows = [[cell.strip() for cell in re.split(r"(?<!\|)\|(?!\|)", row)] for row in text.split("||")]
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, words in zip(row.cells, cells, strict=True):
            cell.text = words


def _without_times(path: Path) -> None:
    """The same archive with every entry of one day, so that equal contracts are equal bytes."""
    with zipfile.ZipFile(path) as archive:
        entries = [(name, archive.read(name)) for name in sorted(archive.namelist())]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            entry = zipfile.ZipInfo(name, _DAY.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def pdf(blocks: list[Block], path: Path) -> None:
    """A contract as PDF with a running header and page numbers; long words are parted at line ends."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    body = ParagraphStyle(
        "body", fontName="Times-Roman", fontSize=11, leading=14, spaceAfter=8, alignment=4, embeddedHyphenation=1
    )
    item = ParagraphStyle("item", parent=body, leftIndent=24)
    centred = ParagraphStyle("centred", parent=body, fontName="Times-Bold", alignment=1, keepWithNext=1)
    flow = []
    for number, block in numbered(blocks):
        for text in _printed(number, block):
            style = {"item": item, "title": centred, "article": centred, "schedule": centred}.get(block.kind, body)
            flow.append(Paragraph(text.replace("&", "&amp;"), style))
    title = blocks[0].heading.title()

    def frame(canvas: Any, document: Any) -> None:
        canvas.setFont("Times-Italic", 9)
        canvas.drawString(72, A4[1] - 40, f"{title} (fictional)")
        canvas.drawCentredString(A4[0] / 2, 36, f"Page {document.page}")

    document = SimpleDocTemplate(str(path), pagesize=A4, invariant=1, title=title, author="lawng sample (fictional)")
    document.build(flow, onFirstPage=frame, onLaterPages=frame)


def _printed(number: str, block: Block) -> list[str]:
    if block.kind == "article":
        return [number, block.heading]
    if block.kind == "signatures":
        lines = [line for party in _parties(block) for line in (party, "By: ______________________", "Name:")]
        return [_WITNESS, *lines]
    head = f"<i>{block.heading}.</i>" if block.heading and block.text else block.heading
    return [_parted(" ".join(filter(None, (number, head, block.text))))]


def _parted(text: str) -> str:
    """Some long words with a soft place to break, so that lines end inside words as in real documents."""
    return _LONG.sub("\\1\u00ad\\2", text)


def make(folder: Path) -> list[Path]:
    """Write the three contracts into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = {name: blocks_of((HERE / "source" / f"{name}.txt").read_text("utf-8")) for name in NAMES}
    text, docx, paper = (folder / f"{name}{suffix}" for name, suffix in NAMES.items())
    text.write_text(plain(sources["saas-agreement"]), "utf-8", newline="\n")
    word(sources["supply-agreement"], docx)
    pdf(sources["licence-agreement"], paper)
    return [text, docx, paper]


NAMES = {"saas-agreement": ".txt", "supply-agreement": ".docx", "licence-agreement": ".pdf"}


if __name__ == "__main__":
    for made in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "files"):
        print(made)
