"""Files to text: Word's numbers, PDF lines, and one clear line for what cannot be read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from clauses_support import PAGES, add, add_list, add_num, contract_docx, contract_pdf
from lawng.clauses.formats.documents import MOST_BYTES, read_document
from lawng.clauses.formats.pdf import RUNNING, PrintedLine, joined
from lawng.errors import InputError


def lines(path: Path) -> list[str]:
    return read_document(path).text.split("\n\n")


def test_words_numbers_are_those_that_a_reader_sees(tmp_path: Path) -> None:
    read = read_document(contract_docx(tmp_path / "a.docx"))
    assert read.text.split("\n\n") == [
        "1. Prices",
        "1.1 Amount. The price stands in this table.",
        "Valve\t$5",
        "2. Liability",
        "2.1 Cap. Liability is capped at the fees paid, except for:",
        "(a) fraud; and",
        "(b) bodily injury.",
        "2.2 Indirect Damages. Neither party pays consequential damages.",
    ]
    assert read.numbered == {read.text.index(line) for line in read.text.split("\n\n") if line[0] in "12("}


def numbers(path: Path, levels: list[tuple[str, str]], depths: list[int], more: str = "") -> list[str]:
    document = Document()
    num = add_list(document, levels, more=more)
    for depth in depths:
        add(document, "x", num, depth)
    document.save(str(path))
    return [line.removesuffix(" x") for line in lines(path)]


@pytest.mark.parametrize(
    ("levels", "depths", "more", "expected"),
    [
        pytest.param(
            [("upperRoman", "ARTICLE %1"), ("decimalZero", "Section %1.%2"), ("lowerRoman", "(%3)")],
            [0, 1, 2, 2, 1, 0, 1],
            "",
            ["ARTICLE I", "Section I.01", "(i)", "(ii)", "Section I.02", "ARTICLE II", "Section II.01"],
            id="forms, and deeper levels begin anew",
        ),
        pytest.param(
            [("upperRoman", "ARTICLE %1"), ("decimal", "%1.%2")],
            [0, 1, 0, 1],
            "<w:isLgl/>",
            ["ARTICLE 1", "1.1", "ARTICLE 2", "2.1"],
            id="legal style is decimal throughout",
        ),
        pytest.param(
            [("decimal", "%1."), ("upperLetter", "%2)")],
            [0, 1, 0, 1],
            '<w:lvlRestart w:val="0"/>',
            ["1.", "A)", "2.", "B)"],
            id="a level that never begins anew",
        ),
        pytest.param([("ordinalText", "%1"), ("bullet", "•")], [0, 1, 0], "", ["First", "x", "Second"], id="bullets"),
        pytest.param([("decimal", "%1."), ("decimal", "%1.%2")], [1, 1], "", ["1.1", "1.2"], id="no level above"),
    ],
)
def test_forms_of_words_numbers(
    tmp_path: Path, levels: list[tuple[str, str]], depths: list[int], more: str, expected: list[str]
) -> None:
    assert numbers(tmp_path / "a.docx", levels, depths, more) == expected


def test_lists_of_one_definition_count_on_unless_one_starts_anew(tmp_path: Path) -> None:
    document = Document()
    first = add_list(document)
    on = add_num(document, 71, 70)
    start = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    anew = add_num(document, 72, 70, start)
    for num in (first, on, anew, anew, first):
        add(document, "x", num, 0)
    document.save(str(tmp_path / "a.docx"))
    assert lines(tmp_path / "a.docx") == ["1. x", "2. x", "1. x", "2. x", "3. x"]


def test_a_style_gives_its_number_and_a_paragraph_may_take_it_away(tmp_path: Path) -> None:
    document = Document()
    num = add_list(document)
    style = document.styles["Heading 1"].element
    style.get_or_add_pPr().append(parse_xml(f'<w:numPr {nsdecls("w")}><w:numId w:val="{num}"/></w:numPr>'))
    document.add_heading("Term", 1)
    document.add_heading("No number", 1)._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = 0
    document.add_heading("Fee", 1)
    document.save(str(tmp_path / "a.docx"))
    read = read_document(tmp_path / "a.docx")
    assert read.text.split("\n\n") == ["1. Term", "No number", "2. Fee"]
    assert len(read.headings) == 3


def test_tracked_changes_content_controls_and_tables_of_contents(tmp_path: Path) -> None:
    document = Document()
    paragraph = document.add_paragraph("Fee")._p
    paragraph.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t> of $5</w:t></w:r></w:ins>"))
    paragraph.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText> of $4</w:delText></w:r></w:del>"))
    control = (
        f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>In a control</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    paragraph.addnext(parse_xml(control))
    document.styles.add_style("toc 1", 1)
    document.add_paragraph("1. Term\t1", style="toc 1")
    document.save(str(tmp_path / "a.docx"))
    read = read_document(tmp_path / "a.docx")
    assert read.text == "Fee of $5\n\nIn a control"
    assert read.dropped == {"table-of-contents": 1}


def test_pages_become_running_text(tmp_path: Path) -> None:
    read = read_document(contract_pdf(tmp_path / "a.pdf", PAGES, "Services Agreement"))
    assert read.text.split("\n\n") == [
        "7. Liability",
        "7.1 Cap. The liability of either party under this agreement shall not exceed the amounts paid by the customer "
        "in the twelve months before the claim, except as set forth in Section 7.3 of this agreement, and it includes "
        "every obligation to indemnify the other party. The third-party rights stay.",
        "7.2 Indirect Damages. Neither party is liable for lost profits or other consequential damages of the other.",
        "7.3 Carve-outs. Section 7.1 does not apply to third-party claims or fraud.",
    ]
    assert read.dropped == {RUNNING: 2, "page-number": 2}
    assert [read.page(read.text.index(words)) for words in ("7.2", "damages of", "7.3 Carve")] == [1, 2, 2]


def test_a_page_without_text_is_named(tmp_path: Path) -> None:
    read = read_document(contract_pdf(tmp_path / "a.pdf", [["1. Term. A year."], ["2. Fee. $5."]]))
    assert read.notes == ()
    pages = [[PrintedLine("1. Term.", 72, 200, 0.5, 0.51)], [], [PrintedLine("2. Fee.", 72, 200, 0.5, 0.51)]]
    found = joined(pages)
    assert found.notes == ("no text on page 2 (a scan or a picture)",)
    assert found.page(found.text.index("2. Fee")) == 3


def test_plain_text_may_have_a_mark_other_line_ends_and_pages(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("\ufeff1. Term.\r\nA year.\f2. Fee.\r$5.".encode())
    read = read_document(tmp_path / "a.txt")
    assert read.text == "1. Term.\nA year.\f2. Fee.\n$5."
    assert read.page(read.text.index("2.")) == 2


def test_markdown_headings_are_headings(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Term\n\nA year.\n\n## Fee\n\n$5.")
    read = read_document(tmp_path / "a.md")
    assert read.text == "Term\n\nA year.\n\nFee\n\n$5."
    assert sorted(read.headings) == [0, read.text.index("Fee")]


def _no_word(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", "b")


def _cut_pdf(path: Path) -> None:
    whole = contract_pdf(path, PAGES).read_bytes()
    path.write_bytes(whole[: len(whole) // 3])


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)


BAD = [
    pytest.param("a.docx", lambda path: path.write_bytes(b"no zip"), "not a DOCX", id="docx that is no zip"),
    pytest.param("b.docx", _no_word, "not a DOCX", id="zip that is no docx"),
    pytest.param("c.pdf", _cut_pdf, "PDF", id="pdf that breaks off"),
    pytest.param("d.pdf", lambda path: path.write_bytes(b"%PDF-1.4\nnothing"), "PDF", id="pdf of nothing"),
    pytest.param("e.pdf", lambda path: contract_pdf(path, PAGES, encrypt="secret"), "password", id="encrypted pdf"),
    pytest.param("f.pdf", lambda path: contract_pdf(path, [[]]), "", id="pdf with a page number alone"),
    pytest.param("h.txt", lambda path: path.write_bytes(b"a\x00b"), "NUL", id="binary"),
    pytest.param("i.txt", lambda path: path.write_bytes(b" \n "), "no text", id="blank"),
    pytest.param("j.txt", _large, "50 MB", id="too large"),
    pytest.param("k.doc", lambda path: path.write_bytes(b"old"), ".docx", id="another format"),
]


@pytest.mark.parametrize(("name", "make", "said"), BAD)
def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path, name: str, make: object, said: str) -> None:
    make(tmp_path / name)  # type: ignore[operator]
    with pytest.raises(InputError) as raised:
        read_document(tmp_path / name)
    assert said in str(raised.value)
    assert str(tmp_path / name) in str(raised.value)
    assert "\n" not in str(raised.value)


DAMAGED = [
    pytest.param("word/document.xml", '<w:ilvl w:val="1"/>', '<w:ilvl w:val="1e9"/>', id="a level that is no number"),
    pytest.param("word/document.xml", '<w:ilvl w:val="1"/>', '<w:ilvl w:val="-1"/>', id="a level below the first"),
    pytest.param("word/numbering.xml", '<w:start w:val="1"/>', '<w:start w:val="nan"/>', id="a start that is none"),
    pytest.param("word/numbering.xml", '<w:start w:val="1"/>', f'<w:start w:val="{"7" * 5000}"/>', id="many digits"),
    pytest.param(
        "word/numbering.xml",
        '<w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>',
        '<w:start w:val="9999999999999"/><w:numFmt w:val="lowerRoman"/>',
        id="a numeral as long as a book",
    ),
    pytest.param(
        "word/numbering.xml", '<w:start w:val="1"/>', '<w:start w:val="1"/><w:lvlRestart w:val="x"/>', id="no restart"
    ),
]
"""Found by fuzzing: a part, what stands in it, and what is put there."""


@pytest.mark.parametrize(("part", "was", "now"), DAMAGED)
def test_a_number_that_word_would_not_count_to_is_none_and_the_text_is_read(
    tmp_path: Path, part: str, was: str, now: str
) -> None:
    path = replaced(contract_docx(tmp_path / "a.docx"), part, was, now)
    found = read_document(path).text
    assert "The price stands in this table." in found
    assert len(found) < 1_000


@pytest.mark.parametrize(
    ("part", "was", "now"),
    [
        pytest.param("word/styles.xml", 'w:type="paragraph"', 'w:type="-1"', id="a style of no kind"),
        pytest.param("word/document.xml", "/wordprocessingml/2006/main", "/x", id="a document of another kind"),
    ],
)
def test_a_damaged_docx_is_refused_in_one_line(tmp_path: Path, part: str, was: str, now: str) -> None:
    path = replaced(contract_docx(tmp_path / "a.docx"), part, was, now)
    with pytest.raises(InputError, match=r"a\.docx: not a DOCX that can be read .*; save it again"):
        read_document(path)


def replaced(path: Path, part: str, was: str, now: str) -> Path:
    """A DOCX with something else at one place of one of its parts."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    assert was.encode() in parts[part]
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content.replace(was.encode(), now.encode(), 1) if name == part else content)
    return path
