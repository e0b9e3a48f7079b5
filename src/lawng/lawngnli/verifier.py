"""Which propositions the cited pages entail: a logistic regression over a few numbers, taught by readings.

load_verifier(place) -> Verifier      the one that lawng comes with, or one that `lawng train verifier` made
train_verifier(build, readings, ...)  teach one, cross-validated by cited case

The numbers are those of `lawng.lawngnli.entailing` and, where the verifier has a stance model, the log-odds of
entailment by that cross-encoder. What is less sure than the threshold is kept apart, never taken for neutral.
A verifier comes with the readings that taught it: what was read is not guessed again. Those of the bundled one are by
language models (docs/reading-test.md).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError, MissingError
from lawng.io import atomic_folder, iter_records, numbered_lines, write_json
from lawng.io.limits import OverLimitError, load_json
from lawng.lawngnli.entailing import FEATURES, features
from lawng.lawngnli.records import Passage, Screened, Verdict, own_premise, passage_key
from lawng.lawngnli.standing import Alone, standing
from lawng.models.pairs import pair_model
from lawng.schema import Candidate
from lawng.schema.dataset import VERDICTS
from lawng.schema.labels import LABELS, Label
from lawng.text.windows import best_window

BUNDLED = Path(__file__).with_name("bundled_verifier")
FILE, READ, STANCE = "verifier.json", "readings.jsonl", "stance"
PRECISION = 0.93
"""Of what passes, so much is to be entailed in cross-validation. Of fresh ones it was three to five points less, and
people agree with LawngNLI's own labels in 88.8 % (table 1)."""
_BY_STANCE = "log-odds of entailment"
_FOLDS = 5
_NEVER = -100.0
"""The score of a verdict that no reading has."""
Matrix = NDArray[np.float64]


class Asked(NamedTuple):
    """A proposition that stands alone, and the text of the pages that it cites."""

    item: Screened
    pages: str


@dataclass(frozen=True)
class Verifier:
    """Weights over standardised features, for each of `VERDICTS`, and the threshold of the first."""

    features: list[str]
    mean: list[float]
    scale: list[float]
    weights: list[list[float]]
    """Verdicts x features."""
    bias: list[float]
    threshold: float
    told: dict[str, Any]
    """What it was taught by, and its precision and recall in cross-validation."""
    place: str = ""
    """Of its folder, where its stance model is."""
    read: dict[str, str] = field(default_factory=dict)
    """The verdicts of readers by `place_read`."""

    def probabilities(self, rows: Matrix) -> Matrix:
        """Of each verdict, for a matrix of features (n x features)."""
        scores = (rows - np.array(self.mean)) / np.array(self.scale) @ np.array(self.weights).T + np.array(self.bias)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def verdicts(self, asked: Sequence[Asked]) -> list[Verdict]:
        """The verdict on each proposition, in order."""
        if not asked:
            return []
        rows = feature_rows(asked, str(Path(self.place) / STANCE) if _BY_STANCE in self.features else None)
        return [self._verdict(one, chances) for one, chances in zip(asked, self.probabilities(rows), strict=True)]

    def _verdict(self, one: Asked, chances: NDArray[np.float64]) -> Verdict:
        candidate, sure = one.item.candidate, chances[0] >= self.threshold
        guess = VERDICTS[0] if sure else VERDICTS[1 + int(chances[2] > chances[1])]
        read = self.read.get(place_read(candidate.candidate_id, candidate.start, candidate.end))
        entailed = round(float(chances[0]), 4)
        return Verdict(candidate.candidate_id, one.item.hypothesis, read or guess, entailed, read is not None)


def place_read(candidate_id: str, start: int, end: int) -> str:
    """What a reading is found by: the citation, and the span that was read for its proposition."""
    return f"{candidate_id}[{start}:{end}]"


def feature_rows(asked: Sequence[Asked], stance: str | None) -> Matrix:
    """The features of propositions, n x features; with a stance model (its folder) its log-odds last."""
    rows = np.array([features(one.item.candidate, one.item.hypothesis, one.pages) for one in asked])
    if stance is None:
        return rows
    windows = [best_window(one.pages, one.item.hypothesis) for one in asked]
    judged = pair_model(stance).judge(windows, [one.item.hypothesis for one in asked])
    entails = np.asarray(judged.log_probs)[:, LABELS.index(Label.ENTAILMENT)]
    return np.column_stack([rows, entails - np.log(np.maximum(-np.expm1(entails), 1e-6))])


@lru_cache(maxsize=2)
def load_verifier(place: str) -> Verifier:
    """The verifier of a folder that `lawng train verifier` made.

    Raises MissingError when there is none, InputError when it is not one of this version.
    """
    path = Path(place) / FILE
    try:
        made = Verifier(**json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise MissingError(
            f"{place}: no {FILE}; make one with `lawng train verifier`, or leave --verifier out"
        ) from error
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: not a verifier ({error}); make it again with `lawng train verifier`") from error
    if [name for name in made.features if name != _BY_STANCE] != list(FEATURES):
        raise InputError(f"{path}: knows other features than this version; make it again with `lawng train verifier`")
    lines = _read_lines(path.with_name(READ)) if path.with_name(READ).exists() else ()
    return replace(
        made, place=place, read={place_read(line.id, *line.span): line.verdict for line in lines if line.span}
    )


class Reading(NamedTuple):
    """A proposition that was read against its pages."""

    asked: Asked
    verdict: str
    alone: bool
    """Whether the rules of `lawng.lawngnli.standing` let it pass: the threshold is for these."""
    weight: float
    """How many of a lot's readings it stands for, where more of some kind were drawn."""


def read_readings(build: Path, file: Path) -> Iterator[Reading]:
    """The readings of a file whose propositions are in a build; of one that is cut otherwise by now there is none.

    Raises InputError naming a line that is no reading.
    """
    lines = {line.id: line for line in _read_lines(file)}
    stage = build / "stages" / "20-candidates"
    candidates = iter_records(stage / "candidates", Candidate, ("candidate_id", lines))
    wanted = {c.candidate_id: c for c in candidates if lines[c.candidate_id].span in (None, (c.start, c.end))}
    keys = {passage_key(own_premise(candidate)) for candidate in wanted.values()}
    texts = {passage.key: passage.text for passage in iter_records(stage / "passages", Passage, ("key", keys))}
    for key, candidate in sorted(wanted.items()):
        found = standing(candidate.hypothesis, candidate.before)
        text = found.text if isinstance(found, Alone) else candidate.hypothesis
        asked = Asked(Screened(candidate, text, []), texts[passage_key(own_premise(candidate))])
        yield Reading(asked, lines[key].verdict, isinstance(found, Alone), lines[key].weight)


class _Line(NamedTuple):
    id: str
    verdict: str
    weight: float
    span: tuple[int, int] | None


def _read_lines(file: Path) -> Iterator[_Line]:
    for number, line in numbered_lines(file, "readings"):
        if not line.strip():
            continue
        try:
            row = load_json(line)
            # of two readers the one who finds less: both must find all of it
            verdicts = (_verdict_of(row[name]) for name in ("verdict", "verdict_2") if name in row)
            span = (int(row["start"]), int(row["end"])) if "start" in row else None
            yield _Line(row["id"], max(verdicts, key=VERDICTS.index), float(row.get("weight", 1)), span)
        except (ValueError, KeyError, TypeError, OverLimitError) as error:
            raise InputError(f"{file}:{number}: no reading ({error}); a line has `id` and `verdict`") from error


def _verdict_of(said: str) -> str:
    if said not in (*VERDICTS, "contradicted"):
        raise ValueError(f"verdict {said!r}")
    return "not" if said == "contradicted" else said


def train_verifier(
    build: Path, readings: Path, output: Path, stance: str | None = None, precision: float = PRECISION
) -> Verifier:
    """Teach a verifier by readings and write its folder; the threshold gives `precision` in cross-validation.

    Five folds by cited case; the threshold is the lowest at which that share of what passes, of the propositions that
    stand alone, is entailed. Raises InputError when fewer than 50 readings are of candidates of the build, MissingError
    when the stance model is no folder.
    """
    if stance and not Path(stance).is_dir():
        raise MissingError(f"{stance}: no folder of a stance model, which goes into the verifier's; make or fetch one")
    read = list(read_readings(build, readings))
    if len(read) < 50:
        raise InputError(f"{readings}: {len(read)} readings are of {build}; build with --hypotheses propositions")
    rows = feature_rows([one.asked for one in read], stance)
    held_out = cross_validated(rows, read)
    told = {"readings": len(read), "precision": precision, **passing(held_out[:, 0], read, precision)}
    names = [*FEATURES, *([_BY_STANCE] if stance else [])]
    made = _fitted(rows, [one.verdict for one in read], names, told)
    with atomic_folder(output) as folder:
        write_json(folder / FILE, {k: v for k, v in asdict(made).items() if k not in ("place", "read")})
        of = [(one.asked.item.candidate, one.verdict) for one in read]
        rows_read = [{"id": c.candidate_id, "start": c.start, "end": c.end, "verdict": verdict} for c, verdict in of]
        (folder / READ).write_text("".join(json.dumps(row) + "\n" for row in rows_read), "utf-8")
        if stance:
            shutil.copytree(stance, folder / STANCE)
    return made


def cross_validated(rows: Matrix, read: Sequence[Reading]) -> Matrix:
    """Probabilities of each verdict for each reading by a verifier that has not seen its cited case."""
    from sklearn.model_selection import GroupKFold

    verdicts = np.array([one.verdict for one in read])
    cases = [one.asked.item.candidate.cited_case_id for one in read]
    if len({*cases}) < _FOLDS:
        raise InputError(f"readings of {len({*cases})} cited cases; it takes {_FOLDS}, to test on cases not seen")
    found = np.zeros((len(read), len(VERDICTS)))
    for seen, unseen in GroupKFold(_FOLDS).split(rows, verdicts, cases):
        found[unseen] = _fitted(rows[seen], list(verdicts[seen]), [], {}).probabilities(rows[unseen])
    return found


def passing(entailed: NDArray[np.float64], read: Sequence[Reading], precision: float) -> dict[str, float]:
    """The lowest threshold that gives a precision among those that stand alone, with their precision and recall.

    Raises InputError when none of them is entailed.
    """
    alone = np.array([one.alone for one in read])
    weights = np.array([one.weight for one in read])[alone]
    right = weights * np.array([one.verdict == "entailed" for one in read])[alone]
    order = np.argsort(-entailed[alone], kind="stable")
    chances, right, weights = entailed[alone][order], right[order], weights[order]
    shares = np.cumsum(right) / np.cumsum(weights)
    parts = np.append(np.diff(chances) != 0, True)  # a threshold parts no equal ones
    if not right.sum():
        raise InputError("no reading of a proposition that stands alone is entailed; read more of them")
    last = max(np.flatnonzero(parts & (shares >= precision)), default=0)
    recall = right[: last + 1].sum() / right.sum()
    found = {"threshold": chances[last], "precision_held_out": shares[last], "recall": recall}
    return {name: round(float(value), 4) for name, value in found.items()}


def _fitted(rows: Matrix, verdicts: Sequence[str], names: list[str], told: dict[str, Any]) -> Verifier:
    from sklearn.linear_model import LogisticRegression

    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale > 1e-6, scale, 1.0)  # a feature that is always the same tells nothing
    model = LogisticRegression(max_iter=1_000).fit((rows - mean) / scale, verdicts)
    weights, bias = np.zeros((len(VERDICTS), rows.shape[1])), np.full(len(VERDICTS), _NEVER)
    own = [VERDICTS.index(verdict) for verdict in model.classes_]
    # of two verdicts the model has the weights of the second alone
    weights[own[-len(model.coef_) :]], bias[own] = model.coef_, 0.0
    bias[own[-len(model.coef_) :]] = model.intercept_
    mean, scale, weights, bias = (np.round(value, 6).tolist() for value in (mean, scale, weights, bias))
    return Verifier(names, mean, scale, weights, bias, float(told.get("threshold", 0.5)), told)
