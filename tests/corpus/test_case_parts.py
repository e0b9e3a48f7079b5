"""Parts of a combined text, and the pages of pins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lawng.corpus.body import Part, RawMark, Source
from lawng.corpus.cites import read_cites
from lawng.corpus.courtlistener import RawOpinion, _piece, cluster_case, read_cluster
from lawng.corpus.markup import read_text
from lawng.corpus.pages import page_at, page_span, resolve_pages
from lawng.corpus.records import Item
from lawng.schema import Footnote, Opinion, PageMark, Reject, Span

HEAD = (
    "<div><center><b>340 U.S. 10 (1950)</b></center><center><h1>DOE<br>v.<br>ROE.</h1></center><center>No. 7.</center>"
)
COURT = (
    '<p><span class="star-pagination">*12</span> MR. JUSTICE DOE delivered the opinion of the Court.</p>'
    '<p>The rule<sup>[1]</sup> is plain. <span class="star-pagination">*13</span> It holds.</p>'
)
DISSENT = (
    "<p>MR. JUSTICE ROE, with whom MR. JUSTICE POE joins, dissenting.</p>"
    '<p>I would <span class="star-pagination">*14</span> not.<sup>[1]</sup></p>'
)
NOTES = "<h2>NOTES</h2><p>[1] See A.</p><p>[1] See B.</p></div>"


def cluster(*opinions: tuple[str, str], cites: tuple[str, ...] = ("340 U.S. 10", "71 S. Ct. 5")) -> list[Item]:
    """The records of a made-up cluster."""
    raw = [RawOpinion(f"cl:7/{n}", code, "", "html", text) for n, (code, text) in enumerate(opinions)]
    return list(read_cluster(cluster_case({"id": 7, "case_name": "Doe v. Roe"}, cites, "scotus", "x"), raw))


def found(items: list[Item]) -> list[Opinion]:
    return [item for item in items if isinstance(item, Opinion)]


def test_opinions_in_a_text_that_are_never_closed_are_read_once() -> None:
    opened = '<opinion type="dissent"><p>I would not.'
    assert [opinion.text.count("not") for opinion in found(cluster(("010combined", opened * 100)))] == [100]


def test_combined_text_is_cut_at_the_author_s_line() -> None:
    court, dissent = found(cluster(("010combined", HEAD + COURT + DISSENT + NOTES)))
    assert court.text == "MR. JUSTICE DOE delivered the opinion of the Court.\n\nThe rule is plain. It holds.\n\nSee A."
    assert (court.type, dissent.type, dissent.author) == ("majority", "dissent", "Roe")
    assert dissent.text.endswith("I would not.\n\nSee B.")
    assert [(mark.label, mark.start) for mark in court.pages] == [("12", 0), ("13", court.text.index("It"))]
    assert [mark.label for mark in dissent.pages] == ["13", "14"]
    (note,) = dissent.footnotes
    assert (note.mark, dissent.text[note.start : note.end]) == (dissent.body_end, "See B.")


@pytest.mark.parametrize(
    ("line", "kind", "author"),
    [
        ("MR. JUSTICE STONE, concurring.", "concurrence", "Stone"),
        ("JUSTICE STEVENS, concurring in part and dissenting in part.", "concurrence-in-part", "Stevens"),
        ("METZNER, District Judge (dissenting):", "dissent", "Metzner"),
        ("SMITH, J., specially concurring.", "concurrence", "Smith"),
        ("MR. JUSTICE FIELD, with whom concurred MR. JUSTICE CLIFFORD, dissenting.", "dissent", "Field"),
    ],
)
def test_author_lines(line: str, kind: str, author: str) -> None:
    parts = found(cluster(("010combined", f"<div>{COURT}<p>{line}</p><p>And so on.</p></div>")))
    assert [(part.type, part.author) for part in parts[1:]] == [(kind, author)]


@pytest.mark.parametrize(
    "line",
    [
        "MR. JUSTICE McREYNOLDS and MR. JUSTICE SUTHERLAND dissent.",
        "MR. JUSTICE BLACK concurs in the result.",
        "Mr. Justice Field, in a dissenting opinion, said of the same clause: it is void.",
        "MR. JUSTICE BRADLEY, dissented. Their dissenting opinion will be found post, page 316.",
    ],
)
def test_votes_and_quotations_are_no_parts(line: str) -> None:
    (opinion,) = found(cluster(("010combined", f"<div>{COURT}<p>{line}</p></div>")))
    assert opinion.type == "majority"


def test_text_that_holds_a_dissent_but_cannot_be_cut_is_combined() -> None:
    (opinion,) = found(
        cluster(("010combined", "<p>The rule is plain.</p><p>DISSENTING OPINION</p><p>I would not.</p>"))
    )
    assert opinion.type == "combined"


def test_combined_text_beside_its_parts_counts_once() -> None:
    lead = '<opinion type="majority"><p>The rule <page-number label="13">*13</page-number>is plain.</p></opinion>'
    items = cluster(
        ("010combined", HEAD + COURT + DISSENT + NOTES), ("020lead", lead), ("040dissent", "<p>I would not.</p>")
    )
    assert [opinion.type for opinion in found(items)] == ["majority", "dissent"]
    assert [item.reason for item in items if isinstance(item, Reject)] == ["duplicate-text"]


def test_combined_text_is_taken_where_only_it_has_the_pages() -> None:
    items = cluster(
        ("010combined", HEAD + COURT + DISSENT + NOTES),
        ("020lead", "<p>The rule is plain. It holds.</p>"),
        ("040dissent", "<p>I would not.</p>"),
    )
    assert [(opinion.type, bool(opinion.pages)) for opinion in found(items)] == [("majority", True), ("dissent", True)]
    assert [item.id for item in items if isinstance(item, Reject)] == ["cl:7/1", "cl:7/2"]


def test_combined_text_without_any_opinion_of_the_court_beside_it() -> None:
    alone = cluster(("010combined", HEAD + COURT), ("040dissent", "<p>I would not.</p>"))
    assert [opinion.type for opinion in found(alone)] == ["majority", "dissent"]
    both = cluster(("010combined", HEAD + COURT + DISSENT), ("040dissent", "<p>I would not.</p>"))
    assert [opinion.type for opinion in found(both)] == ["majority", "dissent"]
    assert [item.id for item in both if isinstance(item, Reject)] == ["cl:7/1"]
    empty = cluster(("010combined", HEAD + COURT), ("020lead", "<p> </p>"))
    assert [opinion.type for opinion in found(empty)] == ["majority"]


def test_several_opinion_elements_in_one_text() -> None:
    markup = '<opinion type="majority"><p>So.</p></opinion><opinion type="dissent"><author>Roe, J.</author><p>No.</p></opinion>'
    parts = found(cluster(("010combined", f"<div>{markup}</div>")))
    assert [(part.type, part.author) for part in parts] == [("majority", ""), ("dissent", "Roe")]


PAGES = [PageMark("U.S.", str(n), n, start) for n, start in ((120, 0), (121, 10), (122, 20))]


def opinion(pages: list[PageMark], length: int = 30, body_end: int = 28) -> Opinion:
    """A made-up opinion of nothing but letters."""
    return Opinion("c/0", "c", "majority", "", "x" * length, body_end, pages, [Span(0, length)], [], "")


@pytest.mark.parametrize(
    ("pages", "span"),
    [
        ([120], Span(0, 10)),
        ([121, 122], Span(10, 28)),
        ([122], Span(20, 28)),
        ([120, 122], Span(0, 28)),
        ([119], None),
        ([121, 123], None),
        ([], None),
    ],
)
def test_span_of_pages(pages: list[int], span: Span | None) -> None:
    assert page_span(opinion(PAGES), "U.S.", pages) == span
    assert page_span(opinion(PAGES), "S. Ct.", pages) is None


def test_page_that_is_marked_twice_is_not_taken() -> None:
    twice = [*PAGES, PageMark("U.S.", "121", 121, 25)]
    assert page_span(opinion(twice), "U.S.", [121]) is None
    assert page_span(opinion(twice), "U.S.", [120]) == Span(0, 10)


def test_marks_without_reporter_count_when_there_are_no_others() -> None:
    bare = [PageMark("", mark.label, mark.number, mark.start) for mark in PAGES]
    assert page_span(opinion(bare), "U.S.", [121]) == Span(10, 20)
    assert page_span(opinion([*bare[:2], PAGES[2]]), "S. Ct.", [121]) is None


def test_early_reports_have_the_pages_of_the_u_s_reports() -> None:
    assert page_span(opinion(PAGES), "Wheat.", [121]) == Span(10, 20)
    assert page_span(opinion(PAGES), "Ala.", [121]) is None


def test_page_of_an_offset() -> None:
    assert [page_at(opinion(PAGES), offset) for offset in (0, 9, 10, 27)] == ["120", "120", "121", "122"]
    assert page_at(opinion(PAGES[1:]), 3) == ""
    assert page_at(opinion([]), 3) == ""
    assert page_at(opinion(PAGES), 12, "S. Ct.") == ""


def test_page_of_an_offset_in_a_note_that_runs_over() -> None:
    for printed, asked in (("", "WL"), ("Wall.", "U.S."), ("U.S.", "U.S.")):
        pages = [PageMark(printed, "6", 6, 0), PageMark(printed, "7", 7, 24)]
        one = replace(opinion(pages, body_end=20), footnotes=[Footnote("1", 5, 20, 30)])
        assert [page_at(one, offset, asked) for offset in (4, 21, 27)] == ["6", "6", "7"]


def test_notes_without_a_mark_go_with_the_first_part_though_its_caption_is_cut() -> None:
    body = read_text("<p>ROE v. DOE</p><p>It is so.</p><p>I dissent.</p>")
    body.footnotes = [Footnote("1", None, len(body.text), len(body.text) + 7)]
    body.text += "See A. "
    part = Part("combined", "", body, "", "x")
    first, second = (_piece(part, "majority", "", bounds, number) for number, bounds in enumerate([(1, 2), (2, 3)]))
    assert [len(one.body.footnotes) for one in (first, second)] == [1, 0]
    assert first.body.text.startswith("It is so.")
    assert first.body.text.endswith("See A. ")


def marked(*labels: str) -> Part:
    """A part with pages, one word on each."""
    text = " ".join(f'<page-number label="{label}">*</page-number>word' for label in labels)
    return Part("majority", "", read_text(f"<p>first {text}</p>"), "", "")


def reporters(cites: tuple[str, ...], *parts: Part, source: Source | None = None) -> list[list[tuple[str, str]]]:
    found = resolve_pages(parts, source or Source(), read_cites(cites))
    return [[(mark.reporter, mark.label) for mark in marks] for marks in found]


def test_reporter_by_the_numbers() -> None:
    assert reporters(("410 U.S. 113", "93 S. Ct. 705"), marked("152", "153"))[0] == [
        ("U.S.", "151"),
        ("U.S.", "152"),
        ("U.S.", "153"),
    ]
    assert {reporter for reporter, _ in reporters(("207 Va. 707", "152 S.E.2d 278"), marked("279", "280"))[0]} == {
        "S.E.2d"
    }
    assert {reporter for reporter, _ in reporters(("132 N.C. 214",), marked("152", "153"))[0]} == {""}


def test_pages_carry_over_from_part_to_part_where_the_case_is_whole() -> None:
    bare = Part("dissent", "", read_text("<p>short</p>"), "", "")
    head = Source([RawMark("2", "", 0)], continuous=True, first_page=1, last_page=9)
    assert reporters(("5 Alaska 1",), marked("3"), bare, source=head) == [
        [("Alaska", "2"), ("Alaska", "3")],
        [("Alaska", "3")],
    ]
    assert reporters(("5 Alaska 1",), marked("3"), bare)[1] == []


def test_number_beyond_the_last_page_is_of_another_reporter() -> None:
    whole = Source([], continuous=True, first_page=206, last_page=206)
    assert {reporter for reporter, _ in reporters(("100 A.3d 206",), marked("352"), source=whole)[0]} == {""}
