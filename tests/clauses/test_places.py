"""Where a clause stands: its page, its paragraph, its characters; what Word wrote of pages, changes and comments."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from docx import Document
from docx.enum.text import WD_BREAK
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from typer.testing import CliRunner

from clauses_support import PAGES, add, add_list, contract_docx, contract_pdf
from lawng.clauses.collection import read_library
from lawng.clauses.formats.documents import read_document
from lawng.cli import app

RUNNER = CliRunner()
_MARKS = {"^": "<w:lastRenderedPageBreak/>", "~": '<w:br w:type="page"/>', "/": "<w:br/>"}
FIRST, SECOND = "1. Term. One year.", "2. Fee. Five dollars."


def inner(text: str) -> str:
    """A run: ^ is where Word began a page, ~ where the author did, / a new line."""
    pieces = [_MARKS.get(piece) or f'<w:t xml:space="preserve">{piece}</w:t>' for piece in re.split(r"([~^/])", text)]
    return f"<w:r>{''.join(pieces)}</w:r>"


def p(text: str, before: str = "") -> str:
    return f"<w:p>{before}{inner(text)}</w:p>"


def row(*cells: Sequence[str]) -> str:
    return f"<w:tr>{''.join('<w:tc>' + ''.join(map(p, cell)) + '</w:tc>' for cell in cells)}</w:tr>"


def written(path: Path, *blocks: str) -> Path:
    """A DOCX with such XML in its body."""
    document = Document()
    body = document.element.body
    for block in list(parse_xml(f"<w:body {nsdecls('w')}>{''.join(blocks)}</w:body>")):
        body.insert(len(body) - 1, block)
    document.save(str(path))
    return path


BREAK_BEFORE = "<w:pPr><w:pageBreakBefore/></w:pPr>"
NO_BREAK_BEFORE = '<w:pPr><w:pageBreakBefore w:val="0"/></w:pPr>'


def section(kind: str) -> str:
    return f'<w:p><w:pPr><w:sectPr><w:type w:val="{kind}"/></w:sectPr></w:pPr></w:p>'


@pytest.mark.parametrize(
    ("blocks", "pages", "why"),
    [
        ([p("One."), p("^Two."), p("Three."), p("^Four.")], [1, 2, 2, 3], "where Word began them"),
        ([p("One."), p("Two ^goes on."), p("Three.")], [1, 1, 2], "in the middle of a paragraph"),
        ([p("One."), p("^^Two.")], [1, 3], "an empty page between"),
        ([p("One.~"), p("^Two."), p("^Three.")], [1, 2, 3], "a break that Word laid out is one"),
        ([p("One."), p("~"), p("^Two.")], [1, 2], "a break by itself"),
        ([p("One."), p("~~"), p("^Two.")], [1, 3], "two breaks are two"),
        ([p("One."), p("^"), p("~"), p("^Two.")], [1, 3], "a page with nothing but a break"),
        ([p("One."), p("Two.~"), p("Three.")], [1, 1, 2], "a break alone"),
        ([p("~One."), p("Two.")], [2, 2], "a break before the first word"),
        ([p("One."), p("Two.", BREAK_BEFORE)], [1, 2], "a paragraph that begins a page"),
        ([p("^One."), p("Two.", NO_BREAK_BEFORE)], [2, 2], "a paragraph that does not"),
        ([p("One."), section("continuous"), p("Two.")], [1, 2], "the last section begins a page, as all do by default"),
        ([p("One."), section("x"), p("Two."), section("continuous"), p("^Three.")], [1, 1, 2], "one that goes on"),
        ([p("One."), section("x"), p("Two."), section("nextColumn"), p("^Three.")], [1, 1, 2], "one in a column"),
        ([p("One."), section("x"), p("Two."), section("oddPage"), p("Three.")], [1, 2, 3], "one on an odd page"),
        ([f"<w:tbl>{row(['One.'], ['^2'])}</w:tbl>", p("Three.")], [1, 2], "a row that goes over to the next page"),
        ([f"<w:tbl>{row(['A^b'], ['C^d'])}</w:tbl>", p("Three.")], [1, 2], "of which both cells do"),
        ([f"<w:tbl>{row(['A', '^b'], ['C^', 'd'])}</w:tbl>", p("Three.")], [1, 2, 2, 2, 2], "also in paragraphs"),
        ([f"<w:tbl>{row(['A', '^'], ['B'])}</w:tbl>", p("Three.")], [1, 2], "an empty paragraph of a cell"),
        ([f"<w:tbl>{row(['^', 'A'], ['B'])}</w:tbl>", p("Three.")], [2, 2], "before its words"),
        ([p("One."), f"<w:p><w:del>{inner('^gone')}</w:del>{inner('Two.')}</w:p>"], [1, 2], "inside deleted words"),
        (
            [p("One."), f"<w:p><w:del>{inner('~gone')}</w:del>{inner('^Two.')}</w:p>"],
            [1, 2],
            "a break that was deleted",
        ),
    ],
)
def test_pages_of_a_docx(tmp_path: Path, blocks: list[str], pages: list[int], why: str) -> None:
    read = read_document(written(tmp_path / "a.docx", *blocks))
    assert [read.page(at) for at in read.paragraph_starts] == pages, why
    assert not set(read.text) & {"\f", "\v"}


def test_a_page_that_begins_with_a_number_of_words_begins_before_it(tmp_path: Path) -> None:
    document = Document()
    num = add_list(document)
    add(document, "Term. One year.", num, 0)
    add(document, "", num, 0)
    document.paragraphs[-1]._p.append(parse_xml(f"<w:r {nsdecls('w')}>{inner('^Fee. $5.')[5:]}"))
    document.save(str(tmp_path / "a.docx"))
    read = read_document(tmp_path / "a.docx")
    assert read.text == "1. Term. One year.\n\n2. Fee. $5."
    assert read.page_starts == (0, read.text.index("2."))


def test_pages_of_a_table_of_contents_are_counted(tmp_path: Path) -> None:
    document = Document()
    document.styles.add_style("toc 1", 1)
    for text in ("1. Term\t2", "2. Fee\t2"):
        document.add_paragraph(text, style="toc 1")
    document.paragraphs[-1].add_run().add_break(WD_BREAK.PAGE)
    document.add_paragraph(FIRST)
    document.save(str(tmp_path / "a.docx"))
    read = read_document(tmp_path / "a.docx")
    assert (read.text, read.page(0), read.dropped) == (FIRST, 2, {"table-of-contents": 2})


def test_pages_that_word_did_not_lay_out_are_said_to_be_a_guess(tmp_path: Path) -> None:
    guess = "pages are counted by its own breaks alone, for Word has not laid it out: they may be too low"
    assert read_document(written(tmp_path / "a.docx", p("One.~"), p("Two."))).notes == (guess,)
    assert read_document(written(tmp_path / "b.docx", p("One.~"), p("^Two."))).notes == ()
    assert read_document(written(tmp_path / "c.docx", p("One."), p("Two."))).notes == ()


def test_a_docx_without_pages_has_paragraphs(tmp_path: Path) -> None:
    table = f"<w:tbl>{row(['Valve'], ['$5'])}{row([''], [''])}{row(['Pump'], ['$7'])}</w:tbl>"
    path = written(tmp_path / "a.docx", p("Contract"), p(" "), p("1. Term./ / One year."), table, p("2. Fee. $5."))
    read = read_document(path)
    assert [read.text[at:].split("\n")[0] for at in read.paragraph_starts] == [
        "Contract",
        "1. Term.",
        "Valve\t$5",
        "Pump\t$7",
        "2. Fee. $5.",
    ]
    found = read_library(path).clauses
    assert [(clause.section, clause.page, clause.paragraph, clause.place) for clause in found] == [
        ("1", 0, 2, "¶ 2"),
        ("2", 0, 5, "¶ 5"),
    ]


@pytest.mark.parametrize(
    ("text", "starts", "why"),
    [
        ("Term.\nOne year.\n\n \nFee.", ["Term.", "One year.", "Fee."], "each line is a paragraph"),
        ("the term\nis one year\nand not more\n\nthe fee\nis low", ["the term", "the fee"], "lines are broken"),
        ("\n \n", [], "nothing"),
    ],
)
def test_paragraphs_of_plain_text(tmp_path: Path, text: str, starts: list[str], why: str) -> None:
    (tmp_path / "a.txt").write_text(text + ("" if starts == [] else "\nX."))
    read = read_document(tmp_path / "a.txt") if starts else None
    found = [read.text[at:].split("\n")[0] for at in read.paragraph_starts] if read else []
    assert found[: len(starts)] == starts, why


def test_a_clause_knows_its_paragraph_also_from_what_was_kept(tmp_path: Path) -> None:
    contract_docx(tmp_path / "a.docx")
    contract_pdf(tmp_path / "b.pdf", PAGES)
    (tmp_path / "c.jsonl").write_text(json.dumps({"_id": "x", "text": "A cap."}))
    made = read_library(tmp_path, cache=tmp_path / "kept").clauses
    assert read_library(tmp_path, cache=tmp_path / "kept").clauses == made
    places = {clause.clause_id.split("#")[0]: clause.place for clause in made[::-1]}
    assert places == {"a.docx": "¶ 2", "b.pdf": "page 1", "x": ""}


def test_the_terminal_shows_page_or_paragraph_and_the_characters(tmp_path: Path) -> None:
    contracts = tmp_path / "contracts"
    contracts.mkdir()
    contract_docx(contracts / "prices.docx")
    contract_pdf(contracts / "services.pdf", PAGES)
    (contracts / "list.jsonl").write_text(json.dumps({"_id": "x", "text": "Consequential damages of a list."}))
    command = ["search", str(contracts), "consequential damages", "--encoder", "none"]
    run = RUNNER.invoke(app, command, env={"COLUMNS": "200", "LAWNG_CACHE": str(tmp_path / "cache")})
    rows = RUNNER.invoke(app, [*command, "--to", "jsonl"], env={"LAWNG_CACHE": str(tmp_path / "cache")}).stdout
    found = {row["source"]: row for row in map(json.loads, rows.splitlines()) if row["section"] in {"2.2", "7.2", ""}}
    word, printed = found["prices.docx"], found["services.pdf"]
    assert (word["page"], word["paragraph"], printed["page"], printed["paragraph"]) == (0, 8, 1, 0)
    for source, row, place in (("prices.docx", word, "¶ 8"), ("services.pdf", printed, "page 1")):
        line = next(line for line in run.stdout.splitlines() if source in line and row["section"] in line)
        assert line.rstrip().endswith(f"  {place} [{row['start']}-{row['end']}]")
    assert re.search(r"list\.jsonl  x *$", run.stdout, re.MULTILINE), "of a list the id is all"


REDLINE = (
    f"<w:p>{inner('Fee of ')}<w:del>{inner('$4')}</w:del><w:ins>{inner('$5')}</w:ins>"
    '<w:commentRangeStart w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>',
    f'<w:p><w:moveTo>{inner("Moved. ")}</w:moveTo><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
    f"<w:p><w:moveFrom>{inner('Moved.')}</w:moveFrom><w:pPr/></w:p>",
)


def test_what_is_accepted_and_what_is_left_out_is_said(tmp_path: Path) -> None:
    read = read_document(written(tmp_path / "a.docx", *REDLINE))
    assert read.text == "Fee of $5\n\nMoved."
    assert read.notes == ("3 tracked changes read as accepted; 1 comment left out; 1 footnote left out",)
    note = '<w:p><w:r><w:t>A.</w:t><w:endnoteReference w:id="2"/></w:r></w:p>' * 2
    assert read_document(written(tmp_path / "b.docx", note)).notes == ("2 endnotes left out",)
    assert read_document(contract_docx(tmp_path / "c.docx")).notes == ()
    written(tmp_path / "d.docx", *REDLINE)
    assert (
        read_library(tmp_path / "d.docx").notes[0].startswith("d.docx: 3 tracked changes read as accepted; 1 comment")
    )


DELETED_END = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next(tmp_path: Path) -> None:
    first = p("The price ", DELETED_END)
    gone = f"<w:p>{DELETED_END}<w:del>{inner('of old')}</w:del></w:p>"
    styled = p("is low.", '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>')
    read = read_document(written(tmp_path / "a.docx", first, gone, styled, p("Next.")))
    assert read.text == "The price is low.\n\nNext."
    assert read.headings == {0}
    assert read.notes == ("1 tracked change read as accepted",)
    moved = read_document(written(tmp_path / "c.docx", p("The price ", DELETED_END.replace("del", "moveFrom")), styled))
    assert moved.text == "The price is low."
    last = read_document(written(tmp_path / "b.docx", p("The price"), p("is low.", DELETED_END), "<w:tbl/>"))
    assert last.text == "The price\n\nis low."
    assert last.notes == ("1 tracked change read as accepted",)


def test_a_row_that_was_deleted_is_not_read(tmp_path: Path) -> None:
    gone = row(["Pump"], ["$7"]).replace("<w:tr>", "<w:tr><w:trPr><w:del/></w:trPr>")
    read = read_document(written(tmp_path / "a.docx", f"<w:tbl>{row(['Valve'], ['$5'])}{gone}</w:tbl>"))
    assert read.text == "Valve\t$5"
