"""The human assessment: what is drawn, the Label Studio project and its export, gold labels, tables, the command."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import binomtest

from assessment_support import build_of, examples
from floats_support import close_to
from lawng.errors import InputError
from lawng.schema.labels import LABELS, Label
from lawng.studies.assessment.answer_file import AnswerFile
from lawng.studies.assessment.draw import Task, draw, read_tasks
from lawng.studies.assessment.gold import Assessment, alpha, assess, balanced, tables_of
from lawng.studies.assessment.label_studio import CHOICES, CONFIG, Answer, project_tasks, read_export
from lawng.studies.assessment.study import draw_assessment, score_assessment

TASKS = draw(examples(1200), 504, seed=7)


def told(task: Task, worker: str, label: Label | None = None, sure: bool = True) -> Answer:
    return Answer(worker, task.task_id, label or Label(task.label), sure, "Cited")


def answered(tasks: Sequence[Task], *workers: str) -> list[Answer]:
    return [told(task, worker) for task in tasks for worker in workers]


SCREENING = {task.task_id: Label(task.label) for task in TASKS if task.screening}


# ------------------------------------------------------------------ what is drawn


def test_the_draw_is_balanced_and_comes_in_batches_with_three_for_screening() -> None:
    assert set(Counter((one.label, one.negated, one.premise) for one in TASKS).values()) == {42}
    assert len({one.example_id for one in TASKS}) == 504, "no example twice"
    assert Counter(one.batch for one in TASKS) == dict.fromkeys(range(1, 19), 28)
    assert set(Counter(one.batch for one in TASKS if one.screening).values()) == {3}
    places = {at % 28 for at, one in enumerate(TASKS) if one.screening}
    assert len(places) > 10, "scattered"
    assert draw(examples(1200), 504, seed=7) == TASKS
    assert draw(examples(1200), 504, seed=8) != TASKS


def test_what_is_shown_is_the_premise_and_where_the_cited_pages_stand_in_it() -> None:
    for one in TASKS:
        if one.premise == "long":
            assert one.text1[slice(*one.cited)].startswith("Cited")
            assert one.text1.startswith("Before.")
        else:
            assert one.cited == []
            assert one.text1.startswith("Cited")


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (13, "a multiple of 12"),
        (0, "a multiple of 12"),
        (48, "contradiction with negation: 3 test examples, 8 needed; ask for at most 12"),
    ],
)
def test_a_draw_that_cannot_be_is_told(n: int, said: str) -> None:
    some = [one for one in examples(120) if one.label is not Label.CONTRADICTION or not one.negated]
    with pytest.raises(InputError, match=said):
        draw([*some, *(one for one in examples(18) if one not in some)], n, 7)


def test_a_stratum_without_any_example_is_named() -> None:
    some = [one for one in examples(120) if one.label is not Label.NEUTRAL or one.negated]
    with pytest.raises(
        InputError, match="neutral without negation: 0 test examples, 2 needed; that is too few for any"
    ):
        draw(some, 12, 7)


# ------------------------------------------------------------------ the project


def test_the_configuration_asks_for_one_of_six_and_a_snippet_unless_neutral() -> None:
    tree = ElementTree.fromstring(CONFIG)
    assert [choice.get("value") for choice in tree.iter("Choice")] == list(CHOICES)
    assert len(CHOICES) == 6
    [condition] = [view for view in tree.iter("View") if view.get("visibleWhen")]
    needed = str(condition.get("whenChoiceValue")).split(",")
    assert set(needed) == {choice for choice in CHOICES if "neutral" not in choice}
    names = {element.get("name"): element.tag for element in tree.iter() if element.get("name")}
    assert names == {"text1": "HyperText", "text2": "Text", "label": "Choices", "snippet": "TextArea"}
    assert [area.get("required") for area in tree.iter("TextArea")] == ["true"]
    [box] = [view for view in tree.iter("View") if view.find("HyperText") is not None]
    assert "overflow-y: auto" in str(box.get("style")), "a long premise is scrolled by itself"


def test_the_items_tell_neither_the_label_nor_which_are_for_screening() -> None:
    rows = project_tasks(TASKS)
    assert [row["data"]["task_id"] for row in rows] == [one.task_id for one in TASKS]
    assert {frozenset(row["data"]) for row in rows} == {frozenset({"task_id", "batch", "text1", "text2"})}
    assert all(one.example_id not in one.task_id for one in TASKS), "ids of a build name neutral examples and twins"
    assert len({one.task_id for one in TASKS}) == len(TASKS)
    long = next(row for row, one in zip(rows, TASKS, strict=True) if one.premise == "long")
    html = ElementTree.fromstring(f"<div>{long['data']['text1']}</div>")
    assert [part.tag for part in html] == ["p", "p", "p"]
    assert [str(mark.text).startswith("Cited") for mark in html.iter("mark")] == [True]


def exported(answers: Sequence[Answer], **more: Any) -> list[dict[str, Any]]:
    """As Label Studio writes its JSON."""
    rows: dict[str, dict[str, Any]] = {}
    for at, one in enumerate(answers):
        value = {"choices": [f"{'definitely' if one.sure else 'probably'} {one.label}"]}
        result = [{"from_name": "label", "to_name": "text2", "type": "choices", "value": value}]
        if one.snippet:
            area = {"from_name": "snippet", "to_name": "text2", "type": "textarea", "value": {"text": [one.snippet]}}
            result.append(area)
        row = rows.setdefault(one.task_id, {"id": at, "data": {"task_id": one.task_id}, "annotations": []})
        row["annotations"].append({"completed_by": one.worker, "was_cancelled": False, "result": result} | more)
    return list(rows.values())


def saved(path: Path, rows: object) -> Path:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_an_export_is_read_back(tmp_path: Path) -> None:
    rng = random.Random(1)
    said = [told(task, rng.choice("ab"), rng.choice(LABELS), rng.random() < 0.5) for task in TASKS[:40]]
    assert read_export(saved(tmp_path / "e.json", exported(said)), TASKS) == (said, [])
    people = saved(tmp_path / "p.json", exported(said[:1], completed_by={"id": 3, "email": "a@example.org"}))
    assert read_export(people, TASKS)[0][0].worker == "a@example.org"
    assert read_export(saved(tmp_path / "c.json", exported(said, was_cancelled=True)), TASKS) == ([], [])
    bare = [replace_snippet(one, "") for one in said]
    kept, left = read_export(saved(tmp_path / "s.json", exported(bare)), TASKS)
    assert kept == [one for one in bare if one.label is Label.NEUTRAL]
    assert len(left) == 40 - len(kept) < 40


def replace_snippet(answer: Answer, snippet: str) -> Answer:
    return answer._replace(snippet=snippet)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"completed_by": None}, "tells not by whom"),
        ({"result": []}, f"{TASKS[0].task_id}: an annotation has no label; let a choose"),
        ({"result": [None]}, "not Label Studio's JSON export"),
        ({"result": [{"from_name": "label", "value": {"choices": ["surely entailment"]}}]}, "none of the six"),
        ({"result": [{"from_name": "label", "value": {"choices": ["definitely so"]}}]}, "none of the six"),
    ],
    ids=["nobody", "no label", "no mark", "how sure", "which label"],
)
def test_an_export_that_cannot_be_read_is_told(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = saved(tmp_path / "e.json", exported([told(TASKS[0], "a")], **change))
    with pytest.raises(InputError, match=said):
        read_export(path, TASKS)


def test_an_export_of_another_assessment_is_told(tmp_path: Path) -> None:
    other = saved(tmp_path / "e.json", exported([told(replace(TASKS[0], task_id="cl:9#long"), "a")]))
    with pytest.raises(InputError, match="cl:9#long: is no item of this assessment"):
        read_export(other, TASKS)
    rows = saved(tmp_path / "n.json", [{"data": {"task_id": TASKS[0].task_id}, "annotations": [None]}])
    with pytest.raises(InputError, match="not Label Studio's JSON export"):
        read_export(rows, TASKS)
    (tmp_path / "cut.json").write_text('[{"id": 1, "da', encoding="utf-8")
    with pytest.raises(InputError, match="not Label Studio's JSON export"):
        read_export(tmp_path / "cut.json", TASKS)


# ------------------------------------------------------------------ gold labels


def test_two_who_agree_make_a_gold_label_and_screening_items_make_none() -> None:
    items = [task for task in TASKS if not task.screening]
    said = [*answered(TASKS, "a"), *answered([task for task in TASKS if task not in items[:2]], "b")]
    said.append(told(items[0], "b", Label(items[0].label).flipped if items[0].label != "neutral" else LABELS[0]))
    found = assess(TASKS, said, SCREENING)
    assert len(found.read) == len(items) - 1
    assert found.waiting == 1
    assert found.read[0].gold is None
    assert [one.gold for one in found.read[1:]] == [Label(task.label) for task in items[2:]]
    assert {(one.name, one.right, one.seen) for one in found.workers} == {("a", 54, 54), ("b", 54, 54)}
    assert sum(one.gold is not None for one in assess(TASKS, said, SCREENING, until=300).read) == 300


@pytest.mark.parametrize(
    ("right", "left_out"),
    [
        ([1, 1, 1, 0, 0], False),
        ([1, 1, 1, 0, 0, 0], False),
        ([1, 1, 0, 0, 0], True),
        ([0, 0, 0, 0], False),
        ([0, 0, 0, 1, 1, 1, 1, 1], True),
    ],
    ids=["three of five", "half", "two of five", "too few to tell", "below it once"],
)
def test_who_guesses_is_left_out_with_all_answers(right: list[int], left_out: bool) -> None:
    known = [task for task in TASKS if task.screening]
    said = answered([task for task in TASKS if not task.screening], "a", "g")
    for hit, task in zip(right, known, strict=False):
        label = Label(task.label)
        said.append(told(task, "g", label if hit else LABELS[(LABELS.index(label) + 1) % 3]))
    found = assess(TASKS, said, SCREENING)
    assert {one.name: one.excluded for one in found.workers} == {"a": False, "g": left_out}
    assert len(found.read) == (0 if left_out else 450)


def test_answers_that_do_not_fit_are_told() -> None:
    item = next(task for task in TASKS if not task.screening)
    with pytest.raises(InputError, match="3 answers, by 3 people"):
        assess(TASKS, answered([item], "a", "b", "c"), SCREENING)
    with pytest.raises(InputError, match="2 answers, by 1 people"):
        assess(TASKS, answered([item], "a", "a"), SCREENING)
    with pytest.raises(InputError, match="54 screening items have no label"):
        assess(TASKS, [], {})


def test_the_tables_are_those_of_scikit_learn_and_counts() -> None:
    from sklearn.metrics import balanced_accuracy_score

    rng = random.Random(4)
    said = [
        told(task, who, rng.choice([Label(task.label), *LABELS]), rng.random() < 0.7) for task in TASKS for who in "ab"
    ]
    found = assess(TASKS, [one for one in said if one.task_id not in SCREENING], SCREENING)
    tables = tables_of(found)
    table = {row[0]: row[1:] for row in tables["table-4"].rows}
    by_item = {one.task_id: [other.sure for other in said if other.task_id == one.task_id] for one in said}
    assert [one.sure for one in found.read] == [all(by_item[one.task.task_id]) for one in found.read]
    for column, (view, negation) in enumerate(product(("short", "long"), (False, True))):
        own = [one for one in found.read if one.task.premise == view and (one.task.negated or not negation)]
        agreed = [one for one in own if one.labels[0] is one.labels[1]]
        expected = balanced_accuracy_score([str(one.gold) for one in agreed], [one.task.label for one in agreed])
        assert balanced(own) == close_to(expected)
        assert table["gold labels: balanced accuracy"][column].startswith(f"{expected:.3f} (")
        low, high = map(float, re.findall(r"\d\.\d+", table["gold labels: balanced accuracy"][column])[1:])
        error = (expected * (1 - expected) / len(agreed)) ** 0.5
        assert low < expected < high
        assert 2.5 * error < high - low < 6 * error, "95 %, not half"
        assert table["gold labels: N"][column] == str(len(agreed))
        sure = sum(one.sure for one in agreed)
        for name, k, n in (("agreement", len(agreed), len(own)), ("both sure, if they agree", sure, len(agreed))):
            exact = binomtest(k, n).proportion_ci(0.95, "exact")
            assert table[name][column] == f"{k / n:.3f} ({exact.low:.3f}-{exact.high:.3f})"
        assert table["all read: N"][column] == str(len(own))
    wrong = [one for one in found.read if one.gold and one.gold != one.task.label]
    assert [row[0] for row in tables["table-11"].rows] == [one.task.name for one in wrong]
    differ = tables["differ"].rows
    assert [row[0] for row in differ] == [one.task.name for one in found.read if not one.gold]
    assert all(len({*row[2].split(", ")}) == 2 for row in differ)
    assert tables_of(Assessment([], [], 3))["table-4"].rows[0][1:] == ["—"] * 4


def test_alpha_is_one_where_all_agree_and_near_zero_where_all_guess() -> None:
    items = [task for task in TASKS if not task.screening]
    rows = {row[0]: row for row in tables_of(assess(TASKS, answered(items, "a", "b"), SCREENING))["table-4"].rows}
    assert rows["Krippendorff's alpha"][1:] == ["1.000 (1.000-1.000)"] * 4
    rng = random.Random(2)
    guesses = [told(task, who, rng.choice(LABELS)) for task in items for who in "ab"]
    rows = {row[0]: row for row in tables_of(assess(TASKS, guesses, SCREENING))["table-4"].rows}
    assert all(abs(float(cell.split()[0])) < 0.2 for cell in rows["Krippendorff's alpha"][1:])


def test_alpha_is_nominal_as_by_hand_and_its_interval_draws_cases() -> None:
    """Observed against expected disagreement (Krippendorff 2011), of two readers: 1 - (n - 1) sum o / sum n n."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, (40, 2))
    codes[:25, 1] = codes[:25, 0]
    total = np.bincount(codes.ravel(), minlength=3)
    n, differing = total.sum(), 2 * (codes[:, 0] != codes[:, 1]).sum()
    expected = 1 - (n - 1) * differing / (n**2 - (total**2).sum())
    assert alpha((codes[:, :, None] == np.arange(3)).sum(axis=1)) == close_to(expected)
    assert np.isnan(alpha(np.array([[2, 0, 0], [2, 0, 0]])))
    items = [replace(task, case_id="one") for task in TASKS if not task.screening]
    guesses = [told(task, who, rng.choice(LABELS)) for task in items for who in "ab"]
    row = {row[0]: row for row in tables_of(assess(items, guesses, {}))["table-4"].rows}["Krippendorff's alpha"]
    assert all(cell == f"{cell.split()[0]} ({cell.split()[0]}-{cell.split()[0]})" for cell in row[1:]), "one case"


def test_what_people_name_of_the_premise_stands_beside_their_labels() -> None:
    item = next(task for task in TASKS if not task.screening and task.label == "neutral")
    said = [
        Answer(who, item.task_id, Label.ENTAILMENT, True, text)
        for who, text in zip("ab", ("A\nriver", "B"), strict=True)
    ]
    rows = tables_of(assess([item], said, {}))["table-11"].rows
    assert [row[-1] for row in rows] == ["A river | B"]
    apart = [said[0], said[1]._replace(label=Label.CONTRADICTION)]
    [row] = tables_of(assess([item], apart, {}))["differ"].rows
    assert row[2:] == ["entailment, contradiction", item.text2, "A river | B"]


# ------------------------------------------------------------------ the command


def test_the_commands_go_from_a_build_to_table_4(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from lawng.cli import app

    build = build_of(tmp_path / "build")
    place = tmp_path / "assessment"
    run = CliRunner().invoke(app, ["annotate", "sample", str(build), "-o", str(place), "--items", "60"])
    assert run.exit_code == 0, run.output
    assert "Definitely or probably" in (place / "instructions.txt").read_text(encoding="utf-8")
    tasks = draw(examples(120), 60, 7)
    said = [one for one in answered(tasks, "a", "b") if one.task_id != tasks[0].task_id]
    wrong = next(task for task in tasks[1:] if not task.screening and task.label != "neutral")
    said = [a._replace(label=a.label.flipped) if a.task_id == wrong.task_id else a for a in said]
    export = saved(tmp_path / "export.json", exported(said))
    run = CliRunner().invoke(app, ["annotate", "gold", str(place), str(export)])
    assert run.exit_code == 1, "the researcher's labels are missing"
    assert "screening items have no label" in str(run.exception)
    label = {task.task_id: task.label for task in tasks}
    rows = list(csv.DictReader((place / "screening.csv").open(encoding="utf-8", newline="")))
    assert {row["label"] for row in rows} == {""}
    with (tmp_path / "known.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"label": label[row["task_id"]]} for row in rows)
    found, tables, left = score_assessment(place, [export], tmp_path / "known.csv")
    assert left == []
    assert len(found.read) == 60 - sum(task.screening for task in tasks) - (not tasks[0].screening)
    assert [row[0] for row in tables["table-11"].rows] == [wrong.name]
    gold = list(csv.DictReader((place / "gold.csv").open(encoding="utf-8", newline="")))
    assert len(gold) == len(found.read)
    [other] = [row for row in gold if row["automatic"] != row["gold"]]
    assert (other["task_id"], other["item"], other["automatic"]) == (wrong.task_id, wrong.name, wrong.label)


def filled(path: Path, tasks: Sequence[Task]) -> Path:
    """The researcher's labels, all of them the automatic ones."""
    rows = [f"{task.task_id},{task.label}" for task in tasks if task.screening]
    path.write_text("\n".join(["task_id,label", *rows]), encoding="utf-8")
    return path


def test_the_pre_screen_is_six_others_and_who_is_right_on_four_counts(tmp_path: Path) -> None:
    place = tmp_path / "assessment"
    tasks = draw_assessment(build_of(tmp_path / "build"), place, 60, pre_screen=True)
    six = read_tasks(place / "pre-screen")
    assert Counter(task.label for task in six) == {str(label): 2 for label in LABELS}
    assert Counter(task.premise for task in six) == {"short": 3, "long": 3}
    assert all(task.screening for task in six)
    assert {task.example_id for task in six}.isdisjoint(task.example_id for task in tasks)
    assert len(json.loads((place / "pre-screen" / "label-studio-tasks.json").read_text())) == 6

    right = {"a": 4, "b": 6, "c": 3}
    said = [
        told(task, name, None if at < n else Label(task.label).flipped if task.label != "neutral" else LABELS[0])
        for name, n in right.items()
        for at, task in enumerate(six)
    ]
    before = saved(tmp_path / "before.json", exported(said))
    export = saved(tmp_path / "export.json", exported([*answered(tasks, "a", "b"), *answered(tasks[:9], "c", "d")]))
    screening = filled(tmp_path / "known.csv", tasks)
    with pytest.raises(InputError, match="6 items of the pre-screen have no label"):
        score_assessment(place, [export], screening, pre_screen=before)
    filled(place / "pre-screen" / "screening.csv", six)
    found, tables, _ = score_assessment(place, [export], screening, pre_screen=before)
    assert len(found.read) == 60 - sum(task.screening for task in tasks), "c failed, d did not take it: neither counts"
    assert {row[0]: row[2] for row in tables["workers"].rows} == {
        "a": "no", "b": "no", "c": "not qualified", "d": "not qualified",
    }  # fmt: skip
    bare = [a._replace(snippet="") if a.worker == "a" and a.label != "neutral" else a for a in said]
    *_, left = score_assessment(place, [export], screening, pre_screen=saved(tmp_path / "bare.json", exported(bare)))
    assert any("a names no snippet" in line for line in left), "who fails for want of a snippet is told"
    with pytest.raises(InputError, match="answers, by"):
        score_assessment(place, [export], screening)
    with pytest.raises(InputError, match=r"pre-screen/screening\.csv: has labels of the researcher's"):
        draw_assessment(tmp_path / "build", place, 60, seed=8)
    twice = [*said, told(six[0], "a", Label(six[0].label))]
    with pytest.raises(InputError, match="2 answers of a to a screening item"):
        score_assessment(place, [export], screening, pre_screen=saved(tmp_path / "twice.json", exported(twice)))
    (place / "pre-screen" / "screening.csv").unlink()
    draw_assessment(tmp_path / "build", place, 60, seed=8)
    assert not (place / "pre-screen").exists(), "its items may be among those that are read"
    with pytest.raises(InputError, match="not screened"):
        score_assessment(place, [export], alone=True, pre_screen=before)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("separator", [",", ";"])
def test_labels_of_a_spreadsheet_are_read(tmp_path: Path, encoding: str, separator: str) -> None:
    tasks = draw_assessment(build_of(tmp_path / "build"), tmp_path / "assessment", 60)
    export = saved(tmp_path / "export.json", exported(answered(tasks, "a", "b")))
    text = filled(tmp_path / "known.csv", tasks).read_text("utf-8").replace(",", separator)
    (tmp_path / "known.csv").write_text(text, encoding)
    found, _, _ = score_assessment(tmp_path / "assessment", [export], tmp_path / "known.csv")
    assert len(found.read) == 60 - sum(task.screening for task in tasks)
    assert (tmp_path / "assessment" / "tables" / "workers.csv").is_file()
    alone = saved(tmp_path / "alone.json", exported(answered(tasks, "a")))
    score_assessment(tmp_path / "assessment", [alone], alone=True)
    assert not list((tmp_path / "assessment" / "tables").glob("workers.*")), "who reads alone has no such table"
    (tmp_path / "known.csv").write_bytes(text.replace("neutral", "neutr\xe4l").encode("latin-1"))
    with pytest.raises(InputError, match=r"known\.csv"):
        score_assessment(tmp_path / "assessment", [export], tmp_path / "known.csv")


def test_a_pre_screen_that_nothing_is_left_for_is_told_before_anything_is_written(tmp_path: Path) -> None:
    build = build_of(tmp_path / "build")
    with pytest.raises(InputError, match="left for the pre-screen"):
        draw_assessment(build, tmp_path / "assessment", 120, pre_screen=True)
    assert not (tmp_path / "assessment").exists()


def test_what_models_believe_least_is_read_first(tmp_path: Path) -> None:
    place = tmp_path / "assessment"
    tasks = draw_assessment(build_of(tmp_path / "build"), place, 60)
    order = [tasks[at].example_id for at in (40, 3, 17)]
    (tmp_path / "audit.csv").write_text("\n".join(["key,label", "cl:none,neutral", *(f"{key},x" for key in order)]))
    file = AnswerFile(place, "ada", tmp_path / "audit.csv")
    assert [task.example_id for task in file.tasks[:3]] == order
    assert file.tasks[3:] == [task for task in tasks if task.example_id not in order]
    file.save(file.tasks[0], "definitely neutral", "")
    assert AnswerFile(place, "ada").next_open(file.read()) == 1, "answers are by item, whatever the order"
    (tmp_path / "bad.csv").write_text("name\nx\n")
    for bad in ("bad.csv", "none.csv"):
        with pytest.raises(InputError, match="no table of `lawng annotate audit`"):
            AnswerFile(place, "ada", tmp_path / bad)


def test_screening_labels_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    build = build_of(tmp_path / "build")
    place = tmp_path / "assessment"
    draw_assessment(build, place, 60)
    export = saved(tmp_path / "export.json", [])
    (tmp_path / "known.csv").write_text("task_id,label\ncl:1#long,perhaps\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"known\.csv, row 2: 'perhaps' is no label"):
        score_assessment(place, [export], tmp_path / "known.csv")
    (tmp_path / "known.csv").write_text("task_id,label\n1.23E+15,neutral\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"known\.csv, label 1: '1\.23E\+15' is no task of this assessment"):
        score_assessment(place, [export], tmp_path / "known.csv")
    with pytest.raises(InputError, match="no assessment here"):
        score_assessment(tmp_path / "nowhere", [export])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years", encoding="utf-8")
    with pytest.raises(InputError, match="is there and is no assessment"):
        draw_assessment(build, tmp_path / "mine", 60)


def test_items_that_somebody_has_answered_are_not_drawn_anew(tmp_path: Path) -> None:
    build, place = build_of(tmp_path / "build"), tmp_path / "assessment"
    tasks = draw_assessment(build, place, 60)
    (place / "answers-ada.json").write_text("[]", encoding="utf-8")
    draw_assessment(build, place, 60)
    (place / "answers-ada.json").write_text('[{"id": 1}]', encoding="utf-8")
    with pytest.raises(InputError, match=r"answers-ada\.json: has answers to the items there"):
        draw_assessment(build, place, 60, seed=8)
    assert read_tasks(place) == tasks
    assert not any(task.task_id[0] in "0123456789abcdef" for task in tasks), "no number to a spreadsheet"
