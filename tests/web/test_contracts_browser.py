"""The pages of contracts in a real browser, over the sample's: a query with constraints, its parts, a clause among others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from browser_support import headless, page_of
from lawng.clauses.collection import read_library
from lawng.clauses.search import ClauseSearcher
from lawng.web.contracts import ContractsService, make_contracts_app
from web_support import serving

pytestmark = pytest.mark.slow("drives a browser")
FILES = Path(__file__).parents[2] / "sample" / "contracts" / "files"
QUERY = "cap on liability with a carve-out for gross negligence, without fraud"
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    searcher = ClauseSearcher(read_library(FILES), cache=tmp_path_factory.mktemp("cache"))
    service = ContractsService(searcher)
    with serving(make_contracts_app(service)) as url:
        yield url
    service.close()


def ask(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_label("What clause do you look for?").fill(QUERY)
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search**")
    expect(page.get_by_role("status")).to_contain_text("from 89 clauses of 3 contracts")


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found if v["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_a_query_with_constraints_its_parts_a_clause_and_its_neighbours(
    browser: Browser, sample: str, script: bool
) -> None:
    with page_of(browser, java_script_enabled=script) as page:
        ask(page, sample)
        hit = page.locator("article.hit", has=page.get_by_role("link", name="8.3 Carve-outs", exact=True))
        expect(hit.locator(".parts li")).to_have_text(
            [
                re.compile(r"✓ cap: yes three times the amount in Section 8\.2"),
                re.compile(r"✓ carve-out for gross negligence: yes liability for gross negligence, willful misconduct"),
                re.compile(r"✗ without fraud: no liability for gross negligence, willful misconduct or fraud"),
            ]
        )
        expect(hit.locator("mark", has_text="fraud")).to_be_visible()
        decides = hit.locator(".decides[title='carve-out for gross negligence: yes']")
        expect(decides).to_have_text("gross negligence")
        line = "e => getComputedStyle(e).textDecorationStyle"
        broken = hit.locator(".decides.not")
        assert (decides.evaluate(line), broken.evaluate(line)) == ("solid", "dotted"), "not by colour alone"
        page.get_by_role("link", name="8.3 Carve-outs", exact=True).click()
        page.wait_for_url("**/clause/**")
        expect(page.locator(".neighbour h3")).to_have_text(
            ["8.1 Exclusion of Indirect Damages", "8.2 Cap", "9.1 Term", "9.2 Termination for Cause"]
        )
        expect(page.locator(".here mark", has_text="fraud")).to_be_visible()
        expect(page.locator(".here .parts li")).to_have_count(3)
        expect(page.get_by_text("between Brackenfold Software Ltd and Tessmere Logistics Inc.")).to_be_visible()
        page.locator("a[rel=next]").click()
        page.wait_for_url(re.compile("clause/.*"))
        expect(page.get_by_role("heading", name="9.1 Term", level=2)).to_be_visible()
        page.get_by_role("link", name="All clauses of saas-agreement.txt").click()
        page.wait_for_url("**/contract/**")
        expect(page.locator(".clause-list li")).to_have_count(33)


def test_filters_narrow_and_empty_ones_stay_out_of_the_address(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        ask(page, sample)
        page.get_by_label("Party").fill("vantryl")
        page.get_by_label("Dated from").fill("2023")
        page.get_by_role("button", name="Search").click()
        page.wait_for_url(re.compile("party=vantryl&after=2023$"))
        expect(page.get_by_role("status")).to_contain_text("from 29 clauses of 1 contract.")
        expect(page.get_by_label("Party")).to_have_value("vantryl")
        page.get_by_label("Dated from").fill("")
        page.get_by_label("to", exact=True).fill("2024")
        page.get_by_role("button", name="Search").click()
        page.wait_for_url("**before=2024")


def test_filters_that_leave_nothing_are_said_and_can_be_mended(browser: Browser, sample: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()  # a refusal is an error to the console
        page.goto(f"{sample}/search?q=cap&file=zzz&after=2020")
        expect(page.get_by_role("alert")).to_have_text("No contract has 'zzz' in its name; look at the file names.")
        expect(page.get_by_label("Dated from")).to_have_value("2020")
        page.get_by_label("File").fill("saas")
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_role("status")).to_contain_text("of 1 contract.")


def test_it_is_used_by_keys_alone(browser: Browser, sample: str) -> None:
    with page_of(browser) as page:
        page.goto(sample)
        page.keyboard.press("/")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.type(QUERY)
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/search**")
        page.locator("h1").first.wait_for(state="attached")
        page.keyboard.press("n")
        expect(page.locator("article.hit h3 a.to").first).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url("**/clause/**")
        expect(page.locator(".here h2")).to_have_text("6.2 Financial Limit")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_has_it_all_in_its_width_and_it_is_accessible(browser: Browser, sample: str, scheme: Any) -> None:
    with page_of(browser, color_scheme=scheme, **PHONE) as page:
        page.goto(sample)
        paths = ["", f"/search?q={QUERY}", "/contract/saas-agreement.txt"]
        page.goto(f"{sample}/search?q={QUERY}")
        paths.append(str(page.locator("article.hit h3 a").first.get_attribute("href")))
        for path in paths:
            page.goto(sample + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
            assert serious(page) == [], path
