"""The pages of a folder of contracts, without a browser: what they show, what they refuse, what they never log."""

from __future__ import annotations

import json
import logging
import re
import signal
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from typer.testing import CliRunner

from lawng.clauses.answer import ClauseAnswer
from lawng.clauses.collection import read_library
from lawng.clauses.filters import ClauseFilters
from lawng.clauses.meaning.explained import MEANT, Part
from lawng.clauses.search import NOT_AGAIN, ClauseSearcher
from lawng.cli import app as commands
from lawng.errors import InputError
from lawng.web.contracts import ContractsService, make_contracts_app
from lawng.web.index_service import WebSettings
from web_support import HOSTILE, ask

CONTRACT = (
    'AGREEMENT\n\nThis Agreement is made on 4 March 2024 between Acme <b>, Inc. ("Supplier") and Roe Ltd (the "Buyer").\n\n'
    "1. LIABILITY\n\n1.1 Loss. Neither party shall be liable for lost profits or other consequential damages.\n\n"
    "1.2 Cap. Except for fraud, in no event shall Supplier's total liability exceed the fees paid in the twelve\n"
    "(12) months before the claim.\n\n1.3 Words. " + "And so on without an end. " * 60 + "Here is a needle.\n\n"
    f"2. FEES\n\n2.1 Sum. Buyer pays $5. {HOSTILE}\n\n2.2 Tax. Buyer pays all taxes.\n"
)  # fmt: skip
QUERY = "mutual cap on liability with a carve-out for fraud and without death"
ID = "acme.txt#{}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("contracts")
    (place / "acme.txt").write_text(CONTRACT)
    (place / "a folder").mkdir()
    (place / "a folder" / "50%.txt").write_text(
        "1. Term\n\n1.1 Years. It lasts two years.\n\n1.2 Cap. Liability is limited to $7."
    )
    return place


@pytest.fixture(scope="module")
def searcher(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> ClauseSearcher:
    return ClauseSearcher(read_library(folder), cache=tmp_path_factory.mktemp("cache"))


def get(searcher: ClauseSearcher, url: str, settings: WebSettings | None = None, **given: Any) -> httpx.Response:
    return ask(make_contracts_app(ContractsService(searcher, settings)), url, **given)[0]


@pytest.mark.parametrize(
    ("encoder", "rerank"), [("none", "openai:gpt-4o-mini?pairwise=sorting"), ("openai:gpt-4o-mini", "none")]
)
def test_readers_are_told_that_a_language_model_gets_their_query(
    searcher: ClauseSearcher, folder: Path, monkeypatch: pytest.MonkeyPatch, encoder: str, rerank: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setattr("lawng.clauses.search.FeatureRanker", lambda *_: searcher.ranker)  # which asks nobody
    monkeypatch.setattr("lawng.models.openai.client.Client.max_length", lambda *_: 512)
    asks = ClauseSearcher.open(folder, encoder=encoder, rerank=rerank)
    for url in ("/", "/contract/acme.txt", "/nowhere"):
        assert "What you type is sent to gpt-4o-mini: its pages" in get(asks, url).text
        assert "What you type stays with this server: its pages" in get(searcher, url).text


def search(query: str, path: str = "/search", **filters: str) -> str:
    return str(httpx.URL(path, params={"q": query, **filters}))


def ids(searcher: ClauseSearcher) -> list[str]:
    return [clause.clause_id for clause in searcher.collection.clauses]


def test_the_first_page_names_the_contracts_with_parties_and_date(searcher: ClauseSearcher) -> None:
    response = get(searcher, "/")
    assert response.status_code == 200
    assert "2 contracts here" in response.text
    assert re.search(
        r'<a href="/contract/acme.txt">acme.txt</a> <span class="small">\d clauses, March 4, 2024,', response.text
    )
    assert '<a href="/contract/a%20folder/50%25.txt">' in response.text
    assert "<b>" not in response.text


def test_a_hit_shows_place_parts_and_what_decides_them(searcher: ClauseSearcher) -> None:
    html = get(searcher, search(QUERY)).text
    first = re.findall(r"<article.*?</article>", html, re.DOTALL)[0]
    assert '<a class="to" href="/clause/acme.txt%23' in first
    assert ">1.2 Cap</a>" in first
    assert re.search(r"acme\.txt <span class=\"sep\">·</span> LIABILITY · ¶ \d", first)
    parts = [
        " ".join(re.sub("<[^>]*>", "", one).split()) for one in re.findall(r"<li class=.*?</li>", first, re.DOTALL)
    ]
    assert list(map(unescape, parts)) == [
        "✓ cap: yes the fees paid in the twelve (12) months before the claim",
        "✓ carve-out for fraud: yes Except for fraud",
        "✓ without personal injury: yes",
        "✗ mutual: no frees the supplier alone",
    ]
    assert re.findall(r"<mark>(\w+)</mark>", first) == ["Cap", "fraud", "liability"]
    decided = re.findall(r'<span class="(decides(?: not)?)" title="([^"]*)">(.*?)</span>', first, re.DOTALL)
    assert [(kind, title) for kind, title, _ in decided] == [
        ("decides", "carve-out for fraud: yes"),
        ("decides not", "mutual: no"),
        ("decides", "cap: yes"),
    ]
    assert "/api/clauses?q=mutual+cap" in html


def test_nothing_of_a_contract_is_markup_and_line_ends_of_a_width_are_blanks(searcher: ClauseSearcher) -> None:
    for clause_id in ids(searcher):
        html = get(searcher, f"/clause/{quote(clause_id)}?q=fees").text
        assert "<script>document" not in html
        assert "<img" not in html
    html = get(searcher, f"/clause/{quote(clause_of(searcher, '1.2'))}").text
    assert "fees paid in the twelve\n(12) months" in html
    assert html.count("<p>1.2 Cap.") == 1


def clause_of(searcher: ClauseSearcher, section: str) -> str:
    return next(
        one.clause_id for one in searcher.collection.clauses if one.section == section and one.source == "acme.txt"
    )


def test_a_long_clause_is_shown_around_what_answers_the_query(searcher: ClauseSearcher) -> None:
    html = get(searcher, search("needle")).text
    shown, *_ = re.findall(r'<blockquote class="quote"><p>(.*?)</p>', html, re.DOTALL)
    assert shown.startswith("… ")
    assert shown.endswith("Here is a <mark>needle</mark>.")
    assert 100 < len(shown.split()) < 120
    begins = get(searcher, search("words and so on with a needle")).text
    assert re.search(
        r'<blockquote class="quote"><p>1\.3 <mark>Words</mark>\. [^<]*(?:<mark>[^<]*</mark>[^<]*)* …</p>', begins
    )


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"file": "acme"}, {"acme.txt"}),
        ({"file": "50%"}, {"a folder/50%.txt"}),
        ({"party": "roe"}, {"acme.txt"}),
        ({"heading": "liability cap"}, {"acme.txt"}),
        ({"after": "2024", "before": "2024-12-31"}, {"acme.txt"}),
        ({"heading": "cap"}, {"acme.txt", "a folder/50%.txt"}),
    ],
)
def test_filters_are_those_of_the_command_and_stay_in_the_form(
    searcher: ClauseSearcher, filters: dict[str, str], expected: set[str]
) -> None:
    found = get(searcher, search("liability", "/api/clauses", k="50", **filters)).json()
    assert {hit["source"] for hit in found["hits"]} == expected
    html = get(searcher, search("liability", **filters)).text
    for name, value in filters.items():
        assert f'<input id="{name}" name="{name}" value="{value}"' in html


def test_several_values_of_a_filter_stay_in_the_form_and_contracts_left_out_are_counted(
    searcher: ClauseSearcher,
) -> None:
    html = get(searcher, "/search?q=liability&party=nobody&party=roe&k=3").text
    assert 'name="party" value="nobody"' in html
    assert '<input type="hidden" name="party" value="roe">' in html
    assert '<input type="hidden" name="k" value="3">' in html
    assert "<li>1 contract states no party that could be read, and is left out.</li>" in html
    assert '<a href="/api/clauses?q=liability&amp;party=nobody&amp;party=roe&amp;k=3">' in html


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        ({"q": ""}, 422, "The query is empty; say what clause you look for."),
        ({}, 422, "The query is empty; say what clause you look for."),
        ({"q": "… !"}, 422, "The query has no word; say what clause you look for."),
        ({"q": "x" * 20_001}, 413, "The query has 20,001 characters, 20,000 are the limit; give one clause at most."),
        ({"q": "cap", "file": "zzz"}, 422, "No contract has 'zzz' in its name; look at the file names."),
        ({"q": "cap", "after": "soon"}, 422, "Filters: after 'soon' is no date (YYYY, YYYY-MM or YYYY-MM-DD)."),
        ({"q": "cap", "k": "51"}, 422, "k is “51”: write a number from 1 to 50."),
        ({"q": "cap", "k": "ten"}, 422, "k is “ten”: write a number from 1 to 50."),
    ],
)
def test_what_cannot_be_asked_is_one_line_on_the_page_and_in_json(
    searcher: ClauseSearcher, given: dict[str, str], status: int, said: str
) -> None:
    page, twin = (get(searcher, str(httpx.URL(path, params=given))) for path in ("/search", "/api/clauses"))
    assert (page.status_code, twin.status_code) == (status, status)
    assert unescape(page.text).count(said) == 1
    assert twin.json()["detail"] == said
    assert ">zzz" not in page.text
    assert f'value="{given["file"]}"' in page.text if "file" in given else True
    assert len(page.text) < 25_000


@pytest.mark.parametrize(
    "path", ["/clause/acme.txt", "/clause/", "/contract/zzz", "/api/clause/acme.txt%2399", "/zzz", "/api/zzz"]
)
def test_what_is_not_here_is_404(searcher: ClauseSearcher, path: str) -> None:
    response = get(searcher, path)
    assert response.status_code == 404
    assert response.headers["content-type"].startswith("application/json" if path.startswith("/api") else "text/html")
    assert "There is no such" in response.text


def test_other_methods_and_hosts_and_parameters_are_refused(searcher: ClauseSearcher) -> None:
    assert get(searcher, "/", method="POST").status_code == 405
    refused = get(searcher, "/", headers={"host": "evil.example"})
    assert refused.status_code == 400
    assert refused.headers["content-type"].startswith("text/plain")
    refused = get(searcher, "/api/clauses?q=cap&fiel=a")
    assert (refused.status_code, "it has q, file, heading, party" in refused.json()["detail"]) == (422, True)


def test_a_clause_stands_between_the_two_before_and_the_two_behind_it(searcher: ClauseSearcher) -> None:
    own = [one for one in ids(searcher) if one.startswith("acme")]
    for n, clause_id in enumerate(own):
        html = get(searcher, f"/clause/{quote(clause_id)}?q=cap").text
        linked = [
            unescape(one) for one in re.findall(r'<section class="neighbour"><h3><a href="/clause/([^?"]*)', html)
        ]
        assert linked == [quote(one) for one in [*own[max(0, n - 2) : n], *own[n + 1 : n + 3]]]
        assert ('rel="prev"' in html, 'rel="next"' in html) == (n > 0, n < len(own) - 1)
        assert '<a href="/contract/acme.txt">All clauses of acme.txt</a>' in html
        assert '<a href="/search?q=cap">← Back to “cap”</a>' in html
        assert "March 4, 2024" in html
        twin = get(searcher, f"/api/clause/{quote(clause_id)}").json()
        assert [one["clause_id"] for one in (*twin["before"], *twin["after"])] == [
            *own[max(0, n - 2) : n],
            *own[n + 1 : n + 3],
        ]
        assert (twin["clause"]["clause_id"], twin["parts"]) == (clause_id, [])


def test_a_clause_that_leaves_an_answer_to_another_section_has_it_alone_as_in_a_search(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "3. Liability\n\n3.1 Cap. Except as set forth in Section 3.2, total liability shall not exceed the fees paid.\n\n"
        "3.2 Carve-outs. The cap in Section 3.1 does not apply to fraud.\n\n4. Fees\n\n4.1 Sum. Buyer pays $5.\n"
    )
    ready = ClauseSearcher(read_library(tmp_path), cache=tmp_path / "cache")
    query = "cap on liability with a carve-out for fraud"
    hits = get(ready, f"/api/clauses?q={quote(query)}").json()["hits"]
    [hit] = [hit for hit in hits if hit["section"] == "3.1"]
    assert any("in 3.2: " in part["words"] for part in hit["parts"])
    assert get(ready, f"/api/clause/{quote(hit['clause_id'])}?q={quote(query)}").json()["parts"] == hit["parts"]


def test_what_goes_by_meaning_alone_is_not_said_for_sure(
    searcher: ClauseSearcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    probable = Part("cap", "about", True, f"{MEANT}It keeps it.", [])
    monkeypatch.setattr("lawng.clauses.search.explain", lambda *_: [probable])
    html = get(searcher, search("cap")).text
    assert "cap: <strong>probably</strong>" in html
    assert "<strong>yes</strong>" not in html


def test_the_page_of_a_clause_marks_what_answers_a_query_and_refuses_one_that_is_none(searcher: ClauseSearcher) -> None:
    url = f"/clause/{quote(clause_of(searcher, '1.2'))}"
    html = get(searcher, search(QUERY, url)).text
    assert "carve-out for fraud: <strong>yes</strong>" in html
    assert "<mark>fraud</mark>" in html
    assert "<mark>" not in get(searcher, url).text
    for wrong, status in (("…", 422), ("x" * 20_001, 413)):
        assert get(searcher, search(wrong, url)).status_code == status
        assert get(searcher, search(wrong, f"/api{url}")).status_code == status
    twin = get(searcher, search(QUERY, f"/api{url}")).json()
    assert [(party["name"], party["called"]) for party in twin["parties"]][-1] == ("Roe Ltd", ["Buyer"])
    assert twin["date"] == "2024-03-04"
    [[start, end]] = twin["parts"][1]["spans"]
    assert twin["clause"]["text"][start:end] == "fraud"


def test_the_page_of_a_contract_lists_its_clauses_in_order(searcher: ClauseSearcher) -> None:
    html = get(searcher, "/contract/acme.txt").text
    assert re.findall(r'<li><a href="/clause/([^"]*)">', html) == [
        quote(one) for one in ids(searcher) if one.startswith("acme")
    ]


def test_the_twin_of_a_search_is_what_the_command_prints(searcher: ClauseSearcher, folder: Path) -> None:
    found = get(searcher, search(QUERY, "/api/clauses", k="3")).json()
    run = CliRunner().invoke(commands, ["clauses", str(folder), QUERY, "-k", "3", "--to", "jsonl", "--encoder", "none"])
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [{key: hit[key] for key in hit if key != "link"} for hit in found["hits"]] == rows
    assert all(get(searcher, hit["link"]).status_code == 200 for hit in found["hits"])
    described = get(searcher, "/openapi.json").json()
    assert set(described["paths"]) == {"/api/clauses", "/api/clause/{clause_id}"}
    assert set(described["components"]["schemas"]["Hit"]["properties"]) == {*rows[0], "link"}


class Quoting:
    """A searcher that fails and says what it was asked."""

    def __init__(self, searcher: ClauseSearcher, error: Exception) -> None:
        self.collection, self.sent_to, self.error, self.asked = searcher.collection, searcher.sent_to, error, 0

    def search(self, query: str, k: int, filters: ClauseFilters) -> ClauseAnswer:
        self.asked += 1
        raise self.error


def test_nothing_of_a_query_is_logged_unless_that_is_asked_for(
    searcher: ClauseSearcher, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "lawng")
    word = "secretword"
    broken: Any = Quoting(searcher, ValueError(f"cannot look for {word}"))
    for asked in (
        search(word),
        search(word, "/api/clauses"),
        search(word, f"/clause/{quote(ids(searcher)[0])}"),
        search(word, file=word),
    ):
        get(searcher, asked)
        get(broken, asked)
    assert "could not look: ValueError" in caplog.text
    assert word not in caplog.text
    get(searcher, search(word), WebSettings(log_arguments=True))
    assert f"/search?q={word}" in caplog.text


def test_a_search_that_fails_is_not_nothing_found(searcher: ClauseSearcher) -> None:
    broken: Any = Quoting(searcher, ValueError("x"))
    for path, status in (("/search", 503), ("/api/clauses", 503)):
        response = get(broken, search("cap", path))
        assert (response.status_code, "could not be searched" in response.text) == (status, True)
        assert response.headers["retry-after"] == "30"
    refusing: Any = Quoting(searcher, InputError("no contract is left"))
    assert get(refusing, search("cap")).status_code == 422


def test_equal_searches_are_made_once_and_answers_are_kept_up_to_a_number(searcher: ClauseSearcher) -> None:
    class Counting(Quoting):
        def search(self, query: str, k: int, filters: ClauseFilters) -> ClauseAnswer:
            self.asked += 1
            return searcher.search(query, k, filters)

    counting: Any = Counting(searcher, ValueError())
    app = make_contracts_app(ContractsService(counting, WebSettings(kept_answers=2)))
    ask(app, *[search("cap")] * 5)
    assert counting.asked == 1
    for query, n_asked in (("fees", 2), ("tax", 3), ("fees", 3), ("cap", 4), ("tax", 4)):
        assert [one.status_code for one in ask(app, search(query), search(query, "/api/clauses"))] == [200, 200]
        assert counting.asked == n_asked, query


def test_an_answer_that_an_endpoint_failed_is_not_kept(searcher: ClauseSearcher) -> None:
    class Away(Quoting):
        def search(self, query: str, k: int, filters: ClauseFilters) -> ClauseAnswer:
            self.asked += 1
            said = (f"{NOT_AGAIN}: nothing answers.",) if self.asked == 1 else ()
            return replace(searcher.search(query, k, filters), notes=said)

    away: Any = Away(searcher, ValueError())
    app = make_contracts_app(ContractsService(away))
    first, then, again = (ask(app, search("cap"))[0] for _ in range(3))
    assert "not ranked again" in first.text
    assert "not ranked again" not in then.text + again.text
    assert away.asked == 2


def test_the_command_serves_contracts_and_logs_no_query(folder: Path, tmp_path: Path) -> None:
    code = "from lawng.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", str(folder), "--port", "0", "--encoder", "none"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            found = re.search(r"at (http://127\.0\.0\.1:\d+/) \(8 clauses of 2 contracts", process.stderr.readline())
            assert found
            assert "1.2 Cap" in httpx.get(found[1] + "search", params={"q": "a confidential cap"}, timeout=60).text
            process.send_signal(signal.SIGINT)
            talk = process.stderr.read()
        finally:
            process.kill()
    assert re.search(r"GET /search 200 \d+ ms", talk)
    assert "confidential" not in talk
    assert talk.rstrip().endswith("Stopped.")


def test_an_encoder_means_nothing_for_an_index(tmp_path: Path) -> None:
    (tmp_path / "commits.lance").mkdir()
    run = CliRunner().invoke(commands, ["serve", str(tmp_path), "--encoder", "none", "--port", "0"])
    assert "--encoder: means nothing for an index" in str(run.exception)
