"""The page for one who reads an assessment, without a browser: what it takes, what it refuses, what it never says."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from assessment_support import assessment_of, by_hand
from lawng.cli import annotate
from lawng.errors import InputError
from lawng.schema.labels import LABELS
from lawng.studies.assessment.answer_file import MISSING, AnswerFile
from lawng.studies.assessment.draw import Task
from lawng.studies.assessment.label_studio import CHOICES, INSTRUCTIONS, NEEDED
from lawng.web.assessment import OTHER, make_assessment_app
from lawng.web.server import listen
from web_support import ask, library

OWN = {"sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded"}


def kept(folder: Path, n: int = 7) -> AnswerFile:
    return AnswerFile(assessment_of(folder, by_hand(n)), "ada")


def get(file: AnswerFile, url: str, **given: Any) -> httpx.Response:
    return ask(make_assessment_app(file), url, **given)[0]


def post(file: AnswerFile, n: int, choice: str, snippet: str = "", shown: str | None = None) -> httpx.Response:
    """The form of an item as a browser sends it."""
    found = re.search(r'name="shown" value="(\w+)"', get(file, f"/item/{n}").text)
    assert found
    form = {"choice": choice, "snippet": snippet, "shown": found[1] if shown is None else shown}
    return get(file, f"/item/{n}", method="POST", content=urlencode(form), headers=OWN)


def answers(file: AnswerFile) -> dict[int, tuple[str, str]]:
    """Choice and snippet by the item's number."""
    known = file.read()
    numbered = ((n, known.get(task.task_id)) for n, task in enumerate(file.tasks, 1))
    return {n: (one.choice, one.snippet) for n, one in numbered if one}


def test_the_options_stand_in_their_order_with_the_keys_one_to_six(tmp_path: Path) -> None:
    html = get(kept(tmp_path), "/item/1").text
    found = re.findall(
        r'<button name="choice" value="([^"]+)"[^>]*?( data-needs)?><kbd>(\d)</kbd> ([^<]+)</button>', html
    )
    assert found == [
        (choice, " data-needs" if "neutral" not in choice else "", str(key), choice)
        for key, choice in enumerate(CHOICES, 1)
    ]
    assert len(CHOICES) == 6
    told = re.findall(r"<li>([^<]+)</li>", html)
    assert [unescape(line) for line in told] == list(INSTRUCTIONS), "how to decide"
    assert set(NEEDED) == {choice for choice in CHOICES if "neutral" not in choice}


def pages(file: AnswerFile) -> list[bytes]:
    """All that the server sends, by every address, before and after an answer and a refusal."""
    paths = ["/", *(f"/item/{n}" for n in range(1, len(file.tasks) + 1)), "/end", "/item/0", "/tasks.parquet"]
    found = ask(make_assessment_app(file), *paths)
    found += [post(file, 2, CHOICES[1]), post(file, 1, CHOICES[4], "Words."), get(file, "/item/1"), get(file, "/end")]
    headers = (repr(sorted(one.headers.items())).encode() for one in found)
    return [head + one.content for head, one in zip(headers, found, strict=True)]


def test_what_is_sent_does_not_depend_on_the_label_nor_on_anything_that_tells_it(tmp_path: Path) -> None:
    def other(task: Task, n: int) -> Task:
        changed = replace(task, label=str(LABELS[(LABELS.index(task.label) + 1) % 3]), negated=not task.negated)
        return replace(changed, screening=not task.screening, case_id="case x", task_id=f"cl:{n}")

    one = pages(kept(tmp_path / "a"))
    tasks = [other(task, n) for n, task in enumerate(by_hand())]
    assessment_of(tmp_path / "b", tasks)
    (tmp_path / "a").rename(tmp_path / "c")
    (tmp_path / "b").rename(tmp_path / "a")  # the command at the end names the folder
    assert pages(AnswerFile(tmp_path / "a", "ada")) == one


def test_an_item_is_shown_with_its_cited_pages_marked_and_nothing_of_it_is_markup(tmp_path: Path) -> None:
    file = kept(tmp_path)
    marked, short, bare = (get(file, f"/item/{n}").text for n in (1, 2, 3))
    assert re.findall(r"<mark[^>]*>([^<]*)</mark>", marked) == [
        "Cited &lt;b&gt;0&lt;/b&gt; &amp; more.",
        "And the rest of page 0.",
    ]
    assert marked.count('id="cited"') == 1
    assert marked.index("Paragraph 29") < marked.index('id="cited"') < marked.index("Paragraph 30")
    assert "The premise is the short one: all of it is the cited pages." in short
    assert "No mark: the cited pages do not stand in one piece" in bare
    assert "<mark" not in short + bare
    assert "<b>" not in marked + short


def test_an_answer_is_kept_under_its_own_item_and_the_next_open_one_comes(tmp_path: Path) -> None:
    file = kept(tmp_path)
    assert get(file, "/").headers["location"] == "/item/1"
    assert post(file, 1, CHOICES[2]).headers["location"] == "/item/2"
    assert post(file, 5, CHOICES[5], "of five\r\nand more").headers["location"] == "/item/6"
    assert post(file, 2, CHOICES[1], "of two").headers["location"] == "/item/3"
    assert get(file, "/").headers["location"] == "/item/3"
    assert post(file, 1, CHOICES[0], "of one").headers["location"] == "/item/3"
    assert answers(file) == {
        1: ("definitely entailment", "of one"),
        2: ("probably entailment", "of two"),
        5: ("probably contradiction", "of five\nand more"),
    }
    html = get(file, "/item/5").text
    assert "3 of 7 answered, batch 1" in html
    assert re.findall(r'value="([^"]+)" aria-pressed="true"', html) == ["probably contradiction"]
    assert html.count("your answer") == 1
    assert "of five\nand more</textarea>" in html
    for n in (3, 4, 6, 7):
        last = post(file, n, CHOICES[3])
    assert last.headers["location"] == get(file, "/").headers["location"] == "/end"
    end = get(file, "/end").text
    assert "All 7 items are answered" in end
    assert f"<code>lawng annotate gold {tmp_path} {file.path} --alone</code>" in end


@pytest.mark.parametrize("choice", [choice for choice in CHOICES if "neutral" not in choice])
def test_without_the_snippet_the_item_stays_and_says_what_is_missing(tmp_path: Path, choice: str) -> None:
    file = kept(tmp_path)
    refused = post(file, 2, choice, "  ")
    assert refused.status_code == 422
    assert f'role="alert" id="problem">{MISSING}</p>' in refused.text
    assert "Item 2 of 7" in refused.text
    assert answers(file) == {}


def test_a_page_of_another_assessment_answers_nothing(tmp_path: Path) -> None:
    file = kept(tmp_path)
    refused = post(file, 2, CHOICES[2], "kept?", shown="0" * 16)
    assert refused.status_code == 422
    assert OTHER.format(2) in refused.text
    assert answers(file) == {}
    other = [replace(task, text2=task.text2 + "!") for task in by_hand()]
    strange = AnswerFile(assessment_of(tmp_path / "other", other), "ada")
    found = re.search(r'name="shown" value="(\w+)"', get(strange, "/item/2").text)
    assert found
    assert post(file, 2, CHOICES[2], shown=found[1]).status_code == 422


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "none"}, 403),
        ({}, 403),
        ({"sec-fetch-site": "same-origin", "host": "evil.example"}, 400),
        ({"sec-fetch-site": "same-origin", "content-length": "1000001"}, 413),
        ({"sec-fetch-site": "same-origin", "content-length": "-1"}, 413),
        ({"sec-fetch-site": "same-origin", "content-length": "00000000000099999999"}, 413),
        ({"sec-fetch-site": "same-origin", "transfer-encoding": "chunked"}, 413),
    ],
)
def test_a_form_is_taken_of_this_servers_own_page_alone(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    file = kept(tmp_path)
    shown = re.search(r'name="shown" value="(\w+)"', get(file, "/item/1").text)
    assert shown
    form = urlencode({"choice": CHOICES[2], "shown": shown[1]})
    refused = get(file, "/item/1", method="POST", content=form, headers=headers)
    assert (refused.status_code, answers(file)) == (status, {})
    assert "default-src 'none'" in refused.headers["content-security-policy"]


def test_a_server_of_an_index_takes_no_form_and_neither_takes_other_methods(tmp_path: Path) -> None:
    [refused] = ask(library(), "/", method="POST", headers=OWN)
    assert (refused.status_code, "it takes nothing in" in refused.text) == (405, True), "before any route is asked"
    file = kept(tmp_path)
    for method, url in (("PUT", "/item/1"), ("DELETE", "/item/1"), ("POST", "/end")):
        refused = get(file, url, method=method, headers=OWN | {"content-length": "0"})
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, POST")
    assert get(file, "/item/1", method="HEAD").content == b""
    assert get(file, "/docs").status_code == get(file, "/openapi.json").status_code == 404


@pytest.mark.parametrize(
    ("url", "status", "said"),
    [("/item/0", 404, "numbered from 1 to 7"), ("/item/8", 404, "no item 8"), ("/item/x", 422, "valid integer")],
)
def test_an_item_that_is_not_there_is_told(tmp_path: Path, url: str, status: int, said: str) -> None:
    response = get(kept(tmp_path), url)
    assert (response.status_code, said in response.text) == (status, True)
    assert 'href="/"' in response.text


def test_a_port_that_is_taken_gives_way_to_a_free_one_unless_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(annotate, "PORT", port)
        with annotate._listen(None) as other:
            assert other.getsockname()[0] == "127.0.0.1"
            assert other.getsockname()[1] != port
        with pytest.raises(InputError, match="cannot listen there"):
            annotate._listen(port)


def test_a_file_that_is_damaged_meanwhile_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    file = kept(tmp_path)
    post(file, 1, CHOICES[2])
    cut = file.path.read_text("utf-8")[:-9]
    file.path.write_text(cut, encoding="utf-8")
    form = urlencode({"choice": CHOICES[2], "shown": "x"})
    for url, method, content in (("/", "GET", ""), ("/item/2", "GET", ""), ("/item/2", "POST", form)):
        response = get(file, url, method=method, content=content, headers=OWN if content else {})
        assert response.status_code == 503
        assert f"{file.path}: left as it is" in response.text
    assert file.path.read_text("utf-8") == cut


def test_an_answer_that_cannot_be_written_is_told_with_what_was_typed(tmp_path: Path) -> None:
    file = kept(tmp_path)
    (tmp_path / f".answers-ada.json.{os.getpid()}").mkdir()
    response = post(file, 1, CHOICES[0], "my words")
    assert response.status_code == 422
    assert "cannot be written" in response.text
    assert "my words</textarea>" in response.text
