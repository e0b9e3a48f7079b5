"""Rankings of clauses: what the untrained score is made of, clause models, and `lawng search --model`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from encoder_support import HashingEncoder
from lawng.clauses.answer import ClauseHit
from lawng.clauses.collection import Library
from lawng.clauses.ranking.features import FEATURES, RANKERS, ClauseFeatures
from lawng.clauses.ranking.rankers import FEWEST, ReadingRanker, TrainedRanker, clause_ranker
from lawng.clauses.ranking.trained import NOTE, Example, Ranking, RankingOptions, fit_ranking, load_ranking
from lawng.clauses.search import ClauseSearcher
from lawng.cli import app
from lawng.errors import ConfigError, InputError, LawngError, MissingError
from lawng.models.kept import KeptEncoder
from lawng.records import Clause

RUNNER = CliRunner()
CAP = "Liability shall not exceed the fees paid."
SMALL = RankingOptions(rounds=30, bags=2)


def clauses(*texts: str) -> list[Clause]:
    return [Clause(f"a.txt#{n}", "a.txt", str(n), "", [], 0, 0, len(text), text) for n, text in enumerate(texts)]


def searcher(tmp_path: Path, *texts: str, encoder: HashingEncoder | None = None) -> ClauseSearcher:
    return ClauseSearcher(Library("x", clauses(*texts)), encoder, cache=tmp_path)


def z(hits: Sequence[ClauseHit], name: str) -> NDArray[np.float64]:
    values = np.array([hit.scores[name] for hit in hits])
    return np.asarray((values - values.mean()) / values.std())


def test_the_score_adds_up_words_meaning_and_fit(tmp_path: Path) -> None:
    ready = searcher(tmp_path, CAP, "Delivery is free.", "Fees are due.", encoder=HashingEncoder())
    hits = ready.search("cap on liability for fees").hits
    assert list(hits[0].scores) == ["score", "bm25", "bm25 expanded", "cosine", "cosine of meaning", "fit"]
    expected = z(hits, "cosine") + 0.5 * z(hits, "cosine of meaning") + 0.5 * z(hits, "bm25 expanded") + z(hits, "fit")
    assert [hit.score for hit in hits] == pytest.approx(expected.tolist())


def test_without_an_encoder_words_count_once_more_instead_of_meaning(tmp_path: Path) -> None:
    hits = searcher(tmp_path, CAP, "Delivery is free.", "Fees are due.").search("cap on liability for fees").hits
    assert list(hits[0].scores) == ["score", "bm25", "bm25 expanded", "fit"]
    expected = z(hits, "bm25") + 0.5 * z(hits, "bm25 expanded") + z(hits, "fit")
    assert [hit.score for hit in hits] == pytest.approx(expected.tolist())


def test_a_query_that_the_glossary_does_not_know_is_ranked_by_words_and_meaning(tmp_path: Path) -> None:
    texts = ("The lessee shall repaint the walls.", "Delivery is free.", "The walls are white.")
    words = searcher(tmp_path, *texts).search("repaint the walls").hits
    assert [hit.clause.section for hit in words] == ["0", "2", "1"]
    assert {hit.scores["fit"] for hit in words} == {0.0}
    assert [hit.scores["bm25 expanded"] for hit in words] == [hit.scores["bm25"] for hit in words]
    near = searcher(tmp_path, *texts, encoder=HashingEncoder()).search("repaint the walls").hits
    assert [hit.scores["cosine of meaning"] for hit in near] == pytest.approx([hit.scores["cosine"] for hit in near])
    assert near[0].clause.section == "0"


@pytest.mark.parametrize(
    ("query", "found", "note"),
    [
        pytest.param("capped", "0", None, id="a word of it occurs"),
        pytest.param("caps", "0", "by what the glossary takes it to mean", id="by its meaning"),
        pytest.param("wilfulness", "1", "by the words that the glossary takes it to mean", id="by the meaning's words"),
        pytest.param("zoning", None, "", id="not at all"),
    ],
)
def test_clauses_are_found_by_what_a_query_means(
    tmp_path: Path, query: str, found: str | None, note: str | None
) -> None:
    texts = (
        "Liability capped: the fees are the maximum aggregate liability.",
        "Intentional deeds.",
        "Delivery is free.",
    )
    if query == "caps":
        texts = (texts[0].replace("capped", "limited"), *texts[1:])
    answer = searcher(tmp_path, *texts).search(query)
    assert (answer.hits[0].clause.section if answer.hits else None) == found
    said = "No word of the query occurs in the clauses"
    ranked = f"; they are ranked {note}" if note else ""
    assert answer.notes == (() if note is None else (f"{said}{ranked}.",))


def test_one_clause_alone_is_found_by_its_meaning(tmp_path: Path) -> None:
    answer = searcher(tmp_path, "In no event shall liability exceed the fees.").search("cap")
    assert [hit.score for hit in answer.hits] == [0.0]  # there is nothing to compare it with


def features_of(tmp_path: Path, encoder: HashingEncoder | None, *texts: str) -> ClauseFeatures:
    return ClauseFeatures(texts, KeptEncoder(tmp_path, encoder) if encoder else None)


@pytest.mark.parametrize("encoder", [None, HashingEncoder()], ids=["words alone", "with an encoder"])
@pytest.mark.parametrize("query", ["cap on liability except fraud", "zoning", "", "责任"])
def test_what_all_clauses_are_compared_by_is_always_a_number(
    tmp_path: Path, encoder: HashingEncoder | None, query: str
) -> None:
    found = features_of(tmp_path, encoder, CAP, "", "Delivery is free.", "  \n ", CAP).of(query)
    assert found.shape == (5, len(FEATURES))
    assert np.isfinite(found[:, [FEATURES.index(name) for name in RANKERS]]).all()
    np.testing.assert_array_equal(found[0], found[4])  # of equal words is of equal features
    if encoder is None:
        assert not found[:, [FEATURES.index(name) for name in RANKERS if "cosine" in name or name == "feedback"]].any()


def test_a_collection_of_one_clause_or_none_has_features(tmp_path: Path) -> None:
    for n in (0, 1):
        found = features_of(tmp_path, HashingEncoder(), *[CAP] * n).of("cap")
        assert found.shape == (n, len(FEATURES))


def test_a_ranker_gives_scores_of_the_clauses_asked_for_in_their_order(tmp_path: Path) -> None:
    own = clauses(CAP, "Delivery is free.", "Fees are due.")
    ranker = ReadingRanker(own, HashingEncoder(), tmp_path)
    whole, some = ranker.scores("cap", own), ranker.scores("cap", [own[2], own[0]])
    assert whole.keys() == some.keys()
    for name, column in some.items():
        assert column.tolist() == whole[name][[2, 0]].tolist()


def test_what_was_made_of_clauses_is_kept_and_counted_once(tmp_path: Path) -> None:
    texts = clauses(CAP, "word " * 30, "word " * 8)
    first = ReadingRanker(texts, HashingEncoder(max_tokens=20), tmp_path)
    names = sorted(path.name.partition("-")[0] for path in tmp_path.iterdir())
    assert names == ["anatomies", "hashing", "longer"]

    class Silent(HashingEncoder):
        def count_tokens(self, text: str) -> int:
            raise AssertionError(f"counted again: {text}")

    again = ReadingRanker(texts, Silent(max_tokens=20), tmp_path)
    assert first.n_shortened == again.n_shortened == 1
    assert again.notes[0].startswith("1 of 3 clauses are longer than the encoder reads (20 tokens)")


def examples(n: int = 12, seed: int = 0, order: Callable[[NDArray[Any]], NDArray[Any]] = lambda x: x) -> list[Example]:
    """Queries of which the grades go by one feature, which `order` may disturb."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(n):
        features = chance.normal(size=(60, len(FEATURES))).astype(np.float32)
        value = order(features[:, FEATURES.index("words")])
        made.append(Example(features, np.clip(np.digitize(value, [0.0, 0.5, 1.0, 1.5]), 0, 4).astype(np.int64)))
    return made


def agreement(ranking: Ranking, held_out: Sequence[Example]) -> float:
    """Mean correlation of scores and grades."""
    return float(np.mean([np.corrcoef(ranking.scores(one.features), one.grades)[0, 1] for one in held_out]))


def test_a_model_learns_what_grades_go_by_and_nothing_from_noise() -> None:
    held_out = examples(8, seed=1)
    chance = np.random.default_rng(2)
    learned = agreement(fit_ranking(examples(), SMALL), held_out)
    guessed = agreement(fit_ranking(examples(order=chance.permutation), SMALL), held_out)
    assert learned > 0.7
    assert abs(guessed) < 0.3


def test_a_feature_left_out_is_not_seen() -> None:
    options = replace(SMALL, left_out=("words",))
    found = fit_ranking(examples(), options)
    assert agreement(found, examples(8, seed=1)) < 0.3
    held_out = examples(1, seed=3)[0].features
    other = held_out.copy()
    other[:, FEATURES.index("words")] = 0
    np.testing.assert_array_equal(found.scores(held_out), found.scores(other))


def saved(folder: Path, ranking: Ranking, **about: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    ranking.save(folder, about)
    return folder


@pytest.fixture(scope="module")
def made() -> Ranking:
    """A clause model; no test may change it."""
    return fit_ranking(examples(), SMALL)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path, made: Ranking) -> None:
    one, two = saved(tmp_path / "one", made), saved(tmp_path / "two", fit_ranking(examples(), SMALL))
    other = saved(tmp_path / "other", fit_ranking(examples(), replace(SMALL, seed=8)))
    assert sorted(path.name for path in one.iterdir()) == [NOTE, "trees-0.txt", "trees-1.txt"]
    for path in one.iterdir():
        assert path.read_bytes() == (two / path.name).read_bytes()
    assert (one / "trees-0.txt").read_bytes() != (other / "trees-0.txt").read_bytes()


def test_a_model_read_again_gives_the_same_scores(tmp_path: Path) -> None:
    ranking = fit_ranking(examples(), replace(SMALL, bags=11, rounds=3, left_out=("bm25",)))
    read, note = load_ranking(saved(tmp_path / "model", ranking, data="made up"))
    held_out = examples(1, seed=1)[0].features
    assert read.scores(held_out).tobytes() == ranking.scores(held_out).tobytes()
    assert (read.options, note["data"]) == (ranking.options, "made up")


def rewrite(folder: Path, **changes: object) -> None:
    note = json.loads((folder / NOTE).read_text())
    (folder / NOTE).write_text(json.dumps({**note, **changes}))


def cut(path: Path) -> None:
    text = path.read_text()
    path.write_text(text[: len(text) // 2])


DAMAGE: dict[str, tuple[Callable[[Path], object], type[LawngError], str]] = {
    "no note": (lambda folder: (folder / NOTE).unlink(), MissingError, "make one: lawng train clauses"),
    "no JSON": (lambda folder: (folder / NOTE).write_text("{"), MissingError, "cannot be read"),
    "a list": (lambda folder: (folder / NOTE).write_text("[]"), ConfigError, "holds no clause model"),
    "a stance model": (lambda folder: rewrite(folder, kind="stance"), ConfigError, "holds no clause model but stance"),
    "other features": (lambda folder: rewrite(folder, features=["bm25"]), ConfigError, "made for other features"),
    "unknown options": (lambda folder: rewrite(folder, options={"x": 1}), ConfigError, "is damaged"),
    "no options": (lambda folder: rewrite(folder, options=None), ConfigError, "is damaged"),
    "a tree lost": (lambda folder: (folder / "trees-1.txt").unlink(), ConfigError, "is damaged"),
    "a tree cut": (lambda folder: cut(folder / "trees-1.txt"), ConfigError, "trees-1.txt is cut short"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_folder_that_holds_no_whole_clause_model_is_one_line(tmp_path: Path, made: Ranking, name: str) -> None:
    damage, kind, said = DAMAGE[name]
    folder = saved(tmp_path / "model", made)
    damage(folder)
    with pytest.raises(kind) as error:
        load_ranking(folder)
    assert type(error.value) is kind
    assert said in str(error.value)
    assert str(folder) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("grades", [[], [0, 0, 0], [2, 2, 2]], ids=["no clause", "none relevant", "all alike"])
def test_judgements_that_say_nothing_are_refused(grades: list[int]) -> None:
    example = Example(np.zeros((len(grades), len(FEATURES)), dtype=np.float32), np.array(grades, dtype=np.int64))
    with pytest.raises(InputError, match="no training query has clauses of different grades"):
        fit_ranking([example], SMALL)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rounds": 0}, "rounds: 0"),
        ({"leaves": 1}, "leaves: 1"),
        ({"left_out": ("colour",)}, "no such feature: colour"),
    ],
)
def test_options_that_cannot_be_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        RankingOptions(**change)


def test_a_clause_model_ranks_where_there_are_clauses_enough(tmp_path: Path, made: Ranking) -> None:
    many = clauses(CAP, *(f"Item {n} is delivered free." for n in range(FEWEST - 1)))
    encoder = HashingEncoder()
    trained = clause_ranker(many, encoder, tmp_path, made)
    assert isinstance(trained, TrainedRanker)
    columns = trained.scores("cap on liability", many)
    plain = clause_ranker(many, encoder, tmp_path).scores("cap on liability", many)
    assert columns["reading"].tolist() == plain["score"].tolist()
    assert set(columns) == {*plain, "reading"}
    expected = made.scores(
        ClauseFeatures([one.text for one in many], KeptEncoder(tmp_path, encoder)).of("cap on liability")
    )
    np.testing.assert_array_equal(columns["score"], expected)
    few = clause_ranker(many[:-1], encoder, tmp_path, made)
    assert type(few) is ReadingRanker
    assert few.notes[-1].startswith(f"The clause model is not used: {FEWEST - 1} clauses are too few")
    with pytest.raises(ConfigError, match="needs an encoder"):
        clause_ranker(many, None, tmp_path, made)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list of clauses large enough for a clause model, an encoder and a cache for the command line."""
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("lawng.models.encoder.embedder", lambda name: HashingEncoder(name=name))
    rows = [{"_id": "cap", "text": CAP}, *({"_id": f"{n}", "text": f"Item {n} is free."} for n in range(FEWEST))]
    path = tmp_path / "clauses.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_search_ranks_by_a_clause_model_with_its_own_encoder(library: Path, tmp_path: Path, made: Ranking) -> None:
    model = saved(tmp_path / "model", made, encoder={"name": "hash-a", "state": "1"})
    run = RUNNER.invoke(app, ["search", str(library), "cap", "--model", str(model), "--to", "jsonl"])
    assert run.exit_code == 0, run.output
    assert list(json.loads(run.stdout.splitlines()[0])["scores"])[:2] == ["score", "reading"]
    assert "by a clause model over BM25, hash-a and the glossary" in run.stderr
    other = RUNNER.invoke(app, ["search", str(library), "cap", "--model", str(model), "--encoder", "hash-b"])
    assert "The clause model was trained with vectors of hash-a, not hash-b." in " ".join(other.stderr.split())
    plain = RUNNER.invoke(app, ["search", str(library), "cap", "--model", "none"])
    assert "s, by BM25, " in plain.stderr


def test_search_says_when_there_are_too_few_clauses_for_the_model(library: Path, tmp_path: Path, made: Ranking) -> None:
    library.write_text("\n".join(library.read_text().splitlines()[:9]))
    run = RUNNER.invoke(app, ["search", str(library), "cap", "--model", str(saved(tmp_path / "model", made))])
    assert run.exit_code == 0, run.output
    assert "The clause model is not used: 9 clauses are too few" in " ".join(run.stderr.split())


def test_models_of_the_wrong_kind_are_refused_in_one_line(library: Path, tmp_path: Path, made: Ranking) -> None:
    stance, model, index = tmp_path / "stance", saved(tmp_path / "model", made), tmp_path / "index"
    stance.mkdir()
    (stance / NOTE).write_text(json.dumps({"temperature": 1.0}))
    (index / "commits.lance").mkdir(parents=True)
    for place, extra, kind, said in (
        (library, ["--model", stance], ConfigError, "holds no clause model but another model; name another folder"),
        (library, ["--model", tmp_path / "nothing"], MissingError, "make one: lawng train clauses"),
        (library, ["--model", model, "--encoder", "none"], ConfigError, "leave out --encoder none"),
        (index, ["--model", model], InputError, "is a clause model, which ranks contracts"),
    ):
        run = RUNNER.invoke(app, ["search", str(place), "cap", *map(str, extra)])
        assert type(run.exception) is kind, run.output
        assert said in str(run.exception)
        assert "\n" not in str(run.exception)
        assert run.stdout == ""
