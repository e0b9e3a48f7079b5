"""The pages and their JSON twins, from answers made by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from lawng.citation.extract import citations_of
from lawng.models.openai.embeddings import asked_elsewhere
from lawng.schema import Filters, Span
from lawng.search.answer import Answer
from lawng.web.links import search_url
from lawng.web.marks import Inline, Point, element, rendered
from lawng.web.opinion_view import read
from lawng.web.search_request import SearchRequest
from retrieval_support import sample_cases
from web_support import (
    BODY,
    HOSTILE,
    HandSearcher,
    answer,
    ask,
    get,
    hand_index,
    library,
    opinion,
)

SEARCH = "/search?q=a+landlord"
PAGES = (
    "/",
    SEARCH,
    SEARCH + "&explain=1",
    "/opinion/cl:1/0",
    "/opinion/cl:2/0",
    "/about",
    "/docs",
    "/search?q=",
    "/nowhere",
)
VOID = {"meta", "link", "input", "br", "img", "rect"}


class Page(HTMLParser):
    """A page as a browser sees it: elements, text, and whether tags are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            assert tag != "a" or "a" not in self._open, "a link in a link"
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def links(self, start: str = "") -> list[str]:
        found = [attributes.get("href") or "" for tag, attributes in self.elements if tag == "a"]
        return [href for href in found if href.startswith(start)]


@pytest.mark.parametrize("url", PAGES)
def test_pages_are_well_formed_with_each_id_once_and_every_field_labelled(url: str) -> None:
    page = Page(get(url).text)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    labelled = {attributes.get("for") for tag, attributes in page.elements if tag == "label"}
    fields = [a for tag, a in page.elements if tag in ("input", "textarea")]
    assert {a["id"] for a in fields if a.get("type") not in ("hidden", "checkbox")} <= labelled
    anchors = {href[1:] for href in page.links("#")}
    assert anchors <= set(ids)


@pytest.mark.parametrize("url", PAGES)
def test_nothing_of_an_opinion_or_a_query_becomes_markup(url: str) -> None:
    page = Page(get(url).text)
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    assert [bool(script.get("src")) for script in scripts] == [True]
    assert "img" not in {tag for tag, _ in page.elements}
    assert not any(name.startswith("on") or name == "style" for _, attributes in page.elements for name in attributes)


def test_a_hostile_argument_stands_as_text_everywhere() -> None:
    response = get(f"/search?q={HOSTILE.replace('=', '%3D')}")
    page = Page(response.text)
    assert response.status_code == 200
    assert page.text.count("onerror=") >= 3
    assert "img" not in {tag for tag, _ in page.elements}


def test_a_hit_shows_case_stance_passage_pages_and_later_courts() -> None:
    page = Page(get(SEARCH).text)
    for words in (
        "Doe v. Poe <b>",
        "1 U.S. 7 · Supreme Court · January 22, 1973 · cited by 1 case here",
        "Very probably supports (0.90), from a passage of its text (pages 7–8).",
        "Probably refutes (0.70), from a passage of its text (pages 7–8), of which the model read 50 %.",
        "The model read 25 % of the case.",
        "The tenant paid. …",
        "The whole passage and 1 other",
        "Doe v. Poe, 1 U.S. 7, 8 (1980, dissent (ROE, J.))",
        "citing it at 8",
        "1 named, 1 supporting, 1 refuting, 1 undecided, from 2 cases.",
        "Each case has the words “a deposit”.",
        "Not legal advice. Stance judged by the model rule, not by a person.",
    ):
        assert words in page.text, words


def test_a_hit_wears_a_badge_that_leads_to_the_sentence_or_says_among_how_many_none_was_found() -> None:
    page, json = Page(get(SEARCH).text), get("/api" + SEARCH).json()
    assert page.text.count("Treatment: Overruled by Roe v. Doe, 12 U.S. 3 (1999): “We overrule <script>") == 3
    assert "/opinion/cl:9/0?q=a+landlord&at=0-15#p-0" in page.links()
    none = "o negative treatment found among the 1,200 later cases in this index that cite it (7 mentions read)"
    assert page.text.count(f"N{none}.") == 1
    flagged = json["supporting"][0]["treatment"]
    assert (flagged["label"], flagged["flags"][0]["link"]) == ("overruled", "/opinion/cl:9/0?at=0-15#p-0")
    assert json["named"][0]["treatment"] == {
        "label": "",
        "words": "n" + none,
        "flags": [],
        "n_citing": 1200,
        "n_mentions": 7,
    }


def test_the_opinion_tells_history_and_treatment_and_only_counts_mentions() -> None:
    page, json = Page(get("/opinion/cl:2/0").text), get("/api/opinions/cl:2/0").json()
    start = BODY.index("We said so")
    link = f"/opinion/cl:1/0?at={start}-{BODY.index(' It is so ordered')}#p-{start}"
    by, said = "by Doe v. Poe, 1 U.S. 7 (1999)", "“We said so in 5 U.S. 7, and mean it.”"
    assert f"Treatment: Reversed in part {by}: {said} History and treatment" in page.text
    assert f"Questioned {by} dissent (ROE, J.), does not decide: {said}" in page.text
    assert f"Followed {by}: “<script>" in page.text
    assert f"Said to be overruled by 9 U.S. 9 in {by[3:]}: “He told it.”" in page.text
    assert "Only mentioned." not in page.text
    assert "3 later cases in this index cite it (7 mentions read)." in page.text
    assert page.links(link) == [link] * 5, "badge and list"
    assert "We said so in" in Page(get(link).text).text
    assert [(one["label"], one["decides"], one["link"]) for one in json["history"]] == [
        ("reversed", True, link),
        ("questioned", False, link),
        ("mentioned", True, link),
        ("mentioned", True, link),
    ]
    assert json["treatment"]["label"] == get("/api/cases/cl:2").json()["treatment"]["label"] == "reversed"


def test_an_opinion_of_a_case_to_which_nothing_was_done_says_among_how_many() -> None:
    page = Page(get("/opinion/cl:1/0").text)
    assert page.text.count("No negative treatment found among the 3 later cases in this index that cite it") == 2
    assert "good law" not in page.text


def test_answers_with_and_without_good_law_are_told_apart() -> None:
    searcher = HandSearcher()
    ask(library(searcher=searcher), SEARCH, SEARCH + "&good_law=1")
    assert sorted(searcher.good_law) == [False, True]


@pytest.mark.parametrize(("given", "asked"), [("&good_law=1", True), ("&good_law=0", False), ("", False)])
def test_good_law_alone_can_be_asked_for(given: str, asked: bool) -> None:
    searcher = HandSearcher()
    page = get(SEARCH + given, library(searcher=searcher)).text
    assert searcher.good_law == [asked]
    box = next(a for tag, a in Page(page).elements if tag == "input" and a.get("name") == "good_law")
    assert ("checked" in box) == asked


def test_named_cases_come_first_then_the_two_columns_then_the_undecided() -> None:
    order = re.findall(r'id="list-(\w+)"', get(SEARCH).text)
    assert order == ["named", "supporting", "refuting", "undecided"]


def test_without_a_model_there_is_one_list_and_no_stance() -> None:
    lib = library(searcher=HandSearcher(lambda q, f: answer(q, f, judged=False)), model=None)
    html = get(SEARCH, lib).text
    assert re.findall(r'id="list-(\w+)"', html) == ["unjudged"]
    assert "supports" not in Page(html).text.replace("which refute", "")
    assert "No model judged any stance." in Page(html).text


def test_nothing_found_is_told_from_a_filter_that_matches_nothing() -> None:
    nothing = library(searcher=HandSearcher(lambda q, f: answer_without(q, f, n_cases=7)))
    page = Page(get(SEARCH, nothing).text)
    assert "Nothing found among 7 cases." in page.text
    filtered = library(searcher=HandSearcher(lambda q, f: answer_without(q, f, n_cases=0)))
    page = Page(get(SEARCH + "&court=Nowhere", filtered).text)
    assert "No case of the index passes these filters." in page.text
    assert page.links("/search") == ["/search?q=a+landlord&court=Nowhere&explain=1", "/search?q=a+landlord"]


def test_words_that_no_passage_has_are_told_from_filters() -> None:
    quoted = library(searcher=HandSearcher(lambda q, f: replace(answer_without(q, f, 0), phrases=["of a kind"])))
    page = Page(get(SEARCH, quoted).text)
    assert "No passage has the quoted words." in page.text
    assert "or without the quotation marks" in page.text
    assert "filters" not in page.text.partition("No passage")[2].partition("quotation marks")[0]
    others = library(searcher=HandSearcher(lambda q, f: replace(answer(q, f), n_cases=0, phrases=["of a kind"])))
    page = Page(get(SEARCH, others).text)
    assert "1 supporting" in page.text, "another court's words have them"
    assert "0 cases" not in page.text
    assert "passes these filters" not in page.text


def test_no_page_says_where_an_encoder_lies() -> None:
    lies = library(searcher=HandSearcher(lambda q, f: replace(answer(q, f), encoder="/home/ada/models/tuned")))
    assert get("/api" + SEARCH, lies).json()["encoder"] == "tuned"
    assert "ada" not in get(SEARCH + "&explain=1", lies).text


def answer_without(argument: str, filters: Filters, n_cases: int) -> Answer:
    return Answer(argument, filters, stance_model="rule", n_cases=n_cases)


def test_explain_shows_each_score() -> None:
    plain, explained = Page(get(SEARCH).text), Page(get(SEARCH + "&explain=1").text)
    assert "dl" in {tag for tag, _ in explained.elements}
    for score in ("0.7500", "1.5000", "0.9000", "10 ms"):
        assert score in explained.text
        assert score not in plain.text


def test_json_has_what_the_page_has() -> None:
    page, json = Page(get(SEARCH).text), get("/api" + SEARCH).json()
    for name in ("named", "supporting", "refuting", "undecided"):
        for found in json[name]:
            assert found["case"]["name"] in page.text
            assert found["case"]["citations"][0] in page.text
            start, end = found["passages"][0]["quoted"]
            assert found["passages"][0]["passage"]["text"][start:end] in page.text
            assert f"({max(found['stance'][k] for k in ('entailment', 'neutral', 'contradiction')):.2f})" in page.text
    assert [json["stance_model"], json["notes"][0] in page.text] == ["rule", True]
    assert len(page.links("/opinion/cl:1/0?")) >= 4 * 3


def test_the_opinion_has_its_whole_text_with_pages_notes_and_links() -> None:
    page = Page(get("/opinion/cl:1/0").text)
    for paragraph in BODY.split("\n\n"):
        assert paragraph[:40] in page.text.replace("*7", "")
    ids = {attributes.get("id") for _, attributes in page.elements}
    assert {"page-7", "page-8", "fn-1", "fnref-1"} <= ids
    assert page.links("#fn") == ["#fn-1", "#fnref-1"]
    assert page.links("/case/") == ["/case/cl:2?page=8"]
    assert "/opinion/cl:1/1" in page.links()
    assert "(so it was) Doe v. Poe, 1 U.S. 7, 8 (1980" in page.text


def test_who_cites_a_case_is_linked_at_the_place() -> None:
    cited, start = Page(get("/opinion/cl:2/0").text), BODY.index("410 U.S. 113")
    assert f"/opinion/cl:1/0#c-{start}" in cited.links()
    assert f"c-{start}" in {attributes.get("id") for _, attributes in Page(get("/opinion/cl:1/0").text).elements}


def test_a_citation_with_a_pin_leads_to_its_page() -> None:
    assert get("/case/cl:2?page=8").headers["location"] == "/opinion/cl:2/0#page-8"
    assert get("/case/cl:2?page=99").headers["location"] == "/opinion/cl:2/0"
    assert get("/case/cl:1").headers["location"] == "/opinion/cl:1/0"


def test_links_of_hits_lead_to_the_passage_and_back() -> None:
    link = Page(get(SEARCH).text).links("/opinion/cl:1/0?")[0]
    html = get(link).text
    anchor = link.partition("#")[2]
    assert f'id="{anchor}"' in html
    marked = re.search(r'<mark class="passage">(.*?)</p>', html, re.S)
    assert marked
    assert "The tenant paid." in Page("<p><mark>" + marked[1] + "</p>").text
    assert "/search?q=a+landlord" in Page(html).links()


def test_a_passage_that_is_not_in_the_text_is_said_to_be_missing() -> None:
    assert "is not in the text" in get("/opinion/cl:1/0?at=5-99999#p-5").text
    assert "is not in the text" not in get("/opinion/cl:1/0?at=x").text


def test_every_character_of_an_opinion_is_shown_once_wherever_the_marks_are() -> None:
    source = opinion()
    plain = Page("".join(p.html for p in read(source).paragraphs)).text
    for start in range(0, len(BODY) - 20, 7):
        reading = read(
            source, hand_index().cites, hand_index().known, Span(start, start + 40), Span(start + 3, start + 9)
        )
        assert Page("".join(f"<p>{p.html}</p>" for p in reading.paragraphs)).text.replace(" ", "") == plain.replace(
            " ", ""
        )
        assert reading.found


def test_opinions_of_the_sample_are_shown_to_the_letter() -> None:
    aside = re.compile(r'<span[^>]*role="doc-pagebreak"[^>]*>[^<]*</span>|<sup>.*?</sup>|<[^>]+>')
    shown = 0
    for _, opinions in sample_cases():
        for one in opinions:
            linked = [replace(c, cited_case_id="cl:2") for c in citations_of(one.text, one.opinion_id)]
            reading = read(one, linked, hand_index().known, Span(len(one.text) // 3, len(one.text) // 2), Span(5, 9))
            pieces = [p.html for p in reading.paragraphs] + [html for note in reading.notes for html in note.paragraphs]
            assert unescape("".join(aside.sub("", piece) for piece in pieces)) == one.text.replace("\n", "")
            assert "".join(pieces).count('class="cite"') >= len(linked)
            shown += 1
    assert shown == 80


def test_search_addresses_go_round() -> None:
    filters = Filters(("us",), ("A & B", "C"), "1970", "1980-01", ("dissent",))
    asked = SearchRequest('say "a b" & c', filters, 7, True, True)
    searcher = HandSearcher()
    response = get(search_url(asked), library(searcher=searcher))
    assert response.status_code == 200
    assert searcher.asked == [('say "a b" & c', filters, 7)]
    page = Page(response.text)
    chosen = [a["value"] for tag, a in page.elements if tag == "input" and "checked" in a]
    assert chosen == ["us", "A & B", "C", "dissent", "1"]
    assert search_url(asked.explained(False)) in page.links()
    assert search_url(asked, "/api/search") in page.links()


def test_points_and_tags_that_cross_stay_well_formed() -> None:
    layers = [[Inline(2, 6, "mark")], [Inline(4, 9, "a", (("href", "/x"),))]]
    points = [Point(at, element("sup", (), str(at))) for at in (0, 2, 5, 6, 9, 10)]
    html = rendered("abcdefghij", Span(0, 10), layers, points)
    assert Page(html).text == "0ab2cde5f6ghi9j10"


@pytest.mark.parametrize(
    ("url", "status", "line"),
    [
        ("/search?q=", 422, "There is no argument"),
        ("/search", 422, "There is no argument"),
        ("/search?q=%20%0d%0a", 422, "There is no argument"),
        ("/search?q=...!?", 422, "There is no argument"),
        ("/search?q=" + "a" * 10_001, 413, "The argument has 10,001 characters, and 10,000 is the limit"),
        ("/search?q=" + "a" * 50_000, 413, "The argument has 50,000 characters"),
        ("/search?q=a&after=yesterday", 422, "'yesterday' is no date"),
        ("/search?q=a&after=1999&before=1990", 422, "leave no day"),
        ("/search?q=a&part=footnote", 422, "'footnote'"),
        ("/search?q=a&k=0", 422, "write a number from 1 to 50"),
        ("/search?q=a&k=many", 422, "write a number from 1 to 50"),
        ("/search?q=a" + "&court=x" * 3 + "".join(f"&court={n}" for n in range(300)), 422, "more than 200 filters"),
        ("/opinion/cl:9/0", 404, "no case of that name"),
        ("/opinion/cl:1/7", 404, "no opinion of that name"),
        ("/opinion/../../etc/passwd", 404, "no such page"),
        ("/opinion/..%2f..%2fetc%2fpasswd", 404, "no case of that name"),
        ("/opinion/%2e%2e/%2e%2e/etc/passwd", 404, ""),
        ("/static/..%2f..%2fapp.py", 404, "no such page"),
        ("/static/%2e%2e/app.py", 404, "no such page"),
        ("/static/%00", 404, ""),
        ("/opinion/" + "x" * 5000, 404, "no case of that name"),
        ("/opinion/cl:1%00/0", 404, "no case of that name"),
        ("/case/", 404, "no case of that name"),
        ("/redoc", 404, "no such page"),
    ],
)
def test_bad_input_gets_one_clear_line_in_the_same_design(url: str, status: int, line: str) -> None:
    response = get(url)
    assert (response.status_code, "root:" in response.text) == (status, False)
    page = Page(response.text)
    assert line in page.text
    assert page.links("/") != []
    assert "Traceback" not in page.text


def test_what_was_typed_is_there_to_be_mended() -> None:
    page = Page(get("/search?q=a+landlord&after=1973-13&court=A+Court&jurisdiction=us&good_law=1").text)
    assert "is no date" in page.text
    given = {a.get("name"): a.get("value") for tag, a in page.elements if tag == "input" and a.get("type") != "hidden"}
    assert given == {"after": "1973-13", "before": "", "court": "A Court", "jurisdiction": "us", "good_law": "1"}
    assert "a landlord" in page.text
    wrong = Page(get("/search?q=a+landlord&part=foo").text)
    [part] = [a for tag, a in wrong.elements if tag == "input" and a.get("name") == "part"]
    assert part["type"] == "checkbox", "it can be taken away"
    many = Page(get("/search?q=x&" + "&".join(f"court=C{n}" for n in range(300))).text)
    assert sum(a.get("name") == "court" for _, a in many.elements) <= 200, "what is sent again is not too much again"


def test_a_page_of_another_site_is_told_nothing() -> None:
    response = get(SEARCH, headers={"host": "evil.example"})
    assert response.status_code == 400
    assert response.headers["content-type"].startswith("text/plain")
    assert "model" not in response.text
    assert "<" not in response.text


def test_other_scripts_and_the_longest_argument_are_searched() -> None:
    searcher = HandSearcher()
    for argument in ("房东不得扣押押金。", "حق السكن", "a" * 10_000, "𝔞 𝕭"):
        assert get("/search", library(searcher=searcher), params={"q": argument}).status_code == 200
    assert [len(asked[0]) for asked in searcher.asked] == [9, 8, 10_000, 3]


def test_json_of_an_opinion_a_case_and_the_index() -> None:
    read_opinion, read_case, index, health = ask(
        library(), "/api/opinions/cl:1/0", "/api/cases/cl:1", "/api/index", "/healthz"
    )
    assert read_opinion.json()["opinion"]["text"] == opinion().text
    assert read_opinion.json()["citations"][0]["cited_case_id"] == "cl:2"
    assert [part["type"] for part in read_case.json()["parts"]] == ["majority", "dissent"]
    assert (index.json()["n_passages"], index.json()["stance_model"]) == (4, "rule")
    assert health.json() == {"status": "ok", "version": 1}


@pytest.mark.parametrize("url", ["/api/search?q=", "/api/opinions/x", "/api/cases/x", "/api/nothing"])
def test_json_refuses_in_json(url: str) -> None:
    response = get(url)
    assert response.status_code in (404, 422)
    assert set(response.json()) == {"title", "detail", "status"}
    assert response.json()["status"] == response.status_code


def test_openapi_describes_each_twin_with_examples() -> None:
    described = get("/openapi.json").json()
    assert set(described["paths"]) == {
        "/api/search",
        "/api/opinions/{opinion_id}",
        "/api/cases/{case_id}",
        "/api/index",
        "/healthz",
    }
    parameters = described["paths"]["/api/search"]["get"]["parameters"]
    assert {p["name"] for p in parameters} == {
        *("q", "jurisdiction", "court", "after", "before", "part", "good_law", "k", "explain")
    }
    assert all(p["schema"].get("description") or p.get("description") for p in parameters)
    assert "503" in described["paths"]["/api/search"]["get"]["responses"]


def test_a_hit_of_the_api_has_every_field_of_a_line_of_the_command_line() -> None:
    rows = answer("a landlord", Filters()).to_rows()
    found = get("/api/search?q=a+landlord").json()
    for row in json.loads(json.dumps(rows)):
        hit = found[row.pop("list")][row.pop("rank") - 1]
        assert fields_of(hit, like=row) == row


def fields_of(value: Any, like: Any) -> Any:
    """Of a JSON value the fields that another one has, in all depths."""
    if isinstance(like, dict):
        return {name: fields_of(value[name], like[name]) for name in like}
    if isinstance(like, list):
        return [fields_of(one, other) for one, other in zip(value, like, strict=True)]
    return value


def test_readers_are_told_that_a_language_model_gets_their_argument() -> None:
    lib = library(model="openai:gpt-4o-mini")
    reranked = library(model="openai:gpt-4o-mini", sent_to=asked_elsewhere("openai:gpt-4o-mini", "openai:o4"))
    assert "sends the argument, and to sort the cases the passages found, to gpt-4o-mini" in get("/about", lib).text
    assert "This server sends" not in get("/about").text
    for url in ("/", "/about", SEARCH):
        assert "What you type is sent to gpt-4o-mini" in get(url, lib).text
        assert "What you type is sent to gpt-4o-mini and o4" in get(url, reranked).text
        assert "What you type stays with this server" in get(url).text
