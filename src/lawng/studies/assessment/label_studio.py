"""The assessment as a Label Studio project: its labelling configuration, its tasks, and its export read back.

CONFIG     project_tasks(tasks) -> JSON rows to import     read_export(path) -> answers, and why others are left out
export_rows(answers) -> the rows of such an export
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from lawng.errors import InputError
from lawng.schema.labels import LABELS, Label, label_of
from lawng.studies.assessment.draw import Task

SURE = ("definitely", "probably")
CHOICES = tuple(f"{sure} {label}" for label in LABELS for sure in SURE)
"""The six options (A.3): the label, and how sure."""
QUESTION = "How is text1 related to text2: does it entail it, contradict it, or neither (neutral)?"
INSTRUCTIONS = (
    "Label what text1 says as a whole: where it tells of a claim, say a party's or the lower court's, and then rejects "
    "it, text1 rejects it.",
    "text2 is often said of the very case of text1, and then any of the three labels may be right; or it is about "
    "another case. What text1 neither entails nor contradicts is neutral, however close.",
    "Definitely or probably says how sure you are, and changes nothing else.",
    "For entailment and contradiction, copy those words of text1 that decide into the snippet.",
)
"""What people are told beforehand (A.3.1)."""
NEEDED = tuple(choice for choice in CHOICES if not choice.endswith(Label.NEUTRAL))
"""The options that need a snippet."""
CONFIG = f"""<View>
  <Header value="{QUESTION}"/>
  <Header value="text1"/>
  <View style="max-height: 60vh; overflow-y: auto; border: 1px solid #ccc; padding: 0 1em">
    <HyperText name="text1" value="$text1" clickableLinks="false"/>
  </View>
  <Header value="text2"/>
  <Text name="text2" value="$text2"/>
  <Choices name="label" toName="text2" choice="single-radio" required="true">
{chr(10).join(f'    <Choice value="{choice}"/>' for choice in CHOICES)}
  </Choices>
  <View visibleWhen="choice-selected" whenTagName="label" whenChoiceValue="{",".join(NEEDED)}">
    <Header value="Relevant snippet from text1"/>
    <TextArea name="snippet" toName="text2" rows="3" maxSubmissions="1" required="true"
              requiredMessage="Paste what of text1 decides."/>
  </View>
</View>
"""
"""The premise in a box that scrolls, the cited pages marked; a snippet is required unless the label is neutral."""


class Answer(NamedTuple):
    """What one person says of one item."""

    worker: str
    task_id: str
    label: Label
    sure: bool
    snippet: str

    @property
    def choice(self) -> str:
        """The option of the six."""
        return f"{SURE[not self.sure]} {self.label}"

    @property
    def whole(self) -> bool:
        """Whether the snippet that its option needs is there."""
        return self.choice not in NEEDED or bool(self.snippet)


def answer_of(worker: str, key: str, choice: str, snippet: str) -> Answer:
    """An option chosen, as an answer. Raises InputError where it is none of the six."""
    sure, _, name = choice.partition(" ")
    label = label_of(name)
    if label is None or sure not in SURE:
        raise InputError(f"{key}: {choice!r} is none of the six options")
    return Answer(worker, key, label, sure == SURE[0], snippet.strip())


def project_tasks(tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """The rows that Label Studio imports; neither the automatic label nor what is for screening is in them."""
    return [
        {"data": {"task_id": one.task_id, "batch": one.batch, "text1": _marked(one), "text2": one.text2}}
        for one in tasks
    ]


def _marked(task: Task) -> str:
    """The premise as HTML, a paragraph each, the cited pages marked.

    >>> _marked(Task("", "", "long", "A < B.\\n\\nC.", "", "", False, "", 1, False, [8, 10]))
    '<p>A &lt; B.</p><p><mark>C.</mark></p>'
    """
    start, end = task.cited or (0, 0)
    parts = (task.text1[:start], task.text1[start:end], task.text1[end:])
    before, cited, behind = (escape(part).replace("\n\n", "</p><p>") for part in parts)
    inside = cited.replace("</p><p>", "</mark></p><p><mark>")
    return f"<p>{before}{f'<mark>{inside}</mark>' if cited else ''}{behind}</p>"


def read_export(path: Path, tasks: Sequence[Task]) -> tuple[list[Answer], list[str]]:
    """The answers of an export (JSON), and a line for each that is left out: cancelled, or without a needed snippet.

    Raises InputError naming the item where a person is missing, an item is not of this assessment, or a label is none.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(rows, list):
            raise TypeError("no list of items")
        found = list(_answers(rows, {task.task_id for task in tasks}))
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise InputError(f"{path}: not Label Studio's JSON export ({str(error)[:120]}); export it as JSON") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    left = [f"{a.task_id}: {a.worker} names no snippet for {a.label}" for a in found if not a.whole]
    return [answer for answer in found if answer.whole], left


def export_rows(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """Answers as rows of an export, which `read_export` reads."""
    return [{"data": {"task_id": one.task_id}, "annotations": [_annotation(one)]} for one in answers]


def _annotation(answer: Answer) -> dict[str, Any]:
    label = {"from_name": "label", "to_name": "text2", "type": "choices", "value": {"choices": [answer.choice]}}
    area = {"from_name": "snippet", "to_name": "text2", "type": "textarea", "value": {"text": [answer.snippet]}}
    result = [label, area] if answer.snippet else [label]
    return {"completed_by": answer.worker, "was_cancelled": False, "result": result}


def _answers(rows: list[dict[str, Any]], known: set[str]) -> Iterator[Answer]:
    for row in rows:
        key = str(row["data"]["task_id"])
        if key not in known:
            raise InputError(f"{key}: is no item of this assessment; give the export of its own project")
        for one in row["annotations"]:
            if one.get("was_cancelled"):
                continue
            worker = one.get("completed_by")
            worker = worker.get("email") or worker.get("id") if isinstance(worker, dict) else worker
            if worker in (None, ""):
                raise InputError(f"{key}: an annotation tells not by whom (completed_by); export it with annotators")
            values = {result["from_name"]: result["value"] for result in one["result"]}
            if "label" not in values:
                raise InputError(f"{key}: an annotation has no label; let {worker} choose one of the six, or cancel it")
            snippet = values.get("snippet", {}).get("text", "")
            snippet = snippet if isinstance(snippet, str) else " ".join(snippet)
            yield answer_of(str(worker), key, str(values["label"]["choices"][0]), snippet)
