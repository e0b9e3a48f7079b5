"""What follows what, and what stands inside what: contracts drawn at random, whose cut is known, and the rules by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawng.clauses.sections.cut import clauses_of
from lawng.clauses.sections.lines import lines_of
from lawng.clauses.sections.numbers import DECIMAL, Reading, item_readings, marker_of
from lawng.clauses.sections.numerals import from_letters, from_roman, from_word, to_letters, to_roman, to_word
from lawng.clauses.sections.outline import follows
from lawng.clauses.sections.tree import sections_of
from lawng.schema import ContractText

WORDS = ("Term", "Fee", "Law", "Cap", "Notice", "Audit", "Waiver", "Loss")
SAID = "the supplier shall deliver the goods at its works"

Outline = list[tuple[str, str, list[str]]]
"""Section number, heading, headings around it."""


@st.composite
def contracts(draw: st.DrawFn) -> tuple[list[str], Outline]:
    """The lines of a contract whose sections are known: some have subsections, some items, some only a heading line."""
    lines: list[str] = []
    expected: Outline = []
    for n in range(1, draw(st.integers(2, 6)) + 1):
        heading = draw(st.sampled_from(WORDS))
        n_inner = draw(st.sampled_from([0, 0, 1, 2, 4]))
        if not n_inner:
            lines.append(f"{n}. {heading}. It is so, and {SAID}.")
            expected.append((str(n), heading, []))
            lines += [f"({'abc'[item]}) {SAID};" for item in range(draw(st.integers(0, 3)))]
            continue
        lines.append(f"{n}. {heading.upper()}")
        for inner in range(1, n_inner + 1):
            title = draw(st.sampled_from(WORDS))
            lines.append(f"{n}.{inner} {title}. It is so, and {SAID}.")
            expected.append((f"{n}.{inner}", title, [heading.upper()]))
            lines += [f"({'abc'[item]}) {SAID};" for item in range(draw(st.integers(0, 3)))]
    return lines, expected


def cut(text: str) -> Outline:
    return [(one.section, one.heading, one.headings) for one in clauses_of(ContractText(text), "a.txt").clauses]


def numbers(text: str) -> list[str]:
    """The numbers of all sections and items, in order."""

    def inside(node: object) -> list[str]:
        return [found for child in node.children for found in (child.number, *inside(child))]  # type: ignore[attr-defined]

    return inside(sections_of(ContractText(text)).root)


@given(contracts())
def test_sections_are_found_with_their_headings_and_those_around_them(drawn: tuple[list[str], Outline]) -> None:
    lines, expected = drawn
    assert cut("\n\n".join(lines)) == expected


@given(contracts(), st.data())
def test_blanks_around_lines_are_nothing(drawn: tuple[list[str], Outline], data: st.DataObject) -> None:
    lines, expected = drawn
    blanks = st.text(" \t", max_size=6)
    breaks = st.sampled_from(["\n\n", "\n\n\n", "\n \t\n", "\f", "\n\n\f\n"])
    text = "".join(data.draw(blanks) + line + data.draw(blanks) + data.draw(breaks) for line in lines)
    assert cut(text) == expected
    assert numbers(text) == numbers("\n\n".join(lines))


@given(contracts(), st.integers(0, 4))
def test_a_section_that_is_missing_does_not_lose_those_after_it(drawn: tuple[list[str], Outline], at: int) -> None:
    lines, expected = drawn
    at = min(at, len(expected) - 2)
    number = expected[at][0]
    head = next(n for n, line in enumerate(lines) if line.startswith((f"{number} ", f"{number}. ")))
    items = next((n for n in range(head + 1, len(lines)) if not lines[n].startswith("(")), len(lines))
    left = cut("\n\n".join(lines[:head] + lines[items:]))
    is_last_inside = not any(one[0].startswith(f"{number.split('.')[0]}.") for one in expected if one[0] != number)
    if "." in number and is_last_inside:
        return  # a heading without anything in it is a clause or a title
    if number == "1":
        return  # the first number is what the list begins with
    assert left == [one for one in expected if one[0] != number]


@pytest.mark.parametrize(
    ("last", "new", "gap", "expected", "why"),
    [
        ((12, 1), (12, 2), 1, True, "the next one"),
        ((12, 1), (12, 1), 3, False, "the same again"),
        ((12, 2), (12, 1), 3, False, "one before"),
        ((12, 1), (12, 4), 3, True, "two are missing"),
        ((12, 1), (12, 5), 3, False, "three are missing"),
        ((12, 1), (12, 3), 1, False, "none may be missing"),
        ((12,), (12, 1), 1, True, "its first inside"),
        ((12,), (12, 2), 1, True, "its second inside, where the first is missing"),
        ((12,), (12, 3), 3, False, "its third inside"),
        ((12,), (12, 1, 1), 3, True, "its first inside, two levels down"),
        ((12,), (12, 1, 2), 3, False, "a second two levels down"),
        ((12, 1), (13,), 3, True, "the next one further out"),
        ((12, 1), (13, 1), 3, True, "the first of the next one further out"),
        ((12, 1), (13, 0), 3, True, "also where it counts from 0"),
        ((12, 1), (13, 2), 3, False, "the second of the next one"),
        ((12, 1), (16,), 3, False, "too far out"),
        ((12, 1), (12,), 3, False, "what it stands in"),
        ((9,), (9.01,), 3, True, "9A"),
    ],
)
def test_what_follows_a_number(
    last: tuple[float, ...], new: tuple[float, ...], gap: int, expected: bool, why: str
) -> None:
    assert follows(last, new, gap) is expected, why


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ["1. Term. So.", "2. FEE", "2.2 Rate. $5.", "2.3 Tax. None."], ["1", "2", "2.2", "2.3"], id="no 2.1"
        ),
        pytest.param(["1. Term. So.", "2. FEE", "2.3 Rate. $5.", "3. Law. Ours."], ["1", "2", "3"], id="2.3 is far"),
        pytest.param(["1. A. So.", "4. B. So.", "8. C. So."], ["1", "4"], id="a gap of three and of four"),
        pytest.param(
            ["1. A. So.", "(a) x;", "(i) y;", "(ii) z;", "(b) w.", "2. B. So."],
            ["1", "1(a)", "1(a)(i)", "1(a)(ii)", "1(b)", "2"],
            id="items in items",
        ),
        pytest.param(
            ["1. A. So.", *(f"({letter}) {letter};" for letter in "abcdefghij"), "(i) y;", "(ii) z;", "(k) w."],
            ["1", *(f"1({letter})" for letter in "abcdefghij"), "1(j)(i)", "1(j)(ii)", "1(k)"],
            id="an (i) that is a letter before one that is a numeral",
        ),
        pytest.param(["ARTICLE I Terms", "7.1 B. So.", "7.2 C. So."], ["Article I", "7.1", "7.2"], id="from 7.1 on"),
        pytest.param(["ARTICLE I Terms", "1.1 A. So.", "7.1 B. So."], ["Article I", "1.1"], id="7.1 behind 1.1"),
        pytest.param(
            ["ARTICLE I Terms", "1.1 A. So.", "(a) x;", "7.1 B. So."],
            ["Article I", "1.1", "1.1(a)"],
            id="7.1 behind an item",
        ),
        pytest.param(
            ["ARTICLE IV TERM", "i. It begins;", "ii. It ends.", "ARTICLE V FEE"],
            ["Article IV", "Article IV.i", "Article IV.ii", "Article V"],
            id="items of an article",
        ),
        pytest.param(
            ["1. A. So.", "(A) x;", "(1) y;", "(2) z;", "(B) w."],
            ["1", "1(A)", "1(A)(1)", "1(A)(2)", "1(B)"],
            id="capitals and digits",
        ),
        pytest.param(
            ["1. A. So.", "a. X;", "b. Y;", "2. B. So."], ["1", "1.a", "1.b", "2"], id="letters with a full stop"
        ),
        pytest.param(
            ["PART A RULES", "ARTICLE I TERM", "1.1 Now. So.", "ARTICLE II FEE", "2.1 Due. So."],
            ["Part A", "Part A, Article I", "1.1", "Part A, Article II", "2.1"],
            id="parts around articles",
        ),
        pytest.param(
            ["1. Term. So.", "EXHIBIT A", "1. Price. So.", "1.1 Net. So.", "EXHIBIT B", "1. Place. So."],
            ["1", "Exhibit A", "Exhibit A, 1", "Exhibit A, 1.1", "Exhibit B", "Exhibit B, 1"],
            id="exhibits count anew",
        ),
        pytest.param(
            ["12.1(a) Cap. So.", "12.1(b) Loss. So.", "12.2(a) Law. So."],
            ["12.1(a)", "12.1(b)", "12.2(a)"],
            id="numbers in full",
        ),
        pytest.param(
            ["ARTICLE I TERM", "Section 1. Now. So.", "(a) x;", "ARTICLE II FEE", "Section 2. Due. So."],
            ["Article I", "Article I, Section 1", "Article I, Section 1(a)", "Article II", "Article II, Section 2"],
            id="sections count on over articles",
        ),
        pytest.param(
            [f"PART {letter} {name}" for letter, name in zip("ABCD", ("TERM", "FEE", "LAW", "CAP"), strict=True)],
            ["Part A", "Part B", "Part C", "Part D"],
            id="C is the third part, and no hundredth",
        ),
        pytest.param(
            ["PART I TERM", "PART II FEE", "PART III LAW"], ["Part I", "Part II", "Part III"], id="roman parts"
        ),
        pytest.param(
            ["12. FEE", "12.1(a) A. So.", "12.1(b) B. So.", "12.2(a) C. So.", "13. D. So."],
            ["12", "12.1(a)", "12.1(b)", "12.2(a)", "13"],
            id="numbers in full, of which only the first level stands alone",
        ),
        pytest.param(["1. A. So.", "12.1(a) B. So."], ["1"], id="a number in full of another section is a reference"),
        pytest.param(["13. A. So.", "12.1(a) B. So."], ["13"], id="also of one before"),
        pytest.param(["ARTICLE II FEE", "2.2 A. So."], ["Article II", "2.2"], id="no 2.1 in an article"),
        pytest.param(
            ["1. FEE", "2. LAW", "3. CAP", "So:", "1. A. So.", "2. B. So.", "3. C. So.", "4. TERM", "So."],
            ["1", "2", "3", "3.1", "3.2", "3.3", "4"],
            id="of two lists that go on the one that looks alike",
        ),
        *(
            pytest.param(
                ["1. A. So.", "2. B. So.", "3. C. So.", around, "1. D. So.", "2. E. So."],
                ["1", "2", "3", name, f"{name}, 1", f"{name}, 2"],
                id=f"sections count anew in the first {name}, whatever stands before it",
            )
            for around, name in (("ARTICLE I TERM", "Article I"), ("PART A RULES", "Part A"))
        ),
        pytest.param(["ARTICLE I TERM", "2. B. So."], ["Article I"], id="an article's first section is no second one"),
        pytest.param(
            ["1. A. So.", "EXHIBIT A", "2.1 B. So.", "2.2 C. So."],
            ["1", "Exhibit A", "Exhibit A, 2.1", "Exhibit A, 2.2"],
            id="the first section in full, where the one around it is not seen",
        ),
        pytest.param(["1. A. So.", "EXHIBIT A", "1.5 B. So."], ["1", "Exhibit A"], id="but not the fifth"),
        pytest.param(
            ["7. A. So.", "1. B. So.", "2. C. So."], ["7", "1", "2"], id="an excerpt's one section, then other terms"
        ),
        pytest.param(
            ["1. A. So.", *(f"({c}) x;" for c in "abcdefgh"), "(i) y;", "(ii) z;", "(i) v;", "(j) w."],
            ["1", *(f"1({c})" for c in "abcdefgh"), "1(h)(i)", "1(h)(ii)", "1(i)", "1(j)"],
            id="(i) after (h) is what comes next: (ii) or (j)",
        ),
        pytest.param(
            ["1. A. So.", *(f"({c}) x;" for c in "abcdefghi")],
            ["1", *(f"1({c})" for c in "abcdefghi")],
            id="the last (i) goes on with the letters",
        ),
        pytest.param(
            ["1. A. So.", "ARTICLE V FEE", "2. B. So."], ["1", "2"], id="an article far from the first is none"
        ),
    ],
)
def test_numbers_of_what_stands_in_what(lines: list[str], expected: list[str]) -> None:
    assert numbers("\n\n".join(lines)) == expected


@pytest.mark.parametrize(
    ("line", "label", "keyword", "value", "under"),
    [
        ("12.1 Cap. So.", "12.1", "", (12, 1), ()),
        ("9A. Fee. So.", "9A", "", (9.01,), ()),
        ("9B. Fee. So.", "9B", "", (9.02,), ()),
        ("Exhibit B1 Prices", "B1", "exhibit", (0,), ()),
        ("Exhibit B Prices of goods", "B", "exhibit", (0,), ()),
        ("Section 4.02. Fee. So.", "4.02", "section", (4, 2), ()),
        ("§ 7 Fee", "7", "section", (7,), ()),
        ("ARTICLE XIV", "XIV", "article", (14,), ()),
        ("Article Twelve", "Twelve", "article", (12,), ()),
        ("PART B", "B", "part", (2,), ()),
        ("Exhibit B-1", "B-1", "exhibit", (0,), ()),
        ("Schedule 2: Prices", "2", "schedule", (2,), ()),
        ("12.1(c) Cap. So.", "12.1(c)", "", (3,), (12, 1)),
        ("Section 3(b) Cap. So.", "3(b)", "section", (2,), (3,)),
        ("ARTICLE 3(b) Cap. So.", "3", "article", (3,), ()),
        ("Section 4 Fee. It is due, as agreed.", "4", "section", (4,), ()),
        ("(iv) the rest", "(iv)", "", (4,), ()),
        ("(12) the rest", "(12)", "", (12,), ()),
        ("b. Letters", "b", "", (2,), ()),
        ("3) The rest", "3", "", (3,), ()),
    ],
)
def test_a_number_as_it_is_written(
    line: str, label: str, keyword: str, value: tuple[float, ...], under: tuple[float, ...]
) -> None:
    found = marker_of(lines_of(line)[0])
    assert found is not None
    assert (found.label, found.keyword, found.readings[0].value, found.under) == (label, keyword, value, under)


@pytest.mark.parametrize(
    ("line", "style"),
    [("3) The rest", "1)"), ("3. The rest", DECIMAL), ("3.1) The rest", DECIMAL), ("3 The Rest", DECIMAL)],
)
def test_of_which_list_a_plain_number_is(line: str, style: str) -> None:
    found = marker_of(lines_of(line)[0])
    assert found is not None
    assert found.readings[0].style == style


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("i", [Reading("(a)", (9.0,)), Reading("(i)", (1.0,))]),
        ("IV", [Reading("(I)", (4.0,))]),
        ("c", [Reading("(a)", (3.0,)), Reading("(i)", (100.0,))]),
        ("bb", [Reading("(a)", (28.0,))]),
        ("B", [Reading("(A)", (2.0,))]),
        ("7", [Reading("(1)", (7.0,))]),
        ("iI", []),
        ("ab", []),
    ],
)
def test_an_item_in_every_reading(inner: str, expected: list[Reading]) -> None:
    assert list(item_readings(inner, "(*)")) == expected


@given(st.integers(1, 399))
def test_numerals_there_and_back(number: int) -> None:
    assert from_roman(to_roman(number)) == number
    assert from_letters(to_letters(number)) == number
    if number <= 20:
        assert from_word(to_word(number)) == number
    else:
        assert (to_word(number), from_word(to_word(number))) == (str(number), None)
    assert to_word(number, ordinal=True) == str(number) or from_word(to_word(number, ordinal=True)) == number <= 12
