"""Markup to text: every kind of mark that the sources have, and texts that are long, deep or broken."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawng.corpus.body import Body
from lawng.corpus.markup import parse, read_plain, read_text
from time_support import grows_at_most

IN_A_WORD = [
    '<p>not the inno<page-number citation-index="1" label="88">*88</page-number>cence or guilt</p>',
    '<p>not the inno<a id="p88" href="#p88" data-label="88" data-citation-index="1" class="page-label">*88</a>cence or '
    "guilt</p>",
    '<p>not the inno<span class="star-pagination">*88</span>cence or guilt</p>',
    '<p>not the inno<span class="star-pagination">*Page 88</span>cence or guilt</p>',
    '<?xml version="1.0" encoding="utf-8"?>\n<opinion type="majority"><p>not the inno<span citation-index="1"'
    ' class="star-pagination" label="88"> \n *88 \n </span>cence\n or guilt</p></opinion>',
]


@pytest.mark.parametrize("markup", IN_A_WORD)
def test_page_mark_inside_a_word(markup: str) -> None:
    body = read_text(markup)
    assert body.text == "not the innocence or guilt"
    assert [(mark.label, body.text[mark.start :]) for mark in body.marks] == [("88", "cence or guilt")]


def test_page_mark_between_words_and_at_a_paragraph_s_start() -> None:
    body = read_text(
        '<p>one <span class="star-pagination">*2</span> two</p><p><span class="star-pagination">*3</span> x</p>'
    )
    assert body.text == "one two\n\nx"
    assert [(mark.label, mark.start) for mark in body.marks] == [("2", 4), ("3", 9)]


def test_page_mark_after_all_text_marks_nothing() -> None:
    assert read_text('<p>Reversed. <span class="star-pagination">*Page 349</span> </p>').marks == []


def test_two_stars_are_another_series() -> None:
    markup = '<p><a class="page-label" data-label="5">*5</a>a <a class="page-label" data-label="9">**9</a>b</p>'
    assert [mark.series for mark in read_text(markup).marks] == ["", "2"]


def test_pages_of_a_database_stay_in_the_text() -> None:
    said = "Roe v. Doe, 2003 WL 1234567, at *3 (2003). Doe v. Roe, 2005 WL 7654321, at *4, *5 & *6 (2005)."
    body = read_plain(said)
    assert (body.text, body.marks) == (said, [])
    both = read_plain(said.replace("Doe v. Roe", "Doe *7 v. *8 Roe"))
    assert (both.text, [mark.label for mark in both.marks]) == (said, ["7", "8"])


def test_bare_marks_count_up() -> None:
    body = read_plain("The rule *12 of law, see 5 Cranch *137, is *13 plain.\n\nIt is so or*14dered.")
    assert body.text == "The rule of law, see 5 Cranch *137, is plain.\n\nIt is so ordered."
    assert [(mark.label, body.text[mark.start :][:5]) for mark in body.marks] == [
        ("12", "of la"),
        ("13", "plain"),
        ("14", "dered"),
    ]


def test_bare_star_in_marked_text_stays() -> None:
    markup = '<p>a <span class="star-pagination">*2</span> b, 3 Cranch *4, *5</p>'
    assert read_text(markup).text == "a b, 3 Cranch *4, *5"


NOTES = {
    "xml_harvard": '<opinion type="majority"><p>A rule<footnotemark>1</footnotemark> holds.</p><footnote label="1"><p>'
    "See B.</p></footnote></opinion>",
    "static.case.law": '<article class="opinion"><p>A rule<a class="footnotemark" href="#footnote_1_1">1</a> holds.</p>'
    '<aside data-label="1" class="footnote" id="footnote_1_1"><a href="#ref_footnote_1_1">1</a><p>See B.</p></aside>'
    "</article>",
    "html_with_citations": '<div><p>A rule<a class="footnote" href="#fn1" id="fn1_ref">1</a> holds.</p><div '
    'class="footnotes"><div class="footnote" id="fn1"><a class="footnote" href="#fn1_ref">1</a><p> See B.</p></div>'
    "</div></div>",
    "html_lawbox": "<div><p>A rule<sup>[1]</sup> holds.</p>\n<h2>NOTES</h2>\n<p>[1]   <i>See</i> B.</p></div>",
    "html_columbia": '<p>A rule<sup id="ref-fn1"><a href="#fn1">1</a></sup> holds.</p><p><footnote_body><sup id="fn1">'
    '<a href="#ref-fn1">1</a></sup> See B.</footnote_body></p>',
}


@pytest.mark.parametrize("form", NOTES)
def test_footnotes_of_every_form(form: str) -> None:
    body = read_text(NOTES[form])
    assert body.text == "A rule holds.\n\nSee B."
    assert body.text[: body.body_end] == "A rule holds."
    (note,) = body.footnotes
    assert (note.label, note.mark, body.text[note.start : note.end]) == ("1", 6, "See B.")


def test_footnotes_of_two_opinions_with_the_same_labels_keep_their_order() -> None:
    marks = "<p>a<sup>[1]</sup></p><p>b<sup>[1]</sup></p><h2>NOTES</h2><p>[1] first</p><p>more</p><p>[1] second</p>"
    body = read_text(f"<div>{marks}</div>")
    found = [(body.text[note.start : note.end], note.mark) for note in body.footnotes]
    assert found == [("first\n\nmore", 1), ("second", 4)]


def test_plain_text_paragraphs_and_preformatted_text() -> None:
    assert read_plain("One\n line.\n\n   Two.\n  - 7 -\n\fStill two.").text == "One line.\n\nTwo. Still two."
    inline = (
        '<pre class="inline">Cited as </pre><span class="citation">1 U.S. 1</span><pre class="inline">.\n\nNext</pre>'
    )
    assert read_text(inline).text == "Cited as 1 U.S. 1.\n\nNext"


def test_control_and_invisible_characters_go() -> None:
    assert read_text("<p>in\u00adno\x01cence\x00 \ufeff&#151; yes&nbsp;so</p>").text == "innocence — yes so"


def test_markup_that_does_not_close_is_mended() -> None:
    tree, mended = parse('<casebody><opinion type="majority"><p>It is <em>so</p><p>ordered')
    assert tree is not None
    assert mended
    assert read_text('<opinion type="majority"><p>It is <em>so</p><p>ordered').text == "It is so\n\nordered"


def test_text_outside_ascii_and_empty_text() -> None:
    assert read_text("<p>Chávez ” § 3</p>").text == "Chávez ” § 3"
    assert read_text("").text == ""
    assert read_text("<div></div>").text == ""


def test_five_megabytes_in_one_paragraph_take_linear_time() -> None:
    def read(pages: int) -> None:
        piece = "the court <i>held</i> that " * 100
        markup = "<p>" + "".join(f'{piece}<span class="star-pagination">*{n}</span> ' for n in range(pages)) + "x</p>"
        body = read_text(markup)
        assert len(body.marks) == pages
        assert len(body.paragraphs) == 1

    # the large one has 5 MB; nine times the text, a quadratic reader would take 81 times as long
    assert grows_at_most(27, read, 200, 1800)


def test_deeply_nested_markup_is_no_trouble() -> None:
    assert read_text("<div>" * 2000 + "deep" + "</div>" * 2000).text == "deep"


def test_markup_that_no_parser_can_read_is_empty_not_garbage() -> None:
    assert parse("<div>" * 9000 + "deep" + "</div>" * 9000) == (None, True)
    assert read_text("<div>" * 9000 + "deep" + "</div>" * 9000).text == ""


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["a b", " c", "d ", "\n", "<p>", "</p>", "<i>", "</i>", "<br>", "<b>x</b>", *IN_A_WORD[:4]])
    )
)
def test_paragraphs_tile_whatever_the_markup(pieces: list[str]) -> None:
    _tiles(read_text("<div>" + "".join(pieces) + "</div>"))


def _tiles(body: Body) -> None:
    assert "\n\n".join(body.text[p.start : p.end] for p in body.paragraphs) == body.text
    assert all(" ".join(part.split()) == part for part in body.text.split("\n\n"))
    assert all(0 <= mark.start < len(body.text) for mark in body.marks)


@pytest.mark.parametrize(
    "markup",
    [
        "{}<p>So held.</p>",
        '<p>So<span class="star-pagination">*8{}9</span> held.</p>',
        "<p>So{}held.</p>",
        '<?xml version="1.0"?>{}<casebody><opinion><p>So held.</p></opinion></casebody>',
    ],
)
@pytest.mark.parametrize("blank", [" ", "\n", "\u00a0", "] ", "*"])
def test_blanks_without_end_take_linear_time(markup: str, blank: str) -> None:
    assert grows_at_most(20, lambda n: read_text(markup.format(blank * n)), 20_000, 200_000)
