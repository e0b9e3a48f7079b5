"""Clause search as a person has it: a folder goes in, clauses with their section numbers come out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from clauses_support import clauses, make_folder, searcher
from encoder_support import HashingEncoder
from lawng.clauses.answer import rows_of
from lawng.clauses.collection import Library, read_library
from lawng.clauses.meaning.clause_annotation import annotate, parts_of
from lawng.clauses.meaning.clause_sentences import flowing
from lawng.clauses.meaning.explained import explain
from lawng.clauses.meaning.query_intent import query_intent
from lawng.clauses.ranking.rankers import FeatureRanker, annotation_of
from lawng.clauses.ranking.rerank import RerankedRanker
from lawng.clauses.search import ClauseSearcher
from lawng.cli import app
from lawng.errors import ConfigError, InputError, LawngError, MissingError
from lawng.models.find import CLAUSE_RERANKER
from lawng.schema import Clause

RUNNER = CliRunner()
CAP, CAP_AGAIN = "Liability is capped at the fees paid.", "Liability is  capped at\nthe fees PAID."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "contracts")


def cli(*arguments: object) -> list[str]:
    return ["search", *map(str, arguments), "--encoder", "none"]


def test_a_docx_and_a_pdf_go_in_and_clauses_with_section_numbers_come_out(folder: Path) -> None:
    run = RUNNER.invoke(app, [*cli(folder, "consequential damages"), "--to", "jsonl"])
    assert run.exit_code == 0, run.output
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    found = {(row["source"], row["section"], row["heading"], row["page"]) for row in rows[:2]}
    assert found == {
        ("prices.docx", "2.2", "Indirect Damages", 0),
        ("older/services.pdf", "7.2", "Indirect Damages", 1),
    }
    by_source = {row["source"]: row for row in rows}
    assert by_source["prices.docx"]["headings"] == ["Liability"]
    assert "Looked at 6 clauses of 2 documents" in run.stderr
    assert "2 not read: broken.docx (contract-unreadable: not a DOCX" in run.stderr
    assert "picture.png (not-a-contract" in run.stderr
    assert "No legal advice" in run.stderr


def test_the_table_shows_source_section_headings_page_and_words(folder: Path) -> None:
    run = RUNNER.invoke(app, [*cli(folder, "fraud or bodily injury", "-k", 1), "--explain"], env={"COLUMNS": "200"})
    assert "prices.docx  2.1  Liability › Cap" in run.stdout
    assert "(a) fraud; and (b) bodily injury." in run.stdout
    assert all(f"{name} " in run.stdout for name in ("score", "bm25", "bm25 expanded", "fit"))
    assert "cosine" not in run.stdout
    page = RUNNER.invoke(app, cli(folder, "third-party claims or fraud", "-k", 1), env={"COLUMNS": "200"})
    assert "older/services.pdf  7.3  Liability › Carve-outs  page 2" in page.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["", "--to", "jsonl"], "the query is empty", id="empty"),
        pytest.param(["… !"], "no word", id="no word"),
        pytest.param(["x" * 50_000], "20,000", id="too long"),
        pytest.param(
            ["cap", "--court", "us", "--after", "1990"], "--court, --after: mean nothing for", id="case options"
        ),
        pytest.param(["cap", "--supporting"], "--supporting/--refuting: means nothing", id="a side"),
        pytest.param(["cap", "--source", "nothing"], "'nothing'", id="no such source"),
    ],
)
def test_bad_queries_and_options_are_one_line(folder: Path, arguments: list[str], said: str) -> None:
    run = RUNNER.invoke(app, cli(folder, *arguments))
    assert isinstance(run.exception, InputError)
    assert said in str(run.exception)
    assert "\n" not in str(run.exception)
    assert run.stdout == ""


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        pytest.param("a.txt", None, "is not there", id="nothing there"),
        pytest.param("a.txt", " ", "no clause could be read", id="blank file"),
        pytest.param("a.jsonl", "{}\nno json", "no clause could be read", id="list without a clause"),
        pytest.param("a.doc", "x", "no clause could be read", id="another format"),
    ],
)
def test_bad_places_are_one_line(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    run = RUNNER.invoke(app, cli(tmp_path / name, "cap"))
    assert isinstance(run.exception, LawngError)
    assert said in str(run.exception)
    assert "\n" not in str(run.exception)


def test_options_for_contracts_mean_nothing_for_an_index(tmp_path: Path) -> None:
    (tmp_path / "commits.lance").mkdir()
    run = RUNNER.invoke(app, ["search", str(tmp_path), "cap", "--source", "a"])
    assert isinstance(run.exception, InputError)
    assert "--source: means nothing for an index" in str(run.exception)


def test_equal_words_are_shown_once_with_the_other_places(tmp_path: Path) -> None:
    answer = searcher(tmp_path, "Delivery is free.", CAP, CAP_AGAIN).search("liability capped")
    assert [(hit.clause.section, [one.section for one in hit.also]) for hit in answer.hits[:1]] == [("1", ["2"])]
    assert len(answer.hits) == 2
    row = next(rows_of(answer))
    assert row["also"] == [{"clause_id": "a.txt#2", "source": "a.txt", "section": "2", "page": 0, "paragraph": 0}]
    assert [CAP[a:b] for a, b in row["highlights"]] == ["Liability", "capped"]


def test_quoted_phrases_must_occur_in_a_short_query_and_not_in_a_clause_as_query(tmp_path: Path) -> None:
    ready = searcher(tmp_path, CAP, "The fees are paid and liability is capped.", "Nothing of it.")
    assert [hit.clause.section for hit in ready.search('"capped at" liability').hits] == ["0"]
    none = ready.search('"capped by" liability')
    assert none.hits == []
    assert none.notes == ("No clause has the words “capped by”.",)
    assert (none.n_clauses, none.n_documents) == (3, 1)
    long = ready.search('liability "capped by" ' + "fees " * 60)
    assert len(long.hits) == 3
    assert any("more than 60 words" in note for note in long.notes)


def test_other_scripts_find_nothing_by_words_and_say_so(tmp_path: Path) -> None:
    answer = searcher(tmp_path, CAP, "Delivery is free.").search("责任限制")
    assert (answer.hits, answer.notes) == ([], ("No word of the query occurs in the clauses.",))
    near = searcher(tmp_path, CAP, "Delivery is free.", encoder=HashingEncoder()).search("责任限制")
    assert len(near.hits) == 2
    assert near.notes == ("No word of the query occurs in the clauses; what is found is found by meaning alone.",)


def test_vectors_are_computed_once_and_the_query_is_not_kept(tmp_path: Path) -> None:
    encoder = HashingEncoder()
    searcher(tmp_path, CAP, "Delivery is free.", encoder=encoder).search("cap")
    # two clauses, the query, what it is taken to mean, and the same question in plain words, "cap" again
    assert encoder.n_encoded == 5
    again = HashingEncoder()
    searcher(tmp_path, CAP, "Delivery is free.", encoder=again)
    assert again.n_encoded == 0


def test_clauses_that_the_encoder_reads_in_part_are_counted(tmp_path: Path) -> None:
    answer = searcher(tmp_path, CAP, "word " * 200, encoder=HashingEncoder(max_tokens=20)).search("liability")
    assert any(note.startswith("1 of 2 clauses are longer than the encoder reads (20 tokens)") for note in answer.notes)


def test_every_word_of_a_small_folder_weighs(tmp_path: Path) -> None:
    found = searcher(tmp_path, "The cap is high.", "The cap is low.", "The cap is none.").search("low cap").hits
    assert [hit.clause.section for hit in found] == ["1", "0", "2"]
    assert all(hit.scores["bm25"] > 0 for hit in found)


def test_a_folder_is_opened_by_names_and_what_was_not_read_is_said(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "cache"))
    library = read_library(folder)
    answer = ClauseSearcher.open(folder, encoder="none").search("consequential damages")
    assert answer.hits == ClauseSearcher(library).search("consequential damages").hits
    assert (answer.rejects, answer.dropped, answer.n_documents) == (library.rejects, library.dropped, 2)
    assert [one.reason for one in answer.rejects] == ["contract-unreadable", "not-a-contract"]
    with pytest.raises(ConfigError, match="--depth"):
        ClauseSearcher.open(folder, encoder="none", depth=3)


def test_headings_around_a_clause_are_searched(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1. Escrow\n\n1.1 Deposit. Code is left.\n\n2. Fee\n\n2.1 Amount. $5.")
    hits = ClauseSearcher(read_library(tmp_path / "a.txt")).search("escrow").hits
    assert hits[0].clause.section == "1.1"


class Backwards:
    """A ranker for which the last clause is the best."""

    name = "backwards"
    notes: tuple[str, ...] = ()

    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, NDArray[np.float64]]:
        return {"score": np.arange(len(clauses), dtype=np.float64)}


class Broken(Backwards):
    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, NDArray[np.float64]]:
        return {"rank": np.zeros(len(clauses))}


class Noting(Backwards):
    """Notes which clauses it ranks, and has a second score for the first of them alone."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, NDArray[np.float64]]:
        self.seen.append([clause.section for clause in clauses])
        own = np.full(len(clauses), np.nan)
        own[0] = 7.0
        return {**super().scores(query, clauses), "own": own}


def test_only_clauses_with_the_phrases_are_ranked() -> None:
    ranker = Noting()
    ready = ClauseSearcher(Library(clauses(CAP, "Delivery is free.", CAP_AGAIN)), ranker=ranker)
    assert [hit.clause.section for hit in ready.search('liability "capped at"').hits] == ["2"]
    assert ready.search('"capped by"').hits == []
    assert ranker.seen == [["0", "2"]]


def test_a_score_that_a_clause_does_not_have_is_left_out() -> None:
    answer = ClauseSearcher(Library(clauses(CAP, "Delivery is free.")), ranker=Noting()).search("cap")
    assert [row["scores"] for row in rows_of(answer)] == [{"score": 1.0}, {"score": 0.0, "own": 7.0}]


def test_another_ranker_may_rank_and_must_give_scores() -> None:
    library = Library(clauses(CAP, "Delivery is free."))
    answer = ClauseSearcher(library, ranker=Backwards()).search("cap")
    assert [hit.clause.section for hit in answer.hits] == ["1", "0"]
    assert answer.ranker == "backwards"
    with pytest.raises(ConfigError, match="score"):
        ClauseSearcher(library, ranker=Broken()).search("cap")


def test_a_copy_of_a_contract_is_shown_once(folder: Path) -> None:
    shutil.copy(folder / "prices.docx", folder / "copy.docx")
    hit = ClauseSearcher(read_library(folder)).search("bodily injury").hits[0]
    assert (hit.clause.source, [one.source for one in hit.also]) == ("copy.docx", ["prices.docx"])


def test_the_encoder_is_the_finder_of_clauses_where_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("lawng.models.onnx.encoder", "lawng.clauses.meaning.query_reader"):
        monkeypatch.setattr(f"{place}.search_embedder", lambda name: HashingEncoder(name=name, width=384))
    path = tmp_path / "clauses.jsonl"
    path.write_text('{"_id": "a", "text": "The cap is high."}\n')
    # tests run without the models that are shipped unless they ask for them
    for models, name in (("", "lawng-clause-finder"), (str(tmp_path), "all-MiniLM-L6-v2")):
        monkeypatch.setenv("LAWNG_MODELS", models)
        assert name in ClauseSearcher.open(path, cache=tmp_path / "cache").ranker.name
        assert "mine" in ClauseSearcher.open(path, encoder="mine", cache=tmp_path / "cache").ranker.name


HEADED = [
    (("Liability", "Cap. With a stop"), "The liability of the Supplier under this agreement is limited\nto the fees, except:\n(a) fraud;\n(b) death."),
    ((), "Renewal. This agreement renews unless a party gives notice.\n\nFees stay."),
    (("Notices",), "\n"),
]  # fmt: skip


class NoReranker:
    state = "none"

    def __init__(self, name: str) -> None:
        self.name = name

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        return [0.0] * len(texts)

    def notes(self) -> list[str]:
        return []


@pytest.mark.parametrize(
    ("name", "given", "weight"), [(CLAUSE_RERANKER, None, 0.2), ("mine", None, 0.4), (CLAUSE_RERANKER, 0.7, 0.7)]
)
def test_the_shipped_re_ranker_counts_less_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, given: float | None, weight: float
) -> None:
    monkeypatch.setattr("lawng.clauses.ranking.rerank.clause_reranker", lambda name, **_: NoReranker(name))
    path = tmp_path / "clauses.jsonl"
    path.write_text('{"_id": "a", "text": "The cap is high."}\n')
    found = ClauseSearcher.open(path, encoder="none", rerank=name, weight=given, cache=tmp_path / "cache").ranker
    assert isinstance(found, RerankedRanker)
    assert found._weight == weight


def test_where_a_re_ranker_fails_clauses_stand_as_they_were_and_it_is_said(tmp_path: Path) -> None:
    class Away(NoReranker):
        def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
            raise MissingError("nothing answers at http://127.0.0.1:9; start it")

    path = tmp_path / "clauses.jsonl"
    path.write_text('{"_id": "a", "text": "The fees are due."}\n{"_id": "b", "text": "The cap is high."}\n')
    plain = ClauseSearcher.open(path, encoder="none", rerank="none", cache=tmp_path / "cache")
    found = ClauseSearcher(plain.collection, ranker=RerankedRanker(plain.ranker, Away("mine"))).search("high cap")
    expected = plain.search("high cap")
    assert found.hits == expected.hits
    assert found.hits[0].clause.text == "The cap is high."
    assert found.ranker == expected.ranker
    said = "The best clauses were not ranked again: nothing answers at http://127.0.0.1:9; start it."
    assert [note for note in found.notes if note not in expected.notes] == [said]


def test_what_a_ranker_keeps_of_a_clause_is_what_is_found_in_it_anew(tmp_path: Path) -> None:
    rows = [
        replace(clause, headings=[*headings])
        for clause, (headings, _) in zip(clauses(*(text for _, text in HEADED)), HEADED, strict=True)
    ]
    ranker = FeatureRanker(rows, None, tmp_path)
    for row in rows:
        known = annotation_of(ranker, row)
        assert known is not None
        alone = annotate(flowing(row.text))
        assert known[len(known) - len(alone) :] == alone
        assert len(known) == len(alone) + sum(len(parts_of(heading)) for heading in row.headings)
        for query in ("cap with carve-outs for fraud and death", "renewal without notice", "notices"):
            intent = query_intent(query)
            assert explain(intent, row.text, row.headings, known) == explain(intent, row.text, row.headings)
    again = RerankedRanker(ranker, NoReranker("none"))
    assert annotation_of(again, rows[0]) == annotation_of(ranker, rows[0])


def test_clauses_that_are_shown_are_not_annotated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = searcher(tmp_path, CAP, "Delivery is free.")
    read: list[str] = []

    def watched(text: str) -> tuple[()]:
        read.append(text)
        return ()

    monkeypatch.setattr("lawng.clauses.meaning.clause_sentences.annotate", watched)
    [first, *_] = found.search("cap").hits
    assert first.parts[0].found
    assert not any(read), "headings alone, and there are none"
