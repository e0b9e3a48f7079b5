"""Clauses ranked again: what the model reads, which clauses it is asked, and `lawng search --rerank`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import zscore
from typer.testing import CliRunner, Result

from clauses_support import clauses
from floats_support import close_to
from lawng.clauses.collection import Library
from lawng.clauses.meaning.clause_annotation import Annotation, annotate
from lawng.clauses.meaning.query_intent import QueryIntent, query_intent
from lawng.clauses.ranking.rankers import FeatureRanker
from lawng.clauses.ranking.rerank import FocusedReranker, RerankedRanker, clause_reranker, focus
from lawng.clauses.search import ClauseSearcher
from lawng.cli import app
from lawng.errors import ConfigError, InputError, LabelMapError, LawngError, MissingError
from lawng.models.folder import NOTE
from lawng.models.openai.client import Limits
from lawng.models.rerank import CrossEncoderReranker
from lawng.schema import Clause
from models_support import tiny_model
from openai_support import MODEL, endpoint

CONTRACTS = Path(__file__).parents[2] / "sample" / "contracts" / "files"
TAX = "The dog sleeps. The cat runs. The tax on income was void. The judge found the road."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A relevance model with opinions of its own; no test may change it."""
    return str(tiny_model(tmp_path_factory.mktemp("rerank") / "tiny", ["relevance"]))


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWNG_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def search(place: Path, query: str, *more: str | Path, encoder: str = "none") -> Result:
    return CliRunner().invoke(app, ["search", str(place), query, "--encoder", encoder, *map(str, more)])


# --- the model that is read ------------------------------------------------------------------------------------------


def test_a_focus_in_the_note_is_what_the_model_reads(tmp_path: Path) -> None:
    place = tiny_model(tmp_path / "focused", ["relevance"])
    plain = clause_reranker(str(place))
    assert type(plain) is CrossEncoderReranker
    (place / NOTE).write_text(json.dumps({"focus": 7}), encoding="utf-8")
    focused = clause_reranker(str(place))
    assert isinstance(focused, FocusedReranker)
    part = focus("tax on income", TAX, 7)
    assert part != TAX
    assert focused.notes() == []  # it has read nothing yet
    assert focused.rerank("tax on income", [TAX]) == plain.rerank("tax on income", [part])
    assert focused.rerank("tax on income", [TAX]) != plain.rerank("tax on income", [TAX])
    assert focused.state != plain.state
    assert focused.notes() == ["focused reads about 7 words of a clause, those that answer the query best."]
    (place / NOTE).write_text(json.dumps({"focus": "all"}), encoding="utf-8")
    with pytest.raises(InputError, match="focus 'all' is no number of words"):
        clause_reranker(str(place))


def test_a_model_that_was_trained_with_expanded_queries_is_refused(tmp_path: Path) -> None:
    place = tiny_model(tmp_path / "expanded", ["relevance"])
    for expand in (0, None):
        (place / NOTE).write_text(json.dumps({"expand": expand}), encoding="utf-8")
        assert not isinstance(clause_reranker(str(place)), FocusedReranker)
    (place / NOTE).write_text(json.dumps({"expand": 2}), encoding="utf-8")
    with pytest.raises(InputError, match="trained with --expand"):
        clause_reranker(str(place))


def test_clauses_that_the_model_reads_in_part_are_counted(model: str) -> None:
    again = clause_reranker(model)
    again.rerank("tax", [TAX, "The dog sleeps."])
    assert again.notes() == []
    again.rerank("tax", [TAX * 5])
    assert again.notes() == ["1 of 3 texts are longer than tiny reads: it goes by their beginning."]


# --- what is ranked again --------------------------------------------------------------------------------------------


class First:
    """Ranks clauses as they stand."""

    name = "first"
    notes: tuple[str, ...] = ("a note",)

    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, NDArray[np.float64]]:
        return {"score": -np.arange(len(clauses), dtype=np.float64), "bm25": np.ones(len(clauses))}


class Longest:
    """Ranks the longest text first, and notes what it was given."""

    name, state = "models/longest", "1"

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.seen.append(list(texts))
        return [float(len(text)) for text in texts]

    def notes(self) -> list[str]:
        return [f"{len(self.seen)} times"]


class Reading(First):
    """A ranking that reads every query as one for a cap; what it keeps of a clause's sentences is in another order."""

    def __init__(self, keeps: bool) -> None:
        self.keeps = keeps

    def reads(self, query: str) -> QueryIntent:
        return query_intent("cap on liability")

    def annotation(self, clause: Clause) -> Annotation | None:
        first, cap, last = annotate(clause.text)
        return (first, last, cap) if self.keeps else None


@pytest.mark.parametrize("keeps", [False, True])
def test_a_model_is_shown_what_the_first_ranking_has_read(keeps: bool, tmp_path: Path) -> None:
    plain, focused = (tiny_model(tmp_path / name, ["relevance"]) for name in ("plain", "focused"))
    (focused / NOTE).write_text(json.dumps({"focus": 7}), encoding="utf-8")
    cap, last = "Total liability shall not exceed one dollar.", "Dogs sleep a lot."
    given = clauses(f"Goods ship to the north at noon. {cap} {last}")
    [found] = RerankedRanker(Reading(keeps), clause_reranker(str(focused))).scores("zebras", given)["rerank"].tolist()
    assert found == close_to(clause_reranker(str(plain)).rerank("zebras", [last if keeps else cap])[0])


def test_a_search_is_ranked_again_at_its_top() -> None:
    ranker, given = RerankedRanker(First(), Longest(), depth=3, weight=1), clauses("x", "xxx", "yyy", "zzzzzzzz")
    columns = ranker.scores("q", given)
    assert list(columns) == ["score", "rerank", "first", "bm25"]
    assert columns["score"].tolist() == [-2.0, 0.0, -1.0, -3.0]
    assert str(columns["score"][1]) == "0.0"  # and not -0.0
    np.testing.assert_array_equal(columns["rerank"], [1.0, 3.0, 3.0, np.nan])
    assert columns["first"].tolist() == [0.0, -1.0, -2.0, -3.0]
    assert ranker.notes == ("a note", "1 times")
    assert ranker.name == "first, up to 3 of the best again by longest"
    with pytest.raises(ConfigError, match="depth: 0"):
        RerankedRanker(First(), Longest(), 0)


def test_clauses_of_equal_words_count_once_and_stay_together() -> None:
    again, given = Longest(), clauses("aa", "A A", "a\na", "bbb", "cccc", "bbb", "BBB")
    columns = RerankedRanker(First(), again, depth=3, weight=1).scores("q", given)
    assert again.seen == [["aa", "A A", "bbb"]]
    assert np.argsort(-columns["score"]).tolist() == [1, 2, 3, 5, 6, 0, 4]
    np.testing.assert_array_equal(columns["rerank"], [2.0, 3.0, 3.0, 3.0, np.nan, 3.0, 3.0])


@pytest.mark.parametrize(
    ("weight", "best", "why"),
    [
        (0.01, [0, 1, 2, 3], "the first order, but for what ties"),
        (0.35, [0, 2, 1, 3], "the sums are 0.40, 0.13, 0.18, -0.72"),
        (1.0, [2, 3, 1, 0], "the model's order alone"),
    ],
)
def test_both_scores_count_by_the_weight(weight: float, best: list[int], why: str) -> None:
    given = clauses("x", "xx", "zzzz", "yyy")
    columns = RerankedRanker(First(), Longest(), weight=weight).scores("q", given)
    assert np.argsort(-columns["score"]).tolist() == best, why
    expected = weight * zscore(columns["rerank"]) + (1 - weight) * zscore(columns["first"])
    assert np.argsort(-expected, kind="stable").tolist() == best


@pytest.mark.parametrize("weight", [0.0, -0.5, 1.5, float("nan")])
def test_a_weight_is_a_share(weight: float) -> None:
    with pytest.raises(ConfigError, match="is not above 0 and at most 1"):
        RerankedRanker(First(), Longest(), weight=weight)


def test_a_depth_beyond_the_clauses_reads_all_of_them_and_none_is_no_error() -> None:
    again = Longest()
    columns = RerankedRanker(First(), again, depth=1000, weight=1).scores("q", clauses("x", "yy"))
    assert np.argsort(-columns["score"]).tolist() == [1, 0]
    assert RerankedRanker(First(), again).scores("q", [])["score"].tolist() == []
    assert again.seen == [["x", "yy"]]


@pytest.mark.parametrize("query", ["zoning", '"capped by" liability'], ids=["no word of it", "no such phrase"])
def test_where_nothing_is_found_no_model_is_asked(tmp_path: Path, query: str) -> None:
    given, again = clauses("Liability is capped at the fees paid.", "Delivery is free."), Longest()
    ranker = RerankedRanker(FeatureRanker(given, None, tmp_path), again, weight=1)
    ready = ClauseSearcher(Library(given), ranker=ranker)
    assert ready.search(query).hits == []
    assert again.seen == []
    assert [hit.clause.section for hit in ready.search("delivery capped").hits] == ["0", "1"]
    assert len(again.seen) == 1


# --- the command -----------------------------------------------------------------------------------------------------


def test_search_ranks_the_best_again(model: str) -> None:
    query, depth = "cap on liability with carve-outs", 5
    run = search(
        CONTRACTS, query, "-k", "8", "--rerank", model, "--depth", str(depth), "--weight", "1", "--to", "jsonl"
    )
    assert run.exit_code == 0, run.output
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    plain = [json.loads(line) for line in search(CONTRACTS, query, "-k", "8", "--to", "jsonl").stdout.splitlines()]
    assert {row["clause_id"] for row in rows[:depth]} == {row["clause_id"] for row in plain[:depth]}
    assert [row["clause_id"] for row in rows[depth:]] == [row["clause_id"] for row in plain[depth:]]
    read = [row["scores"]["rerank"] for row in rows[:depth]]
    assert read == sorted(read, reverse=True)
    assert [row["score"] for row in rows] == [-float(n) for n in range(8)]
    assert all("rerank" not in row["scores"] for row in rows[depth:])
    first = {row["clause_id"]: row["score"] for row in plain}
    assert {row["clause_id"]: row["scores"]["first"] for row in rows} == first
    assert "by BM25 and the glossary, up to 5 of the best again by tiny." in " ".join(run.stderr.split())


def test_explain_shows_the_scores_of_both(model: str) -> None:
    run = CliRunner().invoke(
        app,
        [
            "search",
            str(CONTRACTS),
            "cap",
            "-k",
            "2",
            "--encoder",
            "none",
            "--rerank",
            model,
            "--depth",
            "1",
            "--explain",
        ],
        env={"COLUMNS": "200"},
    )
    read, rest = (line for line in run.stdout.splitlines() if "score " in line and "bm25 " in line)
    assert read.strip().startswith("score 0.000, rerank ")
    assert rest.strip().startswith("score -1.000, first ")
    assert "1 of 1 texts are longer than tiny reads: it goes by their beginning." in run.stderr


def test_search_says_when_nothing_is_found_and_asks_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(monkeypatch) as place:
        monkeypatch.setenv("OPENAI_BASE_URL", place.url)
        run = search(CONTRACTS, "责任限制", "--rerank", f"openai:{MODEL}")
        assert run.exit_code == 0, run.output
        assert run.stdout == ""
        assert "No word of the query occurs in the clauses." in run.stderr
        assert "Nothing found" in run.stderr
        assert place.requests == []


def test_a_language_model_reads_as_many_clauses_as_asked_and_its_faults_are_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with endpoint(monkeypatch) as place:
        monkeypatch.setenv("OPENAI_BASE_URL", place.url)
        place.answer = lambda prompt: "5" if "Customer Data" in prompt else "It depends."
        more = ("-k", "3", "--rerank", f"openai:{MODEL}", "--depth", "3", "--to", "jsonl")
        run = search(CONTRACTS, "cap on liability", *more)
        assert run.exit_code == 0, run.output
        n_bad = sum(json.loads(line)["scores"]["rerank"] == 0 for line in run.stdout.splitlines())
        assert len(place.requests) == 3 + n_bad > 3
        assert f"{n_bad} of 3 answers of {MODEL} were no rating, twice: scored 0" in run.stderr


def test_what_cannot_rank_again_is_one_line(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    stance = tiny_model(tmp_path / "stance", ["entailment", "neutral", "contradiction"])
    short = tiny_model(tmp_path / "short", ["relevance"], limit=8)
    (tmp_path / "commits.lance").mkdir()
    cases: list[tuple[Path, str, tuple[str | Path, ...], type[LawngError], str]] = [
        (
            CONTRACTS,
            "cap",
            ("--rerank", tmp_path / "nothing"),
            MissingError,
            "no such folder, and no name that the Hub could have",
        ),
        (CONTRACTS, "cap", ("--rerank", stance), LabelMapError, "has 3 labels where 1 are needed"),
        (CONTRACTS, "cap", ("--depth", "5"), ConfigError, "--depth: says how --rerank ranks"),
        (CONTRACTS, "cap", ("--weight", "0.5"), ConfigError, "--weight: says how --rerank ranks"),
        (CONTRACTS, "cap", ("--rerank", "none", "--depth", "5"), ConfigError, "--depth: says how --rerank"),
        (CONTRACTS, "cap", ("--rerank", "openai:"), ConfigError, "write openai:MODEL"),
        (CONTRACTS, "cap", ("--rerank", f"openai:{MODEL}"), MissingError, "wants a key"),
        (tmp_path, "cap", ("--weight", "0.5", "--depth", "5"), InputError, "--depth, --weight: mean nothing"),
    ]
    run = search(CONTRACTS, "a tax on the income of a river", "--rerank", short)
    assert run.exit_code == 0
    assert "The best clauses were not ranked again" in run.stderr
    assert "the model reads 8 of both" in run.stderr
    for place, query, more, kind, said in cases:
        run = search(place, query, *more)
        assert isinstance(run.exception, kind), (more, run.output, run.exception)
        assert said in str(run.exception)
        assert "\n" not in str(run.exception)
        assert run.stdout == ""


def test_an_endpoint_that_cannot_be_reached_leaves_the_first_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawng.models.openai.client.for_a_search", lambda: Limits(retries=0))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    run = search(CONTRACTS, "cap", "--rerank", f"openai:{MODEL}", "--depth", "2")
    assert run.exit_code == 0
    said = [line for line in run.stderr.splitlines() if line.startswith("The best clauses were not ranked again")]
    assert len(said) == 1
    assert "http://127.0.0.1:9/v1 cannot be reached, tried once" in said[0]
    assert run.stdout == search(CONTRACTS, "cap", "--rerank", "none").stdout
