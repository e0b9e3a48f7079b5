"""A trained ranking of clauses: boosted trees over the features, by learning to rank (LambdaMART; Burges, 2010).

fit_ranking(examples, options) -> Ranking     Ranking.scores(features) -> array     Ranking.save(folder), load_ranking
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.ranking.features import FEATURES, z_scores
from lawng.errors import ConfigError, InputError, MissingError
from lawng.extras import explained

NOTE = "lawng.json"
KIND = "clause ranking"
"""What the note of a clause model calls it."""
_TREES = "trees-{}.txt"
_BACKGROUND = "background.jsonl"
FEWEST = 500
"""Clauses among which z-scores are what the trees were trained on; fewer are ranked among those of the background."""
_HEURISTIC = FEATURES.index("reading")
_THREADS = min(4, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """How a ranking is trained; the values were chosen by cross-validation over ACORD's training queries."""

    rounds: int = 120
    leaves: int = 8
    learning_rate: float = 0.05
    bags: int = 5
    """Rankings that are trained with seeds of their own and averaged."""
    zeros: int = 100
    """Irrelevant clauses of a query that are shown, the best by heuristic score: the others are easily told apart."""
    considered: int = 500
    """Clauses of a query that the trees weigh, the best by heuristic score; below them that score alone decides."""
    reading: float = 0.2
    """Weight of the heuristic score that is added, against the z-score of the trees."""
    left_out: tuple[str, ...] = ()
    """Features that are not used, for ablations."""
    seed: int = 7

    def __post_init__(self) -> None:
        """Refuse what cannot be: raises ConfigError naming the option."""
        for name in ("rounds", "leaves", "bags", "zeros", "considered"):
            if getattr(self, name) < 1 + (name == "leaves"):
                raise ConfigError(f"{name}: {getattr(self, name)} is too small")
        unknown = set(self.left_out) - set(FEATURES)
        if unknown:
            raise ConfigError(f"left out: no such feature: {', '.join(sorted(unknown))}")

    @property
    def columns(self) -> list[int]:
        """The places of the features that are used."""
        return [place for place, name in enumerate(FEATURES) if name not in self.left_out]


class Example(NamedTuple):
    """A training query: the features of its judged clauses, and their grades."""

    features: NDArray[np.float32]
    grades: NDArray[np.int64]
    """0 to 4: stars less one."""


class Ranking:
    """Trees, and how they are added to the heuristic score."""

    def __init__(self, trees: Sequence[Any], options: RankingOptions, background: Sequence[str] = ()) -> None:
        """`background` are texts of clauses of the collection that it was trained on."""
        self._trees = trees
        self.options = options
        self.background = tuple(background)

    def scores(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """A score of each clause; rows of one query and one collection, since they are weighed against each other."""
        heuristic = features[:, _HEURISTIC].astype(np.float64)
        first = np.argsort(-heuristic, kind="stable")[: self.options.considered]
        seen = features[first][:, self.options.columns]
        # beside each other, for LightGBM lets go of the interpreter; its own threads wait for work in a busy loop
        with ThreadPoolExecutor(_THREADS) as pool:
            of_each = list(pool.map(lambda tree: tree.predict(seen, num_threads=1), self._trees))
        weighed = np.mean(of_each, axis=0)
        raw = np.full(len(features), weighed.min(initial=np.inf))  # to the trees all others are as poor as the poorest
        raw[first] = weighed
        return z_scores(raw) + self.options.reading * z_scores(heuristic)

    def save(self, folder: Path, about: dict[str, Any]) -> None:
        """Write the trees and a note into a folder; `about` says what they were trained on."""
        for number, tree in enumerate(self._trees):
            (folder / _TREES.format(number)).write_text(tree.model_to_string(), encoding="utf-8")
        with (folder / _BACKGROUND).open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(text, ensure_ascii=False) + "\n" for text in self.background)
        note = {"kind": KIND, "features": list(FEATURES), "options": asdict(self.options), **about}
        (folder / NOTE).write_text(json.dumps(note, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@explained()
def fit_ranking(examples: Sequence[Example], options: RankingOptions, texts: Sequence[str] = ()) -> Ranking:
    """Train on some queries; `texts` are their collection, of which some are kept, drawn by the seed, as a background.

    Raises InputError when no query has clauses of two grades.
    """
    shown = [_shown(example, options.zeros) for example in examples]
    useful = [example for example in shown if len(set(example.grades.tolist())) > 1]
    if not useful:
        raise InputError("clause ranking: no training query has clauses of different grades; give more judgements")
    background = Random(options.seed).sample(list(texts), min(FEWEST, len(texts)))
    return Ranking([_tree(useful, options, options.seed + bag) for bag in range(options.bags)], options, background)


@explained()
def load_ranking(folder: Path) -> tuple[Ranking, dict[str, Any]]:
    """A ranking and its note.

    Raises MissingError when the folder has none, or LightGBM is not installed; ConfigError when it holds another model,
    was made for other features, or is damaged.
    """
    try:
        read = json.loads((folder / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MissingError(
            f"{folder}: no clause model ({NOTE} cannot be read); make one: lawng train clauses"
        ) from error
    note = read if isinstance(read, dict) else {}
    if note.get("kind") != KIND:
        raise ConfigError(
            f"{folder}: holds no clause model but {note.get('kind', 'another model')}; name another folder"
        )
    if note.get("features") != list(FEATURES):
        raise ConfigError(f"{folder}: made for other features than this version has; run lawng train clauses again")
    try:
        options = RankingOptions(**{**note["options"], "left_out": tuple(note["options"]["left_out"])})
        trees = [_read_tree(folder / _TREES.format(bag)) for bag in range(options.bags)]
        background = [str(json.loads(line)) for line in (folder / _BACKGROUND).read_text("utf-8").split("\n") if line]
    except (KeyError, TypeError, OSError, ValueError) as error:
        raise ConfigError(f"{folder}: the clause model is damaged ({error}); run lawng train clauses again") from error
    return Ranking(trees, options, background), note


def _read_tree(path: Path) -> Any:
    import lightgbm

    text = path.read_text(encoding="utf-8")
    if "end of trees" not in text:  # LightGBM ends the process over some texts that are cut short
        raise ValueError(f"{path.name} is cut short")
    try:
        return lightgbm.Booster(model_str=text)
    except lightgbm.basic.LightGBMError as error:
        raise ValueError(f"{path.name}: {str(error).splitlines()[0]}") from error


def _shown(example: Example, zeros: int) -> Example:
    graded = np.flatnonzero(example.grades > 0)
    none = np.flatnonzero(example.grades == 0)
    hardest = none[np.argsort(-example.features[none, _HEURISTIC], kind="stable")][:zeros]
    rows = np.concatenate([graded, hardest])
    return Example(example.features[rows], example.grades[rows])


def _tree(examples: Sequence[Example], options: RankingOptions, seed: int) -> Any:
    import lightgbm

    data = lightgbm.Dataset(
        np.vstack([example.features for example in examples])[:, options.columns],
        np.concatenate([example.grades for example in examples]),
        group=[len(example.grades) for example in examples],
    )
    parameters = {
        "objective": "lambdarank",
        "label_gain": [0, 1, 2, 3, 4],  # linear, as the paper's NDCG
        "lambdarank_truncation_level": 20,
        "learning_rate": options.learning_rate,
        "num_leaves": options.leaves,
        "min_data_in_leaf": 20,
        "feature_fraction": 0.5,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "lambda_l2": 5.0,
        "verbose": -1,
        "seed": seed,
        "num_threads": 1,  # the trees are the same, and two threads wait for each other where a core is taken
        "deterministic": True,
        "force_row_wise": True,
    }
    return lightgbm.train(parameters, data, num_boost_round=options.rounds)
