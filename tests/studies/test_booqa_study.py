"""The study of BoOQA on a few made-up questions: which evidence counts, what is stored, what the tables say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score

from lawng.directional.booqa.graphs import build_split_graphs
from lawng.directional.booqa.records import Evidence, Mention, Placed, Question
from lawng.directional.curve import auc_norm, auc_norm_spread
from lawng.directional.graph import open_graph
from lawng.directional.graph_text import read_graph
from lawng.directional.hypernymy import Hypernymy
from lawng.directional.records import Article, Relation
from lawng.directional.wordnet import WordNet, wordnet_folder
from lawng.errors import ConfigError, InputError, MissingError
from lawng.io import TableWriter
from lawng.studies.booqa import answering, systems
from lawng.studies.booqa import data as booqa_data
from lawng.studies.booqa.answering import BooqaSettings, QuestionScore
from lawng.studies.booqa.combined import combined
from lawng.studies.booqa.data import Questions, read_booqa
from lawng.studies.booqa.study import study_booqa
from lawng.studies.booqa.tables import bundles_in_order
from lawng.studies.harness import ParquetStore
from lawng.studies.levyholt.systems import LevyHoltSettings

WINDOWS = {"dev": ("2024-03-01", "2024-03-04"), "test": ("2024-03-07", "2024-03-10")}
PAIRS = (("acme", "bravo"), ("ada orme", "cy tull"), ("delta works", "echo mill"))
ASKED = (("advise", "urge"), ("move", "walk"), ("acquire", "inherit"))
SAID = ("warn", "march", "buy")
"""Of each pair in each window: a question and its negative, and what else is said, which entails the first by kind."""


def question(window: str, at: int, label: bool) -> Question:
    (subject, object), predicate = PAIRS[at], ASKED[at][not label]
    return Question(
        question_id=f"{window}-{at}-{int(label)}",
        split=next(split for split, own in WINDOWS.items() if window in own),
        bundle=f"{window}-{at}",
        label=label,
        window=window,
        last_day=window,
        pair_id=f"{window}/{at}",
        subject=subject,
        predicate=predicate,
        object=object,
        subject_type="ORG",
        object_type="ORG",
        frequency=9,
        exclude=[f"{window}-{at}-a@0"],
        span="",
        replacement="",
        synset="",
        hyponym="",
    )


def evidence(window: str, at: int) -> list[Evidence]:
    """The excluded sentence, which says the question itself, and another one."""
    subject, object = PAIRS[at]
    return [
        Evidence(
            f"{window}/{at}",
            window,
            subject,
            predicate,
            object,
            document,
            f"{document}@0",
            f"{subject} {predicate}s {object}.",
        )
        for predicate, document in ((ASKED[at][0], f"{window}-{at}-a"), (SAID[at], f"{window}-{at}-b"))
    ]


def write(path: Path, record: type, rows: Sequence[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with TableWriter(path, record) as table:
        for row in rows:
            table.write(row)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    folder = tmp_path / "booqa"
    windows = [window for own in WINDOWS.values() for window in own]
    every = [evidence(window, at) for window in windows for at in range(len(PAIRS))]
    for split, own in WINDOWS.items():
        rows = [question(window, at, label) for window in own for at in range(len(PAIRS)) for label in (True, False)]
        write(folder / "data" / f"{split}.parquet", Question, rows)
    write(folder / "evidence.parquet", Evidence, [row for rows in every for row in rows])
    articles = [
        Placed(row.window, Article(row.document_id, date.fromisoformat(row.window), row.subject, row.sentence))
        for rows in every
        for row in rows
    ]
    write(folder / "stages" / "20-windows" / "placed" / "part-00000.parquet", Placed, articles)
    (folder / "masked").mkdir()
    for name, split in {"train": "dev", "dev2": "dev", "test": "test"}.items():
        lines = [
            {"id": f"{window}-{at}-{int(label)}", "text": f"ORG {ASKED[at][not label]} ORG", "label": int(label)}
            | {"subject_type": "ORG", "predicate": ASKED[at][not label], "object_type": "ORG"}
            for window in WINDOWS[split]
            for at in range(len(PAIRS))
            for label in (True, False)
        ]
        (folder / "masked" / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    (folder / "manifest.json").write_text("{}", "utf-8")
    return folder


QUICK = BooqaSettings(resamples=20)


def told(folder: Path, name: str) -> dict[str, QuestionScore]:
    rows = ParquetStore(QuestionScore).read(folder / "predictions" / f"{name}.parquet")
    return {row.question_id: row for row in rows}


def test_the_best_piece_that_is_not_excluded_decides(build: Path, tmp_path: Path) -> None:
    study_booqa(build, tmp_path / "study", QUICK)
    measure = Hypernymy(WordNet(wordnet_folder()))
    found = told(tmp_path / "study", "hypernymy.test")
    pieces = pq.read_table(build / "evidence.parquet").to_pylist()
    asked = pq.read_table(build / "data" / "test.parquet").to_pylist()
    assert len(found) == len(asked) == 12
    for one in asked:
        own = [row for row in pieces if row["pair_id"] == one["pair_id"] and row["sentence_id"] not in one["exclude"]]
        assert found[one["question_id"]].score == max(measure.score(row["predicate"], one["predicate"]) for row in own)
        assert found[one["question_id"]].evidence == own[0]["sentence_id"]
    assert all(found[one["question_id"]].score < 1 for one in asked), "the excluded sentences say the positives"
    assert found["2024-03-07-0-1"].score > found["2024-03-07-0-0"].score == 0, "warn entails advise, not urge"


def test_what_is_stored_is_read_back_and_nothing_is_asked_twice(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = study_booqa(build, tmp_path / "study", QUICK)
    names = sorted(path.name for path in (tmp_path / "study" / "predictions").iterdir())
    kinds = [f"{variant}.all-MiniLM-L6-v2" for variant in ("predicate", "relation", "sentence", "tfidf")]
    assert names == sorted(
        [f"{kind}.{split}.parquet" for kind in ("combined", "hypernymy", *kinds) for split in ("dev", "test")]
        + ["words.booqa.masked.parquet"]
    )
    assert (tmp_path / "study" / "curve-test.png").stat().st_size > 1000

    def fail(*_: object) -> None:
        raise AssertionError("what is stored is read back")

    monkeypatch.setattr(answering.Answering, "answer", fail)
    assert study_booqa(build, tmp_path / "study", QUICK).tables == first.tables
    (build / "evidence.parquet").unlink()
    write(build / "evidence.parquet", Evidence, [])
    with pytest.raises(AssertionError, match="read back"):
        study_booqa(build, tmp_path / "study", QUICK)


def test_the_numbers_are_those_of_the_files(build: Path, tmp_path: Path) -> None:
    tables = study_booqa(build, tmp_path / "study", QUICK).tables
    splits = read_booqa(build).splits

    def scores(name: str, split: str) -> np.ndarray:
        found = told(tmp_path / "study", f"{name}.{split}")
        return np.array([found[one.question_id].score for one in splits[split].questions])

    rows = {row[0]: row for row in tables["measures"].rows}
    gaps = {row[0]: float(row[1]) for row in tables["combined"].rows}
    mixed = auc_norm_spread(splits["test"].labels, scores("combined", "test"))
    for name, shown in (("hypernymy", "hypernymy"), ("sentence.all-MiniLM-L6-v2", "all-MiniLM-L6-v2, sentence")):
        dev, test = scores(name, "dev"), scores(name, "test")
        assert float(rows[shown][1]) == pytest.approx(100 * auc_norm(splits["dev"].labels, dev), abs=0.06)
        assert float(rows[shown][3].split()[0]) == pytest.approx(100 * auc_norm(splits["test"].labels, test), abs=0.06)
        assert float(rows[shown][8]) == pytest.approx(100 * bundles_in_order(splits["test"], test), abs=0.06)
        gap = 100 * (mixed - auc_norm_spread(splits["test"].labels, test))
        assert gaps[shown] == pytest.approx(gap, abs=0.06), "the combined scorer's minus the system's"
    names = ["predicate.all-MiniLM-L6-v2", "hypernymy"]
    members = {name: {split: scores(name, split) for split in splits} for name in names}
    expected = combined([*splits.values()], members, names)
    assert scores("combined", "test") == pytest.approx(expected["test"], rel=1e-4)
    masked = [json.loads(line) for line in (build / "masked" / "test.jsonl").read_text("utf-8").splitlines()]
    alone = told(tmp_path / "study", "words.booqa.masked")
    value = auc_norm([bool(row["label"]) for row in masked], [alone[row["id"]].score for row in masked])
    assert tables["hypothesis-only"].rows[0][1].startswith(f"{100 * value:.1f} (")
    assert value == pytest.approx(1.0, rel=1e-4), "the same words mean the same in both splits here"


def test_a_question_without_evidence_scores_nothing(build: Path, tmp_path: Path) -> None:
    write(build / "evidence.parquet", Evidence, [])
    tables = study_booqa(build, tmp_path / "study", QUICK).tables
    assert {row.score for row in told(tmp_path / "study", "relation.all-MiniLM-L6-v2.test").values()} == {0.0}
    answered = {row[0]: row[-1] for row in tables["measures"].rows}
    assert answered["all-MiniLM-L6-v2, relation"] == "0.0"
    assert answered["all-MiniLM-L6-v2, tfidf"] == "100.0", "articles are no relations"
    spread = {row[0]: row[4] for row in tables["measures"].rows}
    assert float(spread["hypernymy"]) < 5, (
        "a constant is chance, whatever the corner makes of it (of 12 a little is left)"
    )


def test_articles_with_an_excluded_sentence_are_no_evidence_and_the_likest_come_first(build: Path) -> None:
    split = read_booqa(build).splits["test"]
    for one in split.questions:
        found = split.articles(one)
        assert len(found) == 5, "of six one is excluded"
        assert found[0].document_id == f"{one.bundle}-b"
        assert f"{one.bundle}-a" not in {row.document_id for row in found}
        assert {row.window for row in found} == {one.window}


def test_so_many_pieces_at_the_most(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    split = read_booqa(build).splits["dev"]
    monkeypatch.setattr(booqa_data, "PIECES", 0)
    assert split.pieces(split.questions[0]) == []


def test_batches_change_nothing(build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study_booqa(build, tmp_path / "one", QUICK)
    monkeypatch.setattr(answering, "_AT_ONCE", 1)
    study_booqa(build, tmp_path / "many", QUICK)
    for path in sorted((tmp_path / "one" / "predictions").iterdir()):
        one, many = (told(tmp_path / name, path.stem) for name in ("one", "many"))
        assert {name: row.evidence for name, row in one.items()} == {name: row.evidence for name, row in many.items()}
        assert [row.score for row in one.values()] == pytest.approx([many[name].score for name in one], rel=1e-4)


GRAPH = """types: organization#organization, num preds: 3
predicate: (warn.1,warn.2)#organization_1#organization_2
num neighbors: 2

BINC sims
(advise.1,advise.2)#organization_1#organization_2 0.5

predicate: (march.1,march.2)#organization_1#organization_2
num neighbors: 1

BINC sims
(move.1,move.to.2)#organization_1#organization_2 0.25
"""


def test_graphs_are_asked_by_their_roles_and_fuzzily(build: Path, tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "organization#organization_sim.txt").write_text(GRAPH, "utf-8")
    graph = tmp_path / "published"
    read_graph(tmp_path / "text", graph)
    settings = BooqaSettings(graphs=(graph,), resamples=20)
    tables = study_booqa(build, tmp_path / "study", settings).tables
    exact, fuzzy = (told(tmp_path / "study", f"graph.published{name}.test") for name in ("", ".fuzzy"))
    assert exact["2024-03-07-0-1"].score == pytest.approx(
        open_graph(graph).score("(warn.1,warn.2)", "(advise.1,advise.2)"), rel=1e-4
    )
    assert exact["2024-03-07-0-1"].score == pytest.approx(0.5, rel=1e-4)
    assert exact["2024-03-07-0-0"].score == 0, "no edge to urge"
    assert all(fuzzy[name].score >= row.score for name, row in exact.items())
    assert {"graph published", "graph published, fuzzy", "combined"} <= {row[0] for row in tables["measures"].rows}
    assert {row[0] for row in tables["combined"].rows} >= {"graph published", "hypernymy"}


def test_each_split_is_asked_of_the_graph_that_did_not_read_its_windows(build: Path, tmp_path: Path) -> None:
    """Of each window two relations of the same pairs of arguments, which only that window says."""
    windows = [window for own in WINDOWS.values() for window in own]
    mentions = [
        Mention(window, Relation(f"{window}-{at}", 0, 9, f"s{at}", predicate, f"o{at}", "ORG", "ORG"), "", [])
        for number, window in enumerate(windows)
        for at in range(4)
        for predicate in (f"p{number}", f"q{number}")
    ]
    copied = [replace(one, repeat=True, relation=replace(one.relation, predicate="repeated")) for one in mentions]
    write(build / "stages" / "30-relations" / "mentions" / "part-00000.parquet", Mention, mentions + copied)
    graphs = build_split_graphs(build, tmp_path / "graphs", min_predicates=2, min_pairs=2)
    for split, graph in graphs.items():
        known = {number for number in range(4) if graph.score(f"p{number}", f"q{number}") > 0}
        assert known == {number for number, window in enumerate(windows) if window not in WINDOWS[split]}
        assert graph.score("repeated", "p0") == graph.score("repeated", "p3") == 0
    settings = BooqaSettings(graphs=(tmp_path / "graphs",), resamples=20)
    rows = study_booqa(build, tmp_path / "study", settings).tables["measures"].rows
    assert "graph graphs" in {row[0] for row in rows}
    assert systems.graph_of(tmp_path / "graphs", "dev").folder == tmp_path / "graphs" / "dev"
    with pytest.raises(InputError, match="neither a file of relations nor a build of BoOQA"):
        build_split_graphs(tmp_path, tmp_path / "other")


def split_of(name: str, n: int, signal: np.ndarray) -> Questions:
    rows = [
        Question(
            f"{name}{at}", name, f"b{at // 2}", bool(signal[at] > 0.5), f"w{at % 4}", "", "", "", "", "", "", "", 1, [],
            "", "", "", "",
        )
        for at in range(n)
    ]  # fmt: skip
    return Questions(name, rows, {}, [], {})


def test_the_combined_scorer_learns_from_dev_alone_and_beats_its_members() -> None:
    rng = np.random.default_rng(0)
    truth = {name: rng.random(400) for name in ("dev", "test")}
    splits = [split_of(name, 400, truth[name]) for name in truth]
    scores = {
        member: {name: values + rng.normal(0, 0.5, 400) for name, values in truth.items()} for member in ("a", "b", "c")
    }
    found = combined(splits, scores, ["a", "b", "c"])
    for at, name in enumerate(truth):
        single = max(average_precision_score(splits[at].labels, scores[member][name]) for member in scores)
        assert average_precision_score(splits[at].labels, found[name]) > single
    turned = {member: {**own, "test": -own["test"]} for member, own in scores.items()}
    assert np.array_equal(combined(splits, turned, ["a", "b", "c"])["dev"], found["dev"]), "test teaches nothing"


def test_the_order_within_bundles() -> None:
    split = split_of("dev", 4, np.array([1.0, 0, 1, 0]))
    assert bundles_in_order(split, np.array([0.9, 0.1, 0.2, 0.8])) == 0.5
    assert bundles_in_order(split, np.array([0.9, 0.1, 0.8, 0.8])) == 0.75, "a tie is a half"


def test_masked_files_of_one_label_leave_the_hypothesis_only_test_out_and_say_so(build: Path, tmp_path: Path) -> None:
    (build / "masked" / "dev2.jsonl").write_text("", "utf-8")
    tables = study_booqa(build, tmp_path / "study", QUICK).tables
    assert "hypothesis-only" not in tables
    assert "masked/dev2 lacks a label" in tables["measures"].note


def test_bad_input_is_one_line(build: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no whole build of BoOQA"):
        study_booqa(tmp_path, tmp_path / "study")
    with pytest.raises(MissingError, match="no entailment graph here"):
        study_booqa(build, tmp_path / "study", BooqaSettings(graphs=(tmp_path / "none",)))
    with pytest.raises(ConfigError, match="two graphs are called"):
        BooqaSettings(graphs=(Path("a/g"), Path("b/g")))
    with pytest.raises(ConfigError, match="halves: not among"):
        BooqaSettings(prompts=LevyHoltSettings(subsets=("halves",)))
    (build / "masked" / "dev2.jsonl").write_text("{}\n", "utf-8")
    with pytest.raises(InputError, match=r"dev2\.jsonl:1"):
        read_booqa(build)
    write(build / "data" / "test.parquet", Question, [question("2024-03-07", 0, True)])
    with pytest.raises(InputError, match="test lacks true or false"):
        read_booqa(build)


@pytest.mark.slow("fine-tunes a small encoder four times")
def test_prompts_are_trained_on_levyholt_and_the_hypothesis_only_models_are_set_apart(
    build: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "levyholt"
    folder.mkdir()
    for name in ("train", "dev", "test"):
        lines = [(f"{name},owns,B", f"{name},buys,B", True), (f"{name},buys,B", f"{name},owns,B", False)]
        lines += [(f"{name},moves,B", f"{name},marches,B", True), (f"{name},sings,B", f"{name},feeds,B", False)]
        text = "".join("\t".join((*line[:2], str(line[2]), "EN")) + "\n" for line in lines)
        (folder / f"{name}.txt").write_text(text, "utf-8")
    prompts = LevyHoltSettings(
        prompting=("discrete", "hypothesis-only"), subsets=("full",), draws=1, rate=(1e-4, 2e-4), epochs=1
    )
    tables = study_booqa(
        build, tmp_path / "study", BooqaSettings(levyholt=folder, prompts=prompts, resamples=20)
    ).tables
    assert "discrete, all-MiniLM-L6-v2, trained on full" in {row[0] for row in tables["measures"].rows}
    assert [row[0] for row in tables["hypothesis-only"].rows[:3]] == [
        "words, trained on BoOQA",
        "prompts, all-MiniLM-L6-v2, trained on BoOQA",
        "hypothesis-only, all-MiniLM-L6-v2, trained on full",
    ]
    assert all(0 <= row.score <= 1 for row in told(tmp_path / "study", "discrete.all-MiniLM-L6-v2.full.test").values())
