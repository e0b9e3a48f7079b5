"""News articles of each format: what is read, and what is a counted reject with its place and a reason."""

from __future__ import annotations

import base64
import gzip
import json
import zipfile
from collections import Counter
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from corpus_support import shared
from lawng.directional import news
from lawng.directional.news import ENTRIES, Item, news_files, read_news
from lawng.directional.records import Article
from lawng.errors import InputError
from lawng.io.limits import lines_of
from lawng.pipeline import Count
from lawng.schema import Reject

STORY = (
    '<REUTERS TOPICS="YES" NEWID="{id}">\n<DATE>{day}</DATE>\n<TEXT{type}>&#2;\n<TITLE>{title}</TITLE>'
    "<BODY>{body}\n Reuter\n&#3;</BODY></TEXT>\n</REUTERS>\n"
)


def story(id: str = "1", day: str = "26-FEB-1987 15:01:01.79", body: str = "It rained.", title: str = "RAIN") -> str:
    return STORY.format(id=id, day=day, body=body, title=title, type="")


def read(place: Path, name: str, content: str | bytes) -> list[Item]:
    (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_all(place)


def read_all(place: Path) -> list[Item]:
    items = [item for file in news_files(place) for item in read_news(file)]
    came = sum(item.n for item in items if isinstance(item, Count) and item.what == ENTRIES)
    assert came == len(articles(items)) + len(rejects(items))
    return items


def articles(items: list[Item]) -> list[Article]:
    return [item for item in items if isinstance(item, Article)]


def rejects(items: list[Item]) -> list[tuple[str, str]]:
    return [(item.reason, item.place) for item in items if isinstance(item, Reject)]


def test_json_lines_are_articles(tmp_path: Path) -> None:
    row = {"id": "a", "date": "2016-03-29", "title": "T", "text": "One.\n\nTwo  three."}
    assert articles(read(tmp_path, "news.jsonl", json.dumps(row))) == [
        Article("a", date(2016, 3, 29), "T", "One.\n\nTwo three.")
    ]


def test_clue_news_has_other_names_and_days_without_a_year(tmp_path: Path) -> None:
    row = {"news_id": "61", "title": "标题", "desc": "", "time": "03-22 12:00", "content": "导游卖门票。"}
    [one] = articles(read(tmp_path, "news2016zh.json", json.dumps(row, ensure_ascii=False)))
    assert (one.article_id, one.date, one.language) == ("61", date(2016, 3, 22), "zh")


def test_documents_of_newscrawl_have_their_paragraphs_in_base64(tmp_path: Path) -> None:
    sentences, whole = (base64.b64encode(text.encode()).decode() for text in ("One.\nTwo.", "One. Two."))
    lines = f"20170302\t{sentences}\t{whole}\n20170303\t{sentences}\n20170303\t!!\n"
    items = read(tmp_path, "news-docs.2017.en.gz", gzip.compress(lines.encode()))
    assert [(one.date.day, one.text) for one in articles(items)] == [(2, "One. Two."), (3, "One.\n\nTwo.")]
    assert rejects(items) == [("not-base64", "news-docs.2017.en.gz:3")]


@pytest.mark.parametrize("name", ["2017-03-02.txt", "crawl_20170302.txt", "2017_03_02"])
def test_a_file_of_a_day_has_its_articles_between_empty_lines(tmp_path: Path, name: str) -> None:
    items = read(tmp_path, name, "One.\nTwo.\n\n\nThree.\n")
    assert [(one.date, one.text) for one in articles(items)] == [
        (date(2017, 3, 2), "One.\n\nTwo."),
        (date(2017, 3, 2), "Three."),
    ]


def test_a_line_of_a_days_file_that_is_too_long_is_rejected_and_the_rest_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "lines_of", partial(lines_of, limit=20))
    items = read(tmp_path, "2017-03-02.txt", f"One.\nTwo.\n{'x' * 40}\nThree.\n\n{'y' * 40}\n\nFour.")
    assert [one.text for one in articles(items)] == ["One.\n\nTwo.", "Three.", "Four."]
    assert rejects(items) == [("line-too-long", f"2017-03-02.txt:{number}") for number in (2, 4)]
    assert sum(one.n for one in items if isinstance(one, Count)) == 5


@pytest.mark.parametrize(
    ("content", "texts", "why"),
    [
        ("[AP] London: It rained.", ["[AP] London: It rained."], "a bracket begins a text"),
        ("[1] It rained.", ["[1] It rained."], "a number in one too"),
        ('[{"id": "a", "date": "2016-02-20", "text": "T."}]', ["T."], "an array of objects"),
        ('\ufeff {"id": "a", "date": "2016-02-20", "text": "T."}', ["T."], "an object behind a mark"),
        ("[]", [], "an array of nothing"),
    ],
)
def test_json_is_told_from_a_text(tmp_path: Path, content: str, texts: list[str], why: str) -> None:
    assert [one.text for one in articles(read(tmp_path, "news.2016-03-05.txt", content))] == texts, why


@pytest.mark.parametrize(
    ("row", "day", "why"),
    [
        ({"date": "2016-03-05"}, "2016-03-05", "ISO"),
        ({"date": "2016-3-5"}, "2016-03-05", "without zeros"),
        ({"date": "2016/03/05 10:00"}, "2016-03-05", "with a time"),
        ({"date": "20160305"}, "2016-03-05", "eight figures"),
        ({"date": "2016年3月5日"}, "2016-03-05", "as China writes it"),
        ({"date": "05-MAR-1987 15:01:01.79"}, "1987-03-05", "as Reuters writes it"),
        ({"date": "5 March 2016"}, "2016-03-05", "a month in letters"),
        ({"date": "Sat, 05 Mar 2016 10:00:00 GMT"}, "2016-03-05", "as RSS has it"),
        ({"date": "Sat, 5 Mar 2016 23:30:00 -0800"}, "2016-03-05", "the day where it was written"),
        ({"date": "", "published": "2016-03-05"}, "2016-03-05", "the first name that is filled"),
        ({"date": " ", "time": None, "published": "2016-03-05"}, "2016-03-05", "blanks fill nothing"),
        ({"date": "2016-03-05", "text": "", "content": "T."}, "2016-03-05", "a text too"),
        ({"date": "2016-13-5"}, "", "no month"),
        ({"date": "Sat, 45 Mar 2016 10:00:00 GMT"}, "", "no day"),
        ({"date": "2016-3-512"}, "", "a longer number"),
        ({"date": "Sat, 05 Mar 99999999999 10:00:00 GMT"}, "", "no year"),
    ],
)
def test_a_day_is_read_as_it_is_often_written(tmp_path: Path, row: dict[str, str | None], day: str, why: str) -> None:
    found = articles(read(tmp_path, "n.jsonl", json.dumps({"id": "a", "text": "T."} | row)))
    assert [(one.date.isoformat(), one.text) for one in found] == ([(day, "T.")] if day else []), why


def test_a_story_of_reuters_is_text_without_codes_and_markup(tmp_path: Path) -> None:
    body = "Acme Corp &lt;ACM.N> said it bought\n&lt;Bolt and Sons Ltd>.\n    It paid 3 mln &amp; shares.\x05"
    [one] = articles(read(tmp_path, "a.sgm", story(body=body, title="ACME\nBUYS")))
    assert one == Article(
        "1", date(1987, 2, 26), "ACME BUYS", "Acme Corp said it bought Bolt and Sons Ltd.\n\nIt paid 3 mln & shares."
    )


def test_latin_1_is_read(tmp_path: Path) -> None:
    [one] = articles(read(tmp_path, "a.sgm", story(body="A caf\u00e9.").encode("latin-1")))
    assert one.text == "A café."


def test_sgml_that_does_not_close_costs_one_story(tmp_path: Path) -> None:
    broken = story(id="2").replace("</BODY>", "")
    cut = story(id="4").partition("</TEXT>")[0]
    items = read(tmp_path, "a.sgm", story(id="1") + broken + story(id="3") + cut)
    assert [one.article_id for one in articles(items)] == ["1", "3"]
    assert rejects(items) == [("sgml-not-closed", "a.sgm:2"), ("sgml-not-closed", "a.sgm:4")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"id": "a", "text": "T."}', "no-date"),
        ('{"id": "a", "date": "1970-01-01", "text": "T."}', "date-epoch"),
        ('{"id": "a", "date": "soon", "text": "T."}', "date-unreadable"),
        ('{"id": "a", "date": "2016-02-30", "text": "T."}', "date-unreadable"),
        ('{"id": "a", "date": "2016-02-20", "text": " \\n"}', "no-text"),
        ('{"id": "a", "date": "2016-02-20", "text": ["T"]}', "not-an-article"),
        ('["a"]', "not-an-article"),
        ('{"id": ', "not-json"),
        ('{"id": "a", "date": "2016-02-20", "text": "' + "x" * 1_000_001 + '"}', "text-too-long"),
    ],
)
def test_what_is_no_article_is_one_reject_with_its_place(tmp_path: Path, row: str, reason: str) -> None:
    good = '{"id": "b", "date": "2016-02-20", "text": "T."}'
    items = read(tmp_path, "n.jsonl", f"{good}\n{row}\n{good}\n")
    assert len(articles(items)) == 2
    [(found, place)] = rejects(items)
    assert (found, place.startswith("n.jsonl:2")) == (reason, True)


def test_files_that_are_no_news_are_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "README.txt").write_text("About this folder.")
    (tmp_path / "broken.jsonl.gz").write_bytes(
        gzip.compress(b'{"id": "a", "date": "2016-02-20", "text": "T."}\n' * 9)[:-12]
    )
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as packed:
        packed.writestr("in/2017-03-02.txt", "One.")
    items = read_all(tmp_path)
    assert ("not-news", "README.txt") in rejects(items)
    assert ("file-breaks-off", "broken.jsonl.gz") in rejects(items)
    assert articles(items)[-1].article_id == "z.zip/in/2017-03-02.txt:1"


def test_no_source_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no news here"):
        news_files(tmp_path / "nowhere")


def test_all_of_reuters_is_read() -> None:
    items = read_all(shared("reuters21578"))
    reasons = Counter(reason for reason, place in rejects(items) if place.startswith("reut2"))
    # 1,798 briefs and one story more have a title alone
    assert (len(articles(items)), reasons["no-text"], sum(reasons.values())) == (19_779, 1_799, 1_799)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (" EN", "en"),
        ("", "en"),
        ("und", "en"),
        ("American English", "en"),
        (["en"], "en"),
        ("chinese", "zh"),
        ("de", "de"),
    ],
)
def test_a_language_that_is_not_told_is_the_reader_s(tmp_path: Path, said: object, language: str) -> None:
    row = {"id": "a", "date": "2016-03-05", "text": "T.", "language": said}
    [one] = articles(read(tmp_path, "n.jsonl", json.dumps(row)))
    assert one.language == language
