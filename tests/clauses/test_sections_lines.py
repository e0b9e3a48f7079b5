"""Lines and what they are: where a paragraph may begin, what is a heading, what is no clause, how long a clause is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.clauses.sections.cut import clauses_of, head_of, single_clause
from lawng.clauses.sections.lines import is_heading, is_titled, is_wrapped, lines_of, opens, run_in
from lawng.clauses.sections.regions import CONTENTS, SIGNATURES, TITLE, contents_of, signatures_of, titles_of
from lawng.schema import ContractText


def words(n: int, word: str = "goods") -> str:
    return " ".join([word] * n)


def sections(text: str) -> list[str]:
    return [clause.section for clause in clauses_of(ContractText(text), "a.txt").clauses]


@given(st.text(alphabet="ab \t\n\f", max_size=60))
def test_lines_are_what_is_not_blank_and_know_their_place(text: str) -> None:
    lines = lines_of(text)
    assert [line.text for line in lines] == [one.strip() for one in text.replace("\f", "\n").split("\n") if one.strip()]
    for line in lines:
        assert text[line.start : line.end] == line.text
        begin = max(text.rfind("\n", 0, line.start), text.rfind("\f", 0, line.start)) + 1
        assert text[begin : line.start] == text[line.start - line.indent : line.start]


@pytest.mark.parametrize(
    ("text", "after", "before"),
    [
        ("a\nb", [True, False], [False, True]),
        ("a\n\nb", [True, True], [True, True]),
        ("a\n \t\nb", [True, True], [True, True]),
        ("a\fb", [True, True], [False, True]),
        ("\na\n", [True], [True]),
    ],
)
def test_what_stands_around_a_line(text: str, after: list[bool], before: list[bool]) -> None:
    lines = lines_of(text)
    assert [line.after_blank for line in lines] == after
    assert [line.before_blank for line in lines] == before


@pytest.mark.parametrize(
    ("text", "wrapped", "why"),
    [
        ("the seller\nshall deliver\nat its works", True, "lines go on in small letters"),
        ("The seller.\nThe buyer.\nThe law.", False, "each line is a sentence"),
        ("the seller\n\nshall deliver\n\nat its works", False, "blank lines between"),
        ("The seller\nshall deliver.", False, "one line alone goes on"),
        (f"a{'x' * 150}\nb{'x' * 150}\nc{'x' * 150}", False, "long lines are paragraphs"),
        ("A\nB\nC\nD\nE\nf\nG", False, "one line of six"),
        ("A\nB\nC\nD\nE\nf", True, "one line of five"),
    ],
)
def test_whether_lines_are_broken(text: str, wrapped: bool, why: str) -> None:
    assert is_wrapped(lines_of(text)) is wrapped, why


WIDE = "the customer shall pay all that is due under this agreement"


@pytest.mark.parametrize(
    ("before", "wrapped", "expected", "why"),
    [
        (f"{WIDE} as in", True, False, "a reference goes on"),
        (f"{WIDE} as in Section", False, False, "also where lines are paragraphs"),
        (f"{WIDE} at least", True, False, "an amount goes on"),
        (f"{WIDE} and", True, True, "before the last item"),
        (f"{WIDE}.", True, True, "a sentence ended"),
        (f"{WIDE} today", True, False, "a full line goes on"),
        (f"{WIDE} today", False, True, "a paragraph ended"),
        ("short", True, True, "a short line ends a paragraph"),
    ],
)
def test_whether_a_line_may_begin_a_paragraph(before: str, wrapped: bool, expected: bool, why: str) -> None:
    lines = lines_of(f"{WIDE} for the goods\n{before}\n12.1 Cap")
    assert opens(lines, 2, wrapped) is expected, why
    assert opens(lines, 0, wrapped)
    assert opens(lines_of(f"{before}\n\n12.1 Cap"), 1, wrapped), "after a blank line always"


@pytest.mark.parametrize(
    ("text", "alone", "sure"),
    [
        ("LIMITATION OF LIABILITY", True, True),
        ("Limitation of Liability", True, True),
        ("Limitation of liability", False, True),
        ("LIMITS.", False, True),
        ("Limits:", False, True),
        ("The supplier shall deliver", False, False),
        (" ".join(["Cap"] * 9), True, True),
        (" ".join(["Cap"] * 10), False, True),
        (" ".join(["CAP"] * 14), True, True),
        (" ".join(["CAP"] * 15), False, False),
        ("and so on", False, True),
        ("it is so", False, False),
    ],
)
def test_what_is_a_heading(text: str, alone: bool, sure: bool) -> None:
    assert (is_heading(text), is_heading(text, sure=True)) == (alone, sure)


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Cap. At most $5.", "Cap"),
        ("Cap on Liability - At most $5.", "Cap on Liability"),
        ("Cap — At most $5.", "Cap"),
        ("CAP ON ALL THAT IS DUE. At most.", "CAP ON ALL THAT IS DUE"),
        ("Loss of data. None.", "Loss of data"),
        ("Acme Inc. Products. They are these.", "Acme Inc. Products"),
        ("cap. At most.", ""),
        ("Cap. at most.", ""),
        ("The buyer shall pay. At once.", ""),
        ("The Buyer Shall Pay. At once.", ""),
        ("THE BUYER SHALL PAY. At once.", "THE BUYER SHALL PAY"),
        ("ALL THAT THE BUYER SHALL PAY AT ONCE. So.", "ALL THAT THE BUYER SHALL PAY AT ONCE"),
        ("ALL THAT THE BUYER SHALL PAY AT ONCE NOW. So.", ""),
        ("One two three four five six seven. At once.", ""),
        (f"{words(11, 'Cap')}. At once.", ""),
        ("No full stop here", ""),
    ],
)
def test_a_heading_that_text_runs_in_after(text: str, heading: str) -> None:
    assert text[: run_in(text)] == heading


def test_small_words_need_no_capital() -> None:
    assert is_titled("Limits of and on the Cap")
    assert not is_titled("of the")
    assert not is_titled("Limits apply")


# --- what is no clause ------------------------------------------------------------------------------------------------

BODY = "1. Term\n\nA year.\n\n2. Fee\n\n$5."


@pytest.mark.parametrize(
    ("contents", "n_lines"),
    [
        pytest.param("1. Term .... 1\n2. Fee .... 2\n3. Law .... 3\n\n", 3, id="leaders"),
        pytest.param("1. Term\t1\n2. Fee\t2\n3. Law\tiv\n\n", 3, id="tabs"),
        pytest.param("INDEX\n1. Term 1\n2. Fee 2\n3. Law 3\n\n", 4, id="a title and pages"),
        pytest.param("INDEX\n" + f"1. {'Term ' * 12}1\n" * 3 + "\n", 4, id="entries of 14 words"),
        pytest.param("INDEX\n" + f"1. {'Term ' * 13}1\n" * 3 + "\n", 0, id="entries of 15 words"),
        pytest.param("CONTENTS\n\nPage\n\n1. Term ... 1\n2. Fee ... 2\n3. Law ... 3\n\n", 5, id="a line between"),
        pytest.param("1. Term ___ 1\n2. Fee .... 2\n\n", 0, id="two entries are no table"),
        pytest.param("1. Term 1\n2. Fee 2\n3. Law 3\n\n", 0, id="without a title pages alone are no table"),
        pytest.param("Basic\t500\nPro\t900\nTeam\t1200\n\n", 0, id="fees that no heading repeats"),
        pytest.param("Support\tx\nHosting\tx\nTraining\tx\n\n", 0, id="ticks"),
        pytest.param("Name: ......\nPlace: ......\nDate: ......\n\n", 0, id="blanks to fill in"),
    ],
)
def test_a_table_of_contents(contents: str, n_lines: int) -> None:
    region = contents_of(lines_of(contents + BODY))
    assert (region.n_lines if region else 0) == n_lines
    if region:
        assert region.kind == CONTENTS
        assert (contents + BODY)[region.end :].strip() == BODY


SIGNED = "By: ____\nName: A\nTitle: B"


@pytest.mark.parametrize(
    ("text", "n_lines", "why"),
    [
        (f"It is so.\n\n{SIGNED}", 3, "lines to sign on"),
        ("It is so.\n\nBy: ____", 0, "one alone may be a blank to fill in"),
        ("Notices go to:\n\nName: Acme Ltd\nAddress: 1 High Street", 0, "where notices go"),
        ("Date: 4 March 2024\nName: Acme Ltd\n\nIt is so.", 0, "a page of key terms"),
        ("It is so.\n\nBy: ____\nACME LTD\nBy: ____", 3, "names between"),
        (f"It is so.\n\nBy: ____\n{words(13)}\nBy: ____", 0, "a sentence between"),
        ("IN WITNESS WHEREOF, the parties\nhave signed this.", 2, "the witness clause, over lines"),
        (f"IN WITNESS WHEREOF, they signed.\n\n{SIGNED}\n\nEXHIBIT A\n\nPrices.", 4, "what follows is none of it"),
        (f"{SIGNED}\n\n1. Term. A year.\n\n{SIGNED}", 6, "two blocks"),
        (f"By: ____\n{'ACME LTD' + chr(10) * 1}" + "X\n" * 6 + "By: ____", 0, "too far apart"),
    ],
)
def test_signature_blocks(text: str, n_lines: int, why: str) -> None:
    found = signatures_of(lines_of(text))
    assert sum(region.n_lines for region in found) == n_lines, why
    assert {region.kind for region in found} <= {SIGNATURES}


@pytest.mark.parametrize(
    ("lines", "n", "why"),
    [
        (["SUPPLY AGREEMENT", "between", "Acme Inc.", "The parties agree as follows."], 3, "title and parties"),
        (["dated as of May 1", "It is so agreed by them."], 1, "a date"),
        (["RECITALS", "It is so agreed by them."], 0, "recitals open the text"),
        (["AGREEMENT", "WHEREAS:", "It is so."], 1, "and so does whereas"),
        (["SUPPLY AGREEMENT"], 0, "a title alone is shown"),
        (["The supplier delivers goods.", "TERM"], 0, "text at once"),
    ],
)
def test_the_title_of_a_contract(lines: list[str], n: int, why: str) -> None:
    text = "\n\n".join(lines)
    found = titles_of(lines_of(text), frozenset(), len(text))
    assert sum(region.n_lines for region in found) == n, why
    assert {region.kind for region in found} <= {TITLE}


# --- how long a clause is ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_words", "expected"), [(380, ["1"]), (400, ["1"]), (401, ["1", "1(a)", "1(b)"])], ids=["short", "most", "more"]
)
def test_a_section_is_cut_at_its_items_from_401_words_on(n_words: int, expected: list[str]) -> None:
    lead, items = "1. Cap. It is so, for:", "(a) first;\n\n(b) "
    rest = n_words - len(f"{lead} {items}".split())
    assert sections(f"{lead}\n\n{items}{words(rest)}") == expected


@pytest.mark.parametrize(("n_words", "n"), [(600, 1), (601, 2)])
def test_a_section_without_items_is_cut_between_paragraphs_from_601_words_on(n_words: int, n: int) -> None:
    paragraphs = [words(201, "Goods"), words(201, "Goods"), words(n_words - 402 - 3, "Goods")]
    text = "1. Cap. So.\n\n" + "\n\n".join(paragraphs)
    assert len(text.split()) == n_words
    assert len(sections(text)) == n


@pytest.mark.parametrize(("second", "n"), [(130, 1), (131, 2)])
def test_paragraphs_without_a_number_are_joined_up_to_250_words(second: int, n: int) -> None:
    assert len(sections(f"{words(120)}.\n\n{words(second)}.")) == n


@pytest.mark.parametrize(("n", "leads"), [(57, True), (58, False)])
def test_a_lead_in_of_more_than_60_words_is_no_heading(n: int, leads: bool) -> None:
    text = f"1. Cap. {words(n).capitalize()} is due for:\n\n(a) first;\n\n(b) {words(400)}"
    found = clauses_of(ContractText(text), "a.txt").clauses[1]
    assert found.section == "1(a)"
    assert found.headings == (["Cap", f"{words(n).capitalize()} is due for:"] if leads else ["Cap"])


def test_the_page_of_a_clause_is_where_it_begins() -> None:
    text = "1. Term. A year.\n\n2. Fee. $5."
    found = clauses_of(ContractText(text, page_starts=(0, text.index("2."))), "a.txt").clauses
    assert [clause.page for clause in found] == [1, 2]


def test_a_text_that_is_one_clause() -> None:
    found = single_clause(ContractText("  12.1 Cap. At most $5.\n\n(a) So.\n"), "a.txt")
    assert (found.section, found.heading, found.text) == ("12.1", "Cap", "12.1 Cap. At most $5.\n\n(a) So.")
    assert (found.start, found.end, found.clause_id) == (2, 32, "a.txt#2")
    assert single_clause(ContractText(" \n"), "a.txt").text == ""
    assert head_of("It is so. 1. Cap. At most $5.") == ("", "")
