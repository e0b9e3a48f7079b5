"""Training finders and re-rankers of passages: what they learn, folders whole or not at all, runs that go on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from floats_support import close_to
from lawng.datasets.ranking import RankedQuery
from lawng.errors import ConfigError, InputError
from lawng.models.encoder import embedder
from lawng.models.folder import NOTE, ONNX
from lawng.models.onnx.embedder import GRAPH, OnnxEmbedder
from lawng.models.pairs import relevance_model
from lawng.models.training.calibration import least_probability, risks
from lawng.models.training.options import RetrieverOptions, Run
from lawng.models.training.ranking import fit_reranker, graded, reciprocal_rank
from lawng.models.training.retriever import first_rank, fit_retriever, planned_batches, triplets
from models_support import SMALL, calm_encoder, tiny_encoder

NOUNS = ["statute", "river", "dog", "cat", "road", "house", "judge", "tax"]


def queries(part: str = "train") -> list[RankedQuery]:
    """A text is right that has the query's noun."""
    found = []
    for n in range(6 if part == "train" else 2):
        for at, noun in enumerate(NOUNS):
            others = [NOUNS[(at + 1 + n) % 8], NOUNS[(at + 3 + n) % 8]]
            right, wrong = f"the {noun} is void", [f"the {other} is void" for other in others]
            found.append(
                RankedQuery(f"{part}{n}{noun}", f"{noun} held", f"{part}:{n}:{at}", "made", part, [right], wrong)
            )
    return found


EVERY = [*queries(), *queries("dev")]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_encoder(tmp_path_factory.mktemp("base") / "tiny"))


@pytest.fixture(scope="module")
def options(base: str) -> RetrieverOptions:
    return RetrieverOptions(base=base, batch=8, max_length=32, epochs=8, lr=5e-3, save_steps=10, log_steps=10)


@pytest.fixture(scope="module")
def finder(options: RetrieverOptions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fit_retriever(tmp_path_factory.mktemp("finder") / "finder", EVERY, options, lambda _: None)


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_no_batch_has_two_of_a_case_and_an_epoch_none_twice(batch: int) -> None:
    cases = [f"c{n % 9}" for n in range(60)]
    plan = planned_batches(cases, RetrieverOptions(batch=batch, epochs=2))
    for at in range(0, len(plan), batch):
        own = plan[at : at + batch]
        assert len({cases[place] for place in own}) == len(own) == batch
    assert max(np.bincount(plan)) <= 2
    assert plan == planned_batches(cases, RetrieverOptions(batch=batch, epochs=2))


def test_triplets_take_wrong_texts_of_the_case_and_of_others() -> None:
    own = {query.text: query for query in queries()}
    kinds = {one.wrong in own[one.query].wrong for one in triplets(queries())}
    assert kinds == {True, False}
    for one in triplets(queries()):
        assert one.right in own[one.query].right
        assert one.wrong != one.right


def test_a_finder_learns_and_says_what_it_was_taught(finder: Path) -> None:
    note = json.loads((finder / NOTE).read_text("utf-8"))
    assert note["dev"]["trained"] > note["dev"]["base"]
    assert note["dev"]["trained"] == pytest.approx(first_rank(embedder(str(finder)), queries("dev")), abs=1e-4)
    assert note["queries"] == {"train": {"made": 48}, "dev": {"made": 16}}
    graph = json.loads((finder / "onnx" / NOTE).read_text("utf-8"))
    assert note["queries"] == graph["queries"], "whoever has the graph alone knows it too"
    assert "R@1" in (finder / "README.md").read_text("utf-8")
    assert not (finder / "work").exists()


def test_the_int8_graph_is_nearly_the_model_and_checked(finder: Path, tmp_path: Path) -> None:
    texts = ["the statute is void", "the dog is void"]
    whole, small = embedder(str(finder)).encode(texts).vectors, embedder(str(finder / "onnx"))
    assert isinstance(small, OnnxEmbedder)
    found = small.encode(texts).vectors
    cosine = (whole * found).sum(1) / np.linalg.norm(whole, axis=1) / np.linalg.norm(found, axis=1)
    assert cosine.min() > 0.95
    damaged = tmp_path / "onnx"
    damaged.mkdir()
    for path in (finder / "onnx").iterdir():
        (damaged / path.name).write_bytes(path.read_bytes() + (b" " if path.name == GRAPH else b""))
    with pytest.raises(InputError, match=r"encoder\.onnx: is not the file that lawng\.json tells of"):
        OnnxEmbedder(damaged, "damaged", "")


def test_a_finder_that_was_killed_ends_as_one_that_was_not(
    options: RetrieverOptions, finder: Path, tmp_path: Path
) -> None:
    def kill(line: str) -> None:
        if line.startswith("step 20"):
            raise KeyboardInterrupt

    place = tmp_path / "finder"
    with pytest.raises(KeyboardInterrupt):
        fit_retriever(place, EVERY, options, kill)
    assert not place.exists(), "nothing half-written is visible"
    said: list[str] = []
    fit_retriever(place, EVERY, options, said.append)
    assert any(line.startswith("going on from checkpoint") for line in said)
    assert (place / "model.safetensors").read_bytes() == (finder / "model.safetensors").read_bytes()


def test_held_out_cases_are_nothing_to_train_on(options: RetrieverOptions, base: str, tmp_path: Path) -> None:
    held, place = [replace(query, part="test") for query in queries()], tmp_path / "model"
    with pytest.raises(InputError, match="nothing to train on"):
        fit_retriever(place, held, options, lambda _: None)
    with pytest.raises(InputError, match="nothing to train on"):
        fit_reranker(place, held, replace(SMALL, base=base), Run(1e-3, (4,), 0), lambda _: None)
    with pytest.raises(InputError, match="of fewer than 4000 cases; take a smaller batch"):
        fit_retriever(place, EVERY, replace(options, batch=4000), lambda _: None)
    assert not any(tmp_path.iterdir())


def test_a_killed_run_with_other_options_begins_anew(options: RetrieverOptions, tmp_path: Path) -> None:
    def kill(line: str) -> None:
        if line.startswith("step 20"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_retriever(tmp_path / "finder", EVERY, options, kill)
    said: list[str] = []
    fit_retriever(tmp_path / "finder", EVERY, replace(options, lr=1e-3), said.append)
    assert not any(line.startswith("going on") for line in said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lr": 2.0}, "lr: 2.0"),
        ({"epochs": 0}, "epochs: 0"),
        ({"batch": 0}, "batch: 0"),
        ({"max_length": 4}, "max_length"),
    ],
)
def test_options_that_cannot_be_are_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        RetrieverOptions(**changes)


def test_a_window_that_the_base_lacks_is_refused(options: RetrieverOptions, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="more than"):
        fit_retriever(tmp_path / "model", EVERY, replace(options, max_length=512), lambda _: None)


def test_a_graph_alone_is_no_base_of_a_retriever(options: RetrieverOptions, tmp_path: Path) -> None:
    graph = tmp_path / "shipped"
    graph.mkdir()
    (graph / "encoder.onnx").write_bytes(b"")
    with pytest.raises(ConfigError, match=r"base: .*shipped is a graph alone; take .* all-MiniLM-L6-v2$"):
        fit_retriever(tmp_path / "model", EVERY, replace(options, base=str(graph)), lambda _: None)


# ------------------------------------------------------------------ re-ranker


def test_lists_have_right_hard_and_other_texts() -> None:
    rows = list(graded(queries()))
    own = [row for row in rows if row.query == "dog held"]
    assert {row.text for row in own if row.target == 1.0} == {"the dog is void"}
    assert any(row.hard for row in own)
    assert any(not row.hard and row.target == 0.0 for row in own)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(calm_encoder(tmp_path_factory.mktemp("calm") / "tiny"))


def test_a_reranker_is_trained_and_ranks(calm: str, tmp_path: Path) -> None:
    options = replace(SMALL, base=calm, loss="listwise", batch=16, micro=8, list_size=4, dropout=0.0)
    told = [replace(query, wrong=["the dog is valid", "no river is valid"]) for query in EVERY]
    folder = fit_reranker(tmp_path / "reranker", told, options, Run(5e-3, (60,), 0), lambda _: None)
    note = json.loads((folder / NOTE).read_text("utf-8"))
    assert note["chosen"]["dev"] == close_to(reciprocal_rank(folder, told[-16:], "torch"))
    assert note["chosen"]["dev"] > 0.9, "chance is 0.6"
    assert note["sha256"].keys() == {ONNX, "config.json", "tokenizer.json"}
    model = relevance_model(str(folder))
    right, wrong = model.score("dog held", ["the dog is void", "the dog is valid"])
    assert right > wrong


def test_reciprocal_rank_counts_ties_against_the_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Flat:
        def score(self, asked: list[str], texts: list[str]) -> list[float]:
            return [0.0] * len(texts)

    monkeypatch.setattr("lawng.models.training.ranking.relevance_model", lambda *_: Flat())
    assert reciprocal_rank(tmp_path, queries("dev")) == close_to(1 / 3)


# ------------------------------------------------------------------ when to decide


def test_risk_falls_and_coverage_falls_with_the_probability() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(400, 3)) * 2
    probs = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    drawn = np.array([rng.choice(3, p=row) for row in probs])
    found = risks(np.log(probs), np.eye(3)[drawn])
    assert [one.coverage for one in found] == sorted((one.coverage for one in found), reverse=True)
    assert found[0].risk > found[14].risk
    least = least_probability(found, 0.2)
    chosen = next(one for one in found if one.least == least)
    assert chosen.risk <= 0.2
    assert all(one.risk > 0.2 for one in found if one.least < least)


def test_where_no_probability_is_safe_enough_hardly_anything_is_decided() -> None:
    says = np.log(np.full((4, 3), [0.98, 0.01, 0.01]))
    assert least_probability(risks(says, np.tile([0, 0, 1], (4, 1))), 0.2) == close_to(0.9)
    unsure = np.log(np.tile([0.6, 0.1, 0.3], (200, 1)))
    assert least_probability(risks(unsure, np.tile([0, 0, 1], (200, 1)))) == close_to(0.9), (
        "none taken is not none wrong"
    )
