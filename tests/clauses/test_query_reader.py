"""What queries name in words of their own, as an encoder tells it token by token."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from clauses_support import searcher
from encoder_support import HashingEncoder
from floats_support import close_to
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS
from lawng.clauses.meaning.negation_scope import Sense
from lawng.clauses.meaning.query_intent import Named, affirmed, query_intent
from lawng.clauses.meaning.query_reader import LEAST, SURE, query_reader
from lawng.datasets.marked_queries import marked_query, read_marked
from lawng.errors import InputError
from lawng.models.onnx.embedder import OnnxEmbedder, TokenTags

NAMES = [one.name for one in (*SUBJECTS, *MATTERS)]
SENSES = ["said", "excepted", "absent"]
KEPT = Path(__file__).parents[2] / "benchmarks" / "data" / "clauses"


class Told(OnnxEmbedder):
    """An encoder that tells of some words what they are, by a table: notion (or several), probability, sense."""

    def __init__(self, **table: tuple[str, float, str]) -> None:
        self.labels = [["", "zebra", *NAMES], SENSES]
        self.asked: list[str] = []
        self._table = table

    def tags(self, text: str) -> TokenTags:
        self.asked.append(text)
        places = [found.span() for found in re.finditer(r"\w+|[^\w\s]", text)]
        notions, senses = np.zeros((len(places), len(self.labels[0]))), np.zeros((len(places), 3))
        for row, (start, end) in enumerate(places):
            notion, share, sense = self._table.get(text[start:end], ("", 1.0, "said"))
            notions[row, 0] = 1 - share
            for one in (several := notion.split("|")):
                notions[row, self.labels[0].index(one)] = share / len(several)
            senses[row, SENSES.index(sense)] = 1.0
        return TokenTags(places, [notions, senses])


TABLE: dict[str, tuple[str, float, str]] = {
    "ceiling": ("cap", 0.9, "said"),
    "roof": ("cap", LEAST + 0.01, "said"),
    "hat": ("cap", LEAST - 0.01, "said"),
    "lies": ("fraud", 0.9, "excepted"),
    "deceit": ("fraud", 0.9, "said"),
    "tricks": ("fraud", 0.9, "excepted"),
    "neglect": ("negligence", 0.9, "absent"),
    "stripes": ("zebra", 0.9, "said"),
    "torn": ("cap|fraud", 2 * SURE - 0.02, "said"),
    "halves": ("cap|fraud", 2 * SURE + 0.02, "said"),
    "of": ("cap", 0.9, "said"),
    "tag": ("cap", 0.9, "said"),
}


@pytest.mark.parametrize(
    ("query", "read", "why"),
    [
        ("the ceiling", [("cap", 4, 11, Sense.SAID)], "one word"),
        ("ceiling roof", [("cap", 0, 12, Sense.SAID)], "tokens of a notion that stand together are one"),
        ("ceiling or roof", [("cap", 0, 7, Sense.SAID), ("cap", 11, 15, Sense.SAID)], "what lies between parts them"),
        ("ceiling lies", [("cap", 0, 7, Sense.SAID), ("fraud", 8, 12, Sense.EXCEPTED)], "notions part each other"),
        ("deceit lies tricks", [("fraud", 0, 18, Sense.EXCEPTED)], "what is asked goes by all of the stretch"),
        ("neglect", [("negligence", 0, 7, Sense.ABSENT)], "what must not be there"),
        ("a hat", [], "too unsure"),
        ("stripes", [], "the glossary has no such notion (any more)"),
        ("CEILING", [("cap", 0, 7, Sense.SAID)], "case does not matter"),
        ("torn", [], "something, but too unsure what"),
        ("halves", [("cap", 0, 6, Sense.SAID)], "sure enough, and the first of two"),
        ("of the", [], "a word without content names nothing"),
        ("ceiling of", [("cap", 0, 10, Sense.SAID)], "but belongs to what does"),
        ("tag-along", [], "parts of a word are one word"),
        ("tag/ceiling", [("cap", 0, 11, Sense.SAID)], "parts of a word are one word"),
        ("(ceiling), lies.", [("cap", 1, 8, Sense.SAID), ("fraud", 11, 15, Sense.EXCEPTED)], "stops are left outside"),
        ("...", [], "nothing to read"),
        ("", [], "nothing to read"),
        (" \n ", [], "nothing to read"),
    ],
)
def test_tokens_are_read_as_stretches(query: str, read: list[tuple[str, int, int, Sense]], why: str) -> None:
    assert [*query_reader(Told(**TABLE))(query)] == [Named(*one) for one in read], why


def test_a_query_is_read_once_for_ranking_and_explanation() -> None:
    encoder = Told(**TABLE)
    reader = query_reader(encoder)
    assert reader("the ceiling") == reader("the ceiling")
    assert encoder.asked == ["the ceiling"]


def test_without_an_encoder_that_reads_nothing_is_read() -> None:
    assert query_reader(None)("the ceiling") == ()
    assert query_reader(HashingEncoder())("the ceiling") == ()


@pytest.mark.parametrize(
    ("query", "named", "part", "concepts", "why"),
    [
        ("ceiling, lies aside", [("fraud", 9, 13, Sense.EXCEPTED)], "excepted", ["fraud"], "as it is told"),
        (
            "ceiling, no lies",
            [("fraud", 12, 16, None)],
            "absent",
            ["fraud"],
            "where nothing tells, by the query's cues",
        ),
        (
            "ceiling, no lies",
            [("fraud", 12, 16, Sense.EXCEPTED)],
            "excepted",
            ["fraud"],
            "what is told goes before cues",
        ),
        (
            "lies and lies",
            [("fraud", 0, 4, Sense.SAID), ("fraud", 9, 13, Sense.EXCEPTED)],
            "excepted",
            ["fraud"],
            "excepted anywhere",
        ),
        (
            "lies and lies",
            [("fraud", 0, 4, Sense.ABSENT), ("fraud", 9, 13, Sense.SAID)],
            "absent",
            ["fraud"],
            "the first",
        ),
        ("fraud", [("fraud", 0, 5, Sense.EXCEPTED)], "excepted", ["fraud"], "of what a pattern reads, too"),
    ],
)
def test_what_is_asked_of_a_notion_is_told(
    query: str, named: list[tuple[str, int, int, Sense | None]], part: str, concepts: list[str], why: str
) -> None:
    found = query_intent(query, (Named("cap", 0, 7, Sense.SAID), *(Named(*one) for one in named)))
    assert [one.name for one in getattr(found, part)] == concepts, why
    assert "fraud" in concepts
    assert sum("fraud" in [one.name for one in some] for some in (found.said, found.excepted, found.absent)) == 1


def test_a_subject_that_must_not_be_there_is_taken_out_of_the_words() -> None:
    query = "ceiling without poaching"
    named = (Named("cap", 0, 7, Sense.SAID), Named("no solicit of employees", 16, 24, Sense.ABSENT))
    found = query_intent(query, named)
    assert [one.name for one in found.subjects] == ["cap"]
    assert [one.name for one in found.absent] == ["no solicit of employees"]
    assert affirmed(query, named) == "ceiling"


def test_what_a_hit_satisfies_goes_by_what_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("This Agreement is governed by the laws of Ohio.", "Goods are delivered free.")
    told = query_reader(Told(home=("governing law", 0.9, "said")))
    monkeypatch.setattr("lawng.clauses.ranking.features.query_reader", lambda _: told)
    found = searcher(tmp_path, *texts, encoder=HashingEncoder(width=1 << 14)).search("home").hits[0]
    assert found.clause.text == texts[0]
    assert [(part.asked, part.found) for part in found.parts] == [("governing law", True)]


@pytest.mark.parametrize(
    ("query", "share", "why"),
    [
        ("who has a cap?", 1.0, "all but function words"),
        ("what do I pay with a cap", 0.5, "one of two words of content"),
        ("mutual cap", 1.0, "whom it favours is read too"),
        ("buyer-favorable cap clause", 1.0, "clause is no word of content"),
        ("cap for zebras", 0.5, "one of two words"),
        ("cap for zebras, lions and fraud", 0.5, "two of four"),
        ("cap without exceptions", 1.0, "cues are read as such"),
        ("cap that does not apply to zebras", 0.5, "what is excepted is not explained"),
        ("cap that does not exist", 1 / 3, "a negation that turns nothing is not read, nor what it negates"),
        ("cap that does not cover fraud", 1.0, "one that does is"),
        ("seller-favorable limitation of all liability", 1.0, "two words of content, and a side"),
        ("fraud", 0.0, "no subject: nothing is asked of a clause as a whole"),
        ("zebras", 0.0, "nothing is known"),
        ("", 0.0, "nothing is asked"),
    ],
)
def test_how_much_of_a_query_is_explained(query: str, share: float, why: str) -> None:
    assert query_intent(query).explained == close_to(share), why


def test_a_stretch_of_more_words_than_a_name_has_says_more_than_it() -> None:
    """Else a license and one that is "non-exclusive" would be one question."""
    query = "non-exclusive license of the zebras, and cap"
    for end, share in ((len("non-exclusive license of the zebras"), 3 / 4), (len("non-exclusive license"), 3 / 4)):
        assert query_intent(query, (Named("license", 0, end, Sense.SAID),)).explained == close_to(share)
    twice = (Named("license", 0, 21, Sense.SAID), Named("exclusivity", 4, 21, Sense.SAID))
    assert query_intent(query, twice).explained == close_to(3 / 4), "stretches that overlap are one"


@pytest.mark.parametrize(
    ("query", "plain"),
    [
        ("what does the cap cover", "cap"),
        (
            "cap that does not apply to fraud or gross negligence",
            "cap, with an exception for gross negligence and fraud",
        ),
        ("cap, no exceptions", "cap, without exceptions"),
        ("cap with carve-outs", "cap, with exceptions"),
        ("mutual indemnification for negligence, no fraud", "mutual indemnity, negligence, without fraud"),
        ("unilateral seller-favorable cap", "one-sided seller-favorable cap"),
        ("buyer-friendly indemnity", "buyer-favorable indemnity"),
    ],
)
def test_a_query_in_plain_words(query: str, plain: str) -> None:
    assert query_intent(query).plain == plain


def test_who_asks_the_same_in_other_words_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = (
        "In no event shall Lessor's total liability exceed one dollar.",
        "In no event shall the total liability of the keeper of zebras exceed two dollars.",
        "A roof is on the house.",
        "The ceiling is painted.",
    )
    told = query_reader(Told(**TABLE))
    monkeypatch.setattr("lawng.clauses.ranking.features.query_reader", lambda _: told)
    ready = searcher(tmp_path, *texts, encoder=HashingEncoder(width=1 << 14))

    def scores(query: str) -> dict[str, float]:
        return {hit.clause.text: hit.scores["score"] for hit in ready.search(query).hits}

    assert scores("the ceiling") == {text: close_to(score) for text, score in scores("a roof").items()}
    assert scores("ceiling without lies") != scores("ceiling")
    apart = {query: scores(query)[texts[1]] - scores(query)[texts[0]] for query in ("ceiling", "ceiling for zebras")}
    assert apart["ceiling for zebras"] > apart["ceiling"], "what is not explained is matched as it is"


def test_marks_are_read_as_they_are_written() -> None:
    query = marked_query("A [Ceiling|cap], [deceit|-fraud] left out, no [harm to people|!personal injury]")
    assert query.text == "a ceiling, deceit left out, no harm to people"
    assert [(query.text[one.start : one.end], one.notion, one.sense) for one in query.marks] == [
        ("ceiling", "cap", "said"),
        ("deceit", "fraud", "excepted"),
        ("harm to people", "personal injury", "absent"),
    ]
    assert marked_query("none here").marks == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", r"marked.jsonl:2: no \{"),
        ('{"query": 1}', r"marked.jsonl:2: no \{"),
        ('{"query": " "}', r"marked.jsonl:2: no \{"),
        ('{"query": "[ceiling|cap"}', r"marked.jsonl:2: no \{"),
        ('{"query": "[ceiling]"}', r"marked.jsonl:2: no \{"),
        ('{"query": "[ceiling|hat]"}', r"marked.jsonl:2: the glossary has no 'hat'"),
        ('{"query": "[ceiling|+cap]"}', r"marked.jsonl:2: the glossary has no '\+cap'"),
        ("", r"marked.jsonl:2: no \{"),
    ],
)
def test_what_is_no_marked_query_is_named_by_its_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "marked.jsonl"
    path.write_text('{"query": "[ceiling|cap]"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_marked([path], NAMES)
    with pytest.raises(InputError, match=r"nothing\.jsonl: cannot be read"):
        read_marked([tmp_path / "nothing.jsonl"], NAMES)


MARKED = ("marked", "marked-2", "marked-3", "marked-4")


def test_what_the_encoder_learned_from_knows_every_notion_and_none_of_the_queries_kept_aside() -> None:
    read = read_marked([KEPT / f"{name}.jsonl" for name in (*MARKED, "phrases")], NAMES)
    named = [mark.notion for query in read for mark in query.marks]
    assert {*named} == {*NAMES}
    assert min(map(named.count, NAMES)) >= 60
    assert sum(not query.marks for query in read) >= 500
    aside = set()
    learned = (*MARKED, "phrases", "groups-1", "groups-2", "groups-3", "constraint-grades")
    kept = {path.stem for path in KEPT.glob("*.jsonl")} - {*learned}
    assert len(kept) >= 15
    for name in kept:
        rows = [json.loads(line) for line in (KEPT / f"{name}.jsonl").read_text("utf-8").splitlines()]
        parts = ("a", "b", "query") if name != "reworded" else ("reworded",)
        aside |= {row[part].lower() for row in rows for part in parts if part in row}
    assert not aside & {query.text for query in read}
