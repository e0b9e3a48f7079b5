"""The pages in a real browser, over an index of the bundled sample and over a hostile one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import lawng
import records_support
from browser_support import headless, page_of
from lawng.index.reader import Index
from lawng.index.writer import index_corpus
from lawng.models.find import JUDGE
from lawng.models.pairs import stance_model
from lawng.models.rerank import search_reranker
from lawng.search.searcher import Searcher
from lawng.web.index_service import IndexService, WebSettings
from retrieval_support import sample_corpus, write_corpus
from search_support import ENCODER, RuleModel, by_hash
from web_support import HOSTILE, library, serving

ARGUMENT = "An employer's shifting explanations let a jury infer that the reason for a dismissal is a pretext."
TIP = "An anonymous tip can create reasonable suspicion even though it predicts nothing."
SIDES = [("supporting", "United States v. Quillfeather"), ("refuting", "Harlow v. Denmead")]
OVERRULING = "We took leave to hear it. We overrule Smith v. Jones, 1 U.S. 1. Reversed."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NARROW = {"viewport": {"width": 320, "height": 640}}

pytestmark = pytest.mark.slow("drives a browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def sample(sample_place: Path) -> Iterator[str]:
    """A server on the sample's index, with a stance model that follows a rule."""
    index, model = Index.open(sample_place, ENCODER), RuleModel(by_hash)
    with serving(IndexService(index, lambda newest: Searcher(newest, model), WebSettings(), model.name)) as url:
        yield url


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on the sample's index with the models that come with lawng, as a fresh install has it."""
    place = tmp_path_factory.mktemp("judged")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LAWNG_MODELS", raising=False)
        patch.setenv("LAWNG_STANCE_MODEL", str(place / "none"))
        lawng.build_index(sample_corpus(), place / "index").close()
        index, judge, reranker = Index.open(place / "index"), stance_model(None), search_reranker(None)
        assert judge
        searches = IndexService(
            index, lambda newest: Searcher(newest, judge, reranker=reranker), WebSettings(), judge.name
        )
        with serving(searches) as url:
            yield url


@pytest.fixture(scope="module")
def treated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on a case and a later one that overrules it, though its dissent does not."""
    folder, texts = tmp_path_factory.mktemp("treated"), ("A landlord may keep a deposit.", OVERRULING)
    made = [
        records_support.case(f"cl:{n}", name=name, date=date, citations=[records_support.reporter_cite(f"{n} U.S. 1")])
        for n, name, date in ((1, "Smith v. Jones", "1950"), (2, "Roe v. Doe", "1990"))
    ]
    opinions = [[records_support.opinion(one.case_id, [text])] for one, text in zip(made, texts, strict=True)]
    words = ["I dissent: Smith v. Jones, 1 U.S. 1, is right."]
    opinions[1].append(records_support.opinion("cl:2", words, opinion_id="cl:2/1", type="dissent", author="POE, J."))
    index_corpus(write_corpus(folder / "corpus", zip(made, opinions, strict=True)), folder / "index", ENCODER)
    index = Index.open(folder / "index", ENCODER)
    with serving(IndexService(index, Searcher, WebSettings(), None)) as url:
        yield url


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    """A server on an index in which opinions, descriptions and notes have script tags."""
    with serving(library()) as url:
        yield url


def search(page: Page, url: str, argument: str = ARGUMENT) -> None:
    page.goto(url)
    page.get_by_label("Argument").fill(argument)
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("status")).to_contain_text("undecided")


def assert_seen(page: Page, selector: str) -> None:
    """That an element comes to be inside the window: a click does not wait for the page that it leads to."""
    expect(page.locator(selector).first).to_be_in_viewport()


def elsewhere(page: Page, than: str) -> None:
    """Wait for a page of another address."""
    page.wait_for_url(lambda url: url.partition("#")[0] != than.partition("#")[0])


@pytest.mark.parametrize(("side", "case"), SIDES)
def test_a_fresh_install_sorts_in_two_columns(browser: Browser, judged: str, side: str, case: str) -> None:
    with page_of(browser) as page:
        search(page, judged, TIP)
        expect(page.locator("p.judge strong")).to_have_text(JUDGE)
        columns = page.locator("div.two > section")
        assert columns.count() == 2
        one, other = (columns.nth(n).bounding_box() for n in (0, 1))
        assert one
        assert other
        assert one["x"] + one["width"] <= other["x"], "side by side"
        expect(page.locator(f"section.{side} article.hit h3").first).to_contain_text(case)
        expect(page.locator(f"section.{side} article.hit p.stance").first).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_search_filter_read_follow_and_back(browser: Browser, sample: str, script: bool) -> None:
    with page_of(browser, java_script_enabled=script) as page:
        search(page, sample)
        everywhere = page.locator("article.hit").count()
        page.get_by_text("Jurisdiction: any").click()
        page.locator("input[name=jurisdiction][value=ill]").check()
        page.get_by_role("button", name="Search").click()
        expect(page.locator("details.picker .chosen").first).to_have_text("Illinois")
        page.wait_for_url(re.compile("jurisdiction=ill"))
        expect(page.get_by_role("status")).to_contain_text("undecided")
        assert page.locator("article.hit").count() <= everywhere
        for line in page.locator("article.hit .cite-line").all_text_contents():
            assert "Illinois" in line
        results = page.url

        page.locator("article.hit blockquote footer a").first.click()
        expect(page.locator("mark.passage").first).to_be_visible()
        anchor = page.url.partition("#")[2]
        assert anchor.startswith("p-")
        assert_seen(page, "mark.passage")
        assert page.locator(f"#{anchor}").count() == 1
        color = "e => getComputedStyle(e).backgroundColor"
        if script:
            assert page.locator("mark.passage").first.evaluate(color) != page.locator("body").evaluate(color)

        here = page.url
        page.locator("a.cite").first.click()
        elsewhere(page, here)
        expect(page.locator("article.opinion h1")).to_be_visible()
        page.go_back()
        assert page.url == here
        page.go_back()
        assert page.url == results
        expect(page.locator("article.hit").first).to_be_visible()


def test_the_way_back_from_an_opinion_is_the_search(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        search(page, sample)
        first = page.locator("article.hit h3").all_text_contents()
        page.locator("article.hit h3 a").first.click()
        page.get_by_role("link", name="← Back to").click()
        expect(page.locator("article.hit h3")).to_have_text(first)


def test_deep_inside_an_opinion_its_case_and_what_later_courts_say_are_in_view(browser: Browser, sample: str) -> None:
    with page_of(browser, viewport={"width": 1280, "height": 700}) as page:
        page.goto(sample + "/opinion/cap:9100001/0")
        name = page.locator("h1").text_content()
        page.get_by_role("link", name="Footnotes").click()
        expect(page.locator("h1")).not_to_be_in_viewport()
        assert_seen(page, ".running .case")
        assert page.locator(".running .case").text_content() == name
        text, beside = (page.locator(one).first.bounding_box() for one in (".footnotes", ".around"))
        assert text
        assert beside
        assert beside["x"] >= text["x"] + text["width"], "it stands beside the text"
        assert beside["x"] + beside["width"] > 1280 * 0.9, "the right third is used"
        assert beside["y"] < 350 < beside["y"] + beside["height"]
        page.locator(".contents a").first.click()
        page.wait_for_url(re.compile("#h-"))
        heading = page.locator(page.url[page.url.index("#") :]).bounding_box()
        bar = page.locator(".running").bounding_box()
        assert heading
        assert bar
        assert heading["y"] >= bar["y"] + bar["height"], "the bar does not cover what was asked for"


def test_a_page_anchor_and_a_footnote_lead_there_and_back(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        page.goto(sample + "/opinion/cap:9100001/0")
        reference = page.locator("sup a").first
        note = reference.get_attribute("href")
        assert note
        reference.click()
        assert_seen(page, note)
        page.get_by_role("link", name="Back to the text at footnote 1").click()
        assert_seen(page, "#fnref-1")
        page.goto(sample + "/opinion/cap:9100001/0#page-28")
        assert_seen(page, "#page-28")


def test_what_later_courts_say_leads_to_the_words(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        page.goto(sample + "/opinion/cap:9100001/0")
        said = page.locator("ul.later li").first
        words = (said.locator(".said").text_content() or "").strip("()")
        said.locator("a").first.click()
        assert_seen(page, "mark.passage")
        marked = "".join(page.locator("mark.passage").all_text_contents())
        assert "".join(words.split()) in "".join(marked.split())


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_an_overruled_case_wears_a_badge_that_leads_to_the_sentence(
    browser: Browser, treated: str, script: bool
) -> None:
    with page_of(browser, java_script_enabled=script) as page:
        page.goto(treated + "/search?q=A+landlord+may+keep+a+deposit")
        hit = page.get_by_role("article", name="Smith v. Jones")
        expect(hit.locator(".badge")).to_have_text("Treatment: Overruled")
        expect(page.get_by_role("article", name="Roe v. Doe").locator(".flag")).to_contain_text("No negative treatment")
        page.get_by_label("Not overruled or reversed").check()
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_text("1 case(s) left out")).to_contain_text("Smith v. Jones, 1 U.S. 1")
        expect(hit).to_have_count(0)
        page.goto(treated + "/opinion/cl:1/0")
        page.emulate_media(media="print")
        expect(page.locator(".caption .badge")).to_be_visible()
        page.emulate_media(media="screen")
        section = page.get_by_role("region", name="History and treatment")
        expect(section.locator("li").first).to_contain_text("Overruled by Roe v. Doe, 2 U.S. 1 (1990)")
        section.get_by_role("link").first.click()
        assert_seen(page, "mark.passage")
        assert "We overrule Smith v. Jones" in "".join(page.locator("mark.passage").all_text_contents())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_about_a_badge(browser: Browser, treated: str, scheme: Any) -> None:
    with page_of(browser, color_scheme=scheme) as page:
        for path in ("/search?q=A+landlord+may+keep+a+deposit", "/opinion/cl:1/0"):
            page.goto(treated + path)
            expect(page.locator(".badge").first).to_be_visible()
            assert _serious(page) == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, sample: str, scheme: Any) -> None:
    with page_of(browser, color_scheme=scheme) as page:
        for kind, path in _kinds(sample).items():
            if kind == "problem" or (scheme == "dark" and kind == "explained"):
                continue
            page.goto(path)
            for summary in page.locator("details > summary").all():
                summary.evaluate("e => { e.parentElement.open = true }")
            assert _serious(page) == [], kind


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_a_page_that_says_no(browser: Browser, sample: str, scheme: Any) -> None:
    with browser.new_context(color_scheme=scheme) as context:  # the browser's console names the status
        page = context.new_page()
        page.goto(_kinds(sample)["problem"])
        assert _serious(page) == []


@pytest.mark.parametrize("device", [PHONE, NARROW], ids=["phone", "narrow"])
def test_no_page_scrolls_sideways(browser: Browser, sample: str, device: dict[str, Any]) -> None:
    with browser.new_context(**device) as context:
        page = context.new_page()
        for kind, path in _kinds(sample).items():
            page.goto(path)
            for details in page.locator("main details").all():
                details.evaluate("e => { e.open = true }")
            width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
            assert width[0] <= width[1], kind


def test_by_keyboard_alone(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        page.goto(sample)
        page.keyboard.press("Tab")
        expect(page.locator("a.skip")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("/")
        expect(page.get_by_label("Argument")).to_be_focused()
        page.keyboard.type(ARGUMENT)
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("status")).to_contain_text("undecided")
        names = page.locator("article.hit h3 a")
        page.keyboard.press("n")
        expect(names.nth(0)).to_be_focused()
        page.keyboard.press("n")
        expect(names.nth(1)).to_be_focused()
        assert names.nth(1).evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
        page.keyboard.press("p")
        expect(names.nth(0)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("mark.passage").first).to_be_visible()
        assert_seen(page, "mark.passage")


def test_filters_open_and_close_by_keyboard(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        page.goto(sample)
        summary = page.locator("details.picker summary").nth(0)
        summary.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(summary.locator(".chosen")).not_to_have_text("any")
        page.keyboard.press("Escape")
        expect(summary).to_be_focused()
        expect(page.locator("details.picker[open]")).to_have_count(0)


def test_letters_typed_into_the_box_are_no_shortcuts(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        search(page, sample)
        box = page.get_by_label("Argument")
        box.fill("")
        box.press_sequentially("n/p")
        expect(box).to_have_value("n/p")


def test_scripts_in_opinions_and_queries_do_nothing(browser: Browser, hostile: str) -> None:
    with page_of(browser) as page:
        search(page, hostile, f"free speech {HOSTILE}")
        for path in ("", "/opinion/cl:1/0?q=" + HOSTILE.replace("=", "%3D"), "/opinion/cl:2/0", "/about"):
            if path:
                page.goto(hostile + path)
            page.wait_for_timeout(50)
            assert page.evaluate("document.title") != "owned"
            assert page.locator("img").count() == 0
        page.goto(hostile + "/opinion/cl:1/0")
        assert HOSTILE.replace('"', "") in (page.locator(".text").text_content() or "").replace('"', "")


def test_the_policy_stops_a_script_that_got_in_all_the_same(browser: Browser, hostile: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(hostile + "/about")
        refused = """() => { const s = document.createElement('script'); s.textContent = "document.title='owned'";
            document.body.append(s); return document.title; }"""
        assert page.evaluate(refused) != "owned"


def test_paper_has_the_text_and_not_the_tools(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        page.emulate_media(media="print")
        page.goto(sample + "/opinion/cap:9100001/0")
        expect(page.locator(".top nav")).to_be_hidden()
        expect(page.locator(".text")).to_be_visible()
        page.goto(_kinds(sample)["search"])
        expect(page.locator("form.ask button")).to_be_hidden()
        expect(page.locator("article.hit").first).to_be_visible()
        assert len(page.pdf()) > 10_000
        inner = page.locator("details.more").first.evaluate("e => e.lastElementChild.getBoundingClientRect().height")
        assert inner > 0


def test_dark_mode_is_dark(browser: Browser, sample: str) -> None:
    for scheme, dark in (("light", False), ("dark", True)):
        with page_of(browser, color_scheme=scheme) as page:
            page.goto(sample)
            color = page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
            red = int(color.partition("(")[2].partition(",")[0])
            assert (red < 100) == dark


def _kinds(url: str) -> dict[str, str]:
    query = ARGUMENT.replace(" ", "+").replace("'", "%27")
    return {
        "start": url + "/",
        "search": f"{url}/search?q={query}",
        "explained": f"{url}/search?q={query}&explain=1",
        "opinion": f"{url}/opinion/cap:9100001/0?q={query}&at=2716-3567&quote=3317-3496#p-2716",
        "about": url + "/about",
        "docs": url + "/docs",
        "problem": url + "/search?q=",
    }


def _serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found if v["impact"] in ("serious", "critical")]
