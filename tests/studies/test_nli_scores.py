"""Scores of stored predictions against hand computations, and a whole evaluation with a tiny model."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from floats_support import close_to
from lawng.datasets.candidates import Flip
from lawng.datasets.nli import Pair
from lawng.datasets.recipe import Inputs, held_out_pairs
from lawng.datasets.splits import side
from lawng.errors import ConfigError, InputError
from lawng.evaluation.nli import NliPrediction, by_source, predict, twin_scores
from lawng.models.pairs import pair_model
from lawng.schema.views import COLUMNS, premise_of, shown
from lawng.studies.harness import ParquetStore
from lawng.studies.nli import evaluate, score
from models_support import tiny_model
from openai_support import MODEL, endpoint

E, N, C = "entailment", "neutral", "contradiction"
LABELS = [E, N, C]


def said(pair_id: str, gold: list[str], shares: Sequence[float], **other: object) -> NliPrediction:
    e, n, c = (math.log(share) for share in shares)
    settings: dict[str, object] = {
        "source": "set", "twin_id": "", "negated": False, "n_words": 4, "premise": pair_id, "read": 1.0,
        "majority": "", "hypothesis_only": "",
    }  # fmt: skip
    return NliPrediction(pair_id, gold=gold, entailment=e, neutral=n, contradiction=c, **{**settings, **other})  # type: ignore[arg-type]


def test_three_labels_by_hand() -> None:
    rows = [
        said("1", [E], (0.7, 0.2, 0.1), majority=E, hypothesis_only=E),
        said("2", [E], (0.2, 0.7, 0.1), majority=E, hypothesis_only=N, read=0.5),
        said("3", [N], (0.1, 0.8, 0.1), majority=E, hypothesis_only=N, read=0.0),  # no answer, and not cut
        said("4", [C], (0.1, 0.1, 0.8), majority=E, hypothesis_only=C),
    ]
    [found] = by_source(rows, 1.0, seed=0)
    assert (found.n, found.golds, found.accuracy, found.cut) == (4, LABELS, 0.75, 1)
    assert found.balanced == close_to((0.5 + 1 + 1) / 3)
    assert found.macro_f1 == close_to((2 / 3 + 2 / 3 + 1) / 3)
    assert found.confusion[E] == {E: 1, N: 1, C: 0}
    assert found.chance == close_to(1 / 3)
    assert (found.majority, found.hypothesis_only) == (0.5, 0.75)
    assert found.ece_after == close_to((abs(0.5 - 0.7) * 2 + abs(1 - 0.8) * 2) / 4)
    assert found.interval[0] < 0.75 < found.interval[1]


def test_two_labels_add_up_the_open_ones() -> None:
    rows = [
        said("1", [N, C], (0.4, 0.3, 0.3)),  # entailment is the most probable single label, not entailed is likelier
        said("2", [E], (0.6, 0.2, 0.2)),
    ]
    [found] = by_source(rows, 1.0, seed=0)
    assert (found.accuracy, found.golds, found.chance) == (1.0, [E, "neutral or contradiction"], 0.5)
    assert (found.majority, found.hypothesis_only) == (None, None)


def test_the_temperature_is_undone_for_the_error_before() -> None:
    rows = [said("1", [E], (0.5, 0.25, 0.25)), said("2", [N], (0.5, 0.25, 0.25))]
    [found] = by_source(rows, 2.0, seed=0)
    hot = 0.25 / (0.25 + 2 * 0.0625)  # squares of the shares, that is, logits twice as large
    assert found.ece_before == close_to(abs(0.5 - hot))
    assert found.ece_after == close_to(0.0)


def test_twins_by_hand() -> None:
    rows = [
        said("a", [E], (0.5, 0.4, 0.1), twin_id="a2"),
        said("a2", [C], (0.1, 0.5, 0.4), twin_id="a", negated=True, n_words=5),
        said("b", [E], (0.2, 0.2, 0.6), twin_id="b2"),  # on the wrong side, but above its twin
        said("b2", [C], (0.1, 0.1, 0.8), twin_id="b", negated=True, n_words=3),
        said("alone", [E], (0.9, 0.05, 0.05), twin_id="not there"),
    ]
    [found] = twin_scores(rows, seed=0)
    assert (found.n, found.sided, found.ordered) == (2, 0.75, 1.0)
    assert (found.added, found.removed) == ((1, 1.0), (1, 1.0))
    assert found.labelled == 0.5, "a and b2; neutral is the most probable for a2"


def test_baselines_learn_from_training_pairs_alone(tmp_path: Path) -> None:
    train = [
        Pair(f"t{n}", "p", f"the dog {'runs' if n % 3 else 'sleeps'}", [E if n % 3 else N], "set", "train")
        for n in range(30)
    ]
    test = [Pair("1", "p", "the dog sleeps", [E], "set", "test"), Pair("2", "p", "x", [N], "other", "test")]
    rows = predict(pair_model(str(tiny_model(tmp_path / "m", LABELS))), test, train)
    assert [(row.majority, row.hypothesis_only) for row in rows] == [(E, N), ("", "")]


def test_a_word_that_negation_is_glued_to_was_added(tmp_path: Path) -> None:
    pairs = [Pair("1", "p", "It can run.", [E], "set", "test"), Pair("2", "p", "It cannot run.", [C], "set", "test")]
    first, second = predict(pair_model(str(tiny_model(tmp_path / "m", LABELS))), pairs, [])
    assert (first.n_words, second.n_words) == (3, 4)


def negate(texts: Sequence[str]) -> list[Flip | None]:
    return [None for _ in texts]


def test_predictions_are_stored_and_can_be_scored_again(tmp_path: Path) -> None:
    lines = [f"{'entailment' if n % 2 else 'not_entailment'}\tthe court {n}\tthe tax is void {n}" for n in range(80)]
    (tmp_path / "mnli-test.txt").write_text("\n".join(lines))
    model = tiny_model(tmp_path / "m", LABELS)
    text = evaluate(str(model), Inputs((tmp_path / "mnli-test.txt",)), negate, tmp_path / "out", seed=3)
    found = json.loads((tmp_path / "out" / "scores.json").read_text())
    assert found["made"]["seed"] == 3
    assert found["made"]["temperature"] == 1.0
    assert 0 < found["sources"][0]["n"] < 80, "only what is not trained on"
    assert score(tmp_path / "out" / "predictions.parquet", found["made"]) == text
    assert (tmp_path / "out" / "scores.md").read_text() == text


def test_pairs_of_which_the_hypothesis_fills_the_window_are_left_out_and_told(tmp_path: Path) -> None:
    lines = [f"{'entailment' if n % 2 else 'not_entailment'}\tthe court {n}\tthe tax is void {n}" for n in range(80)]
    lines += [f"entailment\tthe court {n}\t{'tax ' * 600}{n}" for n in range(40)]
    (tmp_path / "mnli-test.txt").write_text("\n".join(lines))
    told: list[str] = []
    inputs = Inputs((tmp_path / "mnli-test.txt",))
    evaluate(str(tiny_model(tmp_path / "m", LABELS)), inputs, negate, tmp_path / "out", report=told.append)
    [left] = [line for line in told if "left out" in line]
    [told_n] = [line for line in told if line.endswith(" test pairs")]
    n, of = (int(left.split()[at]) for at in (0, 2))
    assert 0 < n < of
    assert told_n == f"{of - n} test pairs"
    assert len(ParquetStore(NliPrediction).read(tmp_path / "out" / "predictions.parquet")) == of - n


UNSEEN = next(f"cl:{n}" for n in range(99) if side(f"cl:{n}") == "held-out")


@pytest.mark.parametrize("view", ["short", "long", "only-bm25-long", "hypothesis"])
def test_a_model_is_shown_what_the_view_says(view: str, tmp_path: Path) -> None:
    premises = {"short": "the dog runs", "long": "the cat sleeps", "bm25-long": "a river", "bm25-short": "a road"}
    rows = {"id": ["a"], "hypothesis": ["the tax was void"], "label": [E], "premise_case_id": [UNSEEN]}
    texts = {column: [premises[view]] for view, column in COLUMNS.items()}
    pq.write_table(pa.table({**rows, **texts, "cited_case_id": [UNSEEN]}), tmp_path / "test.parquet")
    model = tiny_model(tmp_path / "m", LABELS)
    text = evaluate(str(model), Inputs((tmp_path,)), negate, tmp_path / "out", backend="torch", view=view)
    assert ("shown the view" in text) is (view != "short")
    [row] = ParquetStore(NliPrediction).read(tmp_path / "out" / "predictions.parquet")
    asked = shown(view, premises[premise_of(view)], "the tax was void")
    [judged] = pair_model(str(model), "torch").judge(*([text] for text in asked)).log_probs
    assert [row.entailment, row.neutral, row.contradiction] == close_to(judged)


def test_what_no_data_has_is_not_shown_instead(tmp_path: Path) -> None:
    rows = [{"sentence1": "a", "sentence2": "b", "pairID": "1", "gold_label": N}]
    (tmp_path / "snli_1.0_test.jsonl").write_text("\n".join(map(json.dumps, rows)))
    model = str(tiny_model(tmp_path / "m", LABELS))
    with pytest.raises(ConfigError, match="view bm25-long: no data given has bm25-long premises; name a build's"):
        evaluate(model, Inputs((tmp_path,)), negate, tmp_path / "out", view="bm25-long")
    (tmp_path / "m" / "lawng.json").write_text(json.dumps({"view": "middle"}))
    with pytest.raises(InputError, match=r"m/lawng.json: view 'middle' is not one of short"):
        evaluate(model, Inputs((tmp_path,)), negate, tmp_path / "out")


def test_twins_are_no_measure_of_one_text_alone(tmp_path: Path) -> None:
    rows = [said("a", [E], (0.6, 0.3, 0.1), twin_id="b"), said("b", [C], (0.2, 0.3, 0.5), twin_id="a", negated=True)]
    ParquetStore(NliPrediction).write(tmp_path / "predictions.parquet", rows, "tag")
    made = {"model": "m", "backend": "torch", "temperature": 1.0, "seed": 0}
    for view, there in ({}, True), ({"view": "long"}, True), ({"view": "only-long"}, False):
        assert ("Support against refute on twins" in score(tmp_path / "predictions.parquet", made | view)) is there


def test_two_test_pairs_of_one_id_are_told() -> None:
    pairs = [Pair(f"set:{n}", "p", "h", [E], "set", "test") for n in (1, 2, 1)]
    told: list[str] = []
    assert len(held_out_pairs([], pairs, told.append)) == 2
    assert told == ["1 pairs left out whose id another has: of files of one name only one can be given at a time"]


def test_a_language_model_is_asked_once_for_each_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"{'entailment' if n % 2 else 'not_entailment'}\tthe court {n}\tthe tax is void {n}" for n in range(80)]
    (tmp_path / "mnli-test.txt").write_text("\n".join(lines))
    said: list[str] = []
    with endpoint(monkeypatch) as place:
        monkeypatch.setenv("OPENAI_BASE_URL", place.url)
        place.logprobs, place.answer = False, lambda prompt: "perhaps" if "void 1" in prompt else "entailment"
        given = (f"openai:{MODEL}", Inputs((tmp_path / "mnli-test.txt",)), negate, tmp_path / "out")
        text = evaluate(*given, report=said.append)
        asked = len(place.requests)
        assert evaluate(*given) == text
        assert len(place.requests) == asked, "what was answered is kept"
    [row] = json.loads((tmp_path / "out" / "scores.json").read_text())["sources"]
    assert row["n"] < asked, "what could not be read was asked once more"
    assert any("were no label, twice: counted as neutral" in line for line in said)
    assert any("tokens read" in line for line in said)
    stored = ParquetStore(NliPrediction).read(tmp_path / "out" / "predictions.parquet")
    assert {one.read for one in stored} == {0.0, 1.0}


def test_nothing_to_evaluate_on(tmp_path: Path) -> None:
    rows = [{"sentence1": "a", "sentence2": "b", "pairID": gold, "gold_label": gold} for gold in ("neutral", "-")]
    (tmp_path / "snli_1.0_dev.jsonl").write_text("\n".join(map(json.dumps, rows)))
    told: list[str] = []
    with pytest.raises(InputError, match="training pairs alone"):
        evaluate(
            str(tiny_model(tmp_path / "m", LABELS)), Inputs((tmp_path,)), negate, tmp_path / "out", report=told.append
        )
    assert told == ["snli_1.0_dev: 1 row without a gold label left out"]
