"""An assessment by one person: the file of answers, what it refuses, and the tables that come of it."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assessment_support import assessment_of, build_of, by_hand, examples
from lawng.errors import InputError
from lawng.schema.labels import LABELS, Label
from lawng.studies.assessment.answer_file import AnswerFile
from lawng.studies.assessment.draw import Task, draw, read_tasks
from lawng.studies.assessment.gold import assess, tables_of
from lawng.studies.assessment.label_studio import CHOICES, Answer, read_export
from lawng.studies.assessment.study import assessment_at, draw_assessment, score_assessment
from split_support import write_split

TASKS = draw(examples(1200), 504, seed=7)


def kept(folder: Path, name: str = "ada", n: int = 7) -> AnswerFile:
    return AnswerFile(assessment_of(folder, by_hand(n)), name)


# ------------------------------------------------------------------ the file


def test_an_answer_is_in_the_file_as_soon_as_it_is_given_and_gives_way_to_a_later_one(tmp_path: Path) -> None:
    file = kept(tmp_path)
    first, second = file.tasks[:2]
    file.save(first, CHOICES[5], " the <words>\nof it ")
    assert AnswerFile(tmp_path, "ada").read() == {
        first.task_id: Answer("ada", first.task_id, Label.CONTRADICTION, False, "the <words>\nof it")
    }
    file.save(second, CHOICES[2], "")
    file.save(first, CHOICES[0], "others")
    assert {key: (one.choice, one.snippet) for key, one in AnswerFile(tmp_path, "ada").read().items()} == {
        first.task_id: ("definitely entailment", "others"),
        second.task_id: ("definitely neutral", ""),
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers-ada.json", "tasks.parquet"]


def test_two_who_write_at_one_time_lose_nothing_and_two_names_have_two_files(tmp_path: Path) -> None:
    one, other, third = kept(tmp_path), AnswerFile(tmp_path, "ada"), AnswerFile(tmp_path, "bea")
    for number, (file, task) in enumerate(zip((one, other, one, third), by_hand(), strict=False)):
        file.save(task, CHOICES[2 + number % 2], "")
    assert (len(one.read()), len(third.read())) == (3, 1)


@pytest.mark.parametrize("choice", CHOICES)
def test_a_snippet_is_needed_unless_the_label_is_neutral(tmp_path: Path, choice: str) -> None:
    file = kept(tmp_path)
    if "neutral" in choice:
        file.save(file.tasks[0], choice, " ")
    else:
        with pytest.raises(InputError, match="The snippet is missing"):
            file.save(file.tasks[0], choice, " \n")
        assert file.read() == {}
        file.save(file.tasks[0], choice, "Words.")
    [answer] = read_export(file.path, file.tasks)[0]
    assert f"{'definitely' if answer.sure else 'probably'} {answer.label}" == answer.choice == choice


def test_what_is_none_of_the_six_is_not_kept(tmp_path: Path) -> None:
    file = kept(tmp_path)
    for choice in ("", "entailment", "surely neutral"):
        with pytest.raises(InputError, match="none of the six"):
            file.save(file.tasks[0], choice, "Words.")
    assert file.read() == {}


def test_the_next_open_item_is_behind_and_else_before(tmp_path: Path) -> None:
    file = kept(tmp_path, n=4)
    assert [file.next_open({}, after) for after in (0, 1, 4, 9)] == [1, 2, 1, 1]
    for at in (1, 3):
        file.save(file.tasks[at], CHOICES[2], "")
    assert [file.next_open(file.read(), after) for after in range(5)] == [1, 3, 3, 1, 1]
    for at in (0, 2):
        file.save(file.tasks[at], CHOICES[2], "")
    assert file.next_open(file.read(), 2) is None


ROW = {"data": {"task_id": by_hand()[0].task_id}, "annotations": []}
SAID = {"from_name": "label", "value": {"choices": ["definitely neutral"]}}
BARE = {"from_name": "label", "value": {"choices": ["definitely entailment"]}}


def row(worker: str = "ada", said: object = SAID) -> dict[str, object]:
    return ROW | {"annotations": [{"completed_by": worker, "result": [said]}]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps([row()])[:-20], "not Label Studio's JSON export"),
        ("", "not Label Studio's JSON export"),
        ("{}", "not Label Studio's JSON export"),
        (json.dumps([ROW | {"data": {"task_id": "cl:9#long"}}]), "cl:9#long: is no item of this assessment"),
        (json.dumps([row("bea")]), "not one answer of ada to each item"),
        (json.dumps([row(), row()]), "not one answer of ada to each item"),
        (json.dumps([row(said=BARE)]), "names no snippet"),
    ],
    ids=["cut", "empty", "no list", "another assessment", "another person", "twice", "no snippet"],
)
def test_a_file_of_anything_else_is_told_and_left_as_it_is(tmp_path: Path, content: str, said: str) -> None:
    file = kept(tmp_path)
    file.path.write_text(content, encoding="utf-8")
    for attempt in (lambda: AnswerFile(tmp_path, "ada"), lambda: file.save(file.tasks[0], CHOICES[2], "")):
        with pytest.raises(InputError) as told:
            attempt()
        assert said in str(told.value)
        assert str(told.value).startswith(f"{file.path}: left as it is (")
        assert "\n" not in str(told.value)
        assert file.path.read_text(encoding="utf-8") == content


def test_a_place_that_cannot_be_written_is_told_before_anything_is_read(tmp_path: Path) -> None:
    assessment_of(tmp_path, by_hand())
    (tmp_path / f".answers-ada.json.{os.getpid()}").mkdir()
    with pytest.raises(InputError, match=r"answers-ada\.json: cannot be written"):
        AnswerFile(tmp_path, "ada")


def test_a_name_that_names_no_file_is_told_and_the_login_name_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assessment_of(tmp_path, by_hand())
    for name in ("../ada", "a b", "a\n", "x" * 65):
        with pytest.raises(InputError, match="no name for a file"):
            AnswerFile(tmp_path, name)
    monkeypatch.setenv("LOGNAME", "bea")
    assert AnswerFile(tmp_path).path.name == "answers-bea.json"


# ------------------------------------------------------------------ from a build, and an assessment that is there


def test_an_assessment_is_drawn_beside_its_build_once_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = build_of(tmp_path / "build")
    place = assessment_at(build, items=24)
    assert place == tmp_path / "build-assessment"
    assert read_tasks(place) == draw(examples(120), 24, 7)
    assert assessment_at(build, items=36, seed=8) == assessment_at(place) == place
    assert read_tasks(place) == draw(examples(120), 24, 7)
    assert len(read_tasks(assessment_at(build, tmp_path / "other", 36, 8))) == 36
    monkeypatch.chdir(build)
    assert assessment_at(Path(), items=24) == place


def test_an_assessment_of_another_build_is_not_gone_on_with(tmp_path: Path) -> None:
    build = build_of(tmp_path / "build")
    place = assessment_at(build, items=24)
    rows = [replace(one, hypothesis=one.hypothesis + "!") for one in examples(120)]
    write_split(build / "data" / "test.parquet", rows)
    with pytest.raises(InputError, match=r"build-assessment: was drawn of another build, cl:\d+#\w+ is not in"):
        assessment_at(build, items=24)
    assert assessment_at(place) == place, "named itself it is"
    (build / "data" / "test.parquet").write_bytes(b"PAR1 cut")
    with pytest.raises(InputError, match=r"test\.parquet: not a data file of a build"):
        assessment_at(build, items=24)


def test_data_without_short_and_long_premises_are_no_build(tmp_path: Path) -> None:
    (tmp_path / "orig_test.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="neither a build nor an assessment"):
        draw_assessment(tmp_path, tmp_path / "a", 12)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "nothing: neither a build nor an assessment; name a folder that `lawng build`"),
        (["empty"], "empty: neither a build nor an assessment"),
        (["here", "-o", "there"], "here: is an assessment already"),
        (["build", "-o", "empty/file.txt"], "is there and is no assessment"),
        (["build", "--items", "504"], "ask for at most 120"),
        (["here", "--name", "../x"], "no name for a file"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    from lawng.cli import app

    monkeypatch.chdir(tmp_path)
    build_of(tmp_path / "build")
    assessment_of(tmp_path / "here", by_hand())
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "file.txt").write_text("years", encoding="utf-8")
    run = CliRunner().invoke(app, ["annotate", "read", *arguments])
    assert isinstance(run.exception, InputError)
    assert said in str(run.exception)
    assert "\n" not in str(run.exception)


# ------------------------------------------------------------------ tables


def told(task: Task, label: Label, sure: bool = True, worker: str = "ada") -> Answer:
    return Answer(worker, task.task_id, label, sure, "Cited")


def test_counts_of_one_reader_are_those_worked_by_hand() -> None:
    """Of four short items with negation: two right (one entailment, one neutral), two wrong (both entailment)."""
    own = [task for task in TASKS if task.premise == "short" and task.negated]
    right = [next(task for task in own if task.label == label) for label in ("entailment", "neutral")]
    wrong = [task for task in own if task.label == "contradiction"][:2]
    said = [told(right[0], Label.ENTAILMENT), told(right[1], Label.NEUTRAL, sure=False)]
    said += [told(task, Label.ENTAILMENT, sure=task is wrong[0]) for task in wrong]
    found = assess(TASKS, said, {}, alone=True)
    assert (len(found.read), found.waiting) == (4, 500)
    tables = tables_of(found)
    assert set(tables) == {"table-4", "table-11"}
    rows = {one[0]: one[2] for one in tables["table-4"].rows}
    assert list(rows) == [
        "gold labels: balanced accuracy",
        "gold labels: N",
        "sure: balanced accuracy",
        "sure: N",
        "sure",
        "all read: N",
    ]
    # of three that the reader calls entailment one is labelled so, of one neutral one: (1/3 + 1) / 2
    assert rows["gold labels: balanced accuracy"].startswith("0.667 (")
    assert rows["sure: balanced accuracy"].startswith("0.500 (")
    assert (rows["gold labels: N"], rows["sure: N"], rows["all read: N"]) == ("4", "2", "4")
    assert rows["sure"].startswith("0.500 (")
    assert [one[0] for one in tables["table-11"].rows] == [task.name for task in TASKS if task in wrong]
    assert tables["table-11"].columns == ["item", "automatic", "gold", "sure", "text2", "snippets of text1"]
    for table in tables.values():
        assert "One person alone read (ada)" in table.note
        assert "no agreement" in table.note


def test_the_table_of_one_reader_is_that_of_scikit_learn_with_items_for_screening() -> None:
    from sklearn.metrics import balanced_accuracy_score

    rng = random.Random(4)
    said = {one.task_id: told(one, rng.choice([Label(one.label), *LABELS]), rng.random() < 0.7) for one in TASKS}
    found = assess(TASKS, list(said.values()), {}, alone=True)
    assert (len(found.read), found.waiting) == (504, 0)
    table = {one[0]: one[1:] for one in tables_of(found)["table-4"].rows}
    for column, (view, negation) in enumerate(product(("short", "long"), (False, True))):
        own = [task for task in TASKS if task.premise == view and (task.negated or not negation)]
        for name, some in (("gold labels", own), ("sure", [task for task in own if said[task.task_id].sure])):
            gold = [str(said[task.task_id].label) for task in some]
            expected = balanced_accuracy_score(gold, [task.label for task in some])
            assert table[f"{name}: balanced accuracy"][column].startswith(f"{expected:.3f} (")
            assert table[f"{name}: N"][column] == str(len(some))
    assert len(assess(TASKS, list(said.values()), {}, until=300, alone=True).read) == 300


def test_two_people_are_not_one_alone(tmp_path: Path) -> None:
    one, other = TASKS[:2]
    with pytest.raises(InputError, match="answers of 2 people, ada, bea; give one's, or leave out --alone"):
        assess(TASKS, [told(one, Label.NEUTRAL), told(other, Label.NEUTRAL, worker="bea")], {}, alone=True)
    with pytest.raises(InputError, match="2 answers, by 1 people; give one"):
        assess(TASKS, [told(one, Label.NEUTRAL), told(one, Label.NEUTRAL)], {}, alone=True)
    file = kept(tmp_path)
    with pytest.raises(InputError, match="who reads alone is not screened"):
        score_assessment(tmp_path, [file.path], tmp_path / "known.csv", alone=True)


def test_the_command_makes_tables_of_a_file_of_answers(tmp_path: Path) -> None:
    from lawng.cli import app

    file = kept(tmp_path)
    for task in file.tasks[:6]:
        label = Label.CONTRADICTION if task is file.tasks[3] else task.label
        file.save(task, f"definitely {label}", "Words.")
    command = re.sub("^lawng ", "", file.scoring).split()
    (tmp_path / "tables").mkdir()
    for name in ("differ", "workers"):  # of two people, before
        (tmp_path / "tables" / f"{name}.txt").write_text("a, b", encoding="utf-8")
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert "6 items read by one, 6 gold labels; 1 items wait for an answer." in run.output
    assert "were wanted" not in run.output
    assert "7 gold labels were wanted: have more" in CliRunner().invoke(app, [*command, "--until", "7"]).output
    assert "One person alone read (ada)" in " ".join((tmp_path / "tables" / "table-4.txt").read_text("utf-8").split())
    assert not (tmp_path / "tables" / "workers.txt").exists()
    assert not (tmp_path / "tables" / "differ.txt").exists()
    gold = (tmp_path / "gold.csv").read_text("utf-8").splitlines()
    assert gold[0] == "task_id,item,automatic,gold,sure,snippets"
    other = file.tasks[3]
    assert f"{other.task_id},{other.name},{other.label},contradiction,True,Words." in gold
    assert len(gold) == 7
