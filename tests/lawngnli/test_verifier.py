"""The verifier of propositions: its numbers, what it is taught, and what it says where something is wrong."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from floats_support import close_to
from lawng.cli import train as commands
from lawng.errors import InputError, MissingError
from lawng.lawngnli.accuracy import verified
from lawng.lawngnli.entailing import FEATURES, features
from lawng.lawngnli.records import Passage, Screened, Verdict, own_premise, passage_key
from lawng.lawngnli.verifier import (
    BUNDLED,
    PRECISION,
    Asked,
    Reading,
    Verifier,
    _fitted,
    _read_lines,
    cross_validated,
    feature_rows,
    load_verifier,
    passing,
    place_read,
    read_readings,
    train_verifier,
)
from lawng.schema import Candidate, Reject
from lawng.schema.arrow import to_arrow
from lawng.schema.dataset import PROPOSITION, VERDICTS
from nli_fixture import candidate

PAGES = "The rule is old. A tenant who holds over after the term is bound for another year. So it was in Kent."
SAME, NEAR, HALF, OTHER = (
    "A tenant who holds over after the term is bound for another year",
    "A tenant holding over is not bound for more than a month",
    "A tenant of a mill in Kent who never paid his rent is bound to mend the roof of it",
    "No sheriff may seize the plough of a farmer at harvest",
)


def named(number: int, case: str = "cl:2", **changes: Any) -> Candidate:
    made: dict[str, Any] = {
        "hypothesis_source": PROPOSITION,
        "kind": "sentence",
        "cited_case_id": case,
        "signal": None,
        **changes,
    }
    return candidate(f"cap:1/0@{number}", **made)


def value(hypothesis: str, name: str, **changes: Any) -> float:
    return float(features(named(1, **changes), hypothesis, PAGES)[FEATURES.index(name)])


@pytest.mark.parametrize(
    ("hypothesis", "name", "expected", "why"),
    [
        (SAME, "words of it on the pages", 1.0, "all of them"),
        (OTHER, "words of it on the pages", 0.0, "none; stop words do not count"),
        (SAME, "pairs of words on the pages", 1.0, "in their order"),
        (SAME, "longest run of words", 1.0, "word by word"),
        (NEAR, "longest run of words", 2 / 12, "a tenant"),
        ("The rule held in Kent and Sussex", "names not on the pages", 0.5, "one of two"),
        (NEAR, "negation beside the window's", 1.0, "a negation that the window lacks"),
        (SAME, "negation beside the window's", 0.0, "neither has one"),
        (SAME, "words", float(np.log(13)), "logarithm of their number"),
    ],
)
def test_the_numbers_of_a_proposition(hypothesis: str, name: str, expected: float, why: str) -> None:
    assert value(hypothesis, name) == close_to(expected), why


def test_words_far_apart_are_in_no_one_window() -> None:
    pages = f"A tenant came. {'It was a cold winter in the old town by the sea that year. ' * 9}He was bound."
    numbers = features(named(1), "A tenant is bound", pages)
    assert numbers[FEATURES.index("words of it on the pages")] == 1.0
    assert numbers[FEATURES.index("words of it in the best window")] == 0.5


def test_the_numbers_of_its_citation() -> None:
    changes = {"signal": "see", "n_cited": 3, "kind": "note"}
    got = [value(SAME, name, **changes) for name in ("signal", "cases cited", "in a note", "part of a sentence")]
    assert got == close_to([1.0, float(np.log(3)), 1.0, 0.0])
    assert value(SAME, "part of a sentence", kind="following") == 1.0
    assert len(features(named(1), SAME, PAGES)) == len(FEATURES)
    assert np.isfinite(features(named(1), "", "")).all()


def readings(n: int = 240) -> list[Reading]:
    """Readings of which the overlap tells the verdict but for some noise, of 12 cases."""
    draw = np.random.default_rng(3)
    made = []
    for number in range(n):
        truth = number % 3
        text = (SAME, NEAR, OTHER)[truth if draw.random() > 0.15 else int(draw.integers(3))]
        one = Screened(named(number, f"cl:{number % 12}"), text, [])
        made.append(Reading(Asked(one, PAGES), VERDICTS[truth], number % 5 > 0, 1.0 if number % 2 else 0.25))
    return made


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    stage = folder / "stages" / "20-candidates"
    rows = [replace(r.asked.item.candidate, hypothesis=r.asked.item.hypothesis) for r in readings()]
    passages = [Passage(passage_key(own_premise(rows[0])), PAGES)]
    for name, made, kind in (("candidates", rows, Candidate), ("passages", passages, Passage)):
        (stage / name).mkdir(parents=True)
        pq.write_table(to_arrow(made, kind), stage / name / "part-00000.parquet")
    lines = [{"id": r.asked.item.candidate.candidate_id, "verdict": r.verdict, "weight": r.weight} for r in readings()]
    lines.append({"id": "cap:9/0@9", "verdict": "contradicted"})
    (folder / "readings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_the_command_has_the_librarys_precision() -> None:
    command = signature(commands.train_verifier).parameters["precision"]
    assert command.default == signature(train_verifier).parameters["precision"].default == PRECISION


def test_it_computes_what_scikit_learn_does(build: Path, tmp_path: Path) -> None:
    made = train_verifier(build, build / "readings.jsonl", tmp_path / "v")
    read = list(read_readings(build, build / "readings.jsonl"))
    rows = feature_rows([one.asked for one in read], None)
    scaled = StandardScaler().fit_transform(rows)
    model = LogisticRegression(max_iter=1_000).fit(scaled, [one.verdict for one in read])
    order = [list(model.classes_).index(verdict) for verdict in VERDICTS]
    assert made.probabilities(rows) == pytest.approx(model.predict_proba(scaled)[:, order], rel=1e-3, abs=1e-4)
    assert load_verifier(str(tmp_path / "v")).weights == made.weights
    assert {one.asked.item.candidate.candidate_id: one.weight for one in read}["cap:1/0@0"] == 0.25


@pytest.mark.parametrize("left", [("entailed", "not"), ("entailed", "partly", "not"), ("partly", "not")])
def test_verdicts_that_no_reading_has_are_never_given(left: tuple[str, ...]) -> None:
    read = [one for one in readings() if one.verdict in left]
    rows = feature_rows([one.asked for one in read], None)
    found = cross_validated(rows, read)
    for verdict in set(VERDICTS) - set(left):
        assert found[:, VERDICTS.index(verdict)].max() < 1e-9
    assert found.sum(axis=1) == close_to(np.ones(len(read)))
    scaled = StandardScaler().fit_transform(rows)
    model = LogisticRegression(max_iter=1_000).fit(scaled, [one.verdict for one in read])
    order = [VERDICTS.index(verdict) for verdict in model.classes_]
    ours = _fitted(rows, [one.verdict for one in read], [], {}).probabilities(rows)[:, order]
    assert ours == pytest.approx(model.predict_proba(scaled), rel=1e-3, abs=1e-4)


def test_readings_of_few_cases_are_told() -> None:
    read = [one for one in readings() if one.asked.item.candidate.cited_case_id in {"cl:1", "cl:2", "cl:3"}]
    with pytest.raises(InputError, match="of 3 cited cases; it takes 5"):
        cross_validated(feature_rows([one.asked for one in read], None), read)


def test_a_reading_of_what_does_not_stand_alone_teaches_but_sets_no_threshold(tmp_path: Path) -> None:
    stage = tmp_path / "stages" / "20-candidates"
    rows = [
        replace(named(number), hypothesis=text) for number, text in enumerate((SAME, "They are bound for another year"))
    ]
    tables = (
        ("candidates", rows, Candidate),
        ("passages", [Passage(passage_key(own_premise(rows[0])), PAGES)], Passage),
    )
    for name, made, kind in tables:
        (stage / name).mkdir(parents=True)
        pq.write_table(to_arrow(made, kind), stage / name / "part-00000.parquet")
    (tmp_path / "r.jsonl").write_text("".join(f'{{"id": "cap:1/0@{n}", "verdict": "partly"}}\n' for n in (0, 1)))
    assert [one.alone for one in read_readings(tmp_path, tmp_path / "r.jsonl")] == [True, False]


def test_no_case_is_both_taught_and_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    read = readings()
    rows = feature_rows([one.asked for one in read], None)
    whole = cross_validated(rows, read)
    assert whole.sum(axis=1) == close_to(np.ones(len(read)))
    cases = np.array([one.asked.item.candidate.cited_case_id for one in read])
    wrong = [one._replace(verdict="not") if one.asked.item.candidate.cited_case_id == "cl:3" else one for one in read]
    again = cross_validated(rows, wrong)
    assert again[cases == "cl:3"] == close_to(whole[cases == "cl:3"]), "its own verdicts do not reach it"
    assert np.abs(again - whole).max() > 1e-3, "they reach others"


def test_the_threshold_gives_the_precision_of_what_passes_by_weight() -> None:
    read = readings()
    chances = cross_validated(feature_rows([one.asked for one in read], None), read)[:, 0]
    found = passing(chances, read, 0.7)
    alone = [(chance, one) for chance, one in zip(chances, read, strict=True) if one.alone]
    kept = [one for chance, one in alone if chance >= found["threshold"] - 1e-4]
    right, all_of_it = (sum(o.weight for o in kept if o.verdict == "entailed"), sum(o.weight for o in kept))
    assert right / all_of_it == pytest.approx(found["precision_held_out"], rel=2e-2)
    assert found["precision_held_out"] >= 0.7
    everything = sum(one.weight for _, one in alone if one.verdict == "entailed")
    assert right / everything == pytest.approx(found["recall"], rel=2e-2)
    assert passing(chances, read, 0.9)["recall"] <= found["recall"], "a higher precision keeps no more"


def test_a_threshold_needs_a_reading_that_is_entailed_and_stands_alone() -> None:
    read = readings()
    for changed in ([one._replace(alone=False) for one in read], [one._replace(verdict="not") for one in read]):
        with pytest.raises(InputError, match="no reading of a proposition that stands alone is entailed"):
            passing(np.linspace(0, 1, len(read)), changed, 0.7)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (b'{"id": "a", "verdict": "not"}\n\n', None),
        ('{"id": "a\u2028b", "verdict": "not"}\n'.encode(), None),
        (b'{"id": "\xe9", "verdict": "not"}\n', "r.jsonl: cannot be read .*; name a file of readings"),
        (b"[" * 100_000, "r.jsonl:1: no reading"),
        (b'{"id": "a", "verdict": "not"}\n{"id": "a"', "r.jsonl:2: no reading"),
    ],
)
def test_a_file_of_readings_is_read_or_its_line_is_named(tmp_path: Path, lines: bytes, says: str | None) -> None:
    (tmp_path / "r.jsonl").write_bytes(lines)
    with pytest.raises(InputError, match=says) if says else nullcontext():
        assert [line.verdict for line in _read_lines(tmp_path / "r.jsonl")] == ["not"]


class Texts:
    def texts(self) -> dict[str, str]:
        return {passage_key(own_premise(named(1))): PAGES}


def test_what_passes_goes_on_and_the_rest_is_told_apart() -> None:
    items = [Screened(named(number), text, ["x"]) for number, text in enumerate((SAME, HALF, OTHER))]
    outcomes = list(verified(items, Texts(), str(BUNDLED)))  # type: ignore[arg-type]
    verdicts = [one for one in outcomes if isinstance(one, Verdict)]
    assert verdicts[0].label == "entailed"
    assert verdicts[0].entailed > verdicts[1].entailed > verdicts[2].entailed
    [passed] = [one for one in outcomes if isinstance(one, Screened)]
    assert passed.hypothesis == SAME
    assert passed.steps == ["x", f"verified: {verdicts[0].entailed:.2f}"]
    rejects = [one for one in outcomes if isinstance(one, Reject)]
    assert [one.stage for one in rejects] == ["verifier"] * 2
    assert {one.reason for one in rejects} <= {"partly-entailed", "not-entailed"}


def test_what_was_read_is_not_guessed(build: Path, tmp_path: Path) -> None:
    made = train_verifier(build, build / "readings.jsonl", tmp_path / "v")
    taught = {r.asked.item.candidate.candidate_id: r.verdict for r in read_readings(build, build / "readings.jsonl")}
    items = [one.asked.item for one in readings()]
    verdicts = [v for v in verified(items, Texts(), str(tmp_path / "v")) if isinstance(v, Verdict)]  # type: ignore[arg-type]
    assert {v.candidate_id: v.label for v in verdicts} == taught
    assert all(v.was_read for v in verdicts)
    assert made.read == {}, "they are in its folder"
    moved = [replace(item, candidate=replace(item.candidate, end=item.candidate.end + 1)) for item in items]
    guessed = [v for v in verified(moved, Texts(), str(tmp_path / "v")) if isinstance(v, Verdict)]  # type: ignore[arg-type]
    assert not any(v.was_read for v in guessed), "other words were not read"
    assert {v.candidate_id: v.label for v in guessed} != taught
    [passed] = [s for s in verified(items[:1], Texts(), str(tmp_path / "v")) if isinstance(s, Screened)]  # type: ignore[arg-type]
    assert passed.steps == ["verified: read"]
    [reject] = [s for s in verified(items[2:3], Texts(), str(tmp_path / "v")) if isinstance(s, Reject)]  # type: ignore[arg-type]
    assert (reject.reason, reject.detail) == ("not-entailed", "read")


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ({"verdict": "entailed"}, "entailed"),
        ({"verdict": "entailed", "verdict_2": "partly"}, "partly"),
        ({"verdict": "not", "verdict_2": "entailed"}, "not"),
        ({"verdict": "partly", "verdict_2": "contradicted"}, "not"),
        ({"verdict": "entailed", "start": -1, "end": 7}, None),
    ],
    ids=["one reader", "the second finds less", "the first finds less", "a contradiction says nothing of it", "moved"],
)
def test_of_two_readers_the_one_who_finds_less_counts(
    build: Path, tmp_path: Path, line: dict[str, Any], verdict: str | None
) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps({"id": "cap:1/0@0", **line}))
    assert [one.verdict for one in read_readings(build, tmp_path / "r.jsonl")] == ([verdict] if verdict else [])


@pytest.mark.parametrize(
    ("bias", "label"),
    [([3.0, 1.0, 0.0], "entailed"), ([2.0, 1.9, 0.0], "partly"), ([0.0, 1.0, 0.5], "partly"), ([0.0, 0.5, 1.0], "not")],
)
def test_a_verdict_is_entailed_from_the_threshold_on_and_else_the_likelier_of_the_others(
    bias: list[float], label: str
) -> None:
    n = len(FEATURES)
    made = Verifier(list(FEATURES), [0.0] * n, [1.0] * n, [[0.0] * n] * 3, bias, threshold=0.7, told={})
    [verdict] = made.verdicts([Asked(Screened(named(1), SAME, []), PAGES)])
    assert verdict.label == label
    assert verdict.entailed == close_to(round(float(np.exp(bias[0]) / np.exp(bias).sum()), 4))


def test_the_bundled_one_was_taught_by_the_readings_of_the_repository() -> None:
    told, made = load_verifier(str(BUNDLED)).told, load_verifier(str(BUNDLED))
    lines = (Path(__file__).parents[2] / "benchmarks/data/proposition-readings.jsonl").read_text().splitlines()
    assert told["readings"] == len(lines) == len(made.read) > 2_500
    rows = [json.loads(line) for line in lines]
    agreed = {place_read(r["id"], r["start"], r["end"]): r["verdict"] for r in rows if r["verdict"] == "entailed"}
    assert {place for place, verdict in made.read.items() if verdict == "entailed"} <= set(agreed)
    assert told["precision_held_out"] >= told["precision"] == PRECISION
    assert made.threshold == told["threshold"]
    numbers: NDArray[np.float64] = np.array([features(named(1), text, PAGES) for text in (SAME, OTHER)])
    assert made.probabilities(numbers)[:, 0] == pytest.approx([0.98, 0.06], abs=0.05)


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (None, MissingError, "no verifier.json; make one with `lawng train verifier`"),
        ("{", InputError, "not a verifier"),
        ('{"features": []}', InputError, "not a verifier"),
        ("other", InputError, "other features than this version"),
    ],
)
def test_a_folder_that_has_no_verifier_is_told(
    tmp_path: Path, content: str | None, error: type[Exception], words: str
) -> None:
    if content == "other":
        made = json.loads((BUNDLED / "verifier.json").read_text())
        content = json.dumps({**made, "features": ["colour", *made["features"][1:]]})
    if content is not None:
        (tmp_path / "verifier.json").write_text(content)
    with pytest.raises(error, match=words):
        load_verifier(str(tmp_path))


@pytest.mark.parametrize("line", ["{", '{"id": "x"}', '{"id": "x", "verdict": "surely"}', "7"])
def test_a_line_that_is_no_reading_is_named(build: Path, tmp_path: Path, line: str) -> None:
    (tmp_path / "r.jsonl").write_text(f'{{"id": "x", "verdict": "not"}}\n{line}\n')
    with pytest.raises(InputError, match=r"r\.jsonl:2: no reading"):
        train_verifier(build, tmp_path / "r.jsonl", tmp_path / "v")
    assert not (tmp_path / "v").exists()


def test_a_stance_model_that_is_no_folder_is_told(build: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no folder of a stance model"):
        train_verifier(build, build / "readings.jsonl", tmp_path / "v", stance="org/model")
    assert not (tmp_path / "v").exists()


def test_readings_of_another_build_are_too_few(build: Path, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"id": "cap:9/0@9", "verdict": "not"}\n')
    with pytest.raises(InputError, match="0 readings are of"):
        train_verifier(build, tmp_path / "r.jsonl", tmp_path / "v")
