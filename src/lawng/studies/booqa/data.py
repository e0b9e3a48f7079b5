"""What the study of BoOQA asks: the questions of a split with their evidence, and the masked propositions.

read_booqa(folder) -> Booqa       of `lawng build booqa`
data.pieces(question)             what its window asserts of its arguments, but for the excluded sentences
data.articles(question)           the articles of its window that are most like it
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from lawng.directional.booqa.output import MASKED
from lawng.directional.booqa.records import Evidence, Placed, Question
from lawng.directional.booqa.sample import SPLITS
from lawng.directional.records import Article
from lawng.errors import InputError
from lawng.io import file_digest, iter_parts, iter_records
from lawng.reports.builds import Build
from lawng.studies.harness import Depends

PIECES = 3200
"""Of evidence for a question at the most (appendix G)."""
ARTICLES = 5
"""That the tfidf variant reads (appendix G)."""


@dataclass
class Questions:
    """The questions of a split, and where their evidence is."""

    name: str
    questions: list[Question]
    evidence: Mapping[str, Sequence[Evidence]]
    """By pair of arguments."""
    placed: Iterable[Path]
    """Parts of the table of articles."""
    depends: Depends

    @property
    def labels(self) -> list[bool]:
        """Whether each is true."""
        return [one.label for one in self.questions]

    def pieces(self, question: Question) -> list[Evidence]:
        """What the window asserts of the question's arguments, without the sentences that its positive is from."""
        excluded = set(question.exclude)
        every = self.evidence.get(question.pair_id, ())
        return [piece for piece in every if piece.sentence_id not in excluded][:PIECES]

    def articles(self, question: Question) -> list[Evidence]:
        """The articles of the window most like the question by TF-IDF, without those that have an excluded sentence."""
        excluded = {name.rpartition("@")[0] for name in question.exclude}
        window = self._windows.get(question.window)
        found = window.best(said(question)) if window else []
        left = [one for one in found if one.article_id not in excluded][:ARTICLES]
        where = (question.pair_id, question.window, question.subject, "", question.object)
        return [Evidence(*where, one.article_id, one.article_id, f"{one.title}. {one.text}") for one in left]

    @cached_property
    def _windows(self) -> dict[str, _Window]:
        wanted = {one.window for one in self.questions}
        found: dict[str, list[Article]] = defaultdict(list)
        for row in (row for part in self.placed for row in iter_records(part, Placed)):
            if row.window in wanted:
                found[row.window].append(row.article)
        return {name: _Window(articles) for name, articles in found.items()}


class _Window:
    """The articles of a context window, ranked by TF-IDF."""

    def __init__(self, articles: list[Article]) -> None:
        self._articles = articles

    @cached_property
    def _fitted(self) -> tuple[Any, Any]:
        from sklearn.feature_extraction.text import TfidfVectorizer

        model = TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w+")
        return model, model.fit_transform([f"{one.title} {one.text}" for one in self._articles])

    def best(self, text: str) -> list[Article]:
        model, matrix = self._fitted
        scores = (matrix @ model.transform([text]).T).toarray()[:, 0]
        return [self._articles[at] for at in sorted(range(len(scores)), key=lambda at: -scores[at])]


class Masked(NamedTuple):
    """A proposition with types in its arguments' place, for the hypothesis-only test."""

    id: str
    text: str
    subject_type: str
    predicate: str
    object_type: str
    label: int


@dataclass(frozen=True)
class Booqa:
    """A build of BoOQA as the study reads it."""

    splits: dict[str, Questions]
    masked: dict[str, list[Masked]]
    """By file: train, dev2, test."""
    depends: Depends


def read_booqa(folder: Path) -> Booqa:
    """A build's questions, evidence and masked propositions.

    Raises InputError where the folder is no build of BoOQA or a split lacks true or false questions, MissingError
    where it lacks the table of its articles.
    """
    files = [*(folder / "data" / f"{name}.parquet" for name in SPLITS), folder / "evidence.parquet"]
    files += [folder / "masked" / f"{name}.jsonl" for name in MASKED]
    if missing := [file for file in (folder / "manifest.json", *files) if not file.is_file()]:
        raise InputError(f"{folder}: is no whole build of BoOQA ({missing[0].name} is missing); lawng build booqa")
    evidence: dict[str, list[Evidence]] = defaultdict(list)
    for row in _records(folder / "evidence.parquet", Evidence):
        evidence[row.pair_id].append(row)
    depends = {file.relative_to(folder).as_posix(): file_digest(file) for file in (folder / "manifest.json", *files)}
    placed = list(iter_parts(Build(folder).table("placed").folder))
    splits = {
        name: Questions(name, _questions(file), evidence, placed, depends)
        for name, file in zip(SPLITS, files, strict=False)
    }
    for name, split in splits.items():
        if len(set(split.labels)) < len((True, False)):
            raise InputError(f"{folder}: {name} lacks true or false questions; build of more news, or lower thresholds")
    ids = {one.question_id for split in splits.values() for one in split.questions}
    return Booqa(splits, {name: _masked(folder / "masked" / f"{name}.jsonl", ids) for name in MASKED}, depends)


R = TypeVar("R", Question, Evidence)


def _records(path: Path, record: type[R]) -> list[R]:
    """The rows of a file. Raises InputError where it lacks a column or a row says nothing."""
    try:
        rows = list(iter_records(path, record))
    except KeyError as error:
        raise InputError(f"{path}: lacks a column ({error}); make the build again") from error
    for at, row in enumerate(rows):
        if not row.predicate.strip():
            raise InputError(f"{path}: row {at} has no predicate; make the build again")
    return rows


def _questions(path: Path) -> list[Question]:
    rows = _records(path, Question)
    positives = {one.bundle for one in rows if one.label}
    if lost := [one for one in rows if one.bundle not in positives]:
        raise InputError(f"{path}: the bundle of {lost[0].question_id} has no true question; make the build again")
    return rows


def _masked(path: Path, ids: set[str]) -> list[Masked]:
    rows = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            row = json.loads(line)
            one = Masked(**{name: row[name] for name in Masked._fields})
        except (ValueError, KeyError, TypeError):
            one = None
        if one is None or one.id not in ids or not all(isinstance(text, str) for text in one[:-1]):
            raise InputError(f"{path}:{number}: is no masked proposition of a question; make the build again")
        rows.append(one)
    return rows


def said(one: Question | Evidence) -> str:
    """A proposition as a short sentence."""
    return f"{one.subject} {one.predicate} {one.object}"
