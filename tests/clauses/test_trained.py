"""Clause models: what the trees learn, which clauses they weigh, their folder, and `lawng search --model`."""

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

from clauses_support import clauses
from encoder_support import HashingEncoder
from floats_support import RELATIVE
from lawng.clauses.ranking.features import FEATURES, ClauseFeatures
from lawng.clauses.ranking.rankers import FeatureRanker
from lawng.clauses.ranking.trained import FEWEST, NOTE, Example, Ranking, RankingOptions, fit_ranking, load_ranking
from lawng.cli import app
from lawng.errors import ConfigError, InputError, LawngError, MissingError
from lawng.models.vector_cache import CachedEncoder

RUNNER = CliRunner()
CAP = "Liability shall not exceed the fees paid."
SMALL = RankingOptions(rounds=30, bags=2)
READING = FEATURES.index("reading")


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


def considering(made: Ranking, n: int) -> Ranking:
    """The same trees, which weigh only the n best by reading: training does not depend on it."""
    return fit_ranking(examples(), replace(made.options, considered=n))


def by_reading(features: NDArray[np.float32]) -> NDArray[np.intp]:
    return np.argsort(-features[:, READING], kind="stable")


def test_the_trees_weigh_only_the_best_by_reading(made: Ranking) -> None:
    few, features = considering(made, 10), examples(1, seed=3)[0].features
    best, below = np.split(by_reading(features), [10])
    without, rest = features.copy(), np.flatnonzero(np.arange(len(FEATURES)) != READING)
    without[np.ix_(below, rest)] = 0.0
    assert few.scores(features).tolist() == few.scores(without).tolist() != made.scores(features).tolist()
    without[np.ix_(best, rest)] = 0.0
    assert few.scores(features).tolist() != few.scores(without).tolist()


def test_below_them_the_reading_decides(made: Ranking) -> None:
    few, features = considering(made, 10), examples(1, seed=3)[0].features
    best, below = np.split(by_reading(features), [10])
    scores = few.scores(features)
    assert (np.diff(scores[below]) < 0).all()
    assert (np.diff(made.scores(features)[below]) > 0).any()  # by the trees, these would stand otherwise
    assert scores[best].min() >= scores[below].max()
    assert (np.diff(scores[best]) > 0).any()


def test_what_is_no_smaller_than_the_collection_weighs_all(made: Ranking) -> None:
    features = examples(1, seed=3)[0].features
    for n in (len(features), 10_000):
        assert considering(made, n).scores(features).tobytes() == made.scores(features).tobytes()
    assert made.options.considered > len(features)
    assert made.scores(features[:0]).tolist() == []


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
    assert sorted(path.name for path in one.iterdir()) == ["background.jsonl", NOTE, "trees-0.txt", "trees-1.txt"]
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
        ({"considered": 0}, "considered: 0"),
        ({"left_out": ("colour",)}, "no such feature: colour"),
    ],
)
def test_options_that_cannot_be_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        RankingOptions(**change)


def test_a_clause_model_ranks_where_there_are_clauses_enough(tmp_path: Path, made: Ranking) -> None:
    many = clauses(CAP, *(f"Item {n} is delivered free." for n in range(FEWEST - 1)))
    encoder = HashingEncoder()
    trained = FeatureRanker(many, encoder, tmp_path, made)
    assert trained.name.startswith("a clause model over ")
    columns = trained.scores("cap on liability", many)
    plain = FeatureRanker(many, encoder, tmp_path).scores("cap on liability", many)
    np.testing.assert_allclose(columns["reading"], plain["score"], rtol=RELATIVE)
    assert set(columns) == {*plain, "reading"}
    expected = made.scores(
        ClauseFeatures([one.text for one in many], CachedEncoder(tmp_path, encoder)).of("cap on liability")
    )
    np.testing.assert_allclose(columns["score"], expected, rtol=RELATIVE)
    with pytest.raises(ConfigError, match="needs an encoder"):
        FeatureRanker(many, None, tmp_path, made)


def test_few_clauses_are_ranked_among_those_that_the_model_knows(tmp_path: Path, made: Ranking) -> None:
    few, encoder = clauses(CAP, "Delivery is free.", "Notices are in writing."), HashingEncoder()
    beside = [f"Clause {n} is about something else." for n in range(40)]
    known = Ranking(made._trees, made.options, beside)
    features = ClauseFeatures([*(one.text for one in few), *beside], CachedEncoder(tmp_path, encoder))
    found = FeatureRanker(few, encoder, tmp_path, known)
    columns = found.scores("cap on liability", few)
    assert found.name.startswith("a clause model over ")
    assert {len(column) for column in columns.values()} == {len(few)}
    np.testing.assert_allclose(columns["score"], known.scores(features.of("cap on liability"))[:3], rtol=RELATIVE)
    alone = FeatureRanker(few, encoder, tmp_path, made).scores("cap on liability", few)
    assert columns["score"].tolist() != alone["score"].tolist()
    enough = clauses(*(f"Item {n} is free." for n in range(FEWEST)))
    both = [FeatureRanker(enough, encoder, tmp_path, one).scores("cap", enough)["score"] for one in (made, known)]
    np.testing.assert_allclose(both[0], both[1], rtol=RELATIVE)


def test_a_model_keeps_some_clauses_of_its_collection(tmp_path: Path) -> None:
    texts = [f"Clause {n}\u2028 has a “line”\nof its own." for n in range(FEWEST + 100)]
    ranking = fit_ranking(examples(2), SMALL, texts)
    assert len(set(ranking.background)) == FEWEST
    assert set(ranking.background) < set(texts)
    assert fit_ranking(examples(2), SMALL, texts).background == ranking.background
    assert load_ranking(saved(tmp_path / "model", ranking))[0].background == ranking.background
    assert set(fit_ranking(examples(2), SMALL, texts[:9]).background) == set(texts[:9])


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list of clauses large enough for a clause model, an encoder and a cache for the command line."""
    monkeypatch.setenv("LAWNG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("lawng.models.onnx.encoder.search_embedder", lambda name: HashingEncoder(name=name))
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


def test_search_shows_no_clause_of_the_model(library: Path, tmp_path: Path, made: Ranking) -> None:
    library.write_text("\n".join(library.read_text().splitlines()[:9]))
    model = saved(tmp_path / "model", Ranking(made._trees, made.options, [CAP] * 50))
    run = RUNNER.invoke(app, ["search", str(library), "cap", "--model", str(model), "-k", "60", "--to", "jsonl"])
    assert run.exit_code == 0, run.output
    found = [json.loads(line)["clause_id"] for line in run.stdout.splitlines()]
    assert sorted(found) == sorted(["cap", *map(str, range(8))])
    assert "Looked at 9 clauses" in " ".join(run.stderr.split())
    assert "by a clause model" in " ".join(run.stderr.split())


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
