"""The page for one who reads an assessment, in a real browser: keys, snippets, the cited pages, and a server killed."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from assessment_support import assessment_of, by_hand
from browser_support import headless, page_of
from lawng.studies.assessment.answer_file import MISSING, AnswerFile
from lawng.studies.assessment.label_studio import CHOICES
from lawng.web.assessment import make_assessment_app
from web_support import serving

pytestmark = pytest.mark.slow("drives a browser")
NARROW: dict[str, Any] = {"viewport": {"width": 380, "height": 700}}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with headless() as found:
        yield found


@contextmanager
def reading(browser: Browser, folder: Path, n: int = 7, **options: Any) -> Iterator[tuple[Page, AnswerFile]]:
    """The first item in a browser, and the file of answers."""
    file = AnswerFile(assessment_of(folder, by_hand(n)), "ada")
    with serving(make_assessment_app(file)) as url, page_of(browser, **options) as page:
        page.goto(url)
        yield page, file


def at(page: Page, n: int) -> None:
    """Wait for an item."""
    page.wait_for_url(f"**/item/{n}")
    expect(page.get_by_role("heading", name=f"Item {n} of")).to_have_count(1)
    expect(page.locator("#text1")).to_be_focused()  # the script has run


def answers(file: AnswerFile) -> list[tuple[str, str]]:
    """Choice and snippet of the items in their order, ("", "") where there is none."""
    known = file.read()
    found = [known.get(task.task_id) for task in file.tasks]
    return [(one.choice, one.snippet) if one else ("", "") for one in found]


def select(page: Page, words: str) -> None:
    """Select words of the premise with the mouse, from their first letter to behind their last."""
    where = """words => { const walk = document.createTreeWalker(document.getElementById("text1"), NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const start = node.data.indexOf(words);
            if (start < 0) continue;
            const range = document.createRange();
            range.setStart(node, start); range.setEnd(node, start + words.length);
            node.parentElement.scrollIntoView({ block: "center" });
            const box = range.getBoundingClientRect();
            return [box.left, box.right, (box.top + box.bottom) / 2]; } }"""
    left, right, y = page.evaluate(where, words)
    page.mouse.move(left, y)
    page.mouse.down()
    page.mouse.move((left + right) / 2, y)
    page.mouse.move(right, y)
    page.mouse.up()


def test_the_keys_one_to_six_answer_save_at_once_and_go_on(browser: Browser, tmp_path: Path) -> None:
    with reading(browser, tmp_path) as (page, file):
        for n, choice in enumerate(CHOICES, 1):
            at(page, n)
            expect(page.locator(".progress")).to_have_text(f"{n - 1} of 7 answered, batch 1")
            if "neutral" not in choice:
                select(page, "of it" if n % 3 != 2 else "And the rest")
            page.keyboard.press(str(n))
            at(page, n + 1)
            assert answers(file)[n - 1][0] == choice, "saved before the next is shown"
        assert [choice for choice, _ in answers(file)] == [*CHOICES, ""]
        assert [snippet for _, snippet in answers(file)][:4] == ["of it", "And the rest", "", ""]
        page.keyboard.press("3")
        page.wait_for_url("**/end")
        expect(page.get_by_role("heading")).to_have_text("All 7 items are answered")
        expect(page.locator("code")).to_contain_text("--alone")
        page.keyboard.press("ArrowLeft")
        at(page, 7)


@pytest.mark.parametrize("key", ["1", "2", "5", "6"])
def test_without_a_snippet_the_item_stays_until_words_are_selected(browser: Browser, tmp_path: Path, key: str) -> None:
    with reading(browser, tmp_path) as (page, file):
        at(page, 1)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url))
        page.keyboard.press(key)
        expect(page.get_by_role("alert")).to_have_text(MISSING)
        assert (sent, answers(file)[0], page.url.endswith("/item/1")) == ([], ("", ""), True)
        select(page, "Paragraph 2 of opinion 0.")
        expect(page.get_by_label("Relevant snippet")).to_have_value("Paragraph 2 of opinion 0.")
        expect(page.get_by_role("alert")).to_be_empty()
        page.keyboard.press(key)
        at(page, 2)
        assert answers(file)[0] == (CHOICES[int(key) - 1], "Paragraph 2 of opinion 0.")


def test_what_is_selected_elsewhere_is_no_snippet_and_over_the_edge_only_what_is_of_the_premise(
    browser: Browser, tmp_path: Path
) -> None:
    with reading(browser, tmp_path) as (page, _):
        at(page, 1)
        snippet = page.get_by_label("Relevant snippet")
        page.locator(".asked").click(click_count=3)
        assert page.evaluate("getSelection().toString()").startswith("How is text1")
        expect(snippet).to_be_empty()
        page.keyboard.press("ArrowRight")
        at(page, 2)
        page.locator("#text1 p").last.click(click_count=3)
        expect(snippet).to_have_value("And the rest of page 1.")
        end = """() => { const range = document.createRange(); const words = document.querySelector("#text1 p").firstChild;
            range.setStart(words, 6); range.setEnd(document.querySelector(".asked").firstChild, 5);
            getSelection().removeAllRanges(); getSelection().addRange(range); }"""
        page.evaluate(end)
        expect(snippet).to_have_value("<b>1</b> & more.\nAnd the rest of page 1.")


def test_space_goes_to_the_cited_pages_and_back_or_says_why_not(browser: Browser, tmp_path: Path) -> None:
    with reading(browser, tmp_path) as (page, _):
        at(page, 1)
        mark = page.locator("#cited")
        expect(mark).not_to_be_in_viewport()
        plain = mark.evaluate("e => getComputedStyle(e).backgroundColor")
        page.keyboard.press(" ")
        expect(mark).to_be_in_viewport()
        assert mark.text_content() == "Cited <b>0</b> & more."
        expect(page.locator("#text1")).to_have_class(re.compile("sought"))
        assert mark.evaluate("e => getComputedStyle(e).backgroundColor") != plain
        expect(page.get_by_role("status")).to_have_text("The cited pages are marked; space goes back.")
        page.keyboard.press(" ")
        expect(mark).not_to_be_in_viewport()
        assert page.evaluate("document.getElementById('text1').scrollTop") == 0
        page.get_by_role("link", name="Cited pages").click()
        expect(mark).to_be_in_viewport()
        for n, said in ((2, "The premise is the short one"), (3, "No mark: the cited pages do not stand in one piece")):
            page.keyboard.press("ArrowRight")
            at(page, n)
            page.keyboard.press(" ")
            expect(page.get_by_role("status")).to_contain_text(said)
            assert page.evaluate("scrollY + document.getElementById('text1').scrollTop") == 0


def test_one_goes_back_changes_an_answer_and_goes_on_where_one_was(browser: Browser, tmp_path: Path) -> None:
    with reading(browser, tmp_path) as (page, file):
        for n in (1, 2):
            at(page, n)
            page.keyboard.press("3")
        at(page, 3)
        for key, n in (("ArrowLeft", 2), ("k", 1), ("j", 2), ("ArrowRight", 3), ("k", 2), ("k", 1)):
            page.keyboard.press(key)
            at(page, n)
        chosen = page.locator("button[aria-pressed=true]")
        expect(chosen).to_have_text("3 definitely neutral ✓ your answer")
        snippet = page.get_by_label("Relevant snippet")
        snippet.fill("page ")
        snippet.press("End")
        page.keyboard.type("16?j ")  # no keys while one types
        expect(snippet).to_have_value("page 16?j ")
        page.keyboard.press("Escape")
        page.keyboard.press("6")
        at(page, 3)
        assert answers(file)[:3] == [("probably contradiction", "page 16?j"), ("definitely neutral", ""), ("", "")]
        page.keyboard.press("k")
        at(page, 2)
        page.keyboard.press("k")
        at(page, 1)
        expect(snippet).to_have_value("page 16?j")
        expect(chosen).to_contain_text("probably contradiction")


def test_a_key_that_is_held_answers_one_item(browser: Browser, tmp_path: Path) -> None:
    with reading(browser, tmp_path) as (page, file):
        at(page, 1)
        page.keyboard.down("3")
        for n in range(2, 5):
            page.keyboard.down("3")  # repeated, as by a key held down
            at(page, min(n, 2))
        page.keyboard.up("3")
        assert [choice for choice, _ in answers(file)][:2] == ["definitely neutral", ""]


def test_the_keys_are_shown_by_a_question_mark_and_what_it_has_is_accessible(browser: Browser, tmp_path: Path) -> None:
    with reading(browser, tmp_path) as (page, file):
        at(page, 1)
        page.keyboard.press("3")
        at(page, 2)
        page.keyboard.press("k")
        at(page, 1)
        shown = page.get_by_text("to the cited pages in text1, and back")
        expect(shown).to_be_hidden()
        page.keyboard.press("?")
        expect(shown).to_be_visible()
        assert _serious(page) == []
        page.keyboard.press("?")
        expect(shown).to_be_hidden()
        page.locator("button[name=choice]").nth(3).focus()
        page.keyboard.press(" ")  # on a button it is the button's
        at(page, 2)
        assert answers(file)[0][0] == "probably neutral"
        page.goto(page.url.replace("/item/2", "/end"))
        assert _serious(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_has_it_all_in_its_width(browser: Browser, tmp_path: Path, scheme: str) -> None:
    with reading(browser, tmp_path, color_scheme=scheme, **NARROW) as (page, _):
        at(page, 1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
        page.keyboard.press(" ")
        expect(page.locator("#cited")).to_be_in_viewport()
        assert _serious(page) == []


def test_it_works_without_a_script(browser: Browser, tmp_path: Path) -> None:
    with reading(browser, tmp_path, java_script_enabled=False) as (page, file):
        page.get_by_role("link", name="Cited pages").click()
        expect(page.locator("#cited")).to_be_in_viewport()
        page.get_by_label("Relevant snippet").fill("Words.")
        page.get_by_role("button", name="definitely contradiction").click()
        expect(page.get_by_role("heading", name="Item 2 of")).to_have_count(1)
        assert answers(file)[0] == ("definitely contradiction", "Words.")


def started(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """The command as a person starts it, on a free port, and its address."""
    code = "from lawng.cli import main; main()"
    command = [sys.executable, "-c", code, "annotate", "read", str(folder), "--name", "ada", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    found = re.search(r"7 items of .* are at (http://127\.0\.0\.1:\d+/) ", process.stderr.readline())
    assert found
    return process, found[1]


def test_a_server_that_is_killed_has_lost_nothing_and_goes_on(browser: Browser, tmp_path: Path) -> None:
    assessment_of(tmp_path, by_hand())
    for first in (1, 3, 5):  # two answers, and a kill
        process, url = started(tmp_path)
        with process:
            try:
                with page_of(browser) as page:
                    page.goto(url)
                    for n in (first, first + 1):
                        at(page, n)
                        page.keyboard.press("4")
                    at(page, first + 2)
            finally:
                process.kill()
    assert [choice for choice, _ in answers(AnswerFile(tmp_path, "ada"))] == ["probably neutral"] * 6 + [""]


def test_the_command_says_what_to_run_next_as_it_ends(tmp_path: Path) -> None:
    file = AnswerFile(assessment_of(tmp_path, by_hand()), "ada")
    file.save(file.tasks[0], CHOICES[2], "")
    process, url = started(tmp_path)
    with process:
        assert httpx.get(url, timeout=60).status_code == 303  # it listens to signals as soon as it answers
        process.send_signal(signal.SIGINT)
        _, talk = process.communicate(timeout=60)
    assert process.returncode == 0
    assert f"1 of 7 answered. Next: the same command goes on; for tables, {file.scoring}" in " ".join(talk.split())


def _serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found if v["impact"] in ("serious", "critical")]
