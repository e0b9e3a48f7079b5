"""One person's answers to an assessment: a file in its folder, in Label Studio's export format, saved at each answer.

AnswerFile(folder, name): tasks, read() -> answers by item, save(task, choice, snippet), next_open(answers, after)
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from getpass import getuser
from pathlib import Path
from shlex import quote

from lawng.errors import InputError
from lawng.io import write_text
from lawng.studies.assessment.audit import audited
from lawng.studies.assessment.draw import Task, read_tasks
from lawng.studies.assessment.label_studio import Answer, answer_of, export_rows, read_export

MISSING = "The snippet is missing: select the words of text1 that decide, or type them, then choose again."
_NAME = re.compile(r"[\w.@+-]{1,64}")


class AnswerFile:
    """`answers-NAME.json` in the folder of an assessment; without a name the login name is taken.

    The file is all that is kept: it is read anew before each answer is added, and appears whole, so a process that is
    killed loses nothing. Raises InputError where it has anything but this person's answers, or cannot be written.
    """

    def __init__(self, folder: Path, name: str | None = None, first: Path | None = None) -> None:
        """`first` is a table of `lawng annotate audit`: items come in its order, others behind them."""
        self.folder, self.tasks = folder, read_tasks(folder)
        if first:
            rank = {key: at for at, key in enumerate(audited(first))}
            self.tasks.sort(key=lambda task: rank.get(task.example_id, len(rank)))
        self.name = name or _login()
        if not _NAME.fullmatch(self.name):
            raise InputError(f"{self.name[:80]!r}: no name for a file; give --name with letters, digits and . _ @ + -")
        self.path = folder / f"answers-{self.name}.json"
        self._write(self.read())  # that it can be written is seen before an hour of reading, not after

    def read(self) -> dict[str, Answer]:
        """The answers by item. Raises InputError where the file was cut, or is of another assessment or person."""
        if not self.path.exists():
            return {}
        try:
            found, left = read_export(self.path, self.tasks)
        except InputError as error:
            raise self._strange(str(error).removeprefix(f"{self.path}: ")) from error
        answers = {one.task_id: one for one in found}
        if left or len(answers) < len(found) or any(one.worker != self.name for one in found):
            raise self._strange(left[0] if left else f"not one answer of {self.name} to each item")
        return answers

    def save(self, task: Task, choice: str, snippet: str) -> None:
        """Keep an answer; an earlier one to this item gives way.

        Raises InputError for none of the six options or a missing snippet, or as `read` does; nothing is written then.
        """
        answer = answer_of(self.name, task.task_id, choice, snippet)
        if not answer.whole:
            raise InputError(MISSING)
        self._write(self.read() | {task.task_id: answer})

    def next_open(self, answers: Mapping[str, Answer], after: int = 0) -> int | None:
        """Number, from 1, of the first item without an answer behind item number `after`, else of the first of all."""
        n = len(self.tasks)
        order = (*range(after, n), *range(min(after, n)))
        return next((at + 1 for at in order if self.tasks[at].task_id not in answers), None)

    @property
    def scoring(self) -> str:
        """The command that makes tables of the answers."""
        return f"lawng annotate gold {quote(str(self.folder))} {quote(str(self.path))} --alone"

    def _write(self, answers: Mapping[str, Answer]) -> None:
        write_text(self.path, json.dumps(export_rows(answers.values()), ensure_ascii=False, indent=1) + "\n")

    def _strange(self, why: str) -> InputError:
        return InputError(f"{self.path}: left as it is ({why}); move it away, or give another --name")


def _login() -> str:
    try:
        return getuser()
    except (OSError, KeyError) as error:  # a user without an entry, as in some containers
        raise InputError("no login name is known; give --name") from error
