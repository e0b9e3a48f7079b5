"""Excerpts with arguments: spans that slice, pairs that keep to what was read, queries whose texts decide."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lawng.datasets.excerpts import ROLES, Excerpt, excerpt_pairs, read_excerpts
from lawng.datasets.ranking import (
    RankedQuery,
    of_build,
    of_excerpts,
    of_training_set,
    read_queries,
    stretches,
    with_neighbours,
)
from lawng.datasets.splits import part_of_case, side
from lawng.errors import InputError
from lawng.schema import Opinion
from lawng.schema.labels import Label
from lawng.search.roles import load_roles, train_roles
from lawng.text.sentences import sentence_spans
from lawng.text.windows import JUDGED_WORDS, around
from records_support import opinion
from reports_fixture import N, make_build, make_corpus

TRAIN, HELD = "cl:1", "cl:2"
BODY = [
    " ".join(f"Fact number {n} was told at length by a witness who had seen the barn and the road." for n in range(60)),
    "The seller says that the roof was sound. May a buyer go back on the sale? We think that he may. "
    "A seller who hides a leak answers for it. The judgment is affirmed.",
]
SENTENCES = 5
MADE = opinion(TRAIN, BODY)


def row(made: Opinion = MADE, **changes: Any) -> dict[str, Any]:
    """A row on the last five sentences."""
    spans = sentence_spans(made.text, 0, made.body_end)[-SENTENCES:]
    return {
        "id": f"{made.opinion_id}@{spans[0].start}",
        "case_id": made.case_id,
        "opinion_id": made.opinion_id,
        "sentences": [[span.start, span.end] for span in spans],
        "roles": "CQHRH",
        "support": "Whoever conceals that water comes in must make it good.",
        "support_by": [3],
        "refute": "Once he has paid, nobody can undo a purchase.",
        "refute_by": [2, 1],
        "neither": "The price of a barn is due in a month.",
        **changes,
    }


@pytest.fixture
def corpora(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A corpus of two cases, one of each side."""
    assert (side(TRAIN), side(HELD)) == ("train", "held-out")
    known = {made.opinion_id: made for made in (MADE, opinion(HELD, BODY))}

    def opinions(_corpora: Iterable[Path], wanted: set[str]) -> dict[str, Opinion]:
        return {one: known[one] for one in wanted if one in known}

    monkeypatch.setattr("lawng.datasets.excerpts.opinions_of", opinions)
    return [Path("corpus")]


def read(
    place: Path, rows: Iterable[object], corpora: list[Path], say: Callable[[str], None] = lambda line: None
) -> list[Excerpt]:
    file = place / "excerpts.jsonl"
    text = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in rows)
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    return read_excerpts(file, corpora, say)


def test_spans_slice_to_the_opinion_and_others_are_left_out(tmp_path: Path, corpora: list[Path]) -> None:
    said: list[str] = []
    (found,) = read(tmp_path, [row(), "", row(opinion("cl:9", BODY))], corpora, said.append)
    assert said == [f"{tmp_path / 'excerpts.jsonl'}: 1 of 2 rows left out, whose opinions no corpus given has"]
    assert found.sentences[0] == "The seller says that the roof was sound."
    assert [argued.label for argued in found.arguments] == [Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL]
    assert found.part == part_of_case(TRAIN)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("{", "not JSON"),
        ({**row(), "roles": "CQHR"}, "a role is missing"),
        ({**row(), "roles": "CQHRX"}, "no such role"),
        ({**row(), "sentences": [[0, 10**6]] * SENTENCES}, "behind the opinion's end"),
        ({key: value for key, value in row().items() if key != "support_by"}, "no deciding sentences"),
        ([1], "no object"),
        ({**row(), "roles": ""}, "several spans and no roles"),
        ({**row(), "support_by": [SENTENCES]}, "a deciding sentence that is not there"),
        ({**row(), "refute_by": [-1]}, "nor before the first"),
        ({**row(), "support_by": []}, "nothing that decides what is said for it"),
        ('{"opinion_id": "caf\udce9"}', "not UTF-8"),
        ("[" * 100_000, "deeper than any row"),
    ],
)
def test_a_bad_row_is_named_by_its_line(bad: object, why: str, tmp_path: Path, corpora: list[Path]) -> None:
    with pytest.raises(InputError, match=r"excerpts\.jsonl:2: no row of an excerpt"):
        read(tmp_path, [row(), bad], corpora)


def test_pairs_have_the_sentence_that_decides(tmp_path: Path, corpora: list[Path]) -> None:
    (found,) = read(tmp_path, [row()], corpora)
    pairs = list(excerpt_pairs([found]))
    by_label = {str(label): [pair for pair in pairs if pair.gold == [str(label)]] for label in Label}
    assert all("hides a leak" in pair.premise for pair in by_label["entailment"])
    assert all("We think" in pair.premise or "go back" in pair.premise for pair in by_label["contradiction"])
    elsewhere = [pair for pair in pairs if pair.pair_id.endswith(":elsewhere")]
    assert all("Fact number" in pair.premise and pair.gold == ["neutral"] for pair in elsewhere)
    some = [read(tmp_path, [row(id=f"x{n}")], corpora)[0] for n in range(20)]
    keys = [pair.pair_id for pair in excerpt_pairs(some) if pair.pair_id.endswith(":elsewhere")]
    assert 10 <= len(keys) <= 30, "every second argument that something decides"
    assert not any(":neither:" in key for key in keys), "of one that nothing decides a pair is neutral already"
    assert len({pair.pair_id for pair in pairs}) == len(pairs)
    assert {pair.part for pair in pairs} == {found.part}


def passage(made: Opinion = MADE, **changes: Any) -> dict[str, Any]:
    """A row on the last four sentences as one passage."""
    spans = sentence_spans(made.text, 0, made.body_end)[-4:]
    return {
        "id": f"{made.opinion_id}@{spans[0].start}",
        "case_id": made.case_id,
        "opinion_id": made.opinion_id,
        "sentences": [[spans[0].start, spans[-1].end]],
        "support": ["A buyer may return what leaks.", "Nobody is bound by a purchase in which the leak was hidden."],
        "refute": ["A purchase is final.", ""],
        "neither": "The price of a barn is due in a month.",
        **changes,
    }


def test_a_passage_decides_as_a_whole_and_has_several_arguments(tmp_path: Path, corpora: list[Path]) -> None:
    some = read(tmp_path, [passage()], corpora)
    (found,) = some
    pairs = [pair for pair in excerpt_pairs(some) if not pair.pair_id.endswith(":elsewhere")]
    assert [pair.gold[0] for pair in pairs] == ["entailment", "entailment", "contradiction", "neutral"]
    assert {pair.premise for pair in pairs} == {found.sentences[0]}
    assert len({pair.pair_id for pair in pairs}) == 4
    queries = list(of_excerpts(some, 40))
    assert [query.text for query in queries] == [one.text for one in found.arguments if one.decides]
    assert all("hides a leak" in " ".join(query.right) and query.wrong for query in queries)
    assert not list(of_excerpts(some, 0)), "which of its sentences decides was not told"
    leak = [[span.start, span.end] for span in sentence_spans(MADE.text, 0, MADE.body_end)[-2:-1]]
    alone = list(of_excerpts(read(tmp_path, [passage(sentences=leak)], corpora), 0))
    assert [query.text for query in alone] == [query.text for query in queries]
    assert all(
        len(query.right) == 1 and query.right[0].endswith(" A seller who hides a leak answers for it.")
        for query in alone
    )
    assert not any("hides a leak" in text for query in alone for text in query.wrong)


def test_an_argument_that_could_not_be_written_makes_no_pair(tmp_path: Path, corpora: list[Path]) -> None:
    (found,) = read(tmp_path, [row(support="", support_by=[], neither="")], corpora)
    assert {pair.gold[0] for pair in excerpt_pairs([found])} <= {"contradiction", "neutral"}


def test_held_out_excerpts_are_test_pairs_and_queries(tmp_path: Path, corpora: list[Path]) -> None:
    found = read(tmp_path, [row(opinion(HELD, BODY))], corpora)
    assert {pair.part for pair in excerpt_pairs(found)} == {query.part for query in of_excerpts(found, 0)} == {"test"}


def test_roles_are_taught_by_sentences_of_training_cases_and_judged_on_those_held_out(
    tmp_path: Path, corpora: list[Path]
) -> None:
    known = [row(id=f"x{n}") for n in range(6)]
    some = read(tmp_path, [*known, passage(), row(opinion(HELD, BODY))], corpora)
    told = train_roles(some, tmp_path / "roles.json", strength=10.0)
    assert told == {"sentences": 6 * SENTENCES, "held_out": SENTENCES, "right": 1.0}, "a passage has no roles to teach"
    found = load_roles.__wrapped__(tmp_path / "roles.json").of(some[0].sentences)
    assert "".join(list(ROLES)[at] for at in found.argmax(axis=1)) == some[0].roles


@pytest.mark.parametrize("words", [0, 30])
def test_right_texts_decide_and_wrong_ones_do_not(words: int, tmp_path: Path, corpora: list[Path]) -> None:
    (found,) = read(tmp_path, [row()], corpora)
    support, refute = of_excerpts([found], words)
    assert all("hides a leak" in text for text in support.right)
    assert not any("hides a leak" in text for text in support.wrong if words == 0 and "affirmed" not in text)
    assert all("We think" in text or "go back" in text for text in refute.right)
    assert set(support.right).isdisjoint(support.wrong)
    assert any("Fact number" in text for text in support.wrong), "sentences before the excerpt too"


@pytest.mark.parametrize("words", [0, 1, 25, 10_000])
def test_stretches_part_the_text_between_sentences(words: int) -> None:
    spans, sentences = stretches(MADE.text, 0, MADE.body_end, words), sentence_spans(MADE.text, 0, MADE.body_end)
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    assert {span.start for span in spans} <= {span.start for span in sentences}
    of_spans, of_sentences = ([MADE.text[one.start : one.end] for one in some] for some in (spans, sentences))
    assert " ".join(of_spans).split() == " ".join(of_sentences).split()
    longest = max(len(text.split()) for text in of_sentences)
    assert all(len(text.split()) <= max(words, longest) for text in of_spans)


def ranked(number: int, text: str, right: str, case_id: str, citing: str = "") -> RankedQuery:
    return RankedQuery(str(number), text, case_id, "proposition", "train", [right], ["own page"], citing)


def test_a_neighbour_is_of_another_case_and_never_of_the_citing_one() -> None:
    queries = [
        ranked(0, "a tax on salt", "the tax on salt is void", "a", citing="c"),
        ranked(1, "salt", "salt and tax and salt", "a"),
        ranked(2, "tax", "a tax on salt is a tax", "c"),
        ranked(3, "pepper", "a tax on pepper", "d"),
    ]
    queries += [ranked(n, "law", f"river number {n} runs past a mill", f"case {n}") for n in range(4, 20)]
    first = next(iter(with_neighbours(queries)))
    assert first.wrong == ["a tax on pepper", "own page"], "not of its own case a, nor of c, which it is taken from"
    other = next(iter(with_neighbours([replace(queries[0], citing_case_id=""), *queries[1:]])))
    assert other.wrong == ["a tax on salt is a tax", "own page"], "c has it where the query is not taken from c"
    assert [len(query.wrong) for query in with_neighbours(queries[:2])] == [1, 1], "no other case: none is made up"


def test_the_paper_s_training_set_is_queries_too(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"id": str(n), "hypothesis": said, "cited_case_id": case, "premise": premise, "label": label}
        for n, (said, case, premise, label) in enumerate(
            [
                ("p", "wrong", "says q", "neutral"),
                ("p", "cl:1", "says p", "entailment"),
                ("q", "cl:2", "says not q", "contradiction"),
            ]
        )
    ]
    (tmp_path / "data").mkdir()
    for name in ("train", "validation"):
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "data" / f"{name}.parquet")
    found = list(of_training_set(tmp_path))
    assert [(query.part, query.case_id, query.right, query.wrong) for query in found[:2]] == [
        ("train", "cl:1", ["says p"], ["says q"]),
        ("train", "cl:2", ["says not q"], []),
    ], "the case that is sought, whatever row comes first"
    assert [query.part for query in found] == ["train", "train", "dev", "dev"]


def test_queries_of_all_sources_are_read(tmp_path: Path, corpora: list[Path]) -> None:
    read(tmp_path, [row()], corpora)
    found = read_queries([], corpora, [tmp_path / "excerpts.jsonl"], [], 0)
    assert [query.source for query in found] == ["excerpts", "excerpts"]


@pytest.mark.parametrize("make", [of_training_set, lambda place: of_build(place, [], 0)])
def test_a_folder_that_is_none_is_refused(make: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a folder that"):
        list(make(tmp_path))


def test_the_build_s_pages_are_right_and_other_pages_wrong(tmp_path: Path) -> None:
    build, corpus = make_build(tmp_path / "build"), make_corpus(tmp_path / "corpus")
    found = list(of_build(build, [corpus], 0, parts=("train", "dev", "test")))
    assert len(found) == N, "each candidate once"
    for query in found:
        assert len(query.right) == 1
        assert query.wrong
        assert set(query.right).isdisjoint(query.wrong)
        assert query.text.startswith("insurer number"), "without what makes it a fragment"
        assert query.part == part_of_case(query.case_id)
        assert query.citing_case_id not in {"", query.case_id}
    assert {query.part for query in of_build(build, [corpus], 0)} == {"train", "dev"}


@pytest.mark.parametrize("at", range(6))
def test_a_window_has_its_sentence_and_is_whole(at: int) -> None:
    sentences = [f"Sentence {n} has six words." for n in range(6)]
    for words in (1, 5, 11, JUDGED_WORDS):
        window = around(sentences, at, words)
        assert sentences[at] in window
        assert window in " ".join(sentences)
        assert len(window.split()) <= max(words, 5)
    assert around(sentences, at, JUDGED_WORDS) == " ".join(sentences)


DATA = Path(__file__).parents[2] / "benchmarks" / "data"
TAUGHT = sorted(file.name for name in ("passages-?", "sentences-?") for file in DATA.glob(f"{name}.jsonl"))


@pytest.mark.parametrize("name", TAUGHT)
def test_what_models_are_taught_by_is_of_training_cases_and_is_whole(name: str) -> None:
    rows = [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
    assert {side(row["case_id"]) for row in rows} == {"train"}, "the other half of the cases is for measuring"
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert all(start < end for start, end in row["sentences"])
        said = [row[key] for key in ("support", "refute", "neither")]
        texts = [text for one in said for text in ([one] if isinstance(one, str) else one) if text]
        assert len({*texts}) == len(texts), row["id"]


@pytest.mark.parametrize("words", range(20, 120, 10))
def test_no_text_is_right_and_wrong_where_an_excerpt_begins_inside_a_stretch(
    words: int, tmp_path: Path, corpora: list[Path]
) -> None:
    for query in of_excerpts(read(tmp_path, [passage()], corpora), words):
        assert set(query.right).isdisjoint(query.wrong)
