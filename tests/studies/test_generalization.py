"""The generalisation study: what is read, windows, numbers against other implementations, a killed run, the command."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from floats_support import close_to
from lawng.datasets.nli import Pair
from lawng.errors import ConfigError, InputError, MissingError
from lawng.evaluation.statistics import (
    Difference,
    Interval,
    McNemar,
    bootstrap,
    bootstrap_recall,
    larger_deviation,
    resampled,
)
from lawng.models.onnx.classifier import export_int8
from lawng.models.pairs import pair_model
from lawng.models.protocols import Judged
from lawng.models.training.fit import fit
from lawng.models.training.options import StanceOptions
from lawng.schema.labels import LABELS, NOT_ENTAILMENT, TWO_LABELS, Label
from lawng.studies.generalization import presets
from lawng.studies.generalization.columns import ARTEFACTS, GRID, OTHERS, Column
from lawng.studies.generalization.examples import (
    Benchmark,
    Example,
    gold_labels,
    intermediate_pairs,
    pairs_of,
    read_benchmark,
    unseen,
)
from lawng.studies.generalization.gaps import Gap, gaps_of
from lawng.studies.generalization.scores import (
    HARD,
    Answer,
    Bias,
    Score,
    answer_of,
    biases_of,
    bins_of,
    hits_of,
    said,
    scores_of,
    subsets_of,
)
from lawng.studies.generalization.study import study_generalization
from lawng.studies.generalization.systems import (
    Asked,
    GeneralizationSettings,
    Question,
    StudyPrediction,
    _without,
    families_of,
    predictions,
    systems_of,
)
from lawng.studies.generalization.tables import answer, write_tables
from lawng.studies.generalization.weights import Trained, base_of
from lawng.studies.generalization.windows import Windowed, pin_seen, words_seen
from lawng.studies.tables import Comparison, Draws
from lawng.text.windows import windows_of
from models_support import tiny_encoder, tiny_model, weights
from split_support import example, examples, write_split

DRAWS = Draws(resamples=200)
NAMES = [str(label) for label in LABELS]


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A folder as `lawng build` makes it, as far as the study reads it."""
    data = tmp_path / "build" / "data"
    data.mkdir(parents=True)
    for split, rows in (("train", examples(48)), ("validation", examples(6, 100)), ("test", examples(24, 200))):
        write_split(data / f"{split}.parquet", rows)
    return data.parent


def settings(base: Path | str, *columns: str, **more: object) -> GeneralizationSettings:
    training = StanceOptions(batch=8, lr=1e-3, epochs=1, max_length=512, save_steps=2, log_steps=1)
    made = GeneralizationSettings((str(base),), columns, training=training, resamples=100)
    return replace(made, **more)  # type: ignore[arg-type]


# ------------------------------------------------------------------ what is read


def test_a_build_is_read_with_all_views_and_only_the_analysis_subset(build: Path) -> None:
    found = read_benchmark(build)
    assert {split: len(rows) for split, rows in found.splits.items()} == {"train": 48, "validation": 6, "test": 24}
    assert found.splits["test"] == examples(24, 200)
    write_split(build / "data" / "test.parquet", examples(9), analysis=False)
    assert not read_benchmark(build).splits["test"]
    assert len(read_benchmark(build, whole=True).splits["test"]) == 9


def test_long_premises_have_their_end_before_their_beginning_as_in_the_paper(build: Path, tmp_path: Path) -> None:
    plain = read_benchmark(build).of("test", "long")
    for one, front in zip(plain, read_benchmark(build, prepended=True).of("test", "long"), strict=True):
        assert front == replace(one, premises={**one.premises, "long": f"The end.\n\n{one.premises['long']}"})
    base = tiny_model(tmp_path / "nli", NAMES)
    file = tmp_path / "study" / "predictions" / "nli.as-it-is.0.long.parquet"
    found = []
    for is_plain in (False, True):
        study_generalization(build, tmp_path / "study", settings(base, "long-as-it-is", plain=is_plain))
        found.append(np.array([row["entailment"] for row in pq.read_table(file).to_pylist()]))
    pairs = pairs_of(plain, "long")
    judged = pair_model(str(base), "torch").judge([p.premise for p in pairs], [p.hypothesis for p in pairs])
    assert found[1] == close_to(judged.log_probs[:, 0])
    assert np.abs(found[0] - found[1]).max() > 1e-3


@pytest.mark.parametrize(
    ("original", "is_twin", "made"),
    [
        ("entailment", False, False),
        ("entailment", True, True),
        ("neutral", False, False),
        ("neutral", True, True),
        ("contradiction", False, True),  # the judge's words stand in its twin
        ("contradiction", True, False),
    ],
)
def test_made_is_the_hypothesis_that_the_algorithm_negated(
    build: Path, original: str, is_twin: bool, made: bool
) -> None:
    write_split(build / "data" / "test.parquet", examples(3), original_label=original, is_twin=is_twin)
    assert {one.made for one in read_benchmark(build).splits["test"]} == {made}


def test_views_give_what_is_read_and_what_is_left_out() -> None:
    [one] = examples(1)
    for view, text in one.premises.items():
        [pair] = pairs_of([one], view)
        assert (pair.premise, pair.hypothesis, pair.gold) == (text, one.hypothesis, ["entailment"])
        [alone] = pairs_of([one], f"only-{view}")
        assert (alone.premise, alone.hypothesis) == (text, "")
    [blind] = pairs_of([one], "hypothesis")
    assert (blind.premise, blind.hypothesis) == ("", one.hypothesis)


def test_contract_nli_trains_on_spans_and_asks_whole_agreements(tmp_path: Path) -> None:
    spans = "concatenated_spans,hypothesis,label\nThe Recipient may not copy it.,It may be copied.,1\n"
    for name in ("train", "validation", "test"):
        (tmp_path / f"{name}.csv").write_text(spans, encoding="utf-8")
    choices = {"nda-1": {"choice": "Contradiction"}, "nda-2": {"choice": "NotMentioned"}}
    documents = [
        {"id": str(n), "text": f"One.\nTwo {n}.", "annotation_sets": [{"annotations": choices}]} for n in range(11)
    ]
    labels = {"nda-1": {"hypothesis": "It may be copied."}, "nda-2": {"hypothesis": "It shall be returned."}}
    for name in ("orig_dev", "orig_test"):
        text = json.dumps({"documents": documents, "labels": labels})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    found = read_benchmark(tmp_path)
    assert [len(found.of("train", view)) for view in ("short", "long", "hypothesis")] == [1, 20, 21]
    assert len(found.of("validation", "long")) == 2, "the eleventh agreement"
    assert found.of("test", "hypothesis") == found.of("test", "long"), "each is asked once, as its long premise is"
    assert {one.case_id for one in found.of("train", "long")}.isdisjoint(
        one.case_id for one in found.of("validation", "long")
    )
    first, second = found.of("test", "long")[:2]
    assert (first.label, second.label, first.case_id) == (Label.CONTRADICTION, Label.NEUTRAL, second.case_id)
    assert first.premises["long"] == "One.\n\nTwo 0.", "its lines are paragraphs"
    (tmp_path / "orig_test.json").write_text('{"documents": [', encoding="utf-8")
    with pytest.raises(InputError, match=r"orig_test\.json: not ContractNLI"):
        read_benchmark(tmp_path)


def test_unseen_hypotheses_are_asked_and_never_trained_on(build: Path, tmp_path: Path) -> None:
    whole = Benchmark("few", {split: 2 * examples(30) for split in ("train", "validation", "test")})
    found = unseen(whole)
    said = {split: {one.hypothesis for one in rows} for split, rows in found.splits.items()}
    assert said["train"] == said["validation"]
    assert said["train"].isdisjoint(said["test"])
    texts = {one.hypothesis for one in whole.splits["test"]}
    assert said["train"] | said["test"] == texts
    assert len(said["test"]) == len(texts) // 2
    for split, rows in found.splits.items():
        assert rows == [one for one in whole.splits[split] if one.hypothesis in said[split]], "all of these, in order"
    few = Benchmark("few", {"test": [replace(one, hypothesis=text) for one in examples(1) for text in "abcde"]})
    assert {one.hypothesis for one in unseen(few).splits["test"]} == {"d", "c"}, (
        "SHA-256 18ac..., 2e7d..., 3e23..., ..."
    )
    with pytest.raises(InputError, match="two hypotheses at least"):
        unseen(Benchmark("one", {"test": examples(1)}))
    base = tiny_model(tmp_path / "nli", ["contradiction", "neutral", "entailment"])
    study_generalization(build, tmp_path / "study", settings(base, "short-as-it-is", unseen=True))
    told = json.loads((tmp_path / "study" / "manifest.json").read_text("utf-8"))
    assert told["data"] == "lawngnli, unseen hypotheses"
    assert told["examples"] == {split: len(rows) for split, rows in unseen(read_benchmark(build)).splits.items()}


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "no data set here"), (b"PAR1 cut", "not a data file of a build")],
    ids=["nothing there", "a file cut off"],
)
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content:
        (tmp_path / "data").mkdir()
        for split in ("train", "validation", "test"):
            (tmp_path / "data" / f"{split}.parquet").write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_benchmark(tmp_path)


# ------------------------------------------------------------------ windows


class ByWord:
    """A judge that finds a window entailing by one word and contradicting by another."""

    name, state = "by word", "1"

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        rows = []
        for premise in premises:
            entailed = 0.8 if "yes" in premise else 0.1
            contradicted = 0.15 if "yes" in premise else 0.6 if "no" in premise else 0.1
            rows.append([entailed, 1 - entailed - contradicted, contradicted])
        return Judged(np.log(rows), [0.5 if "cut" in premise else 1.0 for premise in premises])


class Unanswered(ByWord):
    """One that gives no answer that can be read where something is lost."""

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        found = super().judge(premises, hypotheses)
        return found._replace(read=[0.0 if "ost" in premise else 1.0 for premise in premises])


@pytest.mark.parametrize(("read", "names"), [(0.0, []), (0.4, ["premise cut"]), (1.0, ["premise read whole"])])
def test_what_was_not_answered_was_neither_read_nor_cut(read: float, names: list[str]) -> None:
    [one] = examples(1)
    seen = pin_seen(one, one.premises["long"], words_seen([one.premises["long"]], [read]))
    row = StudyPrediction(one.key, str(one.label), -1.0, -1.0, -1.0, read, seen, "")
    found = [name for name, holds in subsets_of([one]).items() if name.startswith("premise ") and holds(one, row)]
    assert found == names
    assert (row.pin_seen == -1) == (not read)


def test_each_label_has_its_most_probable_window() -> None:
    model = Windowed(ByWord(), words=3)
    found = model.judge(["A river. Judges said no. They cut.", "A river. A road.", "Say yes. Say no.", ""], ["it"] * 4)
    largest = np.array([[0.1, 0.4, 0.6], [0.1, 0.9, 0.1], [0.8, 0.2, 0.6], [0.1, 0.9, 0.1]])
    assert np.exp(found.log_probs) == close_to(largest / largest.sum(axis=1, keepdims=True))
    assert found.read == [0.5, 1.0, 1.0, 1.0]
    lost = Windowed(Unanswered(), words=3).judge(
        ["A river. Judges said no. They lost.", "Lost it. Lost all."], ["it"] * 2
    )
    assert lost.read == [1.0, 0.0], "a window without an answer is none that was cut"
    assert model.passages[0] == "Judges said no."
    assert model.passages[2] == "Say yes."


def test_every_word_is_in_a_window_and_none_is_too_long() -> None:
    rng = random.Random(3)
    for _ in range(50):
        text = " ".join(rng.choice(["a", "b", "C", "d.", "E!"]) for _ in range(rng.randint(0, 60)))
        windows = windows_of(text, 7, apart=rng.random() < 0.5)
        assert set(text.split()) == {word for window in windows for word in window.split()}
        assert all(len(window.split()) <= 7 for window in windows)
        assert " ".join(windows_of(text, 7, apart=True)) == text, "one after another they are the text"


# ------------------------------------------------------------------ numbers


def predicted(rows: Sequence[Example], seed: int, right: float = 0.6) -> dict[str, StudyPrediction]:
    rng = random.Random(seed)
    found = {}
    for one in rows:
        chosen = one.label if rng.random() < right else rng.choice(LABELS)
        e, n, c = (float(np.log(0.6 if label == chosen else 0.2)) for label in LABELS)
        found[one.key] = StudyPrediction(one.key, str(one.label), e, n, c, rng.choice([0.5, 1.0]), rng.random(), "")
    return found


def test_scores_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import accuracy_score, balanced_accuracy_score

    test = examples(90)
    rows = predicted(test, 1)
    scores = {one.subset: one for one in scores_of([Answer("m", GRID[0], 0, rows)], test, DRAWS)}
    for name, chosen in {
        "all": test,
        "hypothesis contains negation": [one for one in test if one.negated],
        "premise cut": [one for one in test if rows[one.key].read_share < 1],
        "contradiction made by negation": [one for one in test if one.made and one.label is Label.CONTRADICTION],
    }.items():
        gold, told = [str(one.label) for one in chosen], [said(rows[one.key]) for one in chosen]
        assert scores[name].n == len(chosen)
        assert scores[name].accuracy == close_to(accuracy_score(gold, told))
        if len(set(gold)) == 3:
            assert scores[name].balanced == close_to(balanced_accuracy_score(gold, told))
    every = scores["all"]
    hits = [float(said(rows[one.key]) == one.label) for one in test]
    assert every.interval == bootstrap(hits, DRAWS.seed, [one.case_id for one in test], DRAWS.resamples)
    assert every.deviation == close_to(larger_deviation(round(every.accuracy * 90), 90))
    words = [len(one.premises["long"].split()) for one in test]
    assert scores["above-median long premise"].n == sum(n > np.median(words) for n in words)
    lengths = [one for name, one in scores.items() if name.startswith("words of the long premise")]
    assert sum(one.n for one in lengths) == 90, "every example is in one bin"
    assert every.ece == close_to(abs(every.accuracy - 0.6)), "all are as sure: one bin"


def test_the_papers_cells_come_of_counts() -> None:
    assert round(larger_deviation(round(0.875 * 3966), 3966), 3) == 0.011
    assert round(larger_deviation(round(0.742 * 3966), 3966), 3) == 0.014


def test_seeds_are_averaged_by_example_and_their_spread_told() -> None:
    test = examples(60)
    answers = [Answer("m", GRID[0], seed, predicted(test, seed, 0.3 + seed / 3)) for seed in (0, 1, 2)]
    single = [next(iter(scores_of([one], test, DRAWS))).accuracy for one in answers]
    both = next(iter(scores_of(answers, test, DRAWS)))
    assert both.accuracy == close_to(np.mean(single))
    assert both.spread == close_to(np.std(single))
    assert both.n == 60
    assert both.seeds == 3


def test_hard_examples_are_those_that_the_same_model_gets_wrong_without_a_premise() -> None:
    test = examples(30)
    blind, seeing = predicted(test, 5), predicted(test, 6)
    answers = [Answer("m", ARTEFACTS[0], 0, blind), Answer("m", GRID[0], 0, seeing), Answer("o", GRID[0], 0, seeing)]
    hard = {one.model: one for one in scores_of(answers, test, DRAWS) if (one.subset, one.column) == (HARD, "1")}
    wrong = [one for one in test if said(blind[one.key]) != one.label]
    assert set(hard) == {"m"}, "the other model was not asked"
    assert hard["m"].n == len(wrong)
    assert hard["m"].accuracy == close_to(np.mean([said(seeing[one.key]) == one.label for one in wrong]))


def test_gaps_are_to_the_best_long_trained_column_of_the_same_model() -> None:
    from scipy.stats import binomtest

    test = examples(90)
    right = {"1": 0.2, "4": 0.5, "5": 0.4, "6": 0.9}
    answers = [
        Answer("m", one, 0, predicted(test, at, right[one.key])) for at, one in enumerate(GRID) if one.key in right
    ]
    gaps = {one.column: one for one in gaps_of(answers, test, DRAWS)}
    assert set(gaps) == {"1", "4"}
    assert {one.best for one in gaps.values()} == {"6"}
    hits = {a.column.key: [said(a.rows[one.key]) == one.label for one in test] for a in answers}
    for key, gap in gaps.items():
        first = sum(a and not b for a, b in zip(hits[key], hits["6"], strict=True))
        second = sum(b and not a for a, b in zip(hits[key], hits["6"], strict=True))
        assert gap.comparison.gap.mean == close_to((first - second) / 90)
        assert gap.comparison.test is not None
        assert gap.comparison.test.p == close_to(binomtest(first, first + second).pvalue)
    assert "long premises are needed" in answer(scores_of(answers, test, DRAWS), list(gaps.values()))
    assert answer(scores_of(answers[:2], test, DRAWS), []).startswith("No answer")


def test_the_best_of_two_models_are_tested_against_each_other() -> None:
    """As in the paper, whose best without long premises is ALBERT's column 4 and whose best with them BART's 6."""
    from scipy.stats import binomtest

    test = examples(90)
    right = {("a", "4"): 0.7, ("a", "6"): 0.3, ("b", "1"): 0.2, ("b", "6"): 0.95}
    answers = [
        Answer(model, next(one for one in GRID if one.key == key), seed, predicted(test, 10 * at + seed, share))
        for at, ((model, key), share) in enumerate(right.items())
        for seed in (0, 1)
    ]
    gaps = list(gaps_of(answers, test, DRAWS))
    assert [(gap.model, gap.column, gap.other, gap.best) for gap in gaps] == [
        ("a", "4", "", "6"), ("b", "1", "", "6"), ("a", "4", "b", "6"),
    ]  # fmt: skip
    hits = {(a.model, a.column.key, a.seed): hits_of(a) for a in answers}
    means = [np.mean([*hits[model, key, seed].values()]) for model, key in (("a", "4"), ("b", "6")) for seed in (0, 1)]
    across = gaps[-1].comparison
    assert across.gap.mean == close_to((means[0] + means[1] - means[2] - means[3]) / 2)
    one, other = (np.array([*hits[model, key, 0].values()]) for model, key in (("a", "4"), ("b", "6")))
    first, second = int(((one == 1) & (other == 0)).sum()), int(((one == 0) & (other == 1)).sum())
    assert across.test is not None
    assert across.test.p == across.p_holm == close_to(binomtest(first, first + second).pvalue)
    told = answer(scores_of(answers, test, DRAWS), gaps)
    assert "(a, column 4)" in told
    assert "(b, column 6)" in told
    assert ": long premises are needed" in told


def test_seeds_are_paired_where_a_training_of_one_has_failed() -> None:
    from scipy.stats import binomtest

    test = examples(90)
    answers = [
        Answer("m", GRID[at], seed, predicted(test, 7 * at + seed))
        for at, seed in ((0, 0), (0, 1), (0, 2), (4, 1), (4, 2))
    ]
    [gap] = gaps_of(answers, test, DRAWS)
    short, long = ({a.seed: np.array([*hits_of(a).values()]) for a in answers if a.column == GRID[at]} for at in (0, 4))
    first, second = int((short[1] > long[1]).sum()), int((short[1] < long[1]).sum())
    assert gap.comparison.test is not None
    assert gap.comparison.test.p == close_to(binomtest(first, first + second).pvalue), "the first that both have"
    assert gap.comparison.gap.mean == close_to(np.mean([short[n] - long[n] for n in (1, 2)]))
    assert list(gaps_of([answers[0], answers[3]], test, DRAWS)) == []
    told = answer(scores_of([answers[0], answers[3]], test, DRAWS), [])
    assert told.endswith("no seed in common, so nothing is tested.")


def test_the_best_long_trained_column_is_that_of_all_seeds() -> None:
    """Of the first seed alone it would be another one, and the answer would find no gap to the column that it names."""
    test = examples(90)
    right = {"1": (0.5, 0.5), "5": (0.6, 0.9), "6": (0.8, 0.3)}
    answers = [
        Answer("m", one, seed, predicted(test, 3 * at + seed, right[one.key][seed]))
        for at, one in enumerate(GRID)
        if one.key in right
        for seed in (0, 1)
    ]
    gaps = list(gaps_of(answers, test, DRAWS))
    assert [(one.column, one.best) for one in gaps] == [("1", "5")]
    scores = scores_of(answers, test, DRAWS)
    assert "Paired, over cases" in answer(scores, gaps)
    accuracy = {one.column: one.accuracy for one in scores if one.subset == "all"}
    [gap] = gaps
    assert gap.comparison.gap.mean == close_to(accuracy["1"] - accuracy["5"]), "of all seeds, as what stands beside it"
    assert gap.comparison.gap.interval[0] <= gap.comparison.gap.mean <= gap.comparison.gap.interval[1]


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.009, 0.02, "no long premises are needed to come within one point"),
        (-0.02, -0.001, ": long premises are needed"),
        (-0.02, 0.01, "do not tell"),
    ],
    ids=["within a point", "behind", "either"],
)
def test_the_answer_is_what_the_interval_says(low: float, high: float, verdict: str) -> None:
    def score(column: str, accuracy: float) -> Score:
        return Score("m", column, "all", 500, accuracy, 0.0, Interval(0.0, 1.0), 0.0, 0.0, 1, 0.0)

    gap = Comparison("4", 500, Difference(-0.005, Interval(low, high), 0.5), None, 0.5)
    told = answer([score("1", 0.5), score("4", 0.7), score("6", 0.705)], [Gap("m", "4", "6", 90, gap)])
    assert verdict in told
    assert "column 4) is right for 0.700" in told
    assert "column 6) for 0.705" in told
    other = answer([score("4", 0.7), score("6", 0.705)._replace(model="o")], [Gap("m", "4", "6", 90, gap, "o")])
    assert verdict in other
    assert "(m, column 4)" in other
    assert "(o, column 6)" in other
    equal = [score("1", 0.5), score("9", 0.705), score("6", 0.705), score("4", 0.7)]
    assert "column 6) for 0.705" in answer(equal, [Gap("m", "4", "6", 90, gap)]), "the first of the grid, in any order"
    assert verdict in answer(equal, [Gap("m", "4", "6", 90, gap)])


def two_labels(rows: dict[str, StudyPrediction]) -> list[StudyPrediction]:
    """The same predictions by a model that tells entailed from not."""
    return [
        replace(
            row,
            label=row.label if row.label == "entailment" else NOT_ENTAILMENT,
            neutral=float(np.logaddexp(row.neutral, row.contradiction)),
            contradiction=-np.inf,
        )
        for row in rows.values()
    ]


def test_a_model_of_two_labels_is_asked_entailed_examples_twice() -> None:
    from sklearn.metrics import accuracy_score, balanced_accuracy_score

    test = examples(60)
    rows = predicted(test, 4)
    given = two_labels(rows)
    [every] = [one for one in scores_of([answer_of("m", GRID[0], 0, given)], test, DRAWS) if one.subset == "all"]
    gold = [one.label == "entailment" for one in test for _ in range(1 + (one.label == "entailment"))]
    told = [rows[one.key].entailment > np.log(0.5) for one in test for _ in range(1 + (one.label == "entailment"))]
    assert every.n == 80, "four thirds of 60 (A.2.1)"
    assert every.accuracy == close_to(accuracy_score(gold, told))
    assert every.balanced == close_to(balanced_accuracy_score(gold, told))
    assert every.labels == 2
    assert answer_of("m", GRID[0], 0, rows.values()) == Answer("m", GRID[0], 0, rows), "of three labels nothing changes"


def test_an_example_is_tested_once_though_it_counts_twice() -> None:
    from scipy.stats import binomtest

    test = examples(60)
    given = [two_labels(predicted(test, at, 0.3 + at / 8)) for at in (0, 4)]
    answers = [answer_of("m", GRID[at], 0, rows) for at, rows in zip((0, 4), given, strict=True)]
    [gap] = gaps_of(answers, test, DRAWS)
    hits = [[(row.entailment > np.log(0.5)) == (row.label == "entailment") for row in rows] for rows in given]
    first, second = (sum(a and not b for a, b in zip(*pair, strict=True)) for pair in (hits, hits[::-1]))
    assert gap.comparison.test is not None
    assert gap.comparison.test.p == close_to(binomtest(first, first + second).pvalue)
    means = [np.mean([*hits_of(one).values()]) for one in answers]
    assert gap.comparison.gap.mean == close_to(means[0] - means[1]), "the difference is that of the table"


def test_models_of_two_labels_stand_apart_and_are_compared_with_none_of_three(tmp_path: Path) -> None:
    test = examples(60)
    three = [Answer("m", GRID[at], 0, predicted(test, at, 0.3)) for at in (0, 4)]
    two = [answer_of("m_docnli", GRID[at], 0, two_labels(predicted(test, at, 0.9))) for at in (0, 4)]
    scores = scores_of([*three, *two], test, DRAWS)
    gaps = list(gaps_of([*three, *two], test, DRAWS))
    assert {(one.model, one.cases) for one in gaps} == {("m", 20), ("m_docnli", 20)}
    rows = write_tables(tmp_path, scores, gaps, [], {})["table-13"].rows
    assert [(row[0], row[1]) for row in rows if row[0].startswith("N")] == [("N", "60"), ("N (entailed or not)", "80")]
    assert [row[0] for row in rows] == ["m", "N", "m_docnli", "N (entailed or not)", "largest p"]
    largest = max(one.comparison.test.p for one in gaps if one.comparison.test)
    assert rows[-1][1:] == [f"{largest:.3f}", *["—"] * 9]
    lost = {"no such base": [("gone", "1", 0), ("m_docnli", "7", 0), ("m_docnli", "8", 2), ("m", "long-as-it-is", 0)]}
    tables = write_tables(tmp_path, [one for one in scores if one.labels == 2], gaps, [], lost)
    assert [row[0] for row in tables["table-13"].rows] == ["gone", "N", "m_docnli", "N (entailed or not)", "largest p"]
    assert [row[0] for row in tables["as-it-is"].rows] == ["m", "N"], "of what was asked"
    assert "table-14" in tables
    assert "table-12" not in tables
    told = (tmp_path / "answer.txt").read_text("utf-8").splitlines()[1]
    assert told == (
        "not to be had: no such base (gone: columns 1, seeds 0; m_docnli: columns 7, 8, seeds 0, 2; "
        "m: columns long-as-it-is, seeds 0)"
    )
    assert "(m, column" in answer(scores, gaps)
    assert "m_docnli" not in answer(scores, gaps)
    assert "m_docnli" in answer([one for one in scores if one.labels == 2], gaps)
    gold = {one.key: one.label for one in test}
    assert biases_of(two, gold, test, DRAWS, ("1", "5")) == [], "gold labels are three"


@pytest.mark.parametrize(
    ("alone", "hard", "high", "told"),
    [
        (None, None, -0.03, "the column hypothesis was not asked"),
        (0.66, None, -0.03, "By hypotheses alone the model is right for 0.660."),
        (0.66, (0.2, 0.4), -0.03, "wrong so, the two are right for 0.200 and 0.400."),
        (0.66, (0.5, 0.2), -0.03, "0.500 and 0.200, the other way round: the lead is of what hypotheses give away"),
        (0.66, (0.5, 0.2), 0.01, "do not tell whether long premises are needed. By hypotheses alone"),
        (0.66, (0.5, 0.2), 0.01, "wrong so, the two are right for 0.500 and 0.200."),
    ],
    ids=["not asked", "no hard ones", "the same order", "the other order", "no lead", "no cause"],
)
def test_the_answer_tells_what_hypotheses_give_away(
    alone: float | None, hard: tuple[float, float] | None, high: float, told: str
) -> None:
    def score(column: str, accuracy: float, subset: str = "all") -> Score:
        return Score("m", column, subset, 90, accuracy, 0.0, Interval(0.0, 1.0), 0.0, 0.0, 1, 0.0)

    scores = [score("3", 0.566), score("5", 0.640)]
    scores += [score("hypothesis", alone)] if alone else []
    scores += [score(column, value, HARD) for column, value in zip(("3", "5"), hard or (), strict=False)]
    gap = Comparison("3", 90, Difference(-0.07, Interval(-0.1, high), 0.0), None, 0.0)
    said = answer(scores, [Gap("m", "3", "5", 90, gap)])
    assert told in said
    assert ("other way round" in said) == (hard == (0.5, 0.2) and high < 0), "what leads nowhere has no cause"


def test_table_16_sets_gold_labels_against_automatic_ones(tmp_path: Path) -> None:
    from sklearn.metrics import balanced_accuracy_score

    test = examples(60)
    answers = [Answer("m", GRID[at], seed, predicted(test, 3 * at + seed)) for at in (3, 5) for seed in (0, 1)]
    rng = random.Random(9)
    people = {one.key: rng.choice([one.label, *LABELS]) for one in test[:30]}
    lines = [
        "task_id,automatic,gold,sure",
        *(f"{one.key}#long,{one.label},{people[one.key]},True" for one in test[:30]),
    ]
    (tmp_path / "gold.csv").write_text("\n".join([*lines, "cl:40#short,neutral,neutral,True"]), encoding="utf-8")
    lines_said: list[str] = []
    gold = gold_labels(tmp_path / "gold.csv", test, lines_said.append)
    assert gold == people, "of long premises alone"
    assert not lines_said
    assert len(gold_labels(tmp_path / "gold.csv", test[:20], lines_said.append)) == 20
    assert "10 of 30 gold labels left out" in lines_said[0]
    [found] = biases_of(answers, gold, test, DRAWS)
    told = [[[said(answers[at].rows[key]) for key in people] for at in own] for own in ((0, 1), (2, 3))]
    automatic, by_people = [str(one.label) for one in test[:30]], [*map(str, people.values())]
    for labels, shares in ((automatic, found.automatic), (by_people, found.gold)):
        assert shares == close_to([np.mean([balanced_accuracy_score(labels, one) for one in seeds]) for seeds in told])
    leads = [second - first for first, second in (found.automatic, found.gold)]
    assert found.bias == close_to(leads[0] - leads[1])
    for value, over in zip((*found.automatic, *found.gold, found.bias), (*found.intervals, found.of_bias), strict=True):
        assert over.low < value < over.high
        assert 0.1 < over.high - over.low < 0.8
    hits = [float(np.mean([said(answers[at].rows[key]) == people[key] for at in (2, 3)])) for key in people]
    cases = [one.case_id for one in test[:30]]
    assert found.intervals[3] == bootstrap_recall(by_people, hits, DRAWS.seed, cases, DRAWS.resamples)

    def lead(at: Any) -> float:
        drawn = [
            np.mean([balanced_accuracy_score([labels[n] for n in at], [one[n] for n in at]) for one in seeds])
            for labels in (automatic, by_people)
            for seeds in told
        ]
        return float(drawn[1] - drawn[0] - drawn[3] + drawn[2])

    few = Draws(DRAWS.seed, 40)
    again = biases_of(answers, gold, test, few)[0].of_bias
    assert again == close_to(resampled(lead, cases, few.seed, few.resamples)), "of columns 6 and 4, over cases"
    alike = biases_of(answers, {one.key: one.label for one in test}, test, DRAWS)[0]
    assert (alike.bias, alike.of_bias) == (0, (0, 0)), "where people say the same there is no bias in any draw"
    assert found.n == 30
    assert biases_of(answers[:2], gold, test, DRAWS) == [], "column 6 was not asked"
    (tmp_path / "bad.csv").write_text("task_id,automatic,gold\ncl:1#long,neutral,perhaps\n", encoding="utf-8")
    with pytest.raises(InputError, match="no gold labels"):
        gold_labels(tmp_path / "bad.csv", test)
    other = [replace(one, label=LABELS[(LABELS.index(one.label) + 1) % 3]) for one in test]
    with pytest.raises(InputError, match=r"cl:0 is entailment there and neutral here; give this build's own"):
        gold_labels(tmp_path / "gold.csv", other)
    over = Interval(0.25, 0.75)
    both = [
        Bias(name, 30, (0.6, 0.7), (0.5, 0.6 - bias), (over, over, over, Interval(0.1, 0.9)), Interval(-0.2, 0.3))
        for name, bias in (("m", 0.1), ("o", -0.05))
    ]
    rows = write_tables(tmp_path, scores_of(answers, test, DRAWS), list(gaps_of(answers, test, DRAWS)), both, {})
    assert rows["table-16"].rows[-1] == ["mean", *["—"] * 4, "+0.025", "—"]
    own = ["0.600 (0.250-0.750)", "0.500 (0.250-0.750)", "0.700 (0.250-0.750)", "0.500 (0.100-0.900)"]
    assert rows["table-16"].rows[0] == ["m", *own, "+0.100 (-0.200 to +0.300)", "30"]


def test_few_cases_give_no_verdict() -> None:
    test = examples(9)
    answers = [Answer("m", GRID[at], 0, predicted(test, 1)) for at in (0, 4)]
    assert "too few" in answer(scores_of(answers, test, DRAWS), list(gaps_of(answers, test, DRAWS)))


def test_bins_hold_all_and_equal_values_stay_together() -> None:
    rng = random.Random(1)
    for _ in range(50):
        values = [rng.randint(1, 12) for _ in range(rng.randint(0, 40))]
        bins = bins_of(values)
        assert all(sum(low <= value <= high for low, high in bins) == 1 for value in values)


@pytest.mark.parametrize(
    ("premise", "read", "seen"),
    [("A.\n\nB.\n\nC.", 1.0, 1.0), ("A.\n\nC.", 1.0, 0.5), ("A.\n\nB.\n\nC.", 0.8, 0.5), ("", 1.0, -1.0)],
    ids=["all of it", "filtered out", "cut off", "no premise"],
)
def test_how_much_of_the_cited_pages_was_read(premise: str, read: float, seen: float) -> None:
    one = replace(examples(1)[0], premises={"short": "B.\n\nC."})
    assert pin_seen(one, premise, words_seen([premise], [read])) == close_to(seen)


@pytest.mark.parametrize(
    ("short", "premise", "read", "seen", "why"),
    [
        ("A\n\nThe tax is void.", "All of it was argued.\n\nA\n\nThe tax is void.", 0.5, 0.0, "A heading is no letter"),
        ("A\n\nThe tax is void.", "All of it was argued.\n\nA\n\nThe tax is void.", 1.0, 1.0, "both stand there"),
        ("The end.", "The end.\n\nA river.\n\nThe end.", 0.4, 1.0, "a paragraph that was copied to the front"),
        (
            "A\n\nThe tax is void.",
            "All of it was argued.\n\nThe tax is void.",
            1.0,
            0.5,
            "BM25 took the heading for nothing",
        ),
        ("The tax is void.", "The tax is void. Now.\n\nA river.", 1.0, 0.0, "another paragraph"),
    ],
)
def test_what_of_the_cited_pages_counts_as_read(short: str, premise: str, read: float, seen: float, why: str) -> None:
    one = replace(examples(1)[0], premises={"short": short})
    assert pin_seen(one, premise, words_seen([premise], [read])) == close_to(seen), why


def test_of_windows_each_counts_by_what_was_read_of_itself() -> None:
    premise = "They cut it here.\n\nNo one came by.\n\nSay yes to this."
    rows = [replace(examples(1)[0], premises={"short": text}) for text in premise.split("\n\n")]
    found = list(predictions(Windowed(ByWord(), words=4), rows, [Pair("", premise, "it", [], "", "test")] * 3))
    assert [row.pin_seen for row in found] == [0.0, 1.0, 1.0], "the first window alone was cut"
    assert [row.read_share for row in found] == [0.5] * 3


# ------------------------------------------------------------------ the run


def test_each_model_is_trained_once_a_view_and_asked_its_own_columns(build: Path, tmp_path: Path) -> None:
    asked = settings("base", "1", "3", "5", "6", "hypothesis", "long-as-it-is", seeds=(0, 1))
    found = systems_of(asked, read_benchmark(build), tmp_path, print)
    columns = {system.label.name: [one.column.key for one in questions] for system, questions in found}
    own = {"short": ["1", "3"], "long": ["5"], "bm25-long": ["6"], "hypothesis": ["hypothesis"]}
    trained = {f"base.{view}.{seed}": keys for seed in (0, 1) for view, keys in own.items()}
    assert columns == trained | {"base.as-it-is.0": ["long-as-it-is"]}, "another seed would say the same"


def test_the_columns_are_those_of_table_13_and_of_the_windows() -> None:
    read = {(one.key, one.trained, one.read, one.window, one.windows) for one in GRID}
    assert read == {
        ("1", "short", "long", 0, False),
        ("2", "short", "long", 512, False),
        ("3", "short", "bm25-long", 0, False),
        ("4", "bm25-short", "bm25-long", 0, False),
        ("5", "long", "long", 0, False),
        ("6", "bm25-long", "bm25-long", 0, False),
        ("7", "short", "long", 0, True),
        ("8", "bm25-short", "long", 0, True),
        ("9", "long", "long", 0, True),
        ("10", "bm25-long", "long", 0, True),
    }


def test_each_cell_of_the_tables_has_its_own_number(tmp_path: Path) -> None:
    """A score of its own for each column and subset: what stands where is the paper's."""
    keys = [one.key for one in (*GRID, *OTHERS, *ARTEFACTS)]
    names = ("all", "above-median long premise", "hypothesis contains negation")
    value = {(key, name): at / 1000 for at, (key, name) in enumerate((k, n) for k in keys for n in names)}
    scores = [
        Score("m", key, name, 90, share, 0.01, Interval(0.0, 1.0), 0.0, 0.0, 1, 0.0)
        for (key, name), share in value.items()
    ]

    def gap(column: str, p: float, other: str = "") -> Gap:
        made = Comparison(column, 90, Difference(0.0, Interval(0.0, 0.0), 1.0), McNemar(1, 1, p), 1.0)
        return Gap("m", column, "10", 90, made, other)

    gaps = [gap("8", 0.5), gap("3", 0.2), gap("3", 0.6), gap("3", 0.1), gap("3", 0.9, "o")]
    tables = write_tables(tmp_path, scores, gaps, [], {})
    rows = {name: grid.rows[0][1:] for name, grid in tables.items()}
    largest = ["—", "—", "0.600", "—", "—", "—", "—", "0.500", "—", "—"]
    assert tables["table-13"].rows[-1] == ["largest p", *largest], "each model against its own"
    longest, negated = names[1:]
    for table, cells in {
        "table-12": [(one.key, "all") for one in ARTEFACTS],
        "table-13": [(str(n), "all") for n in range(1, 11)],
        "table-14": [("long-as-it-is", "all"), ("5", "all"), ("5", longest), ("5", negated)],
        "table-15": [("short-as-it-is", "all"), ("short", "all"), ("short", longest), ("short", negated)],
    }.items():
        assert rows[table] == [f"{value[cell]:.3f}+/-0.010" for cell in cells], table


def test_subsets_are_told_by_source_by_pages_and_by_who_made_the_contradiction() -> None:
    rows = [example(at, Label.CONTRADICTION, source="parenthetical" if at % 3 else "proposition") for at in range(12)]
    said_of = {
        one.key: StudyPrediction(one.key, "contradiction", -1.0, -2.0, -3.0, 1.0, [0.5, 0.4, -1.0][at % 3], "")
        for at, one in enumerate(rows)
    }
    found = {
        name: {at for at, one in enumerate(rows) if holds(one, said_of[one.key])}
        for name, holds in subsets_of(rows).items()
    }
    assert found["source: proposition"] == {0, 3, 6, 9}
    assert found["source: parenthetical"] == {1, 2, 4, 5, 7, 8, 10, 11}
    assert found["most cited paragraphs read"] == {0, 3, 6, 9}
    assert found["fewer"] == {1, 4, 7, 10}, "what is not known is in neither"
    assert found["contradiction made by negation"] == {0, 4, 8}
    assert found["contradiction as written"] == {1, 2, 3, 5, 6, 7, 9, 10, 11}


@pytest.mark.slow("trains tiny models")
def test_cells_are_made_by_need_and_read_back(build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, place = tiny_encoder(tmp_path / "base"), tmp_path / "study"
    first = study_generalization(build, place, settings(base, "1", "7", "6", "long-as-it-is"))
    assert {one.column for one in first.scores} == {"1", "7", "6"}
    assert any("'LABEL_0', 'LABEL_1' are not" in line for line in first.missing), "a hole: the base has no NLI labels"
    assert first.tables["table-13"].rows[0][2] == "—", "column 2 was not asked"
    names = sorted(path.name for path in (place / "predictions").iterdir())
    assert names == [
        "base.bm25-long.0.bm25-long.parquet",
        "base.short.0.long-windows.parquet",
        "base.short.0.long.parquet",
    ]
    rows = pq.read_table(place / "predictions" / names[1]).to_pylist()
    assert [row["key"] for row in rows] == [one.key for one in examples(24, 200)]
    assert all(row["passage"] for row in rows)

    monkeypatch.setattr("lawng.models.training.fit.fit", lambda *_: pytest.fail("trained again"))
    again = study_generalization(build, place, settings(base, "1", "7", "6"))
    assert again.scores == first.scores
    shutil.copytree(place / "cache", tmp_path / "moved" / "cache")
    moved = study_generalization(build, tmp_path / "moved", settings(base, "1", "7", "6"))
    assert moved.scores == first.scores, "weights and cells of another machine are taken"
    assert (place / "tables" / "accuracy-by-length.svg").is_file()
    assert json.loads((place / "manifest.json").read_text())["settings"]["training"]["epochs"] == 1
    monkeypatch.undo()
    write_split(build / "data" / "train.parquet", examples(30))
    model = place / "cache" / "models" / "base.bm25-long.0"
    before = weights(model)
    study_generalization(build, place, settings(base, "6"))
    assert weights(model) != before, "other training data: trained anew"
    before = weights(model)
    tiny_encoder(base, seed=5)
    study_generalization(build, place, settings(base, "6"))
    assert weights(model) != before, "another base in the same folder: trained anew"


def test_a_model_that_is_trained_already_is_asked_as_it_is(build: Path, tmp_path: Path) -> None:
    base = tiny_model(tmp_path / "nli", ["CONTRADICTION", "neutral", "Entailment"])
    found = study_generalization(
        build, tmp_path / "study", settings(base, "long-as-it-is", "short-as-it-is", plain=True)
    )
    assert {one.column for one in found.scores} == {"long-as-it-is", "short-as-it-is"}
    assert not found.missing
    pairs = pairs_of(examples(24, 200), "long")
    model = pair_model(str(base), "torch")
    judged = model.judge([p.premise for p in pairs], [p.hypothesis for p in pairs])
    rows = pq.read_table(tmp_path / "study" / "predictions" / "nli.as-it-is.0.long.parquet").to_pylist()
    assert [row["entailment"] for row in rows] == close_to(judged.log_probs[:, 0])
    assert [row["read_share"] for row in rows] == close_to(judged.read)

    question = Question("long-20", examples(24, 200), Column("of 20 tokens", "", "long", window=20))
    cut = list(Asked(base_of(str(base))).answer(question, lambda *_: None))
    assert all(one.read_share < row["read_share"] for one, row in zip(cut, rows, strict=True)), (
        "a window of fewer tokens"
    )


def test_what_is_trained_in_bf16_is_asked_in_bf16(build: Path, tmp_path: Path) -> None:
    asked = settings(tiny_model(tmp_path / "nli", NAMES), "short-as-it-is")
    half = replace(asked, training=replace(asked.training, precision="bf16"))
    file = tmp_path / "study" / "predictions" / "nli.as-it-is.0.short.parquet"
    found = []
    for one in (asked, half):
        study_generalization(build, tmp_path / "study", one)
        found.append(np.exp([row["entailment"] for row in pq.read_table(file).to_pylist()]))
    gaps = np.abs(found[0] - found[1])
    assert 0 < gaps.mean() < 0.05, "the cell was asked again, with numbers of sixteen bits"
    both = systems_of(replace(half, columns=("short", "short-as-it-is")), read_benchmark(build), tmp_path, print)
    assert [system.load().backend for system, _ in both] == ["bf16", "bf16"], "trained on it or not"  # type: ignore[attr-defined]


def test_a_base_that_reads_less_than_was_asked_is_told_once(build: Path, tmp_path: Path) -> None:
    asked = settings(tiny_encoder(tmp_path / "base"), "1", "3", "6", seeds=(0, 1))
    for longest, lines in ((512, 1), (64, 0)):
        said: list[str] = []
        long = replace(asked, training=replace(asked.training, max_length=longest))
        for system, _ in systems_of(long, read_benchmark(build), tmp_path, said.append):
            assert system.load().weights.options.max_length == 64  # type: ignore[attr-defined]
        expected = f"{tmp_path / 'base'} reads 64 tokens: it is trained with so many, not 512"
        assert said == [expected] * lines


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """NLI data of three labels (SICK) and of two (DocNLI's MNLI)."""
    sick = ["pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"]
    sick += [f"{n}\tthe dog runs {n}\tthe dog sleeps\t3\t{str(LABELS[n % 3]).upper()}" for n in range(24)]
    two = [f"{'not_' * (n % 2)}entailment\tthe dog runs {n}\tthe dog sleeps" for n in range(40)]
    for name, lines in (("sick/SICK_train.txt", sick), ("docnli/mnli-dev.txt", two)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow("trains tiny models")
def test_other_data_come_first_once_for_all_seeds(build: Path, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[tuple[str, int, tuple[str, ...], int]] = []
    judged: list[tuple[str, int]] = []

    def noted(work: Path, place: str, pairs: Sequence[Pair], options: StanceOptions, *rest: Any) -> Any:
        trained.append((Path(place).name, len(pairs), rest[-1], options.epochs))
        judged.append((Path(place).name, len(rest[-2])))
        return fit(work, place, pairs, options, *rest)

    monkeypatch.setattr("lawng.models.training.fit.fit", noted)
    base, before = tiny_encoder(other / "base"), StanceOptions(batch=8, epochs=1, max_length=32)
    sets = ("none", str(other / "sick"), str(other / "docnli"))
    asked = settings(base, "3", "long-as-it-is", intermediate=sets, before=before, seeds=(0, 1))
    asked = replace(asked, training=replace(asked.training, epochs=2))
    found = study_generalization(build, other / "study", asked)
    names, n = tuple(map(str, LABELS)), sum(pair.part == "train" for pair in intermediate_pairs(sets[2]))
    assert trained.count(("base", 24, names, 1)) == 1, "SICK, once for both seeds"
    assert trained.count(("base_sick.before", 48, names, 2)) == 2
    assert trained.count(("base", n, TWO_LABELS, 1)) == 1
    assert trained.count(("base_docnli.before", 64, TWO_LABELS, 1)) == 2, "entailed ones twice, half the epochs"
    assert ("base_docnli.before", 8) in judged, "of six, the two entailed ones twice, as in training"
    assert ("base_sick.before", 6) in judged
    models = {(one.model, one.column, one.labels) for one in found.scores}
    assert models == {("base", "3", 3)} | {
        (f"base_{name}", column, labels)
        for name, labels in (("sick", 3), ("docnli", 2))
        for column in ("3", "long-as-it-is")
    }
    assert len(trained) == 8
    study_generalization(build, other / "study", asked)
    assert len(trained) == 8, "nothing is trained again"
    with (other / "sick" / "SICK_train.txt").open("a", encoding="utf-8") as lines:
        lines.write("99\tthe cat runs\tthe cat sleeps\t3\tNEUTRAL\n")
    study_generalization(build, other / "study", replace(asked, seeds=(0,), columns=("3",)))
    assert len(trained) == 10, "other data before: that training and the one after it"


def test_a_model_of_two_labels_is_asked_as_it_is(build: Path, tmp_path: Path) -> None:
    base = tiny_model(tmp_path / "two", ["not_entailment", "entailment"])
    found = study_generalization(build, tmp_path / "study", settings(base, "long-as-it-is", "short-as-it-is"))
    assert {(one.labels, one.n) for one in found.scores if one.subset == "all"} == {(2, 32)}
    rows = pq.read_table(tmp_path / "study" / "predictions" / "two.as-it-is.0.long.parquet").to_pylist()
    assert [row["label"] for row in rows[:3]] == ["entailment", "not_entailment", "not_entailment"]
    assert np.exp([[row["entailment"], row["neutral"], row["contradiction"]] for row in rows]).sum(1) == close_to(
        np.ones(24)
    )


def test_a_base_keeps_the_labels_of_its_head(tmp_path: Path) -> None:
    heads = {
        "two": ["entailment", "not_entailment"],
        "three": ["neutral", "entailment", "contradiction"],
        "none": ["A"],
    }
    found = {name: base_of(str(tiny_model(tmp_path / name, labels))).labels for name, labels in heads.items()}
    names = tuple(map(str, LABELS))
    assert found == {"two": TWO_LABELS, "three": names, "none": names}, "fine-tuned further, it tells the same apart"


def test_premises_of_other_data_are_whole(tmp_path: Path) -> None:
    rows = [{"premise": f"It rained {n}. " * 300, "hypothesis": "It rained.", "label": "entailment"} for n in range(3)]
    (tmp_path / "train.json").write_text(json.dumps(rows), encoding="utf-8")
    assert [pair.premise for pair in intermediate_pairs(str(tmp_path))] == [row["premise"] for row in rows]


def test_families_that_would_be_called_alike_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.json").write_text("[]", encoding="utf-8")
    alike = settings("base", intermediate=tuple(str(tmp_path / name / "train.json") for name in "ab"))
    with pytest.raises(ConfigError, match=r"base_train: .* would be called alike"):
        families_of(alike)
    assert list(families_of(replace(alike, intermediate=("none", str(tmp_path / "a"))))) == ["base", "base_a"]
    with pytest.raises(InputError, match="is not there"):
        list(
            systems_of(
                replace(alike, intermediate=("nowhere",)), Benchmark("b", {"test": examples(3)}), tmp_path, print
            )
        )


@pytest.mark.parametrize(
    ("models", "more", "said"),
    [
        (("base", "openai:m"), {}, "asked as it is"),
        (("base", "openai:m?price=cheap"), {"columns": ("1", "long-as-it-is")}, "price=READ/WRITTEN"),
        (("base",), {"intermediate": ("none", "{}/SICK_test_annotated.txt")}, "test pairs alone"),
    ],
    ids=["a language model is not trained", "a price that is none", "nothing to train on first"],
)
def test_what_is_wrong_is_told_before_anything_is_trained(
    tmp_path: Path, models: tuple[str, ...], more: dict[str, tuple[str, ...]], said: str
) -> None:
    (tmp_path / "SICK_test_annotated.txt").write_text("head\n1\ta\tb\t3\tNEUTRAL\n", encoding="utf-8")
    more = {name: tuple(one.format(tmp_path) for one in given) for name, given in more.items()}
    asked = settings("base", "1", models=models, **more)
    rows = Benchmark("b", {"train": examples(3), "test": examples(3)})
    with pytest.raises((InputError, ConfigError), match=said):
        next(systems_of(asked, rows, tmp_path, print))


@pytest.mark.slow("trains tiny models")
def test_a_base_whose_outputs_nobody_can_name_is_a_hole_and_the_others_are_trained(build: Path, tmp_path: Path) -> None:
    unknown, cut = tiny_model(tmp_path / "unknown", ["A", "B", "C"]), tiny_model(tmp_path / "cut", NAMES)
    (cut / "model.safetensors").write_bytes((cut / "model.safetensors").read_bytes()[:-40])
    good, place = tiny_encoder(tmp_path / "good"), tmp_path / "study"
    asked = settings("", "1", "3", models=(str(unknown), str(cut), str(good)))
    found = study_generalization(build, place, asked)
    assert {(one.model, one.column) for one in found.scores} == {("good", "1"), ("good", "3")}
    assert len(found.missing) == 2, "a line for each, not for each column"
    assert any("base model unknown" in line and "id2label" in line for line in found.missing)
    assert [row[0] for row in found.tables["table-13"].rows] == ["good", "unknown", "cut", "N"]
    assert found.tables["table-13"].rows[1][1:] == ["—"] * 10
    assert all(line.endswith(": columns 1, 3, seeds 0)") for line in found.missing)
    assert any("base model cut: cannot be read" in line for line in found.missing)

    made = place / "cache" / "models" / "good.short.0"
    before, note = weights(made), json.loads((made / "study.json").read_text("utf-8"))
    assert (note["pairs"], note["made_of"]["lr"], note["made_of"]["seed"]) == (48, 1e-3, 0)
    (made / "model.safetensors").write_bytes(b"cut")
    study_generalization(build, place, replace(asked, columns=("1", "3", "7")))
    assert weights(made) == before, "made anew, as they were"
    assert json.loads((made / "study.json").read_text("utf-8")) == note


@pytest.mark.slow("trains a tiny model")
def test_a_hypothesis_that_fills_the_window_is_a_hole_of_its_column(build: Path, tmp_path: Path) -> None:
    base = tiny_model(tmp_path / "nli", NAMES, limit=1024)
    rows = [*examples(6, 200), replace(example(300, Label.NEUTRAL), hypothesis="void " * 520)]
    write_split(build / "data" / "test.parquet", rows)
    found = study_generalization(build, tmp_path / "study", settings(base, "1", "2", seeds=(0, 1)))
    assert {(one.column, one.n) for one in found.scores if one.subset == "all"} == {("1", 7)}
    assert [line.rpartition(" (")[2] for line in found.missing] == [f"nli: columns 2, seeds {n})" for n in (0, 1)]
    assert all("leave no room for a passage" in line for line in found.missing)
    write_split(build / "data" / "test.parquet", [*rows, replace(rows[-1], key="cl:301", hypothesis="void " * 1100)])
    with pytest.raises(
        MissingError, match=r"leave no room .* \(nli: columns 1, seeds 0\).*\(nli: columns 2, seeds 0\)"
    ):
        study_generalization(build, tmp_path / "study", settings(base, "1", "2"))


def test_long_windows_are_asked_with_fewer_pairs_at_a_time(tmp_path: Path) -> None:
    asked = Asked(base_of(str(tiny_model(tmp_path / "nli", NAMES, limit=2048))))
    column = next(one for one in GRID if one.key == "5")
    assert asked._judge(column)._batch == 8  # type: ignore[union-attr]
    assert asked._judge(column._replace(window=512))._batch == 32  # type: ignore[union-attr]
    assert asked._judge(column._replace(windows=True))._model._batch == 32  # type: ignore[union-attr]


def test_a_base_that_cannot_be_read_is_a_hole(build: Path, tmp_path: Path) -> None:
    broken, good = tiny_model(tmp_path / "broken", NAMES), tiny_model(tmp_path / "good", NAMES)
    for file in broken.glob("tokenizer*"):
        file.write_text("{", encoding="utf-8")
    found = study_generalization(
        build, tmp_path / "study", settings("", "short-as-it-is", models=(str(broken), str(good)))
    )
    assert {one.model for one in found.scores} == {"good"}
    assert any("base model" in line and "broken" in line for line in found.missing)


def test_a_model_that_is_a_graph_alone_is_asked_as_it_is(build: Path, tmp_path: Path) -> None:
    base = tiny_model(tmp_path / "small", NAMES)
    export_int8(base)
    (base / "model.safetensors").unlink()
    found = study_generalization(build, tmp_path / "study", settings(base, "short-as-it-is"))
    assert not found.missing
    assert {one.model for one in found.scores} == {"small"}


def test_parts_of_a_batch_are_of_the_batch_that_is_given() -> None:
    both = presets.chosen("small", {"batch": 24}, {"processes": 3})
    assert (both.training.batch, both.before.batch, both.before.processes) == (24, 24, 3)
    assert presets.chosen("small", {"batch": 24}, {}).before.batch == presets.preset("small").before.batch
    with pytest.raises(ConfigError, match="sample: the study trains on all pairs"):
        settings("base", training=StanceOptions(sample=0.5))


def test_a_cell_hangs_on_what_is_read_and_on_the_pages_that_should_be() -> None:
    rows, column = examples(4), next(one for one in GRID if one.key == "5")
    others = [replace(one, premises={**one.premises, "short": "Other pages."}) for one in rows]
    cut = [*rows[:-1], replace(rows[-1], hypothesis="Another one.")]
    states = [Question("q", some, column).depends for some in (rows, others, cut, examples(4))]
    assert states[0] == states[3]
    assert states[0] != states[1] != states[2] != states[0]


def test_weights_hang_on_what_changes_them(tmp_path: Path) -> None:
    base = base_of(str(tiny_encoder(tmp_path / "base")))
    names = tuple(map(str, LABELS))

    def state(**more: object) -> object:
        options = replace(StanceOptions(batch=8), **more)  # type: ignore[arg-type]
        return Trained(base, pairs_of(examples(3), "short"), options, tmp_path, names, print).state

    assert state() == state(processes=2) == state(save_steps=7) == state(log_steps=3)
    assert len({str(state(**more)) for more in ({}, {"lr": 1e-3}, {"seed": 1}, {"micro": 4}, {"epochs": 3})}) == 5


def test_a_hypothesis_that_is_to_be_new_is_in_no_training_before(tmp_path: Path) -> None:
    built = Benchmark("built", {split: examples(8) for split in ("train", "validation", "test")})
    asked = {one.hypothesis for one in unseen(built).splits["test"]}
    rows = "".join(f"{n}\t{n}. Before.\t{one.hypothesis}\t3\tNEUTRAL\n" for n, one in enumerate(examples(8)))
    (tmp_path / "SICK_train.txt").write_text(
        f"pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n{rows}", encoding="utf-8"
    )
    told: list[str] = []
    before = intermediate_pairs(str(tmp_path))
    kept = _without(before, asked, "sick", told.append)
    assert {pair.hypothesis for pair in before} - {pair.hypothesis for pair in kept} == asked
    assert told == [
        f"sick: {len(before) - len(kept)} pairs left out, of hypotheses that the test asks and no training may"
    ]


def test_data_of_tests_alone_cannot_come_first(tmp_path: Path) -> None:
    (tmp_path / "SICK_test_annotated.txt").write_text("head\n1\ta\tb\t3\tNEUTRAL\n", encoding="utf-8")
    with pytest.raises(InputError, match="test pairs alone"):
        intermediate_pairs(str(tmp_path))


@pytest.mark.slow("trains tiny models")
def test_a_killed_training_goes_on_and_ends_with_the_same_weights(build: Path, tmp_path: Path) -> None:
    base, one = tiny_encoder(tmp_path / "base"), settings(tmp_path / "base", "1")
    whole = study_generalization(build, tmp_path / "whole", replace(one, seeds=(0, 1)))
    assert {score.seeds for score in whole.scores} == {2}

    def kill(line: str) -> None:
        if line.startswith("step 5"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study_generalization(build, tmp_path / "killed", one, kill)
    lines: list[str] = []
    study_generalization(build, tmp_path / "killed", one, lines.append)
    assert "going on from checkpoint-4" in lines
    model = Path("cache") / "models" / "base.short.0"
    assert weights(tmp_path / "killed" / model) == weights(tmp_path / "whole" / model)
    assert weights(tmp_path / "whole" / model) != weights(tmp_path / "whole" / model.with_suffix(".1")), "another seed"
    assert not (base / "study.json").exists(), "the base is left alone"


def test_what_cannot_be_is_told(build: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no 'nine'; there are 1, 2"):
        settings("base", "nine")
    with pytest.raises(ConfigError, match="one model and one seed"):
        settings("base", seeds=())
    with pytest.raises(ConfigError, match="there twice"):
        settings("base", models=("a", "b", "a"))
    with pytest.raises(MissingError, match="base model nowhere"):
        study_generalization(build, tmp_path / "study", settings("nowhere/at-all", "1"))
    write_split(build / "data" / "train.parquet", examples(3), analysis=False)
    with pytest.raises(InputError, match="nothing to train on or to ask"):
        study_generalization(build, tmp_path / "other", settings("base", "5"))


@pytest.mark.slow("trains tiny models")
def test_the_command_makes_all_tables_with_a_tiny_model(build: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from lawng.cli import app

    place, gold = tmp_path / "study", tmp_path / "gold.csv"
    known = [f"{one.key}#long,{one.label},{one.label},True" for one in read_benchmark(build).splits["test"]]
    gold.write_text("\n".join(["task_id,automatic,gold,sure", *known]), encoding="utf-8")
    command = ["study", "generalization", str(build), "-o", str(place), "--preset", "tiny", "--epochs", "1"]
    result = CliRunner().invoke(app, [*command, "--gold", str(gold)])
    assert result.exit_code == 0, result.output
    assert "Accuracy with long premises" in result.output
    tables = {path.stem for path in (place / "tables").glob("*.txt")}
    assert tables == {"table-12", "table-13", "table-14", "table-15", "table-16", "as-it-is", "gaps", "answer"}
    [biased] = (place / "tables" / "table-16.csv").read_text("utf-8").splitlines()[1:]
    assert "+0.000 (+0.000 to +0.000)" in biased, "people said what the algorithm did"
    as_it_is = (place / "tables" / "as-it-is.csv").read_text("utf-8").splitlines()
    assert as_it_is[1].split(",") == ["study-tiny", *["—"] * 4], "random weights without a head say nothing"
    [row, n, _] = (place / "tables" / "table-13.csv").read_text().splitlines()[1:]
    assert all("+/-" in cell for cell in row.split(",")[1:]), "no hole in the grid"
    assert n.split(",")[1:] == ["24"] * 10


@pytest.mark.slow("trains tiny models")
def test_the_tiny_preset_goes_from_nothing_to_tables_in_the_working_folder(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from typer.testing import CliRunner

    from lawng.cli import app

    built: list[tuple[str, ...]] = []

    def made(corpus: Any, folder: Path) -> None:
        built.append((Path(corpus.folder).name, Path(folder).name))
        shutil.copytree(build, folder)

    monkeypatch.setattr("lawng.build", made)
    place = tmp_path / "work"
    (place / "study").mkdir(parents=True)
    (place / "study" / "sample").symlink_to(Path(__file__).parents[2] / "sample")
    monkeypatch.chdir(place / "study")
    for _ in range(2):
        command = ["study", "generalization", "-o", "out", "--preset", "tiny", "--epochs", "1", "--column", "3"]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
    assert built == [("corpus", "build")], "once"
    assert (place / "study" / "out" / "tables" / "table-13.txt").is_file()
    (place / "empty").mkdir()
    monkeypatch.chdir(place / "empty")
    base = tiny_model(tmp_path / "nli", NAMES)
    named = ["--model", str(base), "--column", "short-as-it-is"]
    result = CliRunner().invoke(app, ["study", "generalization", str(build), "-o", ".", *named])
    assert result.exit_code == 0, result.output
    assert (place / "empty" / "tables" / "as-it-is.txt").is_file()
    for given in ("small", "paper"):
        result = CliRunner().invoke(app, ["study", "generalization", "-o", "out", "--preset", given])
        assert "no data: name a folder" in str(result.exception)


@pytest.mark.slow("trains a tiny model")
def test_the_papers_preset_says_its_plan_and_starts(build: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from lawng.cli import app

    command = ["study", "generalization", str(build), "-o", str(tmp_path / "study"), "--preset", "paper"]
    small = ["--column", "3", "--epochs", "1", "--max-length", "32", "--batch", "8"]
    result = CliRunner().invoke(app, [*command, "--model", str(tiny_encoder(tmp_path / "base")), *small])
    assert result.exit_code == 0, result.output
    assert result.output.index("hours to train") < result.output.index("Accuracy with long premises")
    told = json.loads((tmp_path / "study" / "manifest.json").read_text("utf-8"))
    assert {name: told["settings"]["training"][name] for name in ("lr", "warmup", "micro", "checkpointing")} == {
        "lr": 1e-5, "warmup": 10_000, "micro": 4, "checkpointing": True,
    }  # fmt: skip
