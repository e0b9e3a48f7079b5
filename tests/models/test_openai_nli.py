"""A language model as judge of stances: what it answers, in which tokens, what it costs, in the study too."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from floats_support import close_to
from lawng.errors import ConfigError, MissingError
from lawng.io.kv_store import KeyValueStore
from lawng.models.openai.chat import Completion, Token
from lawng.models.openai.nli import StanceLLM, label_probabilities, parsed_label, stance_llm
from lawng.schema.labels import LABELS, Label
from lawng.studies.generalization.study import study_generalization
from lawng.studies.generalization.systems import GeneralizationSettings, shown_names
from openai_support import MODEL, StandIn, between, endpoint
from split_support import examples, write_split

PAIRS = (["the tax is void", "the tax is not void", "a river runs"], ["the tax is void"] * 3)


def by_negation(prompt: str) -> str:
    """Entailment for a text with all of the statement's words, contradiction where it has "not" beside, else neutral."""
    text, statement = between("text", prompt).split(), between("statement", prompt).split()
    label = "neutral" if not set(statement) <= set(text) else "contradiction" if "not" in text else "entailment"
    return json.dumps({"label": label})


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with endpoint(monkeypatch) as found:
        found.answer = by_negation
        found.logprobs = False
        yield found


def test_labels_come_in_order_and_as_json_of_a_shape(place: StandIn) -> None:
    judged = StanceLLM(place.client(), MODEL).judge(*PAIRS)
    assert judged.log_probs.argmax(axis=1).tolist() == [0, 2, 1]
    assert np.exp(judged.log_probs).sum(axis=1) == close_to(np.ones(3))
    assert judged.read == [1.0] * 3
    shape = place.requests[0]["response_format"]["json_schema"]["schema"]
    assert shape["properties"]["label"]["enum"] == [str(label) for label in LABELS]
    said = place.requests[0]["messages"][0]["content"]
    assert between("text", said) in PAIRS[0]
    assert '{"label": "neutral"}' in said, "braces as they are"


def test_an_endpoint_without_structured_output_is_asked_without(place: StandIn) -> None:
    place.refuses = {"response_format": "unknown field response_format"}
    judged = StanceLLM(place.client(), MODEL).judge(*PAIRS)
    assert judged.log_probs.argmax(axis=1).tolist() == [0, 2, 1]
    assert "response_format" not in place.requests[-1]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ('{"label": "entailment"}', Label.ENTAILMENT),
        ("Neutral.", Label.NEUTRAL),
        ('<think>entailment?</think>{"label":"contradiction"}', Label.CONTRADICTION),
        ('{"label": "perhaps"}', None),
        ('{"stance": "neutral"}', None),
        ('"neutral"', Label.NEUTRAL),
        ("entailment or neutral", None),
        ("", None),
        ("[1]", None),
    ],
)
def test_answers_are_read_or_not(answer: str, label: Label | None) -> None:
    assert parsed_label(answer) is label


def tokens(*given: tuple[str, dict[str, float]]) -> list[Token]:
    return [Token(text, [(top, math.log(p)) for top, p in tops.items()]) for text, tops in given]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            tokens(
                ('{"', {'{"': 1.0}), ("label", {"label": 1.0}), ('":', {'":': 1.0}),
                (' "', {' "': 1.0}), ("ent", {"ent": 0.7, "contr": 0.2, "neutral": 0.05, "x": 0.05}), ("ailment", {}),
            ),
            [0.7, 0.05, 0.2],
        ),
        (tokens((' "ent', {' "ent': 0.6, ' "con': 0.4})), [0.6, None, 0.4]),
        (tokens(("Entailment", {"Entailment": 0.5, "entailment": 0.3, "Neutral": 0.2})), [0.8, 0.2, None]),
        (
            tokens(("neutral", {"neutral": 1.0}), ("</think>", {"</think>": 1.0}), ("entail", {"entail": 0.9, "n": 0.1})),
            [0.9, 0.1, None],
        ),
    ],
    ids=["JSON in pieces", "a quote before", "a word in two ways", "thought of before"],
)  # fmt: skip
def test_probabilities_stand_where_the_label_begins(given: list[Token], expected: list[float | None]) -> None:
    found = label_probabilities(Completion("", given, []), Label.ENTAILMENT)
    assert found is not None
    assert [found.get(label) for label in LABELS] == [None if p is None else close_to(p) for p in expected]


def test_no_probabilities_no_guess() -> None:
    assert label_probabilities(Completion("neutral", [], []), Label.NEUTRAL) is None
    assert label_probabilities(Completion("", tokens(("?", {"?": 1.0})), []), Label.NEUTRAL) is None


def test_what_cannot_be_read_is_asked_twice_counted_and_neutral(place: StandIn) -> None:
    place.answer = lambda prompt: "I would rather not say"
    model = StanceLLM(place.client(), MODEL)
    judged = model.judge(*PAIRS)
    assert len(place.requests) == 6
    assert judged.log_probs.argmax(axis=1).tolist() == [1, 1, 1]
    assert any("3 of 3 answers" in line and "counted as neutral" in line for line in model.notes())


def test_tokens_and_their_price_are_counted_and_nothing_is_asked_twice(place: StandIn, tmp_path: Path) -> None:
    def used(body: dict[str, Any]) -> tuple[int, Any]:
        status, answer = StandIn.chat(place, body)
        return status, answer | {"usage": {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}}

    place.chat = used  # type: ignore[method-assign]
    for _ in range(2):
        model = StanceLLM(place.client(), MODEL, KeyValueStore(tmp_path / "kept.sqlite"), price=(0.5, 20.0))
        model.judge(*PAIRS)
        assert model.notes()[0] == (
            f"{MODEL}: 3,000 tokens read and 30 written for 3 pairs, 0.00 dollars where nothing was kept from before"
        )
        model.price = (500.0, 20_000.0)
        assert "2.10 dollars" in model.notes()[0]
    assert len(place.requests) == 3
    place.answer = lambda prompt: "I would rather not say"
    model = StanceLLM(place.client(), MODEL)
    model.judge(*PAIRS)
    assert model.tokens == [6000, 60], "what was asked twice is paid twice"
    model = StanceLLM(place.client(), MODEL)
    model.judge(*([one, one] for one, *_ in PAIRS))
    assert model.tokens == [2000, 20], "equal pairs are asked once"


@pytest.mark.parametrize("name", ["openai:", "openai:m?price=cheap", "openai:m?price=1", "openai:m?pairwise=allpair"])
def test_names_that_cannot_be(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not understood"):
        stance_llm(name, tmp_path)


@pytest.mark.slow("a study of 24 examples")
def test_the_study_asks_it_as_it_is(place: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", place.url)
    data = tmp_path / "build" / "data"
    data.mkdir(parents=True)
    for split, rows in (("train", examples(6)), ("validation", examples(6, 100)), ("test", examples(24, 200))):
        write_split(data / f"{split}.parquet", rows)
    said: list[str] = []
    name = f"openai:{MODEL}?price=1/2"
    settings = GeneralizationSettings((name,), seeds=(0, 1), resamples=50)
    found = study_generalization(data.parent, tmp_path / "study", settings, said.append)
    assert shown_names([name]) == [MODEL]
    columns = {one.column for one in found.scores}
    assert columns == {"long-as-it-is", "bm25-long-as-it-is", "windows-as-it-is", "short-as-it-is"}
    assert {one.seeds for one in found.scores} == {1}, "a second seed would ask the same"
    assert found.tables["as-it-is"].rows[0][0] == MODEL
    assert any("tokens read" in line for line in said)
    n = len(place.requests)
    study_generalization(data.parent, tmp_path / "study", settings)
    assert len(place.requests) == n, "answers are kept"
    place.script = ["400"] * 99
    other = study_generalization(
        data.parent,
        tmp_path / "study",
        GeneralizationSettings((name, "openai:other"), ("long-as-it-is",), resamples=50),
    )
    assert any("openai" in line or "other" in line for line in other.missing), "a model that refuses is a hole"


def test_a_column_that_is_refused_leaves_the_others(
    place: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", place.url)
    (tmp_path / "build" / "data").mkdir(parents=True)
    for split in ("train", "validation", "test"):
        write_split(tmp_path / "build" / "data" / f"{split}.parquet", examples(6))

    def refusing(body: dict[str, Any]) -> tuple[int, Any]:
        said = body["messages"][0]["content"]
        return (400, {"error": {"message": "too long"}}) if "The dog sleeps." in said else StandIn.chat(place, body)

    place.chat = refusing  # type: ignore[method-assign]  # the long premises alone have that sentence
    settings = GeneralizationSettings((f"openai:{MODEL}",), ("long-as-it-is", "short-as-it-is"), resamples=50)
    lines: list[str] = []
    found = study_generalization(tmp_path / "build", tmp_path / "study", settings, lines.append)
    assert {one.column for one in found.scores} == {"short-as-it-is"}
    assert [line.partition(": ")[0] for line in lines if "tokens read" in line] == ["short-as-it-is"]
    assert len(found.missing) == 1


def test_a_model_that_never_answers_with_a_label_is_a_hole(place: StandIn) -> None:
    place.answer = lambda prompt: "<think>Let me see"
    with pytest.raises(MissingError, match="none of 16 answers is a label"):
        StanceLLM(place.client(), MODEL).judge([f"text {n}" for n in range(16)], ["it"] * 16)
