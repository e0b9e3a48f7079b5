"""The study of BoOQA on a few made-up questions: which evidence counts, what is stored, what the tables say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score

from lawng.directional.booqa.graphs import build_split_graphs
from lawng.directional.booqa.records import Evidence, Mention, Placed, Question
from lawng.directional.curve import auc_norm, auc_norm_spread, measures
from lawng.directional.graph import open_graph
from lawng.directional.graph_text import read_graph
from lawng.directional.records import Article, Relation
from lawng.directional.wordnet import Hypernymy, WordNet, wordnet_folder
from lawng.errors import ConfigError, InputError, MissingError
from lawng.io import TableWriter
from lawng.io.progress import silent
from lawng.models.encoder import embedder
from lawng.studies.booqa import answering, systems
from lawng.studies.booqa import data as booqa_data
from lawng.studies.booqa import tables as booqa_tables
from lawng.studies.booqa.answering import BooqaSettings, QuestionScore
from lawng.studies.booqa.data import Questions, read_booqa
from lawng.studies.booqa.study import combined, study_booqa
from lawng.studies.booqa.tables import bundles_in_order
from lawng.studies.harness import ParquetStore
from lawng.studies.levyholt.systems import LevyHoltSettings

WINDOWS = {"dev": ("2024-03-01", "2024-03-04"), "test": ("2024-03-07", "2024-03-10")}
PAIRS = (("acme", "bravo"), ("ada orme", "cy tull"), ("delta works", "echo mill"))
ASKED = (("advise", "urge"), ("move", "walk"), ("acquire", "inherit"))
SAID = (("hear", "warn"), ("see", "march"), ("mention", "buy"))
"""Of each pair in each window: a question and its negative, and what else is said, the last of which entails it."""


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
        object_type="GPE",
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
        for predicate, document in zip(
            (ASKED[at][0], *SAID[at]), [f"{window}-{at}-{name}" for name in "acb"], strict=True
        )
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
            {"id": f"{window}-{at}-{int(label)}", "text": f"ORG {ASKED[at][not label]} GPE", "label": int(label)}
            | {"subject_type": "ORG", "predicate": ASKED[at][not label], "object_type": "GPE"}
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
        scores = [measure.score(row["predicate"], one["predicate"]) for row in own]
        assert found[one["question_id"]].score == max(scores)
        assert found[one["question_id"]].evidence == own[scores.index(max(scores))]["sentence_id"]
    assert {found[name].evidence[-3:] for name in found if name.endswith("-1")} == {"b@0"}, "the second piece is better"
    assert all(found[one["question_id"]].score < 1 for one in asked), "the excluded sentences say the positives"
    assert found["2024-03-07-0-1"].score > found["2024-03-07-0-0"].score == 0, "warn entails advise, not urge"


@pytest.mark.parametrize(
    ("variant", "read", "asked"),
    [
        ("relation", "acme warn bravo", "acme advise bravo"),
        ("sentence", "acme warns bravo.", "acme advise bravo"),
        ("predicate", "warn", "advise"),
    ],
)
def test_what_an_encoder_reads_of_a_piece(build: Path, tmp_path: Path, variant: str, read: str, asked: str) -> None:
    split = read_booqa(build).splits["test"]
    system = systems.cosine("all-MiniLM-L6-v2", variant, tmp_path)
    one = split.questions[0]
    [piece] = [piece for piece in system.pieces(split, one) if piece.predicate == "warn"]
    vectors, *_ = embedder("all-MiniLM-L6-v2").encode([read, asked])
    expected = vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1])
    assert system.scores(split, [(piece, one)], silent) == pytest.approx([expected], rel=1e-4)


def test_what_is_stored_is_read_back_and_nothing_is_asked_twice(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = study_booqa(build, tmp_path / "study", QUICK)
    names = sorted(path.name for path in (tmp_path / "study" / "predictions").iterdir())
    kinds = [f"{variant}.all-MiniLM-L6-v2" for variant in ("predicate", "relation", "sentence", "tfidf")]
    assert names == sorted(
        [
            f"{kind}.{split}.parquet"
            for kind in ("combined", "combined_without_hypernymy", "hypernymy", *kinds)
            for split in ("dev", "test")
        ]
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
    gaps = {row[1]: float(row[2]) for row in tables["combined"].rows if row[0] == "combined"}
    mixed = auc_norm_spread(splits["test"].labels, scores("combined", "test"))
    for name, shown in (("hypernymy", "hypernymy"), ("sentence.all-MiniLM-L6-v2", "all-MiniLM-L6-v2, sentence")):
        dev, test = scores(name, "dev"), scores(name, "test")
        assert float(rows[shown][1]) == pytest.approx(100 * auc_norm(splits["dev"].labels, dev), abs=0.06)
        expected = measures(splits["test"].labels, test)
        columns = ("AUC_norm", "AUC_norm(spread)", "AUC_norm(observed)", "AUC_50", "AUC_50(observed)")
        assert [float(cell) for cell in rows[shown][3:8]] == pytest.approx(
            [100 * expected[column] for column in columns], abs=0.06
        ), "without interval: test has two windows"
        spread = 100 * auc_norm_spread(splits["dev"].labels, dev)
        assert float(rows[shown][2]) == pytest.approx(spread, abs=0.06)
        assert float(rows[shown][9]) == pytest.approx(100 * np.mean(test > 0), abs=0.06)
        assert float(rows[shown][8]) == pytest.approx(100 * bundles_in_order(splits["test"], test), abs=0.06)
        gap = 100 * (mixed - auc_norm_spread(splits["test"].labels, test))
        assert gaps[shown] == pytest.approx(gap, abs=0.06), "the combined scorer's minus the system's"
    names = ["predicate.all-MiniLM-L6-v2", "hypernymy"]
    members = {name: {split: scores(name, split) for split in splits} for name in names}
    again = combined([*splits.values()], members, names)
    assert scores("combined", "test") == pytest.approx(again["test"], rel=1e-4)
    without = combined([*splits.values()], members, names[:1])
    assert scores("combined_without_hypernymy", "test") == pytest.approx(without["test"], rel=1e-4)
    masked = [json.loads(line) for line in (build / "masked" / "test.jsonl").read_text("utf-8").splitlines()]
    alone = told(tmp_path / "study", "words.booqa.masked")
    value = auc_norm([bool(row["label"]) for row in masked], [alone[row["id"]].score for row in masked])
    assert tables["hypothesis-only"].rows[0][1] == f"{100 * value:.1f}"
    assert value == pytest.approx(1.0, rel=1e-4), "the same words mean the same in both splits here"


def test_a_question_without_evidence_scores_nothing(build: Path, tmp_path: Path) -> None:
    write(build / "evidence.parquet", Evidence, [])
    tables = study_booqa(build, tmp_path / "study", QUICK).tables
    assert {row.score for row in told(tmp_path / "study", "relation.all-MiniLM-L6-v2.test").values()} == {0.0}
    answered = {row[0]: row[-1] for row in tables["measures"].rows}
    assert answered["all-MiniLM-L6-v2, relation"] == "0.0"
    assert answered["all-MiniLM-L6-v2, tfidf"] == "100.0", "articles are no relations"
    spread = {row[0]: row[4] for row in tables["measures"].rows}
    assert abs(float(spread["hypernymy"])) < 5, "a constant is chance (of 12 questions a little is left)"


def test_articles_with_an_excluded_sentence_are_no_evidence_and_the_likest_come_first(build: Path) -> None:
    split = read_booqa(build).splits["test"]
    for one in split.questions:
        found = split.articles(one)
        assert len(found) == 5, "of nine one is excluded"
        assert one.bundle in {row.document_id.rpartition("-")[0] for row in found[:2]}
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


GRAPH = """types: ORG#GPE, num preds: 3
predicate: (warn.1,warn.2)#ORG#GPE
num neighbors: 2

BINC sims
(advise.1,advise.2)#ORG#GPE 0.5

predicate: (march.1,march.2)#ORG#GPE
num neighbors: 1

BINC sims
(move.1,move.to.2)#ORG#GPE 0.25
"""
OTHER = """types: GPE#PERSON, num preds: 2
predicate: (warn.1,warn.2)#GPE#PERSON
num neighbors: 1

BINC sims
(advise.1,advise.2)#GPE#PERSON 0.9
"""


def test_graphs_are_asked_by_their_roles_and_fuzzily(build: Path, tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ORG#GPE_sim.txt").write_text(GRAPH, "utf-8")
    (tmp_path / "text" / "GPE#PERSON_sim.txt").write_text(OTHER, "utf-8")
    graph = tmp_path / "published"
    read_graph(tmp_path / "text", graph)
    settings = BooqaSettings(graphs=(graph,), resamples=20)
    tables = study_booqa(build, tmp_path / "study", settings).tables
    exact, fuzzy = (told(tmp_path / "study", f"graph.published{name}.test") for name in ("", ".fuzzy"))
    assert exact["2024-03-07-0-1"].score == pytest.approx(
        open_graph(graph).score("(warn.1,warn.2)#ORG#GPE", "(advise.1,advise.2)#ORG#GPE"), rel=1e-4
    )
    assert exact["2024-03-07-0-1"].score == pytest.approx(0.5, rel=1e-4)
    assert exact["2024-03-07-0-0"].score == 0, "no edge to urge"
    assert all(fuzzy[name].score >= row.score for name, row in exact.items())
    assert {"graph published", "graph published, fuzzy", "combined"} <= {row[0] for row in tables["measures"].rows}
    assert {row[1] for row in tables["combined"].rows} >= {"graph published", "hypernymy"}


PASSIVES = """types: ORG#GPE, num preds: 3
predicate: (bear.2,bear.in.2)#ORG#GPE
num neighbors: 2

BINC sims
(live.1,live.in.2)#ORG#GPE 0.5
(be.1,be.native.of.2)#ORG#GPE 0.25

predicate: (be.1,be.based.in.2)#ORG#GPE
num neighbors: 1

BINC sims
(raise.2,raise.in.2)#ORG#GPE 0.125
"""
OWN = PASSIVES.replace("(bear.2,bear.in.2)", "be born in").replace("(live.1,live.in.2)", "live in")
OWN = OWN.replace("(be.1,be.native.of.2)", "be native of").replace("(be.1,be.based.in.2)", "be based in")
OWN = OWN.replace("(raise.2,raise.in.2)", "be raised in")


@pytest.mark.parametrize(
    ("text", "said", "asked", "exact", "fuzzy", "why"),
    [
        (PASSIVES, "be born in", "live in", 0.5, 0.5, "a passive by its verb's second argument"),
        (PASSIVES, "be born in", "be native of", 0.25, 0.25, "a copula stays one"),
        (PASSIVES, "be based in", "be raised in", 0.125, 0.125, "each in the form that the graph has"),
        (PASSIVES, "bear in", "live in", 0, 0.5, "an active one has other roles, which fuzzily do not count"),
        (PASSIVES, "be raised in", "be raised in", 1, 1, "itself"),
        (OWN, "be born in", "live in", 0.5, None, "a graph of lawng's own writes predicates as relations do"),
        (OWN, "be based in", "be raised in", 0.125, None, "as above"),
        (OWN, "be born in", "bear in", 0, None, "and knows passive from active"),
    ],
)
def test_passives_are_found_as_graphs_write_them(
    tmp_path: Path, build: Path, text: str, said: str, asked: str, exact: float, fuzzy: float | None, why: str
) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ORG#GPE_sim.txt").write_text(text, "utf-8")
    read_graph(tmp_path / "text", tmp_path / "graph")
    piece = replace(evidence("2024-03-01", 0)[0], predicate=said)
    pair = piece, replace(question("2024-03-01", 0, True), predicate=asked)
    data = read_booqa(build).splits["dev"]
    for expected, is_fuzzy in ((exact, False), (fuzzy, True)):
        if expected is not None:
            found = systems.edges(tmp_path / "graph", is_fuzzy).scores(data, [pair, pair], silent)
            assert found.tolist() == pytest.approx([expected] * 2, rel=1e-4), why
    assert systems.edges(tmp_path / "graph", False).scores(data, [], silent).tolist() == []


def test_each_split_is_asked_of_the_graph_that_did_not_read_its_windows(build: Path, tmp_path: Path) -> None:
    """Of each window two relations of the same pairs of arguments, which only that window says."""
    windows = [window for own in WINDOWS.values() for window in own]

    def said(window: str, sentence: str, predicates: tuple[str, ...], repeat: bool = False) -> list[Mention]:
        return [
            Mention(
                window, Relation("d", 0, 9, f"s{predicates}{at}", one, f"o{at}", "ORG", "GPE"), sentence, [], repeat
            )
            for at in range(4)
            for one in predicates
        ]

    mentions = [row for n, window in enumerate(windows) for row in said(window, window, (f"p{n}", f"q{n}"))]
    mentions += said(windows[0], "first", ("warn", "advise")) + said(windows[2], "third", ("march", "move"))
    mentions += said(windows[0], "printed again", ("a", "b")) + said(windows[2], "printed again", ("c", "d"))
    mentions += [row for window in windows for row in said(window, f"copy {window}", ("e", "f"), repeat=True)]
    write(build / "stages" / "30-relations" / "mentions" / "part-00000.parquet", Mention, mentions)
    graphs = build_split_graphs(build, tmp_path / "graphs", min_predicates=2, min_pairs=2)
    for split, graph in graphs.items():
        known = {number for number in range(4) if graph.score(f"p{number}", f"q{number}") > 0}
        assert known == {number for number, window in enumerate(windows) if window not in WINDOWS[split]}
        assert not any(graph.score(*both) for both in (("a", "b"), ("c", "d"))), "the other split has the sentence too"
        assert graph.score("e", "f") == 0, "only near-duplicates say it"
    settings = BooqaSettings(graphs=(tmp_path / "graphs",), resamples=20)
    rows = study_booqa(build, tmp_path / "study", settings).tables["measures"].rows
    assert "graph graphs" in {row[0] for row in rows}
    dev, test = (told(tmp_path / "study", f"graph.graphs.{split}") for split in ("dev", "test"))
    assert {name[11:] for name, row in dev.items() if row.score > 0} == {"1-1"}, "what only test's windows say"
    assert {name[11:] for name, row in test.items() if row.score > 0} == {"0-1"}, "what only dev's windows say"
    with pytest.raises(ConfigError, match="is the graph for one split"):
        study_booqa(build, tmp_path / "study", BooqaSettings(graphs=(tmp_path / "graphs" / "dev",)))
    assert (tmp_path / "study" / "tables" / "measures.txt").is_file(), "a slip leaves what is there"
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
    turned = [splits[0], split_of("test", 400, 1 - truth["test"])]
    again = combined(turned, scores, ["a", "b", "c"])
    assert all(np.array_equal(again[name], found[name]) for name in truth), "test's labels teach nothing"


def test_the_order_within_bundles() -> None:
    split = split_of("dev", 4, np.array([1.0, 0, 1, 0]))
    assert bundles_in_order(split, np.array([0.9, 0.1, 0.2, 0.8])) == 0.5
    assert bundles_in_order(split, np.array([0.9, 0.1, 0.8, 0.8])) == 0.75, "a tie is a half"


def test_masked_files_of_one_label_leave_the_hypothesis_only_test_out_and_say_so(build: Path, tmp_path: Path) -> None:
    (build / "masked" / "dev2.jsonl").write_text("", "utf-8")
    tables = study_booqa(build, tmp_path / "study", QUICK).tables
    assert "hypothesis-only" not in tables
    assert "masked/dev2 lacks a label" in tables["measures"].note


def test_the_masked_test_propositions_teach_nothing(build: Path, tmp_path: Path) -> None:
    study_booqa(build, tmp_path / "study", QUICK)
    rows = [json.loads(line) for line in (build / "masked" / "test.jsonl").read_text("utf-8").splitlines()]
    turned = [json.dumps({**row, "label": 1 - row["label"]}) + "\n" for row in rows]
    (build / "masked" / "test.jsonl").write_text("".join(turned), "utf-8")
    study_booqa(build, tmp_path / "other", QUICK)
    assert told(tmp_path / "study", "words.booqa.masked") == told(tmp_path / "other", "words.booqa.masked")


def test_intervals_are_over_windows() -> None:
    """Two kinds of windows, each all right or all wrong: rows drawn one by one would vary much less."""
    windows = [f"w{at // 40}" for at in range(400)]
    labels = [at % 2 == 0 for at in range(400)]
    scores = np.array([float(labels[at]) if at // 40 % 2 else float(not labels[at]) for at in range(400)])
    shown = booqa_tables._with_interval(labels, scores, windows, BooqaSettings(resamples=200))
    low, high = (float(one) for one in shown.partition(" (")[2].rstrip(")").split(" to "))
    assert high - low > 40


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("data/dev.parquet", {"predicate": " "}, "has no predicate"),
        ("data/dev.parquet", {"bundle": "other", "label": False}, "has no true question"),
        ("evidence.parquet", {"predicate": ""}, "has no predicate"),
    ],
)
def test_a_row_that_cannot_be_asked_is_named(build: Path, file: str, change: dict[str, Any], said: str) -> None:
    record: Any = Evidence if file.startswith("evidence") else Question
    rows = [record(**row) for row in pq.read_table(build / file).to_pylist()]
    write(build / file, record, [replace(rows[0], **change), *rows[1:]])
    with pytest.raises(InputError, match=said):
        read_booqa(build)


@pytest.mark.parametrize("line", [b"\xff\n", b'{"id": "none"}\n', b"[]\n"])
def test_a_masked_line_that_is_none_is_named(build: Path, line: bytes) -> None:
    (build / "masked" / "test.jsonl").write_bytes(line)
    with pytest.raises(InputError, match=r"test\.jsonl:1: is no masked proposition"):
        read_booqa(build)


def test_bad_input_is_one_line(build: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no whole build of BoOQA"):
        study_booqa(tmp_path, tmp_path / "study")
    with pytest.raises(MissingError, match="no entailment graph here"):
        study_booqa(build, tmp_path / "study", BooqaSettings(graphs=(tmp_path / "none",)))
    study_booqa(build, tmp_path / "study", QUICK)
    with pytest.raises(MissingError, match="/no/such/model"):
        study_booqa(build, tmp_path / "study", BooqaSettings(encoders=("/no/such/model",)))
    assert (tmp_path / "study" / "manifest.json").is_file(), "a slip leaves what is there"
    with pytest.raises(ConfigError, match="two graphs are called"):
        BooqaSettings(graphs=(Path("a/g h"), Path("b/g_h")))
    with pytest.raises(ConfigError, match="halves: not among"):
        BooqaSettings(prompts=LevyHoltSettings(prompting=(), subsets=("halves",)))
    with pytest.raises(ConfigError, match="name it with --levyholt"):
        BooqaSettings(prompts=LevyHoltSettings(prompting=("symmetric",)))
    with pytest.raises(ConfigError, match="two encoders are called model"):
        BooqaSettings(encoders=("a/model", "b/model"))
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
